from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from commonbook.app import open_gateway
from commonbook.channels.gateway.operations import (
    AnyOperation,
    Edit,
    FindHosts,
    Forget,
    Gateway,
    ListContexts,
    ListQueue,
    Maintain,
    Operation,
    ReadMemory,
    Remember,
    SearchMemory,
    SetPaused,
)
from commonbook.errors import CommonbookError

TODAY = datetime.now(UTC).date().isoformat()


@pytest.fixture
def gateway(empty_home: Path) -> Iterator[Gateway]:
    gateway = open_gateway(empty_home / "book")
    yield gateway
    gateway.close()


def test_the_closed_set_names_every_operation() -> None:
    assert set(get_args(AnyOperation)) == set(Operation.__subclasses__())


def test_every_operation_is_handled() -> None:
    """Read off the code: the one match of the gateway names each operation (mypy holds each topic to its own)."""
    import ast
    import inspect

    from commonbook.channels.gateway import local

    tree = ast.parse(inspect.getsource(local))
    named = {
        node.cls.id for node in ast.walk(tree) if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name)
    }
    assert named == {operation.__name__ for operation in Operation.__subclasses__()}


def test_reads_open_no_database_and_make_no_folder(gateway: Gateway, empty_home: Path) -> None:
    reads: tuple[Operation[object], ...] = (ReadMemory(), SearchMemory("x"), ListContexts(), FindHosts())
    for read in reads:
        gateway.call(read)
    assert list(empty_home.iterdir()) == []


def test_an_edit_that_is_asked_for_twice_is_one_edit(gateway: Gateway) -> None:
    wish = Edit("replace logrus with slog", "global", wait=0)
    first = gateway.call(wish, request_id="r1")
    assert (first.state, first.result, first.complete) == ("pending", None, False)
    assert gateway.call(wish, request_id="r1").item == first.item
    assert gateway.call(wish, request_id="r2").item != first.item
    with pytest.raises(CommonbookError, match="SUBMISSION_CONFLICT"):
        gateway.call(Edit("replace npm with pnpm", "global", wait=0), request_id="r1")
    assert gateway.call(ListQueue()).total == 2


def test_waiting_for_an_edit_ends_with_its_result(gateway: Gateway) -> None:
    line = gateway.call(Remember("We log with logrus", "global"))
    gateway.call(Remember("We log with logrus", "global", confirm=tuple(each.expected for each in line.changes)))
    done = gateway.call(Edit("replace logrus with slog", "global"))
    assert (done.result, done.complete, done.state) == ("modified", True, "processed")
    assert [change.lines_added for change in done.changes] == [(f"- We log with slog ({TODAY})",)]
    again = gateway.call(Edit("replace logrus with slog", "global"))
    assert (again.result, again.changes) != ("modified", done.changes)


def test_whoever_asks_for_the_work_is_told_each_time_what_to_mend(gateway: Gateway, empty_home: Path) -> None:
    gateway.call(Edit("replace logrus with slog", "global", wait=0))
    document = empty_home / "book" / "data" / "memory" / "preferences.md"
    document.write_text("free words\n")
    for _ in range(2):
        (problem,) = gateway.call(Maintain()).failed
        assert (problem.code, problem.detail) == ("DOCUMENT_OUTSIDE_GRAMMAR", {"target": "preferences", "line": 1})
        (item,) = gateway.call(ListQueue()).items
        assert (item.state, item.issue) == ("paused", "DOCUMENT_OUTSIDE_GRAMMAR")


def test_a_paused_queue_does_not_hold_an_edit_up(gateway: Gateway) -> None:
    gateway.call(SetPaused(True))
    assert gateway.call(Edit("replace logrus with slog", "global", wait=60)).state == "pending"


def test_only_what_was_shown_is_committed(gateway: Gateway) -> None:
    shown = gateway.call(Remember("I review on Fridays", "global"))
    assert not shown.committed
    assert gateway.call(ReadMemory()).empty
    expected = tuple(change.expected for change in shown.changes)
    with pytest.raises(CommonbookError, match="STALE_REVISION"):
        gateway.call(Remember("I review on Mondays", "global", confirm=expected))
    done = gateway.call(Remember("I review on Fridays", "global", confirm=expected))
    assert done.committed
    assert done.changes[0].receipt
    with pytest.raises(CommonbookError, match="STALE_REVISION"):
        gateway.call(Remember("I review on Fridays", "global", confirm=expected))
    assert gateway.call(Remember("i review on fridays", "global")).changes == ()
    with pytest.raises(CommonbookError, match="NOTHING_FOUND"):
        gateway.call(Forget("sailing", "global"))


@pytest.mark.parametrize("spoil", [False, True])
def test_forgotten_words_leave_the_index_without_a_search(gateway: Gateway, empty_home: Path, spoil: bool) -> None:
    expected = tuple(each.expected for each in gateway.call(Remember("I love zebras", "global")).changes)
    gateway.call(Remember("I love zebras", "global", confirm=expected))
    assert gateway.call(SearchMemory("zebras")).segments
    index = empty_home / "book" / "data" / "recall.sqlite"
    assert b"zebras" in index.read_bytes()
    if spoil:
        index.write_bytes(index.read_bytes().replace(b"CREATE TABLE", b"CREATE TUBLE"))
    expected = tuple(each.expected for each in gateway.call(Forget("zebras", "global")).changes)
    gateway.call(Forget("zebras", "global", confirm=expected))
    assert not [path for path in (empty_home / "book").rglob("*") if path.is_file() and b"zebra" in path.read_bytes()]


@pytest.mark.parametrize("context", ["globe", "project:", "project:../x", "profile"])
def test_a_context_of_no_known_shape_is_refused(gateway: Gateway, context: str) -> None:
    with pytest.raises(CommonbookError, match="CONTEXT_UNAVAILABLE"):
        gateway.call(Remember("x", context))
