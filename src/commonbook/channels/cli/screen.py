"""The person's terminal: every piece of text is made safe on its way out, styles are added afterwards."""

import os
import re
import sys
import unicodedata
from collections.abc import Mapping
from typing import Literal, TextIO

Style = Literal["plain", "heading", "quiet", "added", "removed", "warning"]
Piece = str | tuple[str, Style]
_STYLES: dict[Style, str] = {
    "plain": "",
    "heading": "\x1b[1m",
    "quiet": "\x1b[2m",
    "added": "\x1b[32m",
    "removed": "\x1b[31m",
    "warning": "\x1b[33m",
}
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def safe_text(text: str) -> str:
    """Text whose control and direction signs are shown, not obeyed: remembered words could otherwise move the cursor,
    recolour or retype what stands on the screen, or make a line read as another. Line ends and tabs stay."""
    return _UNSAFE.sub(_shown, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    return " ".join(text.split())


def _shown(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def cells(text: str) -> int:
    """Terminal cells that a text takes; Chinese and Japanese signs take two, combining ones none."""
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else 0 if unicodedata.combining(sign) else 1 for sign in text
    )


def clipped(text: str, at_most: int) -> str:
    """As much of a text as fits into that many terminal cells."""
    if cells(text) <= at_most:
        return text
    kept = text[:at_most]
    while cells(kept) > at_most - 1:
        kept = kept[:-1]
    return f"{kept}…"


class Screen:
    """Standard output for answers, standard error for progress and complaints.

    A reader that goes away (``| head``) never stops the work: what was begun is finished, the rest is written to nobody.
    """

    def __init__(self, out: TextIO | None, err: TextIO | None, environment: Mapping[str, str]) -> None:
        self._out, self._err = out, err
        self.reader_gone = False
        self.failed: OSError | None = None
        """What standard output answered instead of taking our text (a full disk)."""
        plain = bool(environment.get("NO_COLOR")) or environment.get("TERM") == "dumb"
        self.out_is_terminal = _is_terminal(out)
        self._colour_out = self.out_is_terminal and not plain
        self._live = _is_terminal(err) and environment.get("TERM") != "dumb"
        self._colour_err = self._live and not plain
        self._progress_shown = False
        for stream in (out, err):
            if stream is not None and hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # a locale that lacks a sign must not end the program

    @classmethod
    def of_process(cls) -> "Screen":
        return cls(sys.stdout, sys.stderr, os.environ)

    @property
    def can_ask(self) -> bool:
        """Whether a person sits at both ends."""
        return self.out_is_terminal and _is_terminal(sys.stdin)

    @property
    def knows_unicode(self) -> bool:
        return (getattr(self._out, "encoding", None) or "").lower().replace("-", "").startswith("utf")

    def line(self, *pieces: Piece) -> None:
        self._clear_progress()
        self._write(self._out, _styled(pieces, self._colour_out) + "\n")

    def raw(self, text: str) -> None:
        """A prepared text that carries no words of people or agents that were not made safe before (help, JSON)."""
        self._clear_progress()
        self._write(self._out, text)

    def note(self, *pieces: Piece) -> None:
        """A line on standard error."""
        self._clear_progress()
        self._write(self._err, _styled(pieces, self._colour_err) + "\n")

    def progress(self, text: str) -> None:
        """Replace the one live line; nothing where nobody watches."""
        if self._live:
            shown = clipped(one_line(safe_text(text)), self._width() - 1)
            self._write(self._err, f"\r\x1b[2K{shown}")
            self._progress_shown = True

    def ask(self, question: str) -> bool:
        """``y`` or ``yes`` (also ``是``), anything else is no; the safe answer is the default."""
        self._clear_progress()
        self._write(self._out, safe_text(question) + " ")
        answer = sys.stdin.readline().strip().casefold()
        return answer in {"y", "yes", "是"}

    def close(self) -> None:
        self._clear_progress()
        for stream in (self._out, self._err):
            self._flush(stream)

    def _clear_progress(self) -> None:
        if self._progress_shown:
            self._progress_shown = False
            self._write(self._err, "\r\x1b[2K")

    def _write(self, stream: TextIO | None, text: str) -> None:
        if stream is None or (stream is self._out and (self.reader_gone or self.failed)):
            return
        try:
            stream.write(text)
        except OSError as error:
            self._lost(stream, error)
        else:
            if self._live or _is_terminal(stream):
                self._flush(stream)

    def _flush(self, stream: TextIO | None) -> None:
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError as error:
            self._lost(stream, error)

    def _lost(self, stream: TextIO | None, error: OSError) -> None:
        if stream is self._out:
            self.reader_gone = isinstance(error, BrokenPipeError)
            self.failed = None if self.reader_gone else error
        if stream is not None:
            _send_to_nobody(stream)

    def _width(self) -> int:
        import shutil

        return max(shutil.get_terminal_size().columns, 20)


def _styled(pieces: tuple[Piece, ...], colour: bool) -> str:
    parts = []
    for piece in pieces:
        text = piece if isinstance(piece, str) else piece[0]
        begin = _STYLES[piece[1]] if colour and not isinstance(piece, str) else ""
        parts.append(f"{begin}{safe_text(text)}\x1b[0m" if begin else safe_text(text))
    return "".join(parts)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def _send_to_nobody(stream: TextIO) -> None:
    """Python flushes again at exit and would complain a second time."""
    try:
        nobody = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nobody, stream.fileno())
        os.close(nobody)
    except (OSError, ValueError):
        return
