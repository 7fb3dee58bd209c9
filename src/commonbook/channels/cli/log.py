"""``commonbook log``: the committed changes, newest first."""

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import project_names, spoken, when
from commonbook.channels.gateway.operations import ReadLog
from commonbook.channels.gateway.views import LogEntry
from commonbook.messages import say


@verb("log")
@option("-n", "--limit", type=click.IntRange(min=1), default=20, show_default=True)
def log(desk: Desk, limit: int) -> None:
    view = desk.call(ReadLog(limit))
    if desk.json:
        desk.answer(**vars(view))
        return
    names = project_names(desk, [target for entry in view.entries for target in entry.targets])
    for entry in view.entries:
        targets = ", ".join(names.get(target, target) for target in entry.targets)
        desk.screen.line(when(entry.at), "  ", (_what(entry), "heading"), "  ", targets)
        desk.screen.line(
            (f"    {say('log.by', agent=spoken('agent', entry.agent.partition('/')[0]))} · {entry.receipt}", "quiet")
        )
    if not view.entries:
        desk.screen.line(say("log.empty"))


def _what(entry: LogEntry) -> str:
    words = [spoken("decision", kind) for kind in dict.fromkeys(entry.decisions)]
    if entry.edit_result:
        words.append(spoken("edit", entry.edit_result))
    return ", ".join(words) or spoken("log", entry.kind)
