"""Former texts of the sections that commits changed, with their sources, so that a change can be undone; kept for
``history.days``. What a forget touches never comes here, and what stands here of what was forgotten is removed.

Its own database file, because it may be deleted at any time: nothing else depends on it. So a damaged one is thrown away and
made anew: behind a commit's marker an error here would come back at every start, and the whole memory could not be opened.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from commonbook.book.files import place_error, remove_durable
from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError
from commonbook.keeper.lines import mentions, says_any
from commonbook.ledger.database import Ledger
from commonbook.settings.paths import Home
from commonbook.vocabulary import Digest, Target

R = TypeVar("R")
SCHEMA = """
CREATE TABLE IF NOT EXISTS former (
    receipt TEXT NOT NULL,
    target  TEXT NOT NULL,
    title   TEXT NOT NULL,    -- digest of the title that the section has or had
    text    BLOB,             -- the section's bytes before, heading included; NULL: there was none
    links   TEXT NOT NULL,    -- JSON list of its sources before
    at      INTEGER NOT NULL,
    PRIMARY KEY (receipt, target, title)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS former_at ON former (at);
PRAGMA user_version = 1;
"""
SAVE = "INSERT INTO former (receipt, target, title, text, links, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
OF_TARGET = "SELECT receipt, target, title, text FROM former WHERE target = ? AND text <> x''"
OF_RECEIPT = "SELECT target, title, text, links FROM former WHERE receipt = ? ORDER BY target, title"
PURGE = "UPDATE former SET text = x'', links = '[]' WHERE receipt = ? AND target = ? AND title = ?"
"""The row stays, empty: a change of which one text is gone must not be undone by half."""
OLDER = "SELECT 1 FROM former WHERE at < ? LIMIT 1"
PRUNE = "DELETE FROM former WHERE at < ?"


@dataclass(frozen=True)
class Former:
    """``text`` is ``None`` where the section did not exist before, empty where a forget has removed it from here. ``links``:
    observation and session ids."""

    target: Target
    title: Digest
    text: bytes | None
    links: str


@dataclass(frozen=True)
class Purge:
    """What former texts of these documents must not hold. ``lines``: as ``lines.line_key`` gives them; ``titles``: digests of
    the sections that are gone; ``words``: as a person said them, who knows better than any line what is to be forgotten."""

    targets: tuple[Target, ...]
    lines: tuple[str, ...] = ()
    titles: tuple[Digest, ...] = ()
    words: str | None = None

    def takes(self, title: str, text: str) -> bool:
        """Too much rather than too little: what goes here can no longer be undone, what stays here was not forgotten."""
        said = self.words is not None and any(mentions(line, self.words) for line in text.splitlines())
        return said or title in self.titles or says_any(self.lines, text)


@contextmanager
def opened(home: Home) -> Iterator[Ledger]:
    path = home.history_database
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise place_error(error, path) from error
    database = Ledger.open(path)
    try:
        database.script(SCHEMA)
        yield database
    finally:
        database.close()


def save(home: Home, receipt: str, rows: Sequence[Former], at: Milliseconds) -> None:
    """Keep what stood there before a commit. Saying it twice is harmless."""

    def insert(database: Ledger) -> None:
        with database.write():
            database.run_many(SAVE, [(receipt, row.target, row.title, row.text, row.links, at) for row in rows])

    if rows:
        _healed(home, insert)


def former(home: Home, receipt: str) -> tuple[Former, ...]:
    """What a commit changed, as it was before it."""
    if not home.history_database.exists():
        return ()
    with opened(home) as database:
        return tuple(
            Former(Target(target), Digest(title), text, links)
            for target, title, text, links in database.rows(OF_RECEIPT, (receipt,))
        )


def purge(home: Home, what: Purge) -> int:
    """Remove every former text that holds what was forgotten; gives how many."""

    def remove(database: Ledger) -> int:
        with database.write():
            found = [
                (receipt, target, title)
                for name in what.targets
                for receipt, target, title, text in database.rows(OF_TARGET, (name,))
                if what.takes(title, text.decode("utf-8", "replace"))
            ]
            database.run_many(PURGE, found)
        database.empty_log()  # where someone reads, the last of them to close the file does it
        return len(found)

    return _healed(home, remove) if home.history_database.exists() else 0


def prune(home: Home, before: Milliseconds) -> int:
    """Remove what is older; gives how many. Costs one look at an index when there is nothing."""

    def remove(database: Ledger) -> int:
        if database.row(OLDER, (before,)) is None:
            return 0
        with database.write():
            return database.run(PRUNE, (before,))

    return _healed(home, remove) if home.history_database.exists() else 0


def _healed(home: Home, work: Callable[[Ledger], R]) -> R:
    """Do it; where the file turns out to be damaged, do it on a new one."""
    try:
        with opened(home) as database:
            return work(database)
    except PlaceError as error:
        if error.code is not Code.STORE_DAMAGED:
            raise
    path = home.history_database
    for name in (f"{path.name}-wal", f"{path.name}-shm", path.name):  # the log first: a new file must not inherit it
        remove_durable(path.with_name(name))
    with opened(home) as database:
        return work(database)
