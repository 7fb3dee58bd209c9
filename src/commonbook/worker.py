"""The one async loop of maintenance: claim a batch, let the agent run over a grant, commit what it proposed, to the end.

Core's calls stay synchronous; only the agent is awaited. The lease is renewed by a thread of its own with a connection of
its own, so that an agent that computes for a minute without a pause does not lose its batch.
"""

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from commonbook.book.files import UNREADABLE
from commonbook.clock import Milliseconds
from commonbook.errors import Code, CommitError, CommonbookError, PlaceError
from commonbook.keeper import queue
from commonbook.keeper.contracts import Claim, MemoryAgent, Store
from commonbook.keeper.lease import LEASE
from commonbook.keeper.opening import close_store, second_store
from commonbook.vocabulary import JobId, ObservationState, Scope, Target, evidence_ref

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonbook.keeper.commit import Committed
    from commonbook.keeper.grant import Grant

RENEW_EVERY: Milliseconds = LEASE // 3
STAND_BACKS = 3
"""How often a batch whose documents changed under the agent is tried again at once, before it waits like any failure."""
_NOT_ITS_FAULT = frozenset({Code.STALE_REVISION, Code.BATCH_CHANGED, Code.EXPIRED_TASK})
"""A document was saved meanwhile; a delivery of the batch was forgotten, or put aside: what is left is tried again."""
_PROMPT_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class WorkChange:
    """One section that a commit changed, as a person sees it."""

    kind: Literal["kept", "forgot", "tidied"]
    target: Target
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    receipt: JobId


@dataclass(frozen=True)
class WorkFailure:
    """A batch that was not consumed, and why. It stays in the queue, or where the table of failures puts it. ``detail`` fills
    the sentence of the code (which document, which line)."""

    code: Code
    job: JobId
    scope: Scope
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class LeftOut:
    """A message that was looked at and not kept. ``reason``: the agent's own word, shown live, stored nowhere."""

    words: str
    reason: str


@dataclass(frozen=True)
class WorkEvent:
    """One batch that ended. ``reasons``: the agent's own words for its changes. ``done`` messages of ``total``, which is what
    waited when the run began: a total that moves tells nobody how far it is."""

    outcome: Literal["kept", "forgot", "ignored", "failed"]
    done: int
    total: int
    scope: Scope
    changes: tuple[WorkChange, ...] = ()
    reasons: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    failure: Code | None = None


@dataclass(frozen=True)
class WorkReport:
    """``messages``: consumed deliveries; ``ignored``: those of them that left nothing; ``waiting``: those that still wait."""

    batches: int = 0
    messages: int = 0
    ignored: int = 0
    changes: tuple[WorkChange, ...] = ()
    failed: tuple[WorkFailure, ...] = ()
    waiting: int = 0


class Maintainer:
    """Runs maintenance with a borrowed agent: whoever hands it in closes it.

    ``open_store`` gives a store that this object opens and closes for each run. ``renew_every``: milliseconds between two
    renewals of the lease.
    """

    def __init__(
        self, open_store: Callable[[], Store], agent: MemoryAgent, *, renew_every: Milliseconds = RENEW_EVERY
    ) -> None:
        self._open_store, self._agent, self._renew_every = open_store, agent, renew_every

    async def run(
        self, *, max_jobs: int | None = None, listen: Callable[[WorkEvent], None] | None = None
    ) -> WorkReport:
        """Process the queue until nothing may be claimed, or ``max_jobs`` batches.

        A run that fails consumes nothing and is reported; the next batch goes on. Raises ``PlaceError`` when the memory
        itself cannot be used, ``CancelledError`` when stopped (the batch at hand goes back untouched).
        """
        store = self._open_store()
        try:
            report = await _Shift(store, self._agent, self._renew_every, listen).work(max_jobs)
            from commonbook.keeper.retention import prune

            prune(store)
            return replace(report, waiting=_waiting(store))
        finally:
            close_store(store)


