"""What one does most with the player, in Firefox and WebKitGTK: what a person sees is what Python
computes.
"""

import contextlib

import numpy as np
import pytest
from pages import written

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings

LINK = "/?v=1&data=moons&n=40&t=12"
TABLE = "u,v,kind\n" + "".join(f"{7 * i % 31},{i * i % 23},{'ab'[i % 2]}\n" for i in range(30))
DROP = """(name, text) => {
  const stage = document.querySelector(".host").shadowRoot.querySelector(".kpviz canvas");
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"])
    stage.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
}"""


def field(player, name, kind):
    return player.page.locator(f".dock [data-field='slider {name}'] input{kind}")


def turn(player, name, share):
    """Drag a slider to a share of its way."""
    slider = field(player, name, "[type=range]")
    x, y, width, height = slider.box()
    now = slider.evaluate("(one) => (one.value - one.min) / (one.max - one.min)")
    mouse, middle = player.page.mouse, y + height / 2
    mouse.move(x + 8 + now * (width - 16), middle)
    mouse.down()
    mouse.move(x + 8 + share * (width - 16), middle)
    mouse.up()
    return player.settle()


def seen(player):
    """How many colours the canvas has, roughly: a blank one has a few."""
    return len(np.unique(player.pixels()[::4, ::4].reshape(-1, 3) // 32, axis=0))


def test_a_link_opens_at_its_step_with_the_numbers_of_python(player):
    player.open(LINK)
    assert player.t == 12
    run = player.agrees()
    assert player.sentence == explain.explain(run, 12).sentence
    assert player.counter.startswith("12 of 40 examples, first epoch")
    assert seen(player) > 20
    _, _, shown, _ = player.reading()
    split = experiment.prepare(player.settings)
    axes = split.extent.axes(96)
    nodes = [(row, column) for row in (0, 17, 48, 95) for column in (0, 31, 64, 95)]
    wanted = run.decision_function(
        np.array([(axes[0][column], axes[1][row]) for row, column in nodes]), 12
    )
    np.testing.assert_allclose(
        [shown[node] for node in nodes], wanted, rtol=0, atol=1e-5 * np.abs(wanted).max()
    )


def test_it_steps_plays_and_stops(player):
    player.open(LINK).press("ArrowRight").rest()
    assert player.t == 13
    player.press("ArrowLeft", "ArrowLeft").rest()
    assert player.t == 11
    player.press("Home").rest()
    assert (player.t, player.counter) == (0, "Not started")
    before = player.picture()
    player.press(" ").until("s.t > 3")
    player.press(" ").until("!s.clock.playing").rest()
    assert player.picture() != before
    play = player.page.locator(".kpviz .bar [data-do=play]")
    play.click()
    player.until("s.clock.playing")
    play.click()
    player.until("!s.clock.playing").press("End").until("s.t === s.runs.end").rest()
    run = player.agrees()
    assert player.counter.endswith(f" · {run.mistake.sum()} mistakes")
    player.press("Home").rest()
    assert player.picture() == before


def test_the_timeline_is_scrubbed(player):
    player.open(LINK)
    box = player.js("s.layout.panels.timeline")
    middle = box["y"] + box["h"] / 2
    player.hold((box["x"] + 0.3 * box["w"], middle), (box["x"] + 0.5 * box["w"], middle))
    there = player.until("s.t > 30").t
    player.hold_to((box["x"] + 0.8 * box["w"], middle)).until("s.t > arg", there)
    player.drop()
    assert player.t > there
    player.agrees()


def test_kernel_and_number_are_changed_in_the_dock_and_undone(player):
    player.open(LINK)
    first = player.numbers()
    player.page.locator(".topbar .settings").click()
    player.page.locator(".dock [data-group=kernel]").click()
    player.until("s.dock.open").settle()
    turn(player, "sigma", 0.8)
    wide = player.settings.sigma
    assert wide > 1
    assert field(player, "sigma", ".number").evaluate(
        "(one) => Number(one.value)"
    ) == pytest.approx(wide, rel=0.01)
    player.agrees()
    player.page.locator(".dock .tiles label >> Linear").click()
    player.until("s.run.header.settings.query.includes('kernel=linear')").settle()
    player.agrees()
    player.press("Escape", "z").settle()
    assert player.settings.sigma == wide
    player.page.evaluate("() => history.back()")
    player.until("s.run.header.settings.query === arg", first[0]).settle()
    assert player.numbers() == first


def test_a_point_is_drawn_where_one_clicks_and_undone(player):
    player.open(LINK).edit()
    first, n = player.numbers(), player.js("s.run.n")
    spot = player.gap()
    player.click(*spot).settle()
    assert player.js("s.run.n") == n + 1
    assert np.hypot(*(player.spots()[-1] - spot)) < 4
    player.agrees()
    player.press("z").settle()
    assert player.numbers() == first


def test_it_asks_and_says_whether_one_was_right(player):
    player.open(LINK).press("q").rest()
    question = player.js("s.root.querySelector('.asking .question').textContent")
    assert "Which side will f put it on" in question
    t, score, shapes = player.js("[s.t, s.run.trace.score[s.t], s.run.header.tokens.shapes]")
    shape = shapes["positive" if score > 0 else "negative"]
    player.page.locator(f".asking button:has(.{shape})").click()
    player.until("s.standing.question.verdict && s.t === arg", t + 1)
    assert player.page.locator(".asking").is_visible()


def test_it_presents_alone_and_fills_the_screen(player):
    player.open(LINK).press("w").until("s.present.on").rest()
    assert not player.page.locator(".kpviz .bar").is_visible()
    assert seen(player) > 20
    player.press("Escape").until("!s.present.on").rest()
    assert player.page.locator(".kpviz .bar").is_visible()
    player.press("v").until("document.fullscreenElement !== null").rest()
    assert player.page.locator(".kpviz canvas").is_visible()
    player.press("v").until("document.fullscreenElement === null").rest()


def test_a_table_that_is_dropped_opens(player):
    player.open(LINK)
    player.page.evaluate(DROP, "mine.csv", TABLE)
    player.until("s.run.header.names.data === 'My own file'").settle()
    assert player.js("[s.run.n, s.t]") == [30, 0]
    player.reload()
    assert player.js("[s.run.header.names.data, s.run.n]") == ["My own file", 30]


def test_the_page_that_plays_itself_plays_from_disk(player, tmp_path):
    settings = Settings.of(data="moons", n=40)
    player.page.goto(written(tmp_path, settings).as_uri())
    player.ready_to_play().until("s.clock.playing && s.t > 2").press(" ").until("!s.clock.playing")
    assert player.sentence
    run = experiment.run(settings)
    player.press("End").until("s.t === arg", run.n_steps).rest()
    assert player.sentence == explain.explain(run, run.n_steps).sentence
    assert seen(player) > 20


def test_in_the_app_one_takes_home_a_picture_of_what_one_sees(in_app):
    in_app.open(LINK)
    in_app.agrees()
    in_app.press("i")
    in_app.page.locator("[data-testid=stDialog] button >> Download PNG").click()
    path = in_app.downloaded()
    assert path.name == "kpviz-moons-gaussian-step-12.png"
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_figure_of_a_document_shows_without_a_server_and_turning_it_wakes_python(alone):
    alone.page.goto(f"{alone.base}words/page.html")
    alone.ready_to_play().until("s.t === 12")
    assert alone.js("s.run.header.names.data") == "Moons"
    assert not alone.js("s.session.socket.ready")
    woken(alone)


def test_a_lesson_opens_without_a_server_and_turning_its_board_wakes_python(alone):
    alone.page.goto(f"{alone.base}lesson-07-width.html")
    alone.ready_to_play().until("s.lesson.open && !s.lesson.arriving")
    assert alone.page.locator(".lesson .task").is_visible()
    assert not alone.js("s.session.socket.ready")
    woken(alone)


def woken(player):
    """The player after a change that only Python knows."""
    player.js("(s.session.command('set', { sigma: 0.25 }), 0)")
    changed = "s.run.header.settings.query.includes('sigma=0.25')"
    for _ in range(5):  # Python comes, and another browser's tests may run beside.
        if player.js(changed):
            break
        with contextlib.suppress(AssertionError):
            player.until(changed)
    player.until(changed)
    player.agrees()
