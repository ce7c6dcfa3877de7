"""Tries everything in a lesson: every link, every cue, and every task's solution.

Tests: tests/lessons/test_format.py, tests/lessons/test_shipped.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from kpviz.lessons.file import Fault, LessonError, format
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.puzzle import Puzzle
from kpviz.lessons.file.kinds.statements import LETTERS, Choose, Number
from kpviz.lessons.file.lesson import BREAK, Lesson, Scene, Task
from kpviz.lessons.file.links import FISHER, PLAY, Case, Link
from kpviz.lessons.file.words import Node, inline, plain
from kpviz.lessons.mathml import problem
from kpviz.settings import fisher_link
from kpviz.settings.cues import Cues, Places

_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)$")
_EMPTY_WORDS = re.findall(
    r"\w+",
    "a an the of and or to in on at is are was were be been has have had it its that this these "
    "those which who for with by from as than then so too also all each every one any some very "
    "there here what how only just do does did will would can could may might must",
)


def faults(text: str) -> list[Fault]:
    """Return all that is wrong with a file's text.

    What cannot be read, and what is not so, line by line.
    """
    lesson, wrong = format.read_in_part(text)
    return list(LessonError([*wrong, *(check(lesson) if lesson is not None else ())]).faults)


def check(lesson: Lesson) -> list[Fault]:
    """Return what is wrong with a lesson that can be read, in the order of the lines."""
    pictured = [] if lesson.picture is None else [lesson.picture]
    faults = {
        *lesson.warnings,
        *(Fault(link.line, problem) for link in pictured for problem in link.problems),
    }
    faults.update(_minutes(lesson))
    for scene in lesson.scenes:
        faults.update(_scene(lesson, scene))
    for scene, task in lesson.tasks:
        faults.update(_task(lesson, scene, task))
        if isinstance(task.question, Puzzle) and not lesson.is_puzzle:
            what = "A puzzle stands alone in its file: give it one scene and no other task."
            faults.add(Fault(task.line, what))
    return sorted(faults)


def _minutes(lesson: Lesson) -> Iterator[Fault]:
    """Yield a fault where the minutes of the scenes are not those of the lesson."""
    known = [scene.minutes for scene in lesson.scenes if scene.minutes is not None]
    together = sum(known)
    whole = len(known) == len(lesson.scenes)
    if (
        lesson.minutes is None
        or not known
        or together == lesson.minutes
        or (not whole and together < lesson.minutes)
    ):
        return
    least = "" if whole else "at least "
    what = (
        f"The scenes take {least}{together:g} minutes together, and minutes says "
        f"{lesson.minutes:g}: write their sum."
    )
    yield Fault(_line_of(lesson, "minutes", 1), what)


def _scene(lesson: Lesson, scene: Scene) -> Iterator[Fault]:
    wrong = scene.link.problems
    yield from (Fault(scene.link.line, problem) for problem in wrong)
    if not wrong and scene.link.query:
        yield from _cues(scene)
        yield from _knobs(scene)
    texts = [(scene.words, scene.line), (scene.notes, scene.line)]
    for task in scene.tasks:
        choices = getattr(task.question, "choices", ())
        texts += [(inline(text), task.line) for text in (task.ask, task.why, *task.hints, *choices)]
    for nodes, line in texts:
        for latex in _formulas(nodes):
            what = problem(latex)
            if what is not None:
                yield Fault(_line_of(lesson, latex, line), what)
        for href in _hrefs(nodes):
            yield from (
                Fault(_line_of(lesson, href, line), problem) for problem in Link.read(href).problems
            )


def _cues(scene: Scene) -> Iterator[Fault]:
    if scene.link.page == FISHER:
        yield from _directions(scene)
        return
    try:
        run = Case.of(scene.link).run
    except ValueError as error:
        if scene.cues.cues or scene.link.t is not None:
            yield Fault(scene.link.line, _sentence(error))
        return
    places = Places.of(run.mistake, run.epoch_start, len(run.y))
    taken = set()
    for cue, line in zip(scene.cues.cues, scene.cue_lines, strict=True):
        for phrase in places.missing(Cues(cues=(cue,))):
            name, _, reason = phrase.partition(": ")
            yield Fault(line, f"The cue names {name}, but {reason}.")
        t = places.step(cue)
        if t in taken:
            yield Fault(line, f"The cue names {cue.place}, but this instant has a cue already.")
        taken.add(t if t is not None else -1)


def _directions(scene: Scene) -> Iterator[Fault]:
    """Yield what is wrong with the cues of a scene on Fisher's page."""
    settings = fisher_link.read_link(scene.link.pairs)[0]
    taken = set()
    last = len(fisher_link.plane_of(settings).Z) - 1
    for cue, line in zip(scene.cues.cues, scene.cue_lines, strict=True):
        angle = fisher_link.angle_of(settings, cue.place)
        if angle is None:
            what = "Fisher’s page has start, best, and angles from 0 to 360, such as angle 45"
            yield Fault(line, f"The cue names {cue.place}, but {what}.")
        elif angle in taken:
            yield Fault(line, f"The cue names {cue.place}, but this angle has a cue already.")
        taken.add(angle)
        dark = [name for name in cue.panels if name not in ("map", "timeline")]
        for name in [*dark, *(f"x{i}" for i in cue.examples if i > last)]:
            what = f"of Fisher’s page map, timeline and x0 to x{last} can be lit"
            yield Fault(line, f"The cue lights {name}, but {what}.")


