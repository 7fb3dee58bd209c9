"""Taking one commit back: the sections it changed become what they were before it, by a person's edit like any other (02 §8).

A change is undone whole or not at all. When one of its sections has changed again since, restoring only the others could lose
or double what was moved between them, so it is refused and the section named: undo the later change first. What forgot
something cannot be undone, nor what history no longer has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import orjson

from commonbook.book.files import MIB, read_bounded
from commonbook.book.grammar import Document, Section, outline, title_digest
from commonbook.book.patch import Put, Remove, apply
from commonbook.clock import Milliseconds
from commonbook.errors import Code, CommitError, PlaceError, UsageError
from commonbook.keeper import history
from commonbook.keeper.contracts import Store
from commonbook.keeper.history import Former
from commonbook.keeper.log import find_entry, read_log
from commonbook.keeper.projects import project_hold
from commonbook.keeper.receipt import Receipt, decode
from commonbook.keeper.snapshot import Snapshot, section_digest, take_snapshot
from commonbook.keeper.standing import Link, Standing, Standings, difference, reconciled, stored
from commonbook.keeper.work import Work, file_changes, former_texts, left_by_hand
from commonbook.ledger import links as link_table
from commonbook.vocabulary import Digest, JobId, Target, scope_project, sha256

LAST = "last"
RECEIPT_LIMIT = 64 * MIB


@dataclass(frozen=True)
class RestoredSection:
    """``expected`` names this exact change of this exact document; a heading counts as a line of its section here."""

    target: Target
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    expected: str


@dataclass(frozen=True)
class UndoPlan:
    """Without changes there is nothing to do: everything stands there again already."""

    receipt: JobId
    changes: tuple[RestoredSection, ...]
    rows: tuple[Former, ...]
    snapshot: Snapshot


def plan_undo(store: Store, receipt: str) -> UndoPlan:
    """What taking this commit (or the ``last`` one) back would change; writes nothing.

    Raises ``UsageError``: ``UNKNOWN_RECEIPT``, ``NOTHING_TO_RESTORE``, ``CHANGED_SINCE`` (target, section),
    ``UNKNOWN_PROJECT`` (of a removed project).
    """
    made = _receipt(store, receipt)
    rows = _former(store, made)
    snapshot = take_snapshot(store, dict.fromkeys(row.target for row in rows))
    for one in snapshot.values():
        if project_hold(store, one.scope) is not None:
            raise UsageError(Code.UNKNOWN_PROJECT, id=scope_project(one.scope) or one.scope)
    left = {(target, standing.title): standing.body for target, standing in made.difference.put}
    restored = []
    for row in rows:
        document = snapshot[row.target].document
        now, then = _section(document, row.title), _before(row)
        if _digest(document, now) == (_digest(*then) if then else None):
            continue  # the person, or another undo, has restored it already
        if _digest(document, now) != left.get((row.target, row.title)):
            raise UsageError(Code.CHANGED_SINCE, target=row.target, section=_title(now, then))
        restored.append(row)
    changes = tuple(_shown(made.id, row, snapshot) for row in restored)
    return UndoPlan(made.id, changes, tuple(restored), snapshot)


def undo_work(store: Store, receipt: JobId, expected: Sequence[str]) -> Work:
    """Inside the write transaction: the plan made again, and only if it is still the one that was shown."""
    plan = plan_undo(store, receipt)
    if tuple(change.expected for change in plan.changes) != tuple(expected) or not plan.changes:
        raise CommitError(Code.STALE_REVISION, receipt=receipt)
    now, own = store.clock.now(), JobId(store.new_id())
    snapshot = {target: plan.snapshot[target] for target in dict.fromkeys(row.target for row in plan.rows)}
    texts = {
        target: apply(
            document.data,
            target,
            _steps([row for row in plan.rows if row.target == target], document.document),
            name=document.name,
            hard=store.settings.documents.hard,
        )
        for target, document in snapshot.items()
    }
    before = stored(store.ledger, snapshot)
    standings = reconciled(before, snapshot)
    after = _standings(store, plan.rows, texts, standings, own, now)
    made = Receipt(
        id=own,
        kind="undo",
        agent="person",
        at=now,
        run=None,
        decisions=(),
        files=file_changes(snapshot, texts),
        difference=difference(before, after),
        cleared=left_by_hand(store, before, standings),
    )
    return Work(made, snapshot, texts, former_texts(snapshot, texts, standings, forgotten=()))


def _receipt(store: Store, wanted: str) -> Receipt:
    newest = read_log(store, 1) if wanted == LAST else ()
    entry = newest[0] if newest else find_entry(store, wanted)
    if entry is None:
        raise UsageError(Code.UNKNOWN_RECEIPT, id=wanted)
    data = read_bounded(store.home.receipts / f"{entry.receipt}.json", below=store.home.data, limit=RECEIPT_LIMIT)
    if data is None or "forget" in entry.decisions:
        raise UsageError(Code.NOTHING_TO_RESTORE)
    return decode(data)


def _former(store: Store, receipt: Receipt) -> tuple[Former, ...]:
    try:
        rows = history.former(store.home, receipt.id)
    except PlaceError as error:
        if error.code is not Code.STORE_DAMAGED:
            raise
        rows = ()  # the next commit makes a new file; what stood in this one is gone
    if not rows or any(row.text == b"" for row in rows):
        raise UsageError(Code.NOTHING_TO_RESTORE)
    return rows


def _before(row: Former) -> tuple[Document, Section] | None:
    """The section as it was, a document by itself; ``None`` where there was none."""
    document = outline(row.text or b"")
    return (document, document.sections[0]) if document.sections else None


def _section(document: Document, title: Digest) -> Section | None:
    return next((section for section in document.sections if title_digest(section.title) == title), None)


def _digest(document: Document, section: Section | None) -> Digest | None:
    return None if section is None else section_digest(document, section)


def _title(now: Section | None, then: tuple[Document, Section] | None) -> str:
    return then[1].title if then else now.title if now else ""


def _shown(receipt: JobId, row: Former, snapshot: Snapshot) -> RestoredSection:
    document = snapshot[row.target].document
    section, then = _section(document, row.title), _before(row)
    old = _lines(document.raw(section)) if section else []
    new = _lines(row.text or b"")
    removed: list[str] = []
    added: list[str] = []
    for _, start, stop, from_new, to_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if old[start:stop] != new[from_new:to_new]:
            removed += old[start:stop]
            added += new[from_new:to_new]
    told = "\n".join([receipt, row.target, snapshot[row.target].digest, row.title, *added, "", *removed])
    return RestoredSection(row.target, _title(section, then), tuple(added), tuple(removed), sha256(told))


def _lines(raw: bytes) -> list[str]:
    return [line.rstrip() for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]


def _steps(rows: Sequence[Former], document: Document) -> list[Put | Remove]:
    """A section that comes back takes the place of one that goes, so that undoing a rename keeps its place."""
    gone = [(row, section) for row in rows if row.text is None and (section := _section(document, row.title))]
    steps: list[Put | Remove] = []
    for row in rows:
        then, section = _before(row), _section(document, row.title)
        if then is None:
            continue
        place = section.title if section else gone.pop(0)[1].title if gone else None
        steps.append(Put(then[1].title, then[0].body(then[1]), place))
    return [*steps, *(Remove(section.title) for _, section in gone)]


def _standings(
    store: Store,
    rows: Sequence[Former],
    texts: Mapping[Target, bytes],
    standings: Standings,
    receipt: JobId,
    at: Milliseconds,
) -> dict[Target, dict[Digest, Standing]]:
    """What is restored is the person's own correction, resting on what it rested on before; sources forgotten since stay away."""
    after = {target: dict(known) for target, known in standings.items()}
    sources = link_table.sources(store.ledger, {source for row in rows for source in orjson.loads(row.links)})
    for row in rows:
        known = after[row.target].pop(row.title, None)
        document = outline(texts[row.target])
        section = _section(document, row.title)
        if section is None:
            continue
        held = {link.source: link for link in known.links} if known else {}
        links = []
        for source in orjson.loads(row.links):
            found = sources.get(source)
            if found is None:
                links.append(held.get(source) or Link("session", source, at, receipt, None, 0))
            elif not found.forgotten:
                new = Link("observation", source, at, receipt, None, found.observed_at)
                links.append(held.get(source) or new)
        after[row.target][row.title] = Standing(
            title=row.title,
            body=section_digest(document, section),
            evidence_at=max((link.observed_at for link in links), default=at),
            corrected_at=at,
            by_person=True,
            receipt=receipt,
            changed_at=at,
            links=tuple(links),
        )
    return after
