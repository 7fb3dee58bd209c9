"""What a checked proposal does to the sections' standings: which sources each section rests on afterwards (02 §6 *Links*)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonbook.book.grammar import Document, outline, title_digest
from commonbook.clock import Milliseconds
from commonbook.keeper.contracts import ClaimedObservation
from commonbook.keeper.decision import Forget
from commonbook.keeper.guards import Checked, Rights, Step
from commonbook.keeper.lines import keys_of
from commonbook.keeper.snapshot import Snapshot, SnapshotDocument, section_digest
from commonbook.keeper.standing import Link, Standing, Standings
from commonbook.vocabulary import Digest, JobId, Target, folded


@dataclass(frozen=True)
class Moment:
    """Under which receipt, and when."""

    receipt: JobId
    at: Milliseconds


def standings_after(
    checked: Checked, rights: Rights, snapshot: Snapshot, standings: Standings, moment: Moment
) -> dict[Target, dict[Digest, Standing]]:
    """A section that is written rests on the decision's evidence, and on the sources of the sections whose lines it keeps:
    its own former text, or, within one decision and one scope, text merged or moved or renamed into it. What a decision
    carries to another scope rests on the current evidence alone. A forget gives no reasons, it only leaves what stays."""
    after = {target: dict(known) for target, known in standings.items()}
    documents = {target: outline(data) for target, data in checked.after.items()}
    for step in checked.steps:
        if step.replaces is not None:
            after[step.target].pop(title_digest(step.replaces), None)
    for step in checked.steps:
        if step.puts is not None:
            inherited = _inherited(step, checked.steps, snapshot, standings)
            written = _written(step, documents[step.target], inherited, rights, moment)
            after[step.target][written.title] = written
    return after


def _inherited(step: Step, steps: Sequence[Step], snapshot: Snapshot, standings: Standings) -> tuple[Standing, ...]:
    """The standings of the sections whose lines live on in this one."""
    kept = keys_of(step.puts.body if step.puts else "")
    scope = snapshot[step.target].scope
    found = []
    for other in steps:
        if other.decision is not step.decision or other.replaces is None or snapshot[other.target].scope != scope:
            continue
        standing = standings.get(other.target, {}).get(title_digest(other.replaces))
        lines = _former(other, snapshot[other.target])
        if standing is not None and (kept & lines or (other is step and not lines)):
            found.append(standing)
    return tuple(found)


def _former(step: Step, document: SnapshotDocument) -> frozenset[str]:
    section = None if step.replaces is None else document.document.section(step.replaces)
    return frozenset() if section is None else keys_of(document.document.body(section))


def _written(step: Step, document: Document, inherited: Sequence[Standing], rights: Rights, moment: Moment) -> Standing:
    evidence = [rights.evidence[reference] for reference in dict.fromkeys(step.decision.evidence)]
    links = {(link.kind, link.source): link for standing in inherited for link in standing.links}
    if not isinstance(step.decision, Forget) or not links:
        links.update(_evidence_links(evidence, moment))
    section = document.section(step.puts.title if step.puts else "")
    corrected = [standing.corrected_at for standing in inherited if standing.corrected_at is not None]
    by_person = any(standing.by_person for standing in inherited)
    said = [item.observed_at for item in evidence] + [standing.evidence_at for standing in inherited]
    return Standing(
        title=title_digest(step.puts.title if step.puts else ""),
        body=section_digest(document, section) if section else Digest(""),
        evidence_at=max(said, default=rights.newest),
        corrected_at=max(corrected, default=None),
        # Words of theirs that live on stay theirs; without any source they could be nobody else's.
        by_person=by_person or not links,
        receipt=moment.receipt,
        changed_at=moment.at,
        links=tuple(links.values()),
    )


def _evidence_links(evidence: Sequence[ClaimedObservation], moment: Moment) -> Mapping[tuple[str, str], Link]:
    return {
        ("observation", item.id): Link(
            "observation", item.id, moment.at, moment.receipt, item.provenance, item.observed_at
        )
        for item in evidence
    }


@dataclass(frozen=True)
class SectionChange:
    """Lines that came and went in one section, for people; marks of lists and blanks do not count."""

    target: Target
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]


def section_change(step: Step, document: SnapshotDocument) -> SectionChange:
    section = None if step.replaces is None else document.document.section(step.replaces)
    former = _lines(document.document.body(section)) if section else ()
    later = _lines(step.puts.body) if step.puts else ()
    known, now = {folded(line) for line in former}, {folded(line) for line in later}
    return SectionChange(
        step.target,
        step.puts.title if step.puts else step.replaces or "",
        tuple(line for line in later if folded(line) not in known),
        tuple(line for line in former if folded(line) not in now),
    )


def _lines(body: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in body.splitlines() if line.strip())
