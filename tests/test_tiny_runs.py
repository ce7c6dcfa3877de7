"""However few points someone has drawn, everything about their run can be computed, said, sent and
pictured.
"""

import json
import math
from dataclasses import asdict
from functools import cache

import numpy as np
import pytest
from covering import covering, in_turn
from drawing import drawn, png

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.kernels import KERNELS as ALL_KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.lessons import comparison, explain
from kpviz.lessons.comparison import Pin
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.player.extras import EXTRAS
from kpviz.settings import DRAWN, HAND, Settings

PLACES = np.array([[0.5, 0.5], [-0.5, 0.5], [0.5, 0.5], [0.0, 0.0], [-0.2, -0.1]])
KERNELS = ("linear", "gaussian", "polynomial", "sigmoid")
VECTOR_KERNELS = [name for name, kind in ALL_KERNELS.items() if kind.compares == "vectors"]
TINY = {
    "nothing": ([], [], 0),
    "one": ([0], [1], 0),
    "one, of the other class": ([0], [-1], 0),
    "one, at the origin": ([3], [1], 0),
    "one class": ([0, 1, 4], [1, 1, 1], 0),
    "one of each": ([0, 1], [1, -1], 0),
    "one place, two labels": ([0, 2], [1, -1], 0),
    "one place twice": ([0, 2], [1, 1], 0),
    "two labels at the origin": ([3, 3, 3], [1, -1, 1], 0),
    "one, and one held out": ([0, 1], [1, -1], 1),
    "one held out": ([0], [1], 1),
    "all held out": ([0, 1, 2, 4], [1, -1, -1, 1], 4),
}


def tiny(name, **more):
    at, labels, held = TINY[name]
    code = Drawn.of(PLACES[at], np.array(labels, dtype=float), held).code
    return Settings.of(data=DRAWN, points=code, epochs=4, **more)


@cache
def trained(settings):
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


def place_of(run, t):
    """What the counter begins with: examples that were shown, or steps of a learner that chooses."""
    if t == 0:
        return "Not started"
    shown = t - run.epoch_start[run.epoch_start < t][-1]
    if run.learner.chooses:
        return f"Step {shown}, "
    return f"{shown} of {explain.counted(len(run.y), 'example')}, "


def is_finite(value):
    """Whether all numbers within are; what there is none of is None."""
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


@in_turn(covering(TINY, LEARNERS, KERNELS, PREDICTORS), lambda name, learner, *_: learner)
def test_a_tiny_run_is_trained_said_sent_compared_bounded_and_pictured(
    name, learner, kernel, predictor
):
    settings = tiny(name, learner=learner, kernel=kernel, predictor=predictor)
    split, run = trained(settings)
    header, arrays = payload.unpack(
        payload.encode(Experiment.of(settings, split, run), extra_names=EXTRAS)
    )
    assert (header["n"], header["nTest"], header["nSteps"]) == (
        len(split.y),
        len(split.y_test),
        run.n_steps,
    )
    assert set(header["extras"]) == set(EXTRAS)
    assert is_finite(header)
    assert all(np.isfinite(array).all() for array in arrays.values())
    assert arrays["X"].shape == (len(split.y) + len(split.y_test), 2)
    for t in range(run.n_steps + 1):
        explained = explain.explain(run, t)
        assert explained.sentence.endswith((".", "?", "no"))
        assert "{" not in explained.sentence
        assert "nan" not in " ".join([explained.sentence, *explained.numbers.values()]).split()
        assert explain.counter(run, t).startswith(place_of(run, t))
    found = comparison.summary(settings, split, run)
    assert is_finite(asdict(found))
    assert (found.train_error is None) == (len(split.y) == 0)
    assert (found.test_error is None) == (len(split.y_test) == 0)
    assert json.dumps(comparison.names((Pin.of(settings),), Pin.of(settings).on(tiny(name))))
    for bound in experiment.bounds(settings, run):
        assert not math.isnan(bound.value)
        assert not np.isnan(bound.values).any()
        if bound.applies and not bound.vacuous and bound.key == "plain":
            assert run.mistake.sum() <= bound.value
    if kernel == "linear":
        picture = drawn(settings)
        assert picture.get_label() == explain.counter(run, run.n_steps)
        assert png(picture, dpi=20).startswith(b"\x89PNG")


@in_turn(covering(VECTOR_KERNELS, LEARNERS, ("off", "on")), lambda kernel, *_: kernel)
def test_an_empty_map_is_sent_with_all_extras_whatever_the_kernel(kernel, learner, normalize):
    settings = tiny("nothing", kernel=kernel, learner=learner, normalize=normalize)
    assert settings.kernel == kernel
    split, run = trained(settings)
    header, _ = payload.unpack(
        payload.encode(Experiment.of(settings, split, run), extra_names=EXTRAS)
    )
    reasons = [header["extras"][name]["why"] for name in ("primal", "gram", "similar", "lift")]
    bounds = [bound["why"] for bound in header["extras"]["bound"]]
    assert "There are no examples yet." in [*reasons, *bounds]
    assert not any(word in why for why in [*reasons, *bounds] for word in ("shape", "fitted"))
    assert not any("semidefinite" in why for why in bounds)


@pytest.mark.parametrize("learner", LEARNERS)
def test_without_examples_nothing_happens_and_what_to_do_is_said(learner):
    for name in ("nothing", "one held out", "all held out"):
        _, run = trained(tiny(name, learner=learner))
        assert (run.n_steps, run.n_epochs, run.converged) == (0, 0, False)
        assert run.state_at(0).coef.shape == (0,)
        for predictor in PREDICTORS:
            assert run.decision_function(PLACES, predictor=predictor).tolist() == [0.0] * len(
                PLACES
            )
        assert "No examples yet" in explain.explain(run, 0).sentence


def test_one_example_costs_one_mistake_and_an_order_by_hand_of_few_or_none_is_an_order():
    for name in ("one", "one, of the other class", "one place twice"):
        _, run = trained(tiny(name))
        assert (run.mistake.sum(), run.end) == (1, "clean")
    for name, expected in (("nothing", []), ("one", [0]), ("one of each", [1, 0])):
        _, run = trained(tiny(name, order=HAND, sequence="AB"))
        assert run.index.tolist()[: len(expected)] == expected
