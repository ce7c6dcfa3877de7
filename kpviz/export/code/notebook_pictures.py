"""The picture at the end of a notebook: the map, or kernel PCA and the weights where examples have no plane."""

from __future__ import annotations

from kpviz import tokens
from kpviz.engine.data.datasets import Dataset
from kpviz.experiment import Split
from kpviz.export.code import literals
from kpviz.settings import Settings

_SIDE = 64  # points of the picture's grid along each axis
_BARS = 20  # the largest weights
_CHARACTERS = 40  # of an example's name beside its bar
_COLOURS = tokens.MAP_POINTS
_LIGHT = tokens.THEMES["light"]
_SCORES = f"np.concatenate([score(part) for part in np.split(plane, {_SIDE})])"


def describe(*, plane: bool) -> str:
    """Return what the picture shows, in a sentence or two."""
    if plane:
        return "Rings mark examples whose α is not 0."
    return (
        "Where the kernel puts the examples (kernel PCA: two directions of its feature space), and the largest α. "
        "Rings mark examples whose α is not 0."
    )


def plane(split: Split) -> str:
    """Return code that makes the points of the map, `plane`."""
    shown = split.shown
    sides = (
        f"{name} = np.linspace({low!r}, {high!r}, {_SIDE})"
        for name, low, high in (("side_1", shown.low_1, shown.high_1), ("side_2", shown.low_2, shown.high_2))
    )
    grid = "plane = np.array([[x_1, x_2] for x_2 in side_2 for x_1 in side_1])  # points of the picture"
    return "\n".join([*sides, grid])


def of_plane(settings: Settings, split: Split) -> str:
    """Return code that draws the map, after the run."""
    voted = settings.predictor == "voted"
    f = "votes[-len(plane) :] + 0.5  # a tied vote is +1" if voted else _SCORES
    first, second = (repr(_label(name)) for name in split.source.features)
    colours = f'["{_LIGHT["field_negative"]}", "{_LIGHT["field_positive"]}"]'
    lines = [
        f"f_plane = {f}",
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


def of_kernel(split: Split) -> str:
    """Return code that draws kernel PCA of the training examples, and the largest of their weights."""
    texts = split.source.X.ndim == 1
    name = f"X[i][:{_CHARACTERS}]" if texts else '"".join(f"{bit:.0f}" for bit in X[i])'
    escaped = r'.replace("$", r"\$")' * texts
    negative, positive = _COLOURS["negative"], _COLOURS["positive"]
    lines = [
        "square = K[:, :n]",
        "centred = square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean()",
        "spread, directions = np.linalg.eigh(centred)",
        "places = directions[:, [-1, -2]] * np.sqrt(np.maximum(spread[[-1, -2]], 0))",
        'fig, (ax, bars) = plt.subplots(1, 2, figsize=(13, 6), layout="constrained")',
        *_points("places", split.source),
        'ax.set(xlabel="1st component", ylabel="2nd component")',
        "ax.legend()",
        f'largest = [i for i in np.argsort(-np.abs(alpha), kind="stable")[:{_BARS}] if alpha[i] != 0][::-1]',
        f'colours = ["{positive}" if y[i] > 0 else "{negative}" for i in largest]',
        "bars.barh(range(len(largest)), alpha[largest], color=colours)",
        f"bars.set_yticks(range(len(largest)), [{name}{escaped} for i in largest])",
        'bars.set(xlabel="α")',
        "plt.show()",
    ]
    return "\n".join(lines)


def _points(places: str, source: Dataset) -> list[str]:
    """Return lines that draw the examples of each class."""
    minus, plus = map(repr, _names(source))
    return [
        "for label, name, marker, colour in (",
        f'    (-1, {minus}, "s", "{_COLOURS["negative"]}"),',
        f'    (+1, {plus}, "o", "{_COLOURS["positive"]}"),',
        "):",
        "    own = y == label",
        '    edges = np.where(alpha[own] != 0, "black", "none")',
        f"    ax.scatter(*{places}[own].T, marker=marker, color=colour, edgecolors=edges, linewidths=1.5, label=name)",
    ]


def _names(source: Dataset) -> tuple[str, str]:
    """Return what the legend calls -1 and +1."""
    minus, plus = map(_label, source.classes)
    return (minus, plus) if source.classes == Dataset.classes else (f"−1: {minus}", f"+1: {plus}")


def _label(name: str) -> str:
    """Return a name as matplotlib shows it, not as a formula."""
    return literals.one_line(name).replace("$", r"\$")
