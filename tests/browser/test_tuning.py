"""Numbers that are turned in the player: the picture follows at the same time, and one turn is one
step to undo.
"""

import numpy as np
import pytest

from kpviz.settings import BY_NAME, Settings

# The group in which a number is turned, and the settings that give it.
TURNED = {
    "degree": ("kernel", {"kernel": "polynomial"}),
    "lambda": ("learner", {"learner": "norma"}),
    "drift": ("data", {"stream": "on", "n": 300}),
}
WRITTEN = """(() => {
  window.written = { anew: [], again: [] }; // attributes, by whether they were something else before
  new MutationObserver((all) => {
    for (const { attributeName: name, oldValue, target } of all) {
      written[oldValue === target.getAttribute(name) ? "again" : "anew"].push(name);
    }
  }).observe(r.getRootNode(), { subtree: true, attributes: true, attributeOldValue: true });
})()"""
STEADY = {
    "min",
    "max",
    "step",
    "hidden",
    "aria-disabled",
    "aria-expanded",
    "aria-controls",
}  # most of the time
VALUE = ".dock [data-field='slider {}'] input{}"


def slider(player, name):
    return player.page.locator(VALUE.format(name, "[type=range]"))


def number(player, name):
    return player.page.locator(VALUE.format(name, ".number")).input_value()


def tuning(player, group, given, t=20):
    """Open a group of the settings beside the map of a link, with the focus on none of them."""
    player.open(f"/?{Settings.of(**given).query()}&t={t}")
    player.show(group)
    player.page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    return player.settle()


def turn(player, name, shares):
    """Turn a slider by the mouse through shares of its way, and let go."""
    slider(player, name).scroll_into_view_if_needed()
    box = slider(player, name).bounding_box()
    places = [
        (box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2)
        for share in shares
    ]
    now = int(slider(player, name).input_value()) / int(slider(player, name).get_attribute("max"))
    player.page.mouse.move(box["x"] + 8 + now * (box["width"] - 16), places[0][1])
    player.page.mouse.down()
    for place in places:
        player.page.mouse.move(*place)
    player.page.mouse.up()
    return player.settle()


def boundary(player):
    """The lines at f = 0 on the map."""
    (mark,) = player.marks("map", name="boundary")
    return mark["lines"]


@pytest.mark.parametrize("name", TURNED)
def test_a_number_is_turned_the_place_stays_and_one_turn_is_undone_at_once(player, name):
    group, given = TURNED[name]
    tuning(player, group, given)
    before = player.numbers()
    player.answers()
    turn(player, name, [*np.linspace(0.3, 0.6, 31).tolist(), 0.7])
    sent, answers = player.noted()
    assert sent <= answers + 3
    value = player.settings.values[name]
    assert value != Settings.of(**given).values[name]
    limits = BY_NAME[name].range_for(player.settings.values)
    share = np.log(value / limits.low) / np.log(limits.high / limits.low) if limits.log else None
    share = (value - limits.low) / (limits.high - limits.low) if share is None else share
    assert share == pytest.approx(0.7, abs=0.06 if limits.integer else 0.03)
    assert player.settings == Settings.of(**given).replace(**{name: value})
    assert player.t == 20
    player.agrees()
    assert player.counts() == {"undo": 1, "redo": 0}
    player.turns_back(player.numbers(), before)


def test_while_one_turns_the_picture_and_the_slider_in_the_bar_follow(player):
    tuning(player, "kernel", {})
    pictures, boundaries = {player.js("s.run.id")}, [boundary(player)]
    box = slider(player, "sigma").bounding_box()
    y = box["y"] + box["height"] / 2
    player.page.mouse.move(box["x"] + box["width"] / 2, y)
    player.page.mouse.down()
    for share in (0.3, 0.4, 0.6, 0.8):
        player.page.mouse.move(box["x"] + share * box["width"], y)
        player.settle()
        pictures.add(player.js("s.run.id"))
        assert boundary(player) not in boundaries
        boundaries.append(boundary(player))
        sigma = player.settings.sigma
        assert number(player, "sigma") == f"{sigma:g}"
        assert player.page.locator(".kpviz .quick .number").input_value() == f"{sigma:g}"
    assert len(pictures) == 5
    player.page.mouse.up()
    player.settle()
    assert player.t == 20


