"""The player at work: steps and pace, prediction, panels, and what it says and keeps."""

import numpy as np
import pytest
from playwright.sync_api import Error

from kpviz import experiment
from kpviz.engine import theory
from kpviz.lessons import explain
from kpviz.settings import Settings

NOISY = Settings.of(noise=0.2, epochs=8)


def neighbour(run, t, grain, way):
    """Where a step leads: the next or previous example, instant after a mistake, or beginning of an epoch."""
    stops = {
        "example": np.arange(run.n_steps + 1),
        "mistake": np.flatnonzero(run.mistake) + 1,
        "epoch": run.epoch_start,
    }[grain]
    if way > 0:
        later = stops[stops > t]
        return int(later[0]) if len(later) else run.n_steps
    earlier = stops[stops < t]
    return int(earlier[-1]) if len(earlier) else 0


# ---- steps and pace -------------------------------------------------------------------------------------------------


def test_three_grains_lead_where_the_record_says(player):
    player.open(f"/?{NOISY.query()}")
    run = experiment.run(NOISY)
    for grain in ("example", "mistake", "epoch"):
        for way in (1, -1):
            script = "arg[0].map((t) => { s.go(t); s.step(arg[1], arg[2]); return s.t; })"
            times = list(range(run.n_steps + 1))
            expected = [neighbour(run, t, grain, way) for t in times]
            assert player.js(script, [times, grain, way]) == expected, (grain, way)
    player.go(30)
    for grain in ("example", "mistake", "epoch"):
        for name, way in (("next", 1), ("next", 1), ("back", -1)):
            expected = neighbour(run, player.t, grain, way)
            player.button(f"{name}-{grain}").click()
            assert player.t == expected
    player.button("end").click()
    assert player.t == run.n_steps
    player.button("start").click()
    assert player.t == 0


def test_playing_goes_to_the_end_and_stops_there(player):
    player.open("/?v=1&t=100")
    play = player.button("play")
    assert play.get_attribute("aria-label") == "Play"
    for _ in range(12):
        player.press("f")
    play.click()
    player.until("s.clock.playing")
    player.until("!s.clock.playing").rest()
    run = experiment.run(Settings.of())
    assert player.t == run.n_steps
    assert play.get_attribute("aria-label") == "Play"
    assert player.sentence.endswith(explain.ending(run))
    play.click()  # from the end it starts again
    player.until("s.clock.playing && s.t > 0 && s.t < 100")
    assert play.get_attribute("aria-label") == "Pause"
    play.click()
    stopped = player.t
    player.rest()
    assert (player.t, player.js("s.clock.playing")) == (stopped, False)


def test_every_step_is_played_once_and_in_order(player):
    player.open("/?v=1&t=60")
    player.js(
        "(() => { s.seen = []; const draw = s.context.clearRect; s.context.clearRect = function (...a) {"
        " s.seen.push(s.t); return draw.apply(this, a); }; s.setSpeed(1); })()"
    )
    player.press(" ").until("!s.clock.playing").rest()
    seen = player.js("s.seen")
    assert seen == sorted(seen)
    assert seen[-1] == 180
    assert len(set(seen)) > 30  # frames show most steps; a slow machine may skip some


def test_speed_stays_within_its_limits(player):
    player.open().press(*["f"] * 14)
    assert player.js("s.clock.speed") == 60
    player.press(*["s"] * 20)
    assert player.js("s.clock.speed") == 0.25
    slider = player.page.locator(".kpviz .bar input[type=range]")
    for value, speed in (("100", 60), ("0", 0.25)):
        slider.fill(value)
        assert player.js("s.clock.speed") == pytest.approx(speed)
    player.until("!s.frames.next")
    assert player.page.locator(".kpviz .bar output").inner_text() == "0.25/s"


def test_nothing_is_sent_to_the_server_while_one_plays_scrubs_or_hovers(player):
    player.open("/?v=1&n=200&noise=0.2")
    player.page.wait_for_load_state("networkidle")
    player.sent.clear()
    player.js("performance.clearResourceTimings()")
    map_, timeline = player.js("[s.layout.panels.map, s.layout.panels.timeline]")
    player.press(*["f"] * 10, " ").until("s.t > 150")
    for k in range(12):
        player.page.mouse.move(*player.at(map_["x"] + 20 + 35 * k, map_["y"] + 40 + 30 * k))
    y = timeline["y"] + timeline["h"] / 2
    player.page.mouse.move(*player.at(timeline["x"] + 30, y))
    player.page.mouse.down()
    player.page.mouse.move(*player.at(timeline["x"] + 900, y), steps=20)
    player.page.mouse.up()
    player.press("ArrowLeft", "PageDown", "ArrowDown", "h", "h", "q", "q", "m", "m").rest()
    player.page.wait_for_url(f"**t={player.t}**")
    assert player.sent == []
    fetched = player.js("performance.getEntriesByType('resource').map((e) => e.name)")
    assert [name for name in fetched if not name.endswith(".png")] == []  # the tab's icon may come late


