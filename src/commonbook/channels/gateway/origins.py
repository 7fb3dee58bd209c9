"""Where the memory comes from: the sources of a section, and the committed changes."""

from typing import assert_never

from commonbook.channels.gateway.names import target_named
from commonbook.channels.gateway.operations import ReadLog, Why
from commonbook.channels.gateway.reading import every_context
from commonbook.channels.gateway.views import LogEntry, LogView, SectionReasons, SourceView, WhyView
from commonbook.keeper.contracts import Store
from commonbook.keeper.log import read_log
from commonbook.keeper.why import SectionOrigin, explain


def answer(store: Store, operation: Why | ReadLog) -> WhyView | LogView:
    match operation:
        case Why(target=words, section=section):
            target = target_named(every_context(store.home, store.settings), words)
            return WhyView(tuple(_reasons(origin) for origin in explain(store, target, section)))
        case ReadLog(limit=limit):
            return LogView(tuple(LogEntry(**vars(entry)) for entry in read_log(store, limit)))
        case _:
            assert_never(operation)


def _reasons(origin: SectionOrigin) -> SectionReasons:
    sources = tuple(SourceView(**vars(source)) for source in origin.sources)
    return SectionReasons(origin.target, origin.section, origin.by_person, origin.changed_at, sources)
