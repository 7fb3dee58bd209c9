"""``commonbook why``: where a section comes from, in the person's own words."""

from collections.abc import Mapping

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.screen import Screen, one_line
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import project_names, short_path, spoken, when
from commonbook.channels.gateway.operations import Why
from commonbook.channels.gateway.views import SectionReasons, SourceView
from commonbook.messages import say


@verb("why")
@click.argument("target", metavar="TARGET[#SECTION]")
@option("-v", "--verbose", is_flag=True)
def why(desk: Desk, target: str, verbose: bool) -> None:
    name, _, section = target.partition("#")
    view = desk.call(Why(name, section or None))
    if desk.json:
        desk.answer(**vars(view))
        return
    places = [*(each.target for each in view.sections), *(one.scope for each in view.sections for one in each.sources)]
    names = project_names(desk, places)
    for index, reasons in enumerate(view.sections):
        if index:
            desk.screen.line()
        _print_section(desk.screen, reasons, names, verbose=verbose)


def _print_section(screen: Screen, reasons: SectionReasons, names: Mapping[str, str], *, verbose: bool) -> None:
    target = names.get(reasons.target, reasons.target)
    screen.line((f"{target} › {one_line(reasons.section)}", "heading"))
    if reasons.changed_at is not None:
        screen.line("  ", (say("why.changed", when=when(reasons.changed_at)), "quiet"))
    if reasons.by_person:
        others = any(source.host != "commonbook" for source in reasons.sources)
        screen.line("  ", say("why.partly_by_person" if others else "why.by_person"))
    for source in reasons.sources:
        _print_source(screen, source, names, verbose=verbose)
    if not reasons.sources and not reasons.by_person:
        screen.line("  ", say("why.no_source"))


def _print_source(screen: Screen, source: SourceView, names: Mapping[str, str], *, verbose: bool) -> None:
    words = source.words.strip().splitlines() if source.words is not None else [say("why.words_gone")]
    for index, line in enumerate(words):
        screen.line(("  “" if index == 0 else "   ") + line + ("”" if index == len(words) - 1 else ""))
    said = {"when": when(source.said_at), "host": spoken("host", source.host)}
    screen.line("     ", (say("why.said", **said, scope=names.get(source.scope, source.scope)), "quiet"))
    if not verbose:
        return
    if source.transcript:
        key = "why.from_transcript" if source.from_transcript else "why.transcript"
        screen.line("     ", (say(key, path=short_path(source.transcript)), "quiet"))
    screen.line("     ", (say("why.receipt", receipt=source.receipt), "quiet"))
