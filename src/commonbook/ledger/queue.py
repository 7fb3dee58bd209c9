"""The rows of the queue; thin functions over ``sql/queue.sql``. Which row may be claimed is decided in ``keeper``."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson

from commonbook.ledger.database import Ledger, queries


class JobRow(NamedTuple):
    id: str
    scope: str
    task_kind: str
    state: str
    token: str | None
    generation: int
    expires_at: int | None
    owner: str | None
    attempts: int
    recoveries: int
    available_at: int
    issue: str | None
    changed_at: int


class HeadRow(NamedTuple):
    """The oldest pending row of a scope."""

    id: str
    observed_at: int
    batch: str | None
    provenance: str
    task_kind: str


class NeighbourRow(NamedTuple):
    id: str
    batch: str | None
    provenance: str
    task_kind: str


class ClaimableRow(NamedTuple):
    id: str
    scope: str
    source: str
    provenance: str
    text: str | None
    observed_at: int
    turn: str | None
    ordinal: int
    label: str | None
    provider_class: str
    provider: str | None


class ItemRow(NamedTuple):
    id: str
    state: str
    issue: str | None
    scope: str
    host: str
    observed_at: int
    bytes: int
    attempts: int
    available_at: int | None
    job: str | None
    job_state: str | None
    job_issue: str | None


class KnownItem(NamedTuple):
    id: str
    state: str
    issue: str | None
    job: str | None
    has_text: bool


def _ids(ids: Sequence[str]) -> str:
    return orjson.dumps(list(ids)).decode()


def has_work(ledger: Ledger) -> bool:
    """Something is pending, or a job runs or waits for its time."""
    pending = ledger.row(queries("queue")["has_pending"])
    if pending is not None and pending[0]:
        return True
    active = ledger.row(queries("queue")["has_active_job"])
    return active is not None and bool(active[0])


def active_jobs(ledger: Ledger) -> tuple[JobRow, ...]:
    return tuple(JobRow(*row) for row in ledger.rows(queries("queue")["active_jobs"]))


def job(ledger: Ledger, job_id: str) -> JobRow | None:
    row = ledger.row(queries("queue")["job"], (job_id,))
    return None if row is None else JobRow(*row)


def mending_jobs(ledger: Ledger) -> tuple[tuple[str, str], ...]:
    """(job, scope) of jobs that wait for the person to mend a document."""
    return tuple((row[0], row[1]) for row in ledger.rows(queries("queue")["mending_jobs"]))


def misconfigured_jobs(ledger: Ledger, configuration: str) -> tuple[tuple[str, int], ...]:
    """(job, recoveries) of jobs that a configuration other than this one stopped."""
    return tuple(
        (row[0], row[1])
        for row in ledger.rows(queries("queue")["misconfigured_jobs"], {"configuration": configuration})
    )


def pending_scopes(ledger: Ledger) -> Iterator[str]:
    """Each scope with pending rows: one index seek per scope, however many rows it has."""
    row = ledger.row(queries("queue")["first_scope"])
    while row is not None and row[0] is not None:
        yield row[0]
        row = ledger.row(queries("queue")["next_scope"], (row[0],))


def head_of(ledger: Ledger, scope: str) -> HeadRow | None:
    row = ledger.row(queries("queue")["head_of_scope"], (scope,))
    return None if row is None else HeadRow(*row)


def neighbours(ledger: Ledger, scope: str, limit: int) -> tuple[NeighbourRow, ...]:
    return tuple(NeighbourRow(*row) for row in ledger.rows(queries("queue")["run_of_scope"], (scope, limit)))


def batch_rows(ledger: Ledger, batch: str, scope: str) -> tuple[ClaimableRow, ...]:
    return tuple(ClaimableRow(*row) for row in ledger.rows(queries("queue")["batch_rows"], (batch, scope)))


def rows_by_id(ledger: Ledger, ids: Sequence[str]) -> tuple[ClaimableRow, ...]:
    return tuple(ClaimableRow(*row) for row in ledger.rows(queries("queue")["rows_by_id"], (_ids(ids),)))


def job_rows(ledger: Ledger, job_id: str) -> tuple[ClaimableRow, ...]:
    return tuple(ClaimableRow(*row) for row in ledger.rows(queries("queue")["job_rows"], (job_id,)))


class Lease(NamedTuple):
    id: str
    token: str
    expires_at: int
    owner: str
    considered_by: str
    configuration: str
    now: int


def start_job(ledger: Ledger, lease: Lease, scope: str, task_kind: str, ids: Sequence[str]) -> None:
    ledger.run(queries("queue")["put_job"], {**lease._asdict(), "scope": scope, "task_kind": task_kind})
    ledger.run(queries("queue")["assign"], {"job": lease.id, "ids": _ids(ids)})


def restart_job(ledger: Ledger, lease: Lease) -> None:
    ledger.run(queries("queue")["claim_job_again"], lease._asdict())


def renew(ledger: Ledger, job_id: str, token: str, generation: int, expires_at: int, now: int) -> bool:
    values = {"id": job_id, "token": token, "generation": generation, "expires_at": expires_at, "now": now}
    return ledger.run(queries("queue")["renew"], values) > 0


def lease(ledger: Ledger, job_id: str, token: str, generation: int) -> tuple[int, int] | None:
    """(expiry, recoveries) of a running job under exactly this lease."""
    row = ledger.row(queries("queue")["lease"], {"id": job_id, "token": token, "generation": generation})
    return None if row is None else (int(row[0]), int(row[1]))


def spend_recovery(ledger: Ledger, job_id: str, diagnostic: str) -> None:
    ledger.run(queries("queue")["spend_recovery"], {"id": job_id, "diagnostic": diagnostic})


class Rest(NamedTuple):
    """Where a job goes when its lease ends."""

    state: str
    issue: str | None
    diagnostic: str | None
    recoveries: int
    available_at: int
    now: int
    finished_at: int | None


def rest_job(ledger: Ledger, job_id: str, rest: Rest) -> None:
    ledger.run(queries("queue")["rest_job"], {"id": job_id, **rest._asdict()})


def wake_job(ledger: Ledger, job_id: str, recoveries: int, now: int) -> None:
    ledger.run(queries("queue")["wake_job"], {"id": job_id, "recoveries": recoveries, "now": now})
    move_job_rows(ledger, job_id, "claimed", None)


def move_job_rows(ledger: Ledger, job_id: str, state: str, issue: str | None) -> None:
    ledger.run(queries("queue")["move_job_rows"], {"job": job_id, "state": state, "issue": issue})


def free_job_rows(ledger: Ledger, job_id: str, state: str, issue: str | None) -> None:
    """Move a job's rows and take them away from it: they will be claimed by another job, or by none."""
    ledger.run(queries("queue")["free_job_rows"], {"job": job_id, "state": state, "issue": issue})


