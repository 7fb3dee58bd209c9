"""Finishing what a crash interrupted: forward behind the marker, away before it. No agent is asked; the work is proportional
to the commits in flight (none or one, as a rule), never to the history."""

from dataclasses import dataclass
from pathlib import Path

from commonbook.book.files import remove_durable, remove_leftovers
from commonbook.errors import Code, CommitError, PlaceError
from commonbook.keeper import journal as journals
from commonbook.keeper.contracts import Store
from commonbook.keeper.failures import MAX_RECOVERIES
from commonbook.keeper.journal import Journal
from commonbook.keeper.lock import repository_lock
from commonbook.keeper.publish import derive, publish
from commonbook.ledger import queue as queue_table
from commonbook.ledger.queue import Rest
from commonbook.vocabulary import JobId, JobState, ObservationState


@dataclass(frozen=True)
class Recovered:
    """Receipts of commits that were finished, how many were thrown away (nothing of them was visible), and receipts of those
    in conflict with someone else's edit, whose receipts stand aside in ``runtime/transactions/*.conflict``."""

    published: tuple[JobId, ...] = ()
    discarded: int = 0
    conflicts: tuple[JobId, ...] = ()


def recover(store: Store) -> Recovered:
    """Finish every unfinished commit. Takes the repository lock only when there is one; may itself be interrupted."""
    if not journals.unfinished(store):
        return Recovered()
    with repository_lock(store.home):
        return recover_locked(store)


def recover_locked(store: Store) -> Recovered:
    """The same for a caller that holds the repository lock (and no transaction)."""
    published: list[JobId] = []
    conflicts: list[JobId] = []
    discarded = 0
    for folder in journals.unfinished(store):
        if not folder.is_dir():
            remove_durable(folder)
        elif not journals.is_committing(folder):
            store.mark("recovery.discard")
            journals.remove(store, folder)
            discarded += 1
        else:
            receipt, done = _finish(store, folder)
            (published if done else conflicts).append(receipt)
    return Recovered(tuple(published), discarded, tuple(conflicts))


def _finish(store: Store, folder: Path) -> tuple[JobId, bool]:
    try:
        journal = journals.load(store, folder)
    except PlaceError as error:
        if error.code is not Code.STORE_DAMAGED:
            raise
        journals.set_aside(store, folder)
        return JobId(folder.name), False
    try:
        with store.ledger.write():
            publish(store, folder, journal)
    except CommitError:
        _in_conflict(store, folder, journal)
        return journal.receipt.id, False
    derive(store, journal.receipt)
    remove_leftovers(store.home.receipts, below=store.home.data)
    journals.remove(store, folder)
    return journal.receipt.id, True


def _in_conflict(store: Store, folder: Path, journal: Journal) -> None:
    """Nothing was consumed, so the batch is tried again on what the person left there, within its budget."""
    run = journal.receipt.run
    if run is not None:
        now = store.clock.now()
        store.mark("recovery.conflict")
        with store.ledger.write() as ledger:
            job = queue_table.job(ledger, run.job)
            if job is not None and job.state == JobState.RUNNING:
                spent = job.recoveries >= MAX_RECOVERIES
                state = JobState.PAUSED if spent else JobState.RETRY
                used = job.recoveries + (not spent)
                rest = Rest(state, Code.RECOVERY_CONFLICT, Code.RECOVERY_CONFLICT, used, now, now, None)
                queue_table.rest_job(ledger, run.job, rest)
                if spent:
                    queue_table.move_job_rows(ledger, run.job, ObservationState.PAUSED, Code.RECOVERY_CONFLICT)
    journals.set_aside(store, folder)
