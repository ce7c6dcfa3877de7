"""On small maps what is written covers no point: it stands elsewhere, or is left out."""

import pytest

COVERED = """s.player.maps.flatMap(({ name, run, view }) => {
  const { boxOf } = load("model/measure.js");
  const panel = s.board.panels.find((one) => one.name === name);
  const named = ({ text, y }) => text && (/^class|^hollow/.test(text) || text === s.run.header.names.kernel);
  const boxes = panel.marks.filter((mark) => mark.kind === "text" && named(mark))
    .map((mark) => ({ text: mark.text, ...boxOf(mark, s.palette.fonts) }));
  const at = Array.from({ length: run.n + run.nTest }, (_, i) => [view.x(run.X[2 * i]), view.y(run.X[2 * i + 1])]);
  return boxes.filter(({ x, y, w, h }) => at.some(([px, py]) => px > x && px < x + w && py > y && py < y + h));
})"""


@pytest.mark.parametrize("size", [(296, 490), (240, 560)], ids=str)
@pytest.mark.parametrize("link", ["data=xor", "data=moons&n=120", "data=xor&n=200&noise=0.3&held=0.3", "data=circles"])
def test_nothing_that_is_written_covers_a_point(player, link, size):
    player.open(f"/?v=1&{link}&t=20", {"width": size[0], "height": size[1]})
    assert player.js("s.layout.panels.map.w") < 250
    assert player.js(COVERED) == []


def test_the_legend_has_another_place_where_one_is_free(player):
    player.open("/?v=1&data=linear&kernel=linear&t=20", {"width": 296, "height": 490})
    assert "class +1" in player.words("map")
