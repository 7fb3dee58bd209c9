"""How things stand: reads only, and names the one thing to do next."""

from dataclasses import dataclass

from commonbook.keeper.contracts import Store
from commonbook.keeper.items import counts, is_paused, job_counts
from commonbook.ledger import projects as project_table
from commonbook.ledger import queue as table


@dataclass(frozen=True)
class QueueStatus:
    """``counts``: (observation state, how many); ``jobs``: (job state, how many); ``processed`` is not ``remembered``.

    ``next``: a key of the catalogue's ``next`` table: ``resume`` (paused), ``maintain`` (something waits), ``decide``
    (something was put aside), ``retry`` (something was tried in vain), ``register`` (held for a project), ``permit``
    (held by settings), ``capture`` (nothing was ever taken in), ``done``.
    """

    paused: bool
    counts: tuple[tuple[str, int], ...]
    jobs: tuple[tuple[str, int], ...]
    unprocessed_bytes: int
    projects: int
    next: str


def queue_status(store: Store) -> QueueStatus:
    """The queue in one consistent look."""
    with store.ledger.read() as ledger:
        found, jobs = counts(store), job_counts(store)
        paused = is_paused(store)
        registered = sum(row.state == "registered" for row in project_table.rows(ledger))
        return QueueStatus(
            paused, found, jobs, table.unprocessed_bytes(ledger), registered, _next(store, dict(found), paused=paused)
        )


def _next(store: Store, found: dict[str, int], *, paused: bool) -> str:
    if paused and table.has_work(store.ledger):
        return "resume"
    if found.get("pending") or found.get("claimed"):
        return "maintain"
    if found.get("paused"):
        return "retry"
    if table.needs_person(store.ledger):
        return "decide"
    if found.get("held"):
        held_for_project = any(issue == "UNREGISTERED_PROJECT" for issue, _, _ in table.held_groups(store.ledger))
        return "register" if held_for_project else "permit"
    return "done" if found else "capture"
