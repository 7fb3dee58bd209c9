"""``remember`` and ``forget``, ``why``, and what is removed by age."""

from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from commonbook.errors import Code, CommonbookError
from commonbook.keeper import history, queue
from commonbook.keeper.contracts import Place, Store, UserMessage
from commonbook.keeper.ingress import deliver, take_turns
from commonbook.keeper.log import read_log
from commonbook.keeper.opening import close_store, second_store
from commonbook.keeper.person import WORDS_LIMIT, PersonPlan, commit_plan, plan_forget, plan_remember
from commonbook.keeper.retention import DAY, prune
from commonbook.keeper.why import explain
from commonbook.ledger.database import Ledger
from commonbook.messages import say as say_sentence
from commonbook.settings.model import KIB
from commonbook.vocabulary import GLOBAL, PREFERENCES, PROFILE, Scope, Target, project_scope
from tests.support.committing import commit, decide, drop, keep, project, proposal, put, refs, say, shown, take, write
from tests.support.queueing import START, SetClock, count, delivery, opened, session, turn


def remember(store: Store, words: str, scope: Scope = GLOBAL) -> PersonPlan:
    plan = plan_remember(store, words, scope)
    commit_plan(store, plan)
    return plan


def code_of(call: object, *arguments: object) -> Code:
    with pytest.raises(CommonbookError) as told:
        call(*arguments)  # type: ignore[operator]
    return told.value.code


