"""The table of projects; thin functions over ``sql/projects.sql``."""

from typing import Literal, NamedTuple

from commonbook.ledger.database import Ledger, queries

ProjectState = Literal["seen", "registered", "removed"]


class ProjectRow(NamedTuple):
    id: str
    name: str
    root: str
    rule: str
    state: str


def get(ledger: Ledger, project: str) -> ProjectRow | None:
    row = ledger.row(queries("projects")["get"], (project,))
    return None if row is None else ProjectRow(*row)


def at_root(ledger: Ledger, root: str) -> ProjectRow | None:
    """The project that stands at exactly this folder, removed ones left out."""
    row = ledger.row(queries("projects")["live_root"], (root,))
    return None if row is None else ProjectRow(*row)


def rows(ledger: Ledger, *, removed: bool = False) -> tuple[ProjectRow, ...]:
    return tuple(ProjectRow(*row) for row in ledger.rows(queries("projects")["all" if removed else "live"]))


def put(ledger: Ledger, project: ProjectRow, now: int) -> None:
    ledger.run(queries("projects")["put"], (*project, now, now))


def set_state(ledger: Ledger, project: str, state: ProjectState, now: int) -> None:
    ledger.run(queries("projects")["set_state"], {"id": project, "state": state, "now": now})


def rename(ledger: Ledger, project: str, name: str, now: int) -> None:
    ledger.run(queries("projects")["rename"], {"id": project, "name": name, "now": now})


def keep(ledger: Ledger, project: str, now: int) -> bool:
    """``seen`` becomes ``registered``; false when it was already, or is unknown."""
    return ledger.run(queries("projects")["keep"], {"id": project, "now": now}) > 0


def sections(ledger: Ledger, target: str) -> int:
    row = ledger.row(queries("projects")["sections"], (target,))
    return 0 if row is None else int(row[0])


def waiting(ledger: Ledger, scope: str) -> int:
    row = ledger.row(queries("projects")["waiting"], (scope,))
    return 0 if row is None else int(row[0])
