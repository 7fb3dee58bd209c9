"""The rules agent over a grant: it reads all, submits once, and never loops or guesses."""

import asyncio
import re

import pytest

from commonbook.agents.rules.agent import RulesAgent, prompt_digest
from commonbook.errors import Code
from commonbook.keeper.contracts import AgentOutcome
from commonbook.keeper.decision import Ignore, Proposal, PutSection, Retain
from commonbook.vocabulary import PREFERENCES, PROFILE, Provenance, Scope, TaskKind
from tests.unit.rules_help import DOCUMENT, PROJECT, FakeControl, FakeGrant

EMPTY = {PROFILE: None, PREFERENCES: None, DOCUMENT: None}


def run(
    grant: FakeGrant, kind: TaskKind = TaskKind.OBSERVATION, scope: Scope = PROJECT, *, cancelled: bool = False
) -> AgentOutcome:
    return asyncio.run(RulesAgent().run(grant.task(kind, scope), grant, FakeControl(cancelled=cancelled)))


def accepted(grant: FakeGrant) -> Proposal:
    assert grant.accepted is not None
    return grant.accepted


def titles(proposal: Proposal) -> list[str]:
    return [
        operation.title
        for decision in proposal.decisions
        if isinstance(decision, Retain)
        for operation in decision.operations
        if isinstance(operation, PutSection)
    ]


def test_an_outcome_names_its_version_and_digest() -> None:
    grant = FakeGrant(["Hello."], EMPTY)
    outcome = run(grant)
    assert (outcome.failure, outcome.agent, outcome.prompt_digest) == (None, "rules/1", prompt_digest())
    assert re.fullmatch(r"[0-9a-f]{64}", outcome.prompt_digest)
    assert outcome.tool_calls > 4


def test_nothing_lasting_is_one_ignore_with_a_reason() -> None:
    grant = FakeGrant(["Fix the test please."], EMPTY)
    run(grant)
    (decision,) = accepted(grant).decisions
    assert isinstance(decision, Ignore)
    assert decision.reason == "a request for now"


def test_a_long_mixed_message_is_read_to_its_end() -> None:
    paste = "```\n" + "[01] always use npm\n" * 400 + "```\n"
    grant = FakeGrant([f"Why does this fail?\n\n{paste}\nOur CI runs on Drone, not on Actions."], EMPTY)
    run(grant)
    (decision,) = accepted(grant).decisions
    assert isinstance(decision, Retain)
    (operation,) = decision.operations
    assert isinstance(operation, PutSection)
    assert (operation.target, operation.section, operation.body) == (
        DOCUMENT,
        None,
        "- Our CI runs on Drone, not on Actions (2026-12-01)\n",
    )


def test_only_the_user_is_heard() -> None:
    grant = FakeGrant(["We use pnpm here."], EMPTY, provenance=Provenance.DOCUMENT_IMPORT)
    run(grant)
    assert isinstance(accepted(grant).decisions[0], Ignore)


def test_a_decision_that_core_refuses_is_dropped_and_the_rest_kept() -> None:
    grant = FakeGrant(
        ["I'm a botanist in Graz. Keep your answers brief. We use uv."],
        EMPTY,
        refuse_when={"About me": Code.STALE_SOURCE},
    )
    assert run(grant).failure is None
    assert titles(accepted(grant)) == ["How to answer", "Decisions"]


def test_when_core_refuses_everything_it_ignores_and_says_why() -> None:
    refuse_when = dict.fromkeys(("About me", "Decisions"), Code.UNJUSTIFIED_SHRINK)
    grant = FakeGrant(["I'm a botanist in Graz. We use uv."], EMPTY, refuse_when=refuse_when)
    assert run(grant).failure is None
    (decision,) = accepted(grant).decisions
    assert decision.reason == "Core does not allow it: UNJUSTIFIED_SHRINK"
    assert len(grant.submitted) == 4


def test_it_gives_up_when_even_ignoring_is_refused() -> None:
    grant = FakeGrant(["Hello."], EMPTY, refuse=[Code.INVALID_REQUEST_REFERENCE] * 9)
    assert run(grant).failure is Code.DECISION_REJECTED
    assert len(grant.submitted) == 1


def test_cancelled() -> None:
    grant = FakeGrant(["We use uv."], EMPTY)
    assert run(grant, cancelled=True).failure is Code.CANCELLED
    assert grant.accepted is None


def test_the_same_input_gives_the_same_proposal() -> None:
    words = ["I'm a botanist in Graz. We use uv.", "以后都用中文回答我。"]
    first, second = FakeGrant(words, EMPTY), FakeGrant(words, EMPTY)
    run(first), run(second)
    assert accepted(first).model_dump() == accepted(second).model_dump()


