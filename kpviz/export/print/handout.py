"""A lesson on paper: its words, each scene as its cues leave it, and its tasks; and the same
with solutions.

Tests: tests/export/test_sheets.py, tests/export/test_handout_words.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kpviz import panels
from kpviz.engine.data import sequence
from kpviz.engine.run.predictors import Progress
from kpviz.export import scenes
from kpviz.export.print import pictures, typeset
from kpviz.export.print.typeset import Node, Sheet
from kpviz.export.scenes import StagedScene
from kpviz.lessons.explain import ending, example, explain, label
from kpviz.lessons.file import words
from kpviz.lessons.file.kinds.board import Reach, changed_settings
from kpviz.lessons.file.kinds.statements import LETTERS, Choose, Number
from kpviz.lessons.file.kinds.steps import Predict
from kpviz.lessons.file.lesson import Lesson, Scene, Task, in_minutes
from kpviz.lessons.file.links import FISHER, PLAY, Case, Link, NoRunError
from kpviz.lessons.languages import translate, translate_all
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings, conditions, fisher_link
from kpviz.settings.fisher_link import FisherSettings, FisherView

# All lengths are in millimetres: of a page's width, and of the gap between two pictures.
_PAGE_WIDTH = 166.0
_GAP = 5.0
_PICTURES_IN_ROW = 3
# A picture is so wide: one of three in a row, of two, alone, alone with many names.
_WIDTH_OF_THREE = (_PAGE_WIDTH - (_PICTURES_IN_ROW - 1) * _GAP) / _PICTURES_IN_ROW
_WIDTH_OF_TWO = 66.0
_WIDTH_ALONE = 80.0
_WIDTH_CROWDED = 100.0
# Fisher's page is so wide and high, and so high where three are in a row.
_FISHER_SIZE = (140.0, 84.0)
_FISHER_SMALL_HEIGHT = 68.0
_TASK_BAR = 4.0  # A bar stands at the left of each task.
_MOST_PANELS = 2  # An instant shows no more of them besides its map.
# These have a shape of their own: a narrow column of words is long.
_HEIGHT_OVER_WIDTH = {"map": 1.0, "bound": 1.35, "derivation": 1.5}
_MOST_NAMES = 30  # The names of so many examples find room on a map.
# They need a map with the names of its examples.
_KINDS_WITH_POINTS = ("number", "click", "predict", "perform")
# They go on from a step; what was learnt until then would give others away.
_KINDS_FROM_A_STEP = ("predict", "perform")


@dataclass
class Handout:
    """A lesson that is set; `solved`: with the solutions of its tasks."""

    lesson: Lesson
    solved: bool = False
    _pictures: dict[str, bytes] = field(default_factory=dict)
    # Links and cues of scenes whose pictures are there: nothing is shown twice.
    _drawn_scenes: set[tuple[str, ...]] = field(default_factory=set)
    # Runs whose examples were shown with their names: no second task shows them again.
    _named_runs: set[str] = field(default_factory=set)

    def sheet(self, progress: Progress = lambda done, limit: None) -> Sheet:
        """Return the sheet; ValueError, of one sentence, where a task has no solution.

        `progress` is called before each scene, with the number of those that are done, and of all.
        """
        lesson = self.lesson
        body = self._objectives()
        for number, scene in enumerate(lesson.scenes):
            progress(number, len(lesson.scenes))
            body += self._scene(number, scene)
        minutes = translate(in_minutes(lesson.minutes), lesson.language)
        return Sheet(
            lesson.title,
            translate_all(body, lesson.language),
            under=" · ".join(text for text in (lesson.author, minutes) if text),
            author=lesson.author,
            mark=translate("Solutions", lesson.language) if self.solved else "",
            foot="kpviz",
            language=lesson.language,
            named=not self.solved and any(True for _ in lesson.tasks),
            pictures=self._pictures,
        )

    def _objectives(self) -> list[Node]:
        if not self.lesson.objectives:
            return []
        items: list[Node] = [
            {"kind": "item", "children": [objective]} for objective in self.lesson.objectives
        ]
        return [
            typeset.paragraph({"kind": "strong", "children": ["You will be able to:"]}),
            {"kind": "list", "children": items},
        ]

    def _scene(self, number: int, scene: Scene) -> list[Node]:
        body: list[Node] = [typeset.heading(f"{number + 1}  {scene.heading}")]
        boards = self._boards(number + 1, scene)
        placed = set()
        for node in scene.words:
            if isinstance(node, dict) and node["kind"] == "task":
                k = node["number"]
                placed.add(k)
                # No picture of the run answers a question that is still to come.
                before = [] if _asks(scene.tasks[k], scene.link) else boards
                body += [*before, self._task(number, k, scene.tasks[k])]
                boards = boards[len(before) :]
            else:
                body.append(node)
        others = [(k, task) for k, task in enumerate(scene.tasks) if k not in placed]
        asking = [self._task(number, k, task) for k, task in others if _asks(task, scene.link)]
        after = [self._task(number, k, task) for k, task in others if not _asks(task, scene.link)]
        return body + asking + boards + after

    # ---- pictures ---

    def _boards(self, number: int, scene: Scene) -> list[Node]:
        """Return a scene as it looks at each of its cues; one without cues as it ends, or as its
        link says.

        Nothing is shown twice, and what is learnt not where a task asks for it.
        """
        link = scene.link
        asked_kinds = (
            [] if scene.cues.cues else [task.kind for task in scene.tasks if _asks(task, link)]
        )
        if conditions.has_plane(link.settings.values) and any(
            kind in _KINDS_WITH_POINTS for kind in asked_kinds
        ):
            return []  # The task itself has the picture.
        if not self._is_new(link.address, scene.cues.code):
            return []
        if link.page == FISHER:
            return self._planes(scene)
        try:
            staged = scenes.stage(number, scene)
        except ValueError:
            return []
        if staged.experiments is None:
            return []
        if staged.experiments.pinned:
            hidden_settings = [
                task.start_of(0).settings.without_cues
                for task in scene.tasks
                if task.kind in (*_KINDS_WITH_POINTS, "choose")
            ]
            return [
                node
                for t in staged.instants
                for node in self._compared(staged, staged.experiments, t, hidden_settings)
            ]
        if asked_kinds:
            staged = replace(staged, t=staged.t or 0)
            return self._panels(staged, staged.instants[0], ["map"], _WIDTH_OF_TWO)
        if len(staged.instants) == 1:
            return [
                self._map_and_panels(
                    staged,
                    staged.instants[0],
                    _WIDTH_ALONE,
                    _lit(staged, staged.instants[0]) or _named(staged),
                )
            ]
        rows: list[Node] = []
        # A map of two has words beside it, and so has one without a plane.
        few = len(staged.instants) == 2 or not conditions.has_plane(link.settings.values)
        width = _WIDTH_OF_TWO if few else _WIDTH_OF_THREE
        for row in _rows(staged, 2 if few else _PICTURES_IN_ROW):
            lit = _lit(staged, row[0])
            rows.append(
                self._row(staged, row, width)
                if row[1:]
                else self._map_and_panels(staged, row[0], width, lit)
            )
        return rows

    def _planes(self, scene: Scene) -> list[Node]:
        """Return Fisher's page at each cue, with its words below; without cues as its link says."""
        columns = [
            [
                self._plane(data, FisherView(angle), _WIDTH_OF_THREE, _FISHER_SMALL_HEIGHT),
                typeset.small(cue.words),
            ]
            for data, angle, cue in scenes.directions(scene)
        ]
        if not columns:
            return [self._plane(*fisher_link.read_link(scene.link.pairs)[:2], *_FISHER_SIZE)]
        rows = (columns[k : k + _PICTURES_IN_ROW] for k in range(0, len(columns), _PICTURES_IN_ROW))
        return [typeset.cells([_WIDTH_OF_THREE] * len(row), *row) for row in rows]

    def _plane(
        self, settings: FisherSettings, view: FisherView, width: float, height: float
    ) -> Node:
        """Return the picture of Fisher's page, of so many millimetres."""
        made = pictures.fisher(settings, view, (pictures.pixels(width), pictures.pixels(height)))
        return typeset.picture(self._keep(made), width, "The plane of the discriminants")

    def _row(self, staged: StagedScene, row: list[int], width: float) -> Node:
        """Return some instants beside each other, each with its words below it."""
        columns = [
            [
                *self._panels(staged, t, ["map", *_lit(staged, t)[:1]], width),
                _instant_words(staged, t),
            ]
            for t in row
        ]
        return typeset.cells([width] * len(row), *columns)

    def _map_and_panels(self, staged: StagedScene, t: int, width: float, names: list[str]) -> Node:
        """Return one instant: its map, and beside it panels and words."""
        wide = _WIDTH_ALONE if width == _WIDTH_ALONE else _WIDTH_OF_TWO
        columns = [self._panels(staged, t, ["map"], width), self._panels(staged, t, names, wide)]
        widths = [width, wide] if columns[1] else [width]
        if width == _WIDTH_ALONE:
            columns[-1].append(_instant_words(staged, t))
        else:
            columns = [*filter(None, columns), [_instant_words(staged, t)]]
            widths.append(_PAGE_WIDTH - sum(widths) - len(widths) * _GAP)
        return typeset.cells(widths, *columns)

    def _compared(
        self,
        staged: StagedScene,
        experiments: Comparison,
        t: int,
        hidden_settings: Collection[Settings],
    ) -> list[Node]:
        """Return the maps of all runs, and what each says, except the runs asked about."""
        columns = len(experiments.all) if len(experiments.all) <= _PICTURES_IN_ROW else 2
        width = (
            _WIDTH_OF_THREE
            if columns == _PICTURES_IN_ROW
            else _WIDTH_OF_TWO
            if len(experiments.all) > columns
            else _WIDTH_ALONE
        )
        cells = []
        for letter, name, one in zip(
            experiments.letters, experiments.names, experiments.all, strict=True
        ):
            picture = self._panels(staged, min(t, one.run.n_steps), ["map"], width, one)
            head: Node = {"kind": "strong", "children": [f"{letter}  {name}"]}
            is_asked = one.settings is not None and one.settings.without_cues in hidden_settings
            sentence = [] if is_asked else [typeset.small(_sentence(one, t))]
            cells.append([*picture, typeset.small(head), *sentence])
        cue = staged.cue(t)
        return [
            *([typeset.small(cue.words)] if cue and cue.words else []),
            typeset.cells([width] * columns, *cells),
        ]

    def _panels(
        self,
        staged: StagedScene,
        t: int,
        names: list[str],
        width: float,
        one: Experiment | None = None,
    ) -> list[Node]:
        """Return panels of an instant, so many millimetres wide; those that this run has."""
        assert staged.experiments is not None
        experiments = Comparison(one) if one else staged.experiments.alone
        drawn = []
        for panel in names:
            if panel == "map" and experiments.current.stream and not t:
                continue  # No example has come yet.
            about = panels.BY_NAME[panel]
            wide = pictures.pixels(width)
            across, down = about.shape or (1, 1)
            high = max(
                round(wide * _HEIGHT_OVER_WIDTH.get(panel, down / across)),
                round(about.rows * pictures.LEAST),
            )
            try:
                made = pictures.panel(experiments, t, panel, (wide, high), staged.view, staged.cues)
            except ValueError:  # This run has no such panel.
                continue
            drawn.append(typeset.picture(self._keep(made), width, f"{about.title}, step {t}"))
        return drawn

    def _points(self, task: Task) -> list[Node]:
        """Return the examples of a task with their names, where their picture is new."""
        link = task.start_of(0)
        if task.kind not in _KINDS_WITH_POINTS or link.page != PLAY:
            return []
        if isinstance(task.question, Number) and not task.question.needs_points:
            return []
        run = link.settings.without_cues.link()
        if run in self._named_runs and task.kind == "number":
            return []
        try:
            case = Case.of(link, default_t=0)
        except NoRunError:
            return []
        count = len(case.run.y)
        t = case.t if task.kind in _KINDS_FROM_A_STEP else 0
        if not conditions.has_plane(case.settings.values) or (
            case.settings.stream == "on" and not t
        ):
            return []
        self._named_runs.add(run)
        soon = case.run.index[case.t : case.t + _MOST_NAMES // 2].tolist()
        named = range(count) if count <= _MOST_NAMES or task.kind == "click" else soon
        width = _WIDTH_CROWDED if len(named) > _MOST_NAMES else _WIDTH_ALONE
        made = pictures.points(Comparison.of(case.settings, case.split, case.run), t, named, width)
        return [typeset.picture(self._keep(made), width, f"The examples at step {t}")]

    def _is_new(self, *identity: str) -> bool:
        new = identity not in self._drawn_scenes
        self._drawn_scenes.add(identity)
        return new

    def _keep(self, content: bytes) -> str:
        """Keep a picture, and return its name."""
        name = f"picture-{len(self._pictures)}.svg"
        self._pictures[name] = content
        return name

    # ---- tasks ---

    def _task(self, scene: int, number: int, task: Task) -> Node:
        head: Node = {"kind": "strong", "children": [f"Task {scene + 1}.{number + 1}"]}
        question = typeset.paragraph(head, "  ", *words.inline(task.ask))
        points: list[Any] = self._points(task)
        room = [*_ROOM_OF_KIND[task.kind](task, self.solved)] if task.kind in _ROOM_OF_KIND else []
        if points and room and task.kind != "perform":
            picture_width = points[0]["width"]
            room_width = _PAGE_WIDTH - _GAP - _TASK_BAR - picture_width
            points = [typeset.cells([picture_width, room_width], points, room)]
            room = []
        whole = (
            [typeset.keep(question, *points), *room]
            if task.kind == "perform"
            else [typeset.keep(question, *points, *room)]
        )
        return {"kind": "task", "children": [*whole, *(_solution(task) if self.solved else [])]}


def _asks(task: Task, link: Link) -> bool:
    """Return whether a task asks for what the end of a link's run would show."""
    start = task.start_of(0)
    of_run = task.kind in (*_KINDS_WITH_POINTS, "choose") and link.page == start.page == PLAY
    return of_run and start.settings.without_cues == link.settings.without_cues


def _lit(staged: StagedScene, t: int) -> list[str]:
    """Return what lights up at an instant besides the map."""
    cue = staged.cue(t)
    return [
        name
        for name in (cue.panels if cue else ())
        if name in panels.SINGLE and name not in ("map", "timeline")
    ][:_MOST_PANELS]


def _rows(staged: StagedScene, most: int) -> list[list[int]]:
    """Return the instants in rows of so many; one whose panels have no room below a small map has
    its own.
    """
    rows: list[list[int]] = []
    has_room = False
    for t in staged.instants:
        abouts = [panels.BY_NAME[name] for name in _lit(staged, t)]
        wide = any(
            one.square or one.columns * pictures.LEAST > 0.85 * pictures.pixels(_WIDTH_OF_THREE)
            for one in abouts
        )
        if has_room and not wide and len(rows[-1]) < most:
            rows[-1].append(t)
        else:
            rows.append([t])
        has_room = not wide
    return rows


def _named(staged: StagedScene) -> list[str]:
    """Return what a scene shows without a cue: what its link names, else the weights."""
    named = ["alpha"] if staged.view.show is None else staged.view.show
    return [name for name in named if name in panels.SINGLE][:_MOST_PANELS]


def _instant_words(staged: StagedScene, t: int) -> Node:
    """Return the words of an instant: those of its cue, else what its step says."""
    assert staged.experiments is not None
    cue = staged.cue(t)
    return typeset.small((cue.words if cue else "") or _sentence(staged.experiments.current, t))


def _sentence(one: Experiment, t: int) -> str:
    if t >= one.run.n_steps:
        return ending(one.run, stream=one.stream)
    return (
        explain(one.run, t, stream=one.stream, classes=one.split.source.classes).sentence
        if t
        else ""
    )


def _steps(task: Task, solved: bool) -> list[Node]:
    """Return a table of the steps that are asked for, with room for what they are."""
    question = task.question
    case = Case.of(task.start_of(0), default_t=0)
    if isinstance(question, Predict):
        count = question.count
        head = ["mistake?"]
    else:
        count = len(task.solve().answer["steps"])  # type: ignore[index]
        head = ["f(x)", "mistake?", "change of α"]
    if solved:
        return []
    examples_shown = case.run.index[case.t : case.t + count].tolist()
    rows = [
        [
            typeset.cell(f"{case.t + k + 1:,}"),
            typeset.cell(example(i)),
            typeset.cell(label(case.run.y[i])),
            *[typeset.cell()] * len(head),
        ]
        for k, i in enumerate(examples_shown)
    ]
    widths = ["auto"] * 3 + [90] * len(head)
    return [
        typeset.grid(
            ["step", "example", "y", *head], rows, widths, ["center"] * len(widths), high=21
        )
    ]


def _choices(task: Task, solved: bool) -> list[Node]:
    assert isinstance(task.question, Choose)
    tick: Node = {"kind": "tick"}
    return [
        typeset.paragraph(tick, f"{LETTERS[k]}  ", *words.inline(choice))
        for k, choice in enumerate(task.question.choices)
    ]


def _line(task: Task, solved: bool) -> list[Node]:
    return [] if solved else [typeset.paragraph("Answer: ", typeset.blank())]


def _settings(task: Task, solved: bool) -> list[Node]:
    question = task.question
    assert isinstance(question, Reach)
    start = task.start_of(0)
    until = question.until.in_words(Case.of(start).end)
    room = [] if solved else [typeset.paragraph("Settings that you found: ", typeset.blank())]
    return [*_started(task), typeset.paragraph(f"Wanted: {until}."), *room]


def _started(task: Task) -> list[Node]:
    """Say where a task begins, and what may be changed."""
    start = task.start_of(0)
    named = changed_settings(Settings.of(), start.settings)
    begins = f"It starts with {named}. " if named else ""
    text = f"{begins}{task.question.allowed_changes(start)}".strip()
    return [typeset.small(text)] if text else []


def _free(task: Task, solved: bool) -> list[Node]:
    return [] if solved else [{"kind": "lines", "count": 4}]


def _drawing(task: Task, solved: bool) -> list[Node]:
    return [
        *_started(task),
        *(
            []
            if solved
            else [typeset.paragraph("Sketch what you drew:"), {"kind": "lines", "count": 1}]
        ),
    ]


_ROOM_OF_KIND: Mapping[str, Callable[[Task, bool], list[Node]]] = {
    "predict": _steps,
    "perform": _steps,
    "choose": _choices,
    "number": _line,
    "click": _line,
    "reach": _settings,
    "draw": _drawing,
    "puzzle": _drawing,
    "explain": _free,
}


def _solution(task: Task) -> list[Node]:
    """Return what is right, how one comes to it, and why."""
    solution = task.solve()
    lines: list[Node] = []
    for number, line in enumerate(solution.lines):
        inline = words.inline(line) if task.kind == "choose" else (line,)
        lines += [*([{"kind": "break"}] if number else []), *inline]
    body: list[Node] = [typeset.paragraph(*lines)] if lines else []
    if isinstance(task.question, Reach):
        body = [typeset.paragraph(f"One solution: {_changes(task)}.")]
    why = [typeset.paragraph(*words.inline(task.why))] if task.why else []
    return [{"kind": "right", "children": [*body, *why]}] if body or why else []


def _changes(task: Task) -> str:
    """Return in words what the solution changes of a task's start.

    Settings, and points that are added.
    """
    question = task.question
    assert isinstance(question, Reach)
    assert question.solution is not None
    start = task.start_of(0).settings
    end = question.solution.settings
    parts = [question.added(start, end), changed_settings(start, end)]
    if end.values["order"] == "hand" and end.reason_against("sequence") is None:
        order = sequence.read(str(end.values["sequence"]), len(Case.of(question.solution).run.y))
        parts.append(f"shown as {', '.join(map(example, order))}")
    return ", ".join(filter(None, parts))
