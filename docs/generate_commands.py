"""Write docs/commands.md from the program itself: its help, and the types of its JSON answers.

``python docs/generate_commands.py`` writes the file; ``--check`` only says whether it is up to date.
"""

import dataclasses
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click

from commonbook.channels.cli.program import commonbook
from commonbook.channels.cli.spoken import LazyGroup
from commonbook.channels.gateway import views

PAGE = Path(__file__).with_name("commands.md")
WIDTH = 100
HEAD = """# Commands

Generated from the program (`make docs`). `-h` or `--help` after any command prints the same.

## Exit codes

| code | meaning |
| --- | --- |
| 0 | done (also: there was nothing to do) |
| 1 | something went wrong; standard error says what and what to do next (`doctor`: there is something to do) |
| 2 | the command line or `config.toml` is not right |
| 3 | a preview was shown and nobody said yes; nothing was changed (`remember`, `forget`, `undo`, `restore`, `project remove`) |
| 10, 11, 12, 13 | `edit`: it was so already / it needs to be said more clearly / refused / still waiting |
| 130 | stopped with Ctrl-C; what was committed stays, the rest waits |
| 141 | the reader of the output went away (`… \\| head`); the work was finished all the same |

## Environment

| variable | meaning |
| --- | --- |
| `COMMONBOOK_HOME` | where everything is kept; `~/.commonbook` when unset |
| `COMMONBOOK_LANG` | `en` or `zh`; else the locale decides |
| `COMMONBOOK_DEBUG` | `1` prints the trace of an error |
| `NO_COLOR` | any value switches colours off |

Colours and the live progress line appear on a terminal only. Signs that a terminal would obey (escape sequences, reversed
writing) are printed visibly, never raw.

## JSON

With `--json` a command prints exactly one object on standard output: `{"schema": 1, …}` and the fields below. Times are
milliseconds since 1970 (UTC), sizes are bytes. An error is `{"schema": 1, "error": {"code", "message", "detail"}}` with an
exit code other than 0; the code is stable, the message is for people. New fields may come, none is renamed within a schema.
"""
ANSWERS: dict[str, str] = {
    "commonbook": "`hosts`: list of `HostStatus`, `next`; with `--yes` the answer of `update`",
    "update": "`capture`: `CaptureReport`, `maintain`: `MaintainReport`",
    "capture": "`CaptureReport`",
    "maintain": "`MaintainReport`",
    "show": "`MemoryView`",
    "search": "`SearchView`",
    "why": "`WhyView`",
    "log": "`LogView`",
    "status": "`StatusView`",
    "remember": "`ChangeView`; without `--yes` an error `NEEDS_CONFIRMATION` beside `changes`",
    "forget": "`ChangeView`; without `--yes` an error `NEEDS_CONFIRMATION` beside `changes`",
    "undo": "`ChangeView`; without `--yes` an error `NEEDS_CONFIRMATION` beside `changes`",
    "edit": "`EditView`",
    "project list": "`projects`: list of `ProjectView`",
    "project register": "`project`: `ProjectView`",
    "project remove": "`project`: `ProjectView`; without `--yes` an error `NEEDS_CONFIRMATION` beside it",
    "queue list": "`QueueView`",
    "queue show": "`ItemView`",
    "queue flush": "`MaintainReport`",
    "queue retry": "`QueueView` of the items named",
    "queue cancel": "`QueueView` of the items named",
    "queue discard": "`QueueView` of the items named",
    "pause": "`StatusView`",
    "resume": "`StatusView`",
    "doctor": "`ExamineView`",
    "backup": "`BackupView`",
    "restore": "`RestoreView`; without `--yes`, where a memory stands already, an error `NEEDS_CONFIRMATION` beside it",
    "mcp": "none: standard output carries the protocol",
    "mcp-config": "`host`, `command`, `file`, `lines`",
}


def page() -> str:
    os.environ["COMMONBOOK_LANG"] = "en"
    parts = [HEAD]
    for ctx in contexts(_context(commonbook, "commonbook", None)):
        name = ctx.command_path.removeprefix("commonbook ")
        parts.append(f"## {ctx.command_path}\n\n```text\n{ctx.get_help()}\n```\n")
        if name in ANSWERS:
            parts.append(f"JSON: {ANSWERS[name]}\n")
    parts.append("## Types of the JSON answers\n")
    parts += [_type_table(shape) for shape in _shapes(" ".join(ANSWERS.values()))]
    return "\n".join(parts)


def contexts(ctx: click.Context) -> Iterator[click.Context]:
    """The program and every command below it, in the order of the help."""
    yield ctx
    if isinstance(ctx.command, LazyGroup):
        for name in ctx.command.list_commands(ctx):
            command = ctx.command.get_command(ctx, name)
            assert command is not None, name
            yield from contexts(_context(command, name, ctx))


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    shape = {"terminal_width": WIDTH, "max_content_width": WIDTH}
    return command.make_context(name, [], parent=parent, resilient_parsing=True, **shape)


def _shapes(text: str) -> list[type[Any]]:
    """The types named in a text and those that they hold, each once."""
    waiting = [name for name in re.findall(r"`([A-Z]\w+)`", text) if hasattr(views, name)]
    found: dict[str, type[Any]] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = getattr(views, name)
            waiting += [held.__name__ for hint in _hints(found[name]).values() for held in _held(hint)]
    return [found[name] for name in sorted(found)]


def _hints(shape: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(shape)
    return {field.name: hints[field.name] for field in dataclasses.fields(shape)}


def _held(hint: Any) -> Iterator[type[Any]]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for inner in get_args(hint):
        yield from _held(inner)


def _type_table(shape: type[Any]) -> str:
    rows = "\n".join(f"| `{name}` | {_spoken(hint)} |" for name, hint in _hints(shape).items())
    return f"### {shape.__name__}\n\n| field | kind |\n| --- | --- |\n{rows}\n"


def _spoken(hint: Any) -> str:
    """A Python type as a reader of JSON would call it."""
    names = {str: "text", int: "number", float: "number", bool: "true or false", type(None): "null"}
    if hint in names:
        return names[hint]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hint.__name__
    inner = get_args(hint)
    if getattr(hint, "__origin__", None) is Mapping:
        return f"object of name → {_spoken(inner[1])}"
    if getattr(hint, "__origin__", None) is tuple:
        if get_args(inner[0]):
            return "object of name → number"
        return f"list of {_spoken(inner[0])}"
    if inner and all(isinstance(value, str) for value in inner):
        return " or ".join(f"`{value}`" for value in inner)
    return " or ".join(_spoken(each) for each in inner)


if __name__ == "__main__":
    if "--check" in sys.argv:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
        sys.exit(0 if current else "docs/commands.md is out of date: run `make docs`")
    PAGE.write_text(page(), encoding="utf-8")
