"""The estimators' docstrings, in the form that numpydoc reads: a name, its type, and what it is on the next line."""

import ast
import inspect
import re

import pytest

import kpviz

ESTIMATORS = [
    name for name in kpviz.__all__ if inspect.isclass(getattr(kpviz, name)) and hasattr(getattr(kpviz, name), "fit")
]


def entries(text, title):
    """The entries of a section: name, type and description of each."""
    match = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"^(\S.*?) : (.+)\n((?:    .+(?:\n|\Z))+)", match[1], re.MULTILINE) if match else []


@pytest.mark.parametrize("name", ESTIMATORS)
def test_each_parameter_has_a_type_a_default_and_a_sentence(name):
    kind = getattr(kpviz, name)
    text = inspect.cleandoc(kind.__doc__)
    parameters = inspect.signature(kind.__init__).parameters
    found = entries(text, "Parameters")
    assert found
    for parameter, described, sentence in found:
        kinds, default = re.fullmatch(r"(.{1,60}), default=(\S+)", described).groups()
        assert kinds
        assert ast.literal_eval(default) == parameters[parameter].default
        assert sentence.strip().rstrip(")").endswith(".")
    shared = inspect.cleandoc(kpviz.KernelPerceptron.__doc__)
    known = {parameter for parameter, *_ in (*found, *entries(shared, "Parameters"))}
    assert set(parameters) - {"self"} <= known


@pytest.mark.parametrize("name", ["KernelPerceptron", "FisherDiscriminant"])
def test_each_attribute_of_a_fitted_estimator_is_described_with_its_type(name):
    model = getattr(kpviz, name)().fit([[0.0, 1.0], [1.0, 0.0], [0.5, 0.1], [0.2, 0.9]], [0, 1, 1, 0])
    described = entries(inspect.cleandoc(type(model).__doc__), "Attributes")
    assert {attribute for attribute, *_ in described} == {own for own in vars(model) if re.fullmatch(r"[a-z]\w*_", own)}
    assert all(kind.startswith(("ndarray of shape", "int", "float", "Run")) for _, kind, _ in described)
