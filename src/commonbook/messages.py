"""Every sentence for people, by key, in the language of the locale; the sentences stand in catalogue/<language>.toml."""

import os
import tomllib
from functools import cache
from importlib.resources import files

from commonbook.errors import CommonbookError

LANGUAGES = ("en", "zh")


def language(environment: dict[str, str] | None = None) -> str:
    """``zh`` when the locale asks for Chinese (COMMONBOOK_LANG, LC_ALL, LC_MESSAGES, LANG in this order), else ``en``."""
    env = os.environ if environment is None else environment
    chosen = next((env[name] for name in ("COMMONBOOK_LANG", "LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "en")
    return "zh" if chosen.lower().startswith("zh") else "en"


@cache
def _catalogue(lang: str) -> dict[str, str]:
    text = files("commonbook").joinpath("catalogue", f"{lang}.toml").read_text(encoding="utf-8")
    return {
        (key if section == "errors" else f"{section}.{key}"): sentence
        for section, sentences in tomllib.loads(text).items()
        for key, sentence in sentences.items()
    }


def say(key: str, lang: str | None = None, /, **values: object) -> str:
    """The sentence of ``key`` (``CODE`` for an error, ``table.key`` otherwise) with ``values`` filled in.

    Raises KeyError for a key that no catalogue has: a test holds both catalogues to the same keys.
    """
    return _catalogue(lang or language())[key].format_map(_Blank(values))


class _Blank(dict[str, object]):
    """A value that was not given stays visible as its name instead of hiding the whole sentence behind an exception."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


def explain(error: CommonbookError, lang: str | None = None) -> str:
    """What went wrong and what to do next, for a person."""
    return say(error.code.value, lang, **error.detail)
