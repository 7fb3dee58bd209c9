"""What a run may read, in which order, and that it must have read before it decides."""

from dataclasses import replace
from pathlib import Path

import pytest

from commonbook.book.marker import wrap
from commonbook.errors import Code, CommonbookError
from commonbook.keeper import queue
from commonbook.keeper.contracts import ContextMessage, IngestText, MemoryManifest, MemoryPage, MemoryTask, Place, Store
from commonbook.keeper.grant import Grant, open_grant
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.lease import LEASE
from commonbook.settings.model import Disclosure, Read, Settings, Write
from commonbook.vocabulary import (
    PREFERENCES,
    PROFILE,
    Handle,
    Provenance,
    Role,
    Target,
    TaskKind,
    project_scope,
    sha256,
)
from tests.support.committing import commit, decide, project, proposal, put, read_all, refs, say, take, write
from tests.support.queueing import START, SetClock, opened, session, turn, user

WITH_CONTEXT = Settings(disclosure=Disclosure(provenance=(Provenance.USER_EXPLICIT, Provenance.CONVERSATION_CONTEXT)))


def granted(store: Store) -> tuple[MemoryTask, Grant]:
    return open_grant(store, take(store))


def code_of(call: object, *arguments: object) -> Code:
    with pytest.raises(CommonbookError) as told:
        call(*arguments)  # type: ignore[operator]
    return told.value.code


def test_a_task_holds_no_text(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "I use pnpm everywhere")
    task, _ = granted(store)
    assert "pnpm" not in repr(task)
    (bundle,) = task.bundles
    assert (bundle.role, bundle.current, bundle.bytes) == (Role.USER, True, 21)


def test_text_is_read_in_order_and_may_be_read_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    text = "这是一个很长的句子。" * 1500
    say(store, text)
    task, grant = granted(store)
    handle = task.bundles[0].handle
    assert code_of(grant.read_ingest, handle, "b1", 8_190) is Code.NONCONTIGUOUS_READ
    pages, offset = [], 0
    while True:
        page: IngestText = grant.read_ingest(handle, "b1", offset)
        assert len(page.text.encode()) <= 8_192
        pages.append(page.text)
        if page.next_offset is None:
            break
        offset = page.next_offset
    assert "".join(pages) == text
    assert grant.read_ingest(handle, "b1", 0).text == pages[0]
    assert code_of(grant.read_ingest, handle, "b1", 1) is Code.INVALID_OFFSET  # inside a character
    assert code_of(grant.read_ingest, handle, "b1", -1) is Code.INVALID_OFFSET
    assert code_of(grant.read_ingest, handle, "b99") is Code.INVALID_BLOCK
    assert code_of(grant.read_ingest, Handle("ingest_other"), "b1") is Code.INVALID_HANDLE
    assert grant.processing_state().complete


def test_descriptors_come_in_pages_of_32(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "\n\n".join(f"## Heading {n}\n\nparagraph {n}" for n in range(40)))
    task, grant = granted(store)
    handle = task.bundles[0].handle
    first = grant.inspect_ingest(handle)
    assert len(first.blocks) == 32 and first.next_offset == 32
    seen = list(first.blocks)
    while (offset := (page := grant.inspect_ingest(handle, len(seen))).next_offset) is not None:
        seen += page.blocks
        assert offset == len(seen)
    seen += page.blocks
    assert [block.order for block in seen] == list(range(task.bundles[0].blocks))
    assert "Heading 3" in [block.label for block in seen]


def test_nothing_is_decided_before_everything_is_read(tmp_path: Path) -> None:
    store = opened(tmp_path)
    write(store, PREFERENCES, "# Preferences\n\n## Long\n\n" + "words " * 2000 + "\n")
    say(store, "use pnpm")
    claim = take(store)
    task, grant = open_grant(store, claim)
    ignore = proposal(claim, decide("ignore", where="uncertain"))
    assert code_of(grant.submit, ignore) is Code.MATERIAL_UNREAD
    read_all(task, grant, documents=False)
    new = proposal(claim, decide("retain", put("Tools", "- use pnpm"), evidence=refs(claim)))
    assert code_of(grant.submit, new) is Code.TARGET_UNREAD
    page = grant.inspect_memory(task.snapshot, PREFERENCES)
    assert isinstance(page, MemoryPage) and page.next_offset is not None
    assert code_of(grant.submit, new) is Code.TARGET_UNREAD
    assert code_of(grant.inspect_memory, task.snapshot, PREFERENCES, page.next_offset + 1) is Code.NONCONTIGUOUS_READ
    grant.inspect_memory(task.snapshot, PREFERENCES, page.next_offset)
    grant.submit(new)
    for call in (grant.processing_state, lambda: grant.submit(new), lambda: grant.inspect_memory(task.snapshot)):
        assert code_of(call) is Code.DECISION_ALREADY_SUBMITTED


