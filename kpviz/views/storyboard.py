"""Some instants of a run on one page: small maps in the order of time, each with its step and what happened there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kpviz import explain
from kpviz.cues import Cues, Places
from kpviz.engine import checks
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.arrivals import Dial
from kpviz.views.board import Picture
from kpviz.views.look import Look
from kpviz.views.map import Scale
from kpviz.views.page import HIGH, WIDE, Box, Page
from kpviz.views.plane import NOTHING, Said, plane

FEWEST, MOST = 2, 24
START = "Before the first example."
_START = "the start"
_UPRIGHT = 900.0  # pixels across a page that is higher than wide
_EDGE, _HEAD = 40.0, 104.0  # pixels about the page, and of the title
_GAP, _TITLE, _UNDER = 28.0, 26.0, 12.0  # between cells, above a map, and below it
_FEW = 4  # so many have words in larger type
_USUAL, _LEAST = 380.0, 0.5  # pixels of a map on which lines have their usual width, and the least share of it
_LARGEST = 22.0  # points of the title
_BOLD = 1.2  # times as wide as plain type


@dataclass(frozen=True)
class Cell:
    """One picture: the instant, and what a lecturer says of it, "" for what happened."""

    t: int
    said: Said = NOTHING


def spread(run: Run, k: int) -> list[int]:
    """Return k instants that tell the run: its start, mistakes spread evenly, its end.

    Where there are fewer mistakes, steps in the middle of the longest gaps are added; fewer than k where the run is
    shorter.

    Raises
    ------
    ValueError
        k is not from 2 to 24.
    """
    checks.integer("k", k, low=FEWEST, high=MOST)
    mistakes = np.flatnonzero(run.mistake) + 1
    mistakes = mistakes[mistakes < run.n_steps]
    chosen = np.linspace(0, len(mistakes) - 1, min(k - 2, len(mistakes))).round().astype(int)
    found = {0, run.n_steps, *mistakes[chosen].tolist()}
    while len(found) < min(k, run.n_steps + 1):
        steps = sorted(found)
        gaps = np.diff(steps)
        widest = int(gaps.argmax())
        found.add(int(steps[widest] + gaps[widest] // 2))
    return sorted(found)


def of_cues(run: Run, cues: Cues) -> list[Cell]:
    """Return a cell for each cue that has its place in the run, in the order of time."""
    held = Places.of(run.mistake, run.epoch_start, len(run.y)).held(cues)
    lit = {t: tuple(i for i in cue.examples if i < len(run.y)) for t, cue in held.items()}
    return [Cell(t, Said(held[t].words, lit[t])) for t in sorted(held)]


def figure(
    run: Run, cells: Sequence[Cell | int], *, title: str = "", model: str = "", dpi: float = 100, **look: Any
) -> Figure:
    """Draw some instants on one page.

    Parameters
    ----------
    cells : 2 to 24 instants, or cells with words of their own, drawn row by row.
    title, model : written at the top, large and small.
    look : the fields of `look.Look`; of the panels only what the map shows means something here.

    Raises
    ------
    ValueError
        One sentence: there are too few or too many, one is none of this run, or the run has no map.
    """
    how = Look(**look).on(run)
    checks.choice("predictor", how.predictor, PREDICTORS)
    style.colours(how.theme)
    told = [Cell(cell) if isinstance(cell, int) else cell for cell in cells]
    if not FEWEST <= len(told) <= MOST:
        raise ValueError(f"A storyboard has {FEWEST} to {MOST} pictures, not {len(told)}: choose other steps.")
    for cell in told:
        run.time(cell.t)
    sheet = Sheet(how.size, count=len(told))
    with style.sheet(sheet.scale):
        drawn = Picture(figsize=how.size, dpi=dpi, facecolor=how.ground, label=f"{title}: {len(told)} instants")
        _draw_head(sheet.axes(drawn, "head"), sheet.axes(drawn, "scale"), run, how, title, model)
        for number, cell in enumerate(told):
            _draw_cell(drawn, sheet, number, run, cell, how)
    return drawn


@dataclass(frozen=True)
class Sheet(Page):
    """A page of any size in inches with `count` cells in rows."""

    count: int = 6

    @property
    def scale(self) -> float:
        """How much larger than usual marks and type are."""
        if self.size[0] >= self.size[1]:
            return min(self.size[0] / WIDE, self.size[1] / HIGH) * 100
        return self.size[0] / _UPRIGHT * 100

    @property
    def lines(self) -> int:
        """How many lines of words a cell has."""
        return 3 if self.count <= 8 else 2 if self.count <= 15 else 1

    @property
    def type(self) -> float:
        """The size of the words below a map, in points."""
        return style.TEXT if self.count <= _FEW else style.SMALL

    @property
    def below(self) -> float:
        """The height of what is below a map."""
        return _UNDER + self.lines * words.LINE * self.type / 0.72

    @cached_property
    def columns(self) -> tuple[int, float, float]:
        """How many columns make the maps as large as they can be, how large, and how wide the words below may be."""
        columns, side = max(((c, self._side(c)) for c in range(1, self.count + 1)), key=lambda found: found[1])
        free = 100 * self.size[0] / self.scale - 2 * _EDGE - (columns - 1) * _GAP
        return columns, side, min(free / columns, 1.4 * side)

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The head, the colour bar in it, and the maps by number."""
        width, height = (100 * side / self.scale for side in self.size)
        columns, side, wide = self.columns
        left = (width - columns * wide - (columns - 1) * _GAP) / 2
        rows, tall = -(-self.count // columns), _TITLE + side + self.below
        spare = height - _HEAD - _EDGE - rows * tall
        down = min(spare / rows, 3 * _GAP)
        top = height - _HEAD - min(spare - (rows - 1) * down, down) / 2
        boxes = {
            "head": Box(left, height - _HEAD, width - 2 * left, _HEAD - 28.0),
            "scale": Box(width - left - 180.0, height - _HEAD + 34.0, 130.0, 12.0),
        }
        for number in range(self.count):
            row, column = divmod(number, columns)
            bottom = top - row * (tall + down) - _TITLE - side
            boxes[str(number)] = Box(left + column * (wide + _GAP), bottom, side, side)
        return boxes

    def _side(self, columns: int) -> float:
        """Return how large the maps are in so many columns."""
        width, height = (100 * side / self.scale for side in self.size)
        rows = -(-self.count // columns)
        wide = (width - 2 * _EDGE - (columns - 1) * _GAP) / columns
        return min(wide, (height - _HEAD - _EDGE - (rows - 1) * _GAP) / rows - _TITLE - self.below)


def _draw_head(ax: Axes, bar: Axes, run: Run, look: Look, title: str, model: str) -> None:
    """Draw title and model at the left, and what marks and colours mean at the right."""
    paint, wide = style.colours(look.theme), style.pixels(ax)[0]
    room = 0.72 * (wide - 240.0)
    ax.set_axis_off()
    place: dict[str, Any] = {"transform": ax.transAxes, "va": "baseline"}
    large = min(_LARGEST, _LARGEST * room / max(words.width(title, _LARGEST), 1.0))
    style.beside(ax, title, (0.0, 0.0), (0.0, 27.0), fontsize=style.pen(large), color=paint["ink"], **place)
    below = words.shortened(model, style.TEXT, room)
    style.beside(ax, below, (0.0, 0.0), (0.0, 6.0), fontsize="medium", color=paint["quiet"], **place)
    scale = plane(run, 0, look)["scale"]
    if isinstance(scale, Scale):
        _draw_scale(bar, scale)
    look.legend(run).frame(bar)
    if (legend := bar.get_legend()) is not None:
        legend.set_bbox_to_anchor((1.0, 1.4))


def _draw_scale(ax: Axes, scale: Scale) -> None:
    """Draw the colour bar lying down, its name and ends beside it."""
    ends = (scale.low, scale.high)
    style.panel(ax, scale.theme)
    style.outline(ax, scale.theme)
    ax.imshow(scale.table[None], aspect="auto", extent=(*ends, 0.0, 1.0))
    ax.set(xticks=[], yticks=[])
    quiet: dict[str, Any] = {"color": style.colours(scale.theme)["quiet"], "fontsize": "small", "va": "center"}
    low, high = (words.short(value) for value in ends)
    style.beside(ax, f"{scale.name}  {low}", (0.0, 0.5), (-6.0, 0.0), transform=ax.transAxes, ha="right", **quiet)
    style.beside(ax, high, (1.0, 0.5), (6.0, 0.0), transform=ax.transAxes, **quiet)


def _draw_cell(drawn: Figure, sheet: Sheet, number: int, run: Run, cell: Cell, look: Look) -> None:
    """Draw a map, its step above it and its words below it."""
    ax, paint = sheet.axes(drawn, str(number)), style.colours(look.theme)
    side, wide = style.pixels(ax)[0], sheet.columns[2]
    marks = plane(run, cell.t, look, cell.said)
    part = look.ground_of(run).shown.axes(2)
    style.panel(ax, look.theme)
    ax.set_facecolor(paint["field_zero"])
    ax.set(xlim=part[0][[0, -1]], ylim=part[1][[0, -1]], xticks=[], yticks=[])
    with style.sheet(sheet.scale * max(min(side / _USUAL, 1.0), _LEAST)):
        for place in ("map", "map/points"):
            marks[place].marks(ax)
        if isinstance(dial := marks.get("map/dial"), Dial):
            replace(dial, worded=side >= _USUAL).marks(ax)
    step, total = f"step {cell.t:,}", explain.counted(int(run.mistake[: cell.t].sum()), "mistake")
    above: dict[str, Any] = {"transform": ax.transAxes, "va": "baseline"}
    style.beside(ax, step, (0.0, 1.0), (0.0, 5.0), color=paint["ink"], fontweight="bold", **above)
    longest = f"step {run.n_steps:,}{explain.counted(int(run.mistake.sum()), 'mistake')}"
    if _BOLD * words.width(longest, style.TEXT) < 0.72 * wide:  # one page has it everywhere or nowhere
        after = _BOLD * words.width(step, style.TEXT) + style.SMALL / 2
        style.beside(ax, total, (0.0, 1.0), (after, 5.0), color=paint["quiet"], fontsize="small", **above)
    for k, line in enumerate(_words(run, cell, sheet, stream=look.stream)):
        down = -0.72 * _UNDER - sheet.type * (words.LINE * k + 0.8)
        size = style.pen(sheet.type)
        style.beside(ax, line, (0.0, 0.0), (0.0, down), color=paint["quiet"], fontsize=size, **above)


def _words(run: Run, cell: Cell, sheet: Sheet, *, stream: bool = False) -> list[str]:
    """Return what is said below a map, in lines.

    What happened is said in as many sentences as there is room for, else in a few words; a cue's words end with dots
    where there is no room for all of them.
    """
    most, wide = sheet.lines, 0.72 * sheet.columns[2]
    text = cell.said.words or (explain.explain(run, cell.t, stream=stream).sentence if cell.t else START)
    lines = words.wrapped(text, sheet.type, wide).split("\n")
    while len(lines) > most and ". " in text and not cell.said.words:
        text = text[: text.rindex(". ") + 1]
        lines = words.wrapped(text, sheet.type, wide).split("\n")
    if len(lines) > most and not cell.said.words:
        lines = words.wrapped(_short(run, cell.t), sheet.type, wide).split("\n")
    if len(lines) > most:
        lines = [*lines[: most - 1], words.shortened(" ".join(lines[most - 1 :]), sheet.type, wide)]
    return lines


def _short(run: Run, t: int) -> str:
    """Return what happened in a few words."""
    if not t:
        return _START
    return f"{explain.example(int(run.index[t - 1]))}: {'mistake' if run.mistake[t - 1] else 'right'}"
