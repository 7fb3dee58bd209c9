"""What may be shown to an agent and how much of it: counted the same way everywhere, and nothing is ever truncated."""

from collections.abc import Sequence

import orjson

from commonbook.errors import Code
from commonbook.settings.model import Disclosure, Settings, scope_allowed
from commonbook.vocabulary import GLOBAL, ConsideredBy, Provenance, ProviderClass, Scope, TaskKind


def serialised_bytes(texts: Sequence[str]) -> int:
    """UTF-8 bytes of ``{"excerpts":[{"text":…}]}``: the measure of ``max_source_bytes`` and ``max_total_bytes``."""
    return len(orjson.dumps({"excerpts": [{"text": text} for text in texts]}))


def oversized(text: str, disclosure: Disclosure) -> bool:
    """Whether one source is over ``max_source_bytes``."""
    return disclosure.max_source_bytes is not None and serialised_bytes([text]) > disclosure.max_source_bytes


def hold_reason(settings: Settings, scope: Scope, provenance: Provenance) -> Code | None:
    """Why the settings keep such a source from the agent at present; it waits and goes on by itself once they allow
    it."""
    if provenance not in settings.disclosure.provenance:
        return Code.UNAUTHORIZED_PROVENANCE
    if not scope_allowed(scope, settings.disclosure.scopes):
        return Code.UNAUTHORIZED_SCOPE
    return None


def provider_allowed(disclosure: Disclosure, spoken_to: ProviderClass, by: ConsideredBy) -> bool:
    """Words spoken to a local model are shown to a remote one only if the user said so; ``rules`` runs in this process
    and sends nothing anywhere, and a person is not a provider."""
    if by in (ConsideredBy.RULES, ConsideredBy.PERSON):
        return True
    match spoken_to:
        case ProviderClass.REMOTE:
            return True
        case ProviderClass.LOCAL:
            return disclosure.allow_local_to_remote
        case ProviderClass.UNKNOWN:
            return False


def context_permitted(settings: Settings) -> bool:
    """Whether the text of assistant and tool messages may be kept where there is no transcript to read it from."""
    return Provenance.CONVERSATION_CONTEXT in settings.disclosure.provenance


def writable_scopes(settings: Settings, scope: Scope, task_kind: TaskKind) -> tuple[Scope, ...]:
    """Where a job of this scope may write: its own scope and global, as far as ``write.scopes`` allows; an edit only
    where the person asked for it."""
    own = (scope,) if task_kind is TaskKind.EDIT or scope == GLOBAL else (scope, GLOBAL)
    return tuple(candidate for candidate in own if scope_allowed(candidate, settings.write.scopes))
