"""A person's own hand: show the exact change, ask, and commit just that. Shared by ``remember``, ``forget`` and ``undo``."""

from dataclasses import replace

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.exits import EXIT_OK, EXIT_UNCONFIRMED
from commonbook.channels.cli.screen import one_line
from commonbook.channels.cli.words import print_preview
from commonbook.channels.gateway.operations import Forget, Remember, Undo
from commonbook.channels.gateway.views import ChangeView
from commonbook.errors import Code
from commonbook.messages import say

DONE = {Remember: "hand.done_remember", Forget: "hand.done_forget", Undo: "hand.done_undo"}


def ask_and_commit(desk: Desk, wish: Remember | Forget | Undo, *, yes: bool, everything: bool = False) -> int:
    """Exit code 0 when committed or nothing had to change, 3 when nobody said yes. ``yes`` alone does not stand for a change
    that nobody can have meant unseen (``broad``); ``everything`` does."""
    preview = desk.call(wish)
    if not desk.json:
        print_preview(desk, preview.changes)
        if preview.messages:
            desk.screen.line(say("hand.messages", count=preview.messages))
    if not preview.messages and not any(change.lines_added or change.lines_removed for change in preview.changes):
        return _finish(desk, preview, "hand.nothing_to_do")
    if preview.new_project and not desk.json:
        desk.screen.line((say("hand.new_project", name=one_line(preview.new_project)), "quiet"))
    shown = {"changes": preview.changes, "messages": preview.messages}
    if yes and preview.broad and not everything:
        count = sum(len(each.lines_removed) for each in preview.changes)
        return _refuse(desk, say("hand.broad", count=count), **shown)
    if not yes and not may_go_on(desk, say("hand.question"), **shown):
        return EXIT_UNCONFIRMED
    done = desk.call(replace(wish, confirm=tuple(change.expected for change in preview.changes)))
    return _finish(desk, done, DONE[type(wish)])


def may_go_on(desk: Desk, question: str, **shown: object) -> bool:
    """Ask once, where somebody can answer; else say that nothing was done, in JSON beside what was ``shown``."""
    if desk.json or not desk.screen.can_ask:
        _refuse(desk, say(Code.NEEDS_CONFIRMATION.value), **shown)
        return False
    if desk.screen.ask(question):
        return True
    desk.screen.line(say(Code.CANCELLED_BY_PERSON.value))
    return False


def _refuse(desk: Desk, sentence: str, **shown: object) -> int:
    if desk.json:
        desk.answer(error={"code": Code.NEEDS_CONFIRMATION.value, "message": sentence}, **shown)
    else:
        desk.screen.note(sentence)
    return EXIT_UNCONFIRMED


def _finish(desk: Desk, view: ChangeView, sentence: str) -> int:
    if desk.json:
        desk.answer(**vars(view))
    else:
        desk.screen.line(say(sentence))
    return EXIT_OK
