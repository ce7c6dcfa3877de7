"""What a page without a server holds: answers about links, and a lesson with all of its links.

Such a page shows them at once, opens the settings, and checks what takes no engine, without Python.

Tests: tests/service/test_packing.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kpviz import panels
from kpviz.export.page.board import PackedLesson
from kpviz.export.page.lesson import packed_task
from kpviz.export.page.page import compressed
from kpviz.lessons import languages
from kpviz.lessons.mathml import set_formulas
from kpviz.player import payload
from kpviz.player.extras import EXTRAS
from kpviz.service import links
from kpviz.service.answer import answer
from kpviz.service.lesson import CheckWork, LessonSource, PlanWork
from kpviz.service.work import Work
from kpviz.settings.view import read_view

_MEASURED = ("reach", "draw", "puzzle")  # The engine says how far the board is from these.
_GROUPS = ("data", "kernel", "learner", "compare")  # All settings of the dock.
_BOARD = re.compile(r"/?(play|fisher)?/?\?")  # So an address begins that leads to a board.


def packed(
    link: str,
    *,
    page: str = "play",
    extras: Collection[str] = (),
) -> dict[str, Any]:
    """Return the answer about a link, compressed.

    With the link as Python writes it, with all settings, and with what the panels of the link and
    `extras` need besides the run.
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
        "dock": [*_GROUPS],
        "live": False,
        "shown": False,
        "bring": {},
        "near": True,
        "n": 0,
    }
    with ThreadPoolExecutor(1) as thread:  # In this one a loop may run, as in a notebook.
        data = thread.submit(asyncio.run, answer(question, _computed)).result()
    return {
        "link": link,
        "canonical": payload.unpack(data)[0]["link"],
        "extras": extra_names,
        "zipped": compressed(data),
    }


async def _computed(work: Work) -> bytes:
    return work.compute()


def packed_lesson(name: str) -> PackedLesson:
    """Return a lesson as the pages of a folder hold it: what shows its scenes and starts its tasks.

    What is right is in it, compressed and not locked.
    """
    source = LessonSource(name)
    lesson = source.read()
    plan = json.loads(PlanWork(source).compute())
    tasks = [[packed_task(task) for task in scene.tasks] for scene in lesson.scenes]
    compared = set_formulas({"tasks": languages.translate_all(tasks, lesson.language)})["tasks"]
    for at, scene in enumerate(plan["scenes"]):
        for number, task in enumerate(scene["tasks"]):
            if task["kind"] in _MEASURED:
                compared[at][number] = {"measured": _measured(source, at, number, scene)}
    content = {"plan": plan, "tasks": compared}
    extras = _extras(plan)
    answers: dict[str, list[dict[str, Any]]] = {}
    for page, link in dict.fromkeys(_links(plan)):
        answers.setdefault(page, [packed("", page=page, extras=extras)])
        answers[page].append(packed(link, page=page, extras=extras))
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return PackedLesson(name, lesson.title, compressed(text.encode()), answers)


def _measured(source: LessonSource, at: int, number: int, scene: dict[str, Any]) -> dict[str, Any]:
    """Return what is said of the boards from which a task starts, try by try, by their links."""
    starts = [link["query"] for link in scene["tasks"][number]["start"]]
    tried_links = [*enumerate(starts), (0, scene["link"]["query"])]
    return {
        link: json.loads(
            CheckWork(source, at, number, tried, json.dumps({"link": link}), True).compute()
        )
        for tried, link in tried_links
    }


def _extras(plan: dict[str, Any]) -> set[str]:
    """Return the extras of all scenes: each is asked for with the panels of the scene before it."""
    tasks = [task for scene in plan["scenes"] for task in scene["tasks"]]
    starts = [link for task in tasks for link in task["start"]]
    opened = [*(scene["link"] for scene in plan["scenes"]), *starts]
    drawn = {"figures"} if any(task.get("draws") for task in tasks) else set()
    return drawn.union(*(link["show"] or () for link in opened))


def _links(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield page and link of all that a lesson puts on the board."""
    for scene in plan["scenes"]:
        starts = [link for task in scene["tasks"] for link in task["start"]]
        for link in (scene["link"], *starts):
            if link["query"]:
                yield link["page"], link["query"]
        for address in _addresses(scene["words"]):
            page, _, query = address.partition("?")
            yield page.strip("/") or "play", query


def _addresses(words: list[Any]) -> Iterator[str]:
    """Yield where links among words lead, if that is a board."""
    for node in words:
        if isinstance(node, str):
            continue
        address = node.get("href", "")
        if _BOARD.match(address):
            yield address
        yield from _addresses(node.get("children", []))
