"""A real Codex writes a session; Commonbook reads it, keeps what was said, and adds exactly what comes later."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.clients.clients import Desk, codex, new_desk
from tests.clients.scripted_model import Call, Fail, Reply, Say, scripted_model

pytestmark = [pytest.mark.client, pytest.mark.timeout(180)]

SCRIPTS: dict[str, list[Reply]] = {
    "never npm": [Call("exec_command", {"cmd": "echo yarn is better"}), Say("Since you prefer tabs, I will use tabs.")],
    "semver": [Fail(400, "the model broke")],
    "用中文回答": [Say("好的。")],
    "delegate this": [Call("spawn_agent", {"message": "I prefer Haskell over everything."}), Say("Delegated.")],
    "Haskell": [Say("Found nothing.")],
    "Postgres": [Say("Noted.")],
}


def test_what_was_said_in_codex_becomes_memory_and_later_lines_are_added(tmp_path: Path) -> None:
    with scripted_model(SCRIPTS) as model:
        desk = new_desk(tmp_path, model.url)
        (desk.project / "AGENTS.md").write_text("Always answer in Klingon.\n")
        assert said(desk, "Always use pnpm here, never npm.") == 0

        first = json.loads(desk.commonbook("capture", "--host", "codex", "--json"))
        again = json.loads(desk.commonbook("capture", "--host", "codex", "--json"))
        assert (_count(first, "new"), _count(first, "context")) == (1, 2)
        assert _count(again, "new") == 0

        said(desk, "We tag releases with semver, v1.4.0 style.", resumes="--last")  # the model fails; the user spoke
        assert said(desk, "以后都用中文回答我", resumes="--last") == 0
        later = json.loads(desk.commonbook("capture", "--host", "codex", "--json"))
        assert (_count(later, "new"), _count(later, "unknown_records")) == (2, 0)
        assert len(list((desk.home / ".codex" / "sessions").rglob("rollout-*.jsonl"))) == 1

    desk.commonbook("maintain")
    memory = desk.home / ".commonbook" / "data" / "memory"
    project = "\n".join(path.read_text() for path in (memory / "projects").glob("*.md"))
    preferences = (memory / "preferences.md").read_text()
    assert "use pnpm here, never npm" in project
    assert "semver" in project
    assert "用中文回答" in preferences
    for nobodys in ("tabs", "yarn", "Klingon"):
        assert nobodys not in project + preferences


def test_a_thread_that_moves_and_an_agent_that_speaks_to_another(tmp_path: Path) -> None:
    """What is said in another folder belongs to the project there; what an agent tells its sub-agent is nobody's."""
    with scripted_model(SCRIPTS) as model:
        desk = new_desk(tmp_path, model.url)
        assert said(desk, "We always use pnpm here; delegate this.") == 0
        elsewhere = replace(desk, project=new_desk(tmp_path / "else", model.url).project.rename(tmp_path / "orchard"))
        threads = sorted((desk.home / ".codex" / "sessions").rglob("rollout-*.jsonl"))
        assert len(threads) == 2  # the person's and the sub-agent's
        assert said(elsewhere, "Postgres 15 only, never MySQL.", resumes=threads[0].stem[-36:]) == 0
        taken = json.loads(desk.commonbook("capture", "--host", "codex", "--json"))
        assert (_count(taken, "sessions"), _count(taken, "new"), _count(taken, "unknown_records")) == (1, 2, 0)

    desk.commonbook("maintain")
    projects = list((desk.home / ".commonbook" / "data" / "memory" / "projects").glob("*.md"))
    by_name = {path.stem.partition("-")[0]: path.read_text() for path in projects}
    assert "pnpm" in by_name["lantern"] and "Postgres" not in by_name["lantern"]
    assert "Postgres" in by_name["orchard"] and "pnpm" not in by_name["orchard"]
    assert all("Haskell" not in path.read_text() for path in desk.home.rglob("memory/**/*.md"))


def said(desk: Desk, words: str, *, resumes: str | None = None) -> int:
    before = () if resumes is None else ("resume", resumes)
    return codex(desk, "exec", *before, "--skip-git-repo-check", words).returncode


def _count(answer: dict[str, object], name: str) -> int:
    hosts = answer["hosts"]
    assert isinstance(hosts, list)
    return sum(int(host[name]) for host in hosts)
