"""The page Lessons: where to start, what stands under which lecture, what is done, and a file that
is dropped there.
"""

import markup
import pytest
from playwright.sync_api import expect

from kpviz.export.page import cards
from kpviz.lessons import shelf

FILE = "---\ntitle: Dropped here\n---\n## One\nlink: v=1&n=8\n\nWords.\n"
DROP = """([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def page(player):
    player.page.goto(f"{player.base}/lessons")
    player.page.locator(".kpviz-lessons article").first.wait_for()
    return player.page


def names(page, within):
    return [
        a.get_attribute("href").removeprefix("./?lesson=")
        for a in page.locator(f"{within} article a").all()
    ]


@pytest.mark.in_app
def test_the_first_lesson_is_the_start_and_each_stands_once_under_its_lecture_in_columns(page):
    assert names(page, ".start") == ["lesson-01-first-steps"]
    assert page.locator(".start .badge").text_content() == "Start here"
    listed = names(page, ".kpviz-lessons")[1:]  # the first is the card on top
    assert sorted(listed) == sorted(shelf.paths_in(None))
    for k, section in enumerate(page.locator(".lecture").all(), 1):
        lecture, *lessons = [
            a.get_attribute("href").removeprefix("./?lesson=") for a in section.locator("a").all()
        ]
        assert section.locator(".badge").text_content() == f"Lecture {k}, with a class"
        assert all(shelf.read(name).lecture == lecture for name in lessons), lecture
    assert k == 5
    lessons = [name for name in listed if name.startswith("lesson-")]
    assert [shelf.after(name) for name in lessons] == [*lessons[1:], None]
    assert page.evaluate(
        "[...document.querySelectorAll('.kpviz-lessons img')].every((e) => e.naturalWidth > 0)"
    )
    lefts = """new Set([...document.querySelectorAll('.lecture article:not([hidden])')]
        .map((e) => Math.round(e.getBoundingClientRect().x))).size"""
    for width, columns in ((1366, 4), (1920, 4), (390, 1)):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(lefts) == columns
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


PLACES = """(bar) => [...bar.querySelectorAll("nav a")].map((e) => e.getBoundingClientRect())
  .map(({ x, y, height }) => [x, y, height])"""


@pytest.mark.in_app
@pytest.mark.parametrize("size", [(1366, 768), (844, 390)])
def test_the_bar_above_is_where_that_of_the_board_is(page, player, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    listed = page.locator(".kpviz-places").evaluate(PLACES)
    page.goto(f"{player.base}/?v=1")
    page.locator(".topbar .set:not(:empty)").wait_for()
    on_board = page.locator(".topbar").evaluate(PLACES)
    assert len(listed) == len(on_board) == 5
    for one, other in zip(listed, on_board, strict=True):
        assert one == pytest.approx(other, abs=2)  # Where one is stands in bold.


@pytest.mark.in_app
def test_what_is_done_stands_on_its_card(page):
    page.evaluate("localStorage.setItem('kpviz-done-lesson-01-first-steps', '2')")
    page.reload()
    page.locator("article .about", has_text="15 min · 7 tasks · 2 done").first.wait_for()
    assert page.locator(".start .badge").text_content() == "Go on here"


@pytest.mark.in_app
def test_a_file_that_is_dropped_there_opens_and_another_is_told_off(page, player):
    page.evaluate(DROP, ["notes.md", FILE])
    page.get_by_text("notes.md is no lesson: its name ends in .kpviz.md.").wait_for()
    page.evaluate(DROP, ["mine.kpviz.md", FILE])
    page.locator(".lesson h2", has_text="Dropped here").wait_for()


@pytest.mark.in_app
def test_a_file_is_chosen_by_a_button_that_the_keyboard_reaches(page, player):
    button = page.get_by_role("button", name="Open a lesson …")
    expect(button).to_be_enabled()
    assert button.evaluate("(e) => e.getBoundingClientRect().height") >= 44
    for name, text in (("notes.txt", "x"), ("mine.kpviz.md", FILE)):
        with page.expect_file_chooser() as chooser:
            button.press("Enter")
        chooser.value.set_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        if name == "notes.txt":
            page.get_by_text("notes.txt is no lesson").wait_for()
    page.wait_for_url("**/?*lesson=~*")
    player.ready()
    page.get_by_role("heading", name="Dropped here", exact=True).wait_for()


# ---- the list alone, whose script is that of the app and of a course's index ---------------------


@pytest.fixture(scope="module")
def page_of_cards():
    lessons = {name: shelf.read(name) for name in shelf.paths()}
    listing = cards.listing(lessons, shelf.arranged(), "./?lesson={}")
    body = f"<div class='kpviz-lessons'>{listing}</div><script>{cards.script()}</script>"
    return markup.html(cards.style(), body)


@pytest.fixture
def listed(tab, page_of_cards):
    """Return a function that opens the list where so many tasks of lessons are done."""
    address = "https://course.example/"
    tab.route(address, lambda route: route.fulfill(body=page_of_cards, content_type="text/html"))

    def open_list(done):
        tab.goto(address)
        for name, count in done.items():
            tab.evaluate("(pair) => localStorage.setItem(...pair)", [f"kpviz-done-{name}", count])
        tab.reload()
        cards_on_top = tab.locator(".start .badge, .start h2, .start .go").all_text_contents()
        about = {
            name: tab.locator(f".about:has([data-lesson={name}])").last.text_content()
            for name in shelf.paths()
        }
        tab.evaluate("localStorage.clear()")
        return cards_on_top, about

    return open_list


def test_each_lesson_says_how_many_of_its_tasks_are_done(listed):
    _, about = listed({"lesson-01-first-steps": "2", "lesson-02-be-the-perceptron": "5"})
    assert about.pop("lesson-01-first-steps") == "15 min · 7 tasks · 2 done"
    assert about.pop("lesson-02-be-the-perceptron") == "25 min · 5 tasks · ✓ all done"
    assert not any("done" in words for words in about.values())


@pytest.mark.parametrize(
    ("done", "card"),
    [
        ({"lesson-01-first-steps": "2"}, ["Go on here", "First steps on the board", "Continue"]),
        ({"lesson-02-be-the-perceptron": "5"}, ["Next", "XOR, and runs that never end", "Start"]),
        # After the last lesson of the lectures there is none to go on with: the first stands there.
        (
            {"lesson-12-memory": "99", "lesson-01-first-steps": "no number"},
            ["Start here", "First steps on the board", "Start"],
        ),
    ],
)
def test_the_card_on_top_is_where_one_goes_on(listed, done, card):
    assert listed(done)[0] == card
