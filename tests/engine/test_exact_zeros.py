"""What is 0 by hand is 0: decimals against fractions, in training and in every reading, and on
other processors.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import fractions_by_hand as by_hand
import numpy as np
import pytest
from decimals import KERNELS, LINKS, drawn
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz import experiment
from kpviz.engine.run import predictors
from kpviz.kernels import Linear, Monomial, Polynomial, Sigmoid
from kpviz.learners import Norma, PassiveAggressive, Perceptron, RemoveOldest
from kpviz.settings import Settings

TENTH = Fraction(1, 10)
LEARNERS = {
    **{
        f"perceptron {eta} {intercept} {tie}": (
            Perceptron(float(eta), intercept, tie),
            lambda gram, y, eta=eta, intercept=intercept, tie=tie: by_hand.perceptron(
                gram, y, 4, eta, intercept, tie
            ),
        )
        for eta, intercept, tie in product(
            (Fraction(1), TENTH, Fraction(3, 100)),
            ("none", "unit", "radius"),
            ("mistake", "correct", "positive", "negative"),
        )
    },
    "oldest": (RemoveOldest(2), lambda gram, y: by_hand.remove_oldest(gram, y, 4, 2)),
    "PA": (
        PassiveAggressive("PA"),
        lambda gram, y: by_hand.passive_aggressive(gram, y, 4, "PA", 1),
    ),
    "PA-I": (
        PassiveAggressive("PA-I", 0.1),
        lambda gram, y: by_hand.passive_aggressive(gram, y, 4, "PA-I", TENTH),
    ),
    "PA-II": (
        PassiveAggressive("PA-II", 0.1),
        lambda gram, y: by_hand.passive_aggressive(gram, y, 4, "PA-II", TENTH),
    ),
    "norma": (
        Norma(learning_rate=0.1, regularization=0.0, margin=0.3),
        lambda gram, y: by_hand.norma(gram, y, 4, TENTH, Fraction(0), Fraction(3, 10)),
    ),
    "norma that shrinks": (
        Norma(learning_rate=0.1, regularization=0.5, margin=0.3),
        lambda gram, y: by_hand.norma(gram, y, 4, TENTH, Fraction(1, 2), Fraction(3, 10)),
    ),
}


@pytest.mark.parametrize("grid", [10, 100])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_runs_on_decimals_are_those_by_hand(learner, kernel, grid):
    ours, theirs = LEARNERS[learner]
    function, exact = KERNELS[kernel]
    for seed in range(2):
        X, y = drawn(seed, grid)
        gram = by_hand.matrix(exact, by_hand.decimals(X))
        slow = theirs(gram, [int(label) for label in y])
        run = kpviz.train(ours, X, y, kernel=function, epochs=4)
        assert_array_equal(run.index, slow.index)
        assert_array_equal(run.mistake, slow.mistake)
        assert run.end == slow.end
        assert_array_equal(np.sign(run.score), [_sign(f) for f in slow.score])
        for predictor, right in by_hand.readings(slow, gram).items():
            f = predictors.scores(run, run.X, range(run.n_steps + 1), predictor)
            assert_array_equal(
                np.sign(f), [[_sign(value) for value in values] for values in right], predictor
            )
            assert_allclose(f, [[float(value) for value in values] for values in right], rtol=1e-9)
        assert_array_equal(
            np.sign(run.margins_at(run.n_steps)), np.sign(y * run.decision_function(X))
        )


def _sign(value):
    return (value > 0) - (value < 0)


def test_perpendicular_decimals_have_the_product_0():
    rng = np.random.default_rng(0)
    for _ in range(300):
        a, b, p, q = (int(k) for k in rng.integers(1, 20, 4))
        u, v = [[p * a / 10, p * b / 10]], [[q * b / 10, -q * a / 10]]
        formulas = [kpviz.kernels.Formula(text) for text in ("dot(u, v)", "sum(u*v)", "sum(2*u*v)")]
        for kernel in (Linear(), Monomial(3), Sigmoid(2.0, 0.0), *formulas):
            assert kernel(u, v)[0, 0] == 0.0
        assert Polynomial(2, 0.3)(u, v)[0, 0] == 0.3**2
    assert Polynomial(3, 0.12)([[0.3, 0.3]], [[-0.7, 0.3]])[0, 0] == 0.0  # -0.21 + 0.09 + 0.12
    assert Linear()([[1.0, 1e-9]], [[-1e-9, 1.0 + 1e-6]])[0, 0] > 0.0  # no rounding error


def test_each_column_is_added_as_by_hand_up_to_sixteen():
    rng = np.random.default_rng(1)
    for d in (1, 2, 3, 16):
        U, V = rng.standard_normal((5, d)), rng.standard_normal((4, d))
        slow = [[_added(u, v) for v in V.tolist()] for u in U.tolist()]
        assert_array_equal(Linear()(U, V), slow)
        assert_array_equal(Linear().diag(U), np.diag(Linear()(U, U)))


def _added(u, v):
    total = u[0] * v[0]
    for a, b in zip(u[1:], v[1:], strict=True):
        total += a * b
    return total


def run_of(given):
    settings = Settings.of(**given)
    return experiment.run(settings, experiment.prepare(settings))


@pytest.mark.parametrize("name", LINKS)
def test_links_that_rounding_decided_count_as_by_hand(name):
    given, t, predictor, wrong = LINKS[name]
    run = run_of(given)
    assert int((run.y * run.decision_function(run.X, t, predictor) <= 0).sum()) == wrong
    if name.startswith("two"):
        assert run.mistake[:2].tolist() == [True, True]
        assert run.score[:2].tolist() == [0.0, 0.0]


VERDICTS = """
import json, sys
import numpy as np
from kpviz import experiment
from kpviz.engine.run import cycling
from kpviz.settings import Settings
found = []
for given in json.loads(sys.argv[1]):
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    half = run.n_steps // 2
    wrong = [int((run.y * run.decision_function(run.X, t, kind) <= 0).sum())
             for t in (half, run.n_steps) for kind in ("last", "averaged", "voted")]
    repeats = str(cycling.cycle(run))
    found.append([run.index.tolist(), run.mistake.tolist(), run.end, wrong, repeats])
