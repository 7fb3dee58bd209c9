"""What a stranger installs: the built wheel, in an environment of its own, typed, complete, and working."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
ROOT = Path(__file__).resolve().parents[2]
CONSUMER = """\
from commonbook.api import Gateway, MemoryAgent, open_gateway
from commonbook.channels.gateway.operations import ReadMemory


def whole_memory() -> str:
    gateway: Gateway = open_gateway()
    try:
        return gateway.call(ReadMemory()).rendered
    finally:
        gateway.close()


def name_of(agent: MemoryAgent) -> str:
    return agent.kind.value


if __name__ == "__main__":
    print(whole_memory())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_its_data_files_and_its_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    for needed in (
        "commonbook/py.typed",
        "commonbook/catalogue/en.toml",
        "commonbook/catalogue/zh.toml",
        "commonbook/ledger/schema/0001_first.sql",
        "commonbook/agents/skills/memory-maintenance.md",
        "commonbook/agents/skills/memory-recovery.md",
    ):
        assert needed in names
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.sql")}
    assert sources <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "bench/", "demo/"))]
    assert "License-Expression: Apache-2.0" in metadata
    assert "Requires-Python: >=3.11" in metadata


def test_a_stranger_installs_it_runs_it_and_types_against_it(wheel: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    python = venv / "bin" / "python"
    _run(sys.executable, "-m", "venv", venv)
    _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, "mypy==2.4.1")
    consumer = tmp_path / "consumer.py"
    consumer.write_text(CONSUMER)

    assert "commonbook" in _run(venv / "bin" / "commonbook", "--help")
    assert _run(venv / "bin" / "commonbook", "status", "--json", cwd=tmp_path).startswith('{"schema"')
    _run(python, consumer, cwd=tmp_path)
    assert "Success" in _run(
        python, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", consumer, cwd=tmp_path
    )


def _run(*argv: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [str(part) for part in argv],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
