"""Mapping the structure of texts: µs per KiB, and a megabyte at once.

python -m bench.structure
"""

from tests.corpora.secrets.corpus import HERE

from bench.support import ANSWER, WORDS, best, machine, tell
from commonbook.keeper.structure import map_structure

ROOT = HERE.parents[2]
MEGABYTE = 1_000_000


def texts() -> dict[str, str]:
    markdown = "\n\n".join(path.read_text() for path in sorted(ROOT.glob("**/*.md")) if ".venv" not in path.parts)
    return {
        "a message": WORDS,
        "an answer": ANSWER,
        "1 MB of Markdown": (markdown * (MEGABYTE // len(markdown) + 1))[:MEGABYTE],
        "1 MB without a mark": (WORDS * (MEGABYTE // len(WORDS)))[:MEGABYTE],
        "1 MB of short paragraphs": ("say what you can do\n\n" * MEGABYTE)[:MEGABYTE],
        "1 MB of Chinese": ("先跑测试，再提交。" * 40 + "\n\n") * 925,
    }


def main() -> None:
    tell(f"median; {machine()}\n\n{'text':26}{'bytes':>10}{'blocks':>9}{'ms':>10}{'µs/KiB':>10}")
    for name, text in texts().items():
        size = len(text.encode())
        taken = best(lambda text=text: map_structure(text), 5 if size > MEGABYTE // 2 else 101)  # type: ignore[misc]
        tell(f"{name:26}{size:>10}{len(map_structure(text)):>9}{taken * 1e3:>10.3f}{taken / size * 1024 * 1e6:>10.1f}")


if __name__ == "__main__":
    main()
