"""Every operation that a face can ask for and what it gets back: plain frozen data, the same in process and over a socket."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from commonbook.clock import Milliseconds

R = TypeVar("R")
ResultOf = TypeVar("ResultOf", covariant=True)


class Operation(Generic[ResultOf]):
    """Base of every request; the type argument is what ``Gateway.call`` answers."""


@dataclass(frozen=True)
class Progress:
    """A line for a terminal while work goes on: ``done`` of ``total`` (0 = unknown) and what just happened.

    ``reason`` is the agent's own word for a decision: shown live, stored nowhere.
    """

    stage: Literal["capture", "maintain"]
    done: int
    total: int
    outcome: Literal["read", "kept", "forgot", "ignored", "failed"] | None = None
    text: str = ""
    reason: str = ""


Listener = Callable[[Progress], None]


class Gateway(Protocol):
    def call(self, operation: Operation[R], *, request_id: str | None = None, listen: Listener | None = None) -> R:
        """Run one operation. ``request_id`` makes a retry harmless. Raises ``CommonbookError``."""
        ...

    def close(self) -> None: ...


# --- taking in ---------------------------------------------------------------------------------------------------------


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
class Capture(Operation[CaptureReport]):
    """Read new settled turns of one host (all hosts found: ``host=None``). ``since``: Unix ms."""

    host: str | None = None
    session_dir: str | None = None
    since: Milliseconds | None = None
    dry_run: bool = False


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
class Maintain(Operation[MaintainReport]):
    """Process the queue until it is empty, or ``max_jobs`` batches."""

    max_jobs: int | None = None


# --- reading back ------------------------------------------------------------------------------------------------------


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
class ReadMemory(Operation[MemoryView]):
    """Current documents. ``contexts``: ``global`` / ``project:<id>``; empty = global + the project of ``cwd``, or, without
    ``cwd``, every allowed one. ``marked``: each document's text inside our own marks, for agents, so that what they repeat
    is never taken for the user's words."""

    contexts: tuple[str, ...] = ()
    cwd: str | None = None
    marked: bool = False


@dataclass(frozen=True)
class ContextView:
    """A context and why: ``rule`` says how it was found (``registered``, ``home``, ``unknown``, ``not_allowed``);
    ``context`` is ``None`` when the folder belongs to no registered project that may be read."""

    context: str | None
    name: str
    rule: str


@dataclass(frozen=True)
class FindContext(Operation[ContextView]):
    """The context of a folder, or of a pinned project id, from the derived registry alone: the runtime database stays shut."""

    path: str | None = None
    project: str | None = None


@dataclass(frozen=True)
class ListContexts(Operation[tuple[ContextView, ...]]):
    """``global`` and every registered project that may be read, from the derived registry alone, like ``FindContext``."""


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
class SearchMemory(Operation[SearchView]):
    """``k`` 1–20; ``budget`` bytes of text in all; ``contexts`` as in ``ReadMemory`` (empty and no cwd = every allowed one)."""

    query: str
    k: int = 8
    contexts: tuple[str, ...] = ()
    cwd: str | None = None
    tracks: tuple[Literal["memory", "skill", "resource"], ...] = ("memory", "skill", "resource")
    budget: int = 16_384
    trace: bool = False
    marked: bool = False


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
class Why(Operation[WhyView]):
    """``target`` as ``show`` prints it (``preferences``, ``projects/<id>``, or a project's name); ``section`` by title."""

    target: str
    section: str | None = None


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
class ReadLog(Operation[LogView]):
    limit: int = 20


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
class ReadStatus(Operation[StatusView]):
    pass


@dataclass(frozen=True)
class FindHosts(Operation[tuple[HostStatus, ...]]):
    """Every known host, found or not, with counts; reads headers only, stores nothing, makes no memory where there is none."""


