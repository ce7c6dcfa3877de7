"""The run of some settings as a Jupyter notebook.

The script in cells, and a picture of what was learnt.

Tests: tests/export/test_notebook.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kpviz import experiment, tokens
from kpviz.engine.data.datasets import Dataset
from kpviz.experiment import Split
from kpviz.export.script import Script, one_line
from kpviz.settings import Settings, conditions

_SIDE = 64  # The map's grid has so many points along each axis.
_BARS = 20  # So many of the largest weights have a bar.
_CHARACTERS = 40  # So much of an example's name stands beside its bar.
_COLOURS = tokens.MAP_POINTS
_LIGHT = tokens.THEMES["light"]
_READ = {
    "last": "",
    "averaged": "\n\nIt is read as the mean of $f$ over all steps.",
    "voted": "\n\nIt is read as a vote: each step gives the sign of its $f$, and sign(0) is +1.",
}


def notebook(settings: Settings, split: Split) -> str:
    """Return a notebook (nbformat 4.5) that trains as the run did, and draws what it learnt.

    It needs numpy and matplotlib, and the same settings give the same text. Where examples are not
    points of a plane, kernel PCA takes the place of the map. ValueError, of one sentence, where
    there is no example.

    >>> settings = Settings.of(data="xor", n=4)
    >>> made = json.loads(notebook(settings, experiment.prepare(settings)))
    >>> [cell["cell_type"] for cell in made["cells"]][:3]
    ['markdown', 'markdown', 'code']
    """
    parts = Script(settings, split, plane=conditions.has_plane(settings.values))
    cells: list[dict[str, Any]] = []
    for kind, text in _texts(parts):
        cell = {
            "cell_type": kind,
            "id": f"kpviz-{len(cells)}",
            "metadata": {},
            "source": text.splitlines(True),
        }
        cells.append({**cell, "execution_count": None, "outputs": []} if kind == "code" else cell)
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": python, "language_info": {"name": "python"}}
    content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _texts(parts: Script) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each cell."""
    settings = parts.settings
    words = experiment.learner(settings).about
    yield "markdown", f"# {words.title}\n\n{words.idea}\n\nA run of kpviz: `?{settings.link()}`"
    yield "markdown", "## Examples\n\nThey have indices from 0, and $y$ is −1 or +1."
    plane = f"\n\n{_plane(parts.split)}" if parts.plane else ""
    yield "code", f"{parts.imports}\nimport matplotlib.pyplot as plt\n\n{parts.data}{plane}"
    yield "markdown", f"## Kernel\n\n$$k(u, v) = {experiment.kernel(settings).latex}$$"
    yield "code", f"{parts.constants}\n\n\n{parts.functions}"
    fixed = "f_0(x) + " * bool(parts.initial)
    f = (
        f"$$f(x) = {fixed}\\sum_j \\alpha_j\\, y_j\\, k(x_j, x)"
        + " + b" * parts.rule.intercept
        + "$$"
    )
    yield (
        "markdown",
        f"## Training\n\n{f}\n\nWhen example $i$ is shown:\n\n$${parts.rule.formulas}$$",
    )
    yield "code", parts.training
    yield "markdown", f"## What was learnt{_READ[settings.predictor]}"
    yield "code", parts.results.rstrip()
    explanation = "" if parts.plane else (
        "Where the kernel puts the examples (kernel PCA: two directions of its feature space), "
        f"and the largest α. {_places_on_the_board(settings, parts.split)} "
    )  # fmt: skip
    yield "markdown", f"## Picture\n\n{explanation}Rings mark examples whose α is not 0."
    yield "code", _map(settings, parts.split) if parts.plane else _kernel_pca(parts.split)


def _places_on_the_board(settings: Settings, split: Split) -> str:
    """Return the sentence that says where kpviz shows examples that are not points of a plane."""
    if experiment.boolean_function(settings) is not None:
        return "On the map of kpviz they are corners of a cube."
    held = ", which also has the held-out examples," if len(split.X_test) else ""
    return f"On the map of kpviz{held} heaps of examples are widened."


