"""Answers as JSON: one object on standard output, ``{"schema": 1, …}``; field names are those of the gateway's types."""

import json
import re
from dataclasses import fields, is_dataclass
from typing import Any

SCHEMA = 1
_PAIRS = frozenset({"counts", "jobs", "scopes", "reasons"})
"""Fields that hold (name, number) pairs, which read better as an object."""
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(value: object) -> Any:
    """A gateway's answer as JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _field(field.name, getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _field(key, item) for key, item in value.items()}
    return value


def rendered(answer: dict[str, Any], *, unicode_allowed: bool) -> str:
    """One line of JSON. Signs that a terminal would obey are escaped: the value is the same, the screen is safe."""
    text = json.dumps({"schema": SCHEMA, **plain(answer)}, ensure_ascii=not unicode_allowed)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _field(name: str, value: object) -> Any:
    if name in _PAIRS and isinstance(value, tuple):
        return {key: plain(number) for key, number in value}
    return plain(value)
