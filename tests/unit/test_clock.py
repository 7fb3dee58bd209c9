"""Ids: version 7, in order, whatever the clock does."""

import uuid

from commonbook.clock import uuid7_maker
from tests.support.queueing import START, SetClock


def test_ids_are_uuids_of_version_7_that_carry_the_time() -> None:
    made = uuid.UUID(uuid7_maker(SetClock())())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == START


def test_ids_grow_within_a_millisecond_and_when_the_clock_is_set_back() -> None:
    clock = SetClock()
    make = uuid7_maker(clock)
    made = [make() for _ in range(5_000)]
    clock.pass_by(-1_000)
    made += [make() for _ in range(100)]
    clock.pass_by(2_000)
    made += [make() for _ in range(100)]
    assert made == sorted(set(made))
    assert all(uuid.UUID(name).version == 7 for name in made)
