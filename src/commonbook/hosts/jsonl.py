"""Reads sessions that are kept as one JSON object a line; what the objects mean is each host's dialect."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import orjson

from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError
from commonbook.hosts.files import SourceFile, find_files, open_source
from commonbook.hosts.transcripts import (
    Discovery,
    Lineage,
    Position,
    Problem,
    SessionFile,
    TranscriptMessage,
    TranscriptTurn,
)
from commonbook.hosts.turns import MESSAGE_WEIGHT, TURN_TEXT, Entry, GroupedTurn, Grouper, Kind
from commonbook.vocabulary import Role, sha256

HEADER_LIMIT = 64 * 1024
LONG_HEADER = 4 * 1024 * 1024
"""A header may carry instructions and tool definitions; one that is longer than ``HEADER_LIMIT`` is read to here."""
OPENING_LINES = 100
"""Lines among which a session that has no header must tell where it was held."""


class Header(NamedTuple):
    """What the beginning of a session says of it.

    ``newer``: it says that its format is newer than what we know. ``provider``: who answers at first. ``automatic``: an
    agent or the host itself speaks in the user's place, so that nothing in it is the person's.
    """

    session: str
    parent: str | None
    cwd: str | None
    started_at: Milliseconds | None
    newer: bool = False
    provider: str | None = None
    automatic: bool = False


class Dialect(Protocol):
    """What one host writes into its lines."""

    suffix: str

    def default_root(self, environment: Mapping[str, str]) -> Path: ...

    def header(self, record: Mapping[str, Any]) -> Header | None:
        """Read the first line, or any of the first where the host writes no header (``opening_lines``); ``None`` when
        it tells of no session of the host."""
        ...

    def entry(self, record: Mapping[str, Any], raw: bytes) -> Entry:
        """Read any line that is not the header. Raises ``ValueError`` when it is of a known type but cannot be what it says."""
        ...

    def text(self, record: Mapping[str, Any]) -> str | None:
        """What a user, assistant or tool says in a line; ``None`` for every other line. Raises as ``entry`` does."""
        ...


def parse(line: bytes) -> dict[str, Any]:
    """One line as a JSON object. Raises ``ValueError`` for anything else.

    What the fast parser refuses goes to the lenient one: half of an emoji, which an agent that cuts texts by 16-bit
    units leaves behind, becomes U+FFFD while whole pairs stay; all else that it can read is left as it is.
    """
    value: Any
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            whole = json.dumps(json.loads(line.decode("utf-8-sig")), ensure_ascii=False)
            value = json.loads(whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


class Head(NamedTuple):
    """The header of a session, the bytes by which a file is known again, and where its records begin."""

    header: Header
    known_by: bytes
    begins: int


def header_line(dialect: Dialect, source: SourceFile) -> Head:
    """The first line is the header and nothing else. Raises ``PlaceError(NOT_A_SESSION)``."""
    line, newline, _ = source.read(0, HEADER_LIMIT).partition(b"\n")
    if not newline and source.size > HEADER_LIMIT:
        line, newline, _ = source.read(0, LONG_HEADER).partition(b"\n")
    try:
        header = dialect.header(parse(line)) if newline else None
    except ValueError:
        header = None
    if header is None:
        raise PlaceError(Code.NOT_A_SESSION, path=source.path)
    return Head(header, line + newline, len(line) + 1)


def opening_lines(dialect: Dialect, source: SourceFile) -> Head:
    """There is no header: every line is a record, and the first ones tell of the session what each of them knows.
    Raises ``PlaceError(NOT_A_SESSION)``."""
    header = None
    for stop in (min(HEADER_LIMIT, source.size), source.size):  # a long paste may stand before the folder is told
        header = _opening(dialect, source, stop)
        if header is not None and header.cwd is not None:
            break
    if header is None:
        raise PlaceError(Code.NOT_A_SESSION, path=source.path)
    _, first_stop, _ = next(source.lines(0, source.size))
    return Head(header, source.read(0, min(first_stop, HEADER_LIMIT)), 0)


def _opening(dialect: Dialect, source: SourceFile, stop: int) -> Header | None:
    header = None
    for _, _, line in islice(source.lines(0, stop), OPENING_LINES):
        try:
            told = None if line is None else dialect.header(parse(line))
        except ValueError:
            continue
        if told is not None:
            header = told if header is None else _completed(header, told)
        if header is not None and header.cwd is not None:
            break
    return header


def _completed(header: Header, told: Header) -> Header:
    started_at = told.started_at if header.started_at is None else header.started_at
    return header._replace(cwd=told.cwd, started_at=started_at)


def nothing(path: str) -> bool:
    return False


@dataclass(frozen=True)
class JsonlTranscripts:
    """The ``TranscriptSource`` of every host that keeps a session as JSON lines.

    ``leaves_out``: which files below the root (relative paths) are not sessions of the person, by their place alone.
    """

    dialect: Dialect
    head: Callable[[Dialect, SourceFile], Head] = header_line
    leaves_out: Callable[[str], bool] = nothing

    def default_root(self, environment: Mapping[str, str]) -> Path:
        return self.dialect.default_root(environment)

    def discover(self, root: Path) -> Discovery:
        paths, problems = find_files(root, self.dialect.suffix)
        sessions = []
        for path in paths:
            if self.leaves_out(os.path.relpath(path, root)):
                continue
            try:
                with open_source(path) as source:
                    session = self._session(source)
            except PlaceError as error:
                problems.append(Problem(error.code, path))
            else:
                if session is not None:
                    sessions.append(session)
        sessions.sort(key=lambda session: (session.started_at, session.path))
        return Discovery(tuple(sessions), tuple(problems))

    @contextmanager
    def open(self, session: SessionFile, lineage: Lineage, cursor: str | None) -> Iterator["JsonlReader"]:
        with open_source(session.path) as source:
            yield JsonlReader(self.dialect, source, lineage, cursor, self.head)

    def text_of(self, record: bytes) -> str | None:
        try:
            return self.dialect.text(parse(record))
        except ValueError:
            return None

    def _session(self, source: SourceFile) -> SessionFile | None:
        header = self.head(self.dialect, source).header
        if header.automatic:
            return None
        started_at = source.modified_at if header.started_at is None else header.started_at
        return SessionFile(
            source.path, header.session, header.parent, header.cwd, started_at, source.size, source.modified_at
        )


class JsonlReader:
    """The ``TranscriptReader`` of one JSON lines file."""

    def __init__(
        self,
        dialect: Dialect,
        source: SourceFile,
        lineage: Lineage,
        cursor: str | None,
        head: Callable[[Dialect, SourceFile], Head],
    ) -> None:
        self._dialect, self._source, self._lineage = dialect, source, lineage
        self._skipped: Counter[Code] = Counter()
        self._first_line: dict[Code, int] = {}
        header, known_by, begins = head(dialect, source)
        if header.newer:
            self._skip(Code.NEWER_FORMAT, 1)
        self._header_digest = sha256(known_by)
        known = _known(cursor)
        resumed = None if known is None else self._resume(known)
        self.position = resumed or Position(begins, 2 if begins else 1, None, header.provider)
        self.unchanged = resumed is not None and known is not None and known["size"] == source.size
        self.grew = known is None or known["size"] != source.size
        self.open_turn = self.unchanged and known is not None and known["open"] is True

    @property
    def size(self) -> int:
        return self._source.size

    @property
    def modified_at(self) -> Milliseconds:
        return self._source.modified_at

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(
            Problem(code, self._source.path, count, self._first_line[code]) for code, count in self._skipped.items()
        )

    def turns(self, *, seal: bool) -> Iterator[TranscriptTurn]:
        start = self.position
        grouper = Grouper(start)
        end, number = start.offset, start.line
        for offset, begun, line in self._source.lines(start.offset, self._source.size):
            entry, message = self._read(offset, number, line)
            if entry is not None:
                ended = grouper.feed(entry, message, offset, number)
                if ended is not None:
                    yield from self._given(ended)
            end, number = begun, number + 1
        ended = grouper.finish(end, number, seal=seal)
        if ended is not None:
            yield from self._given(ended)
        self.open_turn = grouper.has_open_turn
        self.position = grouper.waiting or grouper.place(end, number)

    def cursor(self, position: Position, *, complete: bool) -> str:
        facts = {
            **position._asdict(),
            "open": complete and self.open_turn,
            "size": self._source.size if complete else position.offset,
            "inode": self._source.inode,
            "modified": self._source.modified_ns,
            "head": self._header_digest,
            "tail": self._source.digest_before(position.offset),
        }
        return orjson.dumps(facts).decode()

    def _resume(self, known: Mapping[str, Any]) -> Position | None:
        """The position of a stored cursor, or ``None`` when the file is not the one it was taken in.

        The header and the bytes just before the cursor show a file that was replaced or rewritten; one that has the
        same size but was touched is read again from its start, since only its content can tell what was done to it.
        Identities make reading again harmless.
        """
        source = self._source
        touched = (known["inode"], known["modified"]) != (source.inode, source.modified_ns)
        if known["offset"] > source.size or (known["size"] == source.size and touched):
            return None
        if known["head"] != self._header_digest or known["tail"] != source.digest_before(known["offset"]):
            return None
        return Position(known["offset"], known["line"], known["turn"], known["provider"])

    def _read(self, offset: int, number: int, line: bytes | None) -> tuple[Entry | None, TranscriptMessage | None]:
        """One line as an entry, and as a message where it has words; an unreadable line is noted and skipped."""
        if line is None:
            self._skip(Code.RECORD_TOO_LARGE, number)
            return None, None
        if line.endswith(b"\r"):
            line = line[:-1]
        if not line.strip():
            return None, None
        try:
            entry = self._dialect.entry(parse(line), line)
        except ValueError:
            self._skip(Code.CORRUPT_RECORD, number)
            return None, None
        if entry.kind is Kind.UNKNOWN:
            self._skip(Code.NEWER_FORMAT, number)
        return entry, self._message(entry, offset, line)

    def _message(self, entry: Entry, offset: int, line: bytes) -> TranscriptMessage | None:
        kind, record, at, _, _, text, speaks, has_images, _, _, _, origin, _ = entry
        if kind is Kind.USER:
            said_in = origin or self._lineage.origin(at)
            return TranscriptMessage(record, Role.USER, text, at, offset, len(line), None, said_in, has_images)
        if not speaks:
            return None
        role = Role.ASSISTANT if kind is Kind.ASSISTANT else Role.TOOL
        return TranscriptMessage(record, role, "", at, offset, len(line), sha256(line), None, False)

    def _given(self, ended: GroupedTurn) -> Iterator[TranscriptTurn]:
        if not ended.spilled:
            yield ended.turn
        else:
            yield from self._parts(ended)

    def _parts(self, ended: GroupedTurn) -> Iterator[TranscriptTurn]:
        """A turn that is too long to hold, read a second time in parts: context that continues it, or, from a message
        that was said in the middle of it, a turn of its own. Only the last part moves the cursor."""
        part = ended.turn._replace(after=None, messages=())
        held: list[TranscriptMessage] = []
        text = 0
        assert ended.turn.after is not None
        for offset, _, line in self._source.lines(ended.begins, ended.turn.after.offset):
            _, message = self._read(offset, 0, line)
            if message is None:
                continue
            weight = MESSAGE_WEIGHT + len(message.text)
            text += weight
            divided = part.continues and message.role is Role.USER
            if held and (text > TURN_TEXT or divided):
                yield part._replace(messages=tuple(held))
                held, text = [], weight
                part = part._replace(continues=True)
            if part.continues and message.role is Role.USER:
                part = part._replace(continues=False, host_turn=message.record, opened_at=message.at)
            held.append(message)
        yield part._replace(messages=tuple(held), after=ended.turn.after)

    def _skip(self, code: Code, number: int) -> None:
        if number:  # 0: read a second time
            self._skipped[code] += 1
            self._first_line.setdefault(code, number)


def _known(cursor: str | None) -> dict[str, Any] | None:
    """The facts of a stored cursor; one that is damaged counts as none, so that it can never block a session."""
    try:
        known = orjson.loads(cursor or "")
    except orjson.JSONDecodeError:
        return None
    kinds = {
        "offset": int,
        "line": int,
        "size": int,
        "inode": int,
        "modified": int,
        "head": str,
        "tail": str,
        "open": bool,
    }
    texts = ("turn", "provider")
    right = isinstance(known, dict) and all(isinstance(known.get(name), kind) for name, kind in kinds.items())
    return known if right and all(isinstance(known.get(name), str | None) for name in texts) else None
