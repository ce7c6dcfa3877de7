"""Draw the pictures of the dock: a tile for each data set, kernel and learner, and for each ready
comparison.

Run by `make assets`; a test compares what is there with what this writes.
"""

from __future__ import annotations

import base64
import io
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import contourpy
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from PIL import Image

from kpviz import experiment, tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.data import boolean, datasets
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.fisher import data
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid
from kpviz.engine.run.grid import Extent
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.lessons.presets import PRESETS
from kpviz.service.dock.fields import image
from kpviz.settings import Settings

FILE = (
    Path(__file__).parent.parent / "kpviz" / "player" / "web" / "page" / "dock" / "thumbnails.css"
)
SIDE = 74  # In pixels: the side of a picture.
_NODES = SIDE // 2  # A field has so many along each axis.
_LIGHT = tokens.THEMES["light"]
_POINTS = (tokens.MAP_POINTS["negative"], tokens.MAP_POINTS["positive"])
_THIRD = 2  # As on the page of Fisher, the third of three classes is ink.
# The first is that of the current run, the others those of pinned runs.
_DASHES = ("none", "6 4", "2 3", "10 3 2 3")
_WIDE = 2 * SIDE  # In pixels: the width of a picture of a comparison.
_FIELD = LinearSegmentedColormap.from_list(
    "field", [_LIGHT[f"field_{name}"] for name in ("negative", "zero", "positive")]
)
_STEPS = 60  # A curve has so many steps.
_NOTHING = 1e-9  # If f is not above it, it is 0, and there is no boundary.


def css() -> str:
    """Return a rule for each picture."""
    rules = ["/* Written by `make assets`. */"]
    for group, name, url in _pictures():
        rules.append(f'.{image(group, name)} {{ background-image: url("{url}"); }}')
    return "\n".join(rules) + "\n"


def _pictures() -> Iterator[tuple[str, str, str]]:
    for name in datasets.SOURCES:
        split = experiment.prepare(Settings.of(data=name, n=80))
        yield "data", name, _svg(points(split.X, split.y > 0, grid.extent(split.X)))
    for name in (name for name in data.SETS if name not in datasets.SOURCES):
        yield "data", name, _svg(fisher_picture(name))
    for name, source in OBJECTS.items():
        yield (
            "data",
            name,
            _svg(texts_picture() if source.kind == "texts" else object_picture(name)),
        )
    for name in KERNELS:
        yield "kernel", name, _png(_FIELD(kernel_shades(name)))
    for name in LEARNERS:
        yield "learner", name, _svg(learner_picture(name))
    for name in PRESETS:
        yield "compare", name, _svg(comparison_picture(name), _WIDE)


# ---- data ---------------------------------------------------------------------------------------


def points(X: FloatArray, kinds: Iterable[int], extent: Extent, size: float = 1.0) -> list[str]:
    """Return the marks of examples: squares, circles and triangles of their class."""
    across, down = _places(X, extent)
    kinds = np.asarray(kinds, dtype=int)
    marks = []
    for kind, colour in enumerate(_POINTS):
        places = zip(across[kinds == kind], down[kinds == kind], strict=True)
        line = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places)
        # A line of no length is a dot of the shape of its ends.
        cap = "square" if kind == 0 else "round"
        width = (4.6, 5.2)[kind] * size
        if line:
            marks.append(
                f"<path d='{line}' stroke='{colour}' stroke-width='{width:.1f}' "
                f"stroke-linecap='{cap}'/>"
            )
    third = zip(across[kinds == _THIRD], down[kinds == _THIRD], strict=True)
    triangles = "".join(f"M{x:.0f} {y - 3:.0f}l3 5h-6z" for x, y in third)
    return [*marks, f"<path d='{triangles}' fill='{_LIGHT['ink']}'/>"] if triangles else marks


def _places(X: FloatArray, extent: Extent) -> tuple[FloatArray, FloatArray]:
    """Return where points are in a picture, from its left and from its top."""
    across = (X[:, 0] - extent.low_1) / (extent.high_1 - extent.low_1) * SIDE
    return across, (extent.high_2 - X[:, 1]) / (extent.high_2 - extent.low_2) * SIDE


def fisher_picture(name: str) -> list[str]:
    """Return the marks of a data set of Fisher's page that is nowhere else."""
    plane = data.see(data.load(name, None if data.SETS[name].many else 80))
    return points(plane.Z, plane.examples.labels, grid.extent(plane.Z))


def texts_picture() -> list[str]:
    """Return the marks of a few sentences, a bar for each word; those that the first one has too
    stand out.
    """
    texts, _ = OBJECTS["texts"].examples()
    lines = [texts[i].split() for i in (4, 3, 7, 9, 11)]  # They share words at their beginnings.
    marks = []
    for row, words in enumerate(lines):
        x = 6.0
        for word in words:
            wide = 3.1 * len(word)
            if x + wide > SIDE - 5:
                break
            ink = _LIGHT["ink"] if row and word in lines[0] else _LIGHT["quiet"]
            marks.append(
                f"<rect x='{x:.0f}' y='{9 + 12 * row}' width='{wide:.0f}' height='5' rx='2' "
                f"fill='{ink}'/>"
            )
            x += wide + 4
    return marks


