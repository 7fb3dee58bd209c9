"""A person edits the book by hand while agents read and search it, several at once."""

import os
import subprocess
import sys
from pathlib import Path

from commonbook.recall.reader import read_current
from commonbook.recall.search import SearchRequest, retrieve
from commonbook.settings.model import Read, Settings
from tests.support.recall_home import APPLE, PEAR, put, recall_home, register

NAMES = ("alder", "birch", "cedar", "elder")
WORKER = """
import sys
from pathlib import Path
from commonbook.recall.search import SearchRequest, retrieve
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home

home = Home(Path(sys.argv[1]), Path(sys.argv[1]) / "data")
note = home.memory / "notes" / "global" / f"{sys.argv[2]}.md"
for number in range(40):
    note.write_text(f"# N\\n\\n## Count\\n\\n{sys.argv[2]} counts x{number}x\\n", encoding="utf-8")
    hits = retrieve(home, Settings(), SearchRequest(f"{sys.argv[2]}")).segments
    assert hits[0].text == f"{sys.argv[2]} counts x{number}x", hits
"""


def search(home_root: Path, query: str, settings: Settings | None = None) -> list[str]:
    from commonbook.settings.paths import Home

    home = Home(home_root, home_root / "data")
    result = retrieve(home, settings or Settings(), SearchRequest(query, k=20))
    return [hit.text for hit in result.segments]


def test_a_line_is_corrected_moved_and_removed_by_hand(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    path = put(home, "preferences", "# Preferences\n\n## Packages\n\nUse npm.\n")
    assert search(tmp_path, "npm") == ["Use npm."]
    path.write_text("# Preferences\n\n## Packages\n\nUse pnpm, never npm.\n", encoding="utf-8")
    assert search(tmp_path, "npm") == ["Use pnpm, never npm."]
    assert "Use pnpm, never npm." in read_current(home, Settings(), ["global"]).rendered
    path.rename(home.memory / "profile.md")
    assert read_current(home, Settings(), ["global"]).documents[1].empty
    (home.memory / "profile.md").unlink()
    assert search(tmp_path, "npm") == [] and read_current(home, Settings(), ["global"]).empty


def test_a_permission_withdrawn_is_gone_with_the_next_call(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    for project in (APPLE, PEAR):
        put(home, f"projects/{project}", f"# Project: {project}\n\n## Secret plan\n\nthe plan of {project}\n")
    assert len(search(tmp_path, "plan")) == 2
    assert search(tmp_path, "plan", Settings(read=Read(scopes=(f"project:{PEAR}",)))) == [f"the plan of {PEAR}"]
    register(home, APPLE)
    assert search(tmp_path, "plan") == [f"the plan of {APPLE}"]
    register(home)
    assert search(tmp_path, "plan") == []


def test_four_processes_edit_and_search_at_once(tmp_path: Path) -> None:
    home = recall_home(tmp_path)
    (home.memory / "notes" / "global").mkdir(parents=True)
    source = Path(__file__).resolve().parents[2] / "src"
    environment = {**os.environ, "PYTHONPATH": str(source)}
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path), name], env=environment) for name in NAMES]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0, 0, 0]
    kept = sorted(search(tmp_path, " ".join(NAMES)))
    assert kept == [f"{name} counts x39x" for name in NAMES]
    home.recall_database.unlink()
    assert sorted(search(tmp_path, " ".join(NAMES))) == kept