class _Shift:
    """One run of the loop: what it has done so far."""

    def __init__(
        self, store: Store, agent: MemoryAgent, renew_every: Milliseconds, listen: Callable[[WorkEvent], None] | None
    ) -> None:
        self._store, self._agent, self._renew_every, self._listen = store, agent, renew_every, listen
        self._stood_back: Counter[JobId] = Counter()
        self._report = WorkReport()
        self._total = _waiting(store)

    async def work(self, max_jobs: int | None) -> WorkReport:
        while max_jobs is None or self._report.batches < max_jobs:
            await asyncio.sleep(0)  # an agent that never waits would otherwise leave Ctrl-C unheard to the end
            claim = queue.claim(self._store, self._agent.kind, "maintain")
            if claim is None:
                break
            await self._batch(claim)
        return self._report

    async def _batch(self, claim: Claim) -> None:
        try:
            committed, told = await self._attempt(claim)
        except PlaceError as error:
            if error.code in UNREADABLE:  # stops the batches that need this document, and no others
                return self._failed(claim, error.code, error.detail)
            # The disk or the database is the matter, not this batch: say so to the person and stop.
            self._give_up(claim, error.code)
            raise
        except CommonbookError as error:
            self._failed(claim, error.code, error.detail)
        except Exception:
            # Whatever an agent may throw: its batch is tried again within the budget, and nothing of it is told.
            self._failed(claim, Code.INTERNAL, {})
        except BaseException:
            queue.hand_back(self._store, claim)
            raise
        else:
            self._ended(claim, committed, told)

    async def _attempt(self, claim: Claim) -> "tuple[Committed, _Told]":
        from commonbook.keeper.commit import commit_proposal
        from commonbook.keeper.grant import open_grant

        task, grant = open_grant(self._store, claim)
        try:
            with _renewed(self._store, claim, self._renew_every) as lease:
                outcome = await self._agent.run(task, grant, _Control(self._store, claim, lease))
                if lease.lost:
                    raise CommitError(Code.STALE_LEASE, job=claim.job)
                if outcome.failure is not None:
                    raise CommonbookError(outcome.failure)
                if not _PROMPT_DIGEST.fullmatch(outcome.prompt_digest):
                    raise CommonbookError(Code.INVALID_PROMPT_DIGEST)
                return commit_proposal(self._store, claim, grant, outcome), _Told.by(grant, claim)
        finally:
            grant.close()

    # --- how it ended -------------------------------------------------------------------------------------------------

    def _ended(self, claim: Claim, committed: "Committed", told: "_Told") -> None:
        changes = tuple(
            WorkChange(
                change.kind, change.target, change.section, change.lines_added, change.lines_removed, committed.receipt
            )
            for change in committed.changes
        )
        outcome: Literal["kept", "forgot", "ignored"] = "ignored"
        if changes:
            outcome = "forgot" if all(change.kind == "forgot" for change in changes) else "kept"
        if any(change.kind == "forgot" for change in changes):
            from commonbook.recall.search import drop_outdated

            drop_outdated(self._store.home, clock=self._store.clock)
        self._report = replace(
            self._report,
            batches=self._report.batches + 1,
            messages=self._report.messages + len(claim.observations),
            ignored=self._report.ignored + len(told.left_out),
            changes=(*self._report.changes, *changes),
        )
        self._tell(WorkEvent(outcome, *self._progress(), claim.scope, changes, told.reasons, told.left_out))

    def _failed(self, claim: Claim, cause: Code, detail: Mapping[str, str | int]) -> None:
        if cause is Code.STALE_LEASE:
            return  # in other hands, which will say how it ended
        if cause in _NOT_ITS_FAULT and self._stood_back[claim.job] < STAND_BACKS:
            # The batch is as good as before: no budget is used, and the next claim sees the new state.
            self._stood_back[claim.job] += 1
            queue.hand_back(self._store, claim)
            return
        self._give_up(claim, cause)
        failure = WorkFailure(cause, claim.job, claim.scope, detail)
        self._report = replace(self._report, batches=self._report.batches + 1, failed=(*self._report.failed, failure))
        self._tell(WorkEvent("failed", *self._progress(), claim.scope, failure=cause))

    def _give_up(self, claim: Claim, cause: Code) -> None:
        try:
            queue.fail(self._store, claim, cause)
        except PlaceError:
            if cause is Code.INTERNAL:
                raise
            # The database is what failed. The lease runs out by itself and the batch is claimed again.

    def _tell(self, event: WorkEvent) -> None:
        if self._listen is not None:
            self._listen(event)

    def _progress(self) -> tuple[int, int]:
        done = self._report.messages
        return done, max(self._total, done)


