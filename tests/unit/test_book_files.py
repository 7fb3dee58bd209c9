"""Reading and writing refuse what is not a plain private file of ours, and leave the old file whole when they fail."""

import errno
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from commonbook.book.files import (
    ensure_folder,
    fsync_folder,
    list_files,
    read_bounded,
    remove_durable,
    remove_folder,
    remove_leftovers,
    rename_folder,
    replace_durable,
    write_durable,
)
from commonbook.errors import Code, PlaceError


def _code(action: Callable[[], object]) -> Code:
    with pytest.raises(PlaceError) as refused:
        action()
    return refused.value.code


def test_written_files_and_folders_are_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        ensure_folder(tmp_path / "a" / "b", below=tmp_path / "a")
        write_durable(tmp_path / "a" / "b" / "f.md", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "b" / "f.md").stat().st_mode) == 0o600


def test_a_folder_that_was_too_open_is_closed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    ensure_folder(tmp_path / "data", below=tmp_path)
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_reading_gives_the_bytes_or_none(tmp_path: Path) -> None:
    write_durable(tmp_path / "f", b"\xff\x00\r\n")
    assert read_bounded(tmp_path / "f", below=tmp_path) == b"\xff\x00\r\n"
    ensure_folder(tmp_path / "a" / "b", below=tmp_path)
    write_durable(tmp_path / "a" / "b" / "f", b"deep")
    assert read_bounded(tmp_path / "a" / "b" / "f", below=tmp_path) == b"deep"
    assert list_files(tmp_path / "a" / "b", below=tmp_path, suffix="f") == (tmp_path / "a" / "b" / "f",)
    assert read_bounded(tmp_path / "missing", below=tmp_path) is None
    assert read_bounded(tmp_path / "no" / "folder", below=tmp_path) is None


def test_reading_is_bounded(tmp_path: Path) -> None:
    write_durable(tmp_path / "f", b"x" * 10)
    assert read_bounded(tmp_path / "f", below=tmp_path, limit=10) == b"x" * 10
    assert _code(lambda: read_bounded(tmp_path / "f", below=tmp_path, limit=9)) == Code.FILE_TOO_LARGE


def test_links_hard_links_pipes_and_folders_are_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"theirs")
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(outside / "secret")
    (home / "dangling").symlink_to(outside / "nothing")
    (home / "folder-link").symlink_to(outside)
    os.link(outside / "secret", home / "hard")
    os.mkfifo(home / "pipe")
    (home / "dir").mkdir()
    for name in ("link", "dangling", "hard", "pipe", "dir", "folder-link/secret"):
        assert _code(partial(read_bounded, home / name, below=home)) == Code.UNSAFE_FILE, name
    for name in ("link", "dangling", "hard", "pipe", "dir"):
        assert _code(partial(write_durable, home / name, b"ours")) == Code.UNSAFE_FILE, name
    assert _code(lambda: write_durable(home / "folder-link" / "new", b"ours")) == Code.UNSAFE_FILE
    assert _code(lambda: ensure_folder(home / "folder-link" / "new", below=home)) == Code.UNSAFE_FILE
    assert sorted(path.name for path in outside.iterdir()) == ["secret"]
    assert (outside / "secret").read_bytes() == b"theirs"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, Code.DISK_FULL),
        (errno.EDQUOT, Code.DISK_FULL),
        (errno.EIO, Code.DISK_FAILED),
        (errno.EROFS, Code.HOME_READ_ONLY),
        (errno.EACCES, Code.HOME_READ_ONLY),
    ],
)
@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    number: int, code: Code, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_durable(tmp_path / "f", b"old")

    def fail(*_args: object, **_named: object) -> None:
        raise OSError(number, "told by the test")

    monkeypatch.setattr(os, step, fail)
    assert _code(lambda: write_durable(tmp_path / "f", b"new")) == code
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert (tmp_path / "f").read_bytes() == b"old"


