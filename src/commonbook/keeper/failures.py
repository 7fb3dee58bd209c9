"""What happens to a batch when a run fails. No outcome but a valid submission or the person's own word consumes
input."""

from dataclasses import dataclass
from typing import Literal

from commonbook.clock import Milliseconds
from commonbook.errors import Code, UsageError
from commonbook.keeper.contracts import Claim, Store
from commonbook.keeper.lease import fence
from commonbook.ledger import queue as table
from commonbook.ledger.database import Ledger
from commonbook.ledger.queue import JobRow, Rest
from commonbook.vocabulary import JobState, ObservationState

MAX_RECOVERIES = 5
"""Automatic ones, after the first try; one counter for in-agent repairs, retries, crashes and configuration resumes."""
MAX_BACKOFF: Milliseconds = 600_000

Fate = Literal["retry", "wait", "pause", "hold", "dead", "quarantine"]
"""``retry`` costs a recovery; ``wait`` is a retry that costs nothing, for causes that lie outside the batch."""

_OUTSIDE = frozenset({Code.DISK_FULL, Code.DISK_FAILED, Code.STORE_BUSY, Code.HOME_READ_ONLY})
_MENDING = frozenset(
    {
        Code.DOCUMENT_OUTSIDE_GRAMMAR,
        Code.SENSITIVE_SECTION,
        Code.DOCUMENT_FULL,
        Code.UNSAFE_FILE,
        Code.FILE_TOO_LARGE,
        Code.FILE_UNREADABLE,
    }
)
_PERSON = frozenset(
    {Code.CONFIGURATION, Code.AGENT_TURN_LIMIT, Code.CANCELLED, Code.INVALID_PROMPT_DIGEST, Code.RECOVERY_CONFLICT}
)
_HOPELESS = frozenset({Code.SOURCE_GONE})
_PERMISSION = frozenset(
    {Code.UNREGISTERED_PROJECT, Code.UNAUTHORIZED_PROVENANCE, Code.PROVIDER_CLASS, Code.UNAUTHORIZED_SCOPE}
)
_ASIDE = frozenset(
    {
        Code.FORGOTTEN_SOURCE,
        Code.UNAUTHORIZED_SOURCE,
        Code.SENSITIVE_INPUT,
        Code.OVERSIZED_COMPLETE_SOURCE,
        Code.OVERSIZED_COMPLETE_TURN,
        Code.MIXED_SESSION_TURN,
    }
)


_TABLE: tuple[tuple[frozenset[Code], Fate], ...] = (
    (_OUTSIDE, "wait"),
    (_MENDING, "pause"),
    (_PERSON, "pause"),
    (_HOPELESS, "dead"),
    (_PERMISSION, "hold"),
    (_ASIDE, "quarantine"),
)


def fate_of(cause: Code) -> Fate:
    """The table of failures; whatever it does not name is worth another try, within the budget."""
    for causes, fate in _TABLE:
        if cause in causes:
            return fate
    return "retry"


@dataclass(frozen=True)
class _Outcome:
    job: JobState
    rows: ObservationState
    issue: Code | None
    keeps_rows: bool
    recoveries: int
    wait: Milliseconds = 0


def recover(store: Store, claim: Claim, cause: Code) -> bool:
    """Spend one automatic recovery of the running job; ``False`` when the budget is used up (nothing changes then).

    Raises ``CommitError(STALE_LEASE)``.
    """
    store.mark("queue.recover")
    with store.ledger.write() as ledger:
        if fence(ledger, claim, store.clock.now()) >= MAX_RECOVERIES:
            return False
        table.spend_recovery(ledger, claim.job, cause)
    return True


