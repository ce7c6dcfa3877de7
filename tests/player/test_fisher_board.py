"""Fisher's board in windows of all sizes: what is written can be read and covers nothing, J and what
it is made of are drawn as they are, and no bar is too low to be seen.
"""

import pytest
from board_laws import room_in
from gallery import SIZES as STAGES
from test_layouts import SIDES

from kpviz import tokens
from kpviz.engine.fisher.data import SETS

MANY = [name for name in SETS if SETS[name].many]
LINKS = [
    f"v=1&data={name}" for name in ("clouds", "shifted", "xor", "iris", "breast_cancer", *MANY)
]
ANGLES = [None, 0, 180, 262.5]  # None is where the data open.
LAWS = """((sizes, angles) => {
  const { boxOf, overlap } = load("paint/measure.js");
  const faults = [];
  let place = "";
  const wrong = (...what) => faults.push(`${place}: ${what.join(" ")}`);
  const { fonts } = s.palette;
  const numbers = (mark) => Object.values(mark).filter((value) => typeof value === "number");

  const isTiny = () => s.size.width < 320; // At 400 % the sentence has one line in view.
  // On a stage the sentence may need a line more than it has.
  const texts = ({ name, rect, marks }) => {
    if ((isTiny() || s.player.bare) && name === "words") return [];
    if (name === "strip" && rect.w < 360 && !/^(orange|blue)/.test(s.run.classTitle(0))) return [];
    const boxes = marks
      .filter(({ kind, text }) => kind === "text" && text.trim())
      .map((mark) => ({ ...boxOf(mark, fonts), mark }));
    boxes.forEach((one, k) => {
      const { text, size } = one.mark;
      const isIndex = /^[WBTK₀-₉+−⁻¹]+$/.test(text);
      if (size < (isIndex ? 8 : 12) - 1e-6) wrong("small", name, text, size);
      if (one.x < rect.x - 2 || one.x + one.w > rect.x + rect.w + 2) wrong("beyond", name, text);
      if (one.y < rect.y - 3 || one.y + one.h > rect.y + rect.h + 3) wrong("beyond", name, text);
      for (const other of boxes.slice(k + 1)) if (overlap(one, other)) wrong("over", name, text, other.mark.text);
    });
    return boxes;
  };

  const map = ({ rect, marks }, boxes) => {
    const points = marks.filter(({ i, r, name }) => i !== undefined && r && !["foot", "wrong"].includes(name));
    for (const { mark, ...box } of boxes) for (const { x, y, r, i } of points) {
      const gap = Math.max(box.x - x, x - box.x - box.w, box.y - y, y - box.y - box.h);
      if (gap < r - 1.5) wrong("on a point", mark.text, i);
    }
    if (!isTiny() && boxes.length !== s.run.counts.length + 1) wrong("a name is missing");
  };

  const timeline = ({ marks }, boxes) => {
    const { points } = marks.find(({ name }) => name === "curve");
    const box = boxes.find(({ mark }) => mark.name === "best-name");
    if (!box) return;
    for (let k = 0; k < points.length; k += 2) {
      const [x, y] = [points[k], points[k + 1]];
      if (x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h) return wrong("the curve is on the best J");
    }
  };

  const projections = ({ marks }) => {
    const bars = marks.filter(({ bin, h }) => bin !== undefined && h > 0);
    const lanes = s.run.counts.map((_, k) => bars.filter((bar) => bar.class === k));
    const highest = Math.max(...bars.map(({ h }) => h));
    if (highest < 11) wrong("low bars", highest);
    if (lanes.some((lane) => !lane.length)) wrong("a class without a bar");
  };

  const criterion = ({ rect, marks }) => {
    const now = s.run.reading(s.t);
    const bar = (name) => marks.find((mark) => mark.name === name);
    const [between, within] = ["between", "within"].map(bar);
    if (between.value !== now.between || within.value !== now.within) wrong("other numbers");
    if (Math.abs(between.w * within.value - within.w * between.value) > 2 * Math.max(between.value, within.value)) wrong("no fraction");
    const best = marks.filter(({ name }) => name === "best").map(({ points }) => points[0]);
    const share = bar("now").w / (Math.max(...best) - rect.x);
    const J = s.run.reading(s.run.angleOf("best")).J;
    if (bar("now").w > 1 && Math.abs(share - now.J / J) > 0.01) wrong("J is not there", share, now.J / J);
    const r = s.run.many ? s.run.counts.length - 1 : 1;
    if (best.length > r) wrong("a tick at 0");
    if (s.player.bare === marks.some(({ name }) => name === "fold")) wrong("it is asked before a class alone");
  };

  const scatter = ({ marks }) => {
    const entries = marks.filter(({ kind, name }) => kind === "text" && /^S[WBT]$/.test(name));
    for (const { size, text } of entries) if (size < 14) wrong("an entry is small", text, size);
    const squares = marks.filter(({ name }) => name === "entry");
    for (const { value, fill, w } of squares) {
      if (Boolean(fill) !== value >= 0) wrong("a square of the other sign");
      if (w < 0) wrong("a square without an end");
    }
    if (!entries.length && !squares.length) wrong("no matrix");
  };

  const own = { map, timeline, projections, criterion, scatter };
  for (const size of sizes) {
    s.size = size;
    s.player.panelPage = 0;
    s.arrange();
    const seen = new Set();
    for (let page = 0; page < (s.layout.narrow ? 1 : s.layout.pages.length); page++) {
      s.player.panelPage = page;
      s.arrange();
      for (const angle of angles) {
        s.cursor.put(angle ?? s.run.fisher.opening());
        s.arrange();
        place = [size.width, size.height, angle].join(" ");
        for (const panel of s.board.panels) {
          seen.add(panel.name);
          if (panel.marks.some((mark) => numbers(mark).some(Number.isNaN))) wrong("not a number", panel.name);
          const boxes = texts(panel);
          own[panel.name]?.(panel, boxes);
        }
      }
    }
    for (const name of ["projections", "criterion", "scatter", "timeline", "map"]) if (!seen.has(name)) wrong("never seen", name);
  }
  return [...new Set(faults)];
})(...arg)"""


