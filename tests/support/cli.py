"""Run the command line in this process over a scripted gateway, with or without a terminal at its ends."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from commonbook.channels.cli.program import run
from commonbook.channels.gateway.operations import Operation
from tests.support.scripted_gateway import ScriptedGateway

Answers = Mapping[type[Operation[Any]], Callable[[Any], object]]


class Stream(io.TextIOWrapper):
    def __init__(self, *, terminal: bool, text: str = "", encoding: str = "utf-8") -> None:
        self.bytes = io.BytesIO(text.encode())
        super().__init__(self.bytes, encoding=encoding, newline="")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def said(self) -> str:
        self.flush()
        return self.bytes.getvalue().decode(self.encoding)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str
    calls: tuple[Operation[Any], ...]

    @property
    def json(self) -> dict[str, Any]:
        (line,) = self.out.splitlines()
        answer = json.loads(line)
        assert isinstance(answer, dict)
        assert answer["schema"] == 1
        return answer


def commonbook(
    *words: str, answers: Answers | None = None, terminal: bool = False, typed: str = "", encoding: str = "utf-8"
) -> Ran:
    """``terminal``: whether a person sits at both ends and types ``typed``."""
    gateway = ScriptedGateway(answers or {})
    out, err = Stream(terminal=terminal, encoding=encoding), Stream(terminal=terminal)
    stdin = Stream(terminal=terminal, text=typed)
    with patch.multiple(sys, stdout=out, stderr=err, stdin=stdin):
        code = run(words, lambda: gateway, lambda: gateway)
    return Ran(code, out.said, err.said, tuple(gateway.calls))


def real_commonbook(*words: str, terminal: bool = False, typed: str = "") -> Ran:
    """The program itself, over the memory of ``COMMONBOOK_HOME`` (each test has an empty one)."""
    from commonbook.app import main

    out, err = Stream(terminal=terminal), Stream(terminal=terminal)
    stdin = Stream(terminal=terminal, text=typed)
    with patch.multiple(sys, stdout=out, stderr=err, stdin=stdin):
        code = main(words)
    return Ran(code, out.said, err.said, ())
