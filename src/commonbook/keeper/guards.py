"""Which proposals may become changes (design chapter 02 §6). Pure: the same code runs in the submission, when the agent has
returned, and inside the commit against fresh facts. A guard raises ``DecisionError``; nothing here reads or writes anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from commonbook.book.grammar import normal_body, title_digest
from commonbook.book.patch import Put, Remove, apply
from commonbook.clock import Milliseconds
from commonbook.errors import Code, DecisionError
from commonbook.keeper.contracts import ClaimedObservation
from commonbook.keeper.decision import (
    Forget,
    Ignore,
    Maintain,
    Proposal,
    PutSection,
    RemoveSection,
    Retain,
    operations_of,
)
from commonbook.keeper.lines import keys_of, prose_keys, significant
from commonbook.keeper.safety import has_secret
from commonbook.keeper.snapshot import Snapshot, SnapshotDocument
from commonbook.keeper.standing import IMPORTS, Standings
from commonbook.settings.model import KIB
from commonbook.vocabulary import (
    GLOBAL,
    PROJECT_ID,
    ProjectId,
    Provenance,
    Scope,
    Target,
    TaskKind,
    folded,
    project_scope,
    scope_project,
)

SHRINK_SHARE = 0.30
SHRINK_BYTES = KIB
"""A net loss over both needs a reason."""

AnyDecision = Retain | Forget | Maintain | Ignore
Change = Put | Remove


@dataclass(frozen=True)
class Rights:
    """What one run may do. ``evidence``: by reference, only what really gives evidence (not text of our own marks);
    ``newest``: observed time of the newest delivery of the batch; ``soft``, ``hard``: budgets of a document, bytes."""

    request: str
    scope: Scope
    task_kind: TaskKind
    writable: tuple[Scope, ...]
    evidence: Mapping[str, ClaimedObservation]
    provenances: frozenset[Provenance]
    newest: Milliseconds
    soft: int
    hard: int


@dataclass(frozen=True)
class Step:
    """One operation resolved: ``replaces`` is the section whose place it takes (``None`` adds one), ``change`` the patch."""

    decision: AnyDecision
    target: Target
    replaces: str | None
    change: Change

    @property
    def puts(self) -> Put | None:
        return self.change if isinstance(self.change, Put) else None


@dataclass(frozen=True)
class Checked:
    """A proposal that passed: its steps in order, and the documents as they would be."""

    proposal: Proposal
    steps: tuple[Step, ...]
    after: Mapping[Target, bytes]


def check(proposal: Proposal, rights: Rights, snapshot: Snapshot, standings: Standings) -> Checked:
    """Every rule, in the order of the table. Raises ``DecisionError`` with the first one that is broken."""
    if proposal.request_id != rights.request:
        raise DecisionError(Code.INVALID_REQUEST_REFERENCE)
    _check_edit_result(proposal, rights)
    steps: list[Step] = []
    for decision in proposal.decisions:
        _check_evidence(decision, rights)
        steps += [_resolve(decision, operation, rights, snapshot) for operation in operations_of(decision)]
    _check_once(steps)
    _check_room(steps, snapshot, rights)
    for step in steps:
        _check_standing(step, rights, snapshot, standings)
        _check_secrets(step)
    for decision in proposal.decisions:
        if isinstance(decision, Maintain):
            _check_only_reorganised([step for step in steps if step.decision is decision], snapshot)
    after = {
        target: _patched(snapshot[target], [step for step in steps if step.target == target], rights)
        for target in dict.fromkeys(step.target for step in steps)
    }
    for target, data in after.items():
        _check_shrink(snapshot[target], data, [step for step in steps if step.target == target], rights)
    _check_nothing_dropped([step for step in steps if isinstance(step.decision, Maintain)], snapshot, after, rights)
    _check_duplicates(steps, snapshot, after)
    if proposal.edit_result == "modified" and all(data == snapshot[target].data for target, data in after.items()):
        raise DecisionError(Code.INVALID_EDIT_RESULT)
    return Checked(proposal, tuple(steps), after)


# --- the decision itself -----------------------------------------------------------------------------------------------


def _check_edit_result(proposal: Proposal, rights: Rights) -> None:
    changes = any(operations_of(decision) for decision in proposal.decisions)
    if rights.task_kind is not TaskKind.EDIT:
        valid = proposal.edit_result is None
    elif proposal.edit_result == "modified":
        valid = changes
    else:  # a plain ignore says nothing about the edit, so it never completes one
        valid = proposal.edit_result is not None and not changes
    if not valid:
        raise DecisionError(Code.INVALID_EDIT_RESULT)


def _check_evidence(decision: AnyDecision, rights: Rights) -> None:
    if any(reference not in rights.evidence for reference in decision.evidence):
        raise DecisionError(Code.INVALID_EVIDENCE_REFERENCE)
    edits = rights.task_kind is TaskKind.EDIT and bool(operations_of(decision))
    if not decision.evidence and (isinstance(decision, Retain | Forget) or edits):
        raise DecisionError(Code.MISSING_EVIDENCE)
    if isinstance(decision, Forget) and not _from_user(decision, rights):
        raise DecisionError(Code.UNAUTHORIZED_FORGET_EVIDENCE)


def _from_user(decision: AnyDecision, rights: Rights) -> bool:
    """Whether the user's own words stand behind it; a reorganisation without evidence has the rights of its batch."""
    given = [rights.evidence[reference].provenance for reference in decision.evidence] or rights.provenances
    return any(provenance not in IMPORTS for provenance in given)


