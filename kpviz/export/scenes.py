"""The scenes of a lesson as chapters of a film, and as pictures for slides.

Tests: tests/export/test_scenes.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from textwrap import indent

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.export import films, pace
from kpviz.export.films import Chapters, Film, FilmOptions
from kpviz.export.pace import Shot
from kpviz.lessons import presets
from kpviz.lessons.comparison import Pin
from kpviz.lessons.file import Fault
from kpviz.lessons.file.kinds.statements import LETTERS
from kpviz.lessons.file.lesson import Lesson, Scene, Task, in_minutes
from kpviz.lessons.file.links import FISHER, PLAY
from kpviz.lessons.file.words import Node, inline, plain
from kpviz.lessons.languages import translate
from kpviz.picture import figure
from kpviz.picture.card import FORMULAS, Card, CardFormula
from kpviz.picture.figure import Picture
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings, fisher_link
from kpviz.settings.cues import Cue, Cues
from kpviz.settings.fisher_link import FisherSettings, FisherView
from kpviz.settings.view import ViewState, read_view

_NAMED = 40  # In characters: so much of a heading stands in the names of files.
_NO_CARDS: Mapping[Cue, Card] = {}
_VIEW = {"show", "turn", "over"}


Train = Callable[[Settings, Sequence[Pin]], Comparison]


def train(settings: Settings, pins: Sequence[Pin], progress: Progress | None = None) -> Comparison:
    """Return a run, and those pinned beside it.

    `progress` is called with how far the training is.
    """
    split = experiment.prepare(settings)
    return Comparison.trained(settings, split, pins, progress)


def stage(number: int, scene: Scene, train: Train = train) -> StagedScene:
    """Return a scene with its run, which `train` makes.

    Raises
    ------
    ValueError
        One sentence: its link has no run.
    """
    link = scene.link
    if not link.query:
        raise ValueError("There is no link: write link: v=1&data=xor below its heading.")
    if link.problems:
        raise ValueError(link.problems[0])
    # Another page has no film, nor has a board on which nothing is drawn yet.
    if link.page != PLAY or not len(experiment.prepare(link.settings).y):
        return StagedScene(number, scene)
    pairs = presets.whole(link.pairs)
    experiments = train(link.settings, link.pins)
    cues = scene.cues if scene.cues.cues else Cues.of_code(link.settings.cues)
    return StagedScene(
        number,
        scene,
        experiments,
        cues,
        link.t,
        read_view({key: pairs[key] for key in _VIEW & pairs.keys()})[0],
    )


def staged(lesson: Lesson, train: Train = train) -> Iterator[StagedScene]:
    """Return the scenes of a lesson with their runs.

    A ValueError says in which scene it is what is wrong.
    """
    for number, scene in enumerate(lesson.scenes, 1):
        with _named(number, scene):
            yield stage(number, scene, train)


def film(
    lesson: Lesson,
    options: FilmOptions,
    train: Train = train,
    go_on: Callable[[], None] = lambda: None,
) -> tuple[Chapters, list[str]]:
    """Return the film of a lesson, which begins with its title, and what it cannot show.

    `go_on` is called before each scene; what it raises cancels. A ValueError says in which scene it
    is what is wrong.
    """
    parts = [(lesson.title, _film_of(title(lesson), options))]
    without = []
    for scene in staged(lesson, train):
        go_on()
        with _named(scene.number, scene.scene):
            part = scene.film(options)
            shots = [pace.in_language(shot, lesson.language) for shot in part.shots]
            part = replace(part, shots=shots)
            parts.append((scene.scene.heading, part))
            without += missing(scene.number, part)
    made = Chapters(parts)
    films.check_length(made.n_frames / made.fps)
    return made, without


def title(lesson: Lesson) -> Card:
    """Return the title page of a lesson."""
    return Card(lesson.title, lesson.author, translate(in_minutes(lesson.minutes), lesson.language))


def _film_of(card: Card, options: FilmOptions, cards: Mapping[Cue, Card] = _NO_CARDS) -> Film:
    """Return the film of a card, and of those that cues have."""
    shots = [Shot(0.0, card.seconds)]
    for cue in cards:
        shots.append(Shot(shots[-1].end, cue.seconds(), cue=cue, words=cue.words))
    look = RenderOptions(options.theme)
    return Film(
        _unseen(), look, shots, options.width, options.height, options.fps, card, cards=cards
    )


def slides(
    lesson: Lesson, scenes: Iterable[StagedScene], look: RenderOptions, inches: tuple[float, float]
) -> Iterator[tuple[str, Picture]]:
    """Return the slides of a lesson with their names: its title, and the words, boards and
    questions of each scene, each question before its answer.
    """
    yield "00-title", title(lesson).page(Stage(_unseen(), look, inches), inches)
    for scene in scenes:
        yield from scene.pictures(look, inches)


@contextmanager
def _named(number: int, scene: Scene) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"Scene {number}, {scene.heading[:60]!r}: {error}") from None


def unlit(lesson: Lesson) -> list[Fault]:
    """Return which cues light a panel that is not on the board then, as the film shows it.

    Raises
    ------
    ValueError
        One sentence: a scene's film cannot be made, or what draws it is not installed.
    """
    faults = []
    for number, scene in enumerate(lesson.scenes, 1):
        if not any(cue.panels for cue in scene.cues.cues):
            continue
        dark = stage(number, scene).film(FilmOptions()).unlit_by
        for cue, line in zip(scene.cues.cues, scene.cue_lines, strict=True):
            names = dark.get(cue)
            if names:
                what = f"The cue lights {' and '.join(names)}, which the board does not show then"
                faults.append(
                    Fault(line, f"{what}: name it in show= of the scene’s link, or light another.")
                )
    return faults


def missing(number: int, part: Film) -> list[str]:
    """Say what the chapter of a scene cannot show of its cues and panels, a phrase each."""
    tried = replace(part)  # Each copy has a stage of its own, which is not kept.
    return [f"in scene {number}, {phrase}" for phrase in films.missing(tried)]


def missing_on_slides(staged: StagedScene, width: int, height: int) -> list[str]:
    """Say what the pictures of a scene, of so many pixels, cannot show.

    They begin at its first cue.
    """
    begins = replace(staged, t=min(staged.held, default=staged.t))
    try:
        part = begins.film(FilmOptions(width=width + width % 2, height=height + height % 2))
    except ValueError:  # It is too long for a film, but not for pictures.
        return []
    return missing(staged.number, part)


@dataclass(frozen=True, eq=False)
class StagedScene:
    """A scene with its run.

    Parameters
    ----------
    number : of the scene, from 1.
    experiments : its run, and those pinned beside it; None for a scene without a run, which its
        words stand for.
    cues : those of the scene, else of its link. t : the instant that the link names, None if it
        names none.
    view : which panels are shown, how the lift is turned, and what curves run over.
    """

    number: int
    scene: Scene
    experiments: Comparison | None = None
    cues: Cues = field(default_factory=Cues)
    t: int | None = None
    view: ViewState = field(default_factory=ViewState)

    @property
    def name(self) -> str:
        """Its number and heading, as the name of a file."""
        letters = "".join(
            ch if ch.isalpha() or ch.isdecimal() else " " for ch in self.scene.heading.lower()
        )
        heading = "-".join(letters.split())[:_NAMED].strip("-")
        return f"{self.number:02}-{heading or 'scene'}"

    # ---- as a film ---

    def film(self, options: FilmOptions) -> Film:
        """Return its chapter: a card with its heading and words, and its run, or the picture of
        another page.

        The run plays from where the link opens to the last cue; without cues to the end, or, where
        the link names an instant, that one is shown.

        Raises
        ------
        ValueError
            One sentence: the run is too long, or an option out of range.
        """
        films.check_speed(options.speed)
        if self.experiments is None:
            return _film_of(self._card, options, self._cards)
        first, last = self._played(self.experiments)
        chosen = replace(
            options,
            first=first,
            last=last,
            panels=self.view.show,
            angles=self.view.turn,
            over=self.view.over,
            title=self.scene.heading,
        )
        words = self._card if self._card.words else None
        return films.film(self.experiments, self.cues, chosen, words, pace.STRETCH)

    def _played(self, experiments: Comparison) -> tuple[int, int]:
        """Return the first and the last instant that a film shows."""
        last = max(self.held, default=self._at(experiments))
        return min(self.t or 0, last), last

    @property
    def held(self) -> list[int]:
        """The instants of its cues, in order."""
        return (
            sorted(pace.places(self.experiments.current.run).held(self.cues))
            if self.experiments
            else []
        )

    @property
    def instants(self) -> list[int]:
        """The instants of its pictures: those of its cues, else the one that its link names, else
        the end.
        """
        return self.held or ([self._at(self.experiments)] if self.experiments else [])

    def cue(self, t: int) -> Cue | None:
        """Return the cue of an instant."""
        return (
            pace.places(self.experiments.current.run).held(self.cues).get(t)
            if self.experiments
            else None
        )

    def _at(self, experiments: Comparison) -> int:
        """Return the instant that is shown where there are no cues."""
        return experiments.end if self.t is None else min(self.t, experiments.end)

    # ---- as pictures ---

    def pictures(
        self, look: RenderOptions, inches: tuple[float, float]
    ) -> Iterator[tuple[str, Picture]]:
        """Return its words, the pictures of its cues, and its questions, each before its answer,
        all with their names.
        """
        card = self._card
        cards = [card, *self._cards.values()]
        if self.experiments is None or card.words:
            for number, page in enumerate(cards):
                name = f"{self.name}-{number}" if self.experiments or cards[1:] else self.name
                yield name, page.page(Stage(_unseen(), look, inches), inches)
        if self.experiments is None:
            return
        look = replace(look, panels=self.view.show, angles=self.view.turn, over=self.view.over)
        for number, t in enumerate(self.instants, 1):
            drawn = figure.draw(self.experiments, t, look, inches, cues=self.cues)
            yield f"{self.name}-{number}" if self.held or card.words else self.name, drawn
        for number, (question, answer) in enumerate(map(_question, self.scene.tasks), 1):
            pages = {"asked": question, "right": answer}  # In the order of their names, too.
            for name, words in pages.items():
                if words:
                    task_card = _card_of(self.scene.heading, words)
                    stage = Stage(_unseen(), look, inches)
                    yield f"{self.name}-task-{number}-{name}", task_card.page(stage, inches)

    @property
    def _card(self) -> Card:
        link = self.scene.link
        fisher_board = fisher_link.read_link(link.pairs)[:2] if link.page == FISHER else None
        return replace(_card_of(self.scene.heading, self.scene.words), fisher_board=fisher_board)

    @property
    def _cards(self) -> dict[Cue, Card]:
        """The pages of its cues on Fisher's page."""
        return {
            cue: Card(
                self.scene.heading, words=cue.words, fisher_board=(settings, FisherView(angle))
            )
            for settings, angle, cue in directions(self.scene)
        }


