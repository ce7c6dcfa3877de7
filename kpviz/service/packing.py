"""What a page without a server holds: answers about links, and a lesson with all of its links.

Such a page shows them at once, opens the settings, and checks what takes no engine, without Python.

Tests: tests/service/test_packing.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import asyncio
import json
import shlex
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from kpviz import panels
from kpviz.export.page import board
from kpviz.export.page.board import PackedLesson
from kpviz.export.page.page import compressed, plain_address
from kpviz.lessons import languages, shelf
from kpviz.lessons.file.lesson import Lesson, Task
from kpviz.lessons.file.links import PLAY, Link
from kpviz.lessons.mathml import set_formulas
from kpviz.player import payload
from kpviz.player.extras import EXTRAS
from kpviz.service import links
from kpviz.service.answer import answer
from kpviz.service.lesson import CheckWork, LessonSource, PlanWork
from kpviz.service.work import Work
from kpviz.settings.view import read_view

_MEASURED = ("reach", "draw", "puzzle")  # The engine says how far the board is from these.
_LOCAL = "http://localhost:8501/"  # Where kpviz is by default.
_COPY = (
    "This is a copy without solutions, by which no answer can be checked: give the lesson itself."
)
_ONE_FILE = (
    "This page is one file, which holds what the lesson shows. All else can be turned in kpviz, "
    "which opens {}."
)
_GROUPS = ("data", "kernel", "learner", "compare")  # All settings of the dock.


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


def packed_boards() -> dict[str, list[dict[str, Any]]]:
    """Return what is packed in the page of the board, "play", and in Fisher's, "fisher"."""
    return {page: [packed("", page=page)] for page in ("play", "fisher")}


async def _computed(work: Work) -> bytes:
    return work.compute()


class Place(NamedTuple):
    """Where a lesson is among those of a folder.

    Attributes
    ----------
    names : of all lessons and puzzles of the folder.
    following : name and title of the one that comes next.
    address : where kpviz is, for what the page does not do, as `plain_address` writes it.
    is_secret : whether what answers are compared with is not in the page.
    """

    names: Collection[str]
    following: Mapping[str, str] | None = None
    address: str | None = None
    is_secret: bool = False


def packed_lesson(
    name: str, own_lesson: Lesson | None = None, *, place: Place | None = None
) -> PackedLesson:
    """Return a lesson as the pages of a folder hold it: what shows its scenes and starts its tasks.

    What is right is in it, compressed and not locked, unless its place is one of secrets.

    Parameters
    ----------
    own_lesson : the lesson, where it did not come with kpviz.
    place : None, where all that came with kpviz are there.

    Raises
    ------
    ValueError
        One sentence: the lesson has no solutions, or a link has no run.
    """
    source = (
        LessonSource(name) if own_lesson is None else LessonSource("", own_lesson.without_notes)
    )
    lesson = own_lesson or source.read()
    plan = json.loads(PlanWork(source).compute())
    is_secret = place is not None and place.is_secret
    if lesson.students and not is_secret:
        raise ValueError(_COPY)
    if place is not None:
        plan["next"] = place.following
        among = plan.get("puzzle") or {}
        for where, role in ((plan, "previous"), (among, "lesson")):
            if where.get(role) and where[role]["name"] not in place.names:
                where[role] = None
        if is_secret:
            _lock(plan, name, place.address, is_own=own_lesson is not None)
    text = None if own_lesson is None or is_secret else source.text
    return _packed_lesson(name, lesson, source, plan, text=text)


def lesson_page(
    lesson: Lesson, name: str, *, theme: str = "auto", address: str | None = None
) -> str:
    """Return one file in which a lesson is read and answered without Python, server and network.

    It asks for nothing: its security policy forbids every request. Notes are left out; what is
    right is in the page, compressed and not locked. The same arguments give the same text.

    Parameters
    ----------
    name : what the results that one saves call the lesson. theme : "light", "dark", or "auto", as
        the system has it.
    address : where kpviz is, for what the page cannot do itself; None: it says by which command
        that opens.

    Raises
    ------
    ValueError
        One sentence: the lesson has no solutions, a link has no run, or an argument is none of
        these.
    """
    if lesson.students:
        raise ValueError(_COPY)
    address = None if address is None else plain_address(address)
    source = LessonSource("", lesson.without_notes)
    plan = json.loads(PlanWork(source).compute())
    for scene, plain_scene in zip(lesson.scenes, plan["scenes"], strict=True):
        if scene.link.page != PLAY:
            plain_scene["elsewhere"] = _elsewhere(address, scene.link)
        for task, plain_task in zip(scene.tasks, plain_scene["tasks"], strict=True):
            if task.kind in (*_MEASURED, "perform"):
                plain_task["elsewhere"] = _elsewhere(address, task.start)
        plain_scene["knobs"] = []  # Other settings are other runs.
    plan["solved"] = False
    alone = _packed_lesson(name, lesson, source, plan, is_alone=True)
    command = f"kpviz app {name}" if name in shelf.paths_in(None) else "kpviz app"
    where = f"at {address}" if address else f"by the command {command}"
    return board.lesson_page(alone, _ONE_FILE.format(where), theme=theme, address=address)


