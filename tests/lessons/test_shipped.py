"""The lectures and lessons that come along: every task is solved and refused for near misses, every topic is there."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from covering import in_turn
from fontTools.ttLib import TTFont
from near_misses import NEAR
from term_table import TERMS

import kpviz
from kpviz import fonts
from kpviz.export import SIZES, scenes
from kpviz.export.films import FilmOptions
from kpviz.lessons.file import check, format, words
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds import KINDS
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


def tasks_of(names):
    return [(name, task) for name in names for _, task in read(name).tasks]


TASKS = [pytest.param(task, id=f"{name}:{task.line}") for name, task in tasks_of(NAMES)]


# ---- the files ----


def test_there_are_five_lectures_and_thirteen_lessons_in_order():
    assert [name[:9] for name in LECTURES] == [f"lecture-{k}" for k in range(1, 6)]
    assert [name[:9] for name in LESSONS] == [f"lesson-{k:02}" for k in range(1, 14)]
    assert sorted(LECTURES + LESSONS) == NAMES
    assert len({read(name).title for name in NAMES}) == len(NAMES)


def test_the_sequence_names_each_file_once():
    listed = re.findall(r"`(le[a-z]+-[0-9][a-z0-9-]+)`", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wrong_with_a_file_nor_with_its_copy_for_students(name):
    assert check.check(read(name)) == []
    assert check.check(format.read(read(name).for_students)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_file_says_its_objectives_and_its_minutes(name):
    lesson = read(name)
    assert len(lesson.objectives) >= 2
    assert lesson.minutes == sum(scene.minutes for scene in lesson.scenes)
    low, high = (30, 90) if name in LECTURES else (10, 45)
    assert low <= lesson.minutes <= high
    assert all(scene.words for scene in lesson.scenes)


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_has_scenes_with_cues_and_notes(name):
    found = read(name).scenes
    assert 6 <= len(found) <= 10
    assert all(scene.notes for scene in found)
    assert sum(len(scene.cues.cues) >= 2 for scene in found) >= 4


def test_lessons_have_forty_tasks_and_more_of_all_kinds():
    found = tasks_of(LESSONS)
    assert len(found) >= 40
    assert {task.kind for _, task in found} == set(KINDS)
    assert all(len(list(read(name).tasks)) >= 3 for name in LESSONS)


def test_tasks_have_a_reason_and_those_that_are_graded_a_hint():
    for name, task in tasks_of(NAMES):
        assert task.why, f"{name}:{task.line}"
        assert task.hints or task.kind == "explain", f"{name}:{task.line}"


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
        for shape in SHAPES:
            width, height = SIZES[shape]
            assert scenes.missing(number, replace(part, width=width, height=height)) == [], shape


# ---- the words ----


def words_of(name):
    """The lines that are read, from the first scene on: without links, conditions and other keys of the grammar."""
    body = text_of(name).partition("\n## ")[2]
    keys = "link|knobs|minutes|start|within|until|value|when|where|what|count|tries|seeds|tolerance|answer|solution"
    return [line.lower() for line in f"## {body}".splitlines() if not re.match(f"(?:{keys}): ", line)]


@pytest.mark.parametrize("name", NAMES)
def test_a_word_in_bold_type_is_one_of_the_table_or_explained_where_it_stands(name):
    said = {word.lower() for term in TERMS.values() for word in (*term["says"], term["title"])}
    own = {word.lower() for word in (*SAID["defined"], *SAID["explained"])}
    for bold in re.findall(r"\*\*(.+?)\*\*", text_of(name)):
        assert any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", bold.lower().rstrip("s.")) for each in said | own), (
            bold
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_technical_word_is_in_bold_type_or_in_a_heading_where_a_file_says_it_first(name):
    for word in map(str.lower, SAID["defined"]):
        first = next((line for line in words_of(name) if re.search(rf"\b{word}s?\b", line)), None)
        if first is not None and [name, word] not in SAID["said_before"]:
            bold = re.findall(r"\*\*(.+?)\*\*", first)
            assert first.startswith("## ") or any(word in each for each in bold), f"{word}: {first}"


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
    """In characters, or in braces, which pages and cards set: nothing is left to be read as it was typed."""
    for text in read_of(read(name)):
        rest = re.sub(r"[_^]\{[^{}]+\}", "", text) if any(text in each for each in formulas(name)) else text
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


@in_turn([(one,) for one in SAID["topics"]])
def test_every_topic_has_a_scene_and_its_words(topic):
    for name, heading, said in SAID["topics"][topic]:
        (scene,) = (each for each in read(name).scenes if each.heading == heading)
        lines = text_of(name).splitlines()
        end = next((at for at in range(scene.line, len(lines)) if lines[at].startswith("## ")), len(lines))
        body = "\n".join(lines[scene.line - 1 : end])
        assert said in body or said in scene.link.query


@pytest.mark.parametrize("question", SAID["homework"])
def test_every_homework_question_is_a_task(question):
    name, kind, said = SAID["homework"][question]
    assert [task.ask for _, task in read(name).tasks if task.kind == kind and said in task.ask]


# ---- the tasks ----


@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_solved_and_refused_for_near_misses(task):
    for tried in range(len(task.starts)):
        solution = task.solve(tried)
        if task.kind == "explain":
            assert task.check({"text": "Because."}, tried).right is None
            assert task.check({"text": " "}, tried).right is False
            continue
        assert task.check(solution.answer, tried).right is True
        misses = NEAR[task.kind](task, solution.answer, tried)
        assert misses
        for miss in misses:
            assert task.check(miss, tried).right is False, miss


@pytest.mark.parametrize("task", [each for each in TASKS if each.values[0].kind == "choose"])
def test_what_is_to_be_chosen_is_told_by_the_run_unless_it_is_about_none(task):
    assert bool(task.question.when) == (task.ask not in SAID["about_no_run"] and task.start.page == "play")


@pytest.mark.parametrize("name", LESSONS)
def test_no_panel_that_a_lesson_opens_shows_the_number_that_it_asks_for(name):
    for scene in read(name).scenes:
        asked = {str(part) for task in scene.tasks if task.kind == "number" for part in task.question.value.parts}
        shown = set(scene.link.panels or ())
        if asked & {"bound", "radius", "best_margin"}:
            assert not shown & {"bound", "proof"}, scene.heading