# --- a person's own hand -----------------------------------------------------------------------------------------------


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
class Remember(Operation[ChangeView]):
    """The person's own line. Without ``confirm`` nothing is written. ``context``: ``global``, ``project:<id>`` or ``None``
    (the project of ``cwd``, else global)."""

    words: str
    context: str | None = None
    cwd: str | None = None
    confirm: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Forget(Operation[ChangeView]):
    """Remove the lines that match ``words``, with what they came from and every message that says them. Without ``confirm``
    nothing is written."""

    words: str
    context: str | None = None
    cwd: str | None = None
    confirm: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Undo(Operation[ChangeView]):
    """Take one commit back: ``receipt`` as the log names it, or ``last``. Whole or not at all; without ``confirm`` nothing is
    written. A heading that comes or goes counts as a line."""

    receipt: str = "last"
    confirm: tuple[str, ...] | None = None


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
class Edit(Operation[EditView]):
    """Ask the memory agent for an edit and wait up to ``wait`` seconds; giving up the wait does not withdraw it."""

    words: str
    context: str | None = None
    cwd: str | None = None
    wait: float = 60.0


# --- projects, queue ---------------------------------------------------------------------------------------------------


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
class ListProjects(Operation[tuple[ProjectView, ...]]):
    all: bool = False


@dataclass(frozen=True)
class RegisterProject(Operation[ProjectView]):
    """``path``: the folder, absolute; or the id or name of a project that is known, where no such folder is there."""

    path: str
    name: str | None = None


@dataclass(frozen=True)
class RemoveProject(Operation[ProjectView]):
    """Keeps the Markdown; registering the same folder again makes a new id. Without ``confirm`` nothing is changed, and the
    answer says what would be."""

    id: str
    confirm: bool = True


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
class ListQueue(Operation[QueueView]):
    """Everything that is not processed, oldest first."""

    limit: int = 50
    state: str | None = None


@dataclass(frozen=True)
class ItemView:
    """``words`` as they are stored (``None``: none are kept); ``possible``: the ``action`` of ``QueueChange`` that it allows."""

    item: QueueItem
    words: str | None
    possible: tuple[str, ...]


@dataclass(frozen=True)
class ShowItem(Operation[ItemView]):
    """One message that waits or was put aside, with its words: for the person's own terminal."""

    id: str


@dataclass(frozen=True)
class QueueChange(Operation[QueueView]):
    """``retry`` gives a paused or dead item exactly one more try; ``cancel`` pauses it for good until retried;
    ``discard`` removes the text of one that was put aside, is dead, or was looked at; gives the items it touched."""

    action: Literal["retry", "cancel", "discard"]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class SetPaused(Operation[StatusView]):
    paused: bool


# --- care --------------------------------------------------------------------------------------------------------------


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
class BackUp(Operation[BackupView]):
    """Write a backup to ``path`` (absolute; ``.tar.gz`` or a folder); never overwrites."""

    path: str
    without_history: bool = False


@dataclass(frozen=True)
class RestoreView:
    """``replaces``: a memory stands there and would be, or was, moved aside (to ``aside``)."""

    backup: BackupView
    replaces: bool
    restored: bool
    aside: str | None = None


@dataclass(frozen=True)
class Restore(Operation[RestoreView]):
    """Put a backup in the place of the memory. Without ``confirm`` it is only looked at. The memory that stands there is kept
    under another name."""

    path: str
    confirm: bool = False


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


@dataclass(frozen=True)
class Examine(Operation[ExamineView]):
    """Check database, receipts, links, documents and files. Writes nothing, makes no memory where there is none."""


AnyOperation = (
    Capture
    | Maintain
    | ReadMemory
    | FindContext
    | ListContexts
    | SearchMemory
    | Why
    | ReadLog
    | ReadStatus
    | FindHosts
    | Remember
    | Forget
    | Undo
    | Edit
    | ListProjects
    | RegisterProject
    | RemoveProject
    | ListQueue
    | ShowItem
    | QueueChange
    | SetPaused
    | Examine
    | BackUp
    | Restore
)
"""The closed set: an implementation matches on it to the end."""
