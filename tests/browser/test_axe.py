"""What axe-core finds wrong with the pages: nothing, except in what Streamlit makes of its own."""

import pytest
from access import COLOURS, faults
from answering import TEXT

STATES = [[], ["Shift+E"], ["h"], ["?"], [","], ["Shift+D"], ["Shift+K"], ["Shift+L"], ["Shift+S"], ["u"], ["q"], ["w"]]
STREAMLITS = ("region", "aria-dialog-name", "scrollable-region-focusable", "presentation-role-conflict")
PAGES = {
    "/": "kpviz – kernel perceptron",
    "/fisher": "kpviz – Fisher’s discriminant",
    "/lab": "kpviz – kernel lab",
    "/lab?tab=build": "kpviz – kernel lab",
    "/lab?tab=space": "kpviz – kernel lab",
    "/lab?tab=slips": "kpviz – kernel lab",
}


@pytest.mark.parametrize("keys", STATES)
def test_the_player_has_no_fault_in_any_of_its_states(player, keys):
    player.wear(color_scheme="light").open("/?v=1&t=20").press(*keys).rest()
    assert faults(player.page) == []
    player.wear(color_scheme="dark").until("s.palette.dark").rest()
    assert faults(player.page, only=COLOURS) == []


def lesson(player):
    player.js("s.lesson.read({ text: arg })", TEXT)
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    player.page.locator(".lesson form button").first.click()


def term(player):
    player.page.locator(".kpviz .terms button").first.focus()
    player.press("Enter")
    player.page.locator(".kpviz .explained").wait_for()


def wrong(player):
    """A number and a file that cannot be used."""
    player.press("Shift+D").page.locator(".dock input.number").first.fill("wide")
    file = {"name": "x.csv", "mimeType": "text/csv", "buffer": b"\x00"}
    player.press("Enter").page.locator(".dock input[type=file]").set_input_files(file)
    player.page.locator(".notices .warning").wait_for()


@pytest.mark.parametrize("doing", [lesson, term, wrong, lambda player: player.js("s.tour.start()")])
def test_the_player_has_no_fault_in_what_one_comes_to(player, doing):
    doing(player.wear(color_scheme="light").open("/?v=1&t=20"))
    assert faults(player.rest().page) == []
    player.wear(color_scheme="dark").until("s.palette.dark").rest()
    assert faults(player.page, only=COLOURS) == []


@pytest.mark.parametrize(
    "link", ["/?v=1&t=20&show=alpha.gram.code.bound.margins", "/?v=1&pins=1&p1.kernel=linear&t=20"]
)
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_player_has_none_on_a_phone(player, link, size):
    player.wear(*size).open(link)
    assert faults(player.page) == []


@pytest.mark.parametrize("keys", [[], ["?"], [","]])
def test_fishers_page_has_none(player, keys):
    player.wear(color_scheme="light").open("/fisher").press(*keys)
    assert faults(player.page) == []
    player.wear(color_scheme="dark").until("s.palette.dark").rest()
    assert faults(player.page, only=COLOURS) == []


@pytest.mark.in_app
@pytest.mark.parametrize("path", PAGES)
def test_each_page_has_a_title_a_heading_and_no_fault_that_is_ours(player, path):
    player.wear(color_scheme="light").page.goto(player.base + path)
    player.page.locator(".chips .chip").first.wait_for()
    heading = player.page.locator("h1.name").text_content()
    assert player.page.title() == heading.replace(": ", " – ") == PAGES[path]
    if path.startswith("/lab"):
        player.page.locator(".st-key-lab p").first.wait_for()
    player.page.locator(".chips .chip").first.click()
    player.page.locator(".dock .field").first.wait_for()
    assert faults(player.page, without=STREAMLITS) == []
    assert player.page.get_by_role("main", name="kpviz: all of the page").count() == 1
    nameless = player.page.evaluate("""[...document.querySelectorAll("[tabindex='0']")]
        .filter((e) => e.offsetWidth && !e.ariaLabel && !e.getAttribute("aria-labelledby") && !e.textContent.trim())
        .map((e) => e.cloneNode().outerHTML)""")
    assert nameless == []


@pytest.mark.in_app
def test_the_list_of_lessons_has_no_fault_that_is_ours_and_its_landmark_has_a_name(player):
    player.wear(color_scheme="light").page.goto(f"{player.base}/lessons")
    player.page.locator(".kpviz-lessons article").first.wait_for()
    player.page.get_by_role("main", name="kpviz: all of the page").wait_for()
    assert faults(player.page, without=STREAMLITS) == []


@pytest.mark.in_app
@pytest.mark.parametrize(("key", "seen"), [("i", "img"), ("a", "button"), ("Shift+U", "textarea")])
def test_the_dialogs_have_none_that_is_ours(player, key, seen):
    player.open("/?v=1&t=20").press(key)
    player.page.locator(f"[role=dialog] {seen}").first.wait_for()
    assert faults(player.page, without=STREAMLITS) == []


def test_the_page_that_plays_itself_has_none(opened):
    assert faults(opened().page) == []
