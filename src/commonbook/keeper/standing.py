"""What is known about each section (whose it is, how new, from which sources), brought up to date with the person's own edits.

A section that the person changed counts as theirs: its import links are dropped, its date is that of the file, and older
evidence never overwrites it. Every other section keeps what it has. This is the one place where that is decided; it is
worked out whenever a document is looked at, and stored with the next commit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from commonbook.book.grammar import title_digest
from commonbook.clock import Milliseconds
from commonbook.keeper.snapshot import Snapshot, SnapshotDocument, section_digest
from commonbook.ledger import links as table
from commonbook.ledger.database import Ledger
from commonbook.vocabulary import Digest, Provenance, Target, sha256

IMPORTS = frozenset({Provenance.AGENT_OBSERVATION, Provenance.DOCUMENT_IMPORT})
EMPTY_BODY = sha256("")


@dataclass(frozen=True)
class Link:
    """One source of a section. ``provenance`` is ``None`` for a session (a source that is no observation)."""

    kind: str
    source: str
    linked_at: Milliseconds
    receipt: str
    provenance: Provenance | None
    observed_at: Milliseconds

    @property
    def is_import(self) -> bool:
        return self.provenance in IMPORTS


@dataclass(frozen=True)
class Standing:
    """``evidence_at``: newest observed time of what it rests on. ``corrected_at``: of the person's own correction."""

    title: Digest
    body: Digest
    evidence_at: Milliseconds
    corrected_at: Milliseconds | None
    by_person: bool
    receipt: str | None
    changed_at: Milliseconds
    links: tuple[Link, ...] = ()

    @property
    def imported(self) -> bool:
        """Made of imports only, and never touched by the person."""
        return not self.by_person and bool(self.links) and all(link.is_import for link in self.links)

    @property
    def newest(self) -> Milliseconds:
        return max([self.evidence_at, self.corrected_at or 0, *(link.observed_at for link in self.links)])


Standings = Mapping[Target, Mapping[Digest, Standing]]
"""By document and title digest."""


def stored(ledger: Ledger, targets: Iterable[Target]) -> dict[Target, dict[Digest, Standing]]:
    """As the last commit left it."""
    wanted = tuple(targets)
    linked: dict[tuple[str, str], list[Link]] = {}
    for row in table.links(ledger, wanted):
        provenance = Provenance(row.provenance) if row.provenance else None
        link = Link(row.source_kind, row.source, row.linked_at, row.receipt, provenance, row.observed_at or 0)
        linked.setdefault((row.target, row.title_digest), []).append(link)
    found: dict[Target, dict[Digest, Standing]] = {target: {} for target in wanted}
    for section in table.sections(ledger, wanted):
        title = Digest(section.title_digest)
        found[Target(section.target)][title] = Standing(
            title=title,
            body=Digest(section.body_digest),
            evidence_at=section.evidence_at,
            corrected_at=section.corrected_at,
            by_person=bool(section.by_person),
            receipt=section.receipt,
            changed_at=section.changed_at,
            links=tuple(linked.get((section.target, section.title_digest), ())),
        )
    return found


def reconciled(before: Standings, snapshot: Snapshot) -> dict[Target, dict[Digest, Standing]]:
    """What is true of the documents as they are now on disk."""
    return {target: _of_document(before.get(target, {}), document) for target, document in snapshot.items()}


def _of_document(before: Mapping[Digest, Standing], now: SnapshotDocument) -> dict[Digest, Standing]:
    bodies = {title_digest(section.title): section_digest(now.document, section) for section in now.document.sections}
    gone = {known.body: known for title, known in before.items() if title not in bodies and known.body != EMPTY_BODY}
    found: dict[Digest, Standing] = {}
    for title, body in bodies.items():
        known = before.get(title)
        if known is not None and known.body == body:
            found[title] = known
        elif known is not None:
            found[title] = _by_hand(known, body, now.changed_at)
        elif body in gone:  # the person renamed it: the words, and why they are there, are the same
            found[title] = replace(gone[body], title=title)
        else:
            found[title] = Standing(title, body, now.changed_at, now.changed_at, True, None, now.changed_at)
    return found


def _by_hand(known: Standing, body: Digest, at: Milliseconds) -> Standing:
    return replace(
        known,
        body=body,
        corrected_at=max(at, known.corrected_at or 0),
        by_person=True,
        changed_at=at,
        links=tuple(link for link in known.links if not link.is_import),
    )


@dataclass(frozen=True)
class Difference:
    """What a commit writes: digests and ids only, so that it can stand in a receipt."""

    put: tuple[tuple[Target, Standing], ...]
    dropped: tuple[tuple[Target, Digest], ...]
    linked: tuple[tuple[Target, Digest, Link], ...]
    unlinked: tuple[tuple[Target, Digest, Link], ...]

    @property
    def targets(self) -> frozenset[Target]:
        sections = frozenset(target for target, _ in (*self.put, *self.dropped))
        return sections | {target for target, _, _ in (*self.linked, *self.unlinked)}

    @property
    def is_empty(self) -> bool:
        return not (self.put or self.dropped or self.linked or self.unlinked)


def difference(before: Standings, after: Standings) -> Difference:
    put: list[tuple[Target, Standing]] = []
    dropped: list[tuple[Target, Digest]] = []
    linked: list[tuple[Target, Digest, Link]] = []
    unlinked: list[tuple[Target, Digest, Link]] = []
    for target, later in after.items():
        former = before.get(target, {})
        dropped += [(target, title) for title in former if title not in later]
        for title in {**former, **later}:
            old, new = former.get(title), later.get(title)
            old_links = {(link.kind, link.source): link for link in old.links} if old else {}
            new_links = {(link.kind, link.source): link for link in new.links} if new else {}
            unlinked += [(target, title, link) for key, link in old_links.items() if key not in new_links]
            linked += [(target, title, link) for key, link in new_links.items() if key not in old_links]
            if new is not None and (old is None or replace(old, links=()) != replace(new, links=())):
                put.append((target, new))
    return Difference(tuple(put), tuple(dropped), tuple(linked), tuple(unlinked))
