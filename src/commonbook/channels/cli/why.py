"""``commonbook why``: where a section comes from, in the person's own words."""

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.screen import Screen, one_line
from commonbook.channels.cli.spoken import verb
from commonbook.channels.cli.words import short_path, spoken, when
from commonbook.channels.gateway.operations import SectionReasons, SourceView, Why
from commonbook.messages import say


@verb("why")
@click.argument("target", metavar="TARGET[#SECTION]")
def why(desk: Desk, target: str) -> None:
    name, _, section = target.partition("#")
    view = desk.call(Why(name, section or None))
    if desk.json:
        desk.answer(**vars(view))
        return
    for index, reasons in enumerate(view.sections):
        if index:
            desk.screen.line()
        _print_section(desk.screen, reasons)


def _print_section(screen: Screen, reasons: SectionReasons) -> None:
    screen.line((f"{reasons.target} › {one_line(reasons.section)}", "heading"))
    if reasons.changed_at is not None:
        screen.line("  ", (say("why.changed", when=when(reasons.changed_at)), "quiet"))
    if reasons.by_person:
        screen.line("  ", say("why.by_person"))
    for source in reasons.sources:
        _print_source(screen, source)
    if not reasons.sources and not reasons.by_person:
        screen.line("  ", say("why.no_source"))


def _print_source(screen: Screen, source: SourceView) -> None:
    words = source.words.strip().splitlines() if source.words is not None else [say("why.words_gone")]
    for index, line in enumerate(words):
        screen.line(("  “" if index == 0 else "   ") + line + ("”" if index == len(words) - 1 else ""))
    by = spoken("host", source.host)
    screen.line("     ", (say("why.said", when=when(source.said_at), host=by, scope=source.scope), "quiet"))
    if source.transcript:
        key = "why.from_transcript" if source.from_transcript else "why.transcript"
        screen.line("     ", (say(key, path=short_path(source.transcript)), "quiet"))
    screen.line("     ", (say("why.receipt", receipt=source.receipt), "quiet"))
