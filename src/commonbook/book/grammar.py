"""What a canonical document looks like: one first line, then unique ``## Title`` sections in ATX at column 0 (02 §7).

Two readings of the same bytes: ``parse`` is strict and says which line is wrong (our writes must pass it), ``outline`` takes
any Markdown a person wrote and never fails (reading and searching must always work).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pyromark

from commonbook.errors import Code, DecisionError
from commonbook.vocabulary import PREFERENCES, PROFILE, Digest, Target, folded, sha256, unseen

BOM = b"\xef\xbb\xbf"
_ATX = re.compile(rb"(#{1,6})(?:[ \t]+(.*?))?[ \t]*(?:\r?\n|\r|\Z)")
_CLOSING = re.compile(r"[ \t]+#+$|^#+$")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Section:
    """Byte offsets into the document: ``start`` at the ``##``, ``body_start`` after its line, ``stop`` before the next one."""

    title: str
    start: int
    body_start: int
    stop: int


@dataclass(frozen=True)
class Document:
    data: bytes
    sections: tuple[Section, ...]

    def section(self, title: str) -> Section | None:
        """By title; two titles that fold to the same are the same."""
        wanted = folded(title)
        return next((section for section in self.sections if folded(section.title) == wanted), None)

    def raw(self, section: Section) -> bytes:
        return self.data[section.start : section.stop]

    def text(self, section: Section) -> str:
        return self.raw(section).decode("utf-8", "replace")

    def body(self, section: Section) -> str:
        return self.data[section.body_start : section.stop].decode("utf-8", "replace")


@dataclass(frozen=True)
class _Heading:
    level: int
    title: str
    start: int
    stop: int
    atx: bool


def first_line(target: Target, name: str | None) -> str:
    """``# Profile``, ``# Preferences`` or ``# Project: <name>``."""
    if target in (PROFILE, PREFERENCES):
        return f"# {target.capitalize()}"
    # A folder's name may hold anything, lone surrogates and escapes too; the document must stay UTF-8 and one line.
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in name or "").split())
    return f"# Project: {plain}" if plain else "# Project"


def title_digest(title: str) -> Digest:
    """The key of a section in the ledger and in history: two titles that fold to the same have the same."""
    return sha256(folded(title))


def parse(data: bytes, target: Target) -> Document:
    """Strict reading. Raises ``DecisionError(DOCUMENT_OUTSIDE_GRAMMAR, target, line)`` with the first offending line."""
    wrong = _first_wrong_line(data, target)
    if wrong is not None:
        raise DecisionError(Code.DOCUMENT_OUTSIDE_GRAMMAR, target=target, line=wrong)
    return outline(data)


def outline(data: bytes) -> Document:
    """The sections of any Markdown; text before the first one belongs to no section. Bytes are kept as they are."""
    headings = [heading for heading in _headings(data) if heading.level == 2 and heading.atx]
    ends = [*(heading.start for heading in headings), len(data)][1:]
    return Document(
        data, tuple(Section(item.title, item.start, item.stop, end) for item, end in zip(headings, ends, strict=True))
    )


def normal_body(body: str) -> str:
    """A body as we write it: ``\\n`` as line end, no blank lines around it."""
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    written = [number for number, line in enumerate(lines) if line.strip(" \t")]
    return "\n".join(lines[written[0] : written[-1] + 1]) if written else ""


def check_section(title: str, body: str, former: str = "") -> None:
    """Whether title and body may stand as one section of ours; raises ``DecisionError(INVALID_MARKDOWN, rule)``. ``former``:
    the section whose place it takes; a sign that nobody sees may stay where the person's own hand has put it."""
    body = normal_body(body)
    if (
        not folded(title)
        or len(title.splitlines()) != 1
        or _CONTROL.search(title)
        or _heading_text(title) != title.strip()
    ):
        raise DecisionError(Code.INVALID_MARKDOWN, rule="title")
    if _CONTROL.search(body) or _has_loners(title + body):
        raise DecisionError(Code.INVALID_MARKDOWN, rule="control_character")
    if unseen(title + "\n" + body) - unseen(former):
        raise DecisionError(Code.INVALID_MARKDOWN, rule="invisible_character")
    written = f"# T\n\n## {title.strip()}\n\n{body}\n".encode()
    wrong = _first_wrong_line(written, None)
    if wrong is not None:
        raise DecisionError(Code.INVALID_MARKDOWN, rule="structure", line=max(wrong - 4, 1))
    if len(outline(written).sections) != 1:
        raise DecisionError(Code.INVALID_MARKDOWN, rule="structure")


