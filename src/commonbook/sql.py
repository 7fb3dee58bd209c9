"""Named SQL: statements stand in ``sql/<topic>.sql`` of the package that owns the database, beside thin functions."""

import re
from functools import cache
from importlib.resources import files


@cache
def named_queries(package: str, topic: str) -> dict[str, str]:
    """The statements of ``sql/<topic>.sql`` of a package: each follows a line ``-- :name <name>``."""
    text = files(package).joinpath("sql", f"{topic}.sql").read_text(encoding="utf-8")
    parts = re.split(r"^-- :name ([a-z_0-9]+)$", text, flags=re.MULTILINE)[1:]
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
