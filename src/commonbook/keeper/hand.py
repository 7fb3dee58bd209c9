"""What a person's own edit does: their words are theirs, correct what was said before, and need no one's leave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from commonbook.book.grammar import outline, title_digest
from commonbook.book.patch import Put, Remove, apply
from commonbook.errors import Code, CommitError, UsageError
from commonbook.keeper.contracts import Store
from commonbook.keeper.effects import Moment
from commonbook.keeper.forget import Forgetting, forgetting
from commonbook.keeper.projects import project_hold
from commonbook.keeper.receipt import Receipt
from commonbook.keeper.snapshot import Snapshot, section_digest, take_snapshot
from commonbook.keeper.standing import Link, Standing, Standings, difference, reconciled, stored
from commonbook.keeper.work import (
    ChangeKind,
    CommittedChange,
    Work,
    file_changes,
    former_texts,
    left_by_hand,
    purges,
)
from commonbook.ledger import links as link_table
from commonbook.ledger.commit import SaidRow
from commonbook.vocabulary import Digest, JobId, ObservationId, Provenance, Scope, Target, content_digest, sha256


@dataclass(frozen=True)
class Forgets:
    """What a person wants forgotten: ``words``, wherever they are said in ``scopes``: in former texts too, and in
    ``messages`` (observation ids) whatever became of those."""

    words: str
    scopes: tuple[Scope, ...]
    messages: tuple[str, ...] = ()


def person_work(
    store: Store,
    changes: Mapping[Target, Sequence[Put | Remove]],
    kind: Literal["retain", "forget"],
    expected: Mapping[Target, Digest],
    said: str | None,
    forgets: Forgets | None,
    scope: Scope,
) -> Work:
    now, receipt_id = store.clock.now(), JobId(store.new_id())
    snapshot = take_snapshot(store, changes)
    for target, document in snapshot.items():
        if document.digest != expected[target]:
            raise CommitError(Code.STALE_REVISION, target=target)
        if project_hold(store, document.scope) is not None:
            raise UsageError(Code.UNKNOWN_PROJECT, id=document.scope)
    texts = {
        target: apply(
            snapshot[target].data, target, steps, name=snapshot[target].name, hard=store.settings.documents.hard
        )
        for target, steps in changes.items()
    }
    before = stored(store.ledger, snapshot)
    standings = reconciled(before, snapshot)
    words = None if said is None else _said(store, said, scope, now)
    after = _standings_by_person(changes, snapshot, texts, standings, words, Moment(receipt_id, now))
    forgot = Forgetting({}, {}, (), (), after)
    if kind == "forget":
        named = [
            (target, change.replaces if isinstance(change, Put) else change.title)
            for target, steps in changes.items()
            for change in steps
        ]
        touched = [(target, title) for target, title in named if title is not None]
        forgot = forgetting(store, touched, snapshot, texts, standings, after, ())
    messages = link_table.sources(store.ledger, forgets.messages if forgets else ())
    said_so = [(Scope(row.scope), Digest(row.content_digest)) for row in messages.values()]
    receipt = Receipt(
        id=receipt_id,
        kind="person",
        agent="person",
        at=now,
        run=None,
        decisions=(kind,),
        files=file_changes(snapshot, texts),
        difference=difference(before, forgot.after),
        forgotten=tuple(dict.fromkeys((*forgot.records, *said_so))),
        cleared=tuple(dict.fromkeys((*forgot.sources, *messages, *left_by_hand(store, before, standings)))),
        kept=tuple(document.scope for document in snapshot.values()) if kind == "retain" else (),
    )
    sections = [
        (target, change.replaces or change.title if isinstance(change, Put) else change.title)
        for target, steps in changes.items()
        for change in steps
    ]
    former = former_texts(snapshot, texts, standings, forgotten=sections if kind == "forget" else ())
    told: ChangeKind = "forgot" if kind == "forget" else "kept"
    committed = tuple(
        _person_change(told, snapshot, target, change) for target, steps in changes.items() for change in steps
    )
    purge = purges(forgot, forgets.words, forgets.scopes) if forgets else ()
    return Work(receipt, snapshot, texts, former, purge, words, committed)


def _said(store: Store, words: str, scope: Scope, now: int) -> SaidRow:
    return SaidRow(store.new_id(), words, sha256(words), content_digest(words), scope, now)


def _standings_by_person(
    changes: Mapping[Target, Sequence[Put | Remove]],
    snapshot: Snapshot,
    texts: Mapping[Target, bytes],
    standings: Standings,
    said: SaidRow | None,
    moment: Moment,
) -> dict[Target, dict[Digest, Standing]]:
    """What a person writes is theirs, and corrects whatever was said before; its sources stay beside their own words. What a
    forget leaves standing is as much or as little theirs as it was: they took away a line and wrote none."""
    after = {target: dict(known) for target, known in standings.items()}
    own: tuple[Link, ...] = ()
    if said is not None:
        own = (
            Link("observation", ObservationId(said.id), moment.at, moment.receipt, Provenance.USER_EXPLICIT, moment.at),
        )
    for target, steps in changes.items():
        document = outline(texts[target])
        for change in steps:
            former = after[target].pop(
                title_digest((change.replaces or "") if isinstance(change, Put) else change.title), None
            )
            section = document.section(change.title)
            if isinstance(change, Put) and section is not None:
                after[target][title_digest(change.title)] = Standing(
                    title=title_digest(change.title),
                    body=section_digest(document, section),
                    evidence_at=moment.at,
                    corrected_at=moment.at,
                    by_person=said is not None or former is None or former.by_person,
                    receipt=moment.receipt,
                    changed_at=moment.at,
                    links=(*(link for link in (former.links if former else ()) if not link.is_import), *own),
                )
    return after


def _person_change(kind: ChangeKind, snapshot: Snapshot, target: Target, change: Put | Remove) -> CommittedChange:
    document = snapshot[target].document
    replaced = change.replaces if isinstance(change, Put) else change.title
    section = document.section(replaced) if replaced is not None else None
    former = [] if section is None else [line.strip() for line in document.body(section).splitlines() if line.strip()]
    body = change.body if isinstance(change, Put) else ""
    later = [line.strip() for line in body.splitlines() if line.strip()]
    added = tuple(line for line in later if line not in former)
    return CommittedChange(kind, target, change.title, added, tuple(line for line in former if line not in later))