@pytest.mark.parametrize(
    ("words", "target", "section"),
    [
        ("answer briefly", PREFERENCES, "Notes"),
        ("I am a nurse", PROFILE, "Notes"),
        ("My name is Ada", PROFILE, "Notes"),
        ("回答要简短", PREFERENCES, "备忘"),
        ("我叫小明", PROFILE, "备忘"),
        ("# not a heading", PREFERENCES, "Notes"),
    ],
)
def test_a_line_is_filed_where_one_looks_for_it(tmp_path: Path, words: str, target: Target, section: str) -> None:
    store = opened(tmp_path)
    (change,) = remember(store, words).changes
    assert (change.target, change.section, change.lines_added) == (target, section, (f"- {words} (2027-01-15)",))
    assert f"## {section}\n\n- {words} (2027-01-15)\n" in shown(store, target)
    (origin,) = explain(store, target, section)
    assert origin.by_person and [source.words for source in origin.sources] == [words]
    assert [entry.kind for entry in read_log(store, 5)] == ["person"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_sentence_about_too_long_a_line_tells_the_true_limit(tmp_path: Path, lang: str) -> None:
    assert code_of(plan_remember, opened(tmp_path), "x" * (WORDS_LIMIT + 1), GLOBAL) is Code.INVALID_TEXT_SIZE
    assert f" {WORDS_LIMIT // KIB} KiB" in say_sentence(Code.INVALID_TEXT_SIZE.value, lang)


def test_words_that_are_no_utf8_are_kept_readable(tmp_path: Path) -> None:
    store = opened(tmp_path)
    remember(store, "caf\udce9 first")
    assert "- caf\ufffd first (2027-01-15)\n" in shown(store)


def test_unseen_signs_are_left_out_and_hide_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    remember(store, "use\u200b pnpm\u202e")
    assert "- use pnpm (" in shown(store)
    assert remember(store, "use pn\u2060pm").changes == ()
    write(store, PREFERENCES, "# Preferences\n\n## Mine\n\n- my ze\u200bbra\n- tea\u200f\n- cake\n")
    commit_plan(store, plan_forget(store, "zebra", [GLOBAL]))
    assert shown(store) == "# Preferences\n\n## Mine\n\n- tea\u200f\n- cake\n"


@pytest.mark.parametrize("text", ["I like tea\n", "# Preferences\n\n- I like tea\n\n## Notes\n\n- x\n"])
def test_a_match_outside_every_section_says_which_line_to_mend(tmp_path: Path, text: str) -> None:
    store = opened(tmp_path)
    write(store, PREFERENCES, text)
    assert code_of(plan_forget, store, "tea", [GLOBAL]) is Code.DOCUMENT_OUTSIDE_GRAMMAR
    assert code_of(plan_forget, store, "coffee", [GLOBAL]) is Code.NOTHING_FOUND


def test_the_same_line_is_remembered_once(tmp_path: Path) -> None:
    store = opened(tmp_path)
    remember(store, "answer briefly")
    remember(store, "use pnpm")
    assert remember(store, "Answer   BRIEFLY").changes == ()
    assert shown(store) == "# Preferences\n\n## Notes\n\n- answer briefly (2027-01-15)\n- use pnpm (2027-01-15)\n"


def test_a_line_with_a_date_of_its_own_keeps_it_and_is_the_same_line(tmp_path: Path) -> None:
    store = opened(tmp_path)
    (change,) = remember(store, "we moved to uv (2025-03-01)").changes
    assert change.lines_added == ("- we moved to uv (2025-03-01)",)
    assert remember(store, "We moved to uv").changes == ()


def test_forgetting_one_line_makes_the_others_nobody_elses(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "I like tea and I like jam", put("Taste", "- I like tea\n- I like jam"))
    commit_plan(store, plan_forget(store, "jam", [GLOBAL]))
    (origin,) = explain(store, PREFERENCES, "Taste")
    assert not origin.by_person, "they took away a line, and wrote none"
    write(store, PREFERENCES, shown(store).replace("tea", "coffee"))
    (origin,) = explain(store, PREFERENCES, "Taste")
    assert origin.by_person


def test_what_cannot_be_remembered(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert code_of(plan_remember, store, "key AKIAIOSFODNN7EXAMPLE", GLOBAL) is Code.SENSITIVE_CONTENT_REJECTED
    assert code_of(plan_remember, store, "  \n ", GLOBAL) is Code.INVALID_TEXT_SIZE
    assert code_of(plan_remember, store, "x" * 5000, GLOBAL) is Code.INVALID_TEXT_SIZE
    assert code_of(plan_remember, store, "x", Scope("project:no-0a1b")) is Code.UNKNOWN_PROJECT
    write(store, PREFERENCES, "# Preferences\n\nloose\n")
    assert code_of(plan_remember, store, "use pnpm", GLOBAL) is Code.DOCUMENT_OUTSIDE_GRAMMAR
    assert code_of(plan_forget, store, "nothing like it", [GLOBAL]) is Code.NOTHING_FOUND


def test_a_project_line_goes_to_its_document(tmp_path: Path) -> None:
    store = opened(tmp_path)
    scope = project_scope(project(store, tmp_path / "atlas"))
    remember(store, "build with bazel", scope)
    assert shown(store, "projects/atlas-0a1b").startswith("# Project: atlas\n\n## Notes\n")


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        ("berlin", ["- lives in Berlin"]),
        ("that I live in Berlin", []),
        ("lives Berlin", ["- lives in Berlin"]),
        ("art", []),
        ("start", ["- start with tests"]),
        ("茶", ["- 喜欢喝茶"]),
        ("喝茶", ["- 喜欢喝茶"]),
        ("喜欢茶", ["- 喜欢喝茶"]),
        ("pnpm", ["- 用pnpm装包", "- use pnpm", "- not npm"]),
        ("code sample", ["```", "code sample", "```"]),
        ("Travel", ["- Lisbon", "- Oslo"]),
    ],
)
def test_the_lines_that_match(tmp_path: Path, words: str, gone: list[str]) -> None:
    store = opened(tmp_path)
    text = (
        "# Preferences\n\n## A\n\n- lives in Berlin\n- start with tests\n- 喜欢喝茶\n- 用pnpm装包\n- use pnpm\n"
        "  - not npm\n\n```\ncode sample\n```\n\n## Travel\n\n- Lisbon\n- Oslo\n"
    )
    write(store, PREFERENCES, text)
    if not gone:
        assert code_of(plan_forget, store, words, [GLOBAL]) is Code.NOTHING_FOUND
        return
    plan = plan_forget(store, words, [GLOBAL])
    assert [line for change in plan.changes for line in change.lines_removed] == gone
    commit_plan(store, plan)
    left = shown(store)
    assert not any(f"{line}\n" in left for line in gone if line != "```")
    assert ("## Travel" in left) is (words != "Travel")


def test_forgetting_by_hand_takes_sources_history_and_replays(tmp_path: Path) -> None:
    store = opened(tmp_path, clock=SetClock(START + 10))
    keep(store, "I live in Berlin", put("Me", "- lives in Berlin"))
    keep(store, "use ruff", put("Me", "- lives in Berlin\n- use ruff", section="s1"), at=START + 1)
    say(store, "I  live in BERLIN", at=START + 2)  # waits, and says the same
    commit_plan(store, plan_forget(store, "Berlin", [GLOBAL]))
    assert "Berlin" not in shown(store)
    texts = [row[0] for row in store.ledger.rows("SELECT text FROM observations WHERE text IS NOT NULL")]
    assert texts == ["use ruff"]
    assert store.ledger.rows("SELECT state, issue FROM observations ORDER BY observed_at")[-1] == ("processed", None)
    assert b"Berlin" not in store.home.history_database.read_bytes()
    old = deliver(store, delivery("replay", "I live in berlin", at=START - 5))
    assert old.issue is Code.FORGOTTEN_SOURCE
    assert deliver(store, delivery("anew", "I live in Berlin", at=START + 99)).result == "accepted"


