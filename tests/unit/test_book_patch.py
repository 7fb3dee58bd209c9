"""Patches: what they write, what they refuse, and that they touch nothing else."""

from collections.abc import Sequence

import pytest

from commonbook.book.patch import Change, Put, Remove, apply
from commonbook.errors import Code, DecisionError
from commonbook.vocabulary import PREFERENCES, Target

PROJECT = Target("projects/lantern-1a2b")
TWO = b"# Preferences\r\n\r\n## A\r\n- a  \r\n\r\n\r\n## B\r\n- b\r\n"


def _apply(data: bytes | None, *changes: Change, hard: int = 16_384) -> bytes:
    return apply(data, PREFERENCES, changes, name=None, hard=hard)


def test_a_new_document_begins_with_its_first_line() -> None:
    assert apply(None, PROJECT, [Put("Tools", "- pnpm")], name="lantern", hard=999) == (
        b"# Project: lantern\n\n## Tools\n\n- pnpm\n"
    )


def test_a_new_section_takes_the_line_ends_of_the_document_and_a_blank_line_before_it() -> None:
    assert _apply(TWO, Put("C", "- c\n- d")) == TWO + b"\r\n## C\r\n\r\n- c\r\n- d\r\n"


def test_replacing_keeps_the_place_and_every_other_byte() -> None:
    after = _apply(TWO, Put("A2", "- new", replaces="a"))
    assert after == b"# Preferences\r\n\r\n## A2\r\n\r\n- new\r\n\r\n## B\r\n- b\r\n"


def test_removing_the_last_section_leaves_the_first_line() -> None:
    assert _apply(b"# Preferences\n\n## A\n\nx\n", Remove("A")) == b"# Preferences\n"
    assert (
        _apply(_apply(b"# Preferences\n\n## A\n\nx\n", Remove("A")), Put("B", "y")) == b"# Preferences\n\n## B\n\ny\n"
    )


def test_a_document_without_a_last_line_end_gets_one_before_more_follows() -> None:
    assert _apply(b"# Preferences\n\n## A\nx", Put("B", "y")) == b"# Preferences\n\n## A\nx\n\n## B\n\ny\n"


def test_two_sections_may_swap_their_titles() -> None:
    after = _apply(TWO, Put("B", "- was a", replaces="A"), Put("A", "- was b", replaces="B"))
    assert after.index(b"## B") < after.index(b"## A")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([Put("b", "x")], Code.DUPLICATE_SECTION_OPERATION),
        ([Put("C", "x"), Put("c", "y")], Code.DUPLICATE_SECTION_OPERATION),
        ([Put("C", "x", replaces="A"), Remove("A")], Code.DUPLICATE_SECTION_OPERATION),
        ([Put("B", "x", replaces="A")], Code.DUPLICATE_SECTION_OPERATION),
        ([Put("C", "x", replaces="Z")], Code.INVALID_TARGET_REFERENCE),
        ([Remove("Z")], Code.INVALID_TARGET_REFERENCE),
        ([Put("C", "# x")], Code.INVALID_MARKDOWN),
        ([Put("C", "x" * 200)], Code.DOCUMENT_FULL),
    ],
)
def test_what_is_refused(changes: Sequence[Change], code: Code) -> None:
    with pytest.raises(DecisionError) as refused:
        _apply(TWO, *changes, hard=120)
    assert refused.value.code == code


def test_a_document_that_is_too_long_already_may_shrink() -> None:
    long = b"# Preferences\n\n## A\n\n" + b"- line\n" * 40
    assert len(_apply(long, Put("A", "- line\n" * 30, replaces="A"), hard=100)) < len(long)


def test_a_document_outside_the_grammar_is_left_alone() -> None:
    with pytest.raises(DecisionError) as refused:
        _apply(b"hello\n", Put("A", "x"))
    assert refused.value.code == Code.DOCUMENT_OUTSIDE_GRAMMAR


@pytest.mark.parametrize("body", ["<!-- open", "<script>", "<?x", "```\n    ```", "~~~\n```"])
def test_nothing_that_stays_open_may_swallow_the_next_section(body: str) -> None:
    with pytest.raises(DecisionError) as refused:
        _apply(TWO, Put("A", body, replaces="A"))
    assert refused.value.code == Code.INVALID_MARKDOWN
    with pytest.raises(DecisionError) as outside:
        _apply(TWO + body.encode(), Put("C", "x"))
    assert (outside.value.code, outside.value.detail["line"]) == (Code.DOCUMENT_OUTSIDE_GRAMMAR, 9)


def test_a_body_is_written_without_the_blank_lines_around_it() -> None:
    assert _apply(None, Put("A", " \n\r\n    code\r\nx \n\t\n")) == b"# Preferences\n\n## A\n\n    code\nx \n"
    assert _apply(None, Put("A", " \t")) == b"# Preferences\n\n## A\n"


def test_one_blank_line_parts_sections_of_ours_and_none_is_added_to_those_left_alone() -> None:
    tight = b"# Preferences\n## A\na\n## B\nb\n## C\nc"
    assert _apply(tight, Put("B", "new", replaces="B")) == b"# Preferences\n## A\na\n## B\n\nnew\n\n## C\nc"
    assert _apply(tight, Remove("B")) == b"# Preferences\n## A\na\n## C\nc"
    assert _apply(tight, Put("B", "new", replaces="B"), Remove("C")) == b"# Preferences\n## A\na\n## B\n\nnew\n"


def test_the_bytes_before_the_first_section_stay() -> None:
    data = "\ufeff# Preferences  \r\n \r\n\r\n## A\r\na\r\n".encode()
    assert _apply(data, Put("B", "b")) == data + b"\r\n## B\r\n\r\nb\r\n"
    assert _apply(data, Remove("a")) == "\ufeff# Preferences  \r\n".encode()


@pytest.mark.parametrize("empty", [None, b"", b" \r\n", "\ufeff".encode(), "\ufeff\n".encode()])
def test_an_empty_file_is_a_new_document(empty: bytes | None) -> None:
    assert _apply(empty, Put("A", "x")) == b"# Preferences\n\n## A\n\nx\n"


def test_a_full_document_may_be_corrected_without_growing() -> None:
    full = b"# Preferences\n\n## A\n\n- pnpn\n"
    assert _apply(full, Put("A", "- pnpm", replaces="A"), hard=10) == full.replace(b"pnpn", b"pnpm")
    with pytest.raises(DecisionError) as refused:
        _apply(full, Put("A", "- pnpm!", replaces="A"), hard=10)
    assert refused.value.code == Code.DOCUMENT_FULL


@pytest.mark.parametrize("blank", [b"\n", b" \t\n", b"\r\n", b"\n\n"])
def test_a_blank_line_that_stands_there_is_enough(blank: bytes) -> None:
    data = b"# Preferences\n\n## A\nx\n" + blank
    assert _apply(data, Put("B", "y")) == data + b"## B\n\ny\n"


def test_most_lines_decide_the_line_end() -> None:
    assert _apply(b"# Preferences\r\n\n", Put("A", "x")).endswith(b"## A\n\nx\n")
    assert _apply(b"# Preferences\r\n\r\n\n", Put("A", "x")).endswith(b"## A\r\n\r\nx\r\n")
