"""Sessions of Claude Code into Core: each word once, whichever file repeats it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonbook.capture import capture, survey
from commonbook.clock import Milliseconds
from commonbook.hosts.catalogue import find_host
from commonbook.keeper.contracts import Store
from commonbook.keeper.ingress import register_own_session
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from tests.hosts.claude_code_files import ClaudeFile
from tests.hosts.pi_files import START

CLAUDE = find_host("claude-code")
RECORDINGS = Path(__file__).parent.parent / "recordings" / "claude-code-2.1"
FORK = "be38f927-2e06-4d89-b939-c26e2a41317d"


class StillClock:
    def now(self) -> Milliseconds:
        return START + 10_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    home = tmp_path / "commonbook"
    store = open_store(Home(home, home / "data"), Settings(), clock=StillClock())
    yield store
    close_store(store)


def words(store: Store) -> list[str]:
    return [str(row[0]) for row in store.ledger.rows("SELECT text FROM observations ORDER BY observed_at, id")]


def test_recorded_sessions_go_in_once(store: Store) -> None:
    """12 messages in each story, in one of them a key is masked; 16 in the technical sessions, two of which a fork repeats."""
    taken = [capture(store, CLAUDE, root=RECORDINGS / part) for part in ("stories", "technical")]
    assert [(each.sessions, each.new, each.refused, each.duplicate, each.unknown_records) for each in taken] == [
        (4, 24, 0, 1, 0),
        (8, 16, 0, 2, 0),
    ]
    assert [len(each.problems) for each in taken] == [0, 1]
    assert {scope.rpartition("-")[0] for each in taken for scope, _ in each.scopes} == {
        "project:tollbooth-gateway",
        "project:driftglass",
        "project:demo",
        "project:sub",
    }
    again = capture(store, CLAUDE, root=RECORDINGS)
    assert (again.new, again.refused) == (0, 0)


def test_a_dry_run_counts_the_same(store: Store) -> None:
    seen = capture(store, CLAUDE, root=RECORDINGS / "technical", dry_run=True)
    assert (seen.new, seen.duplicate) == (16, 2)


@pytest.mark.parametrize("first", [True, False], ids=["after its parent", "before its parent"])
def test_a_fork_adds_only_what_is_new_in_it(store: Store, tmp_path: Path, first: bool) -> None:
    story = RECORDINGS / "stories" / "bram-tollbooth" / "-home-dev-proj-tollbooth-gateway"
    place = tmp_path / "sessions"
    place.mkdir()
    files = sorted(story.glob("*.jsonl"), key=lambda path: (path.stem == FORK) is first)
    taken = []
    for path in files:
        shutil.copy(path, place)
        taken.append(capture(store, CLAUDE, root=place).new)
    assert taken == ([10, 2] if first else [3, 9])
    assert len(words(store)) == len(set(words(store))) == 12


def test_a_whole_history_repeated_by_a_fork_stays_with_its_parent(store: Store, tmp_path: Path) -> None:
    parent = ClaudeFile(tmp_path / "s" / "b.jsonl", session="parent")
    parent.turn("Use pnpm.")
    fork = ClaudeFile(tmp_path / "s" / "a.jsonl", session="fork", now=parent.now)
    fork.line(type="mode", mode="normal")
    fork.copy(parent.records)
    fork.turn("Use yarn in this copy.")
    taken = capture(store, CLAUDE, root=tmp_path / "s")
    assert (taken.new, taken.duplicate) == (2, 1)
    assert words(store) == ["Use pnpm.", "Use yarn in this copy."]


def test_our_own_sessions_are_never_read(store: Store, tmp_path: Path) -> None:
    own = ClaudeFile(tmp_path / "s" / "own.jsonl", session="own")
    own.turn("You are the memory agent. Read the turns.")
    register_own_session(store, "claude-code", "own")
    taken = capture(store, CLAUDE, root=tmp_path / "s")
    assert (taken.sessions, taken.new, words(store)) == (0, 0, [])


def test_a_survey_counts_without_a_store() -> None:
    found = survey(CLAUDE, RECORDINGS / "stories")
    assert (found.found, found.name, found.sessions, found.problems) == (True, "Claude Code", 4, ())
