"""Every benchmark runs, shortened, so that none falls behind what it measures. Its numbers then mean nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OF_THE_PROCESSOR = ("engine", "formula", "service", "endurance", "film")
OF_THE_BROWSER = ("browser", "page")
PROC = Path("/proc/self/statm")
PATIENCE = 300  # s, on a busy machine


def run(*arguments):
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)


def runs(name):
    done = run("--quick", name)
    assert done.returncode == 0, done.stdout + done.stderr
    title, _, *rows = done.stdout.strip().splitlines()
    assert title == name
    assert len(rows) >= 3
    assert [row for row in rows if not re.search(r"\d|\[\]", row)] == [], "each row has its number, or an empty list"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(name == "endurance" and not PROC.exists(), reason="reads /proc"))
        for name in OF_THE_PROCESSOR
    ],
)
def test_a_benchmark_runs(name):
    runs(name)


@pytest.mark.browser
@pytest.mark.parametrize("name", OF_THE_BROWSER)
def test_a_benchmark_in_the_browser_runs(name, browser_path, monkeypatch):
    monkeypatch.setenv("KPVIZ_BROWSER", browser_path)
    runs(name)


def test_every_benchmark_is_tried_here():
    """Each module with a `main` is one; the rest is shared by them."""
    files = (ROOT / "benchmarks").glob("*.py")
    found = {path.stem for path in files if "def main(" in path.read_text(encoding="utf-8")} - {"__main__"}
    assert found == {*OF_THE_PROCESSOR, *OF_THE_BROWSER}


def test_a_name_that_is_no_benchmark_is_refused_in_one_sentence():
    done = run("--quick", "engin")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("there is no benchmark named engin.")
