"""Measures the scanner on the corpus. Of the unseen half only totals are ever looked at: whoever reads its misses has seen it."""

from dataclasses import dataclass

from commonbook.keeper.safety import find_secrets, mask_secrets
from tests.corpora.secrets.corpus import Case, Half, harmless_cases, true_cases


@dataclass(frozen=True)
class Score:
    """``exact``: share of secrets whose span is the value itself, no sign more or less."""

    secrets: int
    found: int
    exact: float
    harmless: int
    alarms: int
    """Spans that hold no secret, in either set."""
    missed_cases: tuple[Case, ...]
    alarmed_cases: tuple[Case, ...]

    @property
    def recall(self) -> float:
        return self.found / self.secrets

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.alarms)


def score(half: Half) -> Score:
    found = exact = alarms = total = 0
    missed, alarmed = [], []
    for case in true_cases(half):
        places = [case.text.index(secret) for secret in case.secrets]
        spans = [(span.start, span.stop) for span in find_secrets(case.text)]
        hits = [not survives(case.text, secret) for secret in case.secrets]
        wanted = [(at, at + len(secret)) for at, secret in zip(places, case.secrets, strict=True)]
        stray = [span for span in spans if not any(span[0] < stop and start < span[1] for start, stop in wanted)]
        total, found, alarms = total + len(hits), found + sum(hits), alarms + len(stray)
        exact += sum(want in spans for want in wanted)
        missed += [case] if not all(hits) else []
        alarmed += [case] if stray else []
    harmless = harmless_cases(half)
    for case in harmless:
        if spans := [(span.start, span.stop) for span in find_secrets(case.text)]:
            alarms, alarmed = alarms + len(spans), [*alarmed, case]
    return Score(total, found, exact / total, len(harmless), alarms, tuple(missed), tuple(alarmed))


def survives(text: str, secret: str) -> bool:
    """Whether any telling part of the value (8 signs in a row, or all of a shorter one) is left after masking."""
    masked = mask_secrets(text)
    if masked.refused:
        return False
    secret = secret.partition(":AA")[2] or secret  # the number before a Telegram token's colon is public
    size = min(len(secret), 8)
    parts = {secret[at : at + size] for at in range(len(secret) - size + 1)}
    return any(part in masked.text for part in parts if not part.startswith("-----") and " PRIVATE KEY" not in part)
