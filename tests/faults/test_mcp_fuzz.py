"""Ten thousand hostile frames, half of them almost valid: no crash, no hang, no line on stdout that is not protocol."""

import json
import random
import sys
from typing import Any

import pytest

from tests.support.mcp_process import converse

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
FRAMES = 10_000
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
VALID: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": 7, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "memory_read", "arguments": {}}},
    {"jsonrpc": "2.0", "id": 9, "method": "ping"},
    {"jsonrpc": "2.0", "id": 10, "method": "resources/read", "params": {"uri": "commonbook://memory/global"}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}},
    {"jsonrpc": "2.0", "id": "a", "result": {"never": "asked"}},
]
VALUES: list[Any] = [
    None,
    True,
    -1,
    2**70,
    1e308,
    "",
    "x" * 3000,
    "\ud800",
    "\u0000",
    [],
    [[]],
    {},
    {"a": {}},
    "日本語🙂",
]


def _mutated(dice: random.Random) -> bytes:
    """One frame with one key dropped, changed or added, somewhere."""
    frame = json.loads(json.dumps(dice.choice(VALID)))
    place = frame
    while isinstance(inner := place.get(dice.choice(list(place) or [""])), dict) and dice.random() < 0.7:
        place = inner
    key = dice.choice([*place, "extra"])
    if dice.random() < 0.3:
        place.pop(key, None)
    else:
        place[key] = dice.choice(VALUES)
    return json.dumps(frame).encode()


def _noise(dice: random.Random) -> bytes:
    kind = dice.randrange(4)
    if kind == 0:
        return dice.randbytes(dice.randrange(1, 200)).replace(b"\n", b" ")
    if kind == 1:
        whole = json.dumps(dice.choice(VALID)).encode()
        return whole[: dice.randrange(len(whole))]
    if kind == 2:
        return b"[" * dice.randrange(1, 400) + b"]" * dice.randrange(400)
    return json.dumps(dice.choice(VALUES)).encode()


def test_a_fuzzer_gets_protocol_or_silence_and_the_last_question_is_answered() -> None:
    dice = random.Random(20_261_201)
    frames = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}).encode(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        *(_mutated(dice) if number % 2 else _noise(dice) for number in range(FRAMES)),
        b'{"jsonrpc":"2.0","id":"the last","method":"ping"}',
    ]
    talk = converse([sys.executable, "-m", "tests.support.mcp_noisy_server"], frames, "the last")
    assert talk.status == 0, talk.errors[-2000:]
    assert all(answer["jsonrpc"] == "2.0" for answer in talk.answers)
    assert any(answer.get("id") == "the last" and "result" in answer for answer in talk.answers)
