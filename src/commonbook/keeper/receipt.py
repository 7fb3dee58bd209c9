"""The permanent record of a committed decision: ids, digests and kinds, enough to bring the database up to date again without
asking any agent; never a text, a title, a reason or a model's word.

Commit and recovery apply a receipt by the same function, so what is replayed after a crash is what would have been written.
"""

from dataclasses import dataclass
from typing import Any, Literal

import orjson

from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError
from commonbook.keeper.projects import keep_project
from commonbook.keeper.standing import Difference, Link, Standing
from commonbook.ledger import commit as table
from commonbook.ledger import links as link_table
from commonbook.ledger import receipts as receipt_table
from commonbook.ledger.commit import FinishedRow
from commonbook.ledger.database import Ledger
from commonbook.ledger.links import SectionRow
from commonbook.vocabulary import Digest, JobId, Scope, Target

VERSION = 1
NOTHING = Difference((), (), (), ())


@dataclass(frozen=True)
class Run:
    """The agent's run that a receipt is about. ``job``: whose batch it consumes."""

    job: JobId
    prompt_digest: str
    turns: int
    tool_calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class FileChange:
    """Digests of a document before and after; empty for one that did not exist."""

    target: Target
    before: Digest
    after: Digest


@dataclass(frozen=True)
class Receipt:
    """``consumed``, ``cleared``: observation ids (processed by this; words removed by this). ``forgotten``: (scope, content
    digest). ``kept``: scopes that a fact was kept in, so that their projects are registered."""

    id: JobId
    kind: Literal["agent", "person", "undo", "ignore"]
    agent: str
    at: Milliseconds
    run: Run | None
    decisions: tuple[str, ...]
    edit_result: str | None = None
    consumed: tuple[str, ...] = ()
    files: tuple[FileChange, ...] = ()
    difference: Difference = NOTHING
    forgotten: tuple[tuple[Scope, Digest], ...] = ()
    cleared: tuple[str, ...] = ()
    kept: tuple[Scope, ...] = ()

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(file.target for file in self.files)


