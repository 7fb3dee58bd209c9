"""What a language tells the rules: data only. The engine that uses it stands in ``statements``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from commonbook.agents.rules.reasons import Reason
from commonbook.vocabulary import PREFERENCES, PROFILE, Target


class Topic(StrEnum):
    """What a statement is about; each topic has one section in one document."""

    ABOUT = "about"
    ANSWERS = "answers"
    WORKING = "working"
    CONVENTIONS = "conventions"
    DECISIONS = "decisions"


GLOBAL_HOME: Mapping[Topic, Target] = {
    Topic.ABOUT: PROFILE,
    Topic.ANSWERS: PREFERENCES,
    Topic.WORKING: PREFERENCES,
    Topic.CONVENTIONS: PREFERENCES,
    Topic.DECISIONS: PREFERENCES,
}
"""Where a topic lives when it applies everywhere; in a project everything lives in the project's document."""


class Act(StrEnum):
    IDENTITY = "identity"
    INSTRUCTION = "instruction"
    PREFERENCE = "preference"
    FACT = "fact"
    CONDITION = "condition"
    CHANGE = "change"


@dataclass(frozen=True)
class Form:
    """One way of saying something that counts. ``pattern`` is matched from the start of a clause to the sentence's end.

    ``wide``: the form leans on what stands before it in the sentence ("…, keep it that way") and takes it along.
    ``whole``: the sentence is one fact from here to its end (a conditional must never lose its condition).
    ``alone``: as likely said of the task at hand; it lasts only when the message holds nothing but lasting things.
    ``half``: says only what is over ("we don't use A any more"); what holds now follows and belongs to it.
    """

    name: str
    act: Act
    topic: Topic
    pattern: re.Pattern[str]
    wide: bool = False
    whole: bool = False
    alone: bool = False
    half: bool = False


@dataclass(frozen=True)
class Veto:
    """A reason not to listen. ``acts`` empty: whatever the sentence says."""

    reason: Reason
    pattern: re.Pattern[str]
    acts: frozenset[Act] = frozenset()


@dataclass(frozen=True)
class Language:
    """Everything the engine asks of a language; an absent pattern is one that never matches."""

    titles: Mapping[Topic, str]
    forms: tuple[Form, ...]
    vetoes: tuple[Veto, ...]
    leads: re.Pattern[str]
    """What is cut from the front: greetings, "by the way"; named group ``told`` = the user says it is to be kept,
    ``mend`` = the user says it corrects something."""
    cuts: re.Pattern[str]
    """Where a sentence may be cut into clauses."""
    questions: re.Pattern[str]
    requests: re.Pattern[str]
    """A clause that only asks for work; what stands before it in the sentence still counts."""
    starts: re.Pattern[str]
    """A clause that begins a statement of its own when it matches a form."""
    apart: re.Pattern[str]
    """A clause that never belongs to the statement before it."""
    here: re.Pattern[str]
    everywhere: re.Pattern[str]
    changes: re.Pattern[str]
    """Says that something else held before; group ``old`` names it where it is said."""
    follows: re.Pattern[str]
    """A sentence that only confirms the one before: "please keep to that in all my repos"."""
    forgets: re.Pattern[str]
    """Group ``what``: what is to be forgotten."""
    withdraws: re.Pattern[str]
    pastes: re.Pattern[str]
    """A line that announces foreign text."""
    owns: re.Pattern[str]
    """A line that announces the user's own list: "a few house rules:"; what follows is to be kept."""
    headless: re.Pattern[str]
    """A firing clause without a subject of its own: it takes the clause before along ("生成的文件，永远别手改")."""
    hangs: re.Pattern[str]
    """A clause or sentence that is a fragment without what stands before it; group ``link``: by its connective."""
    glue: re.Pattern[str]
    """A bare clause that belongs to the firing clause after it ("用标准库 unittest，这个项目不装 pytest")."""
    replaces: re.Pattern[str]
    """Edit tasks: groups ``old`` and ``new``."""


NEVER = re.compile(r"(?!)")


def rx(*parts: str) -> re.Pattern[str]:
    """One pattern from its parts, blind to case; ``(?-i:…)`` inside where case matters."""
    return re.compile("".join(parts), re.IGNORECASE)


def form(
    name: str, *says: str, wide: bool = False, whole: bool = False, alone: bool = False, half: bool = False
) -> Form:
    """One row of a language's table. ``name``: "act topic: in plain words"; ``says``: parts of the pattern."""
    kind, _, words = name.partition(": ")
    act, _, topic = kind.partition(" ")
    return Form(words, Act(act), Topic(topic), rx(*says), wide, whole, alone, half)
