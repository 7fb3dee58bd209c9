"""Where a newcomer got stuck, through the real command line: each way out that we name leads out."""

import json
import re
from pathlib import Path

import pytest

from tests.hosts.pi_files import PiFile
from tests.support.cli import Ran, real_commonbook

FORKS = Path(__file__).resolve().parents[1] / "recordings"


@pytest.fixture
def session(empty_home: Path) -> PiFile:
    """One session of Pi in a project folder, where Pi puts it."""
    folder = empty_home / "gull-api"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return PiFile(empty_home / ".pi/agent/sessions/--gull-api--/2026-01-01_s.jsonl", cwd=str(folder))


def commonbook(*words: str, terminal: bool = False, typed: str = "", code: int | None = 0) -> Ran:
    ran = real_commonbook(*words, terminal=terminal, typed=typed)
    assert code is None or ran.code == code, ran.out + ran.err
    return ran


def test_what_was_put_aside_can_be_seen_let_through_and_thrown_away(session: PiFile) -> None:
    session.turn("My card is 4111 1111 1111 1111, put it into the fixture.")
    commonbook("capture")
    (item,) = commonbook("queue", "list", "--json").json["items"]
    shown = commonbook("queue", "show", item["id"]).out
    for words in ("put aside", "4111 1111 1111 1111", f"queue retry {item['id']}", f"queue discard {item['id']}"):
        assert words in shown
    commonbook("queue", "retry", item["id"])
    commonbook("maintain")
    for action in ("retry", "cancel"):
        assert "Nothing that waits" in commonbook("queue", action, item["id"], code=1).err
    commonbook("queue", "discard", item["id"])
    assert commonbook("queue", "show", item["id"], "--json").json["words"] is None
    home = Path.home() / ".commonbook"
    assert b"4111 1111" not in b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert json.loads(commonbook("capture", "--json").out)["hosts"][0]["new"] == 0


@pytest.fixture
def in_project(session: PiFile, monkeypatch: pytest.MonkeyPatch) -> None:
    assert session.cwd is not None
    monkeypatch.chdir(session.cwd)


@pytest.mark.usefixtures("in_project")
def test_an_edit_that_finds_nothing_here_says_where_the_words_stand() -> None:
    commonbook("remember", "I live in Bergen", "--scope", "global", "-y")
    commonbook("remember", "the API answers in JSON", "-y")
    asked = commonbook("edit", "replace Bergen with Oslo", code=11).out
    assert "Nothing in project gull-api says “Bergen”." in asked
    assert "profile does (1×): add --scope global" in asked
    told = commonbook("edit", "we are in Bergen no more", "--json", code=11).json
    assert told["elsewhere"] == [{"context": "global", "target": "profile", "words": "bergen", "lines": 1}]
    assert "It is not clear" in commonbook("edit", "replace Tromsø with Oslo", code=11).out
    assert commonbook("edit", "replace JSON with YAML").out.startswith("projects/gull-api\n")
    there = commonbook("edit", "replace Bergen with Oslo", terminal=True, typed="y\n").out
    assert "Change it there? [y/N]" in there
    assert "+ I live in Oslo" in there.replace("\x1b[32m", "")


def test_forget_does_not_take_much_on_a_short_word() -> None:
    for number in range(6):
        commonbook("remember", f"the number {number} is for the lift", "--scope", "global", "-y")
    for words in ("the", "lift"):
        asked = commonbook("forget", words, "-y", code=3)
        assert "- the number 5" in asked.out
        assert "6 lines" in asked.err and "--all" in asked.err
        assert commonbook("forget", words, "-y", "--json", code=3).json["error"]["code"] == "NEEDS_CONFIRMATION"
    commonbook("forget", "number 5", "-y")
    commonbook("forget", "lift", "-y", "--all")
    assert "Nothing is remembered" in commonbook("show", "--global").out


@pytest.mark.usefixtures("in_project")
def test_a_new_project_is_announced_once() -> None:
    sentence = "a new project, “gull-api”"
    first = commonbook("remember", "We deploy on Tuesdays", "-y").out
    assert sentence in first
    assert re.search(r"\+ We deploy on Tuesdays \(\d{4}-\d\d-\d\d\)", first), "dated like every other line"
    assert "already" in commonbook("remember", "we deploy on Tuesdays", "-y").out
    assert sentence not in commonbook("remember", "We test on Mondays", "-y").out


@pytest.mark.usefixtures("in_project")
def test_what_was_captured_is_not_called_the_persons_own_writing(session: PiFile) -> None:
    session.turn("From now on we always use pnpm here, never npm.")
    session.turn("We tag releases by calendar.")
    commonbook("update")
    commonbook("forget", "calendar", "-y")
    out = commonbook("why", "gull-api").out
    assert "by hand" not in out
    assert "“From now on" in out and "project gull-api" in out
    assert ".jsonl" not in out and "change " not in out, "paths and ids are asked for"
    verbose = commonbook("why", "gull-api", "-v").out
    assert ".jsonl" in verbose and "change " in verbose


@pytest.mark.usefixtures("in_project")
def test_a_project_whose_folder_is_gone_is_registered_by_name(session: PiFile) -> None:
    commonbook("remember", "We deploy on Tuesdays", "-y")
    (known,) = commonbook("project", "list", "--json").json["projects"]
    Path(known["root"]).rename(Path.home() / "elsewhere")
    asked = commonbook("project", "remove", "gull-api", code=3)
    assert f"projects/{known['id']}.md stays" in asked.out
    commonbook("project", "remove", "gull-api", "-y")
    again = commonbook("project", "register", "gull-api", "--json").json["project"]
    assert (again["root"], again["state"]) == (known["root"], "registered")
    assert again["id"] != known["id"]
    unknown = commonbook("project", "register", "nowhere", code=1).err
    assert "nowhere does not exist" in unknown and "--session-dir" not in unknown


def test_a_connection_says_what_it_may_read(empty_home: Path) -> None:
    assert (
        "make the folder first"
        in commonbook("mcp-config", "codex", "--workspace", str(empty_home / "nope"), code=1).err
    )
    assert "--workspace PATH" in commonbook("mcp-config", "codex", "--no-global", code=2).err
    assert "--workspace PATH" in commonbook("mcp", "--client-id", "x", "--capability", "read", code=2).err
    both = commonbook("mcp-config", "codex", "--workspace", str(empty_home)).out
    assert "--global --workspace" in both
    alone = commonbook("mcp-config", "codex", "--workspace", str(empty_home), "--no-global").out
    assert "--workspace" in alone and "--global" not in alone
