"""Edit tasks: the person asked for a change by name. Either the one change that was meant, or a question back; never a guess."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.agents.rules.filing import Said, file_all
from commonbook.agents.rules.language import Act, Topic
from commonbook.agents.rules.pages import Line, Page, drop, substitute
from commonbook.agents.rules.reasons import Reason
from commonbook.agents.rules.statements import LANGUAGES, Forget, Keep, language_of, read_message
from commonbook.agents.rules.subjects import bare, pointed_at, without_pointing
from commonbook.agents.rules.talk import Block
from commonbook.clock import Milliseconds
from commonbook.vocabulary import SECRET_MASK, BlockKind, EditResult, EvidenceRef, Scope, folded

_POLITE = r"(?:(?:please|can you|could you|would you|now|also)[ ,]+)*"
_DELETE = re.compile(
    _POLITE
    + r"(?:delete|remove|erase|drop|forget|take out)(?: about)? (?P<what>.+)|(?:请|麻烦|帮我)*(?:删掉|删除|去掉|移除|忘掉|"
    r"忘记)(?P<what2>.+)|(?:请|麻烦|帮我)*(?:把|将)(?P<what3>.+?)(?:删掉|删除|去掉|移除|忘掉|删了)[了吧]*|"
    r"(?P<what4>[^，,]+[那这]一?[条句行点])(?:都|给我)?(?:删掉|删除|去掉|移除|忘掉|删了)[了吧]*",
    re.IGNORECASE | re.DOTALL,
)
_ONE = re.compile(r"\b(?:line|entry|note|rule|item|bullet|sentence|fact)\b|[那这]一?[条句行点]", re.IGNORECASE)
"""Says that a single line is meant."""
_ADD = re.compile(
    _POLITE
    + r"(?:add|note|remember|save|write down)(?:(?: (?:the|a|this) (?:line|note|rule|fact))?\s*[:：]\s*| that\s+)(?P<line>.+)|"
    r"(?:请|麻烦|帮我)*(?:记住|记下|记一下|记|添加|新增|加上?|加一条)(?:一条|一行)?\s*[:：，,]\s*(?P<line2>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""``add: …``: the person chose the words; they are kept as they stand even when no form knows them."""


@dataclass(frozen=True)
class Edited:
    result: EditResult
    reason: str


def edit(words: str, pages: Sequence[Page], scope: Scope, evidence: EvidenceRef, at: Milliseconds) -> Edited:
    """Work an edit into the drafts of the documents that it may change; the result says whether they changed."""
    words = words.strip()
    if found := LANGUAGES[language_of(words)].replaces.fullmatch(words):
        return _replace(found["old"].strip(), found["new"].strip(), pages, evidence)
    what = _first_group(_DELETE, words.rstrip("。.!！?？ "))
    if what is not None and (edited := _delete(what, pages, evidence)).result == "modified":
        return edited
    said = [Said(statement, 0, evidence, at) for statement in read_message([Block(BlockKind.PARAGRAPH, words)])]
    kept = [each for each in said if isinstance(each.statement, Keep)]
    if not kept and (line := _first_group(_ADD, words)) and SECRET_MASK not in line:
        kept = [Said(_as_told(line), 0, evidence, at)]
    if kept:
        return _add(kept, pages, scope)
    what = next((each.statement.what for each in said if isinstance(each.statement, Forget)), what)
    if what is None:
        return Edited("clarification_required", "no rule understands this edit")
    return _delete(what.rstrip("。.!！?？ "), pages, evidence)


def _first_group(pattern: re.Pattern[str], words: str) -> str | None:
    found = pattern.fullmatch(words)
    return next((value.strip() for value in found.groups() if value), None) if found else None


def _as_told(line: str) -> Keep:
    words = " ".join(line.split()).rstrip("。. ")
    return Keep(words, language_of(words), Act.FACT, Topic.DECISIONS, "added as asked", None)


def points_at(words: str) -> str | None:
    """The words of the memory that a request names, where a rule reads it: what is to be replaced or removed."""
    words = words.strip()
    if found := LANGUAGES[language_of(words)].replaces.fullmatch(words):
        return found["old"].strip()
    deleted = _first_group(_DELETE, words.rstrip("。.!！?？ "))
    return None if deleted is None else without_pointing(deleted)


def _replace(old: str, new: str, pages: Sequence[Page], evidence: EvidenceRef) -> Edited:
    """Only where ``old`` stands word for word in exactly one line."""
    places = [(page, section, at) for page in pages for section, at in page.places()]
    hits = [(page, section, at) for page, section, at in places if _whole(old).search(section.lines[at].text)]
    if len(hits) != 1:
        if not hits and any(_whole(new).search(section.lines[at].text) for _, section, at in places):
            return Edited("already_satisfied", "it already says so")
        return Edited("clarification_required", f"{len(hits)} lines hold the words to replace; {_searched(pages)}")
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
    chosen = [page for page in pages if page.listing.scope == scope]
    refused = file_all(said, chosen, scope, only=scope)
    if any(section.changed for page in chosen for section in page.sections or ()):
        return Edited("modified", "added as asked")
    if refused and all(each.reason is Reason.KNOWN for each in refused):
        return Edited("already_satisfied", Reason.KNOWN)
    return Edited("clarification_required", "; ".join(dict.fromkeys(each.reason for each in refused)))


def _delete(what: str, pages: Sequence[Page], evidence: EvidenceRef) -> Edited:
    places = [place for page in pages for place in page.places()]
    pointed = pointed_at(what, [bare(section.lines[at].text) for section, at in places])
    if not pointed:
        return Edited("clarification_required", f"no line matches what is to be removed; {_searched(pages)}")
    if len(pointed) > 1 and _ONE.search(what):
        return Edited("clarification_required", f"{len(pointed)} lines match what is to be removed; {_searched(pages)}")
    for index in reversed(pointed):
        section, at = places[index]
        drop(section, at, evidence, "removed as asked")
    return Edited("modified", "removed as asked")


def _searched(pages: Sequence[Page]) -> str:
    """An edit of a project cannot reach the profile, and a person who looks for a line there must learn it."""
    return "searched: " + (", ".join(page.listing.target for page in pages if page.sections is not None) or "nothing")
