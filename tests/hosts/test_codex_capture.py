"""Codex sessions into Core: each word once, in the project it was said in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonbook.capture import capture, survey
from commonbook.clock import Milliseconds
from commonbook.hosts.catalogue import find_host
from commonbook.keeper.contracts import Store
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Disclosure, Settings
from commonbook.settings.paths import Home
from tests.hosts.codex_files import CodexFile
from tests.hosts.pi_files import START

CODEX = find_host("codex")
RECORDINGS = Path(__file__).parent.parent / "recordings"


class StillClock:
    def now(self) -> Milliseconds:
        return START + 10_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    home = tmp_path / "commonbook"
    settings = Settings(disclosure=Disclosure(provider_classes={"loopback": "local"}))
    store = open_store(Home(home, home / "data"), settings, clock=StillClock())
    yield store
    close_store(store)


def project(folder: Path) -> str:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return str(folder)


def test_recorded_threads_go_in_once_whatever_repeats_them(store: Store) -> None:
    """44 user items in 0.171, one in 0.154; three files are not sessions, a password in a turn is masked."""
    taken = [capture(store, CODEX, root=RECORDINGS / version) for version in ("codex-0.171", "codex-0.154")]
    assert [(each.sessions, each.new, each.refused, each.duplicate, each.unknown_records) for each in taken] == [
        (20, 44, 0, 0, 0),
        (1, 1, 0, 0, 0),
    ]
    assert [len(each.problems) for each in taken] == [3, 0]
    again = capture(store, CODEX, root=RECORDINGS / "codex-0.171")
    assert (again.turns, again.new, again.duplicate, again.bytes_read) == (0, 0, 0, 0)


def test_what_was_said_elsewhere_belongs_there(store: Store, tmp_path: Path) -> None:
    here, there = project(tmp_path / "here"), project(tmp_path / "there")
    codex = CodexFile(tmp_path / "sessions" / "a.jsonl", cwd=here)
    for words, cwd in (("one", here), ("two", there), ("three", there), ("four", here)):
        codex.turn(words, cwd=cwd)
    seen = capture(store, CODEX, root=codex.path.parent, dry_run=True)
    assert dict(seen.scopes) == {"project:here": 2, "project:there": 2}
    taken = capture(store, CODEX, root=codex.path.parent)
    assert (taken.sessions, taken.turns, taken.new, len(taken.scopes)) == (1, 4, 4, 2)
    rows = store.ledger.rows(
        "SELECT o.text, p.name FROM observations AS o JOIN projects AS p ON o.scope = 'project:' || p.id ORDER BY o.observed_at"
    )
    assert rows == [("one", "here"), ("two", "there"), ("three", "there"), ("four", "here")]


def test_the_provider_of_a_thread_is_known_before_anyone_answers(store: Store, tmp_path: Path) -> None:
    codex = CodexFile(tmp_path / "sessions" / "a.jsonl")
    codex.begins()
    codex.user("private, and then the machine died")
    codex.event("thread_settings_applied", thread_settings={"model_provider_id": "cloud"})
    codex.turn("public")
    capture(store, CODEX, root=codex.path.parent)
    rows = store.ledger.rows("SELECT provider_class FROM observations ORDER BY observed_at")
    assert rows == [("local",), ("unknown",)]


def test_a_survey_counts_the_persons_sessions(tmp_path: Path) -> None:
    CodexFile(tmp_path / "a.jsonl").turn("hello")
    CodexFile(tmp_path / "b.jsonl", session="sub", meta={"thread_source": "subagent"}).turn("do it")
    assert (survey(CODEX, tmp_path).found, survey(CODEX, tmp_path).sessions) == (True, 1)
