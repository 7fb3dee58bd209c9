"""What kinds of block a text has, and where each begins."""

import pytest
from markdown_it import MarkdownIt

from commonbook.book.marker import wrap
from commonbook.keeper.structure import map_structure, section_label, single_block
from commonbook.vocabulary import BlockKind


def outline(text: str) -> list[tuple[str, str | None, str, str]]:
    """id, parent, kind, text of every block but the root."""
    data = text.encode("utf-8", "surrogatepass")
    return [
        (block.id, block.parent, block.kind.value, data[block.start : block.stop].decode("utf-8", "surrogatepass"))
        for block in map_structure(text)[1:]
    ]


def kinds(text: str) -> list[str]:
    return [kind for _, _, kind, _ in outline(text)]


def test_headings_nest() -> None:
    assert outline("before\n# A\na\n### C\nc\n## B\nb\n# D\n") == [
        ("b1", "b0", "paragraph", "before\n"),
        ("b2", "b0", "section", "# A\na\n### C\nc\n## B\nb\n"),
        ("b3", "b2", "paragraph", "# A\n"),
        ("b4", "b2", "paragraph", "a\n"),
        ("b5", "b2", "section", "### C\nc\n"),
        ("b6", "b5", "paragraph", "### C\n"),
        ("b7", "b5", "paragraph", "c\n"),
        ("b8", "b2", "section", "## B\nb\n"),
        ("b9", "b8", "paragraph", "## B\n"),
        ("b10", "b8", "paragraph", "b\n"),
        ("b11", "b0", "section", "# D\n"),
        ("b12", "b11", "paragraph", "# D\n"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("just words", ["paragraph"]),
        ("one\n\ntwo", ["paragraph", "paragraph"]),
        ("> said\n> more\n\nthen", ["quote", "paragraph"]),
        ("- a\n- b\n  - c\n\nthen", ["list", "paragraph"]),
        ("1. a\n2. b", ["list"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["table"]),
        ("```\n# no heading\n```\nthen", ["code", "paragraph"]),
        ("````\n```\n# no\n````\nthen", ["code", "paragraph"]),
        ("```\nnever closed\n# no", ["code"]),
        ("say:\n\n    code\n", ["paragraph", "code"]),
        ("\ufeff# A\nx", ["section", "paragraph", "paragraph"]),
        ("Title\n---\nx", ["paragraph", "paragraph"]),
        ("- # in a list\n> # in a quote", ["list", "quote"]),
        ("#no heading", ["paragraph"]),
        ("---", ["paragraph"]),
        ("\n \n", ["paragraph"]),
    ],
)
def test_kinds(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_blank_lines_belong_to_the_block_before() -> None:
    assert [part for *_, part in outline("\r\n a \r\n\r\n\r\n- b  \r\n\r\n")] == [
        "\r\n a \r\n\r\n\r\n",
        "- b  \r\n\r\n",
    ]


def test_our_own_marked_text_is_no_evidence() -> None:
    marked = wrap("profile", "## Editor\n- vim", "n1")
    text = f"look:\n- one\n{marked} and two\n\n# Mine\nlast"
    blocks = map_structure(text)
    without = [text.encode()[block.start : block.stop].decode() for block in blocks if not block.evidence]
    assert without == [marked]
    assert all(block.kind is not BlockKind.SECTION or block.start > text.index("and two") for block in blocks)


def test_an_unclosed_mark_reaches_to_the_end() -> None:
    blocks = map_structure('hello\n<commonbook v="1" target="profile" n="z">\n# Likes\n- tea')
    assert [(block.kind.value, block.evidence) for block in blocks[1:]] == [("paragraph", True), ("paragraph", False)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("# C#\nx", "C#"),
        ("## Tools ##\n", "Tools"),
        ("\ufeff# Profile", "Profile"),
        ("  ### 编辑器  \r\nx", "编辑器"),
        ("#\nx", ""),
        ("# " + "x" * 300, "x" * 128),
    ],
)
def test_labels(text: str, label: str) -> None:
    assert section_label(text) == label


def test_single_block() -> None:
    assert [(block.id, block.kind, block.stop) for block in single_block(9, BlockKind.CODE)] == [
        ("b0", BlockKind.CONVERSATION, 9),
        ("b1", BlockKind.CODE, 9),
    ]
    assert len(single_block(0, BlockKind.CODE)) == 1


@pytest.mark.parametrize(
    "unit", ["> ", "[", "*a_ ", "- ", "```\n", "# a\n", "|a|\n|-|\n", "<a", "\x00", "`", "![", "\\", "&#"]
)
def test_hostile_repetition_is_mapped(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    assert map_structure(text)[-1].stop == len(text)


def test_many_marks_are_mapped_in_one_go() -> None:
    text = wrap("profile", "x", "1") + "\n"
    assert sum(not block.evidence for block in map_structure(text * 3000)) == 3000


ORACLE = {
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quote",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "heading_open": "section",
    "html_block": "paragraph",
}


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\nwords\n\n- a\n- b\n\n1. c\n\n> d\n\n```py\ne\n```\n\n| f | g |\n|---|---|\n| 1 | 2 |\n\n## H\n\nlast\n",
        "para\nstill\n\n    code\n\n<div>\nx\n</div>\n\n> q\nlazy\n\n- a\n\n  b\n\nafter\n",
        "~~~\n```\n~~~\n# 标题\n内容\n\n* 一\n* 二\n",
    ],
)
def test_agrees_with_another_reader(text: str) -> None:
    tokens = [
        token
        for token in MarkdownIt("commonmark").enable("table").parse(text)
        if token.level == 0 and token.nesting >= 0
    ]
    expected = [(ORACLE[token.type], token.map[0]) for token in tokens if token.type in ORACLE and token.map]
    data = text.encode()
    ours = [
        (block.kind.value, data[: block.start].count(b"\n"))
        for block in map_structure(text)[1:]
        if not (block.kind is BlockKind.PARAGRAPH and data[block.start : block.start + 1] == b"#")
    ]
    assert ours == expected