def test_forgetting_reaches_messages_that_nothing_is_linked_to(tmp_path: Path) -> None:
    store = opened(tmp_path, clock=SetClock(START + 10))
    keep(store, "I saw a zebra today", kind="ignore", where="uncertain")
    keep(store, "use pnpm; the zebra says so", put("Tools", "- use pnpm"), at=START + 1)
    say(store, "remember this:\n\n- the zebra is called Otto", at=START + 2)
    say(store, "zebra of unknown source", at=START + 3, source="nobody")
    say(store, "my striped\nhorse, and a zeb ra", at=START + 4)
    say(store, "the zebra of another place", at=START + 5, scope=project_scope(project(store, tmp_path / "atlas")))
    plan = plan_forget(store, "zebra", [GLOBAL])
    assert plan.changes == () and len(plan.messages) == 4
    done = commit_plan(store, plan)
    rows = store.ledger.rows("SELECT text, state FROM observations ORDER BY observed_at")
    assert [row[0] for row in rows] == [
        None,
        None,
        None,
        None,
        "my striped\nhorse, and a zeb ra",
        "the zebra of another place",
    ]
    assert [row[1] for row in rows[:4]] == ["processed"] * 4
    assert count(store, "forgotten_sources") == 4 and count(store, "blocks") == 0
    assert shown(store) == "# Preferences\n\n## Tools\n\n- use pnpm\n"
    assert deliver(store, delivery("old", "I saw a zebra today", at=START)).issue is Code.FORGOTTEN_SOURCE
    assert code_of(plan_forget, store, "zebra", [GLOBAL]) is Code.NOTHING_FOUND
    assert [entry.receipt for entry in read_log(store, 1)] == [done.receipt]
    files = [path.read_bytes() for path in store.home.data.rglob("*") if path.is_file()]
    assert not any(b"Otto" in data for data in files)


def test_a_long_message_must_say_it_in_one_place(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "use npm for the old one\nand pnpm here")
    assert code_of(plan_forget, store, "npm pnpm", [GLOBAL]) is Code.NOTHING_FOUND
    assert len(plan_forget(store, "old one and pnpm", [GLOBAL]).messages) == 1  # as it stands, over the end of a line


def test_forgetting_what_a_resting_job_waits_for_ends_the_job(tmp_path: Path) -> None:
    store = opened(tmp_path)
    say(store, "I keep a zebra")
    claim = take(store)
    queue.fail(store, claim, Code.CONFIGURATION)
    commit_plan(store, plan_forget(store, "zebra", [GLOBAL]))
    assert store.ledger.rows("SELECT state FROM jobs") == [("done",)]
    assert queue.is_idle(store)


def history_of(store: Store) -> bytes:
    return b"".join(path.read_bytes() for path in store.home.data.glob("history.sqlite*"))


def striped(store: Store) -> None:
    """Former texts that say it in other words than what stands there now, under a title that says it, and after a move."""
    keep(store, "the zebra likes stripes", put("Zebra", "- stripes"))
    keep(store, "it is hot there", put("Zebra", "- hot", section="s1"), admission="update", at=START + 1)
    keep(store, "I keep a zebra at home", put("Pets", "- a zebra, at home"), at=START + 2)
    keep(store, "an okapi", put("Pets", "- an okapi", section="s2"), admission="update", at=START + 3)
    keep(store, "use ruff", put("Tools", "- use ruff"), at=START + 4)
    keep(store, "use ty", put("Tools", "- use ty", section="s3"), admission="update", at=START + 5)
    assert b"stripes" in history_of(store) and b"a zebra" in history_of(store)


def test_forgetting_reaches_every_former_text_that_says_it(tmp_path: Path) -> None:
    store = opened(tmp_path, clock=SetClock(START + 10))
    striped(store)
    commit_plan(store, plan_forget(store, "zebra", [GLOBAL]))
    left = history_of(store)
    assert b"stripes" not in left and b"zebra" not in left.lower()
    assert b"use ruff" in left  # what was not forgotten can still be undone


def log_of(store: Store) -> bytes:
    path = store.home.runtime_database
    log = path.with_name(f"{path.name}-wal")
    return log.read_bytes() if log.exists() else b""


