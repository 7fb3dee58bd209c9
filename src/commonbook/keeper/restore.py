"""Putting a backup in the place of the memory. Everything is unpacked and verified beside the data folder first; then two
renames: what stood there goes aside, under a name with its time, and the backup takes its place. Nothing is ever deleted.

Between the two renames a crash leaves both under their own names and no data folder; that is as far as renames go.
"""

import hashlib
import json
import os
import shutil
import tarfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from commonbook.book.files import TEMPORARY, ensure_folder, fsync_folder, remove_folder
from commonbook.clock import Clock, SystemClock, uuid7_maker
from commonbook.errors import Code, PlaceError, UsageError
from commonbook.keeper.backup import FORMAT, HISTORY, MANIFEST, RUNTIME, Manifest, Member, told
from commonbook.keeper.contracts import Mark, no_mark
from commonbook.keeper.lock import repository_lock
from commonbook.keeper.opening import close_store, name_store, open_store, quick_check, resolved
from commonbook.keeper.publish import write_section_facts
from commonbook.ledger.database import Ledger
from commonbook.ledger.migrations import needs_migration
from commonbook.settings.model import MIB, Settings
from commonbook.settings.paths import Home

MANIFEST_LIMIT = 64 * MIB
CHUNK = MIB
SINGLE = frozenset({"store.toml", "projects.toml", RUNTIME, HISTORY})
FOLDERS = (("memory",), ("runtime", "receipts"))
"""Besides the single files, all that a backup may hold."""


@dataclass(frozen=True)
class Restored:
    """``aside``: where the memory that stood there is now; ``None`` where there was none."""

    manifest: Manifest
    aside: Path | None


def read_manifest(source: Path) -> Manifest:
    """What a backup says it holds. Raises ``PlaceError``: ``BACKUP_DAMAGED``, ``STORE_NEWER``, ``FOLDER_MISSING``."""
    with _readable(source):
        for name, _, stream in _members(source, None):
            if name != MANIFEST:
                raise _damaged(source, name)
            return _decoded(source, stream.read(MANIFEST_LIMIT + 1))
    raise _damaged(source, MANIFEST)


def has_memory(home: Home) -> bool:
    """Whether something stands in the data folder that a restore would move aside."""
    return home.data.is_dir() and any(home.data.iterdir())


