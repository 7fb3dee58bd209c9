"""A clock that jumps between the steps of an update, and a process that sleeps past its lease: nothing blocks, nothing is lost,
nothing is committed twice."""

import mmap
import os
import random
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from commonbook.clock import Milliseconds, SystemClock
from commonbook.keeper.contracts import MemoryTask
from commonbook.keeper.opening import close_store
from tests.support.updating import (
    ENGLISH,
    CountedAgent,
    at_rest,
    check_whole,
    finish,
    markdown,
    put_sessions,
    start,
    update,
)

HOUR: Milliseconds = 3_600_000
YEAR: Milliseconds = 365 * 24 * HOUR
JUMPS = [HOUR, -HOUR, YEAR, -YEAR]


@dataclass
class JumpingClock:
    """The machine's clock; ``jump`` sets it forward or back."""

    ahead: Milliseconds = 0

    def now(self) -> Milliseconds:
        return SystemClock().now() + self.ahead


@dataclass
class Jumper:
    """Sets the clock at chosen steps, counted from 1."""

    clock: JumpingClock
    jumps: dict[int, Milliseconds]
    seen: list[str] = field(default_factory=list)

    def __call__(self, step: str) -> None:
        self.seen.append(step)
        self.clock.ahead += self.jumps.get(len(self.seen), 0)


def jumped(folder: Path, sessions: Path, jumps: dict[int, Milliseconds]) -> list[str]:
    """An update under a jumping clock, then as many as it takes with the clock as it is left; gives the steps."""
    clock = JumpingClock()
    jumper = Jumper(clock, jumps)
    update(folder, sessions, jumper, clock=clock)
    later = clock.ahead
    for _ in range(3):  # what a jump took from a worker is there for the next
        update(folder, sessions, clock=JumpingClock(later))
    return jumper.seen


def whole(folder: Path) -> dict[str, str]:
    store = at_rest(folder)
    check_whole(store)
    close_store(store)
    return markdown(folder)


@pytest.mark.parametrize("jump", JUMPS, ids=["an hour on", "an hour back", "a year on", "a year back"])
def test_the_clock_jumps_at_any_step(tmp_path: Path, jump: Milliseconds) -> None:
    sessions = put_sessions(tmp_path / "sessions", ENGLISH)
    steps = jumped(tmp_path / "whole", sessions, {})
    expected = whole(tmp_path / "whole")
    begin = JUMPS.index(jump) + 1
    for nth in range(begin, len(steps) + 1, len(JUMPS)):  # the four jumps share the steps; the slow test mixes them
        folder = tmp_path / f"{nth}"
        jumped(folder, sessions, {nth: jump})
        assert whole(folder) == expected, (nth, steps[nth - 1])


@pytest.mark.slow
def test_the_clock_jumps_all_the_time(tmp_path: Path) -> None:
    sessions = put_sessions(tmp_path / "sessions", ENGLISH)
    steps = jumped(tmp_path / "whole", sessions, {})
    expected = whole(tmp_path / "whole")
    dice = random.Random(20_261_203)
    for number in range(80):
        folder = tmp_path / f"{number}"
        jumps = {dice.randint(1, len(steps)): dice.choice(JUMPS) for _ in range(6)}
        jumped(folder, sessions, jumps)
        assert whole(folder) == expected, jumps


# --- asleep ------------------------------------------------------------------------------------------------------------


class SharedClock:
    """One clock for several processes, as a machine has it."""

    def __init__(self) -> None:
        self._ahead = mmap.mmap(-1, 8)

    def now(self) -> Milliseconds:
        return SystemClock().now() + int.from_bytes(self._ahead[:8], "big")

    def pass_by(self, milliseconds: Milliseconds) -> None:
        self._ahead[:8] = (int.from_bytes(self._ahead[:8], "big") + milliseconds).to_bytes(8, "big")


class Asleep:
    """Stops its own process once, as closing a laptop does, and says so on a pipe first."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._slept = pipe, False

    def sleep(self) -> None:
        if not self._slept:
            self._slept = True
            os.write(self._pipe, b"z")
            os.kill(os.getpid(), signal.SIGSTOP)


@pytest.mark.parametrize("at", ["agent", "commit.check", "commit.marker", "commit.publish", "commit.database"])
def test_a_process_that_slept_past_its_lease_commits_nothing_twice(tmp_path: Path, at: str) -> None:
    """Another process works meanwhile. Asleep in the agent, the first finds its lease gone when it wakes up; asleep in the
    middle of a commit, it has the lock, and the other waits for it."""
    sessions = put_sessions(tmp_path / "sessions", ENGLISH)
    update(tmp_path / "whole", sessions)
    expected = whole(tmp_path / "whole")
    folder, clock = tmp_path / "home", SharedClock()
    reading, writing = os.pipe()
    asleep = Asleep(writing)

    def at_step(step: str) -> None:
        if step == at:
            asleep.sleep()

    def at_agent(_: MemoryTask) -> None:
        if at == "agent":
            asleep.sleep()

    first = CountedAgent(folder.with_suffix(".first"), at_agent)
    sleeper = start(lambda: str(update(folder, sessions, at_step, first, clock=clock).failed))
    assert os.read(reading, 1) == b"z"
    _, stopped = os.waitpid(sleeper[0], os.WUNTRACED)
    assert os.WIFSTOPPED(stopped)
    clock.pass_by(600_000)
    second = CountedAgent(folder.with_suffix(".second"))
    if at == "agent":
        update(folder, sessions, agent=second, clock=clock)
        assert set(first.notes.read_text().split()) <= set(second.notes.read_text().split())
        assert whole(folder) == expected
        os.kill(sleeper[0], signal.SIGCONT)
    else:
        waker = threading.Timer(0.3, os.kill, (sleeper[0], signal.SIGCONT))
        waker.start()
        update(folder, sessions, agent=second, clock=clock)
        waker.join()
    woken = finish(sleeper)
    assert (woken.status, woken.told) == (0, "()")
    update(folder, sessions, clock=clock)
    assert whole(folder) == expected
    os.close(reading)
    os.close(writing)
