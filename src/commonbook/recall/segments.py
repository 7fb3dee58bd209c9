"""A document as segments: sections, or parts of long ones, so that a hit reads as a whole dated thought (05 §2)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from commonbook.book.facts import SectionFact
from commonbook.book.grammar import BOM, Document, Section, first_line, outline, title_digest
from commonbook.clock import Milliseconds
from commonbook.vocabulary import Digest, Target

Track = Literal["memory", "skill", "resource"]
TRACKS: tuple[Track, ...] = get_args(Track)
PART_BYTES = 1536
"""A longer section is cut into parts of at most this many UTF-8 bytes, at paragraphs and list items where it can be."""

_TITLE = re.compile(r"^#[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_SUBHEADING = re.compile(r"(#{3,6})[ \t]+(.+?)[ \t#]*$")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BREAK = re.compile(r"(?<=[\s。！？；，、])")

Facts = Mapping[tuple[Target, Digest], SectionFact]


@dataclass(frozen=True)
class Segment:
    """``section`` numbers the sections of a document (0 = what stands before the first); ``title`` is the document's own
    heading: searched, not shown. ``date``: when the section was last said, else when its file changed."""

    section: int
    title: str
    heading: tuple[str, ...]
    text: str
    date: Milliseconds | None
    sources: tuple[str, ...]


def cut(target: Target, track: Track, data: bytes, facts: Facts, changed_at: Milliseconds) -> tuple[Segment, ...]:
    """The segments of any Markdown in order; nothing in it is left out but a canonical document's first line."""
    document = outline(data)
    before = _before_sections(document)
    title = found[1] if (found := _TITLE.search(before)) else ""
    pieces = [*_preamble(target, track, before, title, bool(document.sections), changed_at)]
    for number, section in enumerate(document.sections, 1):
        fact = facts.get((target, title_digest(section.title)))
        date, sources = (fact.date, fact.sources) if fact else (changed_at, ())
        for heading, text in _parts((section.title,), _shown_body(document, section)):
            pieces.append(Segment(number, title, heading, text, date, sources))
    return tuple(pieces)


def _before_sections(document: Document) -> str:
    stop = document.sections[0].start if document.sections else len(document.data)
    return document.data[:stop].removeprefix(BOM).decode("utf-8", "replace")


def _shown_body(document: Document, section: Section) -> str:
    """A section without a body says what its title says."""
    return document.body(section).strip("\r\n") if document.body(section).strip() else section.title


def _preamble(
    target: Target, track: Track, before: str, title: str, followed: bool, changed_at: Milliseconds
) -> Iterator[Segment]:
    """What stands before the first section: front matter, a whole note without sections, a person's free text."""
    lines = before.splitlines(keepends=True)
    rest = "".join(lines[1:])
    if lines and track == "memory" and _is_first_line(lines[0], target):
        text = rest
    elif followed and not rest.strip() and before.startswith("# "):
        text = ""  # a title alone: every section is found by it
    else:
        text = before
    if text.strip():
        heading = (title,) if title and track != "memory" else ()
        for path, part in _parts(heading, text.strip("\r\n")):
            yield Segment(0, title, path, part, changed_at, ())


def _is_first_line(line: str, target: Target) -> bool:
    canonical = first_line(target, None)
    return line.strip() == canonical or (canonical == "# Project" and line.startswith(canonical))


def _parts(heading: tuple[str, ...], body: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """A short body whole; a long one in parts, each under its heading path, subheadings included."""
    if len(body.encode("utf-8", "replace")) <= PART_BYTES:
        yield heading, body
        return
    path = heading
    for part in _packed(_blocks(body)):
        yield _path_after(heading, path, part.splitlines()[0]), part
        path = _path_after(heading, path, part)


def _path_after(heading: tuple[str, ...], path: tuple[str, ...], text: str) -> tuple[str, ...]:
    """The heading path that holds after ``text``: a subheading replaces those of its level and below."""
    below = list(path[len(heading) :])
    for line in text.splitlines():
        if found := _SUBHEADING.match(line):
            below = [*below[: len(found[1]) - 3], found[2]]
    return (*heading, *below)


def _blocks(body: str) -> Iterator[str]:
    """Paragraphs, list items and subheadings; a code fence stays in one piece."""
    block: list[str] = []
    fence = ""
    for line in body.splitlines(keepends=True):
        marker = _FENCE.match(line)
        starts = not fence and (_ITEM.match(line) or _SUBHEADING.match(line))
        if starts and block:
            yield "".join(block)
            block = []
        block.append(line)
        if marker and not fence:
            fence = marker[1]
        elif marker and marker[1].startswith(fence):
            fence = ""
        if not fence and not line.strip():
            yield "".join(block)
            block = []
    if block:
        yield "".join(block)


def _packed(blocks: Iterable[str]) -> Iterator[str]:
    """Consecutive blocks put together up to the limit; a block that is too long by itself is cut at lines, then at words."""
    part, size = "", 0
    for piece in (piece for block in blocks for piece in _fitting(block)):
        length = len(piece.encode("utf-8", "replace"))
        if part and size + length > PART_BYTES:
            if part.strip():
                yield part.strip("\r\n")
            part, size = "", 0
        part, size = part + piece, size + length
    if part.strip():
        yield part.strip("\r\n")


def _fitting(block: str) -> Iterator[str]:
    if len(block.encode("utf-8", "replace")) <= PART_BYTES:
        yield block
        return
    lines = block.splitlines(keepends=True)
    if len(lines) > 1:
        yield from (piece for line in lines for piece in _fitting(line))
        return
    step = PART_BYTES // 4  # characters: at most four bytes each
    for piece in _BREAK.split(block):
        yield from (piece[at : at + step] for at in range(0, len(piece), step))
