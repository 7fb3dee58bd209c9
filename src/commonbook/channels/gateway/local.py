"""The gateway in this process: opens the memory when an operation needs it, and hands each to the module of its topic."""

from dataclasses import replace
from typing import TypeVar, assert_never, cast

from commonbook.channels.gateway import care, hand, hosts, items, origins, projects, reading, status, taking
from commonbook.channels.gateway.operations import (
    AnyOperation,
    BackUp,
    Capture,
    Edit,
    Examine,
    FindContext,
    FindHosts,
    Forget,
    ListContexts,
    Listener,
    ListProjects,
    ListQueue,
    Maintain,
    Operation,
    Progress,
    QueueChange,
    ReadLog,
    ReadMemory,
    ReadStatus,
    RegisterProject,
    Remember,
    RemoveProject,
    Restore,
    SearchMemory,
    SetPaused,
    ShowItem,
    Undo,
    Why,
)
from commonbook.hosts.catalogue import record_text
from commonbook.keeper.contracts import Store
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home

R = TypeVar("R")


class LocalGateway:
    """Use it from one thread. Reading and searching never open the database."""

    def __init__(self, home: Home, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._store: Store | None = None

    def call(self, operation: Operation[R], *, request_id: str | None = None, listen: Listener | None = None) -> R:
        answer = self._answer(cast(AnyOperation, operation), request_id, listen or _nobody_listens)
        return cast(R, answer)

    def close(self) -> None:
        if self._store is not None:
            close_store(self._store)
            self._store = None

    def _opened(self) -> Store:
        if self._store is None:
            # Core knows no host: what it may read again in a transcript is read by the host's own reader.
            self._store = replace(open_store(self._home, self._settings), record_text=record_text)
        return self._store

    def _answer(self, operation: AnyOperation, request_id: str | None, listen: Listener) -> object:
        match operation:
            case ReadMemory() | SearchMemory() | FindContext() | ListContexts():
                return reading.answer(self._home, self._settings, operation)
            case FindHosts():
                return hosts.find_hosts(self._settings, self._opened() if self._exists() else None)
            case Capture():
                return taking.take_in(self._opened(), operation, listen)
            case Maintain():
                return taking.work_off(self._opened(), operation, listen)
            case Why() | ReadLog():
                return origins.answer(self._opened(), operation)
            case ReadStatus() | SetPaused():
                return status.answer(self._opened(), operation)
            case Remember() | Forget() | Undo():
                return hand.answer(self._opened(), operation)
            case Edit():
                return hand.edit(self._opened(), operation, request_id, listen)
            case ListProjects() | RegisterProject() | RemoveProject():
                return projects.answer(self._opened(), operation)
            case ListQueue() | ShowItem() | QueueChange():
                return items.answer(self._opened(), operation)
            case Examine() | BackUp() | Restore():
                return care.answer(operation, self._home, self._settings, self._opened, self.close)
            case _:
                assert_never(operation)

    def _exists(self) -> bool:
        return self._home.runtime_database.exists()


def _nobody_listens(_progress: Progress) -> None: ...
