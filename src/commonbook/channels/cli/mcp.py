"""``commonbook mcp``: serve the memory to one client on stdin and stdout until it hangs up."""

from __future__ import annotations

import os
from pathlib import Path

import click

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.spoken import option, verb
from commonbook.errors import Code, PlaceError
from commonbook.messages import explain, say


@verb("mcp")
@option("--client-id", required=True, metavar="ID")
@option("--capability", "capabilities", type=click.Choice(["read"]), multiple=True, required=True)
@option("--global", "whole", is_flag=True)
@option("--workspace", "workspaces", multiple=True, metavar="PATH")
@option("--workspace-project", "projects", multiple=True, metavar="ID")
def mcp(
    desk: Desk,
    client_id: str,
    capabilities: tuple[str, ...],
    whole: bool,
    workspaces: tuple[str, ...],
    projects: tuple[str, ...],
) -> None:
    if not (whole or workspaces or projects):
        raise click.UsageError(say("mcp.no_scope"))
    for folder in workspaces:
        if not Path(folder).is_dir():  # it may come back; until then the client is served what else it may read
            desk.screen.note(explain(PlaceError(Code.FOLDER_MISSING, path=folder)))

    from commonbook.channels.mcp_server.wire import take_stdout

    protocol = take_stdout()  # first of all: what the imports below may print must not reach the client

    from commonbook.channels.mcp_server.profile import Profile
    from commonbook.channels.mcp_server.server import serve

    folders = tuple(os.path.realpath(folder) for folder in workspaces)
    profile = Profile(client_id, whole=whole, workspaces=folders, projects=projects)
    gateway = desk.open_read_gateway()
    try:
        serve(gateway, profile, protocol)
    finally:
        gateway.close()
