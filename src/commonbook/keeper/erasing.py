"""Removed words must not stay readable in the write-ahead log, which keeps pages as they were until it is emptied."""

from commonbook.keeper.contracts import Store
from commonbook.ledger import queue as table

DUE = "checkpoint_due"
SOON = 50
"""Milliseconds that an opening waits for readers: it happens often, and the next one tries again."""


def erase_traces(store: Store) -> None:
    """Empty the log. Where another process still reads from it, the next opening of the memory tries again."""
    if not store.ledger.empty_log():
        store.mark("erasing.due")
        with store.ledger.write() as ledger:
            table.put_setting(ledger, DUE, "1")


def erase_what_was_left(store: Store) -> None:
    if table.setting(store.ledger, DUE) == "1" and store.ledger.empty_log(patience=SOON):
        store.mark("erasing.done")
        with store.ledger.write() as ledger:
            table.put_setting(ledger, DUE, "0")
