"""Opens other programs' session files: read-only, regular files only, never through a link, block by block."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError
from commonbook.hosts.transcripts import Problem
from commonbook.vocabulary import Digest, sha256

BLOCK = 1024 * 1024
LINE_LIMIT = 32 * 1024 * 1024
"""Bytes of one line; a longer one is reported and skipped, for it has to be held in memory whole."""
FINGERPRINT = 4 * 1024
"""Bytes before a cursor by which a rewritten file is recognised."""


class SourceFile:
    """An open session file as it was when it was opened: what is appended later is read the next time.

    It is read by position, never mapped: a file that another program cuts short under a map would kill this process.
    """

    def __init__(self, path: str, descriptor: int) -> None:
        facts = os.fstat(descriptor)
        self.path = path
        self.size = facts.st_size
        self.inode = facts.st_ino
        self.modified_ns = facts.st_mtime_ns
        self._descriptor = descriptor

    @property
    def modified_at(self) -> Milliseconds:
        return self.modified_ns // 1_000_000

    def read(self, start: int, stop: int) -> bytes:
        """The bytes from ``start`` to ``stop``, fewer where the file has become shorter. Raises ``PlaceError``."""
        try:
            return os.pread(self._descriptor, stop - start, start)
        except OSError as error:
            raise PlaceError(Code.FILE_UNREADABLE, path=self.path) from error

    def digest_before(self, offset: int) -> Digest:
        """Fingerprint of the last bytes before an offset."""
        return sha256(self.read(max(0, offset - FINGERPRINT), offset))

    def lines(self, start: int, stop: int) -> Iterator[tuple[int, int, bytes | None]]:
        """Offset, offset of the next, and bytes (newline excluded) of every complete line between two offsets.

        ``None`` instead of the bytes: longer than ``LINE_LIMIT``.

        A last line without its newline is not a line yet.
        """
        position, offset = start, start
        held: list[bytes] = []  # the beginning of a line that goes on in the next block
        length = 0
        while position < stop:
            block = self.read(position, min(position + BLOCK, stop))
            if not block:
                return
            position += len(block)
            first, *others = block.split(b"\n")
            length += len(first)
            if length <= LINE_LIMIT:
                held.append(first)
            else:
                held.clear()
            if not others:
                continue
            line = b"".join(held) if length <= LINE_LIMIT else None
            held, length, begun = [others.pop()], 0, offset + length + 1
            yield offset, begun, line
            offset, length = begun, len(held[0])
            for line in others:
                begun = offset + len(line) + 1
                yield offset, begun, line
                offset = begun


@contextmanager
def open_source(path: str) -> Iterator[SourceFile]:
    """Open a session file. Raises ``PlaceError``: ``SOURCE_GONE``, ``UNSAFE_FILE`` (a link, pipe, folder …),
    ``FILE_UNREADABLE``."""
    try:
        # O_NONBLOCK: opening a named pipe that nobody writes to would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise PlaceError(Code.SOURCE_GONE, path=path) from error
    except OSError as error:
        code = Code.UNSAFE_FILE if Path(path).is_symlink() else Code.FILE_UNREADABLE
        raise PlaceError(code, path=path) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise PlaceError(Code.UNSAFE_FILE, path=path)
        yield SourceFile(path, descriptor)
    finally:
        os.close(descriptor)


def find_files(root: Path, suffix: str) -> tuple[list[str], list[Problem]]:
    """Every regular file below ``root`` whose name ends with ``suffix``, and what bears such a name without being one.

    Links are not followed: one that leads back up would never end, one that leads out reads what nobody pointed at.
    Raises ``PlaceError``: ``FOLDER_MISSING``, ``FILE_UNREADABLE`` for the root itself.
    """
    found: list[str] = []
    problems: list[Problem] = []
    folders = [str(root)]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    _sort_out(entry, suffix, found, folders, problems)
        except (FileNotFoundError, NotADirectoryError) as error:
            if folder == str(root):
                raise PlaceError(Code.FOLDER_MISSING, path=folder) from error
        except OSError as error:
            if folder == str(root):
                raise PlaceError(Code.FILE_UNREADABLE, path=folder) from error
            problems.append(Problem(Code.FILE_UNREADABLE, printable(folder)))
    return found, problems


def _sort_out(
    entry: os.DirEntry[str], suffix: str, found: list[str], folders: list[str], problems: list[Problem]
) -> None:
    named = entry.name.endswith(suffix)
    if entry.is_dir(follow_symlinks=False):
        folders.append(entry.path)
        refused = named
    elif entry.is_symlink():
        refused = named or Path(entry.path).is_dir()  # a linked folder may have been meant to be read
    else:
        refused = named and not (entry.is_file(follow_symlinks=False) and printable(entry.path) == entry.path)
    if refused:
        problems.append(Problem(Code.UNSAFE_FILE, printable(entry.path)))
    elif named:
        found.append(entry.path)


def printable(path: str) -> str:
    """A path as text that any store can hold; a name that is not UTF-8 gets its odd bytes as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
