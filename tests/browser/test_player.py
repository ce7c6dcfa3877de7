"""The player at work: steps and pace, prediction, and what it keeps."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings

# ---- steps and pace ------------------------------------------------------------------------------


def test_buttons_lead_by_three_grains_and_to_both_ends(player):
    run = experiment.run(Settings.of())
    later = [t for t in (np.flatnonzero(run.mistake) + 1).tolist() if t > 30]
    stops = {
        "example": (31, 32, 31),
        "mistake": (later[0], later[1], later[0]),
        "epoch": (60, 120, 60),
    }
    player.open()
    for grain, times in stops.items():
        player.go(30)
        for name, t in zip(("next", "next", "back"), times, strict=True):
            player.button(f"{name}-{grain}").click()
            assert player.t == t, (name, grain)
    for name, t, ended in (("end", run.n_steps, "next"), ("start", 0, "back")):
        player.more(name)
        assert player.rest().t == t
        for grain in stops:
            for way in ("next", "back"):
                button = player.page.locator(f".kpviz .bar [data-do={way}-{grain}]").first
                disabled = button.get_attribute("aria-disabled")
                assert disabled == str(way == ended).lower(), (way, grain)


def test_playing_goes_through_the_steps_in_order_to_the_end_and_stops_there(player):
    player.open("/?v=1&t=60").js(
        "(() => { window.times = []; const draw = s.context.clearRect; s.context.clearRect = "
        "function (...a) {"
        " window.times.push(s.t); return draw.apply(this, a); }; })()"
    )
    play = player.button("play")
    assert play.get_attribute("aria-label") == "Play"
    player.pace(60)
    play.click()
    player.until("s.clock.playing")
    player.until_paused()
    seen = player.js("window.times")
    assert seen == sorted(seen)
    assert len(set(seen)) > 30  # frames show most steps; a slow machine may skip some
    run = experiment.run(Settings.of())
    assert player.t == run.n_steps
    assert play.get_attribute("aria-label") == "Play again"
    assert player.sentence.startswith(explain.ending(run))
    play.click()  # from the end it starts again
    player.until("s.clock.playing && s.t > 0 && s.t < 100")
    assert play.get_attribute("aria-label") == "Pause"
    play.click()
    stopped = player.t
    player.rest()
    assert (player.t, player.playing) == (stopped, False)


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


def test_reduced_motion_means_no_motion(player):
    player.wear(reduced_motion="reduce").open().press("PageDown")
    assert player.js("s.motion") is None
    assert player.t == 1
    still = player.press("PageDown").away().rest().picture()
    player.wear(reduced_motion="no-preference").anew().press("PageDown").rest()
    assert player.js("(s.step('mistake', 1), s.motion !== null)")
    assert player.rest().away().picture() == still


def test_a_changed_setting_keeps_the_player_and_its_place_and_new_data_stop_the_playing(player):
    player.open("/?v=1&t=33")
    player.js("(window.kept = s, 0)")
    player.press("g").until_set("sigma")
    assert player.t == 33
    player.press("End", "Shift+G").until_query("v=1")
    assert player.t == player.js("s.run.nSteps")  # the end stays the end
    player.press("o").until_set("shuffled")
    assert player.t == player.js("s.run.nSteps")
    player.press("n").until_set("seed=1")
    assert player.t == 0
    player.press("ArrowRight", "d").until_set("circles")
    assert player.t == 0
    assert player.js("window.kept === s && r.isConnected")
    player.anew("/?v=1&noise=0.2").press(" ").until("s.t > 1").press("g")
    player.until("s.run.header.settings.query.includes('sigma')")
    assert player.playing
    player.press("n").until_set("seed=1")
    assert (player.t, player.playing) == (0, False)


# ---- predicting ----------------------------------------------------------------------------------


def test_one_guesses_by_large_answers_in_the_place_of_the_board(player):
    player.open("/?v=1&t=20").press("q").rest()
    box = player.page.locator(".kpviz .asking")
    t, score = player.js("[s.t, s.run.trace.score[s.t]]")
    example = explain.example(int(player.js("s.run.trace.index[s.t]")))
    question = f"{example} comes next. Which side will f put it on?"
    assert box.locator(".question").text_content() == question
    assert player.spoken == question
    for away in (".bar", ".knob", ".tools"):
        assert not player.page.locator(f".kpviz {away}").is_visible()
    assert set(player.js("Object.keys(s.layout.panels)")) == {"map", "strip", "axis", "gutter"}
    answers = box.locator(".answers button")
    assert [words.strip() for words in answers.all_inner_texts()] == ["orange", "blue"]
    answers.nth(0 if score > 0 else 1).focus()
    player.press("Enter")
    assert player.t == t + 1
    player.until("s.standing.question.phase === 'answered'").rest()
    told = box.locator(".told").text_content()
    assert (
        told == f"You were right. {explain.explain(experiment.run(Settings.of()), t + 1).sentence}"
    )
    assert player.spoken == told
    assert [
        ("right" in one, "left" in one)
        for one in player.js(
            "[...s.root.querySelectorAll('.answers button')].map((one) => [...one.classList])"
        )
    ] == [(score > 0, score < 0), (score < 0, score > 0)]
    assert player.js("s.root.getRootNode().activeElement.textContent") == "Next"
    player.press("Enter").rest()
    assert player.js("s.standing.question.phase") == "ask"
    assert answers.first.evaluate("(button) => button.matches(':focus')")
    assert not box.locator(".told").is_visible()
    box.get_by_role("button", name="margin").click()
    player.rest().press("2").rest()
    assert player.js("[s.standing.question.kind, s.standing.question.answers.size]") == [
        "margin",
        1,
    ]
    box.get_by_role("button", name="Next").click()
    assert player.js("s.standing.question.phase") == "ask"
    box.get_by_role("button", name="Stop guessing").click()
    player.rest()
    assert not box.is_visible()
    assert player.page.locator(".kpviz .bar").is_visible()
    player.press("q", "2").rest()
    assert player.js("s.standing.question.answers.size") > 0
    player.press("n").until_set("seed=1")  # an answer does not outlive its run
    assert player.js("[s.standing.question.phase, s.standing.question.answers.size]") == ["ask", 0]


@pytest.mark.parametrize("size", [(844, 390), (683, 384)], ids=str)
def test_in_a_low_window_the_two_that_one_may_guess_have_their_words(player, size):
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.open("/?v=1&t=12").press("q").rest()
    assert player.page.locator(".asking .kinds").inner_text().split() == [
        *("Guess", "the"),
        *("side", "margin"),
    ]
    boxes = [player.box(f".asking .foot > {css}") for css in (".stops", ".kinds")]
    assert boxes[0][2] < boxes[1][0]
    assert boxes[0][3] > boxes[1][1], "they are in one row"


def test_the_first_guesses_see_the_ground_and_those_after_them_do_not(player):
    player.open("/?v=1&t=4").press("q").rest()
    for count in range(6):
        assert player.js("s.standing.question.answers.size") == count
        hidden = count >= 4
        assert (player.marks("map", name="boundary") == []) == hidden
        x, y, w, h = (player.panel("map")[side] for side in "xywh")
        player.point(x + w / 3, y + h / 3)
        assert not [line for line in player.js("s.touch.lines") if "f = " in line]
        player.press("ArrowLeft").rest().press("ArrowRight").rest()


def test_an_answer_stays_until_one_goes_on(player):
    player.open("/?v=1&t=20")
    # What would come after some time by itself comes at once.
    player.js("(window.setTimeout = (act) => requestAnimationFrame(act), 0)")
    asked_at = player.press("q").rest().t
    player.press("ArrowLeft").rest()
    assert player.js("[s.standing.question.phase, s.t]") == ["answered", asked_at + 1]
    assert player.press("Enter").rest().js("s.standing.question.phase") == "ask"
