"""Personal data in the user's own words: separate from secrets, configurable, and believed only when the check digits agree.

A card or government number puts a message aside by default, so a number that merely looks like one must not count: every kind
that has a check digit is checked, and lengths and prefixes are those that issuers use.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Literal

from commonbook.settings.model import PersonalData

Kind = Literal["email", "phone", "card", "government_id"]
PERSONAL_MASK = "[personal data removed]"
_EMAIL = re.compile(
    r"(?<![A-Za-z0-9_.%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9_:/-])"
)
_PHONE = re.compile(
    r"(?<![0-9A-Za-z_.+-])(?:\+\d{1,3}[ -]?(?:\(?\d{1,4}\)?[ -]?){2,5}\d{2,4}|1[3-9]\d{9}|\(\d{3}\) ?\d{3}-\d{4})"
    r"(?![.-]?[0-9A-Za-z_])"
)
_CARD = re.compile(
    r"(?<![0-9A-Za-z_.-])(?:\d{13,19}|\d{4}(?:[ -]\d{4}){3}(?:[ -]?\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5})(?![0-9A-Za-z_-]|\.\d)"
)
_NAMED_CARD = re.compile(
    r"(?i:银行卡|信用卡|储蓄卡|借记卡|卡号|card (?:number|no\.?)|credit card|debit card)"
    r"[^\n0-9]{0,16}(?P<number>\d(?:[ -]?\d){12,18})(?!\d)"
)
"""Called a card by whoever wrote it: no check digit is needed to believe that."""
_ISSUED = re.compile(
    r"4(?:\d{12}|\d{15})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|(?:6011|64[4-9]\d|65\d\d|35[2-8]\d)\d{12}|62\d{14,17}"
)
"""Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay: their prefixes and lengths (ISO/IEC 7812 ranges)."""


@dataclass(frozen=True)
class PersonalOutcome:
    """``quarantine`` names the kind that puts the message aside; the text is then as it was given."""

    text: str
    masked: int
    quarantine: str | None


def apply_personal(text: str, rules: PersonalData) -> PersonalOutcome:
    """Mask or put aside what the settings say of each kind; ``allow`` leaves it alone."""
    if not _possible().search(text):
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


@cache
def _possible() -> Any:
    """What every kind of personal data has: nearly no text has it, and this engine looks ten times faster than ``re``."""
    import re2

    return re2.compile("@|[0-9]{3}")


def _found(text: str) -> Iterator[tuple[int, int, Kind]]:
    for match in _NAMED_CARD.finditer(text):
        yield (*match.span("number"), "card")
    if "@" in text:  # the pattern looks back from every sign, which is slow in a long log
        for match in _EMAIL.finditer(text):
            yield (*match.span(), "email")
    for pattern, holds in _GOVERNMENT:
        for match in pattern.finditer(text):
            if holds(match[0]):
                yield (*match.span(), "government_id")
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _ISSUED.fullmatch(digits) and _luhn(digits) and not _china(digits):
            yield (*match.span(), "card")
    for match in _PHONE.finditer(text):
        yield (*match.span(), "phone")


def _luhn(digits: str) -> bool:
    """ISO/IEC 7812 check digit."""
    doubled = (int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _weighed(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _is_day(digits: str) -> bool:
    try:
        date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return False
    return True


def _china(number: str) -> bool:
    """Resident identity number, GB 11643: a real birthday and the check sign."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return (
        len(number) == 18
        and _is_day(number[6:14])
        and "10X98765432"[_weighed(number, weights) % 11] == number[17].upper()
    )


def _brazil(number: str) -> bool:
    """CPF: two check digits modulo 11."""
    digits = re.sub(r"\D", "", number)
    first = _weighed(digits, tuple(range(10, 1, -1))) * 10 % 11 % 10
    second = _weighed(digits, tuple(range(11, 1, -1))) * 10 % 11 % 10
    return len(set(digits)) > 1 and digits[9:] == f"{first}{second}"


def _taiwan(number: str) -> bool:
    """National identity number: the letter counts as two digits, weights 1 9 8 … 1 1."""
    letter = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    return _weighed(f"{letter}{number[1:]}", (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


def _spain(number: str) -> bool:
    """DNI: the letter is the number modulo 23."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number[:8]) % 23] == number[8]


def _korea(number: str) -> bool:
    """Resident registration number: a real birthday and the check digit."""
    digits = number.replace("-", "")
    century = "19" if digits[6] in "1256" else "20"
    check = (11 - _weighed(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return _is_day(century + digits[:6]) and check == int(digits[12])


def _united_states(_number: str) -> bool:
    """Social security numbers have no check digit; the pattern leaves out what is never issued."""
    return True


_GOVERNMENT: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (re.compile(r"(?<![0-9A-Za-z])[1-9]\d{16}[\dXx](?![0-9A-Za-z])"), _china),
    (
        re.compile(
            r"(?<![0-9A-Za-z_-])(?!000|666|9\d\d|123-45|078-05)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![0-9A-Za-z_-])"
        ),
        _united_states,
    ),
    (re.compile(r"(?<![0-9A-Za-z_.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![0-9A-Za-z_-])"), _brazil),
    (re.compile(r"(?<![0-9A-Za-z_-])[A-Z][12]\d{8}(?![0-9A-Za-z_-])"), _taiwan),
    (re.compile(r"(?<![0-9A-Za-z_-])\d{8}[A-HJ-NP-TV-Z](?![0-9A-Za-z_-])"), _spain),
    (re.compile(r"(?<![0-9A-Za-z_-])\d{6}-[1-8]\d{6}(?![0-9A-Za-z_-])"), _korea),
)
