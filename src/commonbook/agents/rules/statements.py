"""From sentences to statements: which words of the user are to be kept, forgotten or taken back. No memory is read here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from commonbook.agents.rules.chinese import CHINESE
from commonbook.agents.rules.english import ENGLISH
from commonbook.agents.rules.language import Act, Form, Language, Topic
from commonbook.agents.rules.others import FRENCH, GERMAN, JAPANESE, SPANISH, latin_language
from commonbook.agents.rules.talk import Announcement, Block, Sentence, sentences
from commonbook.vocabulary import SECRET_MASK

LANGUAGES = {"en": ENGLISH, "zh": CHINESE, "ja": JAPANESE, "es": SPANISH, "de": GERMAN, "fr": FRENCH}
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_ARTICLE = re.compile(r"^(?:the|our|my) ", re.IGNORECASE)
_IT_IS = re.compile(r"^(?:it|that|they)(?:['’]?s| is| are) (?:actually |now |really )?", re.IGNORECASE)
_LONGEST = 400
"""Characters of a kept line. A longer sentence is prose, not a statement, and would bury the fact it holds."""
_COURTESY = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|thx|ok|okay|please|great|nice)(?: (?:there|all|again|a lot|so much|in advance))?|"
    r"(?:你好|您好|谢谢|多谢|好的?|辛苦|麻烦)(?:了|啦|你|您|大家)?",
    re.IGNORECASE,
)
"""A sentence that neither asks nor states: it does not turn what stands beside it into a task."""
_TAIL = 4
"""Clauses that may follow the one that fired."""


@dataclass(frozen=True)
class Keep:
    """One line to remember, in the user's words."""

    line: str
    language: str
    act: Act
    topic: Topic
    rule: str
    global_scope: bool | None
    """What the words say about their reach; ``None`` when they say nothing."""
    change: bool = False
    """The words say that something else held before."""
    old: str | None = None
    """What held before, where it is named."""
    alone: bool = False
    """Lasts only where nothing else is said: see ``Form.alone``."""


@dataclass(frozen=True)
class Forget:
    what: str
    language: str


@dataclass(frozen=True)
class TakeBack:
    """The user withdraws what they said just before."""


Statement = Keep | Forget | TakeBack


def language_of(text: str) -> str:
    if _KANA.search(text):
        return "ja"
    return "zh" if _HAN.search(text) else latin_language(text)


def read_message(blocks: Sequence[Block]) -> list[Statement]:
    """Every statement of one message, in order. Deterministic; knows nothing of what is already remembered."""
    found: list[Statement] = []
    before: Sentence | None = None
    purely = True
    for sentence in sentences(blocks, announces):
        language = LANGUAGES[language_of(sentence.text)]
        if (
            before is not None
            and not sentence.asks
            and language.follows.match(sentence.text)
            and not _vetoed(sentence.text, language, None)
        ):
            found = _confirmed(found, before, sentence, language)
        else:
            new = read_sentence(sentence)
            purely &= bool(new) or _COURTESY.fullmatch(sentence.text) is not None
            found = _joined(found, new, before, sentence, language)
        if not _COURTESY.fullmatch(sentence.text):
            before = sentence
    return [each for each in found if not isinstance(each, Keep) or _keepable(each, purely)]


def _keepable(keep: Keep, purely: bool) -> bool:
    return SECRET_MASK not in keep.line and len(keep.line) <= _LONGEST and (purely or not keep.alone)


def read_sentence(sentence: Sentence) -> list[Statement]:
    code = language_of(sentence.text)
    language = LANGUAGES[code]
    if (asked := _asked(sentence.text, language)) is not None:
        return [asked if isinstance(asked, TakeBack) else replace(asked, language=code)]
    text, told, mend, about = without_leads(sentence.text, language)
    if not text:
        return []
    if (asked := _asked(text, language)) is not None:
        return [asked if isinstance(asked, TakeBack) else replace(asked, language=code)]
    if about:
        text = _IT_IS.sub("", text)
    clauses = _clauses(text, language)
    clauses = _without_question(text, clauses, sentence.asks, language)
    if not clauses or _vetoed(text, language, None):
        return []
    told = told or bool(sentence.heading or about)
    least = 1 if about else 2 if sentence.heading else 4
    spans = [
        span
        for span in _fired(text, clauses, language, told, least)
        if not span.form.alone or told or _is_all(span, text)
    ]
    kept = [_finish(span, text, code, language, mend, about, told) for span in spans]
    reach = _reach(sentence.heading, language) if sentence.heading else None
    return [*(each if each.global_scope is not None else replace(each, global_scope=reach) for each in kept)]


# --- one sentence ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Span:
    start: int
    stop: int
    form: Form


_TOLD = Form("told to remember", Act.FACT, Topic.DECISIONS, re.compile(""))


