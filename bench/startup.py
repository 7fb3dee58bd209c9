"""CPU time of starting the program, beside ``python -c pass`` in the same run: ``python -m bench.startup [runs]``."""

import os
import resource
import statistics
import subprocess
import sys

RUNS = 15
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import click'": [sys.executable, "-c", "import click"],
    "commonbook --help": [sys.executable, "-m", "commonbook.app", "--help"],
    "commonbook queue --help": [sys.executable, "-m", "commonbook.app", "queue", "--help"],
    "commonbook show --help": [sys.executable, "-m", "commonbook.app", "show", "--help"],
}


def cpu_milliseconds(command: list[str]) -> float:
    """User and system time of one child."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env={**os.environ, "COMMONBOOK_LANG": "en"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main(runs: int) -> None:
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):  # by turns, so that a busy moment touches all alike
        for name, command in COMMANDS.items():
            taken[name].append(cpu_milliseconds(command))
    base = statistics.median(taken["python -c pass"])
    print(f"CPU milliseconds, median of {runs}; ratio to python -c pass")
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name:28} {middle:7.1f}  {middle / base:5.1f}x")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
