"""Taking in and working off: the two halves of ``update``."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from commonbook.agents.rules.agent import RulesAgent
from commonbook.capture import HostCapture as Captured
from commonbook.capture import capture, session_root
from commonbook.capture.report import Tally
from commonbook.channels.gateway.operations import Capture, Listener, Maintain, Progress
from commonbook.channels.gateway.views import CaptureReport, Change, HostCapture, MaintainReport, Problem
from commonbook.errors import Code, PlaceError, UsageError
from commonbook.hosts.catalogue import all_hosts, find_host, hosts_of
from commonbook.hosts.spec import HostSpec
from commonbook.hosts.transcripts import Problem as Unread
from commonbook.keeper import queue
from commonbook.keeper.contracts import MemoryAgent, Store
from commonbook.keeper.opening import second_store
from commonbook.worker import Maintainer, WorkChange, WorkEvent, WorkReport, run_maintenance


def take_in(store: Store, operation: Capture, listen: Listener) -> CaptureReport:
    """Read new turns. Of all hosts, those that are not on this machine are passed over, and one whose folder cannot be
    read keeps nobody from the others; one that was named must be readable."""
    return CaptureReport(tuple(_hosts(store, operation, listen)), operation.dry_run)


def _hosts(store: Store, operation: Capture, listen: Listener) -> Iterator[HostCapture]:
    root = None if operation.session_dir is None else Path(operation.session_dir).expanduser().absolute()
    for spec in _chosen(operation.host, root):
        try:
            found = capture(
                store,
                spec,
                root=root,
                since=operation.since,
                dry_run=operation.dry_run,
                listen=lambda done, total: listen(Progress("capture", done, total, "read")),
            )
        except PlaceError as error:
            place = os.path.realpath(session_root(store.settings, spec))
            if operation.host is not None or root is not None or error.detail.get("path") != place:
                raise
            if error.code is Code.FOLDER_MISSING:
                continue
            found = Tally([Unread(error.code, place)]).report(spec.id, place)
        yield _host(found)


def _chosen(host: str | None, root: Path | None) -> tuple[HostSpec, ...]:
    """Every host, the one that was named, or the one whose sessions stand in the folder. A folder with sessions of several
    is not guessed at; one without any is read for all of them, so that each says what it could not read."""
    if host is not None:
        return (find_host(host),)
    if root is None:
        return all_hosts()
    fitting = hosts_of(root)
    if len(fitting) > 1:
        raise UsageError(Code.INVALID_ARGUMENTS, argument="--host", rule=", ".join(spec.id for spec in fitting))
    return fitting or all_hosts()


def _host(found: Captured) -> HostCapture:
    problems = tuple(Problem(each.code.value, each.path, each.count, each.line) for each in found.problems)
    return HostCapture(**{**vars(found), "problems": problems})


def work_off(store: Store, operation: Maintain, listen: Listener) -> MaintainReport:
    """Process the queue with the memory agent that the settings choose."""
    queue.try_mending_again(store)
    reasons: Counter[str] = Counter()

    def told(progress: Progress) -> None:
        if progress.outcome == "ignored" and progress.text:
            reasons[progress.reason] += 1
        listen(progress)

    return maintain_report(maintain(store, operation.max_jobs, told), reasons)


def maintain(store: Store, max_jobs: int | None, listen: Listener) -> WorkReport:
    maintainer = Maintainer(lambda: second_store(store), _agent(store))
    return run_maintenance(maintainer, max_jobs=max_jobs, listen=lambda event: _tell(event, listen))


def _agent(store: Store) -> MemoryAgent:
    match store.settings.agent:
        case "rules":
            return RulesAgent()


def _tell(event: WorkEvent, listen: Listener) -> None:
    for each in event.left_out:
        listen(Progress("maintain", event.done, event.total, "ignored", each.words, each.reason))
    text = " · ".join(line for change in event.changes for line in change.lines_added)
    listen(Progress("maintain", event.done, event.total, event.outcome, text, "; ".join(event.reasons)))


def maintain_report(done: WorkReport, reasons: Counter[str]) -> MaintainReport:
    pairs = [(len(change.lines_added), len(change.lines_removed)) for change in done.changes]
    replaced = sum(min(pair) for pair in pairs)
    return MaintainReport(
        batches=done.batches,
        messages=done.messages,
        changes=changes_of(done.changes),
        ignored=done.ignored,
        failed=tuple(Problem(failure.code.value, failure.scope, detail=failure.detail) for failure in done.failed),
        waiting=done.waiting,
        kept_from=done.messages - done.ignored,
        lines_added=sum(added for added, _ in pairs) - replaced,
        lines_replaced=replaced,
        lines_removed=sum(removed for _, removed in pairs) - replaced,
        reasons=tuple(reasons.most_common()),
    )


def changes_of(changes: tuple[WorkChange, ...]) -> tuple[Change, ...]:
    return tuple(Change(**vars(change)) for change in changes)
