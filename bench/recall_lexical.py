"""How much of the evidence lexical search finds: LoCoMo, and 20 Chinese and Japanese questions.

    python -m bench.recall_lexical            the figures with the product's own settings
    python -m bench.recall_lexical --sweep    windows and weights, on the tuning half only

One document = one turn of a conversation, one index a conversation; evidence = the turns that a question names. Settings are
chosen on conversations 1-5; what counts is 6-10. The data (LoCoMo, CC BY-NC) is not part of this repository: it is read from
``../shared/bench`` beside it, or from the folder given with ``--data``.
"""

import argparse
import importlib.util
import json
import math
import platform
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonbook.recall import index as index_module
from commonbook.recall.corpus import CorpusFile, Stamp
from commonbook.recall.index import Index
from commonbook.recall.places import memory_index
from commonbook.recall.segmentation import query_words
from commonbook.recall.segments import TRACKS, Segment
from commonbook.vocabulary import GLOBAL, Target

DEPTH = 100
ADVERSARIAL = 5


@dataclass(frozen=True)
class Ranked:
    half: str
    category: int
    evidence: frozenset[str]
    ranking: tuple[str, ...]

    def recall(self, k: int) -> float:
        return len(self.evidence & set(self.ranking[:k])) / len(self.evidence)

    def reciprocal(self) -> float:
        return next((1 / place for place, turn in enumerate(self.ranking, 1) if turn in self.evidence), 0.0)

    def ndcg(self) -> float:
        gain = sum(1 / math.log2(at + 2) for at, turn in enumerate(self.ranking[:10]) if turn in self.evidence)
        return gain / sum(1 / math.log2(at + 2) for at in range(min(10, len(self.evidence))))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "bench")
    parser.add_argument("--sweep", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.data / "data.py").exists():
        print(f"recall_lexical: no benchmark data in {arguments.data}, nothing measured")
        return 0
    conversations = _load(arguments.data)
    if arguments.sweep:
        _sweep(conversations)
    else:
        _report(conversations)
        _cjk(json.loads((arguments.data / "cjk.json").read_text(encoding="utf-8")))
    return 0


def _load(folder: Path) -> list[dict[str, Any]]:
    spec = importlib.util.spec_from_file_location("locomo_data", folder / "data.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return sorted(module.load(), key=lambda conversation: str(conversation["name"]))


def _report(conversations: Sequence[dict[str, Any]]) -> None:
    times: list[float] = []
    ranked = list(_rank_all(conversations, times))
    print(
        f"LoCoMo, {len(conversations)} conversations, window {index_module.WINDOW}, context {index_module.CONTEXT_WEIGHT}"
    )
    print(f"{'':22}{'n':>6}{'R@5':>8}{'R@10':>8}{'R@20':>8}{'MRR':>8}{'nDCG@10':>9}  R@10 95 %")
    usual = [one for one in ranked if one.category != ADVERSARIAL]
    for name, group in (
        ("all", usual),
        ("1-5 (tuned on)", [one for one in usual if one.half == "tune"]),
        ("6-10 (held out)", [one for one in usual if one.half == "test"]),
        ("all incl. category 5", ranked),
        *((f"category {number}", [one for one in ranked if one.category == number]) for number in range(1, 6)),
    ):
        print(_line(name, group))
    times.sort()
    print(f"query p50 {times[len(times) // 2]:.2f} ms, p95 {times[int(len(times) * 0.95)]:.2f} ms; {_machine()}")


def _line(name: str, group: Sequence[Ranked]) -> str:
    recalls = [one.recall(10) for one in group]
    low, high = _interval(recalls)
    figures = [statistics.fmean(one.recall(k) for one in group) for k in (5, 10, 20)]
    figures += [statistics.fmean(one.reciprocal() for one in group), statistics.fmean(one.ndcg() for one in group)]
    return f"{name:22}{len(group):>6}" + "".join(f"{figure:>8.3f}" for figure in figures) + f"   {low:.3f}-{high:.3f}"


def _interval(values: Sequence[float], rounds: int = 1000) -> tuple[float, float]:
    """Bootstrap, fixed seed."""
    chance = random.Random(20261201)
    means = sorted(statistics.fmean(chance.choices(values, k=len(values))) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]


def _sweep(conversations: Sequence[dict[str, Any]]) -> None:
    for window in (1, 2, 3):
        for weight in (0.2, 0.3, 0.35, 0.4, 0.5):
            index_module.WINDOW, index_module.CONTEXT_WEIGHT = window, weight
            group = [one for one in _rank_all(conversations[:5], []) if one.category != ADVERSARIAL]
            print(_line(f"window {window} context {weight}", group), flush=True)


def _rank_all(conversations: Sequence[dict[str, Any]], times: list[float]) -> Iterator[Ranked]:
    for number, conversation in enumerate(conversations):
        with memory_index() as index:
            turns = _fill(index, conversation)
            for question in conversation["qa"]:
                if question["ev"]:
                    began = time.perf_counter()
                    found = index.rank(query_words(question["q"]), (GLOBAL,), TRACKS, DEPTH)
                    times.append((time.perf_counter() - began) * 1000)
                    ranking = tuple(turns[segment] for segment, _ in found)
                    half = "tune" if number < 5 else "test"
                    yield Ranked(half, question["cat"], frozenset(question["ev"]), ranking)


def _fill(index: Index, conversation: dict[str, Any]) -> dict[int, str]:
    """Each session a document, each turn a segment; gives the turn of each segment id."""
    sessions: dict[int, list[dict[str, Any]]] = {}
    for turn in conversation["docs"]:
        sessions.setdefault(turn["sess"], []).append(turn)
    turns: dict[int, str] = {}
    for session, said in sessions.items():
        ids = _put(index, f"notes/global/{session}", [turn["full"] for turn in said])
        turns |= dict(zip(ids, (turn["id"] for turn in said), strict=True))
    return turns


def _put(index: Index, target: str, texts: Sequence[str]) -> range:
    file = CorpusFile(Target(target), "memory", GLOBAL, "", Stamp(0, 0, 0))
    segments = [Segment(at, "", (), text, None, ()) for at, text in enumerate(texts, 1)]
    return index.put(file, segments, checked=0, digest="", facts="")


def _cjk(data: dict[str, Any]) -> None:
    with memory_index() as index:
        names = {_put(index, f"notes/global/{name}", [text])[0]: name for name, text in data["docs"]}
        places = []
        for wanted, query, _kind in data["queries"]:
            found = [names[segment] for segment, _ in index.rank(query_words(query), (GLOBAL,), TRACKS, DEPTH)]
            places.append(found.index(wanted) + 1 if wanted in found else math.inf)
    first, third = sum(place == 1 for place in places), sum(place <= 3 for place in places)
    mean = statistics.fmean(1 / place for place in places)
    print(f"Chinese and Japanese: {first} first, {third} among three, of {len(places)}; MRR {mean:.2f}")


def _machine() -> str:
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"


if __name__ == "__main__":
    raise SystemExit(main())
