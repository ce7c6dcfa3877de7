"""Links to boards that are drawn from the tables of settings and of panels, each from a seed and
its number.
"""

import random

import numpy as np
from boards import END
from strategies import TYPED, WRITTEN

from kpviz import panels
from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons import comparison
from kpviz.settings import DRAWN, FILE, PROPERTIES, Settings
from kpviz.settings.fisher_link import FisherSettings

# A law is as strong with runs that take little time.
FEW = {"n": (4, 160), "epochs": (1, 12), "C": (0.1, 100.0), "bits": (1, 6)}
TEXTS = {
    "function": WRITTEN["function"][:5],
    "formula": TYPED,
    "w0": ("0.5,-0.3", "1,1"),
    "cues": (
        "start: Look where the boundary goes.",
        "2 light map, alpha: Two panels are lit at once.|end: Done.",
        "1 light margins: This one.|3 light x2: Example 2.",
        "title: A title",
    ),
}
NEW_EXAMPLES = {"texts": "The goal", "trees": "(S (NP you) (VP sing))", "graphs": "CCO 1-2 3-2"}
FISHERS = tuple(FisherSettings.known.values())
FISHERS_DATA = [name for name in FISHERS[0].choices if name not in (FILE, DRAWN)]
MODEL = ("kernel", "learner", "reading")
FILES = ("file", "cols", "encoding", "decimals", "reduce", "scale")


def drawn_board(seed, number):
    """The path of the board with this number."""
    chance = random.Random(f"{seed} {number}")
    if chance.random() < 0.1:
        return f"/fisher?{_fishers(chance)}"
    settings = Settings.repaired(_values(chance, PROPERTIES, {"data": _data(chance)}))[0]
    parts = [settings.query(), f"t={chance.choice((0, 1, chance.randint(2, 400), END))}"]
    names = chance.sample(panels.IN_LINKS, chance.choice((0, 1, 2, 3, 5)))
    if chance.random() < 0.7:
        parts.append(f"show={'.'.join(names) or 'none'}")
    if chance.random() < 0.3:
        pins = [_pin(chance, settings) for _ in range(chance.choice((1, 1, 2, 3)))]
        parts.append(comparison.query(tuple(pins)))
    return f"/?{'&'.join(parts)}"


def _data(chance):
    (data,) = (prop for prop in PROPERTIES if prop.name == "data")
    return chance.choice([name for name in data.choices if name != FILE])


def _values(chance, properties, values):
    """Values for some of these properties, each drawn under those before it."""
    whole = dict(Settings.of().values) | values
    for prop in properties:
        if prop.name in values:
            continue
        whole[prop.name] = prop.default_for(whole)
        applies = prop.name not in FILES and prop.not_applicable(whole) is None
        usual = 0.3 if prop.name not in ("kernel", "learner", "points") else 0.9
        if applies and chance.random() < usual:
            values[prop.name] = whole[prop.name] = _value(chance, prop, whole)
    return values


def _value(chance, prop, values):
    if prop.choices:
        return chance.choice(prop.choices_for(values))
    if prop.name == "points":
        return _points(chance)
    if prop.name == "ask":
        return NEW_EXAMPLES.get(values["data"], "")
    if prop.name == "sequence":
        return sequence.encode(chance.sample(range(5), 5))
    if prop.text:
        return chance.choice(TEXTS.get(prop.name, ("",)))
    limits = prop.range_for(values)
    low, high = FEW.get(prop.name, (limits.low, limits.high))
    value = low + chance.choice((0.0, chance.random() ** 3, chance.random(), 1.0)) * (high - low)
    return round(value) if limits.integer else float(f"{value:.3g}")


def _points(chance):
    """Points that may lie anywhere, as where one has drawn them."""
    many = chance.randint(1, 40)
    cells = [[chance.randrange(4096) for _ in range(2)] for _ in range(many)]
    X = np.array([[cell / 2048 - 1 for cell in row] for row in cells])
    y = np.array([chance.choice((-1.0, 1.0)) for _ in cells])
    return Drawn.of(X, y, chance.choice((0, 0, many // 3))).code


def _pin(chance, settings):
    """Another model on the same data."""
    model = [prop for prop in PROPERTIES if prop.group in MODEL]
    same = {
        name: value
        for name, value in settings.values.items()
        if name not in {prop.name for prop in model}
    }
    other = Settings.repaired(_values(chance, PROPERTIES, same))[0]
    return comparison.Pin.of(other, settings)


def _fishers(chance):
    values = _values(chance, FISHERS, {"data": chance.choice(FISHERS_DATA)})
    settings = FisherSettings.repaired(values)[0]
    angle = chance.choice(("best", chance.randint(0, 720) / 2))
    return f"{settings.query()}&angle={angle}"
