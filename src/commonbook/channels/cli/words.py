"""How times, sizes, places and changes are put into words, the same in every command."""

import os
import time
from collections.abc import Mapping, Sequence

from commonbook.channels.cli.screen import Screen, one_line
from commonbook.channels.gateway.operations import Change, ChangePreview
from commonbook.clock import Milliseconds
from commonbook.messages import say


def when(at: Milliseconds | None) -> str:
    """Local time to the minute, or the word for never."""
    return say("cli.never") if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000))


def day(at: Milliseconds | None) -> str:
    return "" if at is None else time.strftime("%Y-%m-%d", time.localtime(at / 1000))


def size(count: int) -> str:
    if count < 1024:
        return f"{count} B"
    if count < 1024 * 1024:
        return f"{count / 1024:.1f} KiB"
    return f"{count / 1024 / 1024:.1f} MiB"


def short_path(path: str) -> str:
    home = os.path.expanduser("~")  # noqa: PTH111 - text in, text out
    return f"~{path[len(home) :]}" if home != "/" and path.startswith(f"{home}/") else path


def counted(*pairs: tuple[str, int], always: int = 0) -> str:
    """``new messages 4 · held 1``: the first ``always`` pairs stand there even when they count nothing."""
    return " · ".join(
        f"{say(f'count.{key}')} {number}" for index, (key, number) in enumerate(pairs) if number or index < always
    )


def spoken(table: str, key: str) -> str:
    """A word of the catalogue for a key that comes from elsewhere; the key itself where there is none."""
    try:
        return say(f"{table}.{key}")
    except KeyError:
        return key


def problem_words(code: str, path: str, detail: Mapping[str, str | int] | None = None) -> str:
    """What a code means for one file or batch: its own words where nothing more is known, else the sentence of the error."""
    own = spoken("problem", code)
    if own != code and not detail:
        return own
    try:
        return say(code, **{"path": short_path(path), **(detail or {})})
    except KeyError:
        return code


def print_changes(screen: Screen, changes: Sequence[Change]) -> None:
    """Every change by document, oldest first: what was added and what was taken away."""
    for index, target in enumerate(dict.fromkeys(change.target for change in changes)):
        if index:
            screen.line()
        screen.line((target, "heading"))
        for change in (each for each in changes if each.target == target):
            screen.line("  ", (say(f"change.{change.kind}"), "quiet"), f" {one_line(change.section)}")
            print_lines(screen, change.lines_added, change.lines_removed, indent="    ")


def print_preview(screen: Screen, changes: Sequence[ChangePreview]) -> None:
    for change in changes:
        screen.line((f"{change.target} › {one_line(change.section)}", "heading"))
        print_lines(screen, change.lines_added, change.lines_removed, indent="  ")


def print_lines(screen: Screen, added: Sequence[str], removed: Sequence[str], *, indent: str) -> None:
    for line in removed:
        screen.line((f"{indent}- {line}", "removed"))
    for line in added:
        screen.line((f"{indent}+ {line}", "added"))
