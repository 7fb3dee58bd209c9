"""recall.sqlite: the segments and their words, and the ranking over them. Derived; damage costs a rebuild and nothing else."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import apsw

from commonbook.clock import Milliseconds
from commonbook.recall.corpus import CorpusFile, Stamp
from commonbook.recall.segmentation import date_words, words
from commonbook.recall.segments import Segment, Track
from commonbook.sql import named_queries
from commonbook.vocabulary import Scope, Target, sha256

WINDOW = 2
"""Neighbours on each side whose words give a segment its context; chosen, like the weights, by bench/recall_lexical.py."""
COLUMNS = ("own", "context")
OWN_WEIGHT, CONTEXT_WEIGHT = 1.0, 0.6
MANY_SEGMENTS = 5_000
COMMON = {"own": 2, "context": 10}  # in more than a half, a tenth of them
_ORDINAL_BITS = 20  # a document of 1 MiB has fewer segments than that


class IndexDamagedError(Exception):
    """What the file gave back is not what was written into it."""


class IndexedDocument(NamedTuple):
    """``digest``: of everything its segments were made from; ``facts``: of its section facts; ``checked``: when it was read."""

    id: int
    stamp: Stamp
    checked: Milliseconds
    digest: str
    facts: str


@dataclass(frozen=True)
class Place:
    target: Target
    track: Track
    scope: Scope


@dataclass(frozen=True)
class Words:
    """What stands in the two columns for one segment."""

    own: str
    context: str


class Index:
    """One connection to an index. Every method may raise ``apsw.Error``; ``search`` knows what to do then."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @contextmanager
    def writing(self) -> Iterator[None]:
        """``BEGIN IMMEDIATE … COMMIT``: of two processes that index at once, the second sees what the first has done."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One consistent view: what is ranked is still there when it is fetched."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def documents(self) -> dict[Target, IndexedDocument]:
        rows = self._connection.execute(queries()["documents"])
        return {
            target: IndexedDocument(number, Stamp(size, mtime_ns, inode), checked, digest, facts)
            for target, number, size, mtime_ns, inode, checked, digest, facts in rows
        }

    def put(
        self, file: CorpusFile, segments: Sequence[Segment], *, checked: Milliseconds, digest: str, facts: str
    ) -> range:
        """Make these the segments of a document and give their ids. Only what differs is written: one edited section costs
        its neighbourhood."""
        values = (
            file.target,
            file.track,
            file.scope,
            *_stamp_values(file.stamp),
            checked,
            len(segments),
            digest,
            facts,
        )
        ((number,),) = self._connection.execute(queries()["put_document"], values).fetchall()
        return self._exchange(int(str(number)), segments)

    def remove(self, document: IndexedDocument) -> None:
        self._exchange(document.id, ())
        self._connection.execute(queries()["remove_document"], (document.id,))

    def restamp(self, document: IndexedDocument, stamp: Stamp, checked: Milliseconds) -> None:
        """The file was read again and says the same."""
        self._connection.execute(queries()["restamp_document"], (*_stamp_values(stamp), checked, document.id))

    def facts_file(self) -> tuple[Stamp, Milliseconds] | None:
        """sections.json as it was last read, and when."""
        row = self._connection.execute(queries()["facts_file"]).fetchone()
        return (Stamp(row[0], row[1], row[2]), row[3]) if row else None

    def put_facts_file(self, stamp: Stamp, checked: Milliseconds) -> None:
        self._connection.execute(queries()["put_facts_file"], (*_stamp_values(stamp), checked))

    def rank(
        self, terms: Sequence[str], scopes: Collection[str], tracks: Collection[str], limit: int
    ) -> list[tuple[int, float]]:
        """The best ``limit`` segments (id, score; higher is better) among those of the scopes and tracks, and no others."""
        if not terms:
            return []
        match = self._match(terms)
        values: tuple[str | float, ...] = (match, OWN_WEIGHT, CONTEXT_WEIGHT, limit)
        kinds = self._connection.execute(queries()["kinds"]).fetchall()
        name = "rank"
        if any(scope not in scopes or track not in tracks for scope, track in kinds):
            name, values = "rank_within", (*values, json.dumps(list(scopes)), json.dumps(list(tracks)))
        return [(segment, -score) for segment, score in self._connection.execute(queries()[name], values)]

    def _match(self, terms: Sequence[str]) -> str:
        """Column by column, so that a word's rarity is counted in the texts themselves: in a small memory the neighbourhoods
        together hold every word everywhere, and no word would tell more than another."""
        telling = {column: self._telling(terms, column) for column in COLUMNS}
        return " OR ".join(
            f"{column} : ({' OR '.join(_phrase(term) for term in found)})"
            for column, found in (telling if any(telling.values()) else dict.fromkeys(COLUMNS, terms)).items()
            if found
        )

    def _telling(self, terms: Sequence[str], column: str) -> Sequence[str]:
        """In a large index without the words that stand almost everywhere: they weigh little and take long to count."""
        total = self._count("segment_count")
        if total < MANY_SEGMENTS:
            return terms
        most = total // COMMON[column]
        return [term for term in terms if 0 < self._count("match_count", f"{column} : {_phrase(term)}") <= most]

    def _count(self, name: str, *values: str) -> int:
        ((found,),) = self._connection.execute(queries()[name], values).fetchall()
        return int(str(found))

    def segment(self, number: int) -> tuple[Place, Segment]:
        """Raises ``IndexDamagedError`` where a row is missing or not what was written."""
        place = self._connection.execute(queries()["place"], (number >> _ORDINAL_BITS,)).fetchone()
        stored = self._stored(number, number)
        if place is None or not stored:
            raise IndexDamagedError
        return Place(Target(place[0]), place[1], Scope(place[2])), stored[0]

    def holds(self, number: int, term: str, column: str) -> bool:
        """Whether a column (``own`` or ``context``) of the segment holds the term, as the ranking sees it."""
        found = self._connection.execute(queries()["holds"], (f"{column} : {_phrase(term)}", number)).fetchall()
        return bool(found[0][0])

    def _exchange(self, document: int, segments: Sequence[Segment]) -> range:
        first = document << _ORDINAL_BITS
        old = self._stored(first, first + (1 << _ORDINAL_BITS) - 1)
        pairs = zip_longest(zip_longest(old, segments), columns_of(old), columns_of(segments))
        for number, ((before, after), old_words, new_words) in enumerate(pairs, first):
            if old_words != new_words:
                self._exchange_words(number, old_words, new_words)
            if after is None:
                self._connection.execute(queries()["remove_segment"], (number,))
            elif after != before:
                self._connection.execute(queries()["put_segment"], (number, *_row_of(after)))
        return range(first, first + len(segments))

    def _exchange_words(self, number: int, old: Words | None, new: Words | None) -> None:
        """SQLite forgets exactly the words that it is given: they are made again from the stored segments."""
        if old is not None:
            self._connection.execute(queries()["remove_words"], (number, old.own, old.context))
        if new is not None:
            self._connection.execute(queries()["put_words"], (number, new.own, new.context))

    def _stored(self, first: int, last: int) -> list[Segment]:
        rows = self._connection.execute(queries()["segments"], (first, last)).fetchall()
        return [_segment_of(row[1:]) for row in rows]


def _phrase(term: str) -> str:
    """A word as FTS5 takes it literally; words never hold a quotation mark."""
    return f'"{term}"'


def columns_of(segments: Sequence[Segment]) -> list[Words]:
    """Both columns of each segment of one document: what it says itself, and what stands around it."""
    near = [" ".join(words(" ".join((*segment.heading, segment.text)))) for segment in segments]
    return [
        Words(_own(segment, near[at]), " ".join((*near[max(0, at - WINDOW) : at], *near[at + 1 : at + 1 + WINDOW])))
        for at, segment in enumerate(segments)
    ]


def _own(segment: Segment, near: str) -> str:
    date = date_words(segment.date) if segment.date is not None else ()
    return " ".join((*words(segment.title), near, *date))


def _stamp_values(stamp: Stamp) -> tuple[int, int, int]:
    return stamp.size, stamp.mtime_ns, stamp.inode


def _row_of(segment: Segment) -> tuple[object, ...]:
    row = (
        segment.section,
        segment.title,
        json.dumps(segment.heading, ensure_ascii=False),
        segment.text,
        segment.date,
        json.dumps(segment.sources),
    )
    return (*row, _digest(row))


def _segment_of(row: tuple[object, ...]) -> Segment:
    section, title, heading, text, date, sources, digest = row
    if _digest(row[:-1]) != digest:
        raise IndexDamagedError
    return Segment(section, title, tuple(json.loads(heading)), text, date, tuple(json.loads(sources)))  # type: ignore[arg-type]


def _digest(row: tuple[object, ...]) -> str:
    return sha256(json.dumps(row, ensure_ascii=False))


def queries() -> dict[str, str]:
    """The named statements of ``recall/sql/index.sql``."""
    return named_queries("commonbook.recall", "index")
