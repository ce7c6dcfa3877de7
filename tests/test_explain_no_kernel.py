"""What is said of functions that are no kernels: squared norms that turn negative, and epochs that repeat."""

import re

import numpy as np
import pytest
from written import read

import kpviz
from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings

ODD = {
    "sigmoid": {"kernel": "sigmoid", "epochs": 9},
    "minus the distance": {"kernel": "formula", "formula": "-norm(u - v)", "epochs": 6},
    "with a learning rate and b": {"kernel": "sigmoid", "eta": 0.3, "intercept": "unit", "epochs": 5},
    "a square": {"kernel": "formula", "formula": "(dot(u, v) - 1)**2", "data": "moons", "n": 30, "epochs": 8},
    "with a budget": {"kernel": "sigmoid", "learner": "oldest", "budget": 6, "epochs": 4},
}


def norm_at(run, t):
    coef = run.state_at(t).coef
    return sum(a * b * k for a, row in zip(coef, run.gram, strict=True) for b, k in zip(coef, row, strict=True))


@pytest.mark.parametrize("name", ODD)
def test_the_counter_tells_the_squared_norm_of_each_instant_where_it_ever_turns_negative(name):
    run = experiment.run(Settings.of(**ODD[name]))
    norms = [norm_at(run, t) for t in range(0, run.n_steps + 1, 7)]
    assert min(norms) < -0.01
    for t, norm in zip(range(0, run.n_steps + 1, 7), norms, strict=True):
        before, norm_shown = explain.counter(run, t).split(" · ‖f‖² = ")
        assert before.endswith(("mistakes", " 1 mistake"))
        assert read(norm_shown) == pytest.approx(
            norm, rel=0.051, abs=0.0051
        )  # as exact as two digits, or two decimals, are
    assert "‖f‖²" not in explain.counter(run, run.n_steps, stream=True)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"kernel": "subsets", "data": "bits"},
        {"data": "texts"},
        {"kernel": "density", "epochs": 4},
        {"kernel": "formula", "formula": "exp(-norm(u-v)**4)", "epochs": 2},  # refuted, but not by this run
        {"kernel": "sigmoid", "stream": "on", "n": 200},
    ],
)
def test_a_squared_norm_that_never_turns_negative_is_not_told(given):
    made = Settings.of(**given)
    run = experiment.run(made)
    stream = made.stream == "on"
    assert not any("‖f‖²" in explain.counter(run, t, stream=stream) for t in range(0, run.n_steps + 1, 9))
    assert "‖f‖²" not in explain.ending(run, stream=stream)
    assert stream or min(norm_at(run, t) for t in range(0, run.n_steps + 1, 9)) >= -1e-9


@pytest.mark.parametrize("name", ["sigmoid", "minus the distance", "with a learning rate and b", "a square"])
def test_the_end_says_at_which_step_the_squared_norm_turned_negative(name):
    run = experiment.run(Settings.of(**ODD[name]))
    (step,) = re.findall(r"‖f‖² was negative at step (\d+), which no kernel lets it be", explain.ending(run))
    assert norm_at(run, int(step)) < 0
    assert all(norm_at(run, t) > -1e-9 for t in range(int(step)))
    assert explain.explain(run, run.n_steps).sentence.endswith(explain.ending(run))
    assert explain.payload(run)["end"] == explain.ending(run)


@pytest.mark.parametrize(
    ("made", "period"),
    [
        ({"kernel": "formula", "formula": "-norm(u - v)", "epochs": 12}, 1),
        ({"kernel": "sigmoid", "data": "moons"}, 4),
    ],
)
def test_the_end_says_which_epochs_repeat_each_other_and_they_do(made, period):
    run = experiment.run(Settings.of(**made))
    e, rows = run.n_epochs, run.mistake.reshape(run.n_epochs, -1)
    again = [p for p in range(1, e // 3 + 1) if (rows[-2 * p :] == rows[-3 * p : -p]).all()]
    assert again[0] == period
    one = f"The mistakes of epoch {e} are those of epoch {e - 1}, and of {e - 2}: it repeats itself."
    many = f"The mistakes of epochs {e - 3} to {e} are those of the 4 epochs before, and of the 4 before those"
    assert (one if period == 1 else many) in explain.ending(run)
    assert ("for ever" in explain.ending(run)) == (period == 1)


def test_what_is_said_to_repeat_for_ever_does_so_in_a_longer_run():
    made = Settings.of(kernel="formula", formula="-norm(u - v)", epochs=12)
    assert "for ever" in explain.ending(experiment.run(made))
    rows = experiment.run(made.replace(epochs=200)).mistake.reshape(200, -1)
    assert (rows[11:] == rows[11]).all()


def test_contradicting_examples_are_named_before_what_a_function_did_that_is_no_kernel():
    X = np.array([[0.3, 0.2], [0.3, 0.2], [-0.5, 0.1]])
    kernel = kpviz.kernels.Formula("-norm(u - v)")
    run = kpviz.train(kpviz.learners.Perceptron(), X, [1.0, -1.0, 1.0], kernel=kernel, epochs=9)
    assert explain.ending(run).endswith("It never will: x₀ and x₁ differ only in their labels.")


def test_of_no_examples_no_norm_is_told():
    made = Settings.of(data="drawn", kernel="density", combine="sum", kernel2="sigmoid")
    run = experiment.run(made)
    assert explain.counter(run, 0) == "step 0 of 0 · 0 mistakes"
    assert explain.ending(run) == explain.ENDS["empty"]
