"""Marks drawn with matplotlib: on pixels for PNG and films, as vectors for SVG and PDF.

It knows no panel.

Tests: tests/picture/test_painter.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.ft2font import LoadFlags
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox
from numpy.typing import NDArray
from PIL import Image
from PIL.Image import Resampling

from kpviz import fonts
from kpviz.engine.checks import FloatArray
from kpviz.fonts import Face
from kpviz.picture import formula
from kpviz.picture.stage import Board, Layer, Mark, PlacedPanel, Rect

_HALO = 3.0  # In pixels: the stroke behind text.
BATCHED = ("circle", "square", "rect", "ellipse")


class Painter:
    """Draws marks on a matplotlib renderer.

    Parameters
    ----------
    renderer : of a page that is `height` pixels of its own high.
    scale : how many of these a CSS pixel has. corner : the board's upper left corner on the page,
        in the page's pixels.
    """

    def __init__(
        self,
        renderer: Any,
        height: float,
        scale: float = 1.0,
        corner: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.renderer = renderer
        self.scale = scale
        self._height = height
        self._unit = renderer.points_to_pixels(1.0)
        left, top = corner
        self.page = Affine2D().scale(scale, -scale).translate(left, height - top).frozen()
        self._to = np.asarray(self.page.get_matrix())
        self._clip: Bbox | None = None
        # All shapes share one, as a new one takes as long as a small shape.
        self._gc = renderer.new_gc()
        self._gc.set_snap(False)
        self._gc.set_antialiased(True)
        # The last image of each size is kept, as often it is drawn again.
        self._enlarged: dict[tuple[Any, ...], tuple[Pixels, Image.Image]] = {}

    def board(self, board: Board) -> None:
        """Draw all panels; their layers must have marks."""
        for panel in board.panels:
            self.panel(panel, panel.layers)

    def panel(self, panel: PlacedPanel, layers: Iterable[Layer]) -> None:
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
        """Draw marks from the lowest to the highest.

        Simple shapes and images that follow each other at once.
        """
        for (batch, *_), group in groupby(marks, _batch):
            same_kind = list(group)
            if batch == "shapes":
                self._shapes(same_kind)
            elif batch == "images":
                self._images(same_kind)
            else:
                for mark in same_kind:
                    DRAWN[mark["kind"]](self, mark)

    # ---- shapes --------------------------------------------------------------------------------

    def _shapes(self, marks: list[Mark]) -> None:
        """Draw circles, squares and rectangles."""
        paths = [UNITS[mark["kind"]] for mark in marks]
        transforms = self._to @ places(marks)
        faces = np.array([_rgba(mark.get("fill"), mark) for mark in marks])
        edges = np.array([_rgba(mark.get("stroke"), mark) for mark in marks])
        unit = self.scale / self._unit
        widths = np.array(
            [mark.get("width", 1.0) * unit if mark.get("stroke") else 0.0 for mark in marks]
        )
        none: Any = np.zeros((1, 2))
        lines: Any = ([(0.0, None)], np.ones(1, np.uint8), [None], "screen")
        identity = Affine2D().frozen()
        arguments = (identity, paths, transforms, none, identity, faces, edges, widths, *lines)
        self.renderer.draw_path_collection(self._styled(), *arguments)

    def _path(
        self, mark: Mark, path: Path, place: FloatArray | None = None, *, fill: bool = True
    ) -> None:
        """Draw one path in the colours of a mark."""
        face = _rgba(mark["fill"], mark) if fill and mark.get("fill") else None
        to = self.page if place is None else Affine2D(self._to @ place)
        self.renderer.draw_path(self._styled(mark), path, to, face)

    def _styled(self, mark: Mark | None = None) -> Any:
        """Return how the outline of a mark is drawn, none without one, and where all is cut off."""
        gc = self._gc
        stroke = mark.get("stroke") if mark else None
        gc.set_clip_rectangle(self._clip)
        gc.set_linewidth(0.0)
        gc.set_dashes(0, None)
        if mark and stroke:
            unit = self.scale / self._unit
            gc.set_foreground(_rgba(stroke, mark), isRGBA=True)
            gc.set_linewidth(mark.get("width", 1.0) * unit)
            dash = mark.get("dash")
            if dash:
                gc.set_dashes(0, [part * unit for part in dash])
        return gc

    def _rounded(self, mark: Mark) -> None:
        self._path(mark, rounded(mark["x"], mark["y"], mark["w"], mark["h"], mark["radius"]))

    def _rects(self, mark: Mark) -> None:
        if len(mark["points"]):
            wide = mark["w"]
            high = mark["h"]
            corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)])
            self._path(mark, Path.make_compound_path_from_polys(mark["points"][:, None] + corners))

    def _lines(self, mark: Mark) -> None:
        parts = [Path(line) for line in mark["lines"] if len(line)]
        if parts:
            self._path(mark, Path.make_compound_path(*parts), fill=False)

    def _line(self, mark: Mark) -> None:
        self._lines({**mark, "lines": [mark["points"]]})

    def _polygon(self, mark: Mark) -> None:
        points = mark["points"]
        if len(points):
            self._path(mark, Path(np.concatenate([points, points[:1]]), closed=True))

    def _shape(self, mark: Mark) -> None:
        """Draw a shape whose outline is dashed."""
        self._path(mark, UNITS[mark["kind"]], places([mark])[0])

    # ---- images and text -----------------------------------------------------------------------

    def _images(self, marks: list[Mark]) -> None:
        """Draw images that lie on each other as one."""
        first = marks[0]
        box = self.page.transform(
            [(first["x"], first["y"] + first["h"]), (first["x"] + first["w"], first["y"])]
        )
        (x0, y0), (x1, y1) = box
        finer = self.renderer.get_image_magnification()
        size = (max(round((x1 - x0) * finer), 1), max(round((y1 - y0) * finer), 1))
        inset = first.get("inset", 0.0)
        crisp = bool(first.get("crisp"))
        image = blended(marks)
        key = (*size, inset, crisp)
        known, seen = self._enlarged.get(key, (None, None))
        if known is None or seen is None or not np.array_equal(known, image):
            seen = resized(image, size, inset=inset, crisp=crisp)
            self._enlarged[key] = (image, seen)
        gc = self._styled()
        if self.renderer.option_scale_image():
            self.renderer.draw_image(
                gc, x0, y0, np.asarray(seen)[::-1], Affine2D().scale(x1 - x0, y1 - y0)
            )
        elif seen.mode == "RGBX":
            put(self.renderer, seen, round(x0), round(self._height - y1), self._clip)
        else:
            self.renderer.draw_image(gc, round(x0), round(y0), np.asarray(seen)[::-1])

    def _text(self, mark: Mark) -> None:
        text = mark["text"]
        size = mark["size"]
        weight = mark.get("weight", 400)
        code = bool(mark.get("code"))
        path = outlines(text, weight, code)
        if path.codes is None:
            return
        across = _ALIGNED[mark.get("align", "left")] * width(text, weight, code=code) * size
        down = middle(weight, code) * size if mark.get("baseline") == "middle" else 0.0
        base = self._snapped(mark["y"] + down)
        if mark.get("up"):
            column = [0.0, -size, mark["x"] + down]
            row = [-size, 0.0, mark["y"] + across]
        else:
            column = [size, 0.0, mark["x"] - across]
            row = [0.0, -size, base]
        place = np.array([column, row, [0.0, 0.0, 1.0]])
        halo = mark.get("halo")
        if halo:
            self._path(
                {"stroke": halo, "width": _HALO, "alpha": mark.get("alpha", 1.0)}, path, place
            )
        if not mark.get("tints"):
            self._path({"fill": mark["fill"], "alpha": mark.get("alpha", 1.0)}, path, place)
            self._searchable(text, mark["x"] - across, base, size, weight, code)
            return
        for x, part, fill in self._tinted(mark):
            self._text({**mark, "x": x, "text": part, "fill": fill, "tints": None})

    def _formula(self, mark: Mark) -> None:
        size = mark["size"]
        base = self._snapped(mark["y"])
        place = np.array([[size, 0.0, mark["x"]], [0.0, -size, base], [0.0, 0.0, 1.0]])
        outline = formula.outline(mark["latex"], display=mark["display"])
        self._path({"fill": mark["fill"]}, outline.path, place)
        self._searchable(mark["text"], mark["x"], base, size, fonts.REGULAR, code=False)

    def _searchable(
        self, text: str, x: float, y: float, size: float, weight: int, code: bool
    ) -> None:
        """Write a text into a PDF that is found there and copied; what is seen is its outlines."""
        # Only matplotlib's renderer for PDF has a file.
        if not hasattr(self.renderer, "file"):
            return
        gc = self.renderer.new_gc()
        gc.set_alpha(0.0)
        points = size * self.scale / self._unit
        for face, part in groupby(text, lambda character: _face_of(character, weight, code)):
            characters = "".join(part)
            if face is not None:
                left, base = self.page.transform((x, y))
                typeface = FontProperties(fname=str(face.ttf), size=points)
                self.renderer.draw_text(gc, left, base, characters, typeface, 0.0)
            x += width(characters, weight, code=code) * size

    @staticmethod
    def _tinted(mark: Mark) -> Iterator[tuple[float, str, str]]:
        """Yield where each part of a text in several colours begins, its letters and its colour."""
        text = mark["text"]
        at = 0
        x = mark["x"]
        for start, stop, tint in [*mark["tints"], (len(text), len(text), mark["fill"])]:
            for part, fill in ((text[at:start], mark["fill"]), (text[start:stop], tint)):
                if part:
                    yield x, part, fill
                x += (
                    width(part, mark.get("weight", 400), code=bool(mark.get("code"))) * mark["size"]
                )
            at = stop

    def _snapped(self, y: float) -> float:
        """Return the nearest height at which a pixel begins, if there are pixels.

        On a canvas letters stand there.
        """
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
    "formula": Painter._formula,
    "circle": Painter._shape,
    "ellipse": Painter._shape,
}


def _batch(mark: Mark) -> tuple[Any, ...]:
    """Return a key that is equal for marks that can be drawn at once."""
    kind = mark["kind"]
    if kind == "image":
        return (
            "images",
            *(mark[name] for name in ("x", "y", "w", "h")),
            mark["image"].shape,
            mark.get("crisp", False),
        )
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


_FAR = 1e5  # In pixels: it is beyond any page.


# ---- the outlines of marks as matplotlib paths, in CSS pixels with y downwards ------------------


# A square with this half side has the area of the circle.
_SIDE = 0.886
# At this share of the radius are the handles of a quarter of a circle.
_ARC = 0.5523
_SQUARE = Path([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)], closed=True)

# What each kind is scaled from.
UNITS = {
    "circle": Path.unit_circle(),
    "ellipse": Path.unit_circle(),
    "square": _SQUARE,
    "rect": _SQUARE,
}


def places(marks: Sequence[Mark]) -> FloatArray:
    """Return how the unit shape of each mark becomes the mark, (n, 3, 3)."""
    transforms = np.zeros((len(marks), 3, 3))
    for to, mark in zip(transforms, marks, strict=True):
        wide, high, x, y = _extent(mark)
        to[0, 0] = wide
        to[1, 1] = high
        to[0, 2] = x
        to[1, 2] = y
        to[2, 2] = 1.0
    return transforms


def _extent(mark: Mark) -> tuple[float, float, float, float]:
    """Return half the width, half the height, and the middle."""
    kind = mark["kind"]
    if kind == "rect":
        wide = mark["w"] / 2
        high = mark["h"] / 2
        return wide, high, mark["x"] + wide, mark["y"] + high
    if kind == "ellipse":
        return mark["rx"], mark["ry"], mark["x"], mark["y"]
    r = mark["r"] * (_SIDE if kind == "square" else 1.0)
    return r, r, mark["x"], mark["y"]


def rounded(x: float, y: float, w: float, h: float, r: float) -> Path:
    """Return a rectangle with rounded corners."""
    r = max(min(r, w / 2, h / 2), 0.0)
    k = r * (1.0 - _ARC)
    right = x + w
    low = y + h
    sides = [
        [(x + r, y), (right - r, y), (right - k, y), (right, y + k), (right, y + r)],
        [(right, low - r), (right, low - k), (right - k, low), (right - r, low)],
        [(x + r, low), (x + k, low), (x, low - k), (x, low - r)],
        [(x, y + r), (x, y + k), (x + k, y), (x + r, y), (x + r, y)],
    ]
    curve = [Path.LINETO, *[Path.CURVE4] * 3]
    codes = [Path.MOVETO, *curve, *curve, *curve, *curve, Path.CLOSEPOLY]
    return Path([point for side in sides for point in side], codes)


# ---- images of marks: laid over each other, enlarged, and put on pixels -------------------------


Pixels = NDArray[np.uint8]


def blended(marks: Sequence[Mark]) -> Pixels:
    """Return images of the same size, from the lowest to the highest, as one."""
    lowest, *others = marks
    image = _faded(lowest["image"], lowest.get("alpha", 1.0))
    for mark in others:
        above = _faded(mark["image"], mark.get("alpha", 1.0))
        image = np.asarray(Image.alpha_composite(Image.fromarray(image), Image.fromarray(above)))
    return image


def _faded(image: Pixels, alpha: float) -> Pixels:
    if alpha == 1.0:
        return image
    faded = image.copy()
    faded[..., 3] = np.rint(faded[..., 3] * alpha)
    return faded


def resized(image: Pixels, size: tuple[int, int], *, inset: float, crisp: bool) -> Image.Image:
    """Return an image, without a rim of `inset` of its pixels, in another size.

    `crisp`: pixels stay squares.

    Its mode is "RGBX" where it is solid, else "RGBA".
    """
    high, wide = image.shape[:2]
    solid = bool((image[..., 3] == 255).all())
    how = Resampling.NEAREST if crisp else Resampling.BILINEAR
    mode = "RGBX" if solid else "RGBA"
    picture = Image.frombuffer(mode, (wide, high), np.ascontiguousarray(image), "raw", mode, 0, 1)
    return picture.resize(size, how, (inset, inset, wide - inset, high - inset))


def put(renderer: Any, image: Image.Image, x: int, y: int, clip: Bbox | None) -> None:
    """Write a solid image over the pixels at x, y from the upper left corner."""
    page = np.asarray(renderer.buffer_rgba())
    high, wide = page.shape[:2]
    left = 0
    right = wide
    top = 0
    low = high
    if clip is not None:
        left = max(left, round(clip.x0))
        right = min(right, round(clip.x1))
        top = max(top, round(high - clip.y1))
        low = min(low, round(high - clip.y0))
    left = max(left, x)
    right = min(right, x + image.width)
    top = max(top, y)
    low = min(low, y + image.height)
    if left < right and top < low:
        pixels = Image.frombuffer("RGBX", (wide, high), page, "raw", "RGBX", 0, 1)
        # The pixels are the renderer's own: to write into them takes a tenth of the time of a copy.
        pixels.readonly = 0
        part = (left - x, top - y, right - x, low - y)
        pixels.paste(image if part == (0, 0, *image.size) else image.crop(part), (left, top))


# ---- colours as the player writes them ----------------------------------------------------------


_RGB = re.compile(r"rgb\((\d+) (\d+) (\d+)\)")


@lru_cache(maxsize=1024)
def rgb(text: str) -> tuple[float, float, float]:
    """Return a colour's parts from 0 to 1.

    >>> rgb("black")
    (0.0, 0.0, 0.0)
    """
    match = _RGB.fullmatch(text)
    if match:
        red, green, blue = (int(part) / 255 for part in match.groups())
        return red, green, blue
    return to_rgb(text)


# ---- text as outlines: each character of the app's typeface as a path, set as wide as the player-


# Outlines are read in this size, in which a unit of the font is one of theirs.
_DRAWN = 1000.0


@lru_cache(maxsize=4096)
def outlines(text: str, weight: int, code: bool) -> Path:
    """Return the outlines of a line of text of size 1, from (0, 0) on, y upwards."""
    face = fonts.face(weight, code=code)
    widths = fonts.advances()[face.name]
    vertices: list[NDArray[np.float64]] = []
    codes: list[NDArray[np.uint8]] = []
    across = 0.0
    for character in text:
        path = _glyph(character, face, code)
        if path.codes is not None:
            vertices.append(np.asarray(path.vertices) + np.array([across, 0.0]))
            codes.append(np.asarray(path.codes))
        across += widths.get(character, widths["n"])
    if not vertices:
        return Path(np.zeros((0, 2)))
    return Path(np.concatenate(vertices), np.concatenate(codes))


@lru_cache(maxsize=4096)
def width(text: str, weight: int = fonts.REGULAR, *, code: bool = False) -> float:
    """Return how wide a line of text of size 1 is."""
    widths = fonts.advances()[fonts.face(weight, code=code).name]
    return sum(widths.get(character, widths["n"]) for character in text)


def lacking(text: str) -> str:
    """Return the characters of a text that the typeface does not have.

    >>> lacking("f(x₁₂) = −0.37 ≤ 0: 漢字")
    '漢字'
    """
    known = fonts.advances()[fonts.face().name]
    return "".join(
        dict.fromkeys(
            character for character in text if character not in known and not character.isspace()
        )
    )


@cache
def middle(weight: int, code: bool) -> float:
    """Return how far over the baseline the middle of a line of size 1 is, as a canvas has it."""
    font = _font(fonts.face(weight, code=code))
    return float((font.ascender + font.descender) / 2 / font.units_per_EM)


@cache
def _face_of(character: str, weight: int, code: bool) -> Face | None:
    """Return the first face that has a character, None where none has it."""
    families = fonts.CODE_FAMILIES if code else fonts.TEXT_FAMILIES
    faces = [one for family in families for one in fonts.FACES if one.family == family]
    return next(
        (
            one
            for one in faces
            if _font(one).get_charmap().get(ord(character))
            and one.weights[0] <= weight <= one.weights[1]
        ),
        None,
    )


@cache
def _glyph(character: str, face: Face, code: bool) -> Path:
    """Return the outline of a character of size 1, from the first family that has it."""
    one = _face_of(character, face.weight, code)
    if one is not None:
        return _outline(_font(one), _font(one).get_charmap()[ord(character)])
    return Path(np.zeros((0, 2))) if character.isspace() else _outline(_font(face), 0)


def _outline(font: Any, number: int) -> Path:
    font.set_size(_DRAWN, 72.0)
    font.load_glyph(number, LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    return Path(np.asarray(vertices) / _DRAWN, codes)


@cache
def _font(face: Face) -> Any:
    return get_font(str(face.ttf))
