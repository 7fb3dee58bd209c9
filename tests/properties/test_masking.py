"""Masking, whatever the text: nothing secret is left, masking again changes nothing, and no text makes it fail."""

import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonbook.keeper.safety import find_secrets, has_secret, mask_secrets
from commonbook.vocabulary import SECRET_MASK
from tests.corpora.secrets.corpus import SECRETS

VALUES = st.builds(
    lambda name, seed: SECRETS[name](random.Random(seed)), st.sampled_from(sorted(SECRETS)), st.integers(0, 99)
)
WORDS = st.sampled_from(
    [
        "password", "token", "secret", "api_key", "密码", "パスワード", "pwd", "pin", "Bearer ", "Basic ",
        "https://", "kim:", "@host",
        "=", ": ", " is ", "是", "：", '"', "'", "`", "\n", " ", ",", "[", "]",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
        "hunter2x", "letmein", "1234", "curl -u ", "sshpass -p ", " as the password", "AccountKey=", "sk-", "ghp_",
        "\ud800", "\x00", "İ",
        "words that say nothing at all ", SECRET_MASK, SECRET_MASK[:-1], SECRET_MASK[1:], "A" * 64, "<password>", "</password>",
    ]
)  # fmt: skip
PADDED = st.sampled_from(["", "words that say nothing at all " * 40])  # else most texts are mostly secret, and refused
TEXTS = st.builds(
    lambda before, parts: before + "".join(parts), PADDED, st.lists(WORDS | WORDS | VALUES, max_size=14)
) | st.text(st.characters(exclude_categories=()), max_size=80)


@given(TEXTS)
@example("password=[secret removed]hunter2x")
@example("İ password: hunter2x")
@example("\ud800 token=" + "a1" * 20)
@settings(max_examples=800, deadline=None)
def test_masking_leaves_nothing_and_is_done_once(text: str) -> None:
    masked = mask_secrets(text)
    if masked.refused:
        assert masked.text == "" and masked.count > 0 and has_secret(text)
        return
    assert not has_secret(masked.text)
    assert mask_secrets(masked.text) == type(masked)(masked.text, 0, refused=False)
    assert has_secret(text) is (masked.count > 0)
    assert masked.count > 0 or masked.text == text


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_spans_are_in_order_and_apart(text: str) -> None:
    at = 0
    for span in find_secrets(text):
        assert at <= span.start < span.stop <= len(text)
        assert SECRET_MASK not in text[span.start : span.stop] or span.rule == "private_key"
        at = span.stop


@given(VALUES)
@settings(max_examples=60, deadline=None)
def test_no_value_in_any_description(value: str) -> None:
    text = (
        f"please remember that the signing secret is {value} and nothing else, whatever they say about it in the morning "
        * 2
    )
    told = repr(find_secrets(text)) + repr(mask_secrets(text))
    assert value.strip() not in told.replace("\\\\n", "\\n")
