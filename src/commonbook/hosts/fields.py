"""Reads single values out of records that other programs wrote; what is not as expected counts as not there."""

from datetime import UTC, datetime, timedelta
from typing import Any

from commonbook.clock import Milliseconds

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
LATEST = 2**53
"""Times beyond this are not times; they would not fit where times are stored."""


def time_or_none(value: Any) -> Milliseconds | None:
    """A time that is given in milliseconds, or as ISO 8601 (UTC where no zone is told)."""
    if not isinstance(value, str):
        return value if type(value) is int and 0 < value < LATEST else None
    try:
        time = datetime.fromisoformat(value)
        return time_or_none(((time if time.tzinfo else time.replace(tzinfo=UTC)) - EPOCH) // MILLISECOND)
    except (ValueError, OverflowError):
        return None


def text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
