"""Which project a folder belongs to. A fact about one project must never land in global memory for want of a place."""

from dataclasses import dataclass
from pathlib import Path

from commonbook.book.registry import Project, read_projects, write_projects
from commonbook.book.roots import KnownRoot, RootMatch, find_root, new_project_id, real_root
from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError, UsageError
from commonbook.keeper.contracts import Store
from commonbook.ledger import projects as table
from commonbook.ledger import queue as queue_table
from commonbook.ledger.database import Ledger
from commonbook.ledger.projects import ProjectRow
from commonbook.vocabulary import GLOBAL, ProjectId, Scope, project_scope, scope_project, scope_targets


@dataclass(frozen=True)
class ScopeMatch:
    """``rule``: how it was found (``repository``, ``folder``, ``recorded``, ``person``; ``home`` and ``no_folder`` for
    global). ``held``: deliveries of this scope wait, because the project is not registered."""

    scope: Scope
    rule: str
    project: ProjectId | None
    held: Code | None


@dataclass(frozen=True)
class ProjectEntry:
    """A project as a person sees it; ``waiting``: deliveries of it that are not processed yet."""

    id: ProjectId
    name: str
    root: str
    rule: str
    state: str
    sections: int
    waiting: int


def scope_for(store: Store, cwd: str | None) -> ScopeMatch:
    """The scope of words spoken in a folder. On first sight the project is noted as ``seen``: usable at once, or, when
    ``projects.on_first_sight`` is ``ask`` or ``ignore``, with its deliveries held. It is registered when its first fact
    is kept. Home, ``/`` and temporary folders are global. Takes a write transaction for a new project only."""
    if not cwd:
        return ScopeMatch(GLOBAL, "no_folder", None, None)
    match = find_root(cwd, _known_roots(store.ledger))
    if match is None:
        return ScopeMatch(GLOBAL, "home", None, None)
    project = match.known or _note(store, match)
    scope = project_scope(project)
    return ScopeMatch(scope, match.rule, project, project_hold(store, scope))


def project_hold(store: Store, scope: Scope) -> Code | None:
    """``UNREGISTERED_PROJECT`` while deliveries of the scope must wait: a removed or unknown project, or one that was
    only seen where the person wants to be asked."""
    project = scope_project(scope)
    if project is None:
        return None
    row = table.get(store.ledger, project)
    if row is not None and row.state == "registered":
        return None
    usable = row is not None and row.state == "seen" and store.settings.projects.on_first_sight == "register"
    return None if usable else Code.UNREGISTERED_PROJECT


def list_projects(store: Store, *, everything: bool = False) -> tuple[ProjectEntry, ...]:
    """Registered projects; ``everything``: those only seen and those removed as well."""
    rows = table.rows(store.ledger, removed=True)
    return tuple(_entry(store.ledger, row) for row in rows if everything or row.state == "registered")


def register_project(store: Store, path: str, name: str | None = None) -> ProjectEntry:
    """Make a folder a project of its own, by the person's word; held deliveries of it go on.

    A folder that was seen already keeps its id; one that was removed gets a new one. One that is gone from the disk can be
    registered as long as it is known, from session files or from before. Raises ``PlaceError(FOLDER_MISSING)`` and
    ``UsageError(NOT_A_PROJECT_ROOT)`` for home, ``/`` and temporary folders.
    """
    root = real_root(str(Path(path).expanduser().absolute()))
    if not Path(root).is_dir() and all(row.root != root for row in table.rows(store.ledger, removed=True)):
        raise PlaceError(Code.FOLDER_MISSING, path=root)
    match = find_root(root, ())
    if match is None:
        raise UsageError(Code.NOT_A_PROJECT_ROOT, path=root)
    store.mark("projects.register")
    with store.ledger.write() as ledger:
        now = store.clock.now()
        row = table.at_root(ledger, root)
        if row is None:
            own_root = match.root == root
            label = name or (match.name if own_root else Path(root).name)
            row = ProjectRow(_fresh_id(store, label), label, root, match.rule if own_root else "person", "registered")
            table.put(ledger, row, now)
        else:
            table.set_state(ledger, row.id, "registered", now)
            if name is not None:
                table.rename(ledger, row.id, name, now)
        queue_table.release_scope(ledger, project_scope(ProjectId(row.id)), Code.UNREGISTERED_PROJECT)
        found = table.get(ledger, row.id) or row
        entry = _entry(ledger, found)
    publish_registry(store)
    return entry


def remove_project(store: Store, project: ProjectId) -> ProjectEntry:
    """Stop serving and feeding a project. Its Markdown stays; its waiting deliveries are held; its id is never used
    again.

    Raises ``UsageError(UNKNOWN_PROJECT)``.
    """
    store.mark("projects.remove")
    with store.ledger.write() as ledger:
        row = table.get(ledger, project)
        if row is None or row.state == "removed":
            raise UsageError(Code.UNKNOWN_PROJECT, id=project)
        table.set_state(ledger, project, "removed", store.clock.now())
        queue_table.hold_scope(ledger, project_scope(project), Code.UNREGISTERED_PROJECT)
        entry = _entry(ledger, row._replace(state="removed"))
    publish_registry(store)
    return entry


def keep_project(ledger: Ledger, scope: Scope, now: Milliseconds) -> bool:
    """Inside a commit that keeps a first fact: the project that was only seen is registered now. True when that changed
    something, and then ``publish_registry`` is due after the commit."""
    project = scope_project(scope)
    return project is not None and table.keep(ledger, project, now)


def publish_registry(store: Store) -> None:
    """Write projects.toml for readers that never open the database: what is registered, and what was removed (so that
    they can say so). Nothing is written when it says all that already."""
    wanted = tuple(
        Project(id=ProjectId(row.id), name=row.name, root=row.root, rule=row.rule, state=row.state)
        for row in table.rows(store.ledger, removed=True)
        if row.state != "seen"
    )
    if wanted != read_projects(store.home):
        store.mark("projects.publish")
        write_projects(store.home, wanted)


def _known_roots(ledger: Ledger) -> tuple[KnownRoot, ...]:
    return tuple(
        KnownRoot(id=ProjectId(row.id), root=row.root, registered_apart=row.rule == "person")
        for row in table.rows(ledger)
    )


def _note(store: Store, match: RootMatch) -> ProjectId:
    store.mark("projects.seen")
    with store.ledger.write() as ledger:
        row = table.at_root(ledger, match.root)  # another process may have seen it first
        if row is None:
            row = ProjectRow(_fresh_id(store, match.name), match.name, match.root, match.rule, "seen")
            table.put(ledger, row, store.clock.now())
    return ProjectId(row.id)


def _fresh_id(store: Store, name: str) -> ProjectId:
    while True:  # 4 hex characters may meet an older id of the same name
        project = new_project_id(name, store.new_id()[-4:])
        if table.get(store.ledger, project) is None:
            return project


def _entry(ledger: Ledger, row: ProjectRow) -> ProjectEntry:
    project = ProjectId(row.id)
    scope = project_scope(project)
    counted = sum(table.sections(ledger, target) for target in scope_targets(scope))
    return ProjectEntry(project, row.name, row.root, row.rule, row.state, counted, table.waiting(ledger, scope))
