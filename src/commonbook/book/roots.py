"""Which project a folder belongs to, from the disk alone; no program is run and nothing is written (02 §3, "Projects").

Rules, in order: the longest known root above the folder; else the repository it lies in (worktrees count as their main
repository); else the folder itself. A repository is its own project even inside a known plain folder, unless a person
registered that folder. Never projects: home, ``/``, drives and temp folders; nor a plain folder directly in a temp folder
(scratch) or directly in ``/home`` (somebody's home): those count only as repositories. A recorded folder that is gone is
matched as text. Everything compares real paths, so links and ``..`` make no second project.
"""

import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from commonbook.vocabulary import ProjectId

Rule = Literal["repository", "folder", "recorded", "person"]
_DRIVE = re.compile(r"(?:[\\/]{2}[?.][\\/])?([A-Za-z]):(?:[\\/]|\Z)")
_WSL = re.compile(r"[\\/]{2}wsl(?:\$|\.localhost)[\\/]+[^\\/]+", re.IGNORECASE)
_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm")  # noqa: S108 - named, never used
_HOMES = ("/home", "/Users")
_OF_WINDOWS = re.compile(
    r"/mnt/[a-z](?:/windows(?:/temp)?|/users(?:/[^/]+(?:/appdata/local(?:/temp)?)?)?)?", re.IGNORECASE
)
"""Drives, homes and temp folders of Windows as WSL names them."""


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


@dataclass(frozen=True)
class _Places:
    """``shelves``: temp folders and folders of homes, where what stands directly is scratch or somebody's home."""

    never: frozenset[str]
    shelves: frozenset[str]

    def has(self, folder: str) -> bool:
        return folder in self.never or _OF_WINDOWS.fullmatch(folder) is not None


def find_root(cwd: str, known: Sequence[KnownRoot], *, home: str | None = None) -> RootMatch | None:
    """The project root of a recorded working directory; ``None`` for home, ``/``, temp folders and what is no path.

    ``cwd``: as the host recorded it, absolute; ``home``: the person's home folder (default: the process's).
    """
    folder = _normal(cwd)
    places = _places(home)
    if folder is None or places.has(folder):
        return None
    root, top, rule = _root_of(folder, places)
    match = _nearest_known(folder, root, top, rule, known)
    if match is not None:
        return RootMatch(match.root, "person" if match.registered_apart else rule, _name(match.root), match.id)
    if rule != "repository" and os.path.dirname(folder) in places.shelves:
        return None
    return RootMatch(root, rule, _name(root), None)


def real_root(path: str) -> str:
    """The spelling in which roots are stored and compared; ``path`` is absolute."""
    return _normal(path) or path


