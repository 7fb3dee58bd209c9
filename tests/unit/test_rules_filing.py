"""Where a statement goes, what it replaces, what forgetting removes, and what a full document does."""

import pytest

from commonbook.agents.rules.pages import decisions
from commonbook.vocabulary import GLOBAL
from tests.unit.rules_help import DOCUMENT, lines, memory, say


def test_scope_follows_the_words_then_the_subject() -> None:
    pages = memory()
    say(
        pages,
        "I'm a botanist in Graz.",
        "Keep your answers brief.",
        "We use uv for packages.",
        "Use tabs, not spaces, in all my repos.",
        "In this repo answer in German, please: the docs are German.",
    )
    assert lines(pages, "profile") == ["- I'm a botanist in Graz (2026-12-01)"]
    assert lines(pages, "preferences") == [
        "- Keep your answers brief (2026-12-01)",
        "- Use tabs, not spaces, in all my repos (2026-12-01)",
    ]
    assert lines(pages, DOCUMENT)[0] == "- We use uv for packages (2026-12-01)"


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("I always use pnpm, never npm.", "Working style"),
        ("I never commit straight to main.", "Working style"),
        ("I usually use vim with tmux.", "Working style"),
        ("我平时用 pnpm，不用 npm。", "工作习惯"),
        ("我从来不用 npm。", "工作习惯"),
    ],
)
def test_a_habit_is_a_preference_and_no_identity(words: str, title: str) -> None:
    pages = memory()
    say(pages, words)
    assert [line.removesuffix(" (2026-12-01)") for line in lines(pages, "preferences")] == [f"- {words.rstrip('.。')}"]
    assert [section.title for page in pages for section in page.sections or ()] == [title]


def test_a_habit_of_one_place_stays_there_and_identity_in_the_profile() -> None:
    pages = memory()
    say(pages, "I always use pnpm in this repo.", "I mostly write Go.", "我主要写后端。")
    assert lines(pages, DOCUMENT) == ["- I always use pnpm in this repo (2026-12-01)"]
    assert lines(pages, "profile") == ["- I mostly write Go (2026-12-01)", "- 我主要写后端 (2026-12-01)"]


def test_a_batch_without_a_project_is_global() -> None:
    pages = memory()
    say(pages, "We use uv for packages.", scope=GLOBAL)
    assert lines(pages, "preferences") == ["- We use uv for packages (2026-12-01)"]


def test_titles_take_the_language_of_the_words_and_are_reused() -> None:
    pages = memory(project="# Project: moth\n\n## 决定\n\n- 我们用 TiDB\n")
    say(pages, "We use uv for packages.", "我是阮青，数据分析师。")
    assert lines(pages, DOCUMENT) == ["- 我们用 TiDB", "- We use uv for packages (2026-12-01)"]
    assert [section.title for page in pages for section in page.sections or ()] == ["关于我", "决定"]


def test_the_same_line_is_not_added_again() -> None:
    pages = memory(project="# Project\n\n## Decisions\n\n- we USE uv for packages (2026-11-01)\n")
    assert say(pages, "We use uv for packages.") == ["already remembered"]
    assert decisions(pages) == []


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        (
            "We tag releases by calendar, vYYYY.MM.N",
            "Correction on the release tags: since last week we are on plain semver.",
            "release tags: since last week we are on plain semver",
        ),
        (
            "logging 这块我们用 logrus，别引入 zap",
            "纠正一下，logging 已经从 logrus 换成标准库 slog 了。",
            "logging 已经从 logrus 换成标准库 slog 了",
        ),
        (
            "Tests run on Jest, config is at the root",
            "Actually, we moved from Jest to Vitest last week.",
            "we moved from Jest to Vitest last week",
        ),
    ],
)
def test_a_correction_takes_the_place_of_the_older_line(before: str, words: str, after: str) -> None:
    other = "The photos live in a bucket, not in git"
    pages = memory(project=f"# Project\n\n## Decisions\n\n- {before} (2026-11-01)\n- {other} (2026-11-02)\n")
    say(pages, words)
    assert lines(pages, DOCUMENT) == [f"- {after} (2026-12-01)", f"- {other} (2026-11-02)"]
    (decision,) = decisions(pages)
    assert (decision["kind"], decision["admission"], decision["evidence"]) == ("retain", "correct", ["ev_0"])


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("The API runs on Fly", "The worker runs on Hetzner."),
        ("Staging listens on 7443", "The API listens on 8085, no longer on 8080."),
        ("We use Kafka for events", "We use Postgres for state."),
    ],
)
def test_another_subject_is_not_replaced(before: str, words: str) -> None:
    pages = memory(project=f"# Project\n\n## Decisions\n\n- {before}\n")
    say(pages, words)
    assert len(lines(pages, DOCUMENT)) == 2


