"""Questions that only ``doctor`` asks; thin functions over ``sql/checks.sql``."""

from collections.abc import Iterator

from commonbook.ledger.database import Ledger, queries

COUNTED = (
    "claimed_without_job",
    "processed_without_receipt",
    "section_without_source",
    "link_without_source",
    "link_without_section",
)


def is_sound(ledger: Ledger) -> bool:
    """What SQLite itself can tell: pages, indexes, and that every reference leads somewhere."""
    return ledger.row("PRAGMA quick_check(1)") == ("ok",) and not ledger.rows("PRAGMA foreign_key_check")


def broken(ledger: Ledger) -> Iterator[tuple[str, int]]:
    """(name, how many) of every rule that is broken."""
    for name in COUNTED:
        row = ledger.row(queries("checks")[name])
        if row and row[0]:
            yield name, int(row[0])


def receipt_digests(ledger: Ledger) -> dict[str, str]:
    """Of every receipt that has a file."""
    return {row[0]: row[1] for row in ledger.rows(queries("checks")["files"])}
