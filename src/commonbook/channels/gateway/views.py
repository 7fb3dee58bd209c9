"""What the operations answer: plain frozen data, the same in process and over a socket, and the fields of ``--json``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from commonbook.clock import Milliseconds


@dataclass(frozen=True)
class Problem:
    """Something that was skipped, alone, and why. ``path`` is for the person's own terminal. ``detail`` fills the sentence of
    the code, where there is more to say than the path."""

    code: str
    path: str
    count: int = 1
    line: int | None = None
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class HostCapture:
    host: str
    root: str
    sessions: int
    turns: int
    new: int
    duplicate: int
    held: int
    refused: int
    masked: int
    context: int
    open_turns: int
    """Turns at the end of a session that have not ended yet; read when they have."""
    unknown_records: int
    bytes_read: int
    stopped_at_capacity: bool
    scopes: tuple[tuple[str, int], ...]
    """(scope, new user messages)."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class CaptureReport:
    hosts: tuple[HostCapture, ...]
    dry_run: bool


@dataclass(frozen=True)
class Change:
    """One committed decision as a person sees it."""

    kind: Literal["kept", "forgot", "tidied"]
    target: str
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    receipt: str


@dataclass(frozen=True)
class MaintainReport:
    """``messages`` looked at = ``ignored`` (left out) + ``kept_from``. Of the lines in ``changes``, one that goes out while one
    comes in counts as replaced, any other as added or removed. ``reasons``: (why, messages that were left out for it)."""

    batches: int
    messages: int
    changes: tuple[Change, ...]
    ignored: int
    failed: tuple[Problem, ...]
    waiting: int
    kept_from: int = 0
    lines_added: int = 0
    lines_replaced: int = 0
    lines_removed: int = 0
    reasons: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class DocumentView:
    target: str
    context: str
    content: str
    bytes: int
    empty: bool
    date: Milliseconds | None


@dataclass(frozen=True)
class MemoryView:
    guidance: str
    contexts: tuple[str, ...]
    documents: tuple[DocumentView, ...]
    empty: bool
    rendered: str
    """Exactly what an agent gets."""
    unreadable: tuple[Problem, ...] = ()
    """Documents that could not be read (``path`` is the target); the rest is served."""


@dataclass(frozen=True)
class ContextView:
    """A context and why: ``rule`` says how it was found (``registered``, ``home``, ``unknown``, ``not_allowed``);
    ``context`` is ``None`` when the folder belongs to no registered project that may be read."""

    context: str | None
    name: str
    rule: str


@dataclass(frozen=True)
class Segment:
    target: str
    heading: tuple[str, ...]
    text: str
    score: float
    date: Milliseconds | None
    context: str
    sources: tuple[str, ...]
    trace: str | None = None


@dataclass(frozen=True)
class SearchView:
    segments: tuple[Segment, ...]
    skills: tuple[Segment, ...]
    resources: tuple[Segment, ...]
    stale: bool


@dataclass(frozen=True)
class SourceView:
    """One source of a section. ``words`` is ``None`` when neither our copy nor the transcript has them any more."""

    id: str
    host: str
    channel: str
    said_at: Milliseconds
    scope: str
    receipt: str
    words: str | None
    from_transcript: bool
    transcript: str | None


@dataclass(frozen=True)
class SectionReasons:
    target: str
    section: str
    by_person: bool
    changed_at: Milliseconds | None
    sources: tuple[SourceView, ...]


@dataclass(frozen=True)
class WhyView:
    sections: tuple[SectionReasons, ...]


@dataclass(frozen=True)
class LogEntry:
    receipt: str
    at: Milliseconds
    kind: str
    agent: str
    targets: tuple[str, ...]
    decisions: tuple[str, ...]
    edit_result: str | None


@dataclass(frozen=True)
class LogView:
    entries: tuple[LogEntry, ...]


@dataclass(frozen=True)
class HostStatus:
    host: str
    name: str
    found: bool
    root: str
    sessions: int
    bytes: int
    last_capture: Milliseconds | None


@dataclass(frozen=True)
class Limits:
    max_source_bytes: int | None
    max_total_bytes: int | None
    session_bytes: int
    unprocessed_bytes: int


@dataclass(frozen=True)
class StatusView:
    home: str
    agent: str
    paused: bool
    counts: tuple[tuple[str, int], ...]
    """(observation state, count); ``processed`` is not ``remembered``."""
    jobs: tuple[tuple[str, int], ...]
    documents: int
    sections: int
    projects: int
    hosts: tuple[HostStatus, ...]
    limits: Limits
    next: str
    """A key of the catalogue: the one thing to do next."""


@dataclass(frozen=True)
class ChangePreview:
    """The exact change; ``expected`` given back with ``confirm`` makes sure that nothing else is committed."""

    target: str
    section: str
    lines_added: tuple[str, ...]
    lines_removed: tuple[str, ...]
    expected: str
    receipt: str | None
    """Set once committed."""


@dataclass(frozen=True)
class ChangeView:
    """``broad``: a forget by words that say little, or of many lines at once. ``new_project``: the name of the project whose
    memory begins with this change."""

    changes: tuple[ChangePreview, ...]
    committed: bool
    broad: bool = False
    new_project: str | None = None
    messages: int = 0
    """Stored messages that say what is forgotten, remembered or not: they lose their words with the lines."""


@dataclass(frozen=True)
class Elsewhere:
    """A document of another scope that says ``words``, in so many ``lines``."""

    context: str
    target: str
    words: str
    lines: int


@dataclass(frozen=True)
class EditView:
    """``complete`` is true only for ``modified`` and ``already_satisfied``; ``result`` is ``None`` while it waits. ``place``:
    where it looked (``global``, or the project's name); ``elsewhere``: what it may have meant, when nothing there says it."""

    item: str
    result: str | None
    complete: bool
    state: str
    issue: str | None
    changes: tuple[Change, ...]
    place: str = "global"
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True)
class ProjectView:
    id: str
    name: str
    root: str
    rule: str
    state: str
    sections: int
    waiting: int


@dataclass(frozen=True)
class QueueItem:
    id: str
    state: str
    issue: str | None
    scope: str
    host: str
    said_at: Milliseconds
    bytes: int
    attempts: int
    available_at: Milliseconds | None
    job: str | None


@dataclass(frozen=True)
class QueueView:
    items: tuple[QueueItem, ...]
    total: int


@dataclass(frozen=True)
class ItemView:
    """``words`` as they are stored (``None``: none are kept); ``possible``: the ``action`` of ``QueueChange`` that it allows."""

    item: QueueItem
    words: str | None
    possible: tuple[str, ...]


@dataclass(frozen=True)
class BackupView:
    """``documents`` counts what stands in the memory folder; ``bytes`` of all files, unpacked. ``left_out``: files there that
    are no plain files."""

    path: str
    store: str
    created: Milliseconds
    documents: int
    receipts: int
    history: bool
    bytes: int
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class RestoreView:
    """``replaces``: a memory stands there and would be, or was, moved aside (to ``aside``)."""

    backup: BackupView
    replaces: bool
    restored: bool
    aside: str | None = None


@dataclass(frozen=True)
class FindingView:
    """``kind`` ``problem``: there is something to do; ``note``: harmless. ``what`` is stable; ``where``: a path within home, a
    document, or a section."""

    kind: Literal["problem", "note"]
    what: str
    where: str
    count: int


@dataclass(frozen=True)
class ExamineView:
    """``healthy``: no problem was found."""

    healthy: bool
    findings: tuple[FindingView, ...]
