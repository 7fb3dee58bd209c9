"""One connection to runtime.sqlite with the settings that make a commit durable, and named SQL beside thin
functions."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from commonbook.errors import Code, PlaceError
from commonbook.sql import named_queries

Row = tuple[Any, ...]
Values = Mapping[str, Any] | Sequence[Any]
BUSY_MILLISECONDS = 5_000


class Ledger:
    """A connection. Use it from one thread; open another for another thread (the lease renewal has its own)."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._schema: int | None = None

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> "Ledger":
        """Open the database file (WAL, FULL, foreign keys, secure delete). Migrating it is ``migrations.migrate``."""
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW | (apsw.SQLITE_OPEN_CREATE if create else 0)
        try:
            connection = apsw.Connection(str(path), flags=flags)
            connection.set_busy_timeout(BUSY_MILLISECONDS)
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
                connection.execute(f"PRAGMA {pragma}").fetchall()
        except apsw.Error as error:
            raise place_error(error, path) from error
        return cls(connection)

    @classmethod
    def open_unchanging(cls, path: Path) -> "Ledger":
        """Read a file that nobody writes meanwhile, without writing a byte ourselves: no lock, no log, no shared memory."""
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        try:
            return cls(apsw.Connection(f"file:{quote(str(path))}?immutable=1", flags=flags))
        except apsw.Error as error:
            raise place_error(error, path) from error

    def copy_into(self, path: Path) -> None:
        """Make a copy of the database; inside ``read`` it is of that snapshot, however much others write meanwhile."""
        with _told(self._connection):
            copy = apsw.Connection(str(path))
            try:
                with copy.backup("main", self._connection, "main") as copying:
                    copying.step(-1)
            finally:
                copy.close()

    def close(self) -> None:
        self._connection.close()

    def expect_schema(self, version: int) -> None:
        """From now on refuse to write (``STORE_NEWER``) once another program has migrated the file to another
        version."""
        self._schema = version

    @contextmanager
    def write(self) -> Iterator["Ledger"]:
        """``BEGIN IMMEDIATE … COMMIT``; any exception rolls everything back. Never held over a model, network or
        question."""
        with _told(self._connection):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._check_schema()
                yield self
                self._connection.execute("COMMIT")
            finally:  # also for SystemExit and KeyboardInterrupt, and for a COMMIT that the disk refused
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _check_schema(self) -> None:
        if self._schema is None:
            return
        found = int(self._connection.pragma("user_version"))
        if found != self._schema:
            raise PlaceError(Code.STORE_NEWER, path=self._connection.filename, found=found, known=self._schema)

    @contextmanager
    def read(self) -> Iterator["Ledger"]:
        """One consistent snapshot for several reads."""
        with _told(self._connection):
            self._connection.execute("BEGIN")
            try:
                yield self
            finally:
                self._connection.execute("ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    @property
    def changes(self) -> int:
        """Rows changed by the last statement."""
        return self._connection.changes()

    def rows(self, sql: str, values: Values = ()) -> list[Row]:
        with _told(self._connection):
            return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, values: Values = ()) -> Row | None:
        with _told(self._connection):
            return self._connection.execute(sql, values).fetchone()

    def run(self, sql: str, values: Values = ()) -> int:
        """Run one statement; gives the number of rows it changed."""
        with _told(self._connection):
            self._connection.execute(sql, values).fetchall()
            return self._connection.changes()

    def data_version(self) -> int:
        """Changes whenever another connection has committed; what was read before may then be out of date."""
        row = self.row("PRAGMA data_version")
        return int(row[0]) if row else 0

    def empty_log(self, *, patience: int = BUSY_MILLISECONDS) -> bool:
        """Bring the write-ahead log into the file and empty it; ``False`` when another connection still reads from it after
        ``patience`` milliseconds, and then removed text may stand in it a while longer."""
        with _told(self._connection):
            self._connection.set_busy_timeout(patience)
            try:
                told = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except apsw.BusyError:
                return False
            finally:
                self._connection.set_busy_timeout(BUSY_MILLISECONDS)
            return told is not None and not told[0]

    def run_many(self, sql: str, rows: Sequence[Values]) -> None:
        with _told(self._connection):
            self._connection.executemany(sql, rows).fetchall()

    def script(self, sql: str) -> None:
        """Run several statements to the end (apsw runs ``a; b`` lazily when ``a`` gives rows)."""
        with _told(self._connection):
            self._connection.execute(sql).fetchall()


@contextmanager
def _told(connection: apsw.Connection) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise place_error(error, Path(connection.filename)) from error


def place_error(error: apsw.Error, path: Path) -> PlaceError:
    """What an SQLite failure means for a person."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return PlaceError(Code.STORE_BUSY, path=str(path))
        case apsw.FullError():
            return PlaceError(Code.DISK_FULL, path=str(path))
        case apsw.IOError() if getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_SHMSIZE:
            # The file beside the log could not grow: SQLite calls that an input/output error, a person a full disk.
            return PlaceError(Code.DISK_FULL, path=str(path))
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.CantOpenError():
            return PlaceError(Code.HOME_READ_ONLY, path=str(path))
        case apsw.IOError():
            return PlaceError(Code.DISK_FAILED, path=str(path))
        case apsw.CorruptError() | apsw.NotADBError():
            return PlaceError(Code.STORE_DAMAGED, path=str(path))
        case _:
            raise error


def queries(topic: str) -> dict[str, str]:
    """The named statements of ``ledger/sql/<topic>.sql``."""
    return named_queries("commonbook.ledger", topic)
