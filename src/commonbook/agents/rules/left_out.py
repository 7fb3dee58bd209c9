"""Why nothing of a message was kept, in plain words: shown to the person while maintenance runs, stored nowhere."""

from collections.abc import Iterator, Sequence

from commonbook.agents.rules.language import Language
from commonbook.agents.rules.statements import LANGUAGES, announces, language_of
from commonbook.agents.rules.talk import Block, Sentence, sentences
from commonbook.vocabulary import SECRET_MASK

PASTED = "only pasted, quoted or code"
QUESTION = "a question"
TASK = "a request for now"
NOTHING = "nothing that was said outright to last"
SECRET = "holds a secret"  # noqa: S105 - says so, is none


def why_not(blocks: Sequence[Block]) -> str:
    """The strongest reason among the sentences of a message of which nothing was kept."""
    spoken = list(sentences(blocks, announces))
    if not spoken:
        return PASTED
    if any(SECRET_MASK in sentence.text for sentence in spoken):
        return SECRET
    found = [reason for sentence in spoken for reason in _reasons(sentence, LANGUAGES[language_of(sentence.text)])]
    vetoes = [reason for reason in found if reason not in (QUESTION, TASK)]
    return (vetoes or found or [NOTHING])[0]


def _reasons(sentence: Sentence, language: Language) -> Iterator[str]:
    yield from (veto.name for veto in language.vetoes if veto.pattern.search(sentence.text))
    if sentence.asks or language.questions.search(sentence.text):
        yield QUESTION
    if language.requests.match(sentence.text):
        yield TASK
