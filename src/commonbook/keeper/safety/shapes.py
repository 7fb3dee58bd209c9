"""The shapes of secrets, as data: what gives one away, how it looks from there on, and which part of it is the value.

Each shape begins at one of its anchors, lower-case literals that are looked for first: text without any anchor, which is nearly
all text, costs one pass, and no pattern ever searches. Every repetition is bounded, so that no input makes a match slow.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """``pattern`` is matched where the anchor stands; its group ``value`` (or ``q1``…, ``bare``) is what gets masked, else
    the whole match. ``free``: nothing of a word may stand right before the anchor. ``judged``: the value must also look like
    a secret (``values.looks_secret``), since people write these words about passwords as well as with them."""

    name: str
    anchors: tuple[str, ...]
    pattern: str
    free: bool = True
    judged: bool = False


_NAMES = (
    *(
        "password",
        "passwd",
        "passphrase",
        "passcode",
        "pwd",
        "secret",
        "token",
        "credential",
        "apikey",
        "api_key",
        "api-key",
    ),
    *("api key", "accesskey", "access_key", "access-key", "access key", "private_key", "private-key", "private key"),
    *("auth_key", "signing_key", "encryption_key", "account_key"),
)
_CJK = (
    "密码",
    "口令",
    "密钥",
    "秘钥",
    "令牌",
    "暗号",
    "密碼",
    "金鑰",
    "パスワード",
    "暗証番号",
    "トークン",
    "비밀번호",
    "암호",
)
_QUOTED = (
    "\"(?P<q1>[^\"\\n]{3,500})\"|'(?P<q2>[^'\\n]{3,500})'|`(?P<q3>[^`\\n]{3,500})`|[“「](?P<q4>[^”」\\n]{3,500})[”」]"
)
_BARE = r"(?P<bare>[^\s\"'`“”‘’「」<>,;，。；、）)\]}]{3,500})"
_NAME = "(?i:" + "|".join(_NAMES) + ")"

SHAPES = (
    Shape("private_key", ("-----begin",), r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----", free=False),
    Shape("aws_key_id", ("akia", "asia", "abia", "acca"), r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    Shape("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9_]{16,255}"),
    Shape("github_token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{20,255}"),
    Shape("gitlab_token", ("glpat-", "gldt-", "glrt-"), r"gl(?:pat|dt|rt)-[A-Za-z0-9_.-]{16,255}"),
    Shape("model_key", ("sk-",), r"sk-[A-Za-z0-9_-]{16,300}", judged=True),
    Shape("slack_token", ("xox", "xapp-"), r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,255}"),
    Shape(
        "webhook", ("hooks.slack.com/",), r"hooks\.slack\.com/services/(?P<value>[A-Za-z0-9/_-]{16,255})", free=False
    ),
    Shape("stripe_key", ("sk_", "rk_", "pk_", "whsec_"), r"(?:(?:sk|rk|pk)_(?:live|test)_|whsec_)[A-Za-z0-9]{10,255}"),
    Shape("google_key", ("aiza", "ya29."), r"AIza[0-9A-Za-z_-]{30,45}|ya29\.[0-9A-Za-z_-]{20,500}"),
    Shape("jwt", ("eyj",), r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    Shape("npm_token", ("npm_",), r"npm_[A-Za-z0-9]{30,80}"),
    Shape("pypi_token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{40,400}"),
    Shape("hugging_face_token", ("hf_",), r"hf_[A-Za-z0-9]{25,80}"),
    Shape("vendor_token", ("dckr_pat_", "dop_v1_", "lin_api_"), r"(?:dckr_pat_|dop_v1_|lin_api_)[A-Za-z0-9_-]{20,80}"),
    Shape("vendor_token", ("shpat_", "sg."), r"shpat_[a-fA-F0-9]{32}|SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,60}"),
    Shape("telegram_token", (":aa",), r":(?P<value>AA[A-Za-z0-9_-]{32,36})(?![A-Za-z0-9_-])", free=False),
    Shape(
        "url_password", ("://",), r"://[^\s/:@\"'<>]{0,100}:(?P<value>[^\s/@\"'<>]{1,300})@", free=False, judged=True
    ),
    Shape(
        "authorization",
        ("bearer ", "basic "),
        r"(?i:bearer|basic)[ \t]{1,4}(?P<value>[A-Za-z0-9._~+/=-]{16,4000})",
        judged=True,
    ),
    Shape(
        "connection_string",
        ("accountkey=", "sharedaccesskey=", "sig="),
        r"(?i:AccountKey|SharedAccessKey|sig)=(?P<value>[A-Za-z0-9+/%]{20,200}={0,2})",
    ),
    Shape(
        "named_value",
        _NAMES,
        rf"{_NAME}[A-Za-z0-9_]{{0,20}}[\"'`]?[ \t]{{0,4}}(?:=>|:=|={{1,2}}|:|：)[ \t]{{0,4}}(?:{_QUOTED}|{_BARE})",
        free=False,
        judged=True,
    ),
    Shape("flag_value", _NAMES, rf"{_NAME}[ \t]{{1,4}}(?:{_QUOTED}|{_BARE})", free=False, judged=True),
    Shape(
        "spoken_value",
        _NAMES,
        rf"{_NAME}s?(?:[ \t]{{1,4}}[A-Za-z0-9'’_/-]{{1,24}}){{0,8}}?[ \t]{{1,4}}(?:is|was|are|to)(?:[ \t](?:now|still))?"
        rf"[ \t]{{0,4}}:?[ \t]{{1,4}}(?:{_QUOTED}|{_BARE})",
        judged=True,
    ),
    Shape(
        "spoken_value",
        _CJK,
        rf"(?:{'|'.join(_CJK)})[^\n!-~：＝「]{{0,14}}?(?:[A-Za-z0-9_.-]{{1,20}}[^\n!-~：＝「]{{0,8}}?)?(?:是|为|為|叫|は|：|:|=|＝|는|은)"
        r"[ \t]{0,4}[\"'`“”「]?(?P<value>[!#-&(-;=?-_a-~]{4,300})",
        free=False,
        judged=True,
    ),
)
