"""The formula of a step stands under its sentence, on a desk and before a class."""

import itertools

import pytest
from boards import BOARDS
from windows import TOUCHED, WINDOWS

DESKS = [size for size in WINDOWS if size not in TOUCHED and size[1] >= 600]
STAGES = [(1024, 768), (1366, 768), (1920, 1080)]
MISSING = """(([width, height]) => {
  const { narrationOf } = load("board/narration.js");
  s.size = { width, height };
  s.arrange();
  const words = s.board.panels.find(({ name }) => name === "words");
  const { formula } = { formula: "", ...narrationOf(s.player) };
  if (!formula || !words || words.marks.some(({ name }) => name === "formula")) return "";
  // It costs no size: before a class a verdict of three lines stays as large as it is.
  const sizes = words.marks.filter(({ name }) => name === "sentence").map(({ size }) => size);
  const isLong = s.player.bare && sizes.filter((size) => size === sizes[0]).length > 2;
  return isLong ? "" : formula;
})(arg)"""


@pytest.mark.parametrize("name", BOARDS)
def test_on_a_desk_and_before_a_class_a_formula_stands_under_its_sentence(player, name):
    link = BOARDS[name]
    missing = []
    for stage, sizes in (("", DESKS), ("&stage=window", STAGES)):
        if stage and "stage=" in link:
            continue
        player.open(f"/?{link}{stage}")
        missing += [(stage, size) for size in sizes if player.js(MISSING, list(size))]
    assert missing == []


@pytest.mark.parametrize("link", ["data=breast_cancer&t=60", "t=12", "learner=svm&t=60"])
def test_a_formula_is_never_larger_than_what_is_said_before_it_and_has_no_lone_word(player, link):
    player.open(f"/?v=1&{link}")
    for width, height in WINDOWS:
        player.js("(s.size = { width: arg[0], height: arg[1] }, s.arrange(), 0)", [width, height])
        said = player.marks("words", name="sentence")
        lines = player.marks("words", name="formula")
        assert all(line["size"] <= mark["size"] for line in lines for mark in said)
        lengths = [len(line["text"]) for line in lines]
        assert not lengths or 2 * lengths[-1] > max(lengths), lines


def test_in_a_low_window_what_a_stream_did_is_larger_than_its_formula(player):
    for high in range(326, 344, 4):
        player.open(
            "/?v=1&stream=on&data=moons&n=300&noise=0.2&t=200", {"width": 844, "height": high}
        )
        verdict = player.marks("words", name="sentence")[0]
        (formula,) = player.marks("words", name="formula")
        assert verdict["size"] > formula["size"]


@pytest.mark.parametrize(
    ("link", "size"),
    [
        ("data=breast_cancer&t=60", (1350, 712)),
        ("data=graphs&t=30", (1350, 712)),
        ("t=99999", (374, 800)),
    ],
)
def test_what_follows_a_verdict_stands_clear_of_it(player, link, size):
    player.open(f"/?v=1&{link}", dict(zip(("width", "height"), size, strict=True)))
    lines = player.marks("words", name="sentence")
    (gap,) = [
        after["y"] - before["y"] - 1.28 * after["size"]
        for before, after in itertools.pairwise(lines)
        if after["size"] < before["size"]
    ]
    assert gap > 5
