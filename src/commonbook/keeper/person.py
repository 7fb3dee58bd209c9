"""``remember`` and ``forget``: a person's own words, planned to the exact line first, committed at once when they say so.

A line matches ``forget`` when it contains the words as they stand (folded, whole words), or all the significant ones, in any
order; of Chinese, Japanese and Korean every character counts. What is indented under a list item goes with it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from commonbook.book.grammar import Section
from commonbook.book.patch import Put, Remove, apply
from commonbook.clock import Milliseconds
from commonbook.errors import Code, DecisionError, UsageError
from commonbook.keeper.commit import commit_person
from commonbook.keeper.contracts import Store
from commonbook.keeper.hand import Forgets
from commonbook.keeper.lines import keys_of, line_key, mentions, text_mentions, undated, units
from commonbook.keeper.projects import project_hold
from commonbook.keeper.safety import has_secret
from commonbook.keeper.screening import clean
from commonbook.keeper.snapshot import SnapshotDocument, read_document
from commonbook.keeper.work import Committed
from commonbook.ledger import commit as table
from commonbook.settings.model import KIB
from commonbook.vocabulary import (
    GLOBAL,
    PREFERENCES,
    PROFILE,
    Digest,
    JobId,
    Scope,
    Target,
    folded,
    scope_project,
    scope_targets,
    sha256,
    visible,
)

WORDS_LIMIT = 4 * KIB
"""Of a line to remember, UTF-8 bytes."""
_CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_SELF = re.compile(
    r"^(?:i\s*(?:am|'m|’m)\b|my (?:name|job|role|title|timezone|time zone|birthday|pronouns)\b|call me\b|i (?:live|work|study)\b)"
    r"|^(?:我叫|我是|我的名字|叫我|我住|我在.{0,20}(?:工作|上班|上学)|请叫我)",
    re.IGNORECASE,
)
"""Who somebody is belongs in the profile; what they want, in the preferences."""


@dataclass(frozen=True)
class PlannedChange:
    """``expected`` names this exact change of this exact document: what is confirmed is what is committed."""

    target: Target
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    expected: str
    digest: Digest
    change: Put | Remove


@dataclass(frozen=True)
class PersonPlan:
    """Without changes there is nothing to do: the line stands there already."""

    kind: Literal["remember", "forget"]
    words: str
    scope: Scope
    changes: tuple[PlannedChange, ...]
    scopes: tuple[Scope, ...] = ()
    """Where a forget looks."""
    messages: tuple[str, ...] = ()
    """Observations that say the words: waiting, put aside, ignored or remembered. They lose their words with the lines."""


def plan_remember(store: Store, words: str, scope: Scope) -> PersonPlan:
    """Where the line would go; writes nothing.

    Raises ``UsageError``: ``INVALID_TEXT_SIZE``, ``SENSITIVE_CONTENT_REJECTED``, ``UNKNOWN_PROJECT``; ``DecisionError``:
    ``DOCUMENT_OUTSIDE_GRAMMAR`` (target, line), ``DOCUMENT_FULL``, ``INVALID_MARKDOWN``.
    """
    words = visible(clean(words))  # a terminal hands over bytes that are no UTF-8 as lone surrogates
    line = " ".join(words.split())
    if not line_key(line) or len(line.encode("utf-8", "surrogatepass")) > WORDS_LIMIT:
        raise UsageError(Code.INVALID_TEXT_SIZE, limit=WORDS_LIMIT)
    if has_secret(words):
        raise UsageError(Code.SENSITIVE_CONTENT_REJECTED)
    _check_scope(store, scope)
    for target in scope_targets(scope):
        there = keys_of((read_document(store, target).data or b"").decode("utf-8", "replace"))
        if line_key(undated(line)) in {undated(key) for key in there}:
            return PersonPlan("remember", line, scope, ())
    document = read_document(store, _place(line, scope))
    title = "备忘" if _CHINESE.search(line) else "Notes"
    section = document.document.section(title)
    body = document.document.body(section).strip("\r\n") if section else ""
    added = f"- {line}" if undated(line) != line else f"- {line} ({_day(store.clock.now())})"
    change = Put(
        section.title if section else title, f"{body}\n{added}".lstrip("\n"), section.title if section else None
    )
    return PersonPlan("remember", line, scope, (_planned(store, document, change, (added,), ()),))


def _day(at: Milliseconds) -> str:
    """UTC, as the dates of all other lines."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d")


