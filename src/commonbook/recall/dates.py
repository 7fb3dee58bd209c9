"""A date as text, UTC; the nearest day of the calendar for a file time that lies outside it."""

from datetime import UTC, date, datetime

from commonbook.clock import Milliseconds

_LAST_SECOND = 253_402_300_799  # 9999-12-31


def utc_day(at: Milliseconds) -> date:
    return datetime.fromtimestamp(min(max(at // 1000, 0), _LAST_SECOND), UTC).date()
