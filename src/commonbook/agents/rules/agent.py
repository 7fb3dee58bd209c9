"""The offline memory agent: reads through the same tools as any other, decides by rule, submits once."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations, islice
from typing import Any

from commonbook.agents.rules.edits import edit
from commonbook.agents.rules.filing import Refused, Said, file_all
from commonbook.agents.rules.left_out import why_not
from commonbook.agents.rules.pages import Page, decisions, read_page
from commonbook.agents.rules.reasons import Reason
from commonbook.agents.rules.statements import read_message
from commonbook.agents.rules.talk import Block
from commonbook.agents.tools import SUBMIT, WorkingNotes, call_tool
from commonbook.errors import Code
from commonbook.keeper.contracts import (
    AgentOutcome,
    BundleSummary,
    DocumentListing,
    MemoryTask,
    ReadGrant,
    RunControl,
    SectionListing,
)
from commonbook.vocabulary import (
    BlockKind,
    ConsideredBy,
    EditResult,
    EvidenceRef,
    Provenance,
    Role,
    TaskKind,
    sha256,
    visible,
)

VERSION = "rules/1"
_TRIES = 64
_MOST_DECISIONS = 64
"""In one submission (``memory_maintenance_v2``)."""
_OVER = frozenset({Code.EXPIRED_TASK, Code.STALE_LEASE})


@cache
def prompt_digest() -> str:
    """What stands for the prompt in a receipt: the digest of the rules' own source."""
    sources = sorted(
        (each for each in files("commonbook.agents.rules").iterdir() if each.name.endswith(".py")),
        key=lambda each: each.name,
    )
    return sha256(VERSION.encode() + b"".join(each.read_bytes() for each in sources))


class RulesAgent:
    """Implements ``MemoryAgent``. It holds nothing between runs and needs no key, no network and no model."""

    @property
    def kind(self) -> ConsideredBy:
        return ConsideredBy.RULES

    async def run(self, task: MemoryTask, grant: ReadGrant, control: RunControl) -> AgentOutcome:
        run = _Run(task, grant, control)
        failure = run.work()
        return AgentOutcome(failure, VERSION, prompt_digest(), turns=1, tool_calls=run.calls)

    async def close(self) -> None:
        return None


class _Stopped(Exception):  # noqa: N818 - not an error: the run ends here, with a code
    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class _Message:
    """One bundle that may be evidence: its own blocks, in order."""

    evidence: EvidenceRef
    at: int
    blocks: tuple[Block, ...]


