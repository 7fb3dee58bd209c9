"""The closed sets and the ids that every room speaks in; the words themselves are explained in docs/consistency.md."""

import hashlib
import re
import unicodedata
from enum import StrEnum
from typing import Literal, NewType

Scope = NewType("Scope", str)
"""Where a fact applies: ``global`` or ``project:<project id>``."""
Target = NewType("Target", str)
"""A canonical document: ``profile``, ``preferences`` or ``projects/<project id>``."""
ProjectId = NewType("ProjectId", str)
ObservationId = NewType("ObservationId", str)
MessageId = NewType("MessageId", str)
SessionId = NewType("SessionId", str)
"""Our own id of a host session (the host's id is ``host_session``)."""
TurnId = NewType("TurnId", str)
BatchId = NewType("BatchId", str)
JobId = NewType("JobId", str)
Handle = NewType("Handle", str)
"""A bundle: ``ingest_<observation>`` (evidence) or ``session_ingest_<message>`` (context)."""
EvidenceRef = NewType("EvidenceRef", str)
"""``ev_<observation>``."""
Digest = NewType("Digest", str)
"""64 lower-case hex characters: SHA-256."""

GLOBAL = Scope("global")
PROFILE = Target("profile")
PREFERENCES = Target("preferences")
GLOBAL_TARGETS = (PROFILE, PREFERENCES)
SECRET_MASK = "[secret removed]"  # noqa: S105 - what stands where a secret stood
PROJECT_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?-[0-9a-f]{4}")


_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Signs that nobody sees, or that only turn the direction of others (Unicode's Default_Ignorable_Code_Point)."""
_JOINED = "\u0600-\u109f\u1700-\u1cff\ufe0f\u2190-\u2bff\U0001f000-\U0001faff"
"""Scripts in which a joiner is part of the spelling, and emoji, which are put together by it."""
_ALL_UNSEEN = re.compile(f"[{_UNSEEN}]")
_SIGNS = re.compile(
    f"((?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f]"  # which form of the sign before
    "|\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f)"  # the flag of a region
    f"|[{_UNSEEN}]"
)


class Provenance(StrEnum):
    """Who is speaking. Only the first is the user."""

    USER_EXPLICIT = "user_explicit"
    AGENT_OBSERVATION = "agent_observation"
    DOCUMENT_IMPORT = "document_import"
    CONVERSATION_CONTEXT = "conversation_context"


class Source(StrEnum):
    """How a delivery reached us; each maps to exactly one provenance (``SOURCE_PROVENANCE``)."""

    INTERACTIVE = "interactive"
    RPC = "rpc"
    MCP_USER_SUBMISSION = "mcp_user_submission"
    HOST_USER_DELIVERY = "host_user_delivery"
    TRANSCRIPT_USER = "transcript_user"
    AGENT_IMPORT = "agent_import"
    DOCUMENT_IMPORT = "document_import"


SOURCE_PROVENANCE: dict[Source, Provenance] = {
    Source.INTERACTIVE: Provenance.USER_EXPLICIT,
    Source.RPC: Provenance.USER_EXPLICIT,
    Source.MCP_USER_SUBMISSION: Provenance.USER_EXPLICIT,
    Source.HOST_USER_DELIVERY: Provenance.USER_EXPLICIT,
    Source.TRANSCRIPT_USER: Provenance.USER_EXPLICIT,
    Source.AGENT_IMPORT: Provenance.AGENT_OBSERVATION,
    Source.DOCUMENT_IMPORT: Provenance.DOCUMENT_IMPORT,
}


class TaskKind(StrEnum):
    OBSERVATION = "observation"
    EDIT = "edit"


class ObservationState(StrEnum):
    """``buffered → pending → claimed → processed``, and the four places where a delivery rests."""

    BUFFERED = "buffered"
    PENDING = "pending"
    CLAIMED = "claimed"
    PROCESSED = "processed"
    PAUSED = "paused"
    DEAD = "dead"
    QUARANTINED = "quarantined"
    HELD = "held"


class JobState(StrEnum):
    RUNNING = "running"
    RETRY = "retry"
    PAUSED = "paused"
    DEAD = "dead"
    DONE = "done"
    QUARANTINED = "quarantined"


class TurnState(StrEnum):
    OPEN = "open"
    SETTLED = "settled"
    INTERRUPTED = "interrupted"
    INCOMPLETE = "incomplete"


class BlockKind(StrEnum):
    """Structure, never meaning."""

    CONVERSATION = "conversation"
    SECTION = "section"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"
    CODE = "code"
    LIST = "list"
    TABLE = "table"


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class ConsideredBy(StrEnum):
    """Which kind of agent (or person) has looked at a delivery; what a lesser one ignored may be reconsidered."""

    RULES = "rules"
    MODEL = "model"
    HOSTED = "hosted"
    PERSON = "person"


class ProviderClass(StrEnum):
    LOCAL = "local"
    REMOTE = "remote"
    UNKNOWN = "unknown"


DecisionKind = Literal["retain", "forget", "maintain", "ignore"]
Applicability = Literal["global", "project", "uncertain"]
Admission = Literal["remember", "update", "correct"]
Lifetime = Literal["stable", "until_changed"]
EditResult = Literal["modified", "already_satisfied", "clarification_required", "refused"]
DeliveryResult = Literal["accepted", "duplicate", "conflict", "held", "refused"]


def project_scope(project: ProjectId) -> Scope:
    return Scope(f"project:{project}")


def scope_project(scope: Scope) -> ProjectId | None:
    """The project id of a project scope, ``None`` for ``global``."""
    return ProjectId(scope.removeprefix("project:")) if scope.startswith("project:") else None


def scope_targets(scope: Scope) -> tuple[Target, ...]:
    """The canonical documents that belong to a scope."""
    project = scope_project(scope)
    return GLOBAL_TARGETS if project is None else (Target(f"projects/{project}"),)


def target_scope(target: Target) -> Scope:
    """The scope a document belongs to (inverse of ``scope_targets``)."""
    return project_scope(ProjectId(target.removeprefix("projects/"))) if target.startswith("projects/") else GLOBAL


def sha256(data: bytes | str) -> Digest:
    """SHA-256 of bytes, or of a text's UTF-8 (lone surrogates kept, so that every text has a digest)."""
    return Digest(
        hashlib.sha256(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")).hexdigest()
    )


def folded(text: str) -> str:
    """NFKC, case and white space folded, unseen signs left out: two texts that a person would call the same are equal after
    it."""
    if text.isascii():  # NFKC leaves ASCII alone, and most texts are
        return " ".join(text.lower().split())
    return " ".join(_ALL_UNSEEN.sub("", unicodedata.normalize("NFKC", text).casefold()).split())


def unseen(text: str) -> frozenset[str]:
    """The signs in it that nobody sees and no spelling needs: they hide words from a reader, or turn them round."""
    return frozenset() if text.isascii() else frozenset(found[0] for found in _SIGNS.finditer(text) if not found[1])


def visible(text: str) -> str:
    """The text without such signs; what an emoji, a Persian or an Indian word is spelt with stays."""
    return text if text.isascii() else _SIGNS.sub(r"\1", text)


def content_digest(text: str) -> Digest:
    """Digest of the folded text: what forgetting and duplicate checks compare."""
    return sha256(folded(text))


def evidence_ref(observation: ObservationId) -> EvidenceRef:
    return EvidenceRef(f"ev_{observation}")


def observation_handle(observation: ObservationId) -> Handle:
    return Handle(f"ingest_{observation}")


def message_handle(message: MessageId) -> Handle:
    return Handle(f"session_ingest_{message}")
