"""Projects: list, register, remove."""

from pathlib import Path
from typing import assert_never

from commonbook.channels.gateway.operations import ListProjects, RegisterProject, RemoveProject
from commonbook.channels.gateway.views import ProjectView
from commonbook.errors import Code, UsageError
from commonbook.keeper.contracts import Store
from commonbook.keeper.projects import ProjectEntry, list_projects, register_project, remove_project
from commonbook.vocabulary import folded


def answer(
    store: Store, operation: ListProjects | RegisterProject | RemoveProject
) -> tuple[ProjectView, ...] | ProjectView:
    match operation:
        case ListProjects(all=everything):
            return tuple(_view(entry) for entry in list_projects(store, everything=everything))
        case RegisterProject(path=path, name=name):
            return _view(register_project(store, _known_root(store, path), name))
        case RemoveProject(id=words, confirm=confirm):
            found = _named(store, words)
            return _view(remove_project(store, found.id) if confirm else found)
        case _:
            assert_never(operation)


def _known_root(store: Store, path: str) -> str:
    """The folder; where there is none, the root of the project that its last part names (removed ones too)."""
    if Path(path).is_dir():
        return path
    words = Path(path).name
    entries = list_projects(store, everything=True)
    exact = [entry.root for entry in entries if entry.id == words]
    roots = exact or list(dict.fromkeys(entry.root for entry in entries if folded(entry.name) == folded(words)))
    return roots[0] if len(roots) == 1 else path


def _named(store: Store, words: str) -> ProjectEntry:
    """An id, or a name that only one project has."""
    entries = [entry for entry in list_projects(store, everything=True) if entry.state != "removed"]
    exact = [entry for entry in entries if entry.id == words]
    named = exact or [entry for entry in entries if folded(entry.name) == folded(words)]
    if len(named) == 1:
        return named[0]
    raise UsageError(Code.UNKNOWN_PROJECT, id=words, known=", ".join(entry.id for entry in entries) or "-")


def _view(entry: ProjectEntry) -> ProjectView:
    return ProjectView(
        entry.id, entry.name, entry.root, entry.rule, entry.state, sections=entry.sections, waiting=entry.waiting
    )
