"""Where capture stands in each transcript; a position is opaque to everyone but the host's reader."""

from typing import NamedTuple

from commonbook.ledger.database import Ledger, queries


class CursorRow(NamedTuple):
    path: str
    position: str
    waiting_bytes: int
    grown_at: int


def get(ledger: Ledger, host: str, root: str, session: str) -> CursorRow | None:
    row = ledger.row(queries("cursors")["get"], (host, root, session))
    return None if row is None else CursorRow(*row)


def put(ledger: Ledger, host: str, root: str, session: str, cursor: CursorRow, read_at: int) -> None:
    ledger.run(queries("cursors")["put"], (host, root, session, *cursor, read_at))


def last_read(ledger: Ledger, host: str) -> int | None:
    """When any transcript of the host was last read."""
    row = ledger.row(queries("cursors")["last_read"], (host,))
    return None if row is None else row[0]
