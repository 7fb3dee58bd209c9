"""A commit that is decided but not yet made: its receipt, new texts, former texts; and the parts of it that every kind shares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import orjson

from commonbook.book.grammar import outline, title_digest
from commonbook.keeper.contracts import Store
from commonbook.keeper.forget import Forgetting
from commonbook.keeper.history import Former, Purge
from commonbook.keeper.receipt import FileChange, Receipt
from commonbook.keeper.snapshot import Snapshot, digest_of
from commonbook.keeper.standing import Standings, difference
from commonbook.ledger import links as link_table
from commonbook.ledger.commit import SaidRow
from commonbook.vocabulary import EditResult, JobId, Scope, Target, folded, scope_targets

ChangeKind = Literal["kept", "forgot", "tidied"]


@dataclass(frozen=True)
class CommittedChange:
    """One section that changed, for people: never stored."""

    kind: ChangeKind
    target: Target
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]


@dataclass(frozen=True)
class Committed:
    receipt: JobId
    changes: tuple[CommittedChange, ...]
    edit_result: EditResult | None


@dataclass(frozen=True)
class Work:
    """Everything decided; what is left is to make it real. ``texts``: new bytes of the documents that really change."""

    receipt: Receipt
    snapshot: Snapshot
    texts: dict[Target, bytes]
    former: tuple[Former, ...] = ()
    purge: tuple[Purge, ...] = ()
    said: SaidRow | None = None
    changes: tuple[CommittedChange, ...] = ()

    @property
    def committed(self) -> Committed:
        result: EditResult | None = self.receipt.edit_result  # type: ignore[assignment]
        return Committed(self.receipt.id, self.changes, result)


def file_changes(snapshot: Snapshot, texts: Mapping[Target, bytes]) -> tuple[FileChange, ...]:
    return tuple(FileChange(target, snapshot[target].digest, digest_of(data)) for target, data in texts.items())


def former_texts(
    snapshot: Snapshot,
    texts: Mapping[Target, bytes],
    standings: Standings,
    *,
    forgotten: Iterable[tuple[Target, str]],
) -> tuple[Former, ...]:
    """The sections that differ, as they were; never what a forget touches, for it must not be restored."""
    hidden = {(target, folded(title)) for target, title in forgotten}
    found = []
    for target, data in texts.items():
        old, new = snapshot[target].document, outline(data)
        later = {folded(section.title): new.raw(section).strip() for section in new.sections}
        earlier = {folded(section.title): old.raw(section) for section in old.sections}
        for title in dict.fromkeys([*earlier, *later]):
            text = earlier.get(title)
            if (target, title) in hidden or (text.strip() if text is not None else None) == later.get(title):
                continue
            known = standings.get(target, {}).get(title_digest(title))
            links = orjson.dumps([link.source for link in known.links] if known else []).decode()
            found.append(Former(target, title_digest(title), text, links))
    return tuple(found)


def purges(forgot: Forgetting, words: str | None = None, scopes: Iterable[Scope] = ()) -> tuple[Purge, ...]:
    """What history must not keep: the forgotten lines and titles, and whatever says a person's ``words`` in ``scopes``."""
    return tuple(
        Purge(
            scope_targets(scope),
            tuple(sorted(forgot.lines.get(scope, ()))),
            tuple(sorted(forgot.titles.get(scope, ()))),
            words,
        )
        for scope in dict.fromkeys((*scopes, *forgot.lines, *forgot.titles))
    )


def left_by_hand(
    store: Store,
    before: Standings,
    now: Standings,
) -> tuple[str, ...]:
    """Sources whose last link the person's own edit took away: their words are no longer needed, and are cleared."""
    lost = {link.source for _, _, link in difference(before, now).unlinked if link.kind == "observation"}
    if not lost:
        return ()
    here = {link.source for sections in now.values() for standing in sections.values() for link in standing.links}
    elsewhere = link_table.linked_outside(store.ledger, lost, tuple(before))
    return tuple(sorted(lost - here - elsewhere))
