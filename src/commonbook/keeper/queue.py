"""The queue: the oldest batch that may be shown is claimed whole, under a lease; one scope never blocks another."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict

from commonbook.clock import Milliseconds
from commonbook.errors import Code
from commonbook.keeper.contracts import Claim, ClaimedObservation, Store
from commonbook.keeper.failures import MAX_RECOVERIES, fail, hand_back, interrupted, recover
from commonbook.keeper.items import cancel, counts, discard, is_paused, job_counts, list_items, retry, set_paused
from commonbook.keeper.lease import LEASE, fence, has_run_out, is_due, renew
from commonbook.keeper.limits import (
    hold_reason,
    oversized,
    provider_allowed,
    serialised_bytes,
    writable_scopes,
)
from commonbook.keeper.owner import this_owner
from commonbook.keeper.projects import project_hold
from commonbook.ledger import queue as table
from commonbook.ledger.queue import ClaimableRow, HeadRow, JobRow, Lease
from commonbook.settings.model import Settings
from commonbook.vocabulary import (
    ConsideredBy,
    Digest,
    JobId,
    JobState,
    ObservationId,
    ObservationState,
    Provenance,
    ProviderClass,
    Scope,
    Source,
    TaskKind,
    sha256,
)

__all__ = [
    "cancel",
    "claim",
    "counts",
    "discard",
    "fail",
    "fence",
    "hand_back",
    "is_idle",
    "is_paused",
    "job_counts",
    "list_items",
    "next_available",
    "reclaim_expired",
    "recover",
    "renew",
    "resume",
    "retry",
    "set_paused",
    "try_mending_again",
]

ROWS_TOGETHER = 6
"""Of deliveries that belong to no session batch."""


def is_idle(store: Store) -> bool:
    """Nothing is pending and no job runs or waits for its next try (or the queue is paused). Costs the same however
    long the history is; what is held or put aside does not count."""
    return not table.has_work(store.ledger) or is_paused(store)


def next_available(store: Store) -> Milliseconds | None:
    """When ``claim`` may next give something: now, the end of a backoff or of a lease; ``None`` when nothing is to
    come."""
    if is_paused(store):
        return None
    now, ledger = store.clock.now(), store.ledger
    jobs = table.active_jobs(ledger)
    if _oldest_head(store, jobs) is not None:
        return now
    times = [job.expires_at if job.state == JobState.RUNNING else job.available_at for job in jobs]
    return max(now, min(at for at in times if at is not None)) if times else None


def claim(store: Store, by: ConsideredBy, owner: str) -> Claim | None:
    """Take the next batch for one run of an agent of kind ``by``; ``None`` when nothing may be claimed now.

    Due retries first, with exactly the observations they had; else the oldest pending batch of a scope that is free.
    What the settings keep from an agent is held or put aside on the way, never shown and never in the way of the next
    batch.
    """
    reclaim_expired(store)
    if is_idle(store):
        return None
    with store.ledger.write() as ledger:
        if is_paused(store):
            return None
        jobs = table.active_jobs(ledger)
        found = _claim_retry(store, by, owner, jobs) or _claim_pending(store, by, owner, jobs)
        store.mark("queue.claim")
    return found


# --- which batch -----------------------------------------------------------------------------------------------------


def _claim_retry(store: Store, by: ConsideredBy, owner: str, jobs: Sequence[JobRow]) -> Claim | None:
    now = store.clock.now()
    running = [job for job in jobs if job.state == JobState.RUNNING]
    for job in jobs:
        if (
            job.state != JobState.RETRY
            or not is_due(job, now)
            or _overlaps(store, Scope(job.scope), job.task_kind, running)
        ):
            continue
        rows = table.job_rows(store.ledger, job.id)
        if not rows:  # discarded or forgotten meanwhile
            table.rest_job(store.ledger, job.id, _ended(job, Code.SOURCE_GONE, now))
        elif any(_objection(store, row, by) for row in rows):  # the settings changed meanwhile: judge its rows afresh
            table.rest_job(store.ledger, job.id, _ended(job, Code.UNAUTHORIZED_SOURCE, now))
            table.free_job_rows(store.ledger, job.id, ObservationState.PENDING, None)
        else:
            lease = _lease(store, JobId(job.id), by, owner)
            table.restart_job(store.ledger, lease)
            return _claim(lease, job.generation + 1, Scope(job.scope), TaskKind(job.task_kind), rows)
    return None


def _ended(job: JobRow, issue: Code, now: Milliseconds) -> table.Rest:
    return table.Rest(JobState.DEAD, issue, issue, job.recoveries, now, now, now)


def _claim_pending(store: Store, by: ConsideredBy, owner: str, jobs: Sequence[JobRow]) -> Claim | None:
    while (head := _oldest_head(store, jobs)) is not None:
        scope, first = head
        rows = _group(store, scope, first)
        accepted = _vetted(store, scope, rows, by)
        if accepted:
            lease = _lease(store, JobId(store.new_id()), by, owner)
            table.start_job(store.ledger, lease, scope, first.task_kind, [row.id for row in accepted])
            return _claim(lease, 1, scope, TaskKind(first.task_kind), accepted)
    return None


def _oldest_head(store: Store, jobs: Sequence[JobRow]) -> tuple[Scope, HeadRow] | None:
    """A scope waits behind its own job that runs or will be tried again (what was said first is considered first),
    behind its own document that the person must mend, and behind a running job that may write where it may write."""
    waiting = {job.scope for job in jobs} | {scope for _, scope in table.mending_jobs(store.ledger)}
    running = [job for job in jobs if job.state == JobState.RUNNING]
    heads = []
    for name in table.pending_scopes(store.ledger):
        scope = Scope(name)
        if scope in waiting or _overlaps(store, scope, TaskKind.OBSERVATION, running):
            continue
        head = table.head_of(store.ledger, scope)
        if head is not None:
            heads.append((head.observed_at, head.id, scope, head))
    return min(heads)[2:] if heads else None


def _overlaps(store: Store, scope: Scope, task_kind: str, running: Sequence[JobRow]) -> bool:
    def reach(of: Scope, kind: str) -> set[Scope]:
        return {of, *writable_scopes(store.settings, of, TaskKind(kind))}

    own = reach(scope, task_kind)
    return any(own & reach(Scope(job.scope), job.task_kind) for job in running)


def _group(store: Store, scope: Scope, head: HeadRow) -> tuple[ClaimableRow, ...]:
    """A sealed session batch whole; else neighbours of the same provenance and kind; an edit alone."""
    if head.batch is not None:
        return table.batch_rows(store.ledger, head.batch, scope)
    ids: list[str] = []
    for row in table.neighbours(store.ledger, scope, ROWS_TOGETHER):
        alike = row.batch is None and (row.provenance, row.task_kind) == (head.provenance, head.task_kind)
        if not alike or (ids and head.task_kind == TaskKind.EDIT):
            break
        ids.append(row.id)
    return table.rows_by_id(store.ledger, ids)


# --- what may be shown -----------------------------------------------------------------------------------------------


def _vetted(store: Store, scope: Scope, rows: Sequence[ClaimableRow], by: ConsideredBy) -> tuple[ClaimableRow, ...]:
    """The rows that may be shown now. The others leave the queue's head, so that every call makes progress."""
    hold = project_hold(store, scope)
    if hold is not None:
        table.hold_scope(store.ledger, scope, hold)
        return ()
    for provenance in {row.provenance for row in rows}:
        reason = hold_reason(store.settings, scope, Provenance(provenance))
        if reason is not None:
            table.hold_provenance(store.ledger, scope, provenance, reason)
            return ()
    objections = [(row, _objection(store, row, by)) for row in rows]
    for row, objection in objections:
        if objection is not None:
            table.set_rows(store.ledger, [row.id], *objection)
    return _within_total(store, [row for row, objection in objections if objection is None])


