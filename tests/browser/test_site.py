"""A course as a folder of pages: from disk, and in a sandboxed frame of another site."""

import mimetypes
from pathlib import Path

import pytest
from access import faults
from answering import TEXT, Lesson
from pages import Opened

from kpviz.export.page import board, site
from kpviz.export.page.pythons import Python
from kpviz.lessons.file import format
from kpviz.service.packing import Place, packed_boards, packed_lesson

WORDS_ALONE = """---
title: Words
---
## One
link: v=1&data=xor&n=16&noise=0

Words.

## Two
link: v=1&data=xor&n=16&noise=0&t=6

More.
"""
NO_PYTHON = Python({"worker": "python/worker.js", "size": 0}, {})


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    words = {"unit-1": TEXT, "unit-2": TEXT.replace("All kinds", "The second")}
    return written(words, tmp_path_factory.mktemp("course"))


def written(words, folder):
    """A course of lessons with these words, by their names, in a folder."""
    lessons = {name: format.read(text) for name, text in words.items()}
    shelved = site.Course(
        lessons,
        {},
        own_names=set(lessons),
        title="Lectures and lessons",
        papers={"unit-1": {"Handout": b"%PDF"}},
    )
    places = board.PLACES | board.OF_COURSE
    pages = [
        packed_lesson(name, lesson, place=Place(lessons, shelved.after(name)))
        for name, lesson in lessons.items()
    ]
    answers = packed_boards()
    lists = dict(site.list_files(shelved, places))
    for name, content in board.files(NO_PYTHON, answers, places=places, course=pages, others=lists):
        (folder / name).write_bytes(content)
    return folder


def test_from_disk_one_goes_from_the_index_to_a_lesson_and_on_and_the_index_says_what_is_done(
    alone, course
):
    page = alone.wear().page
    page.goto((course / "index.html").as_uri())
    page.evaluate("localStorage.clear()")
    page.reload()
    assert page.locator("h1").inner_text() == "Lectures and lessons"
    assert page.locator(".about").all_inner_texts() == ["5 min · 7 tasks"] * 2
    assert page.locator(".paper").get_attribute("href") == "unit-1-handout.pdf"
    assert not page.locator(".unkept").is_visible()
    assert faults(page) == []
    page.get_by_role("link", name="All kinds").first.click()
    opened = Lesson(alone.ready()).arrive()
    task = format.read(TEXT).scenes[0].tasks[1]
    opened.answer(1, task)
    assert faults(page) == []
    opened.go(2).end().way("Next lesson").click()
    page.wait_for_url("**/unit-2.html")
    opened = Lesson(alone.ready()).arrive()
    assert not opened.go(2).end().way("Next").is_enabled(), "it is the last one"
    page.get_by_role("link", name="Lessons", exact=True).click()
    page.wait_for_url("**/index.html")
    assert page.locator(".about").first.inner_text() == "5 min · 7 tasks · 1 done"
    page.evaluate("(localStorage.clear(), sessionStorage.clear(), 0)")


def test_in_a_sandboxed_frame_of_another_site_it_works_and_says_that_it_keeps_nothing(tab, course):
    def give(route):
        file = course / Path(route.request.url).name
        route.fulfill(
            body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0] or "text/plain"
        )

    tab.route("https://course.example/**", give)
    frame = (
        '<iframe sandbox="allow-scripts" src="https://course.example/a/b/{}" width="1200" '
        'height="700"></iframe>'
    )
    tab.route(
        "https://university.example/", lambda route: route.fulfill(body=frame.format("index.html"))
    )
    tab.goto("https://university.example/")
    index = tab.frames[1]
    index.locator(".unkept").wait_for()
    index.get_by_role("link", name="All kinds").first.click()
    index.wait_for_url("**/unit-1.html")
    player = Opened(tab, tab.frames[1])
    tab.on("console", lambda message: player.errors.append(message.text))
    opened = Lesson(player.ready()).arrive()
    assert "stores nothing" in player.frame.locator(".notices").inner_text()
    opened.field(1).fill("6")
    opened.field(1).press("Enter")
    opened.until_over(1)
    assert player.errors == []


