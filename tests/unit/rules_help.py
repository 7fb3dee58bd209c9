"""Talk, memory and a grant for tests of the rules: the grant is a plain stand-in that demands whole reading, like Core's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonbook.agents.rules.filing import Said, file_all
from commonbook.agents.rules.pages import Page, read_page
from commonbook.agents.rules.reasons import Reason
from commonbook.agents.rules.statements import Keep, read_message
from commonbook.agents.rules.talk import Block
from commonbook.book.grammar import outline
from commonbook.errors import Code, DecisionError, GrantError
from commonbook.keeper.contracts import (
    BlockDescriptor,
    BundleSummary,
    DocumentListing,
    IngestPage,
    IngestText,
    MemoryManifest,
    MemoryPage,
    MemoryTask,
    ProcessingState,
    SectionListing,
    Submission,
)
from commonbook.keeper.decision import Proposal, decision_schema, parse_proposal
from commonbook.keeper.structure import map_structure
from commonbook.vocabulary import (
    GLOBAL,
    BlockKind,
    EvidenceRef,
    Handle,
    JobId,
    Provenance,
    Role,
    Scope,
    Target,
    TaskKind,
    sha256,
    target_scope,
)

PROJECT = Scope("project:moth-00aa")
DOCUMENT = Target("projects/moth-00aa")
DAY_MS = 86_400_000
FIRST_DAY = 1_796_083_200_000
"""2026-12-01 00:00 UTC."""


def blocks(text: str) -> list[Block]:
    """The leaves of a text, as Core maps them."""
    mapped = map_structure(text)
    holders = {block.parent for block in mapped}
    data = text.encode()
    return [Block(block.kind, data[block.start : block.stop].decode()) for block in mapped if block.id not in holders]


def kept(text: str) -> list[Keep]:
    return [statement for statement in read_message(blocks(text)) if isinstance(statement, Keep)]


def listing(target: Target, text: str | None, *, hard: int = 16_384, writable: bool = True) -> DocumentListing:
    sections = outline((text or "").encode()).sections
    return DocumentListing(
        target=target,
        scope=target_scope(target),
        exists=text is not None,
        bytes=len((text or "").encode()),
        soft_budget=8_192,
        hard_budget=hard,
        writable=writable,
        outside_grammar=False,
        sections=tuple(
            SectionListing(f"s{at}", each.title, each.stop - each.start) for at, each in enumerate(sections, 1)
        ),
    )


def memory(
    profile: str | None = None, preferences: str | None = None, project: str | None = None, *, hard: int = 16_384
) -> list[Page]:
    texts = {Target("profile"): profile, Target("preferences"): preferences, DOCUMENT: project}
    return [read_page(listing(target, text, hard=hard), text or "") for target, text in texts.items()]


def say(pages: Sequence[Page], *messages: str, scope: Scope = PROJECT, day: int = 0) -> list[Reason]:
    """Work messages of one batch into the drafts; gives the reasons why something was not kept."""
    said = [
        Said(statement, number, EvidenceRef(f"ev_{number}"), FIRST_DAY + day * DAY_MS)
        for number, message in enumerate(messages)
        for statement in read_message(blocks(message))
    ]
    return [each.reason for each in file_all(said, pages, scope)]


def lines(pages: Sequence[Page], target: str | None = None) -> list[str]:
    return [
        section.lines[at].text
        for page in pages
        if target in (None, page.listing.target)
        for section, at in page.places()
    ]


@dataclass
class FakeGrant:
    """Bundles and documents in memory. ``refuse``: codes that the next submissions are rejected with, in order."""

    texts: Sequence[str]
    documents: Mapping[Target, str | None]
    refuse: list[Code] = field(default_factory=list)
    refuse_when: Mapping[str, Code] = field(default_factory=dict)
    """Titles of sections that may not be put, with the code."""
    submitted: list[Proposal] = field(default_factory=list)
    accepted: Proposal | None = None
    unread: set[tuple[str, str]] = field(default_factory=set)
    provenance: Provenance = Provenance.USER_EXPLICIT

    def __post_init__(self) -> None:
        for number, text in enumerate(self.texts):
            self.unread |= {(f"ingest_{number}", block.id) for block in self._leaves(text)}

    @staticmethod
    def _leaves(text: str) -> list[Any]:
        mapped = map_structure(text)
        holders = {block.parent for block in mapped}
        return [block for block in mapped if block.id not in holders]

    def task(self, kind: TaskKind = TaskKind.OBSERVATION, scope: Scope = PROJECT) -> MemoryTask:
        bundles = tuple(
            BundleSummary(
                Handle(f"ingest_{n}"),
                "transcript_user",
                self.provenance,
                scope,
                2,
                len(text),
                FIRST_DAY + n,
                Role.USER,
                True,
            )
            for n, text in enumerate(self.texts)
        )
        return MemoryTask(
            "memory_task_v1",
            kind,
            JobId("job"),
            FIRST_DAY,
            scope,
            bundles,
            Handle("snap"),
            (GLOBAL, scope),
            decision_schema(),
        )

    def _check(self) -> None:
        if self.accepted is not None:
            raise GrantError(Code.DECISION_ALREADY_SUBMITTED)

    def inspect_ingest(self, handle: Handle, offset: int = 0) -> IngestPage:
        self._check()
        number = int(handle.removeprefix("ingest_"))
        mapped = map_structure(self.texts[number])
        descriptors = tuple(
            BlockDescriptor(
                block.id, block.parent, BlockKind(block.kind), at, block.stop - block.start, None,
                EvidenceRef(f"ev_{number}"), self.provenance, Role.USER,
            )
            for at, block in enumerate(mapped)
        )  # fmt: skip
        return IngestPage(
            handle, descriptors[offset : offset + 2], offset + 2 if offset + 2 < len(descriptors) else None
        )

    def read_ingest(self, handle: Handle, block: str, offset: int = 0) -> IngestText:
        self._check()
        number = int(handle.removeprefix("ingest_"))
        found = next(each for each in map_structure(self.texts[number]) if each.id == block)
        data = self.texts[number].encode()[found.start : found.stop]
        page = self.inspect_ingest(handle, 0).blocks[0]
        stop = min(offset + 64, len(data))
        while stop < len(data) and data[stop] & 0xC0 == 0x80:
            stop -= 1
        if stop == len(data):
            self.unread.discard((handle, block))
        return IngestText(handle, page, offset, data[offset:stop].decode(), stop if stop < len(data) else None)

    def inspect_memory(
        self, handle: Handle, target: Target | None = None, offset: int = 0
    ) -> MemoryManifest | MemoryPage:
        self._check()
        listings = {each: listing(each, text) for each, text in self.documents.items()}
        if target is None:
            return MemoryManifest(handle, tuple(listings.values()), None)
        return MemoryPage(handle, listings[target], offset, self.documents[target] or "", None)

    def processing_state(self) -> ProcessingState:
        return ProcessingState(0, 0, not self.unread, ())

    def submit(self, decision: Mapping[str, Any]) -> Submission:
        self._check()
        if self.unread:
            raise GrantError(Code.MATERIAL_UNREAD)
        proposal = parse_proposal(decision)
        self.submitted.append(proposal)
        if self.refuse:
            raise DecisionError(self.refuse.pop(0))
        for each in proposal.decisions:
            for operation in getattr(each, "operations", ()):
                if getattr(operation, "title", None) in self.refuse_when:
                    raise DecisionError(self.refuse_when[operation.title])
        self.accepted = proposal
        return Submission(sha256("x"))


class FakeControl:
    def __init__(self, *, cancelled: bool = False) -> None:
        self._cancelled = cancelled

    def cancelled(self) -> bool:
        return self._cancelled

    def check_lease(self) -> None: ...

    def recover(self, cause: Code) -> bool:
        return False
