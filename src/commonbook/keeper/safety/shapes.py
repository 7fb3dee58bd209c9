"""The shapes of secrets, as data: how each begins, how it looks from there on, and which part of it is the value.

``cue`` is what a linear automaton looks for in every byte of text, all shapes in one pass (RE2 syntax, case folded); it may find
too much, never too little. ``pattern`` then decides at that place (Python syntax). Every repetition is bounded in both, so
that no input makes a match, or the next look, slow.
"""

import re
from dataclasses import dataclass
from typing import Literal

How = Literal["plain", "assigned", "spoken", "beside", "url", "basic", "mixed", "key_block", "login"]
"""What must hold besides the pattern (``values.looks_secret``): nothing more for ``plain``; for the others the value itself
must look like a secret, since people also write *about* passwords."""


@dataclass(frozen=True)
class Shape:
    """``first``: the signs it may begin with, lower case. The value is the group ``value``, ``q1``…``q4`` (quoted) or
    ``bare``, else the whole match. ``free``: no letter or digit may stand right before it."""

    name: str
    first: str
    cue: str
    pattern: str
    how: How = "plain"
    free: bool = True


_TYPED = (
    r"password|passwd|passphrase|passcode|passwort|kennwort|contraseña|senha|mot de passe|пароль|pwd"
    r"|密码|口令|密碼|通行碼|パスワード|暗証番号|비밀번호|암호(?!화)"
)
_MADE = (
    r"secret|token|credential|secret[ _-]access[ _-]key"
    r"|(?:api|access|account|admin|app|auth|client|consumer|crypto|deploy|encrypt(?:ion)?|host|license|master|private|secret|service"
    r"|session|shared|sign(?:ing)?|storage|webhook)[ _-]?key|_auth|密钥|秘钥|令牌|金鑰|トークン|キー|토큰"
)
_SHORT = r"pass|pw|pin|psw"
NAMES = f"(?i:{_TYPED}|{_MADE})"
_SHORT_NAMES = f"(?i:{_SHORT})"
_SUFFIX = r"(?P<suffix>s?[0-9]{0,3}(?:[A-Z][A-Za-z0-9_]{0,30}|[_.-][\w.-]{0,30})?)"
_QUOTED = r"\"(?P<q1>[^\"\n]{3,300})\"|'(?P<q2>[^'\n]{3,300})'|`(?P<q3>[^`\n]{3,300})`|[“「『](?P<q4>[^”」』\n]{3,300})[”」』]"
_BARE = r"(?P<bare>[^\s\"'`“”‘’「」『』<>,;，。；、）)\]}＂\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{3,400})"
_VALUE = rf"(?:\\?{_QUOTED}|\\?[\"'`“「]?{_BARE})"
_IS = r"(?:is|was|are|to|be|ist|lautet|es|est|é|=)"
_TOLD = "是|为|為|设为|改为|改成|设成|換成|换成|叫|は|：|:|는|은|이고|가"
_SPACE = r"[ \t\u3000]"
_STRONG = r"[0-9!@#$%^&*]"

_LABELS = _TYPED.replace("(?!화)", "") + "|" + _MADE + "|" + _SHORT
_LABEL_FIRST = "".join(sorted({name.lstrip("(?:")[0] for name in _LABELS.split("|")}))

