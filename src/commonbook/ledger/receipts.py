"""Which receipts have been applied; thin functions over ``sql/receipts.sql``."""

from typing import NamedTuple

from commonbook.ledger.database import Ledger, queries


class ReceiptRow(NamedTuple):
    """``targets`` and ``decisions`` are JSON lists; ``digest`` is of the receipt file, empty where there is none."""

    id: str
    kind: str
    agent: str
    targets: str
    decisions: str
    edit_result: str | None
    digest: str
    applied_at: int


class LogRow(NamedTuple):
    id: str
    kind: str
    agent: str
    targets: str
    decisions: str
    edit_result: str | None
    applied_at: int


def is_applied(ledger: Ledger, receipt: str) -> bool:
    return ledger.row(queries("receipts")["applied"], (receipt,)) is not None


def put(ledger: Ledger, row: ReceiptRow) -> None:
    ledger.run(queries("receipts")["put"], row)


def newest(ledger: Ledger, limit: int, *, everything: bool) -> tuple[LogRow, ...]:
    """Newest first; ``everything``: also runs that only ignored."""
    values = {"limit": limit, "everything": everything}
    return tuple(LogRow(*row) for row in ledger.rows(queries("receipts")["newest"], values))


def one(ledger: Ledger, receipt: str) -> LogRow | None:
    row = ledger.row(queries("receipts")["one"], (receipt,))
    return None if row is None else LogRow(*row)