class _Control:
    """``RunControl`` for the run of one claim."""

    def __init__(self, store: Store, claim: Claim, lease: "_Lease") -> None:
        self._store, self._claim, self._lease = store, claim, lease

    def cancelled(self) -> bool:
        return self._lease.lost

    def check_lease(self) -> None:
        if self._lease.lost:
            raise CommitError(Code.STALE_LEASE, job=self._claim.job)
        queue.fence(self._store.ledger, self._claim, self._store.clock.now())

    def recover(self, cause: Code) -> bool:
        return queue.recover(self._store, self._claim, cause)


class _Lease(threading.Thread):
    """Renews until it is stopped or the lease is lost. The connection is opened at the first renewal: most runs end before."""

    def __init__(self, store: Store, claim: Claim, every: Milliseconds) -> None:
        super().__init__(name="commonbook-lease", daemon=True)
        self._store, self._claim, self._every = store, claim, every
        self._stop_asked = threading.Event()
        self.lost = False

    def run(self) -> None:
        own: Store | None = None
        try:
            while not self._stop_asked.wait(self._every / 1000):
                try:
                    own = own or second_store(self._store)
                    queue.renew(own, self._claim)
                except CommitError:
                    self.lost = True
                    return
                except PlaceError:
                    continue  # busy for now; two thirds of the lease are left for the next try
        finally:
            if own is not None:
                close_store(own)

    def stop(self) -> None:
        self._stop_asked.set()
        self.join()


@contextmanager
def _renewed(store: Store, claim: Claim, every: Milliseconds) -> "Iterator[_Lease]":
    lease = _Lease(store, claim, every)
    lease.start()
    try:
        yield lease
    finally:
        lease.stop()


@dataclass(frozen=True)
class _Told:
    """What the agent said about its decisions, for the person who watches."""

    reasons: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @classmethod
    def by(cls, grant: "Grant", claim: Claim) -> "_Told":
        """Left out are the messages on which no change stands, each with the reason of the ``ignore`` that names it."""
        if grant.accepted is None:
            return cls()
        ignores = [each for each in grant.accepted.proposal.decisions if each.kind == "ignore"]
        changes = [each for each in grant.accepted.proposal.decisions if each.kind != "ignore"]
        used = {reference for each in changes for reference in each.evidence}
        reasons = {reference: each.reason for each in ignores for reference in each.evidence}
        spoken = ((evidence_ref(item.id), item.text) for item in claim.observations)
        left_out = (LeftOut(text, reasons.get(reference, "")) for reference, text in spoken if reference not in used)
        return cls(tuple(each.reason for each in changes), tuple(left_out))


def _waiting(store: Store) -> int:
    alive = {ObservationState.PENDING, ObservationState.CLAIMED}
    return sum(count for state, count in queue.counts(store) if state in alive)


def run_maintenance(
    maintainer: Maintainer, *, max_jobs: int | None = None, listen: Callable[[WorkEvent], None] | None = None
) -> WorkReport:
    """``Maintainer.run`` for callers that are not async."""
    return asyncio.run(maintainer.run(max_jobs=max_jobs, listen=listen))
