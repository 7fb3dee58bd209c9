"""Changes to whole sections of one document: several at once or none, and every untouched byte stays as it was."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.book.grammar import BOM, Document, check_section, first_line, normal_body, parse
from commonbook.errors import Code, DecisionError
from commonbook.vocabulary import Target, folded


@dataclass(frozen=True)
class Put:
    """Write a section. ``replaces``: title of the section whose place it takes (another title renames it); ``None`` adds."""

    title: str
    body: str
    replaces: str | None = None


@dataclass(frozen=True)
class Remove:
    title: str


Change = Put | Remove
_BLANK_LINE_LAST = re.compile(rb"\n[ \t]*\r?\n\Z")


def apply(data: bytes | None, target: Target, changes: Sequence[Change], *, name: str | None, hard: int) -> bytes:
    """The document after all changes. ``data=None``: there is none yet; ``name``: of the project, for a first line.

    Raises ``DecisionError``: DOCUMENT_OUTSIDE_GRAMMAR, INVALID_MARKDOWN, INVALID_TARGET_REFERENCE (no such section),
    DUPLICATE_SECTION_OPERATION (one section or title twice), DOCUMENT_FULL (over ``hard`` bytes and larger than before).
    """
    before = data if data and data.removeprefix(BOM).strip() else f"{first_line(target, name)}\n".encode()
    document = parse(before, target)
    line_end = _line_end(before)
    replaced = _by_section(document, changes)
    _check_titles(document, changes, replaced)
    after, ours = before[: document.sections[0].start] if document.sections else before, False
    for section in document.sections:
        change = replaced.get(folded(section.title))
        if not isinstance(change, Remove):
            after = _apart(after, line_end) if ours else after
            after += document.raw(section) if change is None else _rendered(change, line_end)
            ours = change is not None
    for change in changes:
        if isinstance(change, Put) and change.replaces is None:
            after = _apart(after, line_end) + _rendered(change, line_end)
    if len(after) > max(hard, len(before)):
        raise DecisionError(Code.DOCUMENT_FULL, target=target, bytes=len(after), limit=hard)
    if not parse(after, target).sections:
        return after.splitlines(keepends=True)[0]  # the blank lines stood before a section that is gone
    return after


def _by_section(document: Document, changes: Sequence[Change]) -> dict[str, Change]:
    """Folded title of an existing section → the one change it gets."""
    found: dict[str, Change] = {}
    for change in changes:
        title = change.replaces if isinstance(change, Put) else change.title
        if title is None:
            continue
        if document.section(title) is None:
            raise DecisionError(Code.INVALID_TARGET_REFERENCE)
        if folded(title) in found:
            raise DecisionError(Code.DUPLICATE_SECTION_OPERATION)
        found[folded(title)] = change
    return found


def _check_titles(document: Document, changes: Sequence[Change], replaced: dict[str, Change]) -> None:
    taken = {folded(section.title) for section in document.sections} - set(replaced)
    for change in changes:
        if isinstance(change, Put):
            former = document.section(change.replaces) if change.replaces is not None else None
            check_section(change.title, change.body, document.text(former) if former else "")
            if folded(change.title) in taken:
                raise DecisionError(Code.DUPLICATE_SECTION_OPERATION)
            taken.add(folded(change.title))


def _rendered(change: Put, line_end: str) -> bytes:
    """A section as we write it: title, blank line, body."""
    body = normal_body(change.body)
    text = f"## {change.title.strip()}\n" + (f"\n{body}\n" if body else "")
    return text.replace("\n", line_end).encode()


def _apart(before: bytes, line_end: str) -> bytes:
    """The text so far, ended by a blank line; what stands there already is not touched."""
    if _BLANK_LINE_LAST.search(before):
        return before
    end = line_end.encode()
    return before + (end if before.endswith(b"\n") else end + end)


def _line_end(data: bytes) -> str:
    """The line ending that most lines of the document have."""
    return "\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else "\n"
