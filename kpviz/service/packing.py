"""The answer to the first question about a link, as a page without a server holds it.

Such a page shows it at once, and opens its settings, without Python.

Tests: tests/service/test_packing.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from kpviz import panels
from kpviz.export.page.page import compressed
from kpviz.player.extras import EXTRAS
from kpviz.service import links
from kpviz.service.answer import answer
from kpviz.service.work import Work
from kpviz.settings.view import read_view

_GROUPS = ("data", "kernel", "learner", "compare")  # All settings of the dock.


def packed(
    link: str,
    *,
    page: str = "play",
    more_groups: Collection[str] = (),
    extras: Collection[str] = (),
) -> dict[str, Any]:
    """Return the answer about a link, compressed.

    With all settings, with `more_groups` of them, and with what the panels of the link and `extras`
    need besides the run.
    """
    panel_names = read_view(links.pairs(link))[0].show
    if panel_names is None:
        panel_names = panels.shown_by_default(plane=True)
    extra_names = sorted(EXTRAS.keys() & {*panel_names, *extras})
    question: dict[str, Any] = {
        "page": page,
        "link": link,
        "origin": None,
        "data": None,
        "commands": [],
        "drafts": {},
        "asked": extra_names,
        "have": [],
        "dock": [*_GROUPS, *more_groups],
        "live": False,
        "shown": False,
        "bring": {},
        "near": True,
        "n": 0,
    }
    return {
        "link": link,
        "extras": extra_names,
        "zipped": compressed(asyncio.run(answer(question, _computed))),
    }


async def _computed(work: Work) -> bytes:
    return work.compute()