def _knobs(scene: Scene) -> Iterator[Fault]:
    for name in scene.knobs:
        reason = (
            scene.link.settings.reason_against(name)
            if scene.link.page == PLAY
            else "the page has no run"
        )
        if reason is not None:
            yield Fault(scene.line, f"The knob {name} does not apply in this scene: {reason}.")


def _task(lesson: Lesson, scene: Scene, task: Task) -> Iterator[Fault]:
    problems = task.start.problems
    if problems:
        yield from (Fault(task.start.line, problem) for problem in problems)
        return
    if lesson.students:
        return
    is_puzzle = isinstance(task.question, Puzzle)
    aim = "par" if is_puzzle else "the condition"
    yield from _told_above(scene, task)
    for tried in range(len(task.starts)):
        seed = f" with seed {task.seeds[tried]}" if task.seeds else ""
        try:
            solution = task.solve(tried)
            if solution.answer is not None:
                verdict = task.check(solution.answer, tried)
                if not verdict.right:
                    line = task.line_of("solution")
                    why = " ".join(verdict.why.removeprefix("Not yet.").split())
                    yield Fault(line, f"The solution does not meet {aim}{seed}: {_inner(why)}")
        except ValueError as error:
            yield Fault(task.line, f"The task has no solution{seed}: {_inner(_sentence(error))}")
            continue
        yield from (
            Fault(where if isinstance(where, int) else task.line_of(where), what)
            for where, what in task.question.problems(task.start_of(tried))
        )
        if task.votes is not None:
            last = len(Case.of(task.start_of(tried)).run.y) - 1
            if task.votes > last:
                what = f"votes names x{task.votes}, but the last example is x{last}{seed}."
                yield Fault(task.line_of("votes"), what)
        if task.question.is_met_at(task.start_of(tried)):
            what = (
                f"The start reaches par already{seed}"
                if is_puzzle
                else f"The condition holds at the start already{seed}"
            )
            yield Fault(
                task.line_of("par" if is_puzzle else "until"), f"{what}: give another start."
            )
        elif _is_solved_by(scene, task, tried):
            what = (
                f"The scene’s link is a solution already{seed}: give it the task’s start as "
                "its link."
            )
            yield Fault(scene.link.line, what)


def _words_above(scene: Scene, task: Task) -> Iterator[str]:
    """Yield what is read before a task: the words of its scene, then the cues that come first."""
    number = scene.tasks.index(task)
    for node in scene.words:
        if isinstance(node, dict) and node["kind"] == "task" and node["number"] == number:
            break
        yield plain([node])
    for cue, line in zip(scene.cues.cues, scene.cue_lines, strict=True):
        if line < task.line:
            yield cue.words


def _told_above(scene: Scene, task: Task) -> Iterator[Fault]:
    """Yield a fault where the words above a task for a number say what it is."""
    if not isinstance(task.question, Number):
        return
    text = "\n".join(_words_above(scene, task))
    for tried in range(len(task.starts)):
        try:
            (*_, line) = task.solve(tried).lines
        except ValueError:  # It is told as the fault of the solution.
            return
        value = line.rpartition("= ")[2]
        if re.search(rf"(?:[=≈:]|\bis|\bare) {re.escape(value)}(?![\w²³]|[.,/]\d)", text):
            what = f"The words above this task tell its answer, {value}: write them after the task."
            yield Fault(task.line, what)
            return


