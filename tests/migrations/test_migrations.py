"""A database built fresh equals one carried forward; nothing is lost on the way, and a newer one is never touched."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from commonbook.errors import Code, PlaceError
from commonbook.keeper.opening import close_store
from commonbook.ledger.database import Ledger
from commonbook.ledger.migrations import Step, built_fresh, migrate, needs_migration, shape, shipped_steps
from commonbook.settings.paths import Home
from tests.migrations.freeze import frozen_file
from tests.support.queueing import SetClock, opened

LATEST = shipped_steps()[-1].version
NEXT = Step(LATEST + 1, f"ALTER TABLE sessions ADD COLUMN mood TEXT;\nPRAGMA user_version = {LATEST + 1};")


def home_with(tmp_path: Path, database: Path | None = None) -> Home:
    """A home with the folders of a store and, as its database, a copy of ``database``."""
    home = Home(tmp_path / "home", tmp_path / "home" / "data")
    close_store(opened(home.root))
    if database is not None:
        shutil.copyfile(database, home.runtime_database)
    return home


@pytest.mark.parametrize("version", range(1, LATEST + 1))
def test_every_frozen_database_becomes_what_is_built_fresh(tmp_path: Path, version: int) -> None:
    home = home_with(tmp_path, frozen_file(version))
    ledger = Ledger.open(home.runtime_database)
    question = "SELECT COUNT(*), SUM(bytes), COUNT(text) FROM observations"
    before = ledger.row(question)
    assert before is not None and (before[0], before[2]) == (13, 13)
    migrate(ledger, home, SetClock())
    assert shape(ledger) == shape(built_fresh(shipped_steps()))
    assert ledger.row(question) == before
    assert ledger.rows("PRAGMA integrity_check") == [("ok",)]
    ledger.close()


def test_a_frozen_store_opens_and_its_running_job_is_taken_up(tmp_path: Path) -> None:
    home = home_with(tmp_path, frozen_file(LATEST))
    store = opened(home.root, clock=SetClock())
    assert store.ledger.row("SELECT COUNT(*) FROM jobs WHERE state = 'running'") == (1,)
    assert store.ledger.row("SELECT bytes FROM unprocessed WHERE session = ''") == store.ledger.row(
        "SELECT SUM(bytes) FROM observations"
    )
    close_store(store)


def test_an_upgrade_backs_up_first_and_revokes_running_leases(tmp_path: Path) -> None:
    home = home_with(tmp_path, frozen_file(LATEST))
    note = home.memory / "preferences.md"
    note.write_bytes(b"# Preferences\r\n\n## Tools\n- pnpm \n")
    note.chmod(0o600)
    ledger = Ledger.open(home.runtime_database)
    steps = (*shipped_steps(), NEXT)
    assert needs_migration(ledger, home, steps)
    migrate(ledger, home, SetClock(), steps)

    assert ledger.rows("SELECT state, token FROM jobs") == [("retry", None)]
    assert ledger.row("PRAGMA user_version") == (LATEST + 1,)
    [backup] = home.upgrade_backups.iterdir()
    assert (backup / "memory" / "preferences.md").read_bytes() == note.read_bytes()
    assert set(json.loads((backup / "manifest.json").read_bytes())) == {"runtime.sqlite", "memory/preferences.md"}
    old = apsw.Connection(str(backup / "runtime.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    assert old.execute("SELECT state FROM jobs").fetchall() == [("running",)]
    old.close()
    assert not needs_migration(ledger, home, steps)
    ledger.close()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM observations WHERE turn IS NULL;",
        "UPDATE turns SET id = id || 'x' WHERE 0; DELETE FROM cursors;",
        "DROP TABLE cursors;",
        "UPDATE sessions SET id = 'other'; -- orphans its turns",
    ],
)
def test_a_migration_that_loses_anything_is_rolled_back(tmp_path: Path, sql: str) -> None:
    home = home_with(tmp_path, frozen_file(LATEST))
    ledger = Ledger.open(home.runtime_database)
    ledger.run("PRAGMA foreign_keys = OFF")
    lossy = Step(LATEST + 1, f"{sql}\nPRAGMA user_version = {LATEST + 1};")
    with pytest.raises(PlaceError) as caught:
        migrate(ledger, home, SetClock(), (*shipped_steps(), lossy))
    assert caught.value.code is Code.STORE_DAMAGED
    assert ledger.row("PRAGMA user_version") == (LATEST,)
    assert ledger.row("SELECT COUNT(*) FROM observations") == (13,)
    ledger.close()


def test_a_number_ahead_of_the_true_shape_is_noticed(tmp_path: Path) -> None:
    home = home_with(tmp_path, frozen_file(LATEST))
    ledger = Ledger.open(home.runtime_database)
    ledger.run("DROP TABLE requests")
    with pytest.raises(PlaceError) as caught:
        needs_migration(ledger, home)
    assert caught.value.code is Code.STORE_DAMAGED
    ledger.close()


def test_another_programs_database_is_not_taken_for_ours(tmp_path: Path) -> None:
    home = home_with(tmp_path)
    home.runtime_database.unlink()
    other = apsw.Connection(str(home.runtime_database))
    other.execute("CREATE TABLE recipes (id INTEGER)").fetchall()
    other.close()
    before = home.runtime_database.read_bytes()
    with pytest.raises(PlaceError) as caught:
        opened(home.root)
    assert caught.value.code is Code.STORE_DAMAGED
    assert b"recipes" in home.runtime_database.read_bytes()
    assert len(home.runtime_database.read_bytes()) == len(before)


def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    home = home_with(tmp_path)
    ledger = Ledger.open(home.runtime_database)
    ledger.run(f"PRAGMA user_version = {LATEST + 1}")
    ledger.close()
    with pytest.raises(PlaceError) as caught:
        opened(home.root)
    assert caught.value.code is Code.STORE_NEWER


OLDER_PROGRAM = """
import sys
from pathlib import Path
from commonbook.errors import PlaceError
from tests.support.queueing import opened, delivery
from commonbook.keeper.ingress import deliver
store = opened(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
try:
    deliver(store, delivery("late"))
except PlaceError as error:
    print(error.code.value)
"""


def test_an_older_program_that_is_still_open_can_write_no_more(tmp_path: Path) -> None:
    home = home_with(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", OLDER_PROGRAM, str(home.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": ":".join(sys.path)},
    ) as older:
        assert older.stdin is not None and older.stdout is not None
        assert older.stdout.readline() == "open\n"
        ledger = Ledger.open(home.runtime_database)
        migrate(ledger, home, SetClock(), (*shipped_steps(), NEXT))
        older.stdin.write("go\n")
        older.stdin.flush()
        assert older.stdout.readline() == "STORE_NEWER\n"
        assert ledger.row("SELECT COUNT(*) FROM observations") == (0,)
        ledger.close()
