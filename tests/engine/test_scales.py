"""The scale of f: right for the beginning of a run and for its end, and still in between."""

import itertools

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid, predictors
from kpviz.settings import Settings


def made(**given):
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    return settings, split, experiment.run(settings, split)


CASES = [
    {},
    {"kernel": "linear"},
    {"kernel": "sigmoid"},
    {"kernel": "sigmoid", "gamma": 2.0},
    {"data": "moons", "kernel": "polynomial", "degree": 5},
    {"data": "shifted", "kernel": "linear"},
    {"data": "moons", "noise": 0.3, "flipped": 0.1, "predictor": "averaged"},
    {"stream": "on", "n": 200, "data": "moons"},
    *({"data": "moons", "learner": name} for name in LEARNERS),
]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_f_at_the_examples_is_within_the_scale_and_a_change_of_scale_is_worth_it(given):
    settings, split, run = made(**given)
    found = grid.scales(run, settings.predictor)
    since, ends = zip(*found, strict=True)
    assert since[0] == 0
    assert list(since) == sorted(since)
    assert all(later > 4 * before for before, later in itertools.pairwise(ends))
    times = sorted({-(-run.n_steps * part // 32) for part in range(1, 33)})
    largest = np.abs(predictors.scores(run, split.X, times, settings.predictor)).max(axis=1)
    limits = np.array([grid.limit(run, t, settings.predictor) for t in times])
    assert (largest <= limits * (1 + 1e-9)).all()
    so_far = np.maximum.accumulate(largest)
    assert (so_far[np.array(times) >= 10] > limits[np.array(times) >= 10] / 6).all()


def test_the_colours_of_xor_with_a_linear_kernel_show_all_of_the_run():
    _, _, run = made(kernel="linear")
    assert grid.scales(run) == [(0, 1.8)]


def test_a_run_in_which_f_grows_for_ever_has_scales_that_grow():
    _, _, run = made(kernel="sigmoid")
    assert len(grid.scales(run)) == 3


def test_a_vote_and_a_run_without_a_change_end_at_1():
    _, _, run = made()
    assert grid.scales(run, "voted") == [(0, 1.0)]
    _, _, nothing = made(tie="correct")
    assert grid.scales(nothing) == [(0, 1.0)]
