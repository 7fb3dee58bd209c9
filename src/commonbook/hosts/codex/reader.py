"""What Codex writes into its session files, the "rollouts" (seen in 0.154.0 and 0.171.0).

Everything that was said stands in a file twice: as ``event_msg`` that a turn item was completed, and as the
``response_item`` that goes to the model. Only the events are read, for only they tell who spoke: the items of role
``user`` also hold the environment, AGENTS.md and notices of the client, and a compaction repeats old ones
(``compacted``). Times inside are UTC, the date in a file's name is local, so names are never looked at.

A turn tells the folder it was held in (a session that is resumed elsewhere moves), and that is where it belongs.

Threads of sub-agents are files of their own, in which the agent that began them speaks as the user: they are left out.

Limits: what a program gave to ``codex exec`` is not told from what a person typed. Files older than this format, whose
events are ``user_message`` and ``agent_message``, are not read; their events are counted as unknown.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commonbook.clock import Milliseconds
from commonbook.hosts.fields import text_or_none, time_or_none
from commonbook.hosts.jsonl import Header
from commonbook.hosts.turns import End, Entry, Kind
from commonbook.vocabulary import TurnState, sha256

NO_EVENT = frozenset(
    {"session_meta", "response_item", "compacted", "world_state", "token_usage_record"}
    # Not in our recordings, but known to this version:
    | {"inter_agent_communication", "inter_agent_communication_metadata", "realtime_item", "security_risk_score"}
)
"""Record types in which nobody says anything that is not also told by an event."""
NO_ITEM_EVENTS = frozenset({"token_count", "thread_goal_updated", "thread_rolled_back"})
OTHER_ITEMS = frozenset(
    {"Reasoning", "ContextCompaction", "HookPrompt"}
    # Not in our recordings, but known to this version:
    | {"Plan", "FileChange", "WebSearch", "ImageView", "ImageGeneration", "DynamicToolCall", "FunctionCallOutput"}
    | {"CollabAgentToolCall", "SubAgentActivity", "EnteredReviewMode", "ExitedReviewMode"}
)
"""Items that are neither said by anyone nor the output of a tool that we read: ``HookPrompt`` is a hook that speaks."""
TOOLS = frozenset({"CommandExecution", "McpToolCall"})
IMAGES = frozenset({"image", "local_image"})

PERSONS_THREADS = frozenset({None, "user"})
AGENTS_THREADS = frozenset({"subagent", "guardian_review", "memory_consolidation"})
AGENTS_SOURCES = frozenset({"subagent", "internal"})

DONE = End(TurnState.SETTLED, "stop")
FAILED = End(TurnState.INTERRUPTED, "error")
ABORTED = End(TurnState.INTERRUPTED, "aborted")

REQUEST = re.compile(r"\A# .*^## My request for Codex:[ \t]*\n", re.DOTALL | re.MULTILINE)
"""What an editor puts before the user's own words: open files, the selected text. The last such line counts, for the
selected text may hold one too."""


class CodexDialect:
    suffix = ".jsonl"

    def default_root(self, environment: Mapping[str, str]) -> Path:
        """Where Codex itself would put its sessions; an explicit root is never overruled by this."""
        home = Path(environment.get("HOME") or Path.home())
        chosen = environment.get("CODEX_HOME")
        return (Path(chosen) if chosen else home / ".codex") / "sessions"

    def header(self, record: Mapping[str, Any]) -> Header | None:
        meta = record.get("payload")
        if record.get("type") != "session_meta" or not isinstance(meta, dict):
            return None
        session = text_or_none(meta.get("id"))
        if session is None:
            return None
        started_at = time_or_none(meta.get("timestamp"))
        thread, source = text_or_none(meta.get("thread_source")), meta.get("source")
        return Header(
            session=session,
            parent=text_or_none(meta.get("forked_from_id")),
            cwd=text_or_none(meta.get("cwd")),
            started_at=time_or_none(record.get("timestamp")) if started_at is None else started_at,
            newer=thread not in PERSONS_THREADS | AGENTS_THREADS,
            provider=text_or_none(meta.get("model_provider")),
            automatic=thread in AGENTS_THREADS or (isinstance(source, dict) and not AGENTS_SOURCES.isdisjoint(source)),
        )

    def entry(self, record: Mapping[str, Any], raw: bytes) -> Entry:
        kind = record.get("type")
        if kind in NO_EVENT:
            return Entry(Kind.OTHER, "", 0)
        if kind not in ("event_msg", "turn_context"):
            return Entry(Kind.UNKNOWN, "", 0)
        payload, at = record.get("payload"), time_or_none(record.get("timestamp"))
        if not isinstance(payload, dict) or at is None:
            raise ValueError("an event without content or time")
        if kind == "turn_context":
            return Entry(Kind.OTHER, "", at, cwd=text_or_none(payload.get("cwd")))
        return _event(payload, at, raw)

    def text(self, record: Mapping[str, Any]) -> str | None:
        payload = record.get("payload") if record.get("type") == "event_msg" else None
        if not isinstance(payload, dict) or payload.get("type") != "item_completed":
            return None
        item = _item(payload)
        match item.get("type"):
            case "UserMessage":
                return _said(item)[0]
            case "AgentMessage":
                return _answered(item) or None
            case kind if kind in TOOLS:
                return _put_out(item) or None
            case _:
                return None


def _event(payload: Mapping[str, Any], at: Milliseconds, raw: bytes) -> Entry:
    match payload.get("type"):
        case "item_completed":
            return _completed(_item(payload), at, raw)
        case "task_started":
            return Entry(Kind.BEGIN, "", at)
        case "task_complete":
            return Entry(Kind.ASSISTANT, "", at, end=DONE if payload.get("error") is None else FAILED)
        case "turn_aborted":
            return Entry(Kind.ASSISTANT, "", at, end=ABORTED)
        case "thread_settings_applied":
            settings = payload.get("thread_settings")
            provider = text_or_none(settings.get("model_provider_id")) if isinstance(settings, dict) else None
            return Entry(Kind.OTHER if provider is None else Kind.MODEL, "", at, provider=provider)
        case kind:
            return Entry(Kind.OTHER if kind in NO_ITEM_EVENTS else Kind.UNKNOWN, "", at)


def _completed(item: Mapping[str, Any], at: Milliseconds, raw: bytes) -> Entry:
    kind, name = item.get("type"), text_or_none(item.get("id")) or sha256(raw)
    if kind == "UserMessage":
        text, images = _said(item)
        return Entry(Kind.USER, name, at, None, at, text, bool(text), images)
    if kind == "AgentMessage":
        return Entry(Kind.ASSISTANT, name, at, speaks=bool(_answered(item)))
    if kind in TOOLS:
        return Entry(Kind.TOOL, name, at, speaks=bool(_put_out(item)))
    return Entry(Kind.OTHER if kind in OTHER_ITEMS else Kind.UNKNOWN, name, at)


def _item(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    item = payload.get("item")
    if not isinstance(item, dict):
        raise ValueError("an item that is none")
    return item


def _said(item: Mapping[str, Any]) -> tuple[str, bool]:
    """The user's words and whether there are images."""
    text = "\n".join(_texts(item.get("content"), "text"))
    images = any(isinstance(part, dict) and part.get("type") in IMAGES for part in item["content"])
    editor = REQUEST.match(text)
    return text[editor.end() :] if editor else text, images


def _answered(item: Mapping[str, Any]) -> str:
    return "\n".join(_texts(item.get("content"), "Text"))


def _put_out(item: Mapping[str, Any]) -> str:
    """What a tool gave back; the command or the arguments are the agent's work, not part of the conversation."""
    if item["type"] == "CommandExecution":
        return text_or_none(item.get("aggregated_output")) or ""
    result, error = item.get("result"), item.get("error")
    if isinstance(result, dict):
        return "\n".join(_texts(result.get("content"), "text"))
    return (text_or_none(error.get("message")) or "") if isinstance(error, dict) else ""


def _texts(content: Any, kind: str) -> list[str]:
    if not isinstance(content, list):
        raise ValueError("an item without content")
    return [part["text"] for part in content if isinstance(part, dict) and part.get("type") == kind and _has_text(part)]


def _has_text(part: Mapping[str, Any]) -> bool:
    return text_or_none(part.get("text")) is not None
