"""Fills the corpus: records are written by hand, their secrets are made on the spot.

No token that a vendor's push protection would stop stands in a file of this repository, and one record stands for many values.
``⟦name⟧`` is a secret of that shape, ``⟦=words⟧`` a secret written out, ``⟦*⟧`` one record for every shape with a prefix of
its own, ``⟨name⟩`` something harmless that only looks like one. The same seed gives the same corpus.
"""

import base64
import random
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

HERE = Path(__file__).parent
Half = Literal["seen", "unseen"]
_RECORD = re.compile(r"^=== ([\w*]+)(?: \| (\w+))?\n", re.MULTILINE)
_SLOT = re.compile(r"⟦(=?)([^⟧]+)⟧|⟨(\w+)⟩")
_ALNUM = string.ascii_letters + string.digits
_URL = _ALNUM + "-_"
_B64 = _ALNUM + "+/"
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + "234567"


@dataclass(frozen=True)
class Case:
    """``secrets``: every value that must not survive masking; empty for the harmless."""

    shape: str
    place: str
    text: str
    secrets: tuple[str, ...]


def true_cases(half: Half) -> tuple[Case, ...]:
    return tuple(_cases(HERE / f"{half}_true.txt", half))


def harmless_cases(half: Half) -> tuple[Case, ...]:
    """Every record twice where it holds something made, so that no single value decides."""
    cases = list(_cases(HERE / f"{half}_harmless.txt", half))
    again = [case for case in _cases(HERE / f"{half}_harmless.txt", half + " again") if case not in cases]
    return (*cases, *again)


def _cases(path: Path, seed: str) -> Iterator[Case]:
    draw = random.Random(seed)
    _, *fields = _RECORD.split(path.read_text(encoding="utf-8"))
    for shape, place, text in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        for name in PREFIXED if shape == "*" else (shape,):
            yield _filled(name, place or "", text.removesuffix("\n").replace("⟦*⟧", f"⟦{name}⟧"), draw)


def _filled(shape: str, place: str, text: str, draw: random.Random) -> Case:
    secrets: list[str] = []

    def fill(slot: re.Match[str]) -> str:
        literal, name, harmless = slot.groups()
        if harmless:
            return HARMLESS[harmless](draw)
        value = name if literal else SECRETS[name](draw)
        secrets.append(value.strip())
        return value

    return Case(shape, place, _SLOT.sub(fill, text), tuple(secrets))


def _of(alphabet: str, number: int, before: str = "", after: str = "") -> Callable[[random.Random], str]:
    return lambda draw: before + "".join(draw.choices(alphabet, k=number)) + after


def _bytes64(number: int) -> Callable[[random.Random], str]:
    return lambda draw: base64.b64encode(draw.randbytes(number)).decode()


def _jwt(draw: random.Random) -> str:
    claims = f'{{"sub":"{draw.randrange(10**9)}","iat":{1_700_000_000 + draw.randrange(10**7)}}}'
    parts = (b'{"alg":"HS256","typ":"JWT"}', claims.encode(), draw.randbytes(32))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def _basic(draw: random.Random) -> str:
    return base64.b64encode(b"kim:" + draw.randbytes(9).hex().encode()).decode()


def _uuid(draw: random.Random) -> str:
    digits = draw.randbytes(16).hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _pem(kind: str, joint: str = "\n", headers: str = "") -> Callable[[random.Random], str]:
    def make(draw: random.Random) -> str:
        body = base64.b64encode(draw.randbytes(180)).decode()
        lines = [body[at : at + 64] for at in range(0, len(body), 64)]
        return joint.join((f"-----BEGIN {kind}-----", *([headers] if headers else []), *lines, f"-----END {kind}-----"))

    return make


def _indented(draw: random.Random) -> str:
    return "    " + _pem("PRIVATE KEY", "\n    ")(draw)


