"""What the engine refuses: one sentence that names the argument."""

import math
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from textbook import one_sentence, random_data

import kpviz
from kpviz.engine import kernels, learners, theory
from kpviz.engine.data import boolean, objects
from kpviz.engine.data.dnf import Dnf
from kpviz.engine.fisher.discriminant import scatter
from kpviz.engine.kernels import (
    Function,
    Gaussian,
    Linear,
    Polynomial,
    Sigmoid,
    as_kernel,
    validity,
)
from kpviz.engine.learners import SVM, Forgetron, Norma, Perceptron, RemoveOldest
from kpviz.engine.theory import max_margin, max_margin_with_intercept, mistake_bound

X, Y = (
    np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]),
    np.array([-1.0, 1.0, 1.0, -1.0]),
)
IRIS = load_iris(return_X_y=True)
INDEFINITE = Sigmoid(1.0, -1.0)(*[[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]] * 2)

TRAINING = {
    "X": [[1.0, 2.0, 3.0, 4.0], np.zeros((4, 0)), X * np.nan, [[np.inf, 1.0]] * 4, [["a", "b"]] * 4, [[1.0, 2.0],
    [1.0]],
          None, X + 1j, [[1j, 2.0]] * 4, np.zeros((0, 2))],
    "y": [[1, -1], [0, 1, 1, 0], [-1, 1, 1, np.nan], ["a", "b", "b", "a"], [[1], [-1], [1], [-1]], None, Y + 0j],
    "kernel": ["rbf", 3, Gaussian, lambda U, V: np.ones(3), lambda U, V: np.full((len(U), len(V)), np.nan),
               lambda U, V: np.full((len(U), len(V)), 1j), lambda U, V: U @ np.triu(np.ones((2, 2))) @ V.T],
    "order": ["sorted", None, [], [0.0, 1.0], [True, False], [0, 4], [0, -1], [[0, 1], [2]], np.zeros((2, 2, 2), int)],
    "epochs": [0, 2.5, True, None],
    "seed": [-1, "a", None],
    "start": [kpviz.State(0, np.zeros(3), np.zeros(3), 0.0), np.zeros(4), kpviz.State(0, Y * np.nan, Y, 0.0)],
    "learner": ["perceptron", Perceptron],
    "progress": [5],
}  # fmt: skip
READING = {
    "t": [
        ("state_at", -1),
        ("state_at", 10**9),
        ("state_at", 1.5),
        ("margins_at", None),
        ("decision_function", X, -1),
    ],
    "Z": [("decision_function", Z) for Z in (np.ones((2, 3)), [1.0, 2.0], X * np.nan, X + 1j)],
    "predictor": [("decision_function", X, 1, "best")],
}