BODY = "- We use npm here\n- Go is for the CLI, MongoDB for state\n"
MEMORY = {
    PROFILE: None,
    PREFERENCES: None,
    DOCUMENT: f"# Project\n\n## Decisions\n\n{BODY}",
}


@pytest.mark.parametrize(
    ("words", "result", "body"),
    [
        ("replace npm with pnpm", "modified", "- We use pnpm here\n- Go is for the CLI, MongoDB for state\n"),
        ("把 npm 换成 pnpm", "modified", "- We use pnpm here\n- Go is for the CLI, MongoDB for state\n"),
        ("replace Go with Rust", "modified", "- We use npm here\n- Rust is for the CLI, MongoDB for state\n"),
        ("forget npm", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("删掉 npm 那条", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("We deploy on Mondays only.", "modified", f"{BODY}- We deploy on Mondays only (2026-12-01)\n"),
        ("We use npm here.", "already_satisfied", None),
        ("replace yarn with npm", "already_satisfied", None),
        ("replace yarn with bun", "clarification_required", None),
        ("delete the line about the moon", "clarification_required", None),
        ("make it nicer", "clarification_required", None),
        ("remove the line about npm", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("Can you remove the npm line?", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("删掉 MongoDB 那一条", "modified", "- We use npm here\n"),
        ("忘掉关于 npm 的那一条", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("把 npm 那条删了", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("npm 那条删掉", "modified", "- Go is for the CLI, MongoDB for state\n"),
        ("add: the cat sits on the server", "modified", f"{BODY}- the cat sits on the server (2026-12-01)\n"),
        ("remember that deploys wait for Ada", "modified", f"{BODY}- deploys wait for Ada (2026-12-01)\n"),
        ("记住：猫在服务器上", "modified", f"{BODY}- 猫在服务器上 (2026-12-01)\n"),
        (
            "we don't use npm any more, we use pnpm",
            "modified",
            "- we don't use npm any more, we use pnpm (2026-12-01)\n- Go is for the CLI, MongoDB for state\n",
        ),
        ("forget that", "clarification_required", None),
    ],
)  # fmt: skip
def test_edits(words: str, result: str, body: str | None) -> None:
    grant = FakeGrant([words], MEMORY)
    assert run(grant, TaskKind.EDIT).failure is None
    proposal = accepted(grant)
    assert proposal.edit_result == result
    bodies = [
        operation.body
        for decision in proposal.decisions
        for operation in getattr(decision, "operations", ())
        if isinstance(operation, PutSection)
    ]
    assert bodies == ([] if body is None else [body])


def test_an_edit_stays_in_the_scope_that_the_person_chose() -> None:
    grant = FakeGrant(["Keep your answers brief."], EMPTY)
    run(grant, TaskKind.EDIT)
    (decision,) = accepted(grant).decisions
    assert isinstance(decision, Retain)
    assert decision.operations[0].target == DOCUMENT


def test_an_edit_reaches_every_document_that_it_may_change() -> None:
    profile = "# Profile\n\n## About me\n\n- I live in Bergen\n"
    grant = FakeGrant(["replace Bergen with Tromsø"], {**EMPTY, PROFILE: profile})
    run(grant, TaskKind.EDIT)
    assert accepted(grant).edit_result == "modified"


def test_when_nothing_matches_it_says_where_it_looked() -> None:
    grant = FakeGrant(["remove the line about the moon"], MEMORY)
    run(grant, TaskKind.EDIT)
    assert accepted(grant).decisions[0].reason == (
        f"no line matches what is to be removed; searched: profile, preferences, {DOCUMENT}"
    )


def test_one_line_was_meant_and_two_match() -> None:
    grant = FakeGrant(["remove the line about npm"], {**EMPTY, DOCUMENT: f"{MEMORY[DOCUMENT]}- npm is pinned\n"})
    run(grant, TaskKind.EDIT)
    assert accepted(grant).edit_result == "clarification_required"


@pytest.mark.parametrize(
    ("messages", "reasons"),
    [
        (["We use npm here.", "Forget that."], ["taken back", "taken back"]),
        (["We use Redis for jobs.", "Forget Redis."], ["taken back", "taken back"]),
        (["We tag by calendar.", "We use uv.", "Should I use npm?"], ["a question"]),
        (["Every PR needs two approvals.", "Every PR needs three approvals."], ["said again later"]),
        (["We use uv.", "Forget the moon phases."], ["nothing remembered matches"]),
    ],
)
def test_each_message_that_left_nothing_is_told_why(messages: list[str], reasons: list[str]) -> None:
    grant = FakeGrant(messages, EMPTY)
    run(grant)
    assert [each.reason for each in accepted(grant).decisions if isinstance(each, Ignore)] == reasons
