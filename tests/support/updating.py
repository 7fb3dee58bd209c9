"""A whole ``update`` (capture, then maintain) in a process of its own, which can be stopped at any durable step of it."""

import os
import re
import shutil
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from commonbook.agents.rules.agent import RulesAgent
from commonbook.capture import capture
from commonbook.clock import Clock, Milliseconds, SystemClock
from commonbook.hosts.catalogue import find_host
from commonbook.keeper.contracts import AgentOutcome, MemoryTask, ReadGrant, RunControl, Store, no_mark
from commonbook.keeper.journal import MARKER, RECEIPT
from commonbook.keeper.opening import close_store, open_store, second_store
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import sha256
from commonbook.worker import Maintainer, WorkReport, run_maintenance

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
ENGLISH = RECORDINGS / "pi-0.85.1/stories/tobin-lanternfish"
CHINESE = RECORDINGS / "pi-1.6.0/stories/xuwenzhou-saltmarsh"
STORIES = tuple(sorted(RECORDINGS.glob("pi-*/stories/*")))


def put_sessions(place: Path, *stories: Path) -> Path:
    for story in stories:
        shutil.copytree(story, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.key.json"))
    return place


def home_at(folder: Path) -> Home:
    return Home(folder, folder / "data")


@dataclass
class CountedAgent(RulesAgent):
    """The rules agent, which first notes on disk that it runs, so that the note outlives its process."""

    notes: Path
    before: Callable[[MemoryTask], None] | None = None

    async def run(self, task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        with self.notes.open("a") as file:
            file.write(f"{task.request_id}\n")
        if self.before is not None:
            self.before(task)
        return await super().run(task, grant, control)


@dataclass
class Stopper:
    """Counts durable steps and ends its process with SIGKILL just before the nth (0: never)."""

    nth: int = 0
    seen: list[str] = field(default_factory=list)

    def __call__(self, step: str) -> None:
        self.seen.append(step)
        if len(self.seen) == self.nth:
            os.kill(os.getpid(), signal.SIGKILL)


def update(
    folder: Path,
    sessions: Path,
    mark: Callable[[str], None] = no_mark,
    agent: RulesAgent | None = None,
    *,
    clock: Clock | None = None,
) -> WorkReport:
    """What ``commonbook update`` does, with every step told to ``mark`` from the first opening on."""
    store = open_store(home_at(folder), Settings(), clock=clock, mark=mark)
    try:
        capture(store, find_host("pi"), root=sessions)
        return run_maintenance(Maintainer(lambda: second_store(store), agent or RulesAgent()))
    finally:
        close_store(store)


@dataclass(frozen=True)
class Child:
    status: int
    """Exit status; negative: the signal that ended it."""
    told: str


def in_child(work: Callable[[], object], *, uid: int | None = None) -> Child:
    """Run ``work`` in a forked process and give the text that it returns. Everything is imported there already, and a kill of
    it is as real as any."""
    return finish(start(work, uid=uid))


def start(work: Callable[[], object], *, uid: int | None = None) -> tuple[int, int]:
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            if uid is not None:
                os.setgroups([])
                os.setgid(uid)
                os.setuid(uid)
            told = work()
            os.write(writing, told.encode()[:60_000] if isinstance(told, str) else b"")
            status = 0
        except BaseException:
            os.write(writing, traceback.format_exc().encode()[-4000:])
        finally:
            os._exit(status)  # a child must not go on with the tests of its parent
    os.close(writing)
    return child, reading


def finish(started: tuple[int, int]) -> Child:
    child, reading = started
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode(errors="replace")
    return Child(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told)


def markdown(folder: Path) -> dict[str, str]:
    """Every canonical document; the random end of a project's id is taken out of its name."""
    memory = folder / "data" / "memory"
    return {
        re.sub(r"-[0-9a-f]{4}\.md$", "-xxxx.md", str(path.relative_to(memory))): path.read_bytes().decode()
        for path in sorted(memory.rglob("*.md"))
    }


def committing(folder: Path) -> set[str]:
    """Jobs whose commit has its marker: from there on no agent may be asked about them."""
    found = (folder / "data/runtime/transactions").glob(f"*/{MARKER}")
    return {orjson.loads((marker.parent / RECEIPT).read_bytes())["id"] for marker in found}


def check_whole(store: Store, agent_runs: list[str] | None = None, *, by_hand: bool = False) -> None:
    """What must hold in a memory at rest, however often its processes died. ``by_hand``: a person changed files meanwhile."""
    ledger, home = store.ledger, store.home
    states = ledger.rows("SELECT state, COUNT(*) FROM observations GROUP BY state")
    assert {state for state, _ in states} <= {"processed", "quarantined", "held"}, states
    assert ledger.row("SELECT COUNT(*) FROM jobs WHERE state <> 'done'") == (0,)
    twice = ledger.rows("SELECT host, origin, record, COUNT(*) AS n FROM observations GROUP BY 1, 2, 3 HAVING n > 1")
    assert twice == []

    jobs = {row[0] for row in ledger.rows("SELECT id FROM jobs")}
    done = ledger.rows("SELECT id, job FROM observations WHERE state = 'processed' AND considered_by <> 'person'")
    assert all(job in jobs for _, job in done)
    receipts = {row[0]: row[1:] for row in ledger.rows("SELECT id, kind, digest FROM receipts")}
    assert all(job in receipts for _, job in done)

    on_disk = {path.stem: path.read_bytes() for path in home.receipts.iterdir()}
    assert {name: sha256(data) for name, data in on_disk.items()} == {
        name: digest for name, (kind, digest) in receipts.items() if kind != "ignore"
    }
    consumed = [source for data in on_disk.values() for source in orjson.loads(data).get("consumed", ())]
    assert len(consumed) == len(set(consumed)), "an observation was consumed by two receipts"
    assert set(consumed) <= {observation for observation, _ in done}
    if not by_hand:
        check_digests(home, on_disk)

    assert list(home.transactions.iterdir()) == []
    assert [path for path in home.root.rglob("*") if path.name.endswith(".tmp")] == []
    assert ledger.row("PRAGMA integrity_check") == ("ok",)
    assert ledger.rows("PRAGMA foreign_key_check") == []
    if agent_runs is not None:
        assert jobs <= set(agent_runs)


def check_digests(home: Home, receipts: dict[str, bytes]) -> None:
    """The commits of each document form one way, from no document to the file as it stands (a text may come back)."""
    ways: dict[str, Counter[str]] = {}
    for data in receipts.values():
        for file in orjson.loads(data)["files"]:
            way = ways.setdefault(file["target"], Counter())
            way[file["before"]] += 1
            way[file["after"]] -= 1
    for target, way in ways.items():
        path = home.memory / f"{target}.md"
        expected = Counter({"": 1})
        expected[sha256(path.read_bytes())] -= 1
        assert {digest: n for digest, n in way.items() if n} == dict(expected), target


@dataclass
class Later:
    """The machine's clock, ten minutes on: whatever waits for its next try is due, and what a crash left has grown old."""

    ahead: Milliseconds = 600_000

    def now(self) -> Milliseconds:
        return SystemClock().now() + self.ahead


def at_rest(folder: Path) -> Store:
    """The store as a later command finds it."""
    return open_store(home_at(folder), Settings(), clock=Later())
