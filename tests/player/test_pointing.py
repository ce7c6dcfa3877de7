"""What one points at is what was drawn last: by pixels, by keys, and while a run plays under a
pointer that rests.
"""

import json

import numpy as np
import pytest
from boards import BOARDS, END
from gallery import size
from test_predict import ANSWERED

REACH = 5  # px round a point
LINKS = {
    "many panels": BOARDS["all-panels"] + "&predictor=voted",
    "weights": BOARDS["svm-end"] + "&show=alpha.margins.normed",
    "objects": BOARDS["texts-asked"],
    "features": BOARDS["linear-primal"],
    "side by side": BOARDS["two-runs"],
    "stream": BOARDS["stream"],
    "proofs": BOARDS["kernel-refuted"],
    "curves": BOARDS["curves"],
}

# What each thing that arrows reach tells, and whether the pointer finds it at the place where the
# keys' ring is.
WALKED = """(() => {
  const { PANEL_OBJECTS } = load("panels/index.js");
  const walkable = new Set(Object.values(PANEL_OBJECTS).filter((panel) => "walkable" in panel).map(({ name }) => name));
  s.look();
  return Object.keys(s.layout.panels).filter((panel) => walkable.has(panel.split("-")[0])).map((panel) => {
    s.look();
    const columns = s.targets.columns(panel);
    const every = Math.ceil(columns.length / 12);
    const hits = columns.filter((_, k) => k % every === 0).flatMap(({ length, at }) => [at(0), at(length - 1)]);
    return hits.map((hit) => {
      const told = () => JSON.stringify([s.touch.lines, [...s.touch.hot], s.touch.time]);
      s.point({ px: hit.px, py: hit.py, byKey: true, hit });
      const [byKey, on] = [told(), s.player.pointer.hit.mark];
      s.point({ px: hit.px, py: hit.py });
      const { mark } = s.player.pointer.hit;
      const top = on.target.kind !== mark.target.kind || on.x !== mark.x || on.y !== mark.y;
      return { panel, byKey, byPixel: told(), top, time: s.touch.time, t: s.t };
    });
  }).flat();
})()"""


@pytest.mark.parametrize("name", LINKS)
def test_the_pointer_finds_what_arrows_reach_unless_something_lies_on_it_and_none_is_ahead(
    player, name
):
    player.open(f"/?{LINKS[name]}", size(LINKS[name]))
    walked = player.js(WALKED)
    assert walked
    for thing in walked:
        assert thing["top"] or thing["byPixel"] == thing["byKey"], thing
        assert thing["panel"] == "timeline" or (thing["time"] or 0) <= thing["t"], thing
    assert sum(thing["top"] for thing in walked) < len(walked) / 3


@pytest.mark.parametrize("link", ["t=60&held=0.3", "n=200&noise=0.2&t=300", "data=circles&t=0"])
def test_on_the_map_the_nearest_point_within_reach_is_touched_else_the_place(player, link):
    player.open(f"/?v=1&{link}")
    points = [mark for mark in player.marks("map") if "i" in mark and "r" in mark]
    places = np.array([[mark["x"], mark["y"]] for mark in points])
    rect = player.js("s.layout.panels.map")
    touched = 0
    for px in np.arange(rect["x"] + 3, rect["x"] + rect["w"], 37):
        for py in np.arange(rect["y"] + 3, rect["y"] + rect["h"], 41):
            player.point(px, py)
            hot, probe = player.js("[[...s.touch.hot], s.touch.probe === null]")
            far = np.hypot(*(places - [px, py]).T)
            near = [k for k, mark in enumerate(points) if far[k] < mark["r"] + REACH]
            nearest = {points[k]["i"] for k in near if far[k] == far[near].min()}
            touched += bool(near)
            assert set(hot) == nearest if near else hot == [], (px, py)
            assert near or not probe
    assert touched > 5


