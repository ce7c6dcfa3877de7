"""The page that plays itself, opened from disk without a network: its numbers are Python's, and it asks for nothing."""

import time

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons import explain, presets
from kpviz.panels import ABOUT, PANELS
from kpviz.player.envelope import ViewState
from kpviz.settings import Settings

CUES = "title: A lecture|start hold 0.4: Nothing yet.|mistake 2 hold 0.4: Look here.|end hold 0.2"

# ---- the same numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        {"data": "spirals", "n": 120, "held": 0.3, "sigma": 0.2},
        {"data": "linear", "kernel": "linear", "learner": "svm"},
        {"data": "moons", "predictor": "averaged", "noise": 0.2, "epochs": 3},
        {"data": "moons", "n": 200, "learner": "norma", "stream": "on"},
    ],
    ids=str,
)
def test_it_says_what_python_says(opened, given):
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    stream = settings.stream == "on"
    player = opened(settings, autoplay=False)
    assert player.js("s.run.nSteps") == run.n_steps
    missed = np.flatnonzero(run.mistake)
    for t in sorted({run.n_steps, run.n_steps // 2, int(missed[0]) + 1, int(missed[-1]) + 1}):
        player.go(t)
        assert player.sentence == explain.explain(run, t, stream=stream).sentence
        assert f"step {t:,} of {run.n_steps:,}" in player.counter
        coef, b, field, _ = player.reading()
        if settings.predictor == "last":
            state = run.state_at(t)
            support = player.js("[...s.run.trace.support]")
            np.testing.assert_allclose(coef, state.coef[support], rtol=1e-6, atol=1e-9)
            assert b == pytest.approx(state.intercept)
        axes = split.shown.axes(96)
        nodes = [(row, column) for row in (0, 17, 48, 95) for column in (0, 31, 64, 95)]
        places = np.array([(axes[0][column], axes[1][row]) for row, column in nodes])
        wanted = run.decision_function(places, t, settings.predictor)
        tolerance = 1e-5 * max(np.abs(wanted).max(), 1.0)
        np.testing.assert_allclose([field[node] for node in nodes], wanted, rtol=0, atol=tolerance)
        if not stream:
            margins = player.js("[...s.run.reading(s.t).scores].map((f, i) => f * s.run.y[i])")[: len(run.y)]
            wanted = run.y * run.decision_function(run.X, t, settings.predictor)
            np.testing.assert_allclose(margins, wanted, rtol=0, atol=1e-5 * max(np.abs(wanted).max(), 1.0))


def test_a_comparison_has_all_its_runs(opened):
    settings, pins = presets.PRESETS["budget"].settings()
    player = opened(settings, pins=pins, autoplay=False).press("End").until("s.t === s.runs.end && !s.frames.next")
    for k, each in enumerate([pin.on(settings) for pin in pins] + [settings]):
        run = experiment.run(each)
        assert player.js("s.runs.all[arg].trace.mistakesBefore(s.runs.all[arg].nSteps)", k) == run.mistake.sum()
    assert player.js("s.maps.length") == 1 + len(pins)
    assert "Forgetron" in player.words("caption") + player.words("table")


def test_it_opens_at_the_step_and_with_the_panels_of_the_link(opened):
    player = opened(view=ViewState(9, ("code", "bound")), autoplay=False)
    assert player.t == 9
    assert player.js("[...s.shown].sort()") == ["bound", "code"]
    assert "Mistake bounds" in player.words("bound")
    assert "Computing" not in player.words("bound")


# ---- the same player, without what a server is asked for ------------------------------------------------------------


def test_the_keys_of_time_work_at_once(opened):
    run = experiment.run(Settings.of())
    second = int(np.flatnonzero(run.mistake)[1]) + 1
    player = opened(autoplay=False)
    ways = {"ArrowRight": 1, "PageDown": second, "ArrowDown": int(run.epoch_start[1]), "End": run.n_steps, "Home": 0}
    for key, t in ways.items():
        player.press(key)
        assert player.t == t, key
    player.press("h")
    assert player.frame.locator(".menu.panels").is_visible()
    player.frame.locator("[data-panel=code]").check()
    assert player.js("s.shows('code')")
    player.press("Escape", "q", "ArrowRight")
    assert player.js("s.predict.answers.size") == 1


def test_one_points_and_scrubs_as_in_the_app(opened):
    player = opened(autoplay=False).go(30)
    player.click(*player.spots()[0].tolist())
    assert player.tip[0].startswith("x₀ ")
    line = player.js("s.layout.panels.timeline")
    player.click(line["x"] + line["w"] - 2, line["y"] + line["h"] / 2)
    assert player.t > 150


def test_what_asks_the_server_is_nowhere_to_be_found(opened):
    player = opened(Settings.of(cues="mistake 1: Look."), autoplay=False)
    words = " ".join(player.frame.locator(".bar, .menu.panels, .menu.help").all_text_contents())
    titles = player.js("[...r.querySelectorAll('[data-do]')].map((one) => one.dataset.do)")
    assert {"edit", "tune", "picture", "home", "link", "cue", "cues", "notes"}.isdisjoint(titles)
    assert {"play", "panels", "full", "help", "slow", "predict", "rescale"} <= set(titles)
    panels = player.js("[...r.querySelectorAll('[data-panel]')].map((one) => one.dataset.panel)")
    alone = [one for key in ABOUT for one in PANELS if one.about == key and one.in_links and not one.asks]
    assert panels == [one.name for one in alone]
    assert {"margins", "code", "norm", "lines"} < {*panels}
    for gone in ("Shift E", "undo", "kernel wider", "new data", "take home", "copy the link", "press 1", "dropped"):
        assert gone not in words, gone
    assert "full screen" in words


def test_the_keys_that_ask_the_server_do_nothing(opened):
    player = opened(autoplay=False).go(12)
    before = player.js("[s.canvas.toDataURL().length, [...s.shown].join(), s.editing.on]")
    for key in (
        "d",
        "k",
        "g",
        "n",
        "o",
        "1",
        "t",
        "z",
        "Shift+E",
        "x",
        "b",
        "l",
        "Delete",
        "p",
        "a",
        "i",
        "y",
        "u",
        "Shift+U",
        "Shift+N",
    ):
        player.press(key)
    player.until("!s.frames.next && !s.motion")
    assert player.js("[s.canvas.toDataURL().length, [...s.shown].join(), s.editing.on]") == before
    assert player.sent == []
    assert player.js("s.controls.statusLine.hidden")
    assert player.t == 12


def test_one_presents_from_it_as_from_the_app(opened):
    player = opened(autoplay=False).go(12).press("w").until("s.present.on")
    player.press("d", "k", "Shift+E", "PageDown")
    assert "Off while" not in player.js("s.controls.statusLine.textContent"), "there is nothing that could be on"
    assert player.t == 1 + next(t for t in np.flatnonzero(experiment.run(Settings.of()).mistake) if t >= 12)
    player.press("w").until("!s.present.on")


def test_the_order_is_seen_and_cannot_be_dragged(opened):
    player = opened(view=ViewState(5, ("sequence",)), autoplay=False)
    panel = player.js("s.layout.panels.sequence")
    y = panel["y"] + panel["h"] / 2
    player.hold((panel["x"] + 20, y), (panel["x"] + 60, y), (panel["x"] + 120, y))
    player.page.mouse.up()
    assert player.js("[s.reorder.drag, s.order.ahead]") == [None, None]
    assert player.sent == []


def test_a_link_leads_to_the_app_where_its_address_is_known(opened):
    player = opened(address="https://kpviz.example/", autoplay=False).go(7)
    player.page.evaluate("document.execCommand = () => { window.copied = document.activeElement.value; return true; }")
    player.js("navigator.clipboard && (navigator.clipboard.writeText = () => Promise.reject())")
    player.press("y").until("!s.controls.statusLine.hidden")
    assert player.page.evaluate("window.copied") == "https://kpviz.example/?v=1&t=7"
    assert player.frame.locator(".bar [data-do=link]").is_visible()


# ---- it plays itself ------------------------------------------------------------------------------------------------


def test_it_plays_by_itself_to_the_end_and_stays_there(opened):
    player = opened(Settings.of(n=20), speed=60.0)
    player.until("s.clock.playing || s.t > 0").until("s.t === s.runs.end && !s.clock.playing")
    assert player.js("s.clock.speed") == 60


def test_it_holds_at_its_cues_and_goes_on(opened):
    settings = Settings.of(n=20, cues=CUES)
    run = experiment.run(settings)
    second = int(np.flatnonzero(run.mistake)[1]) + 1
    player = opened(settings, speed=60.0, autoplay=False)
    player.js("""(() => {
      const [noted, held] = [(window.noted = []), (window.held = [])];
      const [put, hold] = [s.put.bind(s), s.hold.bind(s)];
      s.put = (t) => { noted.push([t, performance.now()]); put(t); };
      s.hold = (cue) => { held.push(cue.t); hold(cue); };
      s.toggle(); s.begin();
    })()""")
    player.until("s.t === s.runs.end && !s.clock.playing")
    noted = dict(player.page.evaluate("window.noted"))
    assert sorted(noted) == list(range(run.n_steps + 1)), "it goes through every step"
    assert player.page.evaluate("window.held") == [0, second, run.n_steps], "it holds at the cues, and nowhere else"
    for t in (0, second):
        assert noted[t + 1] - noted[t] >= 390, "for at least their 0.4 seconds, however busy the machine"


def test_play_pressed_while_it_holds_pauses_and_then_goes_on(opened):
    player = opened(Settings.of(cues="start hold 500: Wait."), speed=60.0)
    player.until("s.clock.playing && s.clock.due > performance.now() + 9000").press(" ")
    assert player.js("!s.clock.playing && s.t === 0")
    player.press(" ").until("s.t > 2")


def test_a_loop_begins_anew(opened):
    settings = Settings.of(n=4, noise=0.0, cues="start hold 0.1|end hold 0.1")
    player = opened(settings, loop=True, speed=60.0)
    player.js(
        "(() => { const put = s.put.bind(s); window.starts = 0;"
        " s.put = (t) => { window.starts += t === 0; put(t); }; })()"
    )
    player.until("s.t === s.runs.end").until("window.starts && s.t < s.runs.end")
    assert player.js("s.clock.playing")


def test_who_goes_back_at_the_end_of_a_loop_waits_there_again(opened):
    player = opened(Settings.of(n=4, noise=0.0), loop=True, speed=60.0)
    player.js("""(() => {
      const [put, hold] = [s.put.bind(s), s.clock.hold.bind(s.clock)];
      [window.starts, window.waits] = [0, 0];
      s.put = (t) => { window.starts += t === 0; put(t); };
      s.clock.hold = (time) => { window.waits += 1; hold(time); };
    })()""")
    player.until("s.ended").press("ArrowLeft")
    assert player.js("[s.t === s.runs.end - 1, s.clock.playing]") == [True, False]
    begun, waited = player.page.evaluate("[window.starts, window.waits]")
    player.press(" ").until("window.starts + window.waits > arg", begun + waited)
    assert player.page.evaluate("[window.starts, window.waits]") == [begun, waited + 1]


def test_who_wants_less_motion_starts_it_by_hand(opened):
    player = opened(media={"reduced_motion": "reduce"}, speed=60.0)
    time.sleep(0.4)
    assert player.js("[s.t, s.clock.playing]") == [0, False]
    player.press(" ").until("s.t > 1")