@pytest.mark.parametrize("way", ["forget", "discard"])
def test_the_log_is_emptied_as_soon_as_nobody_reads_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(Ledger.empty_log, "__kwdefaults__", {"patience": 1})
    store = opened(tmp_path)
    item = say(store, "a zebra named Otto", source="nobody" if way == "discard" else "interactive")
    reader = second_store(store)
    with reader.ledger.read():
        assert count(reader, "observations") == 1
        if way == "discard":
            queue.discard(store, [item])
        else:
            commit_plan(store, plan_forget(store, "zebra", [GLOBAL]))
        assert b"Otto" in log_of(store)
        close_store(opened(tmp_path))
        assert b"Otto" in log_of(store)
    close_store(opened(tmp_path))
    assert b"Otto" not in log_of(store) + store.home.runtime_database.read_bytes()
    assert store.ledger.row("SELECT value FROM settings WHERE name = 'checkpoint_due'") == ("0",)
    close_store(reader)
    close_store(store)


class _Killed(BaseException): ...


@pytest.mark.parametrize("step", ["erasing.due", "erasing.done"])
def test_a_crash_while_the_log_is_emptied_leaves_it_to_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(Ledger.empty_log, "__kwdefaults__", {"patience": 1})

    def mark(name: str) -> None:
        if name == step:
            raise _Killed

    store = opened(tmp_path, mark=mark)
    say(store, "a zebra named Otto")
    plan = plan_forget(store, "zebra", [GLOBAL])
    reader = second_store(store)
    with reader.ledger.read():
        count(reader, "observations")
        if step == "erasing.due":
            with pytest.raises(_Killed):
                commit_plan(store, plan)
        else:
            commit_plan(store, plan)
    if step == "erasing.done":
        with pytest.raises(_Killed):
            opened(tmp_path, mark=mark)
    close_store(opened(tmp_path))
    assert b"Otto" not in log_of(store) + store.home.runtime_database.read_bytes()
    close_store(reader)
    close_store(store)


@pytest.mark.parametrize("step", ["commit.publish", "commit.receipt", "commit.history", "commit.apply"])
def test_a_crash_does_not_save_a_former_text_from_being_forgotten(tmp_path: Path, step: str) -> None:
    armed = False

    def mark(name: str) -> None:
        if armed and name == step:
            raise _Killed

    store = opened(tmp_path, clock=SetClock(START + 10), mark=mark)
    striped(store)
    plan = plan_forget(store, "zebra", [GLOBAL])
    armed = True
    with pytest.raises(_Killed):
        commit_plan(store, plan)
    assert not any(b"ebra" in path.read_bytes() for path in store.home.receipts.iterdir())
    close_store(store)
    armed = False
    store = opened(tmp_path, clock=SetClock(START + 10))
    assert "Zebra" not in shown(store)
    left = history_of(store)
    assert b"stripes" not in left and b"zebra" not in left.lower()
    assert not list(store.home.transactions.iterdir())


def test_an_agents_forget_takes_former_texts_of_the_section_and_of_like_lines(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "I have stripes", put("Zebra", "- stripes"))
    keep(store, "hot", put("Zebra", "- hot", section="s1"), admission="update", at=START + 1)
    keep(store, "I live in Berlin", put("Me", "- lived in Berlin, near the Spree river"), at=START + 2)
    keep(store, "moved", put("Me", "- lived near the Spree river in old Berlin", section="s2"), at=START + 3)
    keep(store, "use ruff", put("Tools", "- use ruff"), at=START + 4)
    keep(store, "use ty", put("Tools", "- use ty", section="s3"), admission="update", at=START + 5)
    gone = [drop("s1"), put("Me", "- works at Initech", section="s2")]
    keep(store, "forget the zebra and where I lived", *gone, kind="forget", at=START + 6)
    left = history_of(store)
    assert b"stripes" not in left and b"Berlin" not in left
    assert b"use ruff" in left


def test_a_plan_is_committed_as_shown_or_not_at_all(tmp_path: Path) -> None:
    store = opened(tmp_path)
    remember(store, "use pnpm")
    plan = plan_remember(store, "use ruff", GLOBAL)
    edited = "# Preferences\n\n## Mine\n\nedited meanwhile\n"
    write(store, PREFERENCES, edited)
    assert code_of(commit_plan, store, plan) is Code.STALE_REVISION
    assert shown(store) == edited
    assert plan_remember(store, "use ruff", GLOBAL).changes[0].expected != plan.changes[0].expected


