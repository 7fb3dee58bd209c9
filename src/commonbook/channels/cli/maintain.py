"""``commonbook maintain``: turn what waits into memory."""

from collections import Counter
from collections.abc import Sequence

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.exits import EXIT_ERROR, EXIT_OK
from commonbook.channels.cli.live import Live
from commonbook.channels.cli.screen import Screen
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import print_changes, problem_words, reason_words
from commonbook.channels.gateway.operations import Maintain
from commonbook.channels.gateway.views import MaintainReport
from commonbook.messages import say


@verb("maintain")
@option("--max-jobs", type=click.IntRange(min=1), metavar="N")
@option("-v", "--verbose", is_flag=True)
def maintain(desk: Desk, max_jobs: int | None, verbose: bool) -> int:
    report = work_off(desk, max_jobs=max_jobs, verbose=verbose)
    if desk.json:
        desk.answer(**vars(report))
    else:
        print_maintenance(desk, report, verbose=verbose)
    return maintenance_exit(report)


def work_off(desk: Desk, *, max_jobs: int | None = None, verbose: bool = False) -> MaintainReport:
    listen = None if desk.json else Live(desk.screen, reasons=verbose)
    return desk.call(Maintain(max_jobs=max_jobs), listen=listen)


def maintenance_exit(report: MaintainReport) -> int:
    return EXIT_ERROR if report.failed else EXIT_OK


def print_maintenance(desk: Desk, report: MaintainReport, *, verbose: bool) -> None:
    screen = desk.screen
    if not report.messages and not report.failed:
        screen.line(
            say("maintain.nothing_waits") if not report.waiting else say("maintain.waits", count=report.waiting)
        )
        return
    if verbose and report.ignored:
        screen.line()  # after the reasons that were printed while it ran
    print_changes(desk, report.changes)
    if report.changes:
        screen.line()
    screen.line(_numbers(report))
    if report.ignored and not verbose:
        print_reasons(screen, report.reasons)
    for problem in report.failed:
        screen.note(("! ", "warning"), problem_words(problem.code, problem.path, problem.detail))
    if report.waiting:
        screen.line(say("maintain.waits", count=report.waiting))


def _numbers(report: MaintainReport) -> str:
    """``12 messages looked at = 7 left out + 5 kept · lines: 5 added, 1 replaced``: numbers that add up, in one line."""
    lines = (("added", report.lines_added), ("replaced", report.lines_replaced), ("removed", report.lines_removed))
    changed = ", ".join(f"{number} {say(f'change.{key}')}" for key, number in lines if number)
    sums = say("maintain.looked_at", looked_at=report.messages, left_out=report.ignored, kept=report.kept_from)
    return f"{sums} · {say('maintain.lines', changed=changed)}" if changed else sums


def print_reasons(screen: Screen, reasons: Sequence[tuple[str, int]]) -> None:
    """Why messages were left out, the most frequent reason first: afterwards nobody can be asked any more."""
    totals: Counter[str] = Counter()
    for reason, number in reasons:
        totals[reason_words(reason)] += number
    for words, number in totals.most_common():
        screen.line(f"  {number:>5}  ", words)
    screen.line((say("maintain.next_time_verbose"), "quiet"))
