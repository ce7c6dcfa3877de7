"""The answer to a question of the page on Fisher's discriminant, and what its controls show: its data."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher as packing
from kpviz.service import links
from kpviz.service.dock.data import measured
from kpviz.service.dock.fields import Field, image, seed, sentence, slider, words
from kpviz.service.question import Question, entries, mapping, number, text, texts
from kpviz.settings import fisher_link
from kpviz.settings.fisher_link import FisherSettings

_packed = lru_cache(maxsize=64)(packing.encode)


def answer(question: Question) -> bytes:
    """Return the answer as bytes; the computing is short, so it is done at once."""
    settings, view, notice = fisher_link.read_link(links.pairs(text(question.get("link"))))
    steps = []
    for name, value in entries(question):
        if isinstance(name, str) and name in _COMMANDS:
            settings = _COMMANDS[name](settings, value)
        steps.append(_plain(settings))
    header = {
        "n": number(question),
        "steps": steps,
        **_plain(settings),
        "notices": [{"kind": "warning", "words": notice}] if notice and question.get("shown") is not True else [],
        "store": {},
        "edit": False,
        "drafts": {},
        "dock": dock(settings, texts(question.get("dock"))),
        "editing": {"origin": None},
    }
    here = packing.identifier(settings) in texts(question.get("have"))
    return packing.envelope(b"" if here else _packed(settings.without_cues), settings, view, header)


def _plain(settings: FisherSettings) -> dict[str, Any]:
    return {"link": settings.query(), "origin": None, "data": settings.query()}


def _next_data(settings: FisherSettings) -> FisherSettings:
    names = list(SETS)
    return FisherSettings.of(data=names[(names.index(settings.data) + 1) % len(names)])


_COMMANDS: dict[str, Callable[[FisherSettings, Any], FisherSettings]] = {
    "set": lambda settings, value: settings.replace(
        **{key: each for key, each in mapping(value).items() if key in settings.values}
    ),
    "redraw": lambda settings, value: settings.replace(seed=(settings.seed + 1) % 10_000),
    "data": lambda settings, value: _next_data(settings),
    "replace": lambda settings, value: fisher_link.read_link(links.pairs(text(mapping(value).get("link"))))[0],
}


def dock(settings: FisherSettings, wanted: Collection[str]) -> Field:
    """Return what the controls show: the tab, the button, and the group "data" if it is wanted."""
    by_name, values, shown = FisherSettings.known, settings.values, SETS[settings.data]
    fixed = sentence(by_name["seed"].not_applicable(values))
    tiles = [
        {"value": name, "title": each.title, "tip": each.look_for, "image": image("data", name)}
        for name, each in SETS.items()
    ]
    data = [
        {"kind": "tiles", "name": "data", "value": settings.data, "options": tiles},
        *words(shown.look_for),
        *slider(by_name["n"], values),
        *slider(by_name["noise"], values),
        *seed(by_name["seed"], values),
        *measured(values),
    ]
    return {
        "tabs": [{"group": "data", "label": "Data", "set": shown.title, "tip": "What to look at"}],
        "buttons": [{"command": "redraw", "tip": fixed or "The next data seed (N)", "disabled": fixed}],
        "quick": None,
        "groups": {"data": data} if "data" in wanted else {},
    }
