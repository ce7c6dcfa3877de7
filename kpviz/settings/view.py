"""The player's part of a link: where it opens, and what it shows.

Tests: tests/test_links.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kpviz import panels
from kpviz.settings.properties import BY_NAME, did_you_mean

ON_KERNELS = "gram.validity.derivation"  # The place Kernels shows the board with these panels.
# Older links name these panels: the settings beside the board have their numbers now.
_FORMER = ("tune",)
STAGES = ("window", "16x9", "4x3", "1x1", "9x16")


@dataclass(frozen=True)
class ViewState:
    """Where the player opens.

    The instant, the panels shown (None: the default ones), the shape if it presents.

    `turn`: by how many degrees the space of the lift is turned and tilted; None: as it is at first.
    `over`: the setting that the curves run over; None: the first that they can.
    """

    t: int = 0
    show: tuple[str, ...] | None = None
    stage: str | None = None
    turn: tuple[int, int] | None = None
    over: str | None = None


def read_view(query: Mapping[str, str]) -> tuple[ViewState, list[str]]:
    """Return the player's part of a link, and what was wrong with it, one phrase each."""
    problems: list[str] = []
    text = query.get("t", "0")
    t = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0
    if str(t) != text.lstrip("0") and text.strip("0"):
        problems.append("t is not a step")
    show = None
    if "show" in query:
        named = [] if query["show"] == "none" else query["show"].replace(",", ".").split(".")
        show = tuple(name for name in named if name in panels.IN_LINKS)
        if len(show) < len([name for name in named if name not in _FORMER]):
            unknown = next(name for name in named if name not in (*panels.IN_LINKS, *_FORMER))
            problems.append(
                f"show names a panel that is not known{did_you_mean(unknown, panels.IN_LINKS)}"
            )
            show = show or None
    stage = query.get("stage")
    if stage is not None and stage not in STAGES:
        problems.append(f"stage is not one of {', '.join(STAGES)}")
        stage = None
    turn = _angles(query["turn"]) if "turn" in query else None
    if "turn" in query and turn is None:
        problems.append("turn is not two angles in degrees, as 30,20")
    over = query.get("over")
    if over is not None and (over not in BY_NAME or BY_NAME[over].range is None):
        problems.append("over is not a setting with a range")
        over = None
    return ViewState(t, show, stage, turn, over), problems


def on_kernels(query: str) -> str:
    """Return the query of a link to the place Kernels as one to the board.

    >>> on_kernels("v=1&data=moons&show=alpha")
    'v=1&data=moons&show=gram.validity.derivation'
    """
    parts = [
        part for part in query.lstrip("?").split("&") if part and part.partition("=")[0] != "show"
    ]
    return "&".join([*parts, f"show={ON_KERNELS}"])


def _angles(text: str) -> tuple[int, int] | None:
    """Return turn and tilt, None if the text has none that are possible."""
    parts = text.split(",")
    if len(parts) != 2 or not all(re.fullmatch(r"-?[0-9]{1,3}", part) for part in parts):
        return None
    turn, tilt = map(int, parts)
    return (turn, tilt) if abs(turn) <= 180 and abs(tilt) < 90 else None
