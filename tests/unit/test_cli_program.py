import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commonbook.channels.cli.program import PLACES
from commonbook.channels.cli.program import commonbook as program
from commonbook.channels.cli.spoken import LazyGroup, Option, option_help
from commonbook.channels.gateway.operations import Maintain, ReadMemory, ReadStatus
from commonbook.errors import Code, CommonbookError, PlaceError
from commonbook.messages import LANGUAGES, say
from tests.support.cli import commonbook

HEAVY = (
    "pydantic",
    "apsw",
    "mcp",
    "orjson",
    "anyio",
    "pyromark",
    "asyncio",
    "commonbook.keeper",
    "commonbook.channels.gateway",
)


def commands() -> Iterator[tuple[str, click.Command]]:
    """(key, command) of the program and everything below it."""

    def below(key: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        yield key or "commonbook", command
        if isinstance(command, LazyGroup):
            context = click.Context(command)
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found is not None
                yield from below(f"{key}-{name}".strip("-"), found)

    return below("", program)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_command_and_option_explains_itself_in_every_language(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONBOOK_LANG", lang)
    for key, command in commands():
        assert say(f"help.{key}")
        for parameter in command.params:
            if isinstance(parameter, Option):
                assert option_help(key, parameter.name or "")


def test_no_help_is_left_for_a_command_or_option_that_is_gone() -> None:
    from tests.unit.test_messages_catalogue import catalogue

    english = catalogue("en")
    keys = {key for key, _ in commands()}
    assert set(english["help"]) == keys
    options = {(key, (each.name or "").replace("_", "-")) for key, command in commands() for each in command.params}
    known = {"help"} | {f"{key}-{name}" for key, name in options} | {name for _, name in options}
    assert set(english["option"]) <= known


def test_help_imports_nothing_heavy_and_no_command() -> None:
    code = (
        "import sys; from commonbook.app import main; code = main(['--help'])\n"
        "print(code, *sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    exit_code, *modules = done.stderr.split()
    assert exit_code == "0"
    assert [name for name in modules if name.startswith(HEAVY)] == []
    assert not {place.partition(":")[0] for place in PLACES.values()} & set(modules)


@pytest.mark.parametrize(
    "words", [("--help",), ("-h",), ("queue", "-h"), ("queue", "list", "--help"), ("retrieve", "-h")]
)
def test_help_is_an_answer(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    ran = commonbook(*words)
    assert ran.code == 0
    assert ran.out.startswith("Usage: commonbook")
    assert ran.calls == ()


def test_version() -> None:
    assert commonbook("--version").out.startswith("commonbook 0.")


@pytest.mark.parametrize(
    "words", [("nonsense",), ("show", "--nonsense"), ("search",), ("search", "-k", "0", "x"), ("queue", "x")]
)
def test_a_wrong_command_line_is_usage_and_asks_the_gateway_nothing(words: tuple[str, ...]) -> None:
    ran = commonbook(*words)
    assert (ran.code, ran.out, ran.calls) == (2, "", ())
    assert "--help" in ran.err
    told = commonbook(*words, "--json")
    assert told.code == 2
    assert told.json["error"]["code"] == "INVALID_ARGUMENTS"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nonsense",), "没有“nonsense”这个命令。"),
        (("rember",), "是不是想写 remember"),
        (("show", "--glob"), "没有 --glob 这个选项。"),
        (("search",), "缺少 'QUERY...'。"),
        (("search", "-k", "0", "x"), "'-k' 的值不对：1 到 20。"),
        (("maintain", "--max-jobs", "0"), "'--max-jobs' 的值不对：至少 1。"),
        (("queue", "list", "--state", "x"), "之一。"),
        (("capture", "--since", "x"), "'--since' 的值不对：日期的写法是 2026-12-31。"),
        (("capture", "--host"), "--host 后面缺少值"),
        (("status", "more", "words"), "写得比这个命令需要的多：more words"),
    ],
)
def test_a_wrong_command_line_is_told_in_the_persons_language(
    words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONBOOK_LANG", "zh")
    ran = commonbook(*words)
    assert ran.code == 2
    assert told in ran.err
    assert "错误：" in ran.err
    assert not {"Usage", "Options", "Error", "Invalid", "Missing"} & set(re.findall("[A-Za-z]+", ran.err))


def test_help_has_no_word_of_another_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONBOOK_LANG", "zh")
    shown = commonbook("search", "--help").out + commonbook("mcp", "--help").out
    for words in ("用法：", "选项:", "默认：8", "必填"):
        assert words in shown
    assert "default" not in shown and "required" not in shown


def test_a_group_without_a_command_says_its_help_once() -> None:
    ran = commonbook("queue")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("Usage:") == 1
    assert "discard" in ran.err and "Error" not in ran.err
    assert commonbook("--json", "queue").json["error"]["message"] == "A command is missing."


def test_a_near_name_is_suggested() -> None:
    assert "remember" in commonbook("rember").err


def failing(error: BaseException) -> object:
    def answer(_: object) -> object:
        raise error

    return {ReadStatus: answer, Maintain: answer, ReadMemory: answer}


@pytest.mark.parametrize("code", Code)
def test_every_error_is_one_sentence_and_no_trace(code: Code) -> None:
    answers = failing(CommonbookError(code, path="/x/y"))
    ran = commonbook("status", answers=answers)  # type: ignore[arg-type]
    assert ran.code in (1, 2)
    assert ran.out == ""
    assert ran.err.startswith("Error: ")
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    told = commonbook("status", "--json", answers=answers)  # type: ignore[arg-type]
    assert told.code == ran.code
    assert told.json["error"]["code"] == code.value
    assert told.json["error"]["message"] in ran.err


def test_an_error_of_ours_is_told_with_the_way_to_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = failing(ZeroDivisionError("secret words"))
    ran = commonbook("status", answers=answers)  # type: ignore[arg-type]
    assert ran.code == 1
    assert "INTERNAL" in ran.err
    assert "COMMONBOOK_DEBUG=1" in ran.err
    assert "secret words" not in ran.err
    monkeypatch.setenv("COMMONBOOK_DEBUG", "1")
    assert "Traceback" in commonbook("status", answers=answers).err  # type: ignore[arg-type]


def test_control_c_says_that_nothing_is_lost() -> None:
    ran = commonbook("maintain", answers=failing(KeyboardInterrupt()))  # type: ignore[arg-type]
    assert ran.code == 130
    assert say("cli.interrupted") in ran.err


def test_a_hostile_path_in_an_error_is_made_safe() -> None:
    ran = commonbook("status", answers=failing(PlaceError(Code.DISK_FULL, path="/x/\x1b[2J")))  # type: ignore[arg-type]
    assert "\x1b" not in ran.err
    assert "\\x1b[2J" in ran.err


def test_the_commands_page_is_up_to_date() -> None:
    page = importlib.import_module("docs.generate_commands").page()
    assert Path("docs/commands.md").read_text(encoding="utf-8") == page, "run `make docs`"
    for _, command in commands():
        for parameter in command.params:
            assert all(name in page for name in parameter.opts if name.startswith("-"))


def test_a_full_disk_behind_standard_output_is_told() -> None:
    command = f"{sys.executable} -m commonbook.app --help > /dev/full"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env={"PYTHONPATH": "src"})
    assert done.returncode == 1
    assert "could not be written" in done.stderr


def test_a_reader_that_leaves_gets_no_complaint() -> None:
    command = f"({sys.executable} -m commonbook.app --help; echo code $? >&2) | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env={"PYTHONPATH": "src"})
    assert done.stderr.strip() in {"code 141", "code 0"}  # 0: written before `true` had ended
