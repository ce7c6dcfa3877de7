"""A lesson on paper: its words, the first picture of each scene and its tasks; and the same with solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kpviz.export.print import typeset
from kpviz.export.print.typeset import Node, Sheet
from kpviz.lessons.explain import example, label
from kpviz.lessons.file import words
from kpviz.lessons.file.kinds.board import Reach
from kpviz.lessons.file.kinds.statements import LETTERS, Choose
from kpviz.lessons.file.kinds.steps import Predict
from kpviz.lessons.file.lesson import Lesson, Scene, Task
from kpviz.lessons.file.links import PLAY, Case, Link, NoRunError
from kpviz.picture import figure
from kpviz.picture.stage import RenderOptions
from kpviz.player.comparison import Comparison
from kpviz.settings import conditions

_INCHES = (8.0, 4.5)
_WIDTH, _BOARD_WIDTH = 86, 150  # millimetres of a picture: of the map, of a board
_NAMED = 30  # examples whose names all find room
_AHEAD = ("predict", "perform")  # tasks that go on from a step; others would be given away by what was learnt
_LONGEST = 80  # characters of a link that is printed


@dataclass
class Handout:
    """A lesson that is set; `solved`: with the solutions of its tasks."""

    lesson: Lesson
    solved: bool = False
    _pictures: dict[str, bytes] = field(default_factory=dict)
    _drawn: set[str] = field(default_factory=set)

    def sheet(self) -> Sheet:
        """Return the sheet; ValueError, of one sentence, where a task has no solution."""
        lesson = self.lesson
        body = [*self._objectives(), *(node for k, scene in enumerate(lesson.scenes) for node in self._scene(k, scene))]
        return Sheet(
            lesson.title,
            body,
            under=" · ".join(each for each in (lesson.author, _minutes(lesson.minutes)) if each),
            author=lesson.author,
            mark="Solutions" if self.solved else "",
            foot="kpviz",
            language=lesson.language,
            named=not self.solved and any(True for _ in lesson.tasks),
            pictures=self._pictures,
        )

    def _objectives(self) -> list[Node]:
        if not self.lesson.objectives:
            return []
        items: list[Node] = [{"kind": "item", "children": [each]} for each in self.lesson.objectives]
        return [
            typeset.paragraph({"kind": "strong", "children": ["Afterwards you can"]}),
            {"kind": "list", "children": items},
        ]

    def _scene(self, number: int, scene: Scene) -> list[Node]:
        body: list[Node] = [typeset.heading(f"{number + 1}  {scene.heading}"), *self._picture(scene.link)]
        placed = set()
        for node in scene.words:
            if isinstance(node, dict) and node["kind"] == "task":
                k = node["number"]
                placed.add(k)
                body.append(self._task(number, k, scene.tasks[k]))
            else:
                body.append(node)
        return body + [self._task(number, k, task) for k, task in enumerate(scene.tasks) if k not in placed]

    def _picture(self, link: Link, task: Task | None = None) -> list[Node]:
        """Return the picture of a scene's link, or of the examples of a task, where there is one that is new."""
        key = f"{link.address} {None if task is None else task.kind in _AHEAD}"
        if link.page != PLAY or not link.query or key in self._drawn:
            return []
        try:
            case = Case.of(link, unnamed=0)
        except NoRunError:
            return []
        name = f"picture-{len(self._drawn)}.svg"
        self._drawn.add(key)
        content = _board(case, link) if task is None else _points(case, task)
        if not content:
            return []
        self._pictures[name] = content
        plane = conditions.has_plane(case.settings.values)
        return [typeset.picture(name, _WIDTH if plane else _BOARD_WIDTH, f"The examples at step {case.t}")]

    def _task(self, scene: int, number: int, task: Task) -> Node:
        head: Node = {"kind": "strong", "children": [f"Task {scene + 1}.{number + 1}"]}
        children: list[Node] = [typeset.paragraph(head, "  ", *words.inline(task.ask))]
        if task.kind in ("number", "click", "predict", "perform") and task.start.page == PLAY:
            children += self._picture(task.start_of(0), task)
        children += [*_ROOM[task.kind](task, self.solved)] if task.kind in _ROOM else []
        if self.solved:
            children += _solution(task)
        return {"kind": "task", "breaks": self.solved or task.kind == "perform", "children": children}