PREFIXED: dict[str, Callable[[random.Random], str]] = {
    "akia": _of(_UPPER, 16, "AKIA"),
    "ghp": _of(_ALNUM, 36, "ghp_"),
    "gho": _of(_ALNUM, 36, "gho_"),
    "ghs": _of(_ALNUM, 36, "ghs_"),
    "github_pat": lambda draw: _of(_ALNUM, 22, "github_pat_")(draw) + _of(_ALNUM, 59, "_")(draw),
    "glpat": _of(_URL, 20, "glpat-"),
    "openai": lambda draw: _of(_ALNUM, 20, "sk-")(draw) + _of(_ALNUM, 20, "T3BlbkFJ")(draw),
    "openai_project": lambda draw: _of(_URL, 74, "sk-proj-")(draw) + _of(_URL, 74, "T3BlbkFJ")(draw),
    "anthropic": _of(_URL, 93, "sk-ant-api03-", "AA"),
    "openrouter": _of(_HEX, 64, "sk-or-v1-"),
    "slack_bot": lambda draw: (
        f"xoxb-{draw.randrange(10**12):012}-{draw.randrange(10**12):012}-" + _of(_ALNUM, 24)(draw)
    ),
    "slack_user": lambda draw: f"xoxp-{draw.randrange(10**11):011}-{draw.randrange(10**11):011}-" + _of(_HEX, 32)(draw),
    "stripe": _of(_ALNUM, 24, "sk_" + "live_"),
    "stripe_restricted": _of(_ALNUM, 24, "rk_" + "live_"),
    "google": _of(_URL, 35, "AIza"),
    "jwt": _jwt,
    "npm": _of(_ALNUM, 36, "npm_"),
    "pypi": _of(_URL, 150, "pypi-AgEIcHlwaS5vcmc"),
    "telegram": lambda draw: f"{draw.randrange(10**9, 10**10)}:AA" + _of(_URL, 33)(draw),
    "hugging_face": _of(_ALNUM, 34, "hf_"),
    "sendgrid": lambda draw: _of(_URL, 22, "SG.")(draw) + _of(_URL, 43, ".")(draw),
    "digital_ocean": _of(_HEX, 64, "dop_v1_"),
}

SECRETS: dict[str, Callable[[random.Random], str]] = PREFIXED | {
    "asia": _of(_UPPER, 16, "ASIA"),
    "aws_secret": _of(_B64, 40),
    "aws_secret_safe": _of(_ALNUM, 40),
    "azure": _bytes64(64),
    "sas": lambda draw: _bytes64(32)(draw).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"),
    "basic": _basic,
    "hvs": _of(_URL, 92, "hvs.CAES"),
    "hex32": _of(_HEX, 32),
    "hex40": _of(_HEX, 40),
    "hex48": _of(_HEX, 48),
    "hex64": _of(_HEX, 64),
    "b64_44": _bytes64(32),
    "b64url32": _of(_URL, 30, "q7"),
    "b64url40": _of(_URL, 38, "x4"),
    "b64url43": _of(_URL, 41, "R2"),
    "b64url68": _of(_URL, 68),
    "uuid_key": _uuid,
    "slack_hook": lambda draw: _of(_UPPER, 8, "T")(draw) + _of(_UPPER, 8, "/B")(draw) + _of(_ALNUM, 24, "/")(draw),
    "broken": lambda draw: _of(_ALNUM, 60, "sk-proj-9")(draw) + _of(_ALNUM, 60, "\n7aZ")(draw),
    "broken_quoted": lambda draw: _of(_ALNUM, 90, "github_pat_")(draw) + _of(_ALNUM, 20, "\n> 3bX")(draw),
    "pem_rsa": _pem("RSA PRIVATE KEY"),
    "pem_ec": _pem("EC PRIVATE KEY"),
    "pem_openssh": _pem("OPENSSH PRIVATE KEY"),
    "pem_encrypted": _pem("RSA PRIVATE KEY", headers="Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,8A6D1F\n"),
    "pem_escaped": _pem("PRIVATE KEY", "\\n"),
    "pem_quoted": _pem("PRIVATE KEY", "\n> "),
    "pem_indented": _indented,
    "pem_diff": _pem("EC PRIVATE KEY", "\n+"),
    "pem_pgp": _pem("PGP PRIVATE KEY BLOCK", headers="\n"),
}

HARMLESS: dict[str, Callable[[random.Random], str]] = {
    "sha1": _of(_HEX, 40),
    "sha7": _of(_HEX, 7),
    "sha12": _of(_HEX, 12),
    "sha256": _of(_HEX, 64),
    "md5": _of(_HEX, 32),
    "uuid": _uuid,
    "b64_44": _bytes64(32),
    "b64_88": _bytes64(64),
    "b64_200": _bytes64(150),
    "number": lambda draw: str(draw.randrange(10**6)),
}
