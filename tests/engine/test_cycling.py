"""What functions that are no kernels do to the perceptron, passes that repeat for ever, and the
scale of f.
"""

import itertools
import re

import numpy as np
import pytest
from drawn_runs import SEEDS
from hypothesis import given, settings
from hypothesis import strategies as st
from textbook import REFUTED, dual_perceptron, integer_data

import kpviz
from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import LEARNERS, Perceptron
from kpviz.engine.run import cycling, grid, predictors
from kpviz.engine.run.run import run_of_nothing
from kpviz.settings import Settings


def opening(name, data="xor", epochs=50, **options):
    """The perceptron on the examples that the app opens with."""
    split = experiment.prepare(Settings.of(data=data))
    return kpviz.train(Perceptron(**options), split.X, split.y, kernel=REFUTED[name], epochs=epochs)


@pytest.mark.parametrize("name", REFUTED)
def test_on_the_opening_data_each_refuted_function_has_a_negative_norm_and_kernels_have_none(name):
    run = opening(name)
    t = cycling.negative_from(run)
    norms = [coef @ run.gram @ coef for coef in (run.state_at(s).coef for s in range(t + 1))]
    assert norms[-1] < 0
    assert min(norms[:-1]) > -1e-9
    X, y = kpviz.make_dataset("checkerboard", n_samples=40, seed=1)
    for kernel in (Linear(), Polynomial(3, 1.0), Gaussian(0.1)):
        assert (
            cycling.negative_from(kpviz.train(Perceptron(), X, y, kernel=kernel, epochs=60)) is None
        )


@pytest.mark.parametrize("name", ["sigmoid", "negative distance", "shifted square"])
def test_on_the_opening_data_three_of_them_repeat_themselves_for_ever(name):
    found = cycling.cycle(opening(name))
    assert (found.period, found.grows, found.for_ever) == (1, True, True)
    assert (
        "The mistakes of epoch 50 are those of epoch 49, and of 48: it repeats itself."
        in found.sentence
    )
    assert found.sentence.endswith("for ever.")


def rows_of_mistakes(run, epochs):
    order = [np.arange(len(run.y))] * epochs
    slow = dual_perceptron(run.gram, run.y, order, intercept=run.learner.intercept, may_end=False)
    return np.array(slow.mistake).reshape(epochs, -1)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(["none", "unit"]), st.booleans())
def test_what_is_said_to_repeat_does_so_in_a_slow_loop_and_for_ever_if_it_says_so(
    seed, intercept, matrix
):
    if matrix:
        X = np.random.default_rng(seed).integers(-3, 4, size=(3, 3)).astype(float)
        X, y, kernel = X + X.T, np.array([1.0, -1.0, 1.0]), "precomputed"
    else:
        (X, y), kernel = integer_data(seed, 7), REFUTED["shifted square"]
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=kernel, epochs=40)
    found = cycling.cycle(run)
    if run.end == "clean":
        assert found is None
        return
    rows = rows_of_mistakes(run, 300)
    periods = [
        p for p in range(1, 14) if (rows[40 - 2 * p : 40] == rows[40 - 3 * p : 40 - p]).all()
    ]
    assert (None if found is None else found.period) == next(iter(periods), None)
    if found is not None and found.for_ever:
        assert (rows[40 : -found.period] == rows[40 + found.period :]).all()


def test_sentences_of_longer_periods_and_of_what_comes_back_to_where_it_was():
    found = []
    for seed in range(60):
        gram = np.random.default_rng(seed).integers(-3, 4, size=(3, 3))
        run = kpviz.train(
            Perceptron(), gram + gram.T, [1.0, -1.0, 1.0], kernel="precomputed", epochs=60
        )
        found.append(cycling.cycle(run))
    p, sentence = next(
        (each.period, each.sentence) for each in found if each is not None and each.period > 1
    )
    assert f"are those of the {p} epochs before, and of the {p} before those" in sentence
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    still = cycling.cycle(kpviz.train(Perceptron(), X, y, epochs=12))
    assert (still.grows, still.for_ever) == (False, True)
    assert still.sentence.endswith("Each time f is back where it was: it repeats for ever.")