def test_how_to_answer_has_one_language_and_one_length() -> None:
    pages = memory(
        preferences="# Preferences\n\n## How to answer\n\n- Keep answers under five lines (2026-11-01)\n- Answer in English\n"
    )
    say(pages, "Keep answers under ten lines.", "以后都用中文回答我。")
    assert lines(pages, "preferences") == [
        "- Keep answers under ten lines (2026-12-01)",
        "- 以后都用中文回答我 (2026-12-01)",
    ]


def test_forgetting_finds_the_line_by_its_words_and_leaves_the_others() -> None:
    pages = memory(
        preferences="# Preferences\n\n## How to answer\n\n- Keep answers under five lines please (2026-11-01)\n",
        project="# Project\n\n## 约定\n\n- 数据库我们定了用 PostgreSQL 15\n- 迁移脚本放在 migrations/ 下面\n",
    )
    say(pages, "Forget the five-line limit, I'm back at a desk.", "刚才说的 PostgreSQL 那条先忘掉。")
    assert lines(pages) == ["- 迁移脚本放在 migrations/ 下面"]
    first, second = decisions(pages)
    assert first["kind"] == second["kind"] == "forget"
    assert [each["operation"] for each in first["operations"]] == ["remove_section"]
    assert [each["operation"] for each in second["operations"]] == ["put_section"]


def test_forgetting_by_subject() -> None:
    pages = memory(
        project="# Project\n\n## Decisions\n\n- Staging listens on 7443, production stays on 443\n- We use uv\n"
    )
    say(pages, "Forget what I said about the ports, they will be renumbered.")
    assert lines(pages, DOCUMENT) == ["- We use uv"]


def test_forgetting_what_is_not_there_changes_nothing() -> None:
    pages = memory(project="# Project\n\n## Decisions\n\n- We use uv\n")
    assert say(pages, "Forget the thing about the moon phases.") == ["nothing remembered matches"]
    assert decisions(pages) == []


def test_said_and_withdrawn_in_one_batch_is_never_added() -> None:
    pages = memory()
    say(pages, "We use Redis for the queue.", "Forget Redis.")
    say(pages, "We deploy on Mondays only.", "Scratch that.")
    assert decisions(pages) == []


def test_corrected_in_one_batch_leaves_one_line() -> None:
    pages = memory()
    say(pages, "We tag releases by calendar.", "Correction on the release tags: we use semver tags now.")
    assert lines(pages, DOCUMENT) == ["- release tags: we use semver tags now (2026-12-01)"]
    (decision,) = decisions(pages)
    assert decision["evidence"] == ["ev_1"]


def test_a_full_document_takes_nothing_more() -> None:
    text = "# Project\n\n## Decisions\n\n- " + "x" * 170 + "\n"
    pages = memory(project=text, hard=200)
    assert say(pages, "We use uv for packages.") == ["the document is full"]
    assert decisions(pages) == []


def test_each_section_is_put_once_and_keeps_what_stands_around_the_line() -> None:
    mine = "Some prose of mine.\n\n- We use uv\n  since spring\n\n```\n## not a heading\n```\n"
    pages = memory(project=f"# Project\n\n## Decisions\n\n{mine}\n## Other\n\nkept\n")
    say(pages, "We use Bazel for builds.", "Our CI runs on Drone.")
    (decision,) = decisions(pages)
    (operation,) = decision["operations"]
    assert operation["section"] == "s1"
    assert operation["body"].startswith(
        "Some prose of mine.\n\n- We use uv\n  since spring\n\n```\n## not a heading\n```\n- We use Bazel"
    )
    assert decision["evidence"] == ["ev_0", "ev_1"]
