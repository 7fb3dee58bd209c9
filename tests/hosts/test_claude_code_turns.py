"""What counts as the user's words in a session of Claude Code, and where turns end, record by record."""

from pathlib import Path

import pytest

from commonbook.errors import Code
from commonbook.hosts.catalogue import find_host
from tests.hosts.claude_code_files import ClaudeFile
from tests.hosts.reading import Read

CLAUDE = find_host("claude-code").transcripts()


@pytest.fixture
def file(tmp_path: Path) -> ClaudeFile:
    return ClaudeFile(tmp_path / "-home-dev-proj-lantern" / "80e73c5e-99c0-400d-8a5f-0b7eadd37c01.jsonl")


def read(file: ClaudeFile, cursor: str | None = None, *, seal: bool = False) -> Read:
    return Read(file.path, cursor, seal=seal, source=CLAUDE)


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/model</command-name>\n<command-args>opus</command-args>",
        "<command-message>review</command-message>\n<command-name>/review</command-name>",
        "<local-command-stdout>Compacted </local-command-stdout>",
        "<local-command-caveat>The command below was run directly</local-command-caveat>",
        "<bash-input>ls</bash-input>",
        "<task-notification>\n<task-id>b1</task-id></task-notification>",
        "<system-reminder>remember that tests are skipped</system-reminder>",
        "\n<system-reminder>never closed: always skip tests",
        "<ide_opened_file>The user opened the file a.py in the IDE.</ide_opened_file>",
    ],
)
def test_what_the_client_writes_under_the_users_role_is_not_the_users(file: ClaudeFile, text: str) -> None:
    file.user(text)
    file.user([{"type": "text", "text": text}])
    file.queued(text)
    assert read(file, seal=True).turns == []


@pytest.mark.parametrize("mark", ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain"])
def test_marked_records_are_not_the_users(file: ClaudeFile, mark: str) -> None:
    file.user("The user wants every test skipped.", **{mark: True})
    assert read(file, seal=True).turns == []


@pytest.mark.parametrize("tag", ["ide_opened_file", "ide_selection", "system-reminder"])
def test_what_stands_before_or_beside_the_prompt_is_cut_off(file: ClaudeFile, tag: str) -> None:
    added = f"<{tag}>\nalways use yarn\n</{tag}>"
    file.user(f"{added}\n\nUse pnpm here, <{tag}> is quoted.")
    file.says("Fine.")
    file.user([{"type": "text", "text": added}, {"type": "text", "text": "And no yarn."}])
    file.says("Fine.")
    assert read(file).said == [[f"Use pnpm here, <{tag}> is quoted."], ["And no yarn."]]


def test_bookkeeping_and_queues_repeat_nothing(file: ClaudeFile) -> None:
    file.user("Run the tests.")
    file.calls()
    file.queued("Names are lower case.")
    file.result("ok")
    file.queued([{"type": "text", "text": "And short."}, {"type": "image", "source": {}}])
    file.queued("<b1 is done>", commandMode="task-notification")
    file.says("Done.")
    found = read(file)
    assert found.said == [["Run the tests.", "Names are lower case.", "And short."]]
    assert (found.ends, found.problems) == ([("settled", "stop")], ())


def test_a_message_queued_after_the_turn_was_taken_is_a_turn_of_its_own(file: ClaudeFile) -> None:
    file.turn("One.")
    first = read(file)
    file.queued("Two.")
    file.says("Yes.")
    assert (first.said, read(file, first.cursor).said) == ([["One."]], [["Two."]])


def test_thinking_is_in_nothing_and_does_not_end_a_turn(file: ClaudeFile) -> None:
    file.user("What now?")
    file.thinks("The user prefers tabs.")
    assert (read(file).turns, read(file).open_turn) == ([], True)
    file.says("Nothing.")
    assert read(file).texts == [[("user", "What now?"), ("assistant", "Nothing.")]]


def test_one_message_in_several_records_is_one_answer(file: ClaudeFile) -> None:
    file.user("Do it.")
    file.thinks("Hm.", "tool_use")
    file.says("I will look.", "tool_use")
    file.calls()
    file.result([{"type": "text", "text": "two files"}, {"type": "image", "source": {}}])
    file.says("Two files.")
    assert read(file).texts == [
        [("user", "Do it."), ("assistant", "I will look."), ("tool", "two files"), ("assistant", "Two files.")]
    ]


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        ("end_turn", ("settled", "stop")),
        ("stop_sequence", ("settled", "stop")),
        ("max_tokens", ("settled", "length")),
        ("refusal", ("settled", "other")),
        ("tool_use", ("interrupted", "later_turn")),
        (None, ("interrupted", "later_turn")),  # broken off, or written by a version that tells no reason
    ],
)
def test_how_a_turn_ends(file: ClaudeFile, reason: str | None, end: tuple[str, str]) -> None:
    file.user("One.")
    file.says("Answer.", reason)
    file.turn("Two.")
    found = read(file)
    assert found.said == [["One."], ["Two."]]
    assert found.ends == [end, ("settled", "stop")]


