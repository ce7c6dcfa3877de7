"""What a sentence says of a step is what the step did: the law over learners, settings and random runs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kpviz
from kpviz import learners
from kpviz.lessons import explain

ADDS = (
    *("We add", "we add", "grows by", "joins the support", "We remember", "both move by"),
    *("hill is added", "It now pulls", "remembered too", "It is remembered"),
    *("only their weights change", "is forgotten, and", "to be forgotten, and", "scores too low"),
)
IDLE = ("nothing changes", "Nothing changes", "nothing is added")
RATES = {"learning_rate": 0.4, "regularization": 0.05}
LEARNERS = (
    learners.Perceptron(),
    learners.Perceptron(learning_rate=0.3, intercept="unit", tie="correct"),
    learners.Perceptron(intercept="radius", tie="positive"),
    learners.RemoveOldest(budget=3),
    learners.RandomizedBudget(budget=3),
    learners.Forgetron(budget=4),
    learners.Forgetron(budget=4, variant="basic"),
    learners.Projectron(threshold=0.3),
    learners.Projectron(threshold=2.0),
    learners.Norma(),
    learners.Norma(nu=0.1, **RATES),
    learners.Norma(nu=0.5, truncation=5, schedule="inverse-sqrt", **RATES),
    learners.Norma(regularization=0.0, margin=0.0, truncation=7, fit_intercept=False),
    learners.PassiveAggressive(),
    learners.PassiveAggressive(variant="PA-I", C=0.2),
    learners.SVM(),
    learners.KernelLogistic(),
)


@st.composite
def runs(draw, learner):
    """A run on a few points, the origin among them, that may lie on one another."""
    n = draw(st.integers(3, 12))
    X = np.array(draw(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=2 * n, max_size=2 * n)))
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n)))
    y[:2] = 1.0, -1.0
    linear = draw(st.booleans()) and not learner.needs_unit_diagonal
    kernel = kpviz.kernels.Linear() if linear else kpviz.kernels.Gaussian(sigma=draw(st.sampled_from([0.2, 1.0])))
    return kpviz.train(learner, X.reshape(n, 2), y, kernel=kernel, epochs=draw(st.integers(1, 4)))


def factor(run, t):
    """By what the weights are multiplied in the step that leads to t."""
    if "phi" in run.details:
        return run.details["phi"][t - 1]
    rate = run.details["rate"][t - 1] if "rate" in run.details else getattr(run.learner, "learning_rate", 0.0)
    return 1.0 - rate * getattr(run.learner, "regularization", 0.0)


def victim(run, t):
    """The example that the step that leads to t forgot, −1 for none."""
    return run.details["victim"][t - 1] if "victim" in run.details else -1


def added(run, t):
    """Whether the step that leads to t did more than multiply weights and forget."""
    before, after = run.state_at(t - 1), run.state_at(t)
    rest = np.abs(after.coef - factor(run, t) * before.coef) > 1e-12
    if victim(run, t) >= 0:
        rest[victim(run, t)] = False
    return bool(rest.any()) or abs(after.intercept - before.intercept) > 1e-12


def says_that_something_is_added_exactly_where_it_is(run):
    for t in range(1, run.n_steps):
        if victim(run, t) == run.index[t - 1]:  # forgotten and remembered in one step
            continue
        explained, changed = explain.explain(run, t), added(run, t)
        lit = explain.code(run)[explained.line]
        for said in (explained.sentence, explained.formula):
            assert any(words in said for words in ADDS) <= changed, (t, explained)
            assert any(words in said for words in IDLE) <= (not changed), (t, explained)
        assert ("nothing" in lit) <= (not changed), (t, explained, lit)
        assert any(sign in lit for sign in ("αᵢ ← αᵢ +", "remember")) <= changed, (t, lit)


def names_whom_the_step_forgot_and_by_what_it_multiplied_all_weights(run):
    for t in range(1, run.n_steps):
        explained, phi, forgotten = explain.explain(run, t), factor(run, t), victim(run, t)
        sentence, told = explained.formula or explained.sentence, explained.sentence
        assert ("forgotten" in told) == (forgotten >= 0), (t, told)
        assert forgotten < 0 or explain.example(forgotten) in told
        assert any(words in told for words in ("shrink to", "shrink a little", "fade a little")) == (
            "multipl" in sentence
        ), (t, told)
        assert ("forget" in sentence) == (forgotten >= 0), (t, sentence)
        assert forgotten < 0 or f"forget {explain.example(forgotten)}" in sentence
        if "phi" in run.details:
            assert (f"all weights by φ = {explained.numbers['phi']}" in sentence) <= bool(run.mistake[t - 1])
            assert ("φ" in sentence) >= (phi != 1.0), (t, sentence)
        elif isinstance(run.learner, learners.Norma):
            assert ("All weights are multiplied" in sentence) == (phi != 1.0), (t, sentence)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_sentence_says_what_is_added_whom_the_step_forgot_and_by_what_it_multiplied_all_weights(learner, data):
    run = data.draw(runs(learner))
    says_that_something_is_added_exactly_where_it_is(run)
    names_whom_the_step_forgot_and_by_what_it_multiplied_all_weights(run)


def test_where_the_learnt_margin_is_below_zero_a_mistake_may_add_nothing():
    X, y = kpviz.make_dataset("xor", 60, noise=0.05, seed=0)
    run = kpviz.train(learners.Norma(nu=0.1), X, y, kernel=kpviz.kernels.Gaussian(0.5), epochs=10)
    idle = [t for t in range(1, run.n_steps) if run.mistake[t - 1] and not added(run, t)]
    assert len(idle) > 5
    for t in idle:
        explained = explain.explain(run, t)
        assert "nothing is added" in explained.sentence
        assert "nothing is added" in explained.formula
        assert explain.code(run)[explained.line].lstrip().startswith("ρ −= η(1−ν); else: ρ += ην")
