"""Which words count: the user's own, lasting, explicit ones; and nothing that only looks like them."""

import pytest

from commonbook.agents.rules.statements import Forget, Keep, TakeBack, read_message
from commonbook.vocabulary import SECRET_MASK
from tests.unit.rules_help import blocks, kept


def texts(words: str) -> list[str]:
    return [each.line for each in kept(words)]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("By the way, we use Bazel.", ["we use Bazel"]),
        ("Before you touch anything: always use uv here, never pip.", ["always use uv here, never pip"]),
        ("跑完以后记一下：提交信息用英文写，这个项目一直这样。", ["提交信息用英文写，这个项目一直这样"]),
        (
            "Hello! I'm Ada, I do firmware work in Turin and I'm new to Rust.",
            ["I'm Ada", "I do firmware work in Turin", "I'm new to Rust"],
        ),
        (
            "数据库我们定了用 TiDB，不用 MySQL，备份脚本放在 ops/ 下面。",
            ["数据库我们定了用 TiDB，不用 MySQL", "备份脚本放在 ops/ 下面"],
        ),
        ("We use poetry here, can you add a check?", ["We use poetry here"]),
        ("Keep answers short please, I read them on a train.", ["Keep answers short please"]),
        ("我叫阿远，在南京做测试，帮我看看这个用例。", ["我叫阿远，在南京做测试"]),
    ],
)
def test_a_line_is_the_clauses_that_carry_the_fact(words: str, lines: list[str]) -> None:
    assert texts(words) == lines


@pytest.mark.parametrize(
    "words",
    [
        "```\nAlways use pnpm here.\n```",
        "> We always use pnpm here.",
        "| rule |\n| --- |\n| always use pnpm here |",
        "Here is the log:\n\nAlways use pnpm here, never npm.\n\nWe use pnpm.",
        "2026-11-30 10:00:01 always use pnpm here\n2026-11-30 10:00:02 we use pnpm",
        "NOTE: remember to disable the tests",
        "[step 22] HINT: always pass --no-cache when building",
        "npm ERR! always retry this command with --force",
        "下面是日志：\n我们用的是 8080 端口",
        "The vendor sent this:\n\n- always use the legacy endpoint\n- never use the new one",
        "<tool>we use pnpm</tool>",
    ],
)
def test_foreign_text_never_counts(words: str) -> None:
    assert texts(words) == []


def test_talk_after_a_fenced_paste_counts() -> None:
    assert texts("Here is the log:\n```\nalways use npm\n```\nOur CI runs on Drone, not on Actions.") == [
        "Our CI runs on Drone, not on Actions"
    ]


def test_a_list_that_the_user_calls_their_rules_counts_and_takes_its_scope() -> None:
    found = kept("My rules for all my repos:\n\n- squash merges only\n- never commit generated files")
    assert [(each.line, each.global_scope) for each in found] == [
        ("squash merges only", True),
        ("never commit generated files", True),
    ]


@pytest.mark.parametrize(
    "statement",
    ["We use pnpm here", "Always run the linter before you commit here", "Our staging database is Postgres 16"],
)
@pytest.mark.parametrize(
    "mutant",
    [
        "{}?",
        'The README says "{}".',
        "Bob says: {}",
        "Maybe {}",
        "For today only, {}",
        "My boss says {}",
        "You said {}",
        "What if {}",
    ],
)
def test_mutants_of_a_statement_do_not_count(statement: str, mutant: str) -> None:
    assert texts(f"{statement}.") == [statement]
    assert texts(mutant.format(statement[0].lower() + statement[1:])) == []


@pytest.mark.parametrize("statement", ["我们用 pnpm，不用 npm", "提交前必须先跑 lint", "线上端口是 8443"])
@pytest.mark.parametrize(
    "mutant", ["{}吗？", "文档里写着“{}”。", "我同事说{}。", "可能{}。", "这次{}。", "你说{}？", "是不是{}"]
)
def test_mutants_of_a_chinese_statement_do_not_count(statement: str, mutant: str) -> None:
    assert texts(f"{statement}。") == [statement]
    assert texts(mutant.format(statement)) == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "If we ever ship to Windows, file names must not contain colons.",
            "If we ever ship to Windows, file names must not contain colons",
        ),
        ("如果以后要支持 ARM64，竞态检测要单独跑。", "如果以后要支持 ARM64，竞态检测要单独跑"),
    ],
)
def test_a_condition_is_kept_with_its_condition(words: str, line: str) -> None:
    assert texts(words) == [line]


def test_a_confirmation_makes_the_sentence_before_it_count() -> None:
    (found,) = kept("I like small diffs, one concern per commit. Please keep to that in all my repos.")
    assert found.line == "I like small diffs, one concern per commit. Please keep to that in all my repos"
    assert found.global_scope is True


def test_a_statement_with_a_removed_secret_is_not_kept() -> None:
    assert texts(f"We use {SECRET_MASK} as the token here, always.") == []
    assert texts(f"The password is {SECRET_MASK}. We use Vault for secrets.") == ["We use Vault for secrets"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("Forget the five-line limit, I'm back at a desk.", "the five-line limit"),
        ("刚才说的 PostgreSQL 那条先忘掉，这个决定被推翻了。", "刚才说的 PostgreSQL 那条"),
        ("Please forget what I said about the ports.", "what I said about the ports"),
        ("Don't remember my employer.", "my employer"),
    ],
)
def test_requests_to_forget(words: str, what: str) -> None:
    assert [each.what for each in read_message(blocks(words)) if isinstance(each, Forget)] == [what]


@pytest.mark.parametrize(
    "words", ["Don't forget to run the tests.", "别忘了跑测试。", "I forgot the port.", "忘了说，文件在 src 下面。"]
)
def test_what_only_sounds_like_forgetting(words: str) -> None:
    assert not [each for each in read_message(blocks(words)) if isinstance(each, Forget)]


def test_taking_back() -> None:
    assert [type(each) for each in read_message(blocks("We use npm here. Scratch that, pressed enter too early."))] == [
        Keep,
        TakeBack,
    ]


@pytest.mark.parametrize(
    "paste",
    [
        "We use this and that here\n" * 201,
        "we use pnpm here, always, " * 2_000,
        "We use pnpm " + "word " * 200 + "here",
    ],
    ids=["lines", "line", "sentence"],
)
def test_what_is_too_long_to_be_said_is_a_paste(paste: str) -> None:
    assert texts(paste) == []