def _first_wrong_line(data: bytes, target: Target | None) -> int | None:
    """Line number (from 1) of the first break of the grammar; ``target=None`` leaves the first line's words alone."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _line(data, error.start)
    headings = list(_headings(data))
    breaks = [*_heading_breaks(data, headings, target), *_open_end(data)]
    return _line(data, min(breaks)) if breaks else None


def _heading_breaks(data: bytes, headings: list[_Heading], target: Target | None) -> Iterator[int]:
    start = len(BOM) if data.startswith(BOM) else 0
    if not headings or headings[0].level != 1 or headings[0].start != start:
        yield start
        return
    if target is not None and not _first_line_fits(headings[0].title, target):
        yield start
    seen: set[str] = set()
    for heading in headings[1:]:
        title = folded(heading.title)  # empty for one that is underlined or indented, too
        if heading.level == 1 or (heading.level == 2 and (not title or title in seen)):
            yield heading.start
        if heading.level == 2:
            seen.add(title)
    first_section = next((heading.start for heading in headings[1:] if heading.level == 2 and heading.atx), len(data))
    between = data[headings[0].stop : first_section]
    if between.strip():
        yield headings[0].stop + len(between) - len(between.lstrip())


def _first_line_fits(title: str, target: Target) -> bool:
    if target in (PROFILE, PREFERENCES):
        return title == target.capitalize()
    return title.startswith("Project")


def _open_end(data: bytes) -> Iterator[int]:
    """Start of a fence, comment or other HTML that nothing closes: it would swallow every section written after it. No
    parser tells, so a heading is put behind the text: when it is not seen as one, the last block is still open."""
    behind = b"\n\n## x\n"
    *_, (kind, _level, start, _stop) = _top_blocks(data + behind)
    if kind != "heading":
        yield start


def _headings(data: bytes) -> Iterator[_Heading]:
    """Headings that are no part of a list, quote or code, in order. ``atx`` says that it stands at column 0 as ``#…``."""
    for kind, level, start, stop in _top_blocks(data):
        if kind == "heading":
            found = _ATX.match(data, start)
            at_column_0 = start == 0 or data[start - 1 : start] in (b"\n", b"\r") or data[:start] == BOM
            atx = bool(found and at_column_0 and len(found[1]) == level)
            title = _heading_text((found[2] or b"").decode("utf-8", "replace")) if found and atx else ""
            yield _Heading(level, title, start, found.end() if found and atx else stop, atx)


def _top_blocks(data: bytes) -> Iterator[tuple[str, int, int, int]]:
    """(``heading`` or ``block``, heading level or 0, start, stop) of every block at depth 0, in bytes of ``data``."""
    skip = len(BOM) if data.startswith(BOM) else 0
    # One byte for one byte, so that ranges stay true: NUL and invalid UTF-8 would otherwise change lengths.
    text = _same_length(data[skip:])
    depth = 0
    for event, where in pyromark.Markdown().events_with_range(text):
        start, stop = where["start"] + skip, where["end"] + skip
        match event:
            case {"Start": block}:
                if depth == 0:
                    match block:
                        case {"Heading": heading}:
                            yield "heading", int(str(heading["level"])[1:]), start, stop
                        case _:
                            yield "block", 0, start, stop
                depth += 1
            case {"End": _}:
                depth -= 1
            case _:
                pass


def _same_length(data: bytes) -> str:
    try:
        return data.replace(b"\x00", b"\x01").decode("utf-8")
    except UnicodeDecodeError:
        return data.replace(b"\x00", b"\x01").decode("ascii", "replace").replace("\ufffd", "?")


def _heading_text(text: str) -> str:
    return _CLOSING.sub("", text.strip()).strip()


def _has_loners(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text)


def _line(data: bytes, offset: int) -> int:
    return data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
