"""A backup is one moment of the memory, also while others write; a restore is that moment, elsewhere, or nothing at all."""

import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from commonbook.errors import Code, CommonbookError
from commonbook.keeper.backup import MANIFEST, back_up
from commonbook.keeper.contracts import Store
from commonbook.keeper.log import read_log
from commonbook.keeper.opening import close_store
from commonbook.keeper.person import commit_plan, plan_remember
from commonbook.keeper.restore import read_manifest, restore
from commonbook.keeper.undo import plan_undo
from commonbook.keeper.why import explain
from commonbook.settings.model import Settings
from commonbook.vocabulary import GLOBAL, PREFERENCES, sha256
from tests.faults.test_commit_killed import check_receipts
from tests.support.cli import real_commonbook
from tests.support.committing import keep, put, shown, write
from tests.support.queueing import START, SetClock, opened
from tests.support.updating import ENGLISH, check_whole, finish, home_at, put_sessions, start, update


def remember(store: Store, words: str) -> None:
    commit_plan(store, plan_remember(store, words, GLOBAL))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(store: Store) -> dict[str, object]:
    tables = ("observations", "jobs", "sections", "links", "receipts", "projects", "cursors", "messages", "turns")
    return {table: sorted(map(repr, store.ledger.rows(f"SELECT * FROM {table}"))) for table in tables}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = opened(tmp_path / "book", clock=SetClock(START))
    keep(store, "use npm", put("Tools", "- use npm"))
    keep(store, "use pnpm now", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 1)
    write(store, "projects/kite-0a1b", "# Project: Kite\n\n## By hand\n\n- ü 中文\n")
    return store


@pytest.mark.parametrize("name", ["b.tar.gz", "b.tgz", "folder"])
def test_elsewhere_it_is_the_same_memory(store: Store, tmp_path: Path, name: str) -> None:
    made = back_up(store, tmp_path / name)
    assert made.left_out == ()
    assert all(path.stat().st_mode & 0o077 == 0 for path in [made.path, *made.path.rglob("*")])
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["book", name]), "nothing else is left"
    done = restore(home_at(tmp_path / "other"), Settings(), made.path, clock=SetClock(START))
    assert done.aside is None
    assert done.manifest == made.manifest
    other = opened(tmp_path / "other")
    assert rows(other) == rows(store)
    for target in (PREFERENCES, "projects/kite-0a1b"):
        assert shown(other, target) == shown(store, target)
    assert explain(other, PREFERENCES, "Tools") == explain(store, PREFERENCES, "Tools")
    assert other.home.sections_file.read_bytes() == store.home.sections_file.read_bytes()
    assert plan_undo(other, "last").changes, "history came with it"
    check_receipts(other)
    for path in other.home.data.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_settings_secrets_and_what_is_derived_stay_out(store: Store, tmp_path: Path) -> None:
    store.home.secrets.write_text("KEY=hunter2hunter2")
    store.home.config.write_text("agent = 'rules'\n")
    store.home.recall_database.write_bytes(b"derived")
    made = back_up(store, tmp_path / "b", with_history=False)
    names = {name.split("/")[0] for name in made.manifest.members}
    assert names == {"memory", "runtime", "runtime.sqlite", "store.toml"}
    assert not [data for data in tree(tmp_path / "b").values() if b"hunter2" in data]
    restore(home_at(tmp_path / "other"), Settings(), made.path)
    with pytest.raises(CommonbookError, match="NOTHING_TO_RESTORE"):
        plan_undo(opened(tmp_path / "other"), "last")