def test_older_words_do_not_displace_the_persons_own(tmp_path: Path) -> None:
    clock = SetClock(START + 100)
    store = opened(tmp_path, clock=clock)
    remember(store, "use pnpm")
    say(store, "use npm", at=START)
    claim = take(store)
    made = decide("retain", put("Notes", "- use npm", section="s1"), evidence=refs(claim), admission="update")
    assert code_of(commit, store, claim, proposal(claim, made)) is Code.STALE_SOURCE
    assert "use pnpm" in shown(store)


# --- why and retention ---------------------------------------------------------------------------------------------------


def spoken_in_a_file(folder: Path, text: str, *, clock: SetClock) -> tuple[Store, Path]:
    path = folder / "session.jsonl"
    path.write_text(text + "\n")
    store = replace(opened(folder, clock=clock), record_text=lambda host, record: record.decode())
    message = UserMessage("u1", "s1", text, START, Place(str(path), 0, len(text.encode())))
    take_turns(store, session(), [turn("t1", message)], None)
    return store, path


def test_why_reads_the_transcript_when_our_copy_is_pruned(tmp_path: Path) -> None:
    clock = SetClock()
    store, path = spoken_in_a_file(
        tmp_path,
        "use pnpm in all of my repositories please, and the token for the registry is AKIAIOSFODNN7EXAMPLE",
        clock=clock,
    )
    claim = take(store)
    commit(store, claim, proposal(claim, decide("retain", put("Tools", "- use pnpm"), evidence=refs(claim))))
    clock.pass_by(7 * DAY - 1)
    assert prune(store) == 0
    clock.pass_by(2)
    assert prune(store) == 1
    assert prune(store) == 0
    assert count(store, "blocks") == 0
    ((source,),) = [origin.sources for origin in explain(store, PREFERENCES, None)]
    assert source.from_transcript and source.words is not None and source.words.startswith("use pnpm")
    assert "AKIA" not in source.words
    path.write_text("something else altogether, of another length than before\n")
    assert explain(store, PREFERENCES, "tools")[0].sources[0].words is None
    assert code_of(explain, store, PREFERENCES, "nope") is Code.UNKNOWN_SECTION
    assert code_of(explain, store, PROFILE, None) is Code.UNKNOWN_TARGET


def test_pruning_leaves_what_waits(tmp_path: Path) -> None:
    clock = SetClock()
    store = opened(tmp_path, clock=clock)
    say(store, "use pnpm")
    clock.pass_by(365 * DAY)
    assert prune(store) == 0
    assert take(store).observations[0].text == "use pnpm"


def test_former_texts_go_after_their_time(tmp_path: Path) -> None:
    clock = SetClock()
    store = opened(tmp_path, clock=clock)
    keep(store, "use npm", put("Tools", "- use npm"))
    done = keep(store, "use pnpm", put("Tools", "- use pnpm", section="s1"), admission="update", at=START + 1)
    assert len(history.former(store.home, done.receipt)) == 1
    clock.pass_by(30 * DAY + 1)
    prune(store)
    assert history.former(store.home, done.receipt) == ()


def test_a_person_who_never_runs_an_update_keeps_no_former_text_for_ever(tmp_path: Path) -> None:
    clock = SetClock()
    store = opened(tmp_path, clock=clock)
    remember(store, "the zebra is called Otto")
    remember(store, "use pnpm")
    assert b"Otto" in history_of(store)
    clock.pass_by(30 * DAY + 1)
    write(store, PREFERENCES, "# Preferences\n\n## Notes\n\n- use pnpm\n")
    remember(store, "use ruff")
    assert b"Otto" not in history_of(store)


def test_former_texts_are_pruned_behind_the_lock(tmp_path: Path) -> None:
    locked: list[bool] = []

    def mark(step: str) -> None:
        if step == "retention.history":
            probe = FileLock(store.home.run / "repository.lock", 0, thread_local=False)
            try:
                probe.acquire()
            except Timeout:
                locked.append(True)
            else:
                probe.release()
                locked.append(False)

    store = opened(tmp_path, mark=mark)
    prune(store)
    remember(store, "use pnpm")
    assert locked == [True, True]


def test_a_section_deleted_by_hand_takes_the_words_behind_it(tmp_path: Path) -> None:
    store = opened(tmp_path)
    keep(store, "I live in Berlin", put("Me", "- lives in Berlin"))
    write(store, PREFERENCES, "# Preferences\n")
    keep(store, "thanks", kind="ignore", where="uncertain", at=START + 1)
    assert count(store, "sections") == 0 and count(store, "links") == 0
    assert [row[0] for row in store.ledger.rows("SELECT text FROM observations WHERE text IS NOT NULL")] == ["thanks"]