def _objection(store: Store, row: ClaimableRow, by: ConsideredBy) -> tuple[ObservationState, Code] | None:
    disclosure = store.settings.disclosure
    if row.text is None:
        return ObservationState.DEAD, Code.SOURCE_GONE
    if oversized(row.text, disclosure):
        return ObservationState.QUARANTINED, Code.OVERSIZED_COMPLETE_SOURCE
    if not provider_allowed(disclosure, _provider_class(store.settings, row.provider_class, row.provider), by):
        return ObservationState.HELD, Code.PROVIDER_CLASS
    return project_or_settings(store, Scope(row.scope), Provenance(row.provenance))


def project_or_settings(store: Store, scope: Scope, provenance: Provenance) -> tuple[ObservationState, Code] | None:
    """Why a source is held at present, if it is."""
    reason = project_hold(store, scope) or hold_reason(store.settings, scope, provenance)
    return None if reason is None else (ObservationState.HELD, reason)


def _provider_class(settings: Settings, stored: str, provider: str | None) -> ProviderClass:
    if stored == ProviderClass.UNKNOWN and provider and provider in settings.disclosure.provider_classes:
        return ProviderClass(settings.disclosure.provider_classes[provider])
    return ProviderClass(stored)


def _within_total(store: Store, rows: Sequence[ClaimableRow]) -> tuple[ClaimableRow, ...]:
    """Trailing complete turns stay pending when the batch is over ``max_total_bytes``; a single turn that is over it by
    itself is put aside, and never the healthy head because of a later one."""
    limit = store.settings.disclosure.max_total_bytes
    if limit is None:
        return tuple(rows)
    taken: list[ClaimableRow] = []
    for turn in _turns(rows):
        if serialised_bytes([row.text or "" for row in (*taken, *turn)]) > limit:
            if not taken:
                ids = [row.id for row in turn]
                table.set_rows(store.ledger, ids, ObservationState.QUARANTINED, Code.OVERSIZED_COMPLETE_TURN)
            break
        taken.extend(turn)
    return tuple(taken)


