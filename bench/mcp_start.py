"""From process start to the first answer of `memory_read`, against a bare server of the same SDK. Bar: at most 1.5 times.

    python -m bench.mcp_start [rounds]

Both are measured in turn in one run, CPU and wall, minimum and median of the rounds.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def memory_read() -> str:
    return "nothing"
server.run()
"""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
FRAMES = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_read", "arguments": {}}},
]


def once(argv: list[str], home: str) -> tuple[float, float]:
    """(wall, CPU) seconds until the answer with id 2 has been read."""
    before = os.times()
    start = time.perf_counter()
    process = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": home, "COMMONBOOK_HOME": f"{home}/.commonbook"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(json.dumps(frame) + "\n" for frame in FRAMES).encode())
    process.stdin.flush()
    for line in process.stdout:
        answer = json.loads(line)
        if answer.get("id") == 2:
            assert "result" in answer, answer
            break
    wall = time.perf_counter() - start
    process.stdin.close()
    process.stdout.close()
    process.wait()
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, used


def main(rounds: int) -> None:
    ours = [
        str(Path(sys.executable).parent / "commonbook"),
        "mcp",
        "--client-id",
        "bench",
        "--capability",
        "read",
        "--global",
    ]
    bare = [sys.executable, "-c", BARE]
    with tempfile.TemporaryDirectory() as home:
        measured: dict[str, list[tuple[float, float]]] = {"bare": [], "ours": []}
        for argv in (bare, ours):
            once(argv, home)
        for _ in range(rounds):
            measured["bare"].append(once(bare, home))
            measured["ours"].append(once(ours, home))
    for which, name in ((0, "wall"), (1, "CPU")):
        values = {key: [pair[which] for pair in pairs] for key, pairs in measured.items()}
        told = ", ".join(f"{key} min {min(v):.3f} s median {statistics.median(v):.3f} s" for key, v in values.items())
        print(f"{name}: {told}; ratio of minima {min(values['ours']) / min(values['bare']):.2f} (bar 1.5), n={rounds}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
