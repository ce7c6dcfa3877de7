"""The arrays of a record cannot be written to, nor those of its copies."""

import copy
import pickle
from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import kpviz
from kpviz.engine.kernels import Gaussian
from kpviz.engine.learners import Forgetron, Norma, Perceptron

ACCESSED = ("mistake", "mistakes_per_epoch", "gram", "epoch_ends")


def trained(learner=None, **options):
    X, y = kpviz.make_dataset("moons", 20, noise=0.3, seed=1)
    return kpviz.train(
        learner or Forgetron(budget=4), X, y, kernel=Gaussian(0.5), epochs=2, **options
    )


def arrays_of(record):
    """Every array of a record by name, those in its dicts and in the records within it
    among them.
    """
    for name, value in [(part.name, getattr(record, part.name)) for part in fields(record)]:
        if isinstance(value, np.ndarray):
            yield name, value
        elif isinstance(value, dict):
            yield from (
                (f"{name}[{key}]", inner)
                for key, inner in value.items()
                if isinstance(inner, np.ndarray)
            )
        elif hasattr(value, "__dataclass_fields__") and name in ("changes", "start", "entries"):
            yield from ((f"{name}.{inner}", array) for inner, array in arrays_of(value))


def all_arrays(run):
    yield from arrays_of(run)
    yield from ((name, getattr(run, name)) for name in ACCESSED)
    yield "changes.dies", run.changes.dies
    for t in (0, run.n_steps):
        state = run.state_at(t)
        yield from ((f"state_at({t}).{name}", array) for name, array in arrays_of(state))
        yield f"state_at({t}).support", state.support


WAYS = {
    "as trained": lambda run: run,
    "pickled": lambda run: pickle.loads(pickle.dumps(run)),
    "copied": copy.copy,
    "deeply copied": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "learner", [Perceptron(), Forgetron(budget=4), Norma(truncation=5)], ids=repr
)
def test_no_array_of_a_run_can_be_written_to_and_copies_have_the_same_numbers(way, learner):
    first = trained(learner)
    original = trained(learner, start=first.state_at(first.n_steps))
    list(all_arrays(original))  # those that are cached go into the copies, too
    run = WAYS[way](original)
    for (name, array), (_, expected) in zip(all_arrays(run), all_arrays(original), strict=True):
        assert not array.flags.writeable, name
        assert_array_equal(array, expected, err_msg=name)
    assert_array_equal(
        run.decision_function(run.X, predictor="voted"),
        original.decision_function(run.X, None, "voted"),
    )


def test_a_gram_matrix_that_was_given_is_not_written_to_and_stays_the_callers():
    gram = np.eye(3)
    run = kpviz.train(Perceptron(), gram, [1, -1, 1], kernel="precomputed")
    assert not run.gram.flags.writeable
    gram[0, 0] = 7.0
    assert run.gram[0, 0] == 1.0


def test_what_is_computed_for_the_caller_is_the_callers():
    run = trained()
    for array in (
        run.margins_at(3),
        run.decision_function(run.X),
        run.predict(run.X),
        *run.table().values(),
    ):
        array[:] = 0
    assert run.score.any()
