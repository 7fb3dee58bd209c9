"""Where statements go: which document, which section, instead of which line. Pure: it changes drafts and says why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import assert_never

from commonbook.agents.rules.language import GLOBAL_HOME, Act, Topic
from commonbook.agents.rules.pages import Line, Page, Section, add, drop, substitute
from commonbook.agents.rules.reasons import Reason
from commonbook.agents.rules.slots import contradicted, slots
from commonbook.agents.rules.statements import LANGUAGES, Forget, Keep, Statement, TakeBack
from commonbook.agents.rules.subjects import bare, pointed_at, replaced_by
from commonbook.clock import Milliseconds
from commonbook.vocabulary import GLOBAL, EvidenceRef, Scope, scope_targets


@dataclass(frozen=True)
class Said:
    """A statement with where and when it was said; ``message`` orders the messages of the batch."""

    statement: Statement
    message: int
    evidence: EvidenceRef
    at: Milliseconds


@dataclass(frozen=True)
class Refused:
    said: Said
    reason: Reason


def file_all(said: Sequence[Said], pages: Sequence[Page], scope: Scope, *, only: Scope | None = None) -> list[Refused]:
    """Work every statement into the drafts, in order; returns what was not kept and why.

    ``scope`` is the batch's; ``only`` binds everything to one scope (an edit task: the user chose where).
    """
    standing = _standing(said)
    refused = [Refused(each, Reason.TAKEN_BACK) for each in said if each not in standing]
    taken: set[EvidenceRef] = set()
    for each in standing:
        match each.statement:
            case Keep() as keep:
                reason = _keep(keep, each, pages, scope if only is None else only, bound=only is not None)
            case Forget() as forget:
                reason = _forget(forget, each, pages, taken)
            case TakeBack():
                reason = None
            case other:
                assert_never(other)
        if reason:
            refused.append(Refused(each, reason))
    return [*refused, *(Refused(each, Reason.TAKEN_BACK) for each in said if each.evidence in taken)]


def _standing(said: Sequence[Said]) -> list[Said]:
    """What is left after "scratch that": it takes back what was said just before, in the same message or the one before."""
    left: list[Said] = []
    for each in said:
        if isinstance(each.statement, TakeBack):
            reach = each.message if left and left[-1].message == each.message else each.message - 1
            while left and left[-1].message == reach:
                left.pop()
        else:
            left.append(each)
    return left


def is_global(keep: Keep) -> bool:
    """Scope words decide; without them how to answer, who the user is and how they work (a habit of theirs is no rule of the
    project) hold everywhere, the rest belongs to the project."""
    if keep.topic is Topic.ABOUT:
        return True
    if keep.global_scope is not None:
        return keep.global_scope
    return keep.topic is Topic.ANSWERS or keep.act is Act.IDENTITY


def _keep(keep: Keep, said: Said, pages: Sequence[Page], scope: Scope, *, bound: bool) -> Reason | None:
    everywhere = scope == GLOBAL or (is_global(keep) and not bound)
    page = _page(keep, pages, GLOBAL if everywhere else scope)
    if page is None or page.sections is None:
        return Reason.LOCKED
    if any(other.holds(keep.line) for other in pages):
        return Reason.KNOWN
    line = Line(f"- {keep.line} ({_day(said.at)})", frozenset({said.evidence}), keep.rule)
    if not page.has_room(line.text):
        return Reason.FULL
    if (older := _older(keep, page, pages, said.evidence)) is not None:
        held_by, section, at = older
        substitute(held_by, section, at, line)
    else:
        topic = keep.topic if page.is_global or keep.topic is not Topic.ANSWERS else Topic.CONVENTIONS
        titles = [language.titles[topic] for language in LANGUAGES.values()]
        add(page, titles, LANGUAGES[keep.language].titles[topic], line)
    return None


def _page(keep: Keep, pages: Sequence[Page], scope: Scope) -> Page | None:
    target = GLOBAL_HOME[keep.topic] if scope == GLOBAL else scope_targets(scope)[0]
    return next((page for page in pages if page.listing.target == target), None)


def _older(keep: Keep, page: Page, pages: Sequence[Page], evidence: EvidenceRef) -> tuple[Page, Section, int] | None:
    """The line that the new one replaces. A new way to answer may replace an old one in either global document."""
    if keep.act is Act.CONDITION:
        return None
    places = [
        (other, section, at)
        for other in pages
        if other.listing.scope == page.listing.scope
        for section, at in other.places()
    ]
    lines = [bare(section.lines[at].text) for _, section, at in places]
    for place, line in zip(places, lines, strict=True):
        if (against := contradicted(keep.line, line)) is not None:
            if not against.left:
                return place
            _cut(place, line, against.left, evidence, keep.rule)
    if keep.topic is Topic.ANSWERS or slots(keep.line):
        # What answers another question is no older version of this, however many words the two share.
        places = [place for place, line in zip(places, lines, strict=True) if not slots(line)]
        lines = [line for line in lines if not slots(line)]
    found = replaced_by(keep.line, lines, change=keep.change, old=keep.old)
    return None if found is None else places[found]


def _cut(place: tuple[Page, Section, int], line: str, left: str, evidence: EvidenceRef, rule: str) -> None:
    """Take out of an older line what is no longer so; the rest of it still is."""
    page, section, at = place
    older = section.lines[at]
    substitute(page, section, at, Line(older.text.replace(line, left), older.evidence | {evidence}, rule))


def _forget(forget: Forget, said: Said, pages: Sequence[Page], taken: set[EvidenceRef]) -> Reason | None:
    """Drop the lines that a request points to; the newest document position first, so that indexes stay true."""
    places = [place for page in pages for place in page.places()]
    pointed = pointed_at(forget.what, [bare(section.lines[at].text) for section, at in places])
    for index in reversed(pointed):
        section, at = places[index]
        if section.lines[at].evidence:
            taken |= {said.evidence, *section.lines[at].evidence}
        drop(section, at, said.evidence, "asked to forget")
    return None if pointed else Reason.NO_MATCH


def _day(at: Milliseconds) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")
