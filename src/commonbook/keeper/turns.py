"""Which rows a group of settled turns adds: worked out before the write transaction, so that the lock is held
briefly."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from commonbook.errors import Code
from commonbook.keeper.admission import Verdict, admit
from commonbook.keeper.contracts import ContextMessage, SessionFacts, SettledTurn, Store, Taken, UserMessage
from commonbook.keeper.limits import context_permitted
from commonbook.keeper.safety import has_secret
from commonbook.keeper.screening import clean, says_something, utf8_bytes
from commonbook.keeper.structure import map_structure, single_block
from commonbook.ledger import ingress as table
from commonbook.ledger.ingress import BlockRow, BundleRow, DeliveryRow, MessageRow, ObservationRow, SessionRow, TurnRow
from commonbook.settings.model import KIB
from commonbook.vocabulary import (
    BlockKind,
    MessageId,
    ObservationId,
    ObservationState,
    Role,
    Source,
    TaskKind,
    message_handle,
    sha256,
)

BATCH_TURNS = 10
BATCH_BYTES = 16 * KIB
"""Of user text: ten thousand turns of a history are not ten thousand runs, and no run is too long to read."""


@dataclass(frozen=True)
class TurnPlan:
    """Rows to insert. ``session`` is ``None`` when nothing is new."""

    taken: Taken
    session: SessionRow | None = None
    turns: list[TurnRow] = field(default_factory=list)
    batches: list[str] = field(default_factory=list)
    observations: list[ObservationRow] = field(default_factory=list)
    messages: list[MessageRow] = field(default_factory=list)
    bundles: list[BundleRow] = field(default_factory=list)
    blocks: list[BlockRow] = field(default_factory=list)

    @property
    def new_bytes(self) -> int:
        return sum(row.bytes for row in self.observations)


@dataclass(frozen=True)
class _New:
    """A user message that has not been seen before."""

    message: UserMessage
    ordinal: int
    verdict: Verdict


def plan_turns(store: Store, session: SessionFacts, turns: Sequence[SettledTurn], channel: str) -> TurnPlan:
    """Work out what is new in these turns; reads, changes nothing."""
    if table.is_own_session(store.ledger, session.host, session.host_session):
        spoken = sum(isinstance(message, UserMessage) for turn in turns for message in turn.messages)
        return TurnPlan(Taken(refused=spoken))
    planner = _Planner(store, session, channel)
    for turn in turns:
        planner.add(turn)
    return planner.finished()


@dataclass
class _Context:
    """What a turn has already: its context records, and the highest ordinal in it."""

    records: set[str] = field(default_factory=set)
    highest: int = 0


class _Planner:
    def __init__(self, store: Store, session: SessionFacts, channel: str) -> None:
        self._store, self._session, self._channel = store, session, channel
        self._now = store.clock.now()
        known = table.session_id(store.ledger, session.host, session.host_session)
        self._id = known or store.new_id()
        self._previous, self._ordinal = table.last_turn(store.ledger, known) if known else (None, 0)
        self._planned: dict[str, str] = {}
        self._silent: set[str] = set()
        self._context: dict[str, _Context] = {}
        self._known_session = known is not None
        self._last_at = session.started_at
        self._counts = dict.fromkeys(("accepted", "duplicate", "conflict", "held", "refused", "masked", "context"), 0)
        self._seen: dict[tuple[str, str], str] = {}
        self._batch, self._batch_turns, self._batch_bytes = "", 0, 0
        self._plan = TurnPlan(Taken())

    def finished(self) -> TurnPlan:
        taken = Taken(**self._counts)
        plan, facts = self._plan, self._session
        if not (plan.turns or plan.observations or plan.messages):
            return TurnPlan(taken)
        row = SessionRow(
            self._id,
            facts.host,
            facts.host_session,
            facts.parent,
            facts.path,
            facts.cwd,
            facts.scope,
            facts.provider,
            facts.started_at,
            self._last_at,
        )
        return replace(plan, taken=taken, session=row)

    def add(self, turn: SettledTurn) -> None:
        if turn.continues:
            if self._previous is not None and self._speaks(self._previous):
                self._add_context(turn, self._previous, continued=True)
            return
        new = self._new_messages(turn)
        known = self._known_turn(turn.host_turn)
        if not new:
            # Read again, or repeated by a fork: it is there already, with its context or deliberately without.
            self._previous = known
            return
        identity = known or self._add_turn(turn)
        self._previous = identity
        self._add_observations(identity, new)
        # What was refused, or forgotten, must not come back in the words of whoever answered it.
        kept = any(item.verdict.screened.text is not None for item in new)
        if kept and all(item.verdict.issue is not Code.FORGOTTEN_SOURCE for item in new):
            self._add_context(turn, identity, continued=False)
        else:
            self._silent.add(identity)

    # --- the user's words --------------------------------------------------------------------------------------------

    def _new_messages(self, turn: SettledTurn) -> list[_New]:
        found = []
        for ordinal, message in enumerate(turn.messages, start=1):
            if not isinstance(message, UserMessage):
                continue
            text = clean(message.text)
            if not says_something(text):
                continue
            before = self._before(message, text)
            if before is not None:
                self._counts[before] += 1
                continue
            verdict = admit(self._store, text, self._session.scope, Source.TRANSCRIPT_USER, message.observed_at)
            self._counts[verdict.result] += 1
            self._counts["masked"] += verdict.screened.masked
            found.append(_New(message, ordinal, verdict))
        return found

    def _before(self, message: UserMessage, text: str) -> str | None:
        """``duplicate`` or ``conflict`` for a delivery that came before, ``None`` for a new one."""
        ledger, host = self._store.ledger, self._session.host
        digest = sha256(text)
        origin = message.origin or self._session.host_session
        same_call = self._seen.get((origin, message.record))
        if same_call is not None:
            return "duplicate" if same_call == digest else "conflict"
        row: DeliveryRow | None = table.delivery(ledger, host, origin, message.record)
        if row is None:
            of_orphan = message.origin is not None
            row = table.same_words(ledger, host, message.record, message.observed_at, digest, of_orphan=of_orphan)
        if row is None:
            self._seen[origin, message.record] = digest
            return None
        return "duplicate" if row.digest == digest and row.task_kind == TaskKind.OBSERVATION else "conflict"

    def _add_turn(self, turn: SettledTurn) -> str:
        self._ordinal += 1
        identity = self._store.new_id()
        self._plan.turns.append(
            TurnRow(
                identity,
                self._id,
                self._ordinal,
                turn.host_turn,
                turn.state,
                turn.settle_cause,
                self._session.provider,
                turn.opened_at,
                turn.settled_at,
            )
        )
        self._last_at = max(self._last_at, turn.settled_at)
        self._planned[turn.host_turn] = identity
        self._context[identity] = _Context()
        return identity

    def _known_turn(self, host_turn: str) -> str | None:
        if host_turn in self._planned or not self._known_session:
            return self._planned.get(host_turn)
        return table.turn_id(self._store.ledger, self._id, host_turn)

    def _add_observations(self, turn: str, new: Sequence[_New]) -> None:
        batch = self._batch_for(sum(item.verdict.bytes for item in new))
        for item in new:
            identity = ObservationId(self._store.new_id())
            self._plan.observations.append(self._observation(identity, turn, batch, item))
            bundle, blocks = item.verdict.structure(identity)
            self._plan.bundles.append(bundle)
            self._plan.blocks.extend(blocks)

    def _batch_for(self, size: int) -> str:
        """A turn is never split over batches; one that is over the measure by itself is alone in its own."""
        full = self._batch_turns == BATCH_TURNS or self._batch_bytes + size > BATCH_BYTES
        if not self._batch or full:
            self._batch, self._batch_turns, self._batch_bytes = self._store.new_id(), 0, 0
            self._plan.batches.append(self._batch)
        self._batch_turns += 1
        self._batch_bytes += size
        return self._batch

    def _observation(self, identity: ObservationId, turn: str, batch: str, item: _New) -> ObservationRow:
        message, verdict, place = item.message, item.verdict, item.message.place
        return ObservationRow(
            id=identity,
            host=self._session.host,
            origin=message.origin or self._session.host_session,
            origin_known=message.origin is not None,
            record=message.record,
            digest=verdict.screened.digest,
            content_digest=verdict.content_digest,
            text=verdict.screened.text,
            bytes=verdict.bytes,
            scope=self._session.scope,
            source=Source.TRANSCRIPT_USER,
            provenance=verdict.provenance,
            task_kind=TaskKind.OBSERVATION,
            state=ObservationState(verdict.state),
            issue=verdict.issue,
            batch=batch,
            turn=turn,
            ordinal=item.ordinal,
            path=place.path if place else None,
            start=place.start if place else None,
            length=place.length if place else None,
            images=message.has_images,
            channel=self._channel,
            client=None,
            provider_class=self._session.provider_class,
            label=None,
            observed_at=message.observed_at,
            enqueued_at=self._now,
        )

    def _speaks(self, turn: str) -> bool:
        """Whether words of the turn are kept, so that its context may be."""
        return turn not in self._silent if turn in self._planned.values() else table.has_words(self._store.ledger, turn)

    # --- context -----------------------------------------------------------------------------------------------------

    def _add_context(self, turn: SettledTurn, identity: str, *, continued: bool) -> None:
        """Reference the assistant and tool messages of a turn. What a host wrote after a terminal record goes behind
        what the turn already has; a record that is there is left alone."""
        context = self._context.get(identity)
        if context is None:
            context = self._context[identity] = _Context(*table.records_of(self._store.ledger, identity))
        first = context.highest + 1 if continued else 1
        for ordinal, message in enumerate(turn.messages, start=first):
            context.highest = max(context.highest, ordinal)
            if isinstance(message, ContextMessage) and message.record not in context.records:
                context.records.add(message.record)
                self._add_message(message, identity, ordinal)

    def _add_message(self, message: ContextMessage, turn: str, ordinal: int) -> None:
        text = clean(message.text)
        size = utf8_bytes(text)
        unavailable = "sensitive_context" if has_secret(text) else None
        place, kept = message.place, None
        if place is None and unavailable is None:
            if context_permitted(self._store.settings):
                kept = text
            else:
                unavailable = "not_permitted"
        identity = MessageId(self._store.new_id())
        self._plan.messages.append(
            MessageRow(
                id=identity,
                turn=turn,
                record=message.record,
                role=message.role,
                ordinal=ordinal,
                at=message.at,
                path=place.path if place else None,
                start=place.start if place else None,
                length=place.length if place else None,
                digest=message.digest,
                bytes=size,
                text=kept,
                unavailable=unavailable,
            )
        )
        handle = message_handle(identity)
        self._plan.bundles.append(BundleRow(handle, None, identity))
        plain = message.role is Role.TOOL or unavailable is not None
        blocks = single_block(size, BlockKind.CODE) if plain else map_structure(text)
        self._plan.blocks.extend(
            [(handle, b.id, b.parent, b.kind, b.ordinal, b.start, b.stop, b.evidence) for b in blocks]
        )
        self._counts["context"] += 1
