"""``commonbook project``: the folders that have a memory of their own."""

from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.exits import EXIT_OK, EXIT_UNCONFIRMED
from commonbook.channels.cli.hand import may_go_on
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import HELP_OPTIONS, LazyGroup, option, verb
from commonbook.channels.cli.words import counted, short_path, spoken
from commonbook.channels.gateway.operations import ListProjects, RegisterProject, RemoveProject
from commonbook.channels.gateway.views import ProjectView
from commonbook.messages import say

PLACES = {name: f"{__name__}:project_{name}" for name in ("list", "register", "remove")}


@click.group(
    "project", cls=LazyGroup, chapters={"project": tuple(PLACES)}, places=PLACES, context_settings=HELP_OPTIONS
)
def project() -> None: ...


@verb("list")
@option("--all", "every", is_flag=True)
def project_list(desk: Desk, every: bool) -> None:
    projects = desk.call(ListProjects(all=every))
    if desk.json:
        desk.answer(projects=projects)
        return
    for each in projects:
        _print_project(desk.screen, each)
    if not projects:
        desk.screen.line(say("project.none"))


@verb("register")
@click.argument("path", default=".", type=click.Path())
@option("--name", metavar="NAME")
def project_register(desk: Desk, path: str, name: str | None) -> None:
    _answer(desk, desk.call(RegisterProject(str(Path.cwd() / Path(path).expanduser()), name)), "project.registered")


@verb("remove")
@click.argument("id")
@option("--yes", "-y", is_flag=True)
def project_remove(desk: Desk, id: str, yes: bool) -> int:
    if not yes:
        view = desk.call(RemoveProject(id, confirm=False))
        if not desk.json:
            _print_project(desk.screen, view)
            desk.screen.line(say("project.about_removal", id=view.id))
        if not may_go_on(desk, say("project.question"), project=view):
            return EXIT_UNCONFIRMED
    _answer(desk, desk.call(RemoveProject(id)), "project.removed")
    return EXIT_OK


def _answer(desk: Desk, view: ProjectView, sentence: str) -> None:
    if desk.json:
        desk.answer(project=view)
        return
    desk.screen.line(say(sentence))
    _print_project(desk.screen, view)


def _print_project(screen: Screen, view: ProjectView) -> None:
    screen.line((view.name, "heading"), f"  {view.id}", (f"  {spoken('project-state', view.state)}", "quiet"))
    screen.line("  ", short_path(view.root), (f"  ({spoken('rule', view.rule)})", "quiet"))
    screen.line("  ", counted(("sections", view.sections), ("waiting", view.waiting), always=2))
