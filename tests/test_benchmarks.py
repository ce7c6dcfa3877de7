"""Every benchmark runs, shortened, so that none falls behind what it measures. Its numbers then mean nothing."""

import re
import runpy
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from apart import apart

from benchmarks import browser, endurance, service, timing

ROOT = Path(__file__).parents[1]
OF_THE_PROCESSOR = ("engine", "formula", "service", "endurance", "film")
OF_THE_BROWSER = ("browser", "page")
PROC = Path("/proc/self/statm")


@pytest.fixture(scope="module")
def served():
    """The server of all benchmarks that start one."""
    with browser.server() as started:
        yield started


@pytest.fixture
def one_server(served, monkeypatch):
    for module in (browser, endurance, service):
        monkeypatch.setattr(module, "server", lambda: nullcontext(served))


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command in this process, which has imported most of it; return its exit code and what it prints."""
    monkeypatch.setattr(timing, "quick", False)
    monkeypatch.chdir(ROOT)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["benchmarks", *arguments])
        try:
            # In a thread: where a browser of other tests is open, this one has a loop of events that runs.
            apart(lambda: runpy.run_module("benchmarks", run_name="__main__"))
        except SystemExit as left:
            return left.code, *capsys.readouterr()
        return 0, *capsys.readouterr()

    return run


def runs(command, name):
    code, printed, complaint = command("--quick", name)
    assert code == 0, printed + complaint
    title, _, *rows = printed.strip().splitlines()
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
def test_a_benchmark_runs(name, command, request):
    if name in ("service", "endurance"):
        request.getfixturevalue("one_server")
    runs(command, name)


@pytest.mark.browser
@pytest.mark.parametrize("name", OF_THE_BROWSER)
def test_a_benchmark_in_the_browser_runs(name, browser_path, command, monkeypatch, one_server):
    monkeypatch.setenv("KPVIZ_BROWSER", browser_path)
    runs(command, name)


def test_every_benchmark_is_tried_here():
    """Each module with a `main` is one; the rest is shared by them."""
    files = (ROOT / "benchmarks").glob("*.py")
    found = {path.stem for path in files if "def main(" in path.read_text(encoding="utf-8")} - {"__main__"}
    assert found == {*OF_THE_PROCESSOR, *OF_THE_BROWSER}


def test_a_name_that_is_no_benchmark_is_refused_in_one_sentence(command):
    code, _, complaint = command("--quick", "engin")
    assert code == 2
    assert complaint.splitlines()[-1].endswith("there is no benchmark named engin.")
