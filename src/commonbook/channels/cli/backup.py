"""``commonbook backup`` and ``commonbook restore``: the whole memory into one file, and back."""

from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.exits import EXIT_OK, EXIT_UNCONFIRMED
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import counted, short_path, size, when
from commonbook.channels.gateway.operations import BackUp, Restore
from commonbook.channels.gateway.views import BackupView
from commonbook.errors import Code
from commonbook.messages import say


@verb("backup")
@click.argument("file", type=click.Path())
@option("--without-history", is_flag=True)
def backup(desk: Desk, file: str, without_history: bool) -> None:
    view = desk.call(BackUp(str(Path(file).expanduser().absolute()), without_history))
    if desk.json:
        desk.answer(**vars(view))
        return
    _print(desk, view)
    for name in view.left_out:
        desk.screen.line((say("backup.left_out", name=name), "warning"))
    desk.screen.line(say("backup.done", path=short_path(view.path)))


@verb("restore")
@click.argument("file", type=click.Path())
@option("--yes", "-y", is_flag=True)
def restore(desk: Desk, file: str, yes: bool) -> int:
    wish = Restore(str(Path(file).expanduser().absolute()))
    found = desk.call(wish)
    if not desk.json:
        _print(desk, found.backup)
    if found.replaces and not yes:
        if desk.json:
            error = {"code": Code.NEEDS_CONFIRMATION.value, "message": say("restore.unconfirmed")}
            desk.answer(error=error, **vars(found))
            return EXIT_UNCONFIRMED
        if not desk.screen.can_ask:
            desk.screen.note(say("restore.unconfirmed"))
            return EXIT_UNCONFIRMED
        if not desk.screen.ask(say("restore.question")):
            desk.screen.line(say(Code.CANCELLED_BY_PERSON.value))
            return EXIT_UNCONFIRMED
    done = desk.call(Restore(wish.path, confirm=True))
    if desk.json:
        desk.answer(**vars(done))
        return EXIT_OK
    if done.aside is not None:
        desk.screen.line(say("restore.aside", path=short_path(done.aside)))
    desk.screen.line(say("restore.done"))
    return EXIT_OK


def _print(desk: Desk, view: BackupView) -> None:
    facts = counted(("documents", view.documents), ("changes", view.receipts), always=2)
    desk.screen.line((when(view.created), "heading"), f"  {facts} · {size(view.bytes)} · {view.store}")
