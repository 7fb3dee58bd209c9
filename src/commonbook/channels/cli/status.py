"""``commonbook status``: what is there, what waits, and the one thing to do next."""

from collections.abc import Iterator

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.screen import Screen, cells
from commonbook.channels.cli.spoken import verb
from commonbook.channels.cli.words import counted, short_path, size, spoken, when
from commonbook.channels.gateway.operations import ReadStatus
from commonbook.channels.gateway.views import StatusView
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
    rows = list(_rows(view))
    width = max(cells(label) for label, _ in rows)
    for label, text in rows:
        screen.line((label, "heading"), " " * (width - cells(label) + 2), text)
    if view.paused:
        screen.line((say("status.paused"), "warning"))
    screen.line()
    screen.line(("→ ", "heading"), spoken("next", view.next))


def _rows(view: StatusView) -> Iterator[tuple[str, str]]:
    counts = dict(view.counts)
    yield say("status.home"), short_path(view.home)
    yield say("status.agent"), spoken("agent", view.agent)
    memory = (("documents", view.documents), ("sections", view.sections), ("projects", view.projects))
    yield say("status.memory"), counted(*memory, always=3)
    waiting = sum(counts.get(state, 0) for state in WAITING)
    processed = counts.get("processed", 0)
    yield say("status.waiting"), counted(("messages", waiting), ("processed", processed), always=2)
    for state in NEEDS_YOU:
        if counts.get(state):
            yield say(f"status.state_{state}"), str(counts[state])
    for host in view.hosts:
        found = (
            f"{counted(('sessions', host.sessions), always=1)} · {say('first.last_read', when=when(host.last_capture))}"
        )
        yield host.name, found if host.found else say("status.not_found", path=short_path(host.root))
    yield (
        say("status.limits"),
        say("status.limits_of", session=size(view.limits.session_bytes), whole=size(view.limits.unprocessed_bytes)),
    )
