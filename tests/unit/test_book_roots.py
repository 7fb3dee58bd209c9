"""Which folder is which project: repositories, worktrees, vanished folders, and places that are never one."""

import os
import subprocess
from pathlib import Path

import pytest

from commonbook.book.roots import KnownRoot, find_root, new_project_id, real_root
from commonbook.vocabulary import PROJECT_ID, ProjectId

GONE = "/home/dev/proj/gone"


def _known(identity: str, root: str | Path, *, apart: bool = False) -> KnownRoot:
    return KnownRoot(ProjectId(identity), str(root), apart)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    repo = tmp_path / "repo"
    (repo / "src" / "deep").mkdir(parents=True)
    for command in (
        ("init", "-q"),
        ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "--allow-empty", "-m", "x"),
        ("worktree", "add", "-q", "../tree"),
    ):
        subprocess.run(("git", *command), cwd=repo, check=True, capture_output=True)
    return repo


def test_a_folder_of_a_repository_and_its_worktrees_are_one_project(repository: Path) -> None:
    for folder in (repository, repository / "src" / "deep", repository.parent / "tree"):
        match = find_root(str(folder), ())
        assert match is not None
        assert (match.root, match.rule, match.name) == (str(repository), "repository", "repo")


def test_worktrees_of_a_bare_repository_share_it(repository: Path) -> None:
    bare = repository.parent / "store.git"
    subprocess.run(("git", "clone", "-q", "--bare", str(repository), str(bare)), check=True, capture_output=True)
    for name in ("one", "two"):
        command = ("git", "worktree", "add", "-q", "-b", name, str(repository.parent / name))
        subprocess.run(command, cwd=bare, check=True, capture_output=True)
    found = {find_root(str(repository.parent / name), ()) for name in ("one", "two")}
    assert {(match.root, match.name) for match in found if match} == {(str(bare), "store")}


def test_a_submodule_is_its_own_project(repository: Path) -> None:
    inner = repository / "vendor"
    inner.mkdir()
    (repository / ".git" / "modules" / "vendor").mkdir(parents=True)
    (inner / ".git").write_text("gitdir: ../.git/modules/vendor\n")
    match = find_root(str(inner), [_known("repo-0000", repository)])
    assert match is not None
    assert (match.root, match.known) == (str(inner), None)


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: /nowhere", "\x00\xff", "x" * 9000])
def test_a_broken_git_file_makes_a_plain_folder(text: str, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".git").write_text(text, encoding="latin-1")
    match = find_root(str(tmp_path / "p"), ())
    assert match is not None
    assert match.rule == "folder"


def test_home_root_temp_and_what_is_no_path_are_no_projects(tmp_path: Path) -> None:
    for cwd in (str(tmp_path), str(tmp_path) + "/", "/", "/tmp", "/var/tmp/", "/home", "", "relative/x", "a\x00b"):
        assert find_root(cwd, (), home=str(tmp_path)) is None, cwd


def test_a_home_that_is_a_repository_swallows_no_folder(repository: Path) -> None:
    match = find_root(str(repository / "src"), (), home=str(repository))
    assert match is not None
    assert (match.root, match.rule) == (str(repository / "src"), "folder")


def test_a_vanished_folder_is_matched_as_text_and_by_its_nearest_known_ancestor() -> None:
    alone = find_root(GONE, ())
    below = find_root(f"{GONE}/src/../lib/", [_known("gone-0000", GONE), _known("proj-0000", "/home/dev/proj")])
    beside = find_root(f"{GONE}-too", [_known("gone-0000", GONE)])
    assert alone is not None
    assert (alone.root, alone.rule, alone.name, alone.known) == (GONE, "recorded", "gone", None)
    assert below is not None
    assert (below.root, below.known) == (GONE, "gone-0000")
    assert beside is not None
    assert beside.known is None


