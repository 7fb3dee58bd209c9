"""The structural map of a text: sections, paragraphs, lists, code, quotes, tables. Structure only, never meaning (02 §3).

Ranges are UTF-8 byte offsets into the one stored text. The leaves, in order, cover every byte exactly once: a blank line
belongs to the block before it. A section holds its heading's own line, as a paragraph, and all that follows until a heading of
its level or above. Only ATX headings make sections: a line above ``---`` is a paragraph in what people write.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

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
_ANYWHERE = b"|<\r"
"""Signs of a table, of our own mark, and of a line end that the next two do not know."""
_OPENERS = b" \t\n0123456789#>*+`~=-_:"
_OPENED = re.compile(rb"\n[ \t\n0-9#>*+`~=\-_:]")
"""Blocks begin, and paragraphs end, by what stands first on a line."""
_BOM = "\ufeff".encode()


class MappedBlock(NamedTuple):
    """``start``/``stop`` in UTF-8 bytes. ``evidence`` is False for our own marked text that a host gave back to us.

    A tuple and no dataclass: a long text has thousands, and making them is most of the work."""

    id: str
    parent: str | None
    kind: BlockKind
    ordinal: int
    start: int
    stop: int
    evidence: bool = True


class _Piece(NamedTuple):
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
    if _is_one_paragraph(data):
        return single_block(len(data), BlockKind.PARAGRAPH)
    pieces = list(_pieces(data)) or [_Piece(BlockKind.PARAGRAPH, 0)]
    marked = marked_spans(text)
    return tuple(_numbered(_cut_out(pieces, _in_bytes(text, marked), len(data)) if marked else pieces, len(data)))


def _is_one_paragraph(data: bytes) -> bool:
    """Nothing in it can begin a block or end one: most messages, at a tenth of what reading their Markdown costs."""
    return (
        len(data.translate(None, _ANYWHERE)) == len(data)
        and data[0] not in _OPENERS
        and _BOM not in data
        and _OPENED.search(data) is None
    )


def section_label(text: str) -> str:
    """Heading text of a section block, from the block's own text; at most ``LABEL`` characters."""
    line = text.removeprefix("\ufeff").lstrip("\r\n").partition("\n")[0].strip()
    return re.sub(r"(?:^|[ \t]+)#+$", "", line.lstrip("#").strip())[:LABEL]


def _pieces(data: bytes) -> Iterator[_Piece]:
    """Top-level blocks by where they begin; the first begins at 0, so that nothing stands before it."""
    first = True
    for kind, level, start in _top_level(data):
        yield _Piece(kind, 0 if first else start, level)
        first = False


def _top_level(data: bytes) -> Iterator[tuple[BlockKind, int, int]]:
    """Kind, level of an ATX heading (else 0) and first byte of what stands on the outermost level."""
    ahead = len(_BOM) if data.startswith(_BOM) else 0  # a BOM would turn the first heading into a paragraph
    depth = 0
    reader = pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES)
    for event, where in reader.events_with_range(_same_length(data[ahead:])):
        if isinstance(event, str):  # a break or a rule: no range of its own to map
            continue
        if "Start" in event:
            if depth == 0:
                name, detail = _named(event["Start"])
                start = where["start"] + ahead
                if name == "Heading" and data[start] == 0x23:
                    yield BlockKind.SECTION, int(str(detail["level"])[1:]), _line_start(data, start)
                else:
                    yield _KINDS.get(name, BlockKind.PARAGRAPH), 0, _line_start(data, start)
            depth += 1
        elif "End" in event:
            depth -= 1


def _named(begun: object) -> tuple[str, dict[str, object]]:
    """pyromark writes a tag as its name, or as ``{name: detail}``."""
    if isinstance(begun, dict):
        name, detail = next(iter(begun.items()))
        return str(name), detail if isinstance(detail, dict) else {}
    return str(begun), {}


def _line_start(data: bytes, offset: int) -> int:
    """Where the line begins: an indented block's own range leaves out its indent."""
    if offset == 0 or data[offset - 1] == 0x0A:
        return offset
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
    """Character ranges, in order, as byte ranges; every character is encoded once."""
    found, at, byte = [], 0, 0
    for span in spans:
        begin = byte + len(text[at : span[0]].encode("utf-8", "surrogatepass"))
        byte = begin + len(text[span[0] : span[1]].encode("utf-8", "surrogatepass"))
        found.append((begin, byte))
        at = span[1]
    return found


def _cut_out(pieces: list[_Piece], marked: list[tuple[int, int]], size: int) -> list[_Piece]:
    """Marked spans become leaves of their own without evidence; what stands behind one goes on as the kind it was."""
    kept: list[_Piece] = []
    waiting, going_on = 0, BlockKind.PARAGRAPH
    for start, stop in marked:
        while waiting < len(pieces) and pieces[waiting].start < stop:
            piece = pieces[waiting]
            going_on = BlockKind.PARAGRAPH if piece.level else piece.kind
            if piece.start < start:
                kept.append(piece)
            waiting += 1
        kept.append(_Piece(BlockKind.PARAGRAPH, start, evidence=False))
        if stop < size and not (waiting < len(pieces) and pieces[waiting].start == stop):
            kept.append(_Piece(going_on, stop))
    kept += pieces[waiting:]
    return [
        piece
        for piece, after in zip(kept, [*kept[1:], None], strict=True)
        if after is None or after.start > piece.start
    ]


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
