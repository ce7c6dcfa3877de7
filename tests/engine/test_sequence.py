"""Laws of an order by hand and its text: it comes back as it was, in the fewest characters, and no
text does harm.
"""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import ALPHABET
from kpviz.settings import HAND, MAX_POINTS, from_query

ORDERS = st.integers(0, 40).flatmap(lambda n: st.permutations(range(n)))
LONG_ORDERS = st.randoms(use_true_random=False).map(
    lambda draw: draw.sample(range(MAX_POINTS), MAX_POINTS)
)
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=60) | st.text(max_size=30)


def needed(order):
    """How many examples must be named: behind them the rest is in turn."""
    return next(k for k in range(len(order) + 1) if order[k:] == sorted(order[k:]))


@settings(deadline=None)
@given(ORDERS | LONG_ORDERS, st.integers(0, 20))
@example([], 0)
@example([1, 0], 0)
@example(list(range(MAX_POINTS))[::-1], 0)
def test_any_order_comes_back_from_its_text_which_names_none_that_it_could_leave_out(order, more):
    code, n = sequence.encode(order), len(order)
    assert sequence.read(code, n).tolist() == order
    assert len(code) == 2 * needed(order) <= 2 * MAX_POINTS
    assert sequence.read(code, n + more).tolist() == [*order, *range(n, n + more)]
    assert not code or sequence.read(code[:-2], n).tolist() != order


@given(TEXTS, st.integers(0, 80))
@example("A", 3)
@example("AAAA", 2)
@example("not one", 3)
@example("AC\N{SUPERSCRIPT TWO}", 3)
def test_whatever_a_text_says_what_it_names_comes_first_and_the_rest_in_turn(code, n):
    order = sequence.read(code, n)
    assert order.dtype == np.intp
    known = code if set(code) <= set(ALPHABET) else ""
    named = [
        64 * ALPHABET.index(a) + ALPHABET.index(b)
        for a, b in zip(known[::2], known[1::2], strict=False)
    ]
    first = [i for k, i in enumerate(named) if i < n and i not in named[:k]]
    assert order.tolist() == [*first, *(i for i in range(n) if i not in first)]


@given(TEXTS)
@example("AAAB")
def test_a_link_holds_one_text_for_each_order(code):
    code = "".join(
        sign for sign in code if sign.isprintable()
    )  # of what cannot be seen a link keeps nothing
    made, _ = from_query({"order": HAND, "sequence": code})
    assert from_query(made.query()) == (made, None)
    order = sequence.read(code, MAX_POINTS).tolist()
    assert sequence.read(made.sequence, MAX_POINTS).tolist() == order
    assert len(made.sequence) == 2 * needed(order)
