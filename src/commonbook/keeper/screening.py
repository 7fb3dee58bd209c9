"""What happens to a text before anything is stored: loners replaced, secrets masked, sizes and personal data
checked."""

from typing import NamedTuple

from commonbook.book.marker import marked_spans
from commonbook.errors import Code
from commonbook.keeper.limits import oversized
from commonbook.keeper.safety import apply_personal, mask_secrets
from commonbook.settings.model import Settings
from commonbook.vocabulary import Digest


class Screened(NamedTuple):
    """``digest`` is of the text as delivered (after ``clean``); ``text`` is what may be stored, ``None`` when nothing
    may.

    ``issue`` with a text: put aside for the person to decide. ``issue`` without a text: refused.
    """

    digest: Digest
    text: str | None
    issue: Code | None
    masked: bool


def clean(text: str) -> str:
    """Lone surrogates become U+FFFD, and split pairs are joined: such a text has no UTF-8 and could be neither stored
    nor sent. Everything else stays, NUL included. Byte ranges of blocks are those of the cleaned text."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def utf8_bytes(cleaned: str) -> int:
    return len(cleaned) if cleaned.isascii() else len(cleaned.encode("utf-8"))


def says_something(cleaned: str) -> bool:
    """False for a text that is blank once memory which we ourselves rendered is cut out: it is no delivery."""
    if not cleaned.strip():
        return False
    position = 0
    for start, stop in marked_spans(cleaned):
        if cleaned[position:start].strip():
            return True
        position = stop
    return bool(cleaned[position:].strip())


def screen(cleaned: str, digest: Digest, settings: Settings) -> Screened:
    """Decide what of the user's (or an import's) words may be stored. ``digest``: of ``cleaned``. The value of a secret
    is in nothing this returns."""
    masked = mask_secrets(cleaned)
    if masked.refused:
        return Screened(digest, None, Code.SENSITIVE_INPUT, masked=False)
    personal = apply_personal(masked.text, settings.personal_data)
    hidden = masked.count > 0
    if oversized(personal.text, settings.disclosure):
        return Screened(digest, None, Code.OVERSIZED_COMPLETE_SOURCE, masked=hidden)
    issue = None if personal.quarantine is None else Code.SENSITIVE_INPUT
    return Screened(digest, personal.text, issue, masked=hidden)
