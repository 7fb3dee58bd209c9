"""``undo``: a change is taken back whole, as the person's own correction, or not at all."""

from pathlib import Path

import pytest

from commonbook.errors import Code, CommonbookError
from commonbook.keeper import history
from commonbook.keeper.commit import commit_undo
from commonbook.keeper.contracts import Store
from commonbook.keeper.log import read_log
from commonbook.keeper.person import commit_plan, plan_forget, plan_remember
from commonbook.keeper.projects import remove_project
from commonbook.keeper.retention import DAY, prune
from commonbook.keeper.undo import UndoPlan, plan_undo
from commonbook.keeper.why import explain
from commonbook.keeper.work import Committed
from commonbook.vocabulary import GLOBAL, PREFERENCES, ProjectId, Scope, project_scope
from tests.support.cli import real_commonbook
from tests.support.committing import drop, keep, project, put, shown, write
from tests.support.queueing import START, SetClock, opened

NPM = "# Preferences\n\n## Tools\n\n- use npm\n"


def undo(store: Store, receipt: str = "last") -> Committed:
    plan = plan_undo(store, receipt)
    return commit_undo(store, plan.receipt, [change.expected for change in plan.changes])


def lines(plan: UndoPlan) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(change.section, change.lines_added, change.lines_removed) for change in plan.changes]


def refused(store: Store, receipt: str = "last") -> Code:
    with pytest.raises(CommonbookError) as told:
        undo(store, receipt)
    return told.value.code


def sources(store: Store, section: str = "Tools") -> list[str | None]:
    return [source.words for origin in explain(store, PREFERENCES, section) for source in origin.sources]


def twice(store: Store) -> Committed:
    keep(store, "use npm", put("Tools", "- use npm"))
    return keep(store, "use pnpm now", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 10)


