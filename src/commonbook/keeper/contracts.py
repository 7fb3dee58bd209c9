"""What Core shares with the two sides: deliveries from Service, and the port that every memory agent implements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from commonbook.clock import Clock, IdMaker, Milliseconds
from commonbook.errors import Code
from commonbook.ledger.database import Ledger
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import (
    BlockKind,
    ConsideredBy,
    Digest,
    EvidenceRef,
    Handle,
    JobId,
    ObservationId,
    Provenance,
    ProviderClass,
    Role,
    Scope,
    Source,
    Target,
    TaskKind,
    TurnState,
)

# --- what Core stands on ---------------------------------------------------------------------------------------------

Mark = Callable[[str], None]
"""Called with the name of each durable step just before it is taken, so that a test can stop the process there."""


def no_mark(_step: str) -> None: ...


RecordText = Callable[[str, bytes], str | None]
"""Host and the bytes of one transcript record → the message's text, as the host's reader gives it; ``None`` for none.
Core knows no host, so whoever composes the program hands this in."""


def no_record_text(_host: str, _record: bytes) -> str | None:
    return None


@dataclass(frozen=True)
class Store:
    """One opened memory. Everything in Core is a function that takes a store; nothing in Core is global."""

    home: Home
    settings: Settings
    ledger: Ledger
    clock: Clock
    new_id: IdMaker
    mark: Mark = no_mark
    record_text: RecordText = no_record_text


# --- deliveries: Service → Core --------------------------------------------------------------------------------------
# Places, messages and turns are named tuples: a history has millions of them, and a frozen dataclass takes three times as long.


class Place(NamedTuple):
    """Where a record stands: transcript path, first byte, number of bytes."""

    path: str
    start: int
    length: int


class UserMessage(NamedTuple):
    """The user's words. ``origin`` is the host session where they were first said; ``None`` when a fork's parent is gone,
    and then the delivery is recognised by record id, time and digest."""

    record: str
    origin: str | None
    text: str
    observed_at: Milliseconds
    place: Place | None
    has_images: bool = False


class ContextMessage(NamedTuple):
    """An assistant or tool message of the turn.

    One that stands in a transcript has its ``place``, and ``digest`` is of the record's bytes there: it is read when a
    run may see it, so ``text`` is not asked for. One of a channel without a file has its ``text``, and the digest of
    that.
    """

    record: str
    role: Literal[Role.ASSISTANT, Role.TOOL]
    text: str | None
    at: Milliseconds
    place: Place | None
    digest: Digest


class SettledTurn(NamedTuple):
    """One turn that has ended, its messages in physical order. ``continues``: context that belongs to the turn before
    (the host went on after a terminal record); such a turn holds no user message."""

    host_turn: str
    state: Literal[TurnState.SETTLED, TurnState.INTERRUPTED]
    settle_cause: str
    opened_at: Milliseconds
    settled_at: Milliseconds
    messages: tuple[UserMessage | ContextMessage, ...]
    continues: bool = False


@dataclass(frozen=True)
class SessionFacts:
    """What is known about the session a turn was spoken in. ``scope`` was found from ``cwd`` by ``keeper.projects``."""

    host: str
    host_session: str
    parent: str | None
    path: str | None
    cwd: str | None
    scope: Scope
    provider: str | None
    provider_class: ProviderClass
    started_at: Milliseconds


@dataclass(frozen=True)
class CursorUpdate:
    """The capture cursor after these turns; stored in the same transaction as they are."""

    root: str
    path: str
    position: str
    waiting_bytes: int
    grown_at: Milliseconds


@dataclass(frozen=True)
class Taken:
    """What ingress did with a group of turns; counts of user messages unless said otherwise."""

    accepted: int = 0
    duplicate: int = 0
    conflict: int = 0
    held: int = 0
    refused: int = 0
    masked: int = 0
    """Messages in which at least one secret was masked."""
    context: int = 0
    """Assistant and tool messages recorded."""


# --- one claimed batch -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClaimedObservation:
    id: ObservationId
    scope: Scope
    source: Source
    provenance: Provenance
    text: str
    observed_at: Milliseconds
    turn: str | None
    ordinal: int
    label: str | None


@dataclass(frozen=True)
class Claim:
    """A batch under a lease. ``token`` + ``generation`` fence every later step (``STALE_LEASE``)."""

    job: JobId
    token: str
    generation: int
    scope: Scope
    task_kind: TaskKind
    observations: tuple[ClaimedObservation, ...]


# --- the port: Core → Agent ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BundleSummary:
    """Sizes and origin of one bundle; no text, no label."""

    handle: Handle
    source: str
    provenance: Provenance
    scope: Scope
    blocks: int
    bytes: int
    observed_at: Milliseconds
    role: Role
    current: bool
    """False for an earlier turn: optional to read, never evidence."""


@dataclass(frozen=True)
class MemoryTask:
    """What an agent is told at the start. It holds no text of any kind."""

    version: Literal["memory_task_v1"]
    task_kind: TaskKind
    request_id: JobId
    now: Milliseconds
    scope: Scope
    bundles: tuple[BundleSummary, ...]
    snapshot: Handle
    writable_scopes: tuple[Scope, ...]
    decision_schema: Mapping[str, Any] = field(repr=False)


ContextOnly = Literal["context_only"]


@dataclass(frozen=True)
class BlockDescriptor:
    block: str
    parent: str | None
    kind: BlockKind
    order: int
    bytes: int
    label: str | None
    """Heading text of a section, at most 128 characters; ``None`` for every other kind."""
    evidence: EvidenceRef | ContextOnly
    provenance: Provenance
    role: Role
    unavailable: str | None = None


@dataclass(frozen=True)
class IngestPage:
    """At most 32 descriptors; ``next_offset`` is ``None`` at the end."""

    handle: Handle
    blocks: tuple[BlockDescriptor, ...]
    next_offset: int | None


@dataclass(frozen=True)
class IngestText:
    """At most 8 KiB of one block; offsets are UTF-8 bytes within the block."""

    handle: Handle
    descriptor: BlockDescriptor
    offset: int
    text: str
    next_offset: int | None


@dataclass(frozen=True)
class SectionListing:
    """``ref`` is ``s1``…``sn`` within this snapshot's document."""

    ref: str
    title: str
    bytes: int


