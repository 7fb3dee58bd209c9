"""Where a newcomer got stuck, through the real command line: each way out that we name leads out."""

import json
from pathlib import Path

import pytest

from tests.hosts.pi_files import PiFile
from tests.support.cli import Ran, real_commonbook

FORKS = Path(__file__).resolve().parents[1] / "recordings"


@pytest.fixture
def session(empty_home: Path) -> PiFile:
    """One session of Pi in a project folder, where Pi puts it."""
    folder = empty_home / "gull-api"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return PiFile(empty_home / ".pi/agent/sessions/--gull-api--/2026-01-01_s.jsonl", cwd=str(folder))


def commonbook(*words: str, terminal: bool = False, typed: str = "", code: int | None = 0) -> Ran:
    ran = real_commonbook(*words, terminal=terminal, typed=typed)
    assert code is None or ran.code == code, ran.out + ran.err
    return ran


def test_what_was_put_aside_can_be_seen_let_through_and_thrown_away(session: PiFile) -> None:
    session.turn("My card is 4111 1111 1111 1111, put it into the fixture.")
    commonbook("capture")
    (item,) = commonbook("queue", "list", "--json").json["items"]
    shown = commonbook("queue", "show", item["id"]).out
    for words in ("put aside", "4111 1111 1111 1111", f"queue retry {item['id']}", f"queue discard {item['id']}"):
        assert words in shown
    commonbook("queue", "retry", item["id"])
    commonbook("maintain")
    for action in ("retry", "cancel"):
        assert "Nothing that waits" in commonbook("queue", action, item["id"], code=1).err
    commonbook("queue", "discard", item["id"])
    assert commonbook("queue", "show", item["id"], "--json").json["words"] is None
    home = Path.home() / ".commonbook"
    assert b"4111 1111" not in b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert json.loads(commonbook("capture", "--json").out)["hosts"][0]["new"] == 0
