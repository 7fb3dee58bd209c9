"""All hosts together: which one a folder belongs to, and what they are called."""

import shutil
from pathlib import Path

import pytest

from commonbook.channels.cli.words import spoken
from commonbook.errors import Code, PlaceError
from commonbook.hosts.catalogue import all_hosts, hosts_of
from tests.support.cli import real_commonbook as commonbook

RECORDINGS = Path(__file__).parent.parent / "recordings"


@pytest.mark.parametrize(
    ("recording", "host"),
    [("pi-0.85.1", "pi"), ("pi-1.6.0", "pi"), ("codex-0.171", "codex"), ("claude-code-2.1", "claude-code")],
)
def test_a_folder_tells_whose_sessions_it_holds(recording: str, host: str) -> None:
    assert [spec.id for spec in hosts_of(RECORDINGS / recording)] == [host]


def test_a_folder_that_is_missing_belongs_to_nobody(tmp_path: Path) -> None:
    assert hosts_of(tmp_path) == ()
    with pytest.raises(PlaceError) as raised:
        hosts_of(tmp_path / "missing")
    assert raised.value.code is Code.FOLDER_MISSING


def test_people_are_told_the_names_of_hosts() -> None:
    assert {spec.id: spoken("host", spec.id) for spec in all_hosts()} == {spec.id: spec.name for spec in all_hosts()}


def test_a_session_folder_needs_no_host_unless_it_holds_several(empty_home: Path) -> None:
    story = RECORDINGS / "claude-code-2.1" / "stories" / "bram-tollbooth"
    ran = commonbook("capture", "--session-dir", str(story))
    assert (ran.code, ran.err) == (0, "")
    assert "Claude Code" in ran.out
    mixed = commonbook("capture", "--session-dir", str(RECORDINGS))
    assert mixed.code == 2
    assert "--host: pi, codex, claude-code" in mixed.err
    assert commonbook("capture", "--host", "claude-code", "--session-dir", str(RECORDINGS)).code == 0


def test_all_hosts_that_are_found_are_read_and_shown(empty_home: Path) -> None:
    """A Pi folder and a Claude Code folder where the hosts themselves put them; no Codex."""
    shutil.copytree(RECORDINGS / "pi-0.85.1" / "stories" / "tobin-lanternfish", empty_home / ".pi/agent/sessions")
    shutil.copytree(RECORDINGS / "claude-code-2.1" / "stories" / "bram-tollbooth", empty_home / ".claude/projects")
    offered = commonbook()
    assert "Pi" in offered.out and "Claude Code" in offered.out and "Codex" not in offered.out
    report = commonbook("capture", "--json").json
    assert [(host["host"], host["sessions"], host["new"]) for host in report["hosts"]] == [
        ("pi", 2, 12),
        ("claude-code", 2, 12),
    ]
    told = commonbook("status").out
    assert told.count("sessions 2") == 2
    assert "no sessions at ~/.codex/sessions" in told
    assert commonbook("--json", "--yes").code == 0
    assert "Claude Code" in commonbook("why", "profile").out


def test_a_host_whose_folder_cannot_be_read_keeps_nobody_from_the_others(empty_home: Path) -> None:
    shutil.copytree(RECORDINGS / "claude-code-2.1/stories/bram-tollbooth", empty_home / ".claude/projects")
    (empty_home / ".pi/agent").mkdir(parents=True)
    (empty_home / ".pi/agent/sessions").symlink_to("sessions")
    report = commonbook("capture", "--json").json
    assert [(host["host"], host["new"]) for host in report["hosts"]] == [("pi", 0), ("claude-code", 12)]
    assert [problem["code"] for problem in report["hosts"][0]["problems"]] == ["FILE_UNREADABLE"]
    assert commonbook("capture", "--host", "pi").code == 1
