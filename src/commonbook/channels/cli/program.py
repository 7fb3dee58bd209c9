"""The program: its commands by chapter, one run of it, and what every way of ending means to a shell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.exits import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_OK, EXIT_READER_GONE, EXIT_USAGE
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import HELP_OPTIONS, LazyGroup, json_option, option
from commonbook.errors import Code, CommonbookError, UsageError
from commonbook.messages import explain, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonbook.channels.cli.desk import OpenGateway

CHAPTERS = {
    "daily": ("update", "show", "search", "why", "status"),
    "hand": ("remember", "forget", "undo", "edit"),
    "agents": ("mcp", "mcp-config"),
    "steps": ("capture", "maintain", "pause", "resume", "queue", "project", "log"),
    "care": ("doctor", "backup", "restore"),
}
_ELSEWHERE = {
    "retrieve": "search:search",
    "resume": "pause:resume",
    "restore": "backup:restore",
    "mcp-config": "mcp_config:mcp_config",
}
_NAMES = (*(name for names in CHAPTERS.values() for name in names), "retrieve")
PLACES = {name: f"commonbook.channels.cli.{_ELSEWHERE.get(name, f'{name}:{name}')}" for name in _NAMES}


@click.group(
    "commonbook",
    cls=LazyGroup,
    chapters=CHAPTERS,
    places=PLACES,
    invoke_without_command=True,
    context_settings=HELP_OPTIONS,
)
@option("--yes", is_flag=True)
@option("--version", is_flag=True)
@click.pass_context
def commonbook(ctx: click.Context, yes: bool, version: bool) -> int | None:
    if version:
        from importlib.metadata import version as installed

        ctx.obj.screen.line(f"commonbook {installed('commonbook')}")
        ctx.exit()
    if ctx.invoked_subcommand is None:
        from commonbook.channels.cli.first_run import first_run

        return first_run(ctx.obj, yes=yes)
    return None


commonbook.params.append(json_option())


def run(argv: Sequence[str], open_gateway: OpenGateway, open_read_gateway: OpenGateway) -> int:
    """Run one command line and give its exit code. Whatever happens inside ends as one sentence that says what to do."""
    screen = Screen.of_process()
    desk = Desk(screen, open_gateway, open_read_gateway)
    desk.json = "--json" in argv  # also for a command line that cannot be parsed
    try:
        code = _run(desk, argv)
    finally:
        screen.close()
    if screen.failed is not None:
        screen.note(say("cli.output_failed", reason=screen.failed.strerror or type(screen.failed).__name__))
        return EXIT_ERROR
    return EXIT_READER_GONE if screen.reader_gone else code


def _run(desk: Desk, argv: Sequence[str]) -> int:
    try:
        try:
            return _invoke(desk, argv)
        finally:
            desk.close()
    except click.UsageError as error:
        return _refuse_usage(desk, error)
    except click.ClickException as error:
        return _fail(desk, UsageError(Code.INVALID_ARGUMENTS, argument="-", rule=error.format_message()))
    except (KeyboardInterrupt, click.Abort):
        desk.screen.note(say("cli.interrupted"))
        return EXIT_INTERRUPTED
    except CommonbookError as error:
        return _fail(desk, error)
    except Exception as error:
        return _fail_unexpectedly(desk, error)


def _invoke(desk: Desk, argv: Sequence[str]) -> int:
    result = commonbook.main(list(argv), prog_name="commonbook", standalone_mode=False, obj=desk)
    return result if isinstance(result, int) else EXIT_OK


def _refuse_usage(desk: Desk, error: click.UsageError) -> int:
    from commonbook.channels.cli.refusal import refusal

    bare = isinstance(error, click.exceptions.NoArgsIsHelpError)
    if bare and not desk.json:
        desk.screen.note(error.message)  # the whole help: the usage line would say a part of it twice
        return EXIT_USAGE
    sentence = say("usage.missing_command") if bare else refusal(error)
    if desk.json:
        _answer_error(desk, Code.INVALID_ARGUMENTS.value, sentence, {})
        return EXIT_USAGE
    if error.ctx is not None:
        desk.screen.note(error.ctx.get_usage())
        desk.screen.note(say("cli.see_help", command=error.ctx.command_path))
    desk.screen.note((say("cli.error"), "removed"), sentence)
    return EXIT_USAGE


def _fail(desk: Desk, error: CommonbookError) -> int:
    sentence = explain(error)
    if desk.json:
        _answer_error(desk, error.code.value, sentence, dict(error.detail))
    else:
        desk.screen.note((say("cli.error"), "removed"), sentence)
    _trace_if_asked(desk)
    return (
        EXIT_USAGE if error.code in {Code.INVALID_ARGUMENTS, Code.UNKNOWN_SETTING, Code.INVALID_SETTING} else EXIT_ERROR
    )


def _fail_unexpectedly(desk: Desk, error: Exception) -> int:
    sentence = say("cli.internal", kind=type(error).__name__)
    if desk.json:
        _answer_error(desk, Code.INTERNAL.value, sentence, {"kind": type(error).__name__})
    else:
        desk.screen.note((say("cli.error"), "removed"), sentence)
    _trace_if_asked(desk)
    return EXIT_ERROR


def _answer_error(desk: Desk, code: str, message: str, detail: dict[str, str | int]) -> None:
    desk.answer(error={"code": code, "message": message, "detail": detail})


def _trace_if_asked(desk: Desk) -> None:
    if os.environ.get("COMMONBOOK_DEBUG"):
        import traceback

        desk.screen.note(traceback.format_exc())
