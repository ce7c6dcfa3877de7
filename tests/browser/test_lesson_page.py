"""The page of a lesson, opened from disk without a network: read, answered, saved, and graded."""

import csv

import pytest
from access import faults
from answering import TEXT, answer, check, form
from pages import Opened

from kpviz import cli
from kpviz.export.page.lesson import page
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.lessons.file.kinds import KINDS


@pytest.fixture
def lesson(shared_tab, tmp_path):
    """A function that writes the page of a lesson, and opens it; nothing may be asked for, or fail."""
    player, asked = shared_tab, []

    def note(request):
        asked.append(request.url[:200])

    def open_page(text=TEXT, name="all", **options):
        player.forget()
        player.wear()
        path = tmp_path / f"{name}.html"
        path.write_text(page(format.read(text), name, **options), encoding="utf-8")
        player.page.goto(path.as_uri())
        return player.ready().until("s.lesson.open").settle()

    player.page.on("request", note)
    yield open_page
    player.page.remove_listener("request", note)
    player.js("(localStorage.clear(), sessionStorage.clear(), 0)")
    assert player.errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("v=1&data=drawn&points=n0n0vogAYMvo.w&kernel=linear&show=sequence", "Press →"),
        ("v=1&data=drawn", "No examples yet."),
        ("v=1&n=12&predictor=voted&show=remembered", "Press →"),
    ],
)
def test_what_cannot_be_done_on_a_page_is_not_offered(lesson, link, said):
    player = lesson(f"---\ntitle: T\n---\n## A\nlink: {link}\n", "offers")
    words = player.js("s.board.panels.flatMap(({ marks }) => marks).map(({ text }) => text ?? '').join(' ')")
    assert said in words
    assert not any(offer in words for offer in ("Move one", "drag to", "pencil", "choose another"))


def ways(player, words):
    return player.page.locator(".lesson > .ways button", has_text=words)


def test_a_student_goes_through_a_lesson_and_the_teacher_grades_what_was_saved(lesson, tmp_path, capsys):
    read, player = format.read(TEXT), lesson()
    assert not player.page.locator(".lesson .close").is_visible()
    for at, scene in enumerate(read.scenes):
        player.until("s.lesson.at === arg", at).settle()
        assert player.page.locator(".lesson h3").inner_text() == scene.heading
        for k, task in enumerate(scene.tasks):
            assert not ways(player, "Next").is_visible() or at == 2
            if task.kind in ("reach", "perform"):
                assert form(player, k).locator(".elsewhere").inner_text() == (
                    f"This task needs kpviz: kpviz app '{task.start.query}' opens it."
                )
                assert [each.is_visible() for each in form(player, k).locator("button").all()] == [False] * 3
            else:
                answer(player, k, task)
            assert player.js("s.lesson.forms[arg].isOver", k), (scene.heading, task.kind)
        if at < 2:
            ways(player, "Next").click()
    with player.page.expect_download() as download:
        player.page.get_by_role("button", name="Save my results").click()
    assert download.value.suggested_filename == "all.results.json"
    (tmp_path / "class").mkdir()
    download.value.save_as(tmp_path / "class" / "ada.json")
    (tmp_path / "all.kpviz.md").write_text(TEXT, encoding="utf-8")
    table = tmp_path / "grades.csv"
    graded = ("--lesson", str(tmp_path / "all.kpviz.md"), "--out", str(table))
    assert cli.main(("grade", str(tmp_path / "class"), *graded, "--quiet")) == 0, capsys.readouterr()
    (row,) = csv.DictReader(table.open(encoding="utf-8"))
    assert (row["points"], row["of"], row["notes"]) == ("4", "6", "")
    assert row["3.2 text"] == "No line has both corners on one side."


def test_scene_and_progress_are_there_after_a_reload(lesson):
    player = lesson()
    answer(player, 0, format.read(TEXT).scenes[0].tasks[0])
    ways(player, "Go on").click()
    player.until("s.lesson.at === 1").settle()
    player.page.reload()
    player.ready().until("s.lesson.open").settle()
    assert player.js("s.lesson.at") == 1
    assert player.t == 6
    ways(player, "Back").click()
    player.until("s.lesson.at === 0").settle()
    assert player.js("s.lesson.forms.map((form) => form.isOver)") == [True, False]


def test_hints_tries_and_the_reason_are_as_with_a_server(lesson):
    player = lesson()
    number = form(player, 1)
    number.get_by_role("button", name="Hint").click()
    assert number.locator(".hints p").all_inner_texts() == ["Hint: Count the ticks."]
    number.locator("input").fill("six")
    assert "number" in check(player, 1)
    number.locator("input").fill("99")
    assert check(player, 1) == "It is another number. One more try."
    assert not number.locator(".because").is_visible()
    number.locator("input").fill("98")
    number.locator("input").press("Enter")
    player.until("s.lesson.forms[1].isOver")
    assert number.locator(".because").inner_text().splitlines()[-2:] == ["mistakes = 6", "Each tick is one."]


