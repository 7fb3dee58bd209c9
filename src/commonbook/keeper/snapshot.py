"""The exact bytes of canonical documents at one moment, and their sections by the references an agent uses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from commonbook.book.files import read_bounded
from commonbook.book.grammar import Document, Section, outline, parse
from commonbook.clock import Milliseconds
from commonbook.errors import DecisionError
from commonbook.keeper.contracts import Store
from commonbook.ledger import projects as project_table
from commonbook.settings.paths import Home
from commonbook.vocabulary import Digest, ProjectId, Scope, Target, scope_project, sha256, target_scope

MISSING = Digest("")
"""Digest of a document that does not exist."""


@dataclass(frozen=True)
class SnapshotDocument:
    """``outside``: the first line (from 1) that breaks the section grammar, ``None`` when all is well. ``name``: of the
    project, for the first line of a new document. ``changed_at``: when the file was last written, never in the future."""

    target: Target
    scope: Scope
    name: str | None
    data: bytes | None
    digest: Digest
    changed_at: Milliseconds
    document: Document
    outside: int | None

    @property
    def references(self) -> Mapping[str, Section]:
        """``s1``…``sn`` in the order of the document."""
        return {f"s{number}": section for number, section in enumerate(self.document.sections, start=1)}


Snapshot = Mapping[Target, SnapshotDocument]


def document_path(home: Home, target: Target) -> Path:
    return home.memory / f"{target}.md"


def take_snapshot(store: Store, targets: Iterable[Target]) -> Snapshot:
    """Read these documents now. Raises ``PlaceError`` (a link in the place of a document, a file over 1 MiB, …)."""
    return {target: read_document(store, target) for target in targets}


def read_document(store: Store, target: Target) -> SnapshotDocument:
    path = document_path(store.home, target)
    data = read_bounded(path, below=store.home.data)
    return SnapshotDocument(
        target=target,
        scope=target_scope(target),
        name=_project_name(store, target_scope(target)),
        data=data,
        digest=digest_of(data),
        changed_at=min(_written_at(path), store.clock.now()),
        document=outline(data or b""),
        outside=None if data is None or not data.strip() else _wrong_line(data, target),
    )


def current_digest(home: Home, target: Target) -> Digest:
    return digest_of(read_bounded(document_path(home, target), below=home.data))


def digest_of(data: bytes | None) -> Digest:
    return MISSING if data is None else sha256(data)


def section_digest(document: Document, section: Section) -> Digest:
    """Of the words below the heading. Line ends and blanks around them do not count: our own neighbouring changes, or an
    editor that saves with other line ends, must not make a section look like the person's own hand."""
    lines = [line.rstrip() for line in document.body(section).splitlines()]
    return sha256("\n".join(lines).strip())


def _wrong_line(data: bytes, target: Target) -> int | None:
    try:
        parse(data, target)
    except DecisionError as error:
        return int(error.detail.get("line", 1))
    return None


def _written_at(path: Path) -> Milliseconds:
    try:
        return path.lstat().st_mtime_ns // 1_000_000
    except OSError:
        return 0


def _project_name(store: Store, scope: Scope) -> str | None:
    project: ProjectId | None = scope_project(scope)
    row = project_table.get(store.ledger, project) if project else None
    return row.name if row else None
