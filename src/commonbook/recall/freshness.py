"""Bring the index up to the files: after this, a search sees every hand edit, and nothing that was removed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from commonbook.book.facts import read_facts
from commonbook.book.files import read_bounded
from commonbook.clock import Clock, Milliseconds
from commonbook.errors import PlaceError
from commonbook.recall.corpus import CorpusFile, Stamp, scan, stamp_of
from commonbook.recall.index import Index, IndexedDocument
from commonbook.recall.segments import Facts, cut
from commonbook.settings.model import MIB
from commonbook.settings.paths import Home
from commonbook.vocabulary import Target, sha256

CALL_BYTES = 4 * MIB
"""Most Markdown that one search reads anew before it answers; the rest is hidden, told as ``stale``, and read by the next."""
RACY_MILLISECONDS = 2_000
"""A file that changed this shortly before it was read may have changed again within its clock's grain: it is read again."""
_NOTHING = Stamp(0, 0, 0)


def refresh(index: Index, home: Home, clock: Clock, *, most: int) -> bool:
    """Index what changed, up to ``most`` bytes, and remove what is gone. Gives whether something is left for the next search.

    The write lock is taken only when there is something to write, and what to write is worked out again under it: of two
    processes that see the same change, the second finds nothing to do.
    """
    if not _changes(index, home, clock.now(), most).anything:
        return False
    with index.writing():
        changes = _changes(index, home, clock.now(), most)
        _apply(index, changes)
    return changes.left


@dataclass(frozen=True)
class _FactsFile:
    """sections.json, with a digest of each document's part of it."""

    facts: Facts
    digests: Mapping[Target, str]

    def digest(self, target: Target) -> str:
        return self.digests.get(target, "")


@dataclass(frozen=True)
class _Put:
    file: CorpusFile
    data: bytes
    digest: str


@dataclass(frozen=True)
class _Restamp:
    document: IndexedDocument
    stamp: Stamp


@dataclass
class _Changes:
    """``read_at`` is taken before the first file is looked at, so that a later change is never taken for an earlier one."""

    read_at: Milliseconds
    facts_file: _FactsFile
    facts_stamp: Stamp | None
    """Set when sections.json itself has to be noted as read."""
    puts: list[_Put]
    restamps: list[_Restamp]
    gone: list[IndexedDocument]
    left: bool = False

    @property
    def anything(self) -> bool:
        return bool(self.puts or self.restamps or self.gone or self.facts_stamp or self.left)


def _changes(index: Index, home: Home, now: Milliseconds, most: int) -> _Changes:
    facts_stamp, noted = stamp_of(home.sections_file) or _NOTHING, index.facts_file()
    rows, files = index.documents(), scan(home)
    facts_fresh = noted is not None and _settled(*noted, facts_stamp)
    suspects = [file for file in files if not _fresh(rows.get(file.target), file)]
    there = {file.target for file in files}
    gone = [row for target, row in rows.items() if target not in there]
    if facts_fresh and not suspects:
        return _Changes(now, _FactsFile({}, {}), None, [], [], gone)
    facts = _read_facts(home)
    if not facts_fresh:
        doubtful = {file.target for file in suspects}
        suspects = [
            file for file in files if file.target in doubtful or rows[file.target].facts != facts.digest(file.target)
        ]
    write_facts = (
        noted is None or noted[0] != facts_stamp or (not facts_fresh and _settled(facts_stamp, now, facts_stamp))
    )
    changes = _Changes(now, facts, facts_stamp if write_facts else None, [], [], gone)
    for file in suspects:
        most -= _look_at(home, file, rows.get(file.target), changes, most)
    return changes


def _look_at(home: Home, file: CorpusFile, row: IndexedDocument | None, changes: _Changes, room: int) -> int:
    """Note what has to be done about a file that may have changed; gives the bytes that have to be indexed anew."""
    fits = file.stamp.size <= room
    if row is None and not fits and file.stamp.size <= MIB:
        changes.left = True
        return 0
    data = _read(home, file)
    digest = _digest(data, file.stamp, changes.facts_file.digest(file.target)) if data is not None else ""
    if row is not None and row.digest == digest:
        if row.stamp != file.stamp or _settled(file.stamp, changes.read_at, file.stamp):
            changes.restamps.append(_Restamp(row, file.stamp))
        return 0
    if data is None or not fits:
        # What it said before no longer counts, even where there is no time now for what it says today.
        changes.left |= data is not None
        changes.gone += [row] if row else []
        return 0
    changes.puts.append(_Put(file, data, digest))
    return len(data)


def _apply(index: Index, changes: _Changes) -> None:
    for document in changes.gone:
        index.remove(document)
    for restamp in changes.restamps:
        index.restamp(restamp.document, restamp.stamp, changes.read_at)
    facts = changes.facts_file
    for put in changes.puts:
        file = put.file
        segments = cut(file.target, file.track, put.data, facts.facts, file.stamp.changed_at)
        noted = facts.digest(file.target)
        index.put(file, segments, checked=changes.read_at, digest=put.digest, facts=noted)
    if changes.facts_stamp is not None:
        index.put_facts_file(changes.facts_stamp, changes.read_at)


def _fresh(row: IndexedDocument | None, file: CorpusFile) -> bool:
    return row is not None and _settled(row.stamp, row.checked, file.stamp)


def _settled(noted: Stamp, checked: Milliseconds, found: Stamp) -> bool:
    return noted == found and found.changed_at + RACY_MILLISECONDS < checked


def _read(home: Home, file: CorpusFile) -> bytes | None:
    """``None`` for a file that is gone or may not be read as a document; the reader tells which and why."""
    try:
        return read_bounded(Path(file.path), below=home.data)
    except PlaceError:
        return None


def _read_facts(home: Home) -> _FactsFile:
    try:
        facts = read_facts(home)
    except PlaceError:
        facts = {}
    by_target: dict[Target, list[tuple[str, Milliseconds, tuple[str, ...]]]] = {}
    for (target, title), fact in sorted(facts.items()):
        by_target.setdefault(target, []).append((title, fact.date, fact.sources))
    return _FactsFile(facts, {target: sha256(json.dumps(found)) for target, found in by_target.items()})


def _digest(data: bytes, stamp: Stamp, facts: str) -> str:
    """Everything that segments are made from; the file's time stands for the date of sections without facts."""
    return sha256(json.dumps([sha256(data), stamp.changed_at, facts]))
