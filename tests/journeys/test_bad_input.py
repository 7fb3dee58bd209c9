"""What a person sees when something among their sessions is not as it should be: which file, what to do, the rest taken in,
and, once it is mended, nothing lost."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hosts.pi_files import PiFile
from tests.support.cli import Ran
from tests.support.cli import real_commonbook as commonbook
from tests.support.updating import in_child

GOOD = "keep your answers under five lines"
WORDS = "We tag releases by calendar here."
NOBODY = 65534


@pytest.fixture
def sessions(empty_home: Path) -> Path:
    """Where Pi puts its sessions, with one good session in it."""
    place = empty_home / ".pi" / "agent" / "sessions"
    PiFile(place / "good" / "good.jsonl").turn(f"From now on please {GOOD}.")
    return place


def session(path: Path, name: str = "other") -> PiFile:
    return PiFile(path, session=name, ids=name)


def spoken(path: Path, words: str = WORDS) -> bytes:
    """The bytes of a good session that says the words."""
    told = session(path)
    told.turn(words)
    return path.read_bytes()


def remembered() -> str:
    return commonbook("show", "--all").out


def problems(ran: Ran) -> list[tuple[str, str]]:
    return [(problem["code"], problem["path"]) for problem in ran.json["capture"]["hosts"][0]["problems"]]


# --- the folder itself -------------------------------------------------------------------------------------------------


def test_no_sessions_at_all(empty_home: Path) -> None:
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "~/.pi/agent/sessions" in ran.out
    assert "--session-dir" in ran.out
    named = commonbook("capture", "--host", "pi")
    assert named.code == 1
    assert "does not exist" in named.err
    assert "--session-dir" in named.err


@pytest.mark.parametrize("kind", ["missing", "a file"])
def test_a_session_folder_that_is_none(empty_home: Path, kind: str) -> None:
    place = empty_home / "sessions"
    if kind == "a file":
        place.write_text("x")
    ran = commonbook("capture", "--session-dir", str(place))
    assert (ran.code, ran.out) == (1, "")
    assert str(place) in ran.err
    assert "Check the path" in ran.err
    assert commonbook("capture", "--session-dir", str(place), "--json").json["error"]["code"] == "FOLDER_MISSING"


def test_an_empty_session_folder(empty_home: Path) -> None:
    place = empty_home / "sessions"
    place.mkdir()
    ran = commonbook("capture", "--session-dir", str(place))
    assert (ran.code, ran.err) == (0, "")
    assert "sessions 0" in ran.out


# --- one file among others ---------------------------------------------------------------------------------------------


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link(path: Path) -> None:
    outside = path.parents[2] / "outside.jsonl"
    spoken(outside)
    path.symlink_to(outside)


def a_loop(path: Path) -> None:
    path.symlink_to(path)


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_text(path: Path) -> None:
    path.write_text("dear diary\nnothing to see\n")


def an_empty_file(path: Path) -> None:
    path.touch()


def a_picture(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)


def a_half_header(path: Path) -> None:
    path.write_bytes(spoken(path)[:40])


BAD_FILES: list[tuple[Callable[[Path], None], str, str]] = [
    (a_folder, "UNSAFE_FILE", "Replace it with a plain file"),
    (a_link, "UNSAFE_FILE", "Replace it with a plain file"),
    (a_loop, "UNSAFE_FILE", "Replace it with a plain file"),
    (a_link_to_nothing, "UNSAFE_FILE", "Replace it with a plain file"),
    (a_pipe, "UNSAFE_FILE", "Replace it with a plain file"),
    (a_text, "NOT_A_SESSION", "Move it away"),
    (an_empty_file, "NOT_A_SESSION", "Move it away"),
    (a_picture, "NOT_A_SESSION", "Move it away"),
    (a_half_header, "NOT_A_SESSION", "Move it away"),
]


@pytest.mark.parametrize(("make", "code", "advice"), BAD_FILES, ids=[make.__name__ for make, _, _ in BAD_FILES])
def test_what_is_no_session_is_named_and_the_rest_goes_on(
    sessions: Path, make: Callable[[Path], None], code: str, advice: str
) -> None:
    bad = sessions / "good" / "bad.jsonl"
    make(bad)
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "sessions/good/bad.jsonl" in ran.out
    assert advice in ran.out
    assert GOOD in remembered()
    assert problems(commonbook("update", "--json")) == [(code, str(bad))]

    if bad.is_dir() and not bad.is_symlink():
        bad.rmdir()
    else:
        bad.unlink()
    spoken(bad)
    mended = commonbook("update", "--json")
    assert problems(mended) == []
    assert mended.json["capture"]["hosts"][0]["new"] == 1
    assert "tag releases" in remembered()


def test_a_folder_that_links_back_up(sessions: Path) -> None:
    (sessions / "good" / "again").symlink_to(sessions)
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "sessions 1" in ran.out
    assert "sessions/good/again" in ran.out
    assert remembered().count(GOOD) == 1


# --- lines within a session --------------------------------------------------------------------------------------------

BAD_LINES = {
    "no JSON": (b"{oh no\n", "CORRUPT_RECORD", "mend the named line"),
    "a list": (b"[1, 2]\n", "CORRUPT_RECORD", "mend the named line"),
    "no UTF-8": (
        b'{"type":"message","id":"x","message":{"role":"user","content":"\xff\xfe"}}\n',
        "CORRUPT_RECORD",
        "mend",
    ),
    "nested too deeply": (b"[" * 100_000 + b"\n", "CORRUPT_RECORD", "mend the named line"),
    "NUL bytes": (b"\x00" * 4096 + b"\n", "CORRUPT_RECORD", "mend the named line"),
    "too long": (b'{"type":"message","x":"' + b"x" * 33_554_432 + b'"}\n', "RECORD_TOO_LARGE", "too large"),
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_bad_line_costs_only_itself(sessions: Path, kind: str) -> None:
    line, code, advice = BAD_LINES[kind]
    told = session(sessions / "bad.jsonl")
    told.turn("Please call me Ada.")
    told.raw(line)
    told.turn(WORDS)
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "sessions/bad.jsonl:4" in ran.out
    assert advice in ran.out
    for words in (GOOD, "Ada", "tag releases"):
        assert words in remembered(), words
    again = commonbook("update", "--json")
    assert again.json["capture"]["hosts"][0]["new"] == 0
    assert code not in {found for found, _ in problems(again)}  # it was said once


def test_half_a_line_at_the_end_is_read_when_it_is_whole(sessions: Path) -> None:
    path = sessions / "half.jsonl"
    whole = spoken(path)
    for cut in (len(whole) - 1, len(whole) - 30, len(whole) // 2):
        path.write_bytes(whole[:cut])
        ran = commonbook("update")
        assert (ran.code, ran.err) == (0, "")
        assert "tag releases" not in remembered()
    path.write_bytes(whole)
    assert commonbook("update").code == 0
    assert remembered().count("tag releases") == 1


def test_a_line_of_ten_megabytes(sessions: Path) -> None:
    told = session(sessions / "long.jsonl")
    told.turn("Please call me Ada.")
    told.user("look at this")
    told.calls()
    told.result("y" * 10_000_000)
    told.says("I see.")
    told.turn("x" * 10_000_000)
    told.turn(WORDS)
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "The queue is full" in ran.out  # ten megabytes are more than may wait of one session …
    assert "×" not in ran.out
    for words in (GOOD, "Ada", "tag releases"):
        assert words in remembered(), words
    again = commonbook("update", "--json")
    assert again.json["capture"]["hosts"][0]["new"] == 0
    assert again.json["maintain"]["waiting"] == 0
    assert commonbook("queue", "list", "--json").json["total"] == 0


def test_half_an_emoji(sessions: Path) -> None:
    told = session(sessions / "emoji.jsonl")
    told.raw(
        b'{"type":"message","id":"s1","timestamp":"2026-10-01T00:00:00.000Z","message":{"role":"user",'
        b'"timestamp":1790000001000,"content":[{"type":"text",'
        b'"text":"We tag releases by calendar here \\ud83d \\ud83c\\udf75."}]}}\n'
    )
    told.says("Good.")
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "tag releases by calendar here � 🍵" in remembered()
    assert "tag releases" in commonbook("search", "releases").out


# --- a session that changes --------------------------------------------------------------------------------------------


def test_a_session_that_shrank(sessions: Path) -> None:
    path = sessions / "other.jsonl"
    told = session(path)
    told.turn("Please call me Ada.")
    short = path.read_bytes()
    told.turn(WORDS)
    commonbook("update")
    path.write_bytes(short)
    ran = commonbook("update", "--json")
    assert (ran.code, ran.json["capture"]["hosts"][0]["new"]) == (0, 0)
    assert "tag releases" in remembered()
    told = session(path, "other")
    told.turn("Please call me Ada.")
    told.now += 50_000
    told.ids = "later"
    told.turn("I live in Lisbon.")
    assert commonbook("update").code == 0
    assert "Lisbon" in remembered()
    assert remembered().count("call me Ada") == 1


def test_a_session_that_was_replaced(sessions: Path) -> None:
    """By another of the same name and the very same size."""
    path = sessions / "other.jsonl"
    first = spoken(path, "Please call me Ada.")
    commonbook("update")
    path.unlink()
    told = session(path, "newer")
    told.turn("Please call me Bob.")
    assert len(path.read_bytes()) == len(first)
    ran = commonbook("update", "--json")
    assert (ran.code, ran.json["capture"]["hosts"][0]["new"]) == (0, 1)
    assert "Bob" in remembered()


def test_a_session_that_was_renamed(sessions: Path) -> None:
    path = sessions / "other.jsonl"
    spoken(path)
    commonbook("update")
    moved = sessions / "elsewhere" / "mine.jsonl"
    moved.parent.mkdir()
    path.rename(moved)
    told = commonbook("update", "--json")
    assert (told.code, told.json["capture"]["hosts"][0]["new"]) == (0, 0)
    assert remembered().count("tag releases") == 1
    with moved.open("ab") as file, tempfile.TemporaryDirectory() as other:
        more = session(Path(other) / "more.jsonl")
        more.now, more.ids = more.now + 100_000, "more"
        more.turn("Please call me Ada.")
        file.write(b"".join(more.path.read_bytes().splitlines(keepends=True)[1:]))
    assert commonbook("update", "--json").json["capture"]["hosts"][0]["new"] == 1
    assert "Ada" in remembered()


def test_a_session_that_is_gone_leaves_its_memory(sessions: Path) -> None:
    path = sessions / "other.jsonl"
    spoken(path)
    commonbook("update")
    path.unlink()
    ran = commonbook("update")
    assert (ran.code, ran.err) == (0, "")
    assert "tag releases" in remembered()


# --- another user's files ----------------------------------------------------------------------------------------------


@pytest.fixture
def common_place() -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="commonbook-input-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_session_that_may_not_be_read(common_place: Path) -> None:
    place = common_place / ".pi" / "agent" / "sessions"
    PiFile(place / "good.jsonl").turn(f"From now on please {GOOD}.")
    locked, hidden = place / "locked.jsonl", place / "hidden"
    spoken(locked)
    session(hidden / "inside.jsonl", "inside").turn("Please call me Ada.")
    locked.chmod(0o000)
    hidden.chmod(0o700)

    def as_nobody(*words: str) -> str:
        def work() -> str:
            os.environ.update(HOME=str(common_place), COMMONBOOK_HOME=str(common_place / "home" / "book"))
            ran = commonbook(*words)
            return f"{ran.code}\n{ran.out}{ran.err}"

        return in_child(work, uid=NOBODY).told

    (common_place / "home").mkdir()
    os.chown(common_place / "home", NOBODY, NOBODY)
    commonbook("update")  # whatever is imported late is imported now
    first = as_nobody("update")
    assert first.startswith("0\n"), first
    assert "sessions/locked.jsonl" in first
    assert "sessions/hidden" in first
    assert first.count("Check its permissions") == 2
    assert GOOD in as_nobody("show", "--all")
    locked.chmod(0o644)
    hidden.chmod(0o755)
    assert as_nobody("update").startswith("0\n")
    shown = as_nobody("show", "--all")
    assert "tag releases" in shown
    assert "Ada" in shown
    place.chmod(0o700)
    refused = as_nobody("capture", "--host", "pi")
    assert refused.startswith("1\n"), refused
    assert "Check its permissions" in refused
