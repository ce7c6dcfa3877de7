"""What is written on a panel lies on nothing else, and a panel shows from the first step on what it is going to be."""

import pytest

SIZES = [(1366, 768), (1920, 1080)]
LINKS = [
    "/?v=1&t={}&show=alpha.margins",
    "/?v=1&t={}&show=alpha.margins&stage=window",
    "/?v=1&data=moons&noise=0.2&learner=forgetron&t={}&show=alpha.margins",
]
UNDERLINE = 0.32  # of the size, that the dots under a term reach below its line
BOXES = """(() => {
  const { boxOf } = load("model/measure.js");
  const { marks } = s.board.panels.find(({ name }) => name === arg);
  return marks.filter(({ kind, text }) => kind === "text" && text)
    .map((mark) => ({ ...boxOf(mark, s.palette.fonts), text: mark.text, name: mark.name ?? null, size: mark.size }));
})()"""


def opened(player, link, size):
    player.open(link, {"width": size[0], "height": size[1]})
    return player


def boxes(player, panel):
    """The texts of a panel with the boxes that they fill."""
    return player.js(BOXES, panel)


def crossed(box, x):
    return box["x"] - 1 < x < box["x"] + box["w"] + 1


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("link", LINKS[:2])
@pytest.mark.parametrize("t", [0, 60])
def test_the_top_number_of_the_bricks_is_free_of_the_dots_under_their_title(player, link, size, t):
    found = boxes(opened(player, link.format(t), size), "alpha")
    (title,) = [box for box in found if box["name"] == "title"]
    dots = title["y"] + title["h"] + (UNDERLINE - 0.2) * title["size"]
    numbers = [box for box in found if box["name"] == "axis"]
    assert numbers
    assert min(box["y"] for box in numbers) > dots


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("link", LINKS)
def test_the_line_of_zero_runs_through_no_word(player, link, size):
    opened(player, link.format(0), size)
    zero = next(mark["points"][0] for mark in player.marks("margins", kind="line") if mark.get("dash"))
    words = [box for box in boxes(player, "margins") if box["name"] == "to come"]
    assert {"f = 0: every margin is still 0.", "Bars will count the examples here."} <= {box["text"] for box in words}
    assert not [box["text"] for box in words if crossed(box, zero)]


@pytest.mark.parametrize("link", LINKS)
def test_the_columns_of_alpha_stand_there_before_they_begin(player, link):
    opened(player, link.format(0), SIZES[0])
    support = player.js("s.run.trace.support.length")
    slots = player.marks("alpha", name="to come")
    assert len(slots) == support
    names = [box["text"] for box in boxes(player, "alpha") if box["text"].startswith("x")]
    assert names
    player.go(player.js("s.run.nSteps"))
    assert player.marks("alpha", name="to come") == []


def touching(box, x, y, r):
    across = max(box["x"] - x, x - box["x"] - box["w"])
    return max(across, box["y"] - y, y - box["y"] - box["h"]) < r


def test_numbers_at_the_axes_give_way_to_few_points(player):
    opened(player, "/?compare=ties&t=8&stage=window", SIZES[0])
    for name in ("map", "map-0", "map-1", "map-2"):
        (ring,) = player.marks(name, name="current")
        numbers = [box for box in boxes(player, name) if box["text"] in {"−1", "1", "−0.5", "0.5"}]
        assert len(numbers) == 3
        assert not [box["text"] for box in numbers if touching(box, ring["x"], ring["y"], ring["r"])]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("stage", ["", "&stage=window"])
@pytest.mark.parametrize("t", [0, 25])
def test_neither_playhead_nor_flag_strikes_the_name_of_an_epoch(player, stage, size, t):
    cues = "0 light map: One.|25 light alpha: Two."
    opened(player, f"/?v=1&t={t}{stage}&cues={cues}", size)
    names = [box for box in boxes(player, "timeline") if box["text"].startswith("epoch")]
    assert len(names) == 3
    (head,) = player.marks("timeline", name="head")
    assert not [box["text"] for box in names if touching(box, head["x"], head["y"], head["r"])]
    bars = [mark for name in ("cursor", "cue", "pole") for mark in player.marks("timeline", name=name)]
    assert len(bars) == 5
    for bar in bars:
        for box in names:
            low, high = max(bar["y"], box["y"]), min(bar["y"] + bar["h"], box["y"] + box["h"])
            assert high - low < 1 or not bar["x"] - bar["w"] < box["x"] + box["w"] or bar["x"] + bar["w"] < box["x"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("t", [0, 40, 480])
def test_an_entry_of_w_stands_apart_from_the_name_of_the_next(player, size, t):
    opened(player, f"/?v=1&kernel=polynomial&show=primal.margins.bound&t={t}", size)
    found = boxes(player, "primal")
    names = [box for box in found if box["name"] == "feature"]
    for value in (box for box in found if box["name"] == "value"):
        beside = [box["x"] - value["x"] - value["w"] for box in names if abs(box["y"] - value["y"]) < value["h"] / 2]
        assert min((gap for gap in beside if gap > 0), default=100) > value["size"]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("stage", ["", "&stage=window"])
def test_the_name_of_the_kernel_lies_on_no_corner_of_the_cube(player, stage, size):
    opened(player, f"/?v=1&data=bits&function=parity&bits=5&kernel=literals{stage}&t=0", size)
    (name,) = [box for box in boxes(player, "map") if box["name"] == "kernel"]
    corners = player.marks("map", name="halo")
    assert len(corners) == 32
    assert not [mark["i"] for mark in corners if touching(name, mark["x"], mark["y"], 0.8 * mark["r"])]


def test_what_is_said_of_the_margin_0_of_logistic_regression_is_clear_of_the_dashed_line(player):
    opened(player, "/?v=1&learner=logistic&data=moons&noise=0.25&n=50&t=75&show=own.alpha.margins", SIZES[0])
    (words,) = [box for box in boxes(player, "own") if box["text"] == "y f = 0"]
    (line,) = [mark for mark in player.marks("own", kind="line") if mark.get("dash")]
    assert words["x"] > line["points"][4]
    assert words["y"] + words["h"] < line["points"][-1]


@pytest.mark.parametrize("size", [*SIZES, (1000, 700)], ids=str)
@pytest.mark.parametrize("stage", ["", "&stage=window"])
@pytest.mark.parametrize("link", ["compare=literals", "compare=long-texts", "v=1&data=bits&bits=5", "v=1&data=trees"])
def test_examples_without_a_plane_lie_under_no_word_of_the_map_and_it_cuts_none_off(player, link, stage, size):
    opened(player, f"/?{link}{stage}&t=9999", size)
    for panel in player.js("s.maps.map(({ name }) => name)"):
        rect = player.js("s.layout.panels[arg]", panel)
        halos = player.marks(panel, name="halo")
        found = [box for box in boxes(player, panel) if box["name"] in {"scale", "object"}]
        assert len(found) == 2
        for box in found:
            assert not [mark["i"] for mark in halos if touching(box, mark["x"], mark["y"], mark["r"])]
        assert all(rect["x"] <= mark["x"] - mark["r"] for mark in halos)
        assert all(mark["x"] + mark["r"] <= rect["x"] + rect["w"] for mark in halos)
        (caption,) = [box for box in boxes(player, panel) if box["text"].startswith(("corners", "kernel PCA"))]
        assert rect["x"] <= caption["x"]
        assert caption["x"] + caption["w"] <= rect["x"] + rect["w"]