SHAPES = (
    Shape(
        "private_key",
        "-",
        "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        "key_block",
        free=False,
    ),
    Shape("aws_key_id", "a", "A[KSBC][IC]A[0-9A-Z]{16}", r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
    Shape(
        "aws_secret",
        "a",
        "A[KSBC][IC]A[0-9A-Z]{16}",
        r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}[\"'`]?[\s,;:/|，、]{1,8}[\"'`]?(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    Shape("github_token", "g", "gh[pousr]_[a-z0-9]{16}", r"gh[pousr]_[A-Za-z0-9_]{16,255}"),
    Shape("github_token", "g", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}"),
    Shape(
        "gitlab_token",
        "g",
        r"gl[a-z]{2,5}-[\w-]{16}",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|oas|soat)-[A-Za-z0-9_.-]{15,254}[A-Za-z0-9_-]",
    ),
    Shape("model_key", "s", r"sk-[\w-]{16}", r"sk-[A-Za-z0-9_-]{16,300}", "mixed"),
    Shape("slack_token", "x", "(?:xox[a-z]|xapp)-[a-z0-9-]{10}", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,255}"),
    Shape("stripe_key", "srpw", "[srp]k_(?:live|test)_[a-z0-9]{10}", r"[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}"),
    Shape("stripe_key", "srpw", r"whsec_[\w-]{10}", r"whsec_[A-Za-z0-9_+/=-]{10,255}"),
    Shape("google_key", "ayg", r"AIza[\w-]{30}", r"AIza[0-9A-Za-z_-]{30,45}"),
    Shape("google_key", "ayg", r"ya29\.[\w-]{20}|GOCSPX-[\w-]{20}", r"(?:ya29\.|GOCSPX-)[0-9A-Za-z_-]{20,500}"),
    Shape(
        "jwt", "e", r"eyJ[\w-]{8}", r"eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,8000}){0,3}"
    ),
    Shape("npm_token", "n", "npm_[a-z0-9]{30}", r"npm_[A-Za-z0-9]{30,80}"),
    Shape("pypi_token", "p", r"pypi-[\w-]{40}", r"pypi-[A-Za-z0-9_-]{40,400}"),
    Shape("hugging_face_token", "h", "hf_[a-z0-9]{25}", r"hf_[A-Za-z0-9]{25,80}"),
    Shape("sendgrid_key", "s", r"SG\.[\w-]{16,40}\.", r"SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,60}"),
    Shape(
        "vendor_token",
        "dlhgsrxnpta",
        r"(?:dckr_pat_|do[opr]_v1_|lin_api_|hv[sbr]\.|glsa_|shp(?:at|ss|ca|pa)_|rubygems_|xai-|gsk_|nvapi-|r8_|pplx-|tskey-|ATATT3)[\w-]{20}",
        r"(?:dckr_pat_|do[opr]_v1_|lin_api_|hv[sbr]\.|glsa_|shp(?:at|ss|ca|pa)_|rubygems_|xai-|gsk_|nvapi-|r8_|pplx-|tskey-|ATATT3)"
        r"[A-Za-z0-9_-]{20,300}",
    ),
    Shape(
        "telegram_token",
        "0123456789",
        r"[0-9]{8,10}:AA[\w-]{30}",
        r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,36}(?![A-Za-z0-9_-])",
    ),
    Shape(
        "webhook",
        "hd",
        r"hooks\.slack\.com/|discord(?:app)?\.com/api/webhooks/",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks/[0-9]{5,30})/"
        r"(?P<value>[A-Za-z0-9/_-]{16,255})",
        free=False,
    ),
    Shape(
        "connection_string",
        "as?&",
        "(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[a-z0-9+/%]{20}|[?&]sig=[a-z0-9%+/]{20}",
        r"(?i:AccountKey|SharedAccessKey|SharedAccessSignature|[?&]sig)=(?P<value>[A-Za-z0-9+/%]{20,400}={0,2})",
        free=False,
    ),
    Shape(
        "url_password",
        ":",
        r"://[^\s/:@\"'<>]{0,200}:[^\s/]",
        r"://(?P<name>[^\s/:@\"'<>]{0,100}):(?P<value>[^\s/\"'<>`，。；、（）]{1,1000})@(?=[A-Za-z0-9\[$_{-])",
        "url",
        free=False,
    ),
    Shape(
        "authorization",
        "b",
        "bearer[ \\t]{1,4}[a-z0-9._~+/=-]{16}",
        r"(?i:bearer)[ \t]{1,4}(?P<value>[A-Za-z0-9._~+/-]{16,4000}={0,2})",
        "mixed",
    ),
    Shape(
        "authorization",
        "b",
        "basic[ \\t]{1,4}[a-z0-9+/=]{8}",
        r"(?i:basic)[ \t]{1,4}(?P<value>[A-Za-z0-9+/]{8,4000}={0,2})",
        "basic",
    ),
    Shape(
        "named_value",
        _LABEL_FIRST,
        rf"(?:{_LABELS})[\w.-]{{0,36}}[\"'`\]\\]{{0,3}}(?:[ \t]|　){{0,4}}(?:[=:]|：|＝|是|为|為|は|->)",
        rf"(?P<name>{NAMES}){_SUFFIX}\\?[\"'`\]]{{0,2}}{_SPACE}{{0,4}}(?:=>|:=|={{1,3}}|->|:|：|＝|是|为|為|は){_SPACE}{{0,4}}"
        rf"(?:ConvertTo-SecureString(?:[ \t]{{1,3}}-String)?[ \t]{{1,3}})?{_VALUE}",
        "assigned",
        free=False,
    ),
    Shape(
        "named_value",
        _LABEL_FIRST,
        rf"(?:{_SHORT})\\\\?[\"'`]?[ \t]{{0,4}}(?:[=:]|：)",
        rf"(?P<name>{_SHORT_NAMES})(?P<suffix>)\\?[\"'`]{{0,1}}[ \t]{{0,4}}(?:=>|:=|={{1,2}}|:|：){_SPACE}{{0,4}}{_VALUE}",
        "assigned",
    ),
    Shape(
        "next_line_value",
        _LABEL_FIRST,
        rf"(?:{_LABELS})[\w.-]{{0,36}}[\"'`]?[ \t]{{0,4}}(?:[=:]|：|是|は)[ \t]{{0,4}}[>|\\]?-?[ \t]{{0,4}}\r?\n",
        rf"(?P<name>{NAMES}){_SUFFIX}[\"'`]?[ \t]{{0,4}}(?:[=:]|：|是|は)[ \t]{{0,4}}[>|\\]?-?[ \t]{{0,4}}\r?\n[ \t>]{{0,12}}"
        rf"(?:{_QUOTED}|{_BARE})(?=[ \t]{{0,4}}(?:\r?\n|$))",
        "beside",
        free=False,
    ),
    Shape(
        "marked_up_value",
        _LABEL_FIRST,
        rf"(?:{_LABELS})(?:>[^<>\s]|[\"'][ \t]{{1,4}}value=)",
        rf"(?P<name>{NAMES})(?P<suffix>)(?:>(?P<bare>[^<>\s]{{3,200}})</[\w.:-]{{0,30}}{NAMES}"
        rf"|[\"'][ \t]{{1,4}}value=(?:\"(?P<q1>[^\"\n]{{3,200}})\"|'(?P<q2>[^'\n]{{3,200}})'))",
        "assigned",
        free=False,
    ),
    Shape(
        "spoken_value",
        _LABEL_FIRST,
        rf"(?:{_LABELS})s?(?:[ \t]{{1,4}}[^\s,;:.!?\"]{{1,90}}){{0,8}}?[ \t]{{1,4}}{_IS}[ \t:]",
        rf"(?P<name>{NAMES}|(?i:pw|pin|psw))(?P<suffix>s?)(?:[ \t]{{1,4}}[^\s,;:.!?\"]{{1,40}}){{0,8}}?[ \t]{{1,4}}{_IS}"
        rf"(?:[ \t]{{1,3}}(?:now|still|just|currently|actually))?{_SPACE}{{0,4}}:?[ \t]{{1,4}}"
        rf"(?=\S{{0,300}}?{_STRONG}|[\"'`“「])(?:{_QUOTED}|{_BARE})",
        "spoken",
    ),
    Shape(
        "beside_value",
        _LABEL_FIRST,
        rf"(?:{_LABELS})[\w-]{{0,21}}[\"'`]?(?:'s|’s)?(?:[ \t]|　){{1,4}}[^\s]{{0,300}}?{_STRONG}",
        rf"(?P<name>{NAMES}|(?i:pw|pin|psw))(?P<suffix>[_-]?[\w-]{{0,20}})[\"'`]?(?:'s|’s)?{_SPACE}{{1,4}}"
        rf"(?=\S{{0,300}}?{_STRONG})(?:{_QUOTED}|{_BARE})",
        "beside",
        free=False,
    ),
    Shape(
        "told_value",
        _LABEL_FIRST,
        rf"(?:{_LABELS})(?:[^\n!-~]{{1,45}}[A-Za-z0-9_.-]{{0,20}}[^\n!-~]{{0,26}}?)?(?:{_TOLD})",
        rf"(?P<name>{NAMES})(?P<suffix>)(?![A-Za-z0-9_.-])[^\n!-~：＝「]{{0,14}}?(?:[A-Za-z0-9_.-]{{1,20}}[^\n!-~：＝「]{{0,8}}?)?(?:{_TOLD})"
        rf"{_SPACE}{{0,4}}[\"'`“”「『]?(?P<value>[!#-&(-;?-_a-~]{{4,300}}={{0,2}})",
        "spoken",
        free=False,
    ),
    Shape(
        "told_value",  # with Chinese words in it, as people make them: 小鱼儿123456; a count (8位) is none
        _LABEL_FIRST,
        rf"(?:{_TYPED.replace('(?!화)', '')})[^\n!-~]{{0,24}}?(?:{_TOLD})[^\n]{{0,120}}?[0-9]{{3}}",
        rf"(?P<name>(?i:{_TYPED}))(?P<suffix>)[^\n!-~：＝「]{{0,8}}?(?:{_TOLD}){_SPACE}{{0,4}}[\"'`“「『]?"
        rf"(?:[\u4e00-\u9fff]{{1,4}}{_SPACE}{{1,2}})?(?=[^\s，。；！？、,;]{{0,40}}?[0-9]{{3}})"
        r"(?![^\s，。；！？、,;]{0,40}?[0-9]{1,8}(?:位|个|字|次|天|分|秒|小|年|月|日|号|%|页|行|条))"
        r"(?P<value>[^\s，。；！？、,;\"'`“”‘’「」『』]{4,60})",
        free=False,
    ),
    Shape(
        "quoted_phrase",
        _LABEL_FIRST,
        "(?:passphrase|pass phrase)[ \\t]{1,4}(?:\"|'|`|“|「)",
        rf"(?P<name>(?i:passphrase|pass phrase))(?P<suffix>)[ \t]{{1,4}}(?:{_QUOTED})",
        "beside",
    ),
    Shape(
        "login",
        "cwhxsmdpr",
        r"(?:curl|wget|https?|xh)[ \t][^\n]{0,600}?(?:-u|--user|--proxy-user|-a|--auth)[ \t=]{0,3}[\"']?[\w.@+-]{1,64}:",
        r"(?:curl|wget|https?|xh)[ \t][^\n]{0,300}?(?:-u|--user|--proxy-user|-a|--auth)[ \t=]{0,3}[\"']?(?P<name>[\w.@+-]{1,64}):"
        r"(?P<value>[^\s\"']{3,200})",
        "login",
    ),
    Shape(
        "login",
        "cwhxsmdpr",
        r"(?:sshpass|mysql|mysqldump|mariadb|docker[ \t]login|podman[ \t]login|redis-cli)[ \t]",
        r"(?:(?:sshpass|docker[ \t]login|podman[ \t]login)[ \t](?:[^\n]{0,200}?[ \t])?-p[ \t]{0,2}"
        r"|redis-cli[ \t](?:[^\n]{0,200}?[ \t])?-a[ \t]{1,2}|(?:mysqldump|mysql|mariadb)[ \t](?:[^\n]{0,200}?[ \t])?-p)"
        r"(?:\"(?P<q1>[^\"\n]{3,200})\"|'(?P<q2>[^'\n]{3,200})'|(?P<bare>[^\s\"'-][^\s\"']{2,200}))",
        "login",
    ),
    Shape(
        "backward_value",
        " \t",
        rf"[ \t]as (?:the |my |its |a |your )?(?:[a-z]+ )?(?:{_LABELS})",
        r"[ \t]as (?:the |my |its |a |your )?(?:[a-z]{1,20} )?"
        r"(?P<name>(?i:password|passwd|passphrase|passcode|pwd|token|secret|api key))",
        "beside",
        free=False,
    ),
)
"""``backward_value`` is the one whose value stands before what gives it away (``kim as the user and … as the password``)."""

BACKWARD = re.compile(
    r"(?<![\w])(?:\"(?P<q1>[^\"\n]{3,80})\"|'(?P<q2>[^'\n]{3,80})'|`(?P<q3>[^`\n]{3,80})`|(?P<bare>[^\s\"'`<>,;]{4,80}))$"
)
LONG = 255
"""Characters from which on a value may have met the bound of its pattern; then it goes on to the end of ``GOES_ON``."""
GOES_ON = re.compile(r"[^\s\"'`<>,;&\[]*")
WRAPPED = re.compile(
    r"\\?\r?\n[ \t>]{0,12}(?P<rest>[A-Za-z0-9_./+-]{8,400}={0,2})(?=[\"'`,;]{0,2}[ \t]{0,4}(?:\r?\n|$))"
)
"""The rest of a token that a terminal or a mail broke over lines: nothing else stands on that line."""
KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{20}")
KEY_SIGNS = re.compile(r"[A-Za-z0-9+/=:,\-\s\"'>|*#\\.]*")
KEY_REACH = 16 * 1024
"""Characters behind a BEGIN line in which its END line is looked for: a private key is shorter."""
