"""Images of marks: laid over each other, enlarged, and put on pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.transforms import Bbox
from numpy.typing import NDArray
from PIL import Image
from PIL.Image import Resampling

from kpviz.picture.board import Mark

Pixels = NDArray[np.uint8]


def blended(marks: Sequence[Mark]) -> Pixels:
    """Return images of the same size, from the lowest to the highest, as one."""
    lowest, *others = marks
    found = _faded(lowest["image"], lowest.get("alpha", 1.0))
    for mark in others:
        above = _faded(mark["image"], mark.get("alpha", 1.0))
        found = np.asarray(Image.alpha_composite(Image.fromarray(found), Image.fromarray(above)))
    return found


def _faded(image: Pixels, alpha: float) -> Pixels:
    if alpha == 1.0:
        return image
    found = image.copy()
    found[..., 3] = np.rint(found[..., 3] * alpha)
    return found


def resized(image: Pixels, size: tuple[int, int], *, inset: float, crisp: bool) -> Image.Image:
    """Return an image, without a rim of `inset` of its pixels, in another size; `crisp`: pixels stay squares.

    Its mode is "RGBX" where it is solid, else "RGBA".
    """
    high, wide = image.shape[:2]
    solid = bool((image[..., 3] == 255).all())
    how = Resampling.NEAREST if crisp else Resampling.BILINEAR
    mode = "RGBX" if solid else "RGBA"
    picture = Image.frombuffer(mode, (wide, high), np.ascontiguousarray(image), "raw", mode, 0, 1)
    return picture.resize(size, how, (inset, inset, wide - inset, high - inset))


class Enlarged:
    """The last image of each size, which is often drawn again while other marks move."""

    def __init__(self) -> None:
        self._last: dict[tuple[Any, ...], tuple[Pixels, Image.Image]] = {}

    def of(self, image: Pixels, size: tuple[int, int], *, inset: float, crisp: bool) -> Image.Image:
        """Return what `resized` does."""
        key = (*size, inset, crisp)
        known = self._last.get(key)
        if known is None or not np.array_equal(known[0], image):
            known = self._last[key] = (image, resized(image, size, inset=inset, crisp=crisp))
        return known[1]


def put(renderer: Any, image: Image.Image, x: int, y: int, clip: Bbox | None) -> None:
    """Write a solid image over the pixels at x, y from the upper left corner."""
    page = np.asarray(renderer.buffer_rgba())
    high, wide = page.shape[:2]
    left, right, top, low = 0, wide, 0, high
    if clip is not None:
        left, right = max(left, round(clip.x0)), min(right, round(clip.x1))
        top, low = max(top, round(high - clip.y1)), min(low, round(high - clip.y0))
    left, right = max(left, x), min(right, x + image.width)
    top, low = max(top, y), min(low, y + image.height)
    if left < right and top < low:
        pixels = Image.frombuffer("RGBX", (wide, high), page, "raw", "RGBX", 0, 1)
        pixels.readonly = 0  # they are the renderer's own, to be written: a tenth of the time that a copy takes
        part = (left - x, top - y, right - x, low - y)
        pixels.paste(image if part == (0, 0, *image.size) else image.crop(part), (left, top))
