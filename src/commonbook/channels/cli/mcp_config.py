"""``commonbook mcp-config``: the exact lines that let a host read the memory; the person puts them in."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.spoken import option, verb
from commonbook.errors import Code, PlaceError
from commonbook.messages import say


@verb("mcp-config")
@click.argument("host", type=click.Choice(["claude-code", "codex"]))
@option("--global/--no-global", "whole", default=True)
@option("--workspace", metavar="PATH")
def mcp_config(desk: Desk, host: str, whole: bool, workspace: str | None) -> None:
    from commonbook.setup.mcp_config import mcp_entry

    if not (whole or workspace):
        raise click.UsageError(say("mcp.no_scope"))
    folder = os.path.realpath(Path(workspace).expanduser()) if workspace else None
    if folder is not None and not Path(folder).is_dir():
        raise PlaceError(Code.FOLDER_MISSING, path=folder)
    entry = mcp_entry(host, _executable(), whole=whole, workspace=folder)
    if desk.json:
        return desk.answer(**asdict(entry))
    desk.screen.note(say("mcp.config_command"))
    desk.screen.line(entry.command)
    desk.screen.note(say("mcp.config_by_hand", file=entry.file))
    desk.screen.line(entry.lines)
    return None


def _executable() -> str:
    """Where this very ``commonbook`` stands: hosts start servers with a PATH of their own."""
    started = Path(sys.argv[0])
    found = str(started.absolute()) if started.name.startswith("commonbook") and started.exists() else None
    return found or shutil.which("commonbook") or "commonbook"
