"""Makes the frozen database of the newest schema: run once per release (``python -m tests.migrations.freeze``), then never
touch that file again. Until the first release it may be made anew when schema 1 changes."""

import sys
import tempfile
from pathlib import Path

from commonbook.keeper.ingress import deliver, take_turns
from commonbook.keeper.opening import close_store
from commonbook.keeper.queue import claim
from commonbook.ledger.migrations import shipped_steps
from commonbook.vocabulary import ConsideredBy
from tests.support.queueing import START, cursor, delivery, opened, said, session

FROZEN = Path(__file__).parent / "frozen"


def freeze(target: Path) -> None:
    """A store with a little of everything that taking in and claiming write, as one file."""
    with tempfile.TemporaryDirectory() as folder:
        store = opened(Path(folder) / "home")
        take_turns(store, session(), [said(number) for number in range(1, 13)], cursor("1200"))
        deliver(store, delivery("r1", "I use pnpm, 我用中文", at=START - 5))
        assert claim(store, ConsideredBy.RULES, "freeze") is not None
        store.ledger.run("VACUUM INTO ?", (str(target),))
        close_store(store)


def frozen_file(version: int) -> Path:
    return FROZEN / f"schema-{version}.sqlite"


if __name__ == "__main__":
    newest = frozen_file(shipped_steps()[-1].version)
    newest.unlink(missing_ok=True)
    freeze(newest)
    sys.stdout.write(f"{newest}\n")
