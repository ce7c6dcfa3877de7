"""Numbers that are turned in the player: the picture follows at the same time, and one turn is one step to undo."""

import numpy as np
import pytest

from kpviz.settings import BY_NAME, Settings

TURNED = {
    "sigma": {},
    "degree": {"kernel": "polynomial"},
    "coef0": {"kernel": "polynomial"},
    "budget": {"learner": "forgetron", "noise": 0.15},
    "lambda": {"learner": "norma"},
    "noise": {},
    "drift": {"stream": "on", "n": 300},
}
SHOWN = [
    ({}, {"noise", "flipped", "sigma", "eta"}),
    ({"data": "drawn"}, {"sigma", "eta"}),
    ({"kernel": "linear"}, {"noise", "flipped", "eta"}),
    ({"kernel": "polynomial"}, {"noise", "flipped", "degree", "coef0", "eta"}),
    ({"kernel": "linear", "combine": "sum", "kernel2": "gaussian"}, {"noise", "flipped", "sigma2", "eta"}),
    ({"learner": "projectron"}, {"noise", "flipped", "sigma", "delta"}),
    ({"learner": "svm", "data": "drawn"}, {"sigma", "C", "tol"}),
]


def knob(player, name):
    return player.page.locator(f".kpviz .tune input[data-knob={name}]")


def tuning(player, given, t=20):
    player.open(f"/?{Settings.of(**given).query()}&t={t}").press("t")
    player.page.locator(".kpviz .tune input").first.wait_for()
    return player.rest()


def turn(player, name, shares):
    """Turn a knob by the mouse through shares of its way, and let go."""
    box = knob(player, name).bounding_box()
    places = [(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2) for share in shares]
    now = int(knob(player, name).input_value()) / 1000
    player.page.mouse.move(box["x"] + 8 + now * (box["width"] - 16), places[0][1])
    player.page.mouse.down()
    for place in places:
        player.page.mouse.move(*place)
    player.page.mouse.up()
    return player.settle()


@pytest.mark.parametrize("name", TURNED)
def test_a_number_is_turned_the_place_stays_and_one_turn_is_undone_at_once(player, name):
    tuning(player, TURNED[name])
    before = player.numbers()
    player.answers()
    turn(player, name, [*np.linspace(0.3, 0.6, 31).tolist(), 0.7])
    sent, answers = player.noted()
    assert sent <= answers + 3
    value = player.settings.values[name]
    assert value != Settings.of(**TURNED[name]).values[name]
    limits = BY_NAME[name].range_for(player.settings.values)
    share = np.log(value / limits.low) / np.log(limits.high / limits.low) if limits.log else None
    share = (value - limits.low) / (limits.high - limits.low) if share is None else share
    assert share == pytest.approx(0.7, abs=0.06 if limits.integer else 0.02)
    assert player.settings == Settings.of(**TURNED[name]).replace(**{name: value})
    assert player.t == 20
    player.agrees()
    after = player.numbers()
    assert player.js("s.tools.counts") == {"undo": 1, "redo": 0}
    assert player.press("z").settle().numbers() == before
    assert player.press("Shift+Z").settle().numbers() == after


def test_while_one_turns_the_picture_follows(player):
    tuning(player, {})
    pictures = {player.js("s.run.id")}
    box = knob(player, "sigma").bounding_box()
    y = box["y"] + box["height"] / 2
    player.page.mouse.move(box["x"] + box["width"] / 2, y)
    player.page.mouse.down()
    for share in (0.3, 0.4, 0.6, 0.8):
        player.page.mouse.move(box["x"] + share * box["width"], y)
        player.until("s.messages.newest && s.messages.acknowledged >= s.messages.newest").rest()
        pictures.add(player.js("s.run.id"))
        sigma = player.settings.sigma
        told = knob(player, "sigma").locator("xpath=..").locator("output").inner_text()
        assert told == f"{sigma:g}"
    assert len(pictures) == 5
    player.page.mouse.up()
    player.settle()
    assert player.t == 20


def test_the_row_shows_what_applies_and_nothing_else(player):
    for given, names in SHOWN:
        tuning(player, given)
        shown = player.page.locator(".kpviz .tune input:visible").evaluate_all(
            "(all) => all.map((e) => e.dataset.knob)"
        )
        assert set(shown) == names, given


def test_t_and_the_button_open_and_close_the_row_and_the_link_remembers_it(player):
    player.open("/?v=1")
    row = player.page.locator(".kpviz .tune")
    assert not row.is_visible()
    player.press("t").rest()
    assert row.is_visible()
    player.page.wait_for_url("**show=*tune*")
    player.reload()
    assert row.is_visible()
    player.button("tune").click()
    player.rest()
    assert not row.is_visible()
    player.page.wait_for_function("!location.search.includes('tune')")
    assert player.query == "v=1"


def test_a_knob_that_has_the_focus_keeps_its_arrows_and_gives_them_back(player):
    tuning(player, {})
    knob(player, "sigma").focus()
    player.press("ArrowRight").settle()
    first = player.settings.sigma
    assert first > 0.5
    player.press("ArrowRight").settle()
    assert player.settings.sigma > first
    assert player.t == 20
    player.press("Tab").page.mouse.click(900, 12)
    player.press("ArrowRight").rest()
    assert player.t == 21


def test_a_key_shows_in_the_knob_what_it_changed(player):
    tuning(player, {})
    before = int(knob(player, "sigma").input_value())
    player.press("g").settle().until("s.run.header.settings.query.includes('sigma')")
    assert int(knob(player, "sigma").input_value()) > before
    assert knob(player, "sigma").get_attribute("aria-valuetext") == "0.625"


def test_turning_goes_on_while_one_edits(player):
    tuning(player, {"data": "moons"})
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
