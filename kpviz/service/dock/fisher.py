"""What the controls of the page on Fisher's discriminant show: its data."""

from __future__ import annotations

from collections.abc import Collection

from kpviz.engine.fisher.data import SETS
from kpviz.service.dock.data import measured
from kpviz.service.dock.fields import Field, image, seed, sentence, slider, words
from kpviz.settings.fisher_link import FisherSettings

_BY_NAME = FisherSettings.known


def tree(settings: FisherSettings, wanted: Collection[str]) -> Field:
    """Return the chip, the button, and the group "data" if it is wanted."""
    fixed = sentence(_BY_NAME["seed"].not_applicable(settings.values))
    return {
        "chips": [{"group": "data", "label": label(settings), "tip": "What to look at"}],
        "buttons": [
            {"command": "redraw", "label": "New data", "tip": fixed or "The next data seed (N)", "disabled": fixed}
        ],
        "groups": {"data": _data(settings)} if "data" in wanted else {},
    }


def label(settings: FisherSettings) -> str:
    """Return what the data are: their name, how many, and the seed."""
    title = SETS[settings.data].title
    if SETS[settings.data].many:
        return f"{title} · {SETS[settings.data].n} examples"
    return f"{title} · {settings.n} points · seed {settings.seed}"


def _data(settings: FisherSettings) -> list[Field]:
    values = settings.values
    return [
        {
            "kind": "tiles",
            "name": "data",
            "value": settings.data,
            "options": [
                {"value": name, "title": each.title, "tip": each.look_for, "image": image("data", name)}
                for name, each in SETS.items()
            ],
        },
        *words(SETS[settings.data].look_for),
        *slider(_BY_NAME["n"], values),
        *slider(_BY_NAME["noise"], values),
        *seed(_BY_NAME["seed"], values),
        *measured(values),
    ]
