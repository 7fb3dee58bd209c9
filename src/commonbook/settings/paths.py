"""Where everything lives: one place for the names of design chapter "Places on disk"."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Home:
    """``$COMMONBOOK_HOME`` and what stands in it. ``data`` may be moved by the setting ``data``; nothing else may."""

    root: Path
    data: Path

    @property
    def config(self) -> Path:
        return self.root / "config.toml"

    @property
    def secrets(self) -> Path:
        return self.root / "secrets.env"

    @property
    def spool(self) -> Path:
        return self.root / "spool"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def store_file(self) -> Path:
        return self.data / "store.toml"

    @property
    def memory(self) -> Path:
        return self.data / "memory"

    @property
    def projects_file(self) -> Path:
        return self.data / "projects.toml"

    @property
    def runtime_database(self) -> Path:
        return self.data / "runtime.sqlite"

    @property
    def receipts(self) -> Path:
        return self.data / "runtime" / "receipts"

    @property
    def transactions(self) -> Path:
        return self.data / "runtime" / "transactions"

    @property
    def upgrade_backups(self) -> Path:
        return self.data / "runtime" / "upgrade-backups"

    @property
    def history_database(self) -> Path:
        return self.data / "history.sqlite"

    @property
    def sections_file(self) -> Path:
        return self.data / "sections.json"

    @property
    def recall_database(self) -> Path:
        return self.data / "recall.sqlite"


def home_root(environment: dict[str, str] | None = None) -> Path:
    """``$COMMONBOOK_HOME``, else ``~/.commonbook``; a home that is itself a link is resolved once, here."""
    env = os.environ if environment is None else environment
    chosen = env.get("COMMONBOOK_HOME")
    return Path(
        os.path.realpath(Path(chosen).expanduser() if chosen else Path(env.get("HOME") or Path.home()) / ".commonbook")
    )
