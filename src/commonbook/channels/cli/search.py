"""``commonbook search`` (also ``retrieve``): find passages again, best first."""

from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.scopes import chosen_context
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import day
from commonbook.channels.gateway.operations import SearchMemory, Segment
from commonbook.messages import say


@verb("search")
@click.argument("query", nargs=-1, required=True)
@option("-k", "count", type=click.IntRange(1, 20), default=8, show_default=True)
@option("--project", metavar="PROJECT")
@option("--global", "whole", is_flag=True)
@option("--here", is_flag=True)
@option("--trace", is_flag=True)
def search(
    desk: Desk, query: tuple[str, ...], count: int, project: str | None, whole: bool, here: bool, trace: bool
) -> None:
    if sum((project is not None, whole, here)) > 1:
        raise click.UsageError(say("cli.one_of", choices="--project, --global, --here"))
    context = "global" if whole else chosen_context(desk, project)
    view = desk.read(
        SearchMemory(
            query=" ".join(query),
            k=count,
            contexts=(context,) if context else (),
            cwd=str(Path.cwd()) if here else None,
            trace=trace,
        )
    )
    if desk.json:
        desk.answer(**vars(view))
        return
    hits = (*view.segments, *view.skills, *view.resources)
    for index, hit in enumerate(hits):
        if index:
            desk.screen.line()
        _print_hit(desk.screen, hit)
    if not hits:
        desk.screen.line(say("search.nothing"))
    if view.stale:
        desk.screen.note(say("search.stale"))


def _print_hit(screen: Screen, hit: Segment) -> None:
    place = " › ".join((hit.target, *hit.heading))
    screen.line((place, "heading"), (f"  {day(hit.date)}", "quiet") if hit.date else "")
    for line in hit.text.strip().splitlines():
        screen.line(f"  {line}")
    if hit.trace:
        screen.line((f"  {hit.trace}", "quiet"))
