"""Which records of a Pi session belong to which turn, and which of them a person said."""

from itertools import chain
from pathlib import Path

import pytest

from commonbook.errors import Code
from commonbook.hosts.turns import MESSAGE_WEIGHT
from commonbook.vocabulary import Role, sha256
from tests.hosts.pi_files import PiFile
from tests.hosts.reading import PI, Read


@pytest.fixture
def pi(tmp_path: Path) -> PiFile:
    return PiFile(tmp_path / "2026-09-21T00-00-00-000Z_s.jsonl")


def test_a_turn_lasts_from_the_prompt_to_the_end_of_the_tool_loop(pi: PiFile) -> None:
    pi.user("run the tests")
    pi.calls("Running them.")
    pi.result("12 passed")
    pi.calls()
    pi.result("clean")
    pi.says("All pass.")
    pi.turn("thanks")
    read = Read(pi.path)
    assert read.texts == [
        [
            ("user", "run the tests"),
            ("assistant", "Running them."),
            ("tool", "12 passed"),
            ("tool", "clean"),
            ("assistant", "All pass."),
        ],
        [("user", "thanks"), ("assistant", "All right.")],
    ]
    assert read.ends == [("settled", "stop")] * 2


@pytest.mark.parametrize(
    ("reason", "state"),
    [("stop", "settled"), ("length", "settled"), ("error", "interrupted"), ("aborted", "interrupted")],
)
def test_what_was_said_counts_however_the_agent_fared(pi: PiFile, reason: str, state: str) -> None:
    pi.user("always use pnpm")
    pi.says("", reason)
    read = Read(pi.path)
    assert (read.said, read.ends) == ([["always use pnpm"]], [(state, reason)])


def test_steering_inside_a_tool_loop_belongs_to_the_turn(pi: PiFile) -> None:
    pi.user("add a shutdown, 15 s")
    pi.calls()
    pi.result("ok")
    pi.user("make it 30 s", queued=1500)
    pi.user("and log it", queued=1800)
    pi.calls()
    pi.result("ok")
    pi.says("Done.")
    assert Read(pi.path).said == [["add a shutdown, 15 s", "make it 30 s", "and log it"]]


def test_a_follow_up_that_was_queued_belongs_to_the_turn_and_a_new_prompt_does_not(pi: PiFile) -> None:
    pi.turn("run the unit tests")
    pi.user("then commit", queued=5000)
    pi.says("Committed.")
    pi.turn("next: the docs")
    assert Read(pi.path).said == [["run the unit tests", "then commit"], ["next: the docs"]]


def test_a_later_prompt_settles_a_turn_that_never_ended(pi: PiFile) -> None:
    pi.user("first, and then the machine died")
    pi.turn("second")
    read = Read(pi.path)
    assert read.said == [["first, and then the machine died"], ["second"]]
    assert read.ends == [("interrupted", "later_turn"), ("settled", "stop")]


def test_a_prompt_on_another_branch_is_another_turn(pi: PiFile) -> None:
    first = pi.turn("one way")
    pi.user("still open on this branch")
    pi.calls()
    pi.user("the other way", follows=first, queued=9000)
    pi.says("ok")
    assert Read(pi.path).said == [["one way"], ["still open on this branch"], ["the other way"]]


def test_what_the_host_retries_by_itself_belongs_to_the_turn(pi: PiFile) -> None:
    pi.user("prefer tabs")
    pi.says("", "error")
    pi.says("Noted.")
    read = Read(pi.path)
    assert (read.said, read.ends) == ([["prefer tabs"]], [("settled", "stop")])


def test_what_comes_after_a_turn_was_read_continues_it(pi: PiFile) -> None:
    record = pi.user("prefer tabs")
    pi.says("", "error")
    first = Read(pi.path)
    pi.calls("Trying again.")
    waiting = Read(pi.path, first.cursor)
    assert (waiting.turns, waiting.open_turn) == ([], True)
    pi.result("ok")
    pi.says("Noted.")
    pi.turn("next")
    second = Read(pi.path, waiting.cursor)
    assert [(turn.continues, turn.host_turn) for turn in second.turns][:1] == [(True, record)]
    assert second.said == [[], ["next"]]


