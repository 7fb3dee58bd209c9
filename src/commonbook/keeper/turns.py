"""Which rows a group of settled turns adds: worked out before the write transaction, so that the lock is held
briefly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from commonbook.errors import Code
from commonbook.keeper.admission import Admission, Verdict
from commonbook.keeper.contracts import ContextMessage, SessionFacts, SettledTurn, Store, Taken, UserMessage
from commonbook.keeper.limits import context_permitted
from commonbook.keeper.safety import has_secret
from commonbook.keeper.screening import clean, says_something
from commonbook.ledger import ingress as table
from commonbook.ledger.ingress import BlockRow, MessageRow, ObservationRow, SeenRow, SessionRow, TurnRow
from commonbook.settings.model import KIB
from commonbook.vocabulary import (
    Digest,
    ObservationId,
    Source,
    TaskKind,
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
    blocks: list[BlockRow] = field(default_factory=list)

    @property
    def new_bytes(self) -> int:
        return sum(row.bytes for row in self.observations)

    def as_seen(self) -> list[SeenRow]:
        """The deliveries as the next plan would find them, had they been stored."""
        rows = self.observations
        return [SeenRow(r.record, r.origin, r.origin_known, r.observed_at, r.digest, r.task_kind) for r in rows]


class _New(NamedTuple):
    """A user message that has not been seen before."""

    message: UserMessage
    ordinal: int
    verdict: Verdict


Seen = Mapping[str, Sequence[SeenRow]]
"""Deliveries by their record."""


def plan_turns(
    store: Store, session: SessionFacts, turns: Sequence[SettledTurn], channel: str, *, planned: Seen | None = None
) -> TurnPlan:
    """Work out what is new in these turns; reads, changes nothing. ``planned``: deliveries that count as known although they
    were never stored (a dry run's own)."""
    if table.is_own_session(store.ledger, session.host, session.host_session):
        spoken = sum(isinstance(message, UserMessage) for turn in turns for message in turn.messages)
        return TurnPlan(Taken(refused=spoken))
    planner = _Planner(store, session, turns, channel, planned or {})
    for turn in turns:
        planner.add(turn)
    return planner.finished()


@dataclass
class _Context:
    """What a turn has already: its context records with their ordinals, and the highest ordinal in it."""

    records: dict[str, int] = field(default_factory=dict)
    highest: int = 0

    def place(self, record: str, ordinal: int) -> int | None:
        """The ordinal of a new record: the one it asks for, or behind all others where that is taken; ``None`` for a
        record that is there."""
        if record in self.records:
            return None
        if ordinal <= self.highest and ordinal in self.records.values():
            ordinal = self.highest + 1
        self.records[record] = ordinal
        self.highest = max(self.highest, ordinal)
        return ordinal


class _Planner:
    def __init__(
        self, store: Store, session: SessionFacts, turns: Sequence[SettledTurn], channel: str, planned: Seen
    ) -> None:
        self._store, self._session, self._channel = store, session, channel
        self._now = store.clock.now()
        known = table.session_id(store.ledger, session.host, session.host_session)
        self._id = known or store.new_id()
        self._previous, self._ordinal = table.last_turn(store.ledger, known) if known else (None, 0)
        self._admission = Admission.of(store, session.scope, Source.TRANSCRIPT_USER)
        # One question for all of them: thousands of small ones cost more than everything else that taking in does.
        records = [message.record for turn in turns for message in turn.messages if isinstance(message, UserMessage)]
        stored = table.deliveries(store.ledger, session.host, records)
        self._before: dict[str, list[SeenRow]] = {
            record: [*stored.get(record, ()), *planned.get(record, ())] for record in records
        }
        self._stored_turns = table.turn_ids(store.ledger, known, [turn.host_turn for turn in turns]) if known else {}
        self._planned: dict[str, str] = {}
        self._fresh: dict[str, bool] = {}  # new turns, and whether their context may be kept
        self._context: dict[str, _Context] = {}
        self._last_at = session.started_at
        self._counts = dict.fromkeys(("accepted", "duplicate", "conflict", "held", "refused", "masked", "context"), 0)
        self._seen: dict[tuple[str, str], Digest] = {}
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
        known = self._planned.get(turn.host_turn) or self._stored_turns.get(turn.host_turn)
        if not new:
            # Read again, or repeated by a fork: it is there already, with its context or deliberately without.
            self._previous = known
            return
        identity = known or self._add_turn(turn)
        self._previous = identity
        self._add_observations(identity, new)
        # What was refused, or forgotten, must not come back in the words of whoever answered it.
        kept = any(item.verdict.screened.text is not None for item in new)
        speaks = kept and all(item.verdict.issue is not Code.FORGOTTEN_SOURCE for item in new)
        if identity in self._fresh:
            self._fresh[identity] = self._fresh[identity] and speaks
        if speaks:
            self._add_context(turn, identity, continued=False)

    # --- the user's words --------------------------------------------------------------------------------------------

    def _new_messages(self, turn: SettledTurn) -> list[_New]:
        found = []
        for ordinal, message in enumerate(turn.messages, start=1):
            if not isinstance(message, UserMessage):
                continue
            text = clean(message.text)
            if not says_something(text):
                continue
            digest = sha256(text)
            before = self._came_before(message, digest)
            if before is not None:
                self._counts[before] += 1
                continue
            verdict = self._admission.judge(text, digest, message.observed_at)
            self._counts[verdict.result] += 1
            self._counts["masked"] += verdict.screened.masked
            found.append(_New(message, ordinal, verdict))
        return found

    def _came_before(self, message: UserMessage, digest: Digest) -> str | None:
        """``duplicate`` or ``conflict`` for a delivery that came before, ``None`` for a new one."""
        origin = message.origin or self._session.host_session
        same_call = self._seen.get((origin, message.record))
        if same_call is not None:
            return "duplicate" if same_call == digest else "conflict"
        rows = self._before.get(message.record)
        row = rows and _delivered(rows, message, origin, digest)
        if not row:
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
        self._fresh[identity] = True
        return identity

    def _add_observations(self, turn: str, new: Sequence[_New]) -> None:
        batch = self._batch_for(sum(item.verdict.bytes for item in new))
        for item in new:
            identity = ObservationId(self._store.new_id())
            self._plan.observations.append(self._observation(identity, turn, batch, item))
            self._plan.blocks.extend(item.verdict.structure(identity))

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
            state=verdict.state,
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
        fresh = self._fresh.get(turn)
        return table.has_words(self._store.ledger, turn) if fresh is None else fresh

    # --- context -----------------------------------------------------------------------------------------------------

    def _add_context(self, turn: SettledTurn, identity: str, *, continued: bool) -> None:
        """Reference the assistant and tool messages of a turn. What a host wrote after a terminal record goes behind
        what the turn already has; a record that is there is left alone."""
        context = self._context.get(identity)
        if context is None:
            context = self._context[identity] = _Context(*table.records_of(self._store.ledger, identity))
        first = context.highest + 1 if continued else 1
        for ordinal, message in enumerate(turn.messages, start=first):
            if not isinstance(message, ContextMessage):
                context.highest = max(context.highest, ordinal)
                continue
            placed = context.place(message.record, ordinal)
            if placed is not None:
                self._plan.messages.append(self._message(message, identity, placed))
                self._counts["context"] += 1

    def _message(self, message: ContextMessage, turn: str, ordinal: int) -> MessageRow:
        record, role, _, at, place, digest = message
        if place is not None:
            path, start, length = place
            return turn, ordinal, record, role, at, path, start, length, digest, None, None
        text, unavailable = self._kept(message.text or "")
        return turn, ordinal, record, role, at, None, None, None, digest, text, unavailable

    def _kept(self, delivered: str) -> tuple[str | None, str | None]:
        """The text of a message that stands nowhere else, or why none is kept."""
        text = clean(delivered)
        if has_secret(text):
            return None, "sensitive_context"
        return (text, None) if context_permitted(self._store.settings) else (None, "not_permitted")


def _delivered(rows: Sequence[SeenRow], message: UserMessage, origin: str, digest: Digest) -> SeenRow | None:
    """The row of the same delivery; else one of the same words at the same time under another origin, where that is
    not known now or was not known then."""
    for row in rows:
        if row.origin == origin:
            return row
    same = (row for row in rows if row.observed_at == message.observed_at and row.digest == digest)
    return next((row for row in same if message.origin is None or not row.origin_known), None)
