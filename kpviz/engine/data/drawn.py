"""Points drawn by hand, and the short text that holds them in a link.

What is drawn snaps to a grid of 4096 × 4096 cells about the part of the plane that is shown, in
steps of 1, 2 or 5 times a power of ten: link, file and run hold the same short decimal numbers.

Tests: tests/engine/test_drawn.py.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.data.tables import LARGEST
from kpviz.engine.run.grid import Extent, extent

CELLS = 4096  # A cell is known by 12 bits for each axis.
_WIDEST = 4000  # The shown part may take so many steps, so that some cells lie outside it.
_FARTHEST = 2**40  # In steps from 0: further out, steps of this size are no longer exact.
_MANTISSAS = (1, 2, 5)
_LEVELS = 66  # Steps from 1e-22 to 5e21 are powers of ten that floats hold exactly.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_PLACE = {sign: value for value, sign in enumerate(ALPHABET)}
_BITS = 6  # One character holds so many bits.
_PATTERN = re.compile(
    r"(?P<cells>[\w-]*)(\.(?P<labels>[\w-]*)(\.(?P<held>\d{0,4})(\.(?P<frame>[\d_-]*))?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Axis:
    """One axis of the grid: the shown part begins at `low` steps and is `width` steps long.

    `level` is the step's size: 0 is a step of 1, 1 of 2, 2 of 5, 3 of 10, -1 of 0.5 and so on.
    """

    level: int
    low: int
    width: int

    def __post_init__(self) -> None:
        within = (
            abs(self.level) <= _LEVELS and abs(self.low) <= _FARTHEST and 1 <= self.width <= _WIDEST
        )
        if not within:
            raise ValueError(
                f"{self} is not an axis of drawn points: it must be one that a link of kpviz can "
                f"hold."
            )

    @classmethod
    def over(cls, low: float, high: float) -> Axis:
        """Return the finest axis that shows `low` to `high`; ValueError where they are too large,
        small or far out.
        """
        share = (high - low) / _WIDEST
        if not 0.0 < share < math.inf:
            raise ValueError(_TOO_FAR)
        level = 3 * math.floor(math.log10(share)) - 1
        while abs(level) <= _LEVELS:
            axis = cls(level, 0, 1)
            first = axis._last_up_to(low)
            last = -axis._last_up_to(-high)
            if last - first > _WIDEST:
                level += 1
            elif abs(first) <= _FARTHEST:
                return cls(level, first, last - first)
            else:
                break
        raise ValueError(_TOO_FAR)

    @property
    def origin(self) -> int:
        """The step of cell 0: what is shown lies in the middle of the cells."""
        return self.low - (CELLS - self.width) // 2

    def values(self, steps: NDArray[np.int64]) -> FloatArray:
        """Return the coordinates of whole numbers of steps, each the float nearest to the decimal
        number.
        """
        power, mantissa = divmod(self.level, 3)
        product = np.asarray(steps, dtype=np.float64) * _MANTISSAS[mantissa]
        return np.asarray(product * 10.0**power if power >= 0 else product / 10.0**-power)

    @property
    def step(self) -> float:
        """The size of a step."""
        return float(self.values(np.array([1]))[0])

    def _last_up_to(self, value: float) -> int:
        # A quotient is rounded, so the step beside it may be the one.
        near = math.floor(value / self.step)
        at, above = self.values(np.array([near, near + 1], dtype=np.float64)).tolist()
        return near + int(above <= value) - int(at > value)

    def cells(self, values: FloatArray) -> NDArray[np.int64]:
        """Return the cells nearest to coordinates, those of the edge for what lies outside."""
        nearest = np.rint(values / self.step)
        return np.asarray(np.clip(nearest - self.origin, 0, CELLS - 1), dtype=np.int64)

    @property
    def ends(self) -> tuple[float, float]:
        """The coordinates between which the axis is shown."""
        low, high = self.values(np.array([self.low, self.low + self.width]))
        return float(low), float(high)


_TOO_FAR = (
    "These numbers are too large, too small or too far from zero to be edited by hand: let "
    "the features be scaled."
)
_USUAL = (Axis(-9, -1250, 2500), Axis(-9, -1250, 2500))


@dataclass(frozen=True, eq=False)
class Drawn:
    """Points on the grid, in the order in which they are shown; the last `held` are held out.

    `cells` is (n, 2) with numbers from 0 to 4095, `y` (n,) in {-1., +1.}.
    """

    cells: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    y: FloatArray = field(default_factory=lambda: np.zeros(0))
    held: int = 0
    axes: tuple[Axis, Axis] = _USUAL

    @classmethod
    def of(
        cls, X: FloatArray, y: FloatArray, held: int = 0, visible: Extent | None = None
    ) -> Drawn:
        """Return the points nearest to the rows of X, shape (n, 2), on a grid about what is shown
        of the plane.

        >>> drawn = Drawn.of(np.array([[0.25, -1.0004]]), np.array([-1.0]))
        >>> drawn.X, drawn.code
        (array([[ 0.25, -1.  ]]), 'j6QY.A')
        """
        if not len(X) and visible is None:
            return cls()
        part = extent(X) if visible is None else visible
        if len(X) and not _within(X, part):
            part = extent(X)
        axes = (Axis.over(part.low_1, part.high_1), Axis.over(part.low_2, part.high_2))
        cells = np.column_stack([axis.cells(X[:, k]) for k, axis in enumerate(axes)])
        return cls(cells, np.asarray(y, dtype=np.float64), held, axes)

    def with_points(self, X: FloatArray, y: FloatArray, held: int) -> Drawn:
        """Return other points on this grid; on a new one where some of them lie outside the part
        that is shown.
        """
        if len(X) and not _within(X, self.visible):
            return Drawn.of(X, y, held)
        cells = np.column_stack([axis.cells(X[:, k]) for k, axis in enumerate(self.axes)])
        return Drawn(cells, np.asarray(y, dtype=np.float64), held, self.axes)

    @property
    def X(self) -> FloatArray:  # noqa: N802 - the field's name for examples
        """(n, 2) coordinates."""
        return np.column_stack(
            [axis.values(self.cells[:, k] + axis.origin) for k, axis in enumerate(self.axes)]
        )

    @property
    def n(self) -> int:
        """How many there are, held-out ones included."""
        return len(self.y)

    @property
    def visible(self) -> Extent:
        """The part of the plane that is shown."""
        return Extent(*self.axes[0].ends, *self.axes[1].ends)

    @property
    def code(self) -> str:
        """The text: two characters per coordinate, one per six labels, then how many are held out,
        and the axes.
        """
        cells = "".join(
            ALPHABET[cell >> _BITS] + ALPHABET[cell & 63] for cell in self.cells.ravel().tolist()
        )
        bits = [int(label > 0) for label in self.y.tolist()]
        bits += [0] * (-len(bits) % _BITS)
        labels = "".join(
            ALPHABET[int("".join(map(str, bits[at : at + _BITS])), 2)]
            for at in range(0, len(bits), _BITS)
        )
        return ".".join([cells, labels, str(self.held or ""), self.frame]).rstrip(".")

    @property
    def frame(self) -> str:
        """The last part of the text: the axes, "" for the default ones."""
        if self.axes == _USUAL:
            return ""
        return "_".join(
            str(part) for axis in self.axes for part in (axis.level, axis.low, axis.width)
        )

    @classmethod
    def read(cls, code: str, most: int) -> Drawn:
        """Return the points of a text; ValueError, of one sentence, if it cannot be read or has
        more than `most`.
        """
        match = _PATTERN.fullmatch(code)
        if match is None:
            raise ValueError(
                "The drawn points cannot be read: the link is damaged, so copy it once more."
            )
        cells, labels, held, frame = (
            match[name] or "" for name in ("cells", "labels", "held", "frame")
        )
        n = len(cells) // 4
        if len(cells) % 4 or len(labels) != -(-n // _BITS):
            raise ValueError(
                "The drawn points are not complete: the link was cut off, so copy it once more."
            )
        if n > most:
            raise ValueError(f"There are {n:,} drawn points, more than {most:,}: use fewer.")
        if int(held or 0) > n:
            raise ValueError(f"Of {n} drawn points {held} are held out: hold out fewer.")
        numbers = [
            (_PLACE[a] << _BITS) + _PLACE[b] for a, b in zip(cells[::2], cells[1::2], strict=True)
        ]
        bits = "".join(f"{_PLACE[sign]:06b}" for sign in labels)[:n]
        y = np.array([1.0 if bit == "1" else -1.0 for bit in bits])
        return cls(np.array(numbers, dtype=np.int64).reshape(n, 2), y, int(held or 0), _axes(frame))


@dataclass(frozen=True)
class Names:
    """Names of the features and classes of edited points, and the ranges that were scaled to ±1
    (None: not scaled).
    """

    features: tuple[str, str] = ("x₁", "x₂")
    classes: tuple[str, str] = ("−1", "+1")
    lows: tuple[float, float] | None = None
    highs: tuple[float, float] | None = None

    @property
    def code(self) -> str:
        """The text that holds them in a link."""
        if self == Names():
            return ""
        names = [name.replace("~", "-")[:40] for name in (*self.features, *self.classes)]
        ends = (
            [] if self.lows is None or self.highs is None else map(repr, (*self.lows, *self.highs))
        )
        return "~".join([*names, *ends])

    @classmethod
    def read(cls, code: str) -> Names | None:
        """Return the names in a text, the default ones for "", None if it is not such a text."""
        if not code:
            return cls()
        parts = code.split("~")
        if len(parts) not in (4, 8):
            return None
        features = (parts[0], parts[1])
        classes = (parts[2], parts[3])
        if len(parts) == 4:
            return cls(features, classes)
        try:
            low_1, low_2, high_1, high_2 = map(float, parts[4:])
        except ValueError:
            return None
        within = all(abs(end) <= LARGEST for end in (low_1, low_2, high_1, high_2))
        if not (within and low_1 < high_1 and low_2 < high_2):
            return None
        return cls(features, classes, (low_1, low_2), (high_1, high_2))


def _axes(text: str) -> tuple[Axis, Axis]:
    if not text:
        return _USUAL
    parts = text.split("_")
    try:
        numbers = [int(part) for part in parts if len(part) <= 20]
        first = Axis(*numbers[:3])
        second = Axis(*numbers[3:])
    except (TypeError, ValueError):
        raise ValueError(
            "The axes of the drawn points cannot be read: copy the link once more."
        ) from None
    return first, second


def _within(X: FloatArray, part: Extent) -> bool:
    low = X.min(axis=0)
    high = X.max(axis=0)
    return bool(
        low[0] >= part.low_1
        and low[1] >= part.low_2
        and high[0] <= part.high_1
        and high[1] <= part.high_2
    )
