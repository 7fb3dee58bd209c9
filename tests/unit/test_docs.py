"""Documentation that is made from the code is up to date, and the two READMEs tell the same story."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_setting_is_documented_with_its_present_default() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate_settings.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_both_readmes_have_the_same_sections_commands_and_links() -> None:
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
    for pattern in (
        r"^(#+) ",
        r"`(?:make|commonbook) ?([a-z-]*)",
        r"\]\((docs/[^)]+|AGENTS\.md|LICENSE)\)",
        r"^\| ---",
    ):
        found = [re.findall(pattern, text, re.MULTILINE) for text in (english, chinese)]
        assert found[0] == found[1], pattern


def test_every_link_in_the_readmes_and_docs_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
