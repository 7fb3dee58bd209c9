"""Every operation that a face can ask for and what it gets back: plain frozen data, the same in process and over a socket."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from commonbook.channels.gateway.views import (
    BackupView,
    CaptureReport,
    ChangeView,
    ContextView,
    EditView,
    ExamineView,
    HostStatus,
    ItemView,
    LogView,
    MaintainReport,
    MemoryView,
    ProjectView,
    QueueView,
    RestoreView,
    SearchView,
    StatusView,
    WhyView,
)
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
class Capture(Operation[CaptureReport]):
    """Read new settled turns of one host (all hosts found: ``host=None``). ``since``: Unix ms."""

    host: str | None = None
    session_dir: str | None = None
    since: Milliseconds | None = None
    dry_run: bool = False


@dataclass(frozen=True)
class Maintain(Operation[MaintainReport]):
    """Process the queue until it is empty, or ``max_jobs`` batches."""

    max_jobs: int | None = None


# --- reading back ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadMemory(Operation[MemoryView]):
    """Current documents. ``contexts``: ``global`` / ``project:<id>``; empty = global + the project of ``cwd``, or, without
    ``cwd``, every allowed one. ``marked``: each document's text inside our own marks, for agents, so that what they repeat
    is never taken for the user's words."""

    contexts: tuple[str, ...] = ()
    cwd: str | None = None
    marked: bool = False


@dataclass(frozen=True)
class FindContext(Operation[ContextView]):
    """The context of a folder, or of a pinned project id, from the derived registry alone: the runtime database stays shut."""

    path: str | None = None
    project: str | None = None


@dataclass(frozen=True)
class ListContexts(Operation[tuple[ContextView, ...]]):
    """``global`` and every registered project that may be read, from the derived registry alone, like ``FindContext``."""


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
class Why(Operation[WhyView]):
    """``target`` as ``show`` prints it (``preferences``, ``projects/<id>``, or a project's name); ``section`` by title."""

    target: str
    section: str | None = None


@dataclass(frozen=True)
class ReadLog(Operation[LogView]):
    limit: int = 20


@dataclass(frozen=True)
class ReadStatus(Operation[StatusView]):
    pass


@dataclass(frozen=True)
class FindHosts(Operation[tuple[HostStatus, ...]]):
    """Every known host, found or not, with counts; reads headers only, stores nothing, makes no memory where there is none."""


# --- a person's own hand -----------------------------------------------------------------------------------------------


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
class Edit(Operation[EditView]):
    """Ask the memory agent for an edit and wait up to ``wait`` seconds; giving up the wait does not withdraw it."""

    words: str
    context: str | None = None
    cwd: str | None = None
    wait: float = 60.0


# --- projects, queue ---------------------------------------------------------------------------------------------------


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
class ListQueue(Operation[QueueView]):
    """Everything that is not processed, oldest first."""

    limit: int = 50
    state: str | None = None


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
class BackUp(Operation[BackupView]):
    """Write a backup to ``path`` (absolute; ``.tar.gz`` or a folder); never overwrites."""

    path: str
    without_history: bool = False


@dataclass(frozen=True)
class Restore(Operation[RestoreView]):
    """Put a backup in the place of the memory. Without ``confirm`` it is only looked at. The memory that stands there is kept
    under another name."""

    path: str
    confirm: bool = False


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
