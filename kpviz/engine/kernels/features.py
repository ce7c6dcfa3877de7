"""Explicit features: φ(x), a vector with φ(u)·φ(v) = k(u, v), for the kernels that have one of
finite length.

(u₁², √2·u₁u₂, u₂²) for (u·v)² in the plane. With plus signs between them it would be one number,
whose products are not (u·v)².

Legend: n examples; d their features; q a degree; c a constant; dim the entries of φ.

Tests: tests/engine/test_primal.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel, Product, Sum
from kpviz.engine.kernels.feature_maps import FeatureMap, Terms
from kpviz.engine.powers import raised, significant

LARGEST = 10_000  # A φ that is written out has so many entries at most.
MOST_FEATURES = 1_000_000  # Counts of features this large have some 300,000 digits.
_WRITTEN_OUT = 10**30  # A sentence writes out the number of so many columns.
_WHOLE = 10**6  # Larger weights are not written as the root of a whole number.
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_DIGITS = str.maketrans("0123456789", _SUBSCRIPTS)


def missing(kernel: Kernel | None) -> str:
    """Return one sentence on why the kernel has no φ that can be written out, or "" if it has one.

    Parameters
    ----------
    kernel : an object of `kpviz.kernels`.
    """
    _check_kernel(kernel)
    if kernel is None:
        return (
            "kernel='precomputed' has no explicit features: only the Gram matrix is known, not "
            "what made it."
        )
    return "" if kernel.feature_map else _why_no_map(kernel)


def _why_no_map(kernel: Kernel) -> str:
    """Return one sentence on why a kernel has no map; of a sum and a product, why a
    part has none.
    """
    if isinstance(kernel, Sum | Product):
        return _why_no_map(kernel.second if kernel.first.feature_map else kernel.first)
    if kernel.strict:
        return (
            f"{kernel.name} has no finite feature map: its feature space has infinitely many "
            f"dimensions."
        )
    if kernel.psd == "no":
        why = "it is not positive semidefinite, so no feature space belongs to it"
        return f"{kernel.name} has no feature map: {why}."
    return f"{kernel.name} has no feature map that kpviz can write out."


def dimension(kernel: Kernel | None, n_features: int) -> int:
    """Return the exact number of entries of φ, without building it; ValueError with `missing` where
    there is none.

    C(d+q-1, q) for degree exactly q, C(d+q, q) for up to q, 2^d for all subsets. A sum joins the
    features of both kernels, a product has all products of a feature of each (equal monomials stay
    apart).

    Parameters
    ----------
    kernel : an object of `kpviz.kernels`.
    n_features : of the examples, 1 to 1,000,000.

    Examples
    --------
    >>> from kpviz.engine.kernels import Polynomial
    >>> dimension(Polynomial(degree=10, coef0=1.0), 784)
    25925644949220590762903
    """
    return feature_map(kernel).dimension(number_of_features(n_features))


def features(kernel: Kernel | None, X: ArrayLike) -> FloatArray:
    """Return φ of each row of X, shape (n, dim): features @ features.T is kernel(X, X), up to
    rounding.

    Entries are ordered by degree, then alphabetically, each with its weight (a root such as √2,
    hence the rounding).

    Parameters
    ----------
    kernel : an object of `kpviz.kernels`.
    X : examples, (n, n_features).

    Raises
    ------
    ValueError
        If the kernel has no finite map, or one of more than `LARGEST` entries; if φ overflows.

    Examples
    --------
    >>> from kpviz.engine.kernels import Monomial
    >>> features(Monomial(degree=2), [[1.0, 3.0]]).round(4)
    array([[1.    , 4.2426, 9.    ]])
    """
    X = checks.matrix("X", X)
    weights, exponents = _checked_terms(kernel, X.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        columns = np.repeat(np.sqrt(weights)[:, None], len(X), axis=1)
        for x, of_x in zip(X.T, exponents.T, strict=True):
            powers = x ** np.arange(of_x.max() + 1)[:, None]
            occurs = np.flatnonzero(of_x)
            columns[occurs] *= powers[of_x[occurs]]
    if not np.isfinite(columns).all():
        raise ValueError(
            "features are infinite or NaN on X: every entry must be a finite number, so scale X "
            "down."
        )
    return np.ascontiguousarray(columns.T)


def feature_names(kernel: Kernel | None, columns: Sequence[str] | int) -> tuple[str, ...]:
    """Return the entries of φ as formulas; `columns` names the features of x, or is their number.

    Parameters
    ----------
    kernel : an object of `kpviz.kernels`.
    columns : what the features of the examples are called.

    Examples
    --------
    >>> from kpviz.engine.kernels import Polynomial
    >>> feature_names(Polynomial(degree=2, coef0=1.0), 2)
    ('1', '√2·u₁', '√2·u₂', 'u₁²', '√2·u₁u₂', 'u₂²')
    """
    names = None if isinstance(columns, int | np.integer) else _names(columns)
    d = (
        checks.integer("columns", columns, low=1, high=MOST_FEATURES)
        if names is None
        else len(names)
    )
    weights, exponents = _checked_terms(kernel, d)
    if names is None:
        names = [f"u{j + 1}".translate(_DIGITS) for j in range(d)]
    joint = "" if all(len(name.rstrip(_SUBSCRIPTS)) == 1 for name in names) else "·"
    return tuple(
        _name(weight, [name + _exponent(e) for name, e in zip(names, row, strict=True) if e], joint)
        for weight, row in zip(weights.tolist(), exponents.tolist(), strict=True)
    )


def _names(columns: Any) -> list[str]:
    """Return names of features, or raise a one-sentence ValueError."""
    is_list = isinstance(columns, list | tuple) or (
        isinstance(columns, np.ndarray) and columns.ndim == 1
    )
    if not is_list or not all(isinstance(name, str) for name in columns):
        raise ValueError(
            f"columns={checks.text_of(columns)} is not possible: it must be a list of names, or "
            f"their number."
        )
    if not len(columns):
        raise ValueError("columns is empty: it must name at least one feature.")
    return [str(name) for name in columns]


def number_of_features(n_features: int) -> int:
    """Return the number of features if φ can be counted for so many, or raise a one-sentence
    ValueError.
    """
    return checks.integer("n_features", n_features, low=1, high=MOST_FEATURES)


def _check_kernel(kernel: object) -> None:
    if kernel is not None:
        checks.instance("kernel", kernel, Kernel, "a kernel object such as Gaussian(sigma=0.5)")


def feature_map(kernel: Kernel | None) -> FeatureMap:
    """Return the φ of the kernel; ValueError with `missing` where there is none."""
    _check_kernel(kernel)
    if kernel is None or kernel.feature_map is None:
        raise ValueError(missing(kernel))
    return kernel.feature_map


def number(value: float) -> str:
    """Return a number to three digits, with a typographic minus."""
    return significant(value, 3)


def _checked_terms(kernel: Kernel | None, d: int) -> Terms:
    dim = feature_map(kernel).dimension(d)
    if dim > LARGEST:
        number_of_columns = f"{dim:,}" if dim < _WRITTEN_OUT else "far too many"
        raise ValueError(
            f"features would have {number_of_columns} columns: at most {LARGEST:,} are written out."
        )
    try:
        return feature_map(kernel).terms(d)
    except OverflowError:
        raise ValueError(
            "features have weights too large for floating point: use a smaller degree."
        ) from None


def _name(weight: float, factors: list[str], joint: str) -> str:
    root = math.sqrt(weight)
    if weight < _WHOLE and weight.is_integer() and not root.is_integer():
        coefficient = f"√{weight:.0f}"
    else:
        coefficient = f"{root:.0f}" if root.is_integer() and root < _WHOLE else number(root)
    return "·".join(
        [coefficient] * (coefficient != "1" or not factors) + [joint.join(factors)] * bool(factors)
    )


def _exponent(e: int) -> str:
    return "" if e == 1 else raised(e)
