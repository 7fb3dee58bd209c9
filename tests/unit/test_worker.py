"""Maintenance from claim to commit: what is consumed, what a failing agent costs, and who keeps the lease."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from commonbook.agents.rules.agent import RulesAgent, prompt_digest
from commonbook.errors import Code, CommitError
from commonbook.keeper import queue
from commonbook.keeper.contracts import AgentOutcome, Mark, MemoryTask, ReadGrant, RunControl, Store, no_mark
from commonbook.keeper.ingress import deliver
from commonbook.keeper.opening import close_store
from commonbook.keeper.person import commit_plan, plan_forget
from commonbook.recall.search import SearchRequest, retrieve
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, ConsideredBy, ObservationState
from commonbook.worker import STAND_BACKS, LeftOut, Maintainer, WorkEvent, WorkReport, run_maintenance
from tests.support.queueing import SetClock, delivery, opened

Work = Callable[[MemoryTask, ReadGrant, RunControl], Awaitable[AgentOutcome]]


class Agent:
    """Runs ``before``, then decides by rule."""

    kind = ConsideredBy.RULES

    def __init__(self, before: Work | None = None, *, digest: str | None = None) -> None:
        self._before, self._digest, self.runs = before, digest, 0

    async def run(self, task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        self.runs += 1
        if self._before is not None:
            outcome = await self._before(task, grant, control)
            if outcome.failure is not None:
                return outcome
        outcome = await RulesAgent().run(task, grant, control)
        return outcome if self._digest is None else AgentOutcome(None, "rules/1", self._digest)

    async def close(self) -> None:
        raise AssertionError("a borrowed agent is closed by its owner")


def ended(failure: Code | None = None) -> AgentOutcome:
    return AgentOutcome(failure, "rules/1", prompt_digest())


class Desk:
    """One memory on a clock that stands still."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock, self.events = folder / "home", SetClock(), list[WorkEvent]()

    def open(self, mark: Mark = no_mark) -> Store:
        return opened(self.folder, clock=self.clock, mark=mark)

    def say(self, *words: str) -> None:
        store = self.open()
        for number, text in enumerate(words):
            assert deliver(store, delivery(f"{text}-{number}", text)).result == "accepted"
        close_store(store)

    def maintain(
        self,
        agent: Agent | None = None,
        *,
        mark: Mark = no_mark,
        renew_every: int = 40_000,
        max_jobs: int | None = None,
    ) -> WorkReport:
        maintainer = Maintainer(lambda: self.open(mark), agent or Agent(), renew_every=renew_every)
        return run_maintenance(maintainer, max_jobs=max_jobs, listen=self.events.append)

    def states(self) -> dict[str, int]:
        store = self.open()
        found = dict(queue.counts(store))
        close_store(store)
        return found

    def recoveries(self) -> int:
        store = self.open()
        row = store.ledger.row("SELECT MAX(recoveries) FROM jobs")
        close_store(store)
        assert row is not None
        return int(row[0])

    def text(self, name: str) -> str:
        return (self.folder / "data" / "memory" / f"{name}.md").read_text(encoding="utf-8")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_was_said_becomes_markdown_and_is_told(desk: Desk) -> None:
    desk.say("I'm a botanist in Graz.", "Thanks, that helps.")
    report = desk.maintain()
    assert desk.text("profile").endswith("- I'm a botanist in Graz (2027-01-15)\n")
    assert (report.batches, report.messages, report.ignored, report.failed, report.waiting) == (1, 2, 1, (), 0)
    (change,) = report.changes
    assert (change.kind, change.target, change.section) == ("kept", "profile", "About me")
    assert change.lines_added == ("- I'm a botanist in Graz (2027-01-15)",)
    (event,) = desk.events
    assert (event.outcome, event.done, event.total, event.reasons) == ("kept", 2, 2, ("who the user is",))
    assert [each.words for each in event.left_out] == ["Thanks, that helps."]
    assert desk.states() == {"processed": 2}


def test_an_empty_queue_is_no_work(desk: Desk) -> None:
    agent = Agent()
    assert desk.maintain(agent) == WorkReport()
    assert agent.runs == 0


def test_nothing_lasting_is_ignored_with_its_reason(desk: Desk) -> None:
    desk.say("Fix the test.")
    report = desk.maintain()
    assert (report.ignored, report.changes) == (1, ())
    told = LeftOut("Fix the test.", "a request for now")
    assert [(event.outcome, event.left_out) for event in desk.events] == [("ignored", (told,))]


