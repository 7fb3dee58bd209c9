import io

import pytest

from commonbook.channels.cli.answers import rendered
from commonbook.channels.cli.live import Live
from commonbook.channels.cli.screen import Screen, clipped, safe_text
from commonbook.channels.gateway.operations import Progress
from tests.support.cli import Stream

HOSTILE = (
    ("\x1b[31mred", "\\x1b[31mred"),
    ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
    ("\x9b2J", "\\x9b2J"),
    ("safe\rfake", "safe\\x0dfake"),
    ("a\u202egpj.exe", "a\\u202egpj.exe"),
    ("\u2066x\u2069", "\\u2066x\\u2069"),
    ("lone \ud83d half", "lone \\ud83d half"),
    ("back\b\b", "back\\x08\\x08"),
    ("nul\x00", "nul\\x00"),
)


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_signs_that_a_terminal_obeys_are_shown_instead(text: str, shown: str) -> None:
    assert safe_text(text) == shown
    out = Stream(terminal=True)
    Screen(out, None, {}).line(text, (text, "heading"))
    assert text not in out.said


@pytest.mark.parametrize("text", ["以后都用 pnpm", "family 👨‍👩‍👧", "tab\there", "two\nlines", "שלום", "naïve é"])
def test_ordinary_text_of_any_language_is_left_alone(text: str) -> None:
    assert safe_text(text) == text


def test_windows_line_ends_are_line_ends() -> None:
    assert safe_text("a\r\nb") == "a\nb"


@pytest.mark.parametrize(("text", "_shown"), HOSTILE)
def test_json_carries_the_same_value_without_the_raw_sign(text: str, _shown: str) -> None:
    import json

    line = rendered({"text": text}, unicode_allowed=True)
    assert json.loads(line)["text"] == text
    assert safe_text(line) == line


@pytest.mark.parametrize(
    ("environment", "terminal", "coloured"),
    [({}, True, True), ({"NO_COLOR": "1"}, True, False), ({"TERM": "dumb"}, True, False), ({}, False, False)],
)
def test_colour_is_for_a_terminal_that_wants_it(environment: dict[str, str], terminal: bool, coloured: bool) -> None:
    out = Stream(terminal=terminal)
    Screen(out, None, environment).line(("heading", "heading"))
    assert ("\x1b[1m" in out.said) is coloured


def test_progress_is_one_line_that_disappears_before_the_next_output() -> None:
    out, err = Stream(terminal=True), Stream(terminal=True)
    screen = Screen(out, err, {"COLUMNS": "40"})
    screen.progress("reading\n1")
    screen.progress("reading 2")
    screen.line("done")
    assert err.said.count("\n") == 0
    assert err.said.endswith("\r\x1b[2K")
    assert out.said == "done\n"


def test_the_live_line_counts_and_shows_nobodys_words() -> None:
    err = Stream(terminal=True)
    Live(Screen(None, err, {}))(Progress("maintain", 3, 12, "kept", "secret words", "a reason"))
    assert "3/12" in err.said
    assert "secret words" not in err.said


def test_nobody_watches_no_progress() -> None:
    err = Stream(terminal=False)
    Screen(None, err, {}).progress("reading")
    assert err.said == ""


@pytest.mark.parametrize(("text", "cells", "shown"), [("abcdef", 4, "abc…"), ("中文字符", 5, "中文…"), ("ab", 4, "ab")])
def test_a_line_is_cut_by_cells_not_by_letters(text: str, cells: int, shown: str) -> None:
    assert clipped(text, cells) == shown


def test_a_locale_without_the_sign_does_not_end_the_program() -> None:
    out = Stream(terminal=False, encoding="ascii")
    Screen(out, None, {}).line("以后")
    assert out.said == "\\u4ee5\\u540e\n"


class Leaving(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_work_goes_on_when_the_reader_of_the_output_leaves() -> None:
    screen = Screen(Leaving(), None, {})
    screen.line("one")
    screen.line("two")
    assert screen.reader_gone


def test_a_program_without_standard_output_still_runs() -> None:
    screen = Screen(None, None, {})
    screen.line("one")
    screen.note("two")
    screen.close()