def test_each_page_does_its_own_actions_where_the_other_has_some_of_the_same_name(player):
    player.open("/fisher?v=1")
    script = """(() => {
      const { load } = globalThis; // The probe's objects are others.
      const { ACTIONS } = load("modes/actions.js");
      const own = { play: load("modes/board_actions.js").ON_BOARD, fisher: load("modes/fisher_actions.js").ON_FISHER };
      const isOwn = ([page, actions]) => actions.every((action) => ACTIONS[page].get(action.name) === action);
      return Object.entries(own).map(isOwn);
    })()"""
    assert player.js(script) == [True, True]


@pytest.mark.parametrize("link", LINKS)
def test_all_can_be_read_and_is_drawn_as_it_is_in_windows_of_all_sizes(player, link):
    player.open(f"/fisher?{link}")
    assert (
        player.js(
            LAWS,
            [
                [dict(zip(("width", "height"), room_in(size)[:2], strict=True)) for size in SIDES],
                ANGLES,
            ],
        )
        == []
    )


@pytest.mark.parametrize("shape", [name for name in STAGES if name != "window"])
@pytest.mark.parametrize("link", ["v=1", "v=1&data=iris", "v=1&data=wine"])
def test_the_same_holds_before_a_class(player, link, shape):
    width, height = STAGES[shape]
    size = {"width": width, "height": height}
    player.open(f"/fisher?{link}&stage={shape}", size)
    assert player.js(LAWS, [[size], ANGLES]) == []
    player.js("s.cursor.put(s.run.fisher.opening())")
    assert "→" not in player.js("s.player.modes.ask('narration').sentence")  # It has no keys.


@pytest.mark.parametrize("name", SETS)
def test_a_class_reads_first_what_there_is_to_see_in_the_largest_type(player, name):
    for width, height in ((1366, 768), (1920, 1080), (1440, 900)):
        size = {"width": width, "height": height}
        player.open(f"/fisher?v=1&data={name}&stage=window", size)
        [verdict, *_] = player.marks("words", name="sentence")
        assert verdict["size"] >= 0.05 * height, (size, verdict["text"])


PURPLE = """(colours) => s.board.panels.flatMap(({ name: panel, marks }) => marks
  .filter(({ fill, stroke }) => colours.includes(fill) || colours.includes(stroke))
  .map(({ name, kind }) => `${panel} ${name ?? kind}`))"""


