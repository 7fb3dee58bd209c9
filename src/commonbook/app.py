"""The composition root: reads the settings, puts the rooms together, and starts the program. Nothing is imported early."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from commonbook.channels.gateway.operations import Gateway
    from commonbook.settings.model import Settings
    from commonbook.settings.paths import Home


def open_gateway(home: Path | None = None) -> Gateway:
    """Everything that a face may ask for, over the memory at ``home`` (default: ``$COMMONBOOK_HOME``, ``~/.commonbook``).

    The memory itself is opened by the first operation that needs it. Raises ``UsageError`` for a wrong config.toml.
    """
    from commonbook.channels.gateway.local import LocalGateway

    return LocalGateway(*_home(home))


def open_read_gateway(home: Path | None = None) -> Gateway:
    """Current documents, search and contexts only; never opens the runtime database, creates no folder."""
    from commonbook.channels.gateway.reading import ReadGateway

    return ReadGateway(*_home(home))


def _home(chosen: Path | None) -> tuple[Home, Settings]:
    from commonbook.settings.load import load_home

    return load_home() if chosen is None else load_home({**os.environ, "COMMONBOOK_HOME": str(chosen)})


def main(argv: Sequence[str] | None = None) -> int:
    """The console script ``commonbook``; gives the exit code."""
    from commonbook.channels.cli.program import run

    return run(sys.argv[1:] if argv is None else argv, open_gateway, open_read_gateway)


if __name__ == "__main__":
    sys.exit(main())
