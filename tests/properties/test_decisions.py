"""Whatever is proposed: no byte changes that the decision may not change, and every section an agent made has its sources."""

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from commonbook.book.grammar import outline, title_digest
from commonbook.errors import CommonbookError
from commonbook.keeper import queue
from commonbook.keeper.contracts import Store
from commonbook.keeper.snapshot import document_path
from commonbook.keeper.standing import stored
from commonbook.vocabulary import PREFERENCES, PROFILE, Target, project_scope
from tests.support.committing import commit, project, proposal, refs, say, take, write
from tests.support.queueing import opened

MINE, OTHER = Target("projects/mine-0a1b"), Target("projects/other-0a1b")
TARGETS = (PROFILE, PREFERENCES, MINE, OTHER)
FIRST = {PROFILE: "# Profile", PREFERENCES: "# Preferences", MINE: "# Project: Mine", OTHER: "# Project: Other"}

titles = st.sampled_from(["Tools", "Style", "工具", "Notes", "TOOLS"])
lines = st.sampled_from(
    ["- use pnpm", "- use npm", "- 用中文", "plain words", "### Sub", "* Use PNPM", "  trailing  ", "- x 👍"]
)
bodies = st.lists(lines, max_size=4).map("\n".join)
sections = st.lists(st.tuples(titles, bodies, st.sampled_from(["\n", "\n\n\n", "  \n"])), max_size=3)


def markdown(target: Target, parts: list[tuple[str, str, str]], end: str) -> bytes:
    seen, text = set(), f"{FIRST[target]}\n"
    for title, body, gap in parts:
        if title.casefold() not in seen:
            seen.add(title.casefold())
            text += f"\n## {title}\n\n{body}\n{gap}"
    return text.replace("\n", end).encode()


documents = st.fixed_dictionaries(
    {},
    optional={
        target: st.builds(
            lambda parts, end, target=target: markdown(target, parts, end), sections, st.sampled_from(["\n", "\r\n"])
        )
        for target in TARGETS
    },
)
OF_SCOPE = {"global": (PROFILE, PREFERENCES), "project": (MINE,), "uncertain": TARGETS}


def mostly(usual: Any, odd: Any) -> st.SearchStrategy[Any]:
    """The odd value about once in eight: rare enough that most decisions are accepted."""
    return st.integers(0, 7).flatmap(lambda n: st.sampled_from([odd if n == 0 else usual]))


@st.composite
def operations(draw: st.DrawFn, targets: tuple[Target, ...]) -> dict[str, Any]:
    target = draw(st.sampled_from(draw(mostly(targets, TARGETS))))
    if draw(st.integers(0, 3)) == 0:
        return {"operation": "remove_section", "target": target, "section": draw(st.sampled_from(["s1", "s2"]))}
    section = draw(st.sampled_from([None, None, "s1", "s2"]))
    return {
        "operation": "put_section",
        "target": target,
        "section": section,
        "title": draw(titles),
        "body": draw(bodies),
    }


@st.composite
def decisions(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["retain", "retain", "retain", "forget", "maintain", "ignore"]))
    where = draw(mostly(draw(st.sampled_from(["global", "project"])), "uncertain"))
    made: dict[str, Any] = {
        "reason": "r",
        "kind": kind,
        "applicability": where,
        "confidence": 1.0,
        "evidence": ["ev"] if kind != "maintain" and draw(st.integers(0, 9)) else [],
    }
    if kind == "retain":
        made |= {"admission": draw(st.sampled_from(["remember", "update"])), "lifetime": "stable"}
    if kind != "ignore":
        made["operations"] = draw(st.lists(operations(OF_SCOPE[where]), min_size=1, max_size=2))
    return made


def contents(store: Store) -> dict[Target, bytes | None]:
    paths = {target: document_path(store.home, target) for target in TARGETS}
    return {target: path.read_bytes() if path.exists() else None for target, path in paths.items()}


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=documents, rounds=st.lists(st.lists(decisions(), min_size=1, max_size=2), min_size=1, max_size=3))
def test_random_decisions(
    tmp_path_factory: Any, before: dict[Target, bytes], rounds: list[list[dict[str, Any]]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("store")
    store = opened(folder)
    mine = project(store, folder / "mine")
    project(store, folder / "other")
    for target, data in before.items():
        write(store, target, data)
    for number, made in enumerate(rounds):
        say(store, f"words number {number}", at=2**42 + number, scope=project_scope(mine))
        claim = take(store)
        named = [one | {"evidence": refs(claim) if one["evidence"] else []} for one in made]
        was = contents(store)
        named = [fitted(one, was) for one in named]
        try:
            commit(store, claim, proposal(claim, *named))
        except CommonbookError as error:
            event(error.code.value)
            assert contents(store) == was
            queue.fail(store, claim, error.code)
            return
        event("committed")
        check_bytes(was, contents(store), named)
    check_reasons(store)


def fitted(decision: dict[str, Any], now: dict[Target, bytes | None]) -> dict[str, Any]:
    """Sections that do not exist become additions or nothing, so that most decisions are accepted."""
    operations_now = []
    for operation in decision.get("operations", ()):
        there = len(outline(now[operation["target"]] or b"").sections)
        if operation["section"] is None or int(operation["section"][1:]) <= there:
            operations_now.append(operation)
        elif operation["operation"] == "put_section":
            operations_now.append(operation | {"section": None})
    if operations_now:
        return decision | {"operations": operations_now}
    common = {name: decision[name] for name in ("reason", "applicability", "confidence", "evidence")}
    return common | {"kind": "ignore"}


def check_bytes(was: dict[Target, bytes | None], now: dict[Target, bytes | None], made: list[dict[str, Any]]) -> None:
    """Documents and sections that no operation names are the same to the byte."""
    allowed = [operation for one in made for operation in one.get("operations", ())]
    assert now[OTHER] == was[OTHER]
    for target in TARGETS:
        mine = [operation for operation in allowed if operation["target"] == target]
        if not mine:
            assert now[target] == was[target]
            continue
        old, new = outline(was[target] or b""), outline(now[target] or b"")
        named = {operation["section"] for operation in mine}
        for index, section in enumerate(old.sections, start=1):
            if f"s{index}" not in named:
                kept = new.section(section.title)
                assert kept is not None
                last = index == len(old.sections)
                raw = old.raw(section)
                assert new.raw(kept) == raw or (last and new.raw(kept).startswith(raw))


def check_reasons(store: Store) -> None:
    for target, known in stored(store.ledger, TARGETS).items():
        path = document_path(store.home, target)
        document = outline(path.read_bytes() if path.exists() else b"")
        for section in document.sections:
            standing = known.get(title_digest(section.title))
            assert standing is None or standing.by_person or standing.links, (target, section.title)
            assert standing is not None or target == OTHER
