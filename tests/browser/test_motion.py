"""A step that is shown happening begins with a frame, on the clock of frames; a frame that fails spoils no other."""

from contextlib import contextmanager

import pytest
from driver import MODULES

from kpviz.settings import from_query

LINK = "v=1&data=circles&n=500&noise=0.2"
THROTTLED = 8  # times slower than this machine
PLAYED = 5  # steps
FOLDING = """(() => {
  const beat = s.beat.bind(s);
  s.beat = () => {
    for (const until = performance.now() + arg; performance.now() < until; );
    return beat();
  };
})()"""  # a step that takes some ms to fold

PAINTED = """async (base) => {
  const { paint } = await import(base + "paint/paint.js");
  const context = new OffscreenCanvas(40, 40).getContext("2d");
  const panel = (name, x, mark) => {
    const rect = { x, y: 0, w: 20, h: 40 };
    return { name, rect, clip: rect, still: [], moving: [{ x, y: 0, w: 20, h: 40, fill: "red", ...mark }] };
  };
  const words = panel("words", 20, { kind: "rect" });
  const board = (mark) => ({ width: 40, height: 40, panels: [panel("map", 0, mark), words] });
  const fonts = { canvas: "sans-serif", code: "monospace" };
  let failed = false;
  try {
    paint(context, board({ kind: "circle", r: -1 }), fonts, new Map());
  } catch {
    failed = true;
  }
  paint(context, board({ kind: "rect" }), fonts, new Map());
  return [failed, ...[10, 30].map((x) => context.getImageData(x, 20, 1, 1).data[0])];
}"""

STILL = """async (base) => {
  const { paint } = await import(base + "paint/paint.js");
  const context = new OffscreenCanvas(40, 40).getContext("2d");
  const layers = new Map(), rect = { x: 0, y: 0, w: 40, h: 40 };
  const panel = (still) => ({ name: "map", rect, clip: null, still: [still], moving: [] });
  const still = (key, marks) => ({ width: 40, height: 40, panels: [panel({ key, marks })] });
  const red = () => [{ kind: "rect", x: 0, y: 0, w: 40, h: 40, fill: "red" }];
  const fail = () => { throw new Error("no marks"); };
  paint(context, still("before", red), {}, layers);
  try {
    paint(context, still("after", fail), {}, layers);
  } catch {
    // that is what this is about
  }
  paint(context, still("after", red), {}, layers);
  return context.getImageData(20, 20, 1, 1).data[0];
}"""

ONCE = """async ([base, passing]) => {
  const { paint } = await import(base + "paint/paint.js");
  const context = new OffscreenCanvas(40, 40).getContext("2d");
  const layers = new Map(), rect = { x: 0, y: 0, w: 40, h: 40 };
  const shade = (fill) => [{ kind: "rect", x: 0, y: 0, w: 40, h: 40, fill, alpha: 0.5 }];
  const still = (key, fill) => ({ key, upTo: 20, marks: () => (made.push(key), shade(fill)) });
  const made = [], seen = [];
  for (const [key, fill] of [["a", "red"], ["b", "lime"], ["c", "blue"], ["c", "blue"], ["c", "blue"], ["d", "red"]]) {
    const panel = { name: "map", rect, clip: null, still: [still(key, fill)], moving: [] };
    paint(context, { width: 40, height: 40, panels: [panel] }, {}, layers, passing);
    seen.push([10, 30].map((x) => context.getImageData(x, 20, 1, 1).data.join()));
  }
  return { made: made.join(""), seen };
}"""  # still marks of several keys, as far as x = 20

FRAMES = """(async () => {
  const alike = [];
  const pixels = () => s.context.getImageData(0, 0, s.canvas.width, s.canvas.height).data.buffer;
  for (let frame = 0; frame < 4; frame++) {
    const now = await new Promise(requestAnimationFrame);
    s.draw(now);
    const kept = new Uint32Array(pixels());
    s.surface.forget();
    s.canvas.width = s.canvas.width;
    s.draw(now);
    alike.push(new Uint32Array(pixels()).every((pixel, k) => pixel === kept[k]));
  }
  return alike;
})()"""  # whether each is the picture that a canvas without a past shows
PLAY_FAST = "(s.go(0), s.clock.speed = 60, s.toggle())"
ACTS = {
    "playing": lambda player: player.js(PLAY_FAST),
    "another theme": lambda player: player.page.emulate_media(color_scheme="dark"),
    "another size": lambda player: player.page.set_viewport_size({"width": 1200, "height": 700}),
    "stopping": lambda player: player.js("s.go(s.t)"),
    "pointing": lambda player: player.page.mouse.move(300, 300),
    "jumping": lambda player: player.js("(s.go(0), s.go(40))"),
}  # one after the other


