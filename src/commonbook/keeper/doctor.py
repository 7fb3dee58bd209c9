"""Looking whether everything is as it should be. Nothing is written, opened for writing, locked or healed here.

The database is read in place when nobody has it open, else from a private copy; while another process changes it, the look is
repeated. Findings name files, sections and counts, never a remembered word.
"""

import os
import shutil
import stat
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from commonbook.book.facts import read_facts
from commonbook.book.files import TEMPORARY, read_bounded
from commonbook.book.grammar import outline, parse
from commonbook.errors import Code, DecisionError, PlaceError
from commonbook.keeper.backup import RECEIPT_LIMIT
from commonbook.keeper.journal import CONFLICT
from commonbook.keeper.receipt import Receipt, decode
from commonbook.keeper.safety import has_secret
from commonbook.keeper.snapshot import current_digest
from commonbook.ledger import checks
from commonbook.ledger import links as link_table
from commonbook.ledger.database import Ledger
from commonbook.ledger.migrations import needs_migration
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import PREFERENCES, PROFILE, Target, sha256

ATTEMPTS = 3
PRIVATE = 0o077


@dataclass(frozen=True)
class Finding:
    """``problem``: something to do; ``note``: good to know, harmless. ``what``: a key of the catalogue; ``where``: a path within
    home, a document, or a section."""

    kind: Literal["problem", "note"]
    what: str
    where: str
    count: int = 1


def examine(home: Home, settings: Settings) -> tuple[Finding, ...]:
    """Everything that is not as it should be; empty also where there is no memory yet. Raises nothing that a file can cause."""
    if not home.data.is_dir():
        return ()
    found = [*_folders(home), *_documents(home, settings)]
    receipts, wrong = _receipts(home)
    return (*found, *wrong, *_hand_edits(home, receipts), *_database(home), *_derived(home))


# --- files -------------------------------------------------------------------------------------------------------------


def _folders(home: Home) -> Iterator[Finding]:
    """Modes, links, and what a crash left. What a person's editor writes may be readable: the folder around it is not."""
    for root in dict.fromkeys((home.root, home.data)):
        if stat.S_IMODE(root.stat().st_mode) & PRIVATE:
            yield Finding("problem", "not_private", str(root))
        for folder, folders, names in os.walk(root):
            for name in (*folders, *names):
                path = Path(folder, name)
                if root == home.root and path.is_relative_to(home.data) and home.data != home.root:
                    continue
                yield from _entry(home, path)


def _entry(home: Home, path: Path) -> Iterator[Finding]:
    try:
        facts = path.lstat()
    except OSError:  # another process has removed it just now
        return
    where = _within(home, path)
    if stat.S_ISLNK(facts.st_mode):
        yield Finding("problem", "link", where)
    elif stat.S_IMODE(facts.st_mode) & PRIVATE:
        by_editor = path.suffix == ".md" or path == home.config
        yield Finding("note" if by_editor else "problem", "not_private", where)
    if path.name.endswith(TEMPORARY):
        yield Finding("note", "unfinished", where)
    elif path.parent == home.transactions:
        conflict = path.name.endswith(CONFLICT)
        yield Finding("problem" if conflict else "note", "conflict" if conflict else "unfinished", where)


def _documents(home: Home, settings: Settings) -> Iterator[Finding]:
    paths = [home.memory / f"{target}.md" for target in (PROFILE, PREFERENCES)]
    projects = home.memory / "projects"
    paths += sorted(projects.glob("*.md")) if projects.is_dir() else []
    for path in paths:
        target = Target(str(path.relative_to(home.memory).with_suffix("")))
        try:
            data = read_bounded(path, below=home.data)
        except PlaceError:
            yield Finding("problem", "unreadable", _within(home, path))
            continue
        if data is None or not data.strip():
            continue
        try:
            parse(data, target)
        except DecisionError as error:
            yield Finding("problem", "outside_grammar", f"{target}:{error.detail.get('line', 1)}")
        if len(data) > settings.documents.soft:
            full = len(data) > settings.documents.hard
            yield Finding("problem" if full else "note", "full" if full else "large", target)
        document = outline(data)
        told = {section.title: document.text(section) for section in document.sections} or {
            "": data.decode(errors="replace")
        }
        for title, text in told.items():
            if has_secret(text):
                yield Finding("problem", "secret", target if has_secret(title) else f"{target}#{title}")


