"""Runs side by side: what is said of them can be read where four are compared, and no word lies on another."""

import pytest
from covering import covering

READ = 12  # px of type
BOARDS = [(1342, 714), (1896, 1026)]  # in windows of 1366 × 768 and 1920 × 1080
LOWER = [(1342, 590), (976, 646)]
LINKS = [
    "/?v=1&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm&t=60",
    "/?v=1&held=0.3&pins=3&p1.kernel=linear&p2.learner=svm&p3.learner=forgetron&t=40",
    "/?compare=ties&t=20",
    "/?v=1&pins=2&p1.kernel=linear&p2.learner=svm&t=60",
    "/?v=1&pins=1&p1.kernel=linear&held=0.3&t=60",
]
SMALL = """s.board.panels.flatMap(({ name, marks }) =>
  marks.filter(({ kind, size }) => kind === "text" && size < arg).map(({ text, size }) => [name, text, size]))"""
END = "Math.max(...s.runs.all.map(({ nSteps }) => nSteps))"
TABLE = {"table": 1, "sentences": 1, "timeline": 1, "question": 1}


def opened(player, link, size):
    return player.open(link, {"width": size[0], "height": size[1]})


@pytest.mark.parametrize(
    ("size", "link", "stage"), covering([*BOARDS, *LOWER, (390, 844)], LINKS, ["", "&stage=window"]), ids=str
)
def test_the_letter_of_a_run_stands_apart_from_its_first_tick(player, link, stage, size):
    opened(player, link + stage, size)
    letters = [mark for mark in player.marks("timeline", kind="text") if mark["text"] in set("ABCD")]
    assert len(letters) == player.js("s.runs.all.length")
    right = max(mark["x"] + 0.66 * mark["size"] for mark in letters)
    ticks = [mark["points"][::2] for mark in player.marks("timeline", kind="rects")]
    assert min(x for xs in ticks for x in xs) >= right + 3
    (cursor,) = player.marks("timeline", name="cursor")
    assert cursor["x"] > right
    rect = player.js("s.layout.panels.timeline")
    assert rect["x"] <= min(mark["x"] for mark in letters)


NARROWER = """(() => {
  const [scene] = Object.values(s.scenes());
  const { others, reference } = scene.compared;
  for (const summary of [...others.map((each) => each.summary), reference]) summary.seconds = 0.00123;
  const rect = { x: 0, y: 0, w: arg, h: 300 };
  const moving = load("panels/compare.js").tableMarks({ ...scene, unit: s.layout.unit, rect });
  return moving.filter(({ kind }) => kind === "text").map(({ text, size }) => [text.slice(0, 3), size]);
})()"""


def test_of_a_narrower_table_the_svc_goes_before_type_is_small(player):
    opened(player, LINKS[1], BOARDS[0])
    usual, narrow, narrowest = (dict(player.js(NARROWER, w)) for w in (380, 310, 220))
    assert "SVC" in usual
    assert "SVC" not in narrow
    assert min(*usual.values(), *narrow.values()) >= READ
    assert "SVC" in narrowest
    assert min(narrowest.values()) < READ
