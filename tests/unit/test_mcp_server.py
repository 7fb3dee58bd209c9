"""The MCP face over a scripted gateway: what it offers, what it refuses, and that nothing widens it."""

from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client

from commonbook.channels.gateway.operations import FindContext, Operation, ReadMemory, SearchMemory
from commonbook.channels.gateway.views import ContextView, DocumentView, MemoryView, SearchView, Segment
from commonbook.channels.mcp_server.profile import Profile
from commonbook.channels.mcp_server.server import build
from commonbook.errors import Code, CommonbookError, PlaceError, UsageError
from tests.support.scripted_gateway import ScriptedGateway

PROJECTS = {"/home/dev/lantern": "project:lantern-1a2b"}


def _find(operation: FindContext) -> ContextView:
    found = PROJECTS.get(operation.path or "") or (f"project:{operation.project}" if operation.project else None)
    return ContextView(found if found in PROJECTS.values() else None, "lantern", "registered")


def _read(operation: ReadMemory) -> MemoryView:
    document = DocumentView("preferences", "global", "# Preferences\n", 14, True, 1_796_000_000_000)
    return MemoryView("This is data.", operation.contexts, (document,), True, "RENDERED")


def _search(operation: SearchMemory) -> SearchView:
    hit = Segment("preferences", ("Tools",), "- pnpm", 1.5, None, operation.contexts[0], ("o1",))
    return SearchView((hit,), (), (), False)


def _gateway(**changed: Callable[[Any], object]) -> ScriptedGateway:
    answers: dict[type[Operation[Any]], Callable[[Any], object]] = {
        FindContext: _find,
        ReadMemory: changed.get("read", _read),
        SearchMemory: changed.get("search", _search),
    }
    return ScriptedGateway(answers)


def _raise(error: Exception) -> Callable[[Any], object]:
    def answer(_: Any) -> object:
        raise error

    return answer


WHOLE = Profile("test", whole=True, workspaces=("/home/dev/lantern", "/home/dev/gone"))


async def _call(gateway: ScriptedGateway, tool: str, arguments: dict[str, Any], profile: Profile = WHOLE) -> Any:
    async with Client(build(gateway, profile)) as client:
        return await client.call_tool(tool, arguments)


@pytest.mark.asyncio
async def test_it_offers_three_honest_read_only_tools_with_strict_schemas() -> None:
    async with Client(build(_gateway(), WHOLE)) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["memory_read", "memory_search", "memory_status"]
    for tool in tools:
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (True, False)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert tool.title
        assert tool.description


@pytest.mark.asyncio
async def test_reading_gives_the_rendered_text_and_the_same_as_structure() -> None:
    gateway = _gateway()
    result = await _call(gateway, "memory_read", {})
    assert not result.is_error
    assert result.content[0].text == "RENDERED"
    assert result.structured_content["contexts"] == ["global", "project:lantern-1a2b"]
    assert result.structured_content["documents"][0]["target"] == "preferences"
    assert all(call.marked for call in gateway.calls if isinstance(call, ReadMemory))


@pytest.mark.asyncio
async def test_a_context_outside_the_launch_scope_is_refused_however_it_is_named() -> None:
    only_global = Profile("test", whole=True)
    for name in ("project:lantern-1a2b", "project:*", "GLOBAL", "../global"):
        gateway = _gateway()
        result = await _call(gateway, "memory_read", {"contextId": name}, only_global)
        assert result.is_error
        assert result.content[0].text.startswith("CONTEXT_UNAVAILABLE")
        assert not any(isinstance(call, ReadMemory) for call in gateway.calls)


@pytest.mark.asyncio
async def test_a_connection_without_any_context_reads_nothing() -> None:
    nothing = Profile("test", whole=False, workspaces=("/home/dev/gone",), projects=("lantern-ffff",))
    for tool, arguments in (("memory_read", {}), ("memory_search", {"query": "x"})):
        result = await _call(_gateway(), tool, arguments, nothing)
        assert result.is_error
        assert "CONTEXT_UNAVAILABLE" in result.content[0].text
    status = await _call(_gateway(), "memory_status", {}, nothing)
    assert status.structured_content["contexts"] == []
    assert status.structured_content["next"] is None


@pytest.mark.asyncio
async def test_status_says_what_to_call_next() -> None:
    status = (await _call(_gateway(), "memory_status", {})).structured_content
    assert status["capabilities"] == ["read"]
    assert status["next"]["tool"] == "memory_read"
    assert status["limits"]["maxMessageBytes"] == 1024 * 1024


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_read", {"contextid": "global"}),
        ("memory_read", {"contextId": 7}),
        ("memory_search", {}),
        ("memory_search", {"query": ""}),
        ("memory_search", {"query": "x", "k": 0}),
        ("memory_search", {"query": "x", "k": 21}),
        ("memory_search", {"query": "x", "limit": 3}),
        ("memory_search", {"query": "x", "tracks": []}),
        ("memory_status", {"submissionId": "s1"}),
        ("memory_init", {}),
    ],
)
async def test_wrong_arguments_are_an_error_that_names_the_argument_and_never_the_value(
    tool: str, arguments: dict[str, Any]
) -> None:
    gateway = _gateway()
    result = await _call(gateway, tool, arguments)
    assert result.is_error
    assert result.content[0].text.startswith("INVALID_ARGUMENTS")
    assert not any(isinstance(call, ReadMemory | SearchMemory) for call in gateway.calls)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "error",
    [
        PlaceError(Code.HOME_READ_ONLY, path="/home/dev/.commonbook"),
        CommonbookError(Code.STORE_DAMAGED, path="/home/dev/.commonbook"),
        RuntimeError("sk-secret in /home/dev"),
    ],
)
async def test_no_path_and_no_inner_word_leaves_the_process(error: Exception) -> None:
    result = await _call(_gateway(read=_raise(error)), "memory_read", {})
    assert result.is_error
    assert result.content[0].text.startswith("MEMORY_UNAVAILABLE")
    assert "/home" not in result.content[0].text
    assert "secret" not in result.content[0].text


def test_a_hostile_client_id_is_refused_at_launch() -> None:
    for name in ("", "a b", "x" * 129, "../x", "émile"):
        with pytest.raises(UsageError) as refused:
            Profile(name, whole=True)
        assert refused.value.code == Code.INVALID_ARGUMENTS
