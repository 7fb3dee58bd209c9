"""The two derived files, and the mark around our own text."""

from pathlib import Path

import pytest

from commonbook.book.facts import SectionFact, read_facts, write_facts
from commonbook.book.marker import marked_spans, wrap
from commonbook.book.registry import Project, read_projects, write_projects
from commonbook.settings.paths import Home
from commonbook.vocabulary import PREFERENCES, ProjectId, sha256

INFINITE = b'{"sections": [{"target": "profile", "title": "", "date": 1e999, "sources": []}]}'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path)


def test_projects_come_back_as_they_were_written(home: Home) -> None:
    projects = (
        Project(ProjectId("a-0001"), 'quo"te\\ \x07 纸鸢', "/home/dev/a\tb", "folder", "registered"),
        Project(ProjectId("b-0002"), "b", "/home/dev/odd\udcff", "recorded", "removed"),
    )
    write_projects(home, projects[::-1])
    first, second = read_projects(home)
    assert first == projects[0]
    assert (second.id, second.root) == ("b-0002", "/home/dev/odd?")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[project",
        b"project = 3",
        b"[project.a-0001]\nname = 1",
        b"a = " + b"[" * 9000,
        b"[project.UP]\n",
    ],
)
def test_a_broken_registry_has_no_projects(data: bytes, home: Home) -> None:
    home.projects_file.write_bytes(data)
    assert read_projects(home) == ()


def test_facts_come_back_and_a_broken_file_has_none(home: Home) -> None:
    fact = SectionFact(PREFERENCES, sha256("tools"), 1_796_000_000_000, ("o1", "o2"))
    assert read_facts(home) == {}
    write_facts(home, [fact])
    assert read_facts(home) == {(PREFERENCES, fact.title_digest): fact}
    for broken in (b"", b"[]", b"{", b'{"sections": [{}]}', b"\xff", b"[" * 99_999, INFINITE):
        home.sections_file.write_bytes(broken)
        assert read_facts(home) == {}, broken


@pytest.mark.parametrize(
    "content",
    [
        "",
        "plain",
        '</commonbook n="N">',
        '<commonbook v="1" target="x" n="N">',
        "<COMMONBOOK>",
        "a\nb",
        "&lt;commonbook",
    ],
)
def test_everything_that_we_wrap_is_marked_to_its_last_character(content: str) -> None:
    text = f"before {wrap('preferences', content, 'N')} after"
    assert [text[start:stop] for start, stop in marked_spans(text)] == [text[7:-6]]


def test_an_unclosed_mark_reaches_to_the_end_and_another_nonce_does_not_close_it() -> None:
    text = 'a <commonbook v="1" target="p" n="x">secret</commonbook n="y"> tail'
    assert marked_spans(text) == ((2, len(text)),)
    by_hand = '<commonbook version="1" n="x">a</commonbook n="1">b</commonbook n="x">'
    assert marked_spans(by_hand + " mine") == ((0, len(by_hand)),)
    assert marked_spans("talk about commonbook and <b>html</b>") == ()
    assert marked_spans("<commonbook> by hand") == ((0, 20),)
