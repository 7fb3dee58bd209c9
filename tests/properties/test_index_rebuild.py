"""After any edits the index is exactly the one that a fresh build gives: same rows, same words, same ranking."""

import tempfile
from contextlib import closing
from pathlib import Path

import apsw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonbook.book.facts import SectionFact, write_facts
from commonbook.book.grammar import title_digest
from commonbook.recall.freshness import CALL_BYTES, refresh
from commonbook.recall.places import disk_index
from commonbook.recall.search import SearchRequest, retrieve
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.vocabulary import Target
from tests.support.recall_home import LONG_AGO_NS, NOW, FixedClock, put, recall_home

TARGETS = (
    "profile",
    "preferences",
    "projects/apple-00aa",
    "notes/global/n",
    "skills/global/s/SKILL",
    "resources/global",
)
BODIES = st.one_of(
    st.text(max_size=60),
    st.sampled_from(("use pnpm", "数据库迁移 gen-itgc", "- a\n- b\n", "```\n## no\n", "### Sub\n\nx", "word " * 500)),
)
TITLES = st.sampled_from(("Tools", "Tone", "部署", "Kiwi"))
DOCUMENTS = st.builds(
    lambda first, sections: first + "".join(f"\n## {title}\n\n{body}\n" for title, body in sections),
    st.sampled_from(("# Profile\n", "# Project: apple\n", "", "free text\n", "---\nname: x\n---\n")),
    st.lists(st.tuples(TITLES, BODIES), max_size=6),
)
WRITE = st.tuples(st.just("write"), st.sampled_from(TARGETS), DOCUMENTS)
REMOVE = st.tuples(st.just("remove"), st.sampled_from(TARGETS), st.just(""))
RENAME = st.tuples(st.just("rename"), st.sampled_from(TARGETS), st.sampled_from(TARGETS))
FACT = st.tuples(st.just("fact"), st.sampled_from(TARGETS[:3]), TITLES)
SEARCH = st.tuples(st.just("search"), st.just(""), st.just(""))
STEPS = st.lists(st.one_of(WRITE, WRITE, REMOVE, RENAME, FACT, SEARCH), min_size=2, max_size=8)


@given(STEPS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_updated_index_equals_a_fresh_one(steps: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = recall_home(Path(folder) / "home")
        for number, (kind, target, more) in enumerate(steps):
            act(home, kind, target, more, number)
        update(home, home.recall_database)
        fresh = Path(folder) / "fresh.sqlite"
        update(home, fresh)
        assert dump(home.recall_database) == dump(fresh)
        assert ranking(home.recall_database) == ranking(fresh)


def act(home: Home, kind: str, target: str, more: str, number: int) -> None:
    path = home.memory / f"{target}.md"
    match kind:
        case "write":
            put(home, target, more.encode("utf-8", "replace"), mtime_ns=LONG_AGO_NS + number * 10**9)
        case "remove":
            path.unlink(missing_ok=True)
        case "rename" if path.exists():
            other = home.memory / f"{more}.md"
            other.parent.mkdir(parents=True, exist_ok=True)
            path.rename(other)
        case "fact":
            write_facts(home, [SectionFact(Target(target), title_digest(more), NOW - number, (f"o{number}",))])
        case _:
            retrieve(home, Settings(), SearchRequest("pnpm 数据库"), clock=FixedClock())


def update(home: Home, database: Path) -> None:
    with disk_index(database) as index:
        assert not refresh(index, home, FixedClock(), most=CALL_BYTES)


def dump(database: Path) -> list[list[tuple[object, ...]]]:
    """Everything but our own row numbers and the times of looking."""
    with closing(apsw.Connection(str(database))) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.spoken USING fts5vocab(main, words, instance)")
        queries = (
            "SELECT target, track, scope, size, mtime_ns, inode, segments, digest, facts FROM documents ORDER BY target",
            "SELECT target, s.id & 0xfffff, section, title, heading, text, date, sources, s.digest "
            "FROM segments AS s JOIN documents AS d ON d.id = s.id >> 20 ORDER BY 1, 2",
            'SELECT target, doc & 0xfffff, term, col, "offset" '
            "FROM temp.spoken JOIN documents AS d ON d.id = doc >> 20 ORDER BY 1, 2, 3, 4, 5",
            "SELECT count(*) FROM segments",
            "SELECT count(*) FROM temp.spoken",
        )
        return [connection.execute(query).fetchall() for query in queries]


def ranking(database: Path) -> list[set[tuple[object, ...]]]:
    scopes, tracks = ("global", "project:apple-00aa"), ("memory", "skill", "resource")
    with disk_index(database) as index:
        return [
            {(index.segment(number)[0].target, number & 0xFFFFF, round(score, 9)) for number, score in found}
            for query in (["pnpm"], ["数据"], ["tools", "kiwi"], ["word", "x"])
            for found in [index.rank(query, scopes, tracks, 10_000)]
        ]
