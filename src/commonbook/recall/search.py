"""Ranked retrieval over the memory: offline, with dates and sources, and never an error for want of an index (05 §2)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import apsw

from commonbook.clock import Clock, Milliseconds, SystemClock
from commonbook.errors import Code, UsageError
from commonbook.recall.contexts import allowed_contexts
from commonbook.recall.freshness import CALL_BYTES, refresh
from commonbook.recall.index import Index, IndexDamagedError, Place
from commonbook.recall.places import disk_index, memory_index
from commonbook.recall.segmentation import query_words
from commonbook.recall.segments import TRACKS, Segment, Track
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, Scope, Target

MOST_HITS = 20
CANDIDATES = 200
"""Segments that are ranked to choose the hits from: parts of one section compete for one place."""
_DAMAGED = (IndexDamagedError, apsw.CorruptError, apsw.NotADBError, apsw.SQLError)


@dataclass(frozen=True)
class SearchRequest:
    """``contexts``: ``global`` / ``project:<id>``, empty = every one that may be read. ``k``: 1–20 hits over all tracks.
    ``budget``: most UTF-8 bytes of text in all; segments come whole or not at all."""

    query: str
    k: int = 8
    contexts: tuple[str, ...] = ()
    tracks: tuple[str, ...] = TRACKS
    budget: int = 16_384
    trace: bool = False


@dataclass(frozen=True)
class Hit:
    """``score``: higher is better, comparable within one answer only. ``trace``: why it was found, where that was asked."""

    target: Target
    track: Track
    heading: tuple[str, ...]
    text: str
    score: float
    date: Milliseconds | None
    context: Scope
    sources: tuple[str, ...]
    trace: str | None = None


@dataclass(frozen=True)
class SearchResult:
    """Hits by track, each best first. ``stale``: some files are not indexed yet; the next search goes on with them."""

    segments: tuple[Hit, ...]
    skills: tuple[Hit, ...]
    resources: tuple[Hit, ...]
    stale: bool


@dataclass(frozen=True)
class _Found:
    id: int
    score: float
    place: Place
    segment: Segment


def retrieve(home: Home, settings: Settings, request: SearchRequest, *, clock: Clock | None = None) -> SearchResult:
    """What the memory says about something, best first.

    Only files are read, never the runtime database; the index is brought up to date in the call. Raises ``UsageError``:
    INVALID_ARGUMENTS (names the argument), CONTEXT_UNAVAILABLE.
    """
    _check(request)
    scopes = allowed_contexts(home, settings, request.contexts)

    def answer(index: Index) -> SearchResult:
        stale = refresh(index, home, clock or SystemClock(), most=CALL_BYTES)
        with index.reading():
            return _answer(index, request, scopes, stale)

    return _with_index(home, answer)


def drop_outdated(home: Home, *, clock: Clock | None = None) -> None:
    """Take out of the index on disk every document that changed: what was forgotten must not stand there until somebody
    searches. The next search reads them anew. An index that cannot be written now is brought up to date by that search."""
    if not home.recall_database.exists():
        return
    for reset in (False, True):
        try:
            with disk_index(home.recall_database, reset=reset) as index:
                refresh(index, home, clock or SystemClock(), most=0)
                return
        except _DAMAGED:
            continue
        except (apsw.Error, OSError):
            return


def _with_index(home: Home, answer: Callable[[Index], SearchResult]) -> SearchResult:
    """On the disk; once more after a reset where the file is damaged; else in memory. A derived file never fails a search."""
    if home.data.is_dir():
        for reset in (False, True):
            try:
                with disk_index(home.recall_database, reset=reset) as index:
                    return answer(index)
            except _DAMAGED:
                continue
            except (apsw.Error, OSError):
                break
    with memory_index() as index:
        return answer(index)


def _answer(index: Index, request: SearchRequest, scopes: Sequence[Scope], stale: bool) -> SearchResult:
    terms = query_words(request.query)
    ranked = index.rank(terms, scopes, request.tracks, CANDIDATES)
    if not ranked:
        terms = query_words(request.query, single_signs=True)
        ranked = index.rank(terms, scopes, request.tracks, CANDIDATES)
    hits = [_hit(index, one, terms, request.trace) for one in _chosen(_found(index, ranked), request)]
    by_track = {track: tuple(hit for hit in hits if hit.track == track) for track in TRACKS}
    return SearchResult(by_track["memory"], by_track["skill"], by_track["resource"], stale)


def _found(index: Index, ranked: Sequence[tuple[int, float]]) -> Iterator[_Found]:
    """Fetched as far as they are needed, best first; of equals the newer, then the one of a project."""
    for score, equals in groupby(ranked, key=lambda one: round(one[1], 6)):
        yield from sorted((_Found(number, score, *index.segment(number)) for number, _ in equals), key=_order)


def _chosen(found: Iterator[_Found], request: SearchRequest) -> Iterator[_Found]:
    """One hit a section, as many as fit."""
    seen: set[tuple[Target, int]] = set()
    room = request.budget
    for one in found:
        section = (one.place.target, one.segment.section)
        size = len(one.segment.text.encode("utf-8", "replace"))
        if section in seen or size > room:
            continue
        seen.add(section)
        room -= size
        yield one
        if len(seen) == request.k:
            return


def _order(one: _Found) -> tuple[Milliseconds, bool, str, int]:
    return -(one.segment.date or 0), one.place.scope == GLOBAL, one.place.target, one.id


def _hit(index: Index, one: _Found, terms: Sequence[str], trace: bool) -> Hit:
    place, segment = one.place, one.segment
    hit = Hit(
        place.target,
        place.track,
        segment.heading,
        segment.text,
        round(one.score, 4),
        segment.date,
        place.scope,
        segment.sources,
    )
    return replace(hit, trace=_trace(index, one, terms)) if trace else hit


def _trace(index: Index, one: _Found, terms: Sequence[str]) -> str:
    """``lexical=2.31 text=pnpm,lockfile near=deploy``: which words were found in the text, which only around it."""
    own = [term for term in terms if index.holds(one.id, term, "own")]
    near = [term for term in terms if term not in own and index.holds(one.id, term, "context")]
    parts = [f"lexical={one.score:.2f}", f"text={','.join(own) or '-'}", *([f"near={','.join(near)}"] if near else [])]
    return " ".join(parts)


def _check(request: SearchRequest) -> None:
    if not request.query.strip():
        raise UsageError(Code.INVALID_ARGUMENTS, argument="query", rule="words to look for")
    if type(request.k) is not int or not 1 <= request.k <= MOST_HITS:
        raise UsageError(Code.INVALID_ARGUMENTS, argument="k", rule=f"1 to {MOST_HITS}")
    if not request.tracks or any(track not in TRACKS for track in request.tracks):
        raise UsageError(Code.INVALID_ARGUMENTS, argument="tracks", rule=", ".join(TRACKS))
    if type(request.budget) is not int or request.budget < 1:
        raise UsageError(Code.INVALID_ARGUMENTS, argument="budget", rule="bytes, at least 1")