def _fired(text: str, clauses: list[tuple[int, int]], language: Language, told: bool, least: int) -> Iterator[_Span]:
    """The stretches of the sentence that carry a fact: a clause that matches a form, and the clauses that belong to it."""
    current: _Span | None = None
    loose = _Loose(text, language)
    taken = 0
    found = False
    for start, stop in clauses:
        clause = text[start:stop]
        form = _form(text, start, stop, language)
        if current is not None and _continues(text, current, start, stop, form, language):
            rest = current.form.half and not taken and not _COURTESY.fullmatch(clause)
            if current.form.whole or rest or (taken < _TAIL and not (form is None and language.apart.match(clause))):
                current, taken = replace(current, stop=stop), taken + 1
                continue
            yield current
            current = None
            loose.cut()
        elif form is not None:
            if current is not None:
                yield current
            begin = loose.start(start, clause)
            if form.wide and begin == start:
                # It confirms something that this sentence does not say: alone it would be a line about nothing.
                told, current = told or stop < len(text), None
                continue
            current, taken, found = _Span(begin, stop, form), 0, True
        else:
            loose.add(start, stop)
    if current is not None:
        yield current
    if told and not found:
        own = [clause for clause in clauses if not language.requests.match(text[clause[0] : clause[1]])]
        if own and own[0] == clauses[0] and _says_something(text[own[0][0] : own[-1][1]], least):
            yield _Span(own[0][0], own[-1][1], _TOLD)


class _Loose:
    """Clauses that did not fire and may still belong to one that does after them."""

    def __init__(self, text: str, language: Language) -> None:
        self._text, self._language = text, language
        self._from: int | None = None
        self._last: int | None = None

    def cut(self) -> None:
        self._from = self._last = None

    def add(self, start: int, stop: int) -> None:
        clause = self._text[start:stop]
        if self._language.apart.match(clause):
            self.cut()
            return
        if self._from is None and (self._language.glue.match(clause) or _leans(self._text, stop, self._language)):
            self._from = start
        self._last = start

    def start(self, start: int, clause: str) -> int:
        """Where a firing clause's fact begins: earlier when it has no subject of its own, or was glued to."""
        begin = self._from
        if begin is None and self._last is not None and _hangs(clause, self._language):
            begin = self._last
        self.cut()
        return start if begin is None else begin


def _continues(text: str, current: _Span, start: int, stop: int, form: Form | None, language: Language) -> bool:
    if current.form.whole or form is None:
        return True
    return not _begins(text[start:stop], text[current.start : current.stop], current.form, form, language)


def _form(text: str, start: int, stop: int, language: Language) -> Form | None:
    """The first form that fires at a clause. It may look beyond the clause, never past a reason not to listen."""
    clause = text[start:stop]
    if language.requests.match(clause):
        return None
    for form in language.forms:
        found = form.pattern.match(text, start)
        if found and found.end() > start and not _vetoed(clause, language, form.act):
            return form
    return None


def _says_something(words: str, least: int) -> bool:
    """A fragment ("Preferences: small diffs") is a heading of something, not a statement."""
    return len(words.split()) >= least or len(_HAN.findall(words)) > least


def _begins(clause: str, current: str, having: Form, form: Form, language: Language) -> bool:
    """Whether a firing clause starts a line of its own: not when it goes on about the same thing."""
    if having.topic is form.topic is Topic.ANSWERS or not language.starts.match(clause):
        return False
    if form.wide or having.half or _hangs(clause, language):
        return False
    return not (_latin(clause) & _latin(current))


def _latin(text: str) -> set[str]:
    return set(re.findall(r"[a-z][\w.+#-]{2,}", text.lower())) if _HAN.search(text) else set()


def _hangs(clause: str, language: Language) -> bool:
    return bool(language.headless.match(clause) or language.hangs.match(clause))


def _is_all(span: _Span, text: str) -> bool:
    """Whether nothing but courtesy stands around a statement."""
    around = (text[: span.start].strip(" ,，"), text[span.stop :].strip(" ,，"))
    return all(not words or _COURTESY.fullmatch(words) for words in around)


def _leans(text: str, stop: int, language: Language) -> bool:
    """Whether a later clause takes along what stands before it ("最多 5 次，base 200ms，这是约好的上限")."""
    return any(
        form.wide and form.pattern.match(text, at) for form in language.forms for at in _starts(text, stop, language)
    )


def _starts(text: str, after: int, language: Language) -> Iterator[int]:
    return (found.end() for found in language.cuts.finditer(text, after))


