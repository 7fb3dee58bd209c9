"""A claim from a backlog of 2 000 deliveries of 4 KiB, with 20 000 processed, against one from a backlog of 6: at most twice.

python -m bench.claim
"""

import statistics
import time

from bench.support import facts, fill_history, fresh_store, machine, tell, turns
from commonbook.keeper.contracts import Store
from commonbook.keeper.ingress import take_turns
from commonbook.keeper.queue import claim, hand_back
from commonbook.vocabulary import ConsideredBy

TIMES = 60


def backlog(store: Store, number: int) -> None:
    """Deliveries of 4 KiB, each a batch of its own (16 KiB hold three of them with their number)."""
    for first in range(0, number, 50):
        name = f"b{first}"
        take_turns(store, facts(name), turns(name, first, min(50, number - first), "x" * 4_088), None)


def seconds_of_claims(store: Store) -> list[float]:
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        found = claim(store, ConsideredBy.RULES, "bench")
        taken.append(time.perf_counter() - began)
        assert found is not None
        hand_back(store, found)
        with store.ledger.write() as ledger:  # back to pending, so that every claim is a first one
            ledger.run("UPDATE observations SET state = 'pending', job = NULL WHERE job = ?", (found.job,))
            ledger.run("DELETE FROM jobs WHERE id = ?", (found.job,))
    return taken


def main() -> None:
    tell(f"claim · {machine()}")
    medians = []
    for waiting, history in ((6, 0), (2_000, 20_000)):
        with fresh_store() as store:
            fill_history(store, history)
            backlog(store, waiting)
            taken = seconds_of_claims(store)
            medians.append(statistics.median(taken))
            tell(f"{waiting:5} waiting, {history:6} processed: {medians[-1] * 1e3:.3f} ms (median of {TIMES})")
    tell(f"ratio {medians[1] / medians[0]:.2f} (bar 2)")


if __name__ == "__main__":
    main()
