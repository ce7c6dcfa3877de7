"""How many digits of a bound's quantities must be shown, so that the bound follows from what is shown by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray

FEWEST, MOST = 3, 17  # significant digits; with 17 a float is exact
_WHOLE = 1e6  # from here on a bound is not written to the last mistake
_DECIMALS = 1000  # from here on it is written without decimals
_ROUNDING = 1 + 1e-9
_Quantities = Mapping[str, FloatArray]

FORMULAS: dict[str, Callable[[_Quantities], FloatArray]] = {
    "plain": lambda q: (q["R"] / q["γ"]) ** 2,
    "unit": lambda q: (q["R"] ** 2 + 1) / q["γ"] ** 2,
    "radius": lambda q: (2 * q["R"] / q["γ"]) ** 2,
    "nonseparable": lambda q: ((q["R"] + q["D"]) / q["γ"]) ** 2,
    "hinge": lambda q: ((q["R"] / q["γ"] + np.sqrt((q["R"] / q["γ"]) ** 2 + 4 * q["L"])) / 2) ** 2,
    "forgetron": lambda q: 2 * q["‖g‖"] ** 2 + 4 * q["L"],
    "voted": lambda q: 2 * q["E[M]"] / (q["m"] + 1),
}


def digits(key: str, quantities: _Quantities, values: FloatArray) -> NDArray[np.intp]:
    """Return the fewest significant digits of the quantities, (T,), that give what is shown of the values, (T,).

    It is 68.99; 1/0.1204² would be 68.98:

    >>> digits("plain", {"R": np.array([1.0]), "γ": np.array([0.12039])}, np.array([(1 / 0.12039) ** 2])).tolist()
    [5]
    """
    found = np.full(len(values), MOST)
    left = np.arange(len(values))
    for count in range(FEWEST, MOST):
        rough = {symbol: rounded(each[left], count) for symbol, each in quantities.items()}
        with np.errstate(divide="ignore", invalid="ignore"):
            same = np.all(_shown(key, FORMULAS[key](rough)) == _shown(key, values[left]), axis=0)
        found[left[same]] = count
        left = left[~same]
    return found


def rounded(values: FloatArray, count: int) -> FloatArray:
    """Return values rounded to `count` significant digits."""
    return np.array([float(f"{value:.{count - 1}e}") for value in values])


def _shown(key: str, values: FloatArray) -> FloatArray:
    """Return what is written of the values of a bound: whole mistakes and two decimals, a probability with its own."""
    if key == "voted":
        return np.where(values >= 0.1, np.round(values, 2), np.round(values, 4))[None]
    most = np.where(values < _WHOLE, np.floor(values * _ROUNDING), rounded(values, 2))
    return np.stack([most, np.where(values < _DECIMALS, np.round(values, 2), most)])
