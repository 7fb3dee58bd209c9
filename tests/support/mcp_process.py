"""Talk to an MCP server process as a client does: stdin stays open until the last answer has come."""

import json
import os
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Conversation:
    answers: list[dict[str, Any]]
    errors: str
    status: int


def converse(argv: Sequence[str], frames: Sequence[bytes], last_id: int | str, **environment: str) -> Conversation:
    """Send every frame, read until the answer to ``last_id`` (or the end), then hang up and wait for the exit."""
    process = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", **environment},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    errors: list[bytes] = []
    listener = threading.Thread(target=lambda: errors.append(process.stderr.read() if process.stderr else b""))
    writer = threading.Thread(target=_write, args=(process.stdin, b"\n".join([*frames, b""])))
    listener.start()
    writer.start()
    answers = []
    for line in process.stdout:
        answers.append(json.loads(line))
        if answers[-1].get("id") == last_id:
            break
    writer.join()
    process.stdin.close()
    answers += [json.loads(line) for line in process.stdout]
    status = process.wait(timeout=60)
    listener.join()
    process.stdout.close()
    process.stderr.close()
    return Conversation(answers, b"".join(errors).decode(errors="replace"), status)


def _write(stream: Any, data: bytes) -> None:
    try:
        stream.write(data)
        stream.flush()
    except BrokenPipeError:
        return  # the server ended early; the reader of its answers will tell
