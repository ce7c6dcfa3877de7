"""What looks like a field for a number is one: nothing that is typed into it is a key
of the board.
"""

import pytest

PLACES = {
    "the board": ("/?v=1", ""),
    "drawing": ("/?v=1", "Shift+E"),
    "settings: data": ("/?v=1", "Shift+D"),
    "settings: kernel": ("/?v=1", "Shift+K"),
    "settings: learner": ("/?v=1&learner=norma", "Shift+L"),
}
FIELDS = """[...r.querySelectorAll("input")].filter((each) => each.checkVisibility() && !each.readOnly && !each.disabled
  && !["checkbox", "radio", "range", "file", "button"].includes(each.type))"""
LOOKS = """[...r.querySelectorAll("input")].filter((each) => each.checkVisibility() && (each.readOnly || each.disabled
  || getComputedStyle(each).pointerEvents === "none")).map((each) => each.outerHTML)"""


@pytest.mark.parametrize("place", PLACES)
def test_digits_that_are_typed_into_a_number_are_no_keys_of_the_board(player, place):
    path, key = PLACES[place]
    player.anew(path)
    if key:
        player.press(key).settle()
    assert player.js(LOOKS) == []
    count = player.js(f"{FIELDS}.length")
    assert count > 0
    for number in range(count):
        before = (player.query, player.t, player.js("[...s.shown].join()"))
        player.js(f"({FIELDS}[arg].focus(), 0)", number)
        player.page.keyboard.type("1290-")
        player.page.keyboard.press("Escape")
        player.settle()
        assert (player.query, player.t, player.js("[...s.shown].join()")) == before


def test_the_width_in_the_bar_is_typed_with_enter_and_taken_back_with_escape(player):
    player.anew("/?v=1")
    field = player.page.locator(".kpviz .quick .number")
    field.click()
    field.fill("0,12")
    field.press("Enter")
    player.until("s.session.state.link.includes('sigma=0.12')").settle()
    assert "order" not in player.query
    field.fill("7")
    field.press("Escape")
    assert field.input_value() == "0.12"
    field.press("Escape")
    player.press("ArrowRight").until("s.t === 1")
    field.fill("wide")
    field.press("Enter")
    assert (
        player.page.locator(".kpviz .quick .wrong").inner_text() == "Write a number, such as 0.25."
    )
    field.press("ArrowLeft")
    assert player.t == 1
    field.press("Escape")
    assert not player.page.locator(".kpviz .quick .wrong").is_visible()
    assert player.query.endswith("sigma=0.12")
