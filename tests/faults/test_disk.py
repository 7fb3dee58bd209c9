"""A disk that is full, fails, or may not be written: the person gets a code that says which, the memory stays whole, nothing
is lost, and with the cause gone the same command ends as if nothing had happened."""

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from commonbook.agents.rules.agent import RulesAgent
from commonbook.capture import capture
from commonbook.errors import Code, PlaceError
from commonbook.hosts.catalogue import find_host
from commonbook.keeper.opening import close_store, open_store, second_store
from commonbook.settings.model import Settings
from commonbook.worker import Maintainer, run_maintenance
from tests.support.cli import real_commonbook
from tests.support.updating import (
    CHINESE,
    ENGLISH,
    Child,
    CountedAgent,
    Later,
    at_rest,
    check_whole,
    committing,
    home_at,
    in_child,
    markdown,
    put_sessions,
    update,
)

NOBODY = 65534
STEP = 32 * 1024
CODES = {errno.ENOSPC: Code.DISK_FULL, errno.EIO: Code.DISK_FAILED, errno.EROFS: Code.HOME_READ_ONLY}
WRITING = os.O_CREAT


@dataclass
class Disk:
    """Fails the nth durable operation on the home with an error of the system (0: never), and all after it until it is
    mended; reading goes on."""

    home: Path
    nth: int = 0
    error: int = errno.ENOSPC
    for_good: bool = False
    calls: list[str] = field(default_factory=list)

    def _may(self, name: str) -> None:
        self.calls.append(name)
        if len(self.calls) == self.nth or (self.for_good and 0 < self.nth < len(self.calls)):
            raise OSError(self.error, os.strerror(self.error))

    def _failing(self, name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if name != "open" or (len(arguments) > 1 and arguments[1] & WRITING):
                self._may(name)
            return real(*arguments, **named)

        return call

    @contextmanager
    def in_place(self) -> Iterator["Disk"]:
        names = ("fsync", "rename", "replace", "unlink", "rmdir", "mkdir", "open")
        with ExitStack() as stack:
            for name in names:
                stack.enter_context(patch.object(os, name, self._failing(name)))
            yield self


def told_code(folder: Path, sessions: Path, disk: Disk, agent: RulesAgent) -> str:
    with disk.in_place():
        try:
            report = update(folder, sessions, agent=agent)
        except PlaceError as error:
            return error.code
    return "".join(failure.code for failure in report.failed)


def sweep(place: Path, story: Path, errors: Callable[[int], list[int]]) -> tuple[int, int]:
    """Fail each durable file operation of an update once; gives their number, and how often the person was told."""
    sessions = put_sessions(place / "sessions", story)
    plain = Disk(place / "whole")
    with plain.in_place():
        update(plain.home, sessions)
    expected, told = markdown(plain.home), 0
    assert {"fsync", "rename", "unlink", "mkdir", "open"} <= set(plain.calls)
    for nth, name in enumerate(plain.calls, start=1):
        for error in errors(nth):
            folder = place / f"{nth}-{error}"
            first = CountedAgent(folder.with_suffix(".runs"))
            code = told_code(folder, sessions, Disk(folder, nth, error), first)
            assert code in ("", CODES[error]), (nth, name, errno.errorcode[error])
            told += bool(code)
            marked = committing(folder)
            later = CountedAgent(folder.with_suffix(".later"))
            update(folder, sessions, agent=later, clock=Later())
            asked = later.notes.read_text().split() if later.notes.exists() else []
            assert not marked & set(asked), (nth, name)
            store = at_rest(folder)
            check_whole(store)
            close_store(store)
            assert markdown(folder) == expected, (nth, name, errno.errorcode[error])
            shutil.rmtree(folder)
    return len(plain.calls), told


def test_file_operations_fail_once(tmp_path: Path) -> None:
    """Every third operation, and the errors take turns; the slow test gives every error to every operation."""
    kinds = list(CODES)
    count, told = sweep(tmp_path, ENGLISH, lambda nth: [] if nth % 3 else [kinds[nth // 3 % 3]])
    assert count >= 100
    assert told >= count / 3 * 0.8


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_each_file_operation_fails_with_each_error(tmp_path: Path) -> None:
    count, told = sweep(tmp_path, ENGLISH, lambda _: list(CODES))
    assert count >= 100
    assert told >= count * 2.4


@pytest.mark.parametrize("after", ["commit.publish", "commit.receipt", "commit.history", "commit.sections_file"])
def test_a_store_that_stays_open_finishes_a_marked_commit_before_it_asks_again(tmp_path: Path, after: str) -> None:
    """A long-lived process: the disk fills up behind the marker, then there is room again and the queue is worked off."""
    sessions = put_sessions(tmp_path / "sessions", ENGLISH)
    update(tmp_path / "whole", sessions)
    folder, disk, clock = tmp_path / "home", Disk(tmp_path / "home"), Later(0)

    def mark(step: str) -> None:
        if step == after and not disk.nth:
            disk.nth, disk.for_good = len(disk.calls) + 1, True

    store = open_store(home_at(folder), Settings(), clock=clock, mark=mark)
    capture(store, find_host("pi"), root=sessions)
    agent = CountedAgent(folder.with_suffix(".runs"))
    with disk.in_place(), pytest.raises(PlaceError, match="DISK_FULL"):
        run_maintenance(Maintainer(lambda: second_store(store), agent))
    marked = committing(folder)
    assert len(marked) == 1
    asked = agent.notes.read_text().split()
    clock.ahead = 600_000
    run_maintenance(Maintainer(lambda: second_store(store), agent))
    assert not marked & set(agent.notes.read_text().split()[len(asked) :])
    close_store(store)
    store = at_rest(folder)
    check_whole(store)
    close_store(store)
    assert markdown(folder) == markdown(tmp_path / "whole")


# --- real file systems -------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two MiB."""
    point = tmp_path / "disk"
    point.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", point], check=False)
    if done.returncode:
        pytest.skip("mounting is not permitted here")
    yield point
    subprocess.run(["umount", "-l", point], check=True)


def ended(work: Callable[[], object]) -> Child:
    """Give the code of the error, in a process of its own: what it holds open must not keep the disk busy."""

    def told() -> str:
        try:
            work()
        except PlaceError as error:
            return error.code
        return ""

    return in_child(told)


def leave(disk: Path, free: int) -> Path:
    """Fill the disk until ``free`` bytes are left."""
    ballast = disk / "ballast"
    facts = os.statvfs(disk)
    with ballast.open("wb") as file:
        file.write(b"\0" * max(0, facts.f_bavail * facts.f_bsize - free))
    return ballast


def test_a_disk_that_fills_up(tmp_path: Path, small_disk: Path) -> None:
    sessions = put_sessions(tmp_path / "sessions", ENGLISH, CHINESE)
    update(tmp_path / "whole", sessions)
    expected = markdown(tmp_path / "whole")
    codes: list[str] = []
    for free in range(0, 64 * STEP, STEP):
        folder = small_disk / "home"
        ballast = leave(small_disk, free)
        full = ended(lambda: update(folder, sessions))  # noqa: B023 - it runs now
        assert full.status == 0, full.told
        codes.append(full.told)
        seen = markdown(folder)
        ballast.unlink()
        room = ended(lambda: update(folder, sessions, clock=Later()))  # noqa: B023
        assert (room.status, room.told) == (0, ""), (free, room.told)
        assert set(seen) <= set(expected)
        store = at_rest(folder)
        check_whole(store)
        close_store(store)
        assert markdown(folder) == expected, free
        shutil.rmtree(folder)
        if not full.told:
            break
    assert set(codes[:-1]) == {Code.DISK_FULL}, codes
    assert len(codes) >= 20, codes
    assert codes[-1] == "", codes


def test_a_full_disk_at_a_memory_in_use(tmp_path: Path, small_disk: Path) -> None:
    """What is there stays readable; what was said is taken in when there is room again."""
    sessions = put_sessions(tmp_path / "sessions", ENGLISH)
    folder = small_disk / "home"
    assert ended(lambda: update(folder, sessions)).told == ""
    before = markdown(folder)
    put_sessions(sessions, CHINESE)
    ballast = leave(small_disk, 0)
    assert ended(lambda: update(folder, sessions)).told == Code.DISK_FULL
    assert markdown(folder) == before
    with patch.dict(os.environ, COMMONBOOK_HOME=str(folder)):
        assert "pnpm" in real_commonbook("show", "--all").out
        assert "pnpm" in real_commonbook("search", "pnpm").out
        told = real_commonbook("update")
        assert told.code == 1
        assert "is full" in told.err
        assert "Make room" in told.err
        ballast.unlink()
    assert ended(lambda: update(folder, sessions, clock=Later())).told == ""
    update(tmp_path / "whole", sessions)
    assert set(markdown(folder)) == set(markdown(tmp_path / "whole"))


def test_a_disk_that_is_mounted_read_only(tmp_path: Path, small_disk: Path) -> None:
    sessions = put_sessions(tmp_path / "sessions", ENGLISH)
    folder = small_disk / "home"
    assert ended(lambda: update(folder, sessions)).told == ""
    before = markdown(folder)
    put_sessions(sessions, CHINESE)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    try:
        assert ended(lambda: update(folder, sessions)).told == Code.HOME_READ_ONLY
        with patch.dict(os.environ, COMMONBOOK_HOME=str(folder)):
            assert "pnpm" in real_commonbook("show", "--all").out
            assert "pnpm" in real_commonbook("search", "pnpm").out
            for words in (("update",), ("remember", "I like tea", "--yes"), ("status",), ("capture",)):
                told = real_commonbook(*words)
                assert told.code == 1, words
                assert "cannot be written" in told.err, (words, told.err)
        assert markdown(folder) == before
    finally:
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    assert ended(lambda: update(folder, sessions, clock=Later())).told == ""


# --- another user ------------------------------------------------------------------------------------------------------


@pytest.fixture
def common_place() -> Iterator[Path]:
    """A folder that other users may pass through, which the test's own is not."""
    place = Path(tempfile.mkdtemp(prefix="commonbook-faults-"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


def as_nobody(home: Path, person: Path, *words: str) -> Child:
    def told() -> str:
        os.environ.update(HOME=str(person), COMMONBOOK_HOME=str(home))
        ran = real_commonbook(*words)
        return f"{ran.code}\n{ran.out}\n{ran.err}"

    return in_child(told, uid=NOBODY)


def own(place: Path, *, mode: int) -> None:
    for path in (place, *place.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
        path.chmod(mode if path.is_dir() else mode & 0o666)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_home_that_its_owner_may_not_write(common_place: Path) -> None:
    sessions = put_sessions(common_place / ".pi/agent/sessions", ENGLISH)
    own(common_place / ".pi", mode=0o755)
    home = common_place / "home"
    update(home, sessions)
    update(common_place / "other", sessions)  # and everything that is imported late is imported now
    real_commonbook("--help")
    before = markdown(home)
    own(home, mode=0o500)
    for words in (("update",), ("remember", "I like tea", "--yes")):
        told = as_nobody(home, common_place, *words)
        assert told.status == 0
        assert told.told.startswith("1\n"), told.told
        assert "cannot be written" in told.told, told.told
    shown = as_nobody(home, common_place, "show", "--all")
    assert "pnpm" in shown.told
    found = as_nobody(home, common_place, "search", "pnpm", "--json")
    assert "pnpm" in found.told, found.told
    assert markdown(home) == before
    own(home, mode=0o700)
    again = as_nobody(home, common_place, "update")
    assert again.told.startswith("0\n"), again.told
    assert markdown(home) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_home_of_someone_else(common_place: Path) -> None:
    sessions = put_sessions(common_place / ".pi/agent/sessions", ENGLISH)
    own(common_place / ".pi", mode=0o755)
    home = common_place / "home"
    update(home, sessions)
    home.chmod(0o755)
    told = as_nobody(home, common_place, "update")
    assert told.told.startswith("1\n"), told.told
    assert "another user" in told.told or "cannot be written" in told.told, told.told
    nowhere = as_nobody(Path("/proc/commonbook"), common_place, "update")
    assert nowhere.told.startswith("1\n"), nowhere.told
    assert "INTERNAL" not in nowhere.told, nowhere.told
