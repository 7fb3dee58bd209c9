"""Stdout carries protocol only; a message over 1 MiB is refused whole and the next one is served."""

import io
import json
import os
import sys
from typing import Any

import pytest

from commonbook.channels.mcp_server.wire import MESSAGE_LIMIT, Input, Output
from tests.support.mcp_process import converse

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
READ = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_read", "arguments": {}}}


def _lines(data: bytes, limit: int = 8) -> tuple[list[str], list[dict[str, Any]]]:
    reader, writer = os.pipe()
    read = list(Input(io.BytesIO(data), Output(writer), limit))
    os.close(writer)
    with os.fdopen(reader) as refusals:
        return read, [json.loads(line) for line in refusals]


@pytest.mark.parametrize(
    ("data", "served", "refused"),
    [
        (b"{}\n", ["{}\n"], 0),
        (b"12345678\n", ["12345678\n"], 0),
        (b"12345678\r\n", ["12345678\r\n"], 0),
        (b"123456789\n{}\n", ["{}\n"], 1),
        (b"1" * 100 + b"\n{}\n", ["{}\n"], 1),
        (b"1" * 100, [], 1),
        (b"\n \n{}", ["{}"], 0),
        ("日".encode() * 3 + b"\n{}\n", ["{}\n"], 1),
        (b"\xff\xfe\n", ["\ufffd\ufffd\n"], 0),
        (b"", [], 0),
    ],
)
def test_long_messages_are_refused_whole_and_the_next_one_is_served(
    data: bytes, served: list[str], refused: int
) -> None:
    read, refusals = _lines(data)
    assert read == served
    assert len(refusals) == refused
    assert all(answer["error"]["code"] == -32600 for answer in refusals)


def test_what_libraries_print_never_reaches_the_protocol_and_the_end_of_input_ends_the_process() -> None:
    frames = [json.dumps(HELLO), json.dumps(READY), "x" * (MESSAGE_LIMIT + 1), "not json", json.dumps(READ)]
    argv = [sys.executable, "-m", "tests.support.mcp_noisy_server"]
    talk = converse(argv, [frame.encode() for frame in frames], 2)
    by_id = {answer.get("id"): answer for answer in talk.answers}
    assert by_id[1]["result"]["serverInfo"]["name"] == "commonbook"
    assert by_id[2]["result"]["content"][0]["text"] == "nothing yet"
    assert by_id[None]["error"]["code"] in (-32600, -32700)
    assert "noise in the middle" in talk.errors
    assert "greets its users" in talk.errors
    assert talk.status == 0