def test_replacing_moves_a_staged_file_and_removing_twice_is_harmless(tmp_path: Path) -> None:
    ensure_folder(tmp_path / "staged", below=tmp_path)
    write_durable(tmp_path / "staged" / "0", b"new")
    write_durable(tmp_path / "f", b"old")
    replace_durable(tmp_path / "staged" / "0", tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == b"new"
    assert not (tmp_path / "staged" / "0").exists()
    remove_durable(tmp_path / "f")
    remove_durable(tmp_path / "f")
    assert not (tmp_path / "f").exists()


def test_listing_passes_over_links_and_unfinished_files(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", "note.txt", ".a.md.0123.tmp"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "folder.md").mkdir()
    assert [path.name for path in list_files(tmp_path, below=tmp_path, suffix=".md")] == ["a.md", "b.md"]
    assert list_files(tmp_path / "missing", below=tmp_path, suffix=".md") == ()


def test_no_part_of_the_path_that_is_written_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside" / "projects").mkdir(parents=True)
    (tmp_path / "memory").symlink_to(tmp_path / "outside")
    target = tmp_path / "memory" / "projects" / "f.md"
    (tmp_path / "outside" / "projects" / "f.md").write_bytes(b"theirs")
    (tmp_path / "staged").write_bytes(b"ours")
    for action in (
        lambda: write_durable(target, b"ours"),
        lambda: replace_durable(tmp_path / "staged", target),
        lambda: remove_durable(target),
    ):
        assert _code(action) == Code.UNSAFE_FILE
    assert target.read_bytes() == b"theirs"


def test_a_staged_file_that_became_a_link_is_not_put_in_place(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_bytes(b"theirs")
    (tmp_path / "staged").symlink_to("theirs")
    assert _code(lambda: replace_durable(tmp_path / "staged", tmp_path / "f")) == Code.UNSAFE_FILE
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("name", ["..", "../outside", "a/../../outside", "x\x00y", "n" * 300])
def test_a_name_that_leads_out_is_refused(name: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "a").mkdir(parents=True)
    (tmp_path / "outside").write_bytes(b"theirs")
    assert _code(lambda: read_bounded(home / name, below=home)) == Code.UNSAFE_FILE
    assert _code(lambda: write_durable(home / name, b"ours")) == Code.UNSAFE_FILE
    assert _code(lambda: ensure_folder(home / name / "b", below=home)) == Code.UNSAFE_FILE
    assert _code(lambda: list_files(home / name / "b", below=home, suffix="")) == Code.UNSAFE_FILE
    assert (tmp_path / "outside").read_bytes() == b"theirs"


def test_a_refusal_leaves_no_descriptor_open(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    before = os.open(tmp_path, os.O_RDONLY)
    os.close(before)
    for _ in range(3):
        assert _code(lambda: read_bounded(tmp_path / "dir", below=tmp_path)) == Code.UNSAFE_FILE
        assert _code(lambda: write_durable(tmp_path / "dir" / "no" / "f", b"")) == Code.FOLDER_MISSING
    after = os.open(tmp_path, os.O_RDONLY)
    os.close(after)
    assert after == before


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x")
    assert _code(lambda: ensure_folder(tmp_path / "f", below=tmp_path)) == Code.UNSAFE_FILE
    assert _code(lambda: ensure_folder(tmp_path / "f", below=tmp_path / "f")) == Code.UNSAFE_FILE
    assert _code(lambda: read_bounded(tmp_path / "f" / "g", below=tmp_path)) == Code.UNSAFE_FILE


def test_writing_again_closes_a_file_that_was_too_open(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    (tmp_path / "f").chmod(0o666)
    write_durable(tmp_path / "f", b"new")
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o600


def test_flushing_a_folder_and_failing_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync_folder(tmp_path)
    assert _code(lambda: fsync_folder(tmp_path / "none")) == Code.FOLDER_MISSING
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))

    def inodes(action: Callable[[], None], *paths: Path) -> bool:
        flushed.clear()
        action()
        return flushed == [path.stat().st_ino for path in paths]

    top, deep = tmp_path, tmp_path / "a" / "b"
    assert inodes(lambda: write_durable(top / "f", b"x"), top / "f", top)
    assert inodes(lambda: ensure_folder(deep, below=top), top, top / "a")
    assert inodes(lambda: replace_durable(top / "f", deep / "f"), deep, top)
    assert inodes(lambda: remove_durable(deep / "f"), deep)


def test_a_failed_write_is_told_even_when_its_leavings_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_named: object) -> None:
        raise OSError(errno.EIO, "told by the test")

    monkeypatch.setattr(os, "fsync", broken)
    monkeypatch.setattr(os, "unlink", broken)
    assert _code(lambda: write_durable(tmp_path / "f", b"x")) == Code.DISK_FAILED
    monkeypatch.undo()
    assert list_files(tmp_path, below=tmp_path, suffix="") == ()


@pytest.mark.parametrize(
    ("number", "reading", "writing"),
    [
        (errno.EACCES, Code.FILE_UNREADABLE, Code.HOME_READ_ONLY),
        (errno.EPERM, Code.FILE_UNREADABLE, Code.HOME_READ_ONLY),
        (errno.EIO, Code.DISK_FAILED, Code.DISK_FAILED),
        (errno.EMFILE, Code.FILE_UNREADABLE, Code.DISK_FAILED),
        (errno.ENXIO, Code.UNSAFE_FILE, Code.UNSAFE_FILE),
    ],
)
def test_what_the_system_refuses_has_a_code(
    number: int, reading: Code, writing: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_named: object) -> int:
        raise OSError(number, "told by the test")

    monkeypatch.setattr(os, "open", broken)
    assert _code(lambda: read_bounded(tmp_path / "f", below=tmp_path)) == reading
    assert _code(lambda: list_files(tmp_path, below=tmp_path, suffix="")) == reading
    assert _code(lambda: write_durable(tmp_path / "f", b"")) == writing


def test_leftovers_of_a_crash_are_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in (".old.md.0f.tmp", ".new.md.0f.tmp", "mine.tmp", ".hidden", "a.md"):
        (folder / name).write_bytes(b"x")
    (folder / ".linked.tmp").symlink_to(folder / "a.md")
    os.utime(folder / ".old.md.0f.tmp", (1000, 1000))
    remove_leftovers(folder, below=tmp_path, before=2000.0)
    assert not (folder / ".old.md.0f.tmp").exists()
    assert (folder / ".new.md.0f.tmp").exists()
    remove_leftovers(folder, below=tmp_path)
    assert {path.name for path in folder.iterdir()} == {"mine.tmp", ".hidden", "a.md"}
    remove_leftovers(tmp_path / "missing", below=tmp_path)


def test_folders_of_ours_are_renamed_and_removed_whole(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"kept")
    folder = tmp_path / "job"
    folder.mkdir()
    (folder / "0.md").write_bytes(b"x")
    (folder / "link").symlink_to(outside)
    rename_folder(folder, "job.conflict")
    remove_folder(tmp_path / "job.conflict")
    assert {path.name for path in tmp_path.iterdir()} == {"outside"}
    with pytest.raises(PlaceError, match="FOLDER_MISSING"):
        remove_folder(folder)
