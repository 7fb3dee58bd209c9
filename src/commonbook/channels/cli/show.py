"""``commonbook show``: the memory as it stands."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.scopes import chosen_context
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import day, problem_words, project_names
from commonbook.channels.gateway.names import target_named
from commonbook.channels.gateway.operations import ListContexts, ReadMemory
from commonbook.channels.gateway.views import DocumentView, MemoryView
from commonbook.messages import say
from commonbook.vocabulary import target_scope


@verb("show")
@click.argument("target", required=False)
@option("--project", metavar="PROJECT")
@option("--global", "whole", is_flag=True)
@option("--all", "every", is_flag=True)
@option("--as-agent", is_flag=True)
def show(desk: Desk, target: str | None, project: str | None, whole: bool, every: bool, as_agent: bool) -> None:
    if sum((target is not None, project is not None, whole, every)) > 1:
        raise click.UsageError(say("cli.one_of", choices="TARGET, --project, --global, --all"))
    view = _view(desk, target, project, whole, every)
    if desk.json:
        desk.answer(**vars(view))
    elif as_agent:
        desk.screen.line(view.rendered)
    else:
        _print_memory(desk, view)


def _view(desk: Desk, target: str | None, project: str | None, whole: bool, every: bool) -> MemoryView:
    if target is not None:
        wanted = target_named(desk.read(ListContexts()), target)
        view = desk.read(ReadMemory(contexts=(target_scope(wanted),)))
        documents = tuple(each for each in view.documents if each.target == wanted)
        return replace(view, documents=documents, empty=all(each.empty for each in documents))
    if every:
        return desk.read(ReadMemory())
    context = "global" if whole else chosen_context(desk, project)
    return desk.read(ReadMemory(contexts=(context,)) if context else ReadMemory(cwd=str(Path.cwd())))


def _print_memory(desk: Desk, view: MemoryView) -> None:
    filled = [document for document in view.documents if not document.empty]
    names = project_names(desk, [document.target for document in filled])
    for index, document in enumerate(filled):
        if index:
            desk.screen.line()
        date = say("show.dated", day=day(document.date)) if document.date else ""
        desk.screen.line(
            (names.get(document.target, document.target), "heading"), (f"  {date}", "quiet") if date else ""
        )
        _print_markdown(desk.screen, document)
    for problem in view.unreadable:
        desk.screen.note(("! ", "warning"), problem_words(problem.code, problem.path))
    if not filled and not view.unreadable:
        desk.screen.line(say("show.empty"))
    elsewhere = [each for each in desk.read(ListContexts()) if each.context not in (*view.contexts, "global")]
    if elsewhere:
        desk.screen.line()
        desk.screen.line((say("show.elsewhere", names=_listed([each.name for each in elsewhere])), "quiet"))


def _print_markdown(screen: Screen, document: DocumentView) -> None:
    for line in document.content.removeprefix("\ufeff").splitlines():
        screen.line((line, "heading") if line.startswith("#") else line)


def _listed(names: Sequence[str], at_most: int = 5) -> str:
    more = f", … ({len(names)})" if len(names) > at_most else ""
    return ", ".join(names[:at_most]) + more
