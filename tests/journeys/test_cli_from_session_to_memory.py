"""The main job through the real command line: recorded sessions become memory that explains itself."""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.cli import real_commonbook as commonbook

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
ENGLISH = RECORDINGS / "pi-0.85.1/stories/tobin-lanternfish"
CHINESE = RECORDINGS / "pi-1.6.0/stories/xuwenzhou-saltmarsh"


@pytest.fixture
def sessions(empty_home: Path) -> Path:
    """Both stories where Pi itself puts its sessions."""
    place = empty_home / ".pi" / "agent" / "sessions"
    for story in (ENGLISH, CHINESE):
        shutil.copytree(story, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.key.json"))
    return place


def test_a_newcomer_says_yes_once_and_owns_a_memory(sessions: Path, empty_home: Path) -> None:
    first = commonbook(terminal=True, typed="y\n")
    assert first.code == 0, first.err
    assert first.out.count("[y/N]") == 1
    assert "What next" in first.out

    shown = commonbook("show", "--all")
    assert shown.code == 0
    assert "pnpm" in shown.out or "pytest" in shown.out or "## " in shown.out
    files = list((empty_home / ".commonbook" / "data" / "memory").rglob("*.md"))
    assert files
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)

    again = commonbook("update", "--json")
    assert [host["new"] for host in again.json["capture"]["hosts"]] == [0]
    assert again.json["maintain"]["messages"] == 0


def test_every_line_can_be_asked_why(sessions: Path) -> None:
    changes = commonbook("update", "--json").json["maintain"]["changes"]
    assert changes
    for change in changes:
        why = commonbook("why", f"{change['target']}#{change['section']}", "--json")
        if why.code:  # a later change may have removed or renamed the section
            assert why.json["error"]["code"] == "UNKNOWN_SECTION"
            continue
        (section,) = why.json["sections"]
        assert section["sources"] or section["by_person"]
        for source in section["sources"]:
            assert source["words"]
            assert source["host"] == "pi"
            assert source["receipt"]
    assert any("“" in commonbook("why", change["target"]).out for change in changes)


def test_what_was_said_is_found_again_in_both_languages(sessions: Path) -> None:
    changes = commonbook("update", "--json").json["maintain"]["changes"]
    line = changes[0]["lines_added"][0]
    words = " ".join(line.strip("-* ").split()[:4])
    hits = commonbook("search", words, "--json").json["segments"]
    assert any(line.strip() in hit["text"] for hit in hits)


def test_the_persons_own_hand(empty_home: Path) -> None:
    assert commonbook("remember", "I review on Fridays", "--scope", "global").code == 3
    assert "I review on Fridays" not in commonbook("show", "--global").out
    assert commonbook("remember", "I review on Fridays", "--scope", "global", "--yes").code == 0
    assert "I review on Fridays" in commonbook("show", "--global").out
    assert commonbook("remember", "I review on Fridays", "--scope", "global", "--yes").code in (0, 1)
    assert commonbook("show", "--global").out.count("I review on Fridays") == 1
    (section,) = commonbook("why", "preferences", "--json").json["sections"][:1]
    assert section["by_person"] or section["sources"]
    forgotten = commonbook("forget", "review on Fridays", "--yes")
    assert forgotten.code == 0, forgotten.err
    assert "- - I review" in forgotten.out or "I review on Fridays" in forgotten.out
    assert "I review on Fridays" not in commonbook("show", "--global").out
    nothing = commonbook("forget", "review on Fridays", "--yes")
    assert nothing.code == 1
    assert "search" in nothing.err
    log = commonbook("log", "--json").json["entries"]
    assert len(log) == 2


def test_an_edit_goes_through_the_agent_and_says_how_it_ended(empty_home: Path) -> None:
    commonbook("remember", "We log with logrus", "--scope", "global", "--yes")
    ran = commonbook("edit", "replace logrus with slog", "--scope", "global", "--json")
    assert ran.json["result"] in ("modified", "clarification_required")
    assert ran.json["complete"] is (ran.json["result"] == "modified")
    waiting = commonbook("edit", "replace slog with zap", "--scope", "global", "--no-wait", "--json")
    assert waiting.code == 13
    assert waiting.json["state"] == "pending"
    assert commonbook("maintain").code == 0
    assert commonbook("queue", "list", "--json").json["total"] == 0


def test_projects_have_a_memory_of_their_own(empty_home: Path) -> None:
    folder = empty_home / "dev" / "paperkite"
    folder.mkdir(parents=True)
    project = commonbook("project", "register", str(folder), "--json").json["project"]
    commonbook("remember", "We tag releases with semver", "--scope", "paperkite", "--yes")
    assert "semver" in commonbook("show", "--project", project["id"]).out
    assert "semver" not in commonbook("show", "--global").out
    assert "semver" in commonbook("search", "releases", "--project", "Paperkite").out
    (listed,) = commonbook("project", "list", "--json").json["projects"]
    assert (listed["id"], listed["sections"]) == (project["id"], 1)
    assert commonbook("project", "remove", "paperkite", "-y").code == 0
    assert commonbook("show", "--project", project["id"]).code == 1
    assert commonbook("project", "list", "--json").json["projects"] == []


