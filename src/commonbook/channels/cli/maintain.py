"""``commonbook maintain``: turn what waits into memory."""

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.live import Live
from commonbook.channels.cli.program import EXIT_ERROR, EXIT_OK
from commonbook.channels.cli.spoken import option, verb
from commonbook.channels.cli.words import counted, print_changes, problem_words
from commonbook.channels.gateway.operations import Maintain, MaintainReport
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
    print_changes(screen, report.changes)
    kinds = [change.kind for change in report.changes]
    if report.changes:
        screen.line()
    screen.line(
        counted(
            ("looked_at", report.messages),
            ("kept", kinds.count("kept")),
            ("forgot", kinds.count("forgot")),
            ("tidied", kinds.count("tidied")),
            ("ignored", report.ignored),
            ("waiting", report.waiting),
            always=2,
        )
    )
    if report.ignored and not verbose:
        screen.line((say("maintain.ask_why_ignored"), "quiet"))
    for problem in report.failed:
        screen.note(("! ", "warning"), problem_words(problem.code, problem.path, problem.detail))
    if report.waiting:
        screen.line(say("maintain.waits", count=report.waiting))
