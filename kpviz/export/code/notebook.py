"""The run of some settings as a Jupyter notebook: the script, cell by cell, and a picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from kpviz import experiment
from kpviz.experiment import Split
from kpviz.export.code import notebook_pictures as pictures
from kpviz.export.code.python import Parts, about
from kpviz.settings import Settings, conditions


def notebook(settings: Settings, split: Split) -> str:
    """Return a notebook (nbformat 4.5, JSON) that trains as the run of the settings did, and draws what it learnt.

    It needs numpy and matplotlib, and the same settings give the same text. Where examples are not points of a plane,
    kernel PCA takes the place of the map. ValueError, of one sentence, where there
    is no example.

    >>> settings = Settings.of(data="xor", n=4)
    >>> made = json.loads(notebook(settings, experiment.prepare(settings)))
    >>> [cell["cell_type"] for cell in made["cells"]][:3]
    ['markdown', 'markdown', 'code']
    """
    parts = Parts.of(settings, split, plane=conditions.has_plane(settings.values))
    return of_cells(_texts(parts))


def of_cells(texts: Iterable[tuple[str, str]]) -> str:
    """Return the notebook of some cells, kind and text of each."""
    cells = [_cell(at, kind, text) for at, (kind, text) in enumerate(texts)]
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": cells,
        "metadata": {"kernelspec": python, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cell(at: int, kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"kpviz-{at}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def _texts(parts: Parts) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each cell."""
    words = about(parts.settings)
    yield (
        "markdown",
        f"# {words.title}\n\n{words.idea}\n\nA run of kpviz: `?{parts.settings.link()}`",
    )
    yield "markdown", "## Examples\n\nThey have indices from 0, and $y$ is −1 or +1."
    plane = f"\n\n{pictures.plane(parts.split)}" if parts.plane else ""
    yield "code", f"{parts.imports}\nimport matplotlib.pyplot as plt\n\n{parts.data}{plane}"
    yield "markdown", f"## Kernel\n\n$$k(u, v) = {experiment.kernel(parts.settings).latex}$$"
    yield "code", f"{parts.constants}\n\n\n{parts.functions}"
    b = " + b" * parts.loop.rule.intercept
    yield (
        "markdown",
        (
            f"## Training\n\n$$f(x) = \\sum_j \\alpha_j\\, y_j\\, k(x_j, x){b}$$\n\n"
            f"When example $i$ is shown:\n\n$${parts.loop.rule.formulas}$$"
        ),
    )
    yield "code", parts.training
    yield "markdown", f"## What was learnt{_READ[parts.settings.predictor]}"
    yield "code", parts.results.rstrip()
    yield "markdown", f"## Picture\n\n{pictures.describe(plane=parts.plane)}"
    yield "code", pictures.of_plane(parts.settings, parts.split) if parts.plane else pictures.of_kernel(parts.split)


_READ = {
    "last": "",
    "averaged": "\n\nIt is read as the mean of $f$ over all steps.",
    "voted": "\n\nIt is read as a vote: each step gives the sign of its $f$, and sign(0) is +1.",
}
