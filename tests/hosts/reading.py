"""Reads sessions as capture does, without a store."""

from pathlib import Path

from commonbook.hosts.catalogue import find_host
from commonbook.hosts.transcripts import (
    Lineage,
    Position,
    Problem,
    SessionFile,
    TranscriptMessage,
    TranscriptSource,
    TranscriptTurn,
)
from commonbook.vocabulary import Role, sha256

PI = find_host("pi").transcripts()


class Read:
    """What one reading of a session gave, and the cursor behind it."""

    def __init__(
        self,
        path: Path,
        cursor: str | None = None,
        *,
        seal: bool = False,
        root: Path | None = None,
        source: TranscriptSource = PI,
    ) -> None:
        found = source.discover(root or path.parent)
        session = next(session for session in found.sessions if session.path == str(path))
        by_id: dict[str, SessionFile] = {each.session: each for each in found.sessions}
        with source.open(session, Lineage.of(session, by_id), cursor) as reader:
            self.start: Position = reader.position
            self.unchanged = reader.unchanged
            self.turns: list[TranscriptTurn] = list(reader.turns(seal=seal))
            self.open_turn = reader.open_turn
            self.position: Position = reader.position
            self.waiting = reader.size - reader.position.offset
            self.problems: tuple[Problem, ...] = reader.problems
            self.cursor = reader.cursor(reader.position, complete=True)
        self._path, self._source = path, source

    @property
    def said(self) -> list[list[str]]:
        """The user's words, turn by turn."""
        return [[m.text for m in turn.messages if m.role is Role.USER] for turn in self.turns]

    @property
    def texts(self) -> list[list[tuple[str, str]]]:
        """Role and text of every message, turn by turn; the text is read again from its place, as a run reads it."""
        return [[(m.role.value, self.text(m)) for m in turn.messages] for turn in self.turns]

    def text(self, message: TranscriptMessage) -> str:
        with self._path.open("rb") as file:
            file.seek(message.start)
            raw = file.read(message.length)
        assert message.digest in (None, sha256(raw))
        text = self._source.text_of(raw)
        assert text is not None
        return text

    @property
    def ends(self) -> list[tuple[str, str]]:
        return [(turn.state.value, turn.cause) for turn in self.turns]
