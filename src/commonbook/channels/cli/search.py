"""``commonbook search`` (also ``retrieve``): find passages again, best first."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.scopes import chosen_context
from commonbook.channels.cli.screen import Piece, Screen
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import day, project_names
from commonbook.channels.gateway.operations import SearchMemory
from commonbook.channels.gateway.views import Segment
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
    counted = click.get_current_context().get_parameter_source("count") is ParameterSource.COMMANDLINE
    view = desk.read(
        SearchMemory(
            query=" ".join(query),
            k=count,
            contexts=(context,) if context else (),
            cwd=str(Path.cwd()) if here else None,
            trace=trace or not desk.json,
        )
    )
    if desk.json:
        desk.answer(**vars(view))
        return
    hits = (*view.segments, *view.skills, *view.resources)
    shown = hits if trace or counted else [hit for hit in hits if _own_words(hit)] or hits
    names = project_names(desk, [hit.target for hit in shown])
    for index, hit in enumerate(shown):
        if index:
            desk.screen.line()
        _print_hit(desk.screen, hit, names, trace=trace)
    if not hits:
        desk.screen.line(say("search.nothing"))
    if view.stale:
        desk.screen.note(say("search.stale"))


def _own_words(hit: Segment) -> tuple[str, ...]:
    """The words of the query that stand in the passage itself, as its trace tells (``text=pnpm,lock near=deploy``); none for one
    that was found by what stands around it."""
    found = re.search(r"\btext=(\S+)", hit.trace or "")
    return () if found is None or found[1] == "-" else tuple(found[1].split(","))


def _print_hit(screen: Screen, hit: Segment, names: Mapping[str, str], *, trace: bool) -> None:
    place = " › ".join((names.get(hit.target, hit.target), *hit.heading))
    screen.line((place, "heading"), (f"  {day(hit.date)}", "quiet") if hit.date else "")
    words = _own_words(hit)
    for line in hit.text.strip().splitlines():
        screen.line("  ", *_marked(line, words))
    if trace and hit.trace:
        screen.line((f"  {hit.trace}", "quiet"))


def _marked(line: str, words: Sequence[str]) -> list[Piece]:
    """The line with these words standing out; the index knows a word by its stem, so what follows it is part of it."""
    if not words:
        return [line]
    stems = (rf"(?<!\w){re.escape(word)}\w*" if word.isascii() else re.escape(word) for word in words)
    parts = re.split(f"({'|'.join(stems)})", line, flags=re.IGNORECASE)
    return [(part, "heading") if at % 2 else part for at, part in enumerate(parts)]