def fail(store: Store, claim: Claim, cause: Code, *, retry_after: Milliseconds | None = None) -> JobState:
    """End a run that consumed nothing; gives the state of its job. ``retry_after``: at least so long, where a provider
    said so. A lease that is not ours any more changes nothing (the job is in other hands)."""
    store.mark("queue.fail")
    with store.ledger.write() as ledger:
        job = table.job(ledger, claim.job)
        if job is None:
            raise UsageError(Code.UNKNOWN_ITEM, id=claim.job)
        if job.token != claim.token or job.generation != claim.generation or job.state != JobState.RUNNING:
            return JobState(job.state)
        outcome = _outcome(cause, job.recoveries, retry_after or 0)
        _put(ledger, job, outcome, cause, store.clock.now())
    return outcome.job


def hand_back(store: Store, claim: Claim) -> None:
    """Give a batch back untouched, for a worker that stops: no budget is used, the next one may take it at once."""
    store.mark("queue.hand_back")
    with store.ledger.write() as ledger:
        job = table.job(ledger, claim.job)
        if job is not None and job.token == claim.token and job.state == JobState.RUNNING:
            outcome = _Outcome(
                JobState.RETRY, ObservationState.CLAIMED, None, keeps_rows=True, recoveries=job.recoveries
            )
            _put(ledger, job, outcome, None, store.clock.now())


def interrupted(ledger: Ledger, job: JobRow, now: Milliseconds) -> None:
    """A run whose lease ran out: the next try is an automatic recovery, at once, while the budget lasts."""
    outcome = _retry(job.recoveries, 0, Code.STALE_LEASE)
    if outcome.job is JobState.RETRY:
        outcome = _Outcome(
            JobState.RETRY, ObservationState.CLAIMED, None, keeps_rows=True, recoveries=outcome.recoveries
        )
    _put(ledger, job, outcome, Code.STALE_LEASE, now)


def _outcome(cause: Code, used: int, wait: Milliseconds) -> _Outcome:
    match fate_of(cause):
        case "retry":
            return _retry(used, wait, cause)
        case "wait":
            delay = max(wait, backoff(1))
            return _Outcome(
                JobState.RETRY, ObservationState.CLAIMED, cause, keeps_rows=True, recoveries=used, wait=delay
            )
        case "pause":
            return _Outcome(JobState.PAUSED, ObservationState.PAUSED, cause, keeps_rows=True, recoveries=used)
        case "dead":
            return _Outcome(JobState.DEAD, ObservationState.DEAD, cause, keeps_rows=True, recoveries=used)
        case "hold":
            return _Outcome(JobState.QUARANTINED, ObservationState.HELD, cause, keeps_rows=False, recoveries=used)
        case "quarantine":
            return _Outcome(
                JobState.QUARANTINED, ObservationState.QUARANTINED, cause, keeps_rows=False, recoveries=used
            )


def _retry(used: int, wait: Milliseconds, cause: Code) -> _Outcome:
    if used >= MAX_RECOVERIES:
        exhausted = Code.RECOVERY_BUDGET_EXHAUSTED
        return _Outcome(JobState.PAUSED, ObservationState.PAUSED, exhausted, keeps_rows=True, recoveries=used)
    delay = max(wait, backoff(used + 1))
    return _Outcome(JobState.RETRY, ObservationState.CLAIMED, cause, keeps_rows=True, recoveries=used + 1, wait=delay)


def backoff(recovery: int) -> Milliseconds:
    """``min(600 s, 2^n s)`` before the n-th recovery."""
    return min(MAX_BACKOFF, 1000 << recovery)


def _put(ledger: Ledger, job: JobRow, outcome: _Outcome, cause: Code | None, now: Milliseconds) -> None:
    ended = outcome.job in (JobState.DEAD, JobState.QUARANTINED)
    rest = Rest(outcome.job, outcome.issue, cause, outcome.recoveries, now + outcome.wait, now, now if ended else None)
    table.rest_job(ledger, job.id, rest)
    issue = outcome.issue if outcome.rows is not ObservationState.CLAIMED else None
    move = table.move_job_rows if outcome.keeps_rows else table.free_job_rows
    move(ledger, job.id, outcome.rows, issue)
