"""What has been read: of each block in order, of the whole material in bytes. Reading is required, understanding is not."""

from collections.abc import Iterable, Sequence

from commonbook.errors import Code, GrantError
from commonbook.settings.model import KIB

PAGE = 8 * KIB


class Coverage:
    """Read ranges by key (a bundle, or a document of the snapshot). One instance belongs to one run."""

    def __init__(self) -> None:
        self._reached: dict[tuple[str, str], int] = {}
        self._ranges: dict[str, list[tuple[int, int]]] = {}
        self.opened: set[str] = set()
        """Keys of which anything was read."""

    def page(self, key: str, part: str, text: bytes, first: int, offset: int) -> tuple[bytes, int | None]:
        """The next page of ``text`` (a part of ``key`` that begins at byte ``first`` of it) and where to go on.

        What was read may be read again; what was not yet reached may not be skipped to (``NONCONTIGUOUS_READ``). An offset
        inside a character, negative or beyond the end is ``INVALID_OFFSET``.
        """
        reached = self._reached.get((key, part), 0)
        if offset < 0 or offset > len(text) or (offset < len(text) and _inside_character(text, offset)):
            raise GrantError(Code.INVALID_OFFSET, offset=offset)
        if offset > reached:
            raise GrantError(Code.NONCONTIGUOUS_READ, offset=offset, expected=reached)
        stop = min(offset + PAGE, len(text))
        while stop < len(text) and _inside_character(text, stop):
            stop -= 1
        self._reached[key, part] = max(reached, stop)
        self._ranges[key] = _joined([*self._ranges.get(key, ()), (first + offset, first + stop)])
        self.opened.add(key)
        return text[offset:stop], None if stop == len(text) else stop

    def read_bytes(self, key: str) -> int:
        return sum(stop - start for start, stop in self._ranges.get(key, ()))


def _inside_character(text: bytes, offset: int) -> bool:
    return text[offset] & 0xC0 == 0x80


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, stop in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], stop))
        else:
            found.append((start, stop))
    return found


def unread(coverage: Coverage, sizes: Sequence[tuple[str, int]]) -> list[str]:
    """Keys that were not read to their end."""
    return [key for key, size in sizes if coverage.read_bytes(key) < size]
