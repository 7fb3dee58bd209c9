"""Writes session files as Codex does, one record a line, so that a test can say exactly what stands in them."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hosts.pi_files import START, iso


@dataclass
class CodexFile:
    """``now`` moves on by a second with every record."""

    path: Path
    session: str = "01a22f38-477c-7cc1-9ea3-4aff57e1ca60"
    cwd: str = "/home/dev/proj/lantern"
    meta: dict[str, Any] = field(default_factory=dict)
    now: int = START
    items: int = 0

    def __post_init__(self) -> None:
        meta = {
            "id": self.session,
            "timestamp": iso(self.now),
            "cwd": self.cwd,
            "source": "exec",
            "thread_source": "user",
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")
        self.record("session_meta", {**meta, "model_provider": "loopback", **self.meta})

    def record(self, kind: str, payload: Any) -> None:
        self.now += 1000
        line = {"timestamp": iso(self.now), "ordinal": 0, "type": kind, "payload": payload}
        with self.path.open("ab") as out:
            out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")

    def event(self, kind: str, **fields: Any) -> None:
        self.record("event_msg", {"type": kind, **fields})

    def item(self, kind: str, **fields: Any) -> str:
        self.items += 1
        name = f"item{self.items}"
        self.event("item_completed", thread_id=self.session, item={"type": kind, "id": name, **fields})
        return name

    def begins(self, cwd: str | None = None) -> None:
        self.event("task_started")
        self.record("turn_context", {"cwd": self.cwd if cwd is None else cwd})

    def user(self, text: str) -> str:
        """The words as they go to the model, and the event that tells whose they are."""
        self.record(
            "response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        )
        return self.item("UserMessage", content=[{"type": "text", "text": text}])

    def says(self, text: str) -> None:
        self.item("AgentMessage", content=[{"type": "Text", "text": text}])
        self.record("response_item", {"type": "message", "role": "assistant", "content": []})

    def runs(self, output: str) -> None:
        self.item("CommandExecution", command=["ls"], aggregated_output=output)
        self.record("response_item", {"type": "function_call_output", "output": f"Output:\n{output}"})

    def ends(self, **error: Any) -> None:
        self.event("task_complete", last_agent_message=None, **error)

    def turn(self, text: str, answer: str = "All right.", cwd: str | None = None) -> None:
        self.begins(cwd)
        self.user(text)
        self.says(answer)
        self.ends()
