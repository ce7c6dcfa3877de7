"""The page of a lesson, opened from disk without a network: read, answered, saved, and graded."""

import csv

import pytest
from access import faults
from answering import TEXT, Lesson, left_unvoted, places_on_stage
from pages import Opened

from kpviz import cli
from kpviz.lessons.file import format
from kpviz.service.packing import lesson_page


@pytest.fixture
def lesson(alone, tmp_path):
    """A function that writes the page of a lesson, and opens it."""

    def open_page(text=TEXT, name="all", **options):
        alone.forget()
        path = tmp_path / f"{name}.html"
        path.write_text(lesson_page(format.read(text), name, **options), encoding="utf-8")
        alone.wear().page.goto(path.as_uri())
        return Lesson(alone.ready()).arrive()

    yield open_page
    alone.js("(localStorage.clear(), sessionStorage.clear(), 0)")


def test_a_student_goes_through_a_lesson_and_the_teacher_grades_what_was_saved(
    lesson, tmp_path, capsys
):
    read, opened = format.read(TEXT), lesson()
    player = opened.player
    assert not player.page.locator(".lesson .close").is_visible()
    for at, scene in enumerate(read.scenes):
        player.until("s.lesson.at === arg", at).settle()
        assert opened.heading == scene.heading
        for k, task in enumerate(scene.tasks):
            assert not opened.leads(k) or task.kind in ("reach", "perform")
            if task.kind in ("reach", "perform"):
                assert opened.task(k).locator(".elsewhere").inner_text() == (
                    'This task needs kpviz: pip install "kpviz[app]" installs it, '
                    f"kpviz app '{task.start.query}' opens it."
                )
                assert opened.task(k).locator("button:visible").all_inner_texts() == ["Next"]
            else:
                opened.answer(k, task)
            assert opened.over[k], (scene.heading, task.kind)
        if at < 2:
            opened.next()
    name, path = opened.save()
    assert name == "Ada-L-all.results.json"
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.json").write_bytes(path.read_bytes())
    (tmp_path / "all.kpviz.md").write_text(TEXT, encoding="utf-8")
    table = tmp_path / "grades.csv"
    graded = ("--lesson", str(tmp_path / "all.kpviz.md"), "--out", str(table))
    assert cli.main(("lesson", "grade", str(tmp_path / "class"), *graded, "--quiet")) == 0, (
        capsys.readouterr()
    )
    (row,) = csv.DictReader(table.open(encoding="utf-8"))
    assert (row["points"], row["of"], row["notes"]) == ("4", "6", "")
    report = table.with_suffix(".report.md").read_text(encoding="utf-8")
    assert report.endswith("**Ada L.**\n\n> No line has both corners on one side.\n")


def test_hints_tries_scene_and_progress_are_as_with_a_server_and_there_after_a_reload(lesson):
    opened = lesson()
    assert opened.hint(1).hints(1) == ["Hint: Count the ticks."]
    for value, tries in (("six", 0), (99, 1), (98, 2)):
        assert not opened.because(1)
        opened.write(1, value)
        assert opened.tries[1] == tries
    assert opened.because(1)[-2:] == ["mistakes = 6", "Each tick is one."]
    opened.skip().player.until("s.lesson.at === 1").settle().page.reload()
    Lesson(opened.player.ready()).arrive()
    assert (opened.at, opened.player.t) == (1, 6)
    opened.back().player.until("s.lesson.at === 0").settle()
    assert opened.over == [False, True]


def test_another_try_has_the_data_of_its_seed(lesson):
    text = TEXT.replace("ask: The first two?", "ask: The first two?\nseeds: 1, 2")
    opened = lesson(text)
    seen = [opened.arrive().player.query]
    opened.predict(0, ["correct", "correct"]).until_tried(0)
    assert not opened.is_right(0)
    opened.again_button(0).click()
    seen.append(opened.arrive().player.query)
    assert [query.rpartition("&")[2] for query in seen] == ["seed=1", "seed=2"]
    opened.answer(0, next(iter(format.read(text).tasks))[1], 1)
    assert opened.is_right(0)


def test_what_shows_another_page_leads_there_and_what_cannot_be_done_is_not_offered(lesson):
    text = TEXT.replace(
        "## Third\nlink: v=1&data=xor&kernel=linear", "## Third\nlink: /fisher?v=1"
    ).replace(
        "ask: No mistake at the end.",
        "ask: No mistake at the end.\nstart: v=1&data=xor&kernel=linear",
    )
    opened = lesson(text, address="https://kpviz.example.org/").go(2)
    opened.task(0)
    links = opened.player.page.locator(".lesson .elsewhere a")
    assert [link.get_attribute("href") for link in links.all()] == [
        "https://kpviz.example.org/fisher?v=1",
        "https://kpviz.example.org/?v=1&data=xor&kernel=linear",
    ]
    assert {link.get_attribute("target") for link in links.all()} == {"_blank"}
    player = opened.player
    assert (
        player.page.locator(".topbar .name a")
        .get_attribute("href")
        .startswith("https://kpviz.example.org/")
    )