def test_former_text_and_links_come_back(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    reasons = sources(store)
    keep(store, "lint with ruff", put("Lint", "- ruff"), at=START + 5)
    keep(store, "use pnpm now", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 10)
    plan = plan_undo(store, "last")
    assert lines(plan) == [("Tools", ("- use npm",), ("- use pnpm",))]
    assert "pnpm" in shown(store), "a preview writes nothing"
    undo(store)
    assert shown(store) == NPM + "\n## Lint\n\n- ruff\n"
    assert sources(store) == reasons == ["use npm"]
    assert [(entry.kind, entry.agent, entry.decisions) for entry in read_log(store, 1)] == [("undo", "person", ())]


def test_older_words_never_overwrite_what_was_restored(tmp_path: Path) -> None:
    clock = SetClock(START + 1_000)
    store = opened(tmp_path, clock=clock)
    twice(store)
    undo(store)
    with pytest.raises(CommonbookError, match="STALE_SOURCE"):
        keep(store, "yarn it is", put("Tools", "- use yarn", section="s1"), admission="update", at=START + 500)
    assert shown(store) == NPM


def test_newer_words_do(tmp_path: Path) -> None:
    store = opened(tmp_path, clock=SetClock(START + 1_000))
    twice(store)
    undo(store)
    keep(store, "yarn it is", put("Tools", "- use yarn", section="s1"), admission="update", at=START + 1_001)
    assert "yarn" in shown(store)


def test_an_undo_is_undone_again_and_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    twice(store)
    after = shown(store)
    for expected in (NPM, after, NPM, after):
        undo(store)
        assert shown(store) == expected
    assert sources(store) == ["use npm", "use pnpm now"] or sources(store) == ["use pnpm now"]


def test_what_was_made_goes_and_what_was_removed_comes_back(tmp_path: Path) -> None:
    store = opened(tmp_path)
    made = keep(store, "use npm", put("Tools", "- use npm"))
    undo(store, made.receipt)
    assert shown(store) == "# Preferences\n"
    assert store.ledger.row("SELECT COUNT(*) FROM sections") == (0,)
    assert lines(plan_undo(store, "last")) == [("Tools", ("## Tools", "- use npm"), ())]
    undo(store)
    assert shown(store) == NPM


def test_a_renamed_section_keeps_its_place(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    keep(store, "lint with ruff", put("Lint", "- ruff"), at=START + 1)
    before = shown(store)
    keep(store, "call it by its name", put("npm", "- use npm", section="s1"), kind="maintain", at=START + 2)
    assert shown(store).index("## npm") < shown(store).index("## Lint")
    undo(store)
    assert shown(store) == before
    assert sources(store) == ["use npm"]


def test_two_documents_are_taken_back_together(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "npm, and I am Ada", put("Tools", "- use npm"), put("Me", "- is Ada", target="profile"))
    undo(store)
    assert (shown(store), shown(store, "profile")) == ("# Preferences\n", "# Profile\n")


def test_a_remembered_line_goes_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    commit_plan(store, plan_remember(store, "I like tea", GLOBAL))
    before = shown(store)
    commit_plan(store, plan_remember(store, "and coffee", GLOBAL))
    undo(store)
    assert shown(store) == before


@pytest.mark.parametrize("by", ["agent", "hand", "hand removed"])
def test_a_section_that_changed_again_stays_and_so_does_the_rest(tmp_path: Path, by: str) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    changes = (put("Tools", "- use bun", section="s1"), put("Me", "- is Ada", target="profile"))
    done = keep(store, "bun, and I am Ada", *changes, admission="update", at=START + 1)
    if by == "agent":
        keep(store, "pnpm", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 2)
    else:
        write(store, PREFERENCES, NPM.replace("npm", "yarn") if by == "hand" else "# Preferences\n")
    before = shown(store)
    assert refused(store, done.receipt) is Code.CHANGED_SINCE
    assert (shown(store), shown(store, "profile")) == (before, "# Profile\n\n## Me\n\n- is Ada\n")


def test_the_later_change_first_then_the_earlier(tmp_path: Path) -> None:
    store = opened(tmp_path)
    first = keep(store, "use npm", put("Tools", "- use npm"))
    second = keep(store, "pnpm", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 1)
    assert refused(store, first.receipt) is Code.CHANGED_SINCE
    undo(store, second.receipt)
    undo(store, first.receipt)
    assert shown(store) == "# Preferences\n"


def test_what_stands_there_again_needs_no_undo(tmp_path: Path) -> None:
    store = opened(tmp_path)
    done = twice(store)
    write(store, PREFERENCES, NPM)
    assert plan_undo(store, done.receipt).changes == ()


@pytest.mark.parametrize("how", ["by_hand", "by_agent", "mixed"])
def test_a_forget_cannot_be_undone(tmp_path: Path, how: str) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    if how == "by_hand":
        commit_plan(store, plan_forget(store, "npm", [GLOBAL]))
    else:
        keep(store, "forget npm", drop("s1"), kind="forget", at=START + 1)
    assert refused(store) is Code.NOTHING_TO_RESTORE
    assert "npm" not in shown(store)


def test_nothing_forgotten_comes_back_and_no_change_is_undone_by_half(tmp_path: Path) -> None:
    """The commit merged two sections; a line of one was forgotten since, so the other alone must not come back."""
    store = opened(tmp_path)
    keep(store, "tea, and Lisbon", put("Drinks", "- tea"), put("Cities", "- Lisbon"))
    merged = keep(store, "only tea", put("All", "- tea", section="s1"), drop("s2"), admission="correct", at=START + 2)
    keep(store, "Lisbon again", put("Me", "- Lisbon", target="profile"), at=START + 3)
    commit_plan(store, plan_forget(store, "Lisbon", [GLOBAL]))
    assert refused(store, merged.receipt) is Code.NOTHING_TO_RESTORE
    assert b"Lisbon" not in store.home.history_database.read_bytes()
    assert "Lisbon" not in shown(store)


def test_a_source_forgotten_since_is_not_linked_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    done = keep(store, "use pnpm now", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 10)
    store.ledger.run(
        "INSERT INTO forgotten_sources SELECT scope, content_digest, observed_at FROM observations WHERE text = 'use npm'"
    )
    undo(store, done.receipt)
    assert sources(store) == []
    assert store.ledger.row("SELECT by_person FROM sections") == (1,)


def test_what_is_no_longer_in_history_stays(tmp_path: Path) -> None:
    clock = SetClock()
    store = opened(tmp_path, clock=clock)
    done = twice(store)
    clock.pass_by(31 * DAY)
    prune(store)
    assert history.former(store.home, done.receipt) == ()
    assert refused(store) is Code.NOTHING_TO_RESTORE
    store.home.history_database.write_bytes(b"no database" * 900)
    assert refused(store) is Code.NOTHING_TO_RESTORE


def test_only_what_was_shown_is_committed(tmp_path: Path) -> None:
    store = opened(tmp_path)
    twice(store)
    plan = plan_undo(store, "last")
    write(store, PREFERENCES, shown(store) + "\n## Mine\n\n- x\n")
    with pytest.raises(CommonbookError, match="STALE_REVISION"):
        commit_undo(store, plan.receipt, [change.expected for change in plan.changes])
    undo(store)
    assert shown(store) == NPM + "\n## Mine\n\n- x\n"


def test_names_that_mean_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert refused(store) is Code.UNKNOWN_RECEIPT
    twice(store)
    for name in ("nobody", "../receipts/x", ""):
        assert refused(store, name) is Code.UNKNOWN_RECEIPT


def test_a_removed_project_is_left_alone(tmp_path: Path) -> None:
    store = opened(tmp_path)
    scope: Scope = project_scope(project(store, tmp_path / "atlas"))
    commit_plan(store, plan_remember(store, "build with bazel", scope))
    remove_project(store, ProjectId("atlas-0a1b"))
    assert refused(store) is Code.UNKNOWN_PROJECT


def test_the_command_shows_asks_and_takes_back(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty_home)
    real_commonbook("remember", "I like tea", "--scope", "global", "--yes")
    asked = real_commonbook("undo")
    assert (asked.code, "I like tea" in asked.out, "--yes" in asked.err) == (3, True, True)
    assert real_commonbook("undo", "last", terminal=True, typed="n\n").code == 3
    done = real_commonbook("undo", terminal=True, typed="y\n")
    assert done.code == 0
    assert "I like tea" not in real_commonbook("show").out
    receipt = real_commonbook("log", "--json").json["entries"][0]["receipt"]
    assert real_commonbook("undo", receipt, "--yes").code == 0
    assert "I like tea" in real_commonbook("show").out
    wrong = real_commonbook("undo", "nobody", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (1, "UNKNOWN_RECEIPT")
