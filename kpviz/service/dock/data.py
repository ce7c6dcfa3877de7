"""The data: which set, its size and noise, whether it is a stream, and one's own."""

from __future__ import annotations

from kpviz import experiment
from kpviz.engine.data import datasets
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.service.dock import objects, own
from kpviz.service.dock.fields import Field, Option, choice, image, seed, select, slider, toggle, words
from kpviz.service.dock.shown import Shown
from kpviz.settings import BY_NAME, DRAWN, FILE, Settings
from kpviz.settings.conditions import Values

_MOVES = {"turn": "turns steadily", "switch": "switches"}


def fields(shown: Shown) -> list[Field]:
    """Return the sets, what to look for, what applies to the chosen one, and one's own data."""
    settings = shown.settings
    sought = "" if settings.data in (FILE, DRAWN) else experiment.look_for(settings)
    return [
        {"kind": "tiles", "name": "data", "value": settings.data, "options": _sets()},
        *words(sought),
        *objects.fields(shown),
        *_numbers(settings),
        *measured(settings.values),
        *_stream(settings),
        *own.fields(shown),
    ]


def _sets() -> list[Option]:
    sources = {name: experiment.source(name) for name in (*SOURCES, *OBJECTS)}
    return [
        {"value": name, "title": source.title, "tip": source.look_for, "image": image("data", name)}
        for name, source in sources.items()
    ]


def _numbers(settings: Settings) -> list[Field]:
    values = settings.values
    sliders = [slider(BY_NAME[name], values) for name in ("bits", "n", "noise", "flipped", "balance", "held")]
    return [*(field for fields in sliders for field in fields), *seed(BY_NAME["seed"], values)]


def measured(values: Values) -> list[Field]:
    """Return which measurements and classes of a real data set are used; nothing of other data."""
    if BY_NAME["x"].not_applicable(values) is not None:
        return []
    table = datasets.real_table(values["data"])
    features = list(enumerate(table.features))
    others = [each for each in features if each[0] != values["x"]]
    found: list[Field] = [
        select("x", BY_NAME["x"].label, values["x"], features),
        select("y", BY_NAME["y"].label, values["y"], others),
    ]
    if BY_NAME["pair"].not_applicable(values) is None:
        pairs = [
            (pair, " − / ".join(table.classes[int(digit)] for digit in pair) + " +")
            for pair in BY_NAME["pair"].choices_for(values)
        ]
        found.append(select("pair", BY_NAME["pair"].label, values["pair"], pairs))
    return found


def _stream(settings: Settings) -> list[Field]:
    """Return the switch, and how the target moves."""
    if settings.reason_against("stream") is not None:
        return []
    on = settings.stream == "on"
    found: list[Field] = [toggle("stream", "Stream: examples arrive once", on)]
    if on and (why := settings.reason_against("drift")):
        return [*found, *words(f"No drift: {why}.")]
    moves = choice(BY_NAME["moves"], settings.values, _MOVES)
    return [*found, *slider(BY_NAME["drift"], settings.values), *moves]
