"""A model server on loopback: real HTTP, real streaming, three protocols; only the words are written by the test.

A script is a list of replies to one prompt. Which reply comes next is read off the request itself (how often the
assistant has spoken since that prompt), so that a client may retry, resume or send requests of its own without
upsetting the order.
"""

import json
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Call:
    """A tool call; ``tool`` may be the end of the offered name, since every host puts its own prefix before ours."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Fail:
    """An HTTP error instead of an answer."""

    status: int
    message: str


Reply = Say | Call | Fail


@dataclass
class ScriptedModel:
    """``scripts``: prompt fragment → replies. ``requests``: every conversation request received, oldest first."""

    url: str
    scripts: Mapping[str, Sequence[Reply]]
    requests: list[Json] = field(default_factory=list)

    def offered(self) -> list[set[str]]:
        """The tool names in each request about a scripted prompt."""
        return [set(_tools(request)) for request in self.requests if self.script_of(request) is not None]

    def script_of(self, request: Json) -> str | None:
        """The scripted prompt that was said last in this request; ``None`` for a request of the client's own."""
        for message in reversed(_messages(request)):
            if not _own(message):
                heard = json.dumps(message, ensure_ascii=False)
                found = next((prompt for prompt in self.scripts if prompt in heard), None)
                if found is not None:
                    return found
        return None

    def reply_to(self, request: Json) -> Reply:
        prompt = self.script_of(request)
        if prompt is None:
            return Say("ok")
        spoken = _spoken_since(request, prompt)
        return self.scripts[prompt][spoken] if spoken < len(self.scripts[prompt]) else Say("done")


@contextmanager
def scripted_model(scripts: Mapping[str, Sequence[Reply]]) -> Iterator[ScriptedModel]:
    """Serve on a free loopback port until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    model = ScriptedModel(f"http://127.0.0.1:{server.server_address[1]}", scripts)
    server.model = model  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _messages(request: Json) -> list[Json]:
    said = request.get("messages", request.get("input", []))
    return said if isinstance(said, list) else []


def _own(message: Json) -> bool:
    """Whether the model itself said it."""
    return message.get("role") == "assistant" or str(message.get("type", "")).endswith("_call")


def _spoken_since(request: Json, prompt: str) -> int:
    """Assistant messages after the last message that holds the prompt; a run of output items counts as one."""
    count, inside = 0, False
    for message in _messages(request):
        own = _own(message)
        if not own and prompt in json.dumps(message, ensure_ascii=False):
            count = 0
        count += own and not inside
        inside = own
    return count


def _tools(request: Json) -> dict[str, str | None]:
    """Offered tool name → namespace (Codex groups the tools of one MCP server)."""
    found: dict[str, str | None] = {}
    for tool in request.get("tools") or []:
        if tool.get("type") == "namespace":
            found |= {inner["name"]: tool["name"] for inner in tool["tools"]}
        else:
            found[tool.get("name") or tool.get("function", {}).get("name") or tool["type"]] = None
    return found


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None: ...

    def do_GET(self) -> None:
        self._answer(200, {"object": "list", "data": [{"id": "scripted-model", "object": "model", "type": "model"}]})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            return self._answer(200, {"input_tokens": 100})
        model: ScriptedModel = self.server.model  # type: ignore[attr-defined]
        model.requests.append(request)
        reply = model.reply_to(request)
        if isinstance(reply, Fail):
            return self._answer(
                reply.status, {"type": "error", "error": {"type": "api_error", "message": reply.message}}
            )
        speak = {"completions": _chat, "responses": _responses, "messages": _anthropic}[path.rsplit("/", 1)[1]]
        return self._stream(speak(request, reply))

    def _answer(self, status: int, body: Json) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: Iterator[tuple[str | None, Json | str]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, data in events:
            text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
            self.wfile.write(((f"event: {name}\n" if name else "") + f"data: {text}\n\n").encode())
            self.wfile.flush()


def _resolve(request: Json, call: Call) -> tuple[str, str | None]:
    """The offered name that ends with the asked one; a tool that is not offered is called all the same."""
    return next(
        ((name, space) for name, space in _tools(request).items() if name.endswith(call.tool)), (call.tool, None)
    )


def _chat(request: Json, reply: Say | Call) -> Iterator[tuple[str | None, Json | str]]:
    def chunk(delta: Json, finish: str | None = None) -> tuple[None, Json]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return None, {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    if isinstance(reply, Say):
        for word in reply.text.splitlines(keepends=True):
            yield chunk({"content": word})
    else:
        name, _ = _resolve(request, reply)
        function = {"name": name, "arguments": json.dumps(reply.arguments)}
        call_id = f"call_{len(_messages(request))}"
        yield chunk({"tool_calls": [{"index": 0, "id": call_id, "type": "function", "function": function}]})
    yield chunk({}, "stop" if isinstance(reply, Say) else "tool_calls")
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    yield (
        None,
        {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": usage},
    )
    yield None, "[DONE]"


def _responses(request: Json, reply: Say | Call) -> Iterator[tuple[str | None, Json | str]]:
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
    response = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "in_progress",
        "output": [],
    }
    number = len(_messages(request))
    if isinstance(reply, Say):
        item: Json = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
        item["content"] = [{"type": "output_text", "text": reply.text, "annotations": []}]
    else:
        name, space = _resolve(request, reply)
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name}
        item |= {"arguments": json.dumps(reply.arguments), "status": "completed"} | (
            {"namespace": space} if space else {}
        )
    steps: list[tuple[str, Json]] = [
        ("response.created", {"response": response}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": {**response, "status": "completed", "output": [item], "usage": usage}}),
    ]
    for sequence, (kind, body) in enumerate(steps):
        yield kind, {"type": kind, "sequence_number": sequence, **body}


def _anthropic(request: Json, reply: Say | Call) -> Iterator[tuple[str | None, Json | str]]:
    usage = {"input_tokens": 10, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    # Claude Code joins messages of one id, so that each answer needs its own.
    message: Json = {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
    }
    message["usage"] = usage
    if isinstance(reply, Say):
        block: Json = {"type": "text", "text": ""}
        delta: Json = {"type": "text_delta", "text": reply.text}
    else:
        name, _ = _resolve(request, reply)
        block = {"type": "tool_use", "id": f"toolu_{len(_messages(request))}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
    stop = "end_turn" if isinstance(reply, Say) else "tool_use"
    for kind, body in (
        ("message_start", {"message": {**message, "stop_reason": None, "stop_sequence": None}}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 5}}),
        ("message_stop", {}),
    ):
        yield kind, {"type": kind, **body}
