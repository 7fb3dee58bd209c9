"""sections.json: date and sources of each section, derived at commit, so that search never opens the runtime database."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from commonbook.book.files import MIB, read_bounded, write_durable
from commonbook.clock import Milliseconds
from commonbook.settings.paths import Home
from commonbook.vocabulary import Digest, Target

_LIMIT = 16 * MIB


@dataclass(frozen=True)
class SectionFact:
    target: Target
    title_digest: Digest
    date: Milliseconds
    """When the newest of its sources was said, or when the person changed it."""
    sources: tuple[str, ...]
    """Observation ids."""


def read_facts(home: Home) -> Mapping[tuple[Target, Digest], SectionFact]:
    """By (target, title digest); an absent or broken file has none."""
    data = read_bounded(home.sections_file, below=home.data, limit=_LIMIT) if home.data.is_dir() else None
    try:
        listed = json.loads(data or b"{}").get("sections", [])
        facts = [
            SectionFact(
                Target(str(one["target"])), Digest(str(one["title"])), int(one["date"]), tuple(map(str, one["sources"]))
            )
            for one in listed
        ]
    except (ValueError, KeyError, AttributeError, TypeError, OverflowError, RecursionError):
        return {}
    return {(fact.target, fact.title_digest): fact for fact in facts}


def write_facts(home: Home, facts: Iterable[SectionFact]) -> None:
    listed = [
        {"target": fact.target, "title": fact.title_digest, "date": fact.date, "sources": list(fact.sources)}
        for fact in sorted(facts, key=lambda one: (one.target, one.title_digest))
    ]
    write_durable(home.sections_file, json.dumps({"format": 1, "sections": listed}, ensure_ascii=False).encode())
