"""How times, sizes, places and changes are put into words, the same in every command."""

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from commonbook.channels.cli.desk import Desk
from commonbook.channels.cli.screen import Screen, one_line
from commonbook.channels.gateway.operations import ListContexts
from commonbook.channels.gateway.views import Change, ChangePreview
from commonbook.clock import Milliseconds
from commonbook.messages import say
from commonbook.vocabulary import folded

_LIST_MARK = re.compile(r"^[-*+] (?=\S)")


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


def reason_words(reason: str) -> str:
    """An agent's reason in the person's language, where the catalogue knows it; else its own words."""
    words = one_line(reason)
    key = re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")
    known = spoken("reason", key)
    return (words or say("reason.none")) if known == key else known


def print_changes(desk: Desk, changes: Sequence[Change]) -> None:
    """Every change, by document and heading, oldest first: what was added and what was taken away."""
    grouped: dict[str, dict[str, list[Change]]] = {}
    for change in changes:
        grouped.setdefault(change.target, {}).setdefault(change.section, []).append(change)
    names = project_names(desk, grouped)
    for index, (target, sections) in enumerate(grouped.items()):
        if index:
            desk.screen.line()
        desk.screen.line((names.get(target, target), "heading"))
        for section, several in sections.items():
            verbs = ", ".join(dict.fromkeys(say(f"change.{_verb(change)}") for change in several))
            desk.screen.line("  ", (verbs, "quiet"), f" {one_line(section)}")
            for change in several:
                print_lines(desk.screen, change.lines_added, change.lines_removed, indent="    ")


def _verb(change: Change) -> str:
    return "replaced" if change.kind == "kept" and change.lines_added and change.lines_removed else change.kind


def print_preview(desk: Desk, changes: Sequence[ChangePreview]) -> None:
    names = project_names(desk, [change.target for change in changes])
    for change in changes:
        desk.screen.line((f"{names.get(change.target, change.target)} › {one_line(change.section)}", "heading"))
        print_lines(desk.screen, change.lines_added, change.lines_removed, indent="  ")


def print_lines(screen: Screen, added: Sequence[str], removed: Sequence[str], *, indent: str) -> None:
    """Without their own list mark: ``- - pnpm`` would read as a list in a list."""
    for line in removed:
        screen.line((f"{indent}- {_LIST_MARK.sub('', line)}", "removed"))
    for line in added:
        screen.line((f"{indent}+ {_LIST_MARK.sub('', line)}", "added"))


def project_names(desk: Desk, places: Iterable[str]) -> Mapping[str, str]:
    """``projects/kite-1a2b`` → ``projects/Kite``, ``project:kite-1a2b`` → ``project Kite``, for those of ``places`` whose project
    is registered and has its name alone; a command takes the one like the other."""
    if not any(place.startswith(("projects/", "project:")) for place in places):
        return {}
    contexts = [each for each in desk.read(ListContexts()) if each.context and each.context != "global"]
    often = Counter(folded(each.name) for each in contexts)
    named = [
        (str(each.context).removeprefix("project:"), each.name) for each in contexts if often[folded(each.name)] == 1
    ]
    scopes = {f"project:{id}": say("cli.project", name=one_line(name)) for id, name in named}
    return scopes | {f"projects/{id}": f"projects/{one_line(name)}" for id, name in named}
