"""One run over the session files of a host: which are due, in which groups their turns go on, and where it stops."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from commonbook.capture.report import HostCapture, Tally
from commonbook.capture.sinks import Counting, KeyedSession, Sink, Storing
from commonbook.clock import Milliseconds
from commonbook.errors import Code, IngressError, PlaceError
from commonbook.hosts.spec import HostSpec
from commonbook.hosts.transcripts import (
    Lineage,
    Position,
    Problem,
    SessionFile,
    TranscriptReader,
    TranscriptSource,
    TranscriptTurn,
)
from commonbook.hosts.turns import MESSAGE_WEIGHT
from commonbook.keeper.contracts import CursorUpdate, Store
from commonbook.keeper.cursors import StoredCursor, stored_cursor
from commonbook.keeper.ingress import is_own_session
from commonbook.settings.model import MIB, Settings

DAY: Milliseconds = 24 * 60 * 60 * 1000
"""An unfinished turn at the end of a file that has not grown for this long is taken as interrupted."""
CHUNK_TURNS = 500
CHUNK_TEXT = 4 * MIB
"""Characters of text: transactions are few, and what one of them holds in memory is bounded."""
REFUSALS = 20
"""Sessions that may be refused for capacity before the rest is only counted: they would not fit either."""
UNREADABLE = frozenset({Code.FILE_UNREADABLE, Code.UNSAFE_FILE, Code.SOURCE_GONE, Code.NOT_A_SESSION})
"""What may be wrong with one session file; any other ``PlaceError`` is about our own store and ends the run."""

Listener = Callable[[int, int], None]
"""Called with (sessions done, sessions in all)."""


@dataclass(frozen=True)
class Survey:
    """What stands under the root of a host, by headers alone. ``problems`` are files that are not sessions."""

    host: str
    name: str
    found: bool
    root: str
    sessions: int
    bytes: int
    problems: tuple[Problem, ...] = ()


def session_root(settings: Settings, spec: HostSpec, environment: Mapping[str, str] | None = None) -> Path:
    """Where the sessions of a host are: the setting ``hosts.<id>.root``, else where the host itself puts them."""
    chosen = settings.hosts.get(spec.id)
    if chosen is not None and chosen.root is not None:
        return Path(chosen.root).expanduser()
    return spec.transcripts().default_root(os.environ if environment is None else environment)


def survey(spec: HostSpec, root: Path) -> Survey:
    """Count the sessions of a host without opening the store. A missing or unreadable root is ``found=False``."""
    place = _real(root)
    try:
        found = spec.transcripts().discover(place)
    except PlaceError:
        return Survey(spec.id, spec.name, False, str(place), 0, 0)
    size = sum(session.size for session in found.sessions)
    return Survey(spec.id, spec.name, True, str(place), len(found.sessions), size, found.problems)


def capture(
    store: Store,
    spec: HostSpec,
    *,
    root: Path | None = None,
    since: Milliseconds | None = None,
    dry_run: bool = False,
    listen: Listener | None = None,
) -> HostCapture:
    """Read every settled turn that the cursors have not passed, oldest session first.

    ``root``: the folder of session files (default: ``session_root``). ``since``: turns that ended before this time are
    passed over; the cursor of a session in which that happened stays where it is, so that a later capture without
    ``since`` still takes them (what is read twice is recognised). ``dry_run``: counts only; stores nothing, not even a
    project that is seen for the first time (its scope is then named after its folder).

    One bad file never stops the others (``problems``). A session that does not fit into the limits stops at its last
    turn that did, and smaller ones go on. Raises ``PlaceError(FOLDER_MISSING | FILE_UNREADABLE)`` for the root itself,
    and whatever our own store raises.
    """
    place = _real(session_root(store.settings, spec) if root is None else root)
    source = spec.transcripts()
    found = source.discover(place)
    by_id: dict[str, SessionFile] = {}
    for session in found.sessions:
        by_id.setdefault(session.session, session)
    tally = Tally(list(found.problems))
    sink: Sink = Counting(store, spec.id, tally) if dry_run else Storing(store, spec.id, str(place), tally)
    for done, of in enumerate(_keyed(store, spec.id, str(place), found.sessions)):
        if listen is not None:
            listen(done, len(found.sessions))
        if is_own_session(store, spec.id, of.session.session):
            continue
        run = _SessionRun(store, spec.id, str(place), source, of, Lineage.of(of.session, by_id), since)
        try:
            run.read(sink, tally)
        except PlaceError as error:
            if error.code not in UNREADABLE:
                raise
            tally.problems.append(Problem(error.code, of.session.path))
    if listen is not None:
        listen(len(found.sessions), len(found.sessions))
    return tally.report(spec.id, str(place))


def _real(root: Path) -> Path:
    """A root that is itself a link is resolved once, here; links below it are not followed."""
    return Path(os.path.realpath(root.expanduser()))


def _keyed(store: Store, host: str, root: str, sessions: Sequence[SessionFile]) -> Iterator[KeyedSession]:
    """Each session with the key of its cursor: its id. A second file of the same id (a copy that the person keeps) has
    a key of its own, or the two would take the cursor from each other at every run."""
    paths: dict[str, list[str]] = {}
    for session in sessions:
        paths.setdefault(session.session, []).append(session.path)
    for session in sessions:
        same = paths[session.session]
        owner = same[0]
        if len(same) > 1:
            stored = stored_cursor(store, host, root, session.session)
            owner = stored.path if stored is not None and stored.path in same else same[0]
        own = session.path == owner
        key = session.session if own else f"{session.session} {os.path.relpath(session.path, root)}"
        yield KeyedSession(session, key)


@dataclass(frozen=True)
class _SessionRun:
    """One session of one run: what of it is due, and where its cursor may go."""

    store: Store
    host: str
    root: str
    source: TranscriptSource
    of: KeyedSession
    lineage: Lineage
    since: Milliseconds | None

    def read(self, sink: Sink, tally: Tally) -> None:
        stored = stored_cursor(self.store, self.host, self.root, self.of.key)
        with self.source.open(self.of.session, self.lineage, stored.position if stored else None) as reader:
            tally.sessions += 1
            grown_at = self._grown_at(reader, stored)
            seal = self.store.clock.now() - grown_at >= DAY
            moved = stored is not None and stored.path != self.of.session.path
            if reader.unchanged and not moved and not (seal and reader.open_turn):
                tally.open_turns += reader.open_turn
                return
            began = reader.position.offset
            if tally.refusals >= REFUSALS:
                tally.waiting_bytes += reader.size - began
                return
            chunks = _Chunks(reader, grown_at, self, sink)
            try:
                chunks.take(reader.turns(seal=seal))
                tally.open_turns += reader.open_turn
                tally.bytes_read += reader.size - began
            except IngressError as error:
                if error.code is not Code.CAPACITY_REACHED:
                    raise
                tally.refusals += 1
                tally.waiting_bytes += reader.size - chunks.stored_to
                tally.bytes_read += chunks.stored_to - began
            tally.problems.extend(reader.problems)

    def _grown_at(self, reader: TranscriptReader, stored: StoredCursor | None) -> Milliseconds:
        """When the file last grew. A later change of its time alone is no growth."""
        now = self.store.clock.now()
        if stored is None or reader.grew:
            return min(reader.modified_at, now)
        return min(stored.grown_at, reader.modified_at, now)


class _Chunks:
    """Hands the turns of one session on in groups, each with the cursor behind it."""

    def __init__(self, reader: TranscriptReader, grown_at: Milliseconds, run: _SessionRun, sink: Sink) -> None:
        self._reader, self._grown_at, self._run, self._sink = reader, grown_at, run, sink
        self._held: list[TranscriptTurn] = []
        self._text = 0
        self._passed_over = False
        self.stored_to = reader.position.offset

    def take(self, turns: Iterator[TranscriptTurn]) -> None:
        """Raises ``IngressError(CAPACITY_REACHED)`` with everything stored that fits, ``PlaceError``."""
        due = True
        for turn in turns:
            if not turn.continues:
                due = self._run.since is None or turn.settled_at >= self._run.since
            if not due:
                self._passed_over = True
                continue
            if self._held and (self._held[-1].provider, self._held[-1].cwd) != (turn.provider, turn.cwd):
                self._hand_on(None)
            self._held.append(turn)
            self._text += sum([MESSAGE_WEIGHT + len(message.text) for message in turn.messages])
            if len(self._held) >= CHUNK_TURNS or self._text >= CHUNK_TEXT:
                self._hand_on(None)
        end = None if self._passed_over else self._cursor(self._reader.position, complete=True)
        if self._held:
            self._hand_on(end)
        elif end is not None:
            self._sink.finish(self._run.of, end)

    def _hand_on(self, end: CursorUpdate | None) -> None:
        turns, self._held, self._text = self._held, [], 0
        self._give(turns, end)

    def _give(self, turns: Sequence[TranscriptTurn], end: CursorUpdate | None) -> None:
        """A group that does not fit is halved until what fits is stored. ``end``: the cursor of the whole file."""
        after = turns[-1].after
        cursor = end
        if end is None and after is not None and not self._passed_over:
            cursor = self._cursor(after, complete=False)
        try:
            self._sink.take(self._run.of, turns, cursor)
        except IngressError as error:
            if error.code is not Code.CAPACITY_REACHED or len(turns) == 1:
                raise
            middle = len(turns) // 2
            self._give(turns[:middle], None)
            self._give(turns[middle:], end)
            return
        if after is not None:
            self.stored_to = after.offset

    def _cursor(self, position: Position, *, complete: bool) -> CursorUpdate:
        return CursorUpdate(
            root=self._run.root,
            path=self._run.of.session.path,
            position=self._reader.cursor(position, complete=complete),
            waiting_bytes=self._reader.size - position.offset,
            grown_at=self._grown_at,
        )
