"""Groups the entries of a session, in the order in which they stand in the file, into turns that have ended."""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from commonbook.clock import Milliseconds
from commonbook.hosts.transcripts import Position, TranscriptMessage, TranscriptTurn
from commonbook.vocabulary import TurnState

TURN_TEXT = 4 * 1024 * 1024
"""Characters of text that one turn may hold in memory; a longer one is given in parts, read a second time."""
MESSAGE_WEIGHT = 512
"""What a message without text takes in memory, counted as so many characters."""


class Kind(Enum):
    """What an entry is to memory. ``MODEL`` only says which provider answers from here on.

    ``BEGIN``: the host itself says that a turn begins; such a turn lasts until an assistant entry with an ``end``, and
    every user message in between was said into it.
    """

    BEGIN = auto()
    USER = auto()
    ASSISTANT = auto()
    TOOL = auto()
    MODEL = auto()
    OTHER = auto()
    UNKNOWN = auto()


class End(NamedTuple):
    """How an assistant message ended its turn."""

    state: TurnState
    cause: str


class Entry(NamedTuple):
    """One record, told the same way by every host.

    ``follows``: the record it was appended to (``None``: not told). ``at``: when it was written. ``said_at``: when its
    words were given to the host, earlier than ``at`` for a message that was queued. ``text``: of a user entry.
    ``speaks``: whether an assistant or tool entry has any. ``end``: the assistant is done; an assistant entry without
    it goes on with a tool. ``joins``: whether a user entry was said into the turn before it, where the host marks that
    itself. ``origin``: what stands for the session of the first saying (``TranscriptMessage.said_in``), where the host
    gives a record the same id in every file that repeats it and nobody else has that id. ``cwd``: the folder in which the
    open turn was held, where the host tells it.
    """

    kind: Kind
    record: str
    at: Milliseconds
    follows: str | None = None
    said_at: Milliseconds = 0
    text: str = ""
    speaks: bool = False
    has_images: bool = False
    end: End | None = None
    provider: str | None = None
    joins: bool | None = None
    origin: str | None = None
    cwd: str | None = None


@dataclass(slots=True)
class _Open:
    """The turn that is being read. ``host_turn`` is ``None`` until its first user message was seen."""

    before: Position
    host_turn: str | None
    continues: bool
    opened_at: Milliseconds
    last_at: Milliseconds
    provider: str | None
    end: End | None = None
    in_tool_loop: bool = False
    begun: bool = False
    cwd: str | None = None
    messages: list[TranscriptMessage] = field(default_factory=list)
    text: int = 0
    spilled: bool = False


class GroupedTurn(NamedTuple):
    """A turn, the byte where it begins, and whether it was too long to keep (``turn.messages`` is empty then)."""

    turn: TranscriptTurn
    begins: int
    spilled: bool


AFTER_END = End(TurnState.SETTLED, "after_end")
LATER_TURN = End(TurnState.INTERRUPTED, "later_turn")
NO_GROWTH = End(TurnState.INTERRUPTED, "no_growth")


