"""Motion and what is kept of a picture: a step begins with a frame, nothing flashes, and no part is
drawn wrongly.
"""

import base64

import flashes
import numpy as np
import pytest
from contrast import luminance
from driver import MODULES

BROKEN = """async (base) => {
  const { paint } = await import(base + "paint/paint.js");
  const context = new OffscreenCanvas(40, 40).getContext("2d");
  const layers = new Map(), fonts = { canvas: "sans-serif", code: "monospace" };
  const red = (x) => ({ kind: "rect", x, y: 0, w: 20, h: 40, fill: "red" });
  const panel = (name, x, moving, still = []) => {
    const rect = { x, y: 0, w: 20, h: 40 };
    return { name, rect, clip: rect, still, moving };
  };
  const fail = () => { throw new Error("no marks"); };
  const drawn = (moving, key, marks) => {
    const panels = [panel("map", 0, moving, [{ key, marks }]), panel("words", 20, [red(20)])];
    try {
      paint(context, { width: 40, height: 40, panels }, fonts, layers);
      return [10, 30].map((x) => context.getImageData(x, 20, 1, 1).data[0]);
    } catch {
      return "failed";
    }
  };
  return [
    drawn([{ ...red(0), kind: "circle", r: -1 }], "before", () => []),
    drawn([red(0)], "before", () => []),
    drawn([], "after", fail),
    drawn([], "after", () => [red(0)]),
  ];
}"""  # of each frame what is seen of both panels

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
    s.surface.layers.clear();
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


def test_a_frame_that_was_due_before_the_step_shows_it_from_its_beginning(player):
    player.open("/?v=1&data=circles&n=500&noise=0.2")
    shown = player.js(
        "(() => { s.go(0); s.step('mistake', 1); const began = performance.now() - 50;"
        " s.draw(began); const first = s.scenes(began).map.ring, behind = s.scenes(began - "
        "50).map.ring;"
        " return [first, behind, s.scenes(began + 1).map.ring > 0, s.scenes(began + "
        "1e6).map.ring]; })()"
    )
    assert shown == [0, 0, True, None]


def test_at_the_fastest_pace_two_steps_share_a_picture_and_what_is_asked_for_is_drawn_at_the_next_frame(
    player,
):
    player.open("/?v=1&n=200&noise=0.2")
    taken = player.page.locator(".kpviz").evaluate(GAPS, 1000)
    assert taken["playing"]
    assert len(taken["apart"]) > 2
    assert min(taken["apart"]) >= 30
    assert len(taken["asked"]) >= 28
    assert min(taken["asked"]) < 30


def test_what_cannot_be_drawn_leaves_the_next_frame_whole(shared):
    seen = shared.page.evaluate(BROKEN, shared.base + MODULES)
    assert seen == ["failed", [255, 255], "failed", [255, 255]]


@pytest.mark.parametrize(("passing", "made"), [(False, "abcd"), (True, "abccd")])
def test_still_marks_are_kept_in_passing_pictures_from_the_second_frame_on(shared, passing, made):
    drawn = shared.page.evaluate(ONCE, [shared.base + MODULES, passing])
    assert drawn["made"] == made
    red, lime, blue, empty = "255,0,0,128", "0,255,0,128", "0,0,255,128", "0,0,0,0"
    assert drawn["seen"] == [[fill, empty] for fill in (red, lime, blue, blue, blue, red)]


@pytest.mark.parametrize("link", ["data=blobs&n=60&noise=0.4&sigma=0.2", "n=60&show=similar,map"])
def test_what_is_kept_of_a_picture_is_what_would_be_drawn_anew(player, link):
    player.open(f"/?v=1&{link}")
    for act in ACTS.values():
        act(player)
        assert all(player.js(FRAMES))


ARRIVES = """async (base) => {
  const { Surface } = await import(base + "paint/paint.js");
  const surface = new Surface(Object.assign(document.createElement("canvas"), { width: 100, height: 100 }));
  const still = [{ key: "same", marks: () => [] }], rect = { x: 0, y: 0, w: 100, h: 100 };
  const board = { width: 100, height: 100, panels: [{ name: "map", rect, clip: null, still, moving: [] }] };
  surface.arrives = true;
  return [1, 2].map(() => {
    surface.draw(board, {}, 1);
    return surface.layers.get("map0").whole;
  });
}"""  # whether a layer is kept, in the first picture and in the next


def test_the_first_picture_of_a_run_is_drawn_without_layers(shared):
    assert shared.page.evaluate(ARRIVES, shared.base + MODULES) == [False, True]


# ---- nothing flashes -----------------------------------------------------------------------------

CELL, FPS, SECONDS = 16, 30, 2  # px between two places that are looked at
# Frames on a clock of our own, each painted after what a hand does before it; of each, the colours
# of all places.
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
    return flashes.area(luminance(frames), FPS, CELL**2)


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