def _receipts(home: Home) -> tuple[tuple[Receipt, ...], list[Finding]]:
    receipts, wrong = [], []
    for path in sorted(home.receipts.glob("*.json")):
        try:
            receipts.append(decode(read_bounded(path, below=home.data, limit=RECEIPT_LIMIT) or b""))
        except PlaceError:
            wrong.append(Finding("problem", "receipt_damaged", _within(home, path)))
    return tuple(receipts), wrong


def _hand_edits(home: Home, receipts: tuple[Receipt, ...]) -> Iterator[Finding]:
    """Commits form a way from no document to the one that stands there; where it does not join, a person edited, as they may."""
    came: dict[Target, Counter[str]] = {}
    left: dict[Target, Counter[str]] = {}
    for receipt in receipts:
        for file in receipt.files:
            came.setdefault(file.target, Counter())[file.before] += 1
            left.setdefault(file.target, Counter({"": 1}))[file.after] += 1
    for target, found in came.items():
        try:
            found[current_digest(home, target)] += 1
        except PlaceError:  # told already
            continue
        if edits := (found - left[target]).total():
            yield Finding("note", "edited_by_hand", target, edits)


# --- databases -----------------------------------------------------------------------------------------------------------


def _database(home: Home) -> Iterator[Finding]:
    path, where = home.runtime_database, _within(home, home.runtime_database)
    if not path.exists():
        yield Finding("problem", "database_missing", where)
        return
    for _ in range(ATTEMPTS):
        before = _stamp(path)
        try:
            with _read_only(path) as ledger:
                found = list(_in_database(home, ledger, where))
        except PlaceError as error:
            found = [Finding("problem", _WORDS.get(error.code, "unreadable"), where)]
        except OSError:
            found = [Finding("problem", "unreadable", where)]
        if _stamp(path) == before:
            yield from found
            return
    yield Finding("note", "in_use", where)


_WORDS = {Code.STORE_DAMAGED: "database_damaged", Code.STORE_NEWER: "database_newer"}


def _in_database(home: Home, ledger: Ledger, where: str) -> Iterator[Finding]:
    if not checks.is_sound(ledger):
        yield Finding("problem", "database_damaged", where)
        return
    if needs_migration(ledger, home):
        yield Finding("note", "database_older", where)
        return
    for name, count in checks.broken(ledger):
        yield Finding("problem", name, where, count)
    applied = checks.receipt_digests(ledger)
    for path in sorted(home.receipts.glob("*.json")):
        digest = applied.pop(path.stem, None)
        if digest is None:
            yield Finding("problem", "receipt_not_applied", _within(home, path))
        elif digest != sha256(path.read_bytes()):
            yield Finding("problem", "receipt_changed", _within(home, path))
    for receipt in applied:
        yield Finding("problem", "receipt_missing", _within(home, home.receipts / f"{receipt}.json"))
    facts = {key: fact.date for key, fact in read_facts(home).items()}
    if facts != {(target, title): date for target, title, date in link_table.all_dates(ledger)}:
        yield Finding("note", "derived_stale", _within(home, home.sections_file))


def _derived(home: Home) -> Iterator[Finding]:
    """What may be deleted at any time and is made again."""
    for path in (home.recall_database, home.history_database):
        if not path.exists():
            continue
        try:
            with _read_only(path) as ledger:
                sound = checks.is_sound(ledger)
        except (PlaceError, OSError):
            sound = False
        if not sound:
            yield Finding("note", "derived_broken", _within(home, path))


@contextmanager
def _read_only(path: Path) -> Iterator[Ledger]:
    """A log beside it holds what is not in the file yet, and reading that would write: such a database is read as a copy."""
    log = path.with_name(f"{path.name}-wal")
    with tempfile.TemporaryDirectory() as folder:
        if log.exists() and log.stat().st_size:
            copy = Path(folder, path.name)
            for source in (path, log):
                shutil.copyfile(source, copy.with_name(source.name))
            ledger = Ledger.open(copy, create=False)
        else:
            ledger = Ledger.open_unchanging(path)
        try:
            yield ledger
        finally:
            ledger.close()


def _stamp(path: Path) -> list[tuple[int, int]]:
    found = []
    for name in (path.name, f"{path.name}-wal"):
        try:
            facts = path.with_name(name).stat()
        except FileNotFoundError:
            continue
        found.append((facts.st_size, facts.st_mtime_ns))
    return found


def _within(home: Home, path: Path) -> str:
    return str(path.relative_to(home.root)) if path.is_relative_to(home.root) else str(path)
