"""K(X, X): the whole Gram matrix while it is small, else what is asked for of it.

Tests: tests/engine/test_run.py, tests/engine/test_blocks.py.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Function, Gaussian, Kernel
from kpviz.engine.kernels.base import finite_values
from kpviz.engine.kernels.distances import by_matrix_products
from kpviz.engine.rounding import MOST_COLUMNS

MOST_AT_ONCE = 2048  # The whole Gram matrix is made of so many examples: 32 MB.
# ‖x‖²/(2σ²), up to which exponents as products have errors far below `DOUBTFUL`.
_LARGEST_HALF_SQUARE = 100.0
_SINGLE = 1e-5  # Sums in single precision may differ by this share of the largest.
_TILE = 24_000  # So many values of k are made at once, which stay in the processor's cache.
_LARGE_TILE = 1 << 17  # With many features the products take the time.
_CACHE = 64_000_000  # In bytes: rows are kept for learners that choose examples.

Examples = slice | NDArray[np.intp]


def is_large(n: int) -> bool:
    """Say whether the Gram matrix of n examples is too large to be made as a whole only to train,
    or to read a run.
    """
    return n > MOST_AT_ONCE


def gram_matrix(kernel: Kernel, X: FloatArray) -> FloatArray:
    """Return K(X, X), of finite numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        gram = finite_values(kernel.evaluate(X, X))
    return symmetric("kernel", gram) if isinstance(kernel, Function) else gram


def symmetric(name: str, gram: FloatArray) -> FloatArray:
    """Return a Gram matrix; ValueError where k(u, v) and k(v, u) differ by more than single
    precision explains.

    An update adds the row of its example to the scores, and f(x) is read from the row of x.
    """
    with np.errstate(over="ignore"):  # The difference of large numbers may be infinite.
        apart = np.abs(gram - gram.T).max()
    if apart > _SINGLE * np.abs(gram).max():
        raise ValueError(f"{name} is not symmetric: k(u, v) must equal k(v, u).")
    return gram


def largest_value(gram: FloatArray) -> float:
    """Return the largest |k(u, v)|, 0.0 of none."""
    return float(max(gram.max(initial=0.0), -gram.min(initial=0.0)))


