"""Commands and options whose help comes from the catalogue, in the person's language, when it is shown."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

import click

from commonbook.messages import say

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


class Option(click.Option):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if not self.hidden:
            self.help = option_help(key_of(ctx), self.name)
        record = super().get_help_record(ctx)
        if record is None:
            return None
        words, mark, extra = record[1].rpartition("  [")
        spoken_extra = extra.replace("default: ", say("usage.default")).replace("required", say("usage.required"))
        return record[0], f"{words}{mark}{spoken_extra if mark else extra}"


class Command(click.Command):
    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return help_option(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        several, ctx.allow_extra_args = ctx.allow_extra_args, True  # refused here, in the person's language
        rest = super().parse_args(ctx, args)
        if rest and not several and not ctx.resilient_parsing:
            raise click.UsageError(say("usage.too_many", words=" ".join(rest)), ctx)
        return rest

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), say("usage.usage"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        with formatter.section(say("usage.options")):
            formatter.write_dl([record for record in records if record is not None])

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.help = say(f"help.{key_of(ctx)}")
        super().format_help_text(ctx, formatter)


class LazyGroup(Command, click.Group):
    """A group that knows its commands by name only and imports one when it is asked for: ``--help`` imports none.

    ``chapters``: heading key → names of commands; ``places``: name → ``module:attribute``.
    """

    def __init__(
        self, *args: Any, chapters: Mapping[str, tuple[str, ...]], places: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._chapters, self._places = chapters, places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in self._chapters.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self._places.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        return cast(click.Command, getattr(import_module(module), attribute))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=self._places, ctx=ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        prefix = f"{key_of(ctx)}-" if ctx.parent else ""
        for chapter, names in self._chapters.items():
            rows = [(name, say(f"help.{prefix}{name}").partition("\n")[0]) for name in names]
            with formatter.section(say(f"chapter.{chapter}")):
                formatter.write_dl(rows, col_max=20)


def key_of(ctx: click.Context) -> str:
    """``queue-list`` for ``commonbook queue list``; ``commonbook`` for the program itself; an alias has its command's key."""
    names = []
    current: click.Context | None = ctx
    while current is not None and current.parent is not None:
        names.append(current.command.name or "")
        current = current.parent
    return "-".join(reversed(names)) or "commonbook"


def option_help(command: str, option: str) -> str:
    """The words for an option of one command, else those it has everywhere."""
    name = option.replace("_", "-")
    try:
        return say(f"option.{command}-{name}")
    except KeyError:
        return say(f"option.{name}")


def verb(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with ``--json``; its function gets the desk first and gives its exit code (``None`` is 0)."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        made = click.command(name, cls=Command, context_settings=HELP_OPTIONS)(click.pass_obj(function))
        made.params.append(json_option())
        return made

    return decorate


def option(*names: str, **attributes: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(*names, cls=Option, **attributes)


def help_option(ctx: click.Context) -> Option:
    """Our own, so that help goes out through the one screen like every other answer."""

    def asked(inner: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value and not inner.resilient_parsing:
            inner.obj.screen.raw(f"{inner.get_help()}\n")
            inner.exit()

    return Option(ctx.help_option_names, is_flag=True, expose_value=False, is_eager=True, callback=asked)


def json_option() -> Option:
    def chosen(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            ctx.obj.json = True

    return Option(["--json"], is_flag=True, expose_value=False, is_eager=True, callback=chosen)