@pytest.mark.parametrize("name", ["b.tar.gz", "folder", "dangling"])
def test_nothing_is_overwritten(store: Store, tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    if name == "dangling":
        target.symlink_to(tmp_path / "nowhere")
    else:
        back_up(store, target)
    before = tree(tmp_path)
    with pytest.raises(CommonbookError, match="ALREADY_THERE"):
        back_up(store, target)
    assert tree(tmp_path) == before
    with pytest.raises(CommonbookError, match="INVALID_ARGUMENTS"):
        back_up(store, store.home.memory / "b.tar.gz")


def test_odd_files_in_the_memory_folder_are_named_and_left_out(store: Store, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("not ours")
    (store.home.memory / "link.md").symlink_to(tmp_path / "outside.md")
    (store.home.memory / "folder").symlink_to(tmp_path)
    (store.home.memory / "large.md").write_bytes(b"x" * 1_100_000)
    made = back_up(store, tmp_path / "b")
    assert sorted(made.left_out) == ["memory/folder", "memory/large.md", "memory/link.md"]
    assert not [data for data in tree(tmp_path / "b").values() if b"not ours" in data]


def test_while_another_process_updates(tmp_path: Path) -> None:
    """Every backup taken meanwhile is whole: receipts, documents and database tell the same."""
    folder, sessions = tmp_path / "book", put_sessions(tmp_path / "sessions", ENGLISH)
    close_store(opened(folder, clock=SetClock(START)))

    def work() -> str:
        update(folder, sessions)
        store = opened(folder, clock=SetClock(START + 10_000_000_000))
        for number in range(25):
            remember(store, f"line number {number} of mine")
        return "done"

    child = start(work)
    store = opened(folder, clock=SetClock(START + 10_000_000_000))
    made: list[Path] = []
    sizes: list[int] = []
    while len(made) < 15 and (not made or os.waitid(os.P_PID, child[0], os.WEXITED | os.WNOHANG | os.WNOWAIT) is None):
        made.append(back_up(store, tmp_path / f"b{len(made)}").path)
    assert finish(child).told == "done"
    made.append(back_up(store, tmp_path / "last.tar.gz").path)
    assert len(made) >= 3
    for number, path in enumerate(made):
        place = tmp_path / f"restored-{number}"
        restore(home_at(place), Settings(), path, clock=SetClock(START))
        other = opened(place, clock=SetClock(START))
        check_receipts(other)
        sizes.append(len(read_log(other, 1000)))
        if path is made[-1]:
            check_whole(other)
            assert rows(other) == rows(store)
        close_store(other)
        shutil.rmtree(place)
    assert sizes == sorted(sizes)
    assert sizes[-1] >= 25


def test_what_stands_there_goes_aside_and_stays_whole(store: Store, tmp_path: Path) -> None:
    made = back_up(store, tmp_path / "b.tar.gz")
    remember(store, "said after the backup")
    close_store(store)
    before = tree(store.home.data)
    done = restore(store.home, Settings(), made.path, clock=SetClock(START))
    assert done.aside is not None
    assert done.aside.name.startswith("data.before-restore-20270115T080000Z")
    kept = tree(done.aside)
    assert {name for name in before if kept.get(name) != before[name]} <= {"runtime.sqlite", "runtime.sqlite-shm"}
    assert "after the backup" not in shown(opened(tmp_path / "book"))
    shutil.move(done.aside, tmp_path / "again" / "data")
    assert "after the backup" in shown(opened(tmp_path / "again"))


def test_a_memory_that_is_open_elsewhere_is_not_moved_away(store: Store, tmp_path: Path) -> None:
    made = back_up(store, tmp_path / "b.tar.gz")
    store.ledger.rows("SELECT 1 FROM observations")
    before = tree(store.home.memory)
    with pytest.raises(CommonbookError, match="STORE_BUSY"):
        restore(store.home, Settings(), made.path)
    assert tree(store.home.memory) == before
    remember(store, "still works")
    assert sorted(path.name for path in store.home.root.iterdir()) == ["data", "run", "spool"]


Spoil = Callable[[dict[str, bytes]], object]


def _manifest(files: dict[str, bytes], change: Callable[[dict[str, object]], None]) -> None:
    told = json.loads(files[MANIFEST])
    change(told)
    files[MANIFEST] = json.dumps(told).encode()


def _add(files: dict[str, bytes], name: str) -> None:
    files[name] = b"planted"
    member = {"bytes": 7, "sha256": sha256(b"planted")}
    _manifest(files, lambda told: told["members"].update({name: member}))  # type: ignore[attr-defined]


SPOILED: dict[str, Spoil] = {
    "a document changed": lambda files: files.update({"memory/preferences.md": b"# Preferences\n"}),
    "the database cut": lambda files: files.update({"runtime.sqlite": files["runtime.sqlite"][:-1]}),
    "a receipt gone": lambda files: files.pop(next(name for name in files if name.startswith("runtime/receipts"))),
    "one not announced": lambda files: files.update({"memory/more.md": b"x"}),
    "no manifest": lambda files: files.pop(MANIFEST),
    "manifest cut": lambda files: files.update({MANIFEST: files[MANIFEST][:-20]}),
    "no database": lambda files: _manifest(files, lambda told: told["members"].pop("runtime.sqlite")),  # type: ignore[attr-defined]
    "out of the folder": lambda files: _add(files, "memory/../../evil.md"),
    "absolute": lambda files: _add(files, "/evil.md"),
    "not ours": lambda files: _add(files, "config.toml"),
    "the folder itself": lambda files: _add(files, "memory"),
    "dots": lambda files: _add(files, "memory/./x.md"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_what_was_changed_or_planted_touches_nothing(store: Store, tmp_path: Path, how: str) -> None:
    close_store(store)
    before = tree(tmp_path / "book")
    store = opened(tmp_path / "book")
    made = back_up(store, tmp_path / "good")
    close_store(store)
    files = tree(made.path)
    SPOILED[how](files)
    source = tmp_path / "spoiled.tar.gz"
    with tarfile.open(source, "w:gz") as packed:
        for name in sorted(files, key=lambda each: each != MANIFEST):
            facts = tarfile.TarInfo(name)
            facts.size = len(files[name])
            packed.addfile(facts, io.BytesIO(files[name]))
    listed = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(CommonbookError) as told:
        restore(store.home, Settings(), source)
    assert told.value.code is Code.BACKUP_DAMAGED
    assert sorted(path.name for path in tmp_path.rglob("*")) == listed
    assert {name: data for name, data in tree(tmp_path / "book").items() if "memory" in name} == {
        name: data for name, data in before.items() if "memory" in name
    }


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE])
def test_only_plain_files_are_unpacked(store: Store, tmp_path: Path, kind: bytes) -> None:
    files = tree(back_up(store, tmp_path / "good").path)
    source = tmp_path / "odd.tar.gz"
    with tarfile.open(source, "w:gz") as packed:
        facts = tarfile.TarInfo(MANIFEST)
        facts.size = len(files[MANIFEST])
        packed.addfile(facts, io.BytesIO(files[MANIFEST]))
        odd = tarfile.TarInfo("memory/preferences.md")
        odd.type, odd.linkname = kind, "/etc/passwd"
        packed.addfile(odd)
    with pytest.raises(CommonbookError, match="BACKUP_DAMAGED"):
        restore(home_at(tmp_path / "other"), Settings(), source)
    assert not (tmp_path / "other" / "data").exists()


def test_a_link_in_a_folder_is_not_followed(store: Store, tmp_path: Path) -> None:
    made = back_up(store, tmp_path / "b")
    document = made.path / "memory" / "preferences.md"
    document.rename(tmp_path / "elsewhere.md")
    document.symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(CommonbookError, match="BACKUP_DAMAGED"):
        restore(home_at(tmp_path / "other"), Settings(), made.path)


@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8b" + b"x" * 50])
def test_what_is_no_backup(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.tar.gz").write_bytes(data)
    for source, code in ((tmp_path / "x.tar.gz", Code.BACKUP_DAMAGED), (tmp_path / "no", Code.FOLDER_MISSING)):
        with pytest.raises(CommonbookError) as told:
            read_manifest(source)
        assert told.value.code is code


def test_a_newer_backup_is_refused(store: Store, tmp_path: Path) -> None:
    made = back_up(store, tmp_path / "b")
    files = tree(made.path)
    _manifest(files, lambda told: told.update({"format": 2}))
    (made.path / MANIFEST).write_bytes(files[MANIFEST])
    with pytest.raises(CommonbookError, match="STORE_NEWER"):
        restore(home_at(tmp_path / "other"), Settings(), made.path)


def test_a_swap_that_fails_puts_the_memory_back(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = back_up(store, tmp_path / "b.tar.gz")
    close_store(store)
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name.endswith(".tmp"):
            raise OSError(28, "full")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    before = tree(store.home.memory)
    with pytest.raises(CommonbookError, match="DISK_FULL"):
        restore(store.home, Settings(), made.path)
    assert tree(store.home.memory) == before
    assert sorted(path.name for path in store.home.root.iterdir()) == ["data", "run", "spool"]


def test_the_commands(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty_home)
    real_commonbook("remember", "I like tea", "--scope", "global", "--yes")
    made = real_commonbook("backup", "b.tar.gz")
    assert (made.code, "b.tar.gz" in made.out) == (0, True)
    assert real_commonbook("backup", "b.tar.gz").code == 1
    real_commonbook("remember", "and coffee", "--scope", "global", "--yes")
    assert real_commonbook("restore", "b.tar.gz").code == 3
    asked = real_commonbook("restore", "b.tar.gz", "--json")
    assert (asked.code, asked.json["error"]["code"], asked.json["replaces"]) == (3, "NEEDS_CONFIRMATION", True)
    assert real_commonbook("restore", "b.tar.gz", terminal=True, typed="n\n").code == 3
    assert "coffee" in real_commonbook("show").out
    done = real_commonbook("restore", "b.tar.gz", terminal=True, typed="y\n")
    assert (done.code, "before-restore" in done.out) == (0, True)
    now = real_commonbook("show").out
    assert "tea" in now
    assert "coffee" not in now
    told = real_commonbook("backup", "c", "--without-history", "--json").json
    assert (told["documents"], told["receipts"], told["history"]) == (1, 1, False)
