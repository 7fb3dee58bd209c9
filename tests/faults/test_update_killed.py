"""A whole update of recorded sessions is killed, at each durable step and at random moments; the next one ends as if nothing
had happened: the same Markdown, every message processed once, no agent asked about a commit that was marked."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import commonbook
from commonbook.keeper.opening import close_store
from tests.support.updating import (
    CHINESE,
    ENGLISH,
    STORIES,
    CountedAgent,
    Stopper,
    at_rest,
    check_whole,
    committing,
    in_child,
    markdown,
    put_sessions,
    update,
)

SOURCE = Path(commonbook.__file__).parent
ROOT = SOURCE.parents[1]
ELSEWHERE = re.compile(
    r"ingress\.own_session|cursors\.save|projects\.(register|remove)|recovery\..*|grant\.put_aside"
    r"|queue\.(recover|fail|hand_back|reclaim|resume|renew|retry|cancel|discard|pause)|commit\.ignore|retention\.texts|erasing\..*|backup\..*"
)
"""Steps that an undisturbed update of these stories does not take; they are killed in the tests of their own rooms."""


def marked_in_source() -> set[str]:
    texts = (path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    return {name for text in texts for name in re.findall(r'\.mark\("([a-z_.]+)"\)', text)}


def undisturbed(folder: Path, sessions: Path) -> tuple[list[str], dict[str, str], dict[str, int]]:
    """Its durable steps, its memory, and how many messages ended in which state."""
    stopper = Stopper()
    update(folder, sessions, stopper, CountedAgent(folder.with_suffix(".runs")))
    store = at_rest(folder)
    check_whole(store)
    states: dict[str, int] = dict(store.ledger.rows("SELECT state, COUNT(*) FROM observations GROUP BY state"))
    close_store(store)
    return stopper.seen, markdown(folder), states


def restarted(folder: Path, sessions: Path, before: Sequence[str] | None) -> tuple[dict[str, str], dict[str, int]]:
    """Finish what the kill left. ``before``: the runs of the agent until then; ``None``: nobody noted them."""
    marked = committing(folder)
    later = CountedAgent(folder.with_suffix(".later"))
    update(folder, sessions, agent=later)
    asked = later.notes.read_text().split() if later.notes.exists() else []
    assert not marked & set(asked), "an agent was asked about a commit that was already decided"
    store = at_rest(folder)
    check_whole(store, None if before is None else [*before, *asked])
    states: dict[str, int] = dict(store.ledger.rows("SELECT state, COUNT(*) FROM observations GROUP BY state"))
    close_store(store)
    return markdown(folder), states


def runs_of(folder: Path) -> list[str]:
    notes = folder.with_suffix(".runs")
    return notes.read_text().split() if notes.exists() else []


def sweep(place: Path, stories: Sequence[Path]) -> int:
    sessions = put_sessions(place / "sessions", *stories)
    steps, expected, states = undisturbed(place / "whole", sessions)
    for nth, step in enumerate(steps, start=1):
        folder = place / f"{nth}"
        agent = CountedAgent(folder.with_suffix(".runs"))
        died = in_child(lambda: update(folder, sessions, Stopper(nth), agent))  # noqa: B023 - it runs now
        assert died.status == -signal.SIGKILL, (nth, step, died.told)
        assert restarted(folder, sessions, runs_of(folder)) == (expected, states), (nth, step)
    assert states["processed"] > 20 or len(stories) == 1
    return len(steps)


def test_every_step_of_an_update_is_known_here(tmp_path: Path) -> None:
    sessions = put_sessions(tmp_path / "sessions", *STORIES)
    steps, _, _ = undisturbed(tmp_path / "whole", sessions)
    missed = marked_in_source() - set(steps)
    assert {name for name in missed if not ELSEWHERE.fullmatch(name)} == set()
    assert len(set(steps)) >= 20


@pytest.mark.parametrize("story", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_killed_at_every_step(tmp_path: Path, story: Path) -> None:
    assert sweep(tmp_path, [story]) >= 50


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_at_every_step_of_all_stories(tmp_path: Path) -> None:
    assert sweep(tmp_path, STORIES) >= 200


FILE_STEPS = ("fsync", "rename", "replace", "unlink", "rmdir", "mkdir", "open")
"""Whatever our own code does to a file; what SQLite does is between two of the marked steps."""


@contextmanager
def files_watched(stopper: Stopper) -> Iterator[None]:
    def watched(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if name != "open" or (len(arguments) > 1 and arguments[1] & os.O_CREAT):
                stopper(name)
            return real(*arguments, **named)

        return call

    with ExitStack() as stack:
        for name in FILE_STEPS:
            stack.enter_context(patch.object(os, name, watched(name)))
        yield


def update_watched(folder: Path, sessions: Path, stopper: Stopper) -> None:
    with files_watched(stopper):
        update(folder, sessions, agent=CountedAgent(folder.with_suffix(".runs")))


def file_sweep(place: Path, *, every: int) -> int:
    sessions = put_sessions(place / "sessions", ENGLISH)
    _, expected, states = undisturbed(place / "whole", sessions)
    plain = Stopper()
    update_watched(place / "watched", sessions, plain)
    for nth in range(every, len(plain.seen) + 1, every):
        folder = place / f"{nth}"
        died = in_child(lambda: update_watched(folder, sessions, Stopper(nth)))  # noqa: B023 - it runs now
        assert died.status == -signal.SIGKILL, (nth, died.told)
        assert restarted(folder, sessions, runs_of(folder)) == (expected, states), (nth, plain.seen[nth - 1])
    return len(plain.seen)


def test_killed_at_file_operations(tmp_path: Path) -> None:
    """Every eighth of them; the slow test takes every one."""
    assert file_sweep(tmp_path, every=8) >= 100


@pytest.mark.slow
def test_killed_at_every_file_operation(tmp_path: Path) -> None:
    assert file_sweep(tmp_path, every=1) >= 100


@pytest.mark.slow
def test_the_next_update_is_killed_too(tmp_path: Path) -> None:
    """Twice in a row, at random steps; the third time it is left alone."""
    sessions = put_sessions(tmp_path / "sessions", ENGLISH, CHINESE)
    steps, expected, states = undisturbed(tmp_path / "whole", sessions)
    dice = random.Random(20_261_202)
    twice = 0
    for number in range(60):
        folder = tmp_path / f"{number}"
        agent = CountedAgent(folder.with_suffix(".runs"))
        first, second = dice.randint(1, len(steps)), dice.randint(1, 40)
        died = in_child(lambda: update(folder, sessions, Stopper(first), agent))  # noqa: B023
        assert died.status == -signal.SIGKILL
        marked, before = committing(folder), runs_of(folder)
        again = in_child(lambda: update(folder, sessions, Stopper(second), agent))  # noqa: B023
        twice += again.status == -signal.SIGKILL
        assert again.status in (0, -signal.SIGKILL), again.told
        assert not marked & set(runs_of(folder)[len(before) :]), (first, second)
        assert restarted(folder, sessions, runs_of(folder)) == (expected, states), (first, second)
    assert twice >= 30


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_program_killed_at_random_moments(tmp_path: Path) -> None:
    sessions = put_sessions(tmp_path / ".pi/agent/sessions", *STORIES)
    _, expected, states = undisturbed(tmp_path / "whole", sessions)
    whole = tmp_path / "timed"
    program(whole, tmp_path).wait()  # once for the compiled modules
    begin = time.monotonic()
    assert program(tmp_path / "timed2", tmp_path).wait() == 0
    takes = time.monotonic() - begin
    dice = random.Random(20_261_201)
    killed, at_work = 0, 0
    while killed < 45:
        folder = tmp_path / f"home-{killed}"
        process = program(folder, tmp_path)
        try:
            process.wait(dice.uniform(0.3 * takes, takes))
            continue  # it was faster than the clock: another one
        except subprocess.TimeoutExpired:
            process.kill()
        if process.wait() != -signal.SIGKILL:
            continue
        killed += 1
        at_work += (folder / "data/runtime.sqlite").exists()
        assert restarted(folder, sessions, None) == (expected, states), killed
    assert at_work >= 20


def program(home: Path, person: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "commonbook.app", "update", "--json"],
        env={**os.environ, "HOME": str(person), "COMMONBOOK_HOME": str(home), "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
