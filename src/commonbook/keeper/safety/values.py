"""Does a value beside the word "password" look like one, or is it prose, code or a placeholder?"""

import base64
import re
from dataclasses import dataclass
from typing import assert_never

from commonbook.keeper.safety.shapes import How

_PLACEHOLDER = re.compile(
    r"^(?:[<\[{(%$].*|.*(?:\$\{|\{\{|%\(|\$\(|\.\.\.|…).*|[*•.xX#_?-]+|.*\*{3,}.*|(?:@@|__|%%|##).*"
    r"|(?:your|replace|change|insert|enter|put|paste|todo|redacted|removed|hidden|masked|example|sample|dummy|fake)"
    r"(?:[-_ .]?[a-z])*|(?:my|some|the|an?)(?:[-_ .][a-z]+)+"
    r"|x-oauth-basic|none|null|nil|undefined|true|false|empty|missing|required|optional)$",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"^(?:[A-Za-z_$&*][\w.$?!-]*(?:\(.*|\[.*|::.*|->.*)|[A-Za-z_$]\w*(?:\??\.[A-Za-z_]\w*)+|![A-Za-z]+|--?[a-z][\w-]*|\\.*|//.*"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9+.-]*://[^:@]*)$"
)
_PATH = re.compile(r"^(?:~?\.{0,2}/[\w.~-]+(?:/[\w.~*-]*)*|[\w.-]+(?:/[\w.-]+)*/)$")
_TYPE = re.compile(
    r"^(?:str|string|int|integer|bytes|bool|boolean|any|optional|varchar|text|number|uuid|secretstr)\b.*$",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"^(?:v?\d+(?:\.\d+)+[\w.-]*|(?-i:[A-Z]{1,6}-?\d{1,5})|[\w./-]+[\w-]\.(?:py|tsx?|jsx?|md|json|toml|ya?ml|txt|go|rs|env|pem|key|crt|html?|css|sh|sql|lock)"
    r"|(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|utf|aes|rsa|hs|rs|es|ed|oauth|jwt|http|ipv|s|k|o|p|x|v|i|l|w|e|h|i18n|l10n)-?\d+\w{0,2}"
    r"|\d[\d.,:/%+-]*(?:ms|s|min|h|d|kb|mb|gb|k|m|g|px|x|th|st|nd|rd|bit|bits|byte|bytes|chars?|/s)?|[a-z]+:\d+(?::\d+)?"
    r"|(?:arn|urn):[a-z0-9-]+:[\w:/.*-]*|1password)$",
    re.IGNORECASE,
)
_CLASS = re.compile(r"^(?:[A-Z][a-z0-9]*){2,}$")
_NOUN = re.compile(r"(?:Key|Token|Secret|Password|Credential|Auth|Type|Str|String|Bytes|Field)")
_ARGUMENT = re.compile(r"^[A-Za-z_]\w*=[^=]")
_WORD = re.compile(r"^[^\W\d_]+(?:[-'’_.][^\W\d_]+)*$")
_IDENTIFIER = re.compile(r"^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z][a-z]+(?:[A-Z][a-z]+)+$")
_PASSWORD = re.compile(
    "pass|pwd|pw|pin|psw|kennwort|contraseña|senha|пароль|密码|口令|密碼|通行碼|暗証|パスワード|비밀번호|암호",
    re.IGNORECASE,
)
_PIN = re.compile("^(?:pin|passcode|pass code|暗証番号)$", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:^|[_.-])(?:hash|hashe[rsd]+|digest|salt|ur[li]|endpoint|file|path|dir|ids?|type|kind|names?|field|label|title|text|hint|help|prompt"
    r"|placeholder|policy|length|len|size|counts?|limit|max|min|timeout|ttl|age|days?|expir\w*|valid\w*|header|param|reset|changed?|updated?"
    r"|created?|at|strength|regex|pattern|rule|message|error|mismatch|required?|enabled|budget|usage|per|method|algorithm|provider|manager"
    r"|stor\w*|ref|arn|version|lists?|authentication|auth_method|types|map|index|input|form|page|pos)(?:$|[_.-])",
    re.IGNORECASE,
)
_OTHER_TOKEN = re.compile(
    r"(?:next|page|continuation|csrf|xsrf|eos|bos|pad|unk|sep|cls|mask|max|min|total|num|n)[_-]?$", re.IGNORECASE
)
_RESOURCE = re.compile(r"\b(?:arn|urn):[\w:/.*-]*$", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENV = re.compile(r"(?:^|\s)[A-Z][A-Z0-9_]*=[\"'`]?$")
_FLAG = re.compile(r"(?:^|\s)--?[A-Za-z][A-Za-z_-]*[= \t]+[\"'`]?$")
_PLAINLY = re.compile(
    r"(?:pass\w*|pwd|pw)[ \t]+(?:is|was)(?:[ \t]+(?:now|still))?[ \t]*:?[ \t]+[\"'`“「]$", re.IGNORECASE
)
_SPECIAL = re.compile(r"[!@#$%^&*+=~?]")
_COMMON = frozenset(
    [
        "password",
        "passwd",
        "passphrase",
        "pass",
        "pwd",
        "secret",
        "secrets",
        "token",
        "tokens",
        "user",
        "username",
        "login",
        "admin",
        "name",
        "value",
        "required",
        "invalid",
        "missing",
        "optional",
        "string",
        "text",
        "number",
        "hidden",
        "email",
        "basic",
        "bearer",
        "files",
        "current-password",
        "new-password",
        "incorrect",
        "wrong",
        "expired",
        "disabled",
        "enabled",
        "default",
        "unset",
        "public",
        "private",
        "plain",
        "plaintext",
        "label",
        "title",
        "inherit",
        "key",
        "keys",
        "boolean",
        "object",
        "array",
    ]
)


@dataclass(frozen=True, repr=False)  # a repr would carry the value into a log or a traceback
class Found:
    """A value with the word that announces it, what is written on to that word, and what stands before it on the line."""

    how: How
    name: str
    suffix: str
    before: str
    label: str
    """The line from its beginning up to the value."""
    quoted: bool
    value: str


def looks_secret(found: Found) -> bool:
    value = found.value
    match found.how:
        case "plain" | "key_block":
            return True
        case "mixed":
            return _is_mixed(value)
        case "basic":
            return _is_login(value)
        case "url":
            return _is_url_password(found.name, value)
        case "login":
            return len(value) >= 3 and not _PLACEHOLDER.match(value) and not value.isdigit()
        case "assigned" | "spoken" | "beside":
            return _is_labelled_secret(found)
        case _:
            assert_never(found.how)


def _is_labelled_secret(found: Found) -> bool:
    """What stands beside a word such as "password": strict, since nearly everything that does is no password."""
    value = found.value
    if len(value) < 3 or _PLACEHOLDER.match(value) or value.lower() in _COMMON or _says_about(found):
        return False
    if not found.quoted and _CLASS.match(value) and _NOUN.search(value):
        return False
    if (not found.quoted or found.how == "beside") and (
        _CODE.match(value) or _TYPE.match(value) or (_PATH.match(value) and not _is_mixed(value))
    ):
        return False
    if " " in value or "\t" in value:
        return (
            found.quoted and "phrase" in found.name.lower() and (bool(re.search(r"\d", value)) or value.count(" ") >= 2)
        )
    if found.name.lower() == "pin" and not value.isdigit():
        return False
    if value.isdigit() or (_PIN.match(found.name) and value.replace("-", "").isdigit()):
        return _is_number_secret(found)
    if found.how in ("spoken", "beside") and _ARGUMENT.match(value):
        return False
    return _is_strong(value, _least(found)) or _is_given_word(found)


def _least(found: Found) -> int:
    """Signs that a mixed value needs. Tokens are long; a password is what somebody types."""
    if _PASSWORD.search(found.name):
        return 5 if found.how == "assigned" else 6
    return 8 if found.how == "assigned" else 16


def _says_about(found: Found) -> bool:
    """``password_hash``, ``tokenCount``, ``csrf_token``, a part of ``arn:…:secret:…``: a word about a secret, not its name."""
    if _RESOURCE.search(found.label):
        return True
    suffix = _HUMP.sub("_", found.suffix.removeprefix("s"))
    if _ABOUT.search(suffix) and not (found.name.lower() == "secret" and suffix.lower() in ("_id", "-id")):
        return True
    return bool(_OTHER_TOKEN.search(found.before)) and not _PASSWORD.search(found.name)


def _is_strong(value: str, least: int) -> bool:
    inner = value.strip("=*@&!#")
    if len(value) < least or _TECHNICAL.match(inner) or _WORD.match(inner):
        return _is_random_letters(value)
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return (letters and digits) or (bool(_SPECIAL.search(value)) and (letters or digits))


def _is_random_letters(value: str) -> bool:
    """Twenty letters and more that change case all the time: base64 that happens to hold no digit."""
    return len(value) >= 20 and value.isalnum() and len(_HUMP.findall(value)) >= 5 and not _IDENTIFIER.match(value)


def _is_number_secret(found: Found) -> bool:
    """``pin is 48213``, ``password: 123456``; a number beside a token is a count."""
    digits = found.value.replace("-", "")
    if not digits.isdigit() or not _PASSWORD.search(found.name):
        return False
    if _PIN.match(found.name):
        return 4 <= len(digits) <= 12 and (found.how != "beside" or len(digits) >= 6 or found.name.isupper())
    return len(digits) >= 4 and found.how != "beside" and found.name.lower() != "pass"


def _is_given_word(found: Found) -> bool:
    """``DB_PASSWORD=letmein`` in an env file, ``password: "swordfish"``, ``the password is 'swordfish'``: a plain word, but
    clearly given as the value. Without quotes or assignment it is prose (``the password is wrong``) and stays."""
    if not _PASSWORD.search(found.name) or found.suffix or not _WORD.match(found.value):
        return False
    if found.how == "assigned" and re.fullmatch(r"[a-z]{3,}(?:-[a-z]{3,}){2,}", found.value):
        return True  # correct-horse-battery: nobody writes prose like that behind "pass:"
    match found.how:
        case "assigned":
            given = found.quoted or bool(_ENV.search(found.label)) or bool(_FLAG.search(found.label))
        case "spoken":
            given = found.quoted and bool(_PLAINLY.search(found.label))
        case _:
            given = False
    return given and len(found.value) >= 5 and found.value.isascii() and not _IDENTIFIER.match(found.value)


def _is_mixed(value: str) -> bool:
    """Random as a machine makes it: digits, and letters that no word is made of."""
    digits = sum(map(str.isdigit, value))
    return (
        digits >= 2
        and len(value) >= 16
        and not _CODE.match(value)
        and (
            bool(re.search(r"[0-9a-f]{20}", value))
            or (any(map(str.isupper, value)) and any(map(str.islower, value)))
            or digits >= 6
        )
    )


def goes_on(line: str) -> bool:
    """Whether a line that holds nothing else reads like the rest of a token: no word, no path, no number."""
    kinds = (any(map(str.isdigit, line)), any(map(str.islower, line)), any(map(str.isupper, line)))
    return sum(kinds) == 3 or (kinds[0] and re.fullmatch("[0-9a-f]+", line) is not None and not line.isdigit())


def _is_login(value: str) -> bool:
    """Basic authorization is ``user:password`` in base64; anything else after the word "basic" is prose."""
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except ValueError:
        return False


def _is_url_password(name: str, value: str) -> bool:
    if _PLACEHOLDER.match(value) or re.match(r"^\d{2,5}(?:[?#]|$)", value):
        return False
    return not (value.lower() in _COMMON and (name.lower() in _COMMON or not name))
