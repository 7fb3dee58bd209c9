"""Projects: seen on first sight, registered when something is kept, held where the person wants to be asked."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commonbook.book.registry import read_projects
from commonbook.errors import Code, PlaceError, UsageError
from commonbook.keeper import queue
from commonbook.keeper.contracts import Store
from commonbook.keeper.ingress import deliver, take_turns
from commonbook.keeper.opening import close_store
from commonbook.keeper.projects import (
    keep_project,
    list_projects,
    publish_registry,
    register_project,
    remove_project,
    scope_for,
)
from commonbook.settings.model import Projects, Settings
from commonbook.vocabulary import GLOBAL, ConsideredBy, ProjectId
from tests.support.queueing import delivery, opened, said, session


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = opened(tmp_path / "home")
    yield store
    close_store(store)


@pytest.fixture
def atlas(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "atlas"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "src").mkdir()
    return folder


def asking(store: Store) -> Store:
    return replace(store, settings=Settings(projects=Projects(on_first_sight="ask")))


def test_no_folder_and_home_are_global(store: Store, empty_home: Path) -> None:
    assert scope_for(store, None).scope == GLOBAL
    assert scope_for(store, str(empty_home)).scope == GLOBAL
    assert scope_for(store, "/").scope == GLOBAL
    assert list_projects(store, everything=True) == ()


def test_a_repository_is_one_project_from_every_folder_in_it(store: Store, atlas: Path) -> None:
    first = scope_for(store, str(atlas))
    assert first.scope.startswith("project:atlas-") and first.held is None
    assert scope_for(store, str(atlas / "src")).project == first.project
    [entry] = list_projects(store, everything=True)
    assert (entry.state, entry.root, entry.waiting) == ("seen", str(atlas), 0)
    assert list_projects(store) == ()
    publish_registry(store)
    assert read_projects(store.home) == (), "readers see it when something has been kept"


def test_a_folder_that_is_gone_is_matched_as_text(store: Store) -> None:
    first = scope_for(store, "/srv/gone/for-ever")
    assert first.project is not None
    assert scope_for(store, "/srv/gone/for-ever/src").project == first.project


def test_keeping_a_fact_registers_the_project(store: Store, atlas: Path) -> None:
    match = scope_for(store, str(atlas))
    with store.ledger.write() as ledger:
        assert keep_project(ledger, match.scope, 5)
        assert not keep_project(ledger, match.scope, 6)
        assert not keep_project(ledger, GLOBAL, 6)
    publish_registry(store)
    [published] = read_projects(store.home)
    assert (published.id, published.state) == (match.project, "registered")


def test_where_the_person_wants_to_be_asked_deliveries_wait_and_are_never_global(store: Store, atlas: Path) -> None:
    ask = asking(store)
    match = scope_for(ask, str(atlas))
    assert match.held is Code.UNREGISTERED_PROJECT and match.scope != GLOBAL
    assert take_turns(ask, session(scope=match.scope), [said(1)], None).held == 1
    assert queue.claim(ask, ConsideredBy.RULES, "test") is None

    entry = register_project(ask, str(atlas))
    assert entry.id == match.project, "a folder that was seen keeps its id"
    claim = queue.claim(ask, ConsideredBy.RULES, "test")
    assert claim is not None and claim.scope == match.scope


def test_a_removed_project_holds_its_deliveries_and_comes_back_under_a_new_id(store: Store, atlas: Path) -> None:
    entry = register_project(store, str(atlas), "Atlas")
    deliver(store, delivery("r1", scope=scope_for(store, str(atlas)).scope))
    removed = remove_project(store, entry.id)
    assert (removed.state, removed.waiting) == ("removed", 1)
    assert store.ledger.row("SELECT state, issue FROM observations") == ("held", "UNREGISTERED_PROJECT")
    assert [project.state for project in read_projects(store.home)] == ["removed"]

    again = register_project(store, str(atlas))
    assert again.id != entry.id
    assert queue.claim(store, ConsideredBy.RULES, "test") is None, "what was said to the old id is not rebound"
    assert {project.state for project in read_projects(store.home)} == {"removed", "registered"}
    with pytest.raises(UsageError):
        remove_project(store, entry.id)


def test_a_subfolder_that_a_person_registers_stands_apart(store: Store, atlas: Path) -> None:
    whole = scope_for(store, str(atlas)).project
    part = register_project(store, str(atlas / "src"))
    assert part.rule == "person"
    assert scope_for(store, str(atlas / "src")).project == part.id
    assert scope_for(store, str(atlas)).project == whole


def test_what_is_no_project_root_is_refused(store: Store, tmp_path: Path, empty_home: Path) -> None:
    with pytest.raises(PlaceError) as missing:
        register_project(store, str(tmp_path / "nowhere"))
    assert missing.value.code is Code.FOLDER_MISSING
    with pytest.raises(UsageError) as home:
        register_project(store, str(empty_home))
    assert home.value.code is Code.NOT_A_PROJECT_ROOT
    with pytest.raises(UsageError):
        remove_project(store, ProjectId("nobody-0000"))