@pytest.mark.parametrize(
    "options", [{"order": "shuffled"}, {"order": "random"}, {"stop_when_clean": False}]
)
def test_other_orders_clean_ends_and_runs_of_nothing_are_no_repetition(options):
    X, y = kpviz.make_dataset("blobs", n_samples=20, noise=0.05, seed=0)
    assert (
        cycling.cycle(kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=12, **options))
        is None
    )
    nothing = run_of_nothing(Perceptron(), Gaussian(0.5), X[:0])
    assert (cycling.cycle(nothing), cycling.negative_from(nothing)) == (None, None)
    assert cycling.squared_norms(nothing).tolist() == [0.0]


def test_the_other_data_sets_show_it_too_and_nothing_is_for_ever_where_the_order_is_drawn():
    shown = {
        data for data in SOURCES if cycling.cycle(opening("sigmoid", data, epochs=20)) is not None
    }
    assert shown >= {"xor", "circles", "spirals", "moons", "blobs", "checkerboard", "linear"}
    two = np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1.0, -1.0])
    for seed in (2, 28):
        run, more = (
            kpviz.train(
                Perceptron(), *two, kernel=Linear(), order="shuffled", epochs=epochs, seed=seed
            )
            for epochs in (12, 60)
        )
        assert not cycling.cycle(run).for_ever
        assert (
            len(set(more.mistakes_per_epoch[12:].tolist())) > 1
        )  # and so it would have been wrong


# ---- the scale of f

CASES = [
    {},
    {"kernel": "linear"},
    {"kernel": "sigmoid"},
    {"data": "moons", "kernel": "polynomial", "degree": 5},
    {"data": "shifted", "kernel": "linear"},
    {"data": "moons", "noise": 0.3, "flipped": 0.1, "predictor": "averaged"},
    {"stream": "on", "n": 200, "data": "moons"},
    *({"data": "moons", "learner": name} for name in LEARNERS),
]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_f_at_the_examples_is_within_the_scale_and_a_change_of_scale_is_worth_it(given):
    made = Settings.of(**given)
    run = experiment.run(made)
    since, ends = zip(*grid.scales(run, made.predictor), strict=True)
    assert since[0] == 0
    assert list(since) == sorted(since)
    assert all(later > 4 * before for before, later in itertools.pairwise(ends))
    times = np.array(sorted({-(-run.n_steps * part // 32) for part in range(1, 33)}))
    largest = np.abs(predictors.scores(run, run.X, times.tolist(), made.predictor)).max(axis=1)
    limits = np.array([grid.limit(run, t, made.predictor) for t in times])
    assert (largest <= limits * (1 + 1e-9)).all()
    assert (np.maximum.accumulate(largest) > limits / 6)[times >= 10].all()


@pytest.mark.parametrize(
    ("given", "scales"),
    [
        ({"kernel": "linear"}, [(0, 1.8)]),
        ({"tie": "correct"}, [(0, 1.0)]),
        ({"predictor": "voted"}, [(0, 1.0)]),
    ],
)
def test_scales_that_are_known(given, scales):
    made = Settings.of(**given)
    assert grid.scales(experiment.run(made), made.predictor) == scales
    assert len(grid.scales(experiment.run(Settings.of(kernel="sigmoid")))) == 3  # f grows for ever


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(20, 60))
def test_the_epochs_that_the_sentence_names_made_the_same_mistakes(seed, epochs):
    gram = np.random.default_rng(seed).integers(-3, 4, size=(3, 3))
    run = kpviz.train(
        Perceptron(), gram + gram.T, [1.0, -1.0, 1.0], kernel="precomputed", epochs=epochs
    )
    found = cycling.cycle(run)
    if found is None:
        return
    rows = run.mistake.reshape(run.n_epochs, -1)
    several = re.match(
        r"The mistakes of epochs (\d+) to (\d+) are those of the (\d+) epochs before",
        found.sentence,
    )
    if several:
        first, last, period = map(int, several.groups())
        assert last - first + 1 == period > 1
        stretches = [rows[first - 1 - k * period : last - k * period] for k in range(3)]
    else:
        named = re.match(
            r"The mistakes of epoch (\d+) are those of epoch (\d+), and of (\d+):", found.sentence
        )
        last, *before = map(int, named.groups())
        stretches = [rows[epoch - 1] for epoch in (last, *before)]
    assert last == run.n_epochs
    assert (stretches[0] == stretches[1]).all()
    assert (stretches[0] == stretches[2]).all()
