"""projects.toml: the projects as a file, derived at every change, so that readers never open the runtime database."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from commonbook.book.files import read_bounded, write_durable
from commonbook.settings.paths import Home
from commonbook.vocabulary import PROJECT_ID, ProjectId

_HEAD = "# Written by Commonbook from its database; edits here are overwritten. Use `commonbook project`.\n"


@dataclass(frozen=True)
class Project:
    id: ProjectId
    name: str
    root: str
    rule: str
    state: str
    """``registered`` or ``removed``."""


def read_projects(home: Home) -> tuple[Project, ...]:
    """Every project in the file; an absent or broken file has none (it is written again with the next change)."""
    data = read_bounded(home.projects_file, below=home.data) if home.data.is_dir() else None
    try:
        listed = tomllib.loads((data or b"").decode("utf-8")).get("project", {})
        return tuple(
            Project(ProjectId(key), str(one["name"]), str(one["root"]), str(one["rule"]), str(one["state"]))
            for key, one in listed.items()
            if PROJECT_ID.fullmatch(key)
        )
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, AttributeError, TypeError, RecursionError):
        return ()


def write_projects(home: Home, projects: Sequence[Project]) -> None:
    """Write the file whole and durably, sorted by id."""
    tables = []
    for project in sorted(projects, key=lambda one: one.id):
        fields = {"name": project.name, "root": project.root, "rule": project.rule, "state": project.state}
        tables.append(
            f"\n[project.{project.id}]\n" + "".join(f"{key} = {_text(value)}\n" for key, value in fields.items())
        )
    write_durable(home.projects_file, (_HEAD + "".join(tables)).encode())


def _text(value: str) -> str:
    """A TOML basic string; what UTF-8 cannot hold (odd bytes in an old folder name) becomes a question mark."""
    clean = value.encode("utf-8", "replace").decode()
    escaped = clean.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(sign if sign >= " " and sign != "\x7f" else f"\\u{ord(sign):04x}" for sign in escaped) + '"'
