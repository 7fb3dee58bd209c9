"""What one run may be shown: the batch, and (only where the person allowed it) the conversation around it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from commonbook.clock import Milliseconds
from commonbook.errors import Code
from commonbook.keeper.contracts import Claim, ClaimedObservation, Store
from commonbook.keeper.limits import context_permitted, serialised_bytes
from commonbook.keeper.safety import has_secret
from commonbook.keeper.screening import clean
from commonbook.keeper.structure import map_structure, single_block
from commonbook.keeper.words import read_record
from commonbook.ledger import grant as table
from commonbook.ledger.grant import BlockRow, ContextRow, WordsRow
from commonbook.settings.model import KIB
from commonbook.vocabulary import (
    BlockKind,
    EvidenceRef,
    Handle,
    MessageId,
    ObservationId,
    Provenance,
    Role,
    Scope,
    evidence_ref,
    message_handle,
    observation_handle,
    sha256,
)

CONTEXT_LIMIT = 32 * KIB
"""A context message over it is granted as its first and last half of this, the cut stated between them."""
SENSITIVE = "sensitive_context"
GONE = Code.SOURCE_GONE.value
OVER_TOTAL = "over_max_total_bytes"


@dataclass(frozen=True)
class Block:
    """A range of the bundle's bytes. ``evidence``: false for text of our own marks."""

    id: str
    parent: str | None
    kind: BlockKind
    start: int
    stop: int
    evidence: bool


@dataclass(frozen=True)
class Bundle:
    """One text with its structure. ``reference``: what it gives evidence as, ``None`` for context. ``unavailable``: why
    nothing of it may be shown; then it has no bytes."""

    handle: Handle
    source: str
    provenance: Provenance
    scope: Scope
    role: Role
    observed_at: Milliseconds
    current: bool
    data: bytes
    blocks: tuple[Block, ...]
    reference: EvidenceRef | None = None
    unavailable: str | None = None

    @cached_property
    def gives_evidence(self) -> bool:
        """Whether anything but our own marked text stands in it."""
        if self.reference is None:
            return False
        left = bytearray(self.data)
        for block in self.blocks:
            if not block.evidence and block.kind is not BlockKind.CONVERSATION:
                left[block.start : block.stop] = b" " * (block.stop - block.start)
        return bool(left.strip())


def load_material(store: Store, claim: Claim) -> tuple[Bundle, ...]:
    """The bundles of a run: the batch first, then the context of its turns, then earlier turns (optional to read)."""
    batch = tuple(_observation(store, observation) for observation in claim.observations)
    if not context_permitted(store.settings):
        return batch
    turns = [turn for turn in dict.fromkeys(item.turn for item in claim.observations) if turn is not None]
    context = tuple(
        _message(store, row, claim.scope, current=True) for row in table.messages_of_turns(store.ledger, turns)
    )
    return _within_total(store, batch, context, _earlier(store, claim, turns))


def _observation(store: Store, item: ClaimedObservation) -> Bundle:
    handle = observation_handle(item.id)
    data = item.text.encode()
    return Bundle(
        handle=handle,
        source=item.source,
        provenance=item.provenance,
        scope=item.scope,
        role=Role.USER,
        observed_at=item.observed_at,
        current=True,
        data=data,
        blocks=_blocks(table.blocks(store.ledger, handle), len(data)),
        reference=evidence_ref(item.id),
    )


def _blocks(rows: Sequence[BlockRow], size: int) -> tuple[Block, ...]:
    """The recorded structure, if it fits the text (a range beyond it would show nothing or half a character)."""
    if not rows or any(not 0 <= row.start <= row.stop <= size for row in rows):
        return _plain(size)
    return tuple(
        Block(row.id, row.parent, BlockKind(row.kind), row.start, row.stop, bool(row.evidence)) for row in rows
    )


def _plain(size: int) -> tuple[Block, ...]:
    return (
        Block("b0", None, BlockKind.CONVERSATION, 0, size, True),
        Block("b1", "b0", BlockKind.PARAGRAPH, 0, size, True),
    )


# --- context -----------------------------------------------------------------------------------------------------------


