"""How things stand, in one look."""

from typing import assert_never

from commonbook.book.files import list_files, read_bounded
from commonbook.book.grammar import outline
from commonbook.channels.gateway.hosts import find_hosts
from commonbook.channels.gateway.operations import ReadStatus, SetPaused
from commonbook.channels.gateway.views import Limits, StatusView
from commonbook.errors import PlaceError
from commonbook.keeper.contracts import Store
from commonbook.keeper.items import set_paused
from commonbook.keeper.status import queue_status
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home


def answer(store: Store, operation: ReadStatus | SetPaused) -> StatusView:
    match operation:
        case ReadStatus():
            return _status(store)
        case SetPaused(paused=paused):
            set_paused(store, paused)
            return _status(store)
        case _:
            assert_never(operation)


def _status(store: Store) -> StatusView:
    queue = queue_status(store)
    sections = _sections_of_documents(store.home)
    return StatusView(
        home=str(store.home.root),
        agent=store.settings.agent,
        paused=queue.paused,
        counts=queue.counts,
        jobs=queue.jobs,
        documents=len(sections),
        sections=sum(sections),
        projects=queue.projects,
        hosts=find_hosts(store.settings, store),
        limits=_limits(store.settings),
        next=queue.next,
    )


def _sections_of_documents(home: Home) -> list[int]:
    """Sections of every document that has any; a file that cannot be read counts as one without, and is told by ``show``."""
    counted = []
    for folder in (home.memory, home.memory / "projects"):
        for path in list_files(folder, below=home.data, suffix=".md"):
            try:
                data = read_bounded(path, below=home.data)
            except PlaceError:
                continue
            if data and (sections := outline(data).sections):
                counted.append(len(sections))
    return counted


def _limits(settings: Settings) -> Limits:
    disclosure, limits = settings.disclosure, settings.limits
    return Limits(
        disclosure.max_source_bytes, disclosure.max_total_bytes, limits.session_bytes, limits.unprocessed_bytes
    )
