"""Six recorded developers talk to Pi and Claude Code; the offline rules keep what they said and nothing else.

The answer keys stand beside the recordings: ``keep`` and ``replaces`` must be found at the end, what was forgotten, replaced,
secret, said by somebody else or only for today must not. A line is supported by a key text when most of its words stand in it.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commonbook.agents.rules.agent import RulesAgent
from commonbook.capture import capture
from commonbook.hosts.catalogue import find_host
from commonbook.keeper.opening import close_store, open_store
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home
from commonbook.worker import Maintainer, run_maintenance

RECORDINGS = Path(__file__).parent.parent / "recordings"
HOSTS = {"pi-0.85.1": "pi", "pi-1.6.0": "pi", "claude-code-2.1": "claude-code"}
STORIES = sorted(path.parent for version in HOSTS for path in RECORDINGS.glob(f"{version}/stories/*/*.key.json"))


def words(text: str) -> set[str]:
    latin = [word for word in re.findall(r"[a-z0-9_./-]+", text.lower()) if len(word) > 1 or word.isdigit()]
    return {*latin, *re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)}


def cover(said: str, line: str) -> float:
    return len(words(said) & words(line)) / len(words(said))


def remembered(story: Path, folder: Path) -> dict[str, list[str]]:
    """Lines by document, after capture and maintenance, twice: the second time nothing may change."""
    home = Home(folder, folder / "data")
    found: dict[str, list[str]] = {}
    for _ in range(2):
        store = open_store(home, Settings())
        capture(store, find_host(HOSTS[story.parent.parent.name]), root=story)
        close_store(store)
        run_maintenance(Maintainer(lambda: open_store(home, Settings()), RulesAgent()))
        former, found = (
            found,
            {
                path.relative_to(home.memory).as_posix(): [
                    line.removeprefix("- ")
                    for line in path.read_text(encoding="utf-8").splitlines()
                    if line.startswith("- ")
                ]
                for path in sorted(home.memory.rglob("*.md"))
            },
        )
        assert former in ({}, found)
    return found


def test_the_recordings_are_there() -> None:
    assert len(STORIES) == 6


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_a_story(story: Path, tmp_path: Path) -> None:
    key: list[dict[str, Any]] = json.loads(next(story.glob("*.key.json")).read_text(encoding="utf-8"))
    memory = remembered(story, tmp_path / "home")
    lines = [line for document in memory.values() for line in document]
    gone = {entry["verdict"].partition(":")[2] for entry in key} - {""}
    keep = [entry for entry in key if entry["verdict"].startswith(("keep", "replaces")) and entry["ref"] not in gone]

    wanted = [entry for entry in keep if not entry.get("optional")]
    kept = [entry for entry in wanted if any(cover(entry["text"], line) >= 0.6 for line in lines)]
    assert len(kept) >= 0.8 * len(wanted), [entry["ref"] for entry in wanted if entry not in kept]

    for entry in kept:
        places = {
            name.startswith("projects/")
            for name, held in memory.items()
            for line in held
            if cover(entry["text"], line) >= 0.6
        }
        assert places == {entry["scope"] == "project"}, entry["ref"]
    for line in lines:
        good = max(cover(entry["text"], line) for entry in keep)
        for entry in key:
            if entry["verdict"] in ("ignore", "not-user"):
                assert cover(entry["text"], line) <= max(good, 0.6), (entry["ref"], line)
            elif entry["ref"] in gone:
                assert cover(entry["text"], line) < 0.75 or good >= 0.6, (entry["ref"], line)
    text = "\n".join(lines)
    assert not [entry["ref"] for entry in key if entry["verdict"] == "secret" and entry["text"] in text]
