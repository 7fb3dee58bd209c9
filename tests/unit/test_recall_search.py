"""Search: what is found, in which order, what is never shown, and which question is an error."""

from pathlib import Path

import pytest

from commonbook.errors import Code, UsageError
from commonbook.recall.search import Hit, SearchRequest, SearchResult, retrieve
from commonbook.settings.model import Read, Settings
from commonbook.settings.paths import Home
from tests.support.recall_home import APPLE, NOW, PEAR, FixedClock, put, put_fact, recall_home, register


def ask(home: Home, query: str, settings: Settings | None = None, **more: object) -> SearchResult:
    return retrieve(home, settings or Settings(), SearchRequest(query, **more), clock=FixedClock())  # type: ignore[arg-type]


def texts(result: SearchResult) -> list[str]:
    return [hit.text for hit in (*result.segments, *result.skills, *result.resources)]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = recall_home(tmp_path)
    put(home, "profile", "# Profile\n\n## Person\n\nLives in Porto, writes Python.\n")
    put(
        home,
        "preferences",
        "# Preferences\n\n## Packages\n\nUse pnpm, not npm.\n\n## 报表\n\n检查gen-itgc报表，端口８０８０。\n\n"
        "## Code\n\nThe parse_user_name helper stays; see src/app/main.py since v1.4.0.\n",
    )
    put(home, f"projects/{APPLE}", "# Project: apple\n\n## Database\n\nPostgres migrations run before deploy.\n")
    put(home, f"projects/{PEAR}", "# Project: pear\n\n## Database\n\nSQLite migrations run after deploy.\n")
    put(
        home, "skills/global/ship/SKILL", "---\nname: ship\ndescription: release a wheel\n---\n# Ship\n\n#tag push it\n"
    )
    put(home, "resources/global", "# Resources\n\n## Docs\n\nhandbook.pdf: the wheel handbook\n")
    put(home, f"notes/{APPLE}/meeting", "# Meeting\n\nWe talked about the apple harvest.\n")
    return home


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("pnpm", "pnpm"),
        ("表", "gen-itgc"),
        ("报表", "gen-itgc"),
        ("gen-itgc", "gen-itgc"),
        ("8080", "gen-itgc"),
        ("user name", "parse_user_name"),
        ("parseUserName", "parse_user_name"),
        ("main.py", "src/app/main.py"),
        ("1.4.0", "v1.4.0"),
        ("MIGRATION", "migrations"),
        ("writing python", "Porto"),
        ("harvest", "apple harvest"),
    ],
)
def test_the_right_passage_is_first(home: Home, query: str, part: str) -> None:
    assert part in texts(ask(home, query))[0]


def test_a_hit_says_where_it_comes_from(home: Home) -> None:
    put_fact(home, "preferences", "Packages", NOW, "o1", "o2")
    (hit, *_) = ask(home, "pnpm", trace=True).segments
    assert (hit.target, hit.track, hit.heading, hit.context) == ("preferences", "memory", ("Packages",), "global")
    assert (hit.date, hit.sources) == (NOW, ("o1", "o2"))
    assert hit.trace == f"lexical={hit.score:.2f} text=pnpm"


def test_a_trace_tells_text_from_neighbourhood(home: Home) -> None:
    result = ask(home, "pnpm parse_user_name", trace=True)
    assert any(hit.trace and "text=pnpm near=parse_user_name" in hit.trace for hit in result.segments)
    assert all(hit.trace is None for hit in ask(home, "pnpm").segments)


def test_tracks_are_kept_apart(home: Home) -> None:
    result = ask(home, "wheel")
    assert [hit.target for hit in result.skills] == ["skills/global/ship"]
    assert [hit.target for hit in result.resources] == ["resources/global"]
    assert ask(home, "push").skills[0].heading == ("Ship",)
    only = ask(home, "wheel", tracks=("resource",))
    assert only.resources and not only.skills and not only.segments


def test_no_word_of_another_scope_is_ever_shown(home: Home) -> None:
    result = ask(home, "database migrations deploy sqlite postgres harvest", contexts=(f"project:{PEAR}",))
    assert {hit.context for hit in result.segments} == {f"project:{PEAR}"}
    everything = ask(home, "migrations", Settings(read=Read(scopes=("global", f"project:{APPLE}"))))
    assert [hit.target for hit in everything.segments] == [f"projects/{APPLE}"]
    register(home, PEAR)
    assert {hit.context for hit in ask(home, "migrations harvest").segments} == {f"project:{PEAR}"}


