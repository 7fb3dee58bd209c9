"""A commit in flight: ``runtime/transactions/<uuid>/`` with the new files, the receipt, the journal and, last, the marker.

Without the marker nothing has happened and the folder is thrown away; with it the commit is finished, whatever crashes. The
journal holds all that recovery needs (digests before and after, former texts for history and for taking back), so no agent
is ever asked again. It is gone as soon as the commit is done: text stays in it for milliseconds.
"""

import base64
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from commonbook.book.files import (
    ensure_folder,
    read_bounded,
    remove_durable,
    remove_folder,
    rename_folder,
    write_durable,
)
from commonbook.errors import Code, PlaceError
from commonbook.keeper.contracts import Store
from commonbook.keeper.history import Former, Purge
from commonbook.keeper.receipt import Receipt, decode
from commonbook.ledger.commit import SaidRow
from commonbook.settings.model import MIB
from commonbook.vocabulary import Digest, Target

MARKER = "COMMITTING"
JOURNAL = "journal.json"
RECEIPT = "receipt.json"
CONFLICT = ".conflict"
"""Ends the name of a commit that could not be finished because someone else changed a file; it holds the receipt alone."""
LIMIT = 64 * MIB


@dataclass(frozen=True)
class StagedFile:
    """``before`` is ``None`` where there was no document. ``name``: of the staged file within the folder."""

    target: Target
    name: str
    before: bytes | None
    before_digest: Digest
    after_digest: Digest


@dataclass(frozen=True)
class Journal:
    """``purge``: what was forgotten, which history must not keep; it may be told here, for the journal goes. ``said``: the
    person's own words, to be stored with the commit. ``receipt_bytes``: exactly what becomes the receipt file."""

    files: tuple[StagedFile, ...]
    former: tuple[Former, ...]
    purge: tuple[Purge, ...]
    said: SaidRow | None
    receipt: Receipt
    receipt_bytes: bytes


def stage(store: Store, journal: Journal, texts: dict[Target, bytes]) -> Path:
    """Write everything but the marker, flushed; gives the folder."""
    folder = store.home.transactions / store.new_id()
    store.mark("commit.stage_folder")
    ensure_folder(folder, below=store.home.data)
    for file in journal.files:
        store.mark("commit.stage_file")
        write_durable(folder / file.name, texts[file.target])
    store.mark("commit.stage_receipt")
    write_durable(folder / RECEIPT, journal.receipt_bytes)
    store.mark("commit.stage_journal")
    write_durable(folder / JOURNAL, _encode(journal))
    return folder


def mark_committing(store: Store, folder: Path) -> None:
    """From here on the commit happens, even if this process does not live to see it."""
    store.mark("commit.marker")
    write_durable(folder / MARKER, b"")


def is_committing(folder: Path) -> bool:
    return (folder / MARKER).exists()


def load(store: Store, folder: Path) -> Journal:
    """Raises ``PlaceError(STORE_DAMAGED)`` for a folder that we did not write whole."""
    data = read_bounded(folder / JOURNAL, below=store.home.data, limit=LIMIT)
    receipt = read_bounded(folder / RECEIPT, below=store.home.data, limit=LIMIT)
    if data is None or receipt is None:
        raise PlaceError(Code.STORE_DAMAGED, path=str(folder))
    return _decode(data, receipt, folder)


def remove(store: Store, folder: Path) -> None:
    """Throw the folder away, the marker first: a crash in between must not leave a marker over half a journal."""
    store.mark("commit.remove_marker")
    remove_durable(folder / MARKER)
    store.mark("commit.remove_journal")
    remove_folder(folder)


def set_aside(store: Store, folder: Path) -> None:
    """Keep the receipt of a commit in conflict where a person can see it; its texts are removed."""
    for name in os.listdir(folder):  # noqa: PTH208 - names only
        if name not in (RECEIPT, MARKER):
            remove_durable(folder / name)
    store.mark("recovery.set_aside")
    rename_folder(folder, folder.name + CONFLICT)


def unfinished(store: Store) -> tuple[Path, ...]:
    """Folders of commits in flight; those set aside are not among them. Costs nothing when there is none."""
    try:
        names = os.listdir(store.home.transactions)  # noqa: PTH208 - names only
    except FileNotFoundError:
        return ()
    return tuple(store.home.transactions / name for name in sorted(names) if not name.endswith(CONFLICT))


def _encode(journal: Journal) -> bytes:
    told: dict[str, Any] = {
        "files": [
            [file.target, file.name, _packed(file.before), file.before_digest, file.after_digest]
            for file in journal.files
        ],
        "former": [[row.target, row.title, _packed(row.text), row.links] for row in journal.former],
        "purge": journal.purge,
        "said": None if journal.said is None else journal.said._asdict(),
    }
    return orjson.dumps(told)


def _decode(data: bytes, receipt: bytes, folder: Path) -> Journal:
    try:
        told = orjson.loads(data)
        return Journal(
            files=tuple(
                StagedFile(Target(target), name, _unpacked(before), Digest(was), Digest(becomes))
                for target, name, before, was, becomes in told["files"]
            ),
            former=tuple(
                Former(Target(target), Digest(title), _unpacked(text), links)
                for target, title, text, links in told["former"]
            ),
            purge=tuple(_purge(**one) for one in told["purge"]),
            said=None if told["said"] is None else SaidRow(**told["said"]),
            receipt=decode(receipt),
            receipt_bytes=receipt,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PlaceError(Code.STORE_DAMAGED, path=str(folder)) from error


def _purge(targets: list[str], lines: list[str], titles: list[str], words: str | None) -> Purge:
    return Purge(tuple(map(Target, targets)), tuple(lines), tuple(map(Digest, titles)), words)


def _packed(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _unpacked(data: str | None) -> bytes | None:
    return None if data is None else base64.b64decode(data)
