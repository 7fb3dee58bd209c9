"""Reads config.toml into settings; says which key is wrong and which one was probably meant."""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from commonbook.errors import Code, UsageError
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home, home_root

_FREE = ("hosts.", "disclosure.provider_classes.")
"""Tables whose own keys a person chooses."""


def load_home(environment: Mapping[str, str] | None = None) -> tuple[Home, Settings]:
    """The home folder and its settings. Creates nothing; without config.toml the defaults apply.

    Raises ``UsageError``: UNKNOWN_SETTING (with the nearest known key), INVALID_SETTING (with key or line).
    """
    root = home_root(dict(environment) if environment is not None else None)
    settings = _parsed(_text_of(root / "config.toml"))
    data = Path(os.path.realpath(Path(settings.data).expanduser())) if settings.data else root / "data"
    return Home(root, data), settings


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise UsageError(Code.INVALID_SETTING, key="config.toml", rule="UTF-8", path=str(path)) from None
    except OSError as error:
        raise UsageError(
            Code.INVALID_SETTING, key="config.toml", rule=os.strerror(error.errno or 0), path=str(path)
        ) from None


def _parsed(text: str) -> Settings:
    if not text.strip():
        return Settings()
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(Code.INVALID_SETTING, key="config.toml", rule=str(error)) from None
    known = set(_keys(asdict(Settings())))
    for key in _keys(raw):
        if key not in known and not key.startswith(_FREE):
            raise _unknown(key, known)
    return _checked(raw, known)


def _checked(raw: dict[str, Any], known: set[str]) -> Settings:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Settings).validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
            raise _unknown(key, known) from None
        raise UsageError(Code.INVALID_SETTING, key=key, rule=first["msg"]) from None


def _unknown(key: str, known: set[str]) -> UsageError:
    by_last = {re.split(r"\.", one)[-1]: one for one in sorted(known)}
    near = difflib.get_close_matches(key, known, 1, 0.6) or [
        by_last[one] for one in difflib.get_close_matches(key.rsplit(".", 1)[-1], by_last, 1, 0.6)
    ]
    return UsageError(Code.UNKNOWN_SETTING, key=key, nearest=near[0] if near else "-")


def _keys(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Dotted names of the leaves; an empty table is a leaf."""
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _keys(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"
