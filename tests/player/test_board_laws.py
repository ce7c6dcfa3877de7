"""What holds of every board, whatever it shows, in windows of all sizes, light and dark."""

import re

import pytest
from board_laws import faults, room_in
from boards import BOARDS, END
from gallery import size as size_of
from windows import WINDOWS

from kpviz import tokens
from kpviz.lessons import presets

USUAL = [(1342, 714), (1896, 1026)]  # of the board in windows of 1366 × 768 and 1920 × 1080
SIZES = [*USUAL, (1000, 714), (390, 844)]
COMPARED = [*USUAL, (1342, 590), (976, 646)]
SMALL = [(248, 490), (240, 560)]
SUM = "exp(-norm(u-v)**2/2)+%2B+0.1*dot(u,v)+%2B+0.25*(dot(u,v)%2B1)**3"
EVERY = "alpha.own.margins.code.bound.readings.primal.gram.validity.derivation.lift.remembered.sequence.norm"
FIVE = "alpha.own.margins.norm.remembered"
FOUR = "pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm"
CORNERS = "data=xor&n=4&noise=0"
LARGE = [
    "n=300&noise=0.4&epochs=50&t=9000&show=alpha.bound.code.margins.norm.proof",
    "data=moons&noise=0.4&kernel=polynomial&degree=8&epochs=40&t=1500&show=alpha.norm.margins",
    "data=shifted&kernel=linear&learner=svm&C=100000&noise=0.5&t=4000&show=own.alpha.margins",
    "stream=on&data=moons&n=2000&noise=0.4&t=1900",
    "data=bits&kernel=polynomial&degree=6&bits=8&t=30&show=primal.alpha",
    "n=300&noise=0.4&epochs=30&pins=1&p1.kernel=polynomial&p1.degree=8&t=5000",
    "t=20&noise=0.3&epochs=100",
]
CROWDED = [
    "n=500&noise=0.3&flipped=0.2&epochs=20&held=0.2&t=4000&order=shuffled",
    "data=breast_cancer&kernel=sigmoid&epochs=10&held=0.2&t=50&show=none",
    "t=100&show=alpha.bound.code.lines.margins.normed",
    "kernel=linear&intercept=unit&t=3000&show=alpha.bound.code.margins",
    "kernel=polynomial&degree=4&noise=0.2&held=0.3&t=180&show=alpha.primal.readings",
]  # while one predicts, too
# More than the gallery shows: many panels, few points and many, runs side by side.
MORE = [
    f"t=40&show={EVERY}",
    f"t=3&show={EVERY}&learner=forgetron",
    f"t=60&show={FIVE}&learner=projectron&predictor=averaged",
    f"t=40&data=texts&show={EVERY}",
    f"t=30&n=20&order=shuffled&kernel=monomial&show={EVERY}.normed",
    f"t=70&stream=on&n=80&drift=0.5&learner=norma&show={FIVE}.code.bound.sequence",
    "t=60&kernel=linear&data=linear&held=0.3&show=lines.alpha",
    "t=40&show=readings.margins&epochs=3&noise=0.2",
    "data=circles&kernel=polynomial&degree=12&coef0=0.125&epochs=3&t=9&show=alpha.readings",
    "data=iris&kernel=gaussian&held=0.3&epochs=3&t=0&show=alpha.readings&stage=window",
    f"n=200&kernel=formula&formula={SUM}&epochs=3&t=9&show=alpha.readings",
    "t=20&noise=0.1&epochs=6&show=alpha.readings",
    "n=300&kernel=formula&formula=-norm(u-v)**2&t=9&show=gram.validity.derivation",
    "kernel=formula&formula=min(u[1],v[1])%2B10&t=9&show=validity.derivation",
    "data=texts&t=9&show=validity.derivation",
    f"{CORNERS}&kernel=polynomial&degree=2&t=4",
    f"{CORNERS}&kernel=linear&t=63&stage=window",
    "data=drawn&points=vovoQYn0n0vovoQYYMQY.o&kernel=linear&t=3",
    "data=circles&t=0",
    "data=moons&stream=on&drift=2&learner=norma&pins=1&t=0&stage=window",
    "data=bits&function=parity&bits=5&kernel=literals&t=0",
    "cues=0 light map: One.|25 light alpha: Two.&t=0",
    "cues=0 light map: One.|25 light alpha: Two.&t=25&stage=window",
    "data=spirals&n=400&t=0",
    "data=moons&held=0.3&t=0&stage=window",
    f"{FOUR}&t=0",
    f"{FOUR}&t=0&stage=16x9",
    f"{FOUR}&t=60",
    f"{FOUR}&t=60&stage=window",
    "held=0.3&pins=3&p1.kernel=linear&p2.learner=svm&p3.learner=forgetron&t=40",
    "pins=2&p1.kernel=linear&p2.learner=svm&t=60",
    "pins=1&p1.kernel=linear&held=0.3&t=60",
    "compare=ties&t=8&stage=window",
    *(f"compare={name}&t={END}" for name in presets.PRESETS),
    *(f"compare={name}&t={END}&stage=16x9" for name in presets.PRESETS),
]


