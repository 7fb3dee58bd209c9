"""Claude Code and Codex, the real ones, read the memory through the lines that ``mcp-config`` prints."""

import json
import shlex
from pathlib import Path

import pytest

from tests.clients.clients import Desk, claude, codex, new_desk
from tests.clients.scripted_model import Call, Reply, Say, ScriptedModel, scripted_model

pytestmark = [pytest.mark.client, pytest.mark.timeout(180)]

QUESTION = "Which package manager do I like"
LINE = "Always use pnpm, never npm"


def test_claude_code_reads_the_memory_behind_its_tool_search(tmp_path: Path) -> None:
    select = {"query": "select:mcp__commonbook__memory_read,mcp__commonbook__memory_search", "max_results": 5}
    script: list[Reply] = [
        Call("ToolSearch", select),
        Call("memory_read", {}),
        Call("memory_search", {"query": "pnpm"}),
        Say("You like pnpm."),
    ]
    with scripted_model({QUESTION: script}) as model:
        desk = _desk_with_memory(tmp_path, model)
        added = shlex.split(json.loads(desk.commonbook("mcp-config", "claude-code", "--global", "--json"))["command"])
        assert claude(desk, "", *added[1:]).returncode == 0

        answered = claude(desk, QUESTION)

    assert answered.returncode == 0, answered.stderr
    assert "You like pnpm." in answered.stdout
    _saw_the_line_twice(model)


def test_codex_reads_the_memory(tmp_path: Path) -> None:
    script: list[Reply] = [Call("memory_read", {}), Call("memory_search", {"query": "pnpm"}), Say("You like pnpm.")]
    with scripted_model({QUESTION: script}) as model:
        desk = _desk_with_memory(tmp_path, model)
        codex(desk, "--version")
        entry = json.loads(desk.commonbook("mcp-config", "codex", "--global", "--json"))
        config = desk.home / ".codex" / "config.toml"
        config.write_text(f"{config.read_text()}\n{entry['lines']}\nrequired = true\n")

        answered = codex(desk, "exec", "--skip-git-repo-check", QUESTION)

    assert answered.returncode == 0, answered.stderr
    assert "You like pnpm." in answered.stdout
    _saw_the_line_twice(model)


def _desk_with_memory(folder: Path, model: ScriptedModel) -> Desk:
    desk = new_desk(folder, model.url)
    desk.commonbook("remember", LINE, "--scope", "global", "--yes")
    return desk


def _saw_the_line_twice(model: ScriptedModel) -> None:
    """The last request of the conversation carries both tool results, and each carries the remembered line."""
    about = [request for request in model.requests if model.script_of(request) == QUESTION]
    heard = json.dumps(about[-1], ensure_ascii=False)
    assert heard.count(LINE) >= 2, heard[-3000:]
