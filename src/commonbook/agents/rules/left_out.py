"""Why nothing of a message was kept, in plain words: shown to the person while maintenance runs, stored nowhere."""

from collections.abc import Iterator, Sequence

from commonbook.agents.rules.language import Language
from commonbook.agents.rules.reasons import Reason
from commonbook.agents.rules.statements import LANGUAGES, announces, language_of, without_leads
from commonbook.agents.rules.talk import Block, Sentence, sentences
from commonbook.vocabulary import SECRET_MASK

_WEAK = (Reason.QUESTION, Reason.TASK, Reason.TROUBLE)
"""What most sentences are anyway; any other reason says more."""


def why_not(blocks: Sequence[Block]) -> Reason:
    """The strongest reason among the sentences of a message of which nothing was kept."""
    spoken = list(sentences(blocks, announces))
    if not spoken:
        return Reason.PASTED
    if any(SECRET_MASK in sentence.text for sentence in spoken):
        return Reason.SECRET
    found = [reason for sentence in spoken for reason in _reasons(sentence, LANGUAGES[language_of(sentence.text)])]
    vetoes = [reason for reason in found if reason not in _WEAK]
    return min(vetoes or found or [Reason.NOTHING], key=lambda reason: reason is Reason.TROUBLE)


def _reasons(sentence: Sentence, language: Language) -> Iterator[Reason]:
    text, told, mended, _ = without_leads(sentence.text, language)
    yield from (
        veto.reason
        for veto in language.vetoes
        if not ((told or mended) and veto.acts) and veto.pattern.search(text or sentence.text)
    )
    if sentence.asks or language.questions.search(sentence.text):
        yield Reason.QUESTION
    if language.requests.match(sentence.text):
        yield Reason.TASK
