"""What may be read right now: what was asked for, what the person allows, and what is registered. Checked on every call."""

from collections.abc import Sequence

from commonbook.book.registry import read_projects
from commonbook.errors import Code, UsageError
from commonbook.settings.model import Settings, scope_allowed
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, Scope, project_scope


def readable_contexts(home: Home, settings: Settings) -> tuple[Scope, ...]:
    """``global`` and every registered project, as far as ``read.scopes`` allows them."""
    registered = (project_scope(project.id) for project in read_projects(home) if project.state == "registered")
    return tuple(scope for scope in (GLOBAL, *registered) if scope_allowed(scope, settings.read.scopes))


def allowed_contexts(home: Home, settings: Settings, requested: Sequence[str]) -> tuple[Scope, ...]:
    """The requested contexts, each once; every readable one when none is named.

    Raises ``UsageError(CONTEXT_UNAVAILABLE)`` for one that is unknown, removed or not allowed: an answer that silently
    left it out would look like an empty memory.
    """
    readable = readable_contexts(home, settings)
    for context in requested:
        if context not in readable:
            raise UsageError(Code.CONTEXT_UNAVAILABLE, context=context, contexts=", ".join(readable) or "-")
    return tuple(scope for scope in readable if not requested or scope in requested)