def test_nothing_grows_while_one_plays(player):
    player.open("/?v=1&predictor=voted&t=180")
    size = """(() => {
        const seen = new Set();
        let entries = 0;
        const walk = (value, depth) => {
          if (value === null || typeof value !== "object" || seen.has(value) || depth > 8) return;
          if (value instanceof Node || value instanceof AbortController || value === window) return;
          seen.add(value);
          if (ArrayBuffer.isView(value)) entries += value.length;
          else if (value instanceof Map || value instanceof Set) {
            entries += value.size;
            value.forEach((one) => walk(one, depth + 1));
          }
          else for (const key of Object.keys(value)) { entries += 1; walk(value[key], depth + 1); }
        };
        walk(s, 0);
        return entries;
      })()"""
    player.js("s.setSpeed(1)")
    sizes = []
    for _ in range(3):
        player.go(160).press(" ").until("s.t === s.run.nSteps && !s.clock.playing").rest()
        sizes.append(player.js(size))
    assert sizes[1] == sizes[2]


def test_slow_motion_shows_the_coming_example_before_its_verdict(player):
    player.open("/?v=1&t=3").press("m", " ").until("s.looking && !!s.board")
    run = experiment.run(Settings.of())
    player.press("m")  # let the rest go on at the usual pace only after the look
    player.js("s.clock.due = Infinity")
    player.until("s.board.panels.some((p) => p.marks.some((m) => m.name === 'sentence' && m.text.includes('next')))")
    coming = int(run.index[player.t])
    own = explain.COLOURS[int(run.y[coming] > 0)]
    assert player.sentence == f"{explain.example(coming)} is shown next, and is {own}. What will the score say?"
    (ring,) = player.marks("map", name="current")
    x, y = player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", coming)
    assert (ring["x"], ring["y"]) == pytest.approx((x, y))


def test_reduced_motion_means_no_motion(player):
    player.wear(reduced_motion="reduce").open().press("PageDown")
    assert player.js("s.motion") is None
    assert player.t == 1
    still = player.press("PageDown").away().rest().picture()
    player.wear(reduced_motion="no-preference").open().press("PageDown").rest()
    assert player.js("(s.step('mistake', 1), s.motion !== null)")
    assert player.rest().away().picture() == still


# ---- predicting -----------------------------------------------------------------------------------------------------


def test_the_answer_to_a_question_does_not_outlive_its_run(player):
    player.open("/?v=1&t=20").press("q", "ArrowLeft").rest()
    assert player.js("s.predict.verdict")
    player.press("n").until("s.run.header.settings.query.includes('seed=1')").rest()
    assert "Which side will f put it on" in player.sentence
    assert player.js("s.predict.answers.size") == 0


# ---- panels ---------------------------------------------------------------------------------------------------------


def test_panels_and_presets_are_part_of_the_link(player):
    player.open("/?v=1&t=3")
    assert [panel["name"] for panel in player.js("s.board.panels.map(({ name }) => ({ name }))")] == [
        "map", "words", "alpha", "margins", "timeline",
    ]  # fmt: skip
    player.press("h")
    menu = player.page.locator(".kpviz .menu.panels")
    menu.get_by_role("button", name="Present").click()
    player.page.wait_for_url("**show=none**")
    assert player.js("s.board.panels.map((p) => p.name).join()") == "map,words,timeline"
    menu.get_by_text("Pseudo-code").click()
    menu.get_by_text("Mistake bounds").click()
    player.page.wait_for_url("**show=bound.code**")
    player.until("s.run.header.extras.bound").rest()
    bound = theory.bounds_of(experiment.run(Settings.of()))[0]
    made = experiment.run(Settings.of()).mistake[:3].sum()
    assert f"At most {int(bound.value)} mistakes; {made} made so far." in player.words("bound")
    assert f"{bound.name}: {bound.formula}" in player.words("bound")
    menu.get_by_role("button", name="Explore").click()
    player.page.wait_for_url(lambda url: "show" not in url)
    menu.get_by_text("Margins divided").click()
    player.page.wait_for_url("**show=alpha.margins.normed.own**")
    assert "‖f‖" in player.words("margins")
    player.reload()
    assert player.js("[...s.shown].sort().join()") == "alpha,margins,normed,own"


# ---- what it says, and what it keeps --------------------------------------------------------------------------------


