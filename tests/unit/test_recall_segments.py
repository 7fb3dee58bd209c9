"""A document as segments: whole dated thoughts, nothing left out."""

import pytest

from commonbook.book.facts import SectionFact
from commonbook.book.grammar import title_digest
from commonbook.recall.segments import PART_BYTES, Segment, cut
from commonbook.vocabulary import PREFERENCES, PROFILE, Target

PROJECT = Target("projects/apple-00aa")


def shown(segments: tuple[Segment, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [(segment.heading, segment.text) for segment in segments]


def test_a_section_is_a_segment_with_date_and_sources() -> None:
    fact = SectionFact(PREFERENCES, title_digest("Tools"), 42, ("o1", "o2"))
    data = b"# Preferences\n\n## Tools\n\n- pnpm\n\n## Tone\n\nshort\n"
    first, second = cut(PREFERENCES, "memory", data, {(fact.target, fact.title_digest): fact}, 7)
    assert (first.heading, first.text, first.date, first.sources) == (("Tools",), "- pnpm", 42, ("o1", "o2"))
    assert (second.heading, second.text, second.date, second.sources) == (("Tone",), "short", 7, ())


@pytest.mark.parametrize("data", [b"", b"# Profile\n", b"\xef\xbb\xbf# Profile\r\n", b"# Profile\n\n  \n"])
def test_an_empty_document_has_none(data: bytes) -> None:
    assert cut(PROFILE, "memory", data, {}, 0) == ()


def test_a_title_without_a_body_says_what_it_says() -> None:
    segments = cut(PROFILE, "memory", b"# Profile\n\n## Lives in Porto\n", {}, 0)
    assert shown(segments) == [(("Lives in Porto",), "Lives in Porto")]


def test_a_person_may_write_anything() -> None:
    data = b"free words\n#hashtag line\n\n## A\nx\n\nTitle\n===\n## a\ny\n"
    text = " ".join(segment.text for segment in cut(PROFILE, "memory", data, {}, 0))
    assert all(word in text for word in ("free words", "#hashtag line", "x", "===", "y"))


def test_a_note_keeps_front_matter_and_lines_that_begin_with_a_hash() -> None:
    data = b"---\nname: deploy\ndescription: how to ship\n---\n# Deploy\n\n#not-a-heading\nrun it\n"
    (segment,) = cut(Target("skills/global/deploy"), "skill", data, {}, 0)
    assert segment.heading == ("Deploy",)
    assert all(word in segment.text for word in ("how to ship", "#not-a-heading", "run it"))


def test_a_note_of_one_heading_is_not_lost() -> None:
    (segment,) = cut(Target("notes/global/x"), "memory", b"# Use uv everywhere\n", {}, 0)
    assert "Use uv everywhere" in segment.text


def test_a_long_section_is_cut_at_items_with_its_heading_repeated() -> None:
    items = [f"- item {number} " + "word " * 20 for number in range(60)]
    data = ("# Profile\n\n## Long\n\n" + "\n".join(items) + "\n").encode()
    segments = cut(PROFILE, "memory", data, {}, 0)
    assert len(segments) > 3 and {segment.section for segment in segments} == {1}
    assert all(segment.heading == ("Long",) and len(segment.text.encode()) <= PART_BYTES for segment in segments)
    assert "\n".join(segment.text for segment in segments).split() == "\n".join(items).split()
    assert all(segment.text.startswith("- item") for segment in segments)


def test_parts_stand_under_their_subheadings() -> None:
    filler = "word " * 250
    data = f"# Project\n\n## Build\n\n### Linux\n\n{filler}\n\n{filler}\n\n### Windows\n\n{filler}\n".encode()
    headings = [segment.heading for segment in cut(PROJECT, "memory", data, {}, 0)]
    assert headings == [("Build", "Linux"), ("Build", "Linux"), ("Build", "Windows")]


@pytest.mark.parametrize("sign", ["a", "字", "🚀", "word "])
def test_one_line_of_200_kb_is_cut_and_nothing_is_lost(sign: str) -> None:
    line = sign * (200_000 // len(sign.encode()))
    segments = cut(PROFILE, "memory", f"# Profile\n\n## Dump\n\n{line}\n".encode(), {}, 0)
    assert all(len(segment.text.encode()) <= PART_BYTES for segment in segments)
    assert "".join("".join(segment.text.split()) for segment in segments) == "".join(line.split())