def object_picture(name: str) -> list[str]:
    """Return the marks of a tree, a graph or a cube."""
    if OBJECTS[name].kind == "bits":
        places = boolean.corners(3)
        edges = boolean.edges(3)
        labels = boolean.function("parity", 3).values(boolean.bits(3))
        ups = (places + 1) / 2
        joined = edges.tolist()
    else:
        texts, y = OBJECTS[name].examples()
        sketch = sketches(KERNELS[OBJECTS[name].kernels[0]](), texts[-1:])[0]
        ups = np.array([(node.x, node.y) for node in sketch.nodes])
        joined = sketch.edges
        labels = np.full(len(ups), y[-1])
    across = 9 + ups[:, 0] * (SIDE - 18)
    down = 9 + (1 - ups[:, 1]) * (SIDE - 18)
    marks = [
        f"<line x1='{across[a]:.0f}' y1='{down[a]:.0f}' x2='{across[b]:.0f}' y2='{down[b]:.0f}' "
        f"stroke='{_LIGHT['quiet']}'/>"
        for a, b in joined
    ]
    for x, y_, label in zip(across, down, labels, strict=True):
        marks.append(f"<circle cx='{x:.0f}' cy='{y_:.0f}' r='4' fill='{_POINTS[int(label > 0)]}'/>")
    return marks


# ---- kernels ------------------------------------------------------------------------------------


def kernel_shades(name: str) -> FloatArray:
    """Return k(x, ·) for an x right of the middle, or the Gram matrix of objects: shades from 0 to
    1, top row first.
    """
    values = kernel_values(name)
    return (values[::-1] / np.abs(values).max() + 1.0) / 2.0


def kernel_values(name: str) -> FloatArray:
    """Return k(x, ·) on the nodes of a plane, or the Gram matrix of the objects that the kernel
    compares, by class.
    """
    kernel = KERNELS[name]()
    if kernel.compares != "vectors":
        texts, _ = next(source for source in OBJECTS.values() if name in source.kernels).examples()
        return np.sqrt(kernel.normalized()(texts, texts))[::-1]  # The root shows small values.
    axis = np.linspace(-1.25, 1.25, _NODES)
    nodes = np.column_stack([np.tile(axis, _NODES), np.repeat(axis, _NODES)])
    fitted = kernel.fitted(experiment.prepare(Settings.of(data="moons")).X)
    return fitted(np.array([[0.4, 0.25]]), nodes).reshape(_NODES, _NODES)


# ---- learners and comparisons -------------------------------------------------------------------


# Bricks of a memory: how high each is, its class, and how much of its colour is left; None: one
# that was dropped.
_Brick = tuple[float, bool, float]
_BRICKS: dict[str, tuple[_Brick | None, ...]] = {
    "perceptron": ((1, True, 1), (1, False, 1), (1, True, 1), (1, False, 1)),
    "pa": ((1, True, 1), (0.35, False, 1), (0.7, True, 1), (0.2, False, 1)),
    "projectron": ((1.25, True, 1), (0.8, False, 1)),
    "oldest": (None, (1, False, 1), (1, True, 1), (1, False, 1)),
    "randomized": ((1, True, 1), (1, False, 1), None, (1, False, 1)),
    "forgetron": (None, (0.4, False, 1), (0.7, True, 1), (1, False, 1)),
    "norma": ((1, True, 0.25), (1, False, 0.45), (1, True, 0.7), (1, False, 1)),
}
_BRICK = 14  # In pixels: its width.
_HEIGHT = 34  # In pixels: a whole one is so high.


def learner_picture(name: str) -> list[str]:
    """Return the marks of what a learner does with mistakes: the bricks that it remembers, dashed
    what it dropped; of the support vector machine its margin, of regression its probability.
    """
    ink = _LIGHT["ink"]
    if name == "svm":
        sides = [(14, 50, True), (28, 22, True), (22, 34, True), (46, 52, False), (56, 30, False)]
        lines = _line("M22 66L52 8", ink) + "".join(
            f"<path d='M{x} 66L{x + 30} 8' stroke='{ink}' stroke-dasharray='3 3'/>"
            for x in (11, 33)
        )
        return [lines, *(_dot(x, y, positive) for x, y, positive in sides)]
    if name == "logistic":
        return [_line("M6 60C34 60 40 14 68 14", ink), _dot(20, 60, False), _dot(54, 14, True)]
    bricks = _BRICKS[name]
    left = (SIDE - len(bricks) * (_BRICK + 2) + 2) / 2
    return [
        _brick(left + k * (_BRICK + 2), *brick)
        if brick
        else f"<rect x='{left + k * (_BRICK + 2):.0f}' y='{54 - _HEIGHT}' width='{_BRICK}' "
        f"height='{_HEIGHT}' rx='2' fill='none' stroke='{_LIGHT['quiet']}' stroke-dasharray='3 2'/>"
        for k, brick in enumerate(bricks)
    ]


