"""Marks drawn with matplotlib: on pixels for PNG and films, as vectors for SVG and PDF. It knows no panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox

from kpviz.engine.checks import FloatArray
from kpviz.picture import raster, shapes, typeface
from kpviz.picture.board import Board, Layer, Mark, Panel, Rect
from kpviz.picture.colour import rgb

_HALO = 3.0  # px of the stroke behind text
BATCHED = ("circle", "square", "rect", "ellipse")


class Painter:
    """Draws marks on a matplotlib renderer.

    Parameters
    ----------
    renderer : of a page that is `height` pixels of its own high.
    scale : how many of these a CSS pixel has. corner : the board's upper left corner on the page, in the page's pixels.
    """

    def __init__(
        self,
        renderer: Any,
        height: float,
        scale: float = 1.0,
        corner: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.renderer, self.scale, self._height = renderer, scale, height
        self._unit = renderer.points_to_pixels(1.0)
        left, top = corner
        self.page = Affine2D().scale(scale, -scale).translate(left, height - top).frozen()
        self._to = np.asarray(self.page.get_matrix())
        self._clip: Bbox | None = None
        self._gc = renderer.new_gc()  # one for all: a new one takes as long as a small shape
        self._gc.set_snap(False)
        self._gc.set_antialiased(True)
        self._enlarged = raster.Enlarged()

    def board(self, board: Board) -> None:
        """Draw all panels; their layers must have marks."""
        for panel in board.panels:
            self.panel(panel, panel.layers)

    def panel(self, panel: Panel, layers: Iterable[Layer]) -> None:
        """Draw layers of a panel, and the marks above them."""
        for layer in layers:
            self.layer(layer, panel.clip)
        self.clipped(panel.clip)
        self.marks(panel.moving)
        self.clipped(None)

    def layer(self, layer: Layer, clip: Rect | None = None) -> None:
        """Draw a layer as far as it goes."""
        self.clipped(clip if layer.up_to is None else _cut(clip, layer.up_to))
        self.marks(layer.marks or [])
        self.clipped(None)

    def clipped(self, clip: Rect | None) -> None:
        """Cut off what follows at the edge of a rectangle, or nothing."""
        if clip is None:
            self._clip = None
            return
        corners = [(clip.x, clip.y + clip.h), (clip.x + clip.w, clip.y)]
        self._clip = Bbox(self.page.transform(np.array(corners)))

    def marks(self, marks: list[Mark]) -> None:
        """Draw marks from the lowest to the highest; simple shapes and images that follow each other at once."""
        for (batch, *_), group in groupby(marks, _batch):
            found = list(group)
            if batch == "shapes":
                self._shapes(found)
            elif batch == "images":
                self._images(found)
            else:
                for mark in found:
                    DRAWN[mark["kind"]](self, mark)

    # ---- shapes ---------------------------------------------------------------------------------

    def _shapes(self, marks: list[Mark]) -> None:
        """Draw circles, squares and rectangles."""
        paths = [shapes.UNITS[mark["kind"]] for mark in marks]
        places = self._to @ shapes.places(marks)
        faces = np.array([_rgba(mark.get("fill"), mark) for mark in marks])
        edges = np.array([_rgba(mark.get("stroke"), mark) for mark in marks])
        unit = self.scale / self._unit
        widths = np.array([mark.get("width", 1.0) * unit if mark.get("stroke") else 0.0 for mark in marks])
        none: Any = np.zeros((1, 2))
        lines: Any = ([(0.0, None)], np.ones(1, np.uint8), [None], "screen")
        identity = Affine2D().frozen()
        given = (identity, paths, places, none, identity, faces, edges, widths, *lines)
        self.renderer.draw_path_collection(self._styled(), *given)

    def _path(self, mark: Mark, path: Path, place: FloatArray | None = None, *, fill: bool = True) -> None:
        """Draw one path in the colours of a mark."""
        face = _rgba(mark["fill"], mark) if fill and mark.get("fill") else None
        to = self.page if place is None else Affine2D(self._to @ place)
        self.renderer.draw_path(self._styled(mark), path, to, face)

    def _styled(self, mark: Mark | None = None) -> Any:
        """Return how the outline of a mark is drawn, none without one, and where all is cut off."""
        gc, stroke = self._gc, mark.get("stroke") if mark else None
        gc.set_clip_rectangle(self._clip)
        gc.set_linewidth(0.0)
        gc.set_dashes(0, None)
        if mark and stroke:
            unit = self.scale / self._unit
            gc.set_foreground(_rgba(stroke, mark), isRGBA=True)
            gc.set_linewidth(mark.get("width", 1.0) * unit)
            if dash := mark.get("dash"):
                gc.set_dashes(0, [part * unit for part in dash])
        return gc

    def _rounded(self, mark: Mark) -> None:
        self._path(mark, shapes.rounded(mark["x"], mark["y"], mark["w"], mark["h"], mark["radius"]))

    def _rects(self, mark: Mark) -> None:
        if len(mark["points"]):
            self._path(mark, shapes.rectangles(mark["points"], mark["w"], mark["h"]))

    def _lines(self, mark: Mark) -> None:
        parts = [line for line in mark["lines"] if len(line)]
        if parts:
            self._path(mark, shapes.polylines(parts), fill=False)

    def _line(self, mark: Mark) -> None:
        self._lines({**mark, "lines": [mark["points"]]})

    def _polygon(self, mark: Mark) -> None:
        if len(mark["points"]):
            self._path(mark, shapes.polygon(mark["points"]))

    def _shape(self, mark: Mark) -> None:
        """Draw a shape whose outline is dashed."""
        self._path(mark, shapes.UNITS[mark["kind"]], shapes.places([mark])[0])

    # ---- images and text ------------------------------------------------------------------------

    def _images(self, marks: list[Mark]) -> None:
        """Draw images that lie on each other as one."""
        first = marks[0]
        box = self.page.transform([(first["x"], first["y"] + first["h"]), (first["x"] + first["w"], first["y"])])
        (x0, y0), (x1, y1) = box
        finer = self.renderer.get_image_magnification()
        size = (max(round((x1 - x0) * finer), 1), max(round((y1 - y0) * finer), 1))
        inset, crisp = first.get("inset", 0.0), bool(first.get("crisp"))
        seen = self._enlarged.of(raster.blended(marks), size, inset=inset, crisp=crisp)
        gc = self._styled()
        if self.renderer.option_scale_image():
            self.renderer.draw_image(gc, x0, y0, np.asarray(seen)[::-1], Affine2D().scale(x1 - x0, y1 - y0))
        elif seen.mode == "RGBX":
            raster.put(self.renderer, seen, round(x0), round(self._height - y1), self._clip)
        else:
            self.renderer.draw_image(gc, round(x0), round(y0), np.asarray(seen)[::-1])

    def _text(self, mark: Mark) -> None:
        text, size, weight = mark["text"], mark["size"], mark.get("weight", 400)
        code = bool(mark.get("code"))
        path = typeface.outlines(text, weight, code)
        if path.codes is None:
            return
        across = _ALIGNED[mark.get("align", "left")] * typeface.width(text, weight, code=code) * size
        down = typeface.middle(weight, code) * size if mark.get("baseline") == "middle" else 0.0
        base = self._snapped(mark["y"] + down)
        place = np.array([[size, 0.0, mark["x"] - across], [0.0, -size, base], [0.0, 0.0, 1.0]])
        if halo := mark.get("halo"):
            self._path({"stroke": halo, "width": _HALO, "alpha": mark.get("alpha", 1.0)}, path, place)
        if not mark.get("tints"):
            self._path({"fill": mark["fill"], "alpha": mark.get("alpha", 1.0)}, path, place)
            return
        for x, part, fill in self._tinted(mark):
            self._text({**mark, "x": x, "text": part, "fill": fill, "tints": None})

    @staticmethod
    def _tinted(mark: Mark) -> Iterator[tuple[float, str, str]]:
        """Yield where each part of a text with letters in other colours begins, its letters and its colour."""
        text, at, x = mark["text"], 0, mark["x"]
        for start, stop, tint in [*mark["tints"], (len(text), len(text), mark["fill"])]:
            for part, fill in ((text[at:start], mark["fill"]), (text[start:stop], tint)):
                if part:
                    yield x, part, fill
                x += typeface.width(part, mark.get("weight", 400), code=bool(mark.get("code"))) * mark["size"]
            at = stop

    def _snapped(self, y: float) -> float:
        """Return the nearest height at which a pixel begins, if there are pixels: on a canvas letters stand there."""
        if self.renderer.option_scale_image():
            return y
        top = self._to[1, 2] - self._height
        return float((np.floor(self.scale * y - top + 0.5) + top) / self.scale)


_ALIGNED = {"left": 0.0, "center": 0.5, "right": 1.0}

DRAWN: dict[str, Callable[[Painter, Mark], None]] = {
    "rect": Painter._rounded,
    "rects": Painter._rects,
    "lines": Painter._lines,
    "line": Painter._line,
    "polygon": Painter._polygon,
    "text": Painter._text,
    "circle": Painter._shape,
    "ellipse": Painter._shape,
}


def _batch(mark: Mark) -> tuple[Any, ...]:
    """Return a key that is equal for marks that can be drawn at once."""
    kind = mark["kind"]
    if kind == "image":
        return "images", *(mark[name] for name in ("x", "y", "w", "h")), mark["image"].shape, mark.get("crisp", False)
    if kind in BATCHED and not mark.get("dash") and not mark.get("radius"):
        return ("shapes",)
    return ("one",)


def _rgba(colour: str | None, mark: Mark) -> tuple[float, float, float, float]:
    return (0.0, 0.0, 0.0, 0.0) if colour is None else (*rgb(colour), mark.get("alpha", 1.0))


def _cut(clip: Rect | None, up_to: float) -> Rect:
    """Return the part of a rectangle, or of everything, to the left of x = up_to."""
    if clip is None:
        return Rect(-_FAR, -_FAR, max(up_to, 0.0) + _FAR, 2 * _FAR)
    return Rect(clip.x, clip.y, max(min(up_to, clip.x + clip.w) - clip.x, 0.0), clip.h)


_FAR = 1e5  # px: beyond any page
