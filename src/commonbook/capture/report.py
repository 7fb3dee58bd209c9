"""What one run of capture took in, and the counting of it."""

from collections import Counter
from dataclasses import dataclass, field

from commonbook.errors import Code
from commonbook.hosts.transcripts import Problem
from commonbook.keeper.contracts import Taken


@dataclass(frozen=True)
class HostCapture:
    """What one run took in. ``new``, ``duplicate``, ``held``, ``refused``, ``masked`` count user messages, ``context``
    assistant and tool messages; ``new`` includes those that are held. ``scopes``: (scope, new user messages)."""

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
    unknown_records: int
    bytes_read: int
    stopped_at_capacity: bool
    scopes: tuple[tuple[str, int], ...]
    problems: tuple[Problem, ...]


@dataclass
class Tally:
    problems: list[Problem]
    sessions: int = 0
    turns: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    open_turns: int = 0
    bytes_read: int = 0
    refusals: int = 0
    waiting_bytes: int = 0
    scopes: Counter[str] = field(default_factory=Counter)

    def add(self, scope: str, turns: int, taken: Taken) -> None:
        new = taken.accepted + taken.held
        self.turns += turns
        self.taken.update(vars(taken))
        self.taken["new"] += new
        if new:
            self.scopes[scope] += new

    def report(self, host: str, root: str) -> HostCapture:
        if self.refusals:
            self.problems.append(Problem(Code.CAPACITY_REACHED, root, self.waiting_bytes))
        return HostCapture(
            host=host,
            root=root,
            sessions=self.sessions,
            turns=self.turns,
            new=self.taken["new"],
            duplicate=self.taken["duplicate"],
            held=self.taken["held"],
            refused=self.taken["refused"] + self.taken["conflict"],
            masked=self.taken["masked"],
            context=self.taken["context"],
            open_turns=self.open_turns,
            unknown_records=sum(p.count for p in self.problems if p.code is Code.NEWER_FORMAT),
            bytes_read=self.bytes_read,
            stopped_at_capacity=self.refusals > 0,
            scopes=tuple(sorted(self.scopes.items())),
            problems=tuple(self.problems),
        )
