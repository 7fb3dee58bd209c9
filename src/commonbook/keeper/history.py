"""Former texts of the sections that commits changed, with their sources, so that a change can be undone; kept for
``history.days``. What a forget touches never comes here, and what stands here of the forgotten lines is removed.

Its own database file, because it may be deleted at any time: nothing else depends on it.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from commonbook.book.files import place_error
from commonbook.clock import Milliseconds
from commonbook.keeper.lines import keys_of
from commonbook.ledger.database import Ledger
from commonbook.settings.paths import Home
from commonbook.vocabulary import Digest, Target

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
OF_TARGET = "SELECT receipt, title, text FROM former WHERE target = ? AND text IS NOT NULL"
OF_RECEIPT = "SELECT target, title, text, links FROM former WHERE receipt = ? ORDER BY target, title"
DROP = "DELETE FROM former WHERE receipt = ? AND target = ? AND title = ?"
PRUNE = "DELETE FROM former WHERE at < ?"


@dataclass(frozen=True)
class Former:
    """``text`` is ``None`` where the section did not exist before. ``links``: observation and session ids."""

    target: Target
    title: Digest
    text: bytes | None
    links: str


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
    if rows:
        with opened(home) as database, database.write():
            database.run_many(SAVE, [(receipt, row.target, row.title, row.text, row.links, at) for row in rows])


def former(home: Home, receipt: str) -> tuple[Former, ...]:
    """What a commit changed, as it was before it."""
    if not home.history_database.exists():
        return ()
    with opened(home) as database:
        return tuple(
            Former(Target(target), Digest(title), text, links)
            for target, title, text, links in database.rows(OF_RECEIPT, (receipt,))
        )


def purge(home: Home, targets: Sequence[Target], lines: frozenset[str]) -> int:
    """Remove every former text of these documents that holds one of the lines (as ``lines.line_key`` gives them)."""
    if not home.history_database.exists():
        return 0
    with opened(home) as database:
        with database.write():
            found = [
                (receipt, target, title)
                for target in targets
                for receipt, title, text in database.rows(OF_TARGET, (target,))
                if keys_of(text.decode("utf-8", "replace")) & lines
            ]
            database.run_many(DROP, found)
        database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    return len(found)


def prune(home: Home, before: Milliseconds) -> int:
    if not home.history_database.exists():
        return 0
    with opened(home) as database, database.write():
        return database.run(PRUNE, (before,))
