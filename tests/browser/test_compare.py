"""Runs side by side: one player, one time, what differs shaded, a table of numbers."""

from kpviz import experiment

TWO = "/?v=1&data=moons&n=60&noise=0.15&held=0.3&pins=1&p1.kernel=linear"


def runs(settings, pins):
    """Split and run of every model, the current one last."""
    made = [*(pin.on(settings) for pin in pins), settings]
    return [(experiment.prepare(each), experiment.run(each)) for each in made]


def test_p_pins_this_run_and_a_change_stays_beside_it(player):
    player.open("/?v=1&t=30")
    player.js("(window.kept = s, 0)")
    player.press("p").until("s.runs.pinned.length === 1").rest()
    assert player.t == 30
    player.press("k").until("s.run.header.names.kernel.startsWith('Laplacian')").rest()
    assert player.js("[window.kept === s, s.t, s.runs.pinned[0].header.names.kernel]") == [
        True,
        30,
        "Gaussian, σ = 0.5",
    ]
    player.page.wait_for_url("**kernel=laplacian&pins=1**")
    player.reload()
    assert player.js("[s.runs.pinned.length, s.t, s.runs.query]") == [1, 30, "pins=1"]
    player.press("Shift+p").until("s.runs.pinned.length === 0").rest()
    assert player.js("s.board.panels.some(({ name }) => name === 'table')") is False
    player.page.wait_for_function("!location.search.includes('pins')")


def test_playing_and_pointing_send_nothing_to_the_server(player):
    player.open(TWO)
    player.sent.clear()
    player.press("PageDown", "ArrowRight", "End", "Home")
    player.js("(s.clock.speed = 60, 0)")
    player.press(" ")
    player.until("s.t > 60").press(" ")
    panel = player.js("s.layout.panels['map-0']")
    player.point(panel["x"] + panel["w"] / 2, panel["y"] + panel["h"] / 2)
    assert player.sent == []


def test_a_comparison_is_a_click_in_the_dock(player):
    player.open()
    player.page.locator(".chip[data-group=compare]").click()
    player.page.get_by_role("button", name="Perceptron against the SVM").click()
    player.until("s.runs.pinned.length === 1").rest()
    assert player.settings.learner == "svm"
    player.page.get_by_text("seeks the widest margin", exact=False).first.wait_for()


def test_a_broken_pin_opens_with_a_notice(player):
    player.open("/?v=1&pins=1&p1.kernel=nonsense")
    assert player.js("s.runs.pinned.length") == 1
    player.page.get_by_text("p1.kernel=nonsense is not one of its values", exact=False).wait_for()


def test_advice_stands_among_the_buttons_and_not_on_a_map(player):
    player.open("/?v=1&kernel=linear&pins=1&p1.kernel=gaussian&t=3000").rest()
    button = player.page.get_by_role("button", name="Try it")
    button.wait_for()
    box, bar = button.bounding_box(), player.page.locator(".kpviz .bar").bounding_box()
    assert box["y"] >= bar["y"] - 1
    assert box["y"] + box["height"] <= bar["y"] + bar["height"] + 1
