"""Novikoff's proof, mistake by mistake, compared with a fold of w in coordinates of its own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textbook import KERNELS, TOYS

import kpviz
from kpviz.engine.learners import LEARNERS
from kpviz.engine.theory.novikoff import proof_of

INTERCEPTS = ["none", "unit", "radius"]


def coordinates(gram):
    """Vectors whose inner products are the Gram matrix, one in each row."""
    values, vectors = np.linalg.eigh(gram)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def folded(run, constant):
    """After each mistake w/η in coordinates, with the constant feature last, and those of the examples."""
    gram = run.kernel(run.X, run.X)
    feature = {"none": 0.0, "unit": 1.0, "radius": np.sqrt(gram.diagonal().max())}[constant]
    phi = np.hstack([coordinates(gram), np.full((len(gram), 1), feature)])
    w = [np.zeros(phi.shape[1])]
    for i, wrong in zip(run.index, run.mistake, strict=True):
        if wrong:
            w.append(w[-1] + run.y[i] * phi[i])
    return np.array(w), phi


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(TOYS),
    st.sampled_from([name for name in KERNELS if name != "sigmoid"]),
    st.sampled_from(INTERCEPTS),
    st.sampled_from(["mistake", "correct", "positive", "negative"]),
    st.sampled_from([0.01, 1.0, 7.0]),
    st.integers(2, 24),
    st.integers(0, 50),
)
def test_the_inequality_holds_at_each_mistake_and_its_numbers_are_those_of_w(toy, kernel, intercept, tie, eta, n, seed):
    X, y = kpviz.make_dataset(toy, n_samples=n, noise=0.05, seed=seed)
    learner = kpviz.learners.Perceptron(learning_rate=eta, intercept=intercept, tie=tie)
    run = kpviz.train(learner, X, y, kernel=KERNELS[kernel], epochs=8)
    proof = proof_of(run)
    if proof.why:
        assert proof.bound == np.inf
        return
    w, phi = folded(run, intercept)
    tolerance = 1e-7 * max(1.0, proof.radius) * len(w)
    assert proof.norm == pytest.approx(np.linalg.norm(w, axis=1), abs=np.sqrt(tolerance))
    assert proof.radius == pytest.approx(np.linalg.norm(phi, axis=1).max())
    k = np.arange(len(w))
    assert len(proof.along) == len(proof.norm) == run.mistake.sum() + 1
    for below, above in (
        (k * proof.margin, proof.along),
        (proof.along, proof.norm),
        (proof.norm, np.sqrt(k) * proof.radius),
    ):
        assert (below <= above + tolerance).all()
    assert run.mistake.sum() <= proof.bound * (1 + 1e-6)


@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize(("toy", "kernel"), [("linear", "linear"), ("circles", "gaussian"), ("moons", "gaussian")])
def test_u_is_a_unit_vector_of_the_best_margin(toy, kernel, intercept):
    X, y = kpviz.make_dataset(toy, n_samples=30, noise=0.02, seed=1)
    run = kpviz.train(kpviz.learners.Perceptron(intercept=intercept), X, y, kernel=KERNELS[kernel], epochs=300)
    proof = proof_of(run)
    if proof.why:  # no margin without an intercept
        assert intercept == "none"
        return
    w, phi = folded(run, intercept)
    assert proof.margin == pytest.approx(kpviz.theory.max_margin(phi @ phi.T, y), rel=1e-5)
    grown = np.diff(proof.along)  # y⟨u, φ(x)⟩ of the examples of the mistakes: u is the least squares solution of these
    on = run.index[run.mistake]
    u, *_ = np.linalg.lstsq(y[on, None] * phi[on], grown, rcond=1e-9)
    assert np.linalg.norm(u) <= 1 + 1e-6  # the part of a unit vector that they see
    assert w @ u == pytest.approx(proof.along, abs=1e-6 * proof.radius * len(w))


def test_without_a_margin_or_by_another_learner_one_sentence_says_why():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    assert "No margin was found" in proof_of(kpviz.train(kpviz.learners.Perceptron(), X, y, epochs=3)).why
    with_b = proof_of(kpviz.train(kpviz.learners.Perceptron(intercept="unit"), X, y, epochs=3))
    assert "with the constant feature 1" in with_b.why
    bent = kpviz.kernels.Sigmoid(gamma=2.0, coef0=-1.0)
    assert "not positive semidefinite" in proof_of(kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=bent)).why
    for name, learner in LEARNERS.items():
        if name != "perceptron":
            run = kpviz.train(learner(), X, y, kernel=KERNELS["gaussian"], epochs=2)
            assert learner().about.title in proof_of(run).why


def test_a_run_that_goes_on_from_another_is_not_what_the_proof_counts():
    X, y = kpviz.make_dataset("xor", n_samples=20, seed=0)
    first = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=KERNELS["gaussian"], epochs=1)
    state = first.state_at(first.n_steps)
    again = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=KERNELS["gaussian"], epochs=1, start=state)
    assert "earlier state" in proof_of(again).why
