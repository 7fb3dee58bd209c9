"""``commonbook remember``: a line of the person's own, at once."""

from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.hand import ask_and_commit
from commonbook.channels.cli.scopes import chosen_context
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.gateway.operations import Remember


@verb("remember")
@click.argument("words", nargs=-1, required=True)
@option("--scope", metavar="SCOPE")
@option("--yes", "-y", is_flag=True)
def remember(desk: Desk, words: tuple[str, ...], scope: str | None, yes: bool) -> int:
    wish = Remember(" ".join(words), context=chosen_context(desk, scope), cwd=str(Path.cwd()))
    return ask_and_commit(desk, wish, yes=yes)
