"""The secret scan: speed against the plain loop of all patterns on the same text, and recall and precision on the corpus.

python -m bench.secret_scan [--kilobytes 256]
"""

import argparse
import re

from tests.corpora.secrets.corpus import HERE, Half, harmless_cases, true_cases
from tests.corpora.secrets.score import score

from bench.support import best, machine, tell
from commonbook.keeper.safety import find_secrets, mask_secrets
from commonbook.keeper.safety.shapes import SHAPES

ROOT = HERE.parents[2]
CHINESE = (
    "今天先把连接池的上限改小，然后再跑一遍测试，看看结果怎么样；如果还是慢，就把日志打开。密码错误时要给出提示。\n"
)
LOG = "2026-01-02 12:00:01 INFO server: request 8812 took 31 ms path=/v1/items status=200\n"


def texts(size: int) -> dict[str, str]:
    """Of about ``size`` bytes each."""
    halves: tuple[Half, ...] = ("seen", "unseen")
    cases = [case.text for half in halves for case in (*true_cases(half), *harmless_cases(half))]
    sources = {
        "tool output, no cue": LOG,
        "Chinese prose": CHINESE,
        "program code": "\n".join(path.read_text() for path in sorted((ROOT / "src").rglob("*.py"))),
        "recorded sessions": "".join(path.read_text() for path in sorted((ROOT / "tests/recordings").rglob("*.jsonl"))),
        "the corpus (all secrets)": "\n\n".join(cases),
    }
    return {name: _filled(text, size) for name, text in sources.items()}


def _filled(text: str, size: int) -> str:
    data = text.encode()
    return (data * (size // len(data) + 1))[:size].decode(errors="ignore")


def plain_loop(text: str, patterns: list[re.Pattern[str]]) -> int:
    return sum(1 for pattern in patterns for _ in pattern.finditer(text))


def main() -> None:
    options = argparse.ArgumentParser(description="speed, recall and precision of the secret scan")
    options.add_argument("--kilobytes", type=int, default=256)
    size = options.parse_args().kilobytes * 1024
    patterns = [re.compile(shape.pattern) for shape in SHAPES]
    tell(f"{len(patterns)} patterns, texts of {size // 1024} KiB, median of 3; {machine()}\n")
    tell(f"{'text':26}{'scan':>12}{'':>12}{'plain loop':>14}{'times':>8}")
    for name, text in texts(size).items():
        find_secrets(text[:4096])
        scan = best(lambda text=text: find_secrets(text), 3)  # type: ignore[misc]
        loop = best(lambda text=text: plain_loop(text, patterns), 3)  # type: ignore[misc]
        bytes_ = len(text.encode())
        speed = f"{bytes_ / scan / 1e6:7.1f} MB/s{scan / bytes_ * 1024 * 1e6:8.2f} µs/KiB"
        tell(f"{name:26}{speed}{bytes_ / loop / 1e6:9.2f} MB/s{loop / scan:8.0f}")
    short = "please use pnpm in this repository, not npm, and keep the lock file out of the review"
    tell(f"\none message of {len(short)} bytes: mask_secrets {best(lambda: mask_secrets(short), 51) * 1e6:.1f} µs")
    halves: tuple[Half, ...] = ("seen", "unseen")
    for half in halves:
        result = score(half)
        tell(
            f"{half:7} recall {result.recall:.3f} ({result.found}/{result.secrets})   precision {result.precision:.3f} "
            f"({result.alarms} alarms, {result.harmless} harmless)   exact span {result.exact:.3f}"
        )


if __name__ == "__main__":
    main()
