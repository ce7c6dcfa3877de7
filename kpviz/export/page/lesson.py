"""The page of a lesson.

Its words and tasks beside the board, all its runs, and what answers are compared with.

Tests: tests/export/test_lesson_page.py, tests/browser/test_lesson_page.py.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kpviz import experiment, panels
from kpviz.export.page.page import STYLES, Place, compressed, html_of, plain_address
from kpviz.lessons import languages, presets
from kpviz.lessons.comparison import Pin
from kpviz.lessons.explain import counted
from kpviz.lessons.file.lesson import Lesson, Scene, Task, in_minutes
from kpviz.lessons.file.links import PLAY, Link
from kpviz.lessons.file.words import Node
from kpviz.lessons.mathml import set_formulas
from kpviz.player.comparison import Comparison
from kpviz.player.extras import EXTRAS
from kpviz.settings import Settings, conditions
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState

_ASK = frozenset(EXTRAS)  # panels whose numbers are in the page only if a scene shows them
_NEED_KPVIZ = ("reach", "draw", "puzzle", "perform")  # kinds of tasks whose answers take the engine
_LOCAL = "http://localhost:8501/"  # where kpviz is by default
# characters of a page that has room for its typeface: lessons are put on a course site
_ROOM = 3_000_000
_COPY = (
    "This is a copy without solutions, by which no answer can be checked: give the lesson itself."
)


def lesson_page(
    lesson: Lesson,
    name: str,
    *,
    theme: str = "auto",
    address: str | None = None,
    place: Place | None = None,
    following: Mapping[str, str] | None = None,
) -> str:
    """Return a page in which a lesson is read and answered without Python, server and network.

    It asks for nothing: its security policy forbids every request. Notes are left out; what is
    right is in the page, compressed and not locked. The same arguments give the same text.

    Parameters
    ----------
    name : what the results that one saves call the lesson. theme : "light", "dark", or "auto", as
        the system has it.
    address : where kpviz is, for what the page cannot do itself; None: it says by which command
        that opens.
    place : what is beside the page, the shared player among it; None: the page carries the player.
    following : name and title of the lesson that comes next, whose page is beside this one under
        its name.

    Raises
    ------
    ValueError
        One sentence: the lesson has no solutions, a link has no run, or an argument is none of
        these.
    """
    if lesson.students:
        raise ValueError(_COPY)
    packer = _Packer(lesson, None if address is None else plain_address(address))
    opening = packer.pack()
    tasks = [[packed_task(task, packer.words) for task in scene.tasks] for scene in lesson.scenes]
    packed = languages.translate_all(tasks, lesson.language)
    content = set_formulas(
        {"lesson": {**packer.plain, "next": following, "told": True}, "tasks": packed}
    )
    options = {
        "name": name,
        "content": compressed(json.dumps(content, allow_nan=False, separators=(",", ":")).encode()),
        "opening": opening,
        "shows": packer.shows,
        "runs": packer.runs,
        "panels": [panel for panel in panels.IN_LINKS if panel not in _ASK - packer.needed],
        "address": packer.address,
    }
    minutes = in_minutes(lesson.minutes)
    scenes = counted(len(lesson.scenes), "scene")
    about = [
        lesson.author,
        *(languages.translate(words, lesson.language) for words in (scenes, minutes)),
    ]
    return html_of(
        "page/standalone_lesson.js",
        options,
        theme=theme,
        title=lesson.title,
        heading=lesson.title,
        about=about,
        styles=STYLES,
        room=_ROOM,
        place=place,
        language=lesson.language,
    )


@dataclass(frozen=True)
class _BoardState:
    """What a link puts on the board: settings, pinned models, and cues.

    Over which setting its curve runs.
    """

    settings: Settings
    pins: tuple[Pin, ...]
    cues: Cues
    over: str | None = None

    @classmethod
    def of(cls, link: Link, cues: Cues | None = None) -> _BoardState:
        if link.problems:
            raise ValueError(f"Line {link.line}: {link.problems[0]}")
        settings = link.settings
        used = Cues.of_code(settings.cues) if cues is None or not cues.cues else cues
        return cls(settings.without_cues, link.pins, used, link.view.over)

    @property
    def model(self) -> str:
        """What it trains, as a query."""
        return "&".join(
            filter(None, [self.settings.link(), presets.query(self.settings, self.pins)])
        )

    @property
    def query(self) -> str:
        """The query of its link, with the cues."""
        if not self.cues.cues:
            return self.model
        settings = self.settings.replace(cues=self.cues.code)
        return "&".join(filter(None, [settings.link(), presets.query(settings, self.pins)]))

    def needed(self, panels_shown: Sequence[str] | None) -> frozenset[str]:
        """Return the panels that need numbers of their own, of those that are shown.

        None: the default ones.
        """
        plane = conditions.has_plane(self.settings.values)
        default = panels.shown_by_default(plane=plane)
        return _ASK & {
            *(default if panels_shown is None else panels_shown),
            *(() if plane else default),
        }


@dataclass
class _Packer:
    """Collects what a page holds.

    Runs by identifiers, and by its query which of them a link shows.
    """

    lesson: Lesson
    address: str | None
    shows: dict[str, dict[str, str]] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)

    # ---- runs ---

    @cached_property
    def links(self) -> list[tuple[_BoardState, frozenset[str], str]]:
        """What is put on the board, with panels that ask for numbers, and another query or ""."""
        first = self.lesson.scenes[0].link
        staged = first.page == PLAY and first.query
        default = _BoardState.of(Link(PLAY, "v=1"))
        boards = [] if staged else [(default, default.needed(None), "")]  # as the app opens
        # those of a scene stay in the next one where that has no board
        panels_on_board: Sequence[str] | None = None
        for scene in self.lesson.scenes:
            opened = scene.link.panels
            if opened is not None:
                panels_on_board = opened
                board = _BoardState.of(scene.link, scene.cues.without_notes)
                boards.append((board, board.needed(panels_on_board), ""))
            for start in _starts(scene):
                board = _BoardState.of(start)
                boards.append(
                    (
                        board,
                        board.needed(
                            panels_on_board if start.view.show is None else start.view.show
                        ),
                        "",
                    )
                )
            for link in _linked(scene.words):
                if not link.problems:
                    board = _BoardState.of(link)
                    boards.append((board, board.needed(panels_on_board), link.query))
        return boards

    @cached_property
    def needed(self) -> frozenset[str]:
        """The panels that ask for numbers, of all runs."""
        return frozenset().union(*(panel_names for _, panel_names, _ in self.links))

    def pack(self) -> str:
        """Train and pack all runs; return the query of what is on the board at first."""
        for model in dict.fromkeys(board.model for board, *_ in self.links):
            same = [entry for entry in self.links if entry[0].model == model]
            self._pack(
                [board for board, *_ in same],
                frozenset().union(*(panel_names for _, panel_names, _ in same)),
            )
        for board, _, other in self.links:
            self.shows.setdefault(other or board.query, self.shows[board.query])
        return self.links[0][0].query

    def _pack(self, same: list[_BoardState], panel_names: frozenset[str]) -> None:
        """Train a run once, and put it where each of several links shows it."""
        settings = same[0].settings
        pins = same[0].pins
        split = experiment.prepare(settings)
        experiments = Comparison.trained(settings, split, pins)
        over = next((board.over for board in same if board.over is not None), None)
        packed = experiments.runs(
            panel_names, over=over, name=hashlib.sha256(same[0].model.encode()).hexdigest()[:12]
        )
        self.runs[packed[0].id] = compressed(b"".join(packed_run.data for packed_run in packed))
        for board in same:
            whole = experiments.enclosed(packed, ViewState(), board.cues)
            head = whole[: len(whole) - sum(len(packed_run.data) for packed_run in packed)]
            self.shows[board.query] = {
                "link": board.query,
                "run": packed[0].id,
                "head": compressed(head),
            }

    # ---- words and tasks ---

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The lesson as the page reads it: nothing in it gives an answer away."""
        plain_lesson = self.lesson.plain()
        for scene, plain_scene in zip(self.lesson.scenes, plain_lesson["scenes"], strict=True):
            del plain_scene["cues"]
            plain_scene["link"] = {
                **_plain_link(scene.link, scene.cues.without_notes),
                "show": scene.link.panels,
            }
            plain_scene["words"] = self.words(plain_scene["words"], staged=True)
            plain_scene["knobs"] = []  # other settings are other runs
            if scene.link.page != PLAY:
                plain_scene["elsewhere"] = self._elsewhere(scene.link)
            for task, plain_task in zip(scene.tasks, plain_scene["tasks"], strict=True):
                plain_task["ask"] = self.words(plain_task["ask"])
                plain_task["hints"] = [self.words(hint) for hint in plain_task["hints"]]
                plain_task["start"] = [_plain_link(link) for link in task.starts]
                if task.kind in _NEED_KPVIZ:
                    plain_task["elsewhere"] = self._elsewhere(task.start)
        return plain_lesson

    def _elsewhere(self, link: Link) -> dict[str, str | None]:
        """Return where something is that needs kpviz.

        Its address, if that is known, and the command that opens it.
        """
        path = f"{'' if link.page == PLAY else link.page}?{link.query}"
        query = link.query if link.page == PLAY else f"{_LOCAL}{path}"
        return {
            "address": None if self.address is None else f"{self.address}{path}",
            "command": f"kpviz app {shlex.quote(query)}",
        }

    def words(self, tree: Sequence[Node], *, staged: bool = False) -> list[Node]:
        """Return words whose links lead out of the page, or, if `staged`, to one of its runs."""
        return [self._word(node, staged=staged) for node in tree]

    def _word(self, node: Node, *, staged: bool) -> Node:
        if isinstance(node, str) or "children" not in node:
            return node
        with_children = {**node, "children": self.words(node["children"], staged=staged)}
        link = _own_link(node)
        if link is None or (staged and link.page == PLAY and not link.problems):
            return with_children
        if self.address is None:
            return {**with_children, "kind": "emphasis"}
        return {**with_children, "href": self._elsewhere(link)["address"]}


