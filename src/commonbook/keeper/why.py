"""Why a section stands there: its sources with the exact words, from our copy or read again from the host's transcript."""

from dataclasses import dataclass

from commonbook.book.grammar import title_digest
from commonbook.clock import Milliseconds
from commonbook.errors import Code, UsageError
from commonbook.keeper.contracts import Store
from commonbook.keeper.snapshot import read_document
from commonbook.keeper.standing import Link, Standing, reconciled, stored
from commonbook.keeper.words import source_words
from commonbook.ledger import links as table
from commonbook.ledger.links import SourceRow
from commonbook.vocabulary import JobId, Scope, Target


@dataclass(frozen=True)
class SourceOrigin:
    """``words`` is ``None`` when neither our copy nor the transcript has them any more, or when they were forgotten.
    ``transcript``: the path, for the person's own terminal."""

    id: str
    host: str
    channel: str
    said_at: Milliseconds
    scope: Scope
    receipt: JobId
    words: str | None
    from_transcript: bool
    transcript: str | None


@dataclass(frozen=True)
class SectionOrigin:
    """``by_person``: the person wrote or changed it by hand."""

    target: Target
    section: str
    by_person: bool
    changed_at: Milliseconds | None
    sources: tuple[SourceOrigin, ...]


def explain(store: Store, target: Target, title: str | None) -> tuple[SectionOrigin, ...]:
    """The origins of one section (``title``), or of every section of a document, in its order.

    Raises ``UsageError``: ``UNKNOWN_TARGET`` (no such document), ``UNKNOWN_SECTION``.
    """
    document = read_document(store, target)
    if document.data is None:
        raise UsageError(Code.UNKNOWN_TARGET, target=target)
    wanted = document.document.sections
    if title is not None:
        found = document.document.section(title)
        if found is None:
            raise UsageError(Code.UNKNOWN_SECTION, target=target, section=title)
        wanted = (found,)
    with store.ledger.read() as ledger:
        standings = reconciled(stored(ledger, [target]), {target: document})[target]
        ids = {link.source for standing in standings.values() for link in standing.links}
        sources = table.sources(ledger, ids)
    return tuple(
        _origin(store, target, section.title, standings.get(title_digest(section.title)), sources) for section in wanted
    )


def _origin(
    store: Store, target: Target, title: str, standing: Standing | None, sources: dict[str, SourceRow]
) -> SectionOrigin:
    if standing is None:
        return SectionOrigin(target, title, True, None, ())
    told = tuple(_source(store, link, sources[link.source]) for link in standing.links if link.source in sources)
    return SectionOrigin(
        target, title, standing.by_person, standing.changed_at, tuple(sorted(told, key=lambda source: source.said_at))
    )


def _source(store: Store, link: Link, source: SourceRow) -> SourceOrigin:
    words, from_transcript = source_words(store, source)
    return SourceOrigin(
        id=source.id,
        host=source.host,
        channel=source.channel,
        said_at=source.observed_at,
        scope=Scope(source.scope),
        receipt=JobId(link.receipt),
        words=words,
        from_transcript=from_transcript,
        transcript=source.path,
    )
