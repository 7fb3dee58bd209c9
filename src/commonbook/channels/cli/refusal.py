"""What is wrong with a command line, in the person's language; click's own sentences are English."""

from typing import Any

import click
from click.exceptions import BadOptionUsage, MissingParameter, NoSuchCommand, NoSuchOption

from commonbook.messages import say


def refusal(error: click.UsageError) -> str:
    match error:
        case NoSuchOption():
            return _near(say("usage.no_option", name=error.option_name), error.possibilities)
        case NoSuchCommand():
            return _near(say("usage.no_command", name=error.command_name), error.possibilities)
        case BadOptionUsage():
            return say("usage.wrong_option", name=error.option_name)
        case MissingParameter() if error.param is not None:
            return say("usage.missing", name=error.param.get_error_hint(error.ctx))
        case click.BadParameter() if error.param is not None:
            rule = _rule(error.param.type) or error.message
            return say("usage.bad_value", name=error.param.get_error_hint(error.ctx), rule=rule)
        case _:
            return error.format_message()


def _near(sentence: str, names: list[str] | None) -> str:
    return f"{sentence} {say('usage.near', names=', '.join(names))}" if names else sentence


def _rule(kind: "click.ParamType[Any]") -> str | None:
    """What a value must be; ``None`` where whoever checks it says so itself."""
    match kind:
        case click.Choice():
            return say("usage.one_of", choices=", ".join(map(str, kind.choices)))
        case click.IntRange() | click.FloatRange() if kind.max is None:
            return say("usage.from", least=kind.min)
        case click.IntRange() | click.FloatRange():
            return say("usage.between", least=kind.min, most=kind.max)
        case _:
            return None
