"""``commonbook capture``: read what was said since last time."""

import time
from collections.abc import Sequence

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.live import Live
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import counted, problem_words, project_names, short_path, spoken
from commonbook.channels.gateway.operations import Capture, FindHosts
from commonbook.channels.gateway.views import CaptureReport, HostCapture, HostStatus
from commonbook.clock import Milliseconds
from commonbook.errors import Code, PlaceError
from commonbook.messages import say

SHOWN_PROBLEMS = 20


def since_date(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> Milliseconds | None:
    """The local midnight at which a day begins, as Unix milliseconds."""
    if value is None:
        return None
    try:
        return int(time.mktime(time.strptime(value, "%Y-%m-%d"))) * 1000
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(say("cli.bad_date")) from error


@verb("capture")
@option("--host", metavar="HOST")
@option("--session-dir", type=click.Path(), metavar="DIR")
@option("--since", callback=since_date, metavar="YYYY-MM-DD")
@option("--dry-run", is_flag=True)
def capture(desk: Desk, host: str | None, session_dir: str | None, since: int | None, dry_run: bool) -> None:
    report = take_in(desk, Capture(host=host, session_dir=session_dir, since=since, dry_run=dry_run))
    if desk.json:
        desk.answer(**vars(report))
    else:
        print_capture(desk, report)


def take_in(desk: Desk, operation: Capture) -> CaptureReport:
    try:
        return desk.call(operation, listen=None if desk.json else Live(desk.screen))
    except PlaceError as error:
        if error.code is Code.FOLDER_MISSING and not desk.json:
            desk.screen.note(say("capture.point_us"))
        raise


def print_capture(desk: Desk, report: CaptureReport) -> None:
    if not report.hosts:
        print_where_we_looked(desk, desk.call(FindHosts()))
    for host in report.hosts:
        _print_host(desk.screen, host, dry_run=report.dry_run)
        names = project_names(desk, [scope for scope, _ in host.scopes] if report.dry_run else [])
        for scope, number in host.scopes if report.dry_run else ():
            seen_first = say("cli.project", name=scope.removeprefix("project:"))  # not registered yet: a name, no id
            desk.screen.line(f"    {names.get(scope, scope if scope == 'global' else seen_first)}: {number}")


def print_where_we_looked(desk: Desk, hosts: Sequence[HostStatus]) -> None:
    """Nothing was found: where we looked, and how to point us elsewhere."""
    desk.screen.line(say("capture.none_found"))
    for host in hosts:
        desk.screen.line(f"  {host.name}: {short_path(host.root)}")
    desk.screen.line(say("capture.point_us"))


def _print_host(screen: Screen, host: HostCapture, *, dry_run: bool) -> None:
    screen.line((spoken("host", host.host), "heading"), (f"  {short_path(host.root)}", "quiet"))
    first = (("sessions", host.sessions), ("turns", host.turns), ("would_be_new" if dry_run else "new", host.new))
    rest = (("known", host.duplicate), ("masked", host.masked), ("held", host.held), ("refused", host.refused))
    screen.line("  ", counted(*first, *rest, ("open", host.open_turns), ("unknown", host.unknown_records), always=4))
    for key, number in (("held", host.held), ("refused", host.refused), ("open", host.open_turns)):
        if number:
            screen.line("  ", (say(f"capture.about_{key}"), "quiet"))
    if host.stopped_at_capacity:
        screen.line("  ", (say("capture.full"), "warning"))
    problems = [problem for problem in host.problems if problem.code != Code.CAPACITY_REACHED]  # said just before
    for problem in problems[:SHOWN_PROBLEMS]:
        line = "" if problem.line is None else f":{problem.line}"
        times = f" ({problem.count}×)" if problem.count > 1 else ""
        screen.line("  ", ("! ", "warning"), f"{short_path(problem.path)}{line}{times}")
        screen.line(f"    {problem_words(problem.code, problem.path)}")
    if len(problems) > SHOWN_PROBLEMS:
        screen.line("  ", say("capture.more_problems", count=len(problems) - SHOWN_PROBLEMS))
