"""Which sources go when lines are forgotten, and which stay because they say something else.

The rule, line by line. The *forgotten lines* are those of the sections that a forget touches which stand nowhere in the same
scope afterwards (a line that moved is not forgotten). For each source linked to such a section we ask how much of a line it
says (share of the line's significant words, Chinese by characters), for the forgotten lines and for the lines that survive
in any section the source is linked to:

- it says a forgotten line almost whole (``SAYS``): it goes, whatever else it says, for it contains what was forgotten;
- else it goes if it says the forgotten lines at least as well as the surviving ones; nothing survives: it goes;
- its words are nowhere any more, so that it cannot be told: it is recorded as forgotten (there is no text left to clear).

The words of the request itself go too, unless the same words also support a section that stays. A link to a section that
survives stays, unless the source went and says nothing of what survives there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from commonbook.book.grammar import Document, outline, title_digest
from commonbook.keeper.contracts import Store
from commonbook.keeper.lines import SAYS, keys_of, overlap
from commonbook.keeper.snapshot import Snapshot
from commonbook.keeper.standing import Link, Standing, Standings
from commonbook.keeper.words import source_words
from commonbook.ledger import links as table
from commonbook.vocabulary import Digest, Scope, Target

SUPPORTS = 0.5


@dataclass(frozen=True)
class Forgetting:
    """``lines``: keys of the forgotten lines by scope; ``titles``: of the sections that are gone; ``sources``: observations
    whose words go; ``records``: (scope, content digest) of each of them; ``after``: the standings without the links that
    lost their reason."""

    lines: Mapping[Scope, frozenset[str]]
    titles: Mapping[Scope, frozenset[Digest]]
    sources: tuple[str, ...]
    records: tuple[tuple[Scope, Digest], ...]
    after: dict[Target, dict[Digest, Standing]]


def forgetting(
    store: Store,
    touched: Iterable[tuple[Target, str]],
    snapshot: Snapshot,
    texts: Mapping[Target, bytes],
    before: Standings,
    after: dict[Target, dict[Digest, Standing]],
    requests: Iterable[str],
) -> Forgetting:
    """``touched``: (target, title) of the sections a forget rewrites or removes; ``texts``: changed documents as they will be;
    ``requests``: observations that asked for it. Reads the ledger and, for words we no longer have, the transcripts."""
    named = tuple(touched)
    documents = {
        target: outline(texts[target]) if target in texts else document.document
        for target, document in snapshot.items()
    }
    lines = _forgotten_lines(named, snapshot, documents)
    linked = {
        link.source: snapshot[target].scope
        for target, title in named
        for link in _links(before, target, title_digest(title))
        if link.kind == "observation"
    }
    sources = table.sources(store.ledger, {*linked, *requests})
    surviving = _surviving(documents, after)
    going: dict[str, str | None] = {}
    for source, scope in linked.items():
        words = source_words(store, sources[source])[0] if source in sources else None
        if _goes(words, lines.get(scope, frozenset()), surviving.get(source, {})):
            going[source] = words
    kept_links = {source for source in surviving if any(surviving[source].values())}
    for request in requests:
        if request not in going and request not in kept_links and lines:
            going[request] = sources[request].text if request in sources else None
    records = tuple(
        dict.fromkeys(
            (Scope(sources[source].scope), Digest(sources[source].content_digest))
            for source in going
            if source in sources
        )
    )
    titles = _forgotten_titles(named, snapshot, documents)
    return Forgetting(lines, titles, tuple(going), records, _without_reason(after, going, documents))


def _forgotten_lines(
    named: Iterable[tuple[Target, str]], snapshot: Snapshot, documents: Mapping[Target, Document]
) -> dict[Scope, frozenset[str]]:
    left: dict[Scope, set[str]] = {}
    for target, document in documents.items():
        for section in document.sections:
            left.setdefault(snapshot[target].scope, set()).update(keys_of(document.body(section)))
    found: dict[Scope, frozenset[str]] = {}
    for target, title in named:
        scope, document = snapshot[target].scope, snapshot[target].document
        former = document.section(title)
        lines = frozenset() if former is None else keys_of(document.body(former))
        found[scope] = found.get(scope, frozenset()) | (lines - left.get(scope, set()))
    return {scope: lines for scope, lines in found.items() if lines}


def _forgotten_titles(
    named: Iterable[tuple[Target, str]], snapshot: Snapshot, documents: Mapping[Target, Document]
) -> dict[Scope, frozenset[Digest]]:
    found: dict[Scope, frozenset[Digest]] = {}
    for target, title in named:
        if documents[target].section(title) is None:
            scope = snapshot[target].scope
            found[scope] = found.get(scope, frozenset()) | {title_digest(title)}
    return found


def _links(standings: Standings, target: Target, title: Digest) -> tuple[Link, ...]:
    standing = standings.get(target, {}).get(title)
    return () if standing is None else standing.links


def _surviving(
    documents: Mapping[Target, Document], after: Standings
) -> dict[str, dict[tuple[Target, Digest], frozenset[str]]]:
    """By source: the lines of each section that it is linked to afterwards."""
    found: dict[str, dict[tuple[Target, Digest], frozenset[str]]] = {}
    for target, document in documents.items():
        for section in document.sections:
            title = title_digest(section.title)
            for link in _links(after, target, title):
                found.setdefault(link.source, {})[target, title] = keys_of(document.body(section))
    return found


def _goes(words: str | None, lines: frozenset[str], surviving: Mapping[tuple[Target, Digest], frozenset[str]]) -> bool:
    if not lines:
        return False
    if words is None:
        return True
    said = _best(lines, words)
    stays = [line for section in surviving.values() for line in section]
    return said >= SAYS or not stays or said >= _best(stays, words)


def _best(lines: Iterable[str], words: str) -> float:
    return max((overlap(line, words) for line in lines), default=0.0)


def _without_reason(
    after: dict[Target, dict[Digest, Standing]], going: Mapping[str, str | None], documents: Mapping[Target, Document]
) -> dict[Target, dict[Digest, Standing]]:
    """Drop the links of sources that go and support nothing of what is left, as long as a section keeps one."""
    for target, document in documents.items():
        for section in document.sections:
            title = title_digest(section.title)
            standing = after.get(target, {}).get(title)
            if standing is None:
                continue
            lines = keys_of(document.body(section))
            kept = tuple(
                link
                for link in standing.links
                if link.source not in going or _best(lines, going[link.source] or "") >= SUPPORTS
            )
            if kept and kept != standing.links:
                after[target][title] = replace(standing, links=kept)
    return after
