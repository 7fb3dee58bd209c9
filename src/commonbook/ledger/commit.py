"""Rows that a commit consumes, finishes and clears; thin functions over ``sql/commit.sql``."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import orjson

from commonbook.ledger.database import Ledger, queries


class SaidRow(NamedTuple):
    """The person's own words, said to us and processed at once."""

    id: str
    text: str
    digest: str
    content_digest: str
    scope: str
    at: int


class FinishedRow(NamedTuple):
    job: str
    edit_result: str | None
    agent: str
    prompt_digest: str
    turns: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    at: int


def _list(values: Iterable[str]) -> str:
    return orjson.dumps(list(values)).decode()


def claimed(ledger: Ledger, job: str) -> set[str]:
    """What the job still holds with its words."""
    return {row[0] for row in ledger.rows(queries("commit")["claimed"], (job,))}


def consume(ledger: Ledger, job: str, ids: Iterable[str], at: int) -> None:
    ledger.run(queries("commit")["consume"], {"job": job, "ids": _list(ids), "at": at})


def finish_job(ledger: Ledger, row: FinishedRow) -> None:
    ledger.run(queries("commit")["finish_job"], row._asdict())


def put_said(ledger: Ledger, row: SaidRow) -> None:
    size = len(row.text.encode())
    ledger.run(queries("commit")["put_said"], {**row._asdict(), "bytes": size})


def put_forgotten(ledger: Ledger, scope: str, digest: str, at: int) -> None:
    ledger.run(queries("commit")["put_forgotten"], (scope, digest, at))


def same_words(ledger: Ledger, scope: str, digest: str, until: int) -> set[str]:
    """Every delivery of the same words in the scope, said until then."""
    return {row[0] for row in ledger.rows(queries("commit")["same_words"], (scope, digest, until))}


def put_aside_forgotten(ledger: Ledger, ids: Iterable[str]) -> None:
    ledger.run(queries("commit")["put_aside_forgotten"], (_list(ids),))


def finish_forgotten(ledger: Ledger, ids: Iterable[str], at: int) -> None:
    ledger.run(queries("commit")["finish_forgotten"], {"ids": _list(ids), "at": at})


def end_empty_jobs(ledger: Ledger, at: int) -> None:
    ledger.run(queries("commit")["end_empty_jobs"], {"at": at})


def texts_of_scope(ledger: Ledger, scope: str) -> Iterator[tuple[str, str]]:
    """(id, words) of every delivery of the scope whose words are kept, whatever became of it."""
    return ((row[0], row[1]) for row in ledger.rows(queries("commit")["texts_of_scope"], (scope,)))


def clear_texts(ledger: Ledger, ids: Iterable[str]) -> int:
    """Remove the words and their structure; gives how many had any."""
    ledger.run(queries("commit")["drop_blocks"], (_list(ids),))
    return ledger.run(queries("commit")["clear_texts"], (_list(ids),))


def clear_context(ledger: Ledger, ids: Iterable[str], why: str, *, only_silent: bool) -> None:
    """Make the conversation of the same turns unavailable; ``only_silent``: of turns without any user text left."""
    turns = [row[0] for row in ledger.rows(queries("commit")["turns_of"], (_list(ids),))]
    if only_silent:
        turns = [row[0] for row in ledger.rows(queries("commit")["silent_turns"], (_list(turns),))]
    ledger.run(queries("commit")["clear_context"], {"turns": _list(turns), "why": why})


def prunable(ledger: Ledger, before: int) -> tuple[str, ...]:
    """Up to 1000 processed deliveries whose words are older."""
    return tuple(row[0] for row in ledger.rows(queries("commit")["prunable"], (before,)))


def prune_requests(ledger: Ledger, before: int) -> int:
    return ledger.run(queries("commit")["prune_requests"], (before,))
