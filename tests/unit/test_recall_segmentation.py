"""How text becomes words: whatever a person would type to find it must be among them."""

import pytest

from commonbook.recall.segmentation import MOST_QUERY_WORDS, date_words, query_words, words


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("数据库迁移必须先在预发布环境执行", "库"),
        ("数据库迁移必须先在预发布环境执行", "迁移"),
        ("检查gen-itgc报表", "gen-itgc"),
        ("检查gen-itgc报表", "itgc"),
        ("检查gen-itgc报表", "报表"),
        ("call parse_user_name() first", "parse_user_name"),
        ("call parse_user_name() first", "user"),
        ("the getUserName method", "getusername"),
        ("the getUserName method", "name"),
        ("class HTTPServer2", "server"),
        ("released v1.4.0 today", "v1.4.0"),
        ("released v1.4.0 today", "1.4.0"),
        ("see src/app/main.py:12", "src/app/main.py:12"),
        ("see src/app/main.py:12", "main.py"),
        ("see src/app/main.py:12", "main"),
        ("端口是８０８０", "8080"),
        ("ＡＰＩ key", "api"),
        ("café au lait", "cafe"),
        ("prefers C++ and C#", "c++"),
        ("prefers C++ and C#", "c#"),
        ("コミットメッセージを日本語で書く", "日本"),
        ("コミットメッセージを日本語で書く", "コミ"),
        ("데이터베이스를 사용", "데이"),
        ("Straße", "strasse"),
        ("deploy 🚀 on Friday", "🚀"),
        ("Caroline's cat", "caroline"),
        ("mail bob@example.com", "bob@example.com"),
        ("__init__ file", "init"),
    ],
)
def test_what_a_person_types_is_among_the_words(text: str, typed: str) -> None:
    assert typed in list(words(text))
    assert typed in query_words(typed)


def test_a_name_is_whole_and_in_parts_but_each_once() -> None:
    assert list(words("snake_case")) == ["snake_case", "snake", "case"]
    assert list(words("fooFoo")) == ["foofoo", "foo"]


def test_single_kana_say_nothing_beside_others() -> None:
    assert list(words("のは")) == ["のは"]
    assert list(words("の")) == ["の"]


def test_stop_words_are_dropped_from_queries_only() -> None:
    assert query_words("What is the port of the database?") == ["port", "database"]
    assert "the" in list(words("the port"))


@pytest.mark.parametrize("query", ["what is it", "什么", "です"])
def test_a_query_of_stop_words_alone_still_looks_for_them(query: str) -> None:
    assert query_words(query) == list(dict.fromkeys(words(query)))


def test_a_pasted_file_is_looked_up_by_its_first_words() -> None:
    assert len(query_words(" ".join(f"w{number}x" for number in range(50_000)))) == MOST_QUERY_WORDS


@pytest.mark.parametrize("text", ["", "   ", "\x00\x01", '"*():^-+{}', "\ud800", "¿?!…"])
def test_nothing_to_find_gives_no_words(text: str) -> None:
    assert list(words(text)) == []


def test_no_word_can_break_out_of_a_quoted_phrase() -> None:
    hostile = 'a" OR own:"b\x00 NEAR(c) \ud800 d\'e\u2028'
    assert not any(set(word) & set("\"'\x00() \u2028\ud800") for word in words(hostile))


def test_a_key_of_thousands_of_letters_does_not_bloat_the_index() -> None:
    assert list(words("a" * 5000)) == []
    assert max(map(len, words("ab12" * 5000)), default=0) <= 96


def test_a_date_is_found_by_day_year_and_month() -> None:
    found = date_words(1_796_083_200_000)  # 2026-12-01
    assert {"2026-12-01", "2026", "december"} <= set(found)
    assert date_words(-(10**18)) and date_words(10**18)


def test_a_query_asks_for_pairs_of_a_run_and_for_single_signs_only_when_told() -> None:
    assert query_words("日志 logging") == ["日志", "logging"]
    assert query_words("库 logging") == ["库", "logging"]
    assert query_words("日志", single_signs=True) == ["日", "日志", "志"]
