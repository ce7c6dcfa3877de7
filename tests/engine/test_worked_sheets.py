"""Sheets that others worked by hand: every score and weight that they print.

Each test names its source. Where a sheet has outputs 0 and 1, its target 0 is the label -1.
"""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz.kernels import Formula, Linear, Monomial, Polynomial
from kpviz.learners import SVM, KernelLogistic, PassiveAggressive, Perceptron

XOR_SIGNS = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
XOR_LABELS = np.array([-1.0, 1.0, 1.0, -1.0])


def weights_after_each(run):
    """w after each presentation, from the coefficients."""
    return np.array([run.state_at(t).coef @ run.X for t in range(1, run.n_steps + 1)])


def by_fractions(X, y, rate):
    """Scores and weights of a sheet whose output is 1 from a sum of 0 on, until an
    epoch is clean.
    """
    w = [Fraction(0)] * len(X[0])
    scores, weights = [], []
    for _ in range(10):
        errors = 0
        for x, label in zip(X, y, strict=True):
            score = sum(Fraction(a) * b for a, b in zip(x, w, strict=True))
            if (1 if score >= 0 else -1) != label:
                w = [b + rate * label * Fraction(a) for a, b in zip(x, w, strict=True)]
                errors += 1
            scores.append(float(score))
            weights.append([float(b) for b in w])
        if not errors:
            break
    return scores, weights


def test_or_with_a_third_input_of_minus_one():
    """CS 472 at Cornell, 2004: rate 0.5, output 1 from a sum of 0 on; four epochs, w = (0.5, 0.5,
    0.5).
    """
    X = np.array([[0, 0, -1], [0, 1, -1], [1, 0, -1], [1, 1, -1]], dtype=float)
    y = np.array([-1.0, 1.0, 1.0, 1.0])
    run = kpviz.train(Perceptron(learning_rate=0.5, tie="positive"), X, y)
    weights = weights_after_each(run)
    assert_array_equal(run.score[:6], [0.0, -0.5, 0.0, 0.5, 0.0, 0.0])
    assert_array_equal(
        weights[:5], [[0, 0, 0.5], [0, 0.5, 0], [0, 0.5, 0], [0, 0.5, 0], [0, 0.5, 0.5]]
    )
    assert (run.n_epochs, run.end) == (4, "clean")
    assert_array_equal(weights[-1], [0.5, 0.5, 0.5])
    scores, expected = by_fractions(X.tolist(), y.tolist(), Fraction(1, 2))
    assert_array_equal(run.score, scores)
    assert_array_equal(weights, expected)
    two = kpviz.train(Perceptron(learning_rate=0.5, tie="positive", intercept="unit"), X[:, :2], y)
    assert_array_equal(two.score, scores)
    assert (
        two.state_at(two.n_steps).intercept == -0.5
    )  # that of the third weight with its sign turned


@pytest.mark.parametrize(
    ("kernel", "scores"),
    [(Linear(), [0, 0, -1, 0, 0]), (Polynomial(3, 1.0), [0, 1, -19, 1, 0])],
    ids=str,
)
def test_one_pass_over_five_examples_of_three_bits(kernel, scores):
    """Algorithm 30 of A Course in Machine Learning (Daumé), set as homework: every example is a
    mistake.
    """
    X = np.array([[0, 1, 0], [1, 0, 1], [1, 1, 1], [1, 0, 0], [0, 0, 1]], dtype=float)
    run = kpviz.train(Perceptron(), X, [1, -1, 1, -1, 1], kernel=kernel, epochs=1)
    assert_array_equal(run.score, scores)
    assert_array_equal(run.state_at(5).alpha, np.ones(5))


def test_xor_of_bits_by_a_map_with_the_product():
    """φ(x) = (x₁, x₂, x₁x₂): the widest margin has f = 2x₁ + 2x₂ − 4x₁x₂ − 1."""
    kernel = Formula("dot(u,v) + u[1]*v[1]*u[2]*v[2]")
    bits = (XOR_SIGNS + 1) / 2
    assert kernel.psd == "yes"
    run = kpviz.train(SVM(C=1000.0, tol=1e-9), bits, XOR_LABELS, kernel=kernel)
    Z = np.array([[0.0, 0.0], [0.3, 0.9], [1.0, 0.5], [-1.0, 2.0]])
    f = 2 * Z[:, 0] + 2 * Z[:, 1] - 4 * Z[:, 0] * Z[:, 1] - 1
    assert_allclose(run.decision_function(Z), f, atol=1e-6)
    assert run.state_at(run.n_steps).intercept == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("kernel", "margin"),
    [(Formula("u[1]*v[1]*u[2]*v[2]"), 1.0), (Monomial(2), np.sqrt(2.0))],
    ids=str,
)
def test_the_margins_of_xor_with_signs(kernel, margin):
    """Exercise 18.22 of Artificial Intelligence: A Modern Approach: 1 with the product alone, √2
    with (x·y)².
    """
    run = kpviz.train(SVM(C=1000.0, tol=1e-9), XOR_SIGNS, XOR_LABELS, kernel=kernel)
    norm = kpviz.theory.rkhs_norm(run.gram, run.state_at(run.n_steps).coef)
    assert (run.margins_at(run.n_steps) / norm).min() == pytest.approx(margin, abs=1e-6)
    assert kpviz.theory.max_margin(run.gram, run.y) == pytest.approx(margin, abs=1e-6)


def test_a_step_of_logistic_regression():
    """Chapter 5 of Speech and Language Processing (Jurafsky, Martin): x = (3, 2), η = 0.1: w (0.15,
    0.1), b 0.05.
    """
    run = kpviz.train(KernelLogistic(0.1, 0.0), [[3.0, 2.0]], [1.0], kernel=Linear() + 1, epochs=1)
    coef = run.state_at(1).coef
    half = Fraction(1, 1) / (1 + 1)  # σ(0)
    assert_array_equal(coef, [float(Fraction(1, 10) * half)])
    assert_allclose(coef @ run.X, [0.15, 0.1], rtol=1e-15)
    assert coef.sum() == 0.05


@pytest.mark.parametrize(
    ("learner", "taus"),
    [
        (PassiveAggressive("PA"), ["1/5", "1/5", "3/10", "0"]),
        (PassiveAggressive("PA-I", 0.1), ["1/10", "1/10", "1/10", "6/100"]),
        (PassiveAggressive("PA-II", 0.5), ["1/6", "1/6", "2/9", "1/99"]),
    ],
    ids=str,
)
def test_passive_aggressive_steps_by_fractions(learner, taus):
    """Crammer et al. 2006: the step τ of each of four points."""
    X = np.array([[1.0, 2.0], [2.0, -1.0], [1.0, 1.0], [3.0, 1.0]])
    run = kpviz.train(learner, X, [1, -1, 1, 1], epochs=1)
    assert_allclose(run.state_at(4).alpha, [float(Fraction(tau)) for tau in taus], atol=1e-15)
