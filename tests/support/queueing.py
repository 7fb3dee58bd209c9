"""A store on a clock that tests set, and the turns that they say into it."""

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from commonbook.clock import Milliseconds
from commonbook.keeper.contracts import (
    ContextMessage,
    CursorUpdate,
    Mark,
    Place,
    SessionFacts,
    SettledTurn,
    Store,
    UserMessage,
    no_mark,
)
from commonbook.keeper.ingress import Delivery
from commonbook.keeper.opening import open_store
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, Digest, ProviderClass, Role, Scope, Source, TaskKind, TurnState

START: Milliseconds = 1_800_000_000_000


@dataclass
class SetClock:
    """A clock that stands still until a test moves it."""

    at: Milliseconds = START

    def now(self) -> Milliseconds:
        return self.at

    def pass_by(self, milliseconds: Milliseconds) -> None:
        self.at += milliseconds


@dataclass
class Ids:
    """Ids in order: ``000001``, ``000002``, …"""

    _next: Callable[[], int] = field(default_factory=lambda: itertools.count(1).__next__)

    def __call__(self) -> str:
        return f"{self._next():06}"


def opened(
    folder: Path, settings: Settings | None = None, *, clock: SetClock | None = None, mark: Mark = no_mark
) -> Store:
    """A store in ``folder``, with real ids."""
    home = Home(folder, folder / "data")
    return open_store(home, settings or Settings(), clock=clock or SetClock(), mark=mark)


def session(name: str = "s1", *, scope: Scope = GLOBAL, host: str = "pi", parent: str | None = None) -> SessionFacts:
    return SessionFacts(
        host=host,
        host_session=name,
        parent=parent,
        path=f"/sessions/{name}.jsonl",
        cwd="/home/ada/atlas",
        scope=scope,
        provider="anthropic",
        provider_class=ProviderClass.REMOTE,
        started_at=START - 1_000_000,
    )


def user(record: str, text: str, *, origin: str | None = "s1", at: Milliseconds = START) -> UserMessage:
    return UserMessage(record, origin, text, at, Place("/sessions/s1.jsonl", 10, 20))


def answer(record: str, text: str, *, role: Role = Role.ASSISTANT, place: bool = True) -> ContextMessage:
    digest = Digest(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    where = Place("/sessions/s1.jsonl", 30, 40) if place else None
    assert role is not Role.USER
    return ContextMessage(record, role, text, START, where, digest)


def turn(name: str, *messages: UserMessage | ContextMessage, continues: bool = False) -> SettledTurn:
    return SettledTurn(name, TurnState.SETTLED, "stop", START, START + 1, messages, continues)


def said(number: int, text: str | None = None, *, at: Milliseconds = START, origin: str | None = "s1") -> SettledTurn:
    """One turn: the user says a sentence, the assistant answers it."""
    words = text or f"sentence {number}"
    return turn(f"t{number}", user(f"u{number}", words, origin=origin, at=at), answer(f"a{number}", f"answer {number}"))


def cursor(position: str) -> CursorUpdate:
    return CursorUpdate("/sessions", "/sessions/s1.jsonl", position, 0, START)


def delivery(
    record: str,
    text: str = "I use pnpm",
    *,
    at: Milliseconds = START,
    scope: Scope = GLOBAL,
    source: Source | str = Source.INTERACTIVE,
    kind: TaskKind = TaskKind.OBSERVATION,
) -> Delivery:
    return Delivery("cli", "terminal", record, text, scope, source, kind, at, "cli")


def count(store: Store, table: str) -> int:
    row = store.ledger.row(f"SELECT COUNT(*) FROM {table}")
    assert row is not None
    return int(row[0])


TABLES = ("sessions", "turns", "messages", "observations", "blocks", "batches", "cursors")


def everything(store: Store) -> dict[str, int]:
    """Rows per table that taking in fills."""
    return {table: count(store, table) for table in TABLES}
