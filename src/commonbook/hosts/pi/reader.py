"""What Pi writes into its session files (format version 3, seen in 0.85.1 and 1.6.0).

A file cannot tell what a person typed from what a skill, a prompt template or an extension (``pi.sendUserMessage``)
put in their place: all of it is ``role: user`` (a documented limit). What Pi itself injects has types and roles of its
own.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commonbook.hosts.fields import text_or_none, time_or_none
from commonbook.hosts.jsonl import Header
from commonbook.hosts.turns import End, Entry, Kind
from commonbook.vocabulary import TurnState, sha256

VERSION = 3
FILE_NAME = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_(?P<session>.+)\.jsonl")
"""An id may itself hold an underscore, so the time stamp is what marks where it begins."""

NO_MESSAGE = frozenset(
    {"session", "session_info", "thinking_level_change", "custom_message", "custom", "label"}
    | {"compaction", "branch_summary", "usage", "context_edit"}
)
"""Record types in which nobody says anything: ``custom_message`` is text that an extension sent to the model,
``compaction`` and ``branch_summary`` are the model's own words."""
ENDS = {
    "stop": End(TurnState.SETTLED, "stop"),
    "length": End(TurnState.SETTLED, "length"),
    "error": End(TurnState.INTERRUPTED, "error"),
    "aborted": End(TurnState.INTERRUPTED, "aborted"),
}
OTHER_END = End(TurnState.SETTLED, "other")


class PiDialect:
    suffix = ".jsonl"

    def default_root(self, environment: Mapping[str, str]) -> Path:
        """Where Pi itself would put its sessions. An explicit root, given or stored, is never overruled by these."""
        home = Path(environment.get("HOME") or Path.home())
        if chosen := environment.get("PI_CODING_AGENT_SESSION_DIR"):
            return _expanded(chosen, home)
        agent = environment.get("PI_CODING_AGENT_DIR")
        return (_expanded(agent, home) if agent else home / ".pi" / "agent") / "sessions"

    def header(self, record: Mapping[str, Any]) -> Header | None:
        session, cwd, parent, version = (record.get(name) for name in ("id", "cwd", "parentSession", "version"))
        if record.get("type") != "session" or not isinstance(session, str) or not session:
            return None
        return Header(
            session=session,
            parent=_parent(parent) if isinstance(parent, str) else None,
            cwd=cwd if isinstance(cwd, str) and cwd else None,
            started_at=time_or_none(record.get("timestamp")),
            newer=isinstance(version, int) and version > VERSION,
        )

    def entry(self, record: Mapping[str, Any], raw: bytes) -> Entry:
        kind = record.get("type")
        name, follows = record.get("id"), record.get("parentId")
        if not isinstance(name, str) or not name:
            name = sha256(raw)  # files older than version 2 have no ids
        follows = follows if isinstance(follows, str) else None
        if kind == "message":
            return _message(record, name, follows)
        if kind == "model_change":
            return Entry(Kind.MODEL, name, 0, follows, provider=text_or_none(record.get("provider")))
        return Entry(Kind.OTHER if kind in NO_MESSAGE else Kind.UNKNOWN, name, 0, follows)

    def text(self, record: Mapping[str, Any]) -> str | None:
        if record.get("type") != "message":
            return None
        message = record.get("message")
        if not isinstance(message, dict):
            raise ValueError("a message without a message")
        match message.get("role"):
            case "user" | "assistant" | "toolResult":
                return _content(message.get("content"))[0]
            case "bashExecution" if message.get("excludeFromContext") is not True:
                return f"$ {message.get('command')}\n{message.get('output')}"
            case _:
                return None


def _message(record: Mapping[str, Any], name: str, follows: str | None) -> Entry:
    message = record.get("message")
    if not isinstance(message, dict):
        raise ValueError("a message without a message")
    said_at = time_or_none(message.get("timestamp"))
    at = time_or_none(record.get("timestamp"))
    at = at if at is not None else said_at
    if at is None:
        raise ValueError("a message without a time")
    said_at = at if said_at is None else said_at
    match message.get("role"):
        case "toolResult":
            return Entry(Kind.TOOL, name, at, follows, said_at, "", _speaks(message.get("content")))
        case "assistant":
            speaks, provider = _speaks(message.get("content")), text_or_none(message.get("provider"))
            return Entry(Kind.ASSISTANT, name, at, follows, said_at, "", speaks, False, _end(message), provider)
        case "user":
            text, images = _content(message.get("content"))
            return Entry(Kind.USER, name, at, follows, said_at, text, bool(text), images)
        case "bashExecution":
            if message.get("excludeFromContext") is True:  # the person kept it from the model: from ours too
                return Entry(Kind.OTHER, name, at, follows)
            return Entry(Kind.TOOL, name, at, follows, said_at, "", True)
        case "system":
            return Entry(Kind.OTHER, name, at, follows)
        case _:
            return Entry(Kind.UNKNOWN, name, at, follows)


def _speaks(content: Any) -> bool:
    """Whether ``_content`` would give a text, found without making it. Raises ``ValueError``."""
    if isinstance(content, str):
        return content != ""
    if not isinstance(content, list):
        raise ValueError("a message without content")
    for block in content:  # noqa: SIM110 - a generator would take three times as long, for every line of a history
        if isinstance(block, dict) and block.get("type") == "text" and text_or_none(block.get("text")):
            return True
    return False


def _content(content: Any) -> tuple[str, bool]:
    """The text blocks of a message, one a line, and whether there are images. Raises ``ValueError``.

    Thinking and tool calls are left out: they are the agent's work, not part of the conversation.
    """
    if isinstance(content, str):
        return content, False
    if not isinstance(content, list):
        raise ValueError("a message without content")
    texts, images = [], False
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text" and isinstance(block.get("text"), str):
            texts.append(block["text"])
        elif kind == "image":
            images = True
    return (texts[0] if len(texts) == 1 else "\n".join(texts)), images


def _end(message: Mapping[str, Any]) -> End | None:
    """How the turn ended; ``None``: the agent goes on with a tool."""
    reason = message.get("stopReason")
    if reason == "toolUse":
        return None
    if isinstance(reason, str) and reason in ENDS:
        return ENDS[reason]
    calls = any(isinstance(block, dict) and block.get("type") == "toolCall" for block in message["content"])
    return None if calls else OTHER_END


def _parent(path: str) -> str | None:
    """The id of the session that a fork was made from, out of the file name that it recorded."""
    name = re.split(r"[/\\]", path)[-1]
    found = FILE_NAME.fullmatch(name)
    return found["session"] if found else name.removesuffix(".jsonl") or None


def _expanded(path: str, home: Path) -> Path:
    return home / path.removeprefix("~/") if path.startswith("~/") else Path(path)