def test_already_satisfied_needs_every_document(tmp_path: Path) -> None:
    store = opened(tmp_path)
    write(store, PREFERENCES, "# Preferences\n\n## A\n\na\n")
    write(store, PROFILE, "# Profile\n\n## B\n\nb\n")
    say(store, "forget c", kind=TaskKind.EDIT)
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant, documents=False)
    grant.inspect_memory(task.snapshot, PREFERENCES)
    made = proposal(claim, decide("ignore", where="uncertain"), edit_result="already_satisfied")
    assert code_of(grant.submit, made) is Code.TARGET_UNREAD
    grant.inspect_memory(task.snapshot, PROFILE)
    grant.submit(made)


def test_a_rejected_submission_may_be_mended(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm")
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant)
    assert code_of(grant.submit, {"version": "x"}) is Code.INVALID_DECISION
    assert grant.accepted is None
    grant.submit(proposal(claim, decide("ignore", where="uncertain")))
    assert grant.accepted is not None


def test_the_grant_dies_with_its_run_and_its_lease(tmp_path: Path) -> None:
    clock = SetClock()
    store = opened(tmp_path, clock=clock)
    say(store, "use pnpm")
    task, grant = granted(store)
    clock.pass_by(LEASE + 1)
    assert code_of(grant.inspect_ingest, task.bundles[0].handle) is Code.STALE_LEASE
    grant.close()
    assert code_of(grant.inspect_ingest, task.bundles[0].handle) is Code.EXPIRED_TASK
    assert code_of(grant.submit, {}) is Code.EXPIRED_TASK


def test_documents_by_scope_and_right(tmp_path: Path) -> None:
    store = opened(tmp_path, Settings(write=Write(scopes=("project:*",)), read=Read()))
    atlas, other = tmp_path / "work" / "atlas", tmp_path / "work" / "other"
    atlas.mkdir(parents=True)
    other.mkdir()
    first = project(store, atlas)
    project(store, other)
    scope = project_scope(first)
    say(store, "always bazel here", scope=scope)
    task, grant = granted(store)
    manifest = grant.inspect_memory(task.snapshot)
    assert isinstance(manifest, MemoryManifest)
    assert {(d.target, d.writable) for d in manifest.documents} == {
        (PROFILE, False),
        (PREFERENCES, False),
        (Target(f"projects/{first}"), True),
    }
    assert task.writable_scopes == (scope,)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# Preferences\n\nloose text\n\n## A\n\na\n", Code.DOCUMENT_OUTSIDE_GRAMMAR),
        ("# Preferences\n\n## Keys\n\nAKIAIOSFODNN7EXAMPLE\n", Code.SENSITIVE_SECTION),
    ],
)
def test_a_document_that_the_person_must_mend_first(tmp_path: Path, text: str, code: Code) -> None:
    store = opened(tmp_path)
    write(store, PREFERENCES, text)
    say(store, "use pnpm")
    claim = take(store)
    with pytest.raises(CommonbookError) as told:
        open_grant(store, claim)
    assert told.value.code is code
    assert told.value.detail["target"] == PREFERENCES
    assert told.value.detail.get("line", 3) == 3 and told.value.detail.get("section", "Keys") == "Keys"
    assert queue.fail(store, claim, code) == "paused"
    write(store, PREFERENCES, "# Preferences\n")
    again = opened(tmp_path)
    open_grant(again, take(again))


def test_our_own_marked_text_gives_no_evidence(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, wrap("preferences", "- use npm", "abc") + "\nok thanks")
    task, grant = granted(store)
    kinds = {block.evidence for block in grant.inspect_ingest(task.bundles[0].handle).blocks if block.block != "b0"}
    assert "context_only" in kinds and len(kinds) == 2


# --- context -----------------------------------------------------------------------------------------------------------


def transcript(folder: Path, *records: str) -> list[tuple[str, int, int]]:
    """A file of records; gives (path, start, length) of each."""
    path = folder / "session.jsonl"
    places, at = [], 0
    for record in records:
        size = len(record.encode())
        places.append((str(path), at, size))
        at += size + 1
    path.write_bytes("".join(f"{record}\n" for record in records).encode())
    return places


def with_context(folder: Path, *replies: str, settings: Settings = WITH_CONTEXT) -> Store:
    """A turn whose answers stand in a transcript, one record a text (the test host's records are their texts)."""
    places = transcript(folder, *replies)
    store = replace(opened(folder, settings), record_text=lambda host, record: record.decode())
    messages = [
        ContextMessage(f"a{n}", Role.ASSISTANT, text, START, Place(*place), sha256(text))
        for n, (text, place) in enumerate(zip(replies, places, strict=True))
    ]
    take_turns(store, session(), [turn("t1", user("u1", "I use pnpm"), *messages)], None)
    return store


