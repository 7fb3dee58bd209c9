"""config.toml as a file: read only when it is a plain file of the person's own."""

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