RATE, SHARE = (0.0, -1.0, np.nan, np.inf, "1", True, None), (-0.1, np.nan, np.inf, "0", True, None)
COUNT, NAME = (0, -1, 2.5, "10", True), ("unknown", None, 1)
WIDTH = (0.0, -1.0, None, np.nan, 1e-200, 1e200)
MADE = {
    "Perceptron": {"learning_rate": RATE, "intercept": NAME, "tie": NAME},
    "Forgetron": {"budget": (*COUNT, None), "variant": NAME},
    "RemoveOldest": {"budget": (*COUNT, None)},
    "RandomizedBudget": {"budget": (*COUNT, None)},
    "Projectron": {"threshold": SHARE},
    "Norma": {"learning_rate": RATE, "regularization": (*SHARE, 2.1), "margin": SHARE, "nu": (0.0, 1.1, np.nan,
    "0.5", True),
              "schedule": NAME, "truncation": COUNT, "fit_intercept": ("yes", None, 2)},
    "PassiveAggressive": {"variant": NAME, "C": RATE},
    "SVM": {"C": RATE, "tol": RATE},
    "KernelLogistic": {"learning_rate": RATE, "regularization": (*SHARE, 2.1)},
    "Polynomial": {"degree": COUNT, "coef0": SHARE},
    "Monomial": {"degree": COUNT},
    "Gaussian": {"sigma": WIDTH},
    "Laplacian": {"sigma": (*WIDTH, 1e-320)},
    "Matern32": {"sigma": WIDTH},
    "Matern52": {"sigma": WIDTH},
    "Sigmoid": {"gamma": RATE, "coef0": (np.inf, "0")},
    "AllSubsets": {"negated": (1, "yes", None)},
    "Mixture": {"components": (0, 9, 2.5, True)},
    "Density": {"components": (0, 9, 2.5, True)},
    "Spectrum": {"length": (0, 1.5, True, "3")},
    "WeisfeilerLehman": {"rounds": (-1, 1.0, False)},
}  # fmt: skip
DATASET = [
    ("name", {"name": "rings"}), ("name", {"name": None}), ("n_samples", {"n_samples": 1}), ("n_samples",
    {"n_samples": 10.0}),
    ("n_samples", {"name": "iris", "n_samples": 101}), *(("noise", {"noise": bad}) for bad in (-0.1, math.nan, "much")),
    *(("seed", {"seed": bad}) for bad in (-1, 1.5)), *(("flipped", {"flipped": bad}) for bad in (0.6, -0.1)),
    *(("balance", {"balance": bad}) for bad in (0.0, 0.99)), ("features", {"features": (0, 1)}), ("classes",
    {"classes": (0, 1)}),
    *(("features", {"name": "iris", "features": bad}) for bad in ((0, 0), (0, 1, 2), (), 3, (0, 4), (0, -1), (0.0,
    1.0))),
    ("classes", {"name": "iris", "classes": (1, 3)}), ("classes", {"name": "breast_cancer", "classes": (0, 2)}),
]  # fmt: skip
STREAM = [
    ("name", {"name": "iris"}), ("name", {"name": "rings"}), ("n_samples", {"n_samples": 0}), ("n_samples",
    {"n_samples": 2.5}),
    ("noise", {"noise": -0.1}), ("seed", {"seed": -1}), ("flipped", {"flipped": 0.6}), ("balance", {"balance": 0.0}),
    ("drift", {"drift": math.nan}), ("moves", {"moves": "jump"}),
]  # fmt: skip


def full_memory():
    """A state that remembers five presentations."""
    data = random_data(4, n=20)
    return data, kpviz.train(RemoveOldest(5), *data, kernel=Gaussian(0.5)).state_at(20)


def going_on(learner, entries=True):
    data, state = full_memory()
    if not entries:
        state = kpviz.State(state.t, state.coef, state.alpha, 0.0)
    kpviz.train(learner, *data, kernel=Gaussian(0.5), start=state)


