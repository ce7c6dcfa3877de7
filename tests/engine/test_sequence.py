"""Laws of an order by hand and its text: it comes back as it was, in the fewest characters, and no text does harm."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import ALPHABET
from kpviz.settings import HAND, MAX_POINTS, Settings, from_query

ORDERS = st.integers(0, 40).flatmap(lambda n: st.permutations(range(n)))
LONG_ORDERS = st.randoms(use_true_random=False).map(lambda draw: draw.sample(range(MAX_POINTS), MAX_POINTS))
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=60) | st.text(max_size=30)


def needed(order):
    """How many examples must be named: behind them the rest is in turn."""
    return next(k for k in range(len(order) + 1) if order[k:] == sorted(order[k:]))


def named(code):
    """The numbers that a text of the alphabet names, each once, in their order."""
    value = {sign: number for number, sign in enumerate(ALPHABET)}
    numbers = [64 * value[code[k]] + value[code[k + 1]] for k in range(0, len(code) - 1, 2)]
    return [number for k, number in enumerate(numbers) if number not in numbers[:k]]


@given(ORDERS)
@example([])
@example([0])
@example([1, 0])
def test_any_order_comes_back_from_its_text(order):
    assert sequence.read(sequence.encode(order), len(order)).tolist() == order


@settings(max_examples=20, deadline=None)
@given(LONG_ORDERS)
@example(list(range(MAX_POINTS))[::-1])
def test_as_many_examples_as_can_be_edited_come_back(order):
    code = sequence.encode(order)
    assert len(code) == 2 * needed(order) <= 2 * MAX_POINTS
    assert sequence.read(code, MAX_POINTS).tolist() == order


@given(ORDERS)
def test_a_text_names_no_example_that_it_could_leave_out(order):
    code = sequence.encode(order)
    assert len(code) == 2 * needed(order)
    shorter = [sequence.read(code[:k], len(order)).tolist() for k in range(0, len(code), 2)]
    assert order not in shorter


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_one_example_put_first_takes_two_characters_at_most(case):
    n, i = case
    order = [i, *(j for j in range(n) if j != i)]
    assert len(sequence.encode(order)) == (2 if i else 0)


@given(ORDERS, st.integers(0, 20))
def test_an_order_goes_on_in_turn_where_there_are_more_examples(order, more):
    n = len(order)
    assert sequence.read(sequence.encode(order), n + more).tolist() == [*order, *range(n, n + more)]


@given(TEXTS, st.integers(0, 80))
@example("A", 3)
@example("AAAA", 2)
@example("__", 5)
@example("not one", 3)
@example("AC\N{SUPERSCRIPT TWO}", 3)
def test_whatever_a_text_says_each_example_is_shown_once(code, n):
    order = sequence.read(code, n)
    assert order.dtype == np.intp
    assert sorted(order.tolist()) == list(range(n))


@given(st.text(st.sampled_from(ALPHABET), max_size=60), st.integers(0, 80))
def test_what_a_text_names_comes_first_and_the_rest_in_turn(code, n):
    first = [i for i in named(code) if i < n]
    assert sequence.read(code, n).tolist() == [*first, *(i for i in range(n) if i not in first)]


@given(TEXTS)
@example("AAAB")
def test_a_link_holds_one_text_for_each_order(code):
    code = "".join(sign for sign in code if sign.isprintable())  # of what cannot be seen a link keeps nothing
    settings, _ = from_query({"order": HAND, "sequence": code})
    again, problem = from_query(settings.query())
    assert (again, problem) == (settings, None)
    assert sequence.read(settings.sequence, MAX_POINTS).tolist() == sequence.read(code, MAX_POINTS).tolist()
    assert len(settings.sequence) == 2 * needed(sequence.read(code, MAX_POINTS).tolist())


@pytest.mark.parametrize("order", [[3, 1], [5], [], list(range(59, -1, -1))])
def test_every_epoch_of_the_run_is_shown_in_the_order_by_hand(order):
    settings = Settings.of(order=HAND, sequence="".join(ALPHABET[i >> 6] + ALPHABET[i & 63] for i in order))
    run = experiment.run(settings)
    expected = [*order, *(i for i in range(60) if i not in order)]
    assert run.n_epochs > 1
    assert run.index.reshape(-1, 60).tolist() == [expected] * run.n_epochs
