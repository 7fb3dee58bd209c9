"""Stdout carries protocol only; a message over 1 MiB is refused whole and the next one is served."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commonbook.channels.mcp_server.wire import MESSAGE_LIMIT, Input, Output

ROOT = Path(__file__).resolve().parents[2]
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


def _serve(frames: bytes) -> tuple[list[dict[str, Any]], str, int]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.mcp_noisy_server"],
        input=frames,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        timeout=60,
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode(), done.returncode


def test_what_libraries_print_never_reaches_the_protocol_and_the_end_of_input_ends_the_process() -> None:
    frames = [json.dumps(HELLO), json.dumps(READY), "x" * (MESSAGE_LIMIT + 1), "not json", json.dumps(READ)]
    answers, errors, status = _serve("\n".join([*frames, ""]).encode())
    by_id = {answer.get("id"): answer for answer in answers}
    assert by_id[1]["result"]["serverInfo"]["name"] == "commonbook"
    assert by_id[2]["result"]["content"][0]["text"] == "nothing yet"
    assert by_id[None]["error"]["code"] in (-32600, -32700)
    assert "noise in the middle" in errors
    assert "greets its users" in errors
    assert status == 0