def _brick(x: float, share: float, positive: bool, opacity: float) -> str:
    height = _HEIGHT * share
    return (
        f"<rect x='{x:.0f}' y='{54 - height:.1f}' width='{_BRICK}' height='{height:.1f}' rx='2' "
        f"fill='{_POINTS[positive]}' opacity='{opacity}'/>"
    )


def _dot(x: float, y: float, positive: bool) -> str:
    cap = "round" if positive else "square"
    return (
        f"<path d='M{x} {y}h0' stroke='{_POINTS[positive]}' stroke-width='7' "
        f"stroke-linecap='{cap}'/>"
    )


def comparison_picture(name: str) -> list[str]:
    """Return the marks of a comparison: the map of each run at its end, or, where one has learnt
    nothing, how the mistakes add up.
    """
    current, pins = PRESETS[name].settings()
    settings = [current, *(pin.on(current) for pin in pins)]
    split = experiment.prepare(current)
    runs = [experiment.run(chosen, split) for chosen in settings]
    if current.data in OBJECTS or not all(_learns(run, split) for run in runs):
        most = max(int(run.mistake.sum()) for run in runs)
        return [curve(run, most, dashes) for run, dashes in zip(runs, _DASHES, strict=False)]
    some = slice(0, _SOME if len(runs) == 2 else 0)
    dots = points(split.X[some], split.y[some] > 0, split.extent, 1.2)
    wide = (_WIDE - _GAP * (len(runs) - 1)) / len(runs)
    side = min(wide, SIDE)
    # The pinned runs come first on the board, too.
    ordered = [*zip(runs, settings, strict=True)]
    ordered = [*ordered[1:], ordered[0]]
    return [
        f"<svg x='{k * (side + _GAP):.0f}' y='{(SIDE - side) / 2:.0f}' width='{side:.0f}' "
        f"height='{side:.0f}' viewBox='0 0 {SIDE} {SIDE}'>"
        + "".join([*ground(run, chosen, split.extent), *dots])
        + "</svg>"
        for k, (run, chosen) in enumerate(ordered)
    ]


_SOME = 30  # So many points stand on the maps of two runs.
_GAP = 4  # In pixels: the gap between maps.


def _learns(run: Run, split: Split) -> bool:
    return bool(np.abs(run.decision_function(split.X)).max() > _NOTHING)


def ground(run: Run, settings: Settings, extent: Extent) -> list[str]:
    """Return the marks of where f says which class at the end of a run."""
    across = np.linspace(extent.low_1, extent.high_1, _NODES)
    up = np.linspace(extent.low_2, extent.high_2, _NODES)
    nodes = np.column_stack([np.tile(across, _NODES), np.repeat(up, _NODES)])
    f = run.decision_function(nodes, predictor=settings.predictor).reshape(_NODES, _NODES)
    generator = contourpy.contour_generator(across, up, f, fill_type="OuterOffset")
    polygons, offsets = generator.filled(0.0, np.inf)
    parts = []
    for corners, starts in zip(polygons, offsets, strict=True):
        for start, end in itertools.pairwise(starts):
            places = zip(*_places(np.asarray(corners[start : end - 1]), extent), strict=True)
            parts.append("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in places) + "Z")
    return [
        f"<rect width='{SIDE}' height='{SIDE}' fill='{_LIGHT['field_negative']}'/>",
        f"<path d='{''.join(parts)}' fill='{_LIGHT['field_positive']}'/>",
    ]


def curve(run: Run, most: int, dashes: str) -> str:
    """Return how the mistakes of a run add up; `most` is the height of the picture."""
    made = np.concatenate([[0], np.cumsum(run.mistake)])
    at = np.unique(np.linspace(0, run.n_steps, _STEPS).astype(int))
    x = 6 + at / run.n_steps * (_WIDE - 12)
    y = SIDE - 6 - made[at] / max(most, 1) * (SIDE - 12)
    path = "M" + "L".join(f"{a:.0f} {b:.0f}" for a, b in zip(x, y, strict=True))
    return _line(path, _LIGHT["ink"], dashes)


def _line(path: str, colour: str, dashes: str = "none") -> str:
    return (
        f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='2' "
        f"stroke-dasharray='{dashes}'/>"
    )


# ---- files --------------------------------------------------------------------------------------


def _svg(marks: list[str], wide: int = SIDE) -> str:
    drawn = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{wide}' height='{SIDE}'>"
        f"<rect width='{wide}' height='{SIDE}' rx='6' "
        f"fill='{_LIGHT['field_zero']}'/>{''.join(marks)}</svg>"
    )
    return f"data:image/svg+xml,{quote(drawn, safe=' =:/')}"


def _png(colours: FloatArray) -> str:
    """Return an image of RGBA rows as a small file."""
    buffer = io.BytesIO()
    shades = Image.fromarray((colours[..., :3] * 255).round().astype(np.uint8))
    shades.quantize(64, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


if __name__ == "__main__":
    FILE.write_text(css(), encoding="utf-8")
