"""The map of a text, whatever the text: every byte in exactly one leaf, in order, parents around their children."""

from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonbook.book.marker import marked_spans, wrap
from commonbook.keeper import structure
from commonbook.keeper.structure import MappedBlock, map_structure
from commonbook.vocabulary import BlockKind

PARTS = st.sampled_from(
    [
        "# A\n",
        "## B\r\n",
        "### C #\n",
        "text\n",
        "\n",
        "\r\n",
        "- one\n",
        "  - two\n",
        "> quote\n",
        "```\n",
        "````py\n",
        "~~~\n",
        "    code\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "Title\n---\n",
        "\ufeff",
        "\x00",
        "\ud800",
        "文\n",
        "🙂",
        "  \n",
        "\t",
        "***\n",
        "<div>\n",
        "\r",
        "1. x\n",
        "[a]: b\n",
        "</commonbook>",
        '<commonbook v="1" target="x" n="q">',
        '</commonbook n="q">',
        wrap("profile", "## x\n- y", "q"),
    ]
)
TEXTS = (
    st.lists(PARTS, max_size=25).map("".join)
    | st.text(max_size=200)
    | st.text(st.characters(exclude_categories=()), max_size=60)
)


def leaves(blocks: tuple[MappedBlock, ...]) -> list[MappedBlock]:
    return [block for block in blocks if block.kind not in (BlockKind.CONVERSATION, BlockKind.SECTION)]


@given(TEXTS)
@example("")
@example("\ufeff# A\r\nb\x00\r\n")
@example("a\ud800# b")
@settings(max_examples=400, deadline=None)
def test_every_byte_stands_in_one_leaf(text: str) -> None:
    blocks = map_structure(text)
    size = len(text.encode("utf-8", "surrogatepass"))
    assert blocks[0] == MappedBlock("b0", None, BlockKind.CONVERSATION, 0, 0, size)
    assert [block.id for block in blocks] == [f"b{number}" for number in range(len(blocks))]
    assert [block.ordinal for block in blocks] == list(range(len(blocks)))
    at = 0
    for leaf in leaves(blocks):
        assert leaf.start == at < leaf.stop
        at = leaf.stop
    assert at == size


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_parents_stand_before_and_around_their_children(text: str) -> None:
    known: dict[str, MappedBlock] = {}
    for block in map_structure(text):
        if block.parent is not None:
            parent = known[block.parent]
            assert parent.kind in (BlockKind.CONVERSATION, BlockKind.SECTION)
            assert parent.start <= block.start <= block.stop <= parent.stop
        known[block.id] = block


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_ranges_cut_no_character_and_no_mark(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    marked = [
        (len(text[:start].encode("utf-8", "surrogatepass")), len(text[:stop].encode("utf-8", "surrogatepass")))
        for start, stop in marked_spans(text)
    ]
    for leaf in leaves(map_structure(text)):
        data[leaf.start : leaf.stop].decode("utf-8", "surrogatepass")
        inside = any(start <= leaf.start and leaf.stop <= stop for start, stop in marked)
        outside = all(leaf.stop <= start or stop <= leaf.start for start, stop in marked)
        assert inside != outside or not leaf.stop > leaf.start
        assert leaf.evidence is not inside


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_the_short_way_gives_the_same_map(text: str) -> None:
    quick = map_structure(text)
    with patch.object(structure, "_is_one_paragraph", return_value=False):
        assert map_structure(text) == quick
