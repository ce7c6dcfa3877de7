"""The field as an image: its values between the nodes, in colour, in a third of the time of matplotlib's resampling."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray

Paint = Callable[[NDArray[np.float32]], NDArray[np.uint8]]


class FieldImage(AxesImage):
    """Fills the axes: the first and last nodes lie on their edges.

    Parameters
    ----------
    field : (rows, columns) values at the nodes, rows upwards.
    paint : from the values at each pixel to (height, width, 4) colours.
    """

    def __init__(self, ax: Axes, field: FloatArray, paint: Paint) -> None:
        super().__init__(ax)
        self._field, self._paint = field, paint
        self.set_data(field)
        self.set_clip_path(ax.patch)

    def make_image(self, renderer: Any, magnification: float = 1.0, unsampled: bool = False) -> Any:
        """Return the colours of the pixels within the axes, and where they begin."""
        x0, y0, x1, y1 = (float(edge) * magnification for edge in self.axes.bbox.extents)
        left, bottom, right, top = int(np.floor(x0)), int(np.floor(y0)), int(np.ceil(x1)), int(np.ceil(y1))
        rows, columns = self._field.shape
        up, across = _between(rows, bottom, top, y0, y1), _between(columns, left, right, x0, x1)
        across_only = np.ascontiguousarray(_mixed(self._field.T, *across).T)
        image = self._paint(_mixed(across_only, *up))
        return image, left / magnification, bottom / magnification, Affine2D()


@lru_cache(maxsize=32)
def _between(
    nodes: int, low: int, high: int, first: float, last: float
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return for the middle of each pixel the node before it, (high - low,), and how far it is to the next one."""
    place = np.clip((np.arange(low, high) + 0.5 - first) / (last - first), 0.0, 1.0) * (nodes - 1)
    node = np.minimum(place.astype(np.intp), nodes - 2)
    return node, np.asarray(place - node, dtype=np.float32)


def _mixed(values: NDArray[Any], node: NDArray[np.intp], share: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows between the rows of `values`."""
    rows = values.astype(np.float32, copy=False)
    before = rows[node]
    return np.asarray(before + share[:, None] * (rows[node + 1] - before), dtype=np.float32)
