"""The composition root: reads the settings, puts the rooms together, and starts the program. Nothing is imported early."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonbook.channels.gateway.operations import Gateway


def open_gateway() -> Gateway:
    """Everything that a face may ask for. The memory itself is opened by the first operation that needs it."""
    from commonbook.channels.gateway.local import LocalGateway
    from commonbook.settings.load import load_home

    return LocalGateway(*load_home())


def open_read_gateway() -> Gateway:
    """Current documents, search and contexts only; never opens the runtime database, creates no folder."""
    from commonbook.channels.gateway.reading import ReadGateway
    from commonbook.settings.load import load_home

    return ReadGateway(*load_home())


def main(argv: Sequence[str] | None = None) -> int:
    """The console script ``commonbook``; gives the exit code."""
    from commonbook.channels.cli.program import run

    return run(sys.argv[1:] if argv is None else argv, open_gateway, open_read_gateway)


if __name__ == "__main__":
    sys.exit(main())
