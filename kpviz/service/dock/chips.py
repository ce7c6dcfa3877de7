"""The line above the board: what is set, in few words, and the two buttons that draw anew."""

from __future__ import annotations

from kpviz import experiment
from kpviz.engine.data import objects
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Drawn
from kpviz.service.dock.fields import Field, Shown, sentence
from kpviz.service.dock.learner import ORDERS
from kpviz.settings import BOOLEAN, DRAWN, FILE, MAX_POINTS, Settings, conditions


def of_player(shown: Shown) -> list[Field]:
    """Return the chips of the player."""
    kernel = experiment.kernel(shown.settings).label
    return [
        {"group": "data", "label": data(shown.settings), "tip": "What to learn from"},
        {"group": "kernel", "label": kernel, "tip": "How similar two examples are"},
        {"group": "learner", "label": learner(shown.settings), "tip": "How it learns, and in which order"},
        {"group": "compare", "label": compare(len(shown.pins)), "tip": "Runs side by side"},
    ]


def buttons(settings: Settings) -> list[Field]:
    """Return what draws new data and a new order; one that has no meaning now says why."""
    fixed, unordered = sentence(settings.reason_against("seed")), sentence(settings.reason_against("order"))
    return [
        {"command": "redraw", "label": "New data", "tip": fixed or "The next data seed (N)", "disabled": fixed},
        {"command": "reorder", "label": "New order", "tip": unordered or "The next order (O)", "disabled": unordered},
    ]


def data(settings: Settings) -> str:
    """Return what the data are: their name, how many, and the seed."""
    if settings.data == DRAWN:
        return f"{experiment.title(settings)} · {Drawn.read(settings.points, MAX_POINTS).n}"
    if not conditions.has_plane(settings.values):
        return _objects(settings)
    title = settings.file.partition("~")[0] if settings.data == FILE else SOURCES[settings.data].title
    if settings.stream == "on":
        drift = f" · drift {settings.drift:g}" if settings.drift else ""
        return f"{title} · stream of {settings.n:,}{drift} · seed {settings.seed}"
    points = "" if settings.data == FILE else f" · {settings.n} points"  # a file may hold fewer
    return f"{title}{points}{_held(settings)} · seed {settings.seed}"


def _objects(settings: Settings) -> str:
    title = experiment.title(settings)
    if settings.data == BOOLEAN:
        order = f"seed {settings.seed}" if settings.seed else "in order"
        return f"{title}{_held(settings)} · {order}"
    added = len(objects.parse(settings.added, conditions.compared(settings.values)))
    more = f" + {added} of mine" if added else ""
    return f"{title}{more}{_held(settings)} · seed {settings.seed}"


def _held(settings: Settings) -> str:
    return f", {settings.held:.0%} held out" if settings.held else ""


def learner(settings: Settings) -> str:
    """Return what learns: its name, budget, intercept, order and predictor."""
    parts = [experiment.learner(settings).about.title]
    if settings.reason_against("budget") is None:
        parts.append(f"B = {settings.budget}")
    if settings.intercept != "none":
        parts.append(f"{settings.intercept} intercept")
    if settings.reason_against("order") is None:
        drawn = settings.reason_against("oseed") is None
        parts.append(f"{settings.order}, seed {settings.oseed}" if drawn else ORDERS[settings.order])
    if settings.predictor != "last":
        parts.append(settings.predictor)
    return " · ".join(parts)


def compare(pins: int) -> str:
    """Return how many runs are shown side by side."""
    return f"Compare · {pins + 1} runs" if pins else "Compare"
