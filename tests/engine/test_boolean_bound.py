"""The bound of the Boolean lesson, 2ⁿ(4l + 1): no run makes more mistakes, and where it is not meant it says so."""

import math
from itertools import cycle

import numpy as np
import pytest
from covering import in_turn

import kpviz
from kpviz.engine.data import boolean
from kpviz.engine.data.dnf import Dnf
from kpviz.engine.kernels import AllSubsets, Gaussian, Linear
from kpviz.engine.learners import LEARNERS, Perceptron
from kpviz.engine.theory import boolean_bound

LITERALS = AllSubsets(negated=True)


def random_dnf(seed, negated=True):
    """A DNF of a few random terms over 2 to 5 bits."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 6))
    terms = []
    for _ in range(int(draw.integers(1, 5))):
        bits = draw.choice(n, size=int(draw.integers(1, n + 1)), replace=False)
        signs = draw.choice([1, -1], size=len(bits)) if negated else np.ones(len(bits), dtype=int)
        terms.append(tuple(int(sign * (bit + 1)) for bit, sign in sorted(zip(bits, signs, strict=True))))
    return Dnf(tuple(dict.fromkeys(terms))), n


def run_of(dnf, n, kernel, learner=None, **options):
    X = boolean.bits(n)
    return kpviz.train(learner or Perceptron(), X, dnf.values(X), kernel=kernel, **{"epochs": 1000, **options})


@in_turn(zip(range(90), cycle(["cyclic", "shuffled", "random"]), strict=False), lambda seed, order: order)
def test_no_run_on_literals_makes_more_mistakes(seed, order):
    dnf, n = random_dnf(seed)
    run = run_of(dnf, n, LITERALS, order=order, seed=seed)
    bound = boolean_bound.bound_of(run, dnf, n)
    assert bound.applies
    assert bound.value == 2**n * (4 * len(dnf.terms) + 1)
    assert run.mistake.sum() <= bound.value
    assert (run.end == "clean") == (order != "random")  # with replacement no pass shows all of them


@pytest.mark.parametrize("seed", range(30))
def test_no_run_on_plain_subsets_makes_more_if_no_literal_is_negated(seed):
    dnf, n = random_dnf(seed, negated=False)
    run = run_of(dnf, n, AllSubsets(), order="random", seed=seed)
    bound = boolean_bound.bound_of(run, dnf, n)
    assert bound.applies
    assert run.mistake.sum() <= bound.value == 2**n * (4 * len(dnf.terms) + 1)


@pytest.mark.parametrize("seed", range(12))
def test_it_is_novikoffs_bound_of_the_weights_that_it_names(seed):
    dnf, n = random_dnf(seed)
    X, gram = boolean.bits(n), LITERALS(boolean.bits(n), boolean.bits(n))
    y = dnf.values(X)
    terms = [[all((x[abs(j) - 1] == 1) == (j > 0) for j in term) for term in dnf.terms] for x in X]
    scores = np.sum(terms, axis=1) - 0.5  # u is 1 at each term, -1/2 at the constant feature
    assert (y * scores).min() >= 0.5
    found = {quantity.symbol: quantity.value for quantity in bound(dnf, n).quantities}
    assert found["‖u‖²"] == len(dnf.terms) + 0.25
    assert gram.max() * found["‖u‖²"] / 0.5**2 == bound(dnf, n).value
    assert (found["n"], found["l"]) == (n, len(dnf.terms))
    assert found["M"] == run_of(dnf, n, LITERALS).mistake.sum()


def bound(dnf, n, kernel=LITERALS, learner=None, **options):
    return boolean_bound.bound_of(run_of(dnf, n, kernel, learner, **options), dnf, n)


def test_a_learning_rate_and_a_constant_factor_change_nothing():
    dnf = Dnf.read("x1 & !x2 | x3")
    usual = bound(dnf, 3)
    for other in (bound(dnf, 3, learner=Perceptron(0.2)), bound(dnf, 3, LITERALS.normalized())):
        assert (other.value, other.applies) == (usual.value, True)


def test_it_holds_at_the_end_of_each_epoch_and_says_where_it_says_nothing():
    dnf = Dnf.read("x1 & !x2 | x2 & !x3 | x3 & !x1")
    whole = bound(dnf, 3, stop_when_clean=False, epochs=200)
    assert (whole.vacuous, whole.why) == (False, "")
    assert whole.times.tolist() == [8 * epoch for epoch in range(1, 201)]
    assert set(whole.values.tolist()) == {whole.value}
    short = bound(dnf, 3, epochs=2)
    assert (short.applies, short.vacuous) == (True, True)
    assert short.why == (
        "It says nothing here: only 16 presentations were made, so there can be no more mistakes than that."
    )


NEGATED = Dnf.read("x1 & !x2")
MONOTONE = Dnf.read("x1 | x2 & x3")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((NEGATED, 3, AllSubsets()), "negates a literal"),
        ((MONOTONE, 3, Gaussian(1.0)), "all subsets, not normalized"),
        ((MONOTONE, 3, Linear()), "all subsets, not normalized"),
        ((MONOTONE, 3, AllSubsets().normalized()), "all subsets, not normalized"),
        ((MONOTONE, 3, kpviz.kernels.Sum(AllSubsets(), AllSubsets())), "all subsets, not normalized"),
        ((MONOTONE, 3, AllSubsets(), Perceptron(intercept="unit")), "plain perceptron without intercept"),
        ((MONOTONE, 3, AllSubsets(), Perceptron(intercept="radius")), "plain perceptron without intercept"),
        *(
            ((MONOTONE, 3, LITERALS.normalized(), learner()), "plain perceptron without intercept")
            for name, learner in LEARNERS.items()
            if name != "perceptron"
        ),
    ],
)
def test_where_it_is_not_meant_one_sentence_says_why(given, why):
    refused = bound(*given, epochs=3)
    assert not refused.applies
    assert math.isinf(refused.value)
    assert why in refused.why
    assert refused.why.endswith(".")
    assert "\n" not in refused.why


def test_a_run_that_goes_on_from_a_state_is_refused():
    X = boolean.bits(3)
    first = run_of(MONOTONE, 3, LITERALS, epochs=1)
    again = kpviz.train(Perceptron(), X, MONOTONE.values(X), kernel=LITERALS, start=first.state_at(3))
    assert not boolean_bound.bound_of(again, MONOTONE, 3).applies


def test_a_tie_that_is_no_mistake_keeps_to_it():
    for tie in ("mistake", "correct", "positive", "negative"):
        run = run_of(NEGATED, 3, LITERALS, Perceptron(tie=tie))
        found = boolean_bound.bound_of(run, NEGATED, 3)
        assert found.applies
        assert run.mistake.sum() <= found.value
