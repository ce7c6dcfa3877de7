"""Draw: points, or an order of examples, until a condition holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kpviz import experiment
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons.file.kinds import limits
from kpviz.lessons.file.kinds.limits import POINTS
from kpviz.lessons.file.kinds.question import Block
from kpviz.lessons.file.kinds.reach import NEVER, Reach, read_limits, read_solution
from kpviz.settings import DRAWN, Settings, names_of

_NEAR = 1.5  # steps of the grid, by which a point may move where the grid changes


@dataclass(frozen=True)
class Draw(Reach):
    """Points of which `until` holds at the end of the run; `within` limits them, and names settings that may change.

    Without limits of points all may be drawn anew, unless it is the order that may change.
    """

    @classmethod
    def read(cls, block: Block) -> Self:
        within = read_limits(block, points=True)
        until = block.condition("until", needed="until: cycles")
        return cls(within, until or NEVER, read_solution(block))

    def _broken(self, before: Settings, after: Settings) -> str | None:
        counts = [limit for limit in self.within if limit.name in POINTS]
        may_draw = bool(counts) or not any(limit.name == "order" for limit in self.within)
        drawn = after.data == DRAWN and (before.data != DRAWN or before.points != after.points)
        if drawn and not may_draw:
            return "The points stay as they are here."
        free = names_of("data") if drawn else ("points",)  # which a limit of their number is not about
        broken = limits.broken(self.within, before, after, free=free)
        if broken is not None or not counts:
            return broken
        found = _counted(before, after)
        for limit in counts:
            if not limit.allows(found[limit.name]):
                return (
                    f"{POINTS[limit.name].capitalize()}: {found[limit.name]}, and what is allowed is {limit.allowed}."
                )
        return None


def _counted(before: Settings, after: Settings) -> dict[str, int]:
    """Return how many points there are, and how many came and went."""
    old, new = _points(before), _points(after)
    free = np.ones(len(new.y), dtype=bool)
    kept = 0
    step = np.array([max(one.step, other.step) for one, other in zip(old.axes, new.axes, strict=True)])
    X: FloatArray = new.X
    for point, label in zip(old.X, old.y, strict=True):
        same = free & (new.y == label) & (np.abs(X - point) <= _NEAR * step).all(axis=1)
        if same.any():
            free[int(same.argmax())] = False
            kept += 1
    return {"points": len(new.y), "added": len(new.y) - kept, "removed": len(old.y) - kept}


def _points(settings: Settings) -> Drawn:
    split = experiment.prepare(settings)
    if split.X.ndim != 2 or split.X.shape[1] != 2:
        raise ValueError("Points are drawn in a plane, and these data have none.")
    return experiment.drawn(settings, split)