def test_nobody_said_what_extensions_summaries_and_the_harness_wrote(pi: PiFile) -> None:
    pi.record(type="session_info", name="a name")
    pi.record(type="model_change", provider="loopback", modelId="m")
    pi.record(type="thinking_level_change", thinkingLevel="off")
    pi.message("system", content="", sections={"preamble": "You are Pi. The user prefers Poetry."})
    pi.user("real words")
    pi.record(type="custom_message", customType="memory", content="the user prefers tabs", display=False)
    pi.record(type="custom", customType="state", data={"cursor": 7})
    pi.says("Answer.")
    pi.record(type="label", targetId="e0000001", label="here")
    pi.record(type="compaction", summary="The user prefers Poetry.", firstKeptEntryId="e0000001", tokensBefore=9)
    pi.record(type="branch_summary", fromId="e0000001", summary="The user asked for Poetry.")
    pi.record(type="usage", kind="title", usage={})
    pi.record(type="context_edit", targetId="e0000001", replacement="x")
    read = Read(pi.path)
    assert read.texts == [[("user", "real words"), ("assistant", "Answer.")]]
    assert (read.problems, read.waiting) == ((), 0)


def test_thinking_and_tool_calls_are_not_part_of_the_conversation(pi: PiFile) -> None:
    pi.user("hello")
    thought = [{"type": "thinking", "thinking": "the user hates YAML"}, {"type": "text", "text": "Hi."}]
    pi.message("assistant", content=thought, stopReason="stop")
    assert Read(pi.path).texts == [[("user", "hello"), ("assistant", "Hi.")]]


def test_a_shell_command_of_the_person_is_context_unless_kept_from_the_model(pi: PiFile) -> None:
    pi.turn("hello")
    pi.message("bashExecution", command="git status", output="clean\n", exitCode=0)
    pi.message("bashExecution", command="cat .env", output="TOKEN", exitCode=0, excludeFromContext=True)
    pi.turn("commit it")
    assert Read(pi.path).texts == [
        [("user", "hello"), ("assistant", "All right."), ("tool", "$ git status\nclean\n")],
        [("user", "commit it"), ("assistant", "All right.")],
    ]


def test_what_stands_before_the_first_prompt_goes_with_it(pi: PiFile) -> None:
    pi.message("bashExecution", command="ls", output="a\n", exitCode=0)
    before = Read(pi.path)
    assert (before.turns, before.open_turn, before.waiting > 0) == ([], False, True)
    pi.turn("what is a?")
    assert Read(pi.path, before.cursor).texts[0][:2] == [("tool", "$ ls\na\n"), ("user", "what is a?")]


def test_text_blocks_are_joined_and_images_are_only_noted(pi: PiFile) -> None:
    image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    pi.message("user", content=[{"type": "text", "text": "one"}, image, {"type": "text", "text": "two"}])
    pi.says("ok")
    pi.message("user", content="plain string")
    pi.says("ok")
    first, second = (turn.messages[0] for turn in Read(pi.path).turns)
    assert (first.text, first.has_images) == ("one\ntwo", True)
    assert (second.text, second.has_images) == ("plain string", False)


def test_an_unfinished_turn_waits_and_a_sealed_one_does_not(pi: PiFile) -> None:
    pi.turn("done")
    pi.user("not answered yet")
    first = Read(pi.path)
    assert (first.said, first.open_turn, first.position.line) == ([["done"]], True, 4)
    assert first.waiting == len(pi.path.read_bytes()) - first.position.offset > 0
    sealed = Read(pi.path, first.cursor, seal=True)
    assert (sealed.said, sealed.ends) == ([["not answered yet"]], [("interrupted", "no_growth")])
    assert (sealed.waiting, sealed.open_turn) == (0, False)
    pi.says("Late answer.")
    late = Read(pi.path, sealed.cursor)
    assert [(turn.continues, turn.host_turn) for turn in late.turns] == [(True, sealed.turns[0].host_turn)]


def test_the_provider_is_that_of_the_answer(pi: PiFile) -> None:
    pi.record(type="model_change", provider="ollama", modelId="m")
    pi.user("one")
    pi.says("ok", provider="ollama")
    pi.record(type="model_change", provider="anthropic", modelId="m")
    pi.user("two")
    pi.says("ok", provider="anthropic")
    assert [turn.provider for turn in Read(pi.path).turns] == ["ollama", "anthropic"]


def test_records_and_roles_that_we_do_not_know_are_counted(pi: PiFile) -> None:
    pi.record(type="telepathy", content="I prefer spaces")
    pi.turn("real words")
    pi.message("oracle", content=[{"type": "text", "text": "The user prefers spaces"}])
    read = Read(pi.path)
    assert read.said == [["real words"]]
    assert [(p.code, p.count, p.line) for p in read.problems] == [(Code.NEWER_FORMAT, 2, 2)]


def test_a_record_keeps_its_place_and_digest_and_gives_its_text_back(pi: PiFile) -> None:
    pi.turn("grüße, 世界", "yes ✓")
    data = pi.path.read_bytes()
    read = Read(pi.path)
    for message in read.turns[0].messages:
        raw = data[message.start : message.start + message.length]
        assert raw.startswith(b"{") and raw.endswith(b"}")
        assert message.digest == (None if message.role is Role.USER else sha256(raw))
    assert [PI.text_of(data[m.start : m.start + m.length]) for m in read.turns[0].messages] == ["grüße, 世界", "yes ✓"]
    assert PI.text_of(data.splitlines()[0]) is None
    assert PI.text_of(b"{broken") is None


