"""From settings to the bounds of their run."""

import math

import pytest

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.learners import LEARNERS
from kpviz.settings import BOOLEAN, Settings


def bounds(**given):
    made = Settings.of(**given)
    return experiment.bounds(made, experiment.run(made))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"data": "linear", "kernel": "linear"},
        {"data": "circles", "kernel": "polynomial"},
        {"data": "moons", "sigma": 0.3, "eta": 0.1},
        {"data": "linear", "kernel": "linear", "combine": "sum", "kernel2": "subsets"},
    ],
)
@pytest.mark.parametrize("intercept", ["none", "unit", "radius"])
def test_the_bound_counts_the_intercept_as_a_constant_feature_and_holds(given, intercept):
    made = Settings.of(**given, intercept=intercept, n=40)
    run = experiment.run(made)
    first = experiment.bounds(made, run)[0]
    shifted = run.gram + {"none": 0.0, "unit": 1.0, "radius": run.gram.diagonal().max()}[intercept]
    assert first.key == {"none": "plain", "unit": "unit", "radius": "radius"}[intercept]
    expected = theory.mistake_bound(shifted, run.y)
    if intercept == "radius":  # (2R/γ)², whose γ is the best of a hyperplane that need not pass through the origin
        margin = theory.max_margin_with_intercept(run.gram, run.y)
        assert first.value == pytest.approx(4 * run.gram.diagonal().max() / margin**2)
        assert first.value >= expected * (1 - 1e-9)
    else:
        assert first.value == pytest.approx(expected)
    assert first.applies
    assert run.mistake.sum() <= first.value


def test_the_bounds_of_a_run_are_those_of_theory_for_its_predictor():
    for given in ({}, {"kernel": "linear", "epochs": 3}, {"predictor": "voted", "epochs": 1}, {"learner": "svm"}):
        made = Settings.of(**given)
        run = experiment.run(made)
        ours, theirs = experiment.bounds(made, run), theory.bounds_of(run, predictor=made.predictor)
        assert [(a.key, a.value, a.why) for a in ours] == [(b.key, b.value, b.why) for b in theirs]
    assert bounds(predictor="voted", epochs=1)[0].key == "voted"


@pytest.mark.parametrize("data", ["xor", *OBJECTS])
@pytest.mark.parametrize("name", LEARNERS)
def test_a_bound_that_does_not_apply_says_why(name, data):
    found = bounds(data=data, learner=name, n=30, epochs=2)
    assert len(found) >= 1
    for bound in found:
        assert math.isfinite(bound.value) == bound.applies
        if not bound.applies or bound.vacuous:
            assert bound.why.endswith(".")


def test_the_bound_of_the_boolean_lesson_comes_first_and_holds_for_bits_only():
    for function in ("parity", "three", "x1 & !x2 | x3"):
        made = Settings.of(data=BOOLEAN, function=function)
        run = experiment.run(made)
        first = experiment.bounds(made, run)[0]
        assert (first.key, first.applies) == ("dnf", True)
        assert run.mistake.sum() <= first.value
    for data in ("xor", "texts"):
        assert "dnf" not in {bound.key for bound in bounds(data=data)}


def test_no_bound_is_given_where_there_is_no_feature_space():
    (bound,) = bounds(kernel="sigmoid")
    assert not bound.applies
    assert "not positive semidefinite" in bound.why
    assert bound.why.endswith(".")
