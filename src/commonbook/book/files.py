"""Every file that Core reads or writes goes through here: no links followed, private modes, and durable replacement.

Why so strict: the memory folder is plain files that other programs can reach. A link planted in it must not let us overwrite
or disclose something else, a FIFO must not hang us, and a crash must leave the old file or the new one.
"""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonbook.errors import Code, PlaceError

MIB = 1024 * 1024
FILE_MODE, FOLDER_MODE = 0o600, 0o700
TEMPORARY = ".tmp"
"""How the name of an unfinished file ends; such a file is never read and may be removed by anyone who holds the lock."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# To pass through a folder one needs no right to list it (/home is often like that); macOS has no such flag.
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
UNREADABLE = frozenset({Code.UNSAFE_FILE, Code.FILE_TOO_LARGE, Code.FILE_UNREADABLE})
"""What keeps one file from being read, and says nothing about the others."""


def read_bounded(path: Path, *, below: Path, limit: int = MIB) -> bytes | None:
    """The bytes of a regular, singly linked file; ``None`` when it (or a folder above it) does not exist.

    ``below``: the folder that is trusted as it stands; no component under it may be a link. Raises ``PlaceError``:
    UNSAFE_FILE, FILE_TOO_LARGE (over ``limit`` bytes), FILE_UNREADABLE.
    """
    with _told(path, reading=True):
        try:
            with _folder_of(path, below) as folder:
                descriptor = os.open(path.name, _READ, dir_fd=folder)
        except FileNotFoundError:
            return None
        try:
            _refuse_odd(os.fstat(descriptor), path)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = file.read(limit + 1)
        finally:
            os.close(descriptor)
    if len(data) > limit:
        raise PlaceError(Code.FILE_TOO_LARGE, path=str(path), limit=limit)
    return data


def write_durable(path: Path, data: bytes) -> None:
    """Put ``data`` in place of the file, on disk when this returns; after a crash the file is the old one or this one.

    The folder must exist, and no part of its path may be a link. On any error before the exchange the old file stands
    untouched; a temporary file is left behind by a crash only.
    """
    with _told(path), _folder(path.parent) as folder:
        _refuse_odd_target(path, folder)
        temporary = f".{path.name}.{os.urandom(6).hex()}{TEMPORARY}"
        try:
            descriptor = os.open(temporary, _CREATE, FILE_MODE, dir_fd=folder)
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, FILE_MODE)
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            os.rename(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            _remove_quietly(temporary, folder)
            raise
        os.fsync(folder)


def replace_durable(staged: Path, path: Path) -> None:
    """Move an already flushed file into place, in another folder of the same disk; both folders are flushed."""
    with _told(path), _folder(staged.parent) as source, _folder(path.parent) as folder:
        _refuse_odd_target(staged, source)
        _refuse_odd_target(path, folder)
        os.rename(staged.name, path.name, src_dir_fd=source, dst_dir_fd=folder)
        os.fsync(folder)
        os.fsync(source)


def remove_durable(path: Path) -> None:
    """Remove a file (a link itself, never what it points to); nothing happens when it is not there."""
    with _told(path):
        try:
            with _folder(path.parent) as folder:
                os.unlink(path.name, dir_fd=folder)
                os.fsync(folder)
        except FileNotFoundError:
            return


def remove_folder(path: Path) -> None:
    """Remove a folder of ours with all that is in it; links in it are removed, never followed."""
    with _told(path):
        shutil.rmtree(path)
    fsync_folder(path.parent)


def rename_folder(path: Path, name: str) -> None:
    """Give a folder of ours another name in the same place."""
    with _told(path):
        path.replace(path.with_name(name))
    fsync_folder(path.parent)


def remove_leftovers(folder: Path, *, below: Path, before: float | None = None) -> None:
    """Remove the unfinished files that a crash left in a folder. ``before``: Unix seconds; younger ones stay, for their
    writer may be at work. Without it the caller holds the lock under which alone that folder is written."""
    with _told(folder):
        try:
            with _folder_of(folder / "_", below) as descriptor, os.scandir(descriptor) as entries:
                for entry in entries:
                    if not (entry.name.startswith(".") and entry.name.endswith(TEMPORARY)):
                        continue
                    if before is None or entry.stat(follow_symlinks=False).st_mtime < before:
                        os.unlink(entry.name, dir_fd=descriptor)
        except FileNotFoundError:
            return


def fsync_folder(path: Path) -> None:
    with _told(path), _folder(path) as folder:
        os.fsync(folder)


def ensure_folder(path: Path, *, below: Path) -> None:
    """Make the folder and those between it and ``below`` (which is made too), private; links under ``below`` are refused."""
    with _told(path):
        below.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        descriptor = os.open(below, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in _steps(path, below):
                inner = _make_one(name, descriptor)
                os.close(descriptor)
                descriptor = inner
        finally:
            os.close(descriptor)


def list_files(folder: Path, *, below: Path, suffix: str) -> tuple[Path, ...]:
    """Regular files directly in ``folder`` whose names end so, sorted; links and unfinished files are passed over."""
    with _told(folder, reading=True):
        try:
            with _folder_of(folder / "_", below) as descriptor, os.scandir(descriptor) as entries:
                names = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        except FileNotFoundError:
            return ()
    return tuple(folder / name for name in sorted(names) if name.endswith(suffix) and not name.endswith(TEMPORARY))


@contextmanager
def _folder_of(path: Path, below: Path) -> Iterator[int]:
    """A descriptor of the folder that holds ``path``, reached from ``below`` without following a single link."""
    descriptor = os.open(below, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in _steps(path.parent, below):
            inner = os.open(name, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _folder(path: Path) -> Iterator[int]:
    """A descriptor of a folder to write in, reached from ``/`` without following a link: home was resolved at start, so
    a link on the way was put there since."""
    path = path.absolute()
    descriptor = os.open(path.anchor, _PASS)
    try:
        for name in (*_steps(path, Path(path.anchor)), "."):
            inner = os.open(name, _FOLDER if name == "." else _PASS, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _steps(path: Path, below: Path) -> tuple[str, ...]:
    """Names from ``below`` down to ``path``; a path that leads out again (``..``) is refused, whoever made it up."""
    if not path.is_relative_to(below) or ".." in path.parts:
        raise PlaceError(Code.UNSAFE_FILE, path=str(path))
    return path.relative_to(below).parts


def _make_one(name: str, folder: int) -> int:
    try:
        os.mkdir(name, FOLDER_MODE, dir_fd=folder)
        os.fsync(folder)
    except FileExistsError:
        pass
    inner = os.open(name, _FOLDER, dir_fd=folder)
    if stat.S_IMODE(os.fstat(inner).st_mode) & 0o077:
        os.fchmod(inner, FOLDER_MODE)
    return inner


def _refuse_odd_target(path: Path, folder: int) -> None:
    """A link, a second name of another file, a folder or a device in the place of ours is never overwritten."""
    try:
        facts = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    _refuse_odd(facts, path)


def _refuse_odd(facts: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
        raise PlaceError(Code.UNSAFE_FILE, path=str(path))


def _remove_quietly(name: str, folder: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        return


@contextmanager
def _told(path: Path, *, reading: bool = False) -> Iterator[None]:
    """Errors of the system as our codes, with the path for the person's own terminal."""
    if "\x00" in str(path):
        raise PlaceError(Code.UNSAFE_FILE, path=repr(str(path)))
    try:
        yield
    except OSError as error:
        raise place_error(error, path, reading=reading) from error


def place_error(error: OSError, path: Path, *, reading: bool = False) -> PlaceError:
    """What a failure of the system means for a person."""
    return PlaceError(_code_of(error, reading), path=str(path))


def _code_of(error: OSError, reading: bool) -> Code:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return Code.DISK_FULL
        case errno.EIO:
            return Code.DISK_FAILED
        case errno.ELOOP | errno.ENOTDIR | errno.ENXIO | errno.EISDIR | errno.EEXIST | errno.ENAMETOOLONG:
            return Code.UNSAFE_FILE
        case errno.EROFS:
            return Code.HOME_READ_ONLY
        case errno.EACCES | errno.EPERM:
            return Code.FILE_UNREADABLE if reading else Code.HOME_READ_ONLY
        case errno.ENOENT:
            return Code.FOLDER_MISSING
        case _:
            return Code.FILE_UNREADABLE if reading else Code.DISK_FAILED
