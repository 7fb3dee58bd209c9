"""Show the main job: four recorded Pi sessions become memory that explains itself. No key, no network, nothing kept.

Every step is the real command, run in a throw-away home folder, exactly as printed.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMONBOOK = Path(sys.executable).parent / "commonbook"
RECORDINGS = Path(__file__).resolve().parents[1] / "tests" / "recordings"
STORIES = ("pi-0.85.1/stories/tobin-lanternfish", "pi-1.6.0/stories/xuwenzhou-saltmarsh")
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Read the recorded sessions (English and Chinese)", ("capture", "--session-dir", "{first}")),
    ("", ("capture", "--session-dir", "{second}")),
    ("Turn what was said into memory; -v also names each message that was left out", ("maintain", "-v")),
    ("The memory as it stands now: plain Markdown", ("show", "--all")),
    ("Why is this in my memory?", ("why", "preferences")),
    ("Find something again, by words", ("search", "package manager pnpm")),
    ("… in Chinese too", ("search", "日志 logging")),
    ("Reading the same sessions again adds nothing", ("capture", "--session-dir", "{first}")),
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="commonbook-demo-") as home:
        environment = {**os.environ, "HOME": home, "COMMONBOOK_HOME": f"{home}/.commonbook"}
        places = {name: str(RECORDINGS / story) for name, story in zip(("first", "second"), STORIES, strict=True)}
        for title, words in STEPS:
            if title:
                print(f"\n── {title}", flush=True)
            command = [word.format(**places) for word in words]
            print(f"$ commonbook {' '.join(_short(word) for word in command)}", flush=True)
            done = subprocess.run([COMMONBOOK, *command], env=environment, check=False)
            if done.returncode:
                print(f"\nThe demo stopped: the command above ended with {done.returncode}.", file=sys.stderr)
                return 1
    print("\nThat memory was thrown away. For your own: `pipx install .`, then `commonbook`.")
    return 0


def _short(word: str) -> str:
    shown = word.replace(str(RECORDINGS), "tests/recordings")
    return f'"{shown}"' if " " in shown else shown


if __name__ == "__main__":
    sys.exit(main())
