"""Taking in: every delivery is stored once, durably, before anyone says that it was accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.clock import Milliseconds
from commonbook.errors import Code, IngressError, UsageError
from commonbook.keeper.admission import Admission, Verdict
from commonbook.keeper.contracts import CursorUpdate, SessionFacts, SettledTurn, Store, Taken
from commonbook.keeper.cursors import put_cursor
from commonbook.keeper.screening import clean, says_something
from commonbook.keeper.turns import TurnPlan, plan_turns
from commonbook.ledger import ingress as table
from commonbook.vocabulary import (
    DeliveryResult,
    ObservationId,
    ObservationState,
    Provenance,
    ProviderClass,
    Scope,
    Source,
    TaskKind,
    sha256,
)

EDITOR_SOURCES = frozenset({Source.INTERACTIVE, Source.RPC})
"""Where a request to edit may come from: our own editors. It is never inferred from words."""


@dataclass(frozen=True)
class Delivery:
    """One message of a channel that keeps no transcript. ``origin``: the host session, or the channel's own name for
    where it was said; ``record``: what makes a retry the same delivery. ``source`` as the channel gave it, known to us
    or not."""

    host: str
    origin: str
    record: str
    text: str
    scope: Scope
    source: Source | str
    task_kind: TaskKind
    observed_at: Milliseconds
    channel: str
    client: str | None = None
    label: str | None = None


@dataclass(frozen=True)
class Delivered:
    """``accepted`` means durable and nothing else; a duplicate tells the present state of the item that is known."""

    result: DeliveryResult
    observation: ObservationId | None
    state: ObservationState | None
    issue: Code | None


def is_own_session(store: Store, host: str, host_session: str) -> bool:
    """Whether Commonbook itself started this session (bridging, hosted agents, canaries)."""
    return table.is_own_session(store.ledger, host, host_session)


def register_own_session(store: Store, host: str, host_session: str) -> None:
    """Refuse this session at ingress for ever: a memory that reads itself drowns. Call it before the session starts."""
    store.mark("ingress.own_session")
    with store.ledger.write() as ledger:
        table.put_own_session(ledger, host, host_session, store.clock.now())


def take_turns(
    store: Store,
    session: SessionFacts,
    turns: Sequence[SettledTurn],
    cursor: CursorUpdate | None,
    *,
    channel: str = "transcript",
) -> Taken:
    """Store settled turns of one session and the cursor behind them, in one transaction: all of it or nothing.

    Turns that are known already add nothing. Raises ``IngressError(CAPACITY_REACHED)`` when the unprocessed text would
    exceed ``limits``; nothing of this call is stored then. A call of one turn always enters when nothing else of the
    session waits, so that no single turn can block its session for good: a refused caller gives fewer turns at once.
    """
    read_at = store.ledger.data_version()
    plan = plan_turns(store, session, turns, channel)
    if plan.session is None and cursor is None:
        return plan.taken
    store.mark("ingress.begin")
    with store.ledger.write():
        if store.ledger.data_version() != read_at:  # another process has taken in something since we looked
            plan = plan_turns(store, session, turns, channel)
        if plan.session is not None:
            _check_capacity(store, plan.session.id, plan.new_bytes, alone=len(turns) == 1)
        _write(store, session, plan, cursor)
        store.mark("ingress.commit")
    return plan.taken


def _write(store: Store, session: SessionFacts, plan: TurnPlan, cursor: CursorUpdate | None) -> None:
    if plan.session is not None:
        store.mark("ingress.session")
        table.put_session(store.ledger, plan.session)
        table.put_turns(store.ledger, plan.turns)
        table.put_batches(store.ledger, plan.session.id, plan.batches, store.clock.now())
        store.mark("ingress.observations")
        table.put_observations(store.ledger, plan.observations, plan.session.id)
        store.mark("ingress.messages")
        table.put_messages(store.ledger, plan.messages)
        store.mark("ingress.structure")
        table.put_blocks(store.ledger, plan.blocks)
    if cursor is not None:
        store.mark("ingress.cursor")
        put_cursor(store, session.host, cursor.root, session.host_session, cursor)


def _check_capacity(store: Store, session: str | None, new_bytes: int, *, alone: bool) -> None:
    """``session=None``: what belongs to no session has only the limit of all."""
    limits = store.settings.limits
    in_all, of_session = table.unprocessed_bytes(store.ledger, session or "")
    for waiting, limit, name in (
        (of_session if session else 0, limits.session_bytes, "limits.session_bytes"),
        (in_all, limits.unprocessed_bytes, "limits.unprocessed_bytes"),
    ):
        if new_bytes and waiting + new_bytes > limit and not (alone and waiting == 0):
            raise IngressError(Code.CAPACITY_REACHED, limit=limit, waiting=waiting, setting=name)


def deliver(store: Store, delivery: Delivery) -> Delivered:
    """Take in one message. Accepted means that it is on disk.

    Raises ``UsageError(INVALID_TEXT_SIZE)`` for an empty text and, for what is not the user's own word (an import),
    ``IngressError(CAPACITY_REACHED)``: the user's words always enter, however much waits.
    """
    text = clean(delivery.text)
    if not text.strip():
        raise UsageError(Code.INVALID_TEXT_SIZE)
    if not says_something(text) or is_own_session(store, delivery.host, delivery.origin):
        return Delivered("refused", None, None, Code.UNAUTHORIZED_SOURCE)
    store.mark("ingress.begin")
    with store.ledger.write():
        known = table.delivery(store.ledger, delivery.host, delivery.origin, delivery.record)
        admission = Admission.of(store, delivery.scope, _known_source(delivery))
        verdict = admission.judge(text, sha256(text), delivery.observed_at)
        if known is not None:
            same = known.digest == verdict.screened.digest and known.task_kind == delivery.task_kind
            issue = Code(known.issue) if same and known.issue else None if same else Code.SUBMISSION_CONFLICT
            found = ObservationId(known.id), ObservationState(known.state)
            return Delivered("duplicate" if same else "conflict", *found, issue)
        if verdict.provenance is not Provenance.USER_EXPLICIT:
            _check_capacity(store, None, verdict.bytes, alone=True)
        identity = _store_delivery(store, delivery, verdict)
        store.mark("ingress.commit")
    return Delivered(verdict.result, identity, verdict.state, verdict.issue)


def _known_source(delivery: Delivery) -> Source | None:
    """``None`` for a source that we do not know, or that may not ask for an edit: put aside, never guessed."""
    known = next((source for source in Source if source == delivery.source), None)
    return None if delivery.task_kind is TaskKind.EDIT and known not in EDITOR_SOURCES else known


def _store_delivery(store: Store, delivery: Delivery, verdict: Verdict) -> ObservationId:
    identity = ObservationId(store.new_id())
    row = table.ObservationRow(
        id=identity,
        host=delivery.host,
        origin=delivery.origin,
        origin_known=True,
        record=delivery.record,
        digest=verdict.screened.digest,
        content_digest=verdict.content_digest,
        text=verdict.screened.text,
        bytes=verdict.bytes,
        scope=delivery.scope,
        source=delivery.source,
        provenance=verdict.provenance,
        task_kind=delivery.task_kind,
        state=verdict.state,
        issue=verdict.issue,
        batch=None,
        turn=None,
        ordinal=0,
        path=None,
        start=None,
        length=None,
        images=False,
        channel=delivery.channel,
        client=delivery.client,
        provider_class=ProviderClass.REMOTE,  # spoken to no local model, so nothing keeps it from a remote one
        label=delivery.label,
        observed_at=delivery.observed_at,
        enqueued_at=store.clock.now(),
    )
    store.mark("ingress.observations")
    table.put_observations(store.ledger, [row], None)
    store.mark("ingress.structure")
    table.put_blocks(store.ledger, verdict.structure(identity))
    return identity
