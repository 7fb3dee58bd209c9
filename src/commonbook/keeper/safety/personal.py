"""Personal data in the user's own words: separate from secrets, configurable, checked by digit sums where one exists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from commonbook.settings.model import PersonalData

Kind = Literal["email", "phone", "card", "government_id"]
PERSONAL_MASK = "[personal data removed]"
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b")
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+\d{1,3}[ -]?(?:\(?\d{1,4}\)?[ -]?){2,5}\d{2,4}|1[3-9]\d{9}|\(\d{3}\) ?\d{3}-\d{4})(?![\w.-])"
)
_CARD = re.compile(r"(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])")
_CHINA = re.compile(r"(?<!\w)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_ANY = re.compile(r"@|\d{3}")


@dataclass(frozen=True)
class PersonalOutcome:
    """``quarantine`` names the kind that puts the message aside; the text is then as it was given."""

    text: str
    masked: int
    quarantine: str | None


def apply_personal(text: str, rules: PersonalData) -> PersonalOutcome:
    """Mask or put aside what the settings say of each kind; ``allow`` leaves it alone."""
    if not _ANY.search(text):
        return PersonalOutcome(text, 0, None)
    spans = [(start, stop, kind) for start, stop, kind in _found(text) if getattr(rules, kind) != "allow"]
    aside = next((kind for _, _, kind in spans if getattr(rules, kind) == "quarantine"), None)
    if aside is not None or not spans:
        return PersonalOutcome(text, 0, aside)
    parts, at, count = [], 0, 0
    for start, stop, _ in sorted(spans):
        if start >= at:
            parts += [text[at:start], PERSONAL_MASK]
            at, count = stop, count + 1
    return PersonalOutcome("".join(parts) + text[at:], count, None)


def _found(text: str) -> Iterator[tuple[int, int, Kind]]:
    for match in _EMAIL.finditer(text):
        yield (*match.span(), "email")
    for match in _CHINA.finditer(text):
        if _china_sum(match[0]):
            yield (*match.span(), "government_id")
    for match in _SSN.finditer(text):
        yield (*match.span(), "government_id")
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if digits[0] in "23456" and _luhn(digits) and len(set(digits)) > 2 and not _CHINA.search(match[0]):
            yield (*match.span(), "card")
    for match in _PHONE.finditer(text):
        yield (*match.span(), "phone")


def _luhn(digits: str) -> bool:
    """ISO/IEC 7812 check digit."""
    doubled = (int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _china_sum(number: str) -> bool:
    """GB 11643 check sign of a resident identity number."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[sum(int(d) * w for d, w in zip(number[:17], weights, strict=True)) % 11] == number[17].upper()
