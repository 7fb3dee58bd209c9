"""Numbered schema files: a new database is built from them, an older one is carried forward, a newer one is refused."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import apsw

from commonbook.book.files import ensure_folder, fsync_folder, list_files, read_bounded, write_durable
from commonbook.clock import Clock
from commonbook.errors import Code, PlaceError
from commonbook.ledger.database import Ledger, queries
from commonbook.settings.paths import Home
from commonbook.vocabulary import sha256

CANONICAL_SUFFIX = ".md"


@dataclass(frozen=True)
class Step:
    """One schema file. It ends by setting ``PRAGMA user_version`` to its own number."""

    version: int
    sql: str


Manifest = dict[str, tuple[int, str]]
"""Per table: number of rows, and a digest over their primary keys."""


def shipped_steps() -> tuple[Step, ...]:
    """The schema files of this program, in order."""
    named = sorted((file.name, file) for file in files("commonbook.ledger").joinpath("schema").iterdir())
    return tuple(Step(int(name[:4]), file.read_text(encoding="utf-8")) for name, file in named if name.endswith(".sql"))


def needs_migration(ledger: Ledger, home: Home, steps: Sequence[Step] | None = None) -> bool:
    """Whether ``migrate`` has something to do; cheap, takes no lock.

    Raises ``PlaceError``: ``STORE_NEWER`` for a database of a newer program; ``STORE_DAMAGED`` for one that is not ours
    or whose tables are not those that its number promises (nothing is changed in either case).
    """
    known = shipped_steps() if steps is None else steps
    version, latest = _version(ledger), known[-1].version
    path = str(home.runtime_database)
    if version > latest:
        raise PlaceError(Code.STORE_NEWER, path=path, found=version, known=latest)
    tables = _tables(ledger)
    if version == 0 and tables:
        raise PlaceError(Code.STORE_DAMAGED, path=path)
    if version == latest and not set(_promised_tables(known)) <= set(tables):
        raise PlaceError(Code.STORE_DAMAGED, path=path)
    return version < latest


def migrate(ledger: Ledger, home: Home, clock: Clock, steps: Sequence[Step] | None = None) -> None:
    """Bring the database to the newest schema in one transaction. The caller holds the repository lock.

    An existing database is backed up first, with the canonical files; its running leases are revoked, so that a run
    started by the older program cannot commit any more. When rows are missing afterwards, or the shape is not that of
    a database built fresh, everything is rolled back. Raises ``PlaceError`` as ``needs_migration`` does.
    """
    known = shipped_steps() if steps is None else steps
    if needs_migration(ledger, home, known):  # again, now under the lock: another process may have been faster
        started_at = _version(ledger)
        if started_at:
            back_up(ledger, home, clock, started_at)
        with ledger.write():
            before = _manifest(ledger)
            for step in known:
                if step.version > started_at:
                    ledger.script(step.sql)
            if started_at:
                ledger.run(queries("settings")["revoke_leases"], {"now": clock.now()})
            _check_nothing_lost(before, _manifest(ledger), home)
            _check_shape(ledger, known, home)
    ledger.expect_schema(known[-1].version)


def back_up(ledger: Ledger, home: Home, clock: Clock, version: int) -> Path:
    """A consistent copy of the database and of every canonical file, with a manifest of digests; gives its folder."""
    folder = home.upgrade_backups / f"schema-{version}-{clock.now()}"
    ensure_folder(folder, below=home.data)
    copy = folder / "runtime.sqlite"
    ledger.run("VACUUM INTO ?", (str(copy),))
    copy.chmod(0o600)
    digests: dict[str, str] = {}
    for source in _canonical_files(home):
        data = read_bounded(source, below=home.data)
        if data is not None:
            name = str(source.relative_to(home.data))
            target = folder / name
            ensure_folder(target.parent, below=home.data)
            write_durable(target, data)
            digests[name] = sha256(data)
    digests["runtime.sqlite"] = _file_digest(copy)
    write_durable(folder / "manifest.json", json.dumps(digests, indent=1, sort_keys=True).encode())
    fsync_folder(folder)
    return folder


def _file_digest(path: Path) -> str:
    import os

    with path.open("rb") as stream:
        os.fsync(stream.fileno())
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _canonical_files(home: Home) -> tuple[Path, ...]:
    folders = (home.memory, home.memory / "projects")
    return tuple(
        file
        for folder in folders
        if folder.is_dir()
        for file in list_files(folder, below=home.data, suffix=CANONICAL_SUFFIX)
    )


def _version(ledger: Ledger) -> int:
    row = ledger.row("PRAGMA user_version")
    return int(row[0]) if row else 0


def _tables(ledger: Ledger) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in ledger.rows(queries("settings")["tables"]))


def _promised_tables(steps: Sequence[Step]) -> list[str]:
    made = [name for step in steps for name in re.findall(r"^CREATE TABLE (\w+)", step.sql, re.MULTILINE)]
    dropped = {name for step in steps for name in re.findall(r"^DROP TABLE (\w+)", step.sql, re.MULTILINE)}
    renamed = dict(
        pair for step in steps for pair in re.findall(r"^ALTER TABLE (\w+) RENAME TO (\w+)", step.sql, re.MULTILINE)
    )
    return [renamed.get(name, name) for name in made if name not in dropped]


def _manifest(ledger: Ledger) -> Manifest:
    """Counting alone would not notice rows that were dropped and others that came in their place."""
    found: Manifest = {}
    for table in _tables(ledger):
        keys = [
            str(row[1]) for row in sorted(ledger.rows(f"PRAGMA table_info({table})"), key=lambda row: row[5]) if row[5]
        ]
        columns = ", ".join(keys)
        digest, count = hashlib.sha256(), 0
        for row in ledger.rows(f"SELECT {columns} FROM {table} ORDER BY {columns}"):  # noqa: S608
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
            count += 1
        found[table] = (count, digest.hexdigest())
    return found


def _check_nothing_lost(before: Manifest, after: Manifest, home: Home) -> None:
    for table, held in before.items():
        if table in after and after[table] != held and held[0]:
            raise PlaceError(Code.STORE_DAMAGED, path=str(home.runtime_database), table=table)
    missing = [table for table, (count, _) in before.items() if count and table not in after]
    if missing:
        raise PlaceError(Code.STORE_DAMAGED, path=str(home.runtime_database), table=missing[0])


def _check_shape(ledger: Ledger, steps: Sequence[Step], home: Home) -> None:
    """A number that is ahead of the true shape would make every later migration skip work that was never done."""
    if ledger.rows("PRAGMA foreign_key_check") or shape(ledger) != shape(built_fresh(steps)):
        raise PlaceError(Code.STORE_DAMAGED, path=str(home.runtime_database))


def built_fresh(steps: Sequence[Step]) -> Ledger:
    """An empty database in memory, of the newest schema."""
    fresh = Ledger(apsw.Connection(":memory:"))
    for step in steps:
        fresh.script(step.sql)
    return fresh


def shape(ledger: Ledger) -> tuple[tuple[str, str, str], ...]:
    """(type, name, normalised SQL) of everything in the schema, comments and white space left out."""
    return tuple(
        (str(kind), str(name), " ".join(re.sub(r"--[^\n]*", "", str(sql)).split()))
        for kind, name, sql in ledger.rows(queries("settings")["shape"])
    )
