"""What the panel of the remembered examples asks for: how objects are drawn, and k of the support with a new object."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.objects.counting import sketches
from kpviz.engine.objects.sketch import Sketch, of_bits
from kpviz.engine.predictors import Progress
from kpviz.engine.run import Run
from kpviz.experiment import Split
from kpviz.settings import BOOLEAN, Settings

Extra = tuple[Any, dict[str, NDArray[Any]]]

_STREAM = "The examples of a stream come only once: none is remembered for good."


def remembered(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """The drawings of all examples, training first, then held out, then what is asked about; and k with the latter.

    `drawn` says of what kind the drawings are, "" where examples are no objects; `asked` is how the new one is written.
    """
    if settings.stream == "on" or run.kernel is None:
        return {"why": _STREAM}, {}
    part: dict[str, Any] = {"why": "", "drawn": "", "asked": "", "sketches": []}
    if settings.data == BOOLEAN:
        return part | {"drawn": "texts", "sketches": [_plain(of_bits(x)) for x in split.everything.tolist()]}, {}
    if run.kernel.compares == "vectors":
        return part, {}
    asked = experiment.asked(settings, run)
    drawn = sketches(run.kernel, np.concatenate([split.everything, asked]))
    part |= {"drawn": run.kernel.compares, "asked": "".join(asked.tolist()), "sketches": [_plain(s) for s in drawn]}
    if not len(asked):
        return part, {}
    return part, {"askedGram": run.columns(asked, np.unique(run.changes.index))[0]}


def _plain(sketch: Sketch) -> dict[str, Any]:
    nodes = [[node.text, round(node.x, 4), round(node.y, 4), list(node.ids)] for node in sketch.nodes]
    return {"nodes": nodes, "edges": [list(edge) for edge in sketch.edges]}
