"""``commonbook pause`` and ``resume``: whether what waits is worked off."""

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.spoken import verb
from commonbook.channels.gateway.operations import SetPaused
from commonbook.messages import say


@verb("pause")
def pause(desk: Desk) -> None:
    _set(desk, paused=True)


@verb("resume")
def resume(desk: Desk) -> None:
    _set(desk, paused=False)


def _set(desk: Desk, *, paused: bool) -> None:
    view = desk.call(SetPaused(paused))
    if desk.json:
        desk.answer(**vars(view))
    else:
        desk.screen.line(say("pause.paused" if paused else "pause.resumed"))