def restore(
    home: Home, settings: Settings, source: Path, *, clock: Clock | None = None, mark: Mark = no_mark
) -> Restored:
    """Verify, swap, open. The caller has no store of this memory open, and the person's word where ``has_memory``.

    Raises ``PlaceError``: ``BACKUP_DAMAGED``, ``STORE_NEWER``, ``DISK_FULL``, ``STORE_BUSY`` (another process has the memory
    open); nothing was touched then.
    """
    clock, home = clock or SystemClock(), resolved(home)
    if home.root.is_relative_to(home.data):
        raise UsageError(Code.INVALID_SETTING, key="data", rule="no folder of its own")
    for folder in (home.run, home.data.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    staging = home.data.with_name(f".{home.data.name}.{os.urandom(6).hex()}{TEMPORARY}")
    try:
        manifest = _unpack(source, staging)
        _check_opens(Home(home.root, staging), clock)
        with repository_lock(home):
            aside = _swap(home, staging, clock, mark)
    finally:
        if staging.exists():
            remove_folder(staging)
    store = open_store(home, settings, clock=clock)
    try:
        write_section_facts(store)
    finally:
        close_store(store)
    return Restored(manifest, aside)


def _unpack(source: Path, staging: Path) -> Manifest:
    manifest = read_manifest(source)
    if sum(member.bytes for member in manifest.members.values()) > shutil.disk_usage(staging.parent).free:
        raise PlaceError(Code.DISK_FULL, path=str(staging.parent))
    ensure_folder(staging, below=staging.parent)
    missing = dict(manifest.members)
    with _readable(source):
        for name, size, stream in _members(source, manifest):
            if name == MANIFEST:
                continue
            member = missing.pop(name, None)  # twice the same name is refused like a name that was not announced
            if member is None or size != member.bytes:
                raise _damaged(source, name)
            ensure_folder((staging / name).parent, below=staging)
            if not _unpacked(stream, staging / name, member):
                raise _damaged(source, name)
    if missing:
        raise _damaged(source, min(missing))
    return manifest


def _unpacked(stream: BinaryIO, path: Path, member: Member) -> bool:
    digest, left = hashlib.sha256(), member.bytes
    with told(path):
        file = path.open("xb")
    with file:
        os.fchmod(file.fileno(), 0o600)
        while left and (chunk := stream.read(min(CHUNK, left))):
            digest.update(chunk)
            left -= len(chunk)
            with told(path):
                file.write(chunk)
        with told(path):
            file.flush()
            os.fsync(file.fileno())
    return not left and digest.hexdigest() == member.sha256


def _members(source: Path, manifest: Manifest | None) -> Iterator[tuple[str, int, BinaryIO]]:
    """(name, bytes, content) of each; plain files only. Of a folder: the manifest, then what that names."""
    if not source.is_dir():
        with tarfile.open(source, mode="r|gz") as packed:
            for facts in packed:
                stream = packed.extractfile(facts) if facts.isreg() else None
                if stream is None:
                    raise _damaged(source, facts.name)
                yield facts.name, facts.size, stream  # type: ignore[misc]
        return
    place = Path(os.path.realpath(source))
    for name in (MANIFEST, *(manifest.members if manifest else ())):
        path = place / name
        if Path(os.path.realpath(path)) != path or not path.is_file():
            raise _damaged(source, name)
        with path.open("rb") as file:
            yield name, path.stat().st_size, file


def _decoded(source: Path, data: bytes) -> Manifest:
    try:
        told_of = json.loads(data)
        if int(told_of["format"]) > FORMAT:
            raise PlaceError(Code.STORE_NEWER, path=str(source), found=int(told_of["format"]), known=FORMAT)
        members = {str(name): Member(int(one["bytes"]), str(one["sha256"])) for name, one in told_of["members"].items()}
        manifest = Manifest(
            FORMAT,
            str(told_of["program"]),
            str(told_of["store"]),
            int(told_of["created"]),
            int(told_of["schema"]),
            members,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _damaged(source, MANIFEST) from None
    for name, member in members.items():
        if not _allowed(name) or member.bytes < 0:
            raise _damaged(source, name)
    for name in ("store.toml", RUNTIME):
        if name not in members:
            raise _damaged(source, name)
    return manifest


def _allowed(name: str) -> bool:
    parts = PurePosixPath(name).parts
    plain = "\x00" not in name and "\\" not in name and "/".join(parts) == name and not {"..", "."} & set(parts)
    return plain and (name in SINGLE or any(parts[: len(own)] == own and len(parts) > len(own) for own in FOLDERS))


def _check_opens(staged: Home, clock: Clock) -> None:
    name_store(staged, clock, uuid7_maker(clock))
    ledger = Ledger.open(staged.runtime_database, create=False)
    try:
        quick_check(ledger, staged.runtime_database)
        needs_migration(ledger, staged)
    finally:
        ledger.close()


def _swap(home: Home, staging: Path, clock: Clock, mark: Mark) -> Path | None:
    data, aside = home.data, None
    with told(data):
        if has_memory(home):
            _refuse_in_use(home)
            stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(clock.now() / 1000))
            aside = data.with_name(f"{data.name}.before-restore-{stamp}Z-{os.urandom(2).hex()}")
            mark("restore.aside")
            data.rename(aside)
        elif data.exists():
            data.rmdir()
        mark("restore.publish")
        try:
            staging.rename(data)
        except OSError:
            if aside is not None:
                aside.rename(data)
            raise
    fsync_folder(data.parent)
    return aside


def _refuse_in_use(home: Home) -> None:
    """Whoever has the old database open would go on writing into the copy that was moved aside: words would be lost. SQLite
    leaves the write-ahead log only when nobody else is there."""
    if not home.runtime_database.exists():
        return
    try:
        ledger = Ledger.open(home.runtime_database, create=False)
        try:
            alone = ledger.row("PRAGMA journal_mode=DELETE") == ("delete",)
        finally:
            ledger.close()
    except PlaceError as error:
        if error.code is not Code.STORE_DAMAGED:
            raise
        alone = True
    if not alone:
        raise PlaceError(Code.STORE_BUSY, path=str(home.runtime_database))


def _damaged(source: Path, member: str) -> PlaceError:
    return PlaceError(Code.BACKUP_DAMAGED, path=str(source), member=ascii(member)[1:-1])


@contextmanager
def _readable(source: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise PlaceError(Code.FOLDER_MISSING, path=str(source)) from None
    except PermissionError:
        raise PlaceError(Code.FILE_UNREADABLE, path=str(source)) from None
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        raise PlaceError(Code.BACKUP_DAMAGED, path=str(source), member="-") from error
