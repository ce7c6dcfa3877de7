"""Under the pointer, too, words are large enough to be read and within the board, wherever the
pointer is.
"""

import pytest
from share import share

SHARES = (0.06, 0.35, 0.5, 0.72, 0.97)  # of a panel's width and height
# What is written with the pointer at each of these places, and without it: size, and how far it
# sticks out.
WRITTEN = """((shares) => {
  const { boxOf } = load("paint/measure.js");
  const texts = () => s.board.panels.flatMap(({ name, marks }) =>
    marks.filter(({ kind, text }) => kind === "text" && text?.trim()).map((mark) => {
      const { fonts } = s.palette;
      const { x, y, w, h } = boxOf(mark, mark.code ? { ...fonts, canvas: fonts.code } : fonts);
      const out = Math.max(-x, x + w - s.size.width, -y, y + h - s.layout.height);
      return { name, text: mark.text, size: mark.size, out };
    }));
  s.point(null);
  const without = texts();
  const least = Math.min(...without.map(({ size }) => size));
  const faults = [];
  let added = 0;
  for (const [panel, { x, y, w, h }] of Object.entries(s.layout.panels))
    for (const across of shares)
      for (const down of shares) {
        s.point({ px: x + across * w, py: y + down * h });
        const now = texts();
        added = Math.max(added, now.length - without.length);
        const wrong = now.filter(({ size, out }) => !(size >= 0.7 * least) || out > 3);
        faults.push(...wrong.map((mark) => ({ panel, ...mark })));
      }
  s.point(null);
  return { faults, added };
})(arg)"""


SIZES = [(1342, 714), (1896, 1026)]
LINKS = [
    "t=40&show=alpha.own.margins.norm.gram",
    "t=40&predictor=voted&show=readings.margins",
    "t=30&learner=svm&held=0.3&show=own.alpha",
    "t=20&data=texts&show=gram.alpha",
    "t=60&pins=1&p1.kernel=linear",
]


@pytest.mark.parametrize(("link", "size"), share(LINKS, SIZES), ids=str)
def test_no_word_under_the_pointer_is_much_smaller_than_those_of_the_board_or_outside_it(
    player, link, size
):
    player.open(f"/?v=1&{link}", {"width": size[0], "height": size[1]})
    found = player.js(WRITTEN, SHARES)
    assert found["faults"] == []
    assert found["added"] > 0
