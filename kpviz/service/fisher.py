"""The answer to a question of the page on Fisher's discriminant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher as packing
from kpviz.player import fisher_link
from kpviz.player.fisher_link import FisherSettings
from kpviz.service import dock, links
from kpviz.service.caches import LruCache

_payloads: LruCache[bytes] = LruCache(64, 50_000_000, len)


def answer(question: Mapping[str, Any]) -> bytes:
    """Return the answer as bytes; the computing is short, so it is done at once."""
    settings, view, notice = fisher_link.read_link(links.pairs(str(question.get("link") or "")))
    before = settings.query()
    steps = []
    commands = question.get("commands")
    for entry in commands if isinstance(commands, list) else []:
        name, value = (entry.get("name"), entry.get("value")) if isinstance(entry, Mapping) else (None, None)
        if isinstance(name, str) and name in _COMMANDS:
            settings = _COMMANDS[name](settings, value)
        steps.append(_plain(settings))
    name = f"fisher?{settings.query()}"
    has = isinstance(question.get("have"), list) and name in question["have"]
    wanted = question.get("dock")
    header = {
        "n": question["n"] if type(question.get("n")) is int else 0,
        "steps": steps,
        **_plain(settings),
        "unchanged": settings.query() == before,
        "notices": [{"kind": "warning", "words": notice}] if notice and question.get("shown") is not True else [],
        "store": {},
        "edit": False,
        "drafts": {},
        "dock": dock.fisher.tree(settings, wanted if isinstance(wanted, list) else []),
    }
    return packing.envelope(b"" if has else _packed(name, settings), name=name, view=view, answer=header)


def _packed(name: str, settings: FisherSettings) -> bytes:
    data = _payloads.get(name)
    if data is None:
        data = packing.encode(settings)
        _payloads.put(name, data)
    return data


def _plain(settings: FisherSettings) -> dict[str, Any]:
    return {"link": settings.query(), "origin": None, "data": settings.query()}


def _set(settings: FisherSettings, value: Any) -> FisherSettings:
    return settings.replace(**value) if isinstance(value, Mapping) else settings


def _redraw(settings: FisherSettings, value: Any) -> FisherSettings:
    return settings.replace(seed=(settings.seed + 1) % 10_000)


def _data(settings: FisherSettings, value: Any) -> FisherSettings:
    names = list(SETS)
    return FisherSettings.of(data=names[(names.index(settings.data) + 1) % len(names)])


_COMMANDS: dict[str, Callable[[FisherSettings, Any], FisherSettings]] = {"set": _set, "redraw": _redraw, "data": _data}
