"""What waits in the queue, one by one, and the person's word about it: try again, cancel, throw away, pause all."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.clock import Milliseconds
from commonbook.errors import Code, UsageError
from commonbook.keeper.contracts import Store
from commonbook.keeper.erasing import erase_traces
from commonbook.ledger import queue as table
from commonbook.ledger.queue import ItemRow, KnownItem, Rest
from commonbook.vocabulary import JobState, ObservationId, ObservationState, observation_handle

_ASIDE = frozenset({ObservationState.QUARANTINED, ObservationState.DEAD, ObservationState.PAUSED})


@dataclass(frozen=True)
class QueueEntry:
    """One delivery that is not processed. ``bytes``: UTF-8 of its stored text, 0 where there is none. ``available_at``:
    when its job may next be tried, for one that backs off."""

    id: ObservationId
    state: ObservationState
    issue: str | None
    scope: str
    host: str
    said_at: Milliseconds
    bytes: int
    attempts: int
    available_at: Milliseconds | None
    job: str | None


def list_items(store: Store, limit: int = 50, state: str | None = None) -> tuple[tuple[QueueEntry, ...], int]:
    """What is not processed, oldest first, and how many there are in all. Raises ``UsageError`` for an unknown
    state."""
    if state is not None and state not in (set(ObservationState) - {ObservationState.PROCESSED}):
        raise UsageError(Code.INVALID_ARGUMENTS, argument="state", rule=", ".join(ObservationState))
    with store.ledger.read() as ledger:
        rows = table.items(ledger, state, limit)
        return tuple(_entry(row) for row in rows), table.count_unfinished(ledger, state)


def retry(store: Store, ids: Sequence[str]) -> tuple[QueueEntry, ...]:
    """Exactly one more try for what is paused or dead, and the person's leave for what was put aside with its text.

    Resets no counter. ``ids`` name items or jobs. Raises ``UsageError``: ``UNKNOWN_ITEM``; ``SOURCE_GONE`` for an item
    without a text (refused, forgotten or thrown away).
    """
    store.mark("queue.retry")
    with store.ledger.write() as ledger:
        known = _waiting(store, ids)
        woken: set[str] = set()
        for item in known:
            if item.state not in _ASIDE:
                continue
            if not item.has_text:
                raise UsageError(Code.SOURCE_GONE, id=item.id)
            job = table.job(ledger, item.job) if item.job else None
            if job is None or item.state == ObservationState.QUARANTINED:
                table.set_rows(ledger, [item.id], ObservationState.PENDING, None)
            elif job.id not in woken:
                table.wake_job(ledger, job.id, job.recoveries, store.clock.now())
                woken.add(job.id)
        return _entries(store, known)


def cancel(store: Store, ids: Sequence[str]) -> tuple[QueueEntry, ...]:
    """Pause items for good, until they are retried by hand; a run that is under way can commit nothing any more.

    The whole batch of an item that is being worked on is cancelled, for it can only be consumed whole.
    """
    store.mark("queue.cancel")
    with store.ledger.write() as ledger:
        known = _waiting(store, ids)
        now = store.clock.now()
        for item in known:
            job = table.job(ledger, item.job) if item.job else None
            if job is not None and job.state in (JobState.RUNNING, JobState.RETRY, JobState.PAUSED):
                rest = Rest(JobState.PAUSED, Code.CANCELLED, Code.CANCELLED, job.recoveries, now, now, None)
                table.rest_job(ledger, job.id, rest)
                table.move_job_rows(ledger, job.id, ObservationState.PAUSED, Code.CANCELLED)
            elif item.state in (ObservationState.PENDING, ObservationState.BUFFERED, ObservationState.HELD):
                table.set_rows(ledger, [item.id], ObservationState.PAUSED, Code.CANCELLED)
        return _entries(store, known)


def discard(store: Store, ids: Sequence[str]) -> tuple[QueueEntry, ...]:
    """Remove the text of what is put aside (quarantined, dead or paused), or was looked at, for good; a replay does not bring
    it back.

    Gives the items as they were. Raises ``UsageError``: ``UNKNOWN_ITEM``; ``ITEM_IN_WORK`` for one that still waits
    its turn.
    """
    store.mark("queue.discard")
    with store.ledger.write() as ledger:
        known = _known(store, ids)
        entries = _entries(store, known)
        for item in known:
            if item.state not in _ASIDE and item.state != ObservationState.PROCESSED:
                raise UsageError(Code.ITEM_IN_WORK, id=item.id)
            table.discard(ledger, item.id, observation_handle(ObservationId(item.id)), store.clock.now())
        for job_id in {item.job for item in known if item.job}:
            job = table.job(ledger, job_id)
            if (
                job is not None
                and job.state in (JobState.PAUSED, JobState.DEAD)
                and not table.items_of_job(ledger, job_id)
            ):
                now = store.clock.now()
                table.rest_job(ledger, job_id, Rest(JobState.DONE, None, None, job.recoveries, now, now, now))
    erase_traces(store)  # else the words would stand in the write-ahead log a while longer
    return entries


def show_item(store: Store, id: str) -> tuple[QueueEntry, str | None, tuple[str, ...]]:
    """One delivery, its words (``None``: none are kept) and what may be done with it: ``retry``, ``cancel``, ``discard``.

    Raises ``UsageError(UNKNOWN_ITEM)``.
    """
    with store.ledger.read() as ledger:
        (item, *_) = _known(store, [id])
        (row,) = table.rows_by_id(ledger, [item.id])
        (entry,) = _entries(store, [item])
    if item.state in _ASIDE:
        return entry, row.text, ("retry", "discard") if item.has_text else ()
    if item.state == ObservationState.PROCESSED:
        return entry, row.text, ("discard",) if item.has_text else ()
    return entry, row.text, ("cancel",)


def find_item(store: Store, id: str) -> KnownItem | None:
    """How one delivery stands, in whatever state."""
    return table.item(store.ledger, id)


def set_paused(store: Store, paused: bool) -> None:
    """Stop or start claiming; deliveries are taken in all the same."""
    store.mark("queue.pause")
    with store.ledger.write() as ledger:
        table.put_setting(ledger, "paused", "1" if paused else "0")


def is_paused(store: Store) -> bool:
    return table.setting(store.ledger, "paused") == "1"


def counts(store: Store) -> tuple[tuple[str, int], ...]:
    """(observation state, how many) for every state that has any, in the order of a delivery's life."""
    found = table.counts(store.ledger)
    return tuple((state.value, found[state]) for state in ObservationState if found.get(state))


