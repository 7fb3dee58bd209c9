"""Session files that are damaged, changed under us or not session files at all: each alone, nothing lost, nothing twice."""

import json
import os
import shutil
import tracemalloc
from pathlib import Path

import pytest

from commonbook.errors import Code, PlaceError
from commonbook.hosts import files
from commonbook.hosts.jsonl import parse
from tests.hosts.pi_files import PiFile
from tests.hosts.reading import PI, Read


@pytest.fixture
def pi(tmp_path: Path) -> PiFile:
    return PiFile(tmp_path / "s.jsonl")


def problems(read: Read) -> list[tuple[Code, int, int | None]]:
    return [(problem.code, problem.count, problem.line) for problem in read.problems]


# --- lines -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"message","id":"x","mess',
        b"\xff\xfe\x00",
        b'{"type":"message","message":{"role":"user","content":"\xff\xfe"}}',
        b"[" * 5000 + b"]" * 5000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b"[1,2]",
        b"42",
        b'"text"',
        b"\x00" * 64,
        b'{"type":"message","timestamp":"2026-09-21T00:00:00Z","message":{"role":"user","content":7}}',
        b'{"type":"message","message":{"role":"user","content":"no time"}}',
        b'{"type":"message","timestamp":"2026-09-21T00:00:00Z"}',
        b'{"big":' + b"9" * 6000 + b"}}",
    ],
)
def test_a_line_that_cannot_be_read_is_skipped_alone(pi: PiFile, line: bytes) -> None:
    pi.turn("before")
    pi.raw(line + b"\n")
    pi.turn("after")
    read = Read(pi.path)
    assert read.said == [["before"], ["after"]]
    assert problems(read) == [(Code.CORRUPT_RECORD, 1, 4)]