# Plays with the pointer on a place, and after each step compares what is pointed at with what is
# drawn.
PLAYED = """(({ panel, steps, speed }) => {
  const { x, y, w, h } = s.layout.panels[panel];
  s.cursor.go(0);
  s.clock.speed = speed;
  s.clock.playing = true;
  const kinds = new Set();
  for (let k = 0; k < steps && s.t < s.run.nSteps; k++) {
    s.point({ px: x + ((0.1 + 0.037 * k) % 1) * w, py: y + ((0.2 + 0.11 * k) % 1) * h });
    s.cursor.step("example", 1);
    s.now += 16;
    s.draw();
    const { hit } = s.player.pointer;
    if (!hit) continue;
    kinds.add(hit.kind);
    const drawn = s.targets.board.panels.find(({ name }) => name === hit.panel);
    if (!drawn) throw new Error(`${hit.panel} is not drawn`);
    const { hot, time } = s.player.touch;
    if ([...hot].some((i) => !(i < s.run.n + s.run.nTest))) throw new Error(`no such example: ${[...hot]}`);
    const mark = { count: null, ...hit.mark };
    const isOther = mark.count !== null && mark.count !== hot.size;
    if (hit.kind === "examples" && isOther) throw new Error(`${mark.count}: ${[...hot]}`);
    if (hit.kind === "brick" && !s.run.alphaOf(hit.index, s.t)) throw new Error(`x${hit.index} has no brick at ${s.t}`);
    const happened = ["mistake", "brick", "hypothesis"].includes(hit.kind);
    if (happened && time > s.t) throw new Error(`${time} is ahead of ${s.t}`);
  }
  s.clock.playing = false;
  s.point(null);
  return [...kinds].sort();
})(arg)"""


def test_while_a_run_plays_under_a_resting_pointer_what_is_told_belongs_to_what_is_drawn(player):
    shown = "alpha.margins.gram.sequence.remembered.primal.lift"
    player.open(f"/?n=40&noise=0.2&epochs=20&predictor=voted&show={shown}&cues=start: A.|40: B.")
    panels = player.js("Object.keys(s.layout.panels)")
    kinds = set()
    for k, panel in enumerate(panels):
        kinds |= set(player.js(PLAYED, {"panel": panel, "steps": 24, "speed": 4 if k % 2 else 60}))
    assert {"example", "brick", "time", "place"} <= kinds, (kinds, panels)


def test_a_bar_that_sinks_in_a_bin_that_is_empty_already_is_not_pointed_at(player):
    player.open("/?n=40&noise=0.2&epochs=20&show=margins")
    for speed in (4, 60):
        kinds = player.js(PLAYED, {"panel": "margins", "steps": 120, "speed": speed})
        assert {"example", "examples", "words"} <= set(kinds)


@pytest.mark.parametrize("name", ["many panels", "side by side"])
def test_those_that_only_paint_get_nothing_that_one_could_point_at(player, name):
    player.open(f"/?{LINKS[name]}")
    marks = player.js(
        "s.board.panels.flatMap(({ marks }) => marks).map((mark) => "
        "Object.keys(mark).concat(mark.kind))"
    )
    assert len(marks) > 100
    assert not {"target", "words", "area"} & {key for keys in marks for key in keys}
    assert "area" in json.dumps(
        player.js("s.board.panels.flatMap((panel) => panel.moving).map(({ kind }) => kind)")
    )


def test_nothing_is_pointed_at_in_a_panel_that_is_hidden_while_one_predicts(player):
    player.open("/?t=40&show=alpha.margins").press("q").js(ANSWERED)  # Then f is hidden.
    player.rest()
    rect = player.js("s.layout.panels.margins")
    for across in np.linspace(0.02, 0.98, 25):
        player.point(rect["x"] + across * rect["w"], rect["y"] + rect["h"] / 2)
        assert player.js("[s.touch.lines, [...s.touch.hot]]") == [[], []]
    assert player.js("(s.look(), s.targets.columns('margins').length)") == 0


def test_on_the_gram_matrix_of_a_thousand_examples_no_cell_is_made_before_one_stops_there(player):
    player.open(f"/?n=300&epochs=1&show=gram&t={END}")
    player.js("(s.look(), 0)")
    columns = player.js("s.targets.columns('gram').map(({ length }) => length)")
    assert columns == [300] * 301
    assert player.js("s.targets.columns('gram')[7].at(250).part") == 250 * 300 + 7