class Grouper:
    """Fed with one entry after the other.

    A turn lasts from its first user message to an assistant message that ends it *and* is followed by a new prompt or
    by nothing. A message that was queued while the agent worked (steering inside a tool loop, a follow-up after its
    end) belongs to the turn it was said into. Physical order wins over timestamps, which only tell a queued message
    from a new prompt. What the host appends after a turn was given out is context of that turn (``continues``).
    """

    def __init__(self, position: Position) -> None:
        self._turn = position.turn
        self._provider = position.provider
        self._last_record: str | None = None
        self._open: _Open | None = None

    def feed(self, entry: Entry, message: TranscriptMessage | None, offset: int, line: int) -> GroupedTurn | None:
        """Take the entry that begins at ``offset``; gives the turn that it shows to have ended."""
        kind = entry.kind
        ended: GroupedTurn | None = None
        if kind is Kind.USER:
            ended = self._user(entry, offset, line)
        elif kind is Kind.TOOL or kind is Kind.ASSISTANT:
            self._context(entry, offset, line)
        elif kind is Kind.MODEL:
            self._provider = entry.provider
        elif kind is Kind.BEGIN:
            ended = self._begin(entry, offset, line)
        if entry.cwd is not None and self._open is not None:
            self._open.cwd = entry.cwd
        if message is not None and self._open is not None:
            _keep(self._open, message)
        self._last_record = entry.record
        return ended

    def finish(self, offset: int, line: int, *, seal: bool) -> GroupedTurn | None:
        """The end of the file: gives the turn that has ended, or with ``seal`` the one that has not."""
        turn = self._open
        if turn is None or (turn.end is None and not seal):
            return None
        if turn.host_turn is None:  # context before any user message belongs to no turn; after the seal it never will
            self._open = None if seal else turn
            return None
        return self._give(turn, offset, line, NO_GROWTH)

    @property
    def waiting(self) -> Position | None:
        """Where the turn begins that has not ended; ``None`` when there is none."""
        return None if self._open is None else self._open.before

    @property
    def has_open_turn(self) -> bool:
        return self._open is not None and self._open.host_turn is not None

    def place(self, offset: int, line: int) -> Position:
        """The position between two entries."""
        return Position(offset, line, self._turn, self._provider)

    def _begin(self, entry: Entry, offset: int, line: int) -> GroupedTurn | None:
        turn, ended = self._open, None
        if turn is not None and turn.host_turn is not None:
            ended = self._give(turn, offset, line, LATER_TURN)
        self._open = _Open(self.place(offset, line), None, False, entry.at, entry.at, self._provider, begun=True)
        return ended

    def _user(self, entry: Entry, offset: int, line: int) -> GroupedTurn | None:
        turn = self._open
        if turn is not None and self._joins(turn, entry):
            turn.host_turn = turn.host_turn or entry.record
            turn.end, turn.last_at = None, entry.at
            return None
        ended = None
        if turn is not None:
            ended = self._give(turn, offset, line, LATER_TURN)
        start = self.place(offset, line)
        self._open = _Open(start, entry.record, False, entry.at, entry.at, self._provider)
        return ended

    def _joins(self, turn: _Open, entry: Entry) -> bool:
        if turn.continues:
            return False
        if turn.host_turn is None:
            return True
        if turn.begun:
            return turn.end is None
        if entry.joins is not None:
            return entry.joins
        if entry.follows is not None and self._last_record is not None and entry.follows != self._last_record:
            return False  # the person went back to another branch
        return entry.said_at < turn.last_at or (turn.end is None and turn.in_tool_loop)

    def _context(self, entry: Entry, offset: int, line: int) -> None:
        turn = self._open
        if turn is None:
            continues = self._turn is not None
            start = self.place(offset, line)
            turn = _Open(start, self._turn, continues, entry.at, entry.at, self._provider)
            turn.end = AFTER_END if continues else None
            self._open = turn
        if entry.kind is Kind.ASSISTANT:
            turn.end, turn.in_tool_loop = entry.end, entry.end is None
            self._provider = turn.provider = entry.provider or self._provider
            if turn.begun and turn.end is not None and turn.host_turn is None:
                self._open = None  # the host began and ended it by itself: no turn of the person
        turn.last_at = entry.at

    def _give(self, turn: _Open, offset: int, line: int, otherwise: End) -> GroupedTurn:
        end = turn.end or otherwise
        self._open, self._turn = None, turn.host_turn
        given = TranscriptTurn(
            host_turn=turn.host_turn or "",
            state=end.state,
            cause=end.cause,
            opened_at=turn.opened_at,
            settled_at=turn.last_at,
            messages=tuple(turn.messages),
            continues=turn.continues,
            provider=turn.provider,
            after=self.place(offset, line),
            cwd=turn.cwd,
        )
        return GroupedTurn(given, turn.before.offset, turn.spilled)


def _keep(turn: _Open, message: TranscriptMessage) -> None:
    turn.text += MESSAGE_WEIGHT + len(message.text)
    if turn.text > TURN_TEXT and turn.messages:
        turn.spilled = True
    if turn.spilled:
        turn.messages.clear()
    else:
        turn.messages.append(message)
