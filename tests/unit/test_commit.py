"""A decision becomes Markdown, links, receipt and history; and does so once."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import orjson
import pytest

from commonbook.book.facts import read_facts
from commonbook.book.grammar import title_digest
from commonbook.errors import Code, CommonbookError
from commonbook.keeper import history, queue
from commonbook.keeper.commit import commit_proposal
from commonbook.keeper.contracts import AgentOutcome, Store
from commonbook.keeper.grant import open_grant
from commonbook.keeper.log import read_log
from commonbook.keeper.standing import stored
from commonbook.keeper.why import explain
from commonbook.ledger import links as link_table
from commonbook.ledger.database import Ledger
from commonbook.settings.model import MIB
from commonbook.vocabulary import PREFERENCES, PROFILE
from tests.support.committing import (
    DIGEST,
    OUTCOME,
    commit,
    decide,
    drop,
    keep,
    proposal,
    put,
    read_all,
    refs,
    say,
    shown,
    take,
    write,
)
from tests.support.queueing import START, SetClock, count, opened


def state_of(store: Store, observation: str) -> tuple[object, ...]:
    return (
        store.ledger.row("SELECT state, considered_by, processed_at FROM observations WHERE id = ?", (observation,))
        or ()
    )


def test_a_decision_becomes_markdown_with_its_reason(tmp_path: Path) -> None:
    store = opened(tmp_path)
    spoken = say(store, "Please always use pnpm")
    claim = take(store)
    done = commit(store, claim, proposal(claim, decide("retain", put("Tools", "- use pnpm"), evidence=refs(claim))))
    assert shown(store) == "# Preferences\n\n## Tools\n\n- use pnpm\n"
    assert [(c.kind, c.section, c.lines_added) for c in done.changes] == [("kept", "Tools", ("- use pnpm",))]
    (origin,) = explain(store, PREFERENCES, "tools")
    assert [source.words for source in origin.sources] == ["Please always use pnpm"]
    assert state_of(store, spoken) == ("processed", "rules", START)
    receipt = (store.home.receipts / f"{claim.job}.json").read_bytes()
    assert b"pnpm" not in receipt and b"Tools" not in receipt and b"because" not in receipt
    assert orjson.loads(receipt)["consumed"] == [spoken]
    assert not any(store.home.transactions.iterdir())
    assert [entry.decisions for entry in read_log(store, 5)] == [("retain",)]
    fact = read_facts(store.home)[PREFERENCES, title_digest("Tools")]
    assert (fact.date, fact.sources) == (START, (spoken,))
    job = store.ledger.row("SELECT state, turns, tool_calls, input_tokens, prompt_digest, agent FROM jobs")
    assert job == ("done", 2, 7, 10, DIGEST, "scripted/1")


def test_ignore_consumes_and_leaves_no_file(tmp_path: Path) -> None:
    store = opened(tmp_path)
    spoken = say(store, "thanks")
    claim = take(store)
    commit(store, claim, proposal(claim, decide("ignore", where="uncertain")))
    assert state_of(store, spoken)[0] == "processed"
    assert not any(store.home.receipts.iterdir())
    assert read_log(store, 5) == ()
    assert [entry.kind for entry in read_log(store, 5, everything=True)] == ["ignore"]


def test_history_keeps_what_stood_there_before(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    done = keep(store, "use pnpm now", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 1)
    (row,) = history.former(store.home, done.receipt)
    assert row.text is not None and b"use npm" in row.text


@pytest.mark.parametrize(
    "spoil", [lambda _: b"no database" * 900, lambda data: data[:4096] + b"\xff" * (len(data) - 4096)]
)
def test_a_damaged_history_stands_in_nobodys_way(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    """It may be deleted at any time; an error behind the marker would come back at every start."""
    store = opened(tmp_path)
    keep(store, "I like tea", put("Notes", "- likes tea"))
    keep(store, "and coffee", put("Notes", "- likes tea\n- coffee", section="s1"), at=START + 1)
    store.home.history_database.write_bytes(spoil(store.home.history_database.read_bytes()))
    done = keep(store, "and milk", put("Notes", "- likes tea\n- coffee\n- milk", section="s1"), at=START + 2)
    assert "- milk" in shown(store)
    assert list(store.home.transactions.iterdir()) == []
    assert len(history.former(store.home, done.receipt)) == 1


def facts_of(store: Store) -> set[tuple[str, str, int, tuple[str, ...]]]:
    return {(fact.target, fact.title_digest, fact.date, fact.sources) for fact in read_facts(store.home).values()}


def test_only_what_a_commit_touches_is_worked_out_anew_and_a_broken_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    real = link_table.section_sources

    def watched(ledger: Ledger, targets: Iterable[str]) -> tuple[tuple[str, str, str], ...]:
        asked.append(sorted(targets))
        return real(ledger, targets)

    monkeypatch.setattr(link_table, "section_sources", watched)
    store = opened(tmp_path)
    keep(store, "I am Ada", put("Me", "- is Ada", target=PROFILE))
    keep(store, "use pnpm", put("Tools", "- use pnpm"), at=START + 1)
    assert asked == [[PROFILE], [PREFERENCES]]
    assert {row[:3] for row in facts_of(store)} == {
        (PROFILE, title_digest("Me"), START),
        (PREFERENCES, title_digest("Tools"), START + 1),
    }
    store.home.sections_file.write_text("{")
    keep(store, "use ruff", put("Lint", "- use ruff"), at=START + 2)
    whole = facts_of(store)
    assert len(whole) == 3 and all(sources for *_, sources in whole)
    store.home.sections_file.write_bytes(b" " * (16 * MIB + 1))
    keep(store, "forget ruff", drop("s2"), kind="forget", at=START + 3)
    assert facts_of(store) == {row for row in whole if row[1] != title_digest("Lint")}


def test_a_wrong_prompt_digest_consumes_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    spoken = say(store, "use pnpm")
    claim = take(store)
    for digest in ("A" * 64, "0" * 63, ""):
        task, grant = open_grant(store, claim)
        read_all(task, grant)
        grant.submit(proposal(claim, decide("ignore", where="uncertain")))
        with pytest.raises(CommonbookError) as told:
            commit_proposal(store, claim, grant, AgentOutcome(None, "x/1", digest))
        assert told.value.code is Code.INVALID_PROMPT_DIGEST
    assert state_of(store, spoken)[0] == "claimed"


@pytest.mark.parametrize("target", [PREFERENCES, PROFILE])
@pytest.mark.parametrize("kind", ["retain", "ignore"])
def test_an_edit_between_grant_and_commit_is_never_overwritten(tmp_path: Path, target: str, kind: str) -> None:
    store = opened(tmp_path)
    write(store, target, "# " + target.capitalize() + "\n\n## Mine\n\nold\n")
    say(store, "use pnpm")
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant)
    made = [] if kind == "ignore" else [put("Tools", "- use pnpm")]
    where = "uncertain" if kind == "ignore" else "global"
    grant.submit(proposal(claim, decide(kind, *made, evidence=refs(claim), where=where)))
    edited = "# " + target.capitalize() + "\n\n## Mine\n\nmy own words\n"
    write(store, target, edited)
    with pytest.raises(CommonbookError) as told:
        commit_proposal(store, claim, grant, OUTCOME)
    assert told.value.code is Code.STALE_REVISION
    assert shown(store, target) == edited
    assert count(store, "receipts") == 0 and not any(store.home.transactions.iterdir())


def test_a_document_nobody_read_may_change_meanwhile(tmp_path: Path) -> None:
    store = opened(tmp_path)
    write(store, PROFILE, "# Profile\n\n## Mine\n\nold\n")
    say(store, "use pnpm")
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant, documents=False)
    grant.submit(proposal(claim, decide("retain", put("Tools", "- use pnpm"), evidence=refs(claim))))
    write(store, PROFILE, "# Profile\n\n## Mine\n\nnew\n")
    commit_proposal(store, claim, grant, OUTCOME)
    assert "use pnpm" in shown(store)
    assert "new" in shown(store, PROFILE)


def test_re_validation_runs_every_guard_on_the_fresh_text(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "use pnpm")
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant, documents=False)
    grant.submit(proposal(claim, decide("retain", put("Tools", "- use pnpm"), evidence=refs(claim))))
    write(store, PROFILE, "# Profile\n\n## Mine\n\n* Use PNPM\n")  # the same line, in a document of the same scope
    with pytest.raises(CommonbookError) as told:
        commit_proposal(store, claim, grant, OUTCOME)
    assert told.value.code is Code.DUPLICATE_CONTENT
    assert shown(store) == ""


def test_hand_edits_are_seen_per_section(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "use npm", put("Tools", "- use npm"))
    keep(store, "answer briefly", put("Style", "- answer briefly"), at=START + 1)
    keep(store, "tabs please", put("Tabs", "- tabs"), at=START + 2)
    text = shown(store).replace("- use npm", "- use yarn").replace("## Style", "## Answers").replace("\n", "\r\n")
    path = write(store, PREFERENCES, text)
    os.utime(path, (START / 1000 - 5, START / 1000 - 5))
    keep(store, "thanks", kind="ignore", where="uncertain", at=START + 3)
    known = stored(store.ledger, [PREFERENCES])[PREFERENCES]
    assert {key: s.by_person for key, s in known.items()} == {
        title_digest("Tools"): True,
        title_digest("Answers"): False,
        title_digest("Tabs"): False,
    }
    assert known[title_digest("Tools")].corrected_at == START - 5000
    assert len(known[title_digest("Answers")].links) == 1  # renamed by hand: the same words, the same sources


def test_untouched_sections_keep_their_bytes(tmp_path: Path) -> None:
    store = opened(tmp_path)
    before = "\ufeff# Preferences\r\n\r\n## Eins \r\n\r\nemoji 👩‍👩‍👧  \r\n\r\n\r\n## Zwei\r\n\r\n- a\t\r\n".encode()
    write(store, PREFERENCES, before)
    keep(store, "use pnpm", put("Tools", "- use pnpm"), at=2**42)
    after = shown(store).encode()
    assert after.startswith(before)


def test_merging_moves_the_sources_and_promotion_does_not(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "use pnpm", put("A", "- use pnpm"))
    keep(store, "use ruff", put("B", "- use ruff"), at=START + 1)
    say(store, "tidy up", at=START + 2)
    claim = take(store)
    merged = decide("maintain", put("pnpm and ruff", "- use pnpm\n- use ruff", section="s1"), drop("s2"))
    commit(store, claim, proposal(claim, merged))
    (origin,) = explain(store, PREFERENCES, None)
    assert [source.words for source in origin.sources] == ["use pnpm", "use ruff"]
    assert not origin.by_person


def test_a_forgotten_line_takes_only_its_own_source(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "I live in Berlin", put("Me", "- lives in Berlin"))
    keep(store, "I work at Initech", put("Me", "- lives in Berlin\n- works at Initech", section="s1"), at=START + 1)
    keep(
        store,
        "forget that I live in Berlin",
        put("Me", "- works at Initech", section="s1"),
        kind="forget",
        at=START + 2,
    )
    left = [row[0] for row in store.ledger.rows("SELECT text FROM observations WHERE text IS NOT NULL")]
    assert left == ["I work at Initech"]
    assert count(store, "forgotten_sources") == 2  # what was said, and the request that repeats it
    (origin,) = explain(store, PREFERENCES, "Me")
    assert [source.words for source in origin.sources] == ["I work at Initech"]
    raw = store.home.history_database.read_bytes()
    assert b"Berlin" not in raw
    assert b"Berlin" not in store.home.runtime_database.read_bytes()


def test_a_crash_free_commit_can_be_repeated_by_nobody(tmp_path: Path) -> None:
    clock = SetClock()
    store = opened(tmp_path, clock=clock)
    say(store, "use pnpm")
    claim = take(store)
    task, grant = open_grant(store, claim)
    read_all(task, grant)
    grant.submit(proposal(claim, decide("ignore", where="uncertain")))
    commit_proposal(store, claim, grant, OUTCOME)
    with pytest.raises(CommonbookError) as told:
        commit_proposal(store, claim, grant, OUTCOME)
    assert told.value.code is Code.STALE_LEASE
    assert queue.is_idle(store)
