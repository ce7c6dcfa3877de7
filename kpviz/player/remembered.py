"""What the panel of the remembered examples asks for: how objects are drawn, and k of the support with a new object."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.kernels.objects.counting import sketches
from kpviz.engine.kernels.objects.sketch import Sketch, of_bits
from kpviz.engine.run import fold
from kpviz.engine.run.predictors import Progress
from kpviz.player.subject import Subject

Extra = tuple[Any, dict[str, NDArray[Any]]]

_STREAM = "The examples of a stream come only once: none is remembered for good."


def remembered(subject: Subject, progress: Progress | None) -> Extra:
    """The drawings of all examples, training first, then held out, then what is asked about; and k with the latter.

    `drawn` says of what kind the drawings are, "" where examples are points; `asked` is how the new one is written.
    """
    run, split = subject.run, subject.split
    if subject.stream:
        return {"why": _STREAM}, {}
    part: dict[str, Any] = {"why": "", "drawn": "", "asked": "", "sketches": []}
    if subject.bits:
        return part | {"drawn": "texts", "sketches": [_plain(of_bits(x)) for x in split.everything.tolist()]}, {}
    if run.kernel is None or run.kernel.compares == "vectors":
        return part, {}
    asked = subject.asked
    drawn = sketches(run.kernel, np.concatenate([split.everything, asked]))
    part |= {"drawn": run.kernel.compares, "asked": "".join(asked.tolist()), "sketches": [_plain(s) for s in drawn]}
    if not len(asked):
        return part, {}
    return part, {"askedGram": run.columns(asked, fold.ever_in_support(run))[0]}


def _plain(sketch: Sketch) -> dict[str, Any]:
    nodes = [[node.text, round(node.x, 4), round(node.y, 4), list(node.ids)] for node in sketch.nodes]
    return {"nodes": nodes, "edges": [list(edge) for edge in sketch.edges]}
