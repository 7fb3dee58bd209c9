"""The current documents as drafts: lines may be added, replaced and dropped; what changed becomes operations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonbook.agents.rules.subjects import bare
from commonbook.keeper.contracts import DocumentListing
from commonbook.vocabulary import GLOBAL, EvidenceRef, folded

_HEADING = re.compile(r"^##(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_LINE_COST = 8
"""Bytes that a new line or section may cost beyond its own text: marks, blank lines, line ends."""


@dataclass
class Line:
    """One line of a section. ``evidence`` is empty for a line that was there before."""

    text: str
    evidence: frozenset[EvidenceRef] = frozenset()
    rule: str = ""


@dataclass
class Section:
    """``ref`` is ``None`` for a section that does not exist yet."""

    ref: str | None
    title: str
    lines: list[Line]
    evidence: set[EvidenceRef] = field(default_factory=set)
    """What speaks for lines that were replaced or dropped."""
    rules: list[str] = field(default_factory=list)
    forgets: bool = False
    corrects: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.evidence) or any(line.evidence for line in self.lines)

    @property
    def empty(self) -> bool:
        return not any(line.text.strip() for line in self.lines)


@dataclass
class Page:
    """One document. ``sections`` is ``None`` when it cannot be edited: not writable, or outside the grammar."""

    listing: DocumentListing
    sections: list[Section] | None
    bytes: int

    @property
    def is_global(self) -> bool:
        return self.listing.scope == GLOBAL

    def places(self) -> Iterator[tuple[Section, int]]:
        """Every non-blank line, as (section, index)."""
        for section in self.sections or ():
            for at, line in enumerate(section.lines):
                if line.text.strip():
                    yield section, at

    def holds(self, words: str) -> bool:
        return any(folded(bare(section.lines[at].text)) == folded(words) for section, at in self.places())

    def section(self, titles: Sequence[str]) -> Section | None:
        wanted = {folded(title) for title in titles}
        return next((section for section in self.sections or () if folded(section.title) in wanted), None)

    def has_room(self, text: str) -> bool:
        return self.bytes + len(text.encode()) + _LINE_COST <= self.listing.hard_budget


def read_page(listing: DocumentListing, text: str) -> Page:
    """A document of the snapshot. Section references follow the listing's order; should the two disagree, it is not edited."""
    page = Page(listing, None, listing.bytes)
    if not listing.writable or listing.outside_grammar:
        return page
    found = _sections(text)
    if len(found) == len(listing.sections):
        page.sections = [
            Section(listed.ref, listed.title, [Line(line) for line in lines])
            for listed, (_, lines) in zip(listing.sections, found, strict=True)
        ]
    return page


def _sections(text: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    fence = ""
    for line in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]) else fence
        elif mark:
            fence = mark[1]
        elif heading := _HEADING.match(line):
            found.append((heading[1] or "", []))
            continue
        if found:
            found[-1][1].append(line)
    return found


def add(page: Page, titles: Sequence[str], title: str, line: Line) -> None:
    """Append a list item to the section that has one of ``titles``, or to a new one called ``title``."""
    section = page.section(titles)
    if section is None:
        section = Section(None, title, [])
        page.bytes += len(title.encode()) + _LINE_COST
        assert page.sections is not None
        page.sections.append(section)
    end = len(section.lines)
    while end and not section.lines[end - 1].text.strip():
        end -= 1
    section.lines.insert(end, line)
    section.rules.append(line.rule)
    page.bytes += len(line.text.encode()) + 1


def drop(section: Section, at: int, evidence: EvidenceRef, rule: str) -> None:
    """Take a line out. One that only this batch would have added leaves no trace; an older one is forgotten."""
    line = section.lines.pop(at)
    while at < len(section.lines) and re.match(r"\s+\S", section.lines[at].text):
        section.lines.pop(at)
    if not line.evidence or section.corrects:
        section.evidence.add(evidence)
        section.forgets = True
        section.rules.append(rule)


def substitute(page: Page, section: Section, at: int, line: Line) -> None:
    older = section.lines[at]
    page.bytes += len(line.text.encode()) - len(older.text.encode())
    section.lines[at] = line
    section.rules.append(line.rule)
    section.corrects |= not older.evidence
    section.evidence |= line.evidence


def decisions(pages: Sequence[Page]) -> list[dict[str, Any]]:
    """One decision for every section that changed, so that each is put at most once and stands or falls alone."""
    return [
        _decision(page, section)
        for page in pages
        for section in page.sections or ()
        if section.changed and not (section.ref is None and section.empty)
    ]


def _decision(page: Page, section: Section) -> dict[str, Any]:
    evidence = sorted(section.evidence.union(*(line.evidence for line in section.lines)))[:128]
    common: dict[str, Any] = {
        "reason": "; ".join(dict.fromkeys(section.rules))[:4000],
        "kind": "forget" if section.forgets else "retain",
        "applicability": "global" if page.is_global else "project",
        "confidence": 0.9,
        "evidence": list(evidence),
        "operations": [_operation(page, section)],
    }
    if section.forgets:
        return common
    return {**common, "admission": "correct" if section.corrects else "remember", "lifetime": "until_changed"}


def _operation(page: Page, section: Section) -> Mapping[str, Any]:
    target = page.listing.target
    if section.empty:
        return {"operation": "remove_section", "target": target, "section": section.ref}
    body = "\n".join(line.text for line in section.lines).strip("\n") + "\n"
    return {"operation": "put_section", "target": target, "section": section.ref, "title": section.title, "body": body}
