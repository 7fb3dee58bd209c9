"""Does a value beside the word "password" look like one, or is it prose, code or a placeholder?"""

import re

_PLACEHOLDER = re.compile(
    r"^(?:[<\[{(%$].*|.*(?:\$\{|\{\{|%\(|\$\().*|[*•.xX#_?-]+|.*\*{3,}.*|(?:your|my|some|the|a|an|replace|change|insert|enter|put|todo|redacted|removed|hidden|masked)"
    r"(?:[-_ .]?[a-z]+)*|(?:replace|change)[-_]?me|none|null|nil|undefined|true|false|empty|missing|required|optional)$",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"^(?:[A-Za-z_][\w.]*\(.*|(?:os|process|env|self|this|config|settings|secrets|vault|app|request|req|ctx|args|options|opts|params)[.\[].*"
    r"|(?:str|string|int|bytes|bool|any|optional|varchar|text|number|uuid|secretstr)\b.*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|/[\w./-]+|[a-z]+://[^:@]*)$",
    re.IGNORECASE,
)
_CONSTANT = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_WORDS = re.compile(r"^[^\W\d_]+(?:[-'’][^\W\d_]+)*$")
_NUMBER = re.compile(r"^[\d.,:/%+-]+(?:ms|s|min|h|d|kb|mb|gb|k|m)?$", re.IGNORECASE)
_FLAG = re.compile(r"(?:^|\s)--?[A-Za-z][A-Za-z_-]*[ \t]+[\"'`]?$")
_PASSWORD = re.compile("pass|pwd|密码|口令|密碼|パスワード|暗証|비밀번호", re.IGNORECASE)
_VERSION = re.compile(r"^v?\d+(?:\.\d+)+[\w.-]*$")


def looks_secret(shape: str, label: str, value: str) -> bool:
    """``label`` is the matched text before the value. Stricter for what is merely spoken than for what is assigned."""
    value = value.strip().rstrip(".!?:")
    if len(value) < 3 or _PLACEHOLDER.match(value):
        return False
    match shape:
        case "flag_value" if not _FLAG.search(label):
            return False
        case "url_password":
            return True
        case "model_key" | "authorization":
            return any(sign.isdigit() for sign in value)
        case "spoken_value":
            if value.isdigit() and _PASSWORD.search(label):
                return len(value) >= 4
            return len(value) >= 4 and not _is_plain(value) and not _is_code(value)
        case _:
            return not _is_code(value) and (not _is_plain(value) or _assigned_plainly(label, value))


def _is_code(value: str) -> bool:
    if _CONSTANT.match(value):
        return True
    return bool(_CODE.match(value)) and not re.match(r"^[A-Z0-9_]*[0-9][A-Z0-9_]*$", value)


def _is_plain(value: str) -> bool:
    """A word, a number, a version, an identifier of several words: what ordinary sentences are made of."""
    if _WORDS.match(value) or _VERSION.match(value):
        return True
    if _NUMBER.match(value):
        return True
    return bool(re.match(r"^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$|^[\w-]+\.[a-z]{1,4}$", value))


def _assigned_plainly(label: str, value: str) -> bool:
    """``DB_PASSWORD=letmein`` in an env file or ``password: "letmein"``: a plain word, but clearly assigned as the value."""
    name = label.strip().lower()
    if any(word in name for word in ("token", "key")):
        return False  # `token: comma`, `key = name`: words of programs
    quoted = label.rstrip().endswith(('"', "'", "`"))
    env = bool(re.search(r"(?:^|\n|\s)[A-Z][A-Z0-9_]*=[\"'`]?$", label))
    return (quoted or env or label.lstrip().startswith("--")) and len(value) >= 5 and value.isascii()
