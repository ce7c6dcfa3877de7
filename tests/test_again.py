"""What is said of a test that was tried twice, however it failed and however pytest was asked to
print it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CONFTEST = f"""
import sys

import pytest

sys.path.insert(0, {str(HERE)!r})
from again import TRIED, twice


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    return twice(item, nextitem)


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, why in report.user_properties:
            if name == TRIED and report.when == "call":
                terminalreporter.write_line(f"{{report.location[2]}} -- {{why}}")
"""
TESTS = """
import pytest

tries = []


def first(error):
    if str(error) not in tries:
        tries.append(str(error))
        raise error


@pytest.fixture
def failing():
    first(LookupError("in the fixture"))


def test_plain():
    first(ValueError("once"))


def test_assertion_of_several_lines():
    tries.append("several")
    assert tries.count("several") > 1, "one\\ntwo"


def test_group():
    first(ExceptionGroup("several", [ValueError("one"), OSError("two")]))


def test_nested_group():
    first(ExceptionGroup("outer", [ExceptionGroup("inner", [ValueError("deep"), OSError("two")]), KeyError("three")]))


def test_chained():
    try:
        raise KeyError("cause")
    except KeyError as cause:
        if "chained" not in tries:
            tries.append("chained")
            raise RuntimeError("effect") from cause


def test_fixture(failing):
    pass


def test_always():
    raise ZeroDivisionError("again")
"""
SAID = {
    "test_plain": "ValueError: once",
    "test_assertion_of_several_lines": "AssertionError: one",
    "test_group": "ExceptionGroup: several ",
    "test_nested_group": "ExceptionGroup: outer ",
    "test_chained": "RuntimeError: effect",
    "test_fixture": "LookupError: in the fixture",
    "test_always": "ZeroDivisionError: again",
}


@pytest.mark.parametrize("style", ["auto", "long", "short", "line", "native", "no"])
def test_the_run_goes_on_after_any_failure_and_says_why_each_test_was_tried_twice(tmp_path, style):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_failures.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", f"--tb={style}", "-p", "no:cacheprovider", "."]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=120
    )
    assert "1 failed, 6 passed" in done.stdout
    said = re.findall(r"^(\w+) -- line \d+: (.*)$", done.stdout, re.MULTILINE)
    assert dict(said).keys() == SAID.keys()
    assert [sentence for name, sentence in said if not sentence.startswith(SAID[name])] == []