def test_context_is_shown_only_where_it_is_allowed(tmp_path: Path) -> None:
    store = with_context(tmp_path, "sure, pnpm it is", settings=Settings())
    assert [bundle.role for bundle in granted(store)[0].bundles] == [Role.USER]


def test_context_is_read_again_from_the_transcript_and_must_be_read(tmp_path: Path) -> None:
    store = with_context(tmp_path, "sure, pnpm it is")
    task, grant = granted(store)
    context = task.bundles[1]
    assert context.role is Role.ASSISTANT and context.current
    (root, leaf) = grant.inspect_ingest(context.handle).blocks
    assert {root.evidence, leaf.evidence} == {"context_only"}
    assert grant.read_ingest(context.handle, leaf.block).text == "sure, pnpm it is"
    assert not grant.processing_state().complete


def a_link_in_its_place(path: Path) -> None:
    moved = path.rename(path.with_suffix(".moved"))
    path.symlink_to(moved)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda path: path.unlink(), "SOURCE_GONE"),
        (lambda path: path.write_text("other words entirely"), "SOURCE_GONE"),
        (lambda path: path.write_text(""), "SOURCE_GONE"),
        (a_link_in_its_place, "SOURCE_GONE"),
    ],
)
def test_context_that_is_gone_is_unavailable(tmp_path: Path, spoil: object, reason: str) -> None:
    store = with_context(tmp_path, "sure, pnpm it is")
    spoil(tmp_path / "session.jsonl")  # type: ignore[operator]
    task, grant = granted(store)
    (block,) = grant.inspect_ingest(task.bundles[1].handle).blocks
    assert (block.unavailable, block.bytes) == (reason, 0)
    read_all(task, grant)
    assert grant.processing_state().complete


def test_a_secret_in_context_hides_that_message_alone(tmp_path: Path) -> None:
    store = with_context(tmp_path, "the key is AKIAIOSFODNN7EXAMPLE", "done")
    task, grant = granted(store)
    first, second = (grant.inspect_ingest(bundle.handle).blocks for bundle in task.bundles[1:])
    assert first[0].unavailable == "sensitive_context"
    assert second[0].unavailable is None


def test_long_context_is_shown_by_its_ends(tmp_path: Path) -> None:
    text = "前" * 10_000 + "MIDDLE" + "后" * 10_000
    store = with_context(tmp_path, text)
    task, grant = granted(store)
    context = task.bundles[1]
    assert context.bytes < 33_000
    whole, offset = "", 0
    while True:
        page = grant.read_ingest(context.handle, "b0", offset)
        whole += page.text
        if page.next_offset is None:
            break
        offset = page.next_offset
    assert whole.startswith("前" * 5_000) and whole.endswith("后" * 5_000)
    assert "MIDDLE" not in whole and "bytes left out here" in whole


def test_earlier_turns_are_optional_and_no_evidence(tmp_path: Path) -> None:
    store = with_context(tmp_path, "fine")
    claim = take(store)
    commit(store, claim, proposal(claim, decide("ignore", where="uncertain")))
    take_turns(store, session(), [turn("t2", user("u2", "and ruff", at=START + 5))], None)
    task, grant = granted(store)
    assert [bundle.current for bundle in task.bundles] == [True, False, False]
    assert grant.processing_state().total_bytes == len("and ruff")


def test_earlier_turns_of_another_project_or_put_aside_are_not_shown(tmp_path: Path) -> None:
    """A session that moves on to another project must not carry the words of the first one along."""
    store = replace(opened(tmp_path, WITH_CONTEXT), record_text=lambda host, record: record.decode())
    (place,) = transcript(tmp_path, "the plan of alpha it is")
    alpha, beta = (project_scope(project(store, tmp_path / name)) for name in ("alpha", "beta"))
    heard = ContextMessage("a1", Role.ASSISTANT, None, START, Place(*place), sha256("the plan of alpha it is"))
    take_turns(store, session(scope=alpha), [turn("t1", user("u1", "alpha's plan"), heard)], None)
    aside = turn("t2", user("u2", "my card is 4539 1488 0343 6467", at=START + 1))
    take_turns(store, session(scope=beta), [aside, turn("t3", user("u3", "we use go", at=START + 2))], None)
    take_turns(store, session(scope=beta), [turn("t4", user("u4", "and pnpm", at=START + 3))], None)
    claims = [take(store)]
    commit(store, claims[0], proposal(claims[0], decide("ignore", where="uncertain")))  # alpha's
    claims.append(take(store))
    commit(store, claims[1], proposal(claims[1], decide("ignore", where="uncertain")))  # beta's first
    claim = take(store)
    task, grant = open_grant(store, claim)
    told = [grant.read_ingest(bundle.handle, "b1").text for bundle in task.bundles]
    assert told == ["and pnpm", "we use go"]
