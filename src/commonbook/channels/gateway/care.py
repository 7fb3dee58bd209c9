"""Examining, backup and restore."""

from collections.abc import Callable
from pathlib import Path
from typing import assert_never

from commonbook.channels.gateway.operations import BackUp, Examine, Restore
from commonbook.channels.gateway.views import BackupView, ExamineView, FindingView, RestoreView
from commonbook.keeper.backup import HISTORY, Manifest, back_up
from commonbook.keeper.contracts import Store
from commonbook.keeper.doctor import examine
from commonbook.keeper.restore import has_memory, read_manifest, restore
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home


def answer(
    wish: Examine | BackUp | Restore,
    home: Home,
    settings: Settings,
    opened: Callable[[], Store],
    close: Callable[[], None],
) -> ExamineView | BackupView | RestoreView:
    """``opened`` gives the store, ``close`` closes it: a memory is not replaced under our own feet."""
    match wish:
        case Examine():
            found = examine(home, settings)
            healthy = all(one.kind == "note" for one in found)
            return ExamineView(healthy, tuple(FindingView(one.kind, one.what, one.where, one.count) for one in found))
        case BackUp(path=path, without_history=without):
            made = back_up(opened(), Path(path), with_history=not without)
            return _view(made.path, made.manifest, made.left_out)
        case Restore():
            close()
            return _restore(home, settings, wish)
        case _:
            assert_never(wish)


def _restore(home: Home, settings: Settings, wish: Restore) -> RestoreView:
    source, replaces = Path(wish.path), has_memory(home)
    if not wish.confirm:
        return RestoreView(_view(source, read_manifest(source)), replaces, restored=False)
    done = restore(home, settings, source)
    aside = None if done.aside is None else str(done.aside)
    return RestoreView(_view(source, done.manifest), replaces, restored=True, aside=aside)


def _view(path: Path, manifest: Manifest, left_out: tuple[str, ...] = ()) -> BackupView:
    members = manifest.members
    return BackupView(
        path=str(path),
        store=manifest.store,
        created=manifest.created,
        documents=sum(name.startswith("memory/") for name in members),
        receipts=sum(name.startswith("runtime/receipts/") for name in members),
        history=HISTORY in members,
        bytes=sum(member.bytes for member in members.values()),
        left_out=left_out,
    )