class KernelMatrix:
    """K(X, X) of which only what is asked for is computed; it is indexed as an array is, by rows
    and by pairs.

    Attributes
    ----------
    shape : (n, n).
    largest : the largest |k(u, v)| that was computed, or a bound of all of them.
    """

    def __init__(self, kernel: Kernel, X: NDArray[Any]) -> None:
        self.kernel = kernel
        self.X = X
        self.shape = (len(X), len(X))
        self._diagonal: FloatArray | None = None
        self._rows: OrderedDict[int, FloatArray] = OrderedDict()
        self._gaussian = _GaussianByProducts.of_few_columns(kernel, X)
        self._is_bounded = kernel.psd == "yes"  # Then |k(u, v)|² is at most k(u, u) k(v, v).
        self.largest = float(self.diagonal().max()) if self._is_bounded else 0.0

    def __len__(self) -> int:
        return len(self.X)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            row, column = key
            if np.ndim(row) == np.ndim(column) == 0:
                return self.diagonal()[row] if row == column else self.values([row], [column])[0, 0]
            return np.array([self[pair] for pair in zip(row, column, strict=True)])
        return (
            self._row(int(key)) if np.ndim(key) == 0 else np.stack([self._row(int(i)) for i in key])
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        """Return the whole matrix, for who asks for it all; ValueError, of one sentence, where it
        is too large.
        """
        checks.whole_gram(len(self))
        whole = np.empty(self.shape, dtype)
        for part in self.tiles(slice(0, len(self)), len(self)):
            whole[part] = self.values(part, slice(0, len(self)))
        return whole

    def item(self, row: int, column: int) -> float:
        """Return one value."""
        return float(self[row, column])

    def diagonal(self) -> FloatArray:
        """Return k(x, x) of all examples, (n,)."""
        if self._diagonal is None:
            with np.errstate(over="ignore", invalid="ignore"):
                self._diagonal = finite_values(self.kernel.diag(self.X))
        return self._diagonal

    def values(self, rows: Any, columns: Any) -> FloatArray:
        """Return k of some examples with others, (rows, columns); ValueError where one is not
        finite.
        """
        return self.with_examples(rows, self.X[columns])

    def values_for_scores(self, rows: Any, columns: Any) -> FloatArray:
        """Return the same, but for roundings far below those for which a score is added up anew."""
        if self._gaussian is not None:
            return self._gaussian.values(rows, self._gaussian.factors(columns))
        return self.values(rows, columns)

    def with_examples(self, rows: Any, others: NDArray[Any]) -> FloatArray:
        """Return k of some examples with other ones that are given themselves."""
        with np.errstate(over="ignore", invalid="ignore"), by_matrix_products():
            values = finite_values(self.kernel.evaluate(self.X[rows], others))
        if not self._is_bounded:
            self.largest = max(
                self.largest, float(values.max(initial=0.0)), -float(values.min(initial=0.0))
            )
        return values

    def within(self, block: Examples) -> FloatArray:
        """Return the Gram matrix of some examples; ValueError where a function is not symmetric."""
        values = self.values_for_scores(block, block)
        return symmetric("kernel", values) if isinstance(self.kernel, Function) else values

    def sums(
        self, rows: Examples, support: NDArray[np.intp], weights: FloatArray
    ) -> Iterator[tuple[Examples, FloatArray]]:
        """Yield the rows in parts, each with the sum of weight_j k(x_j, ·) over the support,
        (part,).
        """
        if not len(support):
            yield rows, np.zeros(())
        elif self._gaussian is not None:
            factors = self._gaussian.factors(support)
            for part in self.tiles(rows, len(support)):
                yield part, self._gaussian.values(part, factors, in_place=True) @ weights
        else:
            others = self.X[support]
            for part in self.tiles(rows, len(support)):
                yield part, self.with_examples(part, others) @ weights

    def tiles(self, rows: Examples, columns: int) -> Iterator[Examples]:
        """Yield the rows in parts of which the values with so many columns are made at once."""
        values = _LARGE_TILE if self.X.ndim == 2 and self.X.shape[1] > MOST_COLUMNS else _TILE
        if self._gaussian is not None:
            values = self._gaussian.size
        size = max(values // max(columns, 1), 1)
        if isinstance(rows, slice):
            for low in range(rows.start, rows.stop, size):
                yield slice(low, min(low + size, rows.stop))
        else:
            for low in range(0, len(rows), size):
                yield rows[low : low + size]

    def _row(self, i: int) -> FloatArray:
        """Return row i, from those that were used last where it is among them."""
        row = self._rows.pop(i, None)
        if row is None:
            row = np.empty(len(self))
            for part in self.tiles(slice(0, len(self)), 1):
                row[part] = self.values([i], part)[0]
            while self._rows and (len(self._rows) + 1) * row.nbytes > _CACHE:
                self._rows.popitem(last=False)
        self._rows[i] = row
        return row


class _GaussianByProducts:
    """The Gaussian of examples with few columns, in half the time: −‖u − v‖²/(2σ²) is a product of
    factors.

    The factors of u are u/σ, −‖u‖²/(2σ²) and 1, those of v the same with the last two exchanged;
    the examples are moved to their mean first, so that little cancels.
    """

    def __init__(self, factors: FloatArray) -> None:
        self._factors = factors
        # So many values are made in place: there is one array of them, other kernels need more.
        self.size = 2 * _TILE
        # Memory that is allocated for every tile takes as long as the products.
        self._buffer = np.empty(self.size)

    @classmethod
    def of_few_columns(cls, kernel: Kernel, X: NDArray[Any]) -> _GaussianByProducts | None:
        """Return it for a Gaussian of few columns, unless the squares cancel so far that it would
        be less exact.
        """
        if type(kernel) is not Gaussian or X.shape[1] > MOST_COLUMNS:
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = (X - X.mean(axis=0)) / kernel.sigma
            half_squares = np.einsum("ij,ij->i", scaled, scaled) / 2.0
        if not half_squares.max() < _LARGEST_HALF_SQUARE:
            return None
        return cls(np.column_stack([scaled, -half_squares, np.ones(len(X))]))

    def factors(self, examples: Any) -> FloatArray:
        """Return the factors of some examples as those of v."""
        columns = self._factors.shape[1]
        exchanged = [*range(columns - 2), columns - 1, columns - 2]
        return np.asarray(self._factors[examples][:, exchanged])

    def values(self, rows: Any, factors: FloatArray, *, in_place: bool = False) -> FloatArray:
        """Return k of some examples with those of the factors; `in_place`: until it is
        asked again.
        """
        left = self._factors[rows]
        size = len(left) * len(factors)
        out = (
            self._buffer[:size].reshape(len(left), len(factors))
            if in_place and size <= self.size
            else None
        )
        exponents = np.matmul(left, factors.T, out=out)
        return np.asarray(np.exp(exponents, out=exponents))
