"""Whatever order things happen in, the queue in SQLite does what a few lines of plain Python say it should."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from commonbook.errors import Code, CommitError
from commonbook.keeper import queue
from commonbook.keeper.contracts import Claim
from commonbook.keeper.failures import MAX_RECOVERIES, backoff
from commonbook.keeper.ingress import deliver
from commonbook.keeper.lease import LEASE
from commonbook.keeper.opening import close_store
from commonbook.settings.model import Settings, Write
from commonbook.vocabulary import GLOBAL, ConsideredBy, Scope
from tests.support.queueing import START, SetClock, delivery, opened

SCOPES = (GLOBAL, Scope("project:a-0001"), Scope("project:b-0002"))
APART = Settings(write=Write(scopes=("project:*",)))
"""No two scopes may write the same place, so that each runs by itself."""


@dataclass
class Job:
    """What the model knows of a job: its rows, the words that its lease is fenced by, and its budget."""

    scope: str
    records: list[str]
    state: str = "running"
    generation: int = 1
    recoveries: int = 0
    available_at: int = 0
    expires_at: int = 0
    claim: Claim | None = None


@dataclass
class Model:
    rows: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    """record → (scope, observed at, state)"""
    jobs: dict[str, Job] = field(default_factory=dict)

    def move(self, job: Job, state: str) -> None:
        for record in job.records:
            scope, at, _ = self.rows[record]
            self.rows[record] = (scope, at, state)

    def retry_or_pause(self, job: Job, now: int, wait: int) -> None:
        if job.recoveries >= MAX_RECOVERIES:
            job.state = "paused"
            self.move(job, "paused")
        else:
            job.recoveries += 1
            job.state, job.available_at = "retry", now + wait

    def expire(self, now: int) -> None:
        for job in self.jobs.values():
            if job.state == "running" and job.expires_at <= now:
                self.retry_or_pause(job, now, 0)

    def claimable(self, now: int) -> list[tuple[str, list[str]]]:
        """(scope, records) of every batch that a claim may give now; a due retry comes before anything new."""
        running = {job.scope for job in self.jobs.values() if job.state == "running"}
        due = [
            (job.scope, sorted(job.records))
            for job in self.jobs.values()
            if job.state == "retry" and job.available_at <= now and job.scope not in running
        ]
        if due:
            return due
        busy = running | {job.scope for job in self.jobs.values() if job.state == "retry"}
        heads = []
        for scope in {scope for scope, _, state in self.rows.values() if state == "pending"} - busy:
            waiting = sorted((at, r) for r, (s, at, state) in self.rows.items() if s == scope and state == "pending")
            heads.append((waiting[0], scope, sorted(record for _, record in waiting[: queue.ROWS_TOGETHER])))
        return [(scope, records) for _, scope, records in sorted(heads)[:1]]


class QueueMachine(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = SetClock()
        self.store = opened(Path(self.folder.name) / "home", APART, clock=self.clock)
        with self.store.ledger.write() as ledger:
            for project in ("a-0001", "b-0002"):
                row = (project, project, f"/{project}")
                ledger.run("INSERT INTO projects VALUES (?, ?, ?, 'folder', '{}', 'registered', 1, 1)", row)
        self.model = Model()

    def teardown(self) -> None:
        close_store(self.store)
        self.folder.cleanup()

    @rule(scope=st.sampled_from(SCOPES), back=st.integers(0, 50))
    def say(self, scope: Scope, back: int) -> None:
        record = f"r{len(self.model.rows):04}"
        at = START + 1000 * len(self.model.rows) - 1000 * back + len(self.model.rows)
        assert deliver(self.store, delivery(record, f"words of {record}", at=at, scope=scope)).result == "accepted"
        self.model.rows[record] = (scope, at, "pending")

    @precondition(lambda self: self.model.rows)
    @rule(data=st.data())
    def say_again(self, data: st.DataObject) -> None:
        record = data.draw(st.sampled_from(sorted(self.model.rows)))
        scope, at, state = self.model.rows[record]
        again = deliver(self.store, delivery(record, f"words of {record}", at=at, scope=Scope(scope)))
        assert (again.result, again.state) == ("duplicate", state)

    @rule()
    def claim(self) -> None:
        now = self.clock.now()
        self.model.expire(now)
        expected = self.model.claimable(now)
        found = queue.claim(self.store, ConsideredBy.RULES, "model")
        if found is None:
            assert expected == []
            return
        ids = {row[0]: row[1] for row in self.store.ledger.rows("SELECT id, record FROM observations")}
        records = [ids[observation.id] for observation in found.observations]
        assert (found.scope, sorted(records)) in expected
        job = self.model.jobs.setdefault(found.job, Job(found.scope, records, generation=0))
        job.state, job.claim, job.expires_at = "running", found, now + LEASE
        job.generation += 1
        assert found.generation == job.generation
        self.model.move(job, "claimed")

    def _any(self, data: st.DataObject, *states: str) -> tuple[str, Job] | None:
        names = sorted(name for name, job in self.model.jobs.items() if job.state in states)
        if not names:
            return None
        name = data.draw(st.sampled_from(names))
        return name, self.model.jobs[name]

    @rule(data=st.data(), cause=st.sampled_from([Code.NO_DECISION, Code.CONFIGURATION, Code.SOURCE_GONE]))
    def fail(self, data: st.DataObject, cause: Code) -> None:
        chosen = self._any(data, "running")
        if chosen is None:
            return
        _, job = chosen
        assert job.claim is not None
        now = self.clock.now()
        match cause:
            case Code.NO_DECISION:
                self.model.retry_or_pause(job, now, backoff(job.recoveries + 1))
            case Code.CONFIGURATION:
                job.state = "paused"
                self.model.move(job, "paused")
            case _:
                job.state = "dead"
                self.model.move(job, "dead")
        assert queue.fail(self.store, job.claim, cause) == job.state

    @rule(data=st.data())
    def commit(self, data: st.DataObject) -> None:
        chosen = self._any(data, "running", "retry", "paused", "done")
        if chosen is None:
            return
        name, job = chosen
        assert job.claim is not None
        now = self.clock.now()
        alive = job.state == "running" and job.expires_at > now
        try:
            with self.store.ledger.write() as ledger:
                queue.fence(ledger, job.claim, now)
                ledger.run("UPDATE jobs SET state = 'done', token = NULL, finished_at = ? WHERE id = ?", (now, name))
                ledger.run("UPDATE observations SET state = 'processed' WHERE job = ?", (name,))
        except CommitError:
            assert not alive
        else:
            assert alive, "a lost lease committed"
            job.state = "done"
            self.model.move(job, "processed")

    @rule(data=st.data())
    def renew(self, data: st.DataObject) -> None:
        chosen = self._any(data, "running", "retry")
        if chosen is None:
            return
        _, job = chosen
        assert job.claim is not None
        now = self.clock.now()
        try:
            queue.renew(self.store, job.claim)
        except CommitError:
            assert job.state != "running" or job.expires_at <= now
        else:
            assert job.state == "running" and job.expires_at > now
            job.expires_at = now + LEASE

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        chosen = self._any(data, "running", "retry")
        if chosen is None:
            return
        name, job = chosen
        queue.cancel(self.store, [name])
        job.state = "paused"
        self.model.move(job, "paused")

    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        chosen = self._any(data, "paused", "dead")
        if chosen is None:
            return
        name, job = chosen
        queue.retry(self.store, [name])
        job.state, job.available_at = "retry", self.clock.now()
        self.model.move(job, "claimed")

    @rule(milliseconds=st.sampled_from([1, 1_999, 2_000, 64_000, LEASE - 1, LEASE, 700_000]))
    def wait(self, milliseconds: int) -> None:
        self.clock.pass_by(milliseconds)

    @rule()
    def reopen(self) -> None:
        """A restart changes nothing that the person or the queue decided."""
        close_store(self.store)
        self.store = opened(Path(self.folder.name) / "home", APART, clock=self.clock)

    @invariant()
    def agrees(self) -> None:
        rows = self.store.ledger.rows("SELECT record, state FROM observations")
        assert {row[0]: row[1] for row in rows} == {record: state for record, (_, _, state) in self.model.rows.items()}
        jobs = self.store.ledger.rows("SELECT id, state, recoveries FROM jobs")
        assert {row[0]: (row[1], row[2]) for row in jobs} == {
            name: (job.state, job.recoveries) for name, job in self.model.jobs.items()
        }
        kept = self.store.ledger.row(
            "SELECT COALESCE(SUM(bytes), 0) FROM observations WHERE text IS NOT NULL AND state <> 'processed'"
        )
        assert self.store.ledger.row("SELECT bytes FROM unprocessed WHERE session = ''") == kept
        busy = any(state == "pending" for _, _, state in self.model.rows.values()) or any(
            job.state in ("running", "retry") for job in self.model.jobs.values()
        )
        assert queue.is_idle(self.store) == (not busy)


QueueMachine.TestCase.settings = hypothesis_settings(max_examples=40, stateful_step_count=40, deadline=None)
TestQueue = QueueMachine.TestCase