def job_counts(store: Store) -> tuple[tuple[str, int], ...]:
    """(job state, how many)."""
    found = table.job_counts(store.ledger)
    return tuple((state.value, found[state]) for state in JobState if found.get(state))


def _waiting(store: Store, ids: Sequence[str]) -> list[KnownItem]:
    """What was looked at waits no more: to say so beats doing nothing without a word."""
    known = _known(store, ids)
    for item in known:
        if item.state == ObservationState.PROCESSED:
            raise UsageError(Code.UNKNOWN_ITEM, id=item.id)
    return known


def _known(store: Store, ids: Sequence[str]) -> list[KnownItem]:
    """Items by their own id, by evidence reference, or all of a job by its id."""
    found: dict[str, KnownItem] = {}
    for name in ids:
        bare = name.removeprefix("ev_").removeprefix("ingest_")
        members = table.items_of_job(store.ledger, bare) or (bare,)
        for member in members:
            item = table.item(store.ledger, member)
            if item is None:
                raise UsageError(Code.UNKNOWN_ITEM, id=name)
            found[item.id] = item
    return list(found.values())


def _entries(store: Store, known: Sequence[KnownItem]) -> tuple[QueueEntry, ...]:
    return tuple(_entry(row) for row in table.items_by_id(store.ledger, [item.id for item in known]))


def _entry(row: ItemRow) -> QueueEntry:
    waits = row.job_state == JobState.RETRY
    return QueueEntry(
        id=ObservationId(row.id),
        state=ObservationState(row.state),
        issue=row.issue or (row.job_issue if waits else None),
        scope=row.scope,
        host=row.host,
        said_at=row.observed_at,
        bytes=row.bytes,
        attempts=row.attempts,
        available_at=row.available_at if waits else None,
        job=row.job,
    )
