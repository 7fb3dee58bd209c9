"""The process is killed at each durable step of taking in: all of a group is there afterwards or nothing, and the same
group given again completes it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commonbook.keeper.contracts import Store
from commonbook.keeper.cursors import stored_cursor
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.opening import close_store
from tests.support.queueing import cursor, everything, opened, said, session

GROUP = tuple(said(number) for number in range(1, 13))

PROGRAM = """
import os, signal, sys
from pathlib import Path
from commonbook.keeper.ingress import take_turns
from tests.faults.test_ingress_faults import GROUP
from tests.support.queueing import cursor, opened, session

def mark(step):
    if step == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

take_turns(opened(Path(sys.argv[1]), mark=mark), session(), GROUP, cursor("1200"))
"""


def steps_of(folder: Path) -> list[str]:
    """Every step that one undisturbed run marks: enumerated, not guessed."""
    seen: list[str] = []
    store = opened(folder, mark=seen.append)
    take_turns(store, session(), GROUP, cursor("1200"))
    close_store(store)
    return [step for step in seen if step.startswith("ingress.")]


def test_a_kill_at_every_step_leaves_all_or_nothing(tmp_path: Path) -> None:
    steps = steps_of(tmp_path / "undisturbed")
    assert len(steps) == len(set(steps)) >= 7
    whole = opened(tmp_path / "undisturbed")
    expected = everything(whole)
    close_store(whole)
    for step in steps:
        folder = tmp_path / step
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(folder), step],
            cwd=Path(__file__).parents[2],
            env={"PYTHONPATH": ":".join(sys.path)},
            check=False,
        )
        assert run.returncode == -signal.SIGKILL, step
        store = opened(folder)
        assert everything(store) == dict.fromkeys(expected, 0), f"{step}: something half-done is visible"
        assert stored_cursor(store, "pi", "/sessions", "s1") is None
        assert take_turns(store, session(), GROUP, cursor("1200")).accepted == 12
        assert everything(store) == expected
        close_store(store)


class Boom(Exception):
    pass


def counted(store: Store) -> dict[str, int]:
    return {**everything(store), "unprocessed": (store.ledger.row("SELECT SUM(bytes) FROM unprocessed") or (0,))[0]}


@pytest.mark.parametrize("step", ["ingress.observations", "ingress.structure", "ingress.cursor", "ingress.commit"])
def test_an_error_at_a_step_leaves_the_open_store_as_it_was(tmp_path: Path, step: str) -> None:
    broken = False

    def mark(name: str) -> None:
        if broken and name == step:
            raise Boom

    store = opened(tmp_path / "home", mark=mark)
    take_turns(store, session(), GROUP[:2], cursor("1"))
    before = counted(store)
    broken = True
    with pytest.raises(Boom):
        take_turns(store, session(), GROUP, cursor("2"))
    assert counted(store) == before
    assert not store.ledger.in_transaction
    broken = False
    assert take_turns(store, session(), GROUP, cursor("2")).accepted == 10
    close_store(store)
