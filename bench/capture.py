"""Capture of history against bare ``json.loads`` of the same lines, in one run: ratio, and memory over what the start took.

    python -m bench.capture [--megabytes 10] [--profile]

The sessions are made of the recorded sessions of Pi, over and over, with ids and times of their own. Tools in the recordings
ran on toy projects, so there are three sizes of their output: as recorded, 4 KiB and 16 KiB (Pi itself cuts at 50 KB). And
in the recordings more than every fourth line is the user's, since each was made to say something; so there are two shapes:
as recorded, and with each use of a tool done five times over, as in work.
"""

import argparse
import cProfile
import json
import platform
import pstats
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from commonbook.capture import HostCapture, capture
from commonbook.hosts.catalogue import find_host
from commonbook.hosts.transcripts import Lineage
from commonbook.keeper.contracts import Store
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Limits, Settings
from commonbook.settings.paths import Home

RECORDINGS = Path(__file__).parent.parent / "tests" / "recordings"
MEGABYTE = 1_000_000
SIZES = (0, 4096, 16384)
ROUNDS = 5
PI = find_host("pi")


class Shape(NamedTuple):
    """``tool_bytes``: of one tool output, 0 as recorded; ``rounds``: how often each use of a tool is done."""

    tool_bytes: int
    rounds: int


def recorded() -> list[dict[str, Any]]:
    """Every record but the headers of the recorded stories."""
    lines = [
        line for path in sorted(RECORDINGS.glob("pi-*/stories/*/*/*.jsonl")) for line in path.open(encoding="utf-8")
    ]
    return [record for record in map(json.loads, lines) if record["type"] != "session"]


def shaped(shape: Shape) -> Iterator[dict[str, Any]]:
    """The recorded lines, tool output grown, and what lies between a call and its last result repeated."""
    loop: list[dict[str, Any]] = []
    for record in recorded():
        message = record.get("message", {})
        if message.get("role") == "toolResult":
            for block in message["content"]:
                text = (block["text"] or "ok") + "\n"
                often = shape.tool_bytes // len(text.encode()) + 1
                block["text"] = text * often if shape.tool_bytes else block["text"]
        if loop and message.get("role") != "toolResult":
            yield from loop * (shape.rounds - 1)
            loop = []
        if message.get("stopReason") == "toolUse" or loop:
            loop.append(record)
        yield record


def lines_of(shape: Shape) -> Iterator[bytes]:
    cycle = list(shaped(shape))
    number, at = 0, 1_790_000_000_000
    while True:
        for record in cycle:
            number, at = number + 1, at + 500
            stamp = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            fresh = record | {"id": f"{number:08x}", "parentId": f"{number - 1:08x}", "timestamp": stamp}
            if "message" in record:
                fresh["message"] = record["message"] | {"timestamp": at}
            yield json.dumps(fresh, ensure_ascii=False).encode() + b"\n"


def write_session(path: Path, size: int, shape: Shape) -> int:
    """Gives the number of lines."""
    header = {"type": "session", "version": 3, "id": "bench", "timestamp": "2026-09-01T00:00:00.000Z", "cwd": "/proj"}
    written = lines = 0
    path.parent.mkdir()
    with path.open("wb") as out:
        out.write(json.dumps(header).encode() + b"\n")
        for line in lines_of(shape):
            out.write(line)
            written, lines = written + len(line), lines + 1
            if written >= size:
                return lines
    return lines


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """CPU seconds, wall seconds, result."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return time.process_time() - cpu, time.perf_counter() - wall, result


def parse_only(path: Path) -> None:
    with path.open("rb") as lines:
        for line in lines:
            json.loads(line)


def read_only(path: Path) -> None:
    source = PI.transcripts()
    session = source.discover(path.parent).sessions[0]
    with source.open(session, Lineage.of(session, {}), None) as reader:
        for _ in reader.turns(seal=False):
            pass


def fresh_store(folder: Path) -> Store:
    roomy = Settings(limits=Limits(session_bytes=2**40, unprocessed_bytes=2**40))
    return open_store(Home(folder, folder / "data"), roomy)


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def measure(folder: Path, size: int, shape: Shape, profile: cProfile.Profile | None) -> None:
    path = folder / "sessions" / "bench.jsonl"
    lines = write_session(path, size, shape)
    bare, bare_wall, _ = min((timed(lambda: parse_only(path)) for _ in range(3)), key=lambda times: times[0])
    reading, _, _ = timed(lambda: read_only(path))
    store = fresh_store(folder / "home")
    before = peak_megabytes()

    def work() -> HostCapture:
        return capture(store, PI, root=path.parent)

    whole, wall, report = timed(work if profile is None else lambda: profile.runcall(work))
    repeated = work()
    assert (repeated.new, repeated.bytes_read, report.new > 0) == (0, 0, True)
    close_store(store)
    grown = peak_megabytes() - before
    sys.stdout.write(
        f"{path.stat().st_size / lines:8.0f} {report.new / lines:8.0%} {lines:8} {bare / lines * 1e6:8.1f} "
        f"{bare / reading:8.2f} {whole / lines * 1e6:8.1f} {bare / whole:8.2f} {bare_wall / wall:8.2f} {grown:9.0f}\n"
    )
    sys.stdout.flush()


def main() -> None:
    options = argparse.ArgumentParser(description="capture of history against bare json.loads; the bar is 0.40")
    options.add_argument("--megabytes", type=int, default=10, help="of each session")
    options.add_argument(
        "--tool-bytes", type=int, action="append", help="only this size of tool output (0: as recorded)"
    )
    options.add_argument("--rounds", type=int, action="append", help="only this often each use of a tool")
    options.add_argument("--profile", action="store_true")
    chosen = options.parse_args()
    profile = cProfile.Profile() if chosen.profile else None
    sys.stdout.write(
        f"{platform.machine()}, Python {platform.python_version()}, {chosen.megabytes} MB a session; µs a line by CPU\n"
        "  B/line     user    lines    loads   reader  capture    ratio   (wall)   MB more\n"
    )
    for rounds in chosen.rounds or (1, ROUNDS):
        for tool_bytes in chosen.tool_bytes or SIZES:
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder), chosen.megabytes * MEGABYTE, Shape(tool_bytes, rounds), profile)
    sys.stdout.write(f"peak memory {peak_megabytes():.0f} MB\n")
    if profile is not None:
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)


if __name__ == "__main__":
    main()
