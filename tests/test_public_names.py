"""The public names and their parameters: a name that goes, or a parameter that moves, breaks
somebody's code.
"""

import inspect
import re
from pathlib import Path

import pytest

import kpviz
from kpviz import kernels, learners, primal, theory

LIST = Path(__file__).parent / "before" / "names.txt"
SHOWN_WHOLE = (kpviz.Run, kpviz.State)  # what one is handed, with all that it offers


def parameters(thing):
    return f"({', '.join(inspect.signature(thing).parameters)})" if callable(thing) else ""


def public():
    for module in (kpviz, kernels, learners, primal, theory):
        for name in sorted(module.__all__):
            thing = getattr(module, name)
            if inspect.ismodule(thing):
                continue
            yield f"{module.__name__}.{name}{parameters(thing)}"
            if thing in SHOWN_WHOLE:
                members = (each for each in dir(thing) if not each.startswith("_"))
                yield from (
                    f"{module.__name__}.{name}.{each}{parameters(getattr(thing, each))}"
                    for each in members
                )


def test_the_public_names_are_those_of_the_list():
    """A new name is a new line of `tests/before/names.txt`; a line that is there goes on being
    true.
    """
    listed = LIST.read_text(encoding="utf-8").splitlines()
    there = list(public())
    assert not (gone := [line for line in listed if line not in there]), f"gone or changed: {gone}"
    assert not (new := [line for line in there if line not in listed]), (
        f"not yet in {LIST.name}: {new}"
    )


def test_every_kernel_and_learner_of_the_app_is_exported():
    for module, table in ((kernels, kernels.KERNELS), (learners, learners.LEARNERS)):
        for kind in table.values():
            assert kind.__name__ in module.__all__, (
                f"{kind.__name__} is not in __all__ of {module.__name__}"
            )
            assert getattr(module, kind.__name__) is kind


def callables():
    for module in (kpviz, kernels, learners, primal, theory):
        for thing in (getattr(module, name) for name in module.__all__):
            if callable(thing) and not inspect.ismodule(thing):
                yield thing
    for owner in SHOWN_WHOLE:
        yield from (
            getattr(owner, name)
            for name in dir(owner)
            if name[0] != "_" and callable(getattr(owner, name))
        )


@pytest.mark.parametrize("thing", list(callables()), ids=lambda thing: thing.__qualname__)
def test_every_parameter_is_described_as_numpydoc_reads_it(thing):
    sections = re.findall(
        r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=\n\n|\Z)",
        inspect.getdoc(thing),
        re.DOTALL | re.MULTILINE,
    )
    lines = re.findall(r"^([\w, ]+) : \S", "\n".join(sections), re.MULTILINE)
    described = {name for line in lines for name in line.split(", ")}
    assert set(inspect.signature(thing).parameters) - {"self"} <= described
