from collections.abc import Callable
from pathlib import Path

import pytest

from commonbook.app import open_read_gateway
from commonbook.book.registry import Project, write_projects
from commonbook.channels.gateway.operations import (
    FindContext,
    Gateway,
    ListContexts,
    ListQueue,
    Maintain,
    Operation,
    ReadMemory,
    ReadStatus,
    SearchMemory,
)
from commonbook.errors import CommonbookError
from commonbook.settings.paths import Home
from commonbook.vocabulary import ProjectId

KITE, MOTH, GONE = ProjectId("kite-1a2b"), ProjectId("moth-3c4d"), ProjectId("gone-5e6f")


@pytest.fixture
def home(empty_home: Path) -> Home:
    """Two registered projects, a removed one, and a line in each document."""
    home = Home(empty_home / ".commonbook", empty_home / ".commonbook" / "data")
    (home.memory / "projects").mkdir(parents=True)
    roots = {name: empty_home / name for name in ("kite", "moth", "gone")}
    for root in roots.values():
        (root / "sub").mkdir(parents=True)
    (roots["kite"] / ".git").mkdir()
    (roots["kite"] / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    write_projects(
        home,
        [
            Project(KITE, "Kite", str(roots["kite"]), "repository", "registered"),
            Project(MOTH, "Moth", str(roots["moth"]), "folder", "registered"),
            Project(GONE, "Gone", str(roots["gone"]), "folder", "removed"),
        ],
    )
    (home.memory / "preferences.md").write_text("# Preferences\n\n## Tools\n\n- Use pnpm.\n")
    (home.memory / "projects" / f"{KITE}.md").write_text("# Project Kite\n\n## Releases\n\n- Tag with semver.\n")
    return home


@pytest.fixture
def gateway(home: Home) -> Gateway:
    return open_read_gateway()


def texts(gateway: Gateway, asked: ReadMemory) -> str:
    return "\n".join(document.content for document in gateway.call(asked).documents)


def test_a_folder_shows_what_holds_everywhere_and_its_own_project(gateway: Gateway, empty_home: Path) -> None:
    inside = gateway.call(ReadMemory(cwd=str(empty_home / "kite" / "sub")))
    assert inside.contexts == ("global", f"project:{KITE}")
    assert "semver" in texts(gateway, ReadMemory(cwd=str(empty_home / "kite")))
    for elsewhere in (empty_home, empty_home / "moth", empty_home / "gone", Path("/")):
        seen = texts(gateway, ReadMemory(cwd=str(elsewhere)))
        assert "pnpm" in seen
        assert "semver" not in seen


def test_without_a_folder_everything_that_may_be_read_is(gateway: Gateway) -> None:
    assert gateway.call(ReadMemory()).contexts == ("global", f"project:{KITE}", f"project:{MOTH}")


def test_a_context_is_found_for_a_folder_and_says_how(gateway: Gateway, empty_home: Path) -> None:
    for path, context, rule in (
        ("kite/sub", f"project:{KITE}", "registered"),
        ("gone", None, "unknown"),
        ("never/seen", None, "unknown"),
        ("", "global", "home"),
    ):
        found = gateway.call(FindContext(path=str(empty_home / path)))
        assert (found.context, found.rule) == (context, rule), path


def test_a_pinned_project_is_never_bound_to_another(gateway: Gateway) -> None:
    assert gateway.call(FindContext(project=KITE)).context == f"project:{KITE}"
    for other in (GONE, "Kite", "kite", "kite-0000"):
        assert gateway.call(FindContext(project=other)).context is None


def test_contexts_are_what_is_registered_and_allowed(home: Home) -> None:
    names = [view.name for view in open_read_gateway().call(ListContexts())]
    assert names == ["global", "Kite", "Moth"]
    home.config.write_text(f'[read]\nscopes = ["project:{KITE}"]\n')
    narrow = open_read_gateway()
    assert [view.name for view in narrow.call(ListContexts())] == ["Kite"]
    assert narrow.call(FindContext(project=MOTH)).rule == "not_allowed"
    assert narrow.call(ReadMemory(cwd=str(home.root.parent / "kite"))).contexts == (f"project:{KITE}",)
    with pytest.raises(CommonbookError, match="CONTEXT_UNAVAILABLE"):
        narrow.call(ReadMemory(contexts=("global",)))


@pytest.mark.parametrize("asked", [ReadMemory, lambda cwd: SearchMemory("semver", cwd=cwd)])
def test_a_folder_without_anything_readable_does_not_show_everything(
    home: Home, asked: Callable[..., Operation[object]]
) -> None:
    (home.root / "config.toml").write_text(f'[read]\nscopes = ["project:{KITE}"]\n')
    for name in ("moth", "gone", "never-seen"):
        with pytest.raises(CommonbookError, match="CONTEXT_UNAVAILABLE"):
            open_read_gateway().call(asked(cwd=str(home.root.parent / name)))


def test_search_stays_in_the_folder_where_asked_to(gateway: Gateway, empty_home: Path) -> None:
    everywhere = gateway.call(SearchMemory("semver")).segments
    assert [hit.target for hit in everywhere] == [f"projects/{KITE}"]
    assert gateway.call(SearchMemory("semver", cwd=str(empty_home / "moth"))).segments == ()
    assert gateway.call(SearchMemory("semver", cwd=str(empty_home / "kite"))).segments == everywhere


@pytest.mark.parametrize("operation", [ReadStatus(), ListQueue(), Maintain()])
def test_a_read_gateway_can_do_nothing_else(gateway: Gateway, operation: Operation[object], home: Home) -> None:
    with pytest.raises(CommonbookError, match="MEMORY_UNAVAILABLE"):
        gateway.call(operation)
    assert not home.runtime_database.exists()


def test_an_unreadable_document_is_named_and_the_rest_is_served(gateway: Gateway, home: Home) -> None:
    (home.memory / "profile.md").symlink_to(home.memory / "preferences.md")
    view = gateway.call(ReadMemory(contexts=("global",)))
    assert [(problem.code, problem.path) for problem in view.unreadable] == [("UNSAFE_FILE", "profile")]
    assert "pnpm" in texts(gateway, ReadMemory(contexts=("global",)))


def test_reading_an_absent_memory_creates_nothing(empty_home: Path) -> None:
    gateway = open_read_gateway()
    assert gateway.call(ReadMemory()).empty
    assert gateway.call(SearchMemory("anything")).segments == ()
    assert [view.context for view in gateway.call(ListContexts())] == ["global"]
    assert list(empty_home.iterdir()) == []
