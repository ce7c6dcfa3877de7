"""Cases of a product of many lists: few of them hold any two values together, and most faults need
but two.
"""

from itertools import combinations

import numpy as np
import pytest


def covering(*axes):
    """Cases, one value of each axis, in which any two values of two axes meet at least once; always
    the same ones.

    As many as the product of the two longest axes, or a few more (a greedy search: Cohen et al.
    1997)."""
    axes = [list(axis) for axis in axes]
    open_ = dict.fromkeys(  # in this order they are met
        ((i, a), (j, b))
        for i, j in combinations(range(len(axes)), 2)
        for a in range(len(axes[i]))
        for b in range(len(axes[j]))
    )
    used = [np.zeros(len(axis), dtype=int) for axis in axes]
    cases = []
    while open_:
        case = dict(next(iter(open_)))
        for k in range(len(axes)):
            if k not in case:
                news = [
                    sum(pair in open_ for pair in _pairs({**case, k: v}, k))
                    for v in range(len(axes[k]))
                ]
                case[k] = min(range(len(axes[k])), key=lambda v: (-news[v], used[k][v]))
        for k, value in case.items():
            used[k][value] += 1
            for pair in _pairs(case, k):
                open_.pop(pair, None)
        cases.append(tuple(axis[case[k]] for k, axis in enumerate(axes)))
    return cases


def _pairs(case, k):
    """The pairs of a case that hold axis k."""
    return [tuple(sorted([(k, case[k]), (other, case[other])])) for other in case if other != k]


def in_turn(cases, key=lambda *_: "all"):
    """Decorate a test of many short cases: one test for each `key(*case)`, whose failure names its
    case.
    """
    groups = {}
    for case in cases:
        groups.setdefault(str(key(*case)), []).append(case)

    def decorate(test):
        @pytest.mark.parametrize("cases", groups.values(), ids=groups)
        def test_each(cases):
            for case in cases:
                try:
                    test(*case)
                except BaseException as error:
                    error.add_note(f"in the case {case!r}")
                    raise

        test_each.__name__ = test.__name__
        test_each.__doc__ = test.__doc__
        test_each.__module__ = test.__module__
        return test_each

    return decorate
