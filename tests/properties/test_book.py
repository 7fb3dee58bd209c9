"""Sections under random documents and random changes; where sections are is checked against another Markdown parser."""

import re
from collections.abc import Sequence

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from commonbook.book.grammar import BOM, check_section, normal_body, outline, parse
from commonbook.book.marker import marked_spans, wrap
from commonbook.book.patch import Change, Put, Remove, apply
from commonbook.errors import DecisionError
from commonbook.vocabulary import PREFERENCES, folded, unseen

PLENTY = 1_000_000
TITLES = ("A", "工具", "b 🙂", "C#", "Test & run", "`code`", "Ünïcode", "d.1")
LINES = (
    *(
        "- use pnpm",
        "偏好 tabs，不用空格",
        "🙂👩‍👩‍👧 emoji",
        "two spaces  ",
        "\ttab",
        "    # code",
        "",
        "",
        " ",
        "\\# escaped",
    ),
    *(
        "> ## quoted",
        "- ## listed",
        "1. # numbered",
        "### H3",
        "  #### H4",
        "#no heading",
        "`## code`",
        "a | b",
        "&amp; <b>",
    ),
    *(
        "```py\n# code\n## code\n```",
        "~~~~\n```\n## x\n~~~~",
        "<!-- \n## hidden\n\n-->",
        "```\n\n```",
        "- ```\n  ## x\n  ```",
    ),
)
NASTY = st.text(st.sampled_from("##  \t\n\n\r-=>*+~``1.<!a中🙂\\&[]:|_\x00\ufeff\u2028\x0c"), max_size=60)
ANY_TEXT = st.one_of(st.text(max_size=60), NASTY, st.lists(st.sampled_from(LINES), max_size=6).map("\n".join))


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """Documents within the grammar as people and we leave them: any line ends, BOM or not, with or without blank lines."""
    text = "# Preferences" + draw(st.sampled_from(("", " ", " ##"))) + draw(st.sampled_from(("\n", "\n\n", "\n \n\n")))
    for title in draw(st.lists(st.sampled_from(TITLES), unique=True, max_size=5)):
        body = "\n".join(draw(st.lists(st.sampled_from(LINES), max_size=6)))
        # A setext underline, or a quote that swallows the next heading, cannot come out of these lines.
        text += f"## {title}{draw(st.sampled_from(('', ' ##', '  ')))}\n{body}\n" + draw(
            st.sampled_from(("", "\n", "\n\n\n"))
        )
    text = text[:-1] if draw(st.booleans()) else text
    ends = draw(st.sampled_from(("\n", "\r\n", "mixed")))
    if ends == "mixed":
        text = "".join(line + draw(st.sampled_from(("\n", "\r\n"))) for line in text.split("\n"))
    else:
        text = text.replace("\n", ends)
    return (BOM if draw(st.booleans()) else b"") + text.encode()


@st.composite
def changes(draw: st.DrawFn, titles: Sequence[str]) -> list[Change]:
    """Changes to some of the sections, each at most once, and some new ones."""
    made: list[Change] = []
    free = [title for title in (*TITLES, "New", "另一个") if title not in titles]
    for title in draw(st.lists(st.sampled_from(titles), unique=True)) if titles else []:
        kind = draw(st.sampled_from(("remove", "put", "rename")))
        body = draw(ANY_TEXT)
        if kind == "remove":
            made.append(Remove(title))
        elif kind == "rename" and free:
            made.append(Put(free.pop(), body, replaces=title))
        else:
            made.append(Put(title, body, replaces=title))
    made.extend(Put(free.pop(), draw(ANY_TEXT)) for _ in range(draw(st.integers(0, 2))) if free)
    return draw(st.permutations(made))


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_a_patch_touches_nothing_but_the_sections_it_names(data: st.DataObject) -> None:
    before = data.draw(documents())
    old = parse(before, PREFERENCES)
    asked = data.draw(changes([section.title for section in old.sections]))
    for change in asked:
        if isinstance(change, Put):
            try:
                check_section(change.title, change.body)
            except DecisionError:
                assume(False)
    after = apply(before, PREFERENCES, asked, name=None, hard=PLENTY)
    new = parse(after, PREFERENCES)

    named = {folded(one.replaces or one.title if isinstance(one, Put) else one.title) for one in asked}
    kept = [section for section in old.sections if folded(section.title) not in named]
    gone = {folded(one.title) for one in asked if isinstance(one, Remove)}
    last = next((section for section in reversed(old.sections) if folded(section.title) not in gone), None)
    added = any(isinstance(one, Put) and one.replaces is None for one in asked)
    for section in kept:
        found = new.section(section.title)
        assert found is not None
        raw = new.raw(found)
        if section is last and added:  # what follows now needs a line end and a blank line before it
            assert raw.startswith(old.raw(section))
            assert raw[len(old.raw(section)) :] in (b"", b"\n", b"\n\n", b"\r\n", b"\r\n\r\n")
        else:
            assert raw == old.raw(section)
    for change in asked:
        found = new.section(change.title)
        if isinstance(change, Put):
            assert found is not None
            assert normal_body(new.body(found)) == normal_body(change.body)
        else:
            assert found is None or any(isinstance(one, Put) and one.title == change.title for one in asked)
    assert _order(new.sections, old.sections, asked)
    head = before[: old.sections[0].start] if old.sections else before
    assert after.startswith(head if new.sections else head.splitlines(keepends=True)[0].rstrip())
    if not asked:
        assert after == before or not new.sections