def test_a_changed_setting_keeps_the_player_and_its_place(player):
    player.open("/?v=1&t=33")
    player.js("(window.kept = s, 0)")
    player.press("g").until("s.run.header.settings.query.includes('sigma')").rest()
    assert player.t == 33
    player.press("End", "Shift+G").until("!s.run.header.settings.query.includes('sigma')").rest()
    assert player.t == player.js("s.run.nSteps")  # the end stays the end
    player.press("o").until("s.run.header.settings.query.includes('shuffled')").rest()
    assert player.t == player.js("s.run.nSteps")
    player.press("n").until("s.run.header.settings.query.includes('seed=1')").rest()
    assert player.t == 0
    player.press("ArrowRight", "d").until("s.run.header.settings.query.includes('circles')").rest()
    assert player.t == 0
    assert player.js("window.kept === s && r.isConnected")


def test_new_data_stop_the_playing_and_new_width_does_not(player):
    player.open("/?v=1&noise=0.2").press(" ").until("s.t > 1").press("g")
    player.until("s.run.header.settings.query.includes('sigma')")
    assert player.js("s.clock.playing")
    player.press("n").until("s.run.header.settings.query.includes('seed=1')").rest()
    assert (player.t, player.js("s.clock.playing")) == (0, False)


# ---- predicting by hand ---------------------------------------------------------------------------------------------


def test_predictions_are_made_by_buttons_and_the_next_question_comes_by_itself(player):
    player.open("/?v=1&t=20").press("q").rest()
    row = player.page.locator(".kpviz .row.predict")
    t, score = player.js("[s.t, s.run.trace.score[s.t]]")
    name = "orange, +1" if score > 0 else "blue, −1"
    row.get_by_role("button", name=name).click()
    assert player.t == t + 1
    player.until("s.predict.phase === 'answered'").rest()
    assert player.sentence.startswith("Right.")
    player.until("s.predict.phase === 'ask' && s.t > arg", t).rest()
    row.get_by_role("button", name="margin").click()
    player.rest().press("2").rest()
    assert player.js("[s.predict.kind, s.predict.answers.size]") == ["margin", 1]
    row.get_by_role("button", name="Next question").click()
    assert player.js("s.predict.phase") == "ask"
    player.press("q").rest()
    assert not row.is_visible()


def test_an_answer_stays_while_somebody_reads_and_where_nothing_is_to_move(player):
    player.wear(reduced_motion="reduce").open("/?v=1&t=20").press("q", "ArrowLeft").rest()
    assert player.js("s.predicting.timer") is None
    player.wear(reduced_motion="no-preference").open("/?v=1&t=20").press("q", "ArrowLeft").rest()
    assert player.js("s.predicting.timer") is not None
    player.js("window.setTimeout = (late, ms) => (ms > 2000 ? ((window.late = late), 1) : requestAnimationFrame(late))")
    player.press("ArrowRight").rest().press("ArrowRight").until("window.late && s.predict.phase === 'answered'")
    # its time is over just as the next question is answered, before a frame shows that
    told = player.js("(s.cursor.nextQuestion(), s.cursor.answer(1), window.late(), [s.predict.phase, s.t])")
    assert told[0] == "answered"


def test_the_answers_have_room_for_a_finger_and_cover_nothing(player):
    player.wear(390, 844).open("/?v=1&t=20").press("q").rest()
    for kind in ("side", "margin"):
        player.page.locator(f".kpviz [data-ask={kind}]").click()
        player.rest()
        boxes = [one.bounding_box() for one in player.page.locator(".kpviz .predict .answers button").all()]
        assert len(boxes) == {"side": 2, "margin": 4}[kind]
        assert all(box["height"] >= 44 and box["width"] >= 80 for box in boxes)
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
        row = player.page.locator(".kpviz .row.predict").bounding_box()
        tabs = player.page.locator(".kpviz .tabs").bounding_box()
        assert row["y"] + row["height"] <= tabs["y"] + 1
        top = player.js("s.canvas.getBoundingClientRect().top")
        assert top + max(mark["y"] for mark in player.marks("words", kind="text")) < 844  # beside map and answers


# ---- how these tests open it ----------------------------------------------------------------------------------------


def test_on_the_page_of_another_test_a_link_is_what_it_is_on_one_of_its_own_unless_more_than_the_stage_changed(player):
    link = "/?v=1&data=moons&noise=0.2&t=30&show=alpha.margins"
    player.page.goto("about:blank")
    alone = player.open(link).numbers(), player.picture(), player.page.locator(".kpviz").inner_text()
    player.open("/?v=1&t=12&pins=1&p1.kernel=linear").press("Shift+E", "n").settle().press("?").rest()
    for change, stays in (("0", True), ("window.changed = 1", False)):
        player.js(change)
        loaded = player.js("performance.timeOrigin")
        player.forget()
        assert (player.open(link).js("performance.timeOrigin") == loaded) == stays
        assert (player.numbers(), player.picture(), player.page.locator(".kpviz").inner_text()) == alone


def test_what_is_asked_for_by_a_name_that_is_not_there_is_an_error(player):
    player.open()
    for name in ("s.nothing", "s.session.socket.nothing", "s.maps[0].nothing"):
        with pytest.raises(Error, match="There is no nothing in"):
            player.until(f"!{name}")
