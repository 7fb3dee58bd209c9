"""What is left of several messages: said in one batch, or each in an update of its own, the memory ends the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from commonbook.agents.rules.pages import Page, read_page
from commonbook.agents.rules.subjects import bare
from tests.unit.rules_help import lines, listing, memory, say

CORPUS = Path(__file__).parent.parent / "corpora" / "talk" / "over-time.jsonl"
STORIES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def left(pages: list[Page]) -> list[str]:
    return sorted(bare(line) for line in lines(pages))


def read_again(page: Page) -> Page:
    """The page as the next update finds it."""
    text = "# Any\n\n" + "".join(
        f"## {section.title}\n\n" + "".join(f"{line.text}\n" for line in section.lines) + "\n"
        for section in page.sections or ()
        if not section.empty
    )
    return read_page(listing(page.listing.target, text), text)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: " · ".join(story["said"]))
def test_in_one_batch(story: dict[str, Any]) -> None:
    pages = memory()
    say(pages, *story["said"])
    assert left(pages) == sorted(story["left"])


@pytest.mark.parametrize(
    "story", [each for each in STORIES if each["said"][-1] not in ("Forget that.", "忘掉刚才那句。")],
    ids=lambda story: " · ".join(story["said"]),
)  # fmt: skip
def test_over_several_updates(story: dict[str, Any]) -> None:
    pages = memory()
    for day, message in enumerate(story["said"]):
        say(pages, message, day=day)
        pages = [read_again(page) for page in pages]
    assert left(pages) == sorted(story["left"])
