"""Stdin and stdout of an MCP server: protocol and nothing else, and no message over 1 MiB.

A single stray line on stdout ends the session in most clients, so descriptor 1 is taken away from the whole process
before anything heavy is imported: whatever a library prints lands on stderr, the protocol goes to a private copy.
"""

import json
import os
import threading
from collections.abc import Iterator
from typing import BinaryIO

MESSAGE_LIMIT = 1024 * 1024
"""Bytes of one message, its line end not counted; a longer one is refused whole, never cut."""
_REFUSED = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "A message may hold at most 1 MiB."}}


def take_stdout() -> int:
    """Give the protocol its own descriptor and point descriptor 1 at stderr; call it before other imports."""
    private = os.dup(1)
    os.set_inheritable(private, False)
    os.dup2(2, 1)
    return private


class Output:
    """The text file the protocol library writes to. One lock, so that a refusal never tears a frame."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        data = memoryview(text.encode("utf-8", "backslashreplace"))
        with self._lock:
            while data:
                data = data[os.write(self._descriptor, data) :]
        return len(text)

    def flush(self) -> None: ...


class Input:
    """The text file the protocol library iterates over, line by line; ends with the client's end of file."""

    def __init__(self, stream: BinaryIO, output: Output, limit: int = MESSAGE_LIMIT) -> None:
        self._stream = stream
        self._output = output
        self._limit = limit

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readline(self) -> str:
        while line := self._stream.readline(self._limit + 2):
            if len(line.rstrip(b"\r\n")) <= self._limit:
                if line.strip():
                    return line.decode("utf-8", "replace")
                continue
            while not line.endswith(b"\n") and (line := self._stream.readline(self._limit)):
                pass  # the rest of a message that is refused anyway
            self._output.write(json.dumps(_REFUSED) + "\n")
        return ""
