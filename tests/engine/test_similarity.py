"""The order of a Gram matrix, and the scale of a kernel's colours."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from kpviz.engine.run.grid import Scale, by_class


@given(st.lists(st.sampled_from([-1.0, 1.0]), max_size=30))
def test_the_order_is_by_class_then_by_index(labels):
    order = by_class(np.array(labels)).tolist()
    plus, minus = ([i for i, y in enumerate(labels) if y == sign] for sign in (1.0, -1.0))
    assert order == plus + minus


@given(st.lists(st.floats(-1e9, 1e9), max_size=20))
@example([1.0, -1e-13])  # rounding is no sign
def test_the_scale_holds_all_values_and_has_at_most_three_digits(values):
    scale = Scale.of(np.array(values))
    largest = max(map(abs, values), default=0.0)
    assert largest <= scale.limit * (1 + 1e-9)
    assert scale.limit <= 1.0101 * largest or largest < 1e-200
    assert float(f"{scale.limit:.2e}") == scale.limit
    if largest >= 1e-200:
        assert scale.signed == (min(values) < -1e-12 * scale.limit)


def test_of_nothing_or_only_zeros_the_scale_ends_at_1():
    assert Scale.of(np.zeros((0, 0))) == Scale.of(np.zeros((3, 3))) == Scale(1.0, False)
