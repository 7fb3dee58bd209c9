"""How far each transcript has been read. A cursor moves in the same transaction as what was read, never ahead of it."""

from dataclasses import dataclass

from commonbook.clock import Milliseconds
from commonbook.keeper.contracts import CursorUpdate, Store
from commonbook.ledger import cursors as table
from commonbook.ledger.cursors import CursorRow


@dataclass(frozen=True)
class StoredCursor:
    """``waiting_bytes``: an unsettled tail that stands behind the cursor; ``grown_at``: when it last grew."""

    path: str
    position: str
    waiting_bytes: int
    grown_at: Milliseconds


def stored_cursor(store: Store, host: str, root: str, session: str) -> StoredCursor | None:
    """The cursor of one session, ``None`` when it has never been read."""
    row = table.get(store.ledger, host, root, session)
    return None if row is None else StoredCursor(*row)


def save_cursor(store: Store, host: str, root: str, session: str, cursor: CursorUpdate) -> None:
    """Store a cursor that came with nothing new. Takes part in the caller's transaction where there is one."""
    if store.ledger.in_transaction:
        put_cursor(store, host, root, session, cursor)
        return
    store.mark("cursors.save")
    with store.ledger.write():
        put_cursor(store, host, root, session, cursor)


def put_cursor(store: Store, host: str, root: str, session: str, cursor: CursorUpdate) -> None:
    row = CursorRow(cursor.path, cursor.position, cursor.waiting_bytes, cursor.grown_at)
    table.put(store.ledger, host, root, session, row, store.clock.now())


def last_capture(store: Store, host: str) -> Milliseconds | None:
    """When any session of the host was last read."""
    return table.last_read(store.ledger, host)
