"""Search at 1 000, 10 000 and 50 000 segments: p50 at most 30 ms in process, at most 150 MB resident at 50 000.

    python -m bench.retrieve

Each size in a process of its own: global notes of about 12 KiB (40 sections of 20 to 60 words drawn by Zipf's law from 20 000,
every fifth section with Chinese), full index on disk. A query has 3 to 8 such words, without the 100 most frequent ones: those
are what stop words are in real text. Every search looks at every file again.
"""

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

from commonbook.recall.search import SearchRequest, retrieve
from commonbook.settings.model import Settings
from commonbook.settings.paths import Home

SIZES = (1_000, 10_000, 50_000)
SECTIONS = 40
QUERIES = 60
STOP_WORDS = 100
CHINESE = "数据库迁移必须先在预发布环境执行再上线生产支付服务的超时时间设置为三十秒重试最多两次日志中严禁打印用户手机号"
DAY_NS = 86_400_000_000_000


def main() -> None:
    if len(sys.argv) > 1:
        measure(int(sys.argv[1]))
        return
    print("segments   index s   disk MB   first ms   p50 ms   p95 ms   RSS MB")
    for size in SIZES:
        subprocess.run([sys.executable, __file__, str(size)], check=True)


def measure(size: int) -> None:
    with TemporaryDirectory() as folder:
        home = Home(Path(folder), Path(folder) / "data")
        speak, ask = _speaker(random.Random(size), 0), _speaker(random.Random(size), STOP_WORDS)
        _write(home, size, speak)
        began = time.perf_counter()
        while retrieve(home, Settings(), SearchRequest("anything at all")).stale:
            pass
        indexed = time.perf_counter() - began
        times = [_timed(home, " ".join(ask(3 + number % 6))) for number in range(QUERIES)]
        disk = home.recall_database.stat().st_size / 1e6
    first, times = times[0], sorted(times)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    p50, p95 = times[QUERIES // 2], times[int(QUERIES * 0.95)]
    print(f"{size:8} {indexed:9.2f} {disk:9.1f} {first:10.1f} {p50:8.1f} {p95:8.1f} {resident:8.0f}", flush=True)


def _timed(home: Home, query: str) -> float:
    began = time.perf_counter()
    retrieve(home, Settings(), SearchRequest(query))
    return (time.perf_counter() - began) * 1000


def _write(home: Home, size: int, speak: Callable[[int], list[str]]) -> None:
    """Files of yesterday: those of the last two seconds would be read again in every search."""
    folder = home.memory / "notes" / "global"
    folder.mkdir(parents=True)
    for number in range(size // SECTIONS):
        parts = [f"# Note {number}\n"]
        for section in range(SECTIONS):
            words = speak(20 + (number + section) % 41)
            if section % 5 == 0:
                words.append(CHINESE[section % 30 : section % 30 + 20])
            parts.append(f"\n## {' '.join(speak(3))} {section}\n\n{' '.join(words)}\n")
        path = folder / f"n{number}.md"
        path.write_text("".join(parts), encoding="utf-8")
        old = path.stat().st_mtime_ns - DAY_NS
        os.utime(path, ns=(old, old))


def _speaker(chance: random.Random, skipped: int) -> Callable[[int], list[str]]:
    """Words by Zipf's law, as in real text, where a few stand almost everywhere; without the ``skipped`` most frequent."""
    vocabulary = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=3 + n % 8)) for n in range(20_000)]
    weights = list(accumulate(1 / (rank + 2) for rank in range(skipped, len(vocabulary))))
    return lambda number: chance.choices(vocabulary[skipped:], cum_weights=weights, k=number)


if __name__ == "__main__":
    main()
