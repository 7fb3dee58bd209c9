import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

import commonbook
from commonbook.errors import Code, CommonbookError
from commonbook.messages import LANGUAGES, explain, language, say

SOURCE = Path(commonbook.__file__).parent


def catalogue(lang: str) -> dict[str, dict[str, str]]:
    return tomllib.loads(files("commonbook").joinpath("catalogue", f"{lang}.toml").read_text(encoding="utf-8"))


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def keys(lang: str) -> dict[str, str]:
    return {f"{table}.{key}": text for table, entries in catalogue(lang).items() for key, text in entries.items()}


def test_every_language_has_the_same_keys_with_the_same_placeholders() -> None:
    english = {key: placeholders(text) for key, text in keys("en").items()}
    for lang in LANGUAGES:
        assert {key: placeholders(text) for key, text in keys(lang).items()} == english


def test_every_code_has_a_sentence_and_no_sentence_has_lost_its_code() -> None:
    for lang in LANGUAGES:
        assert set(catalogue(lang)["errors"]) == {code.value for code in Code}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", Code)
def test_every_sentence_says_what_is_wrong_and_what_to_do(code: Code, lang: str) -> None:
    sentence = explain(CommonbookError(code, **dict.fromkeys(placeholders(catalogue(lang)["errors"][code]), "x")), lang)
    assert sentence.endswith((".", "。"))
    assert "{" not in sentence
    assert len(sentence) >= 6


def test_english_is_not_chinese_and_chinese_is() -> None:
    han = re.compile("[\u4e00-\u9fff]")
    assert not [key for key, text in keys("en").items() if han.search(text)]
    letters = re.compile("[a-z]{3,}")
    assert not [
        key
        for key, text in keys("zh").items()
        if not key.startswith("host.")  # names stay as they are
        and letters.search(re.sub(r"`[^`]*`|{[^}]*}", "", text))
        and not han.search(text)
    ]


def said_keys() -> Iterator[tuple[str, str]]:
    """(file, pattern) of every ``say("…")`` and ``spoken("table", …)``: parts that are computed match anything."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                if node.func.id == "say":
                    yield from ((path.name, pattern) for pattern in patterns(node.args[0]))
                elif node.func.id == "spoken":
                    yield from ((path.name, rf"{pattern}\..+") for pattern in patterns(node.args[0]))


def patterns(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [re.escape(text)]
        case ast.JoinedStr(values=parts):
            return ["".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in parts)]
        case ast.IfExp(body=body, orelse=orelse):
            return patterns(body) + patterns(orelse)
        case _:
            return []  # a key that another function was given; its own caller is checked


def test_every_sentence_that_the_program_says_exists() -> None:
    known = [*keys("en"), *(code.value for code in Code)]
    for file, pattern in said_keys():
        assert any(re.fullmatch(pattern, key) for key in known), f"{file} says {pattern}"


def test_no_sentence_is_left_that_nobody_says() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    said = [pattern for _, pattern in said_keys() if not pattern.startswith(".+")]
    unused = [
        key
        for key in keys("en")
        if not key.startswith("errors.")
        and not any(re.fullmatch(pattern, key) for pattern in said)
        and f'"{key}"' not in source
    ]
    assert not unused


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"COMMONBOOK_LANG": "zh", "LC_ALL": "en_GB.UTF-8"}, "zh"),
        ({"LC_MESSAGES": "zh_TW", "LANG": "de_DE"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh_CN"}, "zh"),
    ],
)
def test_the_locale_chooses_the_language(environment: dict[str, str], lang: str) -> None:
    assert language(environment) == lang


def test_a_missing_value_does_not_hide_the_sentence() -> None:
    assert "<path>" in explain(CommonbookError(Code.DISK_FULL), "en")


def test_an_unknown_key_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        say("no.such_key")


def raised() -> Iterator[tuple[str, str, set[str]]]:
    """(file and line, code, names of the values given) of every error that is made with a code written out."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id=name), args=[ast.Attribute(value=ast.Name(id="Code"), attr=code), *_]
                ) if name.endswith("Error") and all(keyword.arg for keyword in node.keywords):
                    yield f"{path.name}:{node.lineno}", code, {str(keyword.arg) for keyword in node.keywords}


def test_every_error_gives_what_its_sentence_names() -> None:
    missing = []
    for place, code, given in raised():
        lacks = placeholders(catalogue("en")["errors"][code]) - given
        if lacks and not place.startswith("server.py"):  # an MCP client is told by code, never by these sentences
            missing.append((place, code, sorted(lacks), sorted(given)))
    assert not missing
