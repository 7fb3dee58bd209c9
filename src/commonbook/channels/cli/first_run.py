"""``commonbook`` alone: find the hosts, show what is there, ask once, work, and say what to do next."""

from collections.abc import Sequence

from commonbook.channels.cli.capture import print_where_we_looked
from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.maintain import maintenance_exit
from commonbook.channels.cli.update import bring_up_to_date
from commonbook.channels.cli.words import counted, short_path, size, when
from commonbook.channels.gateway.operations import FindHosts
from commonbook.channels.gateway.views import HostStatus
from commonbook.messages import say

NEXT_STEPS = ("show", "why", "search", "connect", "again")


def first_run(desk: Desk, *, yes: bool) -> int:
    """Gives 0 when nothing was found or the person said no. A host that was read before needs no new question."""
    hosts = desk.call(FindHosts())
    found = [host for host in hosts if host.found]
    if desk.json and not (yes and found):
        desk.answer(hosts=hosts, next=say("first.without_terminal" if found else "capture.point_us"))
        return 0
    if not desk.json:
        _print_hosts(desk, found) if found else print_where_we_looked(desk, hosts)
    if not found or not _may_go_on(desk, found, yes=yes):
        return 0
    done = bring_up_to_date(desk)
    if not desk.json:
        _print_next(desk)
    return maintenance_exit(done)


def _print_hosts(desk: Desk, found: Sequence[HostStatus]) -> None:
    for host in found:
        desk.screen.line((host.name, "heading"), (f"  {short_path(host.root)}", "quiet"))
        desk.screen.line("  ", counted(("sessions", host.sessions), always=1), f" · {size(host.bytes)}")
        desk.screen.line("  ", (say("first.last_read", when=when(host.last_capture)), "quiet"))
    desk.screen.line()


def _may_go_on(desk: Desk, found: Sequence[HostStatus], *, yes: bool) -> bool:
    if yes or all(host.last_capture is not None or not host.sessions for host in found):
        return True
    desk.screen.line(say("first.what_happens"))
    if not desk.screen.can_ask:
        desk.screen.line(say("first.without_terminal"))
        return False
    if not desk.screen.ask(say("first.question")):
        desk.screen.line(say("first.declined"))
        return False
    return True


def _print_next(desk: Desk) -> None:
    desk.screen.line()
    desk.screen.line((say("first.next"), "heading"))
    for step in NEXT_STEPS:
        desk.screen.line("  ", say(f"first.next_{step}"))
