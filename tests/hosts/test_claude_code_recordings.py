"""The recorded sessions of Claude Code 2.1, against what their answer keys say about who said what."""

import json
from pathlib import Path
from typing import Any

import pytest

from commonbook.errors import Code
from commonbook.hosts.catalogue import find_host
from commonbook.vocabulary import Role
from tests.hosts.reading import Read

CLAUDE = find_host("claude-code").transcripts()
RECORDINGS = Path(__file__).parent.parent / "recordings" / "claude-code-2.1"
STORIES = sorted(RECORDINGS.glob("stories/*"))
TECHNICAL = RECORDINGS / "technical"


def read(path: Path, cursor: str | None = None) -> Read:
    return Read(path, cursor, source=CLAUDE)


def recorded(start: str) -> Read:
    return read(next(TECHNICAL.glob(f"*/{start}*.jsonl")))


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_every_user_turn_of_a_story_is_the_users_once_and_nothing_else_is(story: Path) -> None:
    key: list[dict[str, Any]] = json.loads(next(story.glob("*.key.json")).read_text(encoding="utf-8"))
    said: dict[str, str] = {}
    identities = set()
    for session in CLAUDE.discover(story).sessions:
        found = read(Path(session.path))
        assert (found.open_turn, found.waiting, found.problems) == (False, 0, ())
        for message in (m for turn in found.turns for m in turn.messages if m.role is Role.USER):
            said[message.record] = message.text
            identities.add((message.said_in, message.record))
    spoken = [entry for entry in key if entry["source"] == "user"]
    assert {entry["record"] for entry in spoken} == set(said)
    assert len(identities) == len(said)  # a fork names the same record under the same origin
    for entry in spoken:
        assert entry["text"] in said[entry["record"]]
    for entry in key:
        if entry["source"] != "user":
            assert all(entry["text"] not in text for text in said.values())


def test_what_is_no_session_is_told_and_what_lies_beside_one_is_not() -> None:
    found = CLAUDE.discover(TECHNICAL)
    assert [(Path(problem.path).name, problem.code) for problem in found.problems] == [
        ("_stream_json_wire.jsonl", Code.NOT_A_SESSION)
    ]
    assert len(found.sessions) == 8
    assert {session.cwd for session in found.sessions} == {"/home/dev/proj/demo", "/home/dev/proj/instr/sub"}
    assert all(session.session == Path(session.path).stem for session in found.sessions)


def test_images_errors_a_change_of_model_and_a_compaction() -> None:
    found = recorded("11111111")
    assert found.said == [
        ["[[say:turn one]]"],
        ['[[think:hmm]][[tool:Bash {"command":"echo two","description":"d"}]][[next]][[say:turn two]]'],
        ["[[say:image seen]]"],
        ["[[error:400 bad scripted]]"],
        ["[[say:partial]][[hang:15]][[say:never]]"],
        ["[[say:after model change]]"],
        ["[[say:after compaction]]"],
        ["[[say:resumed]]"],
    ]
    failed, stopped = ("interrupted", "error"), ("settled", "stop")
    assert found.ends == [stopped, stopped, stopped, failed, failed, failed, stopped, stopped]
    assert [m.has_images for turn in found.turns for m in turn.messages if m.role is Role.USER].index(True) == 2
    assert found.texts[1][1:] == [("tool", "two"), ("assistant", "turn two")]
    assert found.texts[3][1:] == []  # the client's own report of an error is nobody's words
    assert {turn.provider for turn in found.turns} == {"anthropic"}


def test_an_abort_ends_the_turn_and_keeps_its_words() -> None:
    found = recorded("22222222")
    assert found.ends == [("interrupted", "aborted"), ("interrupted", "aborted"), ("settled", "stop")]
    assert found.texts[0] == [("user", "[[say:partial]][[hang:12]][[say:never]]"), ("assistant", "partial")]


def test_a_fork_repeats_records_under_the_same_identity() -> None:
    first, fork = recorded("11111111"), recorded("44e907cc")
    assert fork.said == [
        ["[[say:after compaction]]"],
        ["[[say:resumed]]"],
        ["[[say:forked]]"],
        ["[[say:continued]]"],
    ]
    identities = [
        {(m.said_in, m.record) for turn in each.turns for m in turn.messages if m.role is Role.USER}
        for each in (first, fork)
    ]
    assert len(identities[0] & identities[1]) == 2


def test_a_message_sent_while_the_agent_worked_belongs_to_its_turn() -> None:
    found = read(next(STORIES[0].glob("*/80e73c5e*.jsonl")))
    assert found.said[2] == [
        "Run the tests once more with verbose output.",
        "While that runs: test names are lower case in this repo, keep it that way.",
    ]
    assert found.ends[2] == ("settled", "stop")


def test_a_prompt_that_a_hook_blocked_is_not_taken() -> None:
    """The client kept no prompt, and the person's own hook wanted it nowhere."""
    for start in ("a876a7b7", "fd390499"):
        found = recorded(start)
        assert (found.turns, found.open_turn, found.waiting, found.problems) == ([], False, 0, ())


def test_what_a_stop_hook_demands_is_not_the_users() -> None:
    assert recorded("80cb39ee").texts == [
        [("user", "[[say:orig]]"), ("assistant", "orig"), ("assistant", "STOPBLOCK-CONTINUED")]
    ]


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_reading_line_by_line_as_it_is_written_finds_the_same_words_once(story: Path, tmp_path: Path) -> None:
    for session in CLAUDE.discover(story).sessions:
        whole = [(m.record, m.digest or m.text) for turn in read(Path(session.path)).turns for m in turn.messages]
        path, cursor, found = tmp_path / f"{session.session}.jsonl", None, []
        path.write_bytes(b"")
        for line in Path(session.path).read_bytes().splitlines(keepends=True):
            for half in (line[: len(line) // 2], line[len(line) // 2 :]):
                with path.open("ab") as out:
                    out.write(half)
                if not CLAUDE.discover(tmp_path).sessions:
                    continue
                part = read(path, cursor)
                cursor = part.cursor
                found += [(m.record, m.digest or m.text) for turn in part.turns for m in turn.messages]
        assert found == whole
        path.unlink()
