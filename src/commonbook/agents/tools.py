"""The seven tools of a memory agent: one definition for every way they are offered (in process, MCP, a host's extension).

They run one after another, in the order given. A rejected call tells codes and known field names, never a value: what an
agent sent may hold a secret, and what it read may be an attack.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from commonbook.errors import Code, CommitError, CommonbookError, DecisionError, GrantError
from commonbook.keeper.contracts import ReadGrant
from commonbook.keeper.decision import decision_schema
from commonbook.vocabulary import Handle, Target

NOTES_LIMIT = 16_384
"""Characters of working notes. They live in memory, in the agent's context only."""

SUBMIT = "submit_memory_decision"


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Handle = Annotated[str, Field(min_length=1, max_length=128)]
_Offset = Annotated[int, Field(ge=0)]


class _InspectIngest(_Arguments):
    handle: _Handle
    offset: _Offset = 0


class _ReadIngest(_Arguments):
    handle: _Handle
    block: Annotated[str, Field(min_length=1, max_length=64)]
    offset: _Offset = 0


class _InspectMemory(_Arguments):
    handle: _Handle
    target: Annotated[str, Field(min_length=1, max_length=128)] | None = None
    offset: _Offset = 0


class _ProcessingState(_Arguments):
    pass


class _Notes(_Arguments):
    notes: Annotated[str, Field(max_length=NOTES_LIMIT)]


class _Skill(_Arguments):
    name: Literal["memory-maintenance", "memory-recovery"]


_READING: Mapping[str, tuple[type[_Arguments], str]] = {
    "inspect_ingest": (
        _InspectIngest,
        "List the blocks of one bundle of material: up to 32 descriptors from `offset`, with kind, size, who spoke, "
        "and "
        "the evidence reference (or context_only). Go on at `next_offset` until it is null.",
    ),
    "read_ingest": (
        _ReadIngest,
        "Read one block: up to 8 KiB of its text from byte `offset`, and its descriptor. Go on at `next_offset` "
        "until it is null. "
        "Every block of the current material must be read before any decision, ignoring included.",
    ),
    "inspect_memory": (
        _InspectMemory,
        "Without `target`: the documents of the snapshot, with sections (s1, s2, …), budgets and what may be written. "
        "With `target`: a page of that document. A document must be read to its end before it is edited.",
    ),
    "processing_state": (
        _ProcessingState,
        "How many bytes of the required material have been read, and whether that is all of it.",
    ),
    "record_working_notes": (
        _Notes,
        "Keep a scratch note for yourself during this run. It replaces the note before and is stored nowhere.",
    ),
    "load_memory_skill": (_Skill, "Load one packaged instruction. It explains; it grants nothing."),
}
_SUBMIT_DESCRIPTION = (
    "Submit every decision about this material at once. The first valid submission ends the run; a rejected one "
    "says what to mend and consumes nothing."
)


@dataclass(frozen=True)
class Tool:
    """``parameters`` is a JSON schema; unknown keys are errors."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass
class WorkingNotes:
    """The scratch pad of one run. Never outlives it."""

    text: str = ""
    submitted: bool = False


@cache
def tools() -> tuple[Tool, ...]:
    """The definitions, in the order in which they are offered."""
    reading = [Tool(name, words, shape.model_json_schema()) for name, (shape, words) in _READING.items()]
    return (*reading, Tool(SUBMIT, _SUBMIT_DESCRIPTION, decision_schema()))


def call_tool(grant: ReadGrant, notes: WorkingNotes, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Run one tool call and give its answer, or ``{error, tool, code, schema_errors}``. Only faults of our own are raised."""
    try:
        if notes.submitted:
            raise GrantError(Code.DECISION_ALREADY_SUBMITTED)
        if name == SUBMIT:
            submission = grant.submit(arguments)
            notes.submitted = True
            return {"accepted": True, "digest": submission.digest}
        if name not in _READING:
            raise GrantError(Code.UNKNOWN_TOOL)
        return _read(grant, notes, _READING[name][0].model_validate(dict(arguments)))
    except ValidationError as error:
        return _rejected(name, Code.INVALID_ARGUMENTS, _schema_errors(error))
    except DecisionError as error:
        return _rejected(name, error.code, error.problems)
    except (GrantError, CommitError) as error:
        return _rejected(name, error.code, ())


def _read(grant: ReadGrant, notes: WorkingNotes, call: _Arguments) -> dict[str, Any]:
    match call:
        case _InspectIngest():
            return asdict(grant.inspect_ingest(Handle(call.handle), call.offset))
        case _ReadIngest():
            return asdict(grant.read_ingest(Handle(call.handle), call.block, call.offset))
        case _InspectMemory():
            target = None if call.target is None else Target(call.target)
            return asdict(grant.inspect_memory(Handle(call.handle), target, call.offset))
        case _ProcessingState():
            return asdict(grant.processing_state())
        case _Notes():
            notes.text = call.notes
            return {"recorded": len(call.notes)}
        case _Skill():
            return {"name": call.name, "text": skill(call.name)}
    raise CommonbookError(Code.INTERNAL)


def skill(name: str) -> str:
    """The text of a packaged instruction."""
    return files("commonbook.agents").joinpath("skills", f"{name}.md").read_text(encoding="utf-8")


def _schema_errors(error: ValidationError) -> tuple[tuple[str, str], ...]:
    """An unknown argument's name could itself carry a secret: only names that we know are repeated."""
    known = {field for shape, _ in _READING.values() for field in shape.model_fields}
    found = error.errors(include_input=False, include_url=False, include_context=False)[:12]
    return tuple(
        (".".join(str(part) if part in known else "?" for part in item["loc"]), item["type"]) for item in found
    )


def _rejected(tool: str, code: Code, problems: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    known = tool if tool in _READING or tool == SUBMIT else "?"
    return {
        "error": "rejected",
        "tool": known,
        "code": code.value,
        "schema_errors": [{"path": path, "rule": rule} for path, rule in problems],
    }
