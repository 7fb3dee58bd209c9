"""Rows that a read grant is made of; thin functions over ``sql/grant.sql``."""

from collections.abc import Sequence
from typing import NamedTuple

import orjson

from commonbook.ledger.database import Ledger, queries


class BlockRow(NamedTuple):
    id: str
    parent: str | None
    kind: str
    ordinal: int
    start: int
    stop: int
    evidence: int


class ContextRow(NamedTuple):
    """An assistant or tool message. ``text`` is there only for channels without a file; else the record stands at
    ``path`` and its bytes have ``digest``."""

    id: str
    turn: str
    role: str
    at: int
    path: str | None
    start: int | None
    length: int | None
    digest: str
    text: str | None
    unavailable: str | None
    host: str


class WordsRow(NamedTuple):
    id: str
    scope: str
    source: str
    text: str
    observed_at: int


def _list(values: Sequence[str]) -> str:
    return orjson.dumps(list(values)).decode()


def blocks(ledger: Ledger, handle: str) -> tuple[BlockRow, ...]:
    return tuple(BlockRow(*row) for row in ledger.rows(queries("grant")["blocks"], (handle,)))


def messages_of_turns(ledger: Ledger, turns: Sequence[str]) -> tuple[ContextRow, ...]:
    return tuple(ContextRow(*row) for row in ledger.rows(queries("grant")["messages_of_turns"], (_list(turns),)))


def words_of_turns(ledger: Ledger, turns: Sequence[str]) -> tuple[WordsRow, ...]:
    return tuple(WordsRow(*row) for row in ledger.rows(queries("grant")["words_of_turns"], (_list(turns),)))


def earlier_turns(ledger: Ledger, turns: Sequence[str], scope: str, limit: int) -> tuple[str, ...]:
    """The turns before these that a run of ``scope`` may see, newest first."""
    values = {"turns": _list(turns), "scope": scope, "limit": limit}
    return tuple(row[0] for row in ledger.rows(queries("grant")["earlier_turns"], values))
