"""Where an index lives: the file in the home, healed in place, or memory when the disk cannot be used."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from commonbook.recall.index import Index, IndexDamagedError, queries

INDEX_VERSION = 1
"""Raise it whenever cutting, segmentation or schema change: an index of another version is built again."""
APPLICATION_ID = 0x43427263  # "CBrc"
BUSY_MILLISECONDS = 1_000


@contextmanager
def disk_index(path: Path, *, reset: bool = False) -> Iterator[Index]:
    """The index of a home, made when it is not there.

    ``reset`` empties it first, in place and under SQLite's own locks: another process may have the same file open, and
    a file that was unlinked and made anew would inherit that one's journal. Raises ``apsw.Error``, ``OSError`` and
    ``IndexDamagedError``.
    """
    access = apsw.SQLITE_OPEN_READWRITE if _make_file(path) else apsw.SQLITE_OPEN_READONLY
    with closing(apsw.Connection(str(path), flags=access | apsw.SQLITE_OPEN_NOFOLLOW)) as connection:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        if reset:
            _empty(connection)
        # A rollback journal, not WAL: a read-only home can be searched, and no sidecar outlives a search. No cache spill:
        # that would lock readers out long before the commit.
        for pragma in ("synchronous=FULL", "secure_delete=ON", "cache_spill=OFF"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        _expect_schema(connection)
        yield Index(connection)


@contextmanager
def memory_index() -> Iterator[Index]:
    """An index for one search."""
    with closing(apsw.Connection(":memory:")) as connection:
        _expect_schema(connection)
        yield Index(connection)


def _make_file(path: Path) -> bool:
    """Make the file private before SQLite opens it; ``False`` where it may only be read."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return False
        raise
    try:
        facts = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    return True


def _expect_schema(connection: apsw.Connection) -> None:
    if _has_schema(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _has_schema(connection):
            connection.execute(queries()["schema"]).fetchall()
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
            connection.execute(f"PRAGMA user_version = {INDEX_VERSION}").fetchall()
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _has_schema(connection: apsw.Connection) -> bool:
    """``False`` for an empty file. Raises ``IndexDamagedError`` for somebody else's tables and for another version."""
    if not _one(connection, "SELECT count(*) FROM sqlite_schema"):
        return False
    if (_one(connection, "PRAGMA application_id"), _one(connection, "PRAGMA user_version")) != (
        APPLICATION_ID,
        INDEX_VERSION,
    ):
        raise IndexDamagedError
    return True


def _one(connection: apsw.Connection, sql: str) -> object:
    return connection.execute(sql).fetchall()[0][0]


def _empty(connection: apsw.Connection) -> None:
    """SQLite's documented way back to an empty database, whatever the file holds."""
    connection.config(apsw.SQLITE_DBCONFIG_RESET_DATABASE, 1)
    try:
        connection.execute("VACUUM").fetchall()
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_RESET_DATABASE, 0)
