"""Opening a store: made privately where there is none, refused where it cannot be trusted, never overwritten."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from commonbook.errors import Code, PlaceError
from commonbook.keeper.ingress import deliver
from commonbook.keeper.lock import repository_lock
from commonbook.keeper.opening import close_store, refuse_remote, resolved, second_store
from commonbook.settings.paths import Home
from tests.support.queueing import delivery, opened


def test_a_new_store_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = opened(tmp_path / "deep" / "home")
        deliver(store, delivery("r1"))
        for path in (tmp_path / "deep" / "home").rglob("*"):
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode == (0o700 if path.is_dir() else 0o600), path
        close_store(store)
    finally:
        os.umask(before)


def test_a_store_keeps_its_name_and_its_contents(tmp_path: Path) -> None:
    first = opened(tmp_path / "home")
    name = first.home.store_file.read_bytes()
    deliver(first, delivery("r1"))
    close_store(first)
    again = opened(tmp_path / "home")
    assert again.home.store_file.read_bytes() == name
    assert deliver(again, delivery("r1")).result == "duplicate"
    close_store(again)


def test_a_home_that_is_a_link_is_followed_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    store = opened(tmp_path / "link")
    assert store.home.root == (tmp_path / "real").resolve()
    close_store(store)
    assert resolved(Home(tmp_path / "link", tmp_path / "link" / "data")).data == (tmp_path / "real").resolve() / "data"


def test_a_link_inside_the_home_is_refused(tmp_path: Path) -> None:
    store = opened(tmp_path / "home")
    close_store(store)
    elsewhere = tmp_path / "elsewhere.sqlite"
    store.home.runtime_database.rename(elsewhere)
    store.home.runtime_database.symlink_to(elsewhere)
    with pytest.raises(PlaceError) as caught:
        opened(tmp_path / "home")
    assert caught.value.code is Code.UNSAFE_FILE


@pytest.mark.parametrize("damage", ["garbage", "middle", "truncated"])
def test_a_damaged_database_is_named_and_not_overwritten(tmp_path: Path, damage: str) -> None:
    store = opened(tmp_path / "home")
    for number in range(200):
        deliver(store, delivery(f"r{number}", "words " * 200))
    close_store(store)
    database = store.home.runtime_database
    data = bytearray(database.read_bytes())
    if damage == "garbage":
        data[:100] = b"not a database at all " * 4 + b"............"
    elif damage == "middle":
        data[4096 : 4096 * 20] = b"\xff" * (4096 * 19)
    else:
        del data[4096 * 3 :]
    database.write_bytes(data)
    database.with_name("runtime.sqlite-wal").write_bytes(b"")
    with pytest.raises(PlaceError) as caught:
        opened(tmp_path / "home")
    assert caught.value.code is Code.STORE_DAMAGED
    assert database.read_bytes() == bytes(data)


@pytest.mark.parametrize(
    ("text", "code"),
    [("format = 2\n", Code.STORE_NEWER), ("format = 'x'\n", Code.STORE_DAMAGED), ("\x00", Code.STORE_DAMAGED)],
)
def test_a_store_of_another_format_is_refused(tmp_path: Path, text: str, code: Code) -> None:
    store = opened(tmp_path / "home")
    close_store(store)
    store.home.store_file.write_text(text)
    with pytest.raises(PlaceError) as caught:
        opened(tmp_path / "home")
    assert caught.value.code is code


MOUNTS = """/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/ada/local xfs rw 0 0
C:\\134 /mnt/c 9p rw,aname=drvfs;path=C:\\134 0 0
share /mnt/my\\040disk cifs rw 0 0
"""


@pytest.mark.parametrize(
    ("folder", "refused"),
    [
        ("/var/lib/commonbook", False),
        ("/home/ada/.commonbook", True),
        ("/home/ada/local/.commonbook", False),
        ("/homework", False),
        ("/mnt/c/Users/ada", True),
        ("/mnt/my disk/x", True),
    ],
)
def test_network_file_systems_are_refused(folder: str, refused: bool) -> None:
    if refused:
        with pytest.raises(PlaceError) as caught:
            refuse_remote(Path(folder), MOUNTS)
        assert caught.value.code is Code.STORE_NOT_LOCAL
    else:
        refuse_remote(Path(folder), MOUNTS)


def test_the_second_connection_sees_the_same_store(tmp_path: Path) -> None:
    store = opened(tmp_path / "home")
    other = second_store(store)
    deliver(store, delivery("r1"))
    assert deliver(other, delivery("r1")).result == "duplicate"
    close_store(other)
    close_store(store)


OPEN_AND_DELIVER = """
import sys
from pathlib import Path
from tests.support.queueing import opened, delivery
from commonbook.keeper.ingress import deliver
from commonbook.keeper.opening import close_store
store = opened(Path(sys.argv[1]))
for number in range(20):
    deliver(store, delivery(f"{sys.argv[2]}-{number}"))
close_store(store)
"""


def test_processes_that_open_a_new_store_at_once_share_it(tmp_path: Path) -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN_AND_DELIVER, str(tmp_path / "home"), str(number)],
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        for number in range(4)
    ]
    for run in runs:
        assert run.communicate(timeout=60)[1] == ""
        assert run.returncode == 0
    store = opened(tmp_path / "home")
    assert store.ledger.row("SELECT COUNT(*) FROM observations") == (80,)
    close_store(store)


def test_the_repository_lock_keeps_others_out_and_is_freed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(tmp_path / "home")
    monkeypatch.setattr("commonbook.keeper.lock.WAIT_SECONDS", 0.05)
    with repository_lock(store.home), pytest.raises(PlaceError) as caught, repository_lock(store.home):
        pass
    assert caught.value.code is Code.STORE_BUSY
    with repository_lock(store.home):
        pass
    close_store(store)
