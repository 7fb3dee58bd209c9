"""``memory_maintenance_v2``: what an agent may propose. The shape is checked here, its rights in ``guards``."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from commonbook.errors import Code, DecisionError
from commonbook.vocabulary import Admission, Applicability, EditResult, Lifetime

DEPTH = 6
"""Of a proposal: decisions, one decision, its operations, one operation, its fields."""
Reference = Annotated[str, Field(min_length=1, max_length=128)]
Title = Annotated[str, Field(min_length=1, max_length=200)]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PutSection(_Shape):
    """Write one whole section: ``section`` names the one that is replaced (``s1``…), ``null`` adds a new one."""

    operation: Literal["put_section"]
    target: Reference
    section: Reference | None
    title: Title
    body: Annotated[str, Field(max_length=65_536)]


class RemoveSection(_Shape):
    operation: Literal["remove_section"]
    target: Reference
    section: Reference


Operation = Annotated[PutSection | RemoveSection, Field(discriminator="operation")]
Operations = Annotated[tuple[Operation, ...], Field(min_length=1, max_length=32)]


class _Decision(_Shape):
    reason: Annotated[str, Field(max_length=4000)]
    """First, because small models decide better when they say why first; shown live, stored nowhere."""


class _Common(_Decision):
    applicability: Applicability
    confidence: Annotated[float, Field(ge=0, le=1)]
    """Told, never a threshold."""
    evidence: Annotated[tuple[Reference, ...], Field(max_length=128)]


class Retain(_Common):
    kind: Literal["retain"]
    admission: Admission
    lifetime: Lifetime
    operations: Operations


class Forget(_Common):
    kind: Literal["forget"]
    operations: Operations


class Maintain(_Common):
    kind: Literal["maintain"]
    operations: Operations


class Ignore(_Common):
    kind: Literal["ignore"]


AnyDecision = Annotated[Retain | Forget | Maintain | Ignore, Field(discriminator="kind")]


class Proposal(_Shape):
    """One submission: every decision about one batch."""

    version: Literal["memory_maintenance_v2"]
    request_id: Reference
    decisions: Annotated[tuple[AnyDecision, ...], Field(min_length=1, max_length=64)]
    edit_result: EditResult | None = None


def operations_of(decision: Retain | Forget | Maintain | Ignore) -> tuple[PutSection | RemoveSection, ...]:
    return () if isinstance(decision, Ignore) else decision.operations


def parse_proposal(raw: Mapping[str, Any]) -> Proposal:
    """Parse a submission; raises ``DecisionError(INVALID_DECISION)`` with at most 12 (path, rule) pairs, never values."""
    try:
        return _adapter().validate_python(_lists_as_tuples(raw))
    except ValidationError as error:
        raise DecisionError(Code.INVALID_DECISION, problems=_problems(error)) from None


def decision_schema() -> dict[str, Any]:
    """The JSON schema that agents are shown."""
    return Proposal.model_json_schema()


@cache
def _adapter() -> TypeAdapter[Proposal]:
    return TypeAdapter(Proposal)


def _lists_as_tuples(value: Any, depth: int = DEPTH) -> Any:
    """JSON has lists where our frozen shapes hold tuples; strict mode would refuse them. What lies deeper than any field is
    left as it is and refused with the rest: following it could end the program."""
    match value:
        case Mapping() if depth:
            return {key: _lists_as_tuples(item, depth - 1) for key, item in value.items()}
        case list() if depth:
            return tuple(_lists_as_tuples(item, depth - 1) for item in value)
        case _:
            return value


_KNOWN = frozenset(
    name
    for shape in (Proposal, Retain, Forget, Maintain, Ignore, PutSection, RemoveSection)
    for name in shape.model_fields
)


def _problems(error: ValidationError) -> tuple[tuple[str, str], ...]:
    """Paths of known field names and indexes only: an unknown key could itself carry a secret."""
    found = []
    for item in error.errors(include_input=False, include_url=False, include_context=False)[:12]:
        path = ".".join(str(part) if isinstance(part, int) or part in _KNOWN else "?" for part in item["loc"])
        found.append((path, item["type"]))
    return tuple(found)
