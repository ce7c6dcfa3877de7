"""What axe-core finds wrong with the pages: nothing, except in what Streamlit makes of its own."""

import pytest
from access import COLOURS, faults
from answering import TEXT, Lesson

STATES = [
    [],
    ["Shift+E"],
    ["h"],
    ["?"],
    [","],
    ["u"],
    ["q"],
    ["w"],
    ["Shift+D", "Shift+K", "Shift+L", "Shift+S"],
]
CAME = "s.standing.firstMinute.phase === arg"  # What the first minute says stands there.
STREAMLITS = (
    "region",
    "aria-dialog-name",
    "scrollable-region-focusable",
    "presentation-role-conflict",
)
PAGES = {
    "/": "kpviz – kernel perceptron",
    "/lab": "kpviz – kernels",
    "/?lesson=lesson-01-first-steps": "kpviz – First steps on the board",
    "/?lesson=puzzle-01-break-it": "kpviz – Break it",
    "/?lesson=puzzle-05-worst-order": "kpviz – The worst order",
    "/?lesson=puzzle-10-guess-the-line": "kpviz – Guess the line",
    "/fisher": "kpviz – Fisher’s discriminant",
}


def look(player, state=None):
    """Look at the page as it is, and at the colours of the other scheme."""
    is_dark = player.rest().js("s.palette.dark")
    assert faults(player.page) == [], state
    player.wear(color_scheme="light" if is_dark else "dark")
    player.until("s.palette.dark !== arg", is_dark).rest()
    assert faults(player.page, only=COLOURS) == [], state


@pytest.mark.parametrize("keys", STATES, ids=lambda keys: " ".join(keys) or "as it opens")
def test_the_player_has_no_fault_in_any_of_its_states(player, keys):
    player.wear(color_scheme="light").open("/?v=1&t=20")
    for key in keys or [None]:
        look(player.press(*filter(None, [key])), key)


def lesson(player):
    Lesson(player).read(TEXT).write(1, 99)


def term(player):
    player.page.locator(".kpviz .terms button").first.focus()
    player.press("Enter")
    player.page.locator(".kpviz .explained").wait_for()


def wrong(player):
    """A number and a file that cannot be used."""
    player.press("Shift+D").page.locator(".dock input.number").first.fill("wide")
    file = {"name": "x.csv", "mimeType": "text/csv", "buffer": b"\x00"}
    player.press("Enter").page.locator(".dock input[type=file]").set_input_files(file)
    player.page.locator(".dock [data-brings=open] .wrong").wait_for()


def first_minute(player):
    player.js("s.standing.firstMinute.again()")
    for k in range(4):
        for phase, key in (("ask", "1"), ("answered", "Enter")):
            player.until(CAME, phase)
            if k == 0 or (k == 3 and phase == "answered"):
                look(player, phase)
            player.press(key)
    player.until(CAME, "done")


@pytest.mark.parametrize("doing", [lesson, term, wrong, first_minute])
def test_the_player_has_no_fault_in_what_one_comes_to(player, doing):
    doing(player.wear(color_scheme="light").open("/?v=1&t=20"))
    look(player)


OTHERS = [
    "compare=ties&t=20",
    "n=20&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm&t=20",
    "stream=on&data=moons&n=60&t=40",
    "data=texts&n=20&t=9",
    "data=circles&kernel=monomial&degree=2&n=20&t=9&show=lift.sequence",
    "kernel=linear&n=20&t=99999",
    "data=circles&kernel=polynomial&t=40",
]


@pytest.mark.parametrize("link", OTHERS)
def test_other_boards_and_what_opens_from_their_bars_have_none(player, link):
    look(player.wear(color_scheme="light").open(f"/?v=1&{link}"))
    for button in (".bar .more", ".topbar .does .opens"):
        player.page.locator(button).click()
        assert faults(player.rest().page) == [], button
        player.press("Escape")


@pytest.mark.parametrize(
    ("size", "link"),
    [
        ((390, 844), "/?v=1&t=20&show=alpha.gram.code.bound.margins"),
        ((844, 390), "/?v=1&pins=1&p1.kernel=linear&t=20"),
    ],
)
def test_the_player_has_none_on_a_phone(player, size, link):
    player.wear(*size).open(link)
    assert faults(player.page) == []
    player.press("Shift+K").page.locator(".dock .field").first.wait_for()
    assert faults(player.rest().page) == []


def test_the_dialog_export_has_none(player):
    player.wear(color_scheme="light").open("/?v=1&t=20&n=20")
    lesson(player)
    player.press("a").page.locator("dialog[open] [role=tab]").first.wait_for()
    for name in ("Lesson", "Code", "Tables and settings", "Worksheet", "Web page", "Link"):
        player.page.get_by_role("tab", name=name).click()
        look(player, name)


def test_fishers_page_has_none(player):
    look(player.wear(color_scheme="light").open("/fisher"))
    for key in ("?", ","):
        look(player.press(key), key)


@pytest.mark.in_app
@pytest.mark.parametrize("path", PAGES)
def test_each_page_has_a_title_a_heading_and_no_fault_that_is_ours(player, path):
    player.wear(color_scheme="light").page.goto(player.base + path)
    player.page.locator(".topbar .set:not(:empty)").wait_for()
    player.page.wait_for_function("(title) => document.title === title", arg=PAGES[path])
    heading = player.page.locator("h1.name").text_content()
    assert player.page.title() == heading.replace(": ", " – ") == PAGES[path]
    player.page.locator(".topbar .settings").click()
    player.page.locator(".dock .field:visible").first.wait_for()
    if path != "/fisher":  # what Streamlit puts round that page is the same
        assert faults(player.page, without=STREAMLITS) == []
    nameless = player.page.evaluate("""[...document.querySelectorAll("[tabindex='0']")]
        .filter((e) => e.offsetWidth && !e.ariaLabel && !e.getAttribute("aria-labelledby") && !e.textContent.trim())
        .map((e) => e.cloneNode().outerHTML)""")
    assert nameless == []


@pytest.mark.in_app
def test_the_list_of_lessons_has_no_fault_that_is_ours(player):
    for scheme in ("light", "dark"):
        player.wear(color_scheme=scheme).page.goto(f"{player.base}/lessons")
        player.page.locator(
            f".kpviz-lessons{'.dark' * (scheme == 'dark')} article"
        ).first.wait_for()
        only = COLOURS if scheme == "dark" else None
        assert faults(player.page, without=STREAMLITS, only=only) == [], scheme


@pytest.mark.in_app
def test_the_dialogs_have_none_that_is_ours(player):
    player.open("/?v=1&t=20")
    for key, seen in (("i", "img"), ("Shift+U", "textarea")):
        player.press(key).page.locator(f"[role=dialog] {seen}").first.wait_for()
        assert faults(player.page, without=STREAMLITS) == [], key
        player.page.wait_for_function(
            "[...document.images].every((image) => image.complete)"
        )  # closed, it is gone
        player.press("Escape").page.locator("[data-testid=stDialog]").wait_for(state="detached")


def test_the_page_that_plays_itself_has_none(opened):
    assert faults(opened().page) == []
