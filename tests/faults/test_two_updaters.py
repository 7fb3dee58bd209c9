"""Several processes update one memory at the same time while its sessions grow: nobody sees an error, nothing comes twice,
and the memory is the one that a single process makes of the same sessions."""

import json
import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from commonbook.keeper.opening import close_store
from tests.support.updating import STORIES, at_rest, check_whole, finish, markdown, put_sessions, start, update

YEAR = 31_536_000_000


class Feeder:
    """Gives the lines of recorded sessions out in the order in which they were written, as people at work do; a bit may end
    in the middle of a line, and the rest of it comes next."""

    def __init__(self, whole: Path, growing: Path, dice: random.Random) -> None:
        lines: list[tuple[str, Path, bytes]] = []
        for path in sorted(whole.rglob("*.jsonl")):
            at = ""
            for line in path.read_bytes().splitlines(keepends=True):
                at = max(at, json.loads(line).get("timestamp", at))
                lines.append((at, growing / path.relative_to(whole), line))
        bits: list[tuple[Path, bytes]] = []
        for _, path, line in sorted(lines, key=lambda one: one[0]):
            cut = dice.randrange(1, len(line)) if dice.random() < 0.3 else len(line)
            bits += [(path, line[:cut]), (path, line[cut:])]
        self._bits = [bit for bit in bits if bit[1]]
        self.count = len(self._bits)

    def feed(self) -> None:
        path, data = self._bits.pop(0)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(data)


def many_stories(place: Path, copies: int) -> Path:
    """The recorded stories, several times over: other session ids, other folders, other record ids, another year."""
    for number in range(copies):
        put_sessions(place / f"{number}", *STORIES)
        for path in (place / f"{number}").rglob("*.jsonl"):
            records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            path.write_text("".join(f"{json.dumps(_other(one, number))}\n" for one in records), encoding="utf-8")
    return place


def _other(record: dict[str, Any], number: int) -> dict[str, Any]:
    for key in ("id", "parentId"):
        if isinstance(record.get(key), str):
            record[key] = f"{record[key]}-{number}"
    if "cwd" in record:
        record["cwd"] = f"{record['cwd']}-{number}"
    back = 20 - number
    record["timestamp"] = record["timestamp"].replace("2026-", f"{2026 - back}-")
    if isinstance(at := record.get("message", {}).get("timestamp"), int):
        record["message"]["timestamp"] = at - back * YEAR
    return record


def updater(folder: Path, sessions: Path, stop: Path, *, least: int, seconds: float) -> str:
    """Update again and again until told to stop; gives what it did. Any error ends it, and the test."""
    done, messages, failed = 0, 0, []
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (done >= least and stop.exists()):
        report = update(folder, sessions)
        done += 1
        messages += report.messages
        failed += [failure.code.value for failure in report.failed]
    return json.dumps({"operations": done, "messages": messages, "failed": failed})


def at_once(place: Path, *, processes: int, copies: int, least: int, seconds: float) -> None:
    whole = many_stories(place / "whole", copies)
    growing = place / "growing"
    growing.mkdir()
    folder, stop = place / "home", place / "stop"
    feeder = Feeder(whole, growing, random.Random(processes))
    begun = [start(lambda: updater(folder, growing, stop, least=least, seconds=seconds)) for _ in range(processes)]
    begin, tick = time.monotonic(), threading.Event()
    for number in range(feeder.count):
        tick.wait(max(0.0, begin + number * seconds * 0.5 / feeder.count - time.monotonic()))
        feeder.feed()
    stop.touch()
    ended = [finish(one) for one in begun]
    assert all(one.status == 0 for one in ended), [one.told for one in ended if one.status]
    told = [json.loads(one.told) for one in ended]
    assert all(one["failed"] == [] for one in told), told
    assert min(one["operations"] for one in told) >= least, told

    last = update(folder, growing)
    store = at_rest(folder)
    check_whole(store)
    (said,) = store.ledger.row("SELECT COUNT(*) FROM observations WHERE state = 'processed'") or (0,)
    assert sum(one["messages"] for one in told) + last.messages == said, "a message was worked off twice or by nobody"
    close_store(store)
    found = markdown(folder)
    for name, text in found.items():
        twice = [line for line, count in Counter(text.splitlines()).items() if count > 1 and line.startswith("- ")]
        assert twice == [], name
    assert said_lines(found) == said_lines(replayed(place, growing))


def replayed(place: Path, sessions: Path) -> dict[str, str]:
    """What one process makes of the same sessions."""
    update(place / "alone", sessions)
    store = at_rest(place / "alone")
    check_whole(store)
    close_store(store)
    return markdown(place / "alone")


def said_lines(found: dict[str, str]) -> list[tuple[str, str]]:
    """Lines by document. What is told first names the sections and stands first in them, and several processes may well tell
    an English fact before a Chinese one; so order and headings are left out."""
    texts = ((name, line) for name, text in found.items() for line in text.splitlines())
    return sorted((name, line) for name, line in texts if line.strip() and not line.startswith("## "))


def test_two_processes_at_once(tmp_path: Path) -> None:
    at_once(tmp_path, processes=2, copies=1, least=15, seconds=5)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 8])
@pytest.mark.timeout(180)
def test_many_processes_for_long(tmp_path: Path, processes: int) -> None:
    at_once(tmp_path, processes=processes, copies=6 if processes == 2 else 3, least=200, seconds=60)
