"""Taking in: stored once, durably, and a replay changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonbook.errors import Code, IngressError, UsageError
from commonbook.keeper.contracts import Store, Taken
from commonbook.keeper.cursors import save_cursor, stored_cursor
from commonbook.keeper.ingress import deliver, is_own_session, register_own_session, take_turns
from commonbook.keeper.opening import close_store
from commonbook.settings.model import Disclosure, Limits, Settings
from commonbook.vocabulary import Provenance, Role, Scope, Source, TaskKind, content_digest, sha256
from tests.support.queueing import (
    START,
    SetClock,
    answer,
    count,
    cursor,
    delivery,
    everything,
    opened,
    said,
    session,
    turn,
    user,
)

KEY = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = opened(tmp_path / "home", clock=SetClock())
    yield store
    close_store(store)


def words(store: Store) -> list[tuple[str | None, str, str | None]]:
    rows = store.ledger.rows("SELECT text, state, issue FROM observations ORDER BY id")
    return [(row[0], row[1], row[2]) for row in rows]


def test_a_turn_is_stored_with_its_words_context_structure_and_cursor(store: Store) -> None:
    taken = take_turns(store, session(), [said(1, "I use pnpm, not npm")], cursor("100"))

    assert taken == Taken(accepted=1, context=1)
    assert words(store) == [("I use pnpm, not npm", "pending", None)]
    row = store.ledger.row("SELECT ordinal, path, start, length, text, unavailable FROM messages")
    assert row == (2, "/sessions/s1.jsonl", 30, 40, None, None)
    found = stored_cursor(store, "pi", "/sessions", "s1")
    assert found is not None and found.position == "100"


def test_taking_in_again_adds_nothing_and_counts_duplicates(store: Store) -> None:
    turns = [said(1), said(2)]
    take_turns(store, session(), turns, cursor("1"))
    before = everything(store)

    assert take_turns(store, session(), turns, cursor("1")) == Taken(duplicate=2)
    assert everything(store) == before


def test_the_same_words_twice_in_one_call_are_one_delivery(store: Store) -> None:
    assert take_turns(store, session(), [said(1), said(1)], None) == Taken(accepted=1, duplicate=1, context=1)
    assert count(store, "turns") == 1


def test_other_words_under_the_same_identity_are_a_conflict_and_change_nothing(store: Store) -> None:
    take_turns(store, session(), [said(1, "first")], None)
    before = everything(store)

    assert take_turns(store, session(), [said(1, "second")], None) == Taken(conflict=1)
    assert everything(store) == before
    assert words(store) == [("first", "pending", None)]


def test_a_fork_adds_only_what_is_new(store: Store) -> None:
    take_turns(store, session("s1"), [said(1), said(2)], None)

    taken = take_turns(store, session("s2", parent="s1"), [said(1), said(2), said(3, origin="s2")], None)

    assert taken == Taken(accepted=1, duplicate=2, context=1)
    assert count(store, "turns") == 3
    assert count(store, "messages") == 3


@pytest.mark.parametrize("orphan_first", [True, False])
def test_a_fork_whose_parent_is_gone_is_recognised_by_record_time_and_words(store: Store, orphan_first: bool) -> None:
    orphan, parent = (session("s2"), [said(1, origin=None)]), (session("s1"), [said(1, origin="s1")])
    order = (orphan, parent) if orphan_first else (parent, orphan)

    for facts, turns in order:
        take_turns(store, facts, turns, None)

    assert count(store, "observations") == 1


def test_the_same_record_said_at_another_time_without_origin_is_new(store: Store) -> None:
    take_turns(store, session("s1"), [said(1, origin=None)], None)
    assert take_turns(store, session("s2"), [said(1, origin=None, at=START + 1)], None).accepted == 1


def test_context_after_a_terminal_record_joins_the_turn_before(store: Store) -> None:
    take_turns(store, session(), [said(1)], None)
    more = turn("t1b", answer("a9", "and one thing more"), continues=True)

    assert take_turns(store, session(), [more], None) == Taken(context=1)
    assert take_turns(store, session(), [more], None) == Taken()
    rows = store.ledger.rows("SELECT turn, ordinal FROM messages ORDER BY ordinal")
    assert [row[1] for row in rows] == [2, 3]
    assert len({row[0] for row in rows}) == 1


def test_context_that_continues_a_turn_of_a_fork_is_not_stored(store: Store) -> None:
    take_turns(store, session("s1"), [said(1)], None)
    more = turn("t1b", answer("a9", "more"), continues=True)
    assert take_turns(store, session("s2", parent="s1"), [said(1), more], None) == Taken(duplicate=1)


def test_a_secret_is_masked_before_anything_is_stored(store: Store) -> None:
    text = f"please deploy the staging server with the access key {KEY} and tell me when it is done"

    assert take_turns(store, session(), [said(1, text)], None).masked == 1
    [row] = store.ledger.rows("SELECT text, digest, content_digest FROM observations")
    assert KEY not in row[0]
    assert "[secret removed]" in row[0]
    assert row[1] == sha256(text)
    assert row[2] == content_digest(row[0])
    assert KEY.encode() not in b"".join(path.read_bytes() for path in store.home.data.glob("runtime.sqlite*"))


def test_a_text_that_cannot_be_masked_is_refused_and_its_identity_remembered(store: Store) -> None:
    pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq8x0yT3sT\n-----END RSA PRIVATE KEY-----"
    assert take_turns(store, session(), [said(1, pem)], None) == Taken(refused=1)
    assert words(store) == [(None, "quarantined", "SENSITIVE_INPUT")]
    assert count(store, "messages") == 0
    assert take_turns(store, session(), [said(1, pem)], None) == Taken(duplicate=1)


def test_only_structure_that_says_something_is_stored_and_of_context_none(store: Store) -> None:
    listed = "Please note:\n\n- tabs\n- pnpm"
    take_turns(store, session(), [said(1, "I use pnpm, not npm"), said(2, listed)], None)
    rows = store.ledger.rows(
        "SELECT o.record, b.kind FROM blocks AS b JOIN observations AS o ON b.bundle = 'ingest_' || o.id"
    )
    assert rows == [("u2", "conversation"), ("u2", "paragraph"), ("u2", "list")]
    assert count(store, "blocks") == 3


def test_a_turn_that_grew_keeps_the_places_of_what_it_had(store: Store) -> None:
    take_turns(store, session(), [turn("t1", user("u1", "one"), answer("a1", "x"))], None)
    take_turns(store, session(), [turn("t1", answer("a9", "late"), continues=True)], None)
    grown = turn("t1", user("u1", "one"), answer("a1", "x"), answer("a2", "y"), user("u2", "two"), answer("a3", "z"))
    assert take_turns(store, session(), [grown], None) == Taken(accepted=1, duplicate=1, context=2)
    rows = store.ledger.rows("SELECT record, ordinal FROM messages ORDER BY ordinal")
    assert rows == [("a1", 2), ("a9", 3), ("a2", 4), ("a3", 5)]


def test_a_secret_in_an_answer_that_would_be_kept_makes_only_that_answer_unavailable(tmp_path: Path) -> None:
    both = (Provenance.USER_EXPLICIT, Provenance.CONVERSATION_CONTEXT)
    store = opened(tmp_path / "home", Settings(disclosure=Disclosure(provenance=both)))
    answers = (answer("a1", f"it is {KEY}", place=False), answer("a2", "done", place=False))
    take_turns(store, session(), [turn("t1", user("u1", "show the key"), *answers)], None)
    rows = store.ledger.rows("SELECT record, text, unavailable FROM messages ORDER BY record")
    assert rows == [("a1", None, "sensitive_context"), ("a2", "done", None)]
    assert KEY.encode() not in b"".join(path.read_bytes() for path in store.home.data.glob("runtime.sqlite*"))
    close_store(store)


def test_card_numbers_wait_for_the_person(store: Store) -> None:
    text = "my card is 4539 1488 0343 6467"
    assert take_turns(store, session(), [said(1, text)], None) == Taken(held=1, context=1)
    assert words(store) == [(text, "quarantined", "SENSITIVE_INPUT")]


def test_memory_that_we_rendered_ourselves_is_no_delivery(store: Store) -> None:
    marked = '<commonbook v="1" target="preferences" n="ab12">\n- pnpm\n</commonbook n="ab12">'
    assert take_turns(store, session(), [said(1, marked), said(2, "  \n ")], None) == Taken()
    assert count(store, "observations") == 0
    assert take_turns(store, session(), [said(3, f"{marked} and I like tea")], None).accepted == 1


def test_lone_surrogates_are_replaced_and_nul_and_emoji_survive(store: Store) -> None:
    take_turns(store, session(), [said(1, "a\x00b \ud83d c \U0001f600 \ud83d\ude00")], None)
    assert words(store) == [("a\x00b \ufffd c \U0001f600 \U0001f600", "pending", None)]
    [size] = store.ledger.rows("SELECT bytes FROM observations")
    assert size[0] == len("a\x00b \ufffd c \U0001f600 \U0001f600".encode())


def test_an_oversized_source_is_refused_whole(tmp_path: Path) -> None:
    store = opened(tmp_path / "home", Settings(disclosure=Disclosure(max_source_bytes=60)))
    assert take_turns(store, session(), [said(1, "x" * 100), said(2, "short")], None).refused == 1
    assert {row[2] for row in words(store)} == {None, "OVERSIZED_COMPLETE_SOURCE"}
    close_store(store)


def test_what_was_forgotten_is_refused_when_replayed_and_welcome_when_said_again(store: Store) -> None:
    words_said = "I live in Graz"
    with store.ledger.write() as ledger:
        values = ("global", content_digest(words_said), START)
        ledger.run("INSERT INTO forgotten_sources VALUES (?, ?, ?)", values)

    assert take_turns(store, session(), [said(1, words_said, at=START)], None) == Taken(refused=1)
    assert words(store) == [(None, "quarantined", "FORGOTTEN_SOURCE")]
    assert count(store, "messages") == 0, "the answer would tell it again"
    assert take_turns(store, session(), [said(2, words_said, at=START + 1)], None).accepted == 1


def test_ten_turns_or_sixteen_kib_make_a_batch_and_a_turn_is_never_split(store: Store) -> None:
    take_turns(store, session(), [said(number) for number in range(1, 24)], None)
    sizes = store.ledger.rows("SELECT COUNT(DISTINCT turn) FROM observations GROUP BY batch ORDER BY 1 DESC")
    assert [row[0] for row in sizes] == [10, 10, 3]

    pair = turn("big", user("b1", "y" * 9_000), user("b2", "z" * 9_000))
    take_turns(store, session("s2"), [said(90, "x" * 9_000, origin="s2"), pair], None)
    rows = store.ledger.rows("SELECT batch, COUNT(*) FROM observations WHERE bytes = 9000 GROUP BY batch")
    assert sorted(row[1] for row in rows) == [1, 2]


def test_capacity_stores_nothing_of_the_call_and_frees_itself(tmp_path: Path) -> None:
    store = opened(tmp_path / "home", Settings(limits=Limits(session_bytes=100)))
    take_turns(store, session(), [said(1, "x" * 80)], cursor("1"))
    before = everything(store)

    with pytest.raises(IngressError) as caught:
        take_turns(store, session(), [said(2, "y" * 80)], cursor("2"))
    assert caught.value.code is Code.CAPACITY_REACHED
    assert everything(store) == before
    found = stored_cursor(store, "pi", "/sessions", "s1")
    assert found is not None and found.position == "1"
    assert take_turns(store, session("s2"), [said(3, "z" * 80, origin="s2")], None).accepted == 1, "another session"

    with store.ledger.write() as ledger:
        ledger.run("UPDATE observations SET state = 'processed' WHERE bytes = 80")
    assert take_turns(store, session(), [said(2, "y" * 80)], cursor("2")).accepted == 1
    close_store(store)


def test_one_turn_over_the_capacity_of_a_session_enters_when_nothing_else_waits(tmp_path: Path) -> None:
    store = opened(tmp_path / "home", Settings(limits=Limits(session_bytes=100)))
    with pytest.raises(IngressError):
        take_turns(store, session(), [said(1, "x" * 80), said(2, "y" * 80)], None)
    assert take_turns(store, session(), [said(1, "x" * 200)], None).accepted == 1
    close_store(store)


@pytest.mark.parametrize("limits", [Limits(session_bytes=100), Limits(unprocessed_bytes=100)])
def test_the_users_own_words_always_enter(tmp_path: Path, limits: Limits) -> None:
    store = opened(tmp_path / "home", Settings(limits=limits))
    take_turns(store, session(), [said(1, "x" * 99)], None)
    assert deliver(store, delivery("e", "change pnpm to npm", kind=TaskKind.EDIT)).result == "accepted"
    assert deliver(store, delivery("m", "I use uv", source=Source.MCP_USER_SUBMISSION)).result == "accepted"
    close_store(store)


def test_an_import_waits_for_room_among_all_that_waits_and_no_session_limits_it(tmp_path: Path) -> None:
    permitted = Disclosure(provenance=(Provenance.USER_EXPLICIT, Provenance.DOCUMENT_IMPORT))
    for name, limits, fits in (("all", Limits(unprocessed_bytes=100), False), ("one", Limits(session_bytes=100), True)):
        store = opened(tmp_path / name, Settings(limits=limits, disclosure=permitted))
        take_turns(store, session(), [said(1, "x" * 99)], None)
        imported = delivery("i", "An imported document says this.", source=Source.DOCUMENT_IMPORT)
        if fits:
            assert deliver(store, imported).result == "accepted"
        else:
            with pytest.raises(IngressError) as caught:
                deliver(store, imported)
            assert caught.value.code is Code.CAPACITY_REACHED
        close_store(store)


def test_our_own_sessions_are_refused_by_identity(store: Store) -> None:
    register_own_session(store, "pi", "s1")
    register_own_session(store, "pi", "s1")
    assert is_own_session(store, "pi", "s1")
    assert take_turns(store, session(), [said(1)], cursor("9")) == Taken(refused=1)
    assert count(store, "observations") == 0
    found = stored_cursor(store, "pi", "/sessions", "s1")
    assert found is not None and found.position == "9"


def test_context_without_a_transcript_is_kept_only_where_permitted(tmp_path: Path) -> None:
    group = turn("t1", user("u1", "hello"), answer("a1", "hi there", role=Role.TOOL, place=False))
    for name, provenances, kept in (
        ("closed", (Provenance.USER_EXPLICIT,), (None, "not_permitted")),
        ("open", (Provenance.USER_EXPLICIT, Provenance.CONVERSATION_CONTEXT), ("hi there", None)),
    ):
        store = opened(tmp_path / name, Settings(disclosure=Disclosure(provenance=provenances)))
        take_turns(store, session(), [group], None)
        assert store.ledger.row("SELECT text, unavailable FROM messages") == kept
        close_store(store)


def test_what_the_settings_keep_back_is_held(tmp_path: Path) -> None:
    store = opened(tmp_path / "home", Settings(disclosure=Disclosure(scopes=("project:*",))))
    assert take_turns(store, session(), [said(1)], None) == Taken(held=1, context=1)
    assert words(store) == [("sentence 1", "held", "UNAUTHORIZED_SCOPE")]
    unknown = session("s9", scope=Scope("project:nobody-0000"))
    assert take_turns(store, unknown, [said(9, origin="s9")], None).held == 1
    close_store(store)


def test_a_cursor_alone_is_saved(store: Store) -> None:
    save_cursor(store, "pi", "/sessions", "s1", cursor("5"))
    save_cursor(store, "pi", "/sessions", "s1", cursor("6"))
    found = stored_cursor(store, "pi", "/sessions", "s1")
    assert found is not None and found.position == "6"
    assert stored_cursor(store, "pi", "/elsewhere", "s1") is None


# --- single deliveries -----------------------------------------------------------------------------------------------


def test_a_delivery_is_accepted_once(store: Store) -> None:
    first = deliver(store, delivery("r1"))
    again = deliver(store, delivery("r1"))
    assert (first.result, again.result) == ("accepted", "duplicate")
    assert first.observation == again.observation
    assert deliver(store, delivery("r1", "other words")).issue is Code.SUBMISSION_CONFLICT
    assert deliver(store, delivery("r1", kind=TaskKind.EDIT)).result == "conflict"
    assert count(store, "observations") == 1


def test_an_unknown_source_is_put_aside_and_never_guessed(store: Store) -> None:
    found = deliver(store, delivery("r1", source="telepathy"))
    assert (found.result, found.state, found.issue) == ("held", "quarantined", Code.UNAUTHORIZED_SOURCE)
    [row] = store.ledger.rows("SELECT provenance FROM observations")
    assert row[0] == Provenance.CONVERSATION_CONTEXT


def test_an_edit_comes_from_our_own_editors_only(store: Store) -> None:
    assert deliver(store, delivery("r1", kind=TaskKind.EDIT)).result == "accepted"
    imported = delivery("r2", kind=TaskKind.EDIT, source=Source.MCP_USER_SUBMISSION)
    assert deliver(store, imported).issue is Code.UNAUTHORIZED_SOURCE


def test_imports_wait_until_their_provenance_is_allowed(store: Store) -> None:
    found = deliver(store, delivery("r1", source=Source.DOCUMENT_IMPORT))
    assert (found.result, found.issue) == ("held", Code.UNAUTHORIZED_PROVENANCE)


def test_an_empty_delivery_is_an_error_and_rendered_memory_is_refused(store: Store) -> None:
    with pytest.raises(UsageError):
        deliver(store, delivery("r1", "  "))
    assert deliver(store, delivery("r2", '<commonbook v="1" target="p" n="x">fact')).result == "refused"
    assert count(store, "observations") == 0


def test_a_replay_revives_nothing(store: Store) -> None:
    deliver(store, delivery("r1"))
    for state in ("processed", "dead", "quarantined", "paused"):
        with store.ledger.write() as ledger:
            ledger.run("UPDATE observations SET state = ?", (state,))
        assert deliver(store, delivery("r1")).state == state
        assert store.ledger.row("SELECT state FROM observations") == (state,)
