"""The recorded sessions of Pi 0.85.1 and 1.6.0, against what their answer keys say about who said what."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commonbook.errors import Code
from commonbook.hosts.transcripts import Lineage
from commonbook.vocabulary import Role
from tests.hosts.reading import PI, Read

RECORDINGS = Path(__file__).parent.parent / "recordings"
STORIES = sorted(RECORDINGS.glob("pi-*/stories/*"))
TECHNICAL = sorted(RECORDINGS.glob("pi-*/technical"))


def readings(root: Path) -> dict[str, Read]:
    return {session.path: Read(Path(session.path), root=root) for session in PI.discover(root).sessions}


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_every_user_turn_of_a_story_is_the_users_and_nothing_else_is(story: Path) -> None:
    key: list[dict[str, Any]] = json.loads(next(story.glob("*.key.json")).read_text(encoding="utf-8"))
    said: dict[tuple[str | None, str], str] = {}
    for read in readings(story).values():
        for turn in read.turns:
            said |= {(m.said_in, m.record): m.text for m in turn.messages if m.role is Role.USER}
        assert (read.open_turn, read.waiting, read.problems) == (False, 0, ())
    spoken = [entry for entry in key if entry["source"] == "user"]
    assert {entry["record"] for entry in spoken} == {record for _, record in said}
    for entry in spoken:
        assert [entry["text"] in text for (_, record), text in said.items() if record == entry["record"]] == [True]
    for entry in key:
        if entry["source"] != "user":
            assert all(entry["text"] not in text for text in said.values())


@pytest.mark.parametrize("root", TECHNICAL, ids=lambda path: path.parent.name)
def test_the_technical_sessions_hold_no_surprise(root: Path) -> None:
    found = PI.discover(root)
    strays = {Path(problem.path).name: problem.code for problem in found.problems}
    assert strays == dict.fromkeys(("_rpc_wire.jsonl", "_extension_events.jsonl"), Code.NOT_A_SESSION)
    for read in readings(root).values():
        assert (read.open_turn, read.waiting, read.problems) == (False, 0, ())
        words = [text for turn in read.texts for role, text in turn if role == "user"]
        assert words and all(text.startswith("[[") or text == "message sent by extension" for text in words)


def test_clones_of_forks_name_the_session_of_the_first_saying() -> None:
    for root in TECHNICAL:
        origins: dict[str, set[str | None]] = {}
        for read in readings(root).values():
            for message in (m for turn in read.turns for m in turn.messages if m.role is Role.USER):
                origins.setdefault(message.record, set()).add(message.said_in)
        assert all(len(places) == 1 and None not in places for places in origins.values())


def test_a_session_of_0_85_goes_on_in_1_6(tmp_path: Path) -> None:
    resumed = RECORDINGS / "pi-1.6.0" / "technical" / "_resumed_0851_file.jsonl"
    before = next((RECORDINGS / "pi-0.85.1" / "technical").rglob("*_01a22f0a-821c-*.jsonl"))
    path = tmp_path / before.name
    shutil.copy(before, path)
    first = Read(path)
    assert resumed.read_bytes().startswith(before.read_bytes())
    with path.open("ab") as out:
        out.write(resumed.read_bytes()[before.stat().st_size :])
    assert Read(path, first.cursor).said == [["[[say:resumed by 1.6]]"]]


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_reading_line_by_line_as_it_is_written_finds_the_same_words_once(story: Path, tmp_path: Path) -> None:
    """Capture may look at any moment: between any two lines, and in the middle of one."""
    for session in PI.discover(story).sessions:
        whole = [(m.record, m.digest or m.text) for turn in Read(Path(session.path)).turns for m in turn.messages]
        path, cursor, found = tmp_path / f"{session.session}.jsonl", None, []
        path.write_bytes(b"")
        for line in Path(session.path).read_bytes().splitlines(keepends=True):
            for half in (line[: len(line) // 2], line[len(line) // 2 :]):
                with path.open("ab") as out:
                    out.write(half)
                if b"\n" not in path.read_bytes():
                    continue
                read = Read(path, cursor)
                cursor = read.cursor
                found += [(m.record, m.digest or m.text) for turn in read.turns for m in turn.messages]
        assert found == whole


def test_the_default_place_is_that_of_pi() -> None:
    place = PI.default_root
    assert place({"HOME": "/h"}) == Path("/h/.pi/agent/sessions")
    assert place({"HOME": "/h", "PI_CODING_AGENT_DIR": "~/pi"}) == Path("/h/pi/sessions")
    both = {"HOME": "/h", "PI_CODING_AGENT_DIR": "/a", "PI_CODING_AGENT_SESSION_DIR": "/flat"}
    assert place(both) == Path("/flat")


def test_a_line_of_parents_that_bites_its_tail_ends() -> None:
    sessions = {session.session: session for session in PI.discover(STORIES[0]).sessions}
    first, second = list(sessions)[:2]
    from dataclasses import replace

    looped = {
        first: replace(sessions[first], parent=second),
        second: replace(sessions[second], parent=first),
    }
    line = Lineage.of(looped[first], looped)
    assert [session for _, session in line.line] == [first, second]
    assert line.origin(0) is None
