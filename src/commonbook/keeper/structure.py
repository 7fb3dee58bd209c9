"""The structural map of a text: sections, paragraphs, lists, code, quotes, tables. Structure only, never meaning (02 §3).

Ranges are UTF-8 byte offsets into the one stored text. The leaves, in order, cover every byte exactly once: a blank line
belongs to the block before it, a heading's own line to the first leaf of its section.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pyromark

from commonbook.book.marker import marked_spans
from commonbook.vocabulary import BlockKind

LABEL = 128
"""Characters of a section's heading that a descriptor may show."""
_KINDS = {
    "Paragraph": BlockKind.PARAGRAPH,
    "BlockQuote": BlockKind.QUOTE,
    "CodeBlock": BlockKind.CODE,
    "List": BlockKind.LIST,
    "Table": BlockKind.TABLE,
    "HtmlBlock": BlockKind.PARAGRAPH,
}


@dataclass(frozen=True)
class MappedBlock:
    """``start``/``stop`` in UTF-8 bytes. ``evidence`` is False for our own marked text that a host gave back to us."""

    id: str
    parent: str | None
    kind: BlockKind
    ordinal: int
    start: int
    stop: int
    evidence: bool = True


@dataclass(frozen=True)
class _Piece:
    """A leaf before it has an id; ``level`` 0 = no heading, 1–6 = it begins a section of that level."""

    kind: BlockKind
    start: int
    level: int = 0
    evidence: bool = True


def single_block(byte_count: int, kind: BlockKind) -> tuple[MappedBlock, ...]:
    """Root and one leaf: what is known about text that is no Markdown, such as the output of a tool."""
    root = MappedBlock("b0", None, BlockKind.CONVERSATION, 0, 0, byte_count)
    return (root, MappedBlock("b1", "b0", kind, 1, 0, byte_count)) if byte_count else (root,)


def map_structure(text: str) -> tuple[MappedBlock, ...]:
    """Root ``b0`` and its blocks in document order. Never fails; an empty text has the root only."""
    data = text.encode("utf-8", "surrogatepass")
    if not data:
        return single_block(0, BlockKind.PARAGRAPH)
    marked = _in_bytes(text, marked_spans(text))
    pieces = _cut_out(list(_pieces(data)) or [_Piece(BlockKind.PARAGRAPH, 0)], marked, len(data))
    return tuple(_numbered(pieces, len(data)))


def section_label(text: str) -> str:
    """Heading text of a section block, from the block's own text; at most ``LABEL`` characters."""
    line = text.lstrip("\ufeff\r\n").partition("\n")[0].strip()
    return line.strip("#").strip()[:LABEL]


def _pieces(data: bytes) -> Iterator[_Piece]:
    """Top-level blocks by where they begin; the first begins at 0, so that nothing stands before it."""
    first = True
    for kind, level, start in _top_level(data):
        yield _Piece(kind, 0 if first else start, level)
        first = False


def _top_level(data: bytes) -> Iterator[tuple[BlockKind, int, int]]:
    depth = 0
    for event, where in pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES).events_with_range(_same_length(data)):
        match event:
            case {"Start": begun}:
                if depth == 0:
                    name, detail = _named(begun)
                    start = _line_start(data, where["start"])
                    if name == "Heading":
                        yield BlockKind.SECTION, int(str(detail["level"])[1:]), start
                    else:
                        yield _KINDS.get(name, BlockKind.PARAGRAPH), 0, start
                depth += 1
            case {"End": _}:
                depth -= 1
            case _:
                pass


def _named(begun: object) -> tuple[str, dict[str, object]]:
    """pyromark writes a tag as its name, or as ``{name: detail}``."""
    if isinstance(begun, dict):
        name, detail = next(iter(begun.items()))
        return str(name), detail if isinstance(detail, dict) else {}
    return str(begun), {}


def _line_start(data: bytes, offset: int) -> int:
    """Where the line begins: an indented block's own range leaves out its indent."""
    before = data.rfind(b"\n", 0, offset) + 1
    return before if not data[before:offset].strip(b" \t") else offset


def _same_length(data: bytes) -> str:
    """One byte for one byte where pyromark would replace something (NUL) or Python refuses (lone surrogates)."""
    plain = data.replace(b"\x00", b"\x01")
    try:
        return plain.decode("utf-8")
    except UnicodeDecodeError:
        return plain.decode("ascii", "replace").replace("\ufffd", "?")


def _in_bytes(text: str, spans: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    return [tuple(len(text[:at].encode("utf-8", "surrogatepass")) for at in span) for span in spans]  # type: ignore[misc]


def _cut_out(pieces: list[_Piece], marked: list[tuple[int, int]], size: int) -> list[_Piece]:
    """Marked spans become leaves of their own without evidence; what follows one goes on as the kind it was."""
    for start, stop in marked:
        inside = [piece for piece in pieces if start <= piece.start < stop]
        around = [piece for piece in pieces if piece.start <= start]
        kept = [piece for piece in pieces if not start <= piece.start < stop]
        kept.append(_Piece(BlockKind.PARAGRAPH, start, evidence=False))
        if stop < size and not any(piece.start == stop for piece in kept):
            last = (inside or around or [_Piece(BlockKind.PARAGRAPH, 0)])[-1]
            kind = BlockKind.PARAGRAPH if last.level else last.kind
            kept.append(_Piece(kind, stop))
        pieces = sorted(kept, key=lambda piece: piece.start)
    return pieces


def _numbered(pieces: list[_Piece], size: int) -> Iterator[MappedBlock]:
    """Give ids and parents: a section holds what follows until a heading of its level or above, its own line first."""
    yield MappedBlock("b0", None, BlockKind.CONVERSATION, 0, 0, size)
    stops = [*(piece.start for piece in pieces[1:]), size]
    ends = _section_ends(pieces, size)
    above: list[tuple[int, str]] = []
    number = 0
    for index, (piece, stop) in enumerate(zip(pieces, stops, strict=True)):
        if piece.level:
            while above and above[-1][0] >= piece.level:
                above.pop()
            number += 1
            parent = above[-1][1] if above else "b0"
            yield MappedBlock(f"b{number}", parent, BlockKind.SECTION, number, piece.start, ends[index])
            above.append((piece.level, f"b{number}"))
        number += 1
        parent = above[-1][1] if above else "b0"
        kind = BlockKind.PARAGRAPH if piece.level else piece.kind
        yield MappedBlock(f"b{number}", parent, kind, number, piece.start, stop, piece.evidence)


def _section_ends(pieces: list[_Piece], size: int) -> dict[int, int]:
    """Index of each heading → where its section ends."""
    ends: dict[int, int] = {}
    above: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.level:
            while above and pieces[above[-1]].level >= piece.level:
                ends[above.pop()] = piece.start
            above.append(index)
    return ends | dict.fromkeys(above, size)
