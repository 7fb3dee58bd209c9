"""What one run may read and its one submission: an exact snapshot, paged, counted, and closed when the run ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonbook.errors import Code, CommitError, GrantError, PlaceError
from commonbook.keeper import guards
from commonbook.keeper.contracts import (
    BlockDescriptor,
    BundleSummary,
    Claim,
    DocumentListing,
    IngestPage,
    IngestText,
    MemoryManifest,
    MemoryPage,
    MemoryTask,
    ProcessingState,
    SectionListing,
    Store,
    Submission,
)
from commonbook.keeper.coverage import Coverage, unread
from commonbook.keeper.decision import Proposal, decision_schema, operations_of, parse_proposal
from commonbook.keeper.lease import fence
from commonbook.keeper.limits import writable_scopes
from commonbook.keeper.material import Block, Bundle, load_material
from commonbook.keeper.recovery import recover
from commonbook.keeper.safety import find_secrets, has_secret
from commonbook.keeper.snapshot import Snapshot, SnapshotDocument, take_snapshot
from commonbook.keeper.standing import reconciled, stored
from commonbook.keeper.structure import section_label
from commonbook.ledger import queue as queue_table
from commonbook.settings.model import scope_allowed
from commonbook.vocabulary import (
    GLOBAL,
    BlockKind,
    Digest,
    Handle,
    ObservationState,
    Role,
    Scope,
    Target,
    TaskKind,
    scope_targets,
    sha256,
)

DESCRIPTORS = 32
"""On one page."""
SNAPSHOT = "snapshot"
WHOLE = "whole"


@dataclass(frozen=True)
class AcceptedProposal:
    """The one submission that passed. ``read``: documents of which the agent read anything."""

    proposal: Proposal
    digest: Digest
    read: frozenset[Target]


def open_grant(store: Store, claim: Claim) -> tuple[MemoryTask, "Grant"]:
    """Take the snapshot and the material of one run. Unfinished commits are recovered first: what they hold may be this batch.

    Raises ``CommitError``: ``STALE_LEASE``; ``DOCUMENT_OUTSIDE_GRAMMAR`` (target, line) and ``SENSITIVE_SECTION`` (target,
    section) when a document that the run might have to write needs the person first, because an agent that cannot write
    would let the words go. ``PlaceError``: a document cannot be read. ``GrantError(EXPIRED_TASK)``: a delivery turned out to
    hold a secret and was put aside.
    """
    recover(store)
    with store.ledger.read() as ledger:
        fence(ledger, claim, store.clock.now())
        bundles = load_material(store, claim)
    _put_secrets_aside(store, claim)
    writable = writable_scopes(store.settings, claim.scope, claim.task_kind)
    scopes = _readable(store, claim.scope)
    snapshot = take_snapshot(store, _targets(scopes))
    snapshot = {
        target: document
        for target, document in snapshot.items()
        if not _needs_person(document, writable=document.scope in writable)
    }
    rights = guards.Rights(
        request=claim.job,
        scope=claim.scope,
        task_kind=claim.task_kind,
        writable=tuple(scope for scope in writable if scope in scopes),
        evidence={
            str(bundle.reference): item
            for bundle, item in zip(bundles, claim.observations, strict=False)
            if bundle.gives_evidence
        },
        provenances=frozenset(item.provenance for item in claim.observations),
        newest=max(item.observed_at for item in claim.observations),
        soft=store.settings.documents.soft,
        hard=store.settings.documents.hard,
    )
    grant = Grant(store, claim, bundles, snapshot, rights)
    return _task(store, claim, grant), grant


def is_workable(store: Store, scope: Scope, task_kind: TaskKind) -> bool:
    """Whether no document stands in the way of a run of this scope: each can be read, and written where it may be."""
    writable = writable_scopes(store.settings, scope, task_kind)
    try:
        for document in take_snapshot(store, _targets(_readable(store, scope))).values():
            _needs_person(document, writable=document.scope in writable)
    except (CommitError, PlaceError):
        return False
    return True


def _readable(store: Store, scope: Scope) -> list[Scope]:
    settings = store.settings
    return [
        each
        for each in dict.fromkeys((GLOBAL, scope))
        if scope_allowed(each, settings.read.scopes) and scope_allowed(each, settings.disclosure.scopes)
    ]


def _targets(scopes: Sequence[Scope]) -> list[Target]:
    return [target for scope in scopes for target in scope_targets(scope)]


def _put_secrets_aside(store: Store, claim: Claim) -> None:
    """Words are scanned once more before they are shown: the rules may know more secrets than when they were taken in. Only
    the delivery at fault is put aside; the rest of its batch is tried again without it."""
    found = [item.id for item in claim.observations if has_secret(item.text)]
    if found:
        store.mark("grant.put_aside")
        with store.ledger.write() as ledger:
            fence(ledger, claim, store.clock.now())
            queue_table.set_rows(ledger, found, ObservationState.QUARANTINED, Code.SENSITIVE_INPUT)
        raise GrantError(Code.EXPIRED_TASK, put_aside=len(found))


def _needs_person(document: SnapshotDocument, *, writable: bool) -> bool:
    """Raises when the person must mend the document first. True: it is only read, and is not shown because of a secret."""
    if writable and document.outside is not None:
        raise CommitError(Code.DOCUMENT_OUTSIDE_GRAMMAR, target=document.target, line=document.outside)
    text = (document.data or b"").decode("utf-8", "replace")
    if not has_secret(text):
        return False
    if not writable:
        return True
    raise CommitError(Code.SENSITIVE_SECTION, target=document.target, section=_section_with_secret(document, text))


def _section_with_secret(document: SnapshotDocument, text: str) -> str:
    at = len(text[: find_secrets(text)[0].start].encode())
    within = (section for section in document.document.sections if section.start <= at < section.stop)
    # A title that itself holds the secret is not repeated: it may travel into a log.
    return next((section.title for section in within if not has_secret(section.title)), "?")


class Grant:
    """``ReadGrant`` over one snapshot. Every call checks the lease; after ``close`` everything is ``EXPIRED_TASK``."""

    def __init__(
        self, store: Store, claim: Claim, bundles: tuple[Bundle, ...], snapshot: Snapshot, rights: guards.Rights
    ) -> None:
        self._store, self._claim = store, claim
        self._bundles = {bundle.handle: bundle for bundle in bundles}
        self._coverage = Coverage()
        self._closed = False
        self.snapshot, self.rights = snapshot, rights
        self.handle = Handle(f"{SNAPSHOT}_{claim.job}")
        self.accepted: AcceptedProposal | None = None

    @property
    def bundles(self) -> tuple[Bundle, ...]:
        return tuple(self._bundles.values())

    def close(self) -> None:
        self._closed = True

    # --- reading ---------------------------------------------------------------------------------------------------------

    def inspect_ingest(self, handle: Handle, offset: int = 0) -> IngestPage:
        """Block descriptors from number ``offset`` on."""
        bundle = self._bundle(handle)
        blocks = _descriptors(bundle)
        if not 0 <= offset <= len(blocks):
            raise GrantError(Code.INVALID_OFFSET, offset=offset)
        end = offset + DESCRIPTORS
        return IngestPage(handle, blocks[offset:end], end if end < len(blocks) else None)

    def read_ingest(self, handle: Handle, block: str, offset: int = 0) -> IngestText:
        """At most 8 KiB of a block, from byte ``offset`` of it on."""
        bundle = self._bundle(handle)
        order, found = next(((number, one) for number, one in enumerate(bundle.blocks) if one.id == block), (0, None))
        if found is None:
            raise GrantError(Code.INVALID_BLOCK)
        page, after = self._coverage.page(handle, block, bundle.data[found.start : found.stop], found.start, offset)
        return IngestText(handle, _descriptor(bundle, found, order), offset, page.decode(), after)

    def inspect_memory(
        self, handle: Handle, target: Target | None = None, offset: int = 0
    ) -> MemoryManifest | MemoryPage:
        """The manifest, or at most 8 KiB of one document."""
        self._check()
        if handle != self.handle:
            raise GrantError(Code.INVALID_HANDLE)
        if target is None:
            if offset:
                raise GrantError(Code.INVALID_OFFSET, offset=offset)
            return MemoryManifest(handle, tuple(self._listing(document) for document in self.snapshot.values()), None)
        document = self.snapshot.get(target)
        if document is None:
            raise GrantError(Code.INVALID_HANDLE)
        page, after = self._coverage.page(target, WHOLE, _shown(document), 0, offset)
        return MemoryPage(handle, self._listing(document), offset, page.decode(), after)

    def processing_state(self) -> ProcessingState:
        self._check()
        required = self._required()
        read = sum(self._coverage.read_bytes(key) for key, _ in required)
        total = sum(size for _, size in required)
        documents = tuple(target for target in self.snapshot if self._is_read(target))
        return ProcessingState(read, total, read >= total, documents)

    # --- submitting ------------------------------------------------------------------------------------------------------

    def submit(self, decision: Mapping[str, Any]) -> Submission:
        """Check a proposal with every guard; the first one that passes ends the run. A rejected one consumes nothing."""
        self._check()
        if unread(self._coverage, self._required()):
            raise GrantError(Code.MATERIAL_UNREAD)
        proposal = parse_proposal(decision)
        self._check_targets_read(proposal)
        with self._store.ledger.read() as ledger:
            known = stored(ledger, self.snapshot)
        guards.check(proposal, self.rights, self.snapshot, reconciled(known, self.snapshot))
        digest = sha256(proposal.model_dump_json())
        read = frozenset(target for target in self.snapshot if target in self._coverage.opened)
        self.accepted = AcceptedProposal(proposal, digest, read)
        return Submission(digest)

    def _check_targets_read(self, proposal: Proposal) -> None:
        if proposal.edit_result == "already_satisfied":
            touched = set(self.snapshot)
        else:
            named = {
                Target(operation.target) for decision in proposal.decisions for operation in operations_of(decision)
            }
            touched = named & set(self.snapshot)
        missing = next((target for target in self.snapshot if target in touched and not self._is_read(target)), None)
        if missing is not None:
            raise GrantError(Code.TARGET_UNREAD, target=missing)

    # --- what every call needs -------------------------------------------------------------------------------------------

    def _check(self) -> None:
        if self._closed:
            raise GrantError(Code.EXPIRED_TASK)
        if self.accepted is not None:
            raise GrantError(Code.DECISION_ALREADY_SUBMITTED)
        fence(self._store.ledger, self._claim, self._store.clock.now())

    def _bundle(self, handle: Handle) -> Bundle:
        self._check()
        bundle = self._bundles.get(handle)
        if bundle is None:
            raise GrantError(Code.INVALID_HANDLE)
        return bundle

    def _required(self) -> list[tuple[str, int]]:
        return [(bundle.handle, len(bundle.data)) for bundle in self.bundles if bundle.current]

    def _is_read(self, target: Target) -> bool:
        return self._coverage.read_bytes(target) >= len(_shown(self.snapshot[target]))

    def _listing(self, document: SnapshotDocument) -> DocumentListing:
        sections = tuple(
            SectionListing(reference, section.title, section.stop - section.start)
            for reference, section in document.references.items()
        )
        return DocumentListing(
            target=document.target,
            scope=document.scope,
            exists=document.data is not None,
            bytes=len(_shown(document)),
            soft_budget=self.rights.soft,
            hard_budget=self.rights.hard,
            writable=document.scope in self.rights.writable and document.outside is None,
            outside_grammar=document.outside is not None,
            sections=sections,
        )


def _shown(document: SnapshotDocument) -> bytes:
    """The bytes as text: a document with broken UTF-8 can still be read, and is outside the grammar anyway."""
    return (document.data or b"").decode("utf-8", "replace").encode()


def _descriptors(bundle: Bundle) -> tuple[BlockDescriptor, ...]:
    if bundle.unavailable is not None:
        nothing = Block("b0", None, BlockKind.CONVERSATION, 0, 0, False)
        return (_descriptor(bundle, nothing, 0),)
    return tuple(_descriptor(bundle, block, order) for order, block in enumerate(bundle.blocks))


def _descriptor(bundle: Bundle, block: Block, order: int) -> BlockDescriptor:
    text = bundle.data[block.start : block.stop]
    gives = block.evidence and bundle.gives_evidence and bundle.reference is not None
    return BlockDescriptor(
        block=block.id,
        parent=block.parent,
        kind=block.kind,
        order=order,
        bytes=len(text),
        label=section_label(text.decode("utf-8", "replace")) if block.kind is BlockKind.SECTION else None,
        evidence=bundle.reference if gives and bundle.reference else "context_only",
        provenance=bundle.provenance,
        role=bundle.role,
        unavailable=bundle.unavailable,
    )


def _task(store: Store, claim: Claim, grant: Grant) -> MemoryTask:
    return MemoryTask(
        version="memory_task_v1",
        task_kind=claim.task_kind,
        request_id=claim.job,
        now=store.clock.now(),
        scope=claim.scope,
        bundles=tuple(_summary(bundle) for bundle in grant.bundles),
        snapshot=grant.handle,
        writable_scopes=grant.rights.writable,
        decision_schema=decision_schema(),
    )


def _summary(bundle: Bundle) -> BundleSummary:
    return BundleSummary(
        handle=bundle.handle,
        source=bundle.source,
        provenance=bundle.provenance,
        scope=bundle.scope,
        blocks=len(bundle.blocks),
        bytes=len(bundle.data),
        observed_at=bundle.observed_at,
        role=Role(bundle.role),
        current=bundle.current,
    )
