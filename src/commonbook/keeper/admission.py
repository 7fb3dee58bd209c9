"""The verdict on one new message: what is stored of it, in which state, and why."""

from dataclasses import dataclass

from commonbook.clock import Milliseconds
from commonbook.errors import Code
from commonbook.keeper.contracts import Store
from commonbook.keeper.limits import hold_reason
from commonbook.keeper.projects import project_hold
from commonbook.keeper.screening import Screened, screen, utf8_bytes
from commonbook.keeper.structure import map_structure
from commonbook.ledger import ingress as table
from commonbook.ledger.ingress import BlockRow, BundleRow
from commonbook.vocabulary import (
    SOURCE_PROVENANCE,
    DeliveryResult,
    Digest,
    ObservationId,
    ObservationState,
    Provenance,
    Scope,
    Source,
    content_digest,
    observation_handle,
)


@dataclass(frozen=True)
class Verdict:
    """``bytes`` is of the stored text, UTF-8; 0 where none is stored."""

    result: DeliveryResult
    state: ObservationState
    issue: Code | None
    provenance: Provenance
    screened: Screened
    content_digest: Digest
    bytes: int

    def structure(self, observation: ObservationId) -> tuple[BundleRow, list[BlockRow]]:
        """The bundle and blocks of the stored text; no block where there is no text."""
        handle = observation_handle(observation)
        blocks = () if self.screened.text is None else map_structure(self.screened.text)
        rows: list[BlockRow] = [
            (handle, block.id, block.parent, block.kind, block.ordinal, block.start, block.stop, block.evidence)
            for block in blocks
        ]
        return BundleRow(handle, observation, None), rows


def admit(store: Store, cleaned: str, scope: Scope, source: Source | None, observed_at: Milliseconds) -> Verdict:
    """Judge a message that has not been seen before. ``source=None``: not one we know, so it is put aside.

    Refused (no text is stored, but the identity is remembered, so that a replay changes nothing): mostly secret, over
    the source limit, forgotten before. Put aside (quarantined, needs a person): unknown source, personal data. Held
    (goes on by itself): what settings or an unregistered project keep back.
    """
    screened = screen(cleaned, store.settings)
    provenance = Provenance.CONVERSATION_CONTEXT if source is None else SOURCE_PROVENANCE[source]
    folded = content_digest(screened.text or "")
    if screened.text is not None and _is_forgotten(store, scope, folded, observed_at):
        screened = Screened(screened.digest, None, Code.FORGOTTEN_SOURCE, masked=screened.masked)
    result, state, issue = _place(store, screened, scope, source, provenance)
    size = 0 if screened.text is None else utf8_bytes(screened.text)
    return Verdict(result, state, issue, provenance, screened, folded, size)


def _place(
    store: Store, screened: Screened, scope: Scope, source: Source | None, provenance: Provenance
) -> tuple[DeliveryResult, ObservationState, Code | None]:
    if screened.text is None:
        return "refused", ObservationState.QUARANTINED, screened.issue
    if source is None:
        return "held", ObservationState.QUARANTINED, Code.UNAUTHORIZED_SOURCE
    if screened.issue is not None:
        return "held", ObservationState.QUARANTINED, screened.issue
    hold = project_hold(store, scope) or hold_reason(store.settings, scope, provenance)
    if hold is not None:
        return "held", ObservationState.HELD, hold
    return "accepted", ObservationState.PENDING, None


def _is_forgotten(store: Store, scope: Scope, folded: Digest, observed_at: Milliseconds) -> bool:
    """Only what was said before it was forgotten: the same words said later are welcome."""
    forgotten = table.forgotten_at(store.ledger, scope, folded)
    return forgotten is not None and observed_at <= forgotten