def _plane(split: Split) -> str:
    """Return code that makes the points of the map."""
    extent = split.extent
    return (
        f"side_1 = np.linspace({extent.low_1!r}, {extent.high_1!r}, {_SIDE})\n"
        f"side_2 = np.linspace({extent.low_2!r}, {extent.high_2!r}, {_SIDE})\n"
        "plane = np.array([[x_1, x_2] for x_2 in side_2 for x_1 in side_1])  # points of the "
        "picture"
    )


def _map(settings: Settings, split: Split) -> str:
    """Return code that draws the map, after the run."""
    tied = " + 0.5  # a tied vote is +1" if settings.predictor == "voted" else ""
    first, second = map(repr, _axes(split.source))
    colours = f'["{_LIGHT["field_negative"]}", "{_LIGHT["field_positive"]}"]'
    lines = [
        f"f_plane = np.concatenate([score(part) for part in np.split(plane, {_SIDE})]){tied}",
        "most = np.abs(f_plane).max() + 1",
        "fig, ax = plt.subplots(figsize=(6, 6))",
        f"field = f_plane.reshape({_SIDE}, {_SIDE})",
        f"ax.contourf(side_1, side_2, field, levels=[-most, 0, most], colors={colours}, alpha=0.5)",
        *_points("X", split.source),
        f"ax.set(xlabel={first}, ylabel={second})",
        "ax.legend()",
        "plt.show()",
    ]
    return "\n".join(lines)


def _axes(source: Dataset) -> Iterator[str]:
    """Yield what the axes of the picture are called, and what −1 and 1 are of scaled features."""
    for name, low, high in zip(source.axis_names, source.lows, source.highs, strict=True):
        yield (
            f"{_label(name)}, scaled: −1 is {low:g}, 1 is {high:g}"
            if source.scaled
            else _label(name)
        )


def _kernel_pca(split: Split) -> str:
    """Return code that draws kernel PCA of the training examples, and their largest weights."""
    texts = split.source.X.ndim == 1
    name = f"X[i][:{_CHARACTERS}]" if texts else '"".join(f"{bit:.0f}" for bit in X[i])'
    escaped = r'.replace("$", r"\$")' * texts
    negative = _COLOURS["negative"]
    positive = _COLOURS["positive"]
    lines = [
        "centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()",
        "spread, directions = np.linalg.eigh(centred)",
        "places = directions[:, [-1, -2]] * np.sqrt(np.maximum(spread[[-1, -2]], 0))",
        'fig, (ax, bars) = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")',
        *_points("places", split.source),
        'ax.set(xlabel="1st component", ylabel="2nd component")',
        "ax.legend()",
        f'largest = [i for i in np.argsort(-np.abs(alpha), kind="stable")[:{_BARS}] if alpha[i] '
        "!= 0][::-1]",
        f'colours = ["{positive}" if y[i] > 0 else "{negative}" for i in largest]',
        "bars.barh(range(len(largest)), alpha[largest], color=colours)",
        f"bars.set_yticks(range(len(largest)), [{name}{escaped} for i in largest])",
        'bars.set(xlabel="α")',
        "plt.show()",
    ]
    return "\n".join(lines)


def _points(places: str, source: Dataset) -> list[str]:
    """Return lines that draw the examples of each class."""
    minus, plus = map(_label, source.classes)
    if source.classes != Dataset.classes:
        minus = f"−1: {minus}"
        plus = f"+1: {plus}"
    return [
        "for label, name, marker, colour in (",
        f'    (-1, {minus!r}, "s", "{_COLOURS["negative"]}"),',
        f'    (+1, {plus!r}, "o", "{_COLOURS["positive"]}"),',
        "):",
        "    own = y == label",
        '    edges = np.where(alpha[own] != 0, "black", "none")',
        f"    ax.scatter(*{places}[own].T, marker=marker, color=colour, edgecolors=edges, "
        "linewidths=1.5, label=name)",
    ]


def _label(name: str) -> str:
    """Return a name as matplotlib shows it, not as a formula."""
    return one_line(name).replace("$", r"\$")
