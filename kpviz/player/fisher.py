"""What the page on Fisher's discriminant is sent: one packet, as `payload.pack` makes it.

Python projects, scores and counts for every half degree from 0 to 179.5, then for the best
direction and for the one that the second button leads to. The browser reads these tables: from 180°
on an axis is the same one turned round. It projects the points that it draws, and counts mistakes
itself only where the threshold was moved by hand.

Tests: tests/player/test_fisher.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.engine.fisher import discriminant
from kpviz.engine.fisher.data import Plane
from kpviz.engine.fisher.discriminant import Turn
from kpviz.lessons.explain import number
from kpviz.player import payload
from kpviz.player.payload import UNASKED, Packed
from kpviz.settings import FILE
from kpviz.settings.cues import Cues
from kpviz.settings.fisher_link import (
    FISHER_SOURCES,
    FisherSettings,
    FisherView,
    plane_of,
    special_angles,
)
from kpviz.settings.view import ViewState

HALVES = 360  # So many directions are half a degree apart.
# The rows of the tables behind them are of the best direction and of that of the second button.
BEST = HALVES
OTHER = HALVES + 1
_FLAT = 0.05  # A best J below this is called almost 0.

# {J} of F, {best} the largest J, {angle} of F, {at} of the best, {wrong} of {n}, {fp}, {fn}
# counted, {threshold}
TWO = {
    "other": "F points from mean to mean, the obvious guess: J = {J}, and {wrong} of {n} land on "
    "the wrong side. Turn F: drag it, or press →.",
    "best": "The best direction, F ∝ S_W⁻¹(m₊ − m₋): no other has a larger J than {J}. {wrong} of "
    "{n} land on the "
    "wrong side.",
    "turned": "F at {angle}°: J = {J}; the best is {best}, at {at}°. {fp} and {fn}.",
    "moved": "Threshold moved to {threshold}: {fp} and {fn}. J = {J} stays: it does not depend on "
    "the threshold.",
}
FLAT = {
    **TWO,
    "other": "Hardly any scatter lies between the classes: J is at most {best}, however F is "
    "turned.",
    "best": "The best direction is hardly better than any other: J = {J}, and {wrong} of {n} land "
    "on the wrong side.",
}
MANY = {
    "best": "{K} classes, {p} measurements, {r} directions. F is the first: J₁ = {J}. Turn it to "
    "90° for the second.",
    "other": "F is the second direction: J₂ = {J}, the largest J that is left once the first "
    "direction is taken.",
    "turned": "F at {angle}° in the plane of both directions: J = {J}, between J₁ and J₂. {wrong} "
    "of {n} lie nearer "
    "another class’s mean.",
}


def encode(settings: FisherSettings, plane: Plane | None = None) -> bytes:
    """Return the bytes of a data set, its scatter, its tables and its words.

    `plane` shows the rows of a file.
    """
    plane = plane_of(settings) if plane is None else plane
    examples = plane.examples
    best, other = special_angles(plane)
    turned = discriminant.turn(
        plane.Z, examples.labels, np.append(np.arange(HALVES) / 2.0, [best, other])
    )
    many = plane.is_of_many
    header = {
        "page": "fisher",
        "query": settings.without_cues.query(),
        "many": many,
        "start": "best" if many else "other",
        "extent": _extent(plane.Z),
        "mean": [float(value) for value in plane.Z.mean(axis=0)],
        "names": {
            "data": title(settings),
            "kernel": "Fisher’s discriminant",
            "lookFor": FISHER_SOURCES[settings.data].look_for,
            "features": examples.axis_names,
            "classes": examples.classes,
            "scaled": examples.lows is not None,
            "lows": list(examples.lows or ()),
            "highs": list(examples.highs or ()),
            "axes": ["first direction", "second direction"] if many else examples.axis_names,
        },
        "words": MANY if many else FLAT if plane.criterion[0] < _FLAT else TWO,
        "notes": notes(plane),
        "tokens": tokens.payload(),
    }
    arrays = _arrays(plane, turned)
    if examples.lines is not None:
        arrays["lines"] = examples.lines.astype(np.int32)
    return payload.pack(header, arrays)


def title(settings: FisherSettings) -> str:
    """Return what the data are called."""
    return (
        settings.file.partition("~")[0] or "My own file"
        if settings.data == FILE
        else FISHER_SOURCES[settings.data].title
    )


def envelope(
    data: bytes, settings: FisherSettings, view: FisherView, answer: Mapping[str, Any] = UNASKED
) -> bytes:
    """Return what the page is sent: which data these are, where to open, what else was answered,
    then the data.
    """
    packed = Packed(identifier(settings), data)
    more = {**answer, "angle": view.angle, "threshold": view.threshold}
    cues = Cues.of_code(settings.cues)
    return payload.envelope(
        [packed], data="fisher", view=ViewState(stage=view.stage), cues=cues, answer=more
    )


def identifier(settings: FisherSettings) -> str:
    """Return what tells the data of these settings from others."""
    return f"fisher?{settings.without_cues.query()}"


def notes(plane: Plane) -> dict[str, str]:
    """Return the short remarks that stand by the pictures."""
    K = len(plane.examples.classes)
    p = plane.examples.X.shape[1]
    r = plane.scatter.n_directions
    remarks = {
        "sums": "All three are sums over the examples (or all divided by n): then S_T = S_W + S_B.",
        "rank": (
            "S_B comes from one difference of means: its rank is 1, and of all that is left the "
            "best J is 0."
            if K == 2
            else f"At most K − 1 = {K - 1} directions: {K} means span {r} dimensions, so S_B has "
            f"rank {r}, and J is 0 "
            f"in the {p - r} others. Tr((WᵀS_W W)⁻¹ WᵀS_B W) of {'both' if r == 2 else 'all'} is "
            "the sum of their J, "
            f"{number(float(plane.criterion[:r].sum()))}."
        ),
        "threshold": "The threshold is the middle between the projected means.",
        "scaling": plane.examples.scaling,
        "ridge": "",
    }
    if plane.scatter.ridge:
        remarks["ridge"] = (
            f"S_W is singular: {plane.scatter.ridge:g}·diag(S_T) was added, else J would be "
            "infinite."
        )
    if plane.components_criterion is not None:
        first, second = (number(float(J)) for J in plane.components_criterion)
        remarks["pca"] = f"It ignores the classes: J = {first} and {second}."
        remarks["sums"] += f" F is scaled so that FᵀS_W F = n = {len(plane.Z)}."
        remarks["scaling"] += "; Fisher’s J does not depend on that, PCA does"
    return remarks


def _arrays(plane: Plane, table: Turn) -> payload.Arrays:
    """Return the examples, the table of all directions, and the scatter matrices."""
    labels = plane.examples.labels
    arrays: payload.Arrays = {
        "X": plane.Z,
        "labels": labels.astype(np.uint8),
        "classMeans": np.stack(
            [plane.Z[labels == k].mean(axis=0) for k in range(len(plane.examples.classes))]
        ),
        "angles": table.angles,
        "J": table.J,
        "between": table.between,
        "within": table.within,
        "means": table.means,
        "thresholds": table.thresholds,
        "wrong": table.wrong.astype(np.uint16),
        "low": table.low,
        "high": table.high,
        "SW": plane.scatter.within,
        "SB": plane.scatter.between,
        "ST": plane.scatter.total,
        "criterion": plane.criterion,
    }
    if plane.components is not None:
        arrays["components"] = plane.components
    return arrays


def _extent(Z: FloatArray) -> list[float]:
    """Return low and high of both axes.

    A square about the examples, so that right angles are seen as such.
    """
    low = Z.min(axis=0)
    high = Z.max(axis=0)
    half = 0.56 * max(float((high - low).max()), 1e-3)
    middle = (low + high) / 2.0
    return [float(value) for centre in middle for value in (centre - half, centre + half)]
