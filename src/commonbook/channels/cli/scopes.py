"""``--scope``, ``--project`` and ``--global``: from what a person types to a context."""

from commonbook.channels.cli.desk import Desk
from commonbook.channels.gateway.names import context_named
from commonbook.channels.gateway.operations import ListContexts


def chosen_context(desk: Desk, words: str | None) -> str | None:
    """``global``, ``project:<id>``, an id or a project's name → a context; ``None`` stays ``None`` (the folder decides)."""
    if words is None or words == "global" or words.startswith("project:"):
        return words
    return context_named(desk.read(ListContexts()), words)