def packed_task(
    task: Task, words: Callable[[Sequence[Node]], list[Node]] = list
) -> dict[str, Any] | None:
    """Return what the answers to a task are compared with, try by try.

    None where that takes the engine. `words` : makes those of the page of the task's own.
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
        told = {"because": words(task.reasons(tried))}
        if task.tries is not None and tried == (task.tries - 1) % tries:
            told["missed"] = words(task.reasons(tried, missed=True))
        answers.append({**comparisons, **told})
    return {"kind": task.kind, "tries": task.tries, "answers": answers}


def _starts(scene: Scene) -> Iterator[Link]:
    """Yield where the tasks start that can be answered in the page, try by try."""
    for task in scene.tasks:
        if task.kind not in _NEED_KPVIZ and task.start.page == PLAY and task.start.query:
            yield from task.starts


def _linked(tree: Sequence[Node]) -> Iterator[Link]:
    """Yield the links to the player in words."""
    for node in tree:
        if not isinstance(node, str):
            link = _own_link(node)
            if link is not None and link.page == PLAY:
                yield link
            yield from _linked(node.get("children", ()))


def _own_link(node: dict[str, Any]) -> Link | None:
    """Return the link to a page of kpviz that a node is, None if it is none."""
    if node["kind"] != "link" or node["href"].lower().startswith(("http:", "https:")):
        return None
    return Link.read(node["href"])


def _plain_link(link: Link, cues: Cues | None = None) -> dict[str, Any]:
    if link.page != PLAY or not link.query:
        return {"page": link.page, "query": link.query, "t": None, "show": None}
    show = link.view.show
    query = _BoardState.of(link, cues).query
    return {"page": PLAY, "query": query, "t": link.t, "show": None if show is None else list(show)}
