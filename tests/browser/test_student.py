"""A student in lessons that come along: wrong first, hints, right then, a reload in between, and handed in."""

import csv

import pytest
from answering import answer, check, form
from near_misses import NEAR

from kpviz import cli
from kpviz.lessons import shelf
from kpviz.lessons.file import tasks
from kpviz.lessons.file.kinds import KINDS

CHOSEN = ["lesson-01-first-steps", "lesson-02-be-the-perceptron", "lesson-03-xor-and-cycles"]
TRIES = "s.lesson.forms.map((form) => form.done.tries)"
ALSO = ("number", "choose")  # in which one errs first


def err(player, k, task):
    """Give an answer that is nearly right, where the task allows another try."""
    here = form(player, k)
    if task.kind not in ALSO or task.tries == 1:
        return
    if here.get_by_role("button", name="Show its start").is_visible():
        here.get_by_role("button", name="Show its start").click()
        player.settle()
    miss = NEAR[task.kind](task, tasks.solve(task, 0).answer, 0)[0]
    if task.kind == "number":
        here.locator("input").fill(repr(miss["number"]))
    else:
        for number in miss["choices"]:
            here.locator("input").nth(number).check()
    said = check(player, k)
    assert player.js("s.lesson.forms[arg].done.right", k) is False, said
    if task.hints:
        here.get_by_role("button", name="Hint").click()
        assert here.locator(".hints p").count() == 1
    if task.kind == "choose" and here.locator("input[type=checkbox]").count():
        for number in miss["choices"]:
            here.locator("input").nth(number).uncheck()


def test_each_kind_of_task_is_among_them():
    assert {task.kind for name in CHOSEN for _, task in shelf.read(name).tasks} == set(KINDS)


@pytest.mark.parametrize("name", CHOSEN)
def test_a_student_errs_asks_for_hints_reloads_answers_and_hands_in(player, name, tmp_path, capsys):
    lesson = shelf.read(name)
    player.open(f"/?lesson={name}").until("s.lesson?.open && !s.lesson.arriving").settle()
    for at, scene in enumerate(lesson.scenes):
        for k, task in enumerate(scene.tasks):
            err(player, k, task)
        tried = player.js(TRIES)
        player.until("new URLSearchParams(location.search).get('scene') === String(arg)", at + 1)
        player.reload().until("s.lesson?.open && !s.lesson.arriving").settle()
        assert player.js(f"[s.lesson.at, {TRIES}]") == [at, tried]
        for k, task in enumerate(scene.tasks):
            said = answer(player, k, task, tried[k])
            assert player.js("s.lesson.forms[arg].isOver", k), (task.ask, said)
        if at + 1 < len(lesson.scenes):
            player.page.locator(".lesson > .ways button", has_text="Next").click()
            player.until("s.lesson.at === arg && !s.lesson.arriving", at + 1).settle()
            player.until("location.search.endsWith(arg)", f"scene={at + 2}")  # its entry is made after its picture
    with player.page.expect_download() as download:
        player.page.get_by_role("button", name="Save my results").click()
    (tmp_path / "class").mkdir()
    download.value.save_as(tmp_path / "class" / "mara.results.json")
    table = tmp_path / "grades.csv"
    assert cli.main(("grade", str(tmp_path / "class"), "--out", str(table), "--quiet")) == 0, capsys.readouterr()
    (row,) = csv.DictReader(table.open(encoding="utf-8"))
    assert row["points"] == row["of"], row
    assert row["notes"] == ""
