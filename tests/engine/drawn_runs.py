"""Runs that hypothesis draws for the laws of the engine: any learner, kernel, few examples and
order.
"""

from dataclasses import fields
from functools import partial

import numpy as np
from hypothesis import strategies as st
from textbook import KERNELS, TOYS, integer_data, random_data

import kpviz
from kpviz.engine.learners import (
    LEARNERS,
    SVM,
    Forgetron,
    KernelLogistic,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.learners.passive_aggressive import VARIANTS
from kpviz.engine.learners.perceptron import INTERCEPTS, TIES
from kpviz.engine.run.train import MISTAKE_ORDERS, ORDERS

SEEDS = st.integers(0, 10_000)
POSITIVE = {name: kernel for name, kernel in KERNELS.items() if kernel.psd == "yes"}
WHOLE = {
    name: KERNELS[name] for name in ("linear", "polynomial", "monomial", "subsets")
}  # exact on whole numbers
RATES = st.sampled_from([(0.37, 0.11), (0.9, 0.0), (0.05, 0.013)])
_ETAS = st.sampled_from([1.0, 0.3, 7.0])
_BUDGETS = st.sampled_from([1, 2, 3, 5, 100])
_NORMA = st.builds(
    lambda rates, *more: Norma(*rates, *more),
    RATES,
    st.sampled_from([1.0, 0.2, 0.0]),
    st.sampled_from([None, 0.3, 0.6]),
    st.sampled_from(["constant", "inverse-sqrt"]),
    st.sampled_from([None, 1, 6, 25]),
    st.booleans(),
)
LEARNER = {
    Perceptron: st.builds(
        Perceptron,
        st.sampled_from([1.0, 0.3, 7.0]),
        st.sampled_from(INTERCEPTS),
        st.sampled_from(TIES),
    ),
    RemoveOldest: st.builds(RemoveOldest, _BUDGETS),
    RandomizedBudget: st.builds(RandomizedBudget, _BUDGETS),
    Forgetron: st.builds(Forgetron, _BUDGETS, st.sampled_from(["self-tuned", "basic"])),
    Projectron: st.builds(Projectron, st.sampled_from([0.0, 0.1, 0.3, 0.9])),
    Norma: _NORMA,
    PassiveAggressive: st.builds(
        PassiveAggressive, st.sampled_from(VARIANTS), st.sampled_from([0.2, 1.0, 7.0])
    ),
    KernelLogistic: st.builds(lambda rates: KernelLogistic(*rates), RATES),
    SVM: st.builds(SVM, st.sampled_from([0.1, 1.0, 30.0]), st.sampled_from([1e-2, 1e-5])),
}
assert {*LEARNER} == {*LEARNERS.values()}, (
    "each learner needs what it is drawn with, in LEARNER of drawn_runs.py"
)
ONLINE = [kind for kind in LEARNER if not kind.chooses]
_NEED_A_SPACE = (RemoveOldest, RandomizedBudget, Forgetron, Projectron, SVM)


def orders_of(kind):
    """The orders that a learner takes."""
    if kind.chooses:
        return ("cyclic",)
    return (
        ORDERS
        if kind.takes_mistake_orders
        else tuple(order for order in ORDERS if order not in MISTAKE_ORDERS)
    )


@st.composite
def examples(draw, most=15, least=2, whole=False):
    """X, (n, 2), and y: whole numbers, with which ties are exact, noise without a rule, or a toy
    data set.
    """
    seed = draw(SEEDS)
    n = draw(st.integers(least, most))
    kind = "whole" if whole else draw(st.sampled_from(["noise", *TOYS]))
    if kind in ("whole", "noise"):
        return (integer_data if whole else random_data)(seed, n)
    return kpviz.make_dataset(kind, max(n, 2), 0.13, seed, flipped=0.1)


@st.composite
def trainings(draw, kinds=tuple(LEARNER), kernels=KERNELS, whole=False, most=15, epochs=3):
    """A function that trains a learner, and goes on from a state if it is given one."""
    kind = draw(st.sampled_from(kinds))
    known = [name for name in kernels if name in POSITIVE or kind not in _NEED_A_SPACE]
    learner = draw(LEARNER[kind])
    kernel = kernels[draw(st.sampled_from(known))]
    X, y = draw(examples(most, whole=whole))
    return partial(
        kpviz.train,
        learner,
        X,
        y,
        kernel=kernel.normalized() if kind is Forgetron else kernel,  # which asks for k(x, x) <= 1
        order=draw(st.sampled_from(orders_of(kind))),
        epochs=epochs,
        seed=draw(SEEDS),
        stop_when_clean=draw(st.booleans()),
    )


@st.composite
def runs(draw, **options):
    """A run, of those that do not choose some that went on from another."""
    train = draw(trainings(**options))
    first = train()
    if first.learner.chooses or not draw(st.booleans()):
        return first
    return train(start=first.state_at(draw(st.integers(0, first.n_steps))))


def record(run):
    """All arrays that a run consists of."""
    arrays = {name: getattr(run, name) for name in ("index", "score", "epoch_start")}
    changes = {column.name: getattr(run.changes, column.name) for column in fields(run.changes)}
    return {**arrays, **changes, **run.details}


def assert_same_record(one, other):
    ours = record(one)
    theirs = record(other)
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        np.testing.assert_array_equal(array, theirs[name], err_msg=name)
    assert one.end == other.end