def directions(scene: Scene) -> list[tuple[FisherSettings, float, Cue]]:
    """Return the cues of a scene on Fisher's page with its data and the angles of F; none for
    another page.
    """
    if scene.link.page != FISHER:
        return []
    settings = fisher_link.read_link(scene.link.pairs)[0]
    cues = scene.cues if scene.cues.cues else Cues.of_code(settings.cues)
    return [(settings, angle, cue) for angle, cue in fisher_link.held(settings, cues).items()]


def _card_of(heading: str, words: Sequence[Node]) -> Card:
    """Return the page of some words under a heading."""
    formulas: list[CardFormula] = []
    marked = _marked(words, formulas)
    return Card(
        heading,
        words=_paragraphs(words),
        set_words=_paragraphs(marked),
        formulas=tuple(formulas),
    )


def _question(task: Task) -> tuple[list[Node], list[Node]]:
    """Return what a task asks, with its choices, and then what is right, () where nobody knows."""
    question: list[Node] = [_paragraph(inline(task.ask))]
    for letter, choice in zip(LETTERS, getattr(task.question, "choices", ()), strict=False):
        question.append(_paragraph([f"{letter}: ", *inline(choice)]))
    try:
        right = task.question.revealed(task.start)
    except ValueError:  # A copy for students has no answers.
        right = ()
    answer = [_paragraph(line) for line in right]
    if answer and task.why:
        answer.append(_paragraph(inline(task.why)))
    return question, [question[0], *answer] if answer else []


