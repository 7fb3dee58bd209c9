"""A gateway whose answers a test writes: the public seam that every face is tested against."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from commonbook.channels.gateway.operations import Listener, Operation

R = TypeVar("R")


class ScriptedGateway:
    """``answers``: operation type → function of the operation. ``calls``: what was asked, oldest first."""

    def __init__(self, answers: Mapping[type[Operation[Any]], Callable[[Any], object]]) -> None:
        self._answers = answers
        self.calls: list[Operation[Any]] = []
        self.closed = False

    def call(self, operation: Operation[R], *, request_id: str | None = None, listen: Listener | None = None) -> R:
        self.calls.append(operation)
        return cast(R, self._answers[type(operation)](operation))

    def close(self) -> None:
        self.closed = True
