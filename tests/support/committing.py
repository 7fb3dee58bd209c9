"""Batches, decisions and whole runs of a scripted agent, for tests of the grant and the commit."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from commonbook.keeper import queue
from commonbook.keeper.commit import commit_proposal
from commonbook.keeper.contracts import AgentOutcome, Claim, MemoryTask, Store, Usage
from commonbook.keeper.grant import Grant, open_grant
from commonbook.keeper.ingress import deliver
from commonbook.keeper.snapshot import document_path
from commonbook.keeper.work import Committed
from commonbook.ledger import projects as project_table
from commonbook.ledger.projects import ProjectRow
from commonbook.vocabulary import (
    GLOBAL,
    PREFERENCES,
    ConsideredBy,
    ProjectId,
    Scope,
    Source,
    Target,
    TaskKind,
    evidence_ref,
    sha256,
)
from tests.support.queueing import START, delivery

DIGEST = "0" * 64
OUTCOME = AgentOutcome(None, "scripted/1", DIGEST, Usage(10, 5), turns=2, tool_calls=7)


def say(
    store: Store,
    text: str,
    *,
    at: int = START,
    scope: Scope = GLOBAL,
    source: Source | str = Source.INTERACTIVE,
    kind: TaskKind = TaskKind.OBSERVATION,
) -> str:
    """Deliver one sentence; gives its observation id."""
    told = deliver(store, delivery(sha256(f"{at} {text} {kind}"), text, at=at, scope=scope, source=source, kind=kind))
    assert told.observation is not None, told
    return told.observation


def take(store: Store) -> Claim:
    claim = queue.claim(store, ConsideredBy.RULES, "test")
    assert claim is not None
    return claim


def write(store: Store, target: Target | str, text: str | bytes) -> Path:
    """What a person does with an editor."""
    path = document_path(store.home, Target(target))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def shown(store: Store, target: Target | str = PREFERENCES) -> str:
    path = document_path(store.home, Target(target))
    return path.read_bytes().decode() if path.exists() else ""


def read_all(task: MemoryTask, grant: Grant, *, documents: bool = True) -> None:
    for bundle in task.bundles:
        offset: int | None = 0
        while offset is not None:
            page = grant.inspect_ingest(bundle.handle, offset)
            for block in page.blocks:
                part: int | None = 0
                while part is not None and block.unavailable is None:
                    part = grant.read_ingest(bundle.handle, block.block, part).next_offset
            offset = page.next_offset
    for target in grant.snapshot if documents else ():
        place: int | None = 0
        while place is not None:
            memory = grant.inspect_memory(task.snapshot, target, place)
            place = memory.next_offset


def put(title: str, body: str, *, section: str | None = None, target: str = PREFERENCES) -> dict[str, Any]:
    return {"operation": "put_section", "target": target, "section": section, "title": title, "body": body}


def drop(section: str, *, target: str = PREFERENCES) -> dict[str, Any]:
    return {"operation": "remove_section", "target": target, "section": section}


def decide(
    kind: str,
    *operations: dict[str, Any],
    evidence: Sequence[str] = (),
    where: str = "global",
    admission: str = "remember",
) -> dict[str, Any]:
    decision: dict[str, Any] = {
        "reason": "because",
        "kind": kind,
        "applicability": where,
        "confidence": 0.5,
        "evidence": list(evidence),
    }
    if kind == "retain":
        decision |= {"admission": admission, "lifetime": "stable"}
    return decision if kind == "ignore" else decision | {"operations": list(operations)}


def proposal(claim: Claim, *decisions: dict[str, Any], edit_result: str | None = None) -> dict[str, Any]:
    told: dict[str, Any] = {"version": "memory_maintenance_v2", "request_id": claim.job, "decisions": list(decisions)}
    return told if edit_result is None else told | {"edit_result": edit_result}


def project(store: Store, folder: Path) -> ProjectId:
    """A registered project; ``project register`` itself refuses folders under /tmp, where tests live."""
    found = ProjectId(f"{folder.name}-0a1b")
    with store.ledger.write() as ledger:
        project_table.put(ledger, ProjectRow(found, folder.name, str(folder), "person", "registered"), START)
    return found


def refs(claim: Claim) -> list[str]:
    return [evidence_ref(item.id) for item in claim.observations]


def commit(store: Store, claim: Claim, decision: Mapping[str, Any], outcome: AgentOutcome = OUTCOME) -> Committed:
    """One whole run: grant, reading, submission, commit."""
    task, grant = open_grant(store, claim)
    try:
        read_all(task, grant)
        grant.submit(decision)
        return commit_proposal(store, claim, grant, outcome)
    finally:
        grant.close()


def keep(
    store: Store,
    text: str,
    *operations: dict[str, Any],
    kind: str = "retain",
    where: str = "global",
    admission: str = "remember",
    at: int = START,
    scope: Scope = GLOBAL,
    source: Source = Source.INTERACTIVE,
) -> Committed:
    """Say something and commit one decision about it."""
    say(store, text, at=at, scope=scope, source=source)
    claim = take(store)
    made = decide(kind, *operations, evidence=refs(claim), where=where, admission=admission)
    return commit(store, claim, proposal(claim, made))
