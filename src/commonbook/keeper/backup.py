"""A backup of the whole memory, taken while it is in use: documents, receipts, database and history of one moment.

The repository lock is held only while the documents are read and the databases' snapshots are pinned; copying them, which
takes time, needs no lock. Receipts never change, so their names are enough. What is derived or disposable stays out, and so
do settings and secrets. A backup holds what it held: what is forgotten later is still in it.
"""

import hashlib
import json
import os
import tarfile
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO

from commonbook.book.files import (
    TEMPORARY,
    ensure_folder,
    fsync_folder,
    list_files,
    place_error,
    read_bounded,
    remove_durable,
    remove_folder,
)
from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError, UsageError
from commonbook.keeper import history
from commonbook.keeper.contracts import Store
from commonbook.keeper.lock import repository_lock
from commonbook.keeper.recovery import recover_locked
from commonbook.ledger.database import Ledger, queries
from commonbook.ledger.migrations import shipped_steps
from commonbook.settings.model import MIB

FORMAT = 1
MANIFEST = "manifest.json"
RUNTIME, HISTORY = "runtime.sqlite", "history.sqlite"
ARCHIVES = (".tar.gz", ".tgz")
RECEIPT_LIMIT = 64 * MIB


@dataclass(frozen=True)
class Member:
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """``members``: by path within the data folder. ``schema``: of the database; ``program``: the version that wrote it."""

    format: int
    program: str
    store: str
    created: Milliseconds
    schema: int
    members: dict[str, Member]


@dataclass(frozen=True)
class BackUpMade:
    """``left_out``: files in the memory folder that are no plain files of at most 1 MiB."""

    path: Path
    manifest: Manifest
    left_out: tuple[str, ...]


def back_up(store: Store, target: Path, *, with_history: bool = True) -> BackUpMade:
    """Write the backup as a ``.tar.gz`` archive or, by any other name, as a folder; it is there whole or not at all.

    Raises ``UsageError``: ``ALREADY_THERE``, ``INVALID_ARGUMENTS`` (inside the data folder); ``PlaceError``.
    """
    target = Path(os.path.realpath(target.parent)) / target.name
    if target.is_relative_to(store.home.data):
        raise UsageError(Code.INVALID_ARGUMENTS, argument=str(target), rule="inside the memory itself")
    _refuse_existing(target)
    if not target.parent.is_dir():
        raise PlaceError(Code.FOLDER_MISSING, path=str(target.parent))
    staging = target.with_name(f".{target.name}.{os.urandom(6).hex()}{TEMPORARY}")
    archive = staging.with_suffix(f".gz{TEMPORARY}")
    try:
        ensure_folder(staging, below=target.parent)
        left_out = _collect(store, staging, with_history=with_history)
        manifest = _manifest(store, staging)
        _write(staging / MANIFEST, json.dumps(asdict(manifest), indent=1).encode())
        made = staging
        if target.name.endswith(ARCHIVES):
            _pack(staging, archive, manifest)
            made = archive
        store.mark("backup.publish")
        _refuse_existing(target)
        for folder, _, _ in os.walk(staging):
            fsync_folder(Path(folder))
        with told(target):
            made.rename(target)
        fsync_folder(target.parent)
    finally:
        remove_durable(archive)
        if staging.exists():
            remove_folder(staging)
    return BackUpMade(target, manifest, left_out)


def _refuse_existing(target: Path) -> None:
    if os.path.lexists(target):
        raise UsageError(Code.ALREADY_THERE, path=str(target))


def _collect(store: Store, staging: Path, *, with_history: bool) -> tuple[str, ...]:
    home, left_out = store.home, []
    with ExitStack() as pinned:
        with repository_lock(home):
            recover_locked(store)
            store.mark("backup.pin")
            snapshots = [(RUNTIME, pinned.enter_context(store.ledger.read()))]
            if with_history and home.history_database.exists():
                snapshots.append((HISTORY, pinned.enter_context(_history(store))))
            for _, ledger in snapshots:
                ledger.rows(queries("settings")["tables"])  # the snapshot is that of the first thing read
            receipts = list_files(home.receipts, below=home.data, suffix=".json")
            for path in (home.store_file, home.projects_file, *_files_below(home.memory)):
                try:
                    data = read_bounded(path, below=home.data)
                except PlaceError:
                    left_out.append(str(path.relative_to(home.data)))
                else:
                    _put(staging, str(path.relative_to(home.data)), data)
        for name, ledger in snapshots:
            ledger.copy_into(staging / name)
            with told(staging / name), (staging / name).open("rb") as file:
                _keep(file)
        for path in receipts:
            data = read_bounded(path, below=home.data, limit=RECEIPT_LIMIT)
            _put(staging, str(path.relative_to(home.data)), data)
    return tuple(left_out)


@contextmanager
def _history(store: Store) -> Iterator[Ledger]:
    with history.opened(store.home) as database, database.read():
        yield database


def _files_below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        yield from (Path(place, name) for name in sorted(names) if not name.endswith(TEMPORARY))
        yield from (Path(place, name) for name in folders if Path(place, name).is_symlink())


def _put(staging: Path, name: str, data: bytes | None) -> None:
    if data is not None:
        ensure_folder((staging / name).parent, below=staging)
        _write(staging / name, data)


def _write(path: Path, data: bytes) -> None:
    with told(path), path.open("xb") as file:
        file.write(data)
        file.flush()
        _keep(file)


def _keep(file: IO[bytes]) -> None:
    os.fchmod(file.fileno(), 0o600)
    os.fsync(file.fileno())


def _manifest(store: Store, staging: Path) -> Manifest:
    """Of what really stands there."""
    members = {}
    for path in sorted(_files_below(staging)):
        with told(path), path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            members[str(path.relative_to(staging))] = Member(file.tell(), digest)
    identity = tomllib.loads((staging / store.home.store_file.name).read_text(encoding="utf-8"))
    program, schema = version("commonbook"), shipped_steps()[-1].version
    return Manifest(FORMAT, program, str(identity["id"]), store.clock.now(), schema, members)


def _pack(staging: Path, archive: Path, manifest: Manifest) -> None:
    """The manifest first, so that whoever unpacks knows what may follow."""
    with told(archive), archive.open("xb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.PAX_FORMAT) as packed:
            for name in (MANIFEST, *manifest.members):
                facts = tarfile.TarInfo(name)
                facts.size, facts.mode = (staging / name).stat().st_size, 0o600
                facts.mtime = manifest.created // 1000
                with (staging / name).open("rb") as member:
                    packed.addfile(facts, member)
        file.flush()
        _keep(file)


@contextmanager
def told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise place_error(error, path) from error
