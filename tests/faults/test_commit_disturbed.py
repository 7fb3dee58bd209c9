"""What happens in the worst moment: an editor saves, a source is forgotten, a project is removed, the disk fails."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from commonbook.errors import Code, CommonbookError, PlaceError
from commonbook.keeper import publish, queue
from commonbook.keeper.commit import commit_proposal
from commonbook.keeper.contracts import AgentOutcome, Claim, Store
from commonbook.keeper.grant import Grant, open_grant
from commonbook.keeper.opening import close_store
from commonbook.keeper.person import commit_plan, plan_remember
from commonbook.keeper.projects import remove_project
from commonbook.keeper.recovery import recover
from commonbook.settings.model import MIB
from commonbook.vocabulary import PREFERENCES, TaskKind, project_scope
from tests.support.committing import (
    OUTCOME,
    commit,
    decide,
    drop,
    keep,
    project,
    proposal,
    put,
    read_all,
    refs,
    say,
    shown,
    take,
    write,
)
from tests.support.queueing import START, count, opened

MINE = "# Preferences\n\n## Mine\n\nsaved in this very moment\n"


def submitted(store: Store, *, kind: str = "retain") -> tuple[Claim, Grant]:
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant)
    made = [] if kind == "ignore" else [put("Tools", "- use pnpm"), put("Me", "- is Ada", target="profile")]
    where = "uncertain" if kind == "ignore" else "global"
    grant.submit(proposal(claim, decide(kind, *made, evidence=refs(claim), where=where)))
    return claim, grant


def code_of(call: Callable[..., object], *arguments: object) -> Code:
    with pytest.raises(CommonbookError) as told:
        call(*arguments)
    return told.value.code


class Saboteur:
    """Does something just before the nth time of a step."""

    def __init__(self, step: str, act: Callable[[], object], nth: int = 1) -> None:
        self.step, self.act, self.left = step, act, nth

    def __call__(self, step: str) -> None:
        if step == self.step:
            self.left -= 1
            if self.left == 0:
                self.act()


@pytest.mark.parametrize(
    ("step", "nth"),
    [
        ("commit.check", 1),
        ("commit.stage_file", 1),
        ("commit.stage_journal", 1),
        ("commit.marker", 1),
        ("commit.publish", 1),
        ("commit.publish", 2),
    ],
)
def test_an_editor_saves_while_we_commit(tmp_path: Path, step: str, nth: int) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm, I am Ada")
    claim, grant = submitted(store)
    store = replace(store, mark=Saboteur(step, lambda: write(store, PREFERENCES, MINE), nth))
    assert code_of(commit_proposal, store, claim, grant, OUTCOME) is Code.STALE_REVISION
    assert shown(store) == MINE and shown(store, "profile") == ""  # half a change is taken back
    assert not any(store.home.transactions.iterdir()) and not any(store.home.receipts.iterdir())
    assert count(store, "receipts") == 0
    grant.close()
    queue.hand_back(store, claim)
    again = take(store)
    commit(store, again, proposal(again, decide("retain", put("Tools", "- use pnpm"), evidence=refs(again))))
    assert shown(store).startswith(MINE) and "use pnpm" in shown(store)


def test_the_disk_fails_behind_the_marker(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm, I am Ada")
    claim, grant = submitted(store)

    def fail() -> None:
        raise PlaceError(Code.DISK_FAILED, path="disk")

    broken = replace(store, mark=Saboteur("commit.receipt", fail))
    assert code_of(commit_proposal, broken, claim, grant, OUTCOME) is Code.DISK_FAILED
    assert queue.fail(store, claim, Code.DISK_FAILED) == "retry"
    assert recover(store).published == (claim.job,)
    assert "use pnpm" in shown(store) and "is Ada" in shown(store, "profile")
    assert count(store, "receipts") == 1
    assert recover(store).published == ()
    assert store.ledger.row("SELECT state FROM observations") == ("processed",)


def test_the_grant_finishes_what_is_behind_the_marker_before_any_agent_runs(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm, I am Ada")
    claim, grant = submitted(store)

    def fail() -> None:
        raise PlaceError(Code.DISK_FAILED, path="disk")

    broken = replace(store, mark=Saboteur("commit.apply", fail))
    assert code_of(commit_proposal, broken, claim, grant, OUTCOME) is Code.DISK_FAILED
    assert code_of(open_grant, store, claim) is Code.STALE_LEASE
    assert count(store, "receipts") == 1 and queue.is_idle(store)


def test_a_journal_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    store = opened(tmp_path)
    folder = store.home.transactions / "broken"
    folder.mkdir()
    (folder / "COMMITTING").touch()
    (folder / "journal.json").write_text("{")
    (folder / "receipt.json").write_text("{}")
    assert recover(store).conflicts == ("broken",)
    assert [path.name for path in store.home.transactions.iterdir()] == ["broken.conflict"]
    assert recover(store).conflicts == ()


def put_link(path: Path) -> None:
    path.symlink_to(path.parents[3] / "elsewhere.md")


def put_folder(path: Path) -> None:
    path.mkdir()
    (path / "theirs.md").write_text("theirs")


def put_second_name(path: Path) -> None:
    os.link(path.parents[3] / "elsewhere.md", path)


def put_flood(path: Path) -> None:
    path.write_bytes(b"x" * (MIB + 1))


NO_DOCUMENT = pytest.mark.parametrize("put_there", [put_link, put_folder, put_second_name, put_flood])


class _Killed(BaseException): ...


def killed() -> None:
    raise _Killed


@NO_DOCUMENT
def test_no_plain_file_in_the_place_of_a_document_closes_the_memory_to_nobody(
    tmp_path: Path, put_there: Callable[[Path], None]
) -> None:
    """It came behind the marker of a commit that then crashed: every later start met it, and failed."""
    (tmp_path / "elsewhere.md").write_text("theirs")
    store = opened(tmp_path / "home")
    say(store, "use pnpm, I am Ada")
    claim, grant = submitted(store)
    with pytest.raises(_Killed):
        commit_proposal(replace(store, mark=Saboteur("commit.publish", killed, 2)), claim, grant, OUTCOME)
    grant.close()
    close_store(store)
    path = tmp_path / "home/data/memory/preferences.md"
    put_there(path)
    store = opened(tmp_path / "home")
    assert [found.name.endswith(".conflict") for found in store.home.transactions.iterdir()] == [True]
    assert shown(store, "profile") == "", "half a change is taken back"
    assert path.is_symlink() or path.is_dir() or path.stat().st_nlink == 2 or path.stat().st_size == MIB + 1
    assert (tmp_path / "elsewhere.md").read_text() == "theirs"
    mine = project_scope(project(store, tmp_path / "mine"))
    commit_plan(store, plan_remember(store, "build with bazel", mine))
    assert "bazel" in shown(store, "projects/mine-0a1b")
    again = store.ledger.row("SELECT state, issue FROM jobs WHERE id = ?", (claim.job,))
    assert again == ("retry", "RECOVERY_CONFLICT")


def test_a_full_disk_is_no_conflict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm, I am Ada")
    claim, grant = submitted(store)
    with pytest.raises(_Killed):
        commit_proposal(replace(store, mark=Saboteur("commit.publish", killed)), claim, grant, OUTCOME)

    def full(*_: object) -> None:
        raise PlaceError(Code.DISK_FULL, path="disk")

    with monkeypatch.context() as patched:
        patched.setattr(publish, "replace_durable", full)
        assert code_of(recover, store) is Code.DISK_FULL
    assert recover(store).published == (claim.job,)
    assert "use pnpm" in shown(store)


@NO_DOCUMENT
def test_no_plain_file_that_appears_in_the_worst_moment_is_left_alone(
    tmp_path: Path, put_there: Callable[[Path], None]
) -> None:
    (tmp_path / "elsewhere.md").write_text("theirs")
    store = opened(tmp_path / "home")
    say(store, "use pnpm, I am Ada")
    claim, grant = submitted(store)
    path = tmp_path / "home/data/memory/preferences.md"
    store = replace(store, mark=Saboteur("commit.publish", lambda: put_there(path), 2))
    assert code_of(commit_proposal, store, claim, grant, OUTCOME) is Code.STALE_REVISION
    assert shown(store, "profile") == "" and not any(store.home.transactions.iterdir())


def test_nothing_submitted_consumes_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm")
    claim = take(store)
    _, grant = open_grant(store, claim)
    assert code_of(commit_proposal, store, claim, grant, OUTCOME) is Code.NO_DECISION
    failed = AgentOutcome(Code.AGENT_TURN_LIMIT, "x/1", "0" * 64)
    assert code_of(commit_proposal, store, claim, grant, failed) is Code.AGENT_TURN_LIMIT
    assert store.ledger.row("SELECT state FROM observations") == ("claimed",)


@pytest.mark.parametrize(("others", "code"), [(0, Code.FORGOTTEN_SOURCE), (1, Code.BATCH_CHANGED)])
def test_a_source_that_is_forgotten_meanwhile_is_not_committed(tmp_path: Path, others: int, code: Code) -> None:
    store = opened(tmp_path)
    gone = say(store, "use pnpm, I am Ada")
    for number in range(others):
        say(store, f"and more {number}", at=START + 1 + number)
    claim, grant = submitted(store)
    store.ledger.run("UPDATE observations SET text = NULL, bytes = 0 WHERE id = ?", (gone,))
    assert code_of(commit_proposal, store, claim, grant, OUTCOME) is code
    assert shown(store) == "" and count(store, "receipts") == 0


def test_a_project_that_is_removed_meanwhile_is_not_written(tmp_path: Path) -> None:
    store = opened(tmp_path)
    mine = project(store, tmp_path / "mine")
    say(store, "use bazel here", scope=project_scope(mine))
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant)
    made = decide(
        "retain", put("Build", "- use bazel", target=f"projects/{mine}"), evidence=refs(claim), where="project"
    )
    grant.submit(proposal(claim, made))
    remove_project(store, mine)
    assert code_of(commit_proposal, store, claim, grant, OUTCOME) is Code.UNREGISTERED_PROJECT
    assert shown(store, f"projects/{mine}") == ""


def test_a_secret_found_late_puts_aside_only_its_own_message(tmp_path: Path) -> None:
    store = opened(tmp_path)
    first = say(store, "use pnpm")
    bad = say(store, "harmless", at=START + 1)
    store.ledger.run("UPDATE observations SET text = 'key AKIAIOSFODNN7EXAMPLE' WHERE id = ?", (bad,))
    claim = take(store)
    assert code_of(open_grant, store, claim) is Code.EXPIRED_TASK
    assert store.ledger.row("SELECT state, issue FROM observations WHERE id = ?", (bad,)) == (
        "quarantined",
        "SENSITIVE_INPUT",
    )
    queue.hand_back(store, claim)
    assert [item.id for item in take(store).observations] == [first]


@pytest.mark.parametrize("result", ["modified", "already_satisfied", "clarification_required", "refused"])
def test_the_result_of_an_edit_is_stored_with_its_commit(tmp_path: Path, result: str) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    say(store, "forget npm", at=START + 1, kind=TaskKind.EDIT)
    claim = take(store)
    made = decide("forget", drop("s1"), evidence=refs(claim)) if result == "modified" else decide("ignore")
    done = commit(store, claim, proposal(claim, made, edit_result=result))
    assert done.edit_result == result
    assert store.ledger.row("SELECT edit_result, state FROM jobs WHERE id = ?", (claim.job,)) == (result, "done")
    assert store.ledger.row("SELECT edit_result FROM receipts WHERE id = ?", (claim.job,)) == (result,)
    assert ("use npm" in shown(store)) is (result != "modified")