def test_the_filter_stands_before_the_ranking(home: Home) -> None:
    for number in range(300):
        put(home, f"notes/{APPLE}/n{number}", "# N\n\ndeploy deploy deploy\n")
    assert ask(home, "deploy", contexts=(f"project:{PEAR}",), k=1).segments[0].context == f"project:{PEAR}"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"query": ""}, "query"),
        ({"query": " \n\t"}, "query"),
        ({"query": "x", "k": 0}, "k"),
        ({"query": "x", "k": 21}, "k"),
        ({"query": "x", "k": True}, "k"),
        ({"query": "x", "tracks": ()}, "tracks"),
        ({"query": "x", "tracks": ("memory", "skills")}, "tracks"),
        ({"query": "x", "budget": 0}, "budget"),
    ],
)
def test_a_wrong_argument_is_an_error_that_names_it(home: Home, arguments: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError) as error:
        ask(home, **arguments)  # type: ignore[arg-type]
    assert error.value.code is Code.INVALID_ARGUMENTS and error.value.detail["argument"] == named


def test_an_unknown_context_is_an_error(home: Home) -> None:
    with pytest.raises(UsageError) as error:
        ask(home, "x", contexts=("project:other-0000",))
    assert error.value.code is Code.CONTEXT_UNAVAILABLE


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'; DROP TABLE words; --",
        "own:pnpm AND NOT (npm OR *)",
        "NEAR(pnpm npm, 2) ^pnpm {own context}: x + y",
        "pnpm\x00npm",
        "🚀🎉",
        "?!…—",
        "\ud800 pnpm",
        "the of and",
        "a" * 100_000,
        "word " * 20_000,
        "数据" * 30_000,
    ],
)
def test_no_query_is_an_error_of_the_database(home: Home, query: str) -> None:
    ask(home, query)
    assert "pnpm" in texts(ask(home, "pnpm"))[0]


def test_words_that_every_sentence_has_still_find_something(home: Home) -> None:
    assert texts(ask(home, "not"))


def test_at_most_k_and_one_a_section(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    long = "\n".join(f"- kiwi number {number} " + "filler " * 30 for number in range(60))
    put(home, "profile", f"# Profile\n\n## Long\n\n{long}\n\n" + "".join(f"## S{n}\n\nkiwi\n\n" for n in range(30)))
    hits = ask(home, "kiwi", k=20).segments
    assert len(hits) == 20 and len({hit.heading for hit in hits}) == 20
    assert len(ask(home, "kiwi", k=3).segments) == 3


def test_the_budget_is_kept_by_whole_segments(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    put(home, "profile", "# Profile\n\n" + "".join(f"## S{n}\n\nkiwi {'字' * (10 * n)}\n\n" for n in range(1, 9)))
    whole = {hit.text for hit in ask(home, "kiwi", k=20, budget=100_000).segments}
    for budget in (1, 35, 100, 300):
        found = [hit.text for hit in ask(home, "kiwi", k=20, budget=budget).segments]
        assert sum(len(text.encode()) for text in found) <= budget and set(found) <= whole
    assert len(whole) == 8 and len(ask(home, "kiwi", k=20, budget=35).segments) == 1


def test_of_equals_the_newer_comes_first(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    text = "# N\n\n## Kiwi\n\nWe eat kiwi.\n"
    put(home, f"projects/{APPLE}", text, mtime_ns=1_600_000_000 * 10**9)
    put(home, f"projects/{PEAR}", text, mtime_ns=1_600_000_060 * 10**9)
    put(home, "profile", text, mtime_ns=1_599_999_000 * 10**9)
    order = [hit.target for hit in ask(home, "kiwi").segments]
    assert order == [f"projects/{PEAR}", f"projects/{APPLE}", "profile"]


def test_what_a_large_index_has_everywhere_is_passed_over_and_the_rest_found(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    for number in range(20):
        sections = (f"## S{number} {part}\n\nuser says thing{number}x{part}\n\n" for part in range(300))
        put(home, f"notes/global/n{number}", "# N\n\n" + "".join(sections))
    assert "thing7x33" in texts(ask(home, "user thing7x33"))[0]
    assert texts(ask(home, "user"))


def test_nothing_found_is_an_empty_answer(home: Home) -> None:
    assert texts(ask(home, "zeppelin")) == []


def test_hits_are_plain_data(home: Home) -> None:
    hits: tuple[Hit, ...] = ask(home, "pnpm").segments
    assert hits and all(hit.score >= 0 for hit in hits)
