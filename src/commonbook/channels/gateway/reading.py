"""Reading back, from files alone: current documents, search, contexts. Opens no runtime database, creates no folder."""

import secrets
from dataclasses import replace
from typing import TypeVar, assert_never, cast

from commonbook.book.marker import wrap
from commonbook.book.registry import Project, read_projects
from commonbook.book.roots import KnownRoot, find_root
from commonbook.channels.gateway.operations import (
    FindContext,
    ListContexts,
    Listener,
    Operation,
    ReadMemory,
    SearchMemory,
)
from commonbook.channels.gateway.views import ContextView, DocumentView, MemoryView, Problem, SearchView, Segment
from commonbook.errors import Code, UsageError
from commonbook.settings.model import Settings, scope_allowed
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, Scope, project_scope

R = TypeVar("R")
ReadOperation = ReadMemory | SearchMemory | FindContext | ListContexts


class ReadGateway:
    """A gateway that can do nothing but read; safe to use from several threads, as it holds nothing open."""

    def __init__(self, home: Home, settings: Settings) -> None:
        self._home, self._settings = home, settings

    def call(self, operation: Operation[R], *, request_id: str | None = None, listen: Listener | None = None) -> R:
        """Raises ``MEMORY_UNAVAILABLE`` for anything that is not a read."""
        if not isinstance(operation, ReadOperation):
            raise UsageError(Code.MEMORY_UNAVAILABLE)
        return cast(R, answer(self._home, self._settings, operation))

    def close(self) -> None: ...


def answer(
    home: Home, settings: Settings, operation: ReadOperation
) -> MemoryView | SearchView | ContextView | tuple[ContextView, ...]:
    match operation:
        case ReadMemory():
            return _read(home, settings, operation)
        case SearchMemory():
            return _search(home, settings, operation)
        case FindContext(path=path, project=project):
            return _context_at(home, settings, path) if project is None else _pinned(home, settings, project)
        case ListContexts():
            return every_context(home, settings)
        case _:
            assert_never(operation)


def _read(home: Home, settings: Settings, asked: ReadMemory) -> MemoryView:
    from commonbook.recall.reader import read_current

    found = read_current(home, settings, asked.contexts or _contexts_at(home, settings, asked.cwd))
    documents = (DocumentView(**vars(document)) for document in found.documents)
    return MemoryView(
        guidance=found.guidance,
        contexts=found.contexts,
        documents=tuple(replace(each, content=_text(asked, each.target, each.content)) for each in documents),
        empty=found.empty,
        rendered=found.rendered,
        unreadable=tuple(Problem(each.code.value, each.target) for each in found.unreadable),
    )


def _search(home: Home, settings: Settings, asked: SearchMemory) -> SearchView:
    from commonbook.recall.search import Hit, SearchRequest, retrieve

    def segments(hits: tuple[Hit, ...]) -> tuple[Segment, ...]:
        return tuple(
            Segment(hit.target, hit.heading, text, hit.score, hit.date, hit.context, hit.sources, trace=hit.trace)
            for hit in hits
            for text in (_text(asked, hit.target, hit.text),)
        )

    contexts = asked.contexts or _contexts_at(home, settings, asked.cwd)
    request = SearchRequest(asked.query, asked.k, contexts, asked.tracks, asked.budget, asked.trace)
    found = retrieve(home, settings, request)
    return SearchView(segments(found.segments), segments(found.skills), segments(found.resources), found.stale)


def _text(asked: ReadMemory | SearchMemory, target: str, text: str) -> str:
    return wrap(target, text, secrets.token_hex(8)) if asked.marked and text else text


def _contexts_at(home: Home, settings: Settings, cwd: str | None) -> tuple[str, ...]:
    """What holds in a folder, as far as it may be read; nothing named (= everything) without a folder.

    Raises ``CONTEXT_UNAVAILABLE`` where nothing of it may be read: an empty answer would mean everything.
    """
    if cwd is None:
        return ()
    here = _context_at(home, settings, cwd).context or GLOBAL
    named = tuple(
        context for context in dict.fromkeys((GLOBAL, here)) if scope_allowed(Scope(context), settings.read.scopes)
    )
    if not named:
        readable = ", ".join(str(each.context) for each in every_context(home, settings)) or "-"
        raise UsageError(Code.CONTEXT_UNAVAILABLE, context=here, contexts=readable)
    return named


def _context_at(home: Home, settings: Settings, path: str | None) -> ContextView:
    projects = {project.id: project for project in _registered(home)}
    roots = [KnownRoot(each.id, each.root, each.rule == "person") for each in projects.values()]
    match = find_root(path, roots) if path else None
    if match is None:
        return ContextView(GLOBAL, GLOBAL, "home")
    if match.known is None:
        return ContextView(None, match.name, "unknown")
    return _allowed(settings, projects[match.known], "registered")


def _pinned(home: Home, settings: Settings, project: str) -> ContextView:
    for each in _registered(home):
        if each.id == project:
            return _allowed(settings, each, "registered")
    return ContextView(None, project, "unknown")


def every_context(home: Home, settings: Settings) -> tuple[ContextView, ...]:
    whole = [ContextView(GLOBAL, GLOBAL, "global")] if scope_allowed(GLOBAL, settings.read.scopes) else []
    found = [_allowed(settings, project, project.rule) for project in _registered(home)]
    return (*whole, *(each for each in found if each.context))


def _registered(home: Home) -> tuple[Project, ...]:
    return tuple(project for project in read_projects(home) if project.state == "registered")


def _allowed(settings: Settings, project: Project, rule: str) -> ContextView:
    scope: Scope = project_scope(project.id)
    readable = scope_allowed(scope, settings.read.scopes)
    return ContextView(scope if readable else None, project.name, rule if readable else "not_allowed")
