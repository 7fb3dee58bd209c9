"""SIGKILL before every durable step of a commit, in a real process: afterwards the memory is the old text or the new one, the
receipt agrees with the database, and the batch was consumed once or not at all."""

import json
import shutil
from pathlib import Path

import orjson
import pytest

from commonbook.keeper import queue
from commonbook.keeper.contracts import Store
from commonbook.keeper.opening import close_store
from commonbook.vocabulary import ConsideredBy, sha256
from tests.support.commit_victim import killed, steps_of
from tests.support.committing import keep, put, say, shown, take
from tests.support.queueing import START, SetClock, opened

LATER = 2_000_000_000_000


def seeded(folder: Path) -> None:
    """One section from an earlier commit, and one sentence that waits."""
    store = opened(folder, clock=SetClock(START))
    keep(store, "I use npm", put("Tools", "- use npm"))
    say(store, "use pnpm from now on", at=START + 1)
    close_store(store)


def survey(store: Store) -> dict[str, object]:
    """Everything that must agree, from disk and database."""
    rows = store.ledger.rows(
        "SELECT text IS NOT NULL, state FROM observations WHERE host <> 'commonbook' ORDER BY observed_at"
    )
    return {
        "preferences": shown(store),
        "profile": shown(store, "profile"),
        "rows": [tuple(row) for row in rows],
        "sections": sorted(row[0] for row in store.ledger.rows("SELECT body_digest FROM sections")),
        "links": store.ledger.row("SELECT COUNT(*) FROM links"),
        "forgotten": store.ledger.row("SELECT COUNT(*) FROM forgotten_sources"),
        "facts": json.loads(store.home.sections_file.read_bytes())["sections"] != [],
    }


def check_receipts(store: Store) -> None:
    applied: dict[str, str] = dict(store.ledger.rows("SELECT id, digest FROM receipts WHERE kind <> 'ignore'"))
    found = {path.stem: sha256(path.read_bytes()) for path in store.home.receipts.glob("*.json")}
    assert applied == found
    assert not any(store.home.transactions.iterdir())
    for name in found:
        for file in orjson.loads((store.home.receipts / f"{name}.json").read_bytes())["files"]:
            assert (store.home.memory / f"{file['target']}.md").exists()


@pytest.mark.parametrize("scenario", ["two_documents", "forget_one", "ignore", "remember", "forget_by_hand"])
def test_killed_before_every_step(tmp_path: Path, scenario: str) -> None:
    before = tmp_path / "before"
    seeded(before)
    whole = tmp_path / "whole"
    shutil.copytree(before, whole)
    steps = steps_of(whole, scenario)
    assert "commit.database" in steps, steps
    old, new = reopened(before), reopened(whole)

    marker = steps.index("commit.marker") if "commit.marker" in steps else len(steps)
    for nth, step in enumerate(steps, start=1):
        folder = tmp_path / str(nth)
        shutil.copytree(before, folder)
        assert killed(folder, scenario, nth)
        store = opened(folder, clock=SetClock(LATER))
        check_receipts(store)
        done = nth - 1 > marker
        found = survey(store)
        if done:
            assert found == new, (nth, step)
            assert queue.claim(store, ConsideredBy.RULES, "t") is None or scenario in ("remember", "forget_by_hand")
        else:
            assert {**found, "rows": None} == {**old, "rows": None}, (nth, step)
            if scenario not in ("remember", "forget_by_hand"):
                assert [item.text for item in take(store).observations] == ["use pnpm from now on"]
        close_store(store)


def reopened(folder: Path) -> dict[str, object]:
    store = opened(folder, clock=SetClock(LATER))
    try:
        return survey(store)
    finally:
        close_store(store)


@pytest.fixture
def interrupted(tmp_path: Path) -> Path:
    """A commit of two documents that died when the first of them was published."""
    folder = tmp_path / "interrupted"
    seeded(folder)
    probe = tmp_path / "probe"
    shutil.copytree(folder, probe)
    steps = steps_of(probe, "two_documents")
    nth = [number for number, step in enumerate(steps, start=1) if step == "commit.publish"][1]
    assert killed(folder, "two_documents", nth)
    return folder


def test_recovery_itself_may_be_killed(interrupted: Path, tmp_path: Path) -> None:
    probe = tmp_path / "probe2"
    shutil.copytree(interrupted, probe)
    steps = steps_of(probe, "only_recover")
    assert "commit.publish" in steps
    expected = reopened(probe)
    for nth in range(1, len(steps) + 1):
        folder = tmp_path / f"again-{nth}"
        shutil.copytree(interrupted, folder)
        assert killed(folder, "only_recover", nth)
        store = opened(folder, clock=SetClock(LATER))
        check_receipts(store)
        assert survey(store) == expected, steps[nth - 1]
        close_store(store)


@pytest.mark.parametrize("edited", ["preferences", "profile"])
def test_a_foreign_edit_meanwhile_stays(interrupted: Path, edited: str) -> None:
    path = interrupted / "data" / "memory" / f"{edited}.md"
    path.write_text(f"# {edited.capitalize()}\n\n## Mine\n\nmy own words\n")
    store = opened(interrupted, clock=SetClock(LATER))
    assert "my own words" in shown(store, edited)
    other = "profile" if edited == "preferences" else "preferences"
    assert shown(store, other) in ("", "# Preferences\n\n## Tools\n\n- use npm\n")  # half a change is taken back
    (aside,) = store.home.transactions.iterdir()
    assert aside.suffix == ".conflict"
    assert {path.name for path in aside.iterdir()} == {"COMMITTING", "receipt.json"}
    assert store.ledger.row("SELECT state, issue FROM jobs WHERE state <> 'done'") == ("retry", "RECOVERY_CONFLICT")
    assert [item.text for item in take(store).observations] == ["use pnpm from now on"]
    close_store(store)
    again = opened(interrupted, clock=SetClock(LATER))  # and it does not come up a second time
    assert again.ledger.row("SELECT recoveries FROM jobs WHERE state <> 'done'") == (1,)


@pytest.mark.parametrize("leftover", [b"", b"{", b"\x00" * 30])
def test_a_half_written_journal_without_marker_is_thrown_away(tmp_path: Path, leftover: bytes) -> None:
    seeded(tmp_path)
    folder = tmp_path / "data" / "runtime" / "transactions" / "half"
    folder.mkdir()
    (folder / "journal.json").write_bytes(leftover)
    (folder.parent / "stray.tmp").write_bytes(b"x")
    store = opened(tmp_path, clock=SetClock(LATER))
    assert not any(store.home.transactions.iterdir())
    assert "use npm" in shown(store)
