"""`scripts/plain.py` finds each kind of code that does not read plainly, and leaves the others alone."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "plain.py"


@pytest.fixture(scope="module")
def plain():
    spec = importlib.util.spec_from_file_location("plain", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def faults(plain, tmp_path):
    def of(**texts):
        files = []
        for name, text in texts.items():
            files.append(tmp_path / "kpviz" / f"{name}.py")
            files[-1].parent.mkdir(parents=True, exist_ok=True)
            files[-1].write_text(text, encoding="utf-8")
        return list(plain.faults(files, tmp_path))

    return of


VAGUE_NAMES = (
    "found = 1",
    "for each in (1, 2):\n    pass",
    "def shown():\n    pass",
    "def function(x, asked=1):\n    pass",
    "def function(*, given):\n    pass",
    "def function(**own):\n    pass",
    "self.kept = 1",
    "class Holder:\n    said: int = 1",
    "print([wanted for wanted in ()])",
    "print(lambda rest: 1)",
    "with open('') as _beside:\n    pass",
    "ANEW = 1",
    "first, *onward = 1, 2",
    "try:\n    pass\nexcept OSError as found:\n    pass",
    "match 1:\n    case [kept, *_]:\n        pass",
    "match 1:\n    case [_, *rest]:\n        pass",
)


@pytest.mark.parametrize("text", VAGUE_NAMES)
def test_a_vague_name_is_found_wherever_it_is_made(faults, text):
    (fault,) = faults(a=text)
    assert fault.endswith("does not say what it holds")


@pytest.mark.parametrize(
    "text", ["a, b = 1, 2", "a, self.b = [], f(c)", "def f():\n    a, b = b, c"]
)
def test_several_assignments_in_one_are_found(faults, text):
    (fault,) = faults(a=text)
    assert "one statement assigns several values" in fault


@pytest.mark.parametrize(
    "text",
    [
        "if a := f():\n    pass",
        "while not (a := f()):\n    pass",
        "b = 1 if (a := f()) else 2",
        "print([a for b in () if (a := f(b))])",
    ],
)
def test_an_assignment_in_a_condition_is_found(faults, text):
    (fault,) = faults(a=text)
    assert fault.endswith("a condition assigns: assign before it")


@pytest.mark.parametrize(
    "text", ["import a as b", "from a import b as c", "from a import (\n    b,\n    d as c,\n)"]
)
def test_an_import_under_another_name_is_found(faults, text):
    (fault,) = faults(a=text)
    assert fault.endswith("leave it its name")


def test_two_classes_of_one_name_are_found_in_both_files(faults):
    same = faults(
        a="class Part:\n    pass", b="\nclass _Part:\n    pass", c="class Whole:\n    pass"
    )
    assert same == [
        "kpviz/a.py:1: 2 classes are called Part",
        "kpviz/b.py:2: 2 classes are called Part",
    ]


def test_plain_code_passes(faults):
    text = """
import numpy as np
a, b = b, a
a, b = b, a + b
first, *others = 1, 2
a, b = pair
point = 1, 2
a = b = 1
print(found, self.kept)
total = (n := 3) + n
"""
    assert faults(a=text, b="class Run:\n    pass", c="class Run:\n    pass") == []


def test_what_is_exempt_is_there(plain):
    for path, name in plain.EXEMPT_NAMES:
        assert f"{name}" in (plain.ROOT / path).read_text(encoding="utf-8")
    classes = [
        line
        for file in plain.python_files(plain.ROOT)
        for line in file.read_text(encoding="utf-8").split("\n")
    ]
    for name in plain.EXEMPT_CLASSES:
        assert sum(line.startswith(f"class {name}") for line in classes) > 1


def test_a_comment_begins_as_a_sentence_does(faults):
    text = """\
a = 1  # characters of a name
# a node of the tree
b = 2
# Of a number, or of each component of a vector.
B = 3
# Whether it is asked.
B = 4
# kpviz/engine/run.py writes it.
# It goes on
# in a second line.
c = 3  # type: ignore[misc]
d = 4  # k(x, x) is 1.
e = "# no comment"
"""
    expected = [
        f"kpviz/engine/a.py:{line}: a comment is a sentence with a reason" for line in (1, 2, 4, 6)
    ]
    assert faults(**{"engine/a": text}) == expected
    assert len(faults(**{"player/b": text})) == len(expected)
