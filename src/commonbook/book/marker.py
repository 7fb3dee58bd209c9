"""The mark around memory that we hand out, so that our own text never comes back as something the user said.

``<commonbook v="1" target="…" n="NONCE">…</commonbook n="NONCE">`` (design chapter 02 §3). The nonce is random per rendering, so
that no content can forge its own closing; our tag inside content is escaped all the same.
"""

import re

_OPEN = re.compile(
    r'<commonbook\s(?:[^<>]{0,400}?\s)?n="([^"<>]{1,128})"[^<>]{0,64}>|<commonbook(?=[\s>])', re.IGNORECASE
)
_TAG = re.compile(r"<(?=/?commonbook)", re.IGNORECASE)


def wrap(target: str, content: str, nonce: str) -> str:
    """Content between our marks; a tag of ours inside it is escaped (``&lt;commonbook``) so that it closes nothing."""
    inner = _TAG.sub("&lt;", content)
    mark = f'n="{_attribute(nonce)}"'
    return f'<commonbook v="1" target="{_attribute(target)}" {mark}>\n{inner}\n</commonbook {mark}>'


def marked_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Character ranges (start, stop) of marked text, marks included; one that is never closed reaches to the end."""
    spans: list[tuple[int, int]] = []
    at = 0
    while opening := _OPEN.search(text, at):
        nonce = opening[1]
        closing = f'</commonbook n="{nonce}">' if nonce else "</commonbook>"
        found = text.find(closing, opening.end())
        at = len(text) if found < 0 else found + len(closing)
        spans.append((opening.start(), at))
    return tuple(spans)


def _attribute(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
