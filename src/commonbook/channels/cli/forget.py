"""``commonbook forget``: remove the lines that say something, and what they came from."""

from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.hand import ask_and_commit
from commonbook.channels.cli.scopes import chosen_context
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.gateway.operations import Forget


@verb("forget")
@click.argument("words", nargs=-1, required=True)
@option("--scope", metavar="SCOPE")
@option("--yes", "-y", is_flag=True)
@option("--all", "every", is_flag=True)
def forget(desk: Desk, words: tuple[str, ...], scope: str | None, yes: bool, every: bool) -> int:
    wish = Forget(" ".join(words), context=chosen_context(desk, scope), cwd=str(Path.cwd()))
    return ask_and_commit(desk, wish, yes=yes, everything=every)
