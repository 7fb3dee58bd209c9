"""Rows of deliveries, turns, context and their structure; thin functions over ``sql/ingress.sql``."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from commonbook.ledger.database import Ledger, queries


class DeliveryRow(NamedTuple):
    """What is known of a delivery that came before."""

    id: str
    digest: str
    task_kind: str
    state: str
    issue: str | None


class SeenRow(NamedTuple):
    """One generation of a delivery that has the same record, whoever said it and wherever."""

    record: str
    origin: str
    origin_known: int
    observed_at: int
    digest: str
    task_kind: str


class SessionRow(NamedTuple):
    id: str
    host: str
    host_session: str
    parent: str | None
    path: str | None
    cwd: str | None
    scope: str
    provider: str | None
    started_at: int
    last_at: int


class TurnRow(NamedTuple):
    id: str
    session: str
    ordinal: int
    host_turn: str
    state: str
    settle_cause: str
    provider: str | None
    opened_at: int
    settled_at: int


class ObservationRow(NamedTuple):
    id: str
    host: str
    origin: str
    origin_known: bool
    record: str
    digest: str
    content_digest: str
    text: str | None
    bytes: int
    scope: str
    source: str
    provenance: str
    task_kind: str
    state: str
    issue: str | None
    batch: str | None
    turn: str | None
    ordinal: int
    path: str | None
    start: int | None
    length: int | None
    images: bool
    channel: str
    client: str | None
    provider_class: str
    label: str | None
    observed_at: int
    enqueued_at: int


BlockRow = tuple[str, str, str | None, str, int, int, int, bool]
"""bundle, id, parent, kind, ordinal, start, stop, evidence: a plain tuple, for there are many."""
MessageRow = tuple[str, int, str, str, int, str | None, int | None, int | None, str, str | None, str | None]
"""turn, ordinal, record, role, at, path, start, length, digest, text, unavailable: likewise."""


def delivery(ledger: Ledger, host: str, origin: str, record: str) -> DeliveryRow | None:
    row = ledger.row(queries("ingress")["delivery"], (host, origin, record))
    return None if row is None else DeliveryRow(*row)


def deliveries(ledger: Ledger, host: str, records: Sequence[str]) -> dict[str, list[SeenRow]]:
    """What came before under each of these records, the newest generation first."""
    found: dict[str, list[SeenRow]] = {}
    for row in ledger.rows(queries("ingress")["deliveries"], (host, _list(records))):
        found.setdefault(row[0], []).append(SeenRow(*row))
    return found


def _list(values: Sequence[str]) -> str:
    return orjson.dumps(values).decode()


def forgets(ledger: Ledger, scope: str) -> bool:
    """Whether anything at all was forgotten in the scope."""
    return ledger.row(queries("ingress")["forgets"], (scope,)) is not None


def forgotten_at(ledger: Ledger, scope: str, digest: str) -> int | None:
    row = ledger.row(queries("ingress")["forgotten"], (scope, digest))
    return None if row is None else row[0]


def is_own_session(ledger: Ledger, host: str, host_session: str) -> bool:
    return ledger.row(queries("ingress")["own_session"], (host, host_session)) is not None


def put_own_session(ledger: Ledger, host: str, host_session: str, now: int) -> None:
    ledger.run(queries("ingress")["put_own_session"], (host, host_session, now))


def unprocessed_bytes(ledger: Ledger, session: str) -> tuple[int, int]:
    """UTF-8 bytes of stored text that is not processed: in all, and of one session."""
    in_all, of_session = ledger.row(queries("ingress")["unprocessed"], (session,)) or (0, 0)
    return in_all or 0, of_session or 0


def session_id(ledger: Ledger, host: str, host_session: str) -> str | None:
    row = ledger.row(queries("ingress")["session"], (host, host_session))
    return None if row is None else row[0]


def put_session(ledger: Ledger, session: SessionRow) -> None:
    ledger.run(queries("ingress")["put_session"], session)


def turn_ids(ledger: Ledger, session: str, host_turns: Sequence[str]) -> dict[str, str]:
    """Our ids of those of the host's turns that are stored."""
    return dict(ledger.rows(queries("ingress")["turns"], (session, _list(host_turns))))


def last_turn(ledger: Ledger, session: str) -> tuple[str | None, int]:
    """The newest turn of a session and its ordinal; ``(None, 0)`` for none."""
    return ledger.row(queries("ingress")["last_turn"], (session,)) or (None, 0)


def records_of(ledger: Ledger, turn: str) -> tuple[dict[str, int], int]:
    """The context records that a turn already has, each with its ordinal, and the highest ordinal in the turn."""
    records: dict[str, int] = dict(ledger.rows(queries("ingress")["records"], (turn,)))
    highest = ledger.row(queries("ingress")["user_ordinals"], (turn,))
    return records, max([*records.values(), (highest[0] if highest else 0) or 0])


def has_words(ledger: Ledger, turn: str) -> bool:
    """Whether any words of the turn are still kept."""
    return ledger.row(queries("ingress")["has_words"], (turn,)) is not None


def put_turns(ledger: Ledger, rows: Sequence[TurnRow]) -> None:
    ledger.run_many(queries("ingress")["put_turn"], rows)


def put_batches(ledger: Ledger, session: str, batches: Iterable[str], now: int) -> None:
    ledger.run_many(queries("ingress")["put_batch"], [(batch, session, now) for batch in batches])


def put_messages(ledger: Ledger, rows: Sequence[MessageRow]) -> None:
    ledger.run_many(queries("ingress")["put_message"], rows)


def put_observations(ledger: Ledger, rows: Sequence[ObservationRow], session: str | None) -> None:
    """Insert observations of one session (``None``: of no session) and count their bytes as unprocessed."""
    ledger.run_many(queries("ingress")["put_observation"], rows)
    new = sum(row.bytes for row in rows if row.text is not None)
    counted = ("",) if session is None else ("", session)
    ledger.run_many(queries("ingress")["add_unprocessed"], [(name, new) for name in counted])


def put_blocks(ledger: Ledger, rows: Sequence[BlockRow]) -> None:
    ledger.run_many(queries("ingress")["put_block"], rows)
