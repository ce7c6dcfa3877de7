"""The cases that stand for a product hold any two of its values together, and are few."""

from itertools import combinations, product

import pytest
from covering import covering, in_turn

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


def test_a_case_of_many_in_turn_that_fails_is_named_and_each_group_is_a_test():
    tried = []

    @in_turn([(1, "a"), (2, "a"), (3, "b")], lambda number, group: group)
    def law(number, group):
        tried.append(number)
        assert number != 2

    (mark,) = law.pytestmark
    first, second = mark.args[1]
    with pytest.raises(AssertionError) as caught:
        law(first)
    assert caught.value.__notes__ == ["in the case (2, 'a')"]
    law(second)
    assert (tried, list(mark.kwargs["ids"])) == ([1, 2, 3], ["a", "b"])
