"""Reads config.toml into settings; says which key is wrong and which one was probably meant."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from commonbook.errors import Code, UsageError
from commonbook.settings.config_file import read_config
from commonbook.settings.model import HostSettings, Settings
from commonbook.settings.paths import Home, home_root

_PROVIDERS = "disclosure.provider_classes"
"""A table whose own keys a person chooses."""


def load_home(environment: Mapping[str, str] | None = None) -> tuple[Home, Settings]:
    """The home folder and its settings. Creates nothing; without config.toml the defaults apply.

    ``environment``: instead of the process's. Raises ``UsageError``: UNKNOWN_SETTING (with the nearest known key),
    INVALID_SETTING (with key, rule and, for broken TOML, line); ``PlaceError`` for a file that is not a plain one.
    """
    env = dict(os.environ if environment is None else environment)
    root = home_root(env)
    settings = _parsed(_text_of(root / "config.toml"))
    return Home(root, _data_folder(root, settings.data, env)), settings


def _data_folder(root: Path, chosen: str | None, env: Mapping[str, str]) -> Path:
    """Resolved once, here: a data folder that is itself a link is followed, links inside it are refused from now on."""
    try:
        if not chosen:
            return Path(os.path.realpath(root / "data"))
        # ``~`` is the home of the same environment that named our own folder.
        at_home = env.get("HOME") and (chosen == "~" or chosen.startswith("~/"))
        expanded = Path(env["HOME"] + chosen[1:]) if at_home else Path(chosen).expanduser()
        return Path(os.path.realpath(root / expanded))
    except (RuntimeError, ValueError):  # ``~nobody``, a NUL
        raise UsageError(Code.INVALID_SETTING, key="data", rule="no such folder can be") from None


def _text_of(path: Path) -> str:
    try:
        return read_config(path)
    except UnicodeDecodeError as error:
        line = bytes(error.object[: error.start]).count(b"\n") + 1
        raise UsageError(
            Code.INVALID_SETTING, key="config.toml", rule=f"not UTF-8 (at line {line})", line=line
        ) from None


def _parsed(text: str) -> Settings:
    if not text.strip():
        return Settings()
    import tomllib  # most people have no config.toml, and every command comes through here

    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else text.rstrip().count("\n") + 1  # "at end of document"
        raise UsageError(Code.INVALID_SETTING, key="config.toml", rule=str(error), line=line) from None
    known = _known(raw)
    tables = {one[:at] for one in known for at, sign in enumerate(one) if sign == "."}
    for key in _keys(raw):
        if key not in known and key not in tables and not key.startswith(f"{_PROVIDERS}."):
            raise _unknown(key, known)
    return _checked(raw)


def _checked(raw: Mapping[str, Any]) -> Settings:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Settings).validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UsageError(Code.INVALID_SETTING, key=key, rule=first["msg"]) from None


def _known(raw: Mapping[str, Any]) -> set[str]:
    """Every key that may stand in this file; hosts are named by the person, what is set for them is not."""
    hosts = raw.get("hosts")
    named = hosts if isinstance(hosts, dict) else {}
    of_hosts = (f"hosts.{host}.{one.name}" for host in named for one in fields(HostSettings))
    return {*_keys(asdict(Settings())), *of_hosts}


def _unknown(key: str, known: set[str]) -> UsageError:
    import difflib

    by_last = {one.rsplit(".", 1)[-1]: one for one in sorted(known)}
    near = difflib.get_close_matches(key, sorted(known), 1, 0.6) or [
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