def test_what_takes_python_says_in_its_place_where_it_is_and_the_settings_open_without(lesson):
    for address, where in (
        (None, "by the command kpviz app"),
        ("https://k.example/", "at https://k"),
    ):
        player = lesson(address=address).player
        player.show("kernel")
        field = player.page.locator(".dock [data-field='slider sigma'] .number")
        field.fill("0.2")
        player.page.keyboard.press("Enter")
        player.notices.filter(has_text=where).wait_for()
        player.until("!s.session.busy")
        assert "sigma" not in player.js("s.session.state.link")
        assert "one file" in player.notices.inner_text()


def test_a_link_among_the_words_shows_its_run_and_one_back_is_the_scene(lesson):
    player = lesson().player
    before = player.query
    entry = player.js("history.state.kpviz")
    player.page.locator(".lesson a", has_text="link").click()
    player.until("s.run.header.names.data === 'Moons' && history.state.kpviz !== arg", entry)
    player.page.go_back()
    player.until("s.run.header.names.data === 'XOR'").settle()
    assert player.query.split("&t=")[0] == before.split("&t=")[0]


def test_presented_it_goes_from_cue_to_cue_through_questions_and_past_scenes_of_other_pages(lesson):
    opened = lesson()
    player = opened.player.press("w").until("s.present.on").rest()
    second = player.js("s.cues.placed[1].t")
    first, words = "FirstWords in bold, code, and a link.", "Second"
    there = [
        *places_on_stage(0, first, 0, second, *left_unvoted(0), *left_unvoted(1)),
        *places_on_stage(1, words, 6, *left_unvoted(0), "1 shown", *left_unvoted(2)),
        *places_on_stage(2, "Third", 0, "0 shown", "1 shown"),
    ]
    assert opened.clicked(["PageDown"] * len(there)) == there
    player.press("Escape")
    read = format.read(
        "---\ntitle: T\n---\n## A line\nlink: /fisher?v=1\n\nF.\n\n## Points\nlink: v=1\n\nThey.\n"
    )
    opened = lesson(read.text, "away")
    assert player.query == "v=1"
    assert (
        player.page.locator(".lesson .elsewhere")
        .inner_text()
        .startswith('What it shows needs kpviz: pip install "kpviz[app]" installs it, kpviz app')
    )
    player.press("w").until("s.present.on").rest()
    for at, scene in enumerate(read.scenes):
        opened.go(at)
        words = player.js("s.present.slides.sheet.textContent")
        assert scene.heading in words or at == 0  # the title comes first
    opened.go(0)
    player.press("PageDown").rest()
    assert player.js("s.present.slides.sheet.textContent") == "A lineF."
    assert player.press("ArrowRight").settle().js("[s.lesson.at, s.present.slides.full]") == [
        1,
        True,
    ]
    player.press("Escape").rest()
    opened.go(0)
    assert player.js("s.present.slides.element.textContent").startswith(
        "A line"
    )  # in place of another run
    opened.go(1)
    assert not opened.way("Next").is_enabled()


def test_opened_with_a_link_to_another_board_it_shows_its_own_and_says_so(lesson):
    opened = lesson()
    player = opened.player
    shown = player.query
    player.page.goto(f"{player.page.url.split('?')[0]}?v=1&data=moons&sigma=0.3")
    Lesson(player.ready()).arrive()
    assert (player.query, player.js("s.lesson.at")) == (shown, 0)
    player.notices.filter(has_text="This page is one file").wait_for()


def test_axe_finds_nothing_wrong(lesson):
    opened = lesson()
    for at in range(3):
        opened.go(at)
        assert faults(opened.player.page) == [], at
    assert faults(opened.player.wear(390, 844).settle().page) == []


def test_in_a_sandbox_it_keeps_nothing_and_tasks_are_answered(tab, tmp_path):
    (tmp_path / "all.html").write_text(lesson_page(format.read(TEXT), "all"), encoding="utf-8")
    frame = '<iframe sandbox="allow-scripts" src="all.html" width="1200" height="700"></iframe>'
    (tmp_path / "course.html").write_text(frame, encoding="utf-8")
    tab.goto((tmp_path / "course.html").as_uri())
    player = Opened(tab, tab.frames[1])
    tab.on("console", lambda message: player.errors.append(message.text))
    opened = Lesson(player.ready()).arrive()
    opened.field(1).fill("6")
    opened.field(1).press("Enter")
    opened.until_over(1)
    opened.predict(0, ["mistake", "mistake"]).until_tried(0)
    assert player.errors == []
