"""``commonbook update``: capture, then maintain."""

from collections import Counter
from dataclasses import replace
from typing import Any

from commonbook.channels.cli.capture import print_capture, take_in
from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.maintain import maintenance_exit, print_maintenance, work_off
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.gateway.operations import Capture
from commonbook.channels.gateway.views import CaptureReport, HostCapture, MaintainReport
from commonbook.messages import say

_SUMMED = ("turns", "new", "duplicate", "held", "refused", "masked", "context", "bytes_read")
_LINES = ("lines_added", "lines_replaced", "lines_removed")
_WORKED_OFF = ("batches", "messages", "changes", "ignored", "failed", "kept_from", *_LINES)


@verb("update")
@option("-v", "--verbose", is_flag=True)
def update(desk: Desk, verbose: bool) -> int:
    return maintenance_exit(bring_up_to_date(desk, verbose=verbose))


def bring_up_to_date(desk: Desk, *, verbose: bool = False) -> MaintainReport:
    """Read what is new and work it off. Where a long history fills the queue, both take turns until all is read."""
    captured, done = _round(desk, verbose)
    stopped, moved = captured, done
    while any(host.stopped_at_capacity for host in stopped.hosts) and moved.messages:
        stopped, moved = _round(desk, verbose)
        captured, done = _captured_in_all(captured, stopped), _done_in_all(done, moved)
    if desk.json:
        desk.answer(capture=captured, maintain=done)
    return done


def _round(desk: Desk, verbose: bool) -> tuple[CaptureReport, MaintainReport]:
    captured = take_in(desk, Capture())
    if not desk.json:
        print_capture(desk, captured)
        desk.screen.line()
        desk.screen.line((say("maintain.title"), "heading"))
    done = work_off(desk, verbose=verbose)
    if not desk.json:
        print_maintenance(desk, done, verbose=verbose)
    return captured, done


def _captured_in_all(first: CaptureReport, then: CaptureReport) -> CaptureReport:
    before = {host.host: host for host in first.hosts}
    hosts = (_host_in_all(before[host.host], host) if host.host in before else host for host in then.hosts)
    return replace(then, hosts=tuple(hosts))


def _host_in_all(first: HostCapture, then: HostCapture) -> HostCapture:
    scopes = Counter(dict(first.scopes)) + Counter(dict(then.scopes))
    sums = {name: getattr(first, name) + getattr(then, name) for name in _SUMMED}
    return replace(then, **sums, scopes=tuple(scopes.items()))


def _done_in_all(first: MaintainReport, then: MaintainReport) -> MaintainReport:
    reasons = Counter(dict(first.reasons)) + Counter(dict(then.reasons))
    sums: dict[str, Any] = {name: getattr(first, name) + getattr(then, name) for name in _WORKED_OFF}
    return replace(then, **sums, reasons=tuple(reasons.most_common()))
