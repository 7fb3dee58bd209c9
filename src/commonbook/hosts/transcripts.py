"""What every host's transcripts look like from outside: sessions, their turns, and the places where reading goes on."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from commonbook.clock import Milliseconds
from commonbook.errors import Code
from commonbook.vocabulary import Digest, Role, TurnState


@dataclass(frozen=True)
class Problem:
    """Something that was skipped, alone, and why.

    ``count``: how many records (bytes that wait, for ``CAPACITY_REACHED``); ``line``: the first of them, from 1.
    ``path`` is for the person's own terminal.
    """

    code: Code
    path: str
    count: int = 1
    line: int | None = None


@dataclass(frozen=True)
class SessionFile:
    """A session that was found. ``parent``: the host's id of the session it was forked from, present or not."""

    path: str
    session: str
    parent: str | None
    cwd: str | None
    started_at: Milliseconds
    size: int
    modified_at: Milliseconds


@dataclass(frozen=True)
class Discovery:
    """Sessions oldest first, so that a fork is read after the session it repeats."""

    sessions: tuple[SessionFile, ...]
    problems: tuple[Problem, ...]


class TranscriptMessage(NamedTuple):
    """One message of a turn. ``said_in`` (of the user's): the session where it was first said, ``None`` if it is gone;
    the host itself where its record ids are unique among all its sessions.

    ``text`` is the user's; what assistants and tools say is not read here but, when it is wanted, by its place
    (``TranscriptSource.text_of``): it is most of a history, and almost all of it is never asked for.

    ``start`` and ``length`` are the record's bytes in the file, line end excluded; ``digest`` is of exactly these, and
    only of context.
    """

    record: str
    role: Role
    text: str
    at: Milliseconds
    start: int
    length: int
    digest: Digest | None
    said_in: str | None
    has_images: bool


class Position(NamedTuple):
    """Where reading goes on, and all that the parser must remember of what stands before it."""

    offset: int
    line: int
    turn: str | None
    provider: str | None


class TranscriptTurn(NamedTuple):
    """A turn that has ended, or a part of one that is too long to be held in memory at once.

    ``continues``: context of the turn before. ``after``: where reading goes on once this turn is stored; ``None`` for a
    part that is followed by another part of the same turn. ``cwd``: where it was held (``None``: where the session was).
    """

    host_turn: str
    state: TurnState
    cause: str
    opened_at: Milliseconds
    settled_at: Milliseconds
    messages: tuple[TranscriptMessage, ...]
    continues: bool
    provider: str | None
    after: Position | None
    cwd: str | None = None


class TranscriptReader(Protocol):
    """One open session file, read forward once from where the cursor stands."""

    position: Position
    """Where the next reading starts; before ``turns`` has come to its end, where this one starts."""
    unchanged: bool
    """The file is as the cursor left it: ``turns`` gives at most the unfinished turn, when it is to be sealed."""
    grew: bool
    """The size differs from the one that the cursor saw."""
    open_turn: bool
    """A turn that has not ended stands behind ``position``."""

    @property
    def size(self) -> int: ...

    @property
    def modified_at(self) -> Milliseconds: ...

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was skipped so far; ``NEWER_FORMAT`` counts records of an unknown kind."""
        ...

    def turns(self, *, seal: bool) -> Iterator[TranscriptTurn]:
        """Every turn behind the cursor that has ended; ``seal`` gives the unfinished one too, as interrupted.
        Raises ``PlaceError``."""
        ...

    def cursor(self, position: Position, *, complete: bool) -> str:
        """The opaque cursor of a position: what to store. ``complete``: ``turns`` has come to its end, so that there is
        nothing to read until the file changes. Raises ``PlaceError``."""
        ...


class TranscriptSource(Protocol):
    """How the sessions of one host are found and read. Nothing here writes, follows a link, or asks the network."""

    def default_root(self, environment: Mapping[str, str]) -> Path:
        """Where the host puts its sessions when nobody chose another place."""
        ...

    def discover(self, root: Path) -> Discovery:
        """Find the sessions under ``root``. Raises ``PlaceError`` when the root itself is missing or unreadable."""
        ...

    def open(
        self, session: SessionFile, lineage: "Lineage", cursor: str | None
    ) -> AbstractContextManager[TranscriptReader]:
        """Open one session at a stored cursor (``None``: at its beginning). Raises ``PlaceError``."""
        ...

    def text_of(self, record: bytes) -> str | None:
        """The text of one message's record, whoever's it is; ``None`` where there is none."""
        ...


@dataclass(frozen=True)
class Lineage:
    """A session and the sessions it was forked from, newest first.

    A fork repeats what was said before it began, so an entry was first written in the newest session of the line that
    had already begun at its time. ``complete``: the oldest one is not a fork itself; otherwise what is older than the
    line has no known origin.
    """

    line: tuple[tuple[Milliseconds, str], ...]
    complete: bool

    @classmethod
    def of(cls, session: SessionFile, found: Mapping[str, SessionFile]) -> "Lineage":
        line = [(session.started_at, session.session)]
        names = {session.session}
        parent = session.parent
        while parent is not None and parent in found and parent not in names:
            names.add(parent)
            line.append((found[parent].started_at, parent))
            parent = found[parent].parent
        return cls(tuple(line), complete=parent is None)

    def origin(self, at: Milliseconds) -> str | None:
        """The session in which an entry of this time was first written."""
        for started_at, session in self.line:
            if at >= started_at:
                return session
        return self.line[-1][1] if self.complete else None
