"""The verdict on one new message: what is stored of it, in which state, and why."""

from dataclasses import dataclass
from typing import NamedTuple

from commonbook.clock import Milliseconds
from commonbook.errors import Code
from commonbook.keeper.contracts import Store
from commonbook.keeper.limits import hold_reason
from commonbook.keeper.projects import project_hold
from commonbook.keeper.screening import Screened, screen, utf8_bytes
from commonbook.keeper.structure import map_structure
from commonbook.ledger import ingress as table
from commonbook.ledger.ingress import BlockRow
from commonbook.vocabulary import (
    SOURCE_PROVENANCE,
    BlockKind,
    DeliveryResult,
    Digest,
    Handle,
    ObservationId,
    ObservationState,
    Provenance,
    Scope,
    Source,
    content_digest,
    observation_handle,
)


class Verdict(NamedTuple):
    """``bytes`` is of the stored text, UTF-8; 0 where none is stored."""

    result: DeliveryResult
    state: ObservationState
    issue: Code | None
    provenance: Provenance
    screened: Screened
    content_digest: Digest
    bytes: int

    def structure(self, observation: ObservationId) -> list[BlockRow]:
        """The blocks of the stored text; none where there is no text."""
        return [] if self.screened.text is None else block_rows(observation_handle(observation), self.screened.text)


def block_rows(handle: Handle, text: str) -> list[BlockRow]:
    """The structure of a text, as it is stored: nothing for a single paragraph, which most of what people say is."""
    blocks = map_structure(text)
    if len(blocks) == 2 and blocks[1].kind is BlockKind.PARAGRAPH and blocks[1].evidence:
        return []
    return [(handle, b.id, b.parent, b.kind, b.ordinal, b.start, b.stop, b.evidence) for b in blocks]


@dataclass(frozen=True)
class Admission:
    """What is asked once for all messages of one scope and source: ``hold`` keeps them back, ``forgets`` says whether
    anything was ever forgotten there. ``source=None``: not one we know, so what comes from it is put aside."""

    store: Store
    scope: Scope
    source: Source | None
    provenance: Provenance
    hold: Code | None
    forgets: bool

    @classmethod
    def of(cls, store: Store, scope: Scope, source: Source | None) -> "Admission":
        provenance = Provenance.CONVERSATION_CONTEXT if source is None else SOURCE_PROVENANCE[source]
        hold = project_hold(store, scope) or hold_reason(store.settings, scope, provenance)
        return cls(store, scope, source, provenance, hold, table.forgets(store.ledger, scope))

    def judge(self, cleaned: str, digest: Digest, observed_at: Milliseconds) -> Verdict:
        """Judge a message that has not been seen before. ``digest``: of ``cleaned``.

        Refused (no text is stored, but the identity is remembered, so that a replay changes nothing): mostly secret,
        over the source limit, forgotten before. Put aside (quarantined, needs a person): unknown source, personal data.
        Held (goes on by itself): what settings or an unregistered project keep back.
        """
        screened = screen(cleaned, digest, self.store.settings)
        folded = content_digest(screened.text or "")
        if screened.text is not None and self.forgets and self._is_forgotten(folded, observed_at):
            screened = Screened(screened.digest, None, Code.FORGOTTEN_SOURCE, masked=screened.masked)
        result, state, issue = self._place(screened)
        size = 0 if screened.text is None else utf8_bytes(screened.text)
        return Verdict(result, state, issue, self.provenance, screened, folded, size)

    def _place(self, screened: Screened) -> tuple[DeliveryResult, ObservationState, Code | None]:
        if screened.text is None:
            return "refused", ObservationState.QUARANTINED, screened.issue
        if self.source is None:
            return "held", ObservationState.QUARANTINED, Code.UNAUTHORIZED_SOURCE
        if screened.issue is not None:
            return "held", ObservationState.QUARANTINED, screened.issue
        if self.hold is not None:
            return "held", ObservationState.HELD, self.hold
        return "accepted", ObservationState.PENDING, None

    def _is_forgotten(self, folded: Digest, observed_at: Milliseconds) -> bool:
        """Only what was said before it was forgotten: the same words said later are welcome."""
        forgotten = table.forgotten_at(self.store.ledger, self.scope, folded)
        return forgotten is not None and observed_at <= forgotten
