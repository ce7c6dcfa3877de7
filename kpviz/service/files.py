"""The answer to a question for a file.

What the dialog *Export* saves of the run that is shown, or of a lesson.

`Question.file` says which, by the ending of its name, and what was chosen for it; with a lesson,
which one: {"name": …} or {"text": …}. A work makes all of a file, so it has a place in the pool,
progress, limits, and can be cancelled.

Tests: tests/service/test_files.py.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.lessons.comparison import Pin
from kpviz.player import payload
from kpviz.service import join, lesson, links, stored
from kpviz.service.lesson import LessonSource
from kpviz.service.making import Makings
from kpviz.service.question import Question, failed, mapping, number, text
from kpviz.service.state import PageState
from kpviz.service.work import Compute, estimate
from kpviz.settings import FILE, Settings
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState, read_view

if TYPE_CHECKING:  # All that makes files is loaded where they are made.
    from kpviz.engine.data.tables import Table
    from kpviz.lessons.file.lesson import Lesson

_LEAST_SECONDS = 0.5  # No file takes the process that is kept free for short jobs.
_SHEET_SECONDS = 5.0  # What draws is loaded first.
_SCENE_SECONDS = 1.0
# In bytes: an engine for the player's modules takes most of them, and uses a third.
_DRAWING_MEMORY = 1 << 30
_LEVEL = 1  # The quickest compression.
_SLIDE = (2560, 1440)  # In pixels.
_SLIDE_DPI = 150
_NO_FILE = "There is no file of this kind: open Export again."
_NO_EXAMPLES = "There are no examples yet: draw some first."
_NO_SOLUTIONS = "This lesson came without its solutions: drop the lesson’s own file on the board."


@dataclass(frozen=True)
class Look:
    """What was chosen for a page or for slides, or stands in a script.

    `address` is where the app is, None where others do not reach it.
    """

    theme: str = "auto"
    autoplay: bool = False
    loop: bool = False
    address: str | None = None


class Content(NamedTuple):
    """What is in a file, and a phrase for all that it cannot show."""

    written: str | bytes
    missing: Sequence[str] = ()

    def packed(self, name: str, mime: str) -> bytes:
        """Return it compressed, with the name of the file and its type.

        All steps of a long run take 65 MB.
        """
        data = zlib.compress(
            self.written.encode() if isinstance(self.written, str) else self.written, _LEVEL
        )
        header = {"file": {"name": name, "mime": mime, "missing": list(self.missing)}}
        return payload.pack(header, {"content": np.frombuffer(data, np.uint8)})


@dataclass(frozen=True)
class RunFileWork:
    """A file of a run: `split` are the examples of a file, `table` is written down."""

    ending: str
    settings: Settings
    pins: tuple[Pin, ...]
    t: int
    view: ViewState
    look: Look
    split: experiment.Split | None = None
    table: Table | None = None

    @property
    def id(self) -> str:
        """What tells it from others."""
        chosen = repr((self.ending, self.pins, self.t, self.view, self.look))
        return f"export?{self.settings.query()}&{chosen}"

    @property
    def seconds(self) -> float:
        """An estimate, from above."""
        runs = (1 + len(self.pins)) * estimate(self.settings)
        return max(2.0 * runs, _LEAST_SECONDS) + (_SHEET_SECONDS if self.more_memory else 0.0)

    @property
    def more_memory(self) -> int:
        """Bytes more than other jobs may take, of what draws."""
        return _DRAWING_MEMORY if self.ending.endswith(".pdf") else 0

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return the file with its name; ValueError, of one sentence, where there is none."""
        kind = _OF_A_RUN[self.ending]
        split = experiment.prepare(self.settings) if self.split is None else self.split
        if kind.needs_examples and not len(split.y):
            raise ValueError(_NO_EXAMPLES)
        name = f"{file_stem(self.settings)}.{self.ending}"
        with np.errstate(all="ignore"):
            return kind.make(self, split, progress).packed(name, kind.mime)


# ---- of a run ------------------------------------------------------------------------------------


