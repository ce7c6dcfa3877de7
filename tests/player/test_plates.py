"""No line of a map crosses what is written on it: a plate of the ground lies under the words, and under the points."""

import pytest

SIZES = [(1366, 768), (1920, 1080), (390, 844)]
LINKS = {
    "t=60&kernel=polynomial": ["map"],
    "t=60&kernel=linear&data=linear&held=0.3&show=lines.alpha": ["map"],
    "t=40&show=readings.margins&epochs=3&noise=0.2": ["map"],
    "t=90&stream=on&n=200&drift=0.5": ["map"],
    "t=60&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm": ["map", "map-0", "map-1", "map-2"],
}
CROSSED = """arg.flatMap((name) => {
  const { boxOf } = load("model/measure.js");
  const { marks } = s.board.panels.find((panel) => panel.name === name);
  const plates = marks.map((mark, k) => ({ ...mark, k })).filter(({ name }) => name === "plate");
  const drawn = ["halo", "boundary", "margin", "last", "voted"];
  const lines = marks.flatMap(({ name }, k) => (drawn.includes(name) ? [k] : []));
  const points = marks.flatMap(({ i, r }, k) => (i !== undefined && r ? [k] : []));
  const free = ["missing", "object"]; // where there is no line
  const words = marks.filter(({ kind, halo, name }) => kind === "text" && halo && !free.includes(name));
  const under = (mark) => {
    const box = boxOf(mark, s.palette.fonts);
    return plates.find(({ x, y, w, h }) =>
      x <= box.x && y <= box.y && x + w >= box.x + box.w && y + h >= box.y + box.h);
  };
  const wrong = words.filter((mark) => {
    const plate = under(mark);
    if (!plate || plate.fill !== mark.halo || Math.max(...lines) > plate.k) return true;
    return mark.name !== "turned" && Math.min(...points) < plate.k;
  });
  return [...wrong.map(({ text }) => text), ...(lines.length && words.length >= 5 ? [] : [`${name}: ${words.length}`])];
})"""


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("stage", ["", "&stage=window"])
@pytest.mark.parametrize("link", LINKS)
def test_no_line_crosses_a_word_on_the_map_and_no_plate_hides_a_point(player, link, stage, size):
    player.open(f"/?v=1&{link}{stage}", {"width": size[0], "height": size[1]})
    assert player.js(CROSSED, LINKS[link]) == []


@pytest.mark.parametrize("stage", ["", "&stage=16x9", "&stage=9x16"])
def test_the_marks_of_the_legend_keep_from_the_edges_as_its_type_grows(player, stage):
    for link in ("t=60", "t=60&pins=1&p1.kernel=linear"):
        player.open(f"/?v=1&{link}{stage}", {"width": 1896, "height": 1026})
        name = "map-0" if "pins" in link else "map"
        (words,) = [mark for mark in player.marks(name, kind="text") if mark["text"] == "class +1"]
        (mark,) = [m for m in player.marks(name, kind="circle") if m["y"] == words["y"] and "i" not in m]
        rect = player.js("s.layout.panels[arg]", name)
        gap = 0.4 * words["size"]
        assert mark["x"] - mark["r"] >= rect["x"] + gap
        assert mark["y"] - mark["r"] >= rect["y"] + gap
        assert mark["r"] == pytest.approx(0.42 * words["size"])
