"""The exact lines that put our MCP server into a host's own settings; printed for the person, written by nobody."""

import json
import shlex
from dataclasses import dataclass

from commonbook.errors import Code, UsageError


@dataclass(frozen=True)
class McpEntry:
    """``command``: the one line for a shell; ``file`` and ``lines``: the same by hand."""

    host: str
    command: str
    file: str
    lines: str


def mcp_entry(host: str, executable: str, *, whole: bool, workspace: str | None) -> McpEntry:
    """The entry for ``claude-code`` or ``codex``.

    ``executable``: absolute path of ``commonbook``; ``whole``: global memory; ``workspace``: an absolute folder.
    Raises ``UNKNOWN_HOST``.
    """
    arguments = ["mcp", "--client-id", host, "--capability", "read"]
    arguments += (["--global"] if whole else []) + (["--workspace", workspace] if workspace else [])
    match host:
        case "claude-code":
            scope = "local" if workspace else "user"
            argv = ["claude", "mcp", "add", "-s", scope, "commonbook", "--", executable, *arguments]
            entry = {"mcpServers": {"commonbook": {"command": executable, "args": arguments}}}
            return McpEntry(host, shlex.join(argv), "~/.claude.json", json.dumps(entry, indent=2, ensure_ascii=False))
        case "codex":
            argv = ["codex", "mcp", "add", "commonbook", "--", executable, *arguments]
            lines = "\n".join(
                (
                    "[mcp_servers.commonbook]",
                    f"command = {json.dumps(executable, ensure_ascii=False)}",
                    f"args = {json.dumps(arguments, ensure_ascii=False)}",
                    'default_tools_approval_mode = "approve"  # reading needs no question',
                )
            )
            return McpEntry(host, shlex.join(argv), "~/.codex/config.toml", lines)
        case _:
            raise UsageError(Code.UNKNOWN_HOST, host=host, known="claude-code, codex")
