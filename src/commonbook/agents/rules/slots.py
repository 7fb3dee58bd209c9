"""What can have only one answer at a time: in which language to answer, how long answers are, where the user lives.

Only the same question contradicts: a new language never touches a line about length, nor about the order of an answer.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Slot(StrEnum):
    TONGUE = "tongue"
    LENGTH = "length"
    HOME = "home"


@dataclass(frozen=True)
class Contradicted:
    """``left`` is what stays of the older line; empty when nothing does."""

    left: str


_ANSWERING = re.compile(
    r"\b(?:answers?|answering|reply|replies|respond|responses?|talk|speak|explain|explanations?|responde|contesta|"
    r"respuestas?|antworte?|antworten|réponds|réponses?)\b|回答|回复|答复|回应|[跟和]我(?:说|讲|聊)|聊天?|沟通|交流|对话|讲解|解释|"
    r"答え|回答|返事|返信",
    re.IGNORECASE,
)
_TONGUE = re.compile(
    r"(?<!plain )(?<!simple )\b(?:english|chinese|german|french|spanish|japanese|korean|portuguese|italian|russian|dutch|"
    r"deutsch|englisch|inglés|español|français|anglais)\b|[中英日德法韩俄]文|[英汉日德法韩俄]语|西班牙语|日本語|英語",
    re.IGNORECASE,
)
_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a dozen|a few|a couple of)"
_SHORT = re.compile(
    r"\b(?:short|shorter|brief|briefly|concise|terse|long|longer|detailed|verbose|length)\b|\b"
    + _NUMBER
    + r"[- ](?:sentences?|paragraphs?|bullets?)\b|简短|简洁|简明|精简|详细|长度|"
    r"[\d一二两三四五六七八九十]+\s?[个]?(?:句|段|字)",
    re.IGNORECASE,
)
_LINES = re.compile(r"\b" + _NUMBER + r"[- ]lines?\b|[\d一二两三四五六七八九十]+\s?行", re.IGNORECASE)
_HOME = re.compile(
    r"\bi(?:['’]m| am|['’]ve| have)?(?: \w+)? (?:live in|based in|moved (?:back )?to (?-i:[A-Z]))|"
    r"(?:住在?|搬(?:家)?(?:到|去|来|回)|"
    r"定居在?|常驻)",
    re.IGNORECASE,
)
_SELF = re.compile(r"i\b|i['’]|我(?!们)|本人", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:when|whenever|if|while)\b|如果|要是|的时候", re.IGNORECASE)
_CUT = re.compile(r"([,，;；。]\s*(?:(?:and|but) )?)")
_RIDER = re.compile(
    r"(?:please|unless|except|because|since|so\b|as\b|in all|in every|for all|no more|at most|everywhere|now\b|"
    r"除非|因为|所有|每个|否则|不然|不住|不在|哪个)",
    re.IGNORECASE,
)
"""A clause that says nothing without the one before it, and goes where that goes."""


@dataclass(frozen=True)
class _Clause:
    text: str
    slots: frozenset[Slot]


def slots(line: str) -> frozenset[Slot]:
    """The questions that a line answers. What holds only on a condition answers none for good."""
    return frozenset().union(*(clause.slots for clause in _clauses(line)))


def contradicted(new: str, older: str) -> Contradicted | None:
    """What ``new`` leaves of ``older``, ``None`` when the two do not answer the same question."""
    asked = slots(new)
    clauses = _clauses(older)
    if not any(clause.slots & asked for clause in clauses):
        return None
    kept = [clause for clause in clauses if not clause.slots & asked]
    left = "".join(clause.text for clause in kept).strip(" ,，;；。")
    subject = re.match(r"I (?=\w)|我(?!们)", older)
    if left and subject and clauses[0] not in kept and not _SELF.match(left):
        left = subject[0] + left
    return Contradicted(left)


@lru_cache(maxsize=4096)
def _clauses(line: str) -> tuple[_Clause, ...]:
    """The clauses with what joins them, riders glued to what they ride on; how to answer is said once for all of them."""
    if _CONDITION.search(line):
        return (_Clause(line, frozenset()),)
    parts = _CUT.split(line)
    pieces = [part + mark for part, mark in zip(parts[::2], [*parts[1::2], ""], strict=True)]
    found: list[_Clause] = []
    answering = False
    for piece in pieces:
        own = _ANSWERING.search(piece) is not None
        answering |= own
        answered = _answered(piece, own=own, answering=answering, myself=_SELF.match(line) is not None)
        if found and (_RIDER.match(piece) and not answered - found[-1].slots):
            found[-1] = _Clause(found[-1].text + piece, found[-1].slots)
        else:
            found.append(_Clause(piece, answered))
    return tuple(found)


def _answered(clause: str, *, own: bool, answering: bool, myself: bool) -> frozenset[Slot]:
    found: set[Slot] = set()
    if own and _TONGUE.search(clause):
        found.add(Slot.TONGUE)
    if (answering and _SHORT.search(clause)) or (own and _LINES.search(clause)):
        found.add(Slot.LENGTH)
    if myself and _HOME.search(clause):
        found.add(Slot.HOME)
    return frozenset(found)
