"""Colours, shapes, type and timings that the canvas and the figures share.

No colour is written anywhere else.
"""

from __future__ import annotations

import math
from typing import Any

from kpviz import fonts

THEMES: dict[str, dict[str, str]] = {
    "light": {
        "paper": "#ffffff",
        "panel": "#f6f7f9",
        "ink": "#1b2330",
        "quiet": "#5b6675",
        "rule": "#d5dae1",
        "accent": "#6b3fa0",
        "positive": "#c4500a",
        "negative": "#1c5fa8",
        "field_positive": "#f59b4c",
        "field_zero": "#ffffff",
        "field_negative": "#5a9fdd",
        "point_positive": "#b24300",
        "point_negative": "#134f94",
        "on_mark": "#ffffff",
        "on_map": "#1b2330",
        "ghost": "#8b95a3",
        "good": "#2f6f4f",
        "warning": "#8a5a00",
        "similar_zero": "#ffffff",
        "similar": "#8490a0",
        "cell_positive": "#d4620f",
        "cell_negative": "#2f78bd",
        "cell": "#4a5666",
    },
    "dark": {
        "paper": "#12161d",
        "panel": "#1b212b",
        "ink": "#e8ecf2",
        "quiet": "#a3aebd",
        "rule": "#37404d",
        "accent": "#b794f6",
        "positive": "#ffab6c",
        "negative": "#88c4fa",
        "field_positive": "#a94c06",
        "field_zero": "#1b1c1e",
        "field_negative": "#1e65ac",
        "point_positive": "#ffab6c",
        "point_negative": "#88c4fa",
        "on_mark": "#0f1318",
        "on_map": "#e8ecf2",
        "ghost": "#8b95a3",
        "good": "#7fc8a0",
        "warning": "#e5b567",
        "similar_zero": "#1a2028",
        "similar": "#566170",
        "cell_positive": "#ffab6c",
        "cell_negative": "#88c4fa",
        "cell": "#b4bfcc",
    },
    "print": {
        "paper": "#ffffff",
        "panel": "#f7f7f7",
        "ink": "#141414",
        "quiet": "#585858",
        "rule": "#c9c9c9",
        "accent": "#262626",
        "positive": "#2b2b2b",
        "negative": "#6e6e6e",
        "field_positive": "#ffffff",
        "field_zero": "#c4c4c4",
        "field_negative": "#868686",
        "point_positive": "#000000",
        "point_negative": "#6f6f6f",  # print.js makes it hollow
        "on_mark": "#ffffff",
        "on_map": "#000000",
        "ghost": "#555555",
        "good": "#707070",
        "warning": "#1c1c1c",
        "similar_zero": "#ffffff",
        "similar": "#7a7a7a",
        "cell_positive": "#ffffff",
        "cell_negative": "#868686",
        "cell": "#7a7a7a",
    },
}
PRINT = "print"  # on paper, in grey: of pictures only, where the class -1 is hollow
SCREENS = tuple(name for name in THEMES if name != PRINT)

# Points of pictures that are light in both themes.
MAP_POINTS = {kind: THEMES["light"][f"point_{kind}"] for kind in ("positive", "negative")}

SHAPES = {"positive": "circle", "negative": "square"}

# Of the answers A to E that a class holds up: colour, and that of the letter on it. Lightness falls
# from A to E, so that every eye tells them apart, at 20 m and in print.
ANSWERS = (
    ("#f2c200", "#1b2330"),
    ("#2bb3a3", "#1b2330"),
    ("#b02a6e", "#ffffff"),
    ("#173d22", "#ffffff"),
    ("#0b0e12", "#ffffff"),
)


def _quoted(families: tuple[str, ...]) -> str:
    return ", ".join(f"'{family}'" for family in families)


FONTS = {
    # Streamlit's Source Sans stands in until ours have arrived.
    "canvas": f"{_quoted(fonts.TEXT_FAMILIES)}, 'Source Sans', 'Segoe UI', 'Helvetica Neue', "
    "Arial, sans-serif",
    "code": f"{_quoted(fonts.CODE_FAMILIES)}, monospace",
}

# Milliseconds.
TIMINGS = {
    "correct": 150,
    "mistake": 1200,
    "spoken": 1000,  # that a sentence stays, at least
    "beat": 1250,  # of slow motion
    "example": 150,  # the first beat of a step that is shown happening: which example
    "score": 250,  # the second: its score, as a sum
    "bump": 250,  # the third: the bump stays, then melts
    "ghost": 600,  # and the boundary before it is there until the end
    "ring": 400,
    # in which a difference falls to 1/e, while steps come too fast to be shown happening
    "blend": 700,
    # that a lesson's film, or a stage, plays without a cue, and of these what it leaps
    "stretch": 10_000,
    "leap": 2000,
}

# of a step that is shown happening
MOTION = TIMINGS["example"] + TIMINGS["score"] + TIMINGS["ghost"]

BUMP = {"opacity": 0.85}  # where the kernel is largest

SPEED = {"slowest": 0.25, "fastest": 60.0, "bumps_up_to": 10.0}

GRID = 96  # nodes of the field along each axis

POINT = {"radius": 5.0, "gain": 2.4, "largest": 14.0}  # px on a map of 600 px

# Of a stream, whose examples come once.
STREAM = {
    "lately": 60,  # examples that the map still shows, fading
    "faintest": 0.4,  # opacity that they fade to
    "weak": 0.35,  # opacity of an example in memory that weighs almost nothing
    "strong": 0.95,  # and of the one that weighs most
    # of the largest weight: not above it an example in memory is no longer drawn
    "forgotten": 0.03,
    "memory": 3.4,  # px of its radius on a map of 600 px
    "grown": 1.3,  # times the default radius: a recent example that is in memory
    "window": 100,  # examples that the error rate is taken over
    "first": 25,  # examples: one mistake among fewer is no rate
}


# How the space of the degree-2 features is seen: angles in degrees, from the first axis and above
# the ground.
LIFT = {"turn": 28.0, "tilt": 22.0, "plane": 0.3}


def point_gain(most: int) -> float:
    """Return the px that the root of an example's mistakes adds to its radius."""
    return min(POINT["gain"], (POINT["largest"] - POINT["radius"]) / math.sqrt(max(most, 1)))


def payload() -> dict[str, Any]:
    """Everything above as plain data for the browser."""
    return {
        "themes": {name: THEMES[name] for name in SCREENS},
        "shapes": SHAPES,
        "answers": [list(pair) for pair in ANSWERS],
        "fonts": FONTS,
        "timings": TIMINGS,
        "bump": BUMP,
        "speed": SPEED,
        "point": POINT,
        "stream": STREAM,
        "lift": LIFT,
    }
