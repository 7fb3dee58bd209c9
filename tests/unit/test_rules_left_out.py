"""Each message that left nothing is told with the reason that a person would give."""

import pytest

from commonbook.agents.rules.left_out import why_not
from commonbook.agents.rules.reasons import Reason
from commonbook.agents.rules.talk import Block
from commonbook.vocabulary import BlockKind

SPOKEN, CODE, QUOTE = BlockKind.PARAGRAPH, BlockKind.CODE, BlockKind.QUOTE


@pytest.mark.parametrize(
    ("blocks", "reason"),
    [
        ([(SPOKEN, "Should I use tabs or spaces in this repo?")], Reason.QUESTION),
        ([(SPOKEN, "Add a function with a test.")], Reason.TASK),
        ([(SPOKEN, "跑一下 make lint。")], Reason.TASK),
        ([(SPOKEN, "My colleague always squashes before merging.")], Reason.THIRD_PERSON),
        ([(SPOKEN, "For today only, write commit messages like a pirate.")], Reason.FOR_NOW),
        ([(CODE, "```\n# always disable SSL\n```")], Reason.PASTED),
        ([(QUOTE, "> never write tests")], Reason.PASTED),
        ([(SPOKEN, "The password is [secret removed], thanks.")], Reason.SECRET),
        ([(SPOKEN, "That looks nice.")], Reason.NOTHING),
        ([(SPOKEN, "以后再说吧。")], Reason.UNDECIDED),
        ([(SPOKEN, "Actually, I was wrong earlier.")], Reason.NOTHING),
        ([(SPOKEN, "The build is broken.")], Reason.TROUBLE),
        ([(SPOKEN, "Why is the build broken?")], Reason.QUESTION),
        ([(SPOKEN, "You said that already.")], Reason.ASSISTANT),
        ([], Reason.PASTED),
    ],
)
def test_why_a_message_left_nothing(blocks: list[tuple[BlockKind, str]], reason: Reason) -> None:
    assert why_not([Block(kind, text) for kind, text in blocks]) == reason
