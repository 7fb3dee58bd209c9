"""From the blocks of one message to the sentences its author spoke; pasted text is left out here, before any rule reads it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

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
    heading: str = ""
    """The line by which the author announced the list this stands in as their own ("our rules for this repo:")."""


SPOKEN = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
_LOG_LINE = re.compile(
    r"^\s*(?:\[[^\]]*\d[^\]]*\]|\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d|(?:npm|yarn|pip|"
    r"cargo|error|warn(?:ing)?|info|debug|trace|fatal|note|hint|tip)\b ?(?:ERR!|WARN|[:\[(!])"
    r"|(?:NOTE|HINT|TIP|WARN|WARNING|ERROR|INFO|DEBUG|FATAL|IMPORTANT|TODO|FIXME)\b|[#$%>|+=~*]{1,3}\s|//|<!--|"
    r"<[/\w]|at \S+\(|File \"|Traceback|\S+Error:|--- |\+\+\+ |@@ |\{|\}|\S+\t\S+|[\w.-]+=\S+$)"
)
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s+")
_STOP = re.compile(
    r"(?<=[!?])\s+|(?<=[\w)\]\"'`’”][.])(?<! [A-Z][.])\s+(?=[\"'`“(]?[A-ZÀ-Þ0-9¿¡\u3040-\u9fff])|"
    r"(?<=\w\.)\s+(?=(?:never|always|please|we|i|our)\b)|(?<=[。！？])|(?<=[;；])\s*(?=[\u4e00-\u9fff])|"
    r"(?<=[\u3040-\u9fff][?!])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|dr|cf)\.)$", re.IGNORECASE)
_MANY_LINES = 4
_MOST_LINES = 200
_LONGEST_LINE, _LONGEST_SENTENCE = 4_000, 600
"""Lines of a block, characters of a line and of a sentence. Nobody states a rule in more; what is longer was pasted, and
would only cost the patterns their time."""


class Announcement(StrEnum):
    """What a line says about the lines after it."""

    FOREIGN = "foreign"
    OWN = "own"


def sentences(blocks: Sequence[Block], announces: Callable[[str], Announcement | None]) -> Iterator[Sentence]:
    """What the author of a message said in their own voice, in order.

    What follows a line that announces foreign text ("here is the log:") is foreign up to the end of the message, unless a
    fence closes it: the fence is then the paste, and talk goes on after it. The list after "our rules:" is the author's.
    """
    told: Announcement | None = None
    heading = ""
    for block in blocks:
        if block.kind is BlockKind.CODE:
            told = None
        elif block.kind in SPOKEN and told is not Announcement.FOREIGN:
            for line in _spoken_lines(block.text):
                told = announces(line) or (told if _is_item(line) else None)
                if told is Announcement.FOREIGN:
                    # An announcing line may begin with a sentence of its own ("We use tabs. Here is the log:").
                    yield from (piece for part in _STOP.split(line)[:-1] for piece in _split(part))
                    break
                if told is Announcement.OWN and not _is_item(line):
                    heading = line
                yield from _split(
                    _LIST_MARK.sub("", line), heading if told is Announcement.OWN and _is_item(line) else ""
                )


def _is_item(line: str) -> bool:
    return _LIST_MARK.match(line) is not None


def _spoken_lines(text: str) -> list[str]:
    """The lines of a block that are speech, soft-wrapped lines joined."""
    lines = [line.strip() for line in text.replace("\r", "").split("\n") if line.strip()]
    logged = sum(bool(_LOG_LINE.match(line)) and not _is_item(line) for line in lines)
    if len(lines) > _MOST_LINES or (logged >= _MANY_LINES and logged * 2 > len(lines)):
        # A paste that nobody announced: any of its lines may read like a wish.
        return []
    joined: list[str] = []
    for line in lines:
        if _LOG_LINE.match(line) and not _is_item(line):
            continue
        if joined and not _is_item(line) and joined[-1][-1] not in ".!?。！？:：;；" and line[0].islower():
            joined[-1] += " " + line
        else:
            joined.append(line)
    return [line for line in joined if len(line) <= _LONGEST_LINE]


def _split(line: str, heading: str = "") -> Iterator[Sentence]:
    held = ""
    for piece in _STOP.split(line):
        whole = f"{held} {piece}".strip() if held else piece.strip()
        if _ABBREVIATION.search(whole):
            held = whole
            continue
        held = ""
        if 0 < len(whole) <= _LONGEST_SENTENCE:
            yield Sentence(whole.rstrip("。.!！?？;； "), whole.endswith(("?", "？")), heading)
    if 0 < len(held) <= _LONGEST_SENTENCE:
        yield Sentence(held.rstrip("。. "), False, heading)