@pytest.mark.parametrize("link", ["v=1", "v=1&data=wine"])
def test_purple_is_what_one_can_act_on_and_green_is_nothing(player, link):
    player.open(f"/fisher?{link}")
    light = tokens.THEMES["light"]
    purple = set(player.js(f"({PURPLE})(arg)", [light["accent"]]))
    handle = {"projections handle"} if link == "v=1" else set()
    assert purple == {"criterion fold", "scatter fold", "timeline circle"} | handle
    assert player.js(f"({PURPLE})(arg)", [light["good"]]) == []


# Of each mark that belongs to a class, or has a colour: its panel, class, shape and colours.
CLASSED = """() => s.board.panels.flatMap(({ name: panel, marks }) => marks.map(
  ({ kind, fill = null, stroke = null, i = null, class: k = null }) => ({ panel, kind, fill, stroke, i, k })))"""
SIGNS = ("positive", "negative")
OF_CLASSES = [f"{kind}{sign}" for kind in ("", "point_", "field_") for sign in SIGNS]


def is_grey(colour):
    channels = bytes.fromhex(colour.removeprefix("#"))
    return max(channels) - min(channels) <= 32


@pytest.mark.parametrize("theme", tokens.SCREENS)
@pytest.mark.parametrize("stage", ["", "&stage=window"])
@pytest.mark.parametrize("data", [name for name, known in SETS.items() if known.many])
def test_the_third_class_is_ink_with_a_shape_of_its_own_in_every_panel(player, data, stage, theme):
    player.open(f"/fisher?v=1&data={data}&angle=20{stage}")
    player.js(
        "s.player.palette = new (load('paint/colors.js').Palette)(s.run.header.tokens, arg)",
        theme == "dark",
    )
    colours = tokens.THEMES[theme]
    labels = player.js("[...s.run.labels]")
    marks = player.js(f"({CLASSED})()")
    third = [mark for mark in marks if mark["k"] == 2]
    desk = set() if stage else {"projections", "components"}
    assert {mark["panel"] for mark in third} >= {"map", "strip"} | desk
    for mark in third:
        # A point and what stands for its class is a triangle, a histogram has bars.
        assert mark["kind"] == "polygon" or (mark["panel"], mark["kind"]) == ("projections", "rect")
        fills = {mark["fill"], mark["stroke"]} - {None, colours["on_mark"], colours["field_zero"]}
        assert fills <= {colours["ink"], colours["on_map"], colours["paper"]}, mark
    assert all(
        labels[mark["i"]] == mark["k"] for mark in marks if None not in (mark["i"], mark["k"])
    )
    triangles = [mark for mark in third if mark["panel"] == "map" and mark["i"] is not None]
    assert len(triangles) == labels.count(2)
    # The board has no hues but those of two classes, of what is wrong and of what one acts on.
    known = {colours[name] for name in (*OF_CLASSES, "accent", "warning")}
    used = {colour for mark in marks for colour in (mark["fill"], mark["stroke"]) if colour}
    assert all(is_grey(colour) for colour in used - known)


@pytest.mark.parametrize("data", ["clouds", "wine"])
@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (1280, 720), (1024, 768)])
def test_words_of_two_panels_on_a_line_are_apart(player, data, size):
    player.open(f"/fisher?v=1&data={data}", dict(zip(("width", "height"), size, strict=True)))
    panels = player.js("s.layout.panels")
    left, right = panels["projections"], panels["criterion"]
    gap = right["x"] - left["x"] - left["w"]
    assert left["y"] != right["y"] or gap >= min(24, 0.04 * left["w"]), gap


@pytest.mark.parametrize("data", ["clouds", "iris", "wine"])
def test_the_numbers_at_the_axes_are_those_of_their_places(player, data):
    player.open(f"/fisher?v=1&data={data}")
    numbers = player.js(
        """["axis", "gutter"].map((panel) => s.board.panels.find(({ name }) => name === panel).marks
          .filter(({ text, weight }) => text && weight !== 600)
          .map(({ text, x, y }) => [Number(text.replace("−", "-")), panel === "axis" ? x : y]))"""
    )
    assert [len(some) for some in numbers] == [2, 2]
    for axis, some in zip("xy", numbers, strict=True):
        for value, pixel in some:
            assert player.js(f"s.view.{axis}(arg)", value) == pytest.approx(pixel, abs=1)
