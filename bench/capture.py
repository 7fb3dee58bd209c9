"""Capture of history against bare ``json.loads`` of the same lines, in one run: ratio, and memory over what the start took.

    python bench/capture.py [--megabytes 50] [--tool-bytes 4096] [--profile]

The session is made of the recorded sessions of Pi, over and over, with ids and times of its own. Tools in the recordings
ran on toy projects; their output is grown to ``--tool-bytes`` (0: as recorded; Pi itself cuts at 50 KB).
"""

import argparse
import cProfile
import json
import pstats
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from commonbook.capture import HostCapture, capture
from commonbook.hosts.catalogue import find_host
from commonbook.hosts.transcripts import Lineage
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Limits, Settings
from commonbook.settings.paths import Home

RECORDINGS = Path(__file__).parent.parent / "tests" / "recordings"
MEGABYTE = 1_000_000
PI = find_host("pi")


def recorded() -> list[dict[str, Any]]:
    """Every record but the headers of the recorded stories."""
    lines = [
        line for path in sorted(RECORDINGS.glob("pi-*/stories/*/*/*.jsonl")) for line in path.open(encoding="utf-8")
    ]
    return [record for record in map(json.loads, lines) if record["type"] != "session"]


def grown(record: dict[str, Any], tool_bytes: int) -> dict[str, Any]:
    message = record.get("message", {})
    if message.get("role") == "toolResult":
        for block in message["content"]:
            text = (block["text"] or "ok") + "\n"
            block["text"] = (text * (tool_bytes // len(text.encode()) + 1)) if tool_bytes else block["text"]
    return record


def records(tool_bytes: int) -> Iterator[bytes]:
    cycle = [grown(record, tool_bytes) for record in recorded()]
    number, at = 0, 1_790_000_000_000
    while True:
        for record in cycle:
            number, at = number + 1, at + 500
            stamp = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            fresh = record | {"id": f"{number:08x}", "parentId": f"{number - 1:08x}", "timestamp": stamp}
            if "message" in record:
                fresh["message"] = record["message"] | {"timestamp": at}
            yield json.dumps(fresh, ensure_ascii=False).encode() + b"\n"


def write_session(path: Path, size: int, tool_bytes: int) -> int:
    """Gives the number of lines."""
    header = {"type": "session", "version": 3, "id": "bench", "timestamp": "2026-09-01T00:00:00.000Z", "cwd": "/proj"}
    written = lines = 0
    with path.open("wb") as out:
        out.write(json.dumps(header).encode() + b"\n")
        for line in records(tool_bytes):
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


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def main() -> None:
    options = argparse.ArgumentParser(description="capture of history against bare json.loads")
    options.add_argument("--megabytes", type=int, default=50)
    options.add_argument("--tool-bytes", type=int, default=4096)
    options.add_argument("--profile", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sessions" / "bench.jsonl"
        path.parent.mkdir()
        lines = write_session(path, chosen.megabytes * MEGABYTE, chosen.tool_bytes)
        size = path.stat().st_size
        home = Path(folder) / "home"
        roomy = Settings(limits=Limits(session_bytes=2**40, unprocessed_bytes=2**40))
        store = open_store(Home(home, home / "data"), roomy)
        bare, bare_wall, _ = timed(lambda: parse_only(path))
        reading, _, _ = timed(lambda: read_only(path))
        before = peak_megabytes()

        def work() -> HostCapture:
            return capture(store, PI, root=path.parent)

        profile = cProfile.Profile() if chosen.profile else None
        whole, whole_wall, report = timed(work if profile is None else lambda: profile.runcall(work))
        again, _, repeated = timed(work)
        close_store(store)
        kib = size / 1024
        core = (whole - reading) / kib * 1e6
        print(f"session      {size / MEGABYTE:.0f} MB, {lines} lines of {size / lines:.0f} bytes on average")
        print(f"taken        {report.new} user messages, {report.context} of context")
        print(f"again        {repeated.new} new, {again:.3f} s")
        print(f"json.loads   {bare:.2f} s CPU, {bare_wall:.2f} s wall")
        print(f"reader       {reading:.2f} s CPU = {bare / reading:.2f} x the speed of json.loads")
        print(f"capture      {whole:.2f} s CPU, {whole_wall:.2f} s wall")
        print(f"             = {bare / whole:.2f} x by CPU, {bare_wall / whole_wall:.2f} x by wall; the bar is 0.40")
        print(f"per KiB      {whole / kib * 1e6:.1f} µs, of that {core:.1f} µs in Core")
        print(f"peak memory  {peak_megabytes() - before:.0f} MB more than before capture ({before:.0f} MB)")
        if profile is not None:
            pstats.Stats(profile).sort_stats("tottime").print_stats(30)


if __name__ == "__main__":
    main()
