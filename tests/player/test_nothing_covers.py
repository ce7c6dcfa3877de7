"""Nothing covers a point and no text lies on another, on the boards of the gallery in windows of all
sizes that kpviz is made for.
"""

import pytest
from boards import BOARDS
from gallery import size as size_of

# What a window of this size leaves a board.
SIZES = [
    (width - 16, height - 56)
    for width, height in [
        (320, 256),
        (683, 384),
        (390, 844),
        (844, 390),
        (768, 1024),
        (1024, 600),
        (1024, 768),
        (1280, 720),
        (1366, 640),
        (1366, 768),
        (1440, 900),
        (1920, 1080),
        (2560, 1440),
    ]
]
FOUND = """((sizes) => {
  const { boxOf, overlap } = load("paint/measure.js");
  const round = /^(map|strip|axis|gutter|caption)/;
  const faults = [];
  for (const [width, height] of sizes) {
    s.size = { width, height };
    s.arrange();
    const { fonts } = s.palette;
    const panels = s.board.panels.filter(({ name }) => round.test(name));
    const points = panels.flatMap(({ name, marks }) => name.startsWith("map")
      ? marks.filter(({ i, r, name: mark }) => Number.isInteger(i) && r && mark !== "halo") : [])
      .map(({ x, y, r }) => ({ x: x - r + 1, y: y - r + 1, w: 2 * r - 2, h: 2 * r - 2 }));
    const texts = panels.flatMap(({ name, rect, marks }) => marks
      .filter(({ kind, text }) => kind === "text" && text?.trim())
      .map((mark) => ({ ...boxOf(mark, fonts), mark, name, rect })));
    const plates = panels.flatMap(({ name, marks }) => marks
      .filter(({ kind, fill, h, name: mark }) => mark === "plate" || (kind === "image" && h < 20) ||
        (kind === "rect" && fill && name !== "map" && !name.startsWith("map-")))
      .map((mark) => ({ ...mark, mark, name })));
    for (const box of [...texts, ...plates]) {
      if (points.some((point) => overlap(box, point))) faults.push([width, height, "on a point", box.name, box.mark.text]);
    }
    texts.forEach((one, k) => {
      const { rect, mark, name } = one;
      if (texts.slice(k + 1).some((other) => overlap(one, other))) faults.push([width, height, "on a text", name, mark.text]);
      const cut = one.x < rect.x - 1 || one.x + one.w > rect.x + rect.w + 1 ||
        one.y < rect.y - 2 || one.y + one.h > rect.y + rect.h + 2;
      if (cut) faults.push([width, height, "cut", name, mark.text]);
    });
  }
  return faults;
})(arg)"""


@pytest.mark.parametrize("name", [name for name in BOARDS if "stage=" not in BOARDS[name]])
def test_nothing_covers_a_point_in_a_window_of_any_size(player, name):
    player.open(f"/?{BOARDS[name]}", size_of(BOARDS[name]))
    assert player.js(FOUND, SIZES) == []
