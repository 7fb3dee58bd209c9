"""Lines as a person would compare them: the same words are the same line, however they are marked up, cased or spaced."""

import re
from collections.abc import Iterable, Iterator

from commonbook.vocabulary import folded

_MARKUP = re.compile(r"^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|>\s?|#{1,6}\s+)*")
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_WORD = re.compile(r"[^\W_]+(?:['’._/@+-][^\W_]+)*")
_IDEOGRAPHIC = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_EDGE = r"[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]"
"""A sign that a word goes on with; Chinese words have no edges."""
_STOP_WORDS = (
    "a an and are as at be by do for from has have i i'm in is it its me my no of on or our so that the this to us was we with "
    "you your 的 了 是 我 在 和 们"
)
_STOP = frozenset(_STOP_WORDS.split())
SAYS = 0.8
"""From this share of its significant words on, a text says a line."""


_DATE = re.compile(r"\s*\(\d{4}-\d\d-\d\d\)\s*$")


def undated(line: str) -> str:
    """A line without the date that we append: the same words said on another day are the same line."""
    return _DATE.sub("", line)


def line_key(line: str) -> str:
    """A line folded (NFKC, case, space) and without its list, quote or heading mark; empty for one that says nothing."""
    key = folded(_MARKUP.sub("", line))
    return key if any(sign.isalnum() for sign in key) else ""


def keys_of(body: str) -> frozenset[str]:
    """The keys of every line that says something."""
    return frozenset(filter(None, map(line_key, body.splitlines())))


def prose_keys(body: str) -> Iterator[str]:
    """Keys of the lines outside fenced code that are no headings: what may not be said twice."""
    fence = ""
    for line in body.splitlines():
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence):
                fence = ""
        elif found:
            fence = found[1]
        elif not line.lstrip().startswith("#") and (key := line_key(line)):
            yield key


def units(body: str) -> list[list[str]]:
    """Lines that only make sense together: a list item with what is indented under it, a fenced block, a single line."""
    found: list[list[str]] = []
    fence = ""
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if fence:
            found[-1].append(line)
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark and not _belongs(line, found):
            fence = mark[1]
            found.append([line])
        elif _belongs(line, found):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _belongs(line: str, before: list[list[str]]) -> bool:
    """Whether a line is indented under the list item before it."""
    if not before or not line.strip() or not re.match(r"\s*(?:[-*+]|\d{1,9}[.)])\s", before[-1][0]):
        return False
    return _indent(line) > _indent(before[-1][0])


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def significant(text: str) -> frozenset[str]:
    """The words that carry the meaning; of Chinese, Japanese and Korean text every character by itself."""
    found: set[str] = set()
    for word in _WORD.findall(folded(text)):
        signs = _IDEOGRAPHIC.findall(word)
        found.update(signs)
        found.update(filter(None, _IDEOGRAPHIC.sub(" ", word).split()))
    return frozenset(word for word in found if word not in _STOP)


def mentions(line: str, words: str) -> bool:
    """Whether a line says ``words``: it contains them as they stand (folded), or all that is significant in them."""
    wanted = folded(words)
    if not wanted:
        return False
    if _contains(folded(line), wanted):
        return True
    needed = significant(words)
    return bool(needed) and needed <= significant(line)


def text_mentions(text: str, words: str) -> bool:
    """The same of a whole text: it contains the words as they stand, or one of its lines says all that is significant in
    them. A long text that has one word here and another there does not say them."""
    plain, wanted = folded(text), folded(words)
    if not wanted or not (wanted in plain or all(word in plain for word in significant(words))):
        return False  # most texts, and the rest is slow
    return _contains(plain, wanted) or any(mentions(line, words) for line in text.splitlines())


def _contains(line: str, wanted: str) -> bool:
    """Containment that does not cut a word in two: "art" is not in "start"."""
    before = f"(?<!{_EDGE})" if re.match(_EDGE, wanted[0]) else ""
    after = f"(?!{_EDGE})" if re.match(_EDGE, wanted[-1]) else ""
    return re.search(before + re.escape(wanted) + after, line) is not None


def overlap(line: str, text: str) -> float:
    """How much of what a line says stands in ``text``: 0…1 of its significant words."""
    return next(_shares([line], text))


def says_any(lines: Iterable[str], text: str) -> bool:
    """Whether a text says one of the lines, almost whole."""
    return any(share >= SAYS for share in _shares(lines, text))


def _shares(lines: Iterable[str], text: str) -> Iterator[float]:
    there, plain = significant(text), folded(text)
    for line in lines:
        needed = significant(line)
        yield len(needed & there) / len(needed) if needed else float(folded(line) in plain)
