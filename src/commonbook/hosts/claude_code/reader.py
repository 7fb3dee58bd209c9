"""What Claude Code writes into its session files (seen in 2.1.332).

There is no header: every line is a record, and most of them are the client's own bookkeeping, which repeats each prompt
up to three times. The user's words are ``user`` records and ``queued_command`` attachments, nothing else.

A record has a uuid that a fork (``--fork-session``) keeps while it gives the copy a session id of its own, so the
uuid alone is the identity of what was said: the host stands where other hosts name the session of the first saying.

Not told from typing: prompts that a schedule or a program gave (``claude -p``). Not found: what a person wrote behind a
slash command or when refusing a tool, for the client mixes it with its own words; prompts that a hook blocked, which
the client did not keep as prompts.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from commonbook.hosts.fields import text_or_none, time_or_none
from commonbook.hosts.jsonl import Header
from commonbook.hosts.turns import End, Entry, Kind
from commonbook.vocabulary import TurnState

ORIGIN = "claude-code"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

BOOKKEEPING = frozenset(
    {"queue-operation", "last-prompt", "atis-latch", "api-request", "api-request-shape", "api-request-blob"}
    | {"tools-used", "cost-state", "mode", "system"}
    # Not in our recordings, but known from other versions:
    | {"summary", "ai-title", "custom-title", "file-history-snapshot", "file-history-delta", "permission-mode"}
    | {"progress", "worktree-state", "bridge-session", "pr-link"}
)
"""Record types in which nobody says anything that does not also stand in a record of its own."""

HARNESS = (
    *("<command-name>", "<command-message>", "<command-args>"),
    *("<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>"),
    *("<bash-input>", "<bash-stdout>", "<bash-stderr>"),
    *("<system-reminder>", "<task-notification>"),
)
"""How a text begins that the client wrote under the user's role."""
INTERRUPTED = "[Request interrupted by user"
NOT_SAID = (*HARNESS, INTERRUPTED)
ADDED = re.compile(r"\A\s*<(ide_opened_file|ide_selection|system-reminder)>.*?</\1>\s*", re.DOTALL)
"""What an editor or the client puts before the user's own words."""

DONE = End(TurnState.SETTLED, "stop")
ENDS = {"end_turn": DONE, "stop_sequence": DONE, "max_tokens": End(TurnState.SETTLED, "length")}
OTHER_END = End(TurnState.SETTLED, "other")
FAILED = End(TurnState.INTERRUPTED, "error")
ABORTED = End(TurnState.INTERRUPTED, "aborted")
GOES_ON = frozenset({"tool_use", "pause_turn"})
SYNTHETIC = "<synthetic>"
"""The model of a message that the client wrote itself: an API error, or that no answer was asked for."""


def beside_a_session(path: str) -> bool:
    """Sub-agents and long tool outputs are kept in a folder that has the id of their session."""
    return any(UUID.fullmatch(part) for part in PurePath(path).parent.parts)


class ClaudeCodeDialect:
    suffix = ".jsonl"

    def default_root(self, environment: Mapping[str, str]) -> Path:
        """Where Claude Code itself would put its sessions; an explicit root is never overruled by this."""
        home = Path(environment.get("HOME") or Path.home())
        chosen = environment.get("CLAUDE_CONFIG_DIR")
        return (Path(chosen) if chosen else home / ".claude") / "projects"

    def header(self, record: Mapping[str, Any]) -> Header | None:
        session = text_or_none(record.get("sessionId"))
        if session is None or not isinstance(record.get("type"), str):
            return None
        # The folder's name cannot be turned back into the working folder. The first record that tells it counts: later ones
        # move with every `cd` of the agent, which does not move what the person talks about.
        return Header(session, None, text_or_none(record.get("cwd")), time_or_none(record.get("timestamp")))

    def entry(self, record: Mapping[str, Any], raw: bytes) -> Entry:
        kind = record.get("type")
        if kind in BOOKKEEPING:
            return Entry(Kind.OTHER, "", 0)
        if kind not in ("user", "assistant", "attachment"):
            return Entry(Kind.UNKNOWN, "", 0)
        name, at = record.get("uuid"), time_or_none(record.get("timestamp"))
        if not isinstance(name, str) or not name or at is None:
            raise ValueError("a record without an id or a time")
        if record.get("isSidechain") is True:  # a sub-agent: the agent speaks to itself
            return Entry(Kind.OTHER, name, at)
        if kind == "attachment":
            return _attachment(record, name, at)
        return _user(record, name, at) if kind == "user" else _assistant(record, name, at)

    def text(self, record: Mapping[str, Any]) -> str | None:
        if record.get("isSidechain") is True:
            return None
        match record.get("type"):
            case "attachment":
                queued = _queued(record)
                return None if queued is None else _words(queued)[0]
            case "user" if _is_result(record):
                return "\n".join(_outputs(_content(record))) or None
            case "user" if not _is_harness(record):
                return _words(_content(record))[0] or None
            case "assistant" if not _is_clients(record):
                return "\n".join(_texts(_content(record))) or None
            case _:
                return None