def test_pause_keeps_what_waits_and_resume_goes_on(sessions: Path) -> None:
    commonbook("capture")
    assert commonbook("pause").code == 0
    assert commonbook("maintain", "--json").json["messages"] == 0
    status = commonbook("status", "--json").json
    assert status["paused"] is True
    assert status["next"] == "resume"
    assert commonbook("resume").code == 0
    assert commonbook("maintain", "--json").json["messages"] > 0


def test_the_queue_obeys_the_person(sessions: Path) -> None:
    commonbook("capture")
    items = commonbook("queue", "list", "--json").json["items"]
    assert items
    first = items[0]["id"]
    commonbook("queue", "cancel", first)
    states = {item["id"]: item["state"] for item in commonbook("queue", "list", "--json").json["items"]}
    assert states[first] == "paused"
    commonbook("queue", "retry", first)
    commonbook("queue", "flush")
    # One message of these sessions was refused for its secret; without words there is nothing left to decide about.
    assert commonbook("queue", "list", "--json").json["total"] == 0
    assert commonbook("queue", "cancel", first).code == 1
    assert commonbook("queue", "discard", first).code == 0
    assert commonbook("queue", "retry", "nonsense").code == 1


def test_a_dry_run_stores_nothing(sessions: Path) -> None:
    dry = commonbook("capture", "--dry-run", "--json").json["hosts"][0]
    assert dry["new"] > 0
    assert commonbook("queue", "list", "--json").json["total"] == 0
    taken = commonbook("capture", "--json").json["hosts"][0]
    assert taken["new"] + taken["refused"] == dry["new"]


def test_a_missing_folder_is_told_with_the_way_out(empty_home: Path) -> None:
    ran = commonbook("capture", "--session-dir", str(empty_home / "nowhere"))
    assert ran.code == 1
    assert "nowhere" in ran.err
    assert "--session-dir" in ran.err
    none = commonbook("capture")
    assert none.code == 0
    assert ".pi" in none.out
    assert "--session-dir" in none.out
    assert commonbook("capture", "--host", "pi").code == 1
    assert commonbook("capture", "--host", "nobody").code == 1


def test_a_wrong_setting_is_told_by_every_command(empty_home: Path) -> None:
    home = empty_home / ".commonbook"
    home.mkdir()
    (home / "config.toml").write_text('agnet = "rules"\n')
    for words in (("show",), ("status",), ("update",)):
        ran = commonbook(*words)
        assert ran.code == 2
        assert "agnet" in ran.err
        assert "agent" in ran.err


def test_reading_creates_nothing(empty_home: Path) -> None:
    for words in (("show",), ("search", "anything"), ("show", "--all"), ()):
        assert commonbook(*words).code == 0
    assert not (empty_home / ".commonbook").exists()


@pytest.fixture
def ordinary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of an ordinary user: root, as whom tests may run, is refused nothing."""
    home = Path(tempfile.mkdtemp(prefix="commonbook-"))
    monkeypatch.setenv("HOME", str(home))
    yield home
    for folder in (home, *(path for path in home.rglob("*") if path.is_dir())):
        folder.chmod(0o700)
    shutil.rmtree(home)


@contextmanager
def as_somebody(home: Path) -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    for path in (home, *home.rglob("*")):
        os.chown(path, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_home_still_answers(ordinary: Path) -> None:
    commonbook("remember", "I review on Fridays", "--scope", "global", "--yes")
    commonbook("search", "Fridays")
    for path in ordinary.rglob("*"):
        path.chmod(0o500 if path.is_dir() else 0o400)
    with as_somebody(ordinary):
        assert "Fridays" in commonbook("show", "--global").out
        assert "Fridays" in commonbook("search", "Fridays").out
        for words in (("remember", "x y z", "--scope", "global", "--yes"), ("maintain",)):
            refused = commonbook(*words)
            assert refused.code == 1
            assert "cannot be written" in refused.err


def test_on_a_real_terminal_there_is_colour_and_a_live_line(sessions: Path, empty_home: Path) -> None:
    """The program on a pseudo-terminal, the answer typed by hand."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": "src"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "commonbook.app"], stdin=follower, stdout=follower, stderr=follower, env=environment
    )
    os.close(follower)
    said, answered = "", False
    while select.select([leader], [], [], 60)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        said += piece.decode("utf-8", "replace")
        if not answered and "[y/N]" in said:
            os.write(leader, b"y\n")
            answered = True
    os.close(leader)
    assert process.wait(60) == 0
    assert "\x1b[1m" in said
    assert "\r\x1b[2K" in said
    assert "What next" in said


def test_json_is_one_object_also_for_errors(sessions: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "commonbook.app", "show", "nonsense", "--json"],
        env={**os.environ, "PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "UNKNOWN_TARGET"
    assert done.stderr == ""
