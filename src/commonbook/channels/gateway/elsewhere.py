"""An edit that found nothing where it looked: where else the words that it is about stand."""

import re
from collections.abc import Iterator

from commonbook.agents.rules.edits import points_at
from commonbook.channels.gateway.reading import every_context
from commonbook.channels.gateway.views import Elsewhere
from commonbook.keeper.contracts import Store
from commonbook.keeper.lines import mentions, significant, undated
from commonbook.keeper.projects import list_projects
from commonbook.keeper.snapshot import read_document
from commonbook.vocabulary import GLOBAL, Scope, Target, scope_project, scope_targets

_OF_EDITS = re.compile(
    "add|change|delete|drop|edit|erase|forget|fix|into|instead|mend|please|remove|rename|replace|set|should|update|use|with"
)
"""Words that say what to do, not what it is about."""
_SHORTEST = 3


def elsewhere(store: Store, words: str, scope: Scope) -> tuple[Elsewhere, ...]:
    """Documents of other readable scopes that say what an edit is about; nothing where its own scope says it too."""
    others = [Scope(str(each.context)) for each in every_context(store.home, store.settings) if each.context != scope]
    for said in _subjects(words):
        if any(_lines(store, target, said) for target in scope_targets(scope)):
            return ()
        found = [
            Elsewhere(other, target, said, count)
            for other in others
            for target in scope_targets(other)
            if (count := _lines(store, target, said))
        ]
        if found:
            return tuple(found)
    return ()


def place_name(store: Store, scope: Scope) -> str:
    """What a person calls a scope: ``global``, or the project's name."""
    project = scope_project(scope)
    if scope == GLOBAL or project is None:
        return GLOBAL
    return next((each.name for each in list_projects(store, everything=True) if each.id == project), project)


def _subjects(words: str) -> Iterator[str]:
    """What a rule reads in the request; else each telling word, in its order."""
    named = points_at(words)
    if named is not None:
        yield named
        return
    telling = [word for word in significant(words) if not _OF_EDITS.fullmatch(word) and len(word) >= _SHORTEST]
    yield from sorted(telling, key=lambda word: words.casefold().find(word))


def _lines(store: Store, target: Target, words: str) -> int:
    text = (read_document(store, target).data or b"").decode("utf-8", "replace")
    return sum(mentions(undated(line), words) for line in text.splitlines() if not line.startswith("#"))