def _attachment(record: Mapping[str, Any], name: str, at: int) -> Entry:
    queued = _queued(record)
    if queued is None:
        return Entry(Kind.OTHER, name, at)
    text, images, _ = _words(queued)
    if not (text or images):
        return Entry(Kind.OTHER, name, at)
    return Entry(Kind.USER, name, at, None, at, text, bool(text), images, joins=True, origin=ORIGIN)


def _queued(record: Mapping[str, Any]) -> Any:
    """The content of a message that was sent while the agent worked; ``None`` for what the client itself attaches."""
    attachment = record.get("attachment")
    if not isinstance(attachment, dict):
        raise ValueError("an attachment without an attachment")
    if attachment.get("type") != "queued_command" or attachment.get("commandMode", "prompt") != "prompt":
        return None
    return attachment.get("prompt")


def _user(record: Mapping[str, Any], name: str, at: int) -> Entry:
    content = _content(record)
    if _is_result(record):
        return Entry(Kind.TOOL, name, at, speaks=next(_outputs(content), None) is not None)
    if _is_harness(record):
        return Entry(Kind.OTHER, name, at)
    text, images, interrupted = _words(content)
    if text or images:
        return Entry(Kind.USER, name, at, None, at, text, bool(text), images, joins=False, origin=ORIGIN)
    return Entry(Kind.ASSISTANT, name, at, end=ABORTED) if interrupted else Entry(Kind.OTHER, name, at)


def _assistant(record: Mapping[str, Any], name: str, at: int) -> Entry:
    """One record for every content block of a message; each of them tells how the message ended, and the turn ends
    with the one that speaks."""
    content = _content(record)
    if _is_clients(record):
        return Entry(Kind.ASSISTANT, name, at, end=FAILED)
    kinds = {block.get("type") for block in content if isinstance(block, dict)} if isinstance(content, list) else set()
    if kinds and kinds <= {"thinking", "redacted_thinking"}:
        return Entry(Kind.OTHER, name, at)
    reason = record["message"].get("stop_reason")
    goes_on = "tool_use" in kinds or reason is None or reason in GOES_ON
    end = None if goes_on else ENDS.get(reason, OTHER_END) if isinstance(reason, str) else OTHER_END
    speaks = next(_texts(content), None) is not None
    return Entry(Kind.ASSISTANT, name, at, speaks=speaks, end=end, provider=_provider(record["message"]))


def _is_result(record: Mapping[str, Any]) -> bool:
    """Whether a tool answered; its record has the user's role."""
    if "toolUseResult" in record or "sourceToolAssistantUUID" in record:
        return True
    content = _content(record)
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )


def _is_harness(record: Mapping[str, Any]) -> bool:
    """Caveats, images by path, hook feedback, summaries of a compaction: marked as not said by the user."""
    return any(record.get(mark) is True for mark in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"))


def _is_clients(record: Mapping[str, Any]) -> bool:
    message = record.get("message")
    return record.get("isApiErrorMessage") is True or (isinstance(message, dict) and message.get("model") == SYNTHETIC)


def _content(record: Mapping[str, Any]) -> Any:
    message = record.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str | list):
        raise ValueError("a message without content")
    return message["content"]


def _words(content: Any) -> tuple[str, bool, bool]:
    """What the user wrote, whether there are images, and whether the client noted an interruption.

    A block that the client put beside the user's own is left out. Raises ``ValueError``.
    """
    if not isinstance(content, str | list):
        raise ValueError("a prompt without content")
    said = list(_texts(content))
    own = [text for text in map(_without_added, said) if text and not text.lstrip().startswith(NOT_SAID)]
    images = isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "image" for block in content
    )
    return "\n".join(own), images, any(text.startswith(INTERRUPTED) for text in said)


def _without_added(text: str) -> str:
    while found := ADDED.match(text):
        text = text[found.end() :]
    return text


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in content:
        if isinstance(block, dict) and block.get("type") == "text" and (text := text_or_none(block.get("text"))):
            yield text


def _outputs(content: Any) -> Iterator[str]:
    """What tools answered, in words."""
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            output = block.get("content")
            yield from _texts(output if isinstance(output, str | list) else [])


def _provider(message: Mapping[str, Any]) -> str | None:
    """The file names the model only. Other models than Claude are reached through a gateway that is not told, so their
    own name is what a person can classify."""
    model = text_or_none(message.get("model"))
    return "anthropic" if model is not None and "claude" in model.lower() else model
