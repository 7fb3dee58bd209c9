"""What counts as a section, and which line is said to be wrong."""

import pytest

from commonbook.book.grammar import check_section, first_line, outline, parse, title_digest
from commonbook.errors import Code, DecisionError
from commonbook.vocabulary import PREFERENCES, PROFILE, Target, folded, visible

PROJECT = Target("projects/lantern-1a2b")


def _titles(text: str) -> list[str]:
    return [section.title for section in outline(text.encode()).sections]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("# Profile\n\n## A\n\nx\n\n## B\ny\n", ["A", "B"]),
        ("# Profile\r\n\r\n## 关于我 ##\r\n- x\r\n", ["关于我"]),
        ("\ufeff# Profile\n\n## A\n", ["A"]),
        ("# P\n\n```\n## no\n```\n\n## yes\n", ["yes"]),
        ("# P\n\n> ## no\n\n- ## no\n\n## yes\n", ["yes"]),
        ("# P\n\n ## indented\n\n## yes\n", ["yes"]),
        ("# P\n\nSetext\n---\n\n## yes\n", ["yes"]),
        ("no first line\n\n## yes\n", ["yes"]),
        ("", []),
        ("## A\n\n## A\n", ["A", "A"]),
        ("# P\n\n## A #1\n\n## C#\n", ["A #1", "C#"]),
    ],
)
def test_sections_are_top_level_headings_at_column_zero(text: str, titles: list[str]) -> None:
    assert _titles(text) == titles


def test_ranges_are_bytes_and_cover_from_heading_to_heading() -> None:
    data = "\ufeff# Profile\r\n\r\n## 语言 🙂\r\n- 中文  \r\n\r\n## B\r\n".encode()
    document = outline(data)
    first, second = document.sections
    assert document.raw(first) == "## 语言 🙂\r\n- 中文  \r\n\r\n".encode()
    assert document.body(first) == "- 中文  \r\n\r\n"
    assert document.raw(second) == b"## B\r\n"
    assert document.section("语言  🙂") == first


def test_a_hand_written_file_with_broken_utf8_and_nul_is_still_outlined() -> None:
    data = b"# P\n\n## \xff\xfe\x00A\n\nx\n\n## B\n"
    document = outline(data)
    assert [document.data[s.start : s.start + 2] for s in document.sections] == [b"##", b"##"]
    assert document.sections[1].title == "B"


@pytest.mark.parametrize(
    ("text", "target", "line"),
    [
        ("", PROFILE, 1),
        ("hello\n", PROFILE, 1),
        ("# Preferences\n", PROFILE, 1),
        ("# profile\n", PROFILE, 1),
        ("## Project\n", PROJECT, 1),
        ("\n# Project\n", PROJECT, 1),
        (" # Project\n", PROJECT, 1),
        ("Project\n===\n", PROJECT, 1),
        ("# Projekt\n", PROJECT, 1),
        ("# Profile\n\ntext\n\n## A\n", PROFILE, 3),
        ("# Profile\n\n## A\n\n# Again\n", PROFILE, 5),
        ("# Profile\n\n## A\n\n## a\n", PROFILE, 5),
        ("# Profile\n\n## A\n\nSet\n---\n", PROFILE, 5),
        ("# Profile\n\n## A\n\n```\nnever closed\n", PROFILE, 5),
        ("# Profile\n\n## A\n\n~~~\n```\n", PROFILE, 5),
        ("# Profile\n\n## A\n\n```\n    ```\n", PROFILE, 5),
        ("# Profile\n\n## A\n\n<!-- a\n\n## B\n", PROFILE, 5),
        ("# Profile\n\n ## A\n", PROFILE, 3),
        ("# Profile\n\n### early\n\n## A\n", PROFILE, 3),
        ("# Profile\n\n## \n", PROFILE, 3),
        ("# Profile\r\n\r\n## A\r\n\r\n# B\r\n", PROFILE, 5),
    ],
)
def test_a_file_outside_the_grammar_names_its_line(text: str, target: Target, line: int) -> None:
    with pytest.raises(DecisionError) as outside:
        parse(text.encode(), target)
    assert outside.value.code == Code.DOCUMENT_OUTSIDE_GRAMMAR
    assert outside.value.detail["line"] == line


def test_invalid_utf8_is_outside_the_grammar() -> None:
    with pytest.raises(DecisionError) as outside:
        parse(b"# Profile\n\n## A\n\n\xff\n", PROFILE)
    assert outside.value.detail["line"] == 5


