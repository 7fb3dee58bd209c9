"""``doctor`` finds each thing that can be wrong, says where, and never writes a byte."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from commonbook.keeper.doctor import examine
from commonbook.keeper.opening import close_store
from commonbook.keeper.person import commit_plan, plan_remember
from commonbook.keeper.snapshot import document_path
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, PREFERENCES
from tests.support.cli import real_commonbook
from tests.support.commit_victim import killed
from tests.support.committing import keep, put, say, take
from tests.support.queueing import START, SetClock, opened
from tests.support.updating import in_child

NOBODY = 65534


def traces(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mtime_ns,
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in (folder, *folder.rglob("*"))
    }


def found(home: Home) -> set[tuple[str, str, str, int]]:
    """What it finds; that it left no trace is checked each time."""
    before = traces(home.root)
    told: set[tuple[str, str, str, int]] = {
        (one.kind, one.what, one.where, one.count) for one in examine(home, Settings())
    }
    assert traces(home.root) == before
    return told


@pytest.fixture
def home(tmp_path: Path) -> Home:
    store = opened(tmp_path / "book", clock=SetClock(START))
    keep(store, "use npm", put("Tools", "- use npm"))
    keep(store, "use pnpm now", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 1)
    commit_plan(store, plan_remember(store, "I am Ada", GLOBAL))
    say(store, "this waits", at=START + 2)
    close_store(store)
    return store.home


def sql(*statements: str) -> Callable[[Home], None]:
    def change(home: Home) -> None:
        store = opened(home.root, clock=SetClock(START))
        for statement in ("PRAGMA foreign_keys = OFF", *statements):
            store.ledger.run(statement)
        close_store(store)

    return change


def receipt(home: Home) -> Path:
    return min(home.receipts.iterdir())


def changed(path: Callable[[Home], Path], data: bytes) -> Callable[[Home], None]:
    def write(home: Home) -> None:
        path(home).write_bytes(data)
        path(home).chmod(0o600)

    return write


def document(home: Home) -> Path:
    return document_path(home, PREFERENCES)


def of(name: str) -> Callable[[Home], Path]:
    def path(home: Home) -> Path:
        return home.data / name

    return path


DATABASE = "data/runtime.sqlite"
SPOILED: dict[str, tuple[Callable[[Home], object], tuple[str, str, str, int] | tuple[str, str]]] = {
    "folder": (lambda home: home.memory.chmod(0o755), ("problem", "not_private", "data/memory", 1)),
    "database readable": (lambda home: home.runtime_database.chmod(0o644), ("problem", "not_private", DATABASE, 1)),
    "editor": (lambda home: document(home).chmod(0o644), ("note", "not_private", "data/memory/preferences.md", 1)),
    "link": (lambda home: (home.memory / "x").symlink_to("/etc"), ("problem", "link", "data/memory/x", 1)),
    "temporary": (changed(of("memory/.x.tmp"), b"x"), ("note", "unfinished", "data/memory/.x.tmp", 1)),
    "transaction": (
        lambda home: (home.transactions / "a").mkdir(0o700),
        ("note", "unfinished", "data/runtime/transactions/a", 1),
    ),
    "conflict": (
        lambda home: (home.transactions / "a.conflict").mkdir(0o700),
        ("problem", "conflict", "data/runtime/transactions/a.conflict", 1),
    ),
    "grammar": (
        changed(document, b"# Preferences\n\n## A\n\n- x\n\n# Other\n"),
        ("problem", "outside_grammar", "preferences:7", 1),
    ),
    "secret": (
        changed(document, b"# Preferences\n\n## Keys\n\n- AKIAIOSFODNN7EXAMPLE\n"),
        ("problem", "secret", "preferences#Keys", 1),
    ),
    "large": (changed(document, b"# Preferences\n\n## A\n\n" + b"- x\n" * 2500), ("note", "large", "preferences", 1)),
    "full": (changed(document, b"# Preferences\n\n## A\n\n" + b"- x\n" * 5000), ("problem", "full", "preferences", 1)),
    "document linked": (
        lambda home: os.link(document(home), home.root / "other"),
        ("problem", "unreadable", "data/memory/preferences.md", 1),
    ),
    "hand edit": (
        changed(document, b"# Preferences\n\n## Tools\n\n- yarn\n"),
        ("note", "edited_by_hand", "preferences", 1),
    ),
    "removed by hand": (lambda home: document(home).unlink(), ("note", "edited_by_hand", "preferences", 1)),
    "receipt damaged": (lambda home: receipt(home).write_bytes(b"{"), ("problem", "receipt_damaged")),
    "receipt changed": (
        lambda home: receipt(home).write_bytes(receipt(home).read_bytes().replace(b"scripted/1", b"scripted/2")),
        ("problem", "receipt_changed"),
    ),
    "receipt gone": (lambda home: receipt(home).unlink(), ("problem", "receipt_missing")),
    "receipt too many": (
        lambda home: shutil.copy(receipt(home), home.receipts / "z.json"),
        ("problem", "receipt_not_applied", "data/runtime/receipts/z.json", 1),
    ),
    "database gone": (lambda home: home.runtime_database.unlink(), ("problem", "database_missing", DATABASE, 1)),
    "no database": (
        changed(of("runtime.sqlite"), b"no database" * 900),
        ("problem", "database_damaged", DATABASE, 1),
    ),
    "damaged": (
        lambda home: home.runtime_database.write_bytes(
            home.runtime_database.read_bytes()[:4096] + b"\xff" * (home.runtime_database.stat().st_size - 4096)
        ),
        ("problem", "database_damaged", DATABASE, 1),
    ),
    "empty": (changed(of("runtime.sqlite"), b""), ("note", "database_older", DATABASE, 1)),
    "newer": (sql("PRAGMA user_version = 99"), ("problem", "database_newer", DATABASE, 1)),
    "foreign key": (
        sql("UPDATE observations SET turn = 'nobody' WHERE state = 'pending'"),
        ("problem", "database_damaged", DATABASE, 1),
    ),
    "claimed": (
        sql("UPDATE observations SET state = 'claimed', job = 'nobody' WHERE state = 'pending'"),
        ("problem", "claimed_without_job", DATABASE, 1),
    ),
    "processed": (
        sql("UPDATE observations SET state = 'processed' WHERE state = 'pending'"),
        ("problem", "processed_without_receipt", DATABASE, 1),
    ),
    "no source": (sql("DELETE FROM links"), ("problem", "section_without_source", DATABASE, 1)),
    "source gone": (
        sql("UPDATE links SET source = source || 'x'"),
        ("problem", "link_without_source", DATABASE, 2),
    ),
    "section gone": (sql("DELETE FROM sections"), ("problem", "link_without_section", DATABASE, 2)),
    "facts": (changed(of("sections.json"), b"{"), ("note", "derived_stale", "data/sections.json", 1)),
    "history": (changed(of("history.sqlite"), b"x" * 5000), ("note", "derived_broken", "data/history.sqlite", 1)),
    "index": (changed(of("recall.sqlite"), b"x" * 5000), ("note", "derived_broken", "data/recall.sqlite", 1)),
}


def test_all_is_well(home: Home) -> None:
    assert found(home) == set()


@pytest.mark.parametrize("how", SPOILED)
def test_each_thing_that_can_be_wrong_is_found(home: Home, how: str) -> None:
    spoil, expected = SPOILED[how]
    spoil(home)
    told = found(home)
    assert any(one[: len(expected)] == expected for one in told), told
    harmless = {("note", "edited_by_hand"), ("note", "derived_stale"), ("note", "unfinished")}
    for one in told:  # nothing else is alarmed, but for what follows from the same damage
        assert one[:2] == expected[:2] or one[:2] in harmless or one[1].startswith(("receipt_", "link_", "section_")), (
            one
        )


def test_what_a_crash_leaves_is_no_problem(home: Home) -> None:
    take(store := opened(home.root, clock=SetClock(START)))
    close_store(store)
    assert found(home) == set(), "a job under a lease is in order"
    for nth in (1, 5, 8, 12):
        folder = home.root.with_name(f"book-{nth}")
        shutil.copytree(home.root, folder)
        assert killed(folder, "remember", nth)
        left = found(Home(folder, folder / "data"))
        assert {one[1] for one in left} <= {"unfinished", "receipt_not_applied", "edited_by_hand", "derived_stale"}
        close_store(opened(folder, clock=SetClock(2_000_000_000_000)))
        assert found(Home(folder, folder / "data")) == set()


def test_a_log_left_by_a_crash_is_read_and_left_alone(home: Home) -> None:
    store = opened(home.root, clock=SetClock(START))
    store.ledger.run("DELETE FROM links")
    assert home.runtime_database.with_name("runtime.sqlite-wal").stat().st_size
    assert ("problem", "section_without_source", DATABASE, 1) in found(home)
    close_store(store)


def test_where_there_is_no_memory_nothing_is_made(tmp_path: Path) -> None:
    assert examine(Home(tmp_path / "no", tmp_path / "no" / "data"), Settings()) == ()
    assert not (tmp_path / "no").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_home_that_cannot_be_written_is_examined(home: Home, tmp_path: Path) -> None:
    tmp_path.parent.chmod(0o755)
    place = Path("/tmp") / f"commonbook-doctor-{os.getpid()}"
    shutil.copytree(home.root, place)
    try:
        for path in (place, *place.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
            path.chmod(0o500 if path.is_dir() else 0o400)
        child = in_child(lambda: repr(examine(Home(place, place / "data"), Settings())), uid=NOBODY)
        assert (child.status, child.told) == (0, "()")
    finally:
        shutil.rmtree(place)


def test_the_command(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty_home)
    assert real_commonbook("doctor").code == 0
    real_commonbook("remember", "I like tea", "--scope", "global", "--yes")
    told = real_commonbook("doctor", "--json")
    assert (told.code, told.json["healthy"], told.json["findings"]) == (0, True, [])
    receipt = real_commonbook("log", "--json").json["entries"][0]["receipt"]
    (file,) = (path for path in empty_home.rglob(f"{receipt}.json"))
    file.unlink()
    ran = real_commonbook("doctor")
    assert (ran.code, f"{receipt}.json" in ran.out, "backup" in ran.out) == (1, True, True)
    (finding,) = real_commonbook("doctor", "--json").json["findings"]
    assert (finding["kind"], finding["what"]) == ("problem", "receipt_missing")


def test_every_finding_has_a_sentence() -> None:
    import inspect
    import re

    from commonbook.keeper import doctor
    from commonbook.ledger.checks import COUNTED
    from tests.unit.test_messages_catalogue import catalogue

    known = set(catalogue("en")["finding"])
    said = set(re.findall(r'"([a-z]+(?:_[a-z]+)*)"', inspect.getsource(doctor)))
    assert known <= said | set(COUNTED), known - said
    assert set(COUNTED) <= known
    named = {what for _, (_, *_rest) in SPOILED.values() for what in _rest[:1]}
    assert known - named <= {"in_use"}, "each is tested above"
