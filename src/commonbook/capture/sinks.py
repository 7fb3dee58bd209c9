"""Where the turns of a session go: into the store, or, in a dry run, only into the counts."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from commonbook.book.roots import KnownRoot, find_root
from commonbook.capture.report import Tally
from commonbook.hosts.transcripts import SessionFile, TranscriptMessage, TranscriptTurn
from commonbook.keeper.contracts import (
    ContextMessage,
    CursorUpdate,
    Place,
    SessionFacts,
    SettledTurn,
    Store,
    UserMessage,
)
from commonbook.keeper.cursors import save_cursor
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.projects import list_projects, scope_for
from commonbook.keeper.turns import plan_turns
from commonbook.ledger.ingress import SeenRow
from commonbook.vocabulary import GLOBAL, ProviderClass, Scope, TurnState, project_scope

_UNKNOWN_PROJECT = "project:unknown-0000"


class KeyedSession(NamedTuple):
    """A session and the key of its cursor."""

    session: SessionFile
    key: str


class Sink(Protocol):
    """Where groups of turns go: into the store, or only into the counts."""

    def take(self, of: KeyedSession, turns: Sequence[TranscriptTurn], cursor: CursorUpdate | None) -> None: ...

    def finish(self, of: KeyedSession, cursor: CursorUpdate) -> None:
        """The session has been read to its end, and nothing came after the last group."""
        ...


class Storing:
    def __init__(self, store: Store, host: str, root: str, tally: Tally) -> None:
        self._store, self._host, self._root, self._tally = store, host, root, tally
        self._scopes: dict[str | None, Scope] = {}

    def take(self, of: KeyedSession, turns: Sequence[TranscriptTurn], cursor: CursorUpdate | None) -> None:
        scope = self._scope(turns[-1].cwd or of.session.cwd)
        facts = _facts(self._store, self._host, of.session, turns[-1], scope)
        settled = [_settled(turn, of.session) for turn in turns]
        own_key = of.key == of.session.session
        taken = take_turns(self._store, facts, settled, cursor if own_key else None)
        if cursor is not None and not own_key:
            save_cursor(self._store, self._host, self._root, of.key, cursor)
        self._tally.add(facts.scope, len(turns), taken)

    def finish(self, of: KeyedSession, cursor: CursorUpdate) -> None:
        save_cursor(self._store, self._host, self._root, of.key, cursor)

    def _scope(self, cwd: str | None) -> Scope:
        if cwd not in self._scopes:
            self._scopes[cwd] = scope_for(self._store, cwd).scope
        return self._scopes[cwd]


class Counting:
    """A dry run: every group is planned as if it were taken in, against what is stored and what this run has planned, and
    nothing is written. So its numbers are those of the real run, short of a queue that is full."""

    def __init__(self, store: Store, host: str, tally: Tally) -> None:
        self._store, self._host, self._tally = store, host, tally
        projects = [project for project in list_projects(store, everything=True) if project.state != "removed"]
        self._known = [KnownRoot(project.id, project.root, project.rule == "person") for project in projects]
        self._planned: dict[str, list[SeenRow]] = {}

    def take(self, of: KeyedSession, turns: Sequence[TranscriptTurn], cursor: CursorUpdate | None) -> None:
        name, scope = self._scope(turns[-1].cwd or of.session.cwd)
        facts = _facts(self._store, self._host, of.session, turns[-1], scope)
        settled = [_settled(turn, of.session) for turn in turns]
        plan = plan_turns(self._store, facts, settled, "transcript", planned=self._planned)
        for delivery in plan.as_seen():
            self._planned.setdefault(delivery.record, []).append(delivery)
        self._tally.add(name, len(turns), plan.taken)

    def finish(self, of: KeyedSession, cursor: CursorUpdate) -> None:
        pass

    def _scope(self, cwd: str | None) -> tuple[str, Scope]:
        """(what it is called, the scope by whose rules it is judged). A project that would be seen for the first time has
        none yet: its words would wait like those of any unknown project, or be taken in like global ones."""
        match = find_root(cwd, self._known) if cwd else None
        if match is None:
            return GLOBAL, GLOBAL
        if match.known is not None:
            return project_scope(match.known), project_scope(match.known)
        open_to_all = self._store.settings.projects.on_first_sight == "register"
        return f"project:{match.name}", GLOBAL if open_to_all else Scope(_UNKNOWN_PROJECT)


def _facts(store: Store, host: str, session: SessionFile, turn: TranscriptTurn, scope: Scope) -> SessionFacts:
    """All turns of a group have the provider and the folder of this one."""
    provider = turn.provider
    classes = store.settings.disclosure.provider_classes
    return SessionFacts(
        host=host,
        host_session=session.session,
        parent=session.parent,
        path=session.path,
        cwd=turn.cwd or session.cwd,
        scope=scope,
        provider=provider,
        provider_class=ProviderClass(classes.get(provider or "", ProviderClass.UNKNOWN)),
        started_at=session.started_at,
    )


def _settled(turn: TranscriptTurn, session: SessionFile) -> SettledTurn:
    return SettledTurn(
        host_turn=turn.host_turn,
        state=TurnState.SETTLED if turn.state is TurnState.SETTLED else TurnState.INTERRUPTED,
        settle_cause=turn.cause,
        opened_at=turn.opened_at,
        settled_at=turn.settled_at,
        messages=tuple([_message(message, session.path) for message in turn.messages]),
        continues=turn.continues,
    )


def _message(message: TranscriptMessage, path: str) -> UserMessage | ContextMessage:
    record, role, text, at, start, length, digest, said_in, has_images = message
    if digest is None:
        return UserMessage(record, said_in, text, at, Place(path, start, length), has_images)
    return ContextMessage(record, role, None, at, Place(path, start, length), digest)  # type: ignore[arg-type]