def test_blank_lines_crlf_and_a_bom_change_nothing(tmp_path: Path) -> None:
    plain = PiFile(tmp_path / "plain" / "s.jsonl")
    plain.turn("one\r\ntwo")
    plain.turn("three")
    odd = tmp_path / "odd" / "s.jsonl"
    odd.parent.mkdir()
    odd.write_bytes(b"\xef\xbb\xbf" + plain.path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    expected, read = Read(plain.path), Read(odd)
    assert (read.texts, read.problems) == (expected.texts, ())
    raw = odd.read_bytes()
    first = read.turns[0].messages[0]
    assert parse(raw[first.start : first.start + first.length])["type"] == "message"


def test_half_an_emoji_is_replaced_and_a_whole_one_kept(pi: PiFile) -> None:
    pi.raw(
        b'{"type":"message","id":"a","timestamp":"2026-09-21T14:13:21Z","message":{"role":"user","content":'
        b'[{"type":"text","text":"cut \\ud83d here \\ud83d\\ude00 \\udc00 \\u0000 \\\\ud83d"}]}}\n'
    )
    pi.says("ok")
    assert Read(pi.path).said == [["cut \ufffd here \U0001f600 \ufffd \x00 \\ud83d"]]


def test_of_two_keys_the_last_counts_in_both_parsers() -> None:
    assert parse(b'{"a":1,"a":2}') == {"a": 2}
    assert parse(b'{"a":"\\ud800","a":"x"}') == {"a": "x"}
    assert parse(b'{"a":' + b"9" * 400 + b"}")["a"] == int("9" * 400)


def test_times_that_are_none_fall_back_to_the_other(pi: PiFile) -> None:
    when = pi.now + 1000
    pi.record(message={"role": "user", "content": "a", "timestamp": 10**30})
    pi.record(timestamp="yesterday", message={"role": "user", "content": "b", "timestamp": when + 9})
    pi.record(timestamp=when + 20, message={"role": "user", "content": "c", "timestamp": "soon"})
    assert [m.at for turn in Read(pi.path, seal=True).turns for m in turn.messages] == [when, when + 9, when + 20]


def test_a_message_without_an_id_is_known_by_its_bytes(pi: PiFile) -> None:
    pi.raw(b'{"type":"message","timestamp":"2026-09-21T14:13:21Z","message":{"role":"user","content":"old"}}\n')
    pi.says("ok")
    record = Read(pi.path).turns[0].messages[0]
    assert (record.text, record.record) == ("old", record.record) and len(record.record) == 64
    assert record.record == Read(pi.path).turns[0].messages[0].record


def test_a_line_of_ten_megabytes_is_read(pi: PiFile) -> None:
    pi.turn("x" * 10_000_000)
    pi.turn("after")
    assert [len(words) for said in Read(pi.path).said for words in said] == [10_000_000, 5]


def test_a_line_beyond_the_limit_is_skipped_without_being_held(pi: PiFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LINE_LIMIT", 2 * files.BLOCK)
    pi.turn("before")
    for _ in range(2):
        pi.raw(b'{"type":"' + b"x" * (20 * files.BLOCK) + b'"}\n')
    pi.turn("after")
    tracemalloc.start()
    read = Read(pi.path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (read.said, problems(read)) == ([["before"], ["after"]], [(Code.RECORD_TOO_LARGE, 2, 4)])
    assert peak < 8 * files.BLOCK


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64, 4096])
def test_where_blocks_end_changes_nothing(pi: PiFile, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    pi.turn("wörter 世界")
    pi.raw(b"\n{broken\n")
    pi.turn("mehr")
    expected = Read(pi.path)
    monkeypatch.setattr(files, "BLOCK", block)
    read = Read(pi.path)
    assert (read.turns, read.position, read.problems) == (expected.turns, expected.position, expected.problems)


# --- cursors -----------------------------------------------------------------------------------------------------------


def test_new_lines_and_exactly_those_are_read(pi: PiFile) -> None:
    pi.turn("one")
    first = Read(pi.path)
    again = Read(pi.path, first.cursor)
    assert (again.turns, again.unchanged) == ([], True)
    pi.turn("two")
    second = Read(pi.path, first.cursor)
    assert (second.said, second.start) == ([["two"]], first.position)


def test_half_a_last_line_is_read_once_it_is_whole(pi: PiFile) -> None:
    pi.user("one")
    whole = pi.path.read_bytes()
    pi.says("früh, 早い")
    end = pi.path.read_bytes()[len(whole) :]
    for cut in (1, 40, end.index("ü".encode()) + 1, len(end) - 1):
        pi.path.write_bytes(whole + end[:cut])
        first = Read(pi.path)
        assert (first.turns, first.open_turn, first.problems) == ([], True, ())
        pi.raw(end[cut:])
        assert Read(pi.path, first.cursor).texts == [[("user", "one"), ("assistant", "früh, 早い")]]


def test_nothing_before_the_cursor_is_read_again(pi: PiFile, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(300):
        pi.turn(f"number {number} " + "x" * 500)
    first = Read(pi.path)
    pi.turn("new")
    ranges: list[tuple[int, int]] = []
    read = files.SourceFile.read

    def watched(self: files.SourceFile, start: int, stop: int) -> bytes:
        ranges.append((start, stop))
        return read(self, start, stop)

    monkeypatch.setattr(files.SourceFile, "read", watched)
    monkeypatch.setattr("commonbook.hosts.jsonl.HEADER_LIMIT", 4096)
    assert Read(pi.path, first.cursor).said == [["new"]]
    middle = [(start, stop) for start, stop in ranges if stop > 4096 and start < first.position.offset - 4096]
    assert middle == []


def test_a_file_that_shrank_starts_over(pi: PiFile) -> None:
    pi.turn("one")
    pi.turn("two")
    first = Read(pi.path)
    lines = pi.path.read_bytes().splitlines(keepends=True)
    pi.path.write_bytes(b"".join(lines[:3]))
    assert Read(pi.path, first.cursor).said == [["one"]]


def test_a_file_that_was_replaced_starts_over_even_with_as_many_lines(pi: PiFile) -> None:
    pi.turn("one")
    first = Read(pi.path)
    other = PiFile(pi.path.with_name("o.jsonl"), pi.session)
    other.turn("two")
    assert other.path.stat().st_size == pi.path.stat().st_size
    other.path.replace(pi.path)
    assert Read(pi.path, first.cursor).said == [["two"]]
    longer = PiFile(pi.path.with_name("o.jsonl"), pi.session, now=pi.now)
    longer.turn("one, but in another file with the same id")
    longer.path.replace(pi.path)
    assert Read(pi.path, first.cursor).said == [["one, but in another file with the same id"]]


def test_a_file_rewritten_just_before_the_cursor_starts_over_though_it_grew(pi: PiFile) -> None:
    pi.turn("abc")
    first = Read(pi.path)
    pi.path.write_bytes(pi.path.read_bytes().replace(b"abc", b"xyz"))
    pi.turn("more")
    assert Read(pi.path, first.cursor).said == [["xyz"], ["more"]]


def test_a_file_rewritten_in_place_starts_over(pi: PiFile) -> None:
    pi.turn("abc")
    for _ in range(50):
        pi.turn("x" * 200)
    first = Read(pi.path)
    pi.path.write_bytes(pi.path.read_bytes().replace(b"abc", b"xyz"))
    os.utime(pi.path, ns=(1, 1))
    assert Read(pi.path, first.cursor).said[0] == ["xyz"]


def test_a_renamed_file_goes_on(pi: PiFile) -> None:
    pi.turn("one")
    first = Read(pi.path)
    pi.path = pi.path.rename(pi.path.with_name("renamed.jsonl"))
    renamed = Read(pi.path, first.cursor)
    assert (renamed.turns, renamed.unchanged) == ([], True)
    pi.turn("two")
    assert Read(pi.path, first.cursor).said == [["two"]]


@pytest.mark.parametrize("cursor", ["", "null", "[]", "{}", "{broken", '{"offset": -1}', '{"offset": "7", "line": 1}'])
def test_a_damaged_cursor_blocks_nothing(pi: PiFile, cursor: str) -> None:
    pi.turn("one")
    assert Read(pi.path, cursor).said == [["one"]]
    facts = json.loads(Read(pi.path).cursor)
    assert Read(pi.path, json.dumps(facts | {"offset": 10**12})).said == [["one"]]
    assert Read(pi.path, json.dumps(facts | {"turn": 7})).said == [["one"]]


def test_a_file_that_grows_or_shrinks_while_it_is_read(pi: PiFile) -> None:
    for number in range(20):
        pi.turn(f"{number}")
    session = PI.discover(pi.path.parent).sessions[0]
    from commonbook.hosts.transcripts import Lineage

    with PI.open(session, Lineage.of(session, {}), None) as reader:
        turns = reader.turns(seal=False)
        next(turns)
        pi.turn("appended meanwhile")
        assert len(list(turns)) == 19
        cursor = reader.cursor(reader.position, complete=True)
    assert Read(pi.path, cursor).said == [["appended meanwhile"]]
    with PI.open(session, Lineage.of(session, {}), None) as reader:
        turns = reader.turns(seal=False)
        os.truncate(pi.path, 0)
        assert list(turns) == []


# --- places ------------------------------------------------------------------------------------------------------------


def test_only_regular_files_are_read_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = PiFile(tmp_path / "outside" / "o.jsonl", "outside")
    outside.turn("not pointed at")
    root = tmp_path / "root"
    good = PiFile(root / "--home-dev--" / "good.jsonl", "good")
    PiFile(root / "flat.jsonl", "flat")
    PiFile(root / "folder.jsonl" / "inside.jsonl", "inside")
    os.mkfifo(root / "pipe.jsonl")
    (root / "loop.jsonl").symlink_to(root / "loop.jsonl")
    (root / "dangling.jsonl").symlink_to(root / "nowhere")
    (root / "out.jsonl").symlink_to(outside.path)
    (root / "up").symlink_to(root)
    (root / "harmless").symlink_to(root / "harmless")
    (root / "empty.jsonl").touch()
    (root / "other.jsonl").write_text('{"type": "user"}\n')
    (root / "half.jsonl").write_text('{"type": "session", "id": "half"}')
    (root / "notes.txt").write_text("not ours\n")
    found = PI.discover(root)
    assert {session.session for session in found.sessions} == {good.session, "flat", "inside"}
    named = {Path(problem.path).name: problem.code for problem in found.problems}
    unsafe = ("folder.jsonl", "pipe.jsonl", "loop.jsonl", "dangling.jsonl", "out.jsonl", "up")
    assert named == dict.fromkeys(unsafe, Code.UNSAFE_FILE) | dict.fromkeys(
        ("empty.jsonl", "other.jsonl", "half.jsonl"), Code.NOT_A_SESSION
    )


def test_a_name_that_is_not_text_is_refused_aloud(tmp_path: Path) -> None:
    shutil.copy(PiFile(tmp_path / "good.jsonl").path, os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.jsonl"))
    found = PI.discover(tmp_path)
    assert len(found.sessions) == 1
    assert [(p.code, Path(p.path).name) for p in found.problems] == [(Code.UNSAFE_FILE, "bad\\xff.jsonl")]


def test_a_file_swapped_for_a_link_or_gone_after_it_was_found(pi: PiFile) -> None:
    from commonbook.hosts.transcripts import Lineage

    session = PI.discover(pi.path.parent).sessions[0]
    pi.path.rename(pi.path.with_suffix(".moved"))
    with pytest.raises(PlaceError, match="SOURCE_GONE"), PI.open(session, Lineage.of(session, {}), None):
        pass
    pi.path.symlink_to(pi.path.with_suffix(".moved"))
    with pytest.raises(PlaceError, match="UNSAFE_FILE"), PI.open(session, Lineage.of(session, {}), None):
        pass


def test_a_missing_root_is_named_and_an_empty_one_is_empty(tmp_path: Path) -> None:
    with pytest.raises(PlaceError) as caught:
        PI.discover(tmp_path / "nowhere")
    assert (caught.value.code, caught.value.detail) == (Code.FOLDER_MISSING, {"path": str(tmp_path / "nowhere")})
    (tmp_path / "file").touch()
    with pytest.raises(PlaceError, match="FOLDER_MISSING"):
        PI.discover(tmp_path / "file")
    (tmp_path / "empty").mkdir()
    found = PI.discover(tmp_path / "empty")
    assert (found.sessions, found.problems) == ((), ())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_what_this_user_may_not_read_stops_nothing_else(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and folder != Path("/") and folder.is_relative_to("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    locked = PiFile(tmp_path / "a.jsonl", "locked").path
    good = PiFile(tmp_path / "b.jsonl", "good").path
    hidden = PiFile(tmp_path / "hidden" / "c.jsonl", "hidden").path.parent
    tmp_path.chmod(0o755)
    locked.chmod(0)
    hidden.chmod(0)
    good.chmod(0o644)
    child = os.fork()
    if child == 0:  # the answer is the exit code: a failed assertion must not run pytest's own ending twice
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        found = PI.discover(tmp_path)
        refused = {problem.path for problem in found.problems if problem.code is Code.FILE_UNREADABLE}
        right = [s.session for s in found.sessions] == ["good"] and refused == {str(locked), str(hidden)}
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
