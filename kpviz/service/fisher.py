"""The answer to a question of the page on Fisher's discriminant."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher as packing
from kpviz.service import dock, links
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
        "dock": dock.fisher.tree(settings, texts(question.get("dock"))),
        "editing": {"origin": None},
    }
    here = packing.identifier(settings) in texts(question.get("have"))
    return packing.envelope(b"" if here else _packed(settings), settings, view, header)


def _plain(settings: FisherSettings) -> dict[str, Any]:
    return {"link": settings.query(), "origin": None, "data": settings.query()}


def _set(settings: FisherSettings, value: Any) -> FisherSettings:
    return settings.replace(**{key: each for key, each in mapping(value).items() if key in settings.values})


def _redraw(settings: FisherSettings, value: Any) -> FisherSettings:
    return settings.replace(seed=(settings.seed + 1) % 10_000)


def _data(settings: FisherSettings, value: Any) -> FisherSettings:
    names = list(SETS)
    return FisherSettings.of(data=names[(names.index(settings.data) + 1) % len(names)])


_COMMANDS: dict[str, Callable[[FisherSettings, Any], FisherSettings]] = {"set": _set, "redraw": _redraw, "data": _data}
