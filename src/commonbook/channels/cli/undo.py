"""``commonbook undo``: take one change back."""

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.hand import ask_and_commit
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.gateway.operations import Undo


@verb("undo")
@click.argument("receipt", default="last")
@option("--yes", "-y", is_flag=True)
def undo(desk: Desk, receipt: str, yes: bool) -> int:
    return ask_and_commit(desk, Undo(receipt), yes=yes)