@dataclass(frozen=True)
class DocumentListing:
    target: Target
    scope: Scope
    exists: bool
    bytes: int
    soft_budget: int
    hard_budget: int
    writable: bool
    outside_grammar: bool
    sections: tuple[SectionListing, ...]


@dataclass(frozen=True)
class MemoryManifest:
    snapshot: Handle
    documents: tuple[DocumentListing, ...]
    next_offset: int | None


@dataclass(frozen=True)
class MemoryPage:
    """At most 8 KiB of one document of the snapshot."""

    snapshot: Handle
    document: DocumentListing
    offset: int
    text: str
    next_offset: int | None


@dataclass(frozen=True)
class ProcessingState:
    """Bytes of required material read so far; says nothing about understanding."""

    read_bytes: int
    total_bytes: int
    complete: bool
    documents_read: tuple[Target, ...]


@dataclass(frozen=True)
class Submission:
    """The one valid submission of a run: ``decision`` is the ``keeper.decision.Decision`` that passed every guard."""

    digest: Digest


class ReadGrant(Protocol):
    """What one run may read, and its one-shot submission. Every method raises ``GrantError``; ``submit`` also
    ``DecisionError``. After the run, or when the lease is lost, everything answers ``EXPIRED_TASK`` / ``STALE_LEASE``."""

    def inspect_ingest(self, handle: Handle, offset: int = 0) -> IngestPage: ...

    def read_ingest(self, handle: Handle, block: str, offset: int = 0) -> IngestText: ...

    def inspect_memory(
        self, handle: Handle, target: Target | None = None, offset: int = 0
    ) -> MemoryManifest | MemoryPage: ...

    def processing_state(self) -> ProcessingState: ...

    def submit(self, decision: Mapping[str, Any]) -> Submission: ...


class RunControl(Protocol):
    def cancelled(self) -> bool: ...

    def check_lease(self) -> None:
        """Raises ``CommitError(STALE_LEASE)`` when the batch is no longer ours."""

    def recover(self, cause: Code) -> bool:
        """Ask for one of the shared automatic recoveries; ``False`` when the budget is used up."""
        ...


@dataclass(frozen=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class AgentOutcome:
    """How a run ended: ``failure`` is ``None`` exactly when a valid decision was submitted to the grant.

    ``agent`` names implementation and version (``rules/1``); ``prompt_digest`` is 64 lower-case hex characters.
    """

    failure: Code | None
    agent: str
    prompt_digest: str
    usage: Usage = Usage()
    turns: int = 0
    tool_calls: int = 0


class MemoryAgent(Protocol):
    @property
    def kind(self) -> ConsideredBy: ...

    async def run(self, task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome: ...

    async def close(self) -> None: ...
