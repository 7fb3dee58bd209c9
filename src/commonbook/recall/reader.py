"""The current documents, as they stand on the disk: no database, no lock, no folder created, no model, no key (05 §1)."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from commonbook.book.facts import read_facts
from commonbook.book.files import read_bounded
from commonbook.book.grammar import BOM, outline, title_digest
from commonbook.clock import Milliseconds
from commonbook.errors import PlaceError
from commonbook.recall.contexts import allowed_contexts
from commonbook.recall.corpus import stamp_of
from commonbook.recall.rendering import GUIDANCE, CurrentDocument, UnreadableDocument, render
from commonbook.recall.segments import Facts
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import Scope, Target, scope_targets


@dataclass(frozen=True)
class CurrentMemory:
    """``rendered`` is exactly what an agent gets. ``unreadable`` names what could not be served; the rest is."""

    guidance: str
    contexts: tuple[Scope, ...]
    documents: tuple[CurrentDocument, ...]
    unreadable: tuple[UnreadableDocument, ...]
    empty: bool
    rendered: str


def read_current(
    home: Home,
    settings: Settings,
    contexts: Sequence[str] = (),
    *,
    new_nonce: Callable[[], str] = lambda: secrets.token_hex(8),
) -> CurrentMemory:
    """The documents of the contexts (``global``, ``project:<id>``; none named = all that may be read), whole, in any state.

    A document that a person wrote outside our grammar is served like any other. Raises ``UsageError(CONTEXT_UNAVAILABLE)``.
    """
    allowed = allowed_contexts(home, settings, contexts)
    facts = _facts(home)
    documents: list[CurrentDocument] = []
    unreadable: list[UnreadableDocument] = []
    for scope in allowed:
        for target in scope_targets(scope):
            try:
                documents.append(_read(home, scope, target, facts))
            except PlaceError as error:
                unreadable.append(UnreadableDocument(target, scope, error.code))
    empty = not unreadable and all(document.empty for document in documents)
    rendered = render(documents, unreadable, new_nonce())
    return CurrentMemory(GUIDANCE, allowed, tuple(documents), tuple(unreadable), empty, rendered)


def _read(home: Home, scope: Scope, target: Target, facts: Facts) -> CurrentDocument:
    path = home.memory / f"{target}.md"
    data = read_bounded(path, below=home.data) if home.data.is_dir() else None
    if data is None:
        return CurrentDocument(target, scope, "", 0, True, None)
    stamp = stamp_of(path)
    date = _newest(target, data, facts) or (stamp.changed_at if stamp else None)
    return CurrentDocument(target, scope, data.decode("utf-8", "replace"), len(data), _is_empty(data), date)


def _newest(target: Target, data: bytes, facts: Facts) -> Milliseconds | None:
    """When the newest section was last said; a file's own time tells only when it was written."""
    dates = (
        facts[key].date for section in outline(data).sections if (key := (target, title_digest(section.title))) in facts
    )
    return max(dates, default=None)


def _is_empty(data: bytes) -> bool:
    """Whether there is no line but the document's first and the titles of its sections."""
    document = outline(data)
    lines = data[: document.sections[0].start if document.sections else len(data)].removeprefix(BOM).splitlines()
    opening = lines[1:] if lines and lines[0].startswith(b"# ") else lines
    return not any(line.strip() for line in opening) and not any(
        document.body(each).strip() for each in document.sections
    )


def _facts(home: Home) -> Facts:
    try:
        return read_facts(home)
    except PlaceError:
        return {}
