"""Which project a folder belongs to, from the disk alone; no program is run and nothing is written (02 §3, "Projects").

Rules, in order: the longest known root above the folder; else the repository it lies in (worktrees count as their main
repository); else the folder itself. Home, ``/`` and the temp folders are places where projects lie, never projects. A recorded
folder that is gone is matched as text. Everything compares real paths, so links and ``..`` make no second project.
"""

import os
import re
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from commonbook.vocabulary import ProjectId

Rule = Literal["repository", "folder", "recorded", "person"]
_WINDOWS = re.compile(r"^(?:([A-Za-z]):[\\/]|/mnt/([a-z])/)")


@dataclass(frozen=True)
class KnownRoot:
    """``registered_apart``: a person registered this very folder, so it stands alone even inside another repository."""

    id: ProjectId
    root: str
    registered_apart: bool = False


@dataclass(frozen=True)
class RootMatch:
    """``known`` is ``None`` for a root seen for the first time."""

    root: str
    rule: Rule
    name: str
    known: ProjectId | None


def find_root(cwd: str, known: Sequence[KnownRoot], *, home: str | None = None) -> RootMatch | None:
    """The project root of a recorded working directory; ``None`` for home, ``/``, temp folders and what is no path.

    ``cwd``: as the host recorded it, absolute; ``home``: the person's home folder (default: the process's).
    """
    if not cwd or "\x00" in cwd or not (cwd.startswith("/") or _WINDOWS.match(cwd)):
        return None
    folder = _normal(cwd)
    places = _places(home)
    if folder in places:
        return None
    root, rule = _root_of(folder, places)
    match = _longest_known(folder, root, known)
    if match is not None:
        return RootMatch(match.root, "person" if match.registered_apart else rule, _name(match.root), match.id)
    return RootMatch(root, rule, _name(root), None)


def real_root(path: str) -> str:
    """The spelling in which roots are stored and compared."""
    return _normal(path)


def new_project_id(name: str, random_hex: str) -> ProjectId:
    """Slug of the name + ``-`` + 4 hex digits; a name without a Latin letter or digit becomes ``project``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "project"
    return ProjectId(f"{slug}-{random_hex[:4].lower()}")


def _root_of(folder: str, places: frozenset[str]) -> tuple[str, Rule]:
    for place in (Path(folder), *Path(folder).parents):
        if str(place) in places:
            break  # a home folder that is itself a repository (dotfiles) is still not a project
        main = _repository(place)
        if main is not None and main not in places:
            return main, "repository"
    return folder, "folder" if os.path.isdir(folder) else "recorded"


def _repository(place: Path) -> str | None:
    """The main working tree of the repository at ``place``; ``None`` where there is none (or what is there is broken)."""
    mark = place / ".git"
    if mark.is_dir():
        return str(place) if (mark / "HEAD").exists() else None
    if not mark.is_file():
        return None
    folder = _pointed(mark, place)
    if folder is None:
        return None
    common = _common(folder)
    if common is None:
        return str(place)  # a submodule, or a repository kept elsewhere: its own project
    if common.name == ".git":
        return os.path.realpath(common.parent)
    return os.path.realpath(common)  # worktrees of a bare repository share its folder


def _pointed(mark: Path, place: Path) -> Path | None:
    """What ``gitdir: …`` in a ``.git`` file points to, where that exists."""
    word, _, rest = _start_of(mark).partition(":")
    folder = place / rest.strip()
    return folder if word == "gitdir" and rest.strip() and folder.is_dir() else None


def _common(folder: Path) -> Path | None:
    """The shared repository folder of a worktree; only worktrees have the file ``commondir``."""
    shared = _start_of(folder / "commondir").strip()
    common = Path(os.path.realpath(folder / shared)) if shared else None
    return common if common is not None and common.is_dir() else None


def _start_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(4096).decode("utf-8", "replace")
    except OSError:
        return ""


def _longest_known(folder: str, root: str, known: Sequence[KnownRoot]) -> KnownRoot | None:
    """The nearest known root at or above the folder. A repository of its own inside a known plain folder stays its own:
    only what a person registered reaches across a repository's border."""
    above = [one for one in known if _inside(folder, one.root)]
    same = [one for one in known if _fold(one.root) == _fold(root)]
    within = [one for one in above if _inside(one.root, root) or one.registered_apart or not os.path.isdir(folder)]
    return max((*within, *same), key=lambda one: len(one.root), default=None)


def _inside(path: str, root: str) -> bool:
    path, root = _fold(path), _fold(root)
    return path == root or path.startswith(root.rstrip("/") + "/")


def _normal(path: str) -> str:
    """Real path where the folder exists; else the text with its separators and dots tidied."""
    windows = _WINDOWS.match(path)
    if windows:
        # The same folder is C:\x for a Windows program and /mnt/c/x inside WSL.
        rest = path[windows.end() :].replace("\\", "/")
        path = f"/mnt/{(windows[1] or windows[2]).lower()}/{rest}"
    real = os.path.realpath(path) if os.path.isdir(path) else os.path.normpath(path)
    return _as_on_disk(real) if os.path.isdir(real) else real


def _as_on_disk(path: str) -> str:
    """The names as the disk spells them: on a volume that ignores case, ``~/Work`` and ``~/work`` are one folder."""
    parts: list[str] = []
    for name in Path(path).parts[1:]:
        parent = "/" + "/".join(parts)
        parts.append(name)
        if name.swapcase() == name or not os.path.exists(os.path.join(parent, name.swapcase())):
            continue
        if os.path.samefile(os.path.join(parent, name.swapcase()), os.path.join(parent, name)):
            parts[-1] = next((found for found in os.listdir(parent) if found.casefold() == name.casefold()), name)
    return "/" + "/".join(parts)


def _fold(path: str) -> str:
    """Drives of Windows ignore case; elsewhere the disk's own spelling decides (``_as_on_disk``)."""
    return path.casefold() if path.startswith("/mnt/") and path[6:7] in ("/", "") else path


def _places(home: str | None) -> frozenset[str]:
    """Folders that hold projects and are none."""
    named = {"/", "/tmp", "/var/tmp", "/private/tmp", "/home", "/root", "/Users", tempfile.gettempdir()}  # noqa: S108
    named.add(home or os.path.expanduser("~"))
    return frozenset(named | {os.path.realpath(place) for place in named})


def _name(root: str) -> str:
    name = os.path.basename(root.rstrip("/"))
    return name.removesuffix(".git") or name or "project"
