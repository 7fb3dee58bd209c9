"""config.toml as a file: read only when it is a plain file of the person's own, replaced whole and durably."""

import errno
import os
import stat
from pathlib import Path

from commonbook.errors import Code, PlaceError

LIMIT = 1024 * 1024


def read_config(path: Path) -> str:
    """Its text; empty when there is none. Raises ``PlaceError``: UNSAFE_FILE (a link, a pipe, or a file that others may
    change: whoever writes it decides where memory lives and what leaves the machine), FILE_TOO_LARGE, FILE_UNREADABLE."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return ""
    except OSError as error:
        code = Code.UNSAFE_FILE if path.is_symlink() else Code.FILE_UNREADABLE
        raise PlaceError(code, path=str(path)) from error
    try:
        facts = os.fstat(descriptor)
        strange = facts.st_uid not in (os.geteuid(), 0) and os.geteuid() != 0
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1 or facts.st_mode & stat.S_IWOTH or strange:
            raise PlaceError(Code.UNSAFE_FILE, path=str(path))
        if facts.st_size > LIMIT:
            raise PlaceError(Code.FILE_TOO_LARGE, path=str(path), limit=LIMIT)
        return os.read(descriptor, LIMIT).decode("utf-8-sig")
    finally:
        os.close(descriptor)


def write_config(path: Path, text: str) -> None:
    """Replace it, private and on disk when this returns; after a crash it is the old one or this one. Settings stand below
    the book, so this is the one file of ours that ``book.files`` does not write. Raises ``PlaceError``."""
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(descriptor)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise PlaceError(_code_of(error), path=str(path)) from error


def _code_of(error: OSError) -> Code:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return Code.DISK_FULL
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return Code.HOME_READ_ONLY
        case errno.EEXIST | errno.ENOTDIR | errno.ELOOP | errno.EISDIR:
            return Code.UNSAFE_FILE
        case _:
            return Code.DISK_FAILED
