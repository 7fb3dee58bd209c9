"""Opening one memory: its folders, its name, its database, and what an earlier crash left unfinished."""

import os
import stat
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from commonbook.book.files import ensure_folder, place_error, read_bounded, remove_leftovers, write_durable
from commonbook.clock import Clock, IdMaker, Milliseconds, SystemClock, uuid7_maker
from commonbook.errors import Code, PlaceError
from commonbook.keeper.contracts import Mark, Store, no_mark
from commonbook.keeper.lock import repository_lock
from commonbook.ledger.database import Ledger, queries
from commonbook.ledger.migrations import migrate, needs_migration, shipped_steps
from commonbook.settings.model import MIB, Settings
from commonbook.settings.paths import Home

FORMAT = 1
"""Of the data folder as a whole; a newer one is refused."""
QUICK_CHECK_BYTES = 32 * MIB
"""About 0.1 s of checking, and only after an unclean end; larger databases are checked by ``doctor``."""
LEFTOVER_SECONDS = 60
"""Writing a file takes milliseconds; what is unfinished after this was left by a crash."""
REMOTE_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs", "drvfs"}
    | {"fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs"}
)


def open_store(
    home: Home,
    settings: Settings,
    *,
    clock: Clock | None = None,
    new_id: IdMaker | None = None,
    mark: Mark = no_mark,
) -> Store:
    """Open the memory at ``home``, making it where there is none, and finish what a crash left behind.

    Raises ``PlaceError``: ``HOME_READ_ONLY``, ``HOME_UNSAFE`` (another user's), ``UNSAFE_FILE``, ``STORE_NOT_LOCAL``
    (SQLite on a network file system loses data; found on Linux only), ``STORE_NEWER``, ``STORE_DAMAGED``,
    ``STORE_BUSY``. A damaged or newer store is left exactly as it is.
    """
    clock = clock or SystemClock()
    new_id = new_id or uuid7_maker(clock)
    place = resolved(home)
    _make_folders(place)
    refuse_remote(place.data)
    ledger = _open_ledger(place, clock, new_id)
    store = Store(place, settings, ledger, clock, new_id, mark)
    try:
        _finish_what_was_left(store)
    except BaseException:
        ledger.close()
        raise
    return store


def close_store(store: Store) -> None:
    """Close the database. The store is of no use afterwards."""
    store.ledger.close()


def second_store(store: Store) -> Store:
    """The same memory over a connection of its own, for another thread (the lease renewal)."""
    ledger = Ledger.open(store.home.runtime_database, create=False)
    ledger.expect_schema(shipped_steps()[-1].version)
    return replace(store, ledger=ledger)


def resolved(home: Home) -> Home:
    """A home or data folder that is itself a link is followed once, here; links *inside* them are refused from now
    on."""
    return Home(root=Path(os.path.realpath(home.root)), data=Path(os.path.realpath(home.data)))


def _make_folders(home: Home) -> None:
    for folder in (home.root, home.data):
        ensure_folder(folder, below=_nearest_existing(folder))
        _refuse_strangers(folder)
    for folder in (home.run, home.spool):
        ensure_folder(folder, below=home.root)
    for folder in (home.memory / "projects", home.receipts, home.transactions):
        ensure_folder(folder, below=home.data)


def _nearest_existing(folder: Path) -> Path:
    return next(parent for parent in folder.parents if parent.exists())


def _refuse_strangers(folder: Path) -> None:
    """Whoever owns the folder can swap what stands in it."""
    owner = folder.lstat().st_uid
    if owner != os.geteuid() and os.geteuid() != 0:
        raise PlaceError(Code.HOME_UNSAFE, path=str(folder))


