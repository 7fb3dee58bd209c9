"""What each command asks of the gateway and what it shows, over a scripted gateway."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commonbook.channels.cli.words import reason_words
from commonbook.channels.gateway import operations
from commonbook.channels.gateway.operations import (
    Capture,
    Edit,
    FindHosts,
    Forget,
    ListContexts,
    ListQueue,
    Maintain,
    QueueChange,
    ReadMemory,
    RegisterProject,
    Remember,
    RemoveProject,
    SearchMemory,
    SetPaused,
    Why,
)
from commonbook.channels.gateway.views import (
    CaptureReport,
    Change,
    ChangePreview,
    ChangeView,
    ContextView,
    DocumentView,
    EditView,
    HostCapture,
    HostStatus,
    Limits,
    LogEntry,
    LogView,
    MaintainReport,
    MemoryView,
    Problem,
    ProjectView,
    QueueItem,
    QueueView,
    SearchView,
    SectionReasons,
    Segment,
    SourceView,
    StatusView,
    WhyView,
)
from tests.support.cli import Answers, commonbook

NOON = 1_796_126_400_000
PI = HostStatus("pi", "Pi", True, "/home/u/.pi/agent/sessions", 3, 4096, None)
HOST = HostCapture("pi", "/s", 3, 5, 4, 0, 0, 0, 0, 9, 0, 0, 100, False, (("global", 1), ("project:kite-1a2b", 3)), ())
CHANGE = Change("kept", "preferences", "Tools", ("- Use pnpm.",), ("- Use npm.",), "r1")
REPORT = MaintainReport(
    batches=2,
    messages=4,
    changes=(CHANGE,),
    ignored=3,
    failed=(),
    waiting=0,
    kept_from=1,
    lines_replaced=1,
    reasons=(("a question", 1), ("already remembered", 1), ("for lack of\x1b[2J faith", 1)),
)
GLOBAL = ContextView("global", "global", "global")
KITE = ContextView("project:kite-1a2b", "Kite", "repository")
PREFERENCES = DocumentView("preferences", "global", "# Preferences\n\n## Tools\n- Use pnpm.\n", 40, False, NOON)
EMPTY = DocumentView("profile", "global", "", 0, True, None)
MEMORY = MemoryView("data", ("global",), (EMPTY, PREFERENCES), False, "<commonbook>…</commonbook>")


def answers(**changed: Any) -> Answers:
    known: dict[Any, object] = {
        FindHosts: (PI,),
        Capture: CaptureReport((HOST,), dry_run=False),
        Maintain: REPORT,
        ListContexts: (GLOBAL, KITE),
        ReadMemory: MEMORY,
    }
    known |= {getattr(operations, name): value for name, value in changed.items()}
    return {operation: partial(_same, value) for operation, value in known.items()}


def _same(value: object, _asked: object) -> object:
    return value


# --- alone ----------------------------------------------------------------------------------------------------------


def test_alone_it_shows_what_is_there_asks_once_and_works() -> None:
    ran = commonbook(answers=answers(), terminal=True, typed="y\n")
    assert ran.code == 0
    assert ran.out.count("[y/N]") == 1
    assert [type(call) for call in ran.calls] == [FindHosts, Capture, Maintain]
    for words in ("Pi", "sessions 3", "4.0 KiB", "+ Use pnpm.", "What next", "commonbook show", "mcp-config"):
        assert words in ran.out


@pytest.mark.parametrize("typed", ["n\n", "\n", ""])
def test_anything_but_yes_reads_nothing(typed: str) -> None:
    ran = commonbook(answers=answers(), terminal=True, typed=typed)
    assert ran.code == 0
    assert [type(call) for call in ran.calls] == [FindHosts]


def test_without_a_terminal_it_says_what_would_happen() -> None:
    ran = commonbook(answers=answers())
    assert ran.code == 0
    assert [type(call) for call in ran.calls] == [FindHosts]
    assert "commonbook --yes" in ran.out
    assert commonbook("--yes", answers=answers()).calls[1:] == (Capture(), Maintain())


def test_a_host_that_was_read_before_needs_no_question() -> None:
    known = HostStatus("pi", "Pi", True, "/s", 3, 4096, NOON)
    ran = commonbook(answers=answers(FindHosts=(known,)), terminal=True)
    assert "[y/N]" not in ran.out
    assert Maintain() in ran.calls


def test_without_any_sessions_it_says_where_it_looked() -> None:
    nowhere = HostStatus("pi", "Pi", False, "/home/u/.pi/agent/sessions", 0, 0, None)
    nothing = MaintainReport(0, 0, (), 0, (), 0)
    found = answers(FindHosts=(nowhere,), Capture=CaptureReport((), dry_run=False), Maintain=nothing)
    ran = commonbook(answers=found, terminal=True)
    assert ran.code == 0
    assert "/home/u/.pi/agent/sessions" in ran.out
    assert "--session-dir" in ran.out
    assert "What next" not in ran.out
    assert [type(call) for call in ran.calls] == [FindHosts]
    assert commonbook("--yes", "--json", answers=found).json["hosts"][0]["found"] is False


# --- taking in ------------------------------------------------------------------------------------------------------


def test_update_is_capture_and_maintain() -> None:
    ran = commonbook("update", answers=answers())
    assert [type(call) for call in ran.calls] == [Capture, Maintain]
    told = commonbook("update", "--json", answers=answers()).json
    assert told["capture"]["hosts"][0]["new"] == 4
    assert told["maintain"]["changes"][0]["lines_added"] == ["- Use pnpm."]


def test_update_goes_on_as_long_as_a_full_queue_stops_the_reading() -> None:
    stopped = HostCapture("pi", "/s", 3, 5, 4, 0, 0, 0, 0, 9, 0, 0, 100, True, (), ())
    rounds = [CaptureReport((stopped,), False), CaptureReport((stopped,), False), CaptureReport((HOST,), False)]
    reports = iter(rounds)
    ran = commonbook("update", answers={**answers(), Capture: lambda _: next(reports)})
    assert [type(call) for call in ran.calls] == [Capture, Maintain] * 3
    assert ran.out.count("+ Use pnpm.") == 3
    again = iter(rounds)
    told = commonbook("update", "--json", answers={**answers(), Capture: lambda _: next(again)}).json
    (host,) = told["capture"]["hosts"]
    assert (host["new"], host["sessions"], host["stopped_at_capacity"]) == (12, 3, False)
    assert host["scopes"] == {"global": 1, "project:kite-1a2b": 3}
    assert (told["maintain"]["messages"], len(told["maintain"]["changes"])) == (12, 3)


def test_update_stops_when_a_full_queue_cannot_be_worked_off() -> None:
    stopped = HostCapture("pi", "/s", 3, 5, 0, 0, 0, 0, 0, 9, 0, 0, 100, True, (), ())
    stuck = MaintainReport(0, 0, (), 0, (), 7)
    ran = commonbook("update", answers=answers(Capture=CaptureReport((stopped,), False), Maintain=stuck))
    assert [type(call) for call in ran.calls] == [Capture, Maintain]
    assert "7 messages wait" in ran.out


def test_capture_passes_its_options_on() -> None:
    ran = commonbook(
        "capture", "--host", "pi", "--session-dir", "/s", "--since", "2026-12-01", "--dry-run", answers=answers()
    )
    (asked,) = ran.calls
    assert isinstance(asked, Capture)
    assert (asked.host, asked.session_dir, asked.dry_run) == ("pi", "/s", True)
    assert asked.since is not None
    assert abs(asked.since - NOON) < 48 * 3600 * 1000
    assert commonbook("capture", "--since", "yesterday", answers=answers()).code == 2


def test_the_summary_of_capture_names_everything_that_needs_a_look() -> None:
    problems = (Problem("FILE_UNREADABLE", "/s/a.jsonl"), Problem("CORRUPT_RECORD", "/s/\x1b[2J.jsonl", 3, line=7))
    host = HostCapture("pi", "/s", 3, 5, 4, 2, 1, 1, 1, 9, 2, 0, 100, True, (), problems)
    out = commonbook("capture", answers=answers(Capture=CaptureReport((host,), dry_run=False))).out
    for words in (
        "sessions 3",
        "turns 5",
        "new messages 4",
        "already known 2",
        "with masked secrets 1",
        "held 1",
        "refused 1",
        "still-open turns 2",
        "queue list",
        "queue is full",
        "/s/a.jsonl",
        "Check its permissions",
        "\\x1b[2J.jsonl:7 (3×)",
    ):
        assert words in out
    assert "\x1b" not in out


def test_a_dry_run_says_where_it_would_go() -> None:
    out = commonbook("capture", "--dry-run", answers=answers(Capture=CaptureReport((HOST,), dry_run=True))).out
    assert "would be new 4" in out
    assert "global: 1" in out and "project Kite: 3" in out


def test_scopes_of_a_capture_are_an_object_in_json() -> None:
    (host,) = commonbook("capture", "--json", answers=answers()).json["hosts"]
    assert host["scopes"] == {"global": 1, "project:kite-1a2b": 3}


def test_maintain_shows_each_line_and_counts_the_rest() -> None:
    ran = commonbook("maintain", "--max-jobs", "2", answers=answers())
    assert ran.calls == (Maintain(max_jobs=2),)
    for words in ("preferences", "replaced Tools", "  + Use pnpm.", "  - Use npm.", "    1  a question", "-v"):
        assert words in ran.out
    assert "4 = left out 3 + kept from 1 · lines: 1 replaced" in ran.out, "the numbers add up"
    assert ran.err == ""
    assert "\x1b" not in ran.out
    assert commonbook("maintain", "--json", answers=answers()).json["reasons"]["a question"] == 1


def test_each_heading_stands_there_once() -> None:
    first, second = replace(CHANGE, lines_removed=()), replace(CHANGE, lines_added=("- Use uv.",), lines_removed=())
    other = replace(CHANGE, section="Style", kind="forgot", lines_added=())
    report = replace(REPORT, changes=(first, other, second, replace(CHANGE, target="projects/kite-1a2b")))
    out = commonbook("maintain", answers=answers(Maintain=report)).out
    assert "  kept Tools\n    + Use pnpm.\n    + Use uv.\n  forgot Style\n    - Use npm.\n" in out
    assert "projects/Kite\n" in out, "a project is called by its name"


def test_reasons_are_told_in_the_persons_language(monkeypatch: pytest.MonkeyPatch) -> None:
    from commonbook.agents.rules.reasons import Reason

    monkeypatch.setenv("COMMONBOOK_LANG", "zh")
    assert "    1  提问" in commonbook("maintain", answers=answers()).out
    for reason in Reason:
        assert reason_words(reason) != reason, "a reason of the rules has its words in both catalogues"


def test_a_failed_batch_is_told_and_changes_the_exit_code() -> None:
    failed = MaintainReport(1, 2, (), 0, (Problem("DECISION_REJECTED", "project:kite-1a2b"),), 2)
    ran = commonbook("maintain", answers=answers(Maintain=failed))
    assert ran.code == 1
    assert "queue retry" in ran.err


def test_nothing_to_do_is_said_plainly() -> None:
    nothing = MaintainReport(0, 0, (), 0, (), 0)
    assert "up to date" in commonbook("maintain", answers=answers(Maintain=nothing)).out


# --- reading back ---------------------------------------------------------------------------------------------------


def test_show_prints_the_markdown_of_this_folder() -> None:
    ran = commonbook("show", answers=answers())
    assert ran.calls[0] == ReadMemory(cwd=str(Path.cwd()))
    assert "preferences" in ran.out
    assert "## Tools\n- Use pnpm.\n" in ran.out
    assert "profile" not in ran.out
    assert "Kite" in ran.out, "what stands elsewhere is named"


@pytest.mark.parametrize(
    ("words", "contexts"),
    [
        (("--global",), ("global",)),
        (("--project", "kite"), ("project:kite-1a2b",)),
        (("--project", "kite-1a2b"), ("project:kite-1a2b",)),
        (("--all",), ()),
        (("preferences",), ("global",)),
        (("projects/kite-1a2b",), ("project:kite-1a2b",)),
        (("projects/kite-1a2b.md",), ("project:kite-1a2b",)),
        (("KITE",), ("project:kite-1a2b",)),
    ],
)
def test_show_of_a_chosen_part(words: tuple[str, ...], contexts: tuple[str, ...]) -> None:
    ran = commonbook("show", *words, answers=answers())
    assert ReadMemory(contexts=contexts) in ran.calls
    assert ran.code == 0


def test_show_of_something_unknown_names_what_there_is() -> None:
    ran = commonbook("show", "nonsense", answers=answers())
    assert ran.code == 1
    assert "show --all" in ran.err
    told = commonbook("show", "nonsense", "--json", answers=answers()).json["error"]
    assert told["detail"] == {"target": "nonsense", "known": "profile, preferences, kite-1a2b"}
    assert commonbook("show", "preferences", "--all", answers=answers()).code == 2


def test_show_as_agent_is_exactly_what_an_agent_gets() -> None:
    assert commonbook("show", "--as-agent", answers=answers()).out == "<commonbook>…</commonbook>\n"


def test_an_empty_memory_says_how_to_begin() -> None:
    nothing = MemoryView("data", ("global",), (EMPTY,), True, "")
    out = commonbook("show", answers=answers(ReadMemory=nothing, ListContexts=(GLOBAL,))).out
    assert "commonbook update" in out


@pytest.mark.parametrize("name", ["search", "retrieve"])
def test_search_shows_passages_best_first(name: str) -> None:
    hits = tuple(
        Segment("preferences", ("Tools",), f"Use {word}.\n\x1b[31m", 0.5, NOON, "global", ("ev_1",), "bm25 0.5")
        for word in ("pnpm", "uv")
    )
    ran = commonbook(
        name, "package", "manager", "-k", "3", "--trace", answers=answers(SearchMemory=SearchView(hits, (), (), True))
    )
    assert ran.calls == (SearchMemory("package manager", k=3, trace=True),)
    assert ran.out.index("Use pnpm.") < ran.out.index("Use uv.")
    assert "preferences › Tools" in ran.out
    assert "bm25 0.5" in ran.out
    assert "\x1b" not in ran.out
    assert "again" in ran.err


def test_search_shows_which_words_match_and_hides_mere_neighbours() -> None:
    def hit(text: str, trace: str) -> Segment:
        return Segment("projects/kite-1a2b", ("Tools",), text, 0.5, NOON, "project:kite-1a2b", (), trace)

    own = hit("Releases: 发布标签 v1, 标签 pnpm.", "lexical=1.00 text=releas,标签 near=x")
    near = hit("We meet on Fridays.", "lexical=0.10 text=- near=releas")
    found = answers(SearchMemory=SearchView((near, own), (), (), False))
    ran = commonbook("search", "release 标签", answers=found, terminal=True)
    assert "\x1b[1mReleases\x1b[0m: 发布\x1b[1m标签\x1b[0m v1, \x1b[1m标签\x1b[0m pnpm." in ran.out
    assert "Fridays" not in ran.out and "text=" not in ran.out
    assert "projects/Kite › Tools" in ran.out
    for words in (("-k", "8"), ("--trace",)):
        assert "Fridays" in commonbook("search", "x", *words, answers=found).out
    only = answers(SearchMemory=SearchView((near,), (), (), False))
    assert "Fridays" in commonbook("search", "x", answers=only).out, "better than nothing"
    asked = commonbook("search", "x", "--json", answers=found)
    assert len(asked.json["segments"]) == 2
    assert asked.calls == (SearchMemory("x"),)


def test_search_without_a_hit_says_so() -> None:
    ran = commonbook("search", "x", answers=answers(SearchMemory=SearchView((), (), (), False)))
    assert (ran.code, "Try other words" in ran.out) == (0, True)


def test_why_shows_the_words_with_host_time_scope_and_receipt() -> None:
    said = SourceView(
        "ev_1", "pi", "transcript", NOON, "global", "receipt-7", "use pnpm\nnever npm", True, "/s/a.jsonl"
    )
    gone = SourceView("ev_2", "pi", "transcript", NOON, "global", "receipt-8", None, False, None)
    view = WhyView((SectionReasons("preferences", "Tools", True, NOON, (said, gone)),))
    ran = commonbook("why", "preferences#Tools", "-v", answers=answers(Why=view))
    assert ran.calls == (Why("preferences", "Tools"),)
    for words in (
        "preferences › Tools",
        "“use pnpm",
        "never npm”",
        "Pi",
        "global",
        "receipt-7",
        "/s/a.jsonl",
        "own hand",
    ):
        assert words in ran.out
    assert "no longer kept" in ran.out


def test_log_tells_decisions_in_plain_words() -> None:
    entry = LogEntry("r1", NOON, "agent", "rules/1", ("preferences",), ("retain", "retain", "forget"), None)
    out = commonbook("log", "-n", "5", answers=answers(ReadLog=LogView((entry,)))).out
    assert "kept, forgot" in out
    assert "by rules (offline) · r1" in out


STATUS = StatusView(
    "/home/u/.commonbook",
    "rules",
    True,
    (("pending", 2), ("processed", 40), ("quarantined", 1)),
    (("done", 9),),
    2,
    7,
    1,
    (PI,),
    Limits(None, None, 8_388_608, 67_108_864),
    "resume",
)


def test_status_shows_what_waits_and_the_one_next_step() -> None:
    ran = commonbook("status", answers=answers(ReadStatus=STATUS))
    for words in (
        "rules (offline)",
        "documents 2",
        "sections 7",
        "messages 2",
        "looked at so far 40",
        "put aside",
        "Paused",
    ):
        assert words in ran.out
    assert ran.out.rstrip().endswith("Run `commonbook resume` to go on.")
    assert commonbook("status", "--json", answers=answers(ReadStatus=STATUS)).json["counts"]["pending"] == 2


# --- a person's own hand ----------------------------------------------------------------------------------------------

PREVIEW = ChangeView((ChangePreview("preferences", "Notes", ("- I review on Fridays",), (), "digest-1", None),), False)
DONE = ChangeView((ChangePreview("preferences", "Notes", ("- I review on Fridays",), (), "digest-1", "r9"),), True)


def by_hand(operation: Any) -> Answers:
    return {**answers(), operation: lambda asked: DONE if asked.confirm else PREVIEW}


def test_forgetting_messages_alone_is_shown_asked_and_committed() -> None:
    def forget(asked: Forget) -> ChangeView:
        return ChangeView((), committed=asked.confirm is not None, messages=2)

    ran = commonbook("forget", "zebra", answers={**answers(), Forget: forget})
    assert (ran.code, len(ran.calls)) == (3, 1) and "lose their words too: 2" in ran.out
    told = commonbook("forget", "zebra", "--json", answers={**answers(), Forget: forget})
    assert (told.code, told.json["messages"]) == (3, 2)
    ran = commonbook("forget", "zebra", "--yes", answers={**answers(), Forget: forget})
    assert ran.code == 0 and "Forgotten" in ran.out
    assert [call.confirm for call in ran.calls if isinstance(call, Forget)] == [None, ()]


@pytest.mark.parametrize(("name", "operation"), [("remember", Remember), ("forget", Forget)])
class TestByHand:
    def test_yes_commits_exactly_what_was_shown(self, name: str, operation: type[Remember | Forget]) -> None:
        ran = commonbook(name, "I review", "on Fridays", "--yes", answers=by_hand(operation))
        first, second = ran.calls
        assert isinstance(first, operation)
        assert isinstance(second, operation)
        assert (first.words, first.confirm) == ("I review on Fridays", None)
        assert second.confirm == ("digest-1",)
        assert ran.code == 0
        assert "+ I review on Fridays" in ran.out

    def test_without_a_terminal_only_the_preview_is_shown(self, name: str, operation: type[Remember | Forget]) -> None:
        ran = commonbook(name, "x", answers=by_hand(operation))
        assert (ran.code, len(ran.calls)) == (3, 1)
        assert "+ I review on Fridays" in ran.out
        assert "--yes" in ran.err
        told = commonbook(name, "x", "--json", answers=by_hand(operation))
        assert told.code == 3
        assert told.json["error"]["code"] == "NEEDS_CONFIRMATION"
        assert told.json["changes"][0]["expected"] == "digest-1"

    @pytest.mark.parametrize(("typed", "code", "calls"), [("y\n", 0, 2), ("是\n", 0, 2), ("n\n", 3, 1), ("", 3, 1)])
    def test_a_person_is_asked(
        self, name: str, operation: type[Remember | Forget], typed: str, code: int, calls: int
    ) -> None:
        ran = commonbook(name, "x", answers=by_hand(operation), terminal=True, typed=typed)
        assert (ran.code, len(ran.calls)) == (code, calls)

    def test_a_scope_is_named_as_a_person_names_it(self, name: str, operation: type[Remember | Forget]) -> None:
        for scope, context in (
            ("global", "global"),
            ("Kite", "project:kite-1a2b"),
            ("project:x-0000", "project:x-0000"),
        ):
            ran = commonbook(name, "x", "--scope", scope, "--yes", answers=by_hand(operation))
            assert {call.context for call in ran.calls if isinstance(call, operation)} == {context}
        assert commonbook(name, "x", "--scope", "nowhere", answers=by_hand(operation)).code == 1

    def test_nothing_to_change_needs_no_question(self, name: str, operation: type[Remember | Forget]) -> None:
        same = ChangeView((ChangePreview("preferences", "Notes", (), (), "digest-1", None),), False)
        ran = commonbook(name, "x", answers={**answers(), operation: lambda _: same})
        assert (ran.code, len(ran.calls)) == (0, 1)


@pytest.mark.parametrize(
    ("result", "code"),
    [("modified", 0), ("already_satisfied", 10), ("clarification_required", 11), ("refused", 12), (None, 13)],
)
def test_exit_codes_tell_the_results_of_an_edit_apart(result: str | None, code: int) -> None:
    complete = result in ("modified", "already_satisfied")
    view = EditView(
        "item-1", result, complete, "processed" if result else "pending", None, (CHANGE,) if code == 0 else ()
    )
    ran = commonbook("edit", "replace npm with pnpm", "--wait", "5", answers=answers(Edit=view))
    (asked,) = ran.calls
    assert isinstance(asked, Edit)
    assert asked.wait == 5
    assert ran.code == code
    told = commonbook("edit", "x", "--no-wait", "--json", answers=answers(Edit=view))
    assert told.code == code
    assert told.json["complete"] is complete
    assert told.calls[0] == Edit("x", None, str(Path.cwd()), 0.0)


# --- projects, queue ----------------------------------------------------------------------------------------------------

PROJECT = ProjectView("kite-1a2b", "Kite", "/home/u/kite", "repository", "registered", 3, 1)
ITEM = QueueItem("o1", "quarantined", "SENSITIVE_INPUT", "global", "pi", NOON, 120, 0, None, None)


def test_projects_are_listed_registered_and_removed() -> None:
    out = commonbook("project", "list", "--all", answers=answers(ListProjects=(PROJECT,))).out
    for words in ("Kite", "kite-1a2b", "/home/u/kite", "registered", "a git repository", "sections 3", "waiting 1"):
        assert words in out
    ran = commonbook("project", "register", "sub", "--name", "Kite", answers=answers(RegisterProject=PROJECT))
    assert ran.calls == (RegisterProject(str(Path.cwd() / "sub"), "Kite"),)
    removing = answers(RemoveProject=PROJECT)
    assert commonbook("project", "remove", "kite", "-y", answers=removing).calls == (RemoveProject("kite"),)
    asked = commonbook("project", "remove", "kite", answers=removing)
    assert (asked.code, asked.calls) == (3, (RemoveProject("kite", confirm=False),))
    assert "projects/kite-1a2b.md stays" in asked.out
    told = commonbook("project", "remove", "kite", answers=removing, terminal=True, typed="y\n")
    assert (told.code, told.calls[1:]) == (0, (RemoveProject("kite"),))
    assert commonbook("project", "remove", "kite", "--json", answers=removing).json["project"]["id"] == "kite-1a2b"
    assert commonbook("project", "list", "--json", answers=answers(ListProjects=())).json["projects"] == []
    assert "first fact" in commonbook("project", "list", answers=answers(ListProjects=())).out


def test_the_queue_says_why_each_item_waits() -> None:
    ran = commonbook("queue", "list", "--state", "quarantined", answers=answers(ListQueue=QueueView((ITEM,), 2)))
    assert ran.calls == (ListQueue(limit=50, state="quarantined"),)
    for words in ("put aside", "o1", "Pi", "120 B", "queue discard", "1 of 2"):
        assert words in ran.out


@pytest.mark.parametrize("action", ["retry", "cancel", "discard"])
def test_the_persons_word_about_items(action: Any) -> None:
    ran = commonbook("queue", action, "o1", "o2", answers=answers(QueueChange=QueueView((ITEM,), 1)))
    assert ran.calls == (QueueChange(action, ("o1", "o2")),)
    assert commonbook("queue", action, answers=answers()).code == 2


def test_flush_is_maintain() -> None:
    assert commonbook("queue", "flush", answers=answers()).calls == (Maintain(),)


@pytest.mark.parametrize(("name", "paused"), [("pause", True), ("resume", False)])
def test_pause_and_resume(name: str, paused: bool) -> None:
    ran = commonbook(name, answers=answers(SetPaused=STATUS))
    assert ran.calls == (SetPaused(paused),)
    assert "commonbook" in ran.out


def test_every_answer_of_a_read_is_also_json() -> None:
    reads: dict[str, dict[str, object]] = {
        "show": {},
        "search x": {"SearchMemory": SearchView((), (), (), False)},
        "why x": {"Why": WhyView(())},
        "log": {"ReadLog": LogView(())},
        "status": {"ReadStatus": STATUS},
        "queue list": {"ListQueue": QueueView((), 0)},
        "queue flush": {},
        "maintain": {},
        "pause": {"SetPaused": STATUS},
    }
    for words, changed in reads.items():
        assert commonbook(*words.split(), "--json", answers=answers(**changed)).json["schema"] == 1
