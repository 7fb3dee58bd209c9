"""The lease of a claimed batch: token, generation and expiry, checked at every later step; a lost lease can do
nothing."""

from commonbook.clock import Milliseconds
from commonbook.errors import Code, CommitError
from commonbook.keeper.contracts import Claim, Store
from commonbook.keeper.owner import is_gone
from commonbook.ledger import queue as table
from commonbook.ledger.database import Ledger
from commonbook.ledger.queue import JobRow

LEASE: Milliseconds = 120_000
"""Renewed at a third of it."""
CLOCK_SLACK: Milliseconds = 60_000
"""A clock this much behind what was written has been set back, and the dates written before mean nothing."""


def renew(store: Store, claim: Claim) -> None:
    """Another ``LEASE`` from now. Raises ``CommitError(STALE_LEASE)`` when it has run out or is someone else's."""
    now = store.clock.now()
    store.mark("queue.renew")
    with store.ledger.write() as ledger:
        renewed = table.renew(ledger, claim.job, claim.token, claim.generation, now + LEASE, now)
    if not renewed:
        raise CommitError(Code.STALE_LEASE, job=claim.job)


def fence(ledger: Ledger, claim: Claim, now: Milliseconds) -> int:
    """Inside any transaction: the lease is ours and has not run out, else ``CommitError(STALE_LEASE)``. Gives the
    number of automatic recoveries the job has used."""
    found = table.lease(ledger, claim.job, claim.token, claim.generation)
    if found is None or found[0] <= now:
        raise CommitError(Code.STALE_LEASE, job=claim.job)
    return found[1]


def set_back(job: JobRow, now: Milliseconds) -> bool:
    """Whether the clock is behind the time at which the job's dates were written. Without this rule a lease or a
    backoff
    from before would block its scope for as long as the clock jumped, years perhaps. Taking a lease from an owner who
    is alive after all does no harm: token and generation fence it."""
    return now < job.changed_at - CLOCK_SLACK


def has_run_out(job: JobRow, now: Milliseconds) -> bool:
    """Whether a running job may be taken over: its time is up, its process is dead, or the clock was set back."""
    return job.expires_at is None or job.expires_at <= now or set_back(job, now) or is_gone(job.owner)


def is_due(job: JobRow, now: Milliseconds) -> bool:
    """Whether a job that waits for its next try may have it."""
    return job.available_at <= now or set_back(job, now)
