"""config.toml: defaults without it, and errors that name the key and the nearest known one."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from commonbook.errors import Code, PlaceError, UsageError
from commonbook.settings.load import load_home


def _load(folder: Path, text: str | bytes) -> object:
    (folder / "config.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_home({"COMMONBOOK_HOME": str(folder)})


def test_without_a_file_the_defaults_apply_and_nothing_is_created(tmp_path: Path) -> None:
    home, settings = load_home({"COMMONBOOK_HOME": str(tmp_path / "none")})
    assert settings.agent == "rules"
    assert settings.disclosure.provenance == ("user_explicit",)
    assert home.data == tmp_path / "none" / "data"
    assert not (tmp_path / "none").exists()


def test_a_home_that_is_a_link_is_resolved_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    home, _ = load_home({"COMMONBOOK_HOME": str(tmp_path / "link")})
    assert home.root == tmp_path / "real"


def test_values_are_read(tmp_path: Path) -> None:
    text = """\ufeff
[disclosure]
provenance = ["user_explicit", "conversation_context"]
max_source_bytes = 1000
[disclosure.provider_classes]
my-gateway = "local"
[hosts.pi]
root = "/sessions"
"""
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    _, settings = load_home({"COMMONBOOK_HOME": str(tmp_path)})
    assert settings.disclosure.max_source_bytes == 1000
    assert settings.disclosure.provider_classes == {"my-gateway": "local"}
    assert settings.hosts["pi"].root == "/sessions"


@pytest.mark.parametrize(
    ("text", "key", "nearest"),
    [
        ('agnet = "rules"', "agnet", "agent"),
        ("[disclosure]\nscope = []", "disclosure.scope", "disclosure.scopes"),
        ("[retention]\nday = 3", "retention.day", "retention.days"),
        ("max_source_bytes = 3", "max_source_bytes", "disclosure.max_source_bytes"),
        ("[disclosures]\nscopes = []", "disclosures.scopes", "disclosure.scopes"),
        ("zzzz = 1", "zzzz", "-"),
        ("[hosts.pi]\nrot = 'x'", "hosts.pi.rot", "hosts.pi.root"),
    ],
)
def test_an_unknown_key_names_the_nearest_known_one(text: str, key: str, nearest: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as unknown:
        _load(tmp_path, text)
    assert unknown.value.code == Code.UNKNOWN_SETTING
    assert unknown.value.detail["key"] == key
    assert unknown.value.detail["nearest"] == nearest


@pytest.mark.parametrize(
    "text",
    [
        'agent = "oracle"',
        "[documents]\nhard = 0",
        "[limits]\ncontext_turns = 21",
        "[disclosure]\nmax_total_bytes = 'many'",
        "[personal_data]\nemail = 'hide'",
        "agent = ",
        "agent = 'rules'\nagent = 'rules'",
        "disclosure = 3",
        "hosts = 3",
        "data = '~nobody-of-this-name/x'",
        'data = "a\\u0000b"',
        "a = " + "[" * 5000,
        b"\xff\xfe",
    ],
)
def test_a_wrong_value_says_where(text: str | bytes, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as wrong:
        _load(tmp_path, text)
    assert wrong.value.code == Code.INVALID_SETTING
    assert wrong.value.detail["key"]
    assert wrong.value.detail["rule"]


def test_the_data_folder_may_be_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'data = "{tmp_path}/elsewhere"')
    home, _ = load_home({"COMMONBOOK_HOME": str(tmp_path)})
    assert home.runtime_database == tmp_path / "elsewhere" / "runtime.sqlite"


@pytest.mark.parametrize(("text", "line"), [("agent = ", 1), ("\n\nx = 'open\n", 3), (b"a = 1\n\xff", 2)])
def test_broken_toml_names_its_line(text: str | bytes, line: int, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as wrong:
        _load(tmp_path, text)
    assert wrong.value.detail["line"] == line


def test_an_empty_table_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[disclosure]\n[hosts.pi]\n[hosts]\n[disclosure.provider_classes]\n")
    _, settings = load_home({"COMMONBOOK_HOME": str(tmp_path)})
    assert settings.hosts["pi"].root is None


@pytest.mark.parametrize(
    ("chosen", "found"),
    [("~/memory", "person/memory"), ("~", "person"), ("elsewhere", "home/elsewhere"), ("../x", "x")],
)
def test_where_the_data_folder_is(chosen: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text(f'data = "{chosen}"')
    home, _ = load_home({"COMMONBOOK_HOME": str(tmp_path / "home"), "HOME": str(tmp_path / "person")})
    assert home.data == tmp_path / found


def test_a_data_folder_that_is_a_link_is_resolved_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "real")
    assert load_home({"COMMONBOOK_HOME": str(tmp_path)})[0].data == tmp_path / "real"


def test_a_config_that_is_no_plain_file_of_ones_own_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    (tmp_path / "other").write_text("agent = 'rules'")

    def too_open() -> None:
        config.write_text("")
        config.chmod(0o666)

    makers: tuple[Callable[[], object], ...] = (
        lambda: config.symlink_to("other"),
        lambda: config.symlink_to("missing"),
        lambda: os.link(tmp_path / "other", config),
        lambda: os.mkfifo(config),
        too_open,
    )
    for make in makers:
        make()
        with pytest.raises(PlaceError) as unsafe:
            load_home({"COMMONBOOK_HOME": str(tmp_path)})
        assert unsafe.value.code == Code.UNSAFE_FILE
        config.unlink()


def test_a_huge_config_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlaceError) as large:
        _load(tmp_path, "#" * (1024 * 1024 + 1))
    assert large.value.code == Code.FILE_TOO_LARGE
