"""The exact words of a source: our copy, or read again from the host's own transcript by place and digest."""

import os
import stat

from commonbook.keeper.contracts import Store
from commonbook.keeper.safety import mask_secrets
from commonbook.keeper.screening import clean
from commonbook.ledger.links import SourceRow
from commonbook.settings.model import MIB
from commonbook.vocabulary import sha256

RECORD_LIMIT = 64 * MIB


def read_record(path: str | None, start: int | None, length: int | None) -> bytes | None:
    """The bytes of a transcript record; ``None`` when the file is gone, shorter or no plain file. Hosts' files are only read."""
    if path is None or start is None or length is None or not 0 < length <= RECORD_LIMIT:
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = b""
        while len(data) < length and (more := os.pread(descriptor, length - len(data), start + len(data))):
            data += more
        return data if len(data) == length else None
    except OSError:
        return None
    finally:
        os.close(descriptor)


def source_words(store: Store, source: SourceRow) -> tuple[str | None, bool]:
    """The words of an observation, secrets masked, and whether they had to be read from the transcript. ``None``: neither
    place has them any more, or they were forgotten (then the transcript is not asked: forgotten means gone from here)."""
    if source.text is not None:
        return source.text, False
    if source.forgotten:
        return None, False
    record = read_record(source.path, source.start, source.length)
    text = None if record is None else store.record_text(source.host, record)
    if text is None:
        return None, False
    cleaned = clean(text)
    if sha256(cleaned) != source.digest:
        return None, False
    masked = mask_secrets(cleaned)
    return (None, False) if masked.refused else (masked.text, True)
