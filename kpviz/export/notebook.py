"""The run of some settings as a Jupyter notebook: the script, cell by cell, and a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kpviz import experiment, tokens
from kpviz.engine.datasets import Dataset
from kpviz.experiment import Split
from kpviz.export import literals
from kpviz.export.python import Parts, about
from kpviz.settings import Settings

_SIDE = 64  # points of the picture's grid along each axis
_COLOURS = tokens.MAP_POINTS
_LIGHT = tokens.THEMES["light"]


def notebook(settings: Settings, split: Split) -> str:
    """Return a notebook (nbformat 4.5, JSON) that trains as the run of the settings did, and draws what it learnt.

    It needs numpy and matplotlib, and the same settings give the same text. ValueError, of one sentence, where there
    is no example, or the learner has no script.

    >>> settings = Settings.of(data="xor", n=4)
    >>> made = json.loads(notebook(settings, experiment.prepare(settings)))
    >>> [cell["cell_type"] for cell in made["cells"]][:3]
    ['markdown', 'markdown', 'code']
    """
    parts = Parts.of(settings, split, plane=True)
    cells = [_cell(at, kind, text) for at, (kind, text) in enumerate(_texts(parts))]
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
    yield "code", f"{parts.imports}\nimport matplotlib.pyplot as plt\n\n{parts.data}\n\n{_plane(parts.split)}"
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
    yield "markdown", "## Picture\n\nRings mark examples whose α is not 0."
    yield "code", _picture(parts)


_READ = {
    "last": "",
    "averaged": "\n\nIt is read as the mean of $f$ over all steps.",
    "voted": "\n\nIt is read as a vote: each step gives the sign of its $f$, and sign(0) is +1.",
}


def _plane(split: Split) -> str:
    shown = split.shown
    sides = (
        f"{name} = np.linspace({low!r}, {high!r}, {_SIDE})"
        for name, low, high in (("side_1", shown.low_1, shown.high_1), ("side_2", shown.low_2, shown.high_2))
    )
    grid = "plane = np.array([[x_1, x_2] for x_2 in side_2 for x_1 in side_1])  # points of the picture"
    return "\n".join([*sides, grid])


def _picture(parts: Parts) -> str:
    voted = parts.settings.predictor == "voted"
    f = "votes[-len(plane) :] + 0.5  # a tied vote is +1" if voted else _SCORES
    minus, plus = map(repr, _names(parts.split.source))
    first, second = (repr(_label(name)) for name in parts.split.source.features)
    colours = f'["{_LIGHT["field_negative"]}", "{_LIGHT["field_positive"]}"]'
    lines = [
        f"f_plane = {f}",
        "most = np.abs(f_plane).max() + 1",
        "fig, ax = plt.subplots(figsize=(6, 6))",
        f"field = f_plane.reshape({_SIDE}, {_SIDE})",
        f"ax.contourf(side_1, side_2, field, levels=[-most, 0, most], colors={colours}, alpha=0.5)",
        "for label, name, marker, colour in (",
        f'    (-1, {minus}, "s", "{_COLOURS["negative"]}"),',
        f'    (+1, {plus}, "o", "{_COLOURS["positive"]}"),',
        "):",
        "    own = y == label",
        '    edges = np.where(alpha[own] != 0, "black", "none")',
        "    ax.scatter(*X[own].T, marker=marker, color=colour, edgecolors=edges, linewidths=1.5, label=name)",
        f"ax.set(xlabel={first}, ylabel={second})",
        "ax.legend()",
        "plt.show()",
    ]
    return "\n".join(lines)


_SCORES = f"np.concatenate([score(part) for part in np.split(plane, {_SIDE})])"


def _names(source: Dataset) -> tuple[str, str]:
    """Return what the legend calls -1 and +1."""
    minus, plus = map(_label, source.classes)
    return (minus, plus) if source.classes == Dataset.classes else (f"−1: {minus}", f"+1: {plus}")


def _label(name: str) -> str:
    """Return a name as matplotlib shows it, not as a formula."""
    return literals.one_line(name).replace("$", r"\$")
