"""Reads sessions as capture does, without a store."""

from pathlib import Path

from commonbook.hosts.catalogue import find_host
from commonbook.hosts.transcripts import Lineage, Position, Problem, SessionFile, TranscriptTurn
from commonbook.vocabulary import Role

PI = find_host("pi").transcripts()


class Read:
    """What one reading of a session gave, and the cursor behind it."""

    def __init__(self, path: Path, cursor: str | None = None, *, seal: bool = False, root: Path | None = None) -> None:
        found = PI.discover(root or path.parent)
        session = next(session for session in found.sessions if session.path == str(path))
        by_id: dict[str, SessionFile] = {each.session: each for each in found.sessions}
        with PI.open(session, Lineage.of(session, by_id), cursor) as reader:
            self.start: Position = reader.position
            self.unchanged = reader.unchanged
            self.turns: list[TranscriptTurn] = list(reader.turns(seal=seal))
            self.open_turn = reader.open_turn
            self.position: Position = reader.position
            self.waiting = reader.size - reader.position.offset
            self.problems: tuple[Problem, ...] = reader.problems
            self.cursor = reader.cursor(reader.position, complete=True)

    @property
    def said(self) -> list[list[str]]:
        """The user's words, turn by turn."""
        return [[m.text for m in turn.messages if m.role is Role.USER] for turn in self.turns]

    @property
    def texts(self) -> list[list[tuple[str, str]]]:
        """Role and text of every message, turn by turn."""
        return [[(m.role.value, m.text) for m in turn.messages] for turn in self.turns]

    @property
    def ends(self) -> list[tuple[str, str]]:
        return [(turn.state.value, turn.cause) for turn in self.turns]