class _Run:
    def __init__(self, task: MemoryTask, grant: ReadGrant, control: RunControl) -> None:
        self._task, self._grant, self._control = task, grant, control
        self._notes = WorkingNotes()
        self._left_out: list[dict[str, Any]] = []
        self.calls = 0

    def work(self) -> Code | None:
        """``None`` when a decision was accepted, else why not."""
        try:
            messages = [found for bundle in self._task.bundles if (found := self._read_bundle(bundle)) is not None]
            pages = self._read_memory()
            proposed, result = (
                self._edit(messages, pages) if self._task.task_kind is TaskKind.EDIT else self._observe(messages, pages)
            )
            return self._submit(proposed, result)
        except _Stopped as stopped:
            return stopped.code

    # --- reading ------------------------------------------------------------------------------------------------------

    def _tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        if self._control.cancelled():
            raise _Stopped(Code.CANCELLED)
        self.calls += 1
        answer = call_tool(self._grant, self._notes, name, arguments)
        if "error" in answer and (name != SUBMIT or Code(answer["code"]) in _OVER):
            raise _Stopped(Code(answer["code"]))
        return answer

    def _read_bundle(self, bundle: BundleSummary) -> _Message | None:
        """Everything is read, because Core demands it before any decision; only the user's own words may be evidence."""
        if not bundle.current:
            return None
        own: list[Block] = []
        evidence: EvidenceRef | None = None
        descriptors = self._descriptors(bundle)
        holders = {descriptor["parent"] for descriptor in descriptors}
        for descriptor in descriptors:
            if descriptor["unavailable"] is not None or descriptor["block"] in holders:
                continue  # the leaves cover every byte; what holds them would only be read twice
            text = self._text(bundle, descriptor["block"])
            spoken = descriptor["role"] == Role.USER and descriptor["provenance"] == Provenance.USER_EXPLICIT
            if spoken and descriptor["evidence"] != "context_only":
                evidence = EvidenceRef(descriptor["evidence"])
                own.append(Block(BlockKind(descriptor["kind"]), visible(text)))
        return None if evidence is None else _Message(evidence, bundle.observed_at, tuple(own))

    def _descriptors(self, bundle: BundleSummary) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        offset: int | None = 0
        while offset is not None:
            page = self._tool("inspect_ingest", handle=bundle.handle, offset=offset)
            found.extend(page["blocks"])
            offset = page["next_offset"]
        return found

    def _text(self, bundle: BundleSummary, block: str) -> str:
        parts: list[str] = []
        offset: int | None = 0
        while offset is not None:
            page = self._tool("read_ingest", handle=bundle.handle, block=block, offset=offset)
            parts.append(page["text"])
            offset = page["next_offset"]
        return "".join(parts)

    def _read_memory(self) -> list[Page]:
        listings: list[dict[str, Any]] = []
        offset: int | None = 0
        while offset is not None:
            manifest = self._tool("inspect_memory", handle=self._task.snapshot, offset=offset)
            listings.extend(manifest["documents"])
            offset = manifest["next_offset"]
        return [self._page(listing) for listing in listings]

    def _page(self, raw: dict[str, Any]) -> Page:
        listing = DocumentListing(**{**raw, "sections": tuple(SectionListing(**each) for each in raw["sections"])})
        parts: list[str] = []
        offset: int | None = 0
        while offset is not None:
            page = self._tool("inspect_memory", handle=self._task.snapshot, target=listing.target, offset=offset)
            parts.append(page["text"])
            offset = page["next_offset"]
        return read_page(listing, "".join(parts))

    # --- deciding -----------------------------------------------------------------------------------------------------

    def _observe(self, messages: list[_Message], pages: list[Page]) -> tuple[list[dict[str, Any]], EditResult | None]:
        said = [
            Said(statement, at, message.evidence, message.at)
            for at, message in enumerate(messages)
            for statement in read_message(message.blocks)
        ]
        refused = file_all(said, pages, self._task.scope)
        changes = decisions(pages)
        self._left_out = self._leave_out(messages, changes, {each.message for each in said}, refused)
        return changes or [self._ignore(Reason.NOTHING_IN_BATCH, messages)], None

    def _leave_out(
        self, messages: list[_Message], changes: list[dict[str, Any]], speaking: set[int], refused: list[Refused]
    ) -> list[dict[str, Any]]:
        """One ``ignore`` for each message that no change stands on, so that the person can be told why."""
        used = {reference for change in changes for reference in change["evidence"]}
        told = {each.said.message: each.reason for each in reversed(refused)}
        left = [
            self._ignore(_why(at, message, told, speaking), [message])
            for at, message in enumerate(messages)
            if message.evidence not in used
        ]
        return left[: _MOST_DECISIONS - len(changes)]

    def _edit(self, messages: list[_Message], pages: list[Page]) -> tuple[list[dict[str, Any]], EditResult | None]:
        if len(messages) != 1:
            return [self._ignore("an edit is one request", messages)], "clarification_required"
        message = messages[0]
        words = "\n".join(block.text.strip() for block in message.blocks if block.kind is not BlockKind.CONVERSATION)
        edited = edit(words, pages, self._task.scope, message.evidence, message.at)
        proposed = decisions(pages) if edited.result == "modified" else []
        if not proposed:
            result: EditResult = "already_satisfied" if edited.result == "modified" else edited.result
            return [self._ignore(edited.reason, messages)], result
        return proposed, edited.result

    def _ignore(self, reason: str, messages: list[_Message]) -> dict[str, Any]:
        evidence = [message.evidence for message in messages][:128]
        scope = "project" if self._task.scope.startswith("project:") else "global"
        return {
            "reason": reason[:4000],
            "kind": "ignore",
            "applicability": scope,
            "confidence": 0.9,
            "evidence": evidence,
        }

    # --- submitting ---------------------------------------------------------------------------------------------------

    def _submit(self, proposed: list[dict[str, Any]], result: EditResult | None) -> Code | None:
        """Submit everything, else as much as Core allows: it stands on what is known now, which a rule cannot foresee
        (newer words in that section, a full document). Ends in one ``ignore``, so that a batch never comes back for ever."""
        code = Code.INTERNAL
        for some in islice(_ever_fewer(proposed), _TRIES):
            changes = [] if self._left_out and some[0]["kind"] == "ignore" else list(some)
            answer = self._tool(SUBMIT, **self._proposal([*changes, *self._left_out], result))
            if "error" not in answer:
                return None
            code = Code(answer["code"])
        if proposed[0]["kind"] == "ignore":
            return Code.DECISION_REJECTED
        ignored = self._ignore(f"Core does not allow it: {code.value}", [])
        return self._submit([ignored], None if result is None else "refused")

    def _proposal(self, proposed: list[dict[str, Any]], result: EditResult | None) -> dict[str, Any]:
        said = {"version": "memory_maintenance_v2", "request_id": self._task.request_id, "decisions": proposed}
        return said if result is None else {**said, "edit_result": result}


def _why(at: int, message: _Message, told: Mapping[int, Reason], speaking: Set[int]) -> Reason:
    """What was neither refused nor used spoke for a line of this batch that a later message replaced or took back."""
    if at not in speaking:
        return why_not(message.blocks)
    return told.get(at, Reason.SAID_AGAIN)


def _ever_fewer(proposed: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    for size in range(len(proposed), 0, -1):
        yield from combinations(proposed, size)