OF_A_GRAM = {
    "negative eigenvalue": [
        (INDEFINITE, [1, 1, 1, -1, -1]),
        (-np.eye(2), [1, -1]),
        (-np.eye(2), [1, 1]),
    ],
    "square": [(np.ones((2, 3)), [1, -1])],
    "symmetric": [(np.array([[1.0, 2.0], [0.0, 1.0]]), [1, -1])],
    "NaN": [(np.full((2, 2), np.nan), [1, -1])],
    "y": [(np.eye(2), [1, 0]), (np.eye(2), [1, -1, 1])],
    "gram": [(np.zeros((0, 0)), [])],
}
EMPTY_COUNTS = np.ones(2), np.ones(2, int)
OTHERS = [
    ("X", lambda: kpviz.train(Perceptron(), np.ones((4, 3)), Y, kernel="precomputed")),
    ("X", lambda: kpviz.train(Perceptron(), np.eye(4) + np.diag([1e-3] * 3, 1), Y, kernel="precomputed")),
    ("kernel", lambda: kpviz.train(Perceptron(), X * 1e200, Y)),
    ("kernel", lambda: kpviz.train(Perceptron(), X * 1e50, Y, kernel=Polynomial(degree=8))),
    *(("order", lambda bad=bad: kpviz.train(SVM(), X, Y, order=bad)) for bad in ("shuffled", "sorted", [0, 1, 2, 3])),
    ("start", lambda: going_on(SVM())),
    ("start", lambda: going_on(RemoveOldest(4))),
    ("start", lambda: going_on(Forgetron(3))),
    ("start", lambda: going_on(Norma(truncation=30), entries=False)),
    ("X", lambda: Linear()([1.0, 2.0], [[1.0, 2.0]])),
    ("X", lambda: Linear()([[np.nan, 2.0]], [[1.0, 2.0]])),
    ("Z", lambda: Linear()([[1.0, 2.0]], [[1.0, 2.0, 3.0]])),
    ("Z", lambda: Linear()([[1.0, 2.0]], [["a", "b"]])),
    ("kernel", lambda: as_kernel("rbf")),
    ("kernel", lambda: as_kernel(Gaussian)),
    ("kernel", lambda: Function(lambda U, V: U)(np.ones((2, 2)), np.ones((3, 2)))),
    ("kernel", lambda: Function(lambda U, V: U @ V.T * np.inf)(np.ones((2, 2)), np.ones((3, 2)))),
    ("t", lambda: theory.bound_of(kpviz.train(Perceptron(), X, Y), t=10_000)),
    ("times", lambda: theory.bound_of(kpviz.train(Perceptron(), X, Y), times=[-1])),
    ("predictor", lambda: theory.bound_of(kpviz.train(Perceptron(), X, Y), predictor="best")),
    ("margin", lambda: theory.deviation_bound(*EMPTY_COUNTS, 1.0, 0.0)),
    ("margin", lambda: theory.hinge_bound(*EMPTY_COUNTS, 1.0, -1.0)),
    ("norm", lambda: theory.forgetron_bound(*EMPTY_COUNTS, -1.0)),
    ("budget", lambda: theory.forgetron_radius(0)),
    ("examples", lambda: theory.voted_bound(1.0, -1)),
    *(("regularization", lambda bad=bad: theory.logistic_optimum(np.eye(2), [1, -1], bad)) for bad in (0.0, -1.0,
    np.nan, "1")),
    ("regularization", lambda: theory.logistic_optimum(1e6 * Linear()(*[random_data(3)[0]] * 2), random_data(3)[1],
    1e-12)),
    ("columns", lambda: kernels.Mixture(2).fitted(X)(np.ones((1, 3)), np.ones((1, 3)))),
    ("fitted", lambda: kernels.Mixture(2)(X, X)),
    ("fitted", lambda: kernels.Density(2).diag(X)),
    ("n", lambda: boolean.load("multiplexer", 2)),
    ("n", lambda: boolean.load("parity", 9)),
    ("X", lambda: Dnf.read("x3").values([[0, 1]])),
    ("X", lambda: Dnf.read("x1").values([[0.5]])),
    ("name", lambda: objects.load("songs")),
    ("added", lambda: objects.load("bits", added="+0101")),
    ("finite", lambda: validity.examine(lambda U, V: np.full((len(U), len(V)), np.nan), validity.FIVE)),
    ("finite", lambda: validity.examine(Polynomial(8, 1.0), [[1e200, 0.0]])),
    *(("labels", lambda labels=labels: scatter([[1.0], [2.0]], np.array(labels))) for labels in ([0, 0], [0, 2], [0])),
    ("X", lambda: scatter([[1.0], [np.nan]], np.array([0, 1]))),
    ("X", lambda: scatter([1.0, 2.0], np.array([0, 1]))),
    ("X", lambda: scatter([[1e154], [-1e154], [3e154]], np.array([0, 1, 1]))),
    ("X", lambda: scatter([[1e308], [1e308], [0.0]], np.array([0, 0, 1]))),
    *(("n_components", lambda bad=bad: kpviz.FisherDiscriminant(n_components=bad).fit(*IRIS)) for bad in (3, 0, 1.5)),
    *(("priors", lambda bad=bad: kpviz.FisherDiscriminant(priors=bad).fit(*IRIS))
      for bad in ("even", [0.5, 0.5], [1.0, 0.0, 0.0])),
]  # fmt: skip
FROM_A_GRAM = [max_margin, max_margin_with_intercept, mistake_bound, lambda *given: theory.logistic_optimum(*given,
1.0),
               theory.radius_mistake_bound]  # fmt: skip


