"""The cases that stand for a product hold any two of its values together, and are few."""

from itertools import combinations, product

import pytest
from covering import covering

AXES = {
    "two": ("abc", "xy"),
    "three": ("ab", "cd", "ef"),
    "uneven": (range(8), range(14), ("off", "on"), range(3), range(4)),
    "one value": ("a", "xyz", "b"),
}


@pytest.mark.parametrize("axes", AXES.values(), ids=AXES)
def test_any_two_values_of_two_axes_are_together_in_a_case(axes):
    cases = covering(*axes)
    assert set(cases) <= set(product(*axes))
    for i, j in combinations(range(len(axes)), 2):
        assert {(case[i], case[j]) for case in cases} == set(product(axes[i], axes[j]))


def test_the_cases_are_few_and_always_the_same():
    longest = covering(range(8), range(14), ("off", "on"), range(3), range(4))
    assert 8 * 14 <= len(longest) <= 1.1 * 8 * 14
    assert longest == covering(range(8), range(14), ("off", "on"), range(3), range(4))
    assert len(covering(*["ab"] * 6)) <= 8
