"""A process of its own that commits, and kills itself (SIGKILL) just before one of its durable steps."""

import os
import signal
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from commonbook.keeper.commit import commit_undo
from commonbook.keeper.contracts import Store
from commonbook.keeper.person import commit_plan, plan_forget, plan_remember
from commonbook.keeper.recovery import recover
from commonbook.keeper.undo import plan_undo
from commonbook.vocabulary import GLOBAL
from tests.support.committing import commit, decide, drop, proposal, put, refs, take
from tests.support.queueing import SetClock, opened


@dataclass
class Killer:
    """Counts the durable steps of a commit and stops the process before the nth (0: never)."""

    nth: int
    armed: bool = False
    seen: list[str] = field(default_factory=list)

    def __call__(self, step: str) -> None:
        if not self.armed:
            return
        self.seen.append(step)
        if len(self.seen) == self.nth:
            os.kill(os.getpid(), signal.SIGKILL)


def two_documents(store: Store) -> None:
    claim = take(store)
    made = decide(
        "retain",
        put("Tools", "- use pnpm", section="s1"),
        put("Me", "- is Ada", target="profile"),
        evidence=refs(claim),
        admission="update",
    )
    commit(store, claim, proposal(claim, made))


def forget_one(store: Store) -> None:
    claim = take(store)
    commit(store, claim, proposal(claim, decide("forget", drop("s1"), evidence=refs(claim))))


def ignore(store: Store) -> None:
    claim = take(store)
    commit(store, claim, proposal(claim, decide("ignore", where="uncertain")))


def remember(store: Store) -> None:
    commit_plan(store, plan_remember(store, "I like tea", GLOBAL))


def forget_by_hand(store: Store) -> None:
    commit_plan(store, plan_forget(store, "use npm", [GLOBAL]))


def undo_last(store: Store) -> None:
    plan = plan_undo(store, "last")
    commit_undo(store, plan.receipt, [change.expected for change in plan.changes])


def only_recover(store: Store) -> None:
    recover(store)


SCENARIOS = {
    one.__name__: one for one in (two_documents, forget_one, ignore, remember, forget_by_hand, undo_last, only_recover)
}


def steps_of(folder: Path, scenario: str) -> list[str]:
    """Run it to the end in a process of its own; gives its durable steps in order."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(folder, scenario, Killer(0), writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, told
    return told.split()


def killed(folder: Path, scenario: str, nth: int) -> bool:
    """Run it in a process of its own until just before the nth step; whether it really died of SIGKILL there."""
    child = os.fork()  # a fork and not a new interpreter: there are a hundred of them, and the kill is as real
    if child == 0:
        _child(folder, scenario, Killer(nth), None)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _child(folder: Path, scenario: str, killer: Killer, writing: int | None) -> None:
    """Never returns: a child must not go on with the tests of its parent."""
    status = 1
    try:
        run = SCENARIOS[scenario]
        if run is only_recover:
            killer.armed = True
            opened(folder, clock=SetClock(2_000_000_000_000), mark=killer)
        else:
            store = opened(folder, clock=SetClock(1_900_000_000_000), mark=killer)
            killer.armed = True
            run(store)
        if writing is not None:
            os.write(writing, "\n".join(killer.seen).encode())
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