def _paragraph(children: Sequence[Node]) -> Node:
    return {"kind": "paragraph", "children": [*children]}


def _marked(words: Sequence[Node], formulas: list[CardFormula]) -> list[Node]:
    """Return words with a character in place of each formula, which is added to `formulas`."""
    marked: list[Node] = []
    for node in words:
        if isinstance(node, str):
            marked.append(node)
        elif node["kind"] == "math" and len(formulas) < len(FORMULAS):
            formulas.append(CardFormula(node["text"], node["shown"], len(words) == 1))
            marked.append(chr(FORMULAS[len(formulas) - 1]))
        else:
            children = _marked(node.get("children", []), formulas)
            marked.append({**node, "children": children} if children else node)
    return marked


def _paragraphs(words: Sequence[Node]) -> str:
    """Return the words of a scene without its tasks.

    Empty lines stand between paragraphs, tabs before programs.
    """
    parts: list[str] = []
    for node in words:
        assert isinstance(node, dict)  # A text stands within a paragraph.
        children = node.get("children", [])
        if node["kind"] == "list":
            parts.append("\n".join(f"• {plain([item]).strip()}" for item in children))
        elif node["kind"] == "table":
            rows = ["   ".join(plain([cell]) for cell in row["children"]) for row in children]
            parts.append("\n".join(rows))
        elif node["kind"] == "block":
            parts.append(indent(node["text"].strip(), "\t"))
        else:
            parts.append(plain([node]).strip())
    return "\n\n".join(filter(None, parts))


@cache
def _unseen() -> Comparison:
    """Return a small run: a card has the shape and type of a stage, and a stage needs a run."""
    settings = Settings.of(n=4, epochs=1)
    split = experiment.prepare(settings)
    return Comparison.trained(settings, split)