def test_turning_goes_on_while_one_edits(player):
    tuning(player, "kernel", {"data": "moons"})
    player.edit().click(*player.gap())
    n = player.settle().drawn.n
    turn(player, "sigma", [0.4, 0.3])
    assert player.drawn.n == n
    assert player.settings.sigma < 0.5
    player.click(*player.gap())
    assert player.settle().drawn.n == n + 1
    assert player.settings.sigma < 0.5
    player.agrees()
    player.press("z", "z", "z").settle().until("s.run.header.settings.query === 'v=1&data=moons'")


def test_a_key_opens_each_group_where_it_moves_nothing_and_escape_closes_it(player):
    player.open("/?v=1&t=20")
    places = "[s.layout.panels.map, s.layout.bar]"
    before = player.js(places)
    knob = player.page.locator(".knob")
    for k, (key, title) in enumerate(
        {"D": "Data", "K": "Kernel", "L": "Learner", "S": "Compare"}.items(), 1
    ):
        group = player.press(f"Shift+{key}").page.get_by_role("region", name=title)
        group.locator(".field:visible").first.wait_for()
        player.until("r.getRootNode().activeElement?.closest('.dock')")
        assert player.js(places) == before
        assert not knob.is_visible()  # The settings have its number, and its room.
        (left, top, right, _), words = (
            player.box_of(player.page.locator(".dock")),
            player.panel("words"),
        )
        assert right == pytest.approx(player.js("r.getBoundingClientRect().right"), abs=0.5)
        assert player.at(0, words["y"] + words["h"])[1] <= top
        assert player.at(words["x"], 0)[0] <= left
        player.press("Escape")
        assert not group.is_visible()
        assert knob.is_visible()
        assert player.press("ArrowRight").rest().t == 20 + k


NARROW = """[...r.querySelectorAll('.dock :is(.cards, .lines, .tiles) .title')]
  .filter((title) => title.offsetParent && title.scrollWidth > title.clientWidth + 8)
  .map((title) => title.textContent)"""


@pytest.mark.parametrize(("width", "height"), [(1366, 640), (1920, 1080), (2560, 1440)])
def test_no_tile_of_the_settings_is_narrower_than_its_words(player, width, height):
    player.page.set_viewport_size({"width": width, "height": height})
    player.open("/?v=1&t=20")
    for key, title in {"D": "Data", "K": "Kernel", "L": "Learner", "S": "Compare"}.items():
        group = player.press(f"Shift+{key}").page.get_by_role("region", name=title)
        group.locator(".field:visible").first.wait_for()
        assert player.js(NARROW) == []


def test_a_slider_that_has_the_focus_keeps_it_and_its_arrows_while_pictures_change(player):
    player.open("/?v=1&t=20").press("t")
    slider(player, "sigma").wait_for()
    player.until("r.getRootNode().activeElement?.type === 'range'")
    player.js("window.slider = r.getRootNode().activeElement")
    for key, sigma in (("ArrowRight", 0.5), ("ArrowRight", 0.55)):
        before = player.js("s.run.id")
        assert player.press(key).settle().settings.sigma > sigma - 0.03
        assert player.js("s.run.id") != before
        assert player.js(
            "r.getRootNode().activeElement === window.slider && window.slider.isConnected"
        )
    t = player.t
    assert t == 20
    assert player.press("PageDown").rest().t > t
    before = int(slider(player, "sigma").input_value())
    assert player.press("Escape").focused() == "settings"
    assert not slider(player, "sigma").is_visible()
    player.press("g").settle().show("kernel")  # a key shows there what it changed
    assert int(slider(player, "sigma").input_value()) > before
    assert slider(player, "sigma").get_attribute("aria-valuetext") == f"{player.settings.sigma:g}"


def test_what_playing_and_turning_a_number_do_not_change_is_not_written_again(player):
    tuning(player, "kernel", {"data": "blobs", "noise": 0.4})
    player.js(WRITTEN)
    turn(player, "sigma", [0.6, 0.3, 0.4])
    assert "aria-valuetext" in player.page.evaluate("written.anew")
    player.pace(60).js("s.toggle()")
    player.until("s.t > 60")
    player.js("s.go(s.t)")
    assert "title" in player.page.evaluate("written.anew")  # that of Play
    assert not STEADY & set(player.page.evaluate("written.again"))
