"""From what a person calls a document or a project to its one name. Only registered projects can be named."""

from collections.abc import Sequence

from commonbook.channels.gateway.views import ContextView
from commonbook.errors import Code, UsageError
from commonbook.vocabulary import GLOBAL_TARGETS, Scope, Target, folded, scope_targets


def context_named(contexts: Sequence[ContextView], words: str) -> str:
    """The context of a project's id or name (case does not matter).

    Raises ``UNKNOWN_PROJECT`` when no project, or more than one, is called so; ``known`` lists what can be said.
    """
    projects = {each.context: each.name for each in contexts if each.context and each.context != "global"}
    exact = [context for context in projects if context in (words, f"project:{words}")]
    named = exact or [context for context, name in projects.items() if folded(name) == folded(words)]
    if len(named) == 1:
        return named[0]
    known = ", ".join(context.removeprefix("project:") for context in projects) or "-"
    raise UsageError(Code.UNKNOWN_PROJECT, id=words, known=known)


def target_named(contexts: Sequence[ContextView], words: str) -> Target:
    """``profile``, ``preferences``, ``projects/<id>`` (also with ``.md``), or a project's id or name → its document."""
    name = words.strip().removesuffix(".md")
    for target in GLOBAL_TARGETS:
        if name.casefold() == target:
            return target
    try:
        context = context_named(contexts, name.removeprefix("projects/"))
    except UsageError as error:
        known = ", ".join((*GLOBAL_TARGETS, str(error.detail["known"])))
        raise UsageError(Code.UNKNOWN_TARGET, target=words, known=known) from None
    return scope_targets(Scope(context))[0]
