"""Install the pinned real clients from npm into .clients/; run by ``make test-clients``.

Where npm is missing or fails, says so and exits 0, except on CI: there a client that was not tested is a failure.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / ".clients"
PACKAGES = {
    "node": "24.21.0",
    "@anthropic-ai/claude-code": "2.1.332",
    "@openai/codex": "0.171.0",
    "@earendil-works/pi-coding-agent": "1.6.0",
    "pi-0851": "npm:@earendil-works/pi-coding-agent@0.85.1",
}
BINARIES = {
    "node": "node/bin/node",
    "claude": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "pi": "@earendil-works/pi-coding-agent",
    "pi-0851": "pi-0851",
}


def installed() -> bool:
    manifest = FOLDER / "package.json"
    wanted = {"private": True, "dependencies": PACKAGES}
    return (FOLDER / ".installed").exists() and json.loads(manifest.read_text()) == wanted


def install() -> bool:
    """True when every client is there; npm's own word is printed when it is not."""
    if installed():
        return True
    npm = shutil.which("npm")
    if npm is None:
        print("npm was not found: install Node.js 20 or newer, then run `make test-clients` again.")
        return False
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / ".installed").unlink(missing_ok=True)
    (FOLDER / "package.json").write_text(json.dumps({"private": True, "dependencies": PACKAGES}))
    done = subprocess.run([npm, "install", "--no-fund", "--no-audit", "--loglevel=error"], cwd=FOLDER, check=False)
    if done.returncode:
        print("npm could not install the clients (its own words stand above).")
        return False
    (FOLDER / ".installed").touch()
    return True


if __name__ == "__main__":
    sys.exit(0 if install() or not os.environ.get("CI") else 1)
