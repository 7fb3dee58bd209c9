"""The scanner against its corpus: both halves, the bars of design chapter 08, and the rules that no single case shows."""

import pytest

from commonbook.keeper.safety import find_secrets, has_secret, mask_secrets
from commonbook.keeper.safety.secrets import _compiled, _judged
from commonbook.keeper.safety.shapes import SHAPES
from commonbook.vocabulary import SECRET_MASK
from tests.corpora.secrets.corpus import Half, harmless_cases, true_cases
from tests.corpora.secrets.score import score

HALVES: tuple[Half, ...] = ("seen", "unseen")


@pytest.mark.parametrize("half", HALVES)
def test_recall_and_precision(half: Half) -> None:
    measured = score(half)
    assert measured.recall >= 0.98
    assert measured.precision >= 0.95
    assert measured.exact >= 0.95
    assert measured.alarms <= 0.02 * measured.harmless


def test_corpus_is_as_large_as_it_must_be() -> None:
    cases = [case for half in HALVES for case in true_cases(half)]
    assert len({case.shape for case in cases}) >= 12
    for shape in ("password", "token", "ghp", "openai", "anthropic", "jwt", "aws_secret", "pem"):
        assert len({case.place for case in cases if case.shape == shape}) >= 5, shape
    assert sum(len(harmless_cases(half)) for half in HALVES) >= 500


def test_halves_share_no_record() -> None:
    for kind in (true_cases, harmless_cases):
        assert not {case.text for case in kind("seen")} & {case.text for case in kind("unseen")}


@pytest.mark.parametrize("half", HALVES)
def test_masked_text_is_clean_and_stays_as_it_is(half: Half) -> None:
    for case in true_cases(half):
        masked = mask_secrets(case.text)
        if masked.refused:
            assert masked.text == ""
            continue
        again = mask_secrets(masked.text)
        assert not has_secret(masked.text), case
        assert (again.text, again.count) == (masked.text, 0), case


@pytest.mark.parametrize("half", HALVES)
def test_masking_takes_the_value_and_nothing_else(half: Half) -> None:
    """Removing values and masks leaves the same text: labels, quotes and what stands around stay."""
    changed = 0
    for case in (case for case in true_cases(half) if case.shape not in ("pem", "pgp", "telegram")):
        masked = mask_secrets(case.text)
        bare = case.text
        for secret in case.secrets:
            bare = bare.replace(secret, "")
        changed += not masked.refused and masked.text.replace(SECRET_MASK, "") != bare
    assert changed <= 0.05 * len(true_cases(half))


def test_cues_and_first_signs_hide_nothing() -> None:
    """The quick way (one automaton, then the shapes that begin with that sign) finds what trying every shape at every
    character finds."""
    cases = [case for half in HALVES for case in (*true_cases(half), *harmless_cases(half)) if len(case.text) < 200]
    for case in cases[::4]:
        patient = set()
        for at in range(len(case.text)):
            for shape in SHAPES:
                within = at > 0 and case.text[at - 1].isascii() and case.text[at - 1].isalnum()
                match = None if within and shape.free else _compiled(shape.pattern).match(case.text, at)
                if match is not None and (span := _judged(shape, case.text, match)) is not None:
                    patient |= set(range(span.start, span.stop))
        quick = {at for span in find_secrets(case.text) for at in range(span.start, span.stop)}
        assert quick == patient, case.text