# --- where it may write ------------------------------------------------------------------------------------------------


def _resolve(decision: AnyDecision, operation: PutSection | RemoveSection, rights: Rights, snapshot: Snapshot) -> Step:
    target = Target(operation.target)
    scope = _scope_of(target)
    if decision.applicability == "uncertain" or scope != _meant(decision, rights):
        raise DecisionError(Code.UNAUTHORIZED_SCOPE)
    document = snapshot.get(target)
    if document is None:
        raise DecisionError(Code.INVALID_TARGET_REFERENCE)
    if scope not in rights.writable:
        raise DecisionError(Code.UNAUTHORIZED_WRITE)
    if document.outside is not None:
        raise DecisionError(Code.DOCUMENT_OUTSIDE_GRAMMAR, target=target, line=document.outside)
    replaces = None
    if operation.section is not None:
        section = document.references.get(operation.section)
        if section is None:
            raise DecisionError(Code.INVALID_TARGET_REFERENCE)
        replaces = section.title
    match operation:
        case PutSection():
            return Step(decision, target, replaces, Put(operation.title, operation.body, replaces))
        case RemoveSection():
            return Step(decision, target, replaces, Remove(replaces or ""))


def _scope_of(target: Target) -> Scope:
    if target in ("profile", "preferences"):
        return GLOBAL
    project = target.removeprefix("projects/")
    if project == target or not PROJECT_ID.fullmatch(project):
        raise DecisionError(Code.INVALID_TARGET_REFERENCE)
    return project_scope(ProjectId(project))


def _meant(decision: AnyDecision, rights: Rights) -> Scope | None:
    """The scope that its applicability names: a project is always the batch's own."""
    if decision.applicability == "global":
        return GLOBAL
    return rights.scope if scope_project(rights.scope) is not None else None


def _check_once(steps: Sequence[Step]) -> None:
    sections = [(step.target, folded(step.replaces)) for step in steps if step.replaces is not None]
    titles = [(step.target, folded(step.puts.title)) for step in steps if step.puts]
    if len(set(sections)) < len(sections) or len(set(titles)) < len(titles):
        raise DecisionError(Code.DUPLICATE_SECTION_OPERATION)


# --- what stands there already -----------------------------------------------------------------------------------------


def _check_standing(step: Step, rights: Rights, snapshot: Snapshot, standings: Standings) -> None:
    """Imports never touch what the user has a part in, and older words never displace newer ones. Adding to a section (every
    line of it stays) displaces nothing: it would lose facts of two projects that were said at about the same time."""
    if step.replaces is None:
        return
    standing = standings.get(step.target, {}).get(title_digest(step.replaces))
    if standing is None:
        return
    if not standing.imported and not _from_user(step.decision, rights):
        raise DecisionError(Code.UNAUTHORIZED_IMPORT_OVERWRITE)
    said = [rights.evidence[reference].observed_at for reference in step.decision.evidence]
    if standing.newest > max(said, default=rights.newest) and not _only_adds(step, snapshot[step.target]):
        raise DecisionError(Code.STALE_SOURCE)


def _only_adds(step: Step, document: SnapshotDocument) -> bool:
    section = None if step.replaces is None else document.document.section(step.replaces)
    if section is None or step.puts is None or folded(step.puts.title) != folded(section.title):
        return False
    return keys_of(document.document.body(section)) <= keys_of(step.puts.body)


def _check_only_reorganised(steps: Sequence[Step], snapshot: Snapshot) -> None:
    """``maintain`` may order, merge, split and rename what is there; every line that it writes must stand, folded, in a
    section of the same scope that the same decision replaces or removes, and a title that none of these has may only be
    made of words that they say. Promotion is therefore never a ``maintain``."""
    there = _sections_taken(steps, snapshot)
    for step in steps:
        if step.puts is None:
            continue
        taken = there.get(snapshot[step.target].scope, [])
        lines = {key for _, body in taken for key in keys_of(body)}
        if not keys_of(step.puts.body) <= lines or not _is_known_title(step.puts.title, taken):
            raise DecisionError(Code.UNAUTHORIZED_WRITE)


def _sections_taken(steps: Sequence[Step], snapshot: Snapshot) -> dict[Scope, list[tuple[str, str]]]:
    """Title and body of the sections that these steps replace or remove, by scope."""
    found: dict[Scope, list[tuple[str, str]]] = {}
    for step in steps:
        document = snapshot[step.target]
        section = None if step.replaces is None else document.document.section(step.replaces)
        if section is not None:
            found.setdefault(document.scope, []).append((section.title, document.document.body(section)))
    return found


