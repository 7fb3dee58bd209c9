"""Writes session files as Pi does, one record a line, so that a test can say exactly what stands in them."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

START = 1_790_000_000_000
"""When every session begins unless a test says otherwise."""


def iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class PiFile:
    """``now`` moves on by a second with every record; ``queued`` lets a message carry an earlier time of its own."""

    path: Path
    session: str = "01a22f38-47fc-7083-9813-26bc6aa8bec3"
    cwd: str | None = "/home/dev/proj/lantern"
    parent: str | None = None
    now: int = START
    ids: str = "e"
    records: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        header: dict[str, Any] = {"type": "session", "version": 3, "id": self.session, "timestamp": iso(self.now)}
        header |= {} if self.cwd is None else {"cwd": self.cwd}
        header |= {} if self.parent is None else {"parentSession": self.parent}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")
        self.raw(json.dumps(header, ensure_ascii=False).encode() + b"\n")

    def raw(self, data: bytes) -> None:
        with self.path.open("ab") as out:
            out.write(data)

    def record(self, **fields: Any) -> str:
        self.now += 1000
        name = f"{self.ids}{len(self.records):07x}"
        last = self.records[-1]["id"] if self.records else None
        record = {"type": "message", "id": name, "parentId": last, "timestamp": iso(self.now)} | fields
        self.records.append(record)
        self.raw(json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        return str(record["id"])

    def copy(self, records: list[dict[str, Any]]) -> None:
        """Repeat records of another session, as a fork does."""
        for record in records:
            self.records.append(record)
            self.raw(json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def message(self, role: str, *, queued: int = 0, follows: str | None = None, **fields: Any) -> str:
        message = {"role": role, "timestamp": self.now + 1000 - queued} | fields
        return self.record(message=message, **({} if follows is None else {"parentId": follows}))

    def user(self, text: str, **more: Any) -> str:
        return self.message("user", content=[{"type": "text", "text": text}], **more)

    def says(self, text: str, reason: str = "stop", provider: str = "loopback", **more: Any) -> str:
        content = [{"type": "text", "text": text}] if text else []
        return self.message("assistant", content=content, stopReason=reason, provider=provider, **more)

    def calls(self, text: str = "") -> str:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        content.append({"type": "toolCall", "id": "c1", "name": "bash", "arguments": {}})
        return self.message("assistant", content=content, stopReason="toolUse", provider="loopback")

    def result(self, text: str) -> str:
        return self.message("toolResult", toolName="bash", content=[{"type": "text", "text": text}], isError=False)

    def turn(self, text: str, answer: str = "All right.") -> str:
        record = self.user(text)
        self.says(answer)
        return record
