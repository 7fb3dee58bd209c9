"""Find and mask secrets, before anything is stored, shown or written. The value reaches no log, error or repr."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2

from commonbook.keeper.safety.shapes import SHAPES, Shape
from commonbook.keeper.safety.values import looks_secret
from commonbook.vocabulary import SECRET_MASK

_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"(?:\\n|[A-Za-z0-9+/=:,\-\s\"'>|*#])*")
_MOSTLY = 0.5
"""A text of which more than this share is secret is refused: what is left would say nothing."""


@dataclass(frozen=True)
class SecretSpan:
    """Character offsets of the value. ``whole`` is False for a key whose end is missing: it cannot be cut out safely."""

    start: int
    stop: int
    rule: str
    whole: bool = True


@dataclass(frozen=True)
class Masked:
    """``refused``: mostly secret, or not safely maskable; ``text`` is then empty."""

    text: str
    count: int
    refused: bool


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Every secret, in order, none overlapping another."""
    found = sorted(_spans(text), key=lambda span: (span.start, -span.stop))
    kept: list[SecretSpan] = []
    for span in found:
        if kept and span.start < kept[-1].stop:
            last = kept[-1]
            kept[-1] = SecretSpan(last.start, max(last.stop, span.stop), last.rule, last.whole and span.whole)
        else:
            kept.append(span)
    return tuple(kept)


def has_secret(text: str) -> bool:
    return next(_spans(text), None) is not None


def mask_secrets(text: str) -> Masked:
    """Each value replaced by ``[secret removed]``, its label kept, until a second look finds nothing more."""
    count = 0
    while spans := find_secrets(text):
        hidden = sum(
            stop - start - _spaces(text[start:stop]) for start, stop in ((span.start, span.stop) for span in spans)
        )
        if not all(span.whole for span in spans) or hidden > _MOSTLY * max(len(text) - _spaces(text), 1):
            return Masked("", count + len(spans), refused=True)
        parts, at = [], 0
        for span in spans:
            parts += [text[at : span.start], SECRET_MASK]
            at = span.stop
        text, count = "".join(parts) + text[at:], count + len(spans)
    return Masked(text, count, refused=False)


def _spans(text: str) -> Iterator[SecretSpan]:
    if not _any_anchor().search(text):
        return
    lowered = _lowered(text)
    for anchor, shapes in _by_anchor().items():
        at = lowered.find(anchor)
        while at >= 0:
            for shape in shapes:
                span = _at(shape, text, at)
                if span is not None:
                    yield span
            at = lowered.find(anchor, at + 1)


def _at(shape: Shape, text: str, at: int) -> SecretSpan | None:
    """The secret of this shape whose anchor stands at ``at``, if there is one."""
    if shape.free and at and (text[at - 1].isascii() and text[at - 1].isalnum()):
        return None
    match = _compiled(shape.pattern).match(text, at)
    if match is None:
        return None
    if shape.name == "private_key":
        return _whole_key(text, at)
    start, stop = match.span(match.lastgroup) if match.lastgroup else match.span()
    label = text[max(text.rfind("\n", 0, at) + 1, at - 60) : start]
    if shape.judged and not looks_secret(shape.name, label, text[start:stop]):
        return None
    return None if SECRET_MASK.startswith(text[start:stop]) else SecretSpan(start, stop, shape.name)


def _lowered(text: str) -> str:
    """Lower case of the same length: a few letters outside ASCII would grow, and every offset behind them would lie."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _whole_key(text: str, start: int) -> SecretSpan:
    """A key reaches to its END line; without one, to where its letters end, and the text is refused."""
    end = _KEY_END.search(text, start)
    if end is not None:
        return SecretSpan(start, end.end(), "private_key")
    body = _KEY_BODY.match(text, text.find("-----", start + 5) + 5)
    return SecretSpan(start, body.end() if body else len(text), "private_key", whole=False)


def _spaces(text: str) -> int:
    return sum(map(text.count, " \t\r\n"))


_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


@cache
def _any_anchor() -> Any:
    """One automaton for all anchors: half a gigabyte a second, where Python's own engine does four megabytes."""
    return re2.compile("(?i)" + "|".join(re2.escape(anchor) for anchor in _by_anchor()))


@cache
def _by_anchor() -> dict[str, tuple[Shape, ...]]:
    anchors = dict.fromkeys(anchor for shape in SHAPES for anchor in shape.anchors)
    return {anchor: tuple(shape for shape in SHAPES if anchor in shape.anchors) for anchor in anchors}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
