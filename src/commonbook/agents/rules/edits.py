"""Edit tasks: the person asked for a change by name. Either the one change that was meant, or a question back; never a guess."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.agents.rules.filing import Said, file_all
from commonbook.agents.rules.pages import Line, Page, drop, substitute
from commonbook.agents.rules.statements import LANGUAGES, Forget, Keep, language_of, read_message
from commonbook.agents.rules.subjects import bare, pointed_at
from commonbook.agents.rules.talk import Block
from commonbook.clock import Milliseconds
from commonbook.vocabulary import BlockKind, EditResult, EvidenceRef, Scope, folded

_DELETE = re.compile(
    r"(?:please )?(?:delete|remove|erase|drop|forget) (?P<what>.+)|(?:请)?(?:删掉|删除|去掉|移除|忘掉|"
    r"忘记)(?P<what2>.+)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Edited:
    result: EditResult
    reason: str


def edit(words: str, pages: Sequence[Page], scope: Scope, evidence: EvidenceRef, at: Milliseconds) -> Edited:
    """Work an edit into the drafts of ``scope``; the result says whether they changed."""
    chosen = [page for page in pages if page.listing.scope == scope]
    words = words.strip()
    if found := LANGUAGES[language_of(words)].replaces.fullmatch(words):
        return _replace(found["old"].strip(), found["new"].strip(), chosen, evidence)
    said = [Said(statement, 0, evidence, at) for statement in read_message([Block(BlockKind.PARAGRAPH, words)])]
    kept = [each for each in said if isinstance(each.statement, Keep)]
    if kept:
        return _add(kept, chosen, scope)
    what = next((each.statement.what for each in said if isinstance(each.statement, Forget)), None)
    if what is None and (found := _DELETE.fullmatch(words)):
        what = found["what"] or found["what2"]
    if what is None:
        return Edited("clarification_required", "no rule understands this edit")
    return _delete(what.rstrip("。.!！ "), chosen, evidence)


def points_at(words: str) -> str | None:
    """The words of the memory that a request names, where a rule reads it: what is to be replaced or removed."""
    words = words.strip()
    if found := LANGUAGES[language_of(words)].replaces.fullmatch(words):
        return found["old"].strip()
    deleted = _DELETE.fullmatch(words)
    return (deleted["what"] or deleted["what2"]).rstrip("。.!！ ") if deleted else None


def _replace(old: str, new: str, pages: Sequence[Page], evidence: EvidenceRef) -> Edited:
    """Only where ``old`` stands word for word in exactly one line."""
    places = [(page, section, at) for page in pages for section, at in page.places()]
    hits = [(page, section, at) for page, section, at in places if _whole(old).search(section.lines[at].text)]
    if len(hits) != 1:
        if not hits and any(_whole(new).search(section.lines[at].text) for _, section, at in places):
            return Edited("already_satisfied", "it already says so")
        return Edited("clarification_required", f"{len(hits)} lines hold the words to replace")
    page, section, at = hits[0]
    former = section.lines[at].text
    changed = _whole(old).sub(lambda _: new, former)
    if folded(changed) == folded(former):
        return Edited("already_satisfied", "it already says so")
    substitute(page, section, at, Line(changed, frozenset({evidence}), "replaced as asked"))
    return Edited("modified", "replaced as asked")


def _whole(words: str) -> re.Pattern[str]:
    """The words, not parts of longer ones: replacing "Go" must leave "MongoDB" alone."""
    before = r"(?<![a-zA-Z0-9_])" if words[:1].isascii() else ""
    after = r"(?![a-zA-Z0-9_])" if words[-1:].isascii() else ""
    return re.compile(before + re.escape(words) + after, re.IGNORECASE)


def _add(said: Sequence[Said], pages: Sequence[Page], scope: Scope) -> Edited:
    refused = file_all(said, pages, scope, only=scope)
    if any(section.changed for page in pages for section in page.sections or ()):
        return Edited("modified", "added as asked")
    if refused and all("already" in reason for reason in refused):
        return Edited("already_satisfied", refused[0])
    return Edited("clarification_required", "; ".join(refused))


def _delete(what: str, pages: Sequence[Page], evidence: EvidenceRef) -> Edited:
    places = [place for page in pages for place in page.places()]
    pointed = pointed_at(what, [bare(section.lines[at].text) for section, at in places])
    if not pointed:
        return Edited("clarification_required", "no line matches what is to be removed")
    for index in reversed(pointed):
        section, at = places[index]
        drop(section, at, evidence, "removed as asked")
    return Edited("modified", "removed as asked")
