"""Write docs/settings.md from the settings model, so that no key is missing and no default is typed by hand.

``python docs/generate_settings.py`` writes the file; ``--check`` only says whether it is up to date.
"""

import ast
import inspect
import json
import sys
from dataclasses import fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from commonbook.settings import model

PAGE = Path(__file__).with_name("settings.md")
HEAD = """# Settings

`~/.commonbook/config.toml` (or `$COMMONBOOK_HOME/config.toml`), TOML. It does not have to exist:
the defaults below apply. An unknown key is an error that names the nearest known one. Secrets never stand here.
This page is generated from the code (`make docs`).

| key | default | meaning |
| --- | --- | --- |
"""


def page() -> str:
    return HEAD + "\n".join(_rows(model.Settings, "")) + "\n"


def _rows(part: type[Any], prefix: str) -> list[str]:
    """One row a key, parts of the model flattened to dotted keys; KeyError for a key without a docstring."""
    rows, told = [], _docstrings(part)
    defaults = part()
    for name in (each.name for each in fields(part)):
        default = getattr(defaults, name)
        if is_dataclass(default):
            rows += _rows(type(default), f"{prefix}{name}.")
        elif name == "hosts":
            rows += _rows(model.HostSettings, "hosts.<host>.")
        else:
            shown = "unset" if default is None else json.dumps(default, ensure_ascii=False)
            rows.append(f"| `{prefix}{name}` | `{shown}` | {told[name]} |")
    return rows


def _docstrings(part: type[Any]) -> dict[str, str]:
    (tree,) = ast.parse(inspect.getsource(part)).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: " ".join(str(text.value.value).split())
        for field, text in pairwise(tree.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }


if __name__ == "__main__":
    if "--check" in sys.argv:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
        sys.exit(0 if current else "docs/settings.md is out of date: run `make docs`")
    PAGE.write_text(page(), encoding="utf-8")