def test_a_vanished_subfolder_of_a_living_repository_belongs_to_it(repository: Path) -> None:
    match = find_root(str(repository / "old" / "sub"), ())
    assert match is not None
    assert (match.root, match.rule) == (str(repository), "repository")


def test_a_repository_inside_a_known_plain_folder_stays_its_own(repository: Path) -> None:
    match = find_root(str(repository), [_known("all-0000", repository.parent)])
    assert match is not None
    assert match.known is None
    told = find_root(str(repository), [_known("all-0000", repository.parent, apart=True)])
    assert told is not None
    assert (told.known, told.rule) == ("all-0000", "person")


def test_a_folder_that_a_person_registered_apart_stands_alone_in_its_repository(repository: Path) -> None:
    known = [_known("repo-0000", repository), _known("src-0000", repository / "src", apart=True)]
    inner = find_root(str(repository / "src" / "deep"), known)
    outer = find_root(str(repository), known)
    assert inner is not None
    assert inner.known == "src-0000"
    assert outer is not None
    assert outer.known == "repo-0000"


def test_a_link_to_a_project_is_the_project(repository: Path) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    match = find_root(str(link / "src"), [_known("repo-0000", repository)])
    assert match is not None
    assert match.known == "repo-0000"


def test_windows_and_wsl_spell_one_folder() -> None:
    known = [_known("app-0000", "/mnt/c/Users/me/App")]
    for cwd in (r"C:\Users\me\App", "c:/users/ME/app/src", "/mnt/c/Users/me/App/src"):
        match = find_root(cwd, known)
        assert match is not None, cwd
        assert match.known == "app-0000", cwd


@pytest.mark.parametrize("name", ["纸鸢", "My App!", "a" * 200, "-x-", "Émile's", "", "..", "🙂"])
def test_every_folder_name_makes_a_usable_id(name: str) -> None:
    assert PROJECT_ID.fullmatch(new_project_id(name, "00ff"))
    assert new_project_id("My App!", "00FF") == "my-app-00ff"
    assert new_project_id("纸鸢", "00ff") == "project-00ff"


def test_a_subfolder_of_a_known_plain_folder_belongs_to_it(tmp_path: Path) -> None:
    (tmp_path / "plain" / "src").mkdir(parents=True)
    match = find_root(str(tmp_path / "plain" / "src"), [_known("plain-0000", tmp_path / "plain")])
    assert match is not None
    assert (match.known, match.rule, match.root) == ("plain-0000", "folder", str(tmp_path / "plain"))


def test_a_worktree_within_its_repository_or_registered_apart(repository: Path) -> None:
    tree = repository.parent / "tree"
    known = [_known("repo-0000", repository)]
    shared = find_root(str(tree), known)
    assert shared is not None
    assert shared.known == "repo-0000"
    for apart, cwd, wanted in ((tree, tree, "apart-0000"), (repository.parent, tree, "repo-0000")):
        match = find_root(str(cwd), [*known, _known("apart-0000", apart, apart=True)])
        assert match is not None
        assert match.known == wanted, apart


def test_worktrees_beside_a_hidden_bare_repository_are_the_folder_around_it(repository: Path) -> None:
    app = repository.parent / "app"
    subprocess.run(
        ("git", "clone", "-q", "--bare", str(repository), str(app / ".bare")), check=True, capture_output=True
    )
    (app / ".git").write_text("gitdir: ./.bare\n")
    command = ("git", "worktree", "add", "-q", "-b", "feature", str(app / "feature"))
    subprocess.run(command, cwd=app, check=True, capture_output=True)
    for folder in (app, app / "feature"):
        match = find_root(str(folder), ())
        assert match is not None
        assert (match.root, match.name, match.rule) == (str(app), "app", "repository")


def test_a_worktree_whose_repository_is_gone_is_a_plain_folder(repository: Path) -> None:
    tree = repository.parent / "tree"
    repository.rename(repository.parent / "elsewhere")
    match = find_root(str(tree), ())
    assert match is not None
    assert (match.root, match.rule) == (str(tree), "folder")


