"""Colours, shapes, type and timings that the canvas and the figures share.

No colour is written anywhere else.

Tests: tests/test_assets.py, tests/player/test_colors.py, tests/player/test_meaning.py.
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
# Only pictures are printed in grey, where the class -1 is hollow.
PRINT = "print"
SCREENS = tuple(name for name in THEMES if name != PRINT)

# Points of pictures that are light in both themes.
MAP_POINTS = {kind: THEMES["light"][f"point_{kind}"] for kind in ("positive", "negative")}

SHAPES = {"positive": "circle", "negative": "square"}

# The answers A to E that a class holds up have a colour, and one for the letter on it. Lightness
# falls from A to E, so that every eye tells them apart, at 20 m and in print.
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
    "spoken": 1000,  # A sentence stays so long at least.
    "beat": 1250,  # Slow motion takes one for each step.
    # A step that is shown happening has three beats: first which example it is, then its score as a
    # sum, then the bump, which stays and melts.
    "example": 150,
    "score": 250,
    "bump": 250,
    "ghost": 600,  # The boundary before it stays to the end.
    "ring": 400,
    # A difference falls to 1/e in this time, while steps come too fast to be shown happening.
    "blend": 700,
    # In a lesson's film, and on a stage, a longer stretch without a cue is cut to this length by a
    # leap, whose own length is in it.
    "stretch": 10_000,
    "leap": 2000,
}

# A step that is shown happening takes so long.
MOTION = TIMINGS["example"] + TIMINGS["score"] + TIMINGS["ghost"]

BUMP = {"opacity": 0.85}  # It has this opacity where the kernel is largest.

SPEED = {"slowest": 0.25, "fastest": 60.0, "bumps_up_to": 10.0}

GRID = 96  # The field has so many nodes along each axis.

POINT = {"radius": 5.0, "gain": 2.4, "largest": 14.0}  # In pixels, on a map of 600 px.

# These are for a stream, whose examples come once.
STREAM = {
    "lately": 60,  # The map still shows so many examples, which fade.
    "faintest": 0.4,  # They fade to this opacity.
    "weak": 0.35,  # An example in memory that weighs almost nothing has this opacity.
    "strong": 0.95,  # The one that weighs most has this one.
    # An example in memory that weighs less than this share of the largest is not drawn.
    "forgotten": 0.03,
    "memory": 3.4,  # In pixels: its radius on a map of 600 px.
    "grown": 1.3,  # A recent example that is in memory is larger by this factor.
    "window": 100,  # The error rate is taken over so many examples.
    "first": 25,  # One mistake among fewer examples is no rate.
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