def refuse_remote(folder: Path, mounts: str | None = None) -> None:
    """Best effort by the mount table (``mounts``: its text, read from the system by default): where there is none, as
    on macOS, nothing is refused."""
    if mounts is None:
        try:
            mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return
    longest, kind = Path("/"), ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 4:
            continue
        point = Path(fields[1].replace("\\040", " ").replace("\\011", "\t"))
        if folder.is_relative_to(point) and len(point.parts) >= len(longest.parts):
            windows_drive = fields[2] == "9p" and "drvfs" in fields[3]
            longest, kind = point, "drvfs" if windows_drive else fields[2]
    if kind in REMOTE_FILE_SYSTEMS:
        raise PlaceError(Code.STORE_NOT_LOCAL, path=str(folder), kind=kind)


def name_store(home: Home, clock: Clock, new_id: IdMaker) -> None:
    """Give a new store its id (UUIDv7) and time of birth; refuse one of a newer format."""
    data = read_bounded(home.store_file, below=home.data)
    if data is None:
        text = f'id = "{new_id()}"\ncreated = "{_iso(clock.now())}"\nformat = {FORMAT}\n'
        write_durable(home.store_file, text.encode())
        return
    try:
        found = tomllib.loads(data.decode("utf-8")).get("format")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PlaceError(Code.STORE_DAMAGED, path=str(home.store_file)) from error
    if not isinstance(found, int) or found < 1:
        raise PlaceError(Code.STORE_DAMAGED, path=str(home.store_file))
    if found > FORMAT:
        raise PlaceError(Code.STORE_NEWER, path=str(home.store_file), found=found, known=FORMAT)


def _iso(at: Milliseconds) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def _ended_unclean(database: Path) -> bool:
    """The last connection that closes takes the write-ahead log away; one that stands here was left (or is in use)."""
    log = database.with_name(database.name + "-wal")
    return log.exists() and database.stat().st_size <= QUICK_CHECK_BYTES


def _make_private_file(path: Path) -> None:
    """SQLite would create it readable for others under a lax umask, and would follow a link."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
        path.chmod(0o600)  # a umask such as 0777 would leave us a file that we cannot open
    except FileExistsError:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise PlaceError(Code.UNSAFE_FILE, path=str(path)) from None
        if stat.S_IMODE(found.st_mode) & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise place_error(error, path) from error


def _open_ledger(home: Home, clock: Clock, new_id: IdMaker) -> Ledger:
    """Two processes may meet here; one of them makes or migrates the store, under the lock."""
    database = home.runtime_database
    if not home.store_file.exists() or not database.exists() or not database.stat().st_size:
        with repository_lock(home):
            name_store(home, clock, new_id)
            _make_private_file(database)
            return _up_to_date(home, clock)
    name_store(home, clock, new_id)
    _make_private_file(database)
    unclean = _ended_unclean(database)
    ledger = Ledger.open(database)
    try:
        if unclean:
            quick_check(ledger, database)
        if not needs_migration(ledger, home):
            ledger.expect_schema(shipped_steps()[-1].version)
            return ledger
    except BaseException:
        ledger.close()
        raise
    ledger.close()
    with repository_lock(home):
        return _up_to_date(home, clock)


def _up_to_date(home: Home, clock: Clock) -> Ledger:
    ledger = Ledger.open(home.runtime_database)
    try:
        migrate(ledger, home, clock)
    except BaseException:
        ledger.close()
        raise
    return ledger


def quick_check(ledger: Ledger, path: Path) -> None:
    """Raises ``PlaceError(STORE_DAMAGED)`` when SQLite finds the file inconsistent."""
    if ledger.row(queries("settings")["quick_check"]) != ("ok",):
        raise PlaceError(Code.STORE_DAMAGED, path=str(path))


def _finish_what_was_left(store: Store) -> None:
    from commonbook.keeper.erasing import erase_what_was_left
    from commonbook.keeper.projects import publish_registry
    from commonbook.keeper.queue import resume
    from commonbook.keeper.recovery import recover

    recover(store)
    erase_what_was_left(store)
    resume(store)
    publish_registry(store)
    for folder in (store.home.data, store.home.memory, store.home.memory / "projects"):
        remove_leftovers(folder, below=store.home.data, before=store.clock.now() / 1000 - LEFTOVER_SECONDS)
