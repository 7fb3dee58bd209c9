"""Every test gets an empty home; a tripwire fails the run when the real one is opened for writing."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REAL_HOME = Path(os.environ.get("HOME") or Path.home()).resolve()
GUARDED = tuple(
    str(REAL_HOME / name)
    for name in (".commonbook", ".pi", ".codex", ".claude", ".claude.json", ".local/share/opencode")
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_EVENTS = ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir")


class Tripwire:
    """An audit hook: Python tells it every file that is opened, and with which flags."""

    def __init__(self) -> None:
        self.touched: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _EVENTS and isinstance(path := arguments[0], str) and path.startswith(GUARDED):
            flags = arguments[2] if event == "open" else _WRITING
            if isinstance(flags, int) and flags & _WRITING:
                self.touched.append(path)


TRIPWIRE = Tripwire()
sys.addaudithook(TRIPWIRE)


@pytest.fixture(autouse=True)
def empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own for each test, English sentences, no settings of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("COMMONBOOK", "PI_", "CODEX_", "CLAUDE")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("COMMONBOOK_LANG", "en")
    TRIPWIRE.touched.clear()
    yield home
    assert not TRIPWIRE.touched, f"a test wrote into the real home: {TRIPWIRE.touched}"
