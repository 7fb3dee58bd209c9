"""The live line on a terminal while work goes on, and (``-v``) why each message was left out."""

from commonbook.channels.cli.screen import Screen, clipped, one_line
from commonbook.channels.cli.words import reason_words
from commonbook.channels.gateway.operations import Progress
from commonbook.messages import say

_EXCERPT = 72
"""Terminal cells of a message that was left out: enough to know it again."""


class Live:
    """A listener. Reasons are the agent's own words: printed as they come, kept nowhere."""

    def __init__(self, screen: Screen, *, reasons: bool = False) -> None:
        self._screen, self._reasons = screen, reasons

    def __call__(self, progress: Progress) -> None:
        if self._reasons and progress.outcome == "ignored" and progress.reason:
            words = clipped(one_line(progress.text), _EXCERPT)
            self._screen.line(
                (say("change.ignored"), "quiet"), f" “{words}”", (f"  {reason_words(progress.reason)}", "quiet")
            )
        of = f"/{progress.total}" if progress.total else ""
        self._screen.progress(f"{say(f'stage.{progress.stage}')} {progress.done}{of}")