def test_errors_and_interruptions_keep_the_words(file: ClaudeFile) -> None:
    file.user("Staging listens on 7443.")
    file.fails()
    file.user("Convert all.")
    file.calls()
    file.result("The user doesn't want to proceed")
    file.interrupted(" for tool use")
    file.turn("Keep the csv.")
    found = read(file)
    assert found.said == [["Staging listens on 7443."], ["Convert all."], ["Keep the csv."]]
    assert found.ends == [("interrupted", "error"), ("interrupted", "aborted"), ("settled", "stop")]


def test_a_session_begins_where_its_first_records_say(file: ClaudeFile) -> None:
    """A snapshot without a session id, then a paste that is longer than what is read at first."""
    paste = "x" * 200_000
    file.raw(b'\xef\xbb\xbf{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n')
    file.turn(paste)
    file.cwd = "/tmp"
    file.turn("After a cd of the agent.")
    (session,) = CLAUDE.discover(file.path.parent).sessions
    assert (session.session, session.cwd) == (file.session, "/home/dev/proj/lantern")
    found = read(file)
    assert found.said == [[paste], ["After a cd of the agent."]]
    assert (found.problems, found.waiting) == ((), 0)


def test_damaged_first_lines_lose_only_themselves(file: ClaudeFile) -> None:
    file.raw(b"\xff\xfe not json\n")
    file.turn("One.")
    found = read(file)
    assert found.said == [["One."]]
    assert [(problem.code, problem.count, problem.line) for problem in found.problems] == [(Code.CORRUPT_RECORD, 1, 1)]


def test_unknown_types_are_counted_and_what_is_known_is_not(file: ClaudeFile) -> None:
    file.turn("One.")
    file.line(type="spoken-prompt", text="Two.")
    file.line(type="system", subtype="informational", content="…")
    file.record("attachment", attachment={"type": "instructions", "files": [{"content": "Use uv."}]})
    file.record("user", message={"role": "user"})
    found = read(file)
    assert found.said == [["One."]]
    assert {problem.code: problem.count for problem in found.problems} == {
        Code.NEWER_FORMAT: 1,
        Code.CORRUPT_RECORD: 1,
    }


def test_sub_agents_and_spilled_outputs_are_beside_their_session(file: ClaudeFile) -> None:
    file.turn("One.")
    beside = ClaudeFile(file.path.with_suffix("") / "subagents" / "agent-a1.jsonl")
    beside.turn("Look for every caller of parse().")
    assert [session.path for session in CLAUDE.discover(file.path.parent.parent).sessions] == [str(file.path)]


def test_other_models_than_claude_are_named_by_themselves(file: ClaudeFile) -> None:
    file.user("One.")
    file.says("Yes.", model="us.anthropic.claude-opus-5-5")
    file.user("Two.")
    file.says("Yes.", model="qwen-coder")
    assert [turn.provider for turn in read(file).turns] == ["anthropic", "qwen-coder"]


def test_the_default_place_is_that_of_claude_code() -> None:
    place = CLAUDE.default_root
    assert place({"HOME": "/h"}) == Path("/h/.claude/projects")
    assert place({"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}) == Path("/c/projects")
