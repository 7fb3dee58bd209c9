"""The idle check with 20 and with 20 000 processed deliveries: at most twice, at most 0.1 ms.

python -m bench.idle
"""

from bench.support import best, fill_history, fresh_store, machine, tell
from commonbook.keeper.queue import is_idle

REPEAT = 1_000


def main() -> None:
    tell(f"idle · {machine()}")
    found = []
    for history in (20, 20_000):
        with fresh_store() as store:
            fill_history(store, history)
            assert is_idle(store)
            seconds = best(lambda store=store: [is_idle(store) for _ in range(REPEAT)]) / REPEAT  # type: ignore[misc]
            found.append(seconds)
            tell(f"{history:6} processed: {seconds * 1e3:.4f} ms (bar 0.1 ms)")
    tell(f"ratio {found[1] / found[0]:.2f} (bar 2)")


if __name__ == "__main__":
    main()
