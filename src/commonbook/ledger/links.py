"""What is known of each section and which sources it has; thin functions over ``sql/links.sql``."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from commonbook.ledger.database import Ledger, queries


class SectionRow(NamedTuple):
    target: str
    title_digest: str
    body_digest: str
    evidence_at: int
    corrected_at: int | None
    by_person: int
    receipt: str | None
    changed_at: int


class LinkRow(NamedTuple):
    """``provenance`` and ``observed_at`` are those of the source, ``None`` for one that is no observation."""

    target: str
    title_digest: str
    source_kind: str
    source: str
    linked_at: int
    receipt: str
    provenance: str | None
    observed_at: int | None


class SourceRow(NamedTuple):
    """An observation as ``why`` and ``forget`` see it. ``text`` is ``None`` once purged, and then the words may still
    stand in the transcript (``path``, ``start``, ``length``; ``digest`` is of the words as delivered)."""

    id: str
    host: str
    channel: str
    observed_at: int
    scope: str
    text: str | None
    digest: str
    path: str | None
    start: int | None
    length: int | None
    content_digest: str
    forgotten: int


def _list(values: Iterable[str]) -> str:
    return orjson.dumps(list(values)).decode()


def sections(ledger: Ledger, targets: Iterable[str]) -> tuple[SectionRow, ...]:
    return tuple(SectionRow(*row) for row in ledger.rows(queries("links")["sections"], (_list(targets),)))


def links(ledger: Ledger, targets: Iterable[str]) -> tuple[LinkRow, ...]:
    return tuple(LinkRow(*row) for row in ledger.rows(queries("links")["links"], (_list(targets),)))


def targets(ledger: Ledger) -> tuple[str, ...]:
    """Every document that anything is known of."""
    return tuple(row[0] for row in ledger.rows(queries("links")["targets"]))


def all_dates(ledger: Ledger) -> tuple[tuple[str, str, int], ...]:
    return section_dates(ledger, targets(ledger))


def section_dates(ledger: Ledger, targets: Iterable[str]) -> tuple[tuple[str, str, int], ...]:
    """(target, title digest, newest evidence or correction) of every section of these documents."""
    return tuple((row[0], row[1], row[2]) for row in ledger.rows(queries("links")["section_dates"], (_list(targets),)))


def section_sources(ledger: Ledger, targets: Iterable[str]) -> tuple[tuple[str, str, str], ...]:
    """(target, title digest, source) of every link of a section of these documents."""
    return tuple(
        (row[0], row[1], row[2]) for row in ledger.rows(queries("links")["section_sources"], (_list(targets),))
    )


def sources(ledger: Ledger, ids: Iterable[str]) -> dict[str, SourceRow]:
    return {row[0]: SourceRow(*row) for row in ledger.rows(queries("links")["sources"], (_list(ids),))}


def linked_outside(ledger: Ledger, ids: Iterable[str], targets: Iterable[str]) -> set[str]:
    """Those of the observations that something other than these documents is linked to."""
    values = {"ids": _list(ids), "targets": _list(targets)}
    return {row[0] for row in ledger.rows(queries("links")["linked_outside"], values)}


def put_sections(ledger: Ledger, rows: Sequence[SectionRow]) -> None:
    ledger.run_many(queries("links")["put_section"], rows)


def drop_sections(ledger: Ledger, keys: Sequence[tuple[str, str]]) -> None:
    ledger.run_many(queries("links")["drop_section"], keys)


def put_links(ledger: Ledger, rows: Sequence[tuple[str, str, str, str, int, str]]) -> None:
    """Rows of target, title digest, source kind, source, linked at, receipt."""
    ledger.run_many(queries("links")["put_link"], rows)


def drop_links(ledger: Ledger, rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Rows of target, title digest, source kind, source."""
    ledger.run_many(queries("links")["drop_link"], rows)