def set_rows(ledger: Ledger, ids: Sequence[str], state: str, issue: str | None) -> None:
    ledger.run(queries("queue")["set_rows"], {"ids": _ids(ids), "state": state, "issue": issue})


def hold_scope(ledger: Ledger, scope: str, issue: str) -> None:
    ledger.run(queries("queue")["hold_scope"], {"scope": scope, "issue": issue})


def hold_provenance(ledger: Ledger, scope: str, provenance: str, issue: str) -> None:
    ledger.run(queries("queue")["hold_provenance"], {"scope": scope, "provenance": provenance, "issue": issue})


def release_scope(ledger: Ledger, scope: str, issue: str) -> None:
    ledger.run(queries("queue")["release_scope"], {"scope": scope, "issue": issue})


def held_groups(ledger: Ledger) -> tuple[tuple[str, str, str], ...]:
    """Distinct (issue, scope, provenance) of what is held."""
    return tuple((row[0], row[1], row[2]) for row in ledger.rows(queries("queue")["held_groups"]))


def release_group(ledger: Ledger, issue: str, scope: str, provenance: str) -> None:
    ledger.run(queries("queue")["release_group"], {"issue": issue, "scope": scope, "provenance": provenance})


def held_for_provider(ledger: Ledger) -> tuple[tuple[str, str, str | None], ...]:
    """(observation, provider class when taken in, provider) of what waits for a provider to be mapped."""
    return tuple((row[0], row[1], row[2]) for row in ledger.rows(queries("queue")["held_for_provider"]))


def release_rows(ledger: Ledger, ids: Sequence[str]) -> None:
    ledger.run(queries("queue")["release_rows"], {"ids": _ids(ids)})


def item(ledger: Ledger, observation: str) -> KnownItem | None:
    row = ledger.row(queries("queue")["item"], (observation,))
    return None if row is None else KnownItem(row[0], row[1], row[2], row[3], bool(row[4]))


def items_of_job(ledger: Ledger, job_id: str) -> tuple[str, ...]:
    return tuple(row[0] for row in ledger.rows(queries("queue")["items_of_job"], (job_id,)))


def items(ledger: Ledger, state: str | None, limit: int) -> tuple[ItemRow, ...]:
    return tuple(ItemRow(*row) for row in ledger.rows(queries("queue")["items"], {"state": state, "limit": limit}))


def items_by_id(ledger: Ledger, ids: Sequence[str]) -> tuple[ItemRow, ...]:
    return tuple(ItemRow(*row) for row in ledger.rows(queries("queue")["items_by_id"], (_ids(ids),)))


def count_unfinished(ledger: Ledger, state: str | None) -> int:
    row = ledger.row(queries("queue")["count_unfinished"], {"state": state})
    return 0 if row is None else int(row[0])


def counts(ledger: Ledger) -> dict[str, int]:
    """Observations by state; ``processed`` is counted last, it costs the most."""
    found = {row[0]: int(row[1]) for row in ledger.rows(queries("queue")["counts"])}
    processed = ledger.row(queries("queue")["count_processed"])
    return {**found, "processed": 0 if processed is None else int(processed[0])}


def job_counts(ledger: Ledger) -> dict[str, int]:
    return {row[0]: int(row[1]) for row in ledger.rows(queries("queue")["job_counts"])}


def needs_person(ledger: Ledger) -> int:
    row = ledger.row(queries("queue")["needs_person"])
    return 0 if row is None else int(row[0])


def unprocessed_bytes(ledger: Ledger) -> int:
    row = ledger.row(queries("queue")["unprocessed_bytes"])
    return 0 if row is None else int(row[0])


def discard(ledger: Ledger, observation: str, handle: str, now: int) -> None:
    ledger.run(queries("queue")["drop_blocks"], (handle,))
    ledger.run(queries("queue")["discard"], {"id": observation, "now": now})


def setting(ledger: Ledger, name: str) -> str | None:
    row = ledger.row(queries("settings")["get"], {"name": name})
    return None if row is None else row[0]


def put_setting(ledger: Ledger, name: str, value: str) -> None:
    ledger.run(queries("settings")["put"], {"name": name, "value": value})