def _is_known_title(title: str, taken: Sequence[tuple[str, str]]) -> bool:
    if any(folded(title) == folded(known) for known, _ in taken):
        return True
    said = frozenset(word for part in taken for text in part for word in significant(text))
    words = significant(title)
    return bool(words) and words <= said


# --- the text itself ---------------------------------------------------------------------------------------------------


def _check_room(steps: Sequence[Step], snapshot: Snapshot, rights: Rights) -> None:
    """What is written into a document must fit by itself. Looked at first: a proposal may be a hundred megabytes large, and to
    scan, parse and join all that takes longer than any lease lasts."""
    written: dict[Target, int] = {}
    for step in steps:
        if step.puts:
            size = len(normal_body(step.puts.body).encode("utf-8", "surrogatepass"))
            written[step.target] = written.get(step.target, 0) + size
    for target, size in written.items():
        if size > max(rights.hard, len(snapshot[target].data or b"")):
            raise DecisionError(Code.DOCUMENT_FULL, target=target, bytes=size, limit=rights.hard)


def _check_secrets(step: Step) -> None:
    if step.puts and has_secret(f"{step.puts.title}\n\n{step.puts.body}"):
        raise DecisionError(Code.SENSITIVE_PATCH)


def _patched(document: SnapshotDocument, steps: Sequence[Step], rights: Rights) -> bytes:
    changes = [step.change for step in steps]
    return apply(document.data, document.target, changes, name=document.name, hard=rights.hard)


def _check_shrink(before: SnapshotDocument, after: bytes, steps: Sequence[Step], rights: Rights) -> None:
    """A net loss over 30 % and 1 KiB needs a reason: an edit, a forget, or an update or correction of just these sections.
    A document over its soft budget may always shrink to the budget."""
    if rights.task_kind is TaskKind.EDIT:
        return
    size = len(before.data or b"")
    lost = size - len(after)
    unjustified = sum(_loss(before, step) for step in steps if not _justifies_loss(step.decision))
    counted = min(lost, unjustified)
    if size > rights.soft:
        counted -= size - rights.soft
        size = rights.soft
    if counted > SHRINK_BYTES and counted > SHRINK_SHARE * size:
        raise DecisionError(Code.UNJUSTIFIED_SHRINK, target=before.target)


def _check_nothing_dropped(
    steps: Sequence[Step], snapshot: Snapshot, after: Mapping[Target, bytes], rights: Rights
) -> None:
    """A line that ``maintain`` takes away must stand elsewhere in the scope, however short it is: one more line each night
    would empty a memory below every bar. Only a document over its soft budget may shrink, and an edit was asked for."""
    if rights.task_kind is TaskKind.EDIT:
        return
    left: dict[Scope, frozenset[str]] = {}
    for document in snapshot.values() if steps else ():
        text = (after.get(document.target, document.data) or b"").decode("utf-8", "replace")
        left[document.scope] = left.get(document.scope, frozenset()) | keys_of(text)
    for step in steps:
        before = snapshot[step.target]
        section = None if step.replaces is None else before.document.section(step.replaces)
        if section is None or len(before.data or b"") > rights.soft:
            continue
        if not keys_of(before.document.body(section)) <= left[before.scope]:
            raise DecisionError(Code.UNJUSTIFIED_SHRINK, target=step.target)


def _justifies_loss(decision: AnyDecision) -> bool:
    return isinstance(decision, Forget) or (isinstance(decision, Retain) and decision.admission != "remember")


def _loss(before: SnapshotDocument, step: Step) -> int:
    section = None if step.replaces is None else before.document.section(step.replaces)
    former = 0 if section is None else section.stop - section.start
    return former - (len(step.puts.body.encode("utf-8", "surrogatepass")) if step.puts else 0)


def _check_duplicates(steps: Sequence[Step], snapshot: Snapshot, after: Mapping[Target, bytes]) -> None:
    """No new line may say what another line of the same scope says already; moving a line is not saying it twice."""
    for scope in dict.fromkeys(snapshot[step.target].scope for step in steps):
        documents = [document for document in snapshot.values() if document.scope == scope]
        before = _counted(document.data for document in documents)
        later = _counted(after.get(document.target, document.data) for document in documents)
        for step in steps:
            if step.puts and snapshot[step.target].scope == scope:
                for key in prose_keys(step.puts.body):
                    if later.get(key, 0) > max(1, before.get(key, 0)):
                        raise DecisionError(Code.DUPLICATE_CONTENT)


def _counted(texts: Iterable[bytes | None]) -> dict[str, int]:
    found: dict[str, int] = {}
    for text in texts:
        for key in prose_keys((text or b"").decode("utf-8", "replace")):
            found[key] = found.get(key, 0) + 1
    return found
