"""What one MCP process may read: fixed at launch; no argument, client name or prompt can widen it."""

import re
from dataclasses import dataclass

from commonbook.channels.gateway.operations import FindContext, Gateway
from commonbook.errors import Code, UsageError

CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


@dataclass(frozen=True)
class Profile:
    """``workspaces``: folders whose project is looked up on every call, so that a removed project is gone at once.
    ``projects``: pinned ids; a folder registered anew has a new id, and then the pin is unavailable, never rebound."""

    client_id: str
    whole: bool
    workspaces: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not CLIENT_ID.fullmatch(self.client_id):
            raise UsageError(Code.INVALID_ARGUMENTS, argument="--client-id", rule="[A-Za-z0-9_-]{1,128}")


def contexts(profile: Profile, gateway: Gateway) -> tuple[str, ...]:
    """The contexts that are readable now: ``global`` where allowed, then the projects that are still registered."""
    lookups = [FindContext(path=path) for path in profile.workspaces]
    lookups += [FindContext(project=project) for project in profile.projects]
    found = [gateway.call(lookup).context for lookup in lookups]
    named = (["global"] if profile.whole else []) + [context for context in found if context and context != "global"]
    return tuple(dict.fromkeys(named))


def chosen(profile: Profile, gateway: Gateway, context_id: str | None) -> tuple[str, ...]:
    """All readable contexts, or the one asked for; ``CONTEXT_UNAVAILABLE`` when it is not (or no longer) among them."""
    readable = contexts(profile, gateway)
    if context_id is None:
        return readable
    if context_id not in readable:
        raise UsageError(Code.CONTEXT_UNAVAILABLE, context=context_id, contexts=", ".join(readable) or "-")
    return (context_id,)