def test_forgetting_is_told_as_such(desk: Desk) -> None:
    desk.say("Keep answers under five lines please.")
    desk.maintain()
    desk.say("Forget the five-line limit.")
    desk.maintain()
    assert desk.events[-1].outcome == "forgot"
    assert desk.events[-1].changes[0].lines_removed == ("- Keep answers under five lines please (2027-01-15)",)
    assert "five" not in desk.text("preferences")


def test_what_an_agent_forgets_leaves_the_index_without_a_search(desk: Desk) -> None:
    desk.say("Keep answers under five lines please.")
    desk.maintain()
    home = Home(desk.folder, desk.folder / "data")
    assert retrieve(home, Settings(), SearchRequest("answers"), clock=desk.clock).segments
    desk.say("Forget the five-line limit.")
    desk.maintain()
    assert b"answers" not in home.recall_database.read_bytes()


def a_link(path: Path) -> None:
    (path.parent / "elsewhere.md").write_text("# Preferences\n")
    path.symlink_to(path.parent / "elsewhere.md")


@pytest.mark.parametrize(
    ("spoil", "code", "told"),
    [
        (
            lambda path: path.write_text("free words\n"),
            Code.DOCUMENT_OUTSIDE_GRAMMAR,
            {"target": "preferences", "line": 1},
        ),
        (lambda path: path.write_text("x" * (1 << 20 | 1)), Code.FILE_TOO_LARGE, None),
        (a_link, Code.UNSAFE_FILE, None),
    ],
)
def test_a_document_that_must_be_mended_is_named_and_the_batch_waits_for_it(
    desk: Desk, spoil: Callable[[Path], object], code: Code, told: dict[str, object] | None
) -> None:
    desk.say("Keep answers under five lines please.")
    path = desk.folder / "data" / "memory" / "preferences.md"
    spoil(path)
    report = desk.maintain()
    assert [failure.code for failure in report.failed] == [code]
    assert report.failed[0].detail == (told or report.failed[0].detail)
    assert report.failed[0].detail.keys() & {"path", "target"}
    assert desk.states()["paused"] == 1, "opening the memory again does not hide why it waits"
    assert desk.maintain().failed == ()
    path.unlink()
    assert desk.maintain().messages == 1
    assert desk.recoveries() == 0


def test_max_jobs_leaves_the_rest_waiting(desk: Desk) -> None:
    desk.say(*(f"I use tool{number} on every machine." for number in range(8)))
    report = desk.maintain(max_jobs=1)
    assert (report.batches, report.messages, report.waiting) == (1, 6, 2)
    assert desk.maintain().waiting == 0