def test_a_fork_says_where_each_message_was_first_said(tmp_path: Path) -> None:
    first = PiFile(tmp_path / "2026-09-21T00-00-00-000Z_my_own_id.jsonl", session="my_own_id")
    first.turn("in the first")
    second = PiFile(tmp_path / "b.jsonl", "second", parent=f"/gone/{first.path.name}", now=first.now + 5000, ids="f")
    second.copy(first.records)
    second.turn("in the second")
    third = PiFile(tmp_path / "c.jsonl", "third", parent="C:\\pi\\b.jsonl", now=second.now + 5000, ids="a")
    third.copy(second.records)
    third.turn("in the third")
    said = {m.text: m.said_in for turn in Read(third.path).turns for m in turn.messages if m.role == "user"}
    assert said == {"in the first": None, "in the second": None, "in the third": "third"}  # "b" names no session
    named = PiFile(tmp_path / "d.jsonl", "fourth", parent=str(second.path.with_name("second.jsonl")), now=third.now)
    named.copy(second.records)
    said = {m.text: m.said_in for turn in Read(named.path).turns for m in turn.messages if m.role == "user"}
    assert said == {"in the first": "my_own_id", "in the second": "second"}


def test_a_fork_whose_parent_is_gone_knows_only_its_own_words(tmp_path: Path) -> None:
    parent = PiFile(tmp_path / "away" / "2026-09-21T00-00-00-000Z_p.jsonl", "p")
    parent.turn("old words")
    fork = PiFile(tmp_path / "here" / "f.jsonl", "f", parent=str(parent.path), now=parent.now + 10_000)
    fork.copy(parent.records)
    fork.turn("new words")
    found = PI.discover(fork.path.parent).sessions[0]
    assert found.parent == "p"
    messages = [turn.messages[0] for turn in Read(fork.path).turns]
    assert [(m.text, m.said_in) for m in messages] == [("old words", None), ("new words", "f")]


def test_a_turn_longer_than_memory_is_given_in_parts(pi: PiFile, monkeypatch: pytest.MonkeyPatch) -> None:
    pi.turn("before")
    pi.user("run everything")
    for number in range(10):
        pi.calls()
        pi.result(f"{number}" * 900)
    pi.user("faster please", queued=1500)
    for number in range(10):
        pi.calls()
        pi.result(f"{number}" * 900)
    pi.says("Done.")
    whole = Read(pi.path)
    for module in ("turns", "jsonl"):
        monkeypatch.setattr(f"commonbook.hosts.{module}.TURN_TEXT", 2000)
    parts = Read(pi.path)
    assert list(chain.from_iterable(parts.texts)) == list(chain.from_iterable(whole.texts))
    assert all(sum(MESSAGE_WEIGHT + len(m.text) for m in turn.messages) <= 2000 for turn in parts.turns)
    assert [said for said in parts.said if said] == [["before"], ["run everything"], ["faster please"]]
    assert all(turn.continues != bool(said) for turn, said in zip(parts.turns, parts.said, strict=True))
    assert [turn.after is None for turn in parts.turns[1:]] == [True] * (len(parts.turns) - 2) + [False]
    assert parts.position == whole.position


@pytest.mark.parametrize(
    "content",
    [
        "words",
        "",
        [],
        [{"type": "text", "text": ""}],
        [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "a"}],
    ],
)
@pytest.mark.parametrize("role", ["assistant", "toolResult"])
def test_a_message_is_noted_exactly_where_it_has_a_text(pi: PiFile, role: str, content: object) -> None:
    """Its text is not read with the others, and yet it must be known whether there is one."""
    pi.user("go")
    pi.record(type="message", message={"role": role, "content": content, "stopReason": "stop", "timestamp": pi.now})
    pi.says("Done.")
    raw = pi.path.read_bytes().splitlines()[-2]
    noted = sha256(raw) in {m.digest for turn in Read(pi.path).turns for m in turn.messages}
    assert noted == bool(PI.text_of(raw))


@pytest.mark.parametrize("content", [None, 7, {}])
def test_context_that_cannot_be_what_it_says_is_a_corrupt_record(pi: PiFile, content: object) -> None:
    pi.turn("before")
    pi.record(type="message", message={"role": "toolResult", "content": content, "timestamp": pi.now})
    pi.turn("after")
    read = Read(pi.path)
    assert [(p.code, p.count) for p in read.problems] == [(Code.CORRUPT_RECORD, 1)]
    assert read.said == [["before"], ["after"]]
