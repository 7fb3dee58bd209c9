"""``commonbook status``: what is there, what waits, and the one thing to do next."""

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import verb
from commonbook.channels.cli.words import counted, short_path, size, spoken, when
from commonbook.channels.gateway.operations import ReadStatus, StatusView
from commonbook.messages import say

WAITING = ("buffered", "pending", "claimed")
NEEDS_YOU = ("held", "quarantined", "paused", "dead")


@verb("status")
def status(desk: Desk) -> None:
    view = desk.call(ReadStatus())
    if desk.json:
        desk.answer(**vars(view))
    else:
        print_status(desk.screen, view)


def print_status(screen: Screen, view: StatusView) -> None:
    counts = dict(view.counts)
    _row(screen, "home", short_path(view.home))
    _row(screen, "agent", spoken("agent", view.agent))
    memory = (("documents", view.documents), ("sections", view.sections), ("projects", view.projects))
    _row(screen, "memory", counted(*memory, always=3))
    waiting = sum(counts.get(state, 0) for state in WAITING)
    _row(screen, "waiting", counted(("messages", waiting), ("processed", counts.get("processed", 0)), always=2))
    for state in NEEDS_YOU:
        if counts.get(state):
            _row(screen, f"state_{state}", str(counts[state]))
    for host in view.hosts:
        found = counted(("sessions", host.sessions), always=1)
        seen = f"{found} · {say('first.last_read', when=when(host.last_capture))}"
        _row_text(screen, host.name, seen if host.found else say("status.not_found", path=short_path(host.root)))
    _row(screen, "limits", f"{size(view.limits.session_bytes)} / {size(view.limits.unprocessed_bytes)}")
    if view.paused:
        screen.line((say("status.paused"), "warning"))
    screen.line()
    screen.line(("→ ", "heading"), spoken("next", view.next))


def _row(screen: Screen, key: str, text: str) -> None:
    _row_text(screen, say(f"status.{key}"), text)


def _row_text(screen: Screen, label: str, text: str) -> None:
    screen.line((label, "heading"), "  ", text)
