"""Where the turns of a session go: into the store, or, in a dry run, only into the counts."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from commonbook.book.roots import KnownRoot, find_root
from commonbook.capture.report import Tally
from commonbook.clock import Milliseconds
from commonbook.hosts.transcripts import SessionFile, TranscriptMessage, TranscriptTurn
from commonbook.keeper.contracts import (
    ContextMessage,
    CursorUpdate,
    Place,
    SessionFacts,
    SettledTurn,
    Store,
    Taken,
    UserMessage,
)
from commonbook.keeper.cursors import save_cursor
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.projects import list_projects, scope_for
from commonbook.vocabulary import GLOBAL, ProviderClass, Role, Scope, TurnState, project_scope


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
        facts = self._facts(of.session, turns[-1])
        settled = [_settled(turn, of.session) for turn in turns]
        own_key = of.key == of.session.session
        taken = take_turns(self._store, facts, settled, cursor if own_key else None)
        if cursor is not None and not own_key:
            save_cursor(self._store, self._host, self._root, of.key, cursor)
        self._tally.add(facts.scope, len(turns), taken)

    def finish(self, of: KeyedSession, cursor: CursorUpdate) -> None:
        save_cursor(self._store, self._host, self._root, of.key, cursor)

    def _facts(self, session: SessionFile, turn: TranscriptTurn) -> SessionFacts:
        """All turns of a group have the provider and the folder of this one."""
        provider, cwd = turn.provider, turn.cwd or session.cwd
        classes = self._store.settings.disclosure.provider_classes
        return SessionFacts(
            host=self._host,
            host_session=session.session,
            parent=session.parent,
            path=session.path,
            cwd=cwd,
            scope=self._scope(cwd),
            provider=provider,
            provider_class=ProviderClass(classes.get(provider or "", ProviderClass.UNKNOWN)),
            started_at=session.started_at,
        )

    def _scope(self, cwd: str | None) -> Scope:
        if cwd not in self._scopes:
            self._scopes[cwd] = scope_for(self._store, cwd).scope
        return self._scopes[cwd]


class Counting:
    """A dry run. Repeats are told apart within the run; what an earlier run took from other files is not looked up."""

    def __init__(self, store: Store, tally: Tally) -> None:
        self._tally = tally
        projects = [project for project in list_projects(store, everything=True) if project.state != "removed"]
        self._known = [KnownRoot(project.id, project.root, project.rule == "person") for project in projects]
        self._seen: set[tuple[str, str | Milliseconds]] = set()

    def take(self, of: KeyedSession, turns: Sequence[TranscriptTurn], cursor: CursorUpdate | None) -> None:
        messages = [message for turn in turns for message in turn.messages]
        spoken = [(m.record, m.at if m.said_in is None else m.said_in) for m in messages if m.role is Role.USER]
        before = len(self._seen)
        self._seen.update(spoken)
        new = len(self._seen) - before
        taken = Taken(accepted=new, duplicate=len(spoken) - new, context=len(messages) - len(spoken))
        self._tally.add(self._scope(turns[-1].cwd or of.session.cwd), len(turns), taken)

    def finish(self, of: KeyedSession, cursor: CursorUpdate) -> None:
        pass

    def _scope(self, cwd: str | None) -> str:
        match = find_root(cwd, self._known) if cwd else None
        if match is None:
            return GLOBAL
        return f"project:{match.name}" if match.known is None else project_scope(match.known)


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
