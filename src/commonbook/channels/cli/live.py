"""The live line on a terminal while work goes on, and (``-v``) each thing that was left out, with its reason."""

from commonbook.channels.cli.screen import Screen, one_line
from commonbook.channels.gateway.operations import Progress
from commonbook.messages import say


class Live:
    """A listener. Reasons are the agent's own words: printed as they come, kept nowhere."""

    def __init__(self, screen: Screen, *, reasons: bool = False) -> None:
        self._screen, self._reasons = screen, reasons

    def __call__(self, progress: Progress) -> None:
        if self._reasons and progress.outcome == "ignored":
            words = one_line(progress.text)
            said = f" “{words}”" if words else ""
            self._screen.line((say("change.ignored"), "quiet"), said, (f"  {one_line(progress.reason)}", "quiet"))
        of = f"/{progress.total}" if progress.total else ""
        self._screen.progress(f"{say(f'stage.{progress.stage}')} {progress.done}{of}  {progress.text}")