def encode(receipt: Receipt) -> bytes:
    d = receipt.difference
    told: dict[str, Any] = {
        "version": VERSION,
        "id": receipt.id,
        "kind": receipt.kind,
        "agent": receipt.agent,
        "at": receipt.at,
        "run": receipt.run,
        "decisions": receipt.decisions,
        "edit_result": receipt.edit_result,
        "consumed": receipt.consumed,
        "files": receipt.files,
        "sections": [{"target": target, **_told(standing)} for target, standing in d.put],
        "dropped": d.dropped,
        "linked": [_link(*row) for row in d.linked],
        "unlinked": [_link(*row) for row in d.unlinked],
        "forgotten": receipt.forgotten,
        "cleared": receipt.cleared,
        "kept": receipt.kept,
    }
    return orjson.dumps(told, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def decode(data: bytes) -> Receipt:
    """Raises ``PlaceError(STORE_DAMAGED)`` for bytes that are no receipt of ours."""
    try:
        told = orjson.loads(data)
        if told["version"] != VERSION:
            raise ValueError
        run = told["run"]
        return Receipt(
            id=JobId(told["id"]),
            kind=told["kind"],
            agent=told["agent"],
            at=told["at"],
            run=None if run is None else Run(**run),
            decisions=tuple(told["decisions"]),
            edit_result=told["edit_result"],
            consumed=tuple(told["consumed"]),
            files=tuple(FileChange(**file) for file in told["files"]),
            difference=Difference(
                put=tuple((Target(one["target"]), _standing(one)) for one in told["sections"]),
                dropped=tuple((Target(target), Digest(title)) for target, title in told["dropped"]),
                linked=tuple(_linked(one) for one in told["linked"]),
                unlinked=tuple(_linked(one) for one in told["unlinked"]),
            ),
            forgotten=tuple((Scope(scope), Digest(digest)) for scope, digest in told["forgotten"]),
            cleared=tuple(told["cleared"]),
            kept=tuple(Scope(scope) for scope in told["kept"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PlaceError(Code.STORE_DAMAGED, path="receipt.json") from error


def apply_receipt(ledger: Ledger, receipt: Receipt, digest: str) -> bool:
    """Inside a write transaction: do to the database what the receipt says. False when it was applied before."""
    if receipt_table.is_applied(ledger, receipt.id):
        return False
    if receipt.run is not None:
        table.consume(ledger, receipt.run.job, receipt.consumed, receipt.at)
        table.finish_job(ledger, _finished(receipt, receipt.run))
    _write_sections(ledger, receipt)
    _forget(ledger, receipt)
    for scope in receipt.kept:
        keep_project(ledger, scope, receipt.at)
    receipt_table.put(
        ledger,
        receipt_table.ReceiptRow(
            receipt.id,
            receipt.kind,
            receipt.agent,
            orjson.dumps(receipt.targets).decode(),
            orjson.dumps(receipt.decisions).decode(),
            receipt.edit_result,
            digest,
            receipt.at,
        ),
    )
    return True


def _finished(receipt: Receipt, run: Run) -> FinishedRow:
    return FinishedRow(
        run.job,
        receipt.edit_result,
        receipt.agent,
        run.prompt_digest,
        run.turns,
        run.tool_calls,
        run.input_tokens,
        run.output_tokens,
        receipt.at,
    )


def _write_sections(ledger: Ledger, receipt: Receipt) -> None:
    d = receipt.difference
    link_table.drop_links(ledger, [(target, title, link.kind, link.source) for target, title, link in d.unlinked])
    link_table.drop_sections(ledger, d.dropped)
    link_table.put_sections(ledger, [_row(target, standing) for target, standing in d.put])
    link_table.put_links(
        ledger,
        [(target, title, link.kind, link.source, link.linked_at, link.receipt) for target, title, link in d.linked],
    )


def _forget(ledger: Ledger, receipt: Receipt) -> None:
    """Record what was forgotten and clear it: the words, their structure, the conversation of the same turns, and every
    other delivery of the same words that was said before."""
    gone = set(receipt.cleared)
    for scope, digest in receipt.forgotten:
        table.put_forgotten(ledger, scope, digest, receipt.at)
        gone |= table.same_words(ledger, scope, digest, receipt.at)
    if gone:
        table.clear_texts(ledger, gone)
        table.clear_context(ledger, gone, "forgotten" if receipt.forgotten else "cleared", only_silent=False)
        if receipt.kind == "person" and receipt.forgotten:
            table.finish_forgotten(ledger, gone, receipt.at)
        elif receipt.forgotten:
            table.put_aside_forgotten(ledger, gone)
        table.end_empty_jobs(ledger, receipt.at)


def _told(standing: Standing) -> dict[str, Any]:
    return {
        "title": standing.title,
        "body": standing.body,
        "evidence_at": standing.evidence_at,
        "corrected_at": standing.corrected_at,
        "by_person": standing.by_person,
        "receipt": standing.receipt,
        "changed_at": standing.changed_at,
    }


def _standing(told: dict[str, Any]) -> Standing:
    return Standing(**{name: value for name, value in told.items() if name != "target"})


def _row(target: Target, standing: Standing) -> SectionRow:
    return SectionRow(
        target,
        standing.title,
        standing.body,
        standing.evidence_at,
        standing.corrected_at,
        int(standing.by_person),
        standing.receipt,
        standing.changed_at,
    )


def _link(target: Target, title: Digest, link: Link) -> list[Any]:
    return [target, title, link.kind, link.source, link.linked_at, link.receipt]


def _linked(told: list[Any]) -> tuple[Target, Digest, Link]:
    target, title, kind, source, linked_at, receipt = told
    return Target(target), Digest(title), Link(kind, source, linked_at, receipt, None, 0)
