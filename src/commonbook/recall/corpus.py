"""The files that search covers, as they lie on the disk. Nothing is created, and no link is followed."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commonbook.clock import Milliseconds
from commonbook.recall.segments import Track
from commonbook.settings.paths import Home
from commonbook.vocabulary import GLOBAL, GLOBAL_TARGETS, PROJECT_ID, ProjectId, Scope, Target, project_scope


class Stamp(NamedTuple):  # tuples, because thousands are made in every search
    """What a look at a file tells without opening it."""

    size: int
    mtime_ns: int
    inode: int

    @property
    def changed_at(self) -> Milliseconds:
        return self.mtime_ns // 1_000_000


class CorpusFile(NamedTuple):
    target: Target
    track: Track
    scope: Scope
    path: str
    stamp: Stamp


def scan(home: Home) -> list[CorpusFile]:
    """Canonical documents first, then notes, skills and resources: the order in which they are indexed.

    Links, hard links, folders and devices in the place of a document are passed over: reading would refuse them too.
    """
    memory = str(home.memory)
    return [
        *_canonical(memory),
        *_notes(f"{memory}/notes"),
        *_skills(f"{memory}/skills"),
        *_resources(f"{memory}/resources"),
    ]


def stamp_of(path: str | Path) -> Stamp | None:
    """The stamp of a plain file; ``None`` for anything else and for nothing at all."""
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
        return None
    return Stamp(facts.st_size, facts.st_mtime_ns, facts.st_ino)


def _canonical(memory: str) -> Iterator[CorpusFile]:
    for name, path, stamp in _documents(memory):
        if name in GLOBAL_TARGETS:
            yield CorpusFile(Target(name), "memory", GLOBAL, path, stamp)
    for name, path, stamp in _documents(f"{memory}/projects"):
        if PROJECT_ID.fullmatch(name):
            yield CorpusFile(Target(f"projects/{name}"), "memory", project_scope(ProjectId(name)), path, stamp)


def _notes(folder: str) -> Iterator[CorpusFile]:
    for scope, inside in _scopes(folder):
        for name, path, stamp in _documents(inside.path):
            yield CorpusFile(Target(f"notes/{inside.name}/{name}"), "memory", scope, path, stamp)


def _skills(folder: str) -> Iterator[CorpusFile]:
    for scope, inside in _scopes(folder):
        for skill in _entries(inside.path):
            path = f"{skill.path}/SKILL.md"
            if skill.is_dir(follow_symlinks=False) and (stamp := stamp_of(path)) is not None:
                yield CorpusFile(Target(f"skills/{inside.name}/{skill.name}"), "skill", scope, path, stamp)


def _resources(folder: str) -> Iterator[CorpusFile]:
    for name, path, stamp in _documents(folder):
        if (scope := _scope_named(name)) is not None:
            yield CorpusFile(Target(f"resources/{name}"), "resource", scope, path, stamp)


def _scopes(folder: str) -> Iterator[tuple[Scope, os.DirEntry[str]]]:
    for entry in _entries(folder):
        scope = _scope_named(entry.name)
        if scope is not None and entry.is_dir(follow_symlinks=False):
            yield scope, entry


def _scope_named(name: str) -> Scope | None:
    if name == GLOBAL:
        return GLOBAL
    return project_scope(ProjectId(name)) if PROJECT_ID.fullmatch(name) else None


def _documents(folder: str) -> Iterator[tuple[str, str, Stamp]]:
    """Name without ending, path and stamp of each."""
    for entry in _entries(folder):
        name = entry.name
        if name.endswith(".md") and name[0] != "." and (stamp := stamp_of(entry.path)) is not None:
            yield name[:-3], entry.path, stamp


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            return []
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
