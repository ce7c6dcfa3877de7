"""What functions that are no kernels do to the perceptron: negative "norms", and passes that repeat for ever."""

import numpy as np
import pytest
from textbook import REFUTED, dual_perceptron, integer_data

import kpviz
from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Perceptron
from kpviz.engine.run import cycling
from kpviz.engine.run.run import Run
from kpviz.settings import Settings


def opening(name, data="xor", epochs=50, **options):
    """The perceptron on the examples that the app opens with."""
    split = experiment.prepare(Settings.of(data=data))
    return kpviz.train(Perceptron(**options), split.X, split.y, kernel=REFUTED[name], epochs=epochs)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3, 1.0), Gaussian(0.1)])
@pytest.mark.parametrize("data", ["moons", "checkerboard"])
def test_with_a_kernel_no_norm_turns_negative_and_no_score_runs_away(kernel, data):
    X, y = kpviz.make_dataset(data, n_samples=40, seed=1)
    run = kpviz.train(Perceptron(), X, y, kernel=kernel, epochs=60)
    assert cycling.negative_from(run) is None
    found = cycling.cycle(run)
    assert found is None or found.energy >= -1e-6


@pytest.mark.parametrize("name", REFUTED)
def test_on_the_opening_data_each_refuted_function_has_a_negative_norm(name):
    run = opening(name)
    t = cycling.negative_from(run)
    coef = run.state_at(t).coef
    before = [run.state_at(s).coef for s in range(t)]
    assert coef @ run.gram @ coef < 0
    assert all(c @ run.gram @ c > -1e-9 for c in before)


@pytest.mark.parametrize("name", ["sigmoid", "negative distance", "shifted square"])
def test_on_the_opening_data_three_of_them_repeat_themselves_for_ever(name):
    found = cycling.cycle(opening(name))
    assert found.period == 1
    assert found.for_ever
    assert found.energy < 0
    assert "The mistakes of epoch 50 are those of epoch 49, and of 48: it repeats itself." in found.sentence
    assert found.sentence.endswith("for ever.")


def mistakes_of_a_textbook_loop(run, epochs):
    story = dual_perceptron(run.gram, run.y, [np.arange(len(run.y))] * epochs, intercept=run.learner.intercept)
    return np.array(story.mistake).reshape(epochs, -1)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("intercept", ["none", "unit"])
def test_what_is_said_to_go_on_for_ever_does_so_in_a_slow_loop(seed, intercept):
    X, y = integer_data(seed, 7)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=REFUTED["shifted square"], epochs=40)
    found = cycling.cycle(run)
    rows = mistakes_of_a_textbook_loop(run, 300) if run.end == "limit" else None
    if found is None:
        return
    first, p = found.since - 1, found.period
    assert (rows[first : 40 - p] == rows[first + p : 40]).all()
    assert first == 0 or (rows[first - 1] != rows[first - 1 + p]).any()
    assert rows[40 - p : 40].sum() == found.mistakes
    if found.for_ever:
        assert (rows[40:-p] == rows[40 + p :]).all()


def test_in_whole_numbers_some_repeat_for_ever_and_some_do_not_yet():
    found = []
    for seed in range(30):
        X, y = integer_data(seed, 7)
        run = kpviz.train(Perceptron(), X, y, kernel=REFUTED["shifted square"], epochs=12)
        found.append(cycling.cycle(run))
    assert any(each is not None and each.for_ever for each in found)
    assert any(each is None for each in found)


def test_four_corners_under_the_linear_kernel_come_back_to_where_they_were():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(Perceptron(), X, y, epochs=12)
    found = cycling.cycle(run)
    assert found.for_ever
    assert not found.gain.any()
    assert found.energy == 0.0
    assert found.sentence.endswith("Each time f is back where it was: it repeats for ever.")


def test_a_period_of_several_epochs_is_found_and_told():
    for seed in range(200):
        gram = np.random.default_rng(seed).integers(-3, 4, size=(3, 3))
        run = kpviz.train(Perceptron(), gram + gram.T, [1.0, -1.0, 1.0], kernel="precomputed", epochs=60)
        found = cycling.cycle(run)
        if found is not None and found.period > 1:
            rows = mistakes_of_a_textbook_loop(run, 60)
            p = found.period
            assert (rows[60 - 2 * p : 60] == rows[60 - 3 * p : 60 - p]).all()
            assert all((rows[60 - 2 * q : 60] != rows[60 - 3 * q : 60 - q]).any() for q in range(1, p))
            assert f"are those of the {p} epochs before, and of the {p} before those" in found.sentence
            return
    pytest.fail("no period of several epochs among these")


@pytest.mark.parametrize("options", [{"order": "shuffled"}, {"order": "random"}, {"stop_when_clean": False}])
def test_other_orders_and_clean_ends_are_no_repetition(options):
    X, y = kpviz.make_dataset("blobs", n_samples=20, noise=0.05, seed=0)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=12, **options)
    assert cycling.cycle(run) is None


def test_a_run_of_nothing_has_no_cycle():
    split = experiment.prepare(Settings.of(data="xor"))
    run = Run.of_nothing(Perceptron(), Gaussian(0.5), split.X[:0])
    assert cycling.cycle(run) is None
    assert cycling.squared_norms(run).tolist() == [0.0]
    assert cycling.negative_from(run) is None


def test_the_other_data_sets_show_it_too():
    shown = {data for data in SOURCES if cycling.cycle(opening("sigmoid", data, epochs=20)) is not None}
    assert shown >= {"xor", "circles", "spirals", "moons", "blobs", "checkerboard", "linear"}


@pytest.mark.parametrize("seed", [2, 28])
def test_nothing_is_for_ever_where_the_order_is_drawn(seed):
    def run(epochs):
        two = (np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([1.0, -1.0]))
        return kpviz.train(Perceptron(), *two, kernel=Linear(), order="shuffled", epochs=epochs, seed=seed)

    found = cycling.cycle(run(12))
    assert found.mistakes
    assert not found.for_ever
    later = run(60).mistakes_per_epoch[12:]
    assert len(set(later.tolist())) > 1  # and so it would have been wrong