class RunFileKind(NamedTuple):
    """The type of a file, what makes it, and whether there must be examples."""

    mime: str
    make: Callable[[RunFileWork, experiment.Split, Progress | None], Content]
    needs_examples: bool = True


def _script(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export import script

    return Content(script.numpy_script(work.settings, split, work.look.address or ""))


def _notebook(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export import notebook

    return Content(notebook.notebook(work.settings, split))


def _run_csv(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export import record

    return Content(record.to_csv(experiment.run(work.settings, split, progress), split.lines))


def _run_json(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export import record

    return Content(
        record.to_json(experiment.run(work.settings, split, progress), work.settings, split)
    )


def _examples(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export import record

    return Content(record.data_csv(split))


def _settings(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export import settings_file

    return Content(settings_file.write(work.settings, work.table))


def _worksheet(
    work: RunFileWork, split: experiment.Split, progress: Progress | None, *, solved: bool = False
) -> Content:
    from kpviz.export.print import typeset
    from kpviz.export.print.worksheet import Worksheet

    settings = work.settings.without_cues
    run = experiment.run(settings, split, progress)
    begins = work.t if work.t < run.n_steps else 0
    return Content(typeset.pdf(Worksheet(settings, split, run, begins).sheet(solved=solved)))


def _page(work: RunFileWork, split: experiment.Split, progress: Progress | None) -> Content:
    from kpviz.export.page import page
    from kpviz.player.comparison import Comparison

    settings = work.settings
    look = work.look
    experiments = Comparison.trained(settings.without_cues, split, work.pins, progress)
    text = page.page(
        experiments,
        Cues.of_code(settings.cues),
        view=replace(work.view, t=work.t, stage=None),
        theme=look.theme,
        autoplay=look.autoplay,
        loop=look.autoplay and look.loop,
        address=look.address,
    )
    return Content(text)


_OF_A_RUN = {
    "numpy.py": RunFileKind("text/x-python", _script),
    "ipynb": RunFileKind("application/x-ipynb+json", _notebook),
    "run.csv": RunFileKind("text/csv", _run_csv, needs_examples=False),
    "run.json": RunFileKind("application/json", _run_json, needs_examples=False),
    "examples.csv": RunFileKind("text/csv", _examples, needs_examples=False),
    "settings.json": RunFileKind("application/json", _settings, needs_examples=False),
    "worksheet.pdf": RunFileKind("application/pdf", _worksheet),
    "solutions.pdf": RunFileKind("application/pdf", partial(_worksheet, solved=True)),
    "html": RunFileKind("text/html", _page),
}


# ---- of a lesson ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class LessonFileWork:
    """A file of all of a lesson; `seconds` is an estimate, from above."""

    ending: str
    source: LessonSource
    look: Look

    @property
    def id(self) -> str:
        """What tells it from others, for as long as nobody writes the lesson anew."""
        return f"lesson file?{self.source.id}&{(self.ending, self.look)!r}"

    @property
    def seconds(self) -> float:
        """An estimate: nobody has read the lesson."""
        scenes = (self.source.text or "").count("\n## ")
        return _SHEET_SECONDS + _SCENE_SECONDS * max(scenes, 10)

    @property
    def remedy(self) -> str:
        """What to do where it takes too long or too much memory."""
        return "choose a shorter lesson"

    @property
    def more_memory(self) -> int:
        """Bytes more than other jobs may take, of what draws."""
        return 0 if self.ending == "page.html" else _DRAWING_MEMORY

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return the file with its name; ValueError, of one sentence, where there is none."""
        opened = self.source.read()
        kind = _OF_A_LESSON[self.ending]
        if kind.has_solutions and not lesson.may_have_solutions(self.source, opened):
            raise ValueError(_NO_SOLUTIONS)
        content = kind.make(self, opened, progress or _unwatched)
        return content.packed(f"{self.source.name or 'lesson'}-{self.ending}", kind.mime)


class LessonFileKind(NamedTuple):
    """The type of a file, what makes it, and whether it has the solutions."""

    mime: str
    make: Callable[[LessonFileWork, Lesson, Progress], Content]
    has_solutions: bool = False


def _unwatched(done: int, limit: int) -> None:
    """Nobody asks how far it is."""


def _handout(
    work: LessonFileWork, opened: Lesson, progress: Progress, *, solved: bool = False
) -> Content:
    from kpviz.export.print import typeset
    from kpviz.export.print.handout import Handout

    return Content(typeset.pdf(Handout(opened, solved=solved).sheet(progress)))


def _lesson_page(work: LessonFileWork, opened: Lesson, progress: Progress) -> Content:
    from kpviz.service.packing import lesson_page

    name = work.source.name or "lesson"
    return Content(lesson_page(opened, name, address=work.look.address))


def _slides(work: LessonFileWork, opened: Lesson, progress: Progress) -> Content:
    from kpviz.export import scenes
    from kpviz.picture import figure
    from kpviz.picture.stage import RenderOptions

    width, height = _SLIDE
    missing: list[str] = []

    def staged() -> Iterator[scenes.StagedScene]:
        for scene in scenes.staged(opened):
            progress(scene.number - 1, len(opened.scenes))
            missing.extend(scenes.missing_on_slides(scene, width, height))
            yield scene

    content = BytesIO()
    inches = (width / _SLIDE_DPI, height / _SLIDE_DPI)
    with zipfile.ZipFile(content, "w") as archive:
        for name, drawn in scenes.slides(opened, staged(), RenderOptions(work.look.theme), inches):
            # It has no time: the same lesson makes the same file.
            file = zipfile.ZipInfo(f"{name}.png")
            archive.writestr(file, figure.save(drawn, "png", dpi=_SLIDE_DPI))
    return Content(content.getvalue(), missing)


_OF_A_LESSON = {
    "handout.pdf": LessonFileKind("application/pdf", _handout),
    "solutions.pdf": LessonFileKind(
        "application/pdf", partial(_handout, solved=True), has_solutions=True
    ),
    "page.html": LessonFileKind("text/html", _lesson_page, has_solutions=True),
    "slides.zip": LessonFileKind("application/zip", _slides),
}


def file_stem(settings: Settings) -> str:
    """Return what the names of files begin with.

    >>> file_stem(Settings.of(data="moons"))
    'kpviz-moons-gaussian'
    """
    return f"kpviz-{settings.data}-{settings.kernel}"


# ---- what is asked and answered ------------------------------------------------------------------


async def answer(question: Question, state: PageState, compute: Compute, makings: Makings) -> bytes:
    """Return the answer as bytes."""
    try:
        work = await makings.call(_work, mapping(question["file"]), state)
        header, arrays = payload.unpack(await compute(work))
    except ValueError as error:
        return failed(question, error)
    return payload.pack({**header, "n": number(question)}, arrays)


def _work(file_question: Question, state: PageState) -> RunFileWork | LessonFileWork:
    """Return what makes the file; ValueError, of one sentence, where there is no such file."""
    ending = text(file_question.get("ending"))
    address = join.reached(text(file_question.get("address"))[: links.LONGEST_LINK])
    look = Look(
        text(file_question.get("theme")) or "auto",
        file_question.get("autoplay") is True,
        file_question.get("loop") is True,
        None if join.is_only_here(address) else address,
    )
    if "lesson" in file_question:
        if ending not in _OF_A_LESSON:
            raise ValueError(_NO_FILE)
        return LessonFileWork(ending, LessonSource.of(mapping(file_question["lesson"])), look)
    if ending not in _OF_A_RUN:
        raise ValueError(_NO_FILE)
    settings = state.settings
    t = file_question.get("t")
    return RunFileWork(
        ending,
        settings,
        state.pins,
        t if type(t) is int and t > 0 else 0,
        read_view(links.pairs(text(file_question.get("shown"))))[0],
        look,
        stored.split(settings) if settings.data == FILE else None,
        stored.table(settings) if ending == "settings.json" else None,
    )