def sizes(link):
    if "stage=" in link:
        return [tuple(size_of(link).values()), *(() if "9x16" in link or "1x1" in link else USUAL)]
    if link in LARGE or "compare=" in link:
        return USUAL
    return COMPARED if "pins=" in link else SIZES


ON_STAGES = [
    link for link in BOARDS.values() if "stage=" in link
]  # test_drawn_boards.py has the rest


@pytest.mark.parametrize("link", [*ON_STAGES, *MORE, *LARGE, *CROWDED])
def test_nothing_is_wrong_with_a_board(player, link):
    player.open(f"/?{link}", size_of(link))
    wrong, widths = [], []
    for size in sizes(link):
        for theme in tokens.SCREENS[: 2 if size == sizes(link)[0] else 1]:
            found, lines = faults(player, size, theme)
            wrong += [[size, theme, *fault] for fault in found]
            widths += lines
    if link in CROWDED:
        player.press("q")
        wrong += [
            [size, "predicting", *fault]
            for size in sizes(link)
            for fault in faults(player, size)[0]
        ]
    assert wrong == []
    assert widths == pytest.approx(
        [*widths[:1]] * len(widths)
    )  # lines grow with the map and never get thinner


@pytest.mark.parametrize("stage", ["", "&stage=16x9", "&stage=9x16"])
def test_the_legend_stands_in_the_strip_above_the_map_as_its_type_grows(player, stage):
    for link in ("t=60", "t=60&pins=1&p1.kernel=linear"):
        player.open(f"/?v=1&{link}{stage}", {"width": 1896, "height": 1026})
        (words,) = [
            mark for mark in player.marks("strip", kind="text") if mark["text"] == "orange, +1"
        ]
        (mark,) = player.marks("strip", kind="circle")
        rect, above = player.js("['strip', 'map'].map((name) => s.layout.panels[name])")
        assert mark["r"] == pytest.approx(0.42 * words["size"])
        assert rect["x"] - 1e-9 <= mark["x"] - mark["r"] < mark["x"] + mark["r"] < words["x"]
        assert rect["y"] <= mark["y"] - mark["r"]
        assert mark["y"] + mark["r"] <= above["y"]


FORMULA = """(([width, height, around]) => {
  const { boxOf, wrap } = load("paint/measure.js");
  s.size = { width, height };
  s.around = around;
  s.arrange();
  const { formula } = load("board/narration.js").narrationOf(s.player);
  const { rect, marks } = s.board.panels.find(({ name }) => name === "words");
  const texts = marks.filter(({ kind }) => kind === "text");
  const said = texts.filter(({ name }) => name === "sentence");
  const bottoms = said.map((mark) => boxOf(mark, s.palette.fonts)).map(({ y, h }) => y + h);
  const free = rect.y + rect.h - Math.max(...bottoms);
  const lines = formula ? wrap(formula, rect.w - 14, 14 * s.layout.unit, s.palette.fonts).length : 0;
  return { formula, lines, free, isThere: texts.some(({ name }) => name === "formula"), w: rect.w };
})(arg)"""


@pytest.mark.parametrize(
    "name", [name for name in BOARDS if not re.search("pins=|compare=|cues=", BOARDS[name])]
)
def test_the_formula_stands_under_the_sentence_wherever_it_has_room(player, name):
    player.open(f"/?{BOARDS[name]}", size_of(BOARDS[name]))
    if not player.js("'words' in s.layout.panels"):
        return
    hidden = []
    for window in [window for window in WINDOWS if window[0] >= 1000]:
        width, height, around = room_in(window)
        facts = player.js(FORMULA, [width, height, around])
        # A sentence's last line reaches a third of a small one below its letters.
        room = 1.35 * 14 * player.js("s.layout.unit") * (facts["lines"] + 0.5)
        if facts["formula"] and facts["free"] > room and not facts["isThere"]:
            hidden.append([window, facts])
    assert hidden == []
