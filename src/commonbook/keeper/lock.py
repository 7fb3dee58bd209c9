"""The repository lock: one process at a time may migrate, commit or recover; the operating system frees it on a
crash."""

from collections.abc import Iterator
from contextlib import contextmanager

from commonbook.book.files import place_error
from commonbook.errors import Code, PlaceError
from commonbook.settings.paths import Home

WAIT_SECONDS = 30.0
"""A commit holds it for milliseconds, a migration for seconds; nobody holds it over a model, network or question."""


@contextmanager
def repository_lock(home: Home) -> Iterator[None]:
    """Hold ``run/repository.lock``. Not re-entrant. Take it *before* a write transaction, never inside one.

    Raises ``PlaceError``: ``STORE_BUSY`` after ``WAIT_SECONDS``; ``HOME_READ_ONLY``, ``DISK_FULL`` or ``DISK_FAILED`` where
    no lock file can be made.
    """
    from filelock import FileLock, Timeout  # 35 ms to import, and most commands never take the lock

    path = home.run / "repository.lock"
    # A soft lock (a mere file) would outlive a killed process and block every later one: native or nothing.
    lock = FileLock(path, WAIT_SECONDS, 0o600, thread_local=False, poll_interval=0.01, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise PlaceError(Code.STORE_BUSY, path=str(path)) from error
    except OSError as error:
        raise place_error(error, path) from error
    try:
        yield
    finally:
        lock.release()
