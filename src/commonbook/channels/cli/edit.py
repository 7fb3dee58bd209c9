"""``commonbook edit``: ask the memory agent for a change in plain words; exit codes tell the results apart."""

from dataclasses import replace
from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.live import Live
from commonbook.channels.cli.scopes import chosen_context
from commonbook.channels.cli.screen import one_line
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import print_changes, problem_words, project_names
from commonbook.channels.gateway.operations import Edit
from commonbook.channels.gateway.views import EditView
from commonbook.messages import say

EXIT_CODES = {"modified": 0, "already_satisfied": 10, "clarification_required": 11, "refused": 12}
EXIT_WAITING = 13


@verb("edit")
@click.argument("words", nargs=-1, required=True)
@option("--scope", metavar="SCOPE")
@option("--wait", type=click.FloatRange(min=0), default=60.0, show_default=True, metavar="SECONDS")
@option("--no-wait", is_flag=True)
def edit(desk: Desk, words: tuple[str, ...], scope: str | None, wait: float, no_wait: bool) -> int:
    wish = Edit(" ".join(words), chosen_context(desk, scope), str(Path.cwd()), wait=0.0 if no_wait else wait)
    view = desk.call(wish, listen=None if desk.json else Live(desk.screen))
    if not desk.json:
        _print_result(desk, view)
    there = {each.context for each in view.elsewhere}
    if len(there) == 1 and desk.screen.can_ask and not desk.json and desk.screen.ask(say("edit.question_there")):
        view = desk.call(replace(wish, context=there.pop()), listen=Live(desk.screen))
        _print_result(desk, view)
    if desk.json:
        desk.answer(**vars(view))
    return EXIT_WAITING if view.result is None else EXIT_CODES[view.result]


def _print_result(desk: Desk, view: EditView) -> None:
    print_changes(desk, view.changes)
    if view.changes:
        desk.screen.line()
    if view.elsewhere:
        _print_elsewhere(desk, view)
    elif view.result is None and view.issue is not None:
        desk.screen.note(problem_words(view.issue, say("queue.a_document")))
    else:
        desk.screen.line(say(f"edit.about_{view.result or 'waiting'}"))
    if view.result is None:
        desk.screen.line((say("edit.item", item=view.item, state=say(f"state.{view.state}")), "quiet"))


def _print_elsewhere(desk: Desk, view: EditView) -> None:
    """The words stand, but in a scope that was not meant by the folder: the way there is one option."""
    place = view.place if view.place == "global" else say("cli.project", name=one_line(view.place))
    names = project_names(desk, [name for each in view.elsewhere for name in (each.target, each.context)])
    desk.screen.line(say("edit.not_here", place=place, words=one_line(view.elsewhere[0].words)))
    for each in view.elsewhere:
        target, scope = names.get(each.target, each.target), each.context.removeprefix("project:")
        desk.screen.line("  ", say("edit.but_there", target=target, count=each.lines, scope=scope))
