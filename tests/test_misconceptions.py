"""The slips that are easily made: all ten, each in plain sentences, and each told right."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kpviz
from kpviz import experiment
from kpviz.engine.fisher.discriminant import scatter
from kpviz.lessons import shelf
from kpviz.lessons.file.words import plain
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.settings import Settings

LESSON = shelf.read("lesson-13-slips-in-notes")


def test_all_ten_slips_are_told_in_a_few_sentences_and_those_that_one_meets_elsewhere_in_the_same():
    # A task between two paragraphs has no words here.
    told = [
        list(filter(None, (plain([node]).strip() for node in scene.words)))
        for scene in LESSON.scenes
    ]
    assert len(told) == 10
    for claim, right, *_ in told:
        assert "easily" in claim
        assert len(f"{claim} {right}") <= 320
    assert set(MISCONCEPTIONS.values()) <= {f"{claim} {right}" for claim, right, *_ in told}


def test_what_is_said_of_the_zero_is_so():
    X, y = kpviz.make_dataset("xor", n_samples=20, seed=0)
    strict = kpviz.train(kpviz.learners.Perceptron(tie="correct"), X, y)
    assert not strict.mistake.any()
    assert kpviz.train(kpviz.learners.Perceptron(tie="mistake"), X, y).mistake.any()


def test_what_is_said_of_the_sum_is_so():
    u, v = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    phi = [np.array([x[0] ** 2, np.sqrt(2) * x[0] * x[1], x[1] ** 2]) for x in (u, v)]
    assert_allclose(phi[0] @ phi[1], (u @ v) ** 2)
    assert abs(phi[0].sum() * phi[1].sum() - (u @ v) ** 2) > 1


def test_what_is_said_of_the_margin_and_of_the_gap_is_so():
    X, y = (
        np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [4.0, 5.0]]),
        np.array([-1.0, -1.0, 1.0, 1.0]),
    )
    gram = X @ X.T
    best = kpviz.theory.max_margin_with_intercept(gram, y)
    assert best == pytest.approx(3.0 / 2)
    for w, b in (([1.0, 0.0], -1.5), ([1.0, 0.0], -1.0), ([3.0, 1.0], -4.0)):
        margins = y * (X @ w + b)
        assert_allclose(y * (X @ (2 * np.array(w)) + 2 * b), 2 * margins)
        assert 0 < (margins / np.linalg.norm(w)).min() <= best + 1e-9


def test_what_is_said_of_the_density_is_so():
    v = np.linspace(-9.0, 9.0, 2001)[:, None]
    for sigma in (0.2, 1.0, 1.0 / np.sqrt(2.0 * np.pi)):
        k = kpviz.kernels.Gaussian(sigma=sigma)
        assert k(v[:1], v[:1]) == 1.0
        along = k(v[1000:1001], v).sum() * (v[1, 0] - v[0, 0])  # of v₁, and of v₂ alike
        assert along**2 == pytest.approx(2.0 * np.pi * sigma**2)
        assert "2πσ², which is 1 for one σ" in LESSON.text


def test_what_is_said_of_the_terms_is_so():
    settings = Settings.of(data="bits", function="three")
    bound = experiment.bounds(settings, experiment.run(settings))[0]
    assert {part.symbol: part.value for part in bound.quantities}["‖u‖²"] == 3.25
    assert bound.value == 16 * (4 * 3 + 1)


def test_what_is_said_of_the_scatter_is_so():
    X, labels = np.random.default_rng(0).normal(size=(9, 2)), np.array([0, 0, 0, 0, 0, 1, 1, 2, 2])
    found = scatter(X, labels)
    assert_allclose(found.total, found.within + found.between)
    means = sum(np.cov(X[labels == k].T, bias=True) for k in range(3))
    assert not np.allclose(found.total, means + found.between)
    assert found.n_directions == 2
