"""A real Claude Code writes a session; Commonbook reads it, keeps what was said, and adds exactly what comes later."""

import json
from pathlib import Path

import pytest

from tests.clients.clients import claude, new_desk
from tests.clients.scripted_model import Reply, Say, scripted_model

pytestmark = [pytest.mark.client, pytest.mark.timeout(240)]

SCRIPTS: dict[str, list[Reply]] = {
    "never npm": [Say("Since you prefer tabs, I will use tabs.")],
    "用中文回答": [Say("好的。")],
}


def test_what_was_said_in_claude_code_becomes_memory_and_a_fork_counts_once(tmp_path: Path) -> None:
    with scripted_model(SCRIPTS) as model:
        desk = new_desk(tmp_path, model.url)
        (desk.project / "CLAUDE.md").write_text("Always answer in French. We use yarn here.\n")
        first = json.loads(claude(desk, "", "-p", "Always use pnpm here, never npm.", "--output-format", "json").stdout)
        assert _new(desk.commonbook("capture", "--host", "claude-code", "--json")) == 1
        assert _new(desk.commonbook("capture", "--host", "claude-code", "--json")) == 0

        session = first["session_id"]
        forked = claude(desk, "", "-p", "以后都用中文回答我", "--resume", session, "--fork-session")
        assert forked.returncode == 0, forked.stderr
        assert _new(desk.commonbook("capture", "--host", "claude-code", "--json")) == 1

    desk.commonbook("maintain")
    memory = desk.home / ".commonbook" / "data" / "memory"
    text = "\n".join(path.read_text() for path in memory.rglob("*.md"))
    assert text.count("use pnpm here, never npm") == 1
    assert "用中文回答" in (memory / "preferences.md").read_text()
    for never_said in ("tabs", "French", "yarn"):
        assert never_said not in text


def _new(answer: str) -> int:
    (host,) = json.loads(answer)["hosts"]
    return int(host["new"])
