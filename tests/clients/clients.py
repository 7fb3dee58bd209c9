"""How to start each real client: its own empty home, the scripted model, nothing else."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.clients.install import FOLDER

MODULES = FOLDER / "node_modules"
COMMONBOOK = Path(sys.executable).parent / "commonbook"
PI_VERSIONS = {"1.6.0": "@earendil-works/pi-coding-agent", "0.85.1": "pi-0851"}


@dataclass(frozen=True)
class Desk:
    """One person's machine in a test: a home folder, a project folder, a model server."""

    home: Path
    project: Path
    model_url: str

    def environment(self, **more: str) -> dict[str, str]:
        path = f"{MODULES / '.bin'}:{COMMONBOOK.parent}:/usr/bin:/bin"
        return {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb", **more}

    def run(self, *argv: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(part) for part in argv],
            cwd=self.project,
            env=env or self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def commonbook(self, *arguments: str) -> str:
        done = self.run(COMMONBOOK, *arguments)
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout


def new_desk(folder: Path, model_url: str) -> Desk:
    home, project = folder / "home", folder / "desk" / "lantern"
    for place in (home, project / ".git"):
        place.mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return Desk(home, project, model_url)


def claude(desk: Desk, prompt: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = desk.environment(
        ANTHROPIC_BASE_URL=desk.model_url,
        ANTHROPIC_API_KEY="sk-ant-scripted",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_AUTOUPDATER="1",
    )
    return desk.run(
        MODULES / ".bin" / "claude", *(arguments or ("-p", prompt, "--allowedTools", "mcp__commonbook__*")), env=env
    )


def codex(desk: Desk, *arguments: str) -> subprocess.CompletedProcess[str]:
    folder = desk.home / ".codex"
    folder.mkdir(exist_ok=True)
    config = folder / "config.toml"
    if not config.exists():
        config.write_text(
            f"""model = "scripted-model"
model_provider = "loopback"
approval_policy = "never"
check_for_update_on_startup = false
[model_providers.loopback]
name = "Loopback"
base_url = "{desk.model_url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
"""
        )
    return desk.run(MODULES / ".bin" / "codex", *arguments, env=desk.environment(SCRIPTED_KEY="scripted"))


def pi(desk: Desk, version: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One headless prompt of Pi; ``-c`` goes on with the last session."""
    agent = desk.home / ".pi" / "agent"
    agent.mkdir(parents=True, exist_ok=True)
    one = {"id": "scripted-model", "name": "Scripted", "reasoning": False, "contextWindow": 128_000, "maxTokens": 8192}
    provider = {"baseUrl": f"{desk.model_url}/v1", "api": "openai-completions", "apiKey": "scripted", "models": [one]}
    (agent / "models.json").write_text(json.dumps({"providers": {"loopback": provider}}))
    settings = {"defaultProvider": "loopback", "defaultModel": "scripted-model", "retry": {"enabled": False}}
    (agent / "settings.json").write_text(json.dumps(settings))
    quiet = {"PI_OFFLINE": "1", "PI_TELEMETRY": "0", "PI_SKIP_VERSION_CHECK": "1"}
    cli = MODULES / PI_VERSIONS[version] / "dist" / "bundle" / "cli.js"
    return desk.run(MODULES / ".bin" / "node", cli, *arguments, env=desk.environment(**quiet))


def installed() -> bool:
    return (FOLDER / ".installed").exists() or bool(os.environ.get("CI"))
