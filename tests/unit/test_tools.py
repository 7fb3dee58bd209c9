"""The seven tools: strict arguments, codes and known names only, one after another, nothing after a submission."""

import json
from typing import Any

import pytest

from commonbook.agents.tools import NOTES_LIMIT, SUBMIT, WorkingNotes, call_tool, skill, tools
from commonbook.errors import Code
from tests.unit.rules_help import DOCUMENT, FakeGrant

IGNORE = {"reason": "nothing", "kind": "ignore", "applicability": "project", "confidence": 1.0, "evidence": []}
PROPOSAL = {"version": "memory_maintenance_v2", "request_id": "job", "decisions": [IGNORE]}


@pytest.fixture
def grant() -> FakeGrant:
    return FakeGrant(["Hello there."], {DOCUMENT: "# Project\n\n## Decisions\n\n- one\n"})


def read_everything(grant: FakeGrant, notes: WorkingNotes) -> None:
    assert call_tool(grant, notes, "read_ingest", {"handle": "ingest_0", "block": "b1"})["text"] == "Hello there."


def test_there_are_seven_with_closed_schemas() -> None:
    assert [tool.name for tool in tools()] == [
        "inspect_ingest", "read_ingest", "inspect_memory", "processing_state", "record_working_notes", "load_memory_skill",
        "submit_memory_decision",
    ]  # fmt: skip
    for tool in tools():
        assert tool.description
        assert tool.parameters["additionalProperties"] is False
        json.dumps(dict(tool.parameters))


def test_reading_gives_plain_json(grant: FakeGrant) -> None:
    notes = WorkingNotes()
    page = call_tool(grant, notes, "inspect_ingest", {"handle": "ingest_0"})
    assert [block["block"] for block in page["blocks"]] == ["b0", "b1"]
    manifest = call_tool(grant, notes, "inspect_memory", {"handle": "snap"})
    assert manifest["documents"][0]["sections"] == ({"ref": "s1", "title": "Decisions", "bytes": 20},)
    document = call_tool(grant, notes, "inspect_memory", {"handle": "snap", "target": DOCUMENT})
    assert document["text"].startswith("# Project")
    json.dumps([page, manifest, document, call_tool(grant, notes, "processing_state", {})])


@pytest.mark.parametrize(
    ("name", "arguments", "path", "rule"),
    [
        ("read_ingest", {"handle": "ingest_0"}, "block", "missing"),
        ("read_ingest", {"handle": "ingest_0", "block": "b1", "offset": "0"}, "offset", "int_type"),
        ("inspect_ingest", {"handle": "ingest_0", "offset": -1}, "offset", "greater_than_equal"),
        ("inspect_ingest", {"handle": "ingest_0", "sk-secret": 1}, "?", "extra_forbidden"),
        ("record_working_notes", {"notes": "x" * (NOTES_LIMIT + 1)}, "notes", "string_too_long"),
        ("load_memory_skill", {"name": "../../etc/passwd"}, "name", "literal_error"),
    ],
)
def test_bad_arguments_name_path_and_rule_never_the_value(
    grant: FakeGrant, name: str, arguments: dict[str, Any], path: str, rule: str
) -> None:
    answer = call_tool(grant, WorkingNotes(), name, arguments)
    assert answer == {
        "error": "rejected", "tool": name, "code": "INVALID_ARGUMENTS", "schema_errors": [{"path": path, "rule": rule}],
    }  # fmt: skip
    assert "secret" not in json.dumps(answer)
    assert "passwd" not in json.dumps(answer)


def test_at_most_twelve_schema_errors(grant: FakeGrant) -> None:
    answer = call_tool(grant, WorkingNotes(), "processing_state", {f"k{n}": n for n in range(30)})
    assert len(answer["schema_errors"]) == 12


def test_an_unknown_tool_is_not_repeated(grant: FakeGrant) -> None:
    answer = call_tool(grant, WorkingNotes(), "rm -rf /", {})
    assert (answer["tool"], answer["code"]) == ("?", "UNKNOWN_TOOL")


def test_a_rejected_decision_tells_the_field(grant: FakeGrant) -> None:
    notes = WorkingNotes()
    read_everything(grant, notes)
    wrong = {**PROPOSAL, "decisions": [{**IGNORE, "confidence": "high"}]}
    answer = call_tool(grant, notes, SUBMIT, wrong)
    assert answer["code"] == Code.INVALID_DECISION
    assert {"path": "decisions.0.?.confidence", "rule": "float_type"} in answer["schema_errors"]
    assert not notes.submitted


def test_nothing_may_be_decided_before_everything_is_read(grant: FakeGrant) -> None:
    assert call_tool(grant, WorkingNotes(), SUBMIT, PROPOSAL)["code"] == Code.MATERIAL_UNREAD


def test_after_a_submission_every_tool_says_so(grant: FakeGrant) -> None:
    notes = WorkingNotes()
    read_everything(grant, notes)
    assert call_tool(grant, notes, SUBMIT, PROPOSAL)["accepted"] is True
    for tool in tools():
        assert call_tool(grant, notes, tool.name, {})["code"] == Code.DECISION_ALREADY_SUBMITTED


def test_notes_replace_the_notes_before(grant: FakeGrant) -> None:
    notes = WorkingNotes()
    call_tool(grant, notes, "record_working_notes", {"notes": "first"})
    assert call_tool(grant, notes, "record_working_notes", {"notes": "second"}) == {"recorded": 6}
    assert notes.text == "second"


@pytest.mark.parametrize("name", ["memory-maintenance", "memory-recovery"])
def test_skills_are_packaged_and_short(grant: FakeGrant, name: str) -> None:
    answer = call_tool(grant, WorkingNotes(), "load_memory_skill", {"name": name})
    assert answer == {"name": name, "text": skill(name)}
    assert 500 < len(answer["text"]) < 4_000


def test_the_recovery_skill_knows_every_code_of_a_decision() -> None:
    text = skill("memory-recovery")
    told = [code for code in Code if f"`{code.value}`" in text]
    start, stop = list(Code).index(Code.INVALID_DECISION), list(Code).index(Code.SENSITIVE_PATCH)
    assert set(list(Code)[start : stop + 1]) <= set(told)
