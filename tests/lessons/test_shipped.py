"""The lectures and lessons that come along: every task is solved and refused for near misses, every
topic is there.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from covering import in_turn
from fontTools.ttLib import TTFont
from near_misses import NEAR
from term_table import TERMS

import kpviz
from kpviz import fonts
from kpviz.export import SIZES, scenes
from kpviz.export.films import FilmOptions
from kpviz.lessons import shelf
from kpviz.lessons.file import check, format, words
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.links import Case, Link

FOLDER = Path(kpviz.__file__).parent / "lessons" / "shipped"
NAMES = sorted(path.name.removesuffix(format.ENDING) for path in FOLDER.glob(f"*{format.ENDING}"))
SAID = tomllib.loads(Path(__file__).with_name("shipped.toml").read_text(encoding="utf-8"))
LECTURES = [name for name in NAMES if name.startswith("lecture-")]
LESSONS = [name for name in NAMES if name.startswith("lesson-")]


@cache
def text_of(name):
    return (FOLDER / f"{name}{format.ENDING}").read_text(encoding="utf-8")


@cache
def read(name):
    return format.read(text_of(name))


TASKS = [
    pytest.param(task, id=f"{name}:{task.line}") for name in NAMES for _, task in read(name).tasks
]


# ---- the files ----


def test_the_sequence_names_each_file_once_and_titles_differ():
    assert len({read(name).title for name in NAMES}) == len(NAMES)
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"`(le[a-z]+-[0-9][a-z0-9-]+)`", table)) == NAMES
    for row in table.splitlines():
        lecture, *lessons = re.findall(r"`(le[a-z]+-[0-9][a-z0-9-]+)`", row) or [""]
        assert all(read(name).lecture == lecture for name in lessons), row


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wrong_with_a_file_nor_with_its_copy_for_students(name):
    assert check.check(read(name)) == []
    assert check.notes(read(name)) == []
    assert check.check(format.read(read(name).for_students)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_file_says_its_objectives_and_its_minutes(name):
    lesson = read(name)
    assert len(lesson.objectives) >= 2
    assert lesson.minutes == sum(scene.minutes for scene in lesson.scenes)
    low, high = (30, 90) if name in LECTURES else (10, 45)
    assert low <= lesson.minutes <= high
    assert all(scene.words for scene in lesson.scenes)


@pytest.mark.parametrize("name", NAMES)
def test_every_character_is_in_the_typeface(name):
    known = set()
    for face in (fonts.face().ttf, fonts.face().ttf.with_name("signs-400.ttf")):
        known |= set(map(chr, TTFont(face).getBestCmap()))
    assert set(text_of(name)) - known - {"\n"} == set()


SHAPES = [name for name in SIZES if name != "720p"]  # which have the shape of 1080p


@pytest.mark.parametrize("name", NAMES)
def test_a_film_shows_all_that_its_links_and_cues_name(name):
    """The film of each scene shows all that its cues name."""
    for number, scene in enumerate(read(name).scenes, 1):
        part = scenes.stage(number, scene).film(FilmOptions())
        shape = SHAPES[number % len(SHAPES)]
        width, height = SIZES[shape]
        assert scenes.missing(number, replace(part, width=width, height=height)) == [], shape


# ---- the words ----


@pytest.mark.parametrize("name", NAMES)
def test_a_word_in_bold_type_is_one_of_the_table_or_explained_where_it_stands(name):
    said = {word.lower() for term in TERMS.values() for word in (*term["says"], term["title"])}
    own = {word.lower() for word in (*SAID["defined"], *SAID["explained"])}
    for bold in re.findall(r"\*\*(.+?)\*\*", text_of(name)):
        assert any(
            re.search(rf"(?<!\w){re.escape(each)}(?!\w)", bold.lower().rstrip("s."))
            for each in said | own
        ), bold


def read_of(lesson):
    """All that one reads of a lesson, formulas as they are shown and code left out."""

    def texts(nodes):
        for node in nodes:
            if isinstance(node, str):
                yield node
            elif node["kind"] == "math":
                yield node["shown"]
            elif node["kind"] not in ("code", "block"):
                yield from texts(node.get("children", ()))

    yield from (lesson.title, *lesson.objectives)
    for scene in lesson.scenes:
        yield scene.heading
        yield from (cue.words for cue in scene.cues.cues)
        yield from texts([*scene.words, *scene.notes])
        for task in scene.tasks:
            choices = getattr(task.question, "choices", ())
            for markdown in (task.ask, task.why, *task.hints, *choices):
                yield from texts(words.inline(markdown))


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_lower_or_higher_in_a_formula_is_set_so(name):
    """In characters, or in braces, which pages and cards set: nothing is left to be read as it was
    typed.
    """
    for text in read_of(read(name)):
        rest = (
            re.sub(r"[_^]\{[^{}]+\}", "", text)
            if any(text in each for each in formulas(name))
            else text
        )
        assert not re.search(r"[_^$\\]", rest), text


def formulas(name):
    return [words.formula(each) for each in re.findall(r"\$([^$\n]+)\$", text_of(name))]


# ---- what is said ----


CLAIMS = [(name, *claim) for name, claims in SAID["claims"].items() for claim in claims]


@pytest.mark.parametrize(("name", "said", "link", "condition"), CLAIMS)
def test_what_is_said_of_a_run_is_so(name, said, link, condition):
    assert said in text_of(name)
    found = Link.read(link)
    assert found.problems == []
    assert Condition.read(condition).holds(Case.of(found))


def test_the_means_over_a_hundred_seeds_are_as_the_fourth_lecture_says():
    assert "the means are 5.2 and 5.5: the SVM is better in 43 of them, worse in 31" in text_of(
        LECTURES[3]
    )
    link = "v=1&data=moons&n=120&noise=0.25&held=0.3&seed={}&{}"

    def wrong(seed, reading):
        case = Case.of(Link.read(link.format(seed, reading)))
        return case.wrong(case.split.X_test, case.split.y_test)

    svm, mean = (
        [wrong(seed, each) for seed in range(100)] for each in ("learner=svm", "predictor=averaged")
    )
    assert (round(sum(svm) / 100, 1), round(sum(mean) / 100, 1)) == (5.2, 5.5)
    pairs = list(zip(svm, mean, strict=True))
    assert (sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)) == (43, 31)


def test_a_clean_run_is_the_same_without_an_example_that_was_never_a_mistake():
    """So leaving out each in its turn gives at most as many errors as there are support
    examples.
    """
    assert "leaving out each in its turn gives at most 10 errors" in text_of(LECTURES[3])
    run = kpviz.load("v=1")
    wrong = []
    for i in range(60):
        rest = [j for j in range(60) if j != i]
        without = kpviz.train(run.learner, run.X[rest], run.y[rest], kernel=run.kernel, epochs=50)
        if i not in run.state_at(run.n_steps).support:
            assert (
                without.state_at(without.n_steps).alpha == run.state_at(run.n_steps).alpha[rest]
            ).all()
        if run.y[i] * without.decision_function(run.X[[i]])[0] <= 0:
            wrong.append(i)
    assert set(wrong) <= set(run.state_at(run.n_steps).support)


@in_turn([(one,) for one in SAID["topics"]])
def test_every_topic_has_a_scene_and_its_words(topic):
    for name, heading, said in SAID["topics"][topic]:
        (scene,) = (each for each in read(name).scenes if each.heading == heading)
        lines = text_of(name).splitlines()
        end = next(
            (at for at in range(scene.line, len(lines)) if lines[at].startswith("## ")), len(lines)
        )
        body = "\n".join(lines[scene.line - 1 : end])
        assert said in body or said in scene.link.query


# ---- the tasks ----

MISSES = {"predict": 2}  # ways of being wrong that there are, where it may be fewer than three
WRONG = {  # by which a feedback names what was wrong
    "predict": "You said (right|a mistake) at step [0-9]+[.] .+ (is|of)",
    "choose": "^[A-J] is not true( [(].+[)]|: .+)?[.]|^Everything you selected is correct[.] "
    "(That|One|[0-9]+) |"
    "Nothing is selected",
    "number": "(?i)too (small|large)[.]($| (Look at|Work|Add up|The number))|wrong sign",
    "click": "^x[₀-₉]+ .+|more (is|are) missing|^What you chose is right[.] That is not all[.]",
    "perform": "step [0-9]+|Step [0-9]+: (you (wrote|did not change) |α counts mistakes)",
    "reach": "\n✗ |This may not be changed here: .+|is not allowed here",
    "draw": "\n✗ |This may not be changed here: .+|is not allowed here|(are wanted|may be)[.]",
}
PROGRAM = "[a-z]_[a-z]|[*]|first[.]"  # names and signs of a program


@pytest.mark.parametrize("task", TASKS)
def test_a_task_has_a_reason_and_a_hint_is_solved_and_refused_for_near_misses(task):
    assert task.why
    assert task.hints or task.kind == "explain"
    for tried in range(len(task.starts)):
        solution = task.solve(tried)
        if task.kind == "explain":
            assert task.check({"text": "Because."}, tried).right is None
            assert task.check({"text": " "}, tried).right is False
            continue
        assert task.check(solution.answer, tried).right is True
        misses = NEAR[task.kind](task, solution.answer, tried)
        assert len(misses) >= min(3, MISSES.get(task.kind, 3))
        for miss in misses:
            found = task.check(miss, tried)
            assert found.right is False, miss
            names = (
                WRONG[task.kind] if not found.detail.get("unreadable") else "The answer is a list"
            )
            slips = [slip.why for slip in getattr(task.question, "slips", ())]
            assert found.why in slips or re.search(names, found.why), found.why
            assert not re.search(PROGRAM, found.why), found.why
        for node in task.reasons(tried, missed=True):
            assert not re.search(PROGRAM, words.plain([node])), node


def test_the_first_lesson_asks_for_mistakes_on_ground_whose_colour_one_can_see():
    asked = 0
    for _, task in shelf.read("lesson-01-first-steps").tasks:
        is_click = getattr(task.question, "what", "") == "next mistake"
        for start in task.starts if is_click or task.kind == "predict" else ():
            case = Case.of(start)
            later = np.flatnonzero(case.run.mistake[case.t :])
            count = int(later[0]) + 1 if is_click else task.question.count
            assert (np.abs(case.run.score[case.t : case.t + count]) >= 0.5).all(), start.query
            asked += count
    assert asked == 3 * 3 + 4


def can_be_voted_on(task):
    """Whether it has one true answer, on which hands can be counted."""
    if task.kind == "choose":
        return len(task.solve().answer["choices"]) == 1
    return task.kind in ("predict", "number", "click")


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_asks_what_can_be_voted_on_in_at_least_every_second_scene(name):
    asks = [any(map(can_be_voted_on, scene.tasks)) for scene in read(name).scenes]
    assert all(one or following for one, following in pairwise(asks)), asks


@pytest.mark.parametrize("task", [each for each in TASKS if each.values[0].kind == "number"])
def test_a_number_task_names_its_usual_slips(task):
    slips = task.question.slips
    assert slips
    for tried in range(len(task.starts)):
        for slip in slips:
            answer = {"number": slip.value.value(Case.of(task.start_of(tried)))}
            assert task.check(answer, tried).why == slip.why


@pytest.mark.parametrize("task", [each for each in TASKS if each.values[0].kind == "number"])
def test_a_number_that_is_right_is_seen_on_the_map_unless_it_is_of_no_example_or_of_very_many(task):
    result = task.check(task.solve().answer)
    assert ("drawn" not in result.detail) == (task.ask in SAID["drawn_nowhere"])


@pytest.mark.parametrize("task", [each for each in TASKS if each.values[0].kind == "choose"])
def test_what_is_to_be_chosen_is_told_by_the_run_unless_it_is_about_none(task):
    assert bool(task.question.when) == (
        task.ask not in SAID["about_no_run"] and task.start.page == "play"
    )


@pytest.mark.parametrize("name", LESSONS)
def test_no_panel_that_a_lesson_opens_shows_the_number_that_it_asks_for(name):
    for scene in read(name).scenes:
        asked = {
            str(part)
            for task in scene.tasks
            if task.kind == "number"
            for part in task.question.value.parts
        }
        shown = set(scene.link.panels or ())
        if asked & {"bound", "radius", "best_margin"}:
            assert not shown & {"bound", "proof"}, scene.heading
