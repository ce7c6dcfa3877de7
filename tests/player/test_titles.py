"""Words within a panel: whatever its size, none lies on another and none sticks out at the side."""

import pytest

ALL = "alpha.own.margins.code.bound.readings.primal.gram.lift.remembered.sequence.norm"
FIVE = "alpha.own.margins.norm.remembered"
SIZES = [(1342, 714), (1896, 1026), (1000, 714)]  # of the board in common windows
LINKS = [
    f"t=40&show={ALL}",
    f"t=3&show={ALL}&learner=forgetron",
    f"t=60&show={FIVE}&learner=projectron&predictor=averaged",
    f"t=40&data=texts&show={ALL}",
    f"t=30&n=20&order=shuffled&kernel=monomial&show={ALL}.normed",
    f"t=70&stream=on&n=80&drift=0.5&learner=norma&show={FIVE}.code.bound.sequence",
]
OVERLAPS = """(() => {
  const { textWidth } = load("model/measure.js");
  const box = ({ text, x, y, size, weight, code, align, baseline }) => {
    const w = textWidth(text, size, code ? { canvas: s.palette.fonts.code } : s.palette.fonts, weight);
    const left = x - { left: 0, center: w / 2, right: w }[align ?? "left"];
    const [above, below] = baseline === "middle" ? [0.4, 0.3] : [0.7, 0];
    return { text, left, right: left + w, top: y - above * size, low: y + below * size };
  };
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.low - 1 && b.top < a.low - 1;
  return s.board.panels.filter(({ name, rect }) => rect && name in arg).flatMap((panel) => {
    const { name, rect } = panel;
    const boxes = panel.marks.filter(({ kind, text }) => kind === "text" && text).map(box);
    const over = boxes.flatMap((a, k) =>
      boxes.slice(k + 1).filter((b) => touch(a, b)).map((b) => [name, a.text, b.text]),
    );
    const out = boxes.filter(({ left, right }) => left < rect.x - 3 || right > rect.x + rect.w + 3);
    return [...over, ...out.map(({ text }) => [name, text, "sticks out"])];
  });
})()"""


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("link", LINKS)
def test_no_word_lies_on_another_or_sticks_out_of_its_panel(player, link, size):
    player.open(f"/?v=1&{link}", dict(zip(("width", "height"), size, strict=True)))
    assert player.js(OVERLAPS, dict.fromkeys(ALL.split("."))) == []
