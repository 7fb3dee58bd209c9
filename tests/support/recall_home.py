"""A home with Markdown, registry and facts as Core leaves them, for the read side alone."""

import os
from pathlib import Path

from commonbook.book.facts import SectionFact, write_facts
from commonbook.book.grammar import title_digest
from commonbook.book.registry import Project, write_projects
from commonbook.clock import Milliseconds
from commonbook.settings.paths import Home
from commonbook.vocabulary import ProjectId, Target

NOW: Milliseconds = 1_800_000_000_000
LONG_AGO_NS = 1_700_000_000 * 10**9
APPLE, PEAR = ProjectId("apple-00aa"), ProjectId("pear-00bb")


class FixedClock:
    def __init__(self, now: Milliseconds = NOW) -> None:
        self.value = now

    def now(self) -> Milliseconds:
        return self.value


def recall_home(root: Path, *, registered: tuple[ProjectId, ...] = (APPLE, PEAR)) -> Home:
    home = Home(root, root / "data")
    home.memory.mkdir(parents=True)
    register(home, *registered)
    return home


def register(home: Home, *projects: ProjectId) -> None:
    write_projects(home, [Project(one, one, f"/src/{one}", "repository", "registered") for one in projects])


def put(home: Home, target: str, text: str | bytes, *, mtime_ns: int = LONG_AGO_NS) -> Path:
    """Write a document. Its time is long ago unless said: a file of this moment would be read again by every search."""
    path = home.memory / f"{target}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(path, ns=(mtime_ns, mtime_ns))
    return path


def put_fact(home: Home, target: str, title: str, date: Milliseconds, *sources: str) -> None:
    write_facts(home, [SectionFact(Target(target), title_digest(title), date, sources)])
