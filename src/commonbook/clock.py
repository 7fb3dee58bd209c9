"""Time and ids come in from outside, so that Core is deterministic and a test needs no sleep."""

import secrets
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


def uuid7_maker(clock: Clock, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> IdMaker:
    """An ``IdMaker`` of UUIDv7 (RFC 9562 §5.7): 48 bits of milliseconds, 74 random bits."""

    def make() -> str:
        value = bytearray(clock.now().to_bytes(6, "big") + random_bytes(10))
        value[6] = (value[6] & 0x0F) | 0x70
        value[8] = (value[8] & 0x3F) | 0x80
        digits = value.hex()
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    return make