@pytest.mark.parametrize(
    "text",
    [
        "# Preferences\n",
        "# Preferences\n\n## A\n\n### H3\n\n- x\n\n```py\n## no\n```\n",
        "# Preferences\n\n## A\n````\n```\n````\n## B\n",
        "# Preferences\n\n## A\n\n  ### indented\n\n<!-- ## note\n\n## closed -->\n\n## B\n",
        "# Preferences\n\n## A\n- ```\n  open in a list\n",
        "# Preferences\n\n## A\n\n### B\n\n## B\n\n### B\n",
        "\ufeff# Preferences\r\n\r\n## A\r\n| a | b |\r\n|---|---|\r\n",
    ],
)
def test_what_is_within_the_grammar(text: str) -> None:
    assert parse(text.encode(), PREFERENCES).data == text.encode()


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("", "x"),
        ("  ", "x"),
        ("A\nB", "x"),
        ("A ##", "x"),
        ("A\x07", "x"),
        ("A", "# x"),
        ("A", "x\n\n## B"),
        ("A", "x\n---"),
        ("A", "```\nopen"),
        ("A", "x\x00y"),
        ("A", "x\x1b[31m"),
        ("A", "x\x9b31m"),
        ("A", "x\r# y"),
        ("A", "<!-- x"),
        ("A", "lone \ud800"),
    ],
)
def test_our_own_sections_may_not_break_out(title: str, body: str) -> None:
    with pytest.raises(DecisionError) as refused:
        check_section(title, body)
    assert refused.value.code == Code.INVALID_MARKDOWN


def test_our_own_sections_may_hold_any_markdown_below() -> None:
    check_section("C#", "- a\n  ## not a heading of ours\n> # quoted\n\n### H3\n\n```\n# code\n```\n\t- tab")


def test_titles_that_a_person_would_call_the_same_have_one_digest() -> None:
    assert title_digest("Ｔools  A") == title_digest("tools a")
    assert title_digest("tools") != title_digest("tool")


def test_first_lines() -> None:
    assert first_line(PROFILE, None) == "# Profile"
    assert first_line(PREFERENCES, "x") == "# Preferences"
    assert first_line(PROJECT, " my\napp ") == "# Project: my app"
    assert first_line(PROJECT, None) == "# Project"
    assert first_line(PROJECT, "纸鸢\x1b[1m\udcff") == "# Project: 纸鸢 [1m"
    assert first_line(PROJECT, "\udcff") == "# Project"


@pytest.mark.parametrize(
    ("title", "body", "rule"),
    [
        ("", "x", "title"),
        (" ", "x", "title"),
        ("A #", "x", "title"),
        ("A", "\x07", "control_character"),
        ("A", "# x", "structure"),
    ],
)
def test_a_refusal_names_the_rule(title: str, body: str, rule: str) -> None:
    with pytest.raises(DecisionError) as refused:
        check_section(title, body)
    assert refused.value.detail["rule"] == rule


def test_the_line_of_a_refused_body_is_its_own() -> None:
    with pytest.raises(DecisionError) as refused:
        check_section("A", "one\ntwo\n\n# three")
    assert refused.value.detail["line"] == 4


HIDDEN = {
    "zero-width space": "use\u200bnpm",
    "right-to-left override": "use \u202empn",
    "isolate": "\u2066use npm\u2069",
    "direction mark": "use npm\u200f",
    "tags": "use npm\U000e0068\U000e0069",
    "word joiner": "use\u2060npm",
    "joiner in a Latin word": "n\u200dpm",
    "non-joiner between ideographs": "\u6211\u200c\u4eec",
    "byte order mark": "use\ufeffnpm",
    "filler": "use \u3164npm",
    "soft hyphen": "use n\u00adpm",
}
SPELT = {
    "family": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "heart": "\u2764\ufe0f\u200d\U0001f525",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "flag of England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "variant of an ideograph": "\u845b\U000e0100",
    "Hebrew": "\u05e9\u05dc\u05d5\u05dd",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_signs_that_nobody_sees_are_not_written_and_hide_nothing(text: str) -> None:
    for title, body in ((text, "- x"), ("Tools", f"- {text}")):
        with pytest.raises(DecisionError) as told:
            check_section(title, body)
        assert told.value.code is Code.INVALID_MARKDOWN
        check_section(title, body, f"## {title}\n\n{body}")  # the person's own hand has put it there
    assert folded(text) == folded(visible(text))
    check_section(visible(text), f"- {visible(text)}")


@pytest.mark.parametrize("text", SPELT.values(), ids=SPELT)
def test_what_a_word_or_an_emoji_is_spelt_with_stays(text: str) -> None:
    check_section(text, f"- {text}")
    assert visible(text) == text