def plan_forget(store: Store, words: str, scopes: Sequence[Scope]) -> PersonPlan:
    """Which lines would go, in every document of these scopes, and which messages; writes nothing.

    Raises ``UsageError``: ``NOTHING_FOUND``, ``INVALID_TEXT_SIZE``, ``UNKNOWN_PROJECT``; ``DecisionError``:
    ``DOCUMENT_OUTSIDE_GRAMMAR`` where lines match but the document must be mended first.
    """
    if not line_key(words):
        raise UsageError(Code.INVALID_TEXT_SIZE, limit=WORDS_LIMIT)
    found: list[PlannedChange] = []
    for scope in dict.fromkeys(scopes):
        _check_scope(store, scope)
        for target in scope_targets(scope):
            document = read_document(store, target)
            _refuse_outside(document, words)
            for section in document.document.sections:
                change = _without(document, section, words)
                if change is not None:
                    kept = change.body if isinstance(change, Put) else ""
                    removed = _lost(document.document.body(section), kept)
                    found.append(_planned(store, document, change, (), removed))
    messages = tuple(
        identity
        for scope in dict.fromkeys(scopes)
        for identity, text in table.texts_of_scope(store.ledger, scope)
        if text_mentions(text, words)
    )
    if not found and not messages:
        raise UsageError(Code.NOTHING_FOUND)
    return PersonPlan("forget", words, scopes[0] if scopes else GLOBAL, tuple(found), tuple(scopes), messages)


def _refuse_outside(document: SnapshotDocument, words: str) -> None:
    """A file outside the grammar that says the words, perhaps before its first section, is not "nothing found"."""
    text = (document.data or b"").decode("utf-8", "replace")
    if document.outside is not None and any(mentions(line, words) for line in text.splitlines()):
        raise DecisionError(Code.DOCUMENT_OUTSIDE_GRAMMAR, target=document.target, line=document.outside)


def commit_plan(store: Store, plan: PersonPlan) -> Committed:
    """Commit exactly what was planned. Raises ``CommitError(STALE_REVISION)`` when a document has changed since."""
    if not plan.changes and not plan.messages:
        return Committed(JobId(""), (), None)
    changes: dict[Target, list[Put | Remove]] = {}
    for planned in plan.changes:
        changes.setdefault(planned.target, []).append(planned.change)
    expected: Mapping[Target, Digest] = {planned.target: planned.digest for planned in plan.changes}
    if plan.kind == "remember":
        return commit_person(store, changes, kind="retain", expected=expected, said=plan.words, scope=plan.scope)
    forgets = Forgets(plan.words, plan.scopes, plan.messages)
    return commit_person(store, changes, kind="forget", expected=expected, forgets=forgets, scope=plan.scope)


def _check_scope(store: Store, scope: Scope) -> None:
    if project_hold(store, scope) is not None:
        raise UsageError(Code.UNKNOWN_PROJECT, id=scope_project(scope) or scope)


def _place(line: str, scope: Scope) -> Target:
    if scope != GLOBAL:
        return scope_targets(scope)[0]
    return PROFILE if _SELF.match(line) else PREFERENCES


def _planned(
    store: Store, document: SnapshotDocument, change: Put | Remove, added: tuple[str, ...], removed: tuple[str, ...]
) -> PlannedChange:
    """Try it out, so that a plan which is shown can also be committed."""
    apply(document.data, document.target, [change], name=document.name, hard=store.settings.documents.hard)
    title = change.replaces or change.title if isinstance(change, Put) else change.title
    told = "\n".join([document.target, document.digest, title, *added, "", *removed])
    return PlannedChange(document.target, title, added, removed, sha256(told), document.digest, change)


def _without(document: SnapshotDocument, section: Section, words: str) -> Put | Remove | None:
    """The section without what matches; a matching title takes the whole section."""
    body = document.document.body(section)
    if mentions(section.title, words):
        return Remove(section.title)
    parts = units(body)
    kept = [
        part for part in parts if not any(mentions(line, words) for line in part[:1]) and not _fenced_match(part, words)
    ]
    kept = [_thinned(part, words) for part in kept]
    if kept == parts:
        return None
    text = "\n".join(line for part in kept for line in part).strip("\n")
    return Put(section.title, text, section.title) if _says_something(text) else Remove(section.title)


def _fenced_match(part: list[str], words: str) -> bool:
    """A block of code goes whole: half of one would be broken."""
    return part[0].lstrip().startswith(("```", "~~~")) and any(mentions(line, words) for line in part)


def _thinned(part: list[str], words: str) -> list[str]:
    """A list item that stays loses the lines under it that match."""
    if len(part) == 1 or part[0].lstrip().startswith(("```", "~~~")):
        return part
    return [part[0], *(line for line in part[1:] if not mentions(line, words))]


def _says_something(text: str) -> bool:
    """Whether more than headings is left."""
    return any(line_key(line) and not line.lstrip().startswith("#") for line in text.splitlines())


def _lost(before: str, after: str) -> tuple[str, ...]:
    left = [folded(line) for line in after.splitlines()]
    lost = []
    for line in before.splitlines():
        if folded(line) in left:
            left.remove(folded(line))
        elif line.strip():
            lost.append(line.strip())
    return tuple(lost)