def _board(case: Case, link: Link) -> bytes:
    """Return the picture of an instant: the map, where there is one."""
    experiments = Comparison.of(case.settings, case.split, case.run)
    if not conditions.has_plane(case.settings.values):
        drawn = figure.draw(experiments, case.t, RenderOptions("print", link.view.show, over=link.view.over), _INCHES)
    elif not case.state.coef.any():
        return typeset.points(experiments, case.t)  # there is no field yet
    else:
        drawn = figure.draw(experiments, case.t, RenderOptions("print", None, "map"))
    return figure.save(drawn, "svg")


def _points(case: Case, task: Task) -> bytes:
    """Return the examples with their names; b"" where they are not points."""
    if not conditions.has_plane(case.settings.values):
        return b""
    next_ones = case.run.index[case.t : case.t + _NAMED // 2].tolist()
    named = range(len(case.run.y)) if len(case.run.y) <= _NAMED or task.kind == "click" else next_ones
    return typeset.points(
        Comparison.of(case.settings, case.split, case.run), case.t if task.kind in _AHEAD else 0, named
    )


def _minutes(minutes: float | None) -> str:
    return "" if minutes is None else f"{minutes:g} minutes"


def _steps(task: Task, solved: bool) -> list[Node]:
    """Return a table of the steps that are asked for, with room for what they are."""
    question = task.question
    case = Case.of(task.start_of(0), unnamed=0)
    if isinstance(question, Predict):
        count, head = question.count, ["mistake?"]
    else:
        count, head = len(task.solve().answer["steps"]), ["f(x)", "mistake?", "change of α"]  # type: ignore[index]
    if solved:
        return []
    shown = case.run.index[case.t : case.t + count].tolist()
    rows = [
        [
            typeset.cell(f"{case.t + k + 1:,}"),
            typeset.cell(example(i)),
            typeset.cell(label(case.run.y[i])),
            *[typeset.cell()] * len(head),
        ]
        for k, i in enumerate(shown)
    ]
    widths = ["auto"] * 3 + [90] * len(head)
    return [typeset.grid(["step", "example", "y", *head], rows, widths, ["center"] * len(widths), high=21)]


def _choices(task: Task, solved: bool) -> list[Node]:
    assert isinstance(task.question, Choose)
    tick: Node = {"kind": "tick"}
    return [
        typeset.paragraph(tick, f"{LETTERS[k]}  ", *words.inline(choice))
        for k, choice in enumerate(task.question.choices)
    ]


def _line(task: Task, solved: bool) -> list[Node]:
    return [] if solved else [typeset.paragraph("Answer: ", typeset.blank(70))]


def _settings(task: Task, solved: bool) -> list[Node]:
    question = task.question
    assert isinstance(question, Reach)
    condition: Node = {"kind": "code", "text": question.until.text}
    room = [] if solved else [typeset.paragraph("Settings that you found: ", typeset.blank())]
    return [*_started(task), typeset.paragraph("Until: ", condition), *room]


def _started(task: Task) -> list[Node]:
    query = task.start_of(0).query
    return [typeset.small("Start: ", {"kind": "code", "text": f"?{query}"})] if 0 < len(query) <= _LONGEST else []


def _free(task: Task, solved: bool) -> list[Node]:
    return [] if solved else [{"kind": "lines", "count": 4}]


def _drawing(task: Task, solved: bool) -> list[Node]:
    return [
        *_started(task),
        *([] if solved else [typeset.paragraph("Sketch what you drew:"), {"kind": "lines", "count": 1}]),
    ]


_ROOM: Mapping[str, Callable[[Task, bool], list[Node]]] = {
    "predict": _steps,
    "perform": _steps,
    "choose": _choices,
    "number": _line,
    "click": _line,
    "reach": _settings,
    "draw": _drawing,
    "explain": _free,
}


def _solution(task: Task) -> list[Node]:
    """Return what is right, how one comes to it, and why."""
    found = task.solve()
    lines: list[Node] = []
    for number, line in enumerate(found.lines):
        inline = words.inline(line) if task.kind == "choose" else (line,)
        lines += [*([{"kind": "break"}] if number else []), *inline]
    body: list[Node] = [typeset.paragraph(*lines)] if lines else []
    if task.kind in ("reach", "draw"):
        body = [typeset.paragraph("One of them: ", {"kind": "code", "text": _short(found.lines[0])})]
    why = [typeset.paragraph(*words.inline(task.why))] if task.why else []
    return [{"kind": "right", "children": [*body, *why]}] if body or why else []


def _short(link: str) -> str:
    return link if len(link) <= 3 * _LONGEST else f"{link[: 3 * _LONGEST]}…"