def _order(new: Sequence[object], old: Sequence[object], asked: Sequence[Change]) -> bool:
    """Replaced and kept sections stand where they stood, new ones at the end in the order they were asked for."""
    put = {folded(one.replaces): one.title for one in asked if isinstance(one, Put) and one.replaces}
    gone = {folded(one.title) for one in asked if isinstance(one, Remove)}
    wanted = [put.get(folded(_title(one)), _title(one)) for one in old if folded(_title(one)) not in gone]
    wanted += [one.title for one in asked if isinstance(one, Put) and one.replaces is None]
    return [folded(_title(one)) for one in new] == [folded(title) for title in wanted]


def _title(section: object) -> str:
    return str(getattr(section, "title", ""))


@settings(max_examples=300, deadline=None)
@given(documents(), ANY_TEXT, ANY_TEXT)
@example(b"# Preferences\n\n## A\n\nx\n", "T", "<!--")
@example(b"# Preferences\n\n## A\n\nx\n", "T", "```\n    ```")
def test_what_may_stand_as_a_section_reads_back_and_swallows_nothing(before: bytes, title: str, body: str) -> None:
    """The second half of the rule that our writes stay within the grammar: whatever passes the check is safe anywhere."""
    old = parse(before, PREFERENCES)
    try:
        check_section(title, body)
    except DecisionError:
        assert not _fits_by_the_oracle(title, body) or _refused_for_its_words(title, body)
        return
    assume(old.section(title) is None)
    first = old.sections[0].title if old.sections else None
    after = parse(apply(before, PREFERENCES, [Put(title, body, first)], name=None, hard=PLENTY), PREFERENCES)
    found = after.section(title)
    assert found is not None
    assert found.title == title.strip()
    assert normal_body(after.body(found)) == normal_body(body)
    assert len(after.sections) == max(len(old.sections), 1)
    assert _fits_by_the_oracle(title, body)


def _fits_by_the_oracle(title: str, body: str) -> bool:
    text = f"# T\n\n## {title}\n\n{body}\n\n## after\n"
    headings = [
        token for token in MarkdownIt("commonmark").parse(text) if token.type == "heading_open" and not token.level
    ]
    return [token.tag for token in headings if token.tag in ("h1", "h2")] == ["h1", "h2", "h2"]


def _refused_for_its_words(title: str, body: str) -> bool:
    """Control characters, unseen signs, loners, several lines or a closing ``#`` in the title: refused in any structure."""
    control = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
    odd_title = (
        not folded(title) or len(title.splitlines()) != 1 or title.rstrip().endswith("#") or title != title.strip()
    )
    return bool(odd_title or control.search(title + body) or unseen(title + "\n" + body))


@settings(max_examples=600, deadline=None)
@given(
    st.one_of(
        NASTY, documents().map(lambda data: data.decode("utf-8-sig")), st.lists(st.sampled_from(LINES)).map("\n".join)
    )
)
def test_sections_are_where_another_parser_sees_them(text: str) -> None:
    text = text.removeprefix("\ufeff")
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    starts = [len("".join(lines[:number]).encode()) for number in range(len(lines) + 1)]
    expected = [
        starts[token.map[0]]
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "heading_open" and token.tag == "h2" and not token.level and token.map and token.markup == "##"
        if lines[token.map[0]].startswith("##")
    ]
    for bom in (b"", BOM):
        found = [section.start - len(bom) for section in outline(bom + text.encode()).sections]
        assert found == expected


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(documents()))
    for _ in range(draw(st.integers(0, 4))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.sampled_from(b"\x00\xff\xc3\x80\n\r#`-"))
    return bytes(data)


@settings(max_examples=200, deadline=None)
@given(st.one_of(damaged(), st.binary(max_size=80)))
def test_any_bytes_have_an_outline(data: bytes) -> None:
    document = outline(data)
    stops = [section.stop for section in document.sections]
    assert stops[-1:] in ([], [len(data)])
    assert [section.start for section in document.sections][1:] == stops[:-1]
    for section in document.sections:
        assert document.raw(section).startswith(b"##")
        assert section.start < section.body_start <= section.stop
        assert document.text(section).endswith(document.body(section))


MARKS = st.text(st.sampled_from('<>/"= \nnv1xN&'), max_size=12).map(lambda tail: "<commonbook" + tail)
FORGED = st.sampled_from(
    ('</commonbook n="N1">', "</commonbook>", '<commonbook v="1" target="p" n="N1">', "</COMMONBOOK n=", "<")
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.text(max_size=20), MARKS, FORGED)).map("".join),
    st.sampled_from(("profile", "projects/a-0001")),
)
def test_everything_that_we_wrap_is_found_again_whatever_it_holds(content: str, target: str) -> None:
    one = wrap(target, content, "N1")
    text = f"before {one} between {wrap(target, one, 'N2')} after"
    spans = marked_spans(text)
    assert [text[start:stop] for start, stop in spans] == [one, wrap(target, one, "N2")]
