"""A person saves a document in the middle of an update, at every step of it and the way different editors do: what they wrote
is never overwritten, no other section changes by a byte, and what was said is remembered all the same."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from commonbook.agents.rules.agent import RulesAgent
from commonbook.book.grammar import Document, outline
from commonbook.errors import CommonbookError
from commonbook.keeper.opening import close_store, second_store
from commonbook.worker import Maintainer, run_maintenance
from tests.support.committing import say
from tests.support.queueing import START, SetClock, opened
from tests.support.updating import check_whole

SAID = "From now on please keep your answers under five lines."
KEPT = b"under five lines"
DOCUMENTS = {
    "plain": b"# Preferences\n\n## Tea\n\n- green\n",
    "crlf": b"# Preferences\r\n\r\n## Tea\r\n\r\n- green   \r\n\r\n\r\n\r\n## Coffee \r\n\r\n\t- none\r\n",
    "bom": b"\xef\xbb\xbf# Preferences\n\n## Tea\n\n- green\n",
    "emoji": "# Preferences\n\n## 🍵 茶\n\n- 绿茶 👩‍👩‍👧 \u00a0\n\n".encode(),
    "mixed": b"# Preferences\n\n##   Tea  \r\n- green\t \n\n\n   \n## Last\n\nno line end",
}
BY_HAND = "## By hand 🎈\r\n\r\n- my own words  \r\n"
OTHER = b"# Elsewhere\n\nnot ours\n"


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def by_rename(path: Path, data: bytes) -> None:
    """As vim does: the old file is moved away, a new one is written, and the old one is removed."""
    backup, new = path.with_name(f"{path.name}~"), path.with_name(".4913")
    new.write_bytes(data)
    if path.exists():
        path.rename(backup)
    new.rename(path)
    backup.unlink(missing_ok=True)


EDITORS = {"in place": in_place, "by rename": by_rename}


@dataclass
class Person:
    """Does something at the nth step (0: never)."""

    act: Callable[[], object]
    nth: int = 0
    seen: list[str] = field(default_factory=list)
    armed: bool = False

    def __call__(self, step: str) -> None:
        if self.armed:
            self.seen.append(step)
            if len(self.seen) == self.nth:
                self.act()


def path_of(folder: Path) -> Path:
    return folder / "data/memory/preferences.md"


def run(folder: Path, before: bytes | None, person: Person) -> list[str]:
    """One update over a document; then, later, whatever was left. Gives the steps of the first."""
    clock = SetClock(START)
    store = opened(folder, clock=clock, mark=person)
    say(store, SAID)
    if before is not None:
        path_of(folder).write_bytes(before)
    person.armed = True
    try:
        report = run_maintenance(Maintainer(lambda: second_store(store), RulesAgent()))
        for failure in report.failed:
            raise CommonbookError(failure.code, **failure.detail)
    finally:
        person.armed = False
        close_store(store)
    return person.seen


def finished(folder: Path) -> bytes:
    """The document when everything has come to rest."""
    store = opened(folder, clock=SetClock(START + 1_000_000))
    run_maintenance(Maintainer(lambda: second_store(store), RulesAgent()))
    check_whole(store, by_hand=True)
    close_store(store)
    return path_of(folder).read_bytes() if path_of(folder).exists() else b""


def raws(document: Document) -> dict[str, bytes]:
    return {section.title: document.raw(section) for section in document.sections}


def steps_of(place: Path, before: bytes | None) -> list[str]:
    steps = run(place / "whole", before, Person(lambda: None))
    assert KEPT in finished(place / "whole")
    assert len(steps) >= 12
    return steps


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_section_added_at_any_step_stays_as_it_was_written(tmp_path: Path, kind: str, editor: str) -> None:
    before = DOCUMENTS[kind]
    steps = steps_of(tmp_path, before)
    for nth, step in enumerate(steps, start=1):
        folder = tmp_path / f"{nth}"
        saved: list[bytes] = []

        def save(path: Path, saved: list[bytes]) -> None:
            now = path.read_bytes()
            saved.append(now + (b"" if now.endswith(b"\n") else b"\n") + b"\n" + BY_HAND.encode())
            EDITORS[editor](path, saved[0])

        run(folder, before, Person(partial(save, path_of(folder), saved), nth))
        found = finished(folder)
        assert len(saved) == 1, step
        theirs, ours = raws(outline(saved[0])), raws(outline(found))
        assert found.count(KEPT) == 1, (nth, step)
        assert found.count(BY_HAND.rstrip().encode()) == 1, (nth, step)
        changed = {title for title in theirs if ours.get(title) != theirs[title]}
        last = list(theirs)[-1]
        assert all(title == last and ours[title].startswith(theirs[title]) for title in changed), (step, changed)
        assert found.startswith(saved[0][: outline(saved[0]).sections[0].start]), (nth, step)


@pytest.mark.parametrize("editor", EDITORS)
def test_an_editor_that_had_the_old_text_open_wins(tmp_path: Path, editor: str) -> None:
    """It writes what it loaded before the update, with a change: that is what the person sees, and what stays."""
    before = DOCUMENTS["crlf"]
    theirs = before.replace(b"green", b"black")
    for nth, step in enumerate(steps_of(tmp_path, before), start=1):
        folder = tmp_path / f"{nth}"
        run(folder, before, Person(lambda: EDITORS[editor](path_of(folder), theirs), nth))  # noqa: B023
        found = finished(folder)
        assert found.startswith(theirs), (nth, step)
        assert found.count(b"black") == 1
        assert found.count(b"green") == 0
        assert raws(outline(found))["Tea"] == raws(outline(theirs))["Tea"]


def test_a_document_that_is_deleted_does_not_come_back(tmp_path: Path) -> None:
    before = DOCUMENTS["plain"]
    for nth, step in enumerate(steps_of(tmp_path, before), start=1):
        folder = tmp_path / f"{nth}"
        run(folder, before, Person(path_of(folder).unlink, nth))
        assert b"green" not in finished(folder), (nth, step)


def test_a_document_that_appears_is_not_overwritten(tmp_path: Path) -> None:
    """There was none when the agent looked; the person began one meanwhile."""
    theirs = DOCUMENTS["emoji"]
    for nth, step in enumerate(steps_of(tmp_path, None), start=1):
        folder = tmp_path / f"{nth}"
        run(folder, None, Person(lambda: by_rename(path_of(folder), theirs), nth))  # noqa: B023
        assert finished(folder).startswith(theirs), (nth, step)


@pytest.mark.parametrize("kind", ["link", "folder", "second name"])
def test_what_is_no_plain_file_is_left_alone(tmp_path: Path, kind: str) -> None:
    before, other = DOCUMENTS["plain"], tmp_path / "other.md"

    def put_there(path: Path) -> None:
        path.unlink()
        match kind:
            case "link":
                path.symlink_to(other)
            case "folder":
                path.mkdir()
                (path / "inside.md").write_bytes(OTHER)
            case _:
                os.link(other, path)

    refused = 0
    for nth, step in enumerate(steps_of(tmp_path, before), start=1):
        folder = tmp_path / f"{nth}"
        path = path_of(folder)
        other.write_bytes(OTHER)
        try:
            run(folder, before, Person(lambda: put_there(path), nth))  # noqa: B023
        except CommonbookError as error:
            assert error.code == "UNSAFE_FILE"
            assert error.detail["path"] == str(path)
            refused += 1
        assert other.read_bytes() == OTHER, (nth, step)
        if kind == "folder":
            assert (path / "inside.md").read_bytes() == OTHER
            (path / "inside.md").unlink()
            path.rmdir()
        else:
            path.unlink()
        path.write_bytes(before)  # the person has mended it
        found = finished(folder)
        assert raws(outline(found))["Tea"].rstrip() == raws(outline(before))["Tea"].rstrip(), (nth, step)
        assert other.read_bytes() == OTHER
        other.unlink()
    assert refused >= 5


def test_renamed_by_hand_means_the_old_name_is_gone(tmp_path: Path) -> None:
    """A person keeps a copy under another name: the copy is theirs alone."""
    before = DOCUMENTS["crlf"]
    for nth, step in enumerate(steps_of(tmp_path, before), start=1):
        folder = tmp_path / f"{nth}"
        path = path_of(folder)
        moved = path.with_name("mine.md")
        run(folder, before, Person(partial(path.rename, moved), nth))
        kept = moved.read_bytes()
        assert kept.startswith(before), (nth, step)
        assert b"green" not in finished(folder)
        assert moved.read_bytes() == kept
