"""A real Pi writes a session; Commonbook reads it, keeps what was said, and adds exactly what comes later."""

import json
from pathlib import Path

import pytest

from tests.clients.clients import PI_VERSIONS, new_desk, pi
from tests.clients.scripted_model import Fail, Reply, Say, scripted_model

pytestmark = [pytest.mark.client, pytest.mark.timeout(180)]

SCRIPTS: dict[str, list[Reply]] = {
    "never npm": [Say("Since you prefer tabs, I will use tabs.")],
    "semver": [Fail(400, "the model broke")],
    "用中文回答": [Say("好的。")],
}


@pytest.mark.parametrize("version", PI_VERSIONS)
def test_what_was_said_in_pi_becomes_memory_and_later_lines_are_added(version: str, tmp_path: Path) -> None:
    with scripted_model(SCRIPTS) as model:
        desk = new_desk(tmp_path, model.url)
        assert pi(desk, version, "-p", "Always use pnpm here, never npm.").returncode == 0

        first = json.loads(desk.commonbook("capture", "--json"))
        again = json.loads(desk.commonbook("capture", "--json"))
        assert _new(first) == 1
        assert _new(again) == 0

        pi(desk, version, "-p", "-c", "We tag releases with semver, v1.4.0 style.")  # the model fails; the user spoke
        pi(desk, version, "-p", "-c", "以后都用中文回答我")
        later = json.loads(desk.commonbook("capture", "--json"))
        assert _new(later) == 2

    desk.commonbook("maintain")
    memory = desk.home / ".commonbook" / "data" / "memory"
    project = "\n".join(path.read_text() for path in (memory / "projects").glob("*.md"))
    assert "use pnpm here, never npm" in project
    assert "semver" in project
    assert "用中文回答" in (memory / "preferences.md").read_text()
    assert "tabs" not in project + (memory / "preferences.md").read_text()


def _new(answer: dict[str, object]) -> int:
    """New user messages over all hosts of a ``capture --json`` answer."""
    hosts = answer["hosts"]
    assert isinstance(hosts, list)
    return sum(int(host["new"]) for host in hosts)