def _finish(span: _Span, text: str, code: str, language: Language, mend: bool, about: str, told: bool) -> Keep:
    line = text[span.start : span.stop].strip(" ,，;；、:：-–—")
    if about:
        # "Correction on the release tags: since last week …" says nothing without its subject.
        line = f"{_ARTICLE.sub('', about.strip())}: {line}"
    change = mend or span.form.act is Act.CHANGE or bool(language.changes.search(text))
    old = about or next((value for found in language.changes.finditer(text) for value in found.groups() if value), None)
    topic = Topic.DECISIONS if span.form is _TOLD else span.form.topic
    alone = span.form.alone and not told
    return Keep(line, code, span.form.act, topic, span.form.name, _reach(text, language), change, old, alone)


def _reach(text: str, language: Language) -> bool | None:
    if language.here.search(text):
        return False
    return True if language.everywhere.search(text) else None


def without_leads(text: str, language: Language) -> tuple[str, bool, bool, str]:
    told = mend = False
    about = ""
    while (found := language.leads.match(text)) and found.end():
        groups = found.groupdict()
        told |= bool(groups.get("told") or groups.get("mend"))
        mend |= bool(groups.get("mend") or groups.get("mend1"))
        about = groups.get("about") or groups.get("about2") or about
        text = text[found.end() :]
    return text, told, mend, about


def _clauses(text: str, language: Language) -> list[tuple[int, int]]:
    found, start = [], 0
    for cut in language.cuts.finditer(text):
        if cut.start() > start:
            found.append((start, cut.start()))
        start = cut.end()
    return [*found, (start, len(text))] if start < len(text) else found


def _without_question(
    text: str, clauses: list[tuple[int, int]], asks: bool, language: Language
) -> list[tuple[int, int]]:
    """A question states nothing, but a fact may stand before a request: "we use poetry here, can you add a check?" """
    if language.questions.search(text[clauses[0][0] : clauses[0][1]]):
        return []
    for at, (start, stop) in enumerate(clauses):
        if language.requests.match(text[start:stop]):
            asks = asks and at == 0
            clauses = [each for each in clauses if not language.requests.match(text[each[0] : each[1]])]
            break
    if asks or any(language.questions.search(text[start:stop]) for start, stop in clauses):
        return []
    return clauses


def _vetoed(text: str, language: Language, act: Act | None) -> bool:
    """``act`` ``None``: the reasons that hold whatever is said; else those that only speak against one kind of statement."""
    return any(veto.pattern.search(text) for veto in language.vetoes if (act in veto.acts if act else not veto.acts))


def _asked(text: str, language: Language) -> Forget | TakeBack | None:
    if language.withdraws.match(text):
        return TakeBack()
    for start, stop in _clauses(text, language):
        if found := language.forgets.match(text[start:stop]):
            what = next((value for value in found.groups() if value), "").strip()
            return Forget(what, "") if what else TakeBack()
    return None


# --- across sentences ------------------------------------------------------------------------------------------------


def _confirmed(found: list[Statement], before: Sentence, after: Sentence, language: Language) -> list[Statement]:
    """ "I like small diffs. Please keep to that in all my repos.": the confirmation makes the sentence before it count."""
    reach = _reach(after.text, language)
    code = language_of(before.text)
    text, *_ = without_leads(before.text, LANGUAGES[code])
    last = found[-1] if found and isinstance(found[-1], Keep) and found[-1].line in before.text else None
    if last is not None and reach is None:
        return found
    if before.asks or not text or _vetoed(text, LANGUAGES[code], None) or LANGUAGES[code].requests.match(text):
        return found
    line = f"{text}。{after.text}" if code == "zh" else f"{text}. {after.text}"
    kept = last or Keep(line, code, Act.INSTRUCTION, Topic.CONVENTIONS, "confirmed by the next sentence", None)
    return [*(found[:-1] if last else found), replace(kept, line=line, global_scope=reach)]


def _joined(
    found: list[Statement], new: list[Statement], before: Sentence | None, after: Sentence, language: Language
) -> list[Statement]:
    """A sentence that hangs on the one before it ("禁止用浮点数。") makes one line with it, or
    none: alone it has lost its subject."""
    first = new[0] if new else None
    hanging = language.hangs.match(first.line) if isinstance(first, Keep) else None
    if hanging is None or not isinstance(first, Keep) or after.heading:
        return [*found, *new]
    if before is None:
        return found if hanging.groupdict().get("link") else [*found, *new]
    last = found[-1] if found else None
    if not isinstance(last, Keep) or last.line not in before.text or last.topic in (Topic.ABOUT, Topic.ANSWERS):
        return found
    return [*found[:-1], replace(last, line=f"{last.line}。{first.line}"), *new[1:]]


def announces(line: str) -> Announcement | None:
    """A line that ends in a colon introduces something; unless the author calls it their own, it counts as foreign."""
    language = LANGUAGES[language_of(line)]
    if language.owns.search(line):
        return Announcement.OWN
    return Announcement.FOREIGN if line.endswith((":", "：")) or language.pastes.search(line) else None
