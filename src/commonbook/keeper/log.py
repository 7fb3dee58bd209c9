"""What was committed, newest first."""

from dataclasses import dataclass

import orjson

from commonbook.clock import Milliseconds
from commonbook.keeper.contracts import Store
from commonbook.ledger import receipts as table
from commonbook.vocabulary import JobId, Target


@dataclass(frozen=True)
class LogEntry:
    """``kind``: agent, person, undo, ignore; ``decisions``: kinds of decisions (retain, forget, maintain, ignore)."""

    receipt: JobId
    at: Milliseconds
    kind: str
    agent: str
    targets: tuple[Target, ...]
    decisions: tuple[str, ...]
    edit_result: str | None


def read_log(store: Store, limit: int, *, everything: bool = False) -> tuple[LogEntry, ...]:
    """The last ``limit`` commits; ``everything``: also runs that only ignored."""
    return tuple(_entry(row) for row in table.newest(store.ledger, limit, everything=everything))


def find_entry(store: Store, receipt: str) -> LogEntry | None:
    """The commit of one job, ``None`` when there is none (yet)."""
    row = table.one(store.ledger, receipt)
    return None if row is None else _entry(row)


def _entry(row: table.LogRow) -> LogEntry:
    return LogEntry(
        receipt=JobId(row.id),
        at=row.applied_at,
        kind=row.kind,
        agent=row.agent,
        targets=tuple(orjson.loads(row.targets)),
        decisions=tuple(orjson.loads(row.decisions)),
        edit_result=row.edit_result,
    )