def notes(lesson: Lesson) -> list[Fault]:
    """Return what might be better in a lesson with which nothing is wrong.

    A choice that is not true, of which nobody says why; words above a task that seem to tell which
    choice is right.
    """
    if lesson.students:
        return []
    return sorted(
        note
        for scene, task in lesson.tasks
        if isinstance(task.question, Choose)
        for note in _notes_of_choices(scene, task, task.question)
    )


def _notes_of_choices(scene: Scene, task: Task, choose: Choose) -> Iterator[Fault]:
    try:
        right = set(choose.solve(task.start_of()).answer["choices"])  # type: ignore[index]
    except ValueError:  # It is told as a fault.
        return
    silent = [
        LETTERS[k]
        for k in range(len(choose.choices))
        if k not in right and not any(choose.but[k : k + 1])
    ]
    if silent:
        what = (
            f"Who chooses {' or '.join(silent)} is not told why that is wrong: write a line but: "
            "under the choice."
        )
        yield Fault(task.line, what)
    sentences = [
        _content_words(sentence)
        for words in _words_above(scene, task)
        for sentence in re.split(r"(?<=[.!?])\s+|\n", words)
    ]
    question_words = _content_words(plain(inline(task.ask)))
    choices = [_content_words(plain(inline(text))) for text in choose.choices]

    def is_told(k: int) -> bool:
        """Whether a sentence has all words by which a choice differs from those of another truth.

        A single one must stand beside two words of the question.
        """
        others = [words for j, words in enumerate(choices) if (j in right) != (k in right)]
        differing = choices[k].difference(question_words, *others)
        return bool(differing) and any(
            differing <= words and (len(differing) > 1 or len(words & question_words) > 1)
            for words in sentences
        )

    if any(map(is_told, set(range(len(choices))) - right)):
        return  # Words that name a wrong choice, too, do not say which is right.
    yield from (
        Fault(
            task.line,
            f"The words above this task seem to tell that {LETTERS[k]} is right: write them after "
            "the task.",
        )
        for k in sorted(filter(is_told, right))
    )


def _content_words(text: str) -> set[str]:
    """Return the words and numbers of a text that say something, without their endings.

    >>> sorted(_content_words("The means of the five classes are 0.5 apart."))
    ['0.5', 'apart', 'class', 'five', 'mean']
    """
    words = re.findall(r"\d+(?:[.,]\d+)?|[^\W\d_]{2,}", text.lower())
    return {_ENDING.sub("", word) for word in words if word not in _EMPTY_WORDS}


def _is_solved_by(scene: Scene, task: Task, tried: int) -> bool:
    """Whether the link of a scene is an answer to a task that is answered by what is shown."""
    link = scene.link
    shows = isinstance(getattr(task.question, "until", None), Condition) and link.page == PLAY
    return shows and bool(link.query) and task.check({"link": link.query}, tried).right is True


def _formulas(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the formulas in a tree, in LaTeX."""
    for node in nodes:
        if isinstance(node, dict):
            if node["kind"] == "math":
                yield node["text"]
            yield from _formulas(node.get("children", ()))


def _hrefs(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the links within kpviz in a tree."""
    for node in nodes:
        if isinstance(node, dict):
            href: Any = node.get("href", "")
            if href and not href.lower().startswith("http"):
                yield href
            yield from _hrefs(node.get("children", ()))


def _line_of(lesson: Lesson, text: str, after: int) -> int:
    """Return the line from `after` on in which a text stands, else `after`."""
    lines = re.split(BREAK, lesson.text)
    return next(
        (number for number, line in enumerate(lines, 1) if number >= after and text in line), after
    )


def _sentence(error: ValueError) -> str:
    return " ".join(str(error).split())


def _inner(sentence: str) -> str:
    """Return a sentence as it stands behind a colon."""
    return (
        sentence[:1].lower() + sentence[1:]
        if sentence.startswith(("It ", "The ", "There ", "No "))
        else sentence
    )
