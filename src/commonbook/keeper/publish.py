"""The one function that makes a change real: canonical files, receipt, history, database, in this order (02 §8).

Agents' decisions, a person's own words and recovery after a crash all go through it. It may be run again over what it did
before: every step looks first whether it has been done.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal, NoReturn

from commonbook.book.facts import SectionFact, read_facts, write_facts
from commonbook.book.files import UNREADABLE, ensure_folder, remove_durable, replace_durable, write_durable
from commonbook.errors import Code, CommitError, PlaceError
from commonbook.keeper import history
from commonbook.keeper.contracts import Store
from commonbook.keeper.erasing import erase_traces
from commonbook.keeper.journal import Journal, StagedFile
from commonbook.keeper.projects import publish_registry
from commonbook.keeper.receipt import Receipt, apply_receipt
from commonbook.keeper.snapshot import current_digest, document_path
from commonbook.ledger import commit as table
from commonbook.ledger import links as link_table
from commonbook.ledger import receipts as receipt_table
from commonbook.vocabulary import Digest, JobId, Target, sha256


def publish(store: Store, folder: Path, journal: Journal) -> None:
    """Inside a write transaction, behind the marker. Raises ``CommitError(RECOVERY_CONFLICT)`` when someone else changed one
    of the files meanwhile, or put what is no plain file in its place: their bytes stay, and files of this commit that were
    published already are taken back."""
    if receipt_table.is_applied(store.ledger, journal.receipt.id):
        return
    _publish_files(store, folder, journal)
    store.mark("commit.receipt")
    write_durable(receipt_path(store, journal.receipt.id), journal.receipt_bytes)
    store.mark("commit.history")
    history.save(store.home, journal.receipt.id, journal.former, journal.receipt.at)
    for purge in journal.purge:
        history.purge(store.home, purge)
    store.mark("commit.apply")
    if journal.said is not None:
        table.put_said(store.ledger, journal.said)
    apply_receipt(store.ledger, journal.receipt, sha256(journal.receipt_bytes))
    store.mark("commit.database")


def derive(store: Store, receipt: Receipt) -> None:
    """After the database: what readers use instead of it. Deleting these files loses nothing."""
    store.mark("commit.sections_file")
    write_section_facts(store, receipt.difference.targets)
    store.mark("commit.registry")
    publish_registry(store)
    if receipt.forgotten:  # the words must not stay readable in the write-ahead log
        erase_traces(store)


def write_section_facts(store: Store, targets: Iterable[Target] | None = None) -> None:
    """Bring the file up to date for these documents; all of it for ``None``, or where there is none that can be read."""
    facts = () if targets is None else _known_facts(store)
    with store.ledger.read() as ledger:
        fresh = tuple(targets or ()) if facts else link_table.targets(ledger)
        sources: dict[tuple[str, str], list[str]] = {}
        for target, title, source in link_table.section_sources(ledger, fresh):
            sources.setdefault((target, title), []).append(source)
        dates = link_table.section_dates(ledger, fresh)
    write_facts(
        store.home,
        [
            *(fact for fact in facts if fact.target not in fresh),
            *(
                SectionFact(Target(target), Digest(title), date, tuple(sources.get((target, title), ())))
                for target, title, date in dates
            ),
        ],
    )


def _known_facts(store: Store) -> Collection[SectionFact]:
    try:
        return read_facts(store.home).values()
    except PlaceError as error:
        if error.code not in UNREADABLE:
            raise
        return ()


def receipt_path(store: Store, receipt: JobId) -> Path:
    return store.home.receipts / f"{receipt}.json"


def _publish_files(store: Store, folder: Path, journal: Journal) -> None:
    if any(_state(store, file) == "foreign" for file in journal.files):
        _take_back(store, journal)
    for file in journal.files:
        if _state(store, file) == "after":  # published before a crash
            continue
        path = document_path(store.home, file.target)
        ensure_folder(path.parent, below=store.home.data)
        store.mark("commit.publish")
        # Looked at again: between two documents of one change an editor has time to save.
        if _state(store, file) != "before":
            _take_back(store, journal)
        replace_durable(folder / file.name, path)


def _state(store: Store, file: StagedFile) -> Literal["before", "after", "foreign"]:
    try:
        found = current_digest(store.home, file.target)
    except PlaceError as error:
        if error.code not in UNREADABLE:
            raise
        return "foreign"  # a link, a folder or a flood of bytes stands there: nobody's but theirs
    return "before" if found == file.before_digest else "after" if found == file.after_digest else "foreign"


def _take_back(store: Store, journal: Journal) -> NoReturn:
    """Half a change is worse than none: what was published of it goes back to what stood there before. Raises."""
    for file in journal.files:
        if _state(store, file) == "after":
            store.mark("recovery.take_back")
            _restore(store, file)
    remove_durable(receipt_path(store, journal.receipt.id))
    raise CommitError(Code.RECOVERY_CONFLICT, receipt=journal.receipt.id)


def _restore(store: Store, file: StagedFile) -> None:
    path = document_path(store.home, file.target)
    if file.before is None:
        remove_durable(path)
    else:
        write_durable(path, file.before)
