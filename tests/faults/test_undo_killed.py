"""SIGKILL before every durable step of an undo: afterwards the change stands, or it is taken back with its links and mark."""

import shutil
from pathlib import Path

from commonbook.keeper.contracts import Store
from commonbook.keeper.opening import close_store
from tests.faults.test_commit_killed import LATER, check_receipts, survey
from tests.support.commit_victim import killed, steps_of
from tests.support.committing import keep, put
from tests.support.queueing import START, SetClock, opened


def seeded(folder: Path) -> None:
    """Two sections that the last commit changed in two documents: one rewritten, one made."""
    store = opened(folder, clock=SetClock(START))
    keep(store, "I use npm", put("Tools", "- use npm"))
    changes = (put("Tools", "- use pnpm", section="s1"), put("Me", "- is Ada", target="profile"))
    keep(store, "pnpm now, and I am Ada", *changes, admission="update", at=START + 1)
    close_store(store)


def found(store: Store) -> dict[str, object]:
    marks = store.ledger.rows("SELECT target, corrected_at IS NOT NULL, by_person FROM sections ORDER BY 1")
    sources = store.ledger.rows("SELECT source FROM links ORDER BY 1")
    kinds = store.ledger.rows("SELECT kind FROM receipts ORDER BY applied_at")
    return {**survey(store), "marks": marks, "sources": sources, "kinds": kinds}


def reopened(folder: Path) -> dict[str, object]:
    store = opened(folder, clock=SetClock(LATER))
    try:
        check_receipts(store)
        return found(store)
    finally:
        close_store(store)


def test_killed_before_every_step_of_an_undo(tmp_path: Path) -> None:
    before, whole = tmp_path / "before", tmp_path / "whole"
    seeded(before)
    shutil.copytree(before, whole)
    steps = steps_of(whole, "undo_last")
    assert steps.count("commit.publish") == 2
    old, new = reopened(before), reopened(whole)
    assert old != new
    assert new["marks"] == [("preferences", 1, 1)]
    marker = steps.index("commit.marker")
    for nth, step in enumerate(steps, start=1):
        folder = tmp_path / str(nth)
        shutil.copytree(before, folder)
        assert killed(folder, "undo_last", nth)
        assert reopened(folder) == (new if nth - 1 > marker else old), (nth, step)
