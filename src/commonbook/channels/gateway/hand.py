"""A person's own hand: remember, forget and undo at once, and edits through the memory agent."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from commonbook.channels.gateway.elsewhere import elsewhere, place_name
from commonbook.channels.gateway.operations import Edit, Forget, Listener, Remember, Undo
from commonbook.channels.gateway.taking import changes_of, maintain
from commonbook.channels.gateway.views import Change, ChangePreview, ChangeView, EditView
from commonbook.errors import Code, CommitError, IngressError, UsageError
from commonbook.keeper.commit import commit_undo
from commonbook.keeper.contracts import Store
from commonbook.keeper.ingress import Delivered, Delivery, deliver
from commonbook.keeper.items import find_item, is_paused
from commonbook.keeper.lines import significant
from commonbook.keeper.log import find_entry
from commonbook.keeper.person import PersonPlan, commit_plan, plan_forget, plan_remember
from commonbook.keeper.projects import list_projects, scope_for
from commonbook.keeper.undo import UndoPlan, plan_undo
from commonbook.vocabulary import GLOBAL, PROJECT_ID, ObservationState, Scope, Source, TaskKind, scope_project

OUR_HOST = "commonbook"
"""What stands where a host's name stands for words that were given to us directly."""
FEW_LINES = 5
POLL_SECONDS = 0.2
_UNCLEAR = "clarification_required"
_UNDER_WAY = frozenset({ObservationState.BUFFERED, ObservationState.PENDING, ObservationState.CLAIMED})


def answer(store: Store, wish: Remember | Forget | Undo) -> ChangeView:
    """A preview without ``confirm``; with it, the commit of exactly what was previewed (else ``STALE_REVISION``)."""
    plan = _plan(store, wish)
    if wish.confirm is None:
        told = ChangeView(_previews(plan, None), committed=False, messages=_messages(plan))
        return replace(told, broad=_broad(plan), new_project=_begun(store, plan))
    if tuple(change.expected for change in plan.changes) != wish.confirm:
        raise CommitError(Code.STALE_REVISION)
    begun = _begun(store, plan)  # before the commit makes it one of many
    done = commit_plan(store, plan) if isinstance(plan, PersonPlan) else commit_undo(store, plan.receipt, wish.confirm)
    if isinstance(wish, Forget):
        from commonbook.recall.search import drop_outdated

        drop_outdated(store.home, clock=store.clock)
    return ChangeView(
        _previews(plan, done.receipt or None), committed=True, new_project=begun, messages=_messages(plan)
    )


def _broad(plan: PersonPlan | UndoPlan) -> bool:
    """Whether a forget would take more than the few lines that somebody has in mind."""
    if not isinstance(plan, PersonPlan) or plan.kind != "forget":
        return False
    lines = sum(len(change.lines_removed) for change in plan.changes)
    return lines > FEW_LINES or not significant(plan.words)


def _begun(store: Store, plan: PersonPlan | UndoPlan) -> str | None:
    if not isinstance(plan, PersonPlan) or plan.kind != "remember" or not plan.changes:
        return None
    project = scope_project(plan.scope)
    seen = (each for each in list_projects(store, everything=True) if each.state == "seen")
    return next((each.name for each in seen if each.id == project), None)


def _plan(store: Store, wish: Remember | Forget | Undo) -> PersonPlan | UndoPlan:
    match wish:
        case Remember(words=words):
            return plan_remember(store, words, _scope(store, wish.context, wish.cwd))
        case Forget(words=words):
            return plan_forget(store, words, _scopes(store, wish.context, wish.cwd))
        case Undo(receipt=receipt):
            return plan_undo(store, receipt)
        case _:
            assert_never(wish)


def _previews(plan: PersonPlan | UndoPlan, receipt: str | None) -> tuple[ChangePreview, ...]:
    return tuple(
        ChangePreview(
            change.target, change.section, change.lines_added, change.lines_removed, change.expected, receipt=receipt
        )
        for change in plan.changes
    )


def _messages(plan: PersonPlan | UndoPlan) -> int:
    return len(plan.messages) if isinstance(plan, PersonPlan) else 0


def _scope(store: Store, context: str | None, cwd: str | None) -> Scope:
    """The scope that was named, else that of the folder. Raises ``CONTEXT_UNAVAILABLE``, ``UNREGISTERED_PROJECT``."""
    if context is not None:
        project = scope_project(Scope(context))
        if context != GLOBAL and not (project and PROJECT_ID.fullmatch(project)):
            raise UsageError(Code.CONTEXT_UNAVAILABLE, context=context, contexts="global, project:<id>")
        return Scope(context)
    match = scope_for(store, cwd)
    if match.held is not None:
        raise IngressError(match.held)
    return match.scope


def _scopes(store: Store, context: str | None, cwd: str | None) -> Sequence[Scope]:
    """Where to look: the scope that was named, else the folder's project and what holds everywhere."""
    if context is not None:
        return (_scope(store, context, cwd),)
    match = scope_for(store, cwd)
    return (GLOBAL,) if match.held is not None else tuple(dict.fromkeys((match.scope, GLOBAL)))


def edit(store: Store, wish: Edit, request_id: str | None, listen: Listener) -> EditView:
    """Queue the edit, then work until it is decided or the wait is over. ``request_id`` makes asking twice harmless."""
    scope = _scope(store, wish.context, wish.cwd)
    delivered = _deliver(store, wish, scope, request_id)
    item = str(delivered.observation)
    changes: list[Change] = []
    until = time.monotonic() + wish.wait
    while wish.wait and _under_way(store, item) and not is_paused(store) and time.monotonic() < until:
        done = maintain(store, 1, listen)
        changes += changes_of(done.changes)
        if not done.batches:  # another process has it, or it backs off
            time.sleep(POLL_SECONDS)
    view = replace(_result(store, item, changes), place=place_name(store, scope))
    return replace(view, elsewhere=elsewhere(store, wish.words, scope)) if view.result == _UNCLEAR else view


def _deliver(store: Store, wish: Edit, scope: Scope, request_id: str | None) -> Delivered:
    delivery = Delivery(
        host=OUR_HOST,
        origin="edit",
        record=request_id or store.new_id(),
        text=wish.words,
        scope=scope,
        source=Source.INTERACTIVE,
        task_kind=TaskKind.EDIT,
        observed_at=store.clock.now(),
        channel="cli",
    )
    delivered = deliver(store, delivery)
    if delivered.result in ("conflict", "refused") or delivered.observation is None:
        raise IngressError(delivered.issue or Code.SUBMISSION_CONFLICT)
    return delivered


def _under_way(store: Store, item: str) -> bool:
    known = find_item(store, item)
    return known is not None and known.state in _UNDER_WAY


def _result(store: Store, item: str, changes: Sequence[Change]) -> EditView:
    known = find_item(store, item)
    if known is None:
        raise UsageError(Code.UNKNOWN_ITEM, id=item)
    entry = find_entry(store, known.job) if known.job and known.state == ObservationState.PROCESSED else None
    result = None if entry is None else entry.edit_result
    own = tuple(change for change in changes if change.receipt == known.job)
    complete = result in ("modified", "already_satisfied")
    return EditView(item, result, complete, known.state, known.issue, own)