@pytest.mark.parametrize(
    ("failure", "state", "used"),
    [(Code.NO_DECISION, "claimed", 1), (Code.CONFIGURATION, "paused", 0), (Code.DECISION_REJECTED, "claimed", 1)],
)
def test_a_failing_agent_consumes_nothing(desk: Desk, failure: Code, state: str, used: int) -> None:
    async def fail(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        return ended(failure)

    desk.say("I'm a botanist in Graz.")
    report = desk.maintain(Agent(fail))
    assert [problem.code for problem in report.failed] == [failure]
    assert desk.states() == {state: 1}
    assert desk.recoveries() == used
    assert [event.failure for event in desk.events] == [failure]


def test_a_crash_of_the_agent_is_retried_within_the_budget(desk: Desk) -> None:
    async def crash(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        raise ZeroDivisionError("sk-secret")

    desk.say("I'm a botanist in Graz.")
    report = desk.maintain(Agent(crash))
    assert [problem.code for problem in report.failed] == [Code.INTERNAL]
    assert "secret" not in repr((report, desk.events))
    desk.clock.pass_by(10_000)
    assert desk.maintain().messages == 1
    assert desk.states() == {"processed": 1}


def test_an_agent_without_a_decision_or_with_a_bad_digest_is_a_failure(desk: Desk) -> None:
    desk.say("I'm a botanist in Graz.")
    assert [problem.code for problem in desk.maintain(Agent(digest="XYZ")).failed] == [Code.INVALID_PROMPT_DIGEST]
    assert desk.states() == {"paused": 1}


@pytest.mark.parametrize("stop", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
def test_stopping_gives_the_batch_back_untouched(desk: Desk, stop: type[BaseException]) -> None:
    async def stopped(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        raise stop

    desk.say("I'm a botanist in Graz.")
    with pytest.raises(stop):
        desk.maintain(Agent(stopped))
    assert desk.recoveries() == 0
    assert desk.maintain().messages == 1


def test_an_edit_by_hand_during_the_run_wins_and_the_batch_is_tried_again(desk: Desk) -> None:
    async def person_saves(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        if agent.runs == 1:
            profile = desk.folder / "data" / "memory" / "profile.md"
            profile.write_text("# Profile\n\n## About me\n\n- my own line\n", encoding="utf-8")
        return ended()

    desk.say("I'm a botanist in Graz.")
    agent = Agent(person_saves)
    report = desk.maintain(agent)
    assert (agent.runs, report.failed, desk.recoveries()) == (2, (), 0)
    assert "- my own line\n- I'm a botanist in Graz" in desk.text("profile")


def test_what_is_forgotten_after_the_decision_costs_the_rest_of_the_batch_nothing(desk: Desk) -> None:
    class Interrupted(Agent):
        async def run(self, task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
            outcome = await super().run(task, grant, control)
            if self.runs == 1:
                store = desk.open()
                commit_plan(store, plan_forget(store, "kingfisher", [GLOBAL]))
                close_store(store)
            return outcome

    desk.say("I'm a botanist in Graz.", "I'm keeping a kingfisher.")
    agent = Interrupted()
    report = desk.maintain(agent)
    assert (agent.runs, report.failed, desk.recoveries()) == (2, (), 0)
    assert "botanist" in desk.text("profile") and "kingfisher" not in desk.text("profile")


def test_a_document_that_never_rests_does_not_spin_for_ever(desk: Desk) -> None:
    async def person_saves(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        profile = desk.folder / "data" / "memory" / "profile.md"
        profile.write_text(f"# Profile\n\n## About me\n\n- line {agent.runs}\n", encoding="utf-8")
        return ended()

    desk.say("I'm a botanist in Graz.")
    agent = Agent(person_saves)
    report = desk.maintain(agent)
    assert agent.runs == STAND_BACKS + 1
    assert [problem.code for problem in report.failed] == [Code.STALE_REVISION]
    assert desk.states() == {"claimed": 1}


def test_the_lease_is_renewed_while_the_agent_works(desk: Desk) -> None:
    renewals = threading.Semaphore(0)

    def mark(step: str) -> None:
        if step == "queue.renew":
            renewals.release()

    async def works_long(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        for _ in range(3):
            desk.clock.pass_by(100_000)  # three times: well beyond one lease of 120 s
            assert await asyncio.to_thread(renewals.acquire, timeout=10)
            assert await asyncio.to_thread(renewals.acquire, timeout=10)
        control.check_lease()
        return ended()

    desk.say("I'm a botanist in Graz.")
    report = desk.maintain(Agent(works_long), mark=mark, renew_every=5)
    assert (report.messages, report.failed) == (1, ())
    assert not [thread for thread in threading.enumerate() if thread.name == "commonbook-lease"]


def test_a_lost_lease_is_left_to_its_new_owner(desk: Desk) -> None:
    async def loses(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        other = desk.open()
        with other.ledger.write() as ledger:
            ledger.run("UPDATE jobs SET token = 'another', generation = generation + 1")
        close_store(other)
        with pytest.raises(CommitError):
            control.check_lease()
        return ended()

    desk.say("I'm a botanist in Graz.")
    report = desk.maintain(Agent(loses))
    assert (report.batches, report.failed, desk.events) == (0, (), [])
    assert desk.states() == {ObservationState.CLAIMED: 1}


def test_an_agent_may_ask_for_the_shared_recoveries(desk: Desk) -> None:
    granted: list[bool] = []

    async def greedy(task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        granted.extend(control.recover(Code.NO_DECISION) for _ in range(7))
        return ended()

    desk.say("I'm a botanist in Graz.")
    assert desk.maintain(Agent(greedy)).messages == 1
    assert granted == [True] * 5 + [False] * 2


def test_global_words_from_nowhere_stay_global(desk: Desk) -> None:
    desk.say("We use uv for packages.")
    desk.maintain()
    assert desk.events[0].scope == GLOBAL
    assert "- We use uv for packages" in desk.text("preferences")
