"""Changes to whole sections of one document: several at once or none, and every untouched byte stays as it was."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.book.grammar import BOM, Document, Section, check_section, first_line, parse
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


def apply(data: bytes | None, target: Target, changes: Sequence[Change], *, name: str | None, hard: int) -> bytes:
    """The document after all changes. ``data=None``: there is none yet; ``name``: of the project, for a first line.

    Raises ``DecisionError``: DOCUMENT_OUTSIDE_GRAMMAR, INVALID_MARKDOWN, INVALID_TARGET_REFERENCE (no such section),
    DUPLICATE_SECTION_OPERATION (one section or title twice), DOCUMENT_FULL (over ``hard`` bytes and larger than before).
    """
    before = data if data is not None and data.strip() else f"{first_line(target, name)}\n".encode()
    document = parse(before, target)
    line_end = _line_end(before)
    replaced = _by_section(document, changes)
    _check_titles(document, changes, replaced)
    parts = [before[: document.sections[0].start] if document.sections else before]
    for section in document.sections:
        change = replaced.get(folded(section.title))
        match change:
            case None:
                parts.append(document.raw(section))
            case Put():
                parts.append(_rendered(change, line_end, last=section is document.sections[-1]))
            case Remove():
                pass
    for change in changes:
        if isinstance(change, Put) and change.replaces is None:
            parts = [_apart(b"".join(parts), line_end), _rendered(change, line_end, last=True)]
    after = b"".join(parts)
    if len(after) > hard and len(after) >= len(before):
        raise DecisionError(Code.DOCUMENT_FULL, target=target, bytes=len(after), limit=hard)
    parse(after, target)
    return after


def _by_section(document: Document, changes: Sequence[Change]) -> dict[str, Change]:
    """Folded title of an existing section → the one change it gets."""
    found: dict[str, Change] = {}
    for change in changes:
        title = change.replaces if isinstance(change, Put) else change.title
        if title is None:
            continue
        if document.section(title) is None:
            raise DecisionError(Code.INVALID_TARGET_REFERENCE, section="?")
        if folded(title) in found:
            raise DecisionError(Code.DUPLICATE_SECTION_OPERATION)
        found[folded(title)] = change
    return found


def _check_titles(document: Document, changes: Sequence[Change], replaced: dict[str, Change]) -> None:
    taken = {folded(section.title) for section in document.sections} - set(replaced)
    for change in changes:
        if isinstance(change, Put):
            check_section(change.title, change.body)
            if folded(change.title) in taken:
                raise DecisionError(Code.DUPLICATE_SECTION_OPERATION)
            taken.add(folded(change.title))


def _rendered(change: Put, line_end: str, *, last: bool) -> bytes:
    """A section as we write it: title, blank line, body; a blank line before whatever follows."""
    body = "\n".join(change.body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n"))
    text = f"## {change.title.strip()}\n" + (f"\n{body}\n" if body.strip() else "") + ("" if last else "\n")
    return text.replace("\n", line_end).encode()


def _apart(before: bytes, line_end: str) -> bytes:
    """The text so far, ended by a blank line; what stands there already is not touched."""
    end = line_end.encode()
    if before in (b"", BOM) or before.endswith((b"\n\n", b"\r\n\r\n")):
        return before
    return before + (end if before.endswith(b"\n") else end + end)


def _line_end(data: bytes) -> str:
    """The line ending that most lines of the document have."""
    return "\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else "\n"


def lines_changed(before: Section | None, old: Document | None, new: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(lines added, lines removed) between a section's former body and ``new``, for people; blank lines do not count."""
    former = [line.strip() for line in (old.body(before).splitlines() if before and old else []) if line.strip()]
    later = [line.strip() for line in new.splitlines() if line.strip()]
    return tuple(line for line in later if line not in former), tuple(line for line in former if line not in later)
