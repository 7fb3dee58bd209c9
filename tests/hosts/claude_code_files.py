"""Writes session files as Claude Code does, one record a line, so that a test can say exactly what stands in them."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.hosts.pi_files import START, iso


@dataclass
class ClaudeFile:
    """``now`` moves on by a second with every record; each prompt is repeated by the bookkeeping around it."""

    path: Path
    session: str = "80e73c5e-99c0-400d-8a5f-0b7eadd37c01"
    cwd: str | None = "/home/dev/proj/lantern"
    now: int = START
    ids: int = 0
    records: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")

    def raw(self, data: bytes) -> None:
        with self.path.open("ab") as out:
            out.write(data)

    def line(self, **fields: Any) -> None:
        self.raw(json.dumps({**fields, "sessionId": self.session}, ensure_ascii=False).encode() + b"\n")

    def record(self, kind: str, **fields: Any) -> str:
        self.now += 1000
        self.ids += 1
        name = str(UUID(int=self.ids))
        where = {} if self.cwd is None else {"cwd": self.cwd}
        record = {"isSidechain": False, "type": kind, "uuid": name, "timestamp": iso(self.now), **where, **fields}
        self.records.append(record)
        self.line(**record)
        return name

    def copy(self, records: list[dict[str, Any]]) -> None:
        """Repeat records of another session, as a fork does: the same ids, the session id of this file."""
        for record in records:
            self.line(**record)
        self.ids += 1000  # a fork makes ids of its own

    def user(self, content: Any, **more: Any) -> str:
        prompt = content if isinstance(content, str) else ""
        self.line(type="queue-operation", operation="enqueue", timestamp=iso(self.now), content=prompt)
        self.line(type="queue-operation", operation="dequeue", timestamp=iso(self.now))
        name = self.record("user", message={"role": "user", "content": content}, **more)
        self.line(type="api-request-blob", message={"role": "user", "content": [{"type": "text", "text": prompt}]})
        self.line(type="last-prompt", lastPrompt=prompt)
        return name

    def queued(self, prompt: Any, **more: Any) -> str:
        self.line(type="queue-operation", operation="enqueue", timestamp=iso(self.now), content=prompt)
        self.line(type="queue-operation", operation="remove", reason="absorbed_mid_turn", timestamp=iso(self.now))
        attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **more}
        return self.record("attachment", attachment=attachment, timestamp=iso(self.now - 500))

    def block(self, block: dict[str, Any], reason: str | None, *, model: str = "claude-opus-5-5", **more: Any) -> str:
        message = {"id": "msg_1", "role": "assistant", "model": model, "content": [block], "stop_reason": reason}
        return self.record("assistant", message=message, **more)

    def says(self, text: str, reason: str | None = "end_turn", **more: Any) -> str:
        return self.block({"type": "text", "text": text}, reason, **more)

    def thinks(self, text: str, reason: str | None = "end_turn") -> str:
        return self.block({"type": "thinking", "thinking": text, "signature": "s"}, reason)

    def calls(self) -> str:
        return self.block({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}, "tool_use")

    def result(self, output: Any) -> str:
        content = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": output}]
        return self.record("user", message={"role": "user", "content": content}, toolUseResult={"stdout": output})

    def fails(self) -> str:
        return self.says("API Error: 500", "stop_sequence", model="<synthetic>", isApiErrorMessage=True)

    def interrupted(self, of: str = "") -> str:
        content = [{"type": "text", "text": f"[Request interrupted by user{of}]"}]
        return self.record("user", message={"role": "user", "content": content})

    def turn(self, text: str, answer: str = "All right.") -> str:
        name = self.user(text)
        self.says(answer)
        return name