def _message(store: Store, row: ContextRow, scope: Scope, *, current: bool) -> Bundle:
    handle = message_handle(MessageId(row.id))
    bundle = Bundle(
        handle=handle,
        source="transcript" if row.path else "session",
        provenance=Provenance.CONVERSATION_CONTEXT,
        scope=scope,
        role=Role(row.role),
        observed_at=row.at,
        current=current,
        data=b"",
        blocks=(),
    )
    text, unavailable = _context_text(store, row)
    if text is None:
        return replace(bundle, unavailable=unavailable)
    data = text.encode()
    if len(data) > CONTEXT_LIMIT:
        return replace(bundle, **_cut(data))  # type: ignore[arg-type]
    return replace(bundle, data=data, blocks=_mapped(text, len(data), bundle.role))


def _mapped(text: str, size: int, role: Role) -> tuple[Block, ...]:
    """The structure of a context message, the same every time; what a tool put out is no Markdown."""
    blocks = single_block(size, BlockKind.CODE) if role is Role.TOOL else map_structure(text)
    return tuple(Block(one.id, one.parent, one.kind, one.start, one.stop, one.evidence) for one in blocks)


def _context_text(store: Store, row: ContextRow) -> tuple[str | None, str | None]:
    """The text of a context message, or why there is none. The transcript is asked again by place and digest."""
    if row.unavailable is not None:
        return None, row.unavailable
    text = row.text
    if text is None:
        record = read_record(row.path, row.start, row.length)
        if record is None or sha256(record) != row.digest:
            return None, GONE
        text = store.record_text(row.host, record)
        if text is None:
            return None, GONE
    text = clean(text)
    return (None, SENSITIVE) if has_secret(text) else (text, None)


def _cut(data: bytes) -> dict[str, object]:
    """The first and last half of ``CONTEXT_LIMIT``, on character edges, and a line that says what is missing between."""
    half = CONTEXT_LIMIT // 2
    head = data[:half].decode("utf-8", "ignore").encode()
    tail = data[-half:].decode("utf-8", "ignore").encode()
    note = f"\n[{len(data) - len(head) - len(tail)} bytes left out here]\n".encode()
    whole = len(head) + len(note) + len(tail)
    blocks = (
        Block("b0", None, BlockKind.CONVERSATION, 0, whole, True),
        Block("b1", "b0", BlockKind.PARAGRAPH, 0, len(head), True),
        Block("b2", "b0", BlockKind.PARAGRAPH, len(head), whole, True),
    )
    return {"data": head + note + tail, "blocks": blocks}


def _earlier(store: Store, claim: Claim, turns: Sequence[str]) -> tuple[Bundle, ...]:
    """The turns before, as context: optional, never evidence."""
    most = store.settings.limits.context_turns
    wanted = table.earlier_turns(store.ledger, turns, claim.scope, most) if turns else ()
    words = (_earlier_words(store, row) for row in table.words_of_turns(store.ledger, wanted))
    messages = (
        _message(store, row, claim.scope, current=False) for row in table.messages_of_turns(store.ledger, wanted)
    )
    return tuple(sorted((bundle for bundle in (*words, *messages) if bundle), key=lambda bundle: bundle.observed_at))


def _earlier_words(store: Store, row: WordsRow) -> Bundle | None:
    if has_secret(row.text):
        return None
    handle, data = observation_handle(ObservationId(row.id)), row.text.encode()
    return Bundle(
        handle=handle,
        source=row.source,
        provenance=Provenance.CONVERSATION_CONTEXT,
        scope=Scope(row.scope),
        role=Role.USER,
        observed_at=row.observed_at,
        current=False,
        data=data,
        blocks=_blocks(table.blocks(store.ledger, handle), len(data)),
    )


def _within_total(
    store: Store, batch: tuple[Bundle, ...], context: tuple[Bundle, ...], earlier: tuple[Bundle, ...]
) -> tuple[Bundle, ...]:
    """Under ``max_total_bytes`` earlier turns go first, then context that does not fit is unavailable; nothing is cut."""
    limit = store.settings.disclosure.max_total_bytes
    if limit is None:
        return (*batch, *context, *earlier)
    texts = [bundle.data.decode() for bundle in batch]
    kept: list[Bundle] = []
    for bundle in (*context, *earlier):
        fits = serialised_bytes([*texts, bundle.data.decode()]) <= limit
        if fits:
            texts.append(bundle.data.decode())
            kept.append(bundle)
        elif bundle.current:
            kept.append(replace(bundle, data=b"", blocks=(), unavailable=OVER_TOTAL))
    return (*batch, *kept)
