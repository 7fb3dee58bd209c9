"""Every rule of a decision, broken and kept: table-driven, by code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from commonbook.book.grammar import outline, title_digest
from commonbook.errors import Code, CommonbookError
from commonbook.keeper.contracts import ClaimedObservation
from commonbook.keeper.decision import parse_proposal
from commonbook.keeper.guards import Checked, Rights, check
from commonbook.keeper.snapshot import SnapshotDocument, digest_of, section_digest
from commonbook.keeper.standing import Link, Standing
from commonbook.vocabulary import (
    GLOBAL,
    PREFERENCES,
    PROFILE,
    Digest,
    ObservationId,
    Provenance,
    Scope,
    Source,
    Target,
    TaskKind,
    target_scope,
)
from tests.support.committing import decide, drop, put

NOW = 1_000
PROJECT = Scope("project:atlas-0a1b")
OTHER = "projects/other-0a1b"
MINE = "projects/atlas-0a1b"
BIG = "".join(f"- line number {n} says something of its own about topic {n}\n" for n in range(60))
DOCUMENTS = {
    PREFERENCES: f"# Preferences\n\n## Tools\n\n- use npm\n- use make\n\n## Imported\n\n- likes tea\n\n## Big\n\n{BIG}",
    PROFILE: "# Profile\n\n## Me\n\n- is Ada\n",
    MINE: "# Project: Atlas\n\n## Build\n\n- use bazel here\n",
}


def observation(name: str, provenance: Provenance, at: int) -> ClaimedObservation:
    return ClaimedObservation(ObservationId(name), GLOBAL, Source.INTERACTIVE, provenance, "words", at, None, 0, None)


BATCH = {
    "ev_user": observation("user", Provenance.USER_EXPLICIT, NOW),
    "ev_old": observation("old", Provenance.USER_EXPLICIT, 10),
    "ev_import": observation("import", Provenance.DOCUMENT_IMPORT, NOW),
}
RIGHTS = Rights(
    request="job",
    scope=PROJECT,
    task_kind=TaskKind.OBSERVATION,
    writable=(PROJECT, GLOBAL),
    evidence=BATCH,
    provenances=frozenset({Provenance.USER_EXPLICIT}),
    newest=NOW,
    soft=8_192,
    hard=16_384,
)
EDIT = replace(RIGHTS, task_kind=TaskKind.EDIT)
IMPORT = replace(
    RIGHTS, evidence={"ev_import": BATCH["ev_import"]}, provenances=frozenset({Provenance.DOCUMENT_IMPORT})
)


def document(target: str, text: str) -> SnapshotDocument:
    data = text.encode()
    scope = target_scope(Target(target))
    return SnapshotDocument(Target(target), scope, "Atlas", data, digest_of(data), NOW, outline(data), None)


def standing_of(title: str, provenance: Provenance = Provenance.USER_EXPLICIT, at: int = 500) -> Standing:
    link = Link("observation", f"source of {title}", 1, "r", provenance, at)
    return Standing(title_digest(title), Digest("?"), at, None, False, "r", 1, (link,))


def snapshot(texts: Mapping[str, str] | None = None) -> dict[Target, SnapshotDocument]:
    return {Target(target): document(target, text) for target, text in (texts or DOCUMENTS).items()}


def standings(documents: Mapping[Target, SnapshotDocument]) -> dict[Target, dict[Digest, Standing]]:
    return {
        target: {
            title_digest(section.title): replace(
                standing_of(
                    section.title,
                    Provenance.DOCUMENT_IMPORT if section.title == "Imported" else Provenance.USER_EXPLICIT,
                ),
                body=section_digest(one.document, section),
            )
            for section in one.document.sections
        }
        for target, one in documents.items()
    }


@dataclass(frozen=True)
class Case:
    name: str
    decisions: list[dict[str, Any]]
    code: Code | None = None
    rights: Rights = RIGHTS
    edit_result: str | None = None
    request: str = "job"
    texts: Mapping[str, str] | None = None


def run(case: Case) -> Checked:
    raw: dict[str, Any] = {"version": "memory_maintenance_v2", "request_id": case.request, "decisions": case.decisions}
    if case.edit_result is not None:
        raw["edit_result"] = case.edit_result
    documents = snapshot(case.texts)
    return check(parse_proposal(raw), case.rights, documents, standings(documents))


def retain(
    *operations: dict[str, Any], by: str = "ev_user", where: str = "global", admission: str = "remember"
) -> dict[str, Any]:
    return decide("retain", *operations, evidence=[by] if by else [], where=where, admission=admission)


def forget(*operations: dict[str, Any], by: str = "ev_user", where: str = "global") -> dict[str, Any]:
    return decide("forget", *operations, evidence=[by] if by else [], where=where)


def maintain(*operations: dict[str, Any], where: str = "global") -> dict[str, Any]:
    return decide("maintain", *operations, where=where)


NEW = put("New", "- brand new")
IGNORE = decide("ignore", where="uncertain")
HALF_BIG = "".join(BIG.splitlines(keepends=True)[:20])

CASES = [
    Case("new section", [retain(NEW)]),
    Case("request of another job", [IGNORE], Code.INVALID_REQUEST_REFERENCE, request="other"),
    # evidence
    Case("evidence that is not in the batch", [retain(NEW, by="ev_nobody")], Code.INVALID_EVIDENCE_REFERENCE),
    Case("context is no evidence", [retain(NEW, by="context_only")], Code.INVALID_EVIDENCE_REFERENCE),
    Case("ignore names only real evidence", [decide("ignore", evidence=["ev_x"])], Code.INVALID_EVIDENCE_REFERENCE),
    Case("retain without evidence", [retain(NEW, by="")], Code.MISSING_EVIDENCE),
    Case("forget without evidence", [forget(drop("s1"), by="")], Code.MISSING_EVIDENCE),
    Case("edit without evidence", [maintain(drop("s1"))], Code.MISSING_EVIDENCE, EDIT, "modified"),
    # targets
    Case("no such target", [retain(put("New", "- x", target="notes"))], Code.INVALID_TARGET_REFERENCE),
    Case("a path as target", [retain(put("New", "- x", target="projects/../profile"))], Code.INVALID_TARGET_REFERENCE),
    Case("no such section", [retain(put("New", "- x", section="s9"))], Code.INVALID_TARGET_REFERENCE),
    Case("a title is no reference", [retain(put("New", "- x", section="Tools"))], Code.INVALID_TARGET_REFERENCE),
    Case("one section twice", [forget(drop("s1"), drop("s1"))], Code.DUPLICATE_SECTION_OPERATION),
    Case(
        "one section twice over decisions", [forget(drop("s1")), forget(drop("s1"))], Code.DUPLICATE_SECTION_OPERATION
    ),
    Case("one title twice", [retain(NEW, put("NEW", "- other"))], Code.DUPLICATE_SECTION_OPERATION),
    Case("a title that stands there", [retain(put("tools", "- fresh"))], Code.DUPLICATE_SECTION_OPERATION),
    # scopes
    Case("project fact said to be global", [retain(put("New", "- x y", target=MINE))], Code.UNAUTHORIZED_SCOPE),
    Case("project fact", [retain(put("New", "- x y", target=MINE), where="project")]),
    Case("global fact said to be of the project", [retain(NEW, where="project")], Code.UNAUTHORIZED_SCOPE),
    Case("another project", [retain(put("N", "- x", target=OTHER), where="project")], Code.UNAUTHORIZED_SCOPE),
    Case("uncertain only ignores", [retain(NEW, where="uncertain")], Code.UNAUTHORIZED_SCOPE),
    Case("not writable", [retain(NEW)], Code.UNAUTHORIZED_WRITE, replace(RIGHTS, writable=(PROJECT,))),
    Case(
        "a global batch writes no project",
        [retain(put("N", "- x", target=MINE), where="project")],
        Code.UNAUTHORIZED_SCOPE,
        replace(RIGHTS, scope=GLOBAL, writable=(GLOBAL,)),
    ),
    # maintain
    Case("reorders lines", [maintain(put("Tools", "- use make\n- use npm", section="s1"))]),
    Case(
        "introduces a line",
        [maintain(put("Tools", "- use npm\n- use make\n- use ant", section="s1"))],
        Code.UNAUTHORIZED_WRITE,
    ),
    Case("renames in the section's own words", [maintain(put("Make and npm", "- use npm\n- use make", section="s1"))]),
    Case("renames by case and width", [maintain(put("ＴＯＯＬＳ", "- use npm\n- use make", section="s1"))]),
    Case(
        "invents a title",
        [maintain(put("Never trust npm", "- use npm\n- use make", section="s1"))],
        Code.UNAUTHORIZED_WRITE,
    ),
    Case("a title of no words", [maintain(put("🚫", "- use npm\n- use make", section="s1"))], Code.UNAUTHORIZED_WRITE),
    Case(
        "a title from another section of the decision",
        [maintain(put("Tools me", "- use npm\n- use make", section="s1"), drop("s1", target=PROFILE))],
        Code.UNJUSTIFIED_SHRINK,
    ),
    Case("splits", [maintain(put("Tools", "- use npm", section="s1"), put("Make", "- use make"))]),
    Case("drops a short line", [maintain(put("Tools", "- use npm", section="s1"))], Code.UNJUSTIFIED_SHRINK),
    Case("drops a short section", [maintain(drop("s2"))], Code.UNJUSTIFIED_SHRINK),
    Case(
        "drops what another decision forgets",
        [forget(put("Tools", "- use npm", section="s1")), maintain(drop("s2"))],
        Code.UNJUSTIFIED_SHRINK,
    ),
    Case(
        "drops a line that stands elsewhere",
        [maintain(drop("s1"))],
        texts={PREFERENCES: "# Preferences\n\n## Tools\n\n- use npm\n", PROFILE: "# Profile\n\n## Me\n\n* Use NPM\n"},
    ),
    Case("drops a line when asked to", [maintain(drop("s2")) | {"evidence": ["ev_user"]}], None, EDIT, "modified"),
    Case("moves within a scope", [maintain(drop("s1"), put("Tools", "- use npm\n- use make", target=PROFILE))]),
    Case(
        "moves to another scope",
        [maintain(drop("s1"), where="global"), maintain(put("Tools", "- use npm", target=MINE), where="project")],
        Code.UNAUTHORIZED_WRITE,
    ),
    # imports
    Case("import adds", [retain(NEW, by="ev_import")]),
    Case("import reworks an import", [retain(put("Imported", "- likes coffee", section="s2"), by="ev_import")]),
    Case(
        "import overwrites",
        [retain(put("Tools", "- x y", section="s1"), by="ev_import")],
        Code.UNAUTHORIZED_IMPORT_OVERWRITE,
    ),
    Case("import removes", [retain(drop("s1"), by="ev_import")], Code.UNAUTHORIZED_IMPORT_OVERWRITE),
    Case("import tidies the user's", [maintain(drop("s1"))], Code.UNAUTHORIZED_IMPORT_OVERWRITE, IMPORT),
    Case("import forgets", [forget(drop("s2"), by="ev_import")], Code.UNAUTHORIZED_FORGET_EVIDENCE),
    Case("the user forgets", [forget(drop("s1"))]),
    # time
    Case("older words replace", [retain(put("Tools", "- use ant", section="s1"), by="ev_old")], Code.STALE_SOURCE),
    Case("older words remove", [forget(drop("s1"), by="ev_old")], Code.STALE_SOURCE),
    Case(
        "older words rename", [retain(put("X", "- use npm\n- use make", section="s1"), by="ev_old")], Code.STALE_SOURCE
    ),
    Case("older words add", [retain(put("Tools", "- use npm\n- use make\n- ant", section="s1"), by="ev_old")]),
    Case("newer words replace", [retain(put("Tools", "- use ant", section="s1"), admission="update")]),
    # edits
    Case("edit result on an observation", [retain(NEW)], Code.INVALID_EDIT_RESULT, edit_result="modified"),
    Case("edit without a result", [retain(NEW)], Code.INVALID_EDIT_RESULT, EDIT),
    Case("plain ignore of an edit", [IGNORE], Code.INVALID_EDIT_RESULT, EDIT),
    Case("modified without change", [IGNORE], Code.INVALID_EDIT_RESULT, EDIT, "modified"),
    Case(
        "modified into the same bytes",
        [retain(put("Me", "- is Ada", section="s1", target=PROFILE))],
        Code.INVALID_EDIT_RESULT,
        EDIT,
        "modified",
    ),
    Case("modified", [retain(NEW)], None, EDIT, "modified"),
    *[
        Case(f"{result} with a change", [retain(NEW)], Code.INVALID_EDIT_RESULT, EDIT, result)
        for result in ("already_satisfied", "clarification_required", "refused")
    ],
    *[
        Case(result, [IGNORE], None, EDIT, result)
        for result in ("already_satisfied", "clarification_required", "refused")
    ],
    # shrinking
    Case("loses much by remember", [retain(put("Big", HALF_BIG, section="s3"))], Code.UNJUSTIFIED_SHRINK),
    Case("loses much by tidying", [maintain(put("Big", HALF_BIG, section="s3"))], Code.UNJUSTIFIED_SHRINK),
    Case("loses much by update", [retain(put("Big", HALF_BIG, section="s3"), admission="update")]),
    Case("loses much by correction", [retain(put("Big", HALF_BIG, section="s3"), admission="correct")]),
    Case("loses much by forgetting", [forget(put("Big", HALF_BIG, section="s3"))]),
    Case("loses much by an edit", [retain(put("Big", HALF_BIG, section="s3"))], None, EDIT, "modified"),
    Case(
        "an update elsewhere excuses nothing",
        [
            retain(put("Tools", "- use ant", section="s1"), admission="update"),
            maintain(put("Big", HALF_BIG, section="s3")),
        ],
        Code.UNJUSTIFIED_SHRINK,
    ),
    Case(
        "over the soft budget it may shrink to it",
        [maintain(put("Big", HALF_BIG, section="s3"))],
        None,
        replace(RIGHTS, soft=1_300),
    ),
    Case("loses a little", [retain(put("Tools", "- ant", section="s1"))]),
    # text
    Case("says a line again", [retain(put("New", "* USE\u3000npm"))], Code.DUPLICATE_CONTENT),
    Case("says a line again with a variant mark", [retain(put("New", "- use npm\ufe0f"))], Code.DUPLICATE_CONTENT),
    Case("hides a sign in a line", [retain(put("New", "- use\u200b npm"))], Code.INVALID_MARKDOWN),
    Case("says a line again in another document", [retain(put("New", "- is ada"))], Code.DUPLICATE_CONTENT),
    Case("says a new line twice", [retain(put("New", "- one thing\n- One thing"))], Code.DUPLICATE_CONTENT),
    Case("another scope may say it too", [retain(put("New", "- use npm", target=MINE), where="project")]),
    Case("code may repeat", [retain(put("New", "```\nuse npm\n```\n\nlike this"))]),
    Case("a secret", [retain(put("New", "key AKIAIOSFODNN7EXAMPLE"))], Code.SENSITIVE_PATCH),
    Case("a heading of ours", [retain(put("New", "# Profile"))], Code.INVALID_MARKDOWN),
    Case("an open fence", [retain(put("New", "```\nnever closed"))], Code.INVALID_MARKDOWN),
    Case("too much", [retain(put("New", "x " * 9_000))], Code.DOCUMENT_FULL),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    if case.code is None:
        assert isinstance(run(case), Checked)
    else:
        with pytest.raises(CommonbookError) as told:
            run(case)
        assert told.value.code is case.code


def test_a_document_outside_the_grammar_is_not_written() -> None:
    documents = snapshot()
    documents[PREFERENCES] = replace(documents[PREFERENCES], outside=3)
    raw = {"version": "memory_maintenance_v2", "request_id": "job", "decisions": [retain(NEW)]}
    with pytest.raises(CommonbookError) as told:
        check(parse_proposal(raw), RIGHTS, documents, standings(documents))
    assert told.value.code is Code.DOCUMENT_OUTSIDE_GRAMMAR
    assert told.value.detail == {"target": "preferences", "line": 3}


def test_a_huge_proposal_is_refused_before_anyone_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shape allows 64 decisions of 32 bodies of 64 KiB; scanning and joining those took ten minutes."""
    from commonbook.keeper import guards

    def scan(_text: str) -> bool:
        raise AssertionError("scanned")

    monkeypatch.setattr(guards, "has_secret", scan)
    bodies = [put(f"Section {number}", f"- {number} " + "words " * 10_000) for number in range(32)]
    with pytest.raises(CommonbookError) as told:
        run(Case("huge", [retain(*bodies)]))
    assert told.value.code is Code.DOCUMENT_FULL


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: raw | {"extra": 1},
        lambda raw: raw | {"version": "memory_maintenance_v1"},
        lambda raw: raw | {"decisions": []},
        lambda raw: raw | {"decisions": [IGNORE] * 65},
        lambda raw: raw | {"decisions": [retain(NEW) | {"operations": []}]},
        lambda raw: raw | {"decisions": [retain(NEW) | {"confidence": 2}]},
        lambda raw: raw | {"decisions": [retain(NEW) | {"secret AKIAIOSFODNN7EXAMPLE": 2}]},
        lambda raw: raw | {"decisions": [IGNORE | {"operations": [NEW]}]},
        lambda raw: raw | {"edit_result": "maybe"},
        lambda raw: raw | {"decisions": nested(100_000)},
        lambda raw: raw | {"decisions": [retain(NEW) | {"operations": nested(100_000)}]},
        lambda raw: raw | {"decisions": [IGNORE | {"reason": "a lone \ud800"}]},
    ],
)
def test_a_wrong_shape_tells_names_and_never_values(spoil: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    raw = {"version": "memory_maintenance_v2", "request_id": "job", "decisions": [retain(NEW)]}
    with pytest.raises(CommonbookError) as told:
        parse_proposal(spoil(raw))
    assert told.value.code is Code.INVALID_DECISION
    assert "AKIA" not in repr(getattr(told.value, "problems", ()))
