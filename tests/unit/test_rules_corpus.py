"""The rules against a corpus of real-sounding talk; see tests/corpora/talk/README.md for what each part is worth."""

import json
from pathlib import Path
from typing import Any

import pytest

from commonbook.agents.rules.filing import is_global
from commonbook.agents.rules.statements import Keep
from tests.unit.rules_help import kept

CORPUS = Path(__file__).parent.parent / "corpora" / "talk"
BARS = {
    "unseen": (0.97, 0.90),
    "seen": (0.98, 0.98),
    "round-2": (0.96, 0.92),
    "round-3": (0.95, 0.88),
    "round-4": (0.95, 0.70),
    "newcomer": (0.98, 0.97),
    "round-5": (0.95, 0.95),
}
"""(precision, recall): no rule may be traded for another below these."""


def turns(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def meets(found: Keep, expected: dict[str, str]) -> bool:
    return expected["line"] in found.line and is_global(found) == (expected["scope"] == "global")


@pytest.mark.parametrize("name", BARS)
def test_precision_and_recall(name: str) -> None:
    right = wrong = met = wanted = 0
    for turn in turns(name):
        found = kept(turn["text"])
        met += sum(any(meets(each, expected) for each in found) for expected in turn["expect"])
        wanted += len(turn["expect"])
        scopes = {expected["scope"] for expected in turn["expect"]}
        # A turn that deserves one line may give two (name and place): right when the scope is.
        good = sum(("global" if is_global(each) else "project") in scopes for each in found)
        right, wrong = right + good, wrong + len(found) - good
    precision, recall = right / (right + wrong), met / wanted
    assert precision >= BARS[name][0] and recall >= BARS[name][1], f"precision {precision:.3f}, recall {recall:.3f}"


def test_the_corpus_is_what_it_claims() -> None:
    every = [turn for name in BARS for turn in turns(name)]
    negatives = sum(not turn["expect"] for turn in every)
    assert len(every) >= 300
    assert negatives / len(every) >= 0.6
    assert {turn["lang"] for turn in every} == {"en", "zh", "ja", "es", "de", "fr"}
    assert all(expected["line"] in turn["text"] for turn in every for expected in turn["expect"])
    texts = [turn["text"] for turn in every]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", BARS)
def test_every_kept_line_is_the_users_own_wording(name: str) -> None:
    for turn in turns(name):
        for each in kept(turn["text"]):
            said = turn["text"].replace("\n", " ")
            for part in each.line.split(": ", 1) if each.change else [each.line]:
                assert part in said or part.replace("。", "。 ") in said, each