def test_from_disk_what_takes_python_says_why_it_does_not_come(alone, course):
    page = alone.wear().page
    page.goto((course / "unit-1.html").as_uri())
    opened = Lesson(alone.ready()).arrive().go(2)
    opened.task(0).get_by_role("button", name="Check").click()
    page.get_by_text("opened from a disk").first.wait_for()
    assert not opened.over[0]
    page.evaluate("(localStorage.clear(), sessionStorage.clear(), 0)")


def test_what_must_stay_secret_is_asked_and_says_that_it_is_answered_on_the_server(
    alone, course, tmp_path
):
    place = Place(("secret",), address="https://kpviz.example/k/", is_secret=True)
    secret = packed_lesson("secret", format.read(TEXT), place=place)
    text = board.page(NO_PYTHON, "play", secret.answers["play"], lesson=secret)
    (tmp_path / "secret.html").write_text(text, encoding="utf-8")
    (tmp_path / "kpviz.js").write_bytes((course / "kpviz.js").read_bytes())
    page = alone.wear().page
    page.goto((tmp_path / "secret.html").as_uri())
    opened = Lesson(alone.ready()).arrive()
    said = opened.task(0).locator(".elsewhere")
    assert said.inner_text() == "This task is answered on the server: open it there."
    assert said.locator("a").get_attribute("href") == (
        "https://kpviz.example/k/?lesson=secret&scene=1"
    )
    assert opened.task(0).locator("button:visible").all_inner_texts() == ["Next"]
    opened.go(2)
    opened.task(1)
    assert not page.locator(".lesson .elsewhere").is_visible(), "own words have no solution"
    assert faults(page) == []
    page.evaluate("(localStorage.clear(), sessionStorage.clear(), 0)")


def test_a_page_whose_player_is_gone_says_so(tab, course, tmp_path):
    (tmp_path / "alone.html").write_bytes((course / "unit-1.html").read_bytes())
    tab.goto((tmp_path / "alone.html").as_uri())
    tab.get_by_text("this page loads it from kpviz.js").wait_for()


def test_the_code_of_a_stage_leads_by_the_list_to_a_scene_and_a_step_and_a_reload_stays(
    alone, course
):
    page = alone.wear().page
    for place, name in (("unit-2", "unit-2"), ("unit", "unit-1")):
        page.goto("about:blank")
        page.goto(f"{(course / 'index.html').as_uri()}#{place}.2.3")
        page.wait_for_url(f"**/{name}.html")
        opened = Lesson(alone.ready()).arrive()
        assert opened.player.js("[s.lesson.at, s.player.t]") == [1, 3]
    opened.go(0)
    page.reload()
    opened = Lesson(alone.ready()).arrive()
    assert opened.player.js("s.lesson.at") == 0
    page.goto("about:blank")
    page.goto(f"{(course / 'index.html').as_uri()}#another.2.3")
    assert page.locator("h1").inner_text() == "Lectures and lessons"
    page.evaluate("(localStorage.clear(), sessionStorage.clear(), 0)")


def test_back_from_another_site_leads_to_where_one_was_in_the_scene(alone, tmp_path):
    page = alone.wear().page
    page.goto((written({"unit-1": WORDS_ALONE}, tmp_path) / "unit-1.html").as_uri())
    Lesson(alone.ready()).arrive().go(1)
    alone.rest()
    for t in (7, 8):
        alone.press("ArrowRight").rest()
        page.wait_for_url(f"**&t={t}&**")
        page.goto("data:text/html,elsewhere")
        page.go_back()
        alone.ready().rest()
        assert alone.js("[s.lesson.at, s.t]") == [1, t]
