"""How text becomes words for the index, the same for text and query, so that whatever was written can be found (05 §2).

The tokenizers that SQLite brings find no Chinese word, lose an identifier that is glued to Chinese, and know nothing of
``snake_case`` parts. So we cut the text ourselves and hand over words separated by spaces; SQLite only stems and counts.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice

from commonbook.clock import Milliseconds
from commonbook.recall.dates import utc_day
from commonbook.recall.stopwords import STOP_WORDS

LONGEST_WORD = 96
"""Characters. Longer ones (keys, base64) are cut into nothing a person would type, and would only bloat the index."""
MOST_QUERY_WORDS = 64
"""Distinct words of a query that are looked up; a pasted log file must not cost seconds."""
CONNECTORS = "_.-/:@+#"
"""Signs that may stand inside a whole word; the index's tokenizer has to know them (``sql/index.sql``)."""

# Scripts without spaces between words: Han, kana, Bopomofo, Hangul, Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U000323af"
)
_PIECE = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<word>(?:(?![{_UNSPACED}])\w)(?:(?:(?![{_UNSPACED}])[\w\u0300-\u036f])|[{re.escape(CONNECTORS)}](?=\w)(?![{_UNSPACED}]))*"
    r"(?:\+\+|\#(?!\w))?)"
    r"|(?P<sign>[\u2600-\u27bf\U0001f300-\U0001faff])"
)
_COMPONENT = re.compile(r"[/:@]+")
_PART = re.compile(r"[_.\-+#]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b", re.IGNORECASE)
_TELLING_SIGN = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af]")
_MONTHS = ("january february march april may june july august september october november december").split()  # noqa: SIM905
_MARK = re.compile("[\u0300-\u036f]+")


def words(text: str) -> Iterator[str]:
    """The words of a text in order, repeated as often as they occur.

    Scripts without spaces give every character and every pair; an identifier, version or path gives itself and its parts.
    """
    plain = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text))
    for piece in _PIECE.finditer(plain):
        yield from _of_piece(piece)


def query_words(query: str, *, single_signs: bool = False) -> list[str]:
    """The distinct words to look up: without those that every sentence has, unless the query has no others.

    ``single_signs``: also the single characters of a longer run. Mixed with its pairs they find too much (日 of 日志 stands in
    every 日本), so they are asked for only when the pairs find nothing.
    """
    every = [word for word in words(query) if single_signs or not _is_part_of_run(word, query)]
    telling = list(islice(_distinct(word for word in every if word not in STOP_WORDS), MOST_QUERY_WORDS))
    return telling or list(islice(_distinct(words(query)), MOST_QUERY_WORDS))


def _is_part_of_run(word: str, query: str) -> bool:
    return len(word) == 1 and _TELLING_SIGN.match(word) is not None and not _stands_alone(word, query)


def _stands_alone(sign: str, query: str) -> bool:
    return any(piece[0] == sign for piece in _PIECE.finditer(unicodedata.normalize("NFKC", query)))


def _distinct(every: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in every:
        if word not in seen:
            seen.add(word)
            yield word


def _of_piece(piece: re.Match[str]) -> Iterator[str]:
    match piece.lastgroup:
        case "unspaced":
            return _pairs(piece[0])
        case "word":
            return _with_parts(piece[0])
        case _:
            return iter((piece[0],))


def _pairs(run: str) -> Iterator[str]:
    """Single signs are words where a script writes words or syllables with one; a single kana or Thai letter says nothing."""
    for at, sign in enumerate(run):
        if len(run) == 1 or _TELLING_SIGN.match(sign):
            yield sign
        if at + 1 < len(run):
            yield run[at : at + 2]


def _with_parts(word: str) -> Iterator[str]:
    """The word itself, then what it is made of, from the largest part to the smallest, each once."""
    if (
        word.isascii() and word.isalpha() and (word.islower() or word.istitle())
    ):  # most of any text: nothing to take apart
        if len(word) <= LONGEST_WORD:
            yield word.lower()
        return
    seen = {""}
    components = [part for component in _COMPONENT.split(word) for part in (component, *_PART.split(component))]
    for piece in (word, *(piece for part in components for piece in (part, *_HUMP.split(part)))):
        plain = _fold(piece)
        if plain not in seen and len(plain) <= LONGEST_WORD:
            seen.add(plain)
            yield plain


def _fold(word: str) -> str:
    """Case and Latin accents folded: ``Café`` is found by ``cafe``. Other scripts keep their marks, which are letters there."""
    folded = word.casefold().strip("_")
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _MARK.sub("", unicodedata.normalize("NFD", folded)))


def date_words(at: Milliseconds) -> tuple[str, ...]:
    """A date as people ask for it: ``2026-12-01`` with its parts, and the month by name."""
    day = utc_day(at)
    return (*words(day.isoformat()), _MONTHS[day.month - 1])
