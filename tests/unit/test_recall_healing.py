"""The index is derived: whatever happens to it, and to the disk it lies on, costs a rebuild and never an answer."""

import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from commonbook.recall.reader import read_current
from commonbook.recall.search import SearchRequest, retrieve
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from tests.support.recall_home import NOW, FixedClock, put, recall_home

NOBODY = 65534


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = recall_home(tmp_path)
    put(home, "profile", "# Profile\n\n" + "".join(f"## S{n}\n\nkiwi {n} lives in Porto\n\n" for n in range(40)))
    return home


def found(home: Home, query: str = "kiwi", clock: FixedClock | None = None) -> list[str]:
    result = retrieve(home, Settings(), SearchRequest(query, k=20), clock=clock or FixedClock())
    assert not result.stale
    return [hit.text for hit in result.segments]


def test_a_missing_home_is_searched_and_stays_missing(tmp_path: Path) -> None:
    home = Home(tmp_path / "none", tmp_path / "none" / "data")
    assert found(home) == [] and not home.root.exists()


def test_the_index_is_private(home: Home) -> None:
    old = os.umask(0)
    try:
        found(home)
    finally:
        os.umask(old)
    assert stat.S_IMODE(home.recall_database.stat().st_mode) == 0o600
    assert [path.name for path in home.data.glob("recall.sqlite*")] == ["recall.sqlite"]


def test_a_deleted_index_is_built_again(home: Home) -> None:
    before = found(home)
    home.recall_database.unlink()
    assert found(home) == before and home.recall_database.exists()


@pytest.mark.parametrize("junk", [b"", b"not a database at all" * 500, b"SQLite format 3\x00", os.urandom(70_000)])
def test_junk_in_its_place_is_replaced(home: Home, junk: bytes) -> None:
    before = found(home)
    home.recall_database.write_bytes(junk)
    assert found(home) == before
    with apsw.Connection(str(home.recall_database)) as healed:
        assert healed.execute("PRAGMA quick_check").fetchall() == [("ok",)]


def test_a_half_written_index_is_built_again(home: Home) -> None:
    before = found(home)
    whole = home.recall_database.read_bytes()
    for size in range(100, len(whole), max(1, len(whole) // 25)):
        home.recall_database.write_bytes(whole[:size])
        assert found(home) == before, size


def test_a_damaged_page_never_shows_another_text(home: Home) -> None:
    before = found(home)
    whole = home.recall_database.read_bytes()
    for at in range(whole.index(b"kiwi 0 lives"), len(whole), len(whole) // 40):
        home.recall_database.write_bytes(
            whole[:at] + bytes(byte ^ 0x55 for byte in whole[at : at + 64]) + whole[at + 64 :]
        )
        assert set(found(home)) <= {f"kiwi {n} lives in Porto" for n in range(40)}
    home.recall_database.write_bytes(whole.replace(b"lives in Porto", b"lives in Paris"))
    assert found(home) == before, "a text that is not the one that was written is noticed"


@pytest.mark.parametrize("sql", ["PRAGMA user_version = 99", "PRAGMA application_id = 7", "DROP TABLE segments"])
def test_another_version_or_shape_is_built_again(home: Home, sql: str) -> None:
    before = found(home)
    with sqlite3.connect(home.recall_database) as other:
        other.execute(sql)
    other.close()
    assert found(home) == before


def test_an_index_that_another_process_holds_is_not_waited_for_long(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonbook.recall.places.BUSY_MILLISECONDS", 10)
    before = found(home)
    holder = apsw.Connection(str(home.recall_database))
    holder.execute("BEGIN EXCLUSIVE")
    put(home, "preferences", "# Preferences\n\n## New\n\nfresh papaya\n")
    assert found(home) == before and found(home, "papaya") == ["fresh papaya"]
    holder.execute("ROLLBACK")
    holder.close()
    assert found(home, "papaya") == ["fresh papaya"]


@pytest.mark.parametrize("kind", ["folder", "link", "hard link", "fifo"])
def test_something_else_in_its_place_is_left_alone(home: Home, tmp_path: Path, kind: str) -> None:
    before = found(home)
    home.recall_database.unlink()
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"precious")
    match kind:
        case "folder":
            home.recall_database.mkdir()
        case "link":
            home.recall_database.symlink_to(other)
        case "hard link":
            os.link(other, home.recall_database)
        case _:
            os.mkfifo(home.recall_database)
    assert found(home) == before and other.read_bytes() == b"precious"


@contextmanager
def without_rights() -> Iterator[None]:
    """As a user who may not write; the suite may run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("indexed", [True, False])
def test_a_read_only_home_is_searched(indexed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = recall_home(Path(folder) / "home")
        put(home, "profile", "# Profile\n\n## A\n\nkiwi\n")
        if indexed:
            assert found(home) == ["kiwi"]
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with without_rights():
            assert found(home) == ["kiwi"]
        assert home.recall_database.exists() is indexed
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o700)
        put(home, "profile", "# Profile\n\n## A\n\npapaya\n")
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with without_rights():
            assert found(home) == [] and found(home, "papaya") == ["papaya"]
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o700)


def test_the_runtime_database_is_never_looked_at(home: Home) -> None:
    home.runtime_database.write_bytes(b"garbage")
    assert found(home)
    home.runtime_database.unlink()
    home.runtime_database.mkdir()
    assert found(home) and read_current(home, Settings()).documents


def test_a_hand_edit_is_seen_even_where_the_clock_of_the_files_stands_still(home: Home) -> None:
    clock = FixedClock(NOW)
    path = put(home, "preferences", "# Preferences\n\n## A\n\nplum\n", mtime_ns=NOW * 1_000_000)
    assert found(home, "plum", clock) == ["plum"]
    before = path.stat()
    with path.open("r+b") as file:
        file.write(b"# Preferences\n\n## A\n\npear\n")
    os.utime(path, ns=(before.st_mtime_ns, before.st_mtime_ns))
    assert (path.stat().st_ino, path.stat().st_size) == (before.st_ino, before.st_size)
    clock.value += 60_000
    assert found(home, "pear", clock) == ["pear"] and found(home, "plum", clock) == []


def test_what_was_removed_leaves_no_word_in_the_file(home: Home) -> None:
    put(home, "preferences", "# Preferences\n\n## A\n\nzanzibar papaya\n")
    assert found(home, "zanzibar")
    assert b"zanzibar" in home.recall_database.read_bytes()
    (home.memory / "preferences.md").unlink()
    assert found(home, "zanzibar") == []
    assert b"zanzibar" not in home.recall_database.read_bytes()


def test_more_than_a_call_reads_is_told_as_stale_and_read_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonbook.recall.search.CALL_BYTES", 3_000)
    home = recall_home(tmp_path)
    for number in range(10):
        put(home, f"notes/global/n{number}", f"# N\n\nkiwi {number} " + "x " * 400)
    put(home, "profile", "# Profile\n\n## A\n\nkiwi of the profile\n")
    put(home, "preferences", b"# Preferences\n" + b"x" * 2_000_000)
    counts = []
    for _ in range(10):
        result = retrieve(home, Settings(), SearchRequest("kiwi", k=20), clock=FixedClock())
        counts.append(len(result.segments))
        assert any("profile" in hit.text for hit in result.segments)
        if not result.stale:
            break
    assert counts == sorted(counts) and 2 < len(counts) < 8 and counts[-1] == 11
