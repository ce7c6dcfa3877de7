"""What is sent of one summand of a kernel, and what the browser adds up of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kpviz.engine.checks import FloatArray


@dataclass(frozen=True, eq=False)
class FieldTerm:
    """One summand of the kernel, as arrays.

    split: `along_1` (m, s, r_1) and `along_2` (m, s, r_2), each in a basis (r, g), or on the nodes without one.
    ridge: `table` (n,) and `places` (s, 3): the position of the first node, and the steps from node to node along
    each axis; values between two entries are interpolated. It may be multiplied by a split with m = 1.
    radial: `table` (n,), `centres` (s, 2), the examples in steps of the grid from its first node, and `scales` (2,):
    the table's position is the length of the way from the centre to the node, times these along each axis. It may
    be multiplied by a split, too.
    both: the product of both, the table of the first being `ridge`.
    hill: the same on all sides of each example: `tops` (s, 2), the examples in steps of the grid from its first node,
    and `falls` (2, n), the logarithm along each axis at 0, 1, 2, … such steps from the example, with parabolas between
    three entries. It may be multiplied by a split with m = 1, and by a table.
    shared: `weights` (s, q) and `cores` (q, r_1, r_2) in both bases, or on the nodes without them.
    Any: `rest` (nodes along x₂, nodes along x₁), by which the sum is multiplied, or `rest_1` (r, nodes along x₁) and
    `rest_2` (r, nodes along x₂), whose products add up to its logarithm.
    """

    basis_1: FloatArray | None = None
    basis_2: FloatArray | None = None
    along_1: FloatArray | None = None
    along_2: FloatArray | None = None
    table: FloatArray | None = None
    places: FloatArray | None = None
    ridge: FloatArray | None = None
    weights: FloatArray | None = None
    cores: FloatArray | None = None
    centres: FloatArray | None = None
    scales: FloatArray | None = None
    rest: FloatArray | None = None
    rest_1: FloatArray | None = None
    rest_2: FloatArray | None = None
    tops: FloatArray | None = None
    falls: FloatArray | None = None

    def arrays(self) -> dict[str, FloatArray]:
        """The arrays that are there, by name."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def size(self) -> int:
        """Bytes as float32."""
        return sum(4 * array.size for array in self.arrays().values())

    def field(self, coef: FloatArray, nodes: int) -> FloatArray:
        """Return sum of coef_i k_i, (nodes along x₂, nodes along x₁): what the browser computes."""
        values = self._sum(coef, nodes)
        if self.rest_1 is not None and self.rest_2 is not None:
            return np.asarray(values * np.exp(self.rest_2.T @ self.rest_1))
        return values if self.rest is None else values * self.rest

    def _sum(self, coef: FloatArray, nodes: int) -> FloatArray:
        if self.table is not None:
            return self._looked_up(coef, nodes)
        if self.weights is not None and self.cores is not None:
            core = np.tensordot(coef @ self.weights, self.cores, axes=1)
        elif self.tops is not None:
            first, second = self._along(nodes)
            return np.asarray(np.einsum("i,ia,ib->ba", coef, first, second, optimize=True))
        else:
            assert self.along_1 is not None
            assert self.along_2 is not None
            core = np.einsum("i,mia,mib->ab", coef, self.along_1, self.along_2, optimize=True)
        left = core.T if self.basis_2 is None else self.basis_2.T @ core.T
        return np.asarray(left if self.basis_1 is None else left @ self.basis_1)

    def _looked_up(self, coef: FloatArray, nodes: int) -> FloatArray:
        """Return sum of coef_i times the tables' values, times the weights."""
        assert self.table is not None
        values, steps = np.ones(()), np.arange(nodes)
        ridge: FloatArray | None = self.table
        if self.centres is not None and self.scales is not None:
            away = (steps - self.centres[:, :, None]) * self.scales[:, None]
            values, ridge = _interpolated(self.table, np.hypot(away[:, 0, None, :], away[:, 1, :, None])), self.ridge
        if self.places is not None and ridge is not None:
            start, step_1, step_2 = self.places.T[:, :, None, None]
            values = values * _interpolated(ridge, start + step_1 * steps + step_2 * steps[:, None])
        if self.along_1 is not None or self.tops is not None:
            first, second = self._along(nodes)
            values *= second[:, :, None] * first[:, None, :]
        return np.asarray(np.tensordot(coef, values, axes=1))

    def _along(self, nodes: int) -> tuple[FloatArray, FloatArray]:
        """Return the weight of each example at the nodes of each axis, (s, nodes)."""
        found = []
        for axis, (along, basis) in enumerate(((self.along_1, self.basis_1), (self.along_2, self.basis_2))):
            weights = np.ones((1, 1)) if along is None else along[0] if basis is None else along[0] @ basis
            if self.tops is not None and self.falls is not None:
                away = np.abs(np.arange(nodes) - self.tops[:, axis, None])
                weights = weights * np.exp(_on_parabolas(self.falls[axis], away))
            found.append(weights)
        return found[0], found[1]


def _interpolated(table: FloatArray, at: FloatArray) -> FloatArray:
    return np.interp(at, np.arange(len(table)), table)


def _on_parabolas(table: FloatArray, at: FloatArray) -> FloatArray:
    k = np.minimum(at.astype(int), len(table) - 3)  # beyond, all is 0
    past, first, second = at - k, table[k + 1] - table[k], table[k + 2] - table[k + 1]
    return np.asarray(table[k] + past * (first + (past - 1.0) / 2.0 * (second - first)))
