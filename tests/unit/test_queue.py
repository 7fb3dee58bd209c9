"""The queue: what is claimed, what a failure costs, and what never blocks what."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commonbook.errors import Code, CommitError, UsageError
from commonbook.keeper import queue
from commonbook.keeper.contracts import Claim, Store
from commonbook.keeper.failures import MAX_RECOVERIES, backoff
from commonbook.keeper.ingress import deliver, take_turns
from commonbook.keeper.lease import LEASE
from commonbook.keeper.opening import close_store
from commonbook.keeper.owner import is_gone, this_owner
from commonbook.keeper.status import queue_status
from commonbook.settings.model import Disclosure, Documents, Settings, Write
from commonbook.vocabulary import ConsideredBy, JobState, Provenance, ProviderClass, Scope, Source, TaskKind
from tests.support.queueing import START, SetClock, delivery, opened, said, session

RULES = ConsideredBy.RULES
A, B = Scope("project:a-0001"), Scope("project:b-0002")


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def store(tmp_path: Path, clock: SetClock) -> Iterator[Store]:
    store = opened(tmp_path / "home", clock=clock)
    add_projects(store)
    yield store
    close_store(store)


def add_projects(store: Store) -> None:
    with store.ledger.write() as ledger:
        for project in ("a-0001", "b-0002"):
            ledger.run(
                "INSERT INTO projects VALUES (?, ?, ?, 'folder', '{}', 'registered', 1, 1)",
                (project, project, f"/{project}"),
            )


def apart(store: Store) -> Store:
    """The same store where projects never write global memory, so that two projects may be worked on at once."""
    return replace(store, settings=Settings(write=Write(scopes=("project:*",))))


def claimed(store: Store) -> Claim:
    found = queue.claim(store, RULES, "test")
    assert found is not None
    return found


def finish(store: Store, claim: Claim) -> None:
    """What a commit does to the queue."""
    with store.ledger.write() as ledger:
        queue.fence(ledger, claim, store.clock.now())
        now = store.clock.now()
        ledger.run("UPDATE jobs SET state = 'done', token = NULL, finished_at = ? WHERE id = ?", (now, claim.job))
        ledger.run("UPDATE observations SET state = 'processed', processed_at = ? WHERE job = ?", (now, claim.job))


def texts(claim: Claim) -> list[str]:
    return [observation.text for observation in claim.observations]


def states(store: Store) -> dict[str, tuple[str, str | None]]:
    rows = store.ledger.rows("SELECT record, state, issue FROM observations")
    return {row[0]: (row[1], row[2]) for row in rows}


# --- what is claimed -------------------------------------------------------------------------------------------------


def test_a_sealed_session_batch_is_claimed_whole_and_in_order(store: Store) -> None:
    take_turns(store, session(), [said(number) for number in range(1, 13)], None)
    first = claimed(store)
    assert texts(first) == [f"sentence {number}" for number in range(1, 11)]
    assert queue.claim(store, RULES, "test") is None, "one running job per scope"
    finish(store, first)
    assert texts(claimed(store)) == ["sentence 11", "sentence 12"]


def test_the_oldest_words_come_first_whenever_they_arrived(store: Store) -> None:
    deliver(store, delivery("late", "said later", at=START + 10))
    take_turns(store, session(), [said(1, "said first", at=START - 10)], None)
    assert texts(claimed(store)) == ["said first"]


def test_at_most_six_neighbours_of_the_same_kind_stand_together(store: Store) -> None:
    for number in range(8):
        deliver(store, delivery(f"r{number}", f"line {number}", at=START + number))
    first = claimed(store)
    assert texts(first) == [f"line {number}" for number in range(6)]
    finish(store, first)
    assert texts(claimed(store)) == ["line 6", "line 7"]


def test_an_edit_stands_alone_and_ends_a_run_of_neighbours(store: Store) -> None:
    deliver(store, delivery("r1", "one", at=START))
    deliver(store, delivery("r2", "edit me", at=START + 1, kind=TaskKind.EDIT))
    deliver(store, delivery("r3", "edit me too", at=START + 2, kind=TaskKind.EDIT))
    deliver(store, delivery("r4", "two", at=START + 3))
    seen = []
    while (found := queue.claim(store, RULES, "test")) is not None:
        seen.append((found.task_kind, texts(found)))
        finish(store, found)
    assert seen == [
        (TaskKind.OBSERVATION, ["one"]),
        (TaskKind.EDIT, ["edit me"]),
        (TaskKind.EDIT, ["edit me too"]),
        (TaskKind.OBSERVATION, ["two"]),
    ]


def test_provenances_are_never_mixed(tmp_path: Path, clock: SetClock) -> None:
    both = Settings(disclosure=Disclosure(provenance=(Provenance.USER_EXPLICIT, Provenance.DOCUMENT_IMPORT)))
    store = opened(tmp_path / "mixed", both, clock=clock)
    deliver(store, delivery("r1", "mine", at=START))
    deliver(store, delivery("r2", "imported", at=START + 1, source=Source.DOCUMENT_IMPORT))
    assert texts(claimed(store)) == ["mine"]
    close_store(store)


def test_jobs_that_may_write_the_same_place_never_run_at_once(store: Store) -> None:
    deliver(store, delivery("r1", "in a", scope=A, at=START))
    deliver(store, delivery("r2", "in b", scope=B, at=START + 1))
    first = claimed(store)
    assert queue.claim(store, RULES, "test") is None, "both may write global memory"
    assert queue.claim(apart(store), RULES, "test") is not None, "apart, they do not overlap"
    assert queue.claim(apart(store), RULES, "test") is None
    assert texts(first) == ["in a"]


@pytest.mark.parametrize("cause", [Code.NO_DECISION, Code.CONFIGURATION])
def test_a_failed_job_of_one_scope_never_blocks_another(store: Store, cause: Code) -> None:
    deliver(store, delivery("r1", "in a", scope=A, at=START))
    deliver(store, delivery("r2", "in b", scope=B, at=START + 1))
    queue.fail(store, claimed(store), cause)
    assert texts(claimed(store)) == ["in b"]


def test_what_was_said_first_is_tried_again_before_what_was_said_later(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1", "first", at=START))
    claim = claimed(store)
    deliver(store, delivery("r2", "second", at=START + 1))
    queue.fail(store, claim, Code.NO_DECISION)
    assert queue.claim(store, RULES, "test") is None
    clock.pass_by(backoff(1))
    again = claimed(store)
    assert texts(again) == ["first"], "a claimed batch never grows"
    assert (again.job, again.generation) == (claim.job, 2)
    assert again.token != claim.token


# --- what may be shown -----------------------------------------------------------------------------------------------


def test_what_may_not_be_shown_is_held_and_goes_on_when_it_may(tmp_path: Path, clock: SetClock) -> None:
    store = opened(tmp_path / "home", clock=clock)
    take_turns(store, session(), [said(1)], None)
    closed = replace(store, settings=Settings(disclosure=Disclosure(scopes=("project:*",))))
    assert queue.claim(closed, RULES, "test") is None
    assert states(store)["u1"] == ("held", "UNAUTHORIZED_SCOPE")
    assert queue.is_idle(store)
    queue.resume(closed)
    assert states(store)["u1"] == ("held", "UNAUTHORIZED_SCOPE")
    queue.resume(store)
    assert texts(claimed(store)) == ["sentence 1"]
    close_store(store)


def test_words_spoken_to_a_local_model_are_not_shown_to_a_remote_one(tmp_path: Path, clock: SetClock) -> None:
    store = opened(tmp_path / "home", clock=clock)
    local = replace(session(), provider="ollama", provider_class=ProviderClass.LOCAL)
    take_turns(store, local, [said(1)], None)
    assert queue.claim(store, ConsideredBy.MODEL, "test") is None
    assert states(store)["u1"] == ("held", "PROVIDER_CLASS")
    queue.resume(store)
    assert texts(claimed(store)) == ["sentence 1"], "rules sends nothing anywhere"
    close_store(store)


def test_an_unknown_provider_waits_until_it_is_mapped_by_the_name_the_turn_had(tmp_path: Path, clock: SetClock) -> None:
    store = opened(tmp_path / "home", clock=clock)
    unknown = replace(session(), provider="ollama", provider_class=ProviderClass.UNKNOWN)
    take_turns(store, unknown, [said(1)], None)
    take_turns(store, replace(unknown, provider="anthropic"), [said(2)], None)
    mapped = replace(store, settings=Settings(disclosure=Disclosure(provider_classes={"anthropic": "remote"})))
    found = queue.claim(mapped, ConsideredBy.MODEL, "test")
    assert found is not None and texts(found) == ["sentence 2"]
    assert states(store)["u1"] == ("held", "PROVIDER_CLASS")
    close_store(store)


def test_trailing_complete_turns_go_back_when_a_batch_is_too_long(store: Store) -> None:
    take_turns(store, session(), [said(number, "x" * 100) for number in (1, 2, 3)], None)
    small = replace(store, settings=Settings(disclosure=Disclosure(max_total_bytes=300)))
    first = queue.claim(small, RULES, "test")
    assert first is not None and len(first.observations) == 2
    assert states(store)["u3"] == ("pending", None)


def test_a_single_oversized_turn_is_put_aside_and_never_the_healthy_head(store: Store) -> None:
    take_turns(store, session(), [said(1, "short"), said(2, "y" * 400), said(3, "also short")], None)
    small = replace(store, settings=Settings(disclosure=Disclosure(max_total_bytes=300)))
    first = queue.claim(small, RULES, "test")
    assert first is not None and texts(first) == ["short"]
    finish(small, first)
    second = queue.claim(small, RULES, "test")
    assert second is not None and texts(second) == ["also short"]
    assert states(store)["u2"] == ("quarantined", "OVERSIZED_COMPLETE_TURN")
    assert store.ledger.row("SELECT text FROM observations WHERE record = 'u2'") == ("y" * 400,), "the text is kept"


def test_a_source_over_the_limit_that_came_later_is_put_aside_whole(store: Store) -> None:
    deliver(store, delivery("r1", "z" * 400))
    small = replace(store, settings=Settings(disclosure=Disclosure(max_source_bytes=100)))
    assert queue.claim(small, RULES, "test") is None
    assert states(store)["r1"] == ("quarantined", "OVERSIZED_COMPLETE_SOURCE")


# --- failures --------------------------------------------------------------------------------------------------------


def test_five_automatic_recoveries_then_the_person_and_one_more_try(store: Store, clock: SetClock) -> None:
    found = deliver(store, delivery("r1")).observation
    assert found is not None
    for number in range(1, MAX_RECOVERIES + 1):
        claim = claimed(store)
        assert queue.fail(store, claim, Code.NO_DECISION) is JobState.RETRY
        clock.pass_by(backoff(number) - 1)
        assert queue.claim(store, RULES, "test") is None
        clock.pass_by(1)
    assert queue.fail(store, claimed(store), Code.NO_DECISION) is JobState.PAUSED
    assert states(store)["r1"] == ("paused", "RECOVERY_BUDGET_EXHAUSTED")
    clock.pass_by(10**9)
    assert queue.claim(store, RULES, "test") is None

    [entry] = queue.retry(store, [found])
    assert entry.state == "claimed"
    assert queue.fail(store, claimed(store), Code.NO_DECISION) is JobState.PAUSED, "nothing was reset"


def test_backoff_doubles_up_to_ten_minutes() -> None:
    assert [backoff(number) for number in (1, 2, 5, 9, 10, 40)] == [2_000, 4_000, 32_000, 512_000, 600_000, 600_000]


def test_repairs_inside_a_run_share_the_budget(store: Store) -> None:
    deliver(store, delivery("r1"))
    claim = claimed(store)
    assert [queue.recover(store, claim, Code.NO_DECISION) for _ in range(6)] == [True] * 5 + [False]
    assert queue.fail(store, claim, Code.NO_DECISION) is JobState.PAUSED


def test_a_retry_waits_as_long_as_the_provider_said(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1"))
    queue.fail(store, claimed(store), Code.NO_DECISION, retry_after=90_000)
    assert queue.next_available(store) == clock.at + 90_000


@pytest.mark.parametrize(
    ("cause", "job", "row", "budget"),
    [
        (Code.NO_DECISION, "retry", ("claimed", None), 1),
        (Code.DECISION_REJECTED, "retry", ("claimed", None), 1),
        (Code.STALE_REVISION, "retry", ("claimed", None), 1),
        (Code.INTERNAL, "retry", ("claimed", None), 1),
        (Code.DISK_FULL, "retry", ("claimed", None), 0),
        (Code.STORE_BUSY, "retry", ("claimed", None), 0),
        (Code.AGENT_TURN_LIMIT, "paused", ("paused", "AGENT_TURN_LIMIT"), 0),
        (Code.CONFIGURATION, "paused", ("paused", "CONFIGURATION"), 0),
        (Code.DOCUMENT_OUTSIDE_GRAMMAR, "paused", ("paused", "DOCUMENT_OUTSIDE_GRAMMAR"), 0),
        (Code.SOURCE_GONE, "dead", ("dead", "SOURCE_GONE"), 0),
        (Code.FORGOTTEN_SOURCE, "quarantined", ("quarantined", "FORGOTTEN_SOURCE"), 0),
        (Code.SENSITIVE_INPUT, "quarantined", ("quarantined", "SENSITIVE_INPUT"), 0),
        (Code.UNREGISTERED_PROJECT, "quarantined", ("held", "UNREGISTERED_PROJECT"), 0),
    ],
)
def test_each_cause_has_its_fate(store: Store, cause: Code, job: str, row: tuple[str, str | None], budget: int) -> None:
    deliver(store, delivery("r1"))
    claim = claimed(store)
    assert queue.fail(store, claim, cause) == job
    assert states(store)["r1"] == row
    assert store.ledger.row("SELECT recoveries, token FROM jobs") == (budget, None)


def test_a_failure_reported_under_a_lost_lease_changes_nothing(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1"))
    lost = claimed(store)
    clock.pass_by(LEASE)
    ours = claimed(store)
    assert queue.fail(store, lost, Code.CONFIGURATION) is JobState.RUNNING
    queue.renew(store, ours)


def test_a_batch_that_is_handed_back_costs_nothing(store: Store) -> None:
    deliver(store, delivery("r1"))
    queue.hand_back(store, claimed(store))
    assert store.ledger.row("SELECT state, recoveries FROM jobs") == ("retry", 0)
    assert claimed(store).generation == 2


def test_a_mended_document_lets_its_scope_go_on(store: Store) -> None:
    deliver(store, delivery("r1", "one", scope=A, at=START))
    deliver(store, delivery("r2", "two", scope=A, at=START + 100_000))
    claim = claimed(store)
    queue.fail(store, claim, Code.DOCUMENT_OUTSIDE_GRAMMAR)
    deliver(store, delivery("r3", "later", scope=A, at=START + 200_000))
    assert queue.claim(store, RULES, "test") is None, "the rest of the scope waits behind it"
    queue.resume(store)
    assert claimed(store).job == claim.job
    assert store.ledger.row("SELECT recoveries FROM jobs") == (0,)


def test_a_job_that_a_configuration_stopped_goes_on_under_another(store: Store) -> None:
    deliver(store, delivery("r1"))
    queue.fail(store, claimed(store), Code.CONFIGURATION)
    queue.resume(store)
    assert queue.claim(store, RULES, "test") is None
    queue.resume(replace(store, settings=Settings(documents=Documents(soft=4096))))
    assert claimed(store).generation == 2
    assert store.ledger.row("SELECT recoveries FROM jobs") == (1,)


# --- leases ----------------------------------------------------------------------------------------------------------


def test_a_lease_is_renewed_by_its_owner_and_fences_everyone_else(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1"))
    first = claimed(store)
    clock.pass_by(LEASE - 1)
    queue.renew(store, first)
    clock.pass_by(LEASE - 1)
    assert queue.reclaim_expired(store) == 0
    clock.pass_by(1)
    with pytest.raises(CommitError):
        queue.renew(store, first)
    second = claimed(store)
    assert (second.job, second.generation) == (first.job, 2)
    with store.ledger.read() as ledger, pytest.raises(CommitError) as caught:
        queue.fence(ledger, first, clock.at)
    assert caught.value.code is Code.STALE_LEASE
    assert store.ledger.row("SELECT recoveries, attempts FROM jobs") == (1, 2)


def test_a_lease_from_the_future_does_not_block_for_ever(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1"))
    first = claimed(store)
    clock.pass_by(-30 * 86_400_000)
    second = claimed(store)
    assert second.job == first.job
    queue.fail(store, second, Code.NO_DECISION, retry_after=86_400_000)
    clock.pass_by(-300 * 86_400_000)
    assert claimed(store).job == first.job, "a backoff from the future does not either"


def test_a_clock_that_steps_back_a_little_takes_no_lease_away(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1"))
    claimed(store)
    clock.pass_by(-5_000)
    assert queue.reclaim_expired(store) == 0


def test_the_batch_of_a_dead_process_is_taken_up_at_once(store: Store) -> None:
    deliver(store, delivery("r1"))
    claim = claimed(store)
    assert queue.reclaim_expired(store) == 0, "we are alive"
    program = "from commonbook.keeper.owner import this_owner; print(this_owner('worker'))"
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ, PYTHONPATH="src"),
    )
    with store.ledger.write() as ledger:
        ledger.run("UPDATE jobs SET owner = ?", (run.stdout.strip(),))
    assert queue.reclaim_expired(store) == 1
    assert claimed(store).job == claim.job


def test_an_owner_is_gone_only_when_that_is_certain() -> None:
    ours = this_owner("worker")
    name, pid, _started, machine = ours.split("|")
    assert not is_gone(ours)
    assert is_gone(f"{name}|{pid}|1|{machine}"), "the process id was given to another process"
    assert not is_gone(f"{name}|{pid}|1|elsewhere")
    assert not is_gone(None)
    assert not is_gone("somebody")


# --- the person's word -----------------------------------------------------------------------------------------------


def test_cancel_fences_the_run_and_lasts(store: Store, clock: SetClock) -> None:
    deliver(store, delivery("r1", at=START))
    claim = claimed(store)
    deliver(store, delivery("r2", at=START + 1))
    waiting = store.ledger.row("SELECT id FROM observations WHERE record = 'r2'")
    assert waiting is not None
    queue.cancel(store, [claim.observations[0].id, waiting[0]])
    assert states(store) == {"r1": ("paused", "CANCELLED"), "r2": ("paused", "CANCELLED")}
    with pytest.raises(CommitError):
        queue.renew(store, claim)
    clock.pass_by(10**9)
    queue.resume(store)
    assert queue.claim(store, RULES, "test") is None
    queue.retry(store, [claim.job])
    assert claimed(store).job == claim.job


def test_discard_removes_the_words_for_good(store: Store) -> None:
    words = "my card is 4539 1488 0343 6467"
    found = deliver(store, delivery("r1", words))
    assert found.observation is not None
    assert queue_status(store).next == "decide"
    queue.discard(store, [found.observation])
    assert states(store)["r1"] == ("processed", None)
    assert words.encode() not in b"".join(path.read_bytes() for path in store.home.data.glob("runtime.sqlite*"))
    assert store.ledger.row("SELECT COUNT(*) FROM blocks") == (0,)
    assert deliver(store, delivery("r1", words)).result == "duplicate"
    assert queue_status(store).next == "done"


def test_what_is_in_work_cannot_be_discarded(store: Store) -> None:
    found = deliver(store, delivery("r1"))
    assert found.observation is not None
    with pytest.raises(UsageError):
        queue.discard(store, [found.observation])


def test_the_person_may_let_through_what_was_put_aside(store: Store) -> None:
    found = deliver(store, delivery("r1", "my card is 4539 1488 0343 6467"))
    assert found.observation is not None
    queue.retry(store, [found.observation])
    assert len(claimed(store).observations) == 1


def test_what_has_no_words_any_more_cannot_be_retried(store: Store) -> None:
    found = deliver(store, delivery("r1", "AKIAIOSFODNN7EXAMPLE"))
    assert found.observation is not None and found.result == "refused"
    with pytest.raises(UsageError) as caught:
        queue.retry(store, [found.observation])
    assert caught.value.code is Code.SOURCE_GONE


def test_unknown_items_and_states_are_errors(store: Store) -> None:
    with pytest.raises(UsageError):
        queue.cancel(store, ["nobody"])
    with pytest.raises(UsageError):
        queue.list_items(store, state="processed")


def test_items_are_listed_oldest_first_with_their_number(store: Store) -> None:
    for number in range(5):
        deliver(store, delivery(f"r{number}", f"line {number}", at=START + 100_000 - number))
    items, total = queue.list_items(store, limit=2)
    assert total == 5
    assert [item.said_at for item in items] == [START + 99_996, START + 99_997]
    assert queue.list_items(store, state="dead") == ((), 0)


def test_a_paused_queue_takes_in_and_gives_nothing_out(store: Store) -> None:
    deliver(store, delivery("r1"))
    queue.set_paused(store, True)
    assert queue.claim(store, RULES, "test") is None
    assert queue.is_idle(store)
    assert queue.next_available(store) is None
    assert queue_status(store).next == "resume"
    queue.set_paused(store, False)
    assert claimed(store).generation == 1


def test_status_counts_and_names_the_next_step(store: Store) -> None:
    assert queue_status(store).next == "capture"
    deliver(store, delivery("r1"))
    status = queue_status(store)
    assert (status.counts, status.jobs, status.next) == ((("pending", 1),), (), "maintain")
    assert status.projects == 2
    finish(store, claimed(store))
    status = queue_status(store)
    assert (status.counts, status.jobs, status.next) == ((("processed", 1),), (("done", 1),), "done")


def test_no_question_of_the_queue_walks_through_its_history(store: Store) -> None:
    """A scan of a whole table or index would make every idle check slower with every year of use."""
    from commonbook.ledger.database import queries

    hot = "has_pending has_active_job active_jobs mending_jobs first_scope next_scope head_of_scope run_of_scope batch_rows"
    hot += " job_rows held_for_provider held_groups lease job items_of_job"
    for name in hot.split():
        sql = queries("queue")[name]
        values = dict.fromkeys(("id", "token", "generation", "job"), "x") if ":" in sql else ("x",) * sql.count("?")
        plan = store.ledger.rows(f"EXPLAIN QUERY PLAN {sql}", values)
        for row in plan:
            walks = row[3].startswith("SCAN") and "CONSTANT ROW" not in row[3] and "json_each" not in row[3]
            partial = "observations_unfinished" in row[3] or "observations_pending" in row[3]
            assert not walks or partial, f"{name}: {row[3]}"
