"""Time and ids come in from outside, so that Core is deterministic and a test needs no sleep."""

import os
import time
from collections.abc import Callable
from typing import Protocol

Milliseconds = int
"""Unix time in milliseconds, UTC."""


class Clock(Protocol):
    def now(self) -> Milliseconds: ...


class SystemClock:
    def now(self) -> Milliseconds:
        return time.time_ns() // 1_000_000


IdMaker = Callable[[], str]
"""Gives a new public id on every call: text, unique, ordered by time where possible."""


def uuid7_maker(clock: Clock, random_bytes: Callable[[int], bytes] = os.urandom) -> IdMaker:
    """An ``IdMaker`` of UUIDv7 (RFC 9562 §5.7): 48 bits of milliseconds, 74 random bits.

    Ids of one maker always grow (§6.2, method 2), also within a millisecond or when the clock is set back: what was
    written first sorts first, and new rows go to the end of every index.
    """
    last, head, tail = -1, "", 0

    def make() -> str:
        nonlocal last, head, tail
        now = clock.now()
        if now > last:
            last, tail = now, int.from_bytes(random_bytes(9), "big")  # 72 of 74 bits: room to count up
            head = f"{now >> 16:08x}-{now & 0xFFFF:04x}-7"
        else:
            tail += 1 + int.from_bytes(random_bytes(4), "big")
        low = f"{2 << 62 | tail & 0x3FFF_FFFF_FFFF_FFFF:016x}"
        return f"{head}{tail >> 62:03x}-{low[:4]}-{low[4:]}"

    return make
