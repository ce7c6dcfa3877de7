"""Motion and what is kept of a picture: a step begins with a frame, nothing flashes, and no part is drawn wrongly."""

import base64
import re
from contextlib import contextmanager

import flashes
import numpy as np
import pytest
from driver import MODULES
from test_frontend import FRONTEND

LINK = "v=1&data=circles&n=500&noise=0.2"
THROTTLED = 8  # times slower than this machine
PLAYED = 3  # steps
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
  for (let frame = 0; frame < 2; frame++) {
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


@pytest.mark.parametrize("link", ["data=blobs&n=60&noise=0.4&sigma=0.2", "n=60&show=similar,map"])
def test_what_is_kept_of_a_picture_is_what_would_be_drawn_anew(player, link):
    player.open(f"/?v=1&{link}")
    for act in ACTS.values():
        act(player)
        assert all(player.js(FRAMES))


# ---- only what differs is drawn -------------------------------------------------------------------------------------

RANDOM = """async ([base, ratio]) => {
  const { Surface } = await import(base + "paint/surface.js");
  const { Pixels } = await import(base + "model/colors.js");
  const { widthOf } = await import(base + "model/measure.js");
  const fonts = { canvas: "sans-serif", code: "monospace" }, [W, H] = [400, 300];
  let seed = 7;
  const share = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const upTo = (most) => most * share(), of = (values) => values[Math.floor(upTo(values.length))];
  const look = () => ({ fill: of(["#d66", undefined]), stroke: "#246", width: of([1, 2.5, 5]), alpha: of([1, 0.5]) });
  const points = () => Array.from({ length: 8 }, (_, k) => upTo(90) + (k % 2 ? 40 : 60));
  const image = new Pixels(4, 4);
  const MARKS = {
    image: () => ({ image: image.touch(), w: 30, h: upTo(30) }),
    rect: () => ({ ...look(), w: upTo(50), h: upTo(50), radius: of([0, 4]) }),
    rects: () => ({ points: points(), w: 3.5, h: upTo(9), fill: "#282" }),
    circle: () => ({ ...look(), r: 3 + upTo(20) }),
    square: () => ({ ...look(), r: 3 + upTo(20) }),
    ellipse: () => ({ ...look(), rx: 5 + upTo(40), ry: 5 + upTo(20), dash: [4, 3] }),
    line: () => ({ ...look(), points: points() }),
    lines: () => ({ ...look(), lines: [points(), points()] }),
    polygon: () => ({ ...look(), points: points() }),
    spotlight: () => ({ r: 9 + upTo(60), w: W, h: H, fill: "#202020", alpha: 0.4 }),
    text: () => ({
      text: of(["Ångström", "f(x₁₂) = −0.37", "WWW"]), fill: "#111", size: 9 + upTo(20), weight: of([400, 600]),
      align: of(["left", "center", "right"]), baseline: of(["alphabetic", "middle"]), halo: of(["#fff", undefined]),
      code: of([true, false]),
    }),
  };
  const mark = (kind) => ({ kind, x: upTo(W), y: upTo(H), ...MARKS[kind]() });
  const common = Object.keys(MARKS).filter((kind) => kind !== "spotlight");
  const some = (length) => Array.from({ length }, () => mark(of(common)));
  const rects = [{ x: 10.5, y: 10, w: 180.2, h: 200 }, { x: 210, y: 40.7, w: 150, h: 220 }];
  let panels = rects.map((rect, k) => {
    const marks = some(4);
    return { name: `p${k}`, rect, clip: k ? null : rect, still: [{ key: "0", marks: () => marks }], moving: some(6) };
  });
  const other = (panel, kind, turn) => {
    const moving = panel.moving.map((old) => (share() < 0.2 ? mark(kind) : { ...old }));
    if (share() < 0.4) moving.splice(upTo(moving.length), of([0, 1]), mark(kind));
    const [{ key, marks, upTo: cut }] = panel.still, fresh = some(4);
    const another = { key: `${turn}`, marks: () => fresh, upTo: of([undefined, 90]) };
    const still = share() < 0.3 ? another : { key, marks, upTo: cut };
    if (still.upTo !== undefined) still.upTo += upTo(40);
    return { ...panel, still: [still], moving };
  };
  const size = { width: W * ratio, height: H * ratio };
  const surface = () => new Surface(Object.assign(document.createElement("canvas"), size), widthOf);
  const pixels = ({ context }) => context.getImageData(0, 0, size.width, size.height).data;
  const kept = surface(), seen = {}, parts = [];
  for (const kind of Object.keys(MARKS)) {
    seen[kind] = 0;
    for (let turn = 0; turn < 12; turn++) {
      panels = panels.map((panel) => (share() < 0.6 ? other(panel, kind, kind + turn) : panel));
      const board = { width: W, height: H, ground: "#eee", panels }, fresh = surface();
      let clears = 0;
      const clear = kept.context.clearRect;
      kept.context.clearRect = function (...given) { clears += 1; clear.apply(this, given); };
      kept.draw(board, fonts, { ratio, motion: true });
      delete kept.context.clearRect;
      parts.push(clears);
      fresh.draw(board, fonts, { ratio, motion: false });
      const [one, two] = [kept, fresh].map(pixels);
      for (let k = 0; k < one.length; k++) if (one[k] !== two[k]) seen[kind] += 1;
    }
    panels = panels.map((panel) => ({ ...panel, moving: some(6) }));
  }
  return { seen, parts };
}"""

QUIET = """async (base) => {
  const { Surface } = await import(base + "paint/surface.js");
  const surface = new Surface(Object.assign(document.createElement("canvas"), { width: 100, height: 100 }), () => 0);
  const calls = [], rect = { x: 0, y: 0, w: 100, h: 100 };
  const clear = surface.context.clearRect.bind(surface.context);
  surface.context.clearRect = (...given) => (calls.push(given), clear(...given));
  const draw = (x) => {
    const moving = [{ kind: "circle", x, y: 20, r: 5, fill: "red" }];
    const still = [{ key: "same", marks: () => [] }];
    const panels = [{ name: "map", rect, clip: null, still, moving }];
    surface.draw({ width: 100, height: 100, panels }, {}, { ratio: 1, motion: true });
    return calls.splice(0).length;
  };
  const drawn = [draw(20), draw(20), draw(30)];
  surface.forget();
  return [...drawn, draw(30)];
}"""

ARRIVES = """async (base) => {
  const { Surface } = await import(base + "paint/surface.js");
  const surface = new Surface(Object.assign(document.createElement("canvas"), { width: 100, height: 100 }), () => 0);
  const still = [{ key: "same", marks: () => [] }], rect = { x: 0, y: 0, w: 100, h: 100 };
  const board = { width: 100, height: 100, panels: [{ name: "map", rect, clip: null, still, moving: [] }] };
  surface.arrives = true;
  return [1, 2].map(() => {
    surface.draw(board, {}, { ratio: 1, motion: false });
    return surface.layers.get("map0").whole;
  });
}"""  # whether a layer is kept, in the first picture and in the next


@pytest.mark.parametrize("ratio", [1, 1.25])
def test_what_differs_is_drawn_as_the_whole_board_would_be(shared, ratio):
    drawn = shared.page.evaluate(RANDOM, [shared.base + MODULES, ratio])
    assert drawn["seen"] == dict.fromkeys(drawn["seen"], 0)
    assert sum(parts > 1 for parts in drawn["parts"]) > len(drawn["parts"]) / 3
    assert set(drawn["seen"]) == set(re.findall(r'^  kind: "(\w+)";', marks_of_the_types(), re.MULTILINE))


def test_a_board_that_is_drawn_again_costs_nothing(shared):
    assert shared.page.evaluate(QUIET, shared.base + MODULES) == [1, 0, 1, 1]


def test_the_first_picture_of_a_run_is_drawn_without_layers(shared):
    assert shared.page.evaluate(ARRIVES, shared.base + MODULES) == [False, True]


def marks_of_the_types():
    source = (FRONTEND / "types.d.ts").read_text(encoding="utf-8")
    return source[source.index("interface Drawn extends") : source.index("export type Mark =")]


# ---- nothing flashes ------------------------------------------------------------------------------------------------

CELL, FPS, SECONDS = 16, 30, 2  # px between two places that are looked at
# Frames on a clock of our own, each painted after what a hand does before it; of each, the colours of all places.
HANDS = """(() => {
  const [columns, rows] = [s.canvas.clientWidth, s.canvas.clientHeight].map((length) => Math.floor(length / arg.cell));
  const small = new OffscreenCanvas(columns, rows).getContext("2d", { willReadFrequently: true });
  small.imageSmoothingEnabled = false;
  const began = performance.now();
  const bytes = new Uint8Array(arg.frames * rows * columns * 3);
  s.canvas.setPointerCapture = () => {};
  const hands = {
    key: (k) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: arg.key, repeat: k > 0, bubbles: true, composed: true })),
    drag: (k) => {
      const { x, y, w, h } = s.player.layout.panels.timeline, box = s.canvas.getBoundingClientRect();
      const share = 0.5 + 0.45 * Math.sin((2 * Math.PI * arg.turns * k) / arg.fps);
      const at = { clientX: box.x + x + share * w, clientY: box.y + y + h - 6, isPrimary: true, pointerId: 1 };
      s.canvas.dispatchEvent(new PointerEvent(k ? "pointermove" : "pointerdown", { ...at, button: 0 }));
    },
  };
  let at = 0;
  for (let k = 0; k < arg.frames; k++) {
    hands[arg.hand](k);
    s.draw(began + (1000 * k) / arg.fps);
    small.fillStyle = "white";
    small.fillRect(0, 0, columns, rows);
    small.drawImage(s.canvas, 0, 0, columns, rows);
    const { data } = small.getImageData(0, 0, columns, rows);
    for (let p = 0; p < data.length; p += 4, at += 3) bytes.set(data.subarray(p, p + 3), at);
  }
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return [rows, columns, btoa(text)];
})()"""
FRAMES = {"cell": CELL, "frames": SECONDS * FPS, "fps": FPS}
HELD = {"hand": "key", "key": "ArrowRight"}
DRAGGED = {"hand": "drag", "turns": 4}


def flashing(player, how):
    """The px² that flash side by side."""
    rows, columns, text = player.js(HANDS, FRAMES | how)
    frames = np.frombuffer(base64.b64decode(text), dtype=np.uint8).reshape(-1, rows, columns, 3)
    return flashes.area(flashes.luminance(frames), FPS, CELL**2)


@pytest.mark.parametrize(
    ("link", "how"),
    [
        ("learner=norma&kernel=linear", HELD),
        ("kernel=linear&pins=1&p1.kernel=rbf", DRAGGED),
    ],
)
def test_nothing_flashes_while_a_hand_goes_fast(player, link, how):
    player.open(f"/?v=1&{link}")
    assert flashing(player, how) < flashes.AREA
    assert player.t != 0


def test_a_switch_whose_key_is_held_turns_once(player):
    player.open("/?v=1&t=40&kernel=linear")
    assert flashing(player, HELD | {"key": "e"}) < flashes.AREA
    assert player.js("s.player.shown.has('similar')")


def test_who_stops_sees_the_field_itself(player):
    player.open("/?v=1&kernel=linear")
    assert player.js(f"({HANDS}, s.scenes(0).map.shownField !== s.run.reading(s.t).field)", FRAMES | HELD)
    player.rest()
    assert player.js("s.scenes().map.shownField === s.run.reading(s.t).field")
