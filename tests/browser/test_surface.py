"""A surface draws what differs from the board before, in the pixels of the whole board, for marks of every kind."""

import re

import pytest
from driver import MODULES
from test_frontend import FRONTEND

RANDOM = """async ([base, ratio]) => {
  const { Surface } = await import(base + "paint/surface.js");
  const { Pixels } = await import(base + "model/pixels.js");
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


@pytest.mark.parametrize("ratio", [1, 1.25, 2])
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
