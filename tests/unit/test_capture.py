"""From session files into Core: everything once, in order, durable with its cursor, one bad file never in the way."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from commonbook.capture import HostCapture, capture, sinks, survey
from commonbook.capture import run as room
from commonbook.errors import Code, PlaceError
from commonbook.hosts.catalogue import all_hosts, find_host
from commonbook.keeper.contracts import Store
from commonbook.keeper.cursors import stored_cursor
from commonbook.keeper.ingress import register_own_session, take_turns
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Disclosure, HostSettings, Limits, Settings
from commonbook.settings.paths import Home
from tests.hosts.pi_files import START, PiFile

PI = find_host("pi")
RECORDINGS = Path(__file__).parent.parent / "recordings"


@dataclass
class StillClock:
    at: int = START + 10_000_000

    def now(self) -> int:
        return self.at


@dataclass
class Desk:
    """A store, a folder of sessions, and a capture from the one into the other."""

    store: Store
    root: Path
    clock: StillClock

    def capture(self, **options: Any) -> HostCapture:
        return capture(self.store, PI, **({"root": self.root} | options))

    def pi(self, name: str = "s.jsonl", **facts: Any) -> PiFile:
        return PiFile(self.root / name, **facts)

    def said(self) -> list[str]:
        rows = self.store.ledger.rows("SELECT text FROM observations ORDER BY observed_at, ordinal")
        return [row[0] for row in rows]

    def count(self, table: str) -> int:
        row = self.store.ledger.row(f"SELECT COUNT(*) FROM {table}")
        assert row is not None
        return int(row[0])

    def age(self, path: Path, hours: float) -> None:
        """Set the time of a file to so many hours before the clock of the store."""
        import os

        stamp = int((self.clock.at - hours * 3_600_000) * 1_000_000)
        os.utime(path, ns=(stamp, stamp))


@pytest.fixture
def make_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    stores: list[Store] = []

    def make(settings: Settings | None = None) -> Desk:
        clock = StillClock()
        home = tmp_path / "commonbook"
        store = open_store(Home(home, home / "data"), settings or Settings(), clock=clock)
        stores.append(store)
        root = tmp_path / "sessions"
        root.mkdir(exist_ok=True)
        return Desk(store, root, clock)

    yield make
    for store in stores:
        close_store(store)


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()


# --- once, and all of it -----------------------------------------------------------------------------------------------


def test_a_second_run_adds_nothing_and_new_lines_are_exactly_what_a_third_adds(desk: Desk) -> None:
    pi = desk.pi("--home-dev--/s.jsonl")
    pi.turn("one")
    pi.user("two")
    pi.calls("Looking.")
    pi.result("found")
    pi.says("Done.")
    first = desk.capture()
    assert (first.sessions, first.turns, first.new, first.context, first.duplicate) == (1, 2, 2, 4, 0)
    assert first.bytes_read == pi.path.stat().st_size - len(pi.path.read_bytes().splitlines(keepends=True)[0])
    counts = [desk.count(table) for table in ("observations", "messages", "turns", "blocks")]
    again = desk.capture()
    assert (again.turns, again.new, again.duplicate, again.context, again.bytes_read) == (0, 0, 0, 0, 0)
    assert [desk.count(table) for table in ("observations", "messages", "turns", "blocks")] == counts
    pi.turn("three")
    third = desk.capture()
    assert (third.turns, third.new, third.context) == (1, 1, 1)
    assert desk.said() == ["one", "two", "three"]


def test_a_fork_adds_only_what_is_new(desk: Desk) -> None:
    parent = desk.pi("p.jsonl", session="p")
    parent.turn("said in the parent")
    fork = desk.pi("f.jsonl", session="f", parent="/gone/p.jsonl", now=parent.now + 5000, ids="f")
    fork.copy(parent.records)
    fork.turn("said in the fork")
    report = desk.capture()
    assert (report.new, report.duplicate) == (2, 1)
    assert desk.said() == ["said in the parent", "said in the fork"]
    origins = desk.store.ledger.rows("SELECT origin FROM observations ORDER BY observed_at")
    assert origins == [("p",), ("f",)]


@pytest.mark.parametrize("parent_first", [True, False])
def test_a_fork_read_without_its_parent_counts_nothing_twice(desk: Desk, tmp_path: Path, parent_first: bool) -> None:
    parent = desk.pi("p.jsonl", session="p")
    parent.turn("old words")
    fork = desk.pi("f.jsonl", session="f", parent=str(parent.path), now=parent.now + 5000, ids="f")
    fork.copy(parent.records)
    fork.turn("new words")
    later, away = (fork.path, tmp_path / "away") if parent_first else (parent.path, tmp_path / "away")
    shutil.move(later, away)
    desk.capture()
    (fork.path if not parent_first else parent.path).unlink()
    shutil.move(away, later)
    desk.capture()
    assert sorted(desk.said()) == ["new words", "old words"]


def test_recorded_sessions_go_in_once_whatever_they_repeat(desk: Desk) -> None:
    for version in ("pi-0.85.1", "pi-1.6.0"):
        shutil.copytree(RECORDINGS / version, desk.root / version)
    first = desk.capture()
    records = desk.store.ledger.rows("SELECT record, COUNT(*) FROM observations GROUP BY record HAVING COUNT(*) > 1")
    assert records == []
    assert first.new + first.refused == desk.count("observations") > 60
    assert (first.open_turns, first.unknown_records, first.stopped_at_capacity) == (0, 0, False)
    assert {problem.code for problem in first.problems} == {Code.NOT_A_SESSION}
    again = desk.capture()
    assert (again.new, again.duplicate, again.bytes_read, again.sessions) == (0, 0, 0, first.sessions)


def test_a_copy_of_a_session_takes_nothing_away_from_it(desk: Desk) -> None:
    pi = desk.pi("a.jsonl")
    pi.turn("one")
    shutil.copy(pi.path, desk.root / "copy.jsonl")
    first = desk.capture()
    assert (first.new, first.duplicate) == (1, 1)
    assert desk.capture().bytes_read == 0
    pi.turn("two")
    third = desk.capture()
    assert (third.turns, third.new, third.duplicate) == (1, 1, 0)


def test_a_renamed_session_goes_on_and_is_known_by_its_new_name(desk: Desk) -> None:
    pi = desk.pi("a.jsonl")
    pi.turn("one")
    desk.capture()
    pi.path = pi.path.rename(desk.root / "b.jsonl")
    report = desk.capture()
    assert (report.turns, report.bytes_read) == (0, 0)
    stored = stored_cursor(desk.store, "pi", str(desk.root), pi.session)
    assert stored is not None and stored.path == str(pi.path)


def test_a_file_that_starts_over_adds_nothing_twice(desk: Desk) -> None:
    pi = desk.pi()
    pi.turn("one")
    pi.turn("two")
    desk.capture()
    lines = pi.path.read_bytes().splitlines(keepends=True)
    pi.path.write_bytes(b"".join(lines[:3]))
    pi.turn("three")
    report = desk.capture()
    assert (report.new, report.duplicate) == (1, 1)
    assert desk.said() == ["one", "two", "three"]


# --- the tail ----------------------------------------------------------------------------------------------------------


def test_an_unfinished_turn_waits_a_day_and_is_then_taken_as_interrupted(desk: Desk) -> None:
    pi = desk.pi()
    pi.turn("done")
    pi.user("never answered")
    desk.age(pi.path, 0)
    first = desk.capture()
    assert (first.new, first.open_turns) == (1, 1)
    stored = stored_cursor(desk.store, "pi", str(desk.root), pi.session)
    assert stored is not None
    assert (stored.waiting_bytes, stored.grown_at) == (len(pi.path.read_bytes().splitlines()[-1]) + 1, desk.clock.at)
    desk.clock.at += room.DAY - 1
    waiting = desk.capture()
    assert (waiting.new, waiting.open_turns, waiting.bytes_read) == (0, 1, 0)
    desk.clock.at += 1
    sealed = desk.capture()
    assert (sealed.new, sealed.open_turns) == (1, 0)
    assert desk.store.ledger.rows("SELECT state, settle_cause FROM turns ORDER BY ordinal") == [
        ("settled", "stop"),
        ("interrupted", "no_growth"),
    ]
    assert desk.capture().new == 0


def test_a_tail_that_grows_waits_anew(desk: Desk) -> None:
    pi = desk.pi()
    pi.user("long work")
    desk.age(pi.path, 0)
    desk.capture()
    desk.clock.at += room.DAY - 1
    pi.calls()
    desk.age(pi.path, 0)
    desk.capture()
    desk.clock.at += room.DAY - 1
    assert desk.capture().open_turns == 1
    pi.says("Finished.")
    assert (desk.capture().new, desk.said()) == (1, ["long work"])


def test_a_history_that_broke_off_long_ago_need_not_wait(desk: Desk) -> None:
    pi = desk.pi()
    pi.user("my last words to it")
    desk.age(pi.path, 25)
    report = desk.capture()
    assert (report.new, report.open_turns) == (1, 0)


def test_a_touched_tail_is_not_a_grown_one(desk: Desk) -> None:
    pi = desk.pi()
    pi.user("waiting")
    desk.age(pi.path, 10)
    desk.capture()
    desk.clock.at += 15 * 3_600_000
    desk.age(pi.path, 0)
    assert desk.capture().new == 1


# --- options -----------------------------------------------------------------------------------------------------------


def test_since_passes_over_older_turns_and_a_later_capture_takes_them(desk: Desk) -> None:
    pi = desk.pi()
    pi.turn("old")
    limit = pi.now + 1
    pi.turn("new")
    untouched = desk.pi("t.jsonl", session="t", now=limit + 60_000)
    untouched.turn("other session")
    first = desk.capture(since=limit)
    assert (first.new, desk.said()) == (2, ["new", "other session"])
    assert desk.capture(since=limit).new == 0
    later = desk.capture()
    assert (later.new, later.duplicate) == (1, 1)
    assert desk.said() == ["old", "new", "other session"]
    assert desk.capture().bytes_read == 0


@pytest.mark.parametrize("before", ["nothing", "the parents"])
def test_a_dry_run_counts_what_the_real_run_takes(desk: Desk, before: str) -> None:
    """Forks repeat what their parents hold, whether that was taken in before or is only counted in this run."""
    parent = desk.pi("p.jsonl", session="p", ids="p")
    parent.turn("said in the parent")
    parent.turn("my card is 4111 1111 1111 1111 and the key is AKIAIOSFODNN7EXAMPLE, and much more than that")
    if before == "the parents":
        desk.capture()
    for name in ("f", "g"):
        fork = desk.pi(f"{name}.jsonl", session=name, parent=str(parent.path), now=parent.now + 5000, ids=name)
        fork.copy(parent.records)
        fork.turn(f"said in {name}")
    counted = ("sessions", "turns", "new", "duplicate", "held", "refused", "masked", "context", "open_turns")
    dry = desk.capture(dry_run=True)
    real = desk.capture()
    assert [getattr(dry, name) for name in counted] == [getattr(real, name) for name in counted]
    assert real.new == (2 if before == "the parents" else 4)


def test_a_dry_run_over_the_recordings_is_the_real_run(desk: Desk) -> None:
    shutil.copytree(RECORDINGS / "pi-1.6.0", desk.root, dirs_exist_ok=True)
    dry = desk.capture(dry_run=True)
    real = desk.capture()
    assert (dry.new, dry.duplicate, dry.context) == (real.new, real.duplicate, real.context)


def test_a_dry_run_counts_and_stores_nothing(desk: Desk) -> None:
    parent = desk.pi("p.jsonl", session="p", cwd=None)
    parent.turn("one")
    parent.user("unfinished")
    fork = desk.pi(
        "f.jsonl", session="f", parent="p.jsonl", now=parent.now + 5000, ids="f", cwd="/home/dev/proj/lantern"
    )
    fork.copy(parent.records[:2])
    fork.turn("two")
    desk.age(parent.path, 0)
    before = dict(files(desk.store.home.root))
    report = desk.capture(dry_run=True)
    assert (report.turns, report.new, report.duplicate, report.context, report.open_turns) == (3, 2, 1, 2, 1)
    assert report.scopes == (("global", 1), ("project:lantern", 1))
    assert dict(files(desk.store.home.root)) == before
    assert [desk.count(table) for table in ("observations", "cursors", "projects", "sessions")] == [0, 0, 0, 0]
    taken = desk.capture()
    assert (taken.new, taken.duplicate) == (2, 1)
    known = desk.capture(dry_run=True)
    assert (known.turns, known.new, known.open_turns) == (0, 0, 1)


def files(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.name.endswith("-shm"):
            yield str(path), path.read_bytes()


def test_the_listener_hears_of_every_session(desk: Desk) -> None:
    for name in "abc":
        desk.pi(f"{name}.jsonl", session=name)
    heard: list[tuple[int, int]] = []
    desk.capture(listen=lambda done, total: heard.append((done, total)))
    assert heard == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_the_root_is_the_argument_then_the_setting_then_the_hosts_own(
    make_desk: Callable[..., Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = tmp_path / "chosen"
    PiFile(chosen / "s.jsonl").turn("in the chosen folder")
    PiFile(tmp_path / "agent" / "sessions" / "s.jsonl").turn("in Pi's folder")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    desk = make_desk(Settings(hosts={"pi": HostSettings(root=str(chosen))}))
    assert capture(desk.store, PI).root == str(chosen)
    bare = replace(desk.store, settings=Settings())
    assert capture(bare, PI).root == str(tmp_path / "agent" / "sessions")
    link = tmp_path / "link"
    link.symlink_to(chosen)
    again = capture(bare, PI, root=link)
    assert (again.root, again.bytes_read) == (str(chosen), 0)


# --- what is refused, held, or does not fit ----------------------------------------------------------------------------


def test_bad_files_stop_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.pi("a.jsonl", session="a").turn("first")
    vanished = desk.pi("b.jsonl", session="b")
    vanished.turn("gone before it was read")
    broken = desk.pi("c.jsonl", session="c")
    broken.turn("second")
    broken.raw(b"{broken\n\xff\n")
    broken.turn("third")
    (desk.root / "d.jsonl").mkdir()
    (desk.root / "e.jsonl").write_text("{}\n")
    keyed = room._keyed

    def vanish(*arguments: Any) -> Iterator[Any]:
        for each in keyed(*arguments):
            vanished.path.unlink(missing_ok=True)
            yield each

    monkeypatch.setattr(room, "_keyed", vanish)
    report = desk.capture()
    assert desk.said() == ["first", "second", "third"]
    told = {Path(p.path).name: (p.code, p.count, p.line) for p in report.problems}
    assert told == {
        "b.jsonl": (Code.SOURCE_GONE, 1, None),
        "c.jsonl": (Code.CORRUPT_RECORD, 2, 4),
        "d.jsonl": (Code.UNSAFE_FILE, 1, None),
        "e.jsonl": (Code.NOT_A_SESSION, 1, None),
    }


def test_a_format_newer_than_ours_is_read_as_far_as_we_know_it_and_said(desk: Desk) -> None:
    pi = desk.pi()
    pi.record(type="hologram", data="?")
    pi.turn("one")
    report = desk.capture()
    assert (report.new, report.unknown_records) == (1, 1)
    assert [p.code for p in report.problems] == [Code.NEWER_FORMAT]


def test_our_own_sessions_are_refused(desk: Desk) -> None:
    register_own_session(desk.store, "pi", "ours")
    desk.pi("o.jsonl", session="ours").turn("summarise what the user prefers")
    desk.pi("t.jsonl", session="theirs").turn("I prefer tabs")
    assert (desk.capture().sessions, desk.said()) == (1, ["I prefer tabs"])


def test_a_session_that_does_not_fit_stops_at_its_last_turn_that_did_and_smaller_ones_go_on(
    make_desk: Callable[..., Desk],
) -> None:
    desk = make_desk(Settings(limits=Limits(session_bytes=1000)))
    big = desk.pi("big.jsonl", session="big")
    for number in range(50):
        big.turn(f"{number:03}" + "x" * 97)
    desk.pi("small.jsonl", session="small", now=big.now + 1000).turn("small one")
    report = desk.capture()
    assert (report.new, report.stopped_at_capacity) == (11, True)
    waiting = [p.count for p in report.problems if p.code is Code.CAPACITY_REACHED]
    stored = stored_cursor(desk.store, "pi", str(desk.root), "big")
    assert stored is not None
    assert waiting == [stored.waiting_bytes] == [big.path.stat().st_size - json.loads(stored.position)["offset"]]
    desk.store.ledger.run("UPDATE observations SET state = 'processed', text = NULL")
    assert desk.capture().new == 10
    desk.store.ledger.run("UPDATE observations SET state = 'processed', text = NULL")
    roomy = replace(desk.store, settings=Settings())
    last = capture(roomy, PI, root=desk.root)
    assert (last.new, last.duplicate, last.stopped_at_capacity) == (30, 0, False)


def test_words_said_to_each_provider_carry_its_class(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(Settings(disclosure=Disclosure(provider_classes={"ollama": "local"})))
    pi = desk.pi()
    pi.user("private")
    pi.says("ok", provider="ollama")
    pi.user("public")
    pi.says("ok", provider="acme")
    desk.capture()
    rows = desk.store.ledger.rows("SELECT text, provider_class FROM observations ORDER BY observed_at")
    assert rows == [("private", "local"), ("public", "unknown")]


def test_a_failing_store_ends_the_run_and_what_was_stored_stays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.pi("a.jsonl", session="a").turn("first")
    desk.pi("b.jsonl", session="b", now=START + 60_000).turn("second")
    take = take_turns

    def full(store: Store, session: Any, *rest: Any) -> Any:
        if session.host_session == "b":
            raise PlaceError(Code.DISK_FULL, path="x")
        return take(store, session, *rest)

    monkeypatch.setattr(sinks, "take_turns", full)
    with pytest.raises(PlaceError, match="DISK_FULL"):
        desk.capture()
    monkeypatch.setattr(sinks, "take_turns", take)
    assert desk.said() == ["first"]
    assert (desk.capture().new, desk.said()) == (1, ["first", "second"])


def test_a_turn_in_parts_is_one_turn_and_read_again_adds_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("turns", "jsonl"):
        monkeypatch.setattr(f"commonbook.hosts.{module}.TURN_TEXT", 2000)
    monkeypatch.setattr(room, "CHUNK_TEXT", 3000)
    pi = desk.pi()
    pi.user("run everything")
    for number in range(12):
        pi.calls()
        pi.result(f"{number}" * 500)
    pi.says("Done.")
    report = desk.capture()
    assert (report.new, report.context, desk.count("turns"), desk.count("messages")) == (1, 13, 1, 13)
    ordinals = desk.store.ledger.rows("SELECT ordinal FROM messages ORDER BY start")
    assert ordinals == sorted(set(ordinals))
    desk.age(pi.path, 1)
    assert (desk.capture().context, desk.count("messages")) == (0, 13)


# --- looking without a store -------------------------------------------------------------------------------------------


def test_a_survey_counts_by_headers_alone(tmp_path: Path) -> None:
    PiFile(tmp_path / "s" / "a.jsonl", "a").turn("one")
    PiFile(tmp_path / "s" / "b.jsonl", "b")
    size = sum(path.stat().st_size for path in tmp_path.rglob("*.jsonl"))
    found = survey(PI, tmp_path / "s")
    assert (found.found, found.sessions, found.bytes, found.name) == (True, 2, size, "Pi")
    assert survey(PI, tmp_path / "nowhere").found is False


def test_a_missing_root_is_an_error_with_its_path(desk: Desk) -> None:
    with pytest.raises(PlaceError) as caught:
        desk.capture(root=desk.root / "nowhere")
    assert (caught.value.code, caught.value.detail["path"]) == (Code.FOLDER_MISSING, str(desk.root / "nowhere"))
    empty = desk.capture()
    assert (empty.sessions, empty.turns, empty.problems) == (0, 0, ())


def test_every_host_is_whole() -> None:
    for spec in all_hosts():
        assert "{prompt}" in spec.headless
        assert spec.instruction_files and spec.id.replace("-", "_").isidentifier()
        assert spec.transcripts().default_root({"HOME": "/h"}) == Path("/h", *Path(spec.sessions).parts[1:])
