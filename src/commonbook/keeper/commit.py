"""Commit: the one place that touches files *and* database (02 §8). An agent's proposal and a person's own words end here.

Repository lock → write transaction → lease, forgotten, correction and registry checks → every granted document compared with
the snapshot → staged files, receipt and journal → compared again → marker → published → database → journal removed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from commonbook.book.patch import Put, Remove
from commonbook.errors import Code, CommitError, PlaceError
from commonbook.keeper import guards
from commonbook.keeper import journal as journals
from commonbook.keeper.contracts import AgentOutcome, Claim, Store
from commonbook.keeper.decision import Forget, Ignore, Maintain, Retain
from commonbook.keeper.effects import Moment, SectionChange, section_change, standings_after
from commonbook.keeper.forget import Forgetting, forgetting
from commonbook.keeper.grant import AcceptedProposal, Grant
from commonbook.keeper.guards import Checked
from commonbook.keeper.hand import Forgets, person_work
from commonbook.keeper.journal import Journal, StagedFile
from commonbook.keeper.lease import fence
from commonbook.keeper.lock import repository_lock
from commonbook.keeper.projects import project_hold
from commonbook.keeper.publish import derive, publish
from commonbook.keeper.receipt import Receipt, Run, apply_receipt, encode
from commonbook.keeper.recovery import recover_locked
from commonbook.keeper.retention import prune_history
from commonbook.keeper.snapshot import (
    Snapshot,
    current_digest,
    digest_of,
    take_snapshot,
)
from commonbook.keeper.standing import Standing, Standings, difference, reconciled, stored
from commonbook.keeper.undo import undo_work
from commonbook.keeper.work import (
    ChangeKind,
    Committed,
    CommittedChange,
    Work,
    file_changes,
    former_texts,
    left_by_hand,
    purges,
)
from commonbook.ledger import commit as table
from commonbook.vocabulary import (
    Digest,
    JobId,
    Scope,
    Target,
)

__all__ = ["Committed", "CommittedChange", "commit_person", "commit_proposal", "commit_undo"]

_PROMPT_DIGEST = re.compile(r"[0-9a-f]{64}")


def commit_proposal(store: Store, claim: Claim, grant: Grant, outcome: AgentOutcome) -> Committed:
    """Commit what an agent submitted, once, under the lease of its claim.

    Raises ``CommitError``: ``NO_DECISION`` (nothing valid was submitted), ``INVALID_PROMPT_DIGEST``, ``STALE_LEASE``,
    ``BATCH_CHANGED``, ``FORGOTTEN_SOURCE``, ``UNREGISTERED_PROJECT``, ``STALE_REVISION``; ``DecisionError`` when a guard
    finds against it now.
    Whatever it raises before the marker, nothing was consumed and no byte has changed.
    """
    accepted = grant.accepted
    if outcome.failure is not None or accepted is None:
        raise CommitError(outcome.failure or Code.NO_DECISION, job=claim.job)
    if not _PROMPT_DIGEST.fullmatch(outcome.prompt_digest):
        raise CommitError(Code.INVALID_PROMPT_DIGEST, job=claim.job)
    with repository_lock(store.home):
        recover_locked(store)
        work = _commit(store, lambda: _proposed(store, claim, grant, accepted, outcome))
    return work.committed


def commit_person(
    store: Store,
    changes: Mapping[Target, Sequence[Put | Remove]],
    *,
    kind: Literal["retain", "forget"],
    expected: Mapping[Target, Digest],
    said: str | None = None,
    forgets: Forgets | None = None,
    scope: Scope,
) -> Committed:
    """Commit a person's own edit: ``changes`` on exactly the documents whose digests are ``expected``. ``said``: their words,
    kept as the source of what they wrote; ``forgets``: what goes beside the lines of a forget. The person is the authority,
    so no guard but grammar and budget applies.

    Raises ``CommitError(STALE_REVISION)``; ``DecisionError`` of ``book.patch.apply``; ``UsageError(UNKNOWN_PROJECT)``.
    """
    with repository_lock(store.home):
        recover_locked(store)
        work = _commit(store, lambda: person_work(store, changes, kind, expected, said, forgets, scope))
        _prune(store)
    return work.committed


def commit_undo(store: Store, receipt: JobId, expected: Sequence[str]) -> Committed:
    """Take one commit back, as a person's edit; ``expected``: of the sections of ``undo.plan_undo``, so that what is committed
    is what was shown. Raises ``CommitError(STALE_REVISION)`` and what ``plan_undo`` raises."""
    with repository_lock(store.home):
        recover_locked(store)
        work = _commit(store, lambda: undo_work(store, receipt, expected))
        _prune(store)
    return work.committed


def _prune(store: Store) -> None:
    """A person who never runs an update would otherwise keep former texts for ever. The commit is done: what keeps this from
    being done now is no failure of it, and is met again next time."""
    with suppress(PlaceError):
        prune_history(store)


# --- making it real ----------------------------------------------------------------------------------------------------


def _commit(store: Store, build: Callable[[], Work]) -> Work:
    """``build`` runs inside the write transaction: what it finds is still so when it is published."""
    folder: Path | None = None
    with store.ledger.write() as ledger:
        store.mark("commit.check")
        work = build()
        if work.receipt.kind == "ignore":
            store.mark("commit.ignore")
            apply_receipt(ledger, work.receipt, "")
            store.mark("commit.database")
        else:
            journal = _journal(work)
            folder = journals.stage(store, journal, work.texts)
            try:
                _compare_again(store, work.snapshot)
                journals.mark_committing(store, folder)
            except BaseException:
                journals.remove(store, folder)
                raise
            try:
                publish(store, folder, journal)
            except CommitError as error:  # someone saved a file in this very moment; what was published is taken back
                journals.remove(store, folder)
                raise CommitError(Code.STALE_REVISION, receipt=work.receipt.id) from error
    if folder is not None:
        derive(store, work.receipt)
        journals.remove(store, folder)
    elif not work.receipt.difference.is_empty:  # a hand edit was noticed
        derive(store, work.receipt)
    return work


def _journal(work: Work) -> Journal:
    files = tuple(
        StagedFile(target, f"{number}.md", document.data, document.digest, digest_of(work.texts[target]))
        for number, (target, document) in enumerate(work.snapshot.items())
        if target in work.texts
    )
    return Journal(files, work.former, work.purge, work.said, work.receipt, encode(work.receipt))


def _compare_again(store: Store, snapshot: Snapshot) -> None:
    for target, document in snapshot.items():
        if current_digest(store.home, target) != document.digest:
            raise CommitError(Code.STALE_REVISION, target=target)


# --- an agent's proposal -----------------------------------------------------------------------------------------------


def _proposed(store: Store, claim: Claim, grant: Grant, accepted: AcceptedProposal, outcome: AgentOutcome) -> Work:
    now = store.clock.now()
    _check_claim(store, claim)
    snapshot = _fresh(store, grant, accepted)
    before = stored(store.ledger, snapshot)
    standings = reconciled(before, snapshot)
    checked = guards.check(accepted.proposal, grant.rights, snapshot, standings)
    texts = {target: data for target, data in checked.after.items() if data != snapshot[target].data}
    after = standings_after(checked, grant.rights, snapshot, standings, Moment(claim.job, now))
    forgot = _forgotten(store, checked, grant, snapshot, before=standings, after=after)
    acts = bool(checked.steps)
    left = difference(before, forgot.after)
    receipt = Receipt(
        id=claim.job,
        kind="agent" if acts else "ignore",
        agent=outcome.agent,
        at=now,
        run=_run(claim, outcome),
        decisions=tuple(dict.fromkeys(decision.kind for decision in accepted.proposal.decisions)),
        edit_result=accepted.proposal.edit_result,
        consumed=tuple(item.id for item in claim.observations),
        files=file_changes(snapshot, texts),
        difference=left,
        forgotten=forgot.records,
        cleared=(*forgot.sources, *left_by_hand(store, before, standings)),
        kept=tuple(dict.fromkeys(snapshot[step.target].scope for step in checked.steps if step.puts)),
    )
    former = former_texts(snapshot, texts, standings, forgotten=_forget_sections(checked))
    changes = tuple(_told(step.decision, section_change(step, snapshot[step.target])) for step in checked.steps)
    changes = tuple(change for change in changes if change.lines_added or change.lines_removed)
    return Work(receipt, snapshot, texts, former, purges(forgot), None, changes)


def _check_claim(store: Store, claim: Claim) -> None:
    """The lease is ours, the batch is whole and still has its words, and its project may still be written."""
    fence(store.ledger, claim, store.clock.now())
    held = table.claimed(store.ledger, claim.job)
    missing = [item.id for item in claim.observations if item.id not in held]
    if missing:
        # Forgotten or discarded meanwhile. What is left of the batch is tried again without it.
        raise CommitError(Code.BATCH_CHANGED if held else Code.FORGOTTEN_SOURCE, job=claim.job, missing=len(missing))
    hold = project_hold(store, claim.scope)
    if hold is not None:
        raise CommitError(hold, job=claim.job)


def _fresh(store: Store, grant: Grant, accepted: AcceptedProposal) -> Snapshot:
    """The documents as they are now. One that the agent read, or that its decision touches, must be as it was granted; when
    only others have changed, the same decision goes through every guard again on the fresh text."""
    fresh = take_snapshot(store, grant.snapshot)
    changed = {target for target, document in fresh.items() if document.digest != grant.snapshot[target].digest}
    if not changed:
        return fresh
    operations = (getattr(decision, "operations", ()) for decision in accepted.proposal.decisions)
    touched = {Target(operation.target) for group in operations for operation in group}
    if accepted.proposal.edit_result == "already_satisfied" or changed & (accepted.read | touched):
        raise CommitError(Code.STALE_REVISION, target=min(changed))
    return fresh


def _forgotten(
    store: Store,
    checked: Checked,
    grant: Grant,
    snapshot: Snapshot,
    *,
    before: Standings,
    after: dict[Target, dict[Digest, Standing]],
) -> Forgetting:
    named = _forget_sections(checked)
    if not named:
        return Forgetting({}, {}, (), (), after)
    requests = [
        grant.rights.evidence[reference].id
        for decision in checked.proposal.decisions
        if isinstance(decision, Forget)
        for reference in decision.evidence
    ]
    return forgetting(store, named, snapshot, checked.after, before, after, requests)


def _forget_sections(checked: Checked) -> tuple[tuple[Target, str], ...]:
    return tuple(
        (step.target, step.replaces)
        for step in checked.steps
        if isinstance(step.decision, Forget) and step.replaces is not None
    )


def _run(claim: Claim, outcome: AgentOutcome) -> Run:
    usage = outcome.usage
    return Run(
        claim.job, outcome.prompt_digest, outcome.turns, outcome.tool_calls, usage.input_tokens, usage.output_tokens
    )


def _told(decision: Retain | Forget | Maintain | Ignore, change: SectionChange) -> CommittedChange:
    kind: ChangeKind = "kept"
    if isinstance(decision, Forget):
        kind = "forgot"
    elif isinstance(decision, Maintain):
        kind = "tidied"
    return CommittedChange(kind, change.target, change.section, change.lines_added, change.lines_removed)
