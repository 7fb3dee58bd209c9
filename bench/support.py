"""What the benches of the queue share: a store in a folder of its own, turns of a plausible size, and a fair stopwatch."""

import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import apsw

from commonbook.keeper.contracts import ContextMessage, Place, SessionFacts, SettledTurn, Store, UserMessage
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Limits, Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, ProviderClass, Role, TurnState, sha256

START = 1_800_000_000_000
WORDS = "please keep the error tree small and say in every message what the person can do next about it "
ANSWER = "## What I changed\n\n" + WORDS * 3 + "\n\n- one\n- two\n\n```python\nprint('x')\n```\n\n" + WORDS * 6
OUTPUT = "src/app.py:12: error: name is not defined\n" * 60


@contextmanager
def fresh_store(folder: Path | None = None) -> Iterator[Store]:
    """A store in a temporary folder (of ``folder``'s file system, where given), with room for any backlog."""
    with TemporaryDirectory(dir=folder) as name:
        root = Path(name) / "home"
        wide = Limits(session_bytes=1 << 40, unprocessed_bytes=1 << 40)
        store = open_store(Home(root, root / "data"), Settings(limits=wide))
        try:
            yield store
        finally:
            close_store(store)


def facts(name: str) -> SessionFacts:
    path = f"/sessions/{name}.jsonl"
    return SessionFacts("pi", name, None, path, None, GLOBAL, "anthropic", ProviderClass.REMOTE, START)


def turns(session: str, first: int, number: int, text: str = WORDS * 4) -> list[SettledTurn]:
    """Turns of one user message, two answers and three tool outputs each."""
    return [_turn(session, n, text) for n in range(first, first + number)]


def _turn(session: str, number: int, text: str) -> SettledTurn:
    at, path = START + number * 60_000, f"/sessions/{session}.jsonl"
    messages: list[UserMessage | ContextMessage] = [
        UserMessage(f"u{number}", session, f"{number}: {text}", at, Place(path, number * 9_000, 500))
    ]
    for part in range(5):
        words = OUTPUT if part % 2 else ANSWER
        place = Place(path, number * 9_000 + part * 1_500, len(words))
        role: Literal[Role.ASSISTANT, Role.TOOL] = Role.TOOL if part % 2 else Role.ASSISTANT
        messages.append(ContextMessage(f"m{number}-{part}", role, words, at + part, place, sha256(words)))
    return SettledTurn(f"t{number}", TurnState.SETTLED, "stop", at, at + 9, tuple(messages))


def best(work: Callable[[], object], times: int = 7) -> float:
    """Median of seconds over several runs."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def machine() -> str:
    python = ".".join(str(part) for part in sys.version_info[:3])
    return f"{platform.machine()}, Python {python}, SQLite {apsw.sqlite_lib_version()}"


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def fill_history(store: Store, number: int) -> None:
    """Processed deliveries, with their finished jobs (ten to a job)."""
    from commonbook.keeper.ingress import take_turns

    for first in range(0, number, 200):
        name = f"h{first}"
        take_turns(store, facts(name), turns(name, first, min(200, number - first), "done long ago"), None)
    with store.ledger.write() as ledger:
        ledger.run(
            "INSERT INTO jobs (id, scope, task_kind, state, available_at, created_at, finished_at) "
            "SELECT 'j' || id, 'global', 'observation', 'done', 1, 1, 1 FROM batches"
        )
        ledger.run("UPDATE observations SET state = 'processed', job = 'j' || batch, processed_at = 1")