GAPS = """async (root, ms) => {
  const stage = root.kpviz, { cursor, clock } = stage.player, { draw } = stage;
  const drawn = [];
  stage.draw = (now) => (drawn.push(now), draw.call(stage, now));
  cursor.setSpeed(1);
  cursor.toggle();
  await new Promise((done) => setTimeout(done, ms));
  const apart = drawn.slice(1).map((now, k) => now - drawn[k]);
  drawn.length = 0;
  for (let k = 0; k < 30; k++) {
    stage.redraw();
    await new Promise(requestAnimationFrame);
  }
  const asked = drawn.slice(1).map((now, k) => now - drawn[k]);
  const playing = clock.playing;
  stage.draw = draw;
  cursor.toggle();
  return { apart, asked, playing };
}"""


@contextmanager
def slowed(page):
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    try:
        yield
    finally:
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        session.detach()


def played(player):
    """The picture after some steps were played slowly, each mistake shown happening."""
    with slowed(player.page):
        player.js(FOLDING, 100)
        player.js("(s.go(0), s.clock.speed = s.clock.limits.bumps_up_to, s.toggle())")
        player.until("s.t >= arg", PLAYED)
    player.js("s.go(s.t)")
    player.until("!s.frames.next")
    return player.picture()


def drawn_anew(player):
    """The picture of the instant on a canvas without a past."""
    player.js("(s.surface.forget(), s.canvas.width = s.canvas.width, s.draw())")
    return player.picture()


def test_a_frame_that_was_due_before_the_step_shows_it_from_its_beginning(player):
    player.open(f"/?{LINK}")
    shown = player.js(
        "(() => { s.go(0); s.step('mistake', 1); const began = performance.now() - 50;"
        " s.draw(began); const first = s.scenes(began).map.ring, behind = s.scenes(began - 50).map.ring;"
        " return [first, behind, s.scenes(began + 1).map.ring > 0, s.scenes(began + 1e6).map.ring]; })()"
    )
    assert shown == [0, 0, True, None]


def test_at_the_fastest_pace_two_steps_share_a_picture_and_what_is_asked_for_is_drawn_at_the_next_frame(player):
    player.open("/?v=1&n=200&noise=0.2")
    taken = player.page.locator(".kpviz").evaluate(GAPS, 1000)
    assert taken["playing"]
    assert len(taken["apart"]) > 2
    assert min(taken["apart"]) >= 30
    assert len(taken["asked"]) >= 28
    assert min(taken["asked"]) < 30


def test_a_mark_that_cannot_be_drawn_leaves_the_next_frame_whole(shared):
    assert shared.page.evaluate(PAINTED, shared.base + MODULES) == [True, 255, 255]


@pytest.mark.parametrize(("passing", "made"), [(False, "abcd"), (True, "abccd")])
def test_still_marks_are_kept_in_passing_pictures_from_the_second_frame_on(shared, passing, made):
    drawn = shared.page.evaluate(ONCE, [shared.base + MODULES, passing])
    assert drawn["made"] == made
    red, lime, blue, empty = "255,0,0,128", "0,255,0,128", "0,0,255,128", "0,0,0,0"
    assert drawn["seen"] == [[fill, empty] for fill in (red, lime, blue, blue, blue, red)]


def test_a_layer_that_could_not_be_drawn_is_drawn_again(shared):
    assert shared.page.evaluate(STILL, shared.base + MODULES) == 255


def test_a_slow_computer_plays_without_losing_a_panel(player):
    assert played(player.open(f"/?{LINK}")) == drawn_anew(player)
    assert player.errors == []


def test_on_a_slow_computer_the_page_that_plays_itself_loses_none_either(opened):
    page = opened(from_query(LINK)[0], autoplay=False)
    assert played(page) == drawn_anew(page)


@pytest.mark.parametrize("link", ["data=blobs&n=60&noise=0.4&sigma=0.2", "n=60&show=similar,map"])
def test_what_is_kept_of_a_picture_is_what_would_be_drawn_anew(player, link):
    player.open(f"/?v=1&{link}")
    for act in ACTS.values():
        act(player)
        assert all(player.js(FRAMES))
    assert player.errors == []
