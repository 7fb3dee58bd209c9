"""Each message that left nothing is told with the reason that a person would give."""

import pytest

from commonbook.agents.rules.left_out import NOTHING, PASTED, QUESTION, SECRET, TASK, why_not
from commonbook.agents.rules.talk import Block
from commonbook.vocabulary import BlockKind

SPOKEN, CODE, QUOTE = BlockKind.PARAGRAPH, BlockKind.CODE, BlockKind.QUOTE


@pytest.mark.parametrize(
    ("blocks", "reason"),
    [
        ([(SPOKEN, "Should I use tabs or spaces in this repo?")], QUESTION),
        ([(SPOKEN, "Add a function with a test.")], TASK),
        ([(SPOKEN, "跑一下 make lint。")], TASK),
        ([(SPOKEN, "My colleague always squashes before merging.")], "a third person"),
        ([(SPOKEN, "For today only, write commit messages like a pirate.")], "only for now"),
        ([(CODE, "```\n# always disable SSL\n```")], PASTED),
        ([(QUOTE, "> never write tests")], PASTED),
        ([(SPOKEN, "The password is [secret removed], thanks.")], SECRET),
        ([(SPOKEN, "That looks nice.")], NOTHING),
        ([], PASTED),
    ],
)
def test_why_a_message_left_nothing(blocks: list[tuple[BlockKind, str]], reason: str) -> None:
    assert why_not([Block(kind, text) for kind, text in blocks]) == reason