def refusals():
    for name, values in TRAINING.items():
        for value in values:
            yield (
                f"train {name}",
                name,
                lambda name=name, value=value: kpviz.train(
                    **{"learner": Perceptron(), "X": X, "y": Y, name: value}
                ),
            )
    for name, calls in READING.items():
        for method, *given in calls:
            yield (
                f"run {name}",
                name,
                lambda m=method, given=given: getattr(kpviz.train(Perceptron(), X, Y), m)(*given),
            )
    for kind, arguments in MADE.items():
        for name, values in arguments.items():
            for value in values:
                made = getattr(learners if hasattr(learners, kind) else kernels, kind)
                yield kind, name, lambda made=made, name=name, value=value: made(**{name: value})
    for word, given in DATASET:
        yield (
            "make_dataset",
            word,
            lambda given=given: kpviz.make_dataset(**{"name": "xor", **given}),
        )
    for word, given in STREAM:
        yield "make_stream", word, lambda given=given: kpviz.make_stream(**{"name": "xor", **given})
    for word, cases in OF_A_GRAM.items():
        for call in FROM_A_GRAM:
            for given in cases:
                yield f"gram {word}", word, lambda call=call, given=given: call(*given)
    for word, call in OTHERS:
        yield "others", word, call


@pytest.mark.parametrize("group", sorted({group for group, *_ in refusals()}))
def test_what_is_wrong_is_refused_in_one_sentence_that_names_it(group):
    for number, (word, call) in enumerate(
        (word, call) for name, word, call in refusals() if name == group
    ):
        with np.errstate(over="ignore"):
            try:
                call()
            except ValueError as error:
                message = str(error)
                assert re.search(rf"\b{word}\b", message), message
                assert one_sentence(re.sub(r"\d\.\d", "", message)), message
            else:
                pytest.fail(f"number {number} of {group} is not refused: {word}")


def test_what_may_be_set_may_be_set_to_its_ends():
    for kind in {**learners.LEARNERS, **kernels.KERNELS}.values():
        made = kind()
        assert len({made, kind()}) == 1
        if kind in kernels.KERNELS.values():
            assert made.parameters == {
                name: allowed.default for name, allowed in made.ranges.items()
            }
            assert made.name
            assert made.latex
        assert set(MADE.get(kind.__name__, {})) >= {*made.ranges, *getattr(made, "choices", {})}, (
            "an entry in MADE"
        )
        for name, allowed in made.ranges.items():
            assert allowed.low <= allowed.default <= allowed.high
            for value in (allowed.low, allowed.default, allowed.high):
                kind(
                    **{
                        name: None
                        if value == allowed.off
                        else int(value)
                        if allowed.integer
                        else value
                    }
                )
            with pytest.raises(AttributeError):
                setattr(made, name, 1)


def test_sums_of_single_precision_are_symmetric_enough():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(40, 30))
    some_near_0 = points @ points.T + 1e-7 * rng.normal(size=(40, 40))
    points = points[:20, :3].astype(np.float32)
    single = np.exp(-((points[:, None] - points) ** 2).sum(axis=-1)) * (
        1.0 + 1e-6 * np.triu(np.ones((20, 20)))
    )
    for gram in (some_near_0, single):
        assert kpviz.train(
            Perceptron(), gram, np.repeat([-1, 1], len(gram) // 2), kernel="precomputed"
        ).n_steps