def _packed_lesson(
    name: str,
    lesson: Lesson,
    source: LessonSource,
    plan: dict[str, Any],
    *,
    text: str | None = None,
    is_alone: bool = False,
) -> PackedLesson:
    """Return a lesson with all that its plan does not leave to another place.

    `text` : of its file, for the page's Python, which has those that come with kpviz. `is_alone` :
        there is no page beside it.
    """
    opened = [*_links(plan, lesson)]
    compared: list[list[Any]] = []
    for at, scene in enumerate(plan["scenes"]):
        compared.append([])
        for number, task in enumerate(scene["tasks"]):
            packed_answers = None
            if "elsewhere" not in task:
                packed_answers = packed_task(lesson.scenes[at].tasks[number])
                if task["kind"] in _MEASURED:
                    packed_answers = {"measured": _measured(source, at, number, scene)}
            compared[-1].append(packed_answers)
    compared = languages.translate_all(compared, lesson.language)
    compared = set_formulas({"tasks": compared})["tasks"]
    extras = _extras(plan)
    opened += _linked([plan, compared])
    boards = [(page, link) for page, link in dict.fromkeys(opened) if page == PLAY or not is_alone]
    answers: dict[str, list[dict[str, Any]]] = {}
    for page, link in boards or [(PLAY, "")]:
        answers.setdefault(page, [packed("", page=page, extras=extras)])
        if link:
            answers[page].append(packed(link, page=page, extras=extras))
    content = {"plan": plan, "tasks": compared, "text": text}
    written = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return PackedLesson(name, lesson.title, compressed(written.encode()), answers, lesson.language)


def packed_task(task: Task) -> dict[str, Any] | None:
    """Return what the answers to a task are compared with, try by try.

    None where that takes the engine.
    """
    tries = max(len(task.seeds), 1)
    answers = []
    for tried in range(tries):
        try:
            comparisons = task.question.packed(task.start_of(tried))
        except ValueError as error:
            raise ValueError(f"Line {task.line}: {error}") from None
        if comparisons is None:
            return None
        told = {"because": task.reasons(tried)}
        if task.tries is not None and tried == (task.tries - 1) % tries:
            told["missed"] = task.reasons(tried, missed=True)
        answers.append({**comparisons, **told})
    return {"kind": task.kind, "tries": task.tries, "answers": answers}


def _lock(plan: dict[str, Any], name: str, address: str | None, *, is_own: bool) -> None:
    """Let all tasks with something to hide say that they are answered on the server."""
    plan["told"] = plan["solved"] = False
    for number, scene in enumerate(plan["scenes"], 1):
        for task in scene["tasks"]:
            if task["kind"] == "explain" or (task["kind"] == "puzzle" and not is_own):
                continue
            query = f"lesson={name}&scene={number}"
            folder = "--lessons FOLDER " if is_own else ""
            task["elsewhere"] = {
                "address": None if address is None else f"{address}?{query}",
                "command": f"kpviz app {folder}{shlex.quote(query)}",
                "isSecret": True,
            }


def _elsewhere(address: str | None, link: Link) -> dict[str, str | None]:
    """Return where something is that needs kpviz.

    Its address, if that is known, and the command that opens it.
    """
    path = f"{'' if link.page == PLAY else link.page}?{link.query}"
    query = link.query if link.page == PLAY else f"{_LOCAL}{path}"
    return {
        "address": None if address is None else f"{address}{path}",
        "command": f"kpviz app {shlex.quote(query)}",
    }


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


def _links(plan: dict[str, Any], lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Yield page and link of all that a lesson puts on the board itself."""
    for scene, plain_scene in zip(lesson.scenes, plan["scenes"], strict=True):
        opened = [] if "elsewhere" in plain_scene else [(scene.link, plain_scene["link"])]
        for task, plain_task in zip(scene.tasks, plain_scene["tasks"], strict=True):
            if "elsewhere" not in plain_task:
                opened += zip(task.starts, plain_task["start"], strict=True)
        for link, plain_link in opened:
            if link.problems:
                raise ValueError(f"Line {link.line}: {link.problems[0]}")
            if plain_link["query"]:
                yield plain_link["page"], plain_link["query"]


def _linked(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield page and link of what the words of a lesson lead to on a board."""
    if isinstance(tree, list):
        for node in tree:
            yield from _linked(node)
    elif isinstance(tree, dict):
        address = tree.get("href", "")
        if tree.get("kind") == "link" and not address.lower().startswith(("http:", "https:")):
            link = Link.read(address)
            if not link.problems and "lesson" not in link.pairs:
                yield link.page, link.query
        for node in tree.values():
            yield from _linked(node)
