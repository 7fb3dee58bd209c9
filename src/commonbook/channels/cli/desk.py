"""What every command works with: the gateway, opened when first needed, the screen, and how to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from commonbook.channels.cli.screen import Screen

if TYPE_CHECKING:  # the operations cost 20 ms to import, which `--help` should not pay
    from collections.abc import Callable

    from commonbook.channels.gateway.operations import Gateway, Listener, Operation

    OpenGateway = Callable[[], Gateway]

R = TypeVar("R")


class Desk:
    """``open_read_gateway`` opens one that can only read and never touches the runtime database (MCP)."""

    def __init__(self, screen: Screen, open_gateway: OpenGateway, open_read_gateway: OpenGateway) -> None:
        self.screen = screen
        self.json = False
        self.open_read_gateway = open_read_gateway
        self._open_gateway = open_gateway
        self._gateway: Gateway | None = None
        self._reader: Gateway | None = None

    def read(self, operation: Operation[R]) -> R:
        """What needs nothing but files: half the time of ``call`` is the import of rooms that only write."""
        self._reader = self._reader or self.open_read_gateway()
        return self._reader.call(operation)

    def call(self, operation: Operation[R], *, listen: Listener | None = None) -> R:
        if self._gateway is None:
            self._gateway = self._open_gateway()
        return self._gateway.call(operation, listen=listen)

    def answer(self, **parts: object) -> None:
        """Answer in JSON; the parts become the fields of the one object."""
        from commonbook.channels.cli.answers import rendered

        self.screen.raw(rendered(parts, unicode_allowed=self.screen.knows_unicode))

    def close(self) -> None:
        for opened in (self._gateway, self._reader):
            if opened is not None:
                opened.close()
        self._gateway = self._reader = None