def test_scratch_directly_in_a_temp_folder_is_no_project_but_a_repository_there_is(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = repository.parent
    (temporary / "scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    assert find_root(str(temporary), ()) is None
    assert find_root(str(temporary / "scratch"), ()) is None
    assert find_root(str(temporary / "vanished"), ()) is None
    inside, chosen = find_root(str(repository), ()), [_known("mine-0000", temporary / "scratch", apart=True)]
    assert inside is not None
    assert inside.root == str(repository)
    told = find_root(str(temporary / "scratch"), chosen)
    assert told is not None
    assert told.known == "mine-0000"


@pytest.mark.parametrize(
    "cwd",
    [
        *("/home/somebody", "/Users/anna", "C:\\", "c:", "D:/", "C:\\Users\\Anna", "\\\\?\\C:\\Users\\Anna"),
        *("/mnt/c/Users/Anna/AppData/Local/Temp", "\\\\wsl$\\Ubuntu", "~/x", "C:x", "//"),
    ],
)
def test_homes_and_drives_of_other_machines_are_no_projects(cwd: str) -> None:
    assert find_root(cwd, ()) is None


@pytest.mark.parametrize(
    ("cwd", "root"),
    [
        ("C:\\Users\\Anna\\app\\src", "/mnt/c/Users/Anna/app"),
        ("\\\\?\\C:\\Users\\anna\\App", "/mnt/c/Users/Anna/app"),
        ("\\\\wsl$\\Ubuntu\\home\\dev\\proj\\gone", GONE),
        ("//wsl.localhost/Debian/home/dev/proj/gone/", GONE),
        ("\\\\server\\share\\proj\\src", "/server/share/proj"),
    ],
)
def test_spellings_of_windows_are_matched_as_text(cwd: str, root: str) -> None:
    match = find_root(cwd, [_known("it-0000", root)])
    assert match is not None
    assert match.known == "it-0000"


@pytest.mark.parametrize(
    "cwd", ["/home/dev/" + "n" * 300 + "/x", "/home/dev/a\ud800b/c", "/home/dev/a\udcff/c", "/x" * 3000]
)
def test_odd_paths_become_text_that_any_file_can_hold(cwd: str) -> None:
    match = find_root(cwd, ())
    assert match is not None
    assert match.root.encode()
    assert match.rule == "recorded"


def test_a_pipe_in_the_place_of_a_git_file_hangs_nothing(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    os.mkfifo(tmp_path / "p" / ".git")
    match = find_root(str(tmp_path / "p"), ())
    assert match is not None
    assert match.rule == "folder"


def test_a_vanished_folder_below_a_link_is_found_where_the_link_leads(repository: Path) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    match = find_root(str(link / "gone" / "deep"), [_known("repo-0000", repository)])
    assert match is not None
    assert match.known == "repo-0000"


def test_on_a_volume_that_ignores_case_the_disk_decides_the_spelling(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The volume is played by answering for any spelling; names still come from the disk."""

    def on_disk(path: str) -> Path:
        return next(one for one in Path(path).parent.iterdir() if one.name.casefold() == Path(path).name.casefold())

    def one_file(first: str, second: str) -> bool:
        return on_disk(first) == on_disk(second)

    monkeypatch.setattr(os.path, "samefile", one_file)
    match = find_root(str(repository.parent / "REPO"), [_known("repo-0000", repository)])
    assert match is not None
    assert match.known == "repo-0000"


def test_a_git_folder_that_holds_folders_for_files_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "git" / "commondir").mkdir(parents=True)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".git").write_text("gitdir: ../git\n")
    match = find_root(str(tmp_path / "p"), ())
    assert match is not None
    assert match.root == str(tmp_path / "p")


def test_roots_are_stored_as_they_are_compared(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert real_root(f"{tmp_path}/link/gone/../x/") == f"{tmp_path}/x"
    assert real_root("C:\\work\\App\\") == "/mnt/c/work/App"
