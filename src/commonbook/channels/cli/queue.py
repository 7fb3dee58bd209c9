"""``commonbook queue``: what waits, and what to do with it."""

from collections.abc import Mapping

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.maintain import maintenance_exit, print_maintenance, work_off
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import HELP_OPTIONS, LazyGroup, option, verb
from commonbook.channels.cli.words import problem_words, project_names, size, spoken, when
from commonbook.channels.gateway.operations import ListQueue, QueueChange, ShowItem
from commonbook.channels.gateway.views import QueueItem, QueueView
from commonbook.messages import say

PLACES = {name: f"{__name__}:queue_{name}" for name in ("list", "show", "flush", "retry", "cancel", "discard")}
STATES = ("buffered", "pending", "claimed", "paused", "dead", "quarantined", "held")


@click.group("queue", cls=LazyGroup, chapters={"queue": tuple(PLACES)}, places=PLACES, context_settings=HELP_OPTIONS)
def queue() -> None: ...


@verb("list")
@option("-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True)
@option("--state", type=click.Choice(STATES))
def queue_list(desk: Desk, limit: int, state: str | None) -> None:
    _answer(desk, desk.call(ListQueue(limit=limit, state=state)), "queue.empty")


@verb("show")
@click.argument("id")
def queue_show(desk: Desk, id: str) -> None:
    view = desk.call(ShowItem(id))
    if desk.json:
        desk.answer(**vars(view))
        return
    _print_item(desk.screen, view.item, project_names(desk, [view.item.scope]))
    for line in (view.words or say("queue.no_words")).splitlines():
        desk.screen.line(f"  | {line}")
    for action in view.possible:
        desk.screen.line(f"  commonbook queue {action} {view.item.id}", (f"   {say(f'queue.to_{action}')}", "quiet"))


@verb("flush")
@option("-v", "--verbose", is_flag=True)
def queue_flush(desk: Desk, verbose: bool) -> int:
    report = work_off(desk, verbose=verbose)
    if desk.json:
        desk.answer(**vars(report))
    else:
        print_maintenance(desk, report, verbose=verbose)
    return maintenance_exit(report)


@verb("retry")
@click.argument("ids", nargs=-1, required=True)
def queue_retry(desk: Desk, ids: tuple[str, ...]) -> None:
    _answer(desk, desk.call(QueueChange("retry", ids)), "queue.nothing_changed")


@verb("cancel")
@click.argument("ids", nargs=-1, required=True)
def queue_cancel(desk: Desk, ids: tuple[str, ...]) -> None:
    _answer(desk, desk.call(QueueChange("cancel", ids)), "queue.nothing_changed")


@verb("discard")
@click.argument("ids", nargs=-1, required=True)
def queue_discard(desk: Desk, ids: tuple[str, ...]) -> None:
    _answer(desk, desk.call(QueueChange("discard", ids)), "queue.nothing_changed")


def _answer(desk: Desk, view: QueueView, when_empty: str) -> None:
    if desk.json:
        desk.answer(**vars(view))
        return
    names = project_names(desk, [item.scope for item in view.items])
    for item in view.items:
        _print_item(desk.screen, item, names)
    if not view.items:
        desk.screen.line(say(when_empty))
    elif view.total > len(view.items):
        desk.screen.line((say("queue.more", shown=len(view.items), total=view.total), "quiet"))


def _print_item(screen: Screen, item: QueueItem, names: Mapping[str, str]) -> None:
    scope = names.get(item.scope, item.scope)
    facts = f"{when(item.said_at)} · {spoken('host', item.host)} · {scope} · {size(item.bytes)}"
    screen.line((spoken("state", item.state), "heading"), f"  {item.id}")
    screen.line("  ", (facts, "quiet"))
    if item.issue:
        screen.line("  ", problem_words(item.issue, say("queue.a_document")))
    if item.attempts and item.available_at:
        screen.line("  ", (say("queue.tried", count=item.attempts, when=when(item.available_at)), "quiet"))
