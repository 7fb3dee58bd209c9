"""The installed MCP server over a real memory, asked by the official client: right text, right scope, no database."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

from commonbook.book.marker import marked_spans
from tests.support.cli import real_commonbook
from tests.support.mcp_process import converse

SERVER = ("-m", "commonbook.app", "mcp", "--client-id", "test", "--capability", "read")


def _server(home: Path, *arguments: str) -> StdioServerParameters:
    environment = {"HOME": str(home), "PYTHONPATH": ":".join(sys.path), "COMMONBOOK_LANG": "en"}
    return StdioServerParameters(command=sys.executable, args=[*SERVER, *arguments], env=environment)


@pytest.fixture
def project(empty_home: Path) -> Path:
    """A home that remembers one thing everywhere and one thing in a project."""
    folder = empty_home / "desk" / "lantern"
    folder.mkdir(parents=True)
    assert real_commonbook("project", "register", str(folder)).code == 0
    assert real_commonbook("remember", "I review on Fridays", "--scope", "global", "--yes").code == 0
    assert real_commonbook("remember", "数据库用 PostgreSQL", "--scope", "lantern", "--yes").code == 0
    return folder


@pytest.mark.asyncio
async def test_an_agent_reads_what_its_launch_allows_and_nothing_else(project: Path, empty_home: Path) -> None:
    async with Client(_server(empty_home, "--global", "--workspace", str(project / "src"))) as client:
        both = (await client.call_tool("memory_read", {})).structured_content
        found = (await client.call_tool("memory_search", {"query": "数据库"})).structured_content
    async with Client(_server(empty_home, "--global")) as client:
        narrow = (await client.call_tool("memory_read", {})).structured_content
        hidden = (await client.call_tool("memory_search", {"query": "PostgreSQL 数据库"})).structured_content
        refused = await client.call_tool("memory_read", {"contextId": both["contexts"][1]})

    assert [each["target"] for each in both["documents"]][:2] == ["profile", "preferences"]
    assert "PostgreSQL" in both["documents"][2]["content"]
    assert "PostgreSQL" in found["segments"][0]["text"]
    assert narrow["contexts"] == ["global"]
    assert "PostgreSQL" not in json.dumps([narrow, hidden], ensure_ascii=False)
    assert refused.is_error


@pytest.mark.asyncio
async def test_every_remembered_text_that_leaves_is_inside_our_marks(project: Path, empty_home: Path) -> None:
    async with Client(_server(empty_home, "--global", "--workspace", str(project))) as client:
        read = await client.call_tool("memory_read", {})
        found = await client.call_tool("memory_search", {"query": "Fridays PostgreSQL"})
    texts = [
        *(each.text for each in read.content if isinstance(each, TextContent)),
        *(each["content"] for each in read.structured_content["documents"]),
    ]
    texts += [each["text"] for each in found.structured_content["segments"]]
    assert any("Fridays" in text for text in texts)
    for text in texts:
        marked = "".join(text[start:stop] for start, stop in marked_spans(text))
        for words in ("Fridays", "PostgreSQL"):
            assert text.count(words) == marked.count(words)


@pytest.mark.asyncio
async def test_a_project_that_was_removed_is_gone_at_the_next_call(project: Path, empty_home: Path) -> None:
    listed = json.loads(real_commonbook("project", "list", "--json").out)["projects"]
    async with Client(_server(empty_home, "--workspace-project", listed[0]["id"])) as client:
        before = await client.call_tool("memory_read", {})
        assert real_commonbook("project", "remove", listed[0]["id"], "-y").code == 0
        after = await client.call_tool("memory_read", {})
        assert real_commonbook("project", "register", str(project)).code == 0
        rebound = await client.call_tool("memory_read", {})
    assert not before.is_error
    assert after.is_error
    assert rebound.is_error, "a folder registered anew has a new id: the old pin is never silently rebound"


@pytest.mark.parametrize("database", [None, b"garbage", "folder"])
def test_reading_works_whatever_the_runtime_database_is(
    database: bytes | str | None, project: Path, empty_home: Path
) -> None:
    path = empty_home / ".commonbook" / "data" / "runtime.sqlite"
    for file in path.parent.glob("runtime.sqlite*"):
        file.unlink()
    if isinstance(database, bytes):
        path.write_bytes(database)
    elif database:
        path.mkdir()
    answers = _ask(empty_home, {"name": "memory_read", "arguments": {}})
    assert "Fridays" in answers["content"][0]["text"]


def test_without_any_memory_it_answers_emptily_and_creates_nothing(empty_home: Path) -> None:
    answer = _ask(empty_home, {"name": "memory_read", "arguments": {}})
    assert answer["structuredContent"]["empty"] is True
    assert not (empty_home / ".commonbook").exists()


def test_a_wrong_command_line_says_so_and_speaks_no_protocol(empty_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, *SERVER, "--global", "--client-id", "a b"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 2
    assert "--client-id" in done.stderr
    assert done.stdout == ""


def test_a_folder_that_is_not_there_is_told_and_the_rest_is_served(empty_home: Path) -> None:
    words = [sys.executable, *SERVER, "--global", "--workspace", str(empty_home / "nope")]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert "nope does not exist" in done.stderr


def _ask(home: Path, call: dict[str, Any]) -> dict[str, Any]:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    frames = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    argv = [sys.executable, *SERVER, "--global"]
    talk = converse(argv, [json.dumps(frame).encode() for frame in frames], 2, HOME=str(home))
    assert talk.status == 0, talk.errors
    (answer,) = [each["result"] for each in talk.answers if each.get("id") == 2]
    assert isinstance(answer, dict)
    return answer
