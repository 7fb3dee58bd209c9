"""``commonbook update``: capture, then maintain."""

from commonbook.channels.cli.capture import print_capture, take_in
from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.maintain import maintenance_exit, print_maintenance, work_off
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.gateway.operations import Capture, MaintainReport
from commonbook.messages import say


@verb("update")
@option("-v", "--verbose", is_flag=True)
def update(desk: Desk, verbose: bool) -> int:
    return maintenance_exit(bring_up_to_date(desk, verbose=verbose))


def bring_up_to_date(desk: Desk, *, verbose: bool = False) -> MaintainReport:
    """Read what is new and work it off. Where a long history fills the queue, both take turns until all is read."""
    captured = take_in(desk, Capture())
    if not desk.json:
        print_capture(desk, captured)
    done = work_off(desk, verbose=verbose)
    while any(host.stopped_at_capacity for host in captured.hosts) and done.messages:
        if not desk.json:
            print_maintenance(desk, done, verbose=verbose)
        captured = take_in(desk, Capture())
        done = work_off(desk, verbose=verbose)
    if desk.json:
        desk.answer(capture=captured, maintain=done)
    else:
        desk.screen.line()
        desk.screen.line((say("maintain.title"), "heading"))
        print_maintenance(desk, done, verbose=verbose)
    return done