def new_project_id(name: str, random_hex: str) -> ProjectId:
    """Slug of the name + ``-`` + 4 hex digits; a name without a Latin letter or digit becomes ``project``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "project"
    return ProjectId(f"{slug}-{random_hex[:4].lower()}")


def _root_of(folder: str, places: _Places) -> tuple[str, str, Rule]:
    """(root, top of the working tree that the folder lies in, rule); root and top differ in a worktree."""
    top = folder
    while not places.has(top):  # a home folder that is itself a repository (dotfiles) is still not a project
        main = _repository(top)
        if main is not None and not places.has(main):
            return main, top, "repository"
        top = os.path.dirname(top)
    return folder, folder, "folder" if os.path.isdir(folder) else "recorded"


def _nearest_known(folder: str, root: str, top: str, rule: Rule, known: Sequence[KnownRoot]) -> KnownRoot | None:
    """The known root that the folder belongs to: one within its working tree, else its repository's, else one further up.
    Across the border of a repository only what a person registered reaches."""
    above = [one for one in known if _inside(folder, one.root)]
    within = [one for one in above if _inside(one.root, top)]
    same = [one for one in known if _fold(one.root) == _fold(root)]
    beyond = [one for one in above if one.registered_apart or rule != "repository"]
    return max(within or same or beyond, key=lambda one: len(one.root), default=None)


def _repository(place: str) -> str | None:
    """The main working tree of the repository at ``place``; ``None`` where there is none (or what is there is broken)."""
    mark = os.path.join(place, ".git")
    if os.path.isdir(mark):
        return place if os.path.exists(os.path.join(mark, "HEAD")) else None
    folder = _pointed(mark, place)
    if folder is None:
        return None
    shared = _start_of(os.path.join(folder, "commondir")).strip()
    common = os.path.realpath(os.path.join(folder, shared)) if shared else ""
    if not common or not os.path.isdir(common):
        return place  # a submodule, or a repository kept elsewhere: its own project
    # Worktrees share their main working tree, or, where there is none, the bare repository. One that is hidden
    # (``app/.bare`` beside ``app/main``) stands for the folder that holds it.
    main = os.path.dirname(common) if os.path.basename(common).startswith(".") else common
    return _as_on_disk(main)


def _pointed(mark: str, place: str) -> str | None:
    """What ``gitdir: …`` in a ``.git`` file points to, where that exists."""
    word, _, rest = _start_of(mark).partition(":")
    folder = os.path.join(place, _posix(rest.strip()))
    return folder if word == "gitdir" and rest.strip() and os.path.isdir(folder) else None


def _start_of(path: str) -> str:
    """The first line of a small file; nothing where there is none. A pipe in its place must not hang us."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(descriptor, 4096).decode("utf-8", "replace").partition("\n")[0].replace("\x00", "")
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _inside(path: str, root: str) -> bool:
    path, root = _fold(path), _fold(root)
    return path == root or path.startswith(root.rstrip("/") + "/")


def _normal(path: str) -> str | None:
    """The real path as far as it exists, the rest as text; ``None`` for what is no absolute path."""
    path = _posix(path)
    if not path.startswith("/") or "\x00" in path:
        return None
    # Lone surrogates (a name in no encoding, or a broken recording) fit into no database and no file of ours.
    real = os.path.realpath(path.encode("utf-8", "replace").decode())
    return _as_on_disk(real).encode("utf-8", "replace").decode()


def _posix(path: str) -> str:
    """A path of Windows as Linux names the same folder: ``C:\\x`` is ``/mnt/c/x`` inside WSL."""
    drive, distribution = _DRIVE.match(path), _WSL.match(path)
    if drive:
        return f"/mnt/{drive[1].lower()}/" + path[drive.end() :].replace("\\", "/")
    if distribution:
        return path[distribution.end() :].replace("\\", "/") or "/"
    return path.replace("\\", "/") if path.startswith("\\\\") else path


def _as_on_disk(path: str) -> str:
    """The names as the disk spells them: on a volume that ignores case, ``~/Work`` and ``~/work`` are one folder."""
    spelled = "/"
    for name in path.split("/")[1:]:
        spelled = os.path.join(spelled, _name_on_disk(spelled, name))
    return spelled


def _name_on_disk(parent: str, name: str) -> str:
    other = name.swapcase()
    try:
        if other == name or not os.path.samefile(os.path.join(parent, other), os.path.join(parent, name)):
            return name
        return next((found for found in os.listdir(parent) if found.casefold() == name.casefold()), name)
    except OSError:
        return name  # the other spelling does not exist (the usual case), or nothing can be said


def _fold(path: str) -> str:
    """Drives of Windows ignore case; elsewhere the disk's own spelling decides (``_as_on_disk``)."""
    return path.casefold() if path.startswith("/mnt/") and path[6:7] in ("/", "") else path


def _places(home: str | None) -> _Places:
    """Folders that hold projects and are none."""
    temporary = (os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP"))
    shelves = _spellings(*_TEMPORARY, *_HOMES, *temporary)
    return _Places(shelves | _spellings("/", "/root", home or os.path.expanduser("~")), shelves)


def _spellings(*folders: str) -> frozenset[str]:
    absolute = [folder for folder in folders if folder.startswith("/")]
    return frozenset(map(os.path.normpath, absolute)) | frozenset(map(os.path.realpath, absolute))


def _name(root: str) -> str:
    name = os.path.basename(root.rstrip("/"))
    return name.removesuffix(".git") or name or "project"
