"""Some instants of a run on one page: which tell it best, and the picture of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from kpviz.engine import checks
from kpviz.engine.run.run import Run
from kpviz.picture import figure
from kpviz.picture.figure import Picture
from kpviz.picture.render_options import RenderOptions
from kpviz.picture.stage import Stage
from kpviz.player.lineup import Lineup
from kpviz.player.subject import Subject
from kpviz.settings.cues import Cues, Places

FEWEST, MOST = 2, 24


@dataclass(frozen=True)
class Cell:
    """One picture: the instant, what a lecturer says of it ("" for what happened), and the examples that light up."""

    t: int
    words: str = ""
    lit: tuple[int, ...] = ()


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
    return [Cell(t, held[t].words, lit[t]) for t in sorted(held)]


def draw(
    subject: Subject,
    cells: Sequence[Cell | int],
    look: RenderOptions,
    *,
    title: str = "",
    model: str = "",
    size: tuple[float, float] | None = None,
    dpi: float = 100,
) -> Picture:
    """Draw some instants on one page.

    Parameters
    ----------
    cells : 2 to 24 instants, or cells with words of their own, drawn row by row.
    title, model : written at the top, large and small. size : of the page in inches, None: 12.8 × 7.2.

    Raises
    ------
    ValueError
        One sentence: there are too few or too many, or one is none of this run.
    """
    chosen = [Cell(cell) if isinstance(cell, int) else cell for cell in cells]
    if not FEWEST <= len(chosen) <= MOST:
        raise ValueError(f"A storyboard has {FEWEST} to {MOST} pictures, not {len(chosen)}: choose other steps.")
    for cell in chosen:
        subject.run.time(cell.t)
    inches = figure.shape(look) if size is None else size
    stage = Stage(Lineup(subject), replace(look, story=True), inches)
    board = stage.storyboard({"cells": [asdict(cell) for cell in chosen], "title": title, "model": model})
    return figure.of_board(board, inches, look, f"{title}: {len(chosen)} instants", dpi)
