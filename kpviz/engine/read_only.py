"""Arrays that nobody can write to: what a record holds is what was computed, and what is read from
it agrees with it.

The arrays of a record are views that refuse to be written. A copy and what pickle brings back hold
such views, too.

Tests: tests/engine/test_read_only.py.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

AnyArray = TypeVar("AnyArray", bound=NDArray[Any])


def read_only(array: AnyArray) -> AnyArray:
    """Return a view of the array that cannot be written to.

    >>> read_only(np.zeros(2))[0] = 1.0
    Traceback (most recent call last):
    ValueError: assignment destination is read-only
    """
    view = array.view()
    view.flags.writeable = False
    return view


class ReadOnlyArrays:
    """The base of a dataclass whose arrays, those in its dicts among them, cannot be written to."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            vars(self)[name] = _read_only_within(value)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take up what pickle or copy hands over: they forget that an array was read-only."""
        vars(self).update({name: _read_only_within(value) for name, value in state.items()})


def _read_only_within(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return read_only(value)
    if isinstance(value, dict):
        return {key: _read_only_within(inner) for key, inner in value.items()}
    return value