def test_another_try_has_the_data_of_its_seed(lesson):
    text = TEXT.replace("ask: The first two?", "ask: The first two?\nseeds: 1, 2")
    player = lesson(text)
    (_, task), *_ = format.read(text).tasks
    seen = []
    for tried in range(2):
        form(player, 0).get_by_role("button", name="Show its start").click()
        player.settle()
        seen.append(player.js("s.run.header.settings.query"))
        if not tried:
            form(player, 0).locator("input[value=correct]").nth(0).check()
            form(player, 0).locator("input[value=correct]").nth(1).check()
            assert check(player, 0).startswith("Step 1: f(x")
    assert [query.rpartition("&")[2] for query in seen] == ["seed=1", "seed=2"]
    assert answer(player, 0, task, 1) == "All as predicted."


def test_while_one_presents_a_clicker_goes_from_cue_to_cue_and_on_to_the_next_scene(lesson):
    player = lesson()
    player.press("w").until("s.present.on").rest()
    seen = []
    for _ in range(3):
        player.press("PageDown").until("!s.clock.playing && !s.motion").settle()
        seen.append((player.js("s.lesson.at"), player.t))
    player.press("Escape")
    assert [at for at, _ in seen] == [0, 1, 2]
    assert [t for _, t in seen[1:]] == [6, 0]


def test_what_shows_another_page_leads_there(lesson):
    text = TEXT.replace("## Third\nlink: v=1&data=xor&kernel=linear", "## Third\nlink: /lab?tab=valid").replace(
        "ask: No mistake at the end.", "ask: No mistake at the end.\nstart: v=1&data=xor&kernel=linear"
    )
    player = lesson(text, address="https://kpviz.example.org/")
    player.js("(s.lesson.go(2), 0)")
    links = player.page.locator(".lesson .elsewhere a")
    assert [link.get_attribute("href") for link in links.all()] == [
        "https://kpviz.example.org/lab?tab=valid",
        "https://kpviz.example.org/?v=1&data=xor&kernel=linear",
    ]
    assert {link.get_attribute("target") for link in links.all()} == {"_blank"}


def test_a_lesson_that_begins_on_another_page_opens_with_the_default_run(lesson):
    read = shelf.read("lecture-3-which-are-kernels")
    player = lesson(read.text, "third")
    assert player.js("s.run.header.settings.query") == "v=1"
    assert player.page.locator(".lesson .elsewhere").inner_text().startswith("What it shows needs kpviz: kpviz app")
    player.press("w").until("s.present.on").rest()
    for at, scene in enumerate(read.scenes):
        player.js("(s.lesson.go(arg), 0)", at)
        player.settle()
        if scene.link.page != "play":  # there is nothing for PageDown to open
            assert player.js("s.controls.statusLine.textContent") == f"{at + 1} of 9: {scene.heading}"
    player.press("Escape").rest()
    assert not ways(player, "Next").is_enabled()


def shown(player, *selectors):
    """The heading of the scene that is shown, and how many elements there are of each kind."""
    found = (
        "[r.querySelector('.lesson h3').innerText, ...arg.map((one) => r.querySelectorAll('.lesson ' + one).length)]"
    )
    return player.js(found, selectors)


# Between them: each kind of task, and a scene that is another page; tests/export/test_lesson_page.py packs all lessons.
ON_A_PAGE = ["lesson-08-bounds", "lesson-11-which-are-kernels", "lesson-12-memory"]


def test_each_kind_of_task_is_among_them():
    assert {task.kind for name in ON_A_PAGE for _, task in shelf.read(name).tasks} == set(KINDS)


@pytest.mark.parametrize("name", ON_A_PAGE)
def test_a_lesson_shows_all_its_scenes(lesson, name):
    read = shelf.read(name)
    player = lesson(read.text, name)
    for at, scene in enumerate(read.scenes):
        player.js("(s.lesson.go(arg), 0)", at)
        player.settle()
        apart = sum(task.kind in ("reach", "draw", "perform") for task in scene.tasks) + (scene.link.page != "play")
        assert shown(player, "form", ".elsewhere") == [scene.heading, len(scene.tasks), apart]
        if scene.link.page == "play" and scene.link.t is not None:
            assert player.t == scene.link.t


def test_axe_finds_nothing_wrong(lesson):
    player = lesson()
    for at in range(3):
        player.js("(s.lesson.go(arg), 0)", at)
        player.settle()
        assert faults(player.page) == [], at
    player.wear(390, 844)
    assert faults(player.settle().page) == []


def test_in_a_sandbox_it_keeps_nothing_and_tasks_are_answered(tab, tmp_path):
    (tmp_path / "all.html").write_text(page(format.read(TEXT), "all"), encoding="utf-8")
    frame = '<iframe sandbox="allow-scripts" src="all.html" width="1200" height="700"></iframe>'
    (tmp_path / "course.html").write_text(frame, encoding="utf-8")
    tab.goto((tmp_path / "course.html").as_uri())
    player = Opened(tab, tab.frames[1])
    tab.on("console", lambda message: player.errors.append(message.text))
    player.ready().until("s.lesson.open").settle()
    number = player.frame.locator(".lesson form").nth(1)
    number.locator("input").fill("6")
    number.locator("input").press("Enter")
    player.until("s.lesson.forms[1].isOver")
    first = player.frame.locator(".lesson form").nth(0)
    for verdict in first.locator("input[value=mistake]").all():
        verdict.check()
    first.locator("button[type=submit]").click()
    player.until("s.lesson.forms[0].done.tries === 1")
    assert player.errors == []
