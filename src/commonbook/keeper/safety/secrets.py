"""Find and mask secrets, before anything is stored, shown or written. The value reaches no log, error or repr."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from commonbook.keeper.safety.shapes import (
    BACKWARD,
    GOES_ON,
    KEY_BODY,
    KEY_END,
    KEY_REACH,
    KEY_SIGNS,
    LONG,
    SHAPES,
    WRAPPED,
    Shape,
)
from commonbook.keeper.safety.values import Found, goes_on, looks_secret
from commonbook.vocabulary import SECRET_MASK

_MOSTLY = 0.5
"""A text of which more than this share is secret is refused, unless what is left still says something:"""
_WORDS_LEFT = 3
"""so many words for each value. ``look at this token for me: …`` is a question; a file of names and their values is not."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_'-]*|[^\W\d_A-Za-z]{2}")
"""A word of letters, or two signs of a script that has no spaces."""
_LOOK_BACK = 90
"""Characters before a value that say what it is."""
_VALUE_GROUPS = ("value", "q1", "q2", "q3", "q4", "bare")


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
    """Every secret, in order; those that overlap count as one."""
    if not has_secret(text):
        return ()
    kept: list[SecretSpan] = []
    for span in sorted(_spans(text), key=lambda span: (span.start, -span.stop)):
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
    spans = find_secrets(text)
    if not spans:  # nearly always
        return Masked(text, 0, refused=False)
    count, hidden, visible = 0, 0, max(_signs(text), 1)
    while spans:
        count += len(spans)
        hidden += sum(_signs(text[span.start : span.stop]) for span in spans)
        whole = all(span.whole for span in spans)
        text = _replaced(text, spans)
        if not whole or (hidden > _MOSTLY * visible and _words(text) < _WORDS_LEFT * count):
            return Masked("", count, refused=True)
        spans = find_secrets(text)
    return Masked(text, count, refused=False)


def _replaced(text: str, spans: tuple[SecretSpan, ...]) -> str:
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], SECRET_MASK]
        at = span.stop
    return "".join(parts) + text[at:]


def _words(text: str) -> int:
    return len(_WORD.findall(text.replace(SECRET_MASK, " ")))


def _spans(text: str) -> Iterator[SecretSpan]:
    covered = 0
    for at in _cued(text):
        if at < covered:  # inside a value there is nothing more to find, and a megabyte of one costs one look
            continue
        within_word = at > 0 and text[at - 1].isascii() and text[at - 1].isalnum()
        for shape in _by_first().get(text[at].lower(), ()):
            if within_word and shape.free:
                continue
            match = _compiled(shape.pattern).match(text, at)
            if match is not None and (span := _judged(shape, text, match)) is not None:
                covered = max(covered, span.stop)
                yield span


def _cued(text: str) -> Iterator[int]:
    """Character offsets at which some shape may begin. One pass of one automaton over the bytes, whatever the number of
    shapes: text without any secret, which is nearly all text, costs little more than that."""
    data = text.encode("utf-8", "surrogatepass")
    cues, same = _cues(), len(data) == len(text)
    byte = char = 0
    while (match := cues.search(data, byte)) is not None:
        start = match.start()
        char = start if same else char + len(data[byte:start].decode("utf-8", "surrogatepass"))
        yield char
        byte, char = start + 1, char + 1
        while byte < len(data) and data[byte] & 0xC0 == 0x80:  # go on at a whole character
            byte += 1


def _judged(shape: Shape, text: str, match: re.Match[str]) -> SecretSpan | None:
    """The secret that a shape found, if its value looks like one."""
    if shape.how == "key_block":
        return _whole_key(text, match)
    named, at = match, match.start()
    if shape.name == "backward_value":
        behind = BACKWARD.search(text, max(0, at - _LOOK_BACK), at)
        if behind is None:
            return None
        match = behind
    groups = match.groupdict()
    group = next((name for name in _VALUE_GROUPS if groups.get(name) is not None), None)
    start, stop = _trimmed(
        text, at, *(match.span(group) if group else match.span()), quoted=bool(group and group[0] == "q")
    )
    line = text.rfind("\n", max(0, start - _LOOK_BACK), start) + 1 or max(0, start - _LOOK_BACK)
    about = named.groupdict()
    found = Found(
        shape.how,
        about.get("name") or "",
        about.get("suffix") or "",
        text[max(line, at - 20) : at],
        text[line:start],
        bool(group and group[0] == "q"),
        text[start:stop],
    )
    if stop <= start or not looks_secret(found):
        return None
    if stop - start >= LONG and not found.quoted and (rest := GOES_ON.match(text, stop)) is not None:
        stop = rest.end()
    return SecretSpan(start, _unwrapped(text, stop) if shape.how in ("plain", "mixed") else stop, shape.name)


def _unwrapped(text: str, stop: int) -> int:
    """The end of a token whose rest was broken over the next lines."""
    while (rest := WRAPPED.match(text, stop)) is not None and goes_on(rest["rest"]):
        stop = rest.end("rest")
    return stop


def _trimmed(text: str, at: int, start: int, stop: int, *, quoted: bool) -> tuple[int, int]:
    """The value without what is no part of it: a mask that stands there already, the rest of a query, the end of a sentence."""
    mask = text.find(SECRET_MASK, max(0, start - len(SECRET_MASK) + 1), stop)
    if mask >= 0:
        return (start, max(start, mask)) if mask >= start else (start, start)
    if quoted:
        return start, stop - text.endswith("\\", start, stop)  # a quote inside a JSON string
    name = re.compile(r"[?&#][\w.-]{0,40}$").search(text, max(0, at - 42), at)
    if name is not None and (end := re.compile("[&#]").search(text, start, stop)):
        stop = end.start()
    while stop > start and text[stop - 1] in ".,:;?\\":
        stop -= 1
    return start, stop


def _whole_key(text: str, match: re.Match[str]) -> SecretSpan | None:
    """A key reaches to its END line; without one, to where its letters end, and the text is refused. A BEGIN line with
    nothing of a key behind it only speaks of keys."""
    start, begun = match.span()
    reach = text.find("-----BEGIN", begun, begun + KEY_REACH)
    reach = begun + KEY_REACH if reach < 0 else reach
    at = text.find("-----END ", begun, reach)
    end = KEY_END.match(text, at) if at >= 0 else None
    if KEY_BODY.search(text, begun, end.start() if end else min(reach, begun + 200)) is None:
        return None
    if end is not None:
        return SecretSpan(start, end.end(), "private_key")
    signs = KEY_SIGNS.match(text, begun, reach)
    return SecretSpan(start, signs.end() if signs else reach, "private_key", whole=False)


def _signs(text: str) -> int:
    return len(text) - sum(map(text.count, " \t\r\n"))


@cache
def _cues() -> Any:
    """All cues in one automaton over bytes; RE2 is loaded when first needed, so that importing stays cheap."""
    import re2

    options = re2.Options()
    options.encoding, options.case_sensitive = re2.Options.Encoding.LATIN1, False
    options.max_mem, options.never_capture = 64 << 20, True
    union = "|".join(f"(?:{shape.cue})" for shape in SHAPES)
    return re2.compile(union.encode(), options)


@cache
def _by_first() -> dict[str, tuple[Shape, ...]]:
    signs = {sign for shape in SHAPES for sign in shape.first}
    return {sign: tuple(shape for shape in SHAPES if sign in shape.first) for sign in signs}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first met: all of them together take longer than most commands run."""
    return re.compile(pattern)
