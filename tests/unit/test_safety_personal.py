"""Personal data: each kind found when its check digits agree, ordinary numbers left alone, secrets a matter of their own."""

from typing import Any, Literal

import pytest

from commonbook.keeper.safety import apply_personal, has_secret
from commonbook.settings.model import PersonalData

Choice = Literal["allow", "mask", "quarantine"]
ALLOWED: dict[str, Any] = dict.fromkeys(("email", "phone", "card", "government_id"), "allow")
MASK = "[personal data removed]"


def rules(choice: Choice) -> PersonalData:
    return PersonalData(email=choice, phone=choice, card=choice, government_id=choice)


FOUND = [
    ("email", "write to kim.lee+list@mail.example.co.uk today"),
    ("email", "邮箱是kim@example.org，谢谢"),
    ("phone", "call +49 30 1234567"),
    ("phone", "my number is (415) 555-0132"),
    ("phone", "手机号13800138000"),
    ("phone", "+86 138 0013 8000."),
    ("card", "card 4111 1111 1111 1111, thanks"),
    ("card", "5555-5555-5555-4444"),
    ("card", "amex 378282246310005"),
    ("card", "银行卡6212345678901232"),
    ("government_id", "身份证11010519491231002X"),
    ("government_id", "ssn 536-90-4399"),
    ("government_id", "CPF 529.982.247-25"),
    ("government_id", "身分證 A123456789"),
    ("government_id", "DNI 12345678Z"),
    ("government_id", "주민번호 800101-1234560"),
]


@pytest.mark.parametrize(("kind", "text"), FOUND)
def test_each_kind_is_found_masked_and_put_aside(kind: str, text: str) -> None:
    masked = apply_personal(text, rules("mask"))
    assert masked.masked == 1 and masked.quarantine is None and MASK in masked.text
    assert apply_personal(masked.text, rules("mask")).masked == 0
    aside = apply_personal(text, PersonalData(**(ALLOWED | {kind: "quarantine"})))
    assert (aside.text, aside.masked, aside.quarantine) == (text, 0, kind)
    assert apply_personal(text, rules("allow")).text == text


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",  # check digit
        "0000 0000 0000 0000",
        "order 20260102120004",  # a time, and Luhn holds
        "id 1712345678901234567",
        "timestamp 1764556800000 and 1764556800123",
        "身份证110105194912310021",  # check sign
        "110105194913310028 has a month of 13",
        "ssn 000-12-3456 or 666-12-3456 or 912-12-3456 or 123-00-4567",
        "123.456.789-00 is no CPF",
        "A123456788 12345678A 800101-1234561",
        "4f0c4111111111111111aa",
        "version 1.2.3, port 8080, 2026-01-02, 12:30:00, 192.168.1.10",
        "git@github.com:acme/app.git",
        "user@host and @decorator and a@b",
        "commit 4111111111111111deadbeef",
        "pi is 3.14159265358979323846",
        "10,000,000 rows in 1500 ms",
        "+1 for this, +100 points",
        "UUID 123e4567-e89b-12d3-a456-426614174000",
    ],
)
def test_ordinary_numbers_are_left_alone(text: str) -> None:
    outcome = apply_personal(text, rules("quarantine"))
    assert (outcome.text, outcome.masked, outcome.quarantine) == (text, 0, None)


def test_an_address_or_a_number_is_no_secret() -> None:
    assert not any(has_secret(text) for _, text in FOUND)


def test_defaults_let_addresses_through_and_put_cards_aside() -> None:
    text = "kim@example.org, +49 30 1234567"
    assert apply_personal(text, PersonalData()).text == text
    assert apply_personal(text, PersonalData()).quarantine is None
    assert apply_personal(f"{text}, 4111111111111111", PersonalData()).quarantine == "card"


def test_several_are_masked_in_one_text() -> None:
    outcome = apply_personal("a@example.org or b@example.org, 4111111111111111", rules("mask"))
    assert outcome.text == f"{MASK} or {MASK}, {MASK}" and outcome.masked == 3


@pytest.mark.parametrize("unit", ["1", "1 ", "1-", "a@", "a.", "+1 ", "4111 ", "@", "1.", "(1) "])
def test_hostile_repetition_costs_little(unit: str) -> None:
    """Every repetition in the patterns is bounded; were one not, 200 KB would run into the time limit of the tests."""
    text = unit * (200_000 // len(unit))
    assert apply_personal(text, rules("allow")).text == text