print(json.dumps(found))
"""
SOME = [
    *(given for given, *_ in LINKS.values()),
    {"kernel": "linear", "data": "linear", "epochs": 4},
    {"kernel": "polynomial", "degree": 3, "epochs": 4},
    {"kernel": "sigmoid", "epochs": 3},
    {"kernel": "gaussian", "data": "moons", "noise": 0.3, "epochs": 4},
    {"kernel": "linear", "learner": "oldest", "budget": 3, "epochs": 4},
    {"kernel": "linear", "learner": "pa", "epochs": 4},
    {"kernel": "linear", "learner": "norma", "epochs": 4},
    {"kernel": "linear", "learner": "projectron", "epochs": 4},
    {"data": "bits", "kernel": "subsets", "learner": "forgetron", "normalize": "on", "epochs": 4},
    {"data": "iris", "kernel": "linear", "epochs": 4},
    {"data": "bits", "kernel": "density", "b0": -100, "normalize": "on"},  # It repeats for ever.
    # After each step the two of a pair violate alike.
    {"learner": "svm", "kernel": "linear", "data": "linear", "C": 1000, "epochs": 20},
    {"learner": "svm", "kernel": "density", "data": "bits", "C": 1000, "seed": 609, "noise": 0.1},
    {"learner": "svm", "kernel": "polynomial", "data": "circles", "noise": 0.3, "C": 0.1},
]


def verdicts_on(**processor):
    root = str(Path(kpviz.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, **processor}
    done = subprocess.run(
        [sys.executable, "-c", VERDICTS, json.dumps(SOME)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_same_links_give_the_same_verdicts_on_other_processors():
    plain = verdicts_on()
    features = np._core._multiarray_umath.__cpu_dispatch__
    for processor in (
        {"OPENBLAS_CORETYPE": "Haswell"},
        {"NPY_DISABLE_CPU_FEATURES": " ".join(features), "OPENBLAS_CORETYPE": "Nehalem"},
    ):
        assert verdicts_on(**processor) == plain, processor


@pytest.mark.parametrize("resumed_at", [0, 4])
def test_the_mean_of_an_intercept_that_cancels_is_0(resumed_at):
    X = np.array([[-0.3], [-0.2], [-0.2], [0.0]])
    y = np.array([1, 1, -1, -1])
    learner = Perceptron(intercept="radius")
    run = kpviz.train(learner, X, y, epochs=6)
    if resumed_at:
        run = kpviz.train(learner, X, y, epochs=5, start=run.state_at(resumed_at))
    gram = by_hand.matrix(KERNELS["linear"][1], by_hand.decimals(X))
    slow = by_hand.perceptron(gram, y.tolist(), 6, Fraction(1), "radius", "mistake")
    del slow.states[1 : resumed_at + 1]
    steps = range(1, run.n_steps + 1)
    means = predictors.scores(run, X, steps, "averaged")
    right = by_hand.readings(slow, gram)["averaged"][1 : run.n_steps + 1]
    assert any(0 in values for values in right)
    assert_array_equal(np.sign(means), [[_sign(value) for value in values] for values in right])