def _turns(rows: Sequence[ClaimableRow]) -> list[list[ClaimableRow]]:
    groups: list[list[ClaimableRow]] = []
    for row in rows:
        if groups and row.turn is not None and groups[-1][-1].turn == row.turn:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


# --- the lease -------------------------------------------------------------------------------------------------------


def _lease(store: Store, job: JobId, by: ConsideredBy, owner: str) -> Lease:
    now = store.clock.now()
    return Lease(job, store.new_id(), now + LEASE, this_owner(owner), by, configuration(store.settings), now)


def configuration(settings: Settings) -> Digest:
    """The fingerprint of the settings that a run depends on: a job that a configuration stopped goes on under
    another."""
    return sha256(json.dumps(asdict(settings), sort_keys=True))


def _claim(lease: Lease, generation: int, scope: Scope, kind: TaskKind, rows: Sequence[ClaimableRow]) -> Claim:
    observations = tuple(
        ClaimedObservation(
            id=ObservationId(row.id),
            scope=Scope(row.scope),
            source=Source(row.source),
            provenance=Provenance(row.provenance),
            text=row.text or "",
            observed_at=row.observed_at,
            turn=row.turn,
            ordinal=row.ordinal,
            label=row.label,
        )
        for row in rows
    )
    return Claim(JobId(lease.id), lease.token, generation, scope, kind, observations)


# --- what comes back by itself ----------------------------------------------------------------------------------------


def reclaim_expired(store: Store) -> int:
    """Take back the batches of runs that ended without a word (lease run out, process dead); gives how many.

    A run may have died behind the marker of its commit: what is published must be finished, never run again. So the
    unfinished commits are recovered first, and none can appear inside the write transaction in which the rest is taken.
    """
    if not _expired(store):
        return 0
    while True:
        unfinished = _recovered(store)
        with store.ledger.write() as ledger:
            if _unfinished_commits(store) <= unfinished:
                expired = _expired(store)
                for job in expired:
                    interrupted(ledger, job, store.clock.now())
                store.mark("queue.reclaim")
                return len(expired)


def _expired(store: Store) -> list[JobRow]:
    now = store.clock.now()
    return [job for job in table.active_jobs(store.ledger) if job.state == JobState.RUNNING and has_run_out(job, now)]


def _unfinished_commits(store: Store) -> set[str]:
    try:
        return set(os.listdir(store.home.transactions))  # noqa: PTH208 - names only
    except FileNotFoundError:
        return set()


def _recovered(store: Store) -> set[str]:
    """Finish unfinished commits; gives those that could not be (in conflict with a foreign edit: they stay where they
    are)."""
    if _unfinished_commits(store):
        from commonbook.keeper import recovery

        recovery.recover(store)
    return _unfinished_commits(store)


def resume(store: Store) -> None:
    """Whatever waited for a cause that is gone goes on: permissions, projects, provider classes, a mended document,
    another configuration. Called when the store is opened; reads only, where nothing changed."""
    by, fingerprint = ConsideredBy(store.settings.agent), configuration(store.settings)
    ledger, now = store.ledger, store.clock.now()
    free = [
        group
        for group in table.held_groups(ledger)
        if group[0] != Code.PROVIDER_CLASS and project_or_settings(store, Scope(group[1]), Provenance(group[2])) is None
    ]
    mapped = [
        row
        for row, stored, provider in table.held_for_provider(ledger)
        if provider_allowed(store.settings.disclosure, _provider_class(store.settings, stored, provider), by)
    ]
    mended = [job for job, scope in table.mending_jobs(ledger) if _is_mended(store, job, Scope(scope))]
    configured = [(job, used) for job, used in table.misconfigured_jobs(ledger, fingerprint) if used < MAX_RECOVERIES]
    if not (free or mapped or mended or configured):
        return
    store.mark("queue.resume")
    with ledger.write():
        for group in free:
            table.release_group(ledger, *group)
        table.release_rows(ledger, mapped)
        for name in mended:
            _wake(store, name, None, now)
        for name, used in configured:
            _wake(store, name, used + 1, now)


def try_mending_again(store: Store) -> None:
    """Whatever waits for a document to be mended gets its turn, mended or not: a person who asks for the work to be done is
    told again what to mend. Uses no budget."""
    jobs = table.mending_jobs(store.ledger)
    if jobs:
        store.mark("queue.resume")
        with store.ledger.write():
            for name, _ in jobs:
                _wake(store, name, None, store.clock.now())


def _is_mended(store: Store, name: str, scope: Scope) -> bool:
    """Else it keeps its place and its reason, so that the person is told why it waits until they have mended the file."""
    from commonbook.keeper.grant import is_workable

    job = table.job(store.ledger, name)
    return job is not None and is_workable(store, scope, TaskKind(job.task_kind))


def _wake(store: Store, name: str, recoveries: int | None, now: Milliseconds) -> None:
    job = table.job(store.ledger, name)
    if job is not None and job.state == JobState.PAUSED:
        table.wake_job(store.ledger, name, job.recoveries if recoveries is None else recoveries, now)
