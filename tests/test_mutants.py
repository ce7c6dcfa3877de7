"""What plants faults: each is one change that can be read, those that tests see are killed, and no
file is touched.
"""

import ast
import subprocess
from pathlib import Path

import mutants
import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("room", ["service", "model"])  # of each language one
def test_faults_are_drawn_by_where_they_are_and_each_is_one_change(room):
    faults = mutants.drawn(ROOT, room, 60, seed=1)
    assert len({(fault.path, fault.function) for fault in faults}) == len(faults) == 60
    assert len({fault.kind for fault in faults}) >= 5
    assert mutants.drawn(ROOT, room, 20, seed=1) == faults[:20]
    assert mutants.drawn(ROOT, room, 20, seed=2) != faults[:20]
    for fault in faults:
        text = (ROOT / fault.path).read_text(encoding="utf-8")
        assert text[fault.start : fault.end] == fault.before != fault.after
        if fault.path.endswith(".py"):
            assert ast.dump(ast.parse(fault.planted(text))) != ast.dump(ast.parse(text))


CODE = """
def larger(a, b):
    return max(a, b)


def halved(number):
    return number / 2
"""
TEST = """
import pytest
from kpviz.engine.one import halved, larger


@pytest.mark.parametrize("a", [1], ids=["of two - numbers"])
def test_larger(a):
    assert larger(a, 2) == 2


def test_halved():
    assert halved(0) == 0
"""
FILES = {
    "kpviz/__init__.py": "",
    "kpviz/engine/__init__.py": "",
    "kpviz/engine/one.py": CODE,
    "tests/test_one.py": TEST,
}


def test_what_a_test_sees_is_killed_what_none_sees_lives_and_the_checkout_stays_as_it_is(
    tmp_path, capsys
):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    mutants.main(["--checkout", str(tmp_path), "--engine", "2"])
    *verdicts, _, last = capsys.readouterr().out.splitlines()
    assert sorted(line.split(" [")[0].split(maxsplit=1)[0] for line in verdicts) == [
        "killed",
        "live",
    ]
    assert "larger: max -> min [tests/test_one.py::test_larger[of two - numbers]]" in "".join(
        verdicts
    )
    assert last.split() == ["engine", "2", "1", "1", "0", "50%"]
    assert {name: (tmp_path / name).read_text() for name in FILES} == FILES
