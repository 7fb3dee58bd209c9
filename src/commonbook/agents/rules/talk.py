"""From the blocks of one message to the sentences its author spoke; pasted text is left out here, before any rule reads it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from commonbook.vocabulary import BlockKind


@dataclass(frozen=True)
class Block:
    kind: BlockKind
    text: str


@dataclass(frozen=True)
class Sentence:
    """``text`` keeps its wording without the final stop; ``asks`` when it ended in a question mark."""

    text: str
    asks: bool


SPOKEN = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
_LOG_LINE = re.compile(
    r"^\s*(?:\[[^\]]*\d[^\]]*\]|\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d|(?:npm|yarn|pip|cargo|error|warn(?:ing)?|info|debug|trace|fatal|note|hint|tip)\b ?(?:ERR!|WARN|[:\[(!])"
    r"|(?:NOTE|HINT|TIP|WARN|WARNING|ERROR|INFO|DEBUG|FATAL|IMPORTANT|TODO|FIXME)\b|[#$%>|+=~*]{1,3}\s|//|<!--|<[/\w]|at \S+\(|File \"|Traceback|\S+Error:|--- |\+\+\+ |@@ |\{|\}|\S+\t\S+|[\w.-]+=\S+$)"
)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s+")
_STOP = re.compile(
    r"(?<=[!?])\s+|(?<=[\w)\]\"'`’”][.])(?<! [A-Z][.])\s+(?=[\"'`“(]?[A-ZÀ-Þ0-9¿¡\u3040-\u9fff])|(?<=\w\.)\s+(?=(?:never|always|please|we|i|our)\b)|(?<=[。！？])|(?<=[;；])\s*(?=[\u4e00-\u9fff])|(?<=[\u3040-\u9fff][?!])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|dr|cf)\.)$", re.IGNORECASE)
_SPEAKER = re.compile(r"\b(?:we|our|i|i'm|i’m|i've)\b|我|咱", re.IGNORECASE)
_MANY_LINES = 4


def sentences(blocks: Sequence[Block], announces: Callable[[str], bool]) -> Iterator[Sentence]:
    """What the author of a message said in their own voice, in order.

    ``announces`` tells whether a line introduces foreign text ("here is the log:"). What follows such a line is foreign
    up to the end of the message, unless a fence closes it: the fence is then the paste, and talk goes on after it.
    """
    foreign = False
    for block in blocks:
        if block.kind is BlockKind.CODE:
            foreign = False
        elif block.kind in SPOKEN and not foreign:
            lines, foreign = _own_lines(block.text, announces)
            for line in lines:
                yield from _split(line)


def _own_lines(text: str, announces: Callable[[str], bool]) -> tuple[list[str], bool]:
    """The lines of a block that are speech, soft-wrapped lines joined; and whether the block ends inside a paste."""
    lines = [line.strip() for line in text.replace("\r", "").split("\n")]
    told = next((at for at, line in enumerate(lines) if announces(line)), None)
    foreign = told is not None
    own = lines[:told] if told is not None else lines
    if told is not None:
        own = [*own, *_before_announcement(lines[told])]
    logged = sum(bool(_LOG_LINE.match(line)) for line in own)
    if logged >= _MANY_LINES and logged * 2 > len(own):
        # A paste that nobody announced: any of its lines may read like a wish.
        own = []
    joined: list[str] = []
    for line in (line for line in own if (line and not _LOG_LINE.match(line)) or _LIST_MARK.match(line)):
        if joined and not _LIST_MARK.match(line) and joined[-1][-1] not in ".!?。！？:：;；" and line[0].islower():
            joined[-1] += " " + line
        else:
            joined.append(_LIST_MARK.sub("", line))
    return joined, foreign


def _before_announcement(line: str) -> list[str]:
    """An announcing line may begin with a sentence of its own ("We use tabs. Here is the log:")."""
    pieces = _STOP.split(line)
    return pieces[:-1]


def _split(line: str) -> Iterator[Sentence]:
    held = ""
    for piece in _STOP.split(line):
        whole = f"{held} {piece}".strip() if held else piece.strip()
        if _ABBREVIATION.search(whole):
            held = whole
            continue
        held = ""
        if whole:
            yield Sentence(whole.rstrip("。.!！?？;； "), whole.endswith(("?", "？")))
    if held:
        yield Sentence(held.rstrip("。. "), False)
