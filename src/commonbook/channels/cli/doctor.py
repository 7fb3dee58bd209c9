"""``commonbook doctor``: whether everything is as it should be, and what to do where it is not. Changes nothing."""

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.exits import EXIT_ERROR, EXIT_OK
from commonbook.channels.cli.spoken import verb
from commonbook.channels.cli.words import spoken
from commonbook.channels.gateway.operations import Examine
from commonbook.messages import say


@verb("doctor")
def doctor(desk: Desk) -> int:
    view = desk.call(Examine())
    if desk.json:
        desk.answer(**vars(view))
    else:
        for finding in view.findings:
            times = f" (× {finding.count})" if finding.count > 1 else ""
            desk.screen.line((f"{finding.where}{times}", "removed" if finding.kind == "problem" else "quiet"))
            desk.screen.line("  ", spoken("finding", finding.what))
        desk.screen.line(say("doctor.healthy" if view.healthy else "doctor.problems"))
    return EXIT_OK if view.healthy else EXIT_ERROR
