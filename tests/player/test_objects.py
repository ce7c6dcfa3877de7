"""Data that are no points: what Python computes is shown at the examples."""

import re

import numpy as np
import pytest
from readers import instants_of
from sent import Sent

from kpviz import experiment, fonts, tokens
from kpviz.engine.kernels.objects.graphs import read_graph
from kpviz.engine.kernels.objects.trees import read_tree
from kpviz.engine.run import predictors
from kpviz.lessons import explain
from kpviz.settings import Settings

ASKED = {
    "texts": "The GOAL, with salt and an umbrella!",
    "trees": "(S (W who) ( NP (D the) (N umbrella)))",
    "graphs": "CCO 3-2 2-1 1-3",
}
PAINT = tokens.THEMES["light"]


def value(text):
    return float(text.replace(explain.MINUS, "-").replace("+", ""))


def width(text, weight=400):
    """How wide a text is, in letters."""
    return sum(fonts.advances()[fonts.face(weight).name].get(char, 0) for char in text)


def explained(player, name, f):
    """The panel tells f of that one to the digits written, and its terms add up to it; return whose
    they are.
    """
    head = re.fullmatch(
        r"(?:mean )?f\((.+)\) = (?:([+−][\d.e−]+)|0: a tie)(?: now)?",
        player.words("remembered", "sum"),
    )
    left = re.findall(r"([+−][\d.e−]+) (?:from|intercept)", player.words("remembered", "rest"))
    total = sum(mark["value"] for mark in player.marks("remembered", name="value")) + sum(
        map(value, left)
    )
    assert head[1] == name
    assert value(head[2] or "0") == pytest.approx(f, rel=0.06, abs=0.006)
    assert total == pytest.approx(f, rel=1e-3, abs=0.02)
    return [mark["i"] for mark in player.marks("remembered", name="term")]


@pytest.mark.parametrize("data", ASKED)
def test_what_is_asked_about_is_told_unless_the_pointer_is_on_another(player, data):
    settings, new = Settings.of(data=data, ask=ASKED[data]), np.array([ASKED[data]], dtype=object)
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}").until("s.run.header.extras.remembered").rest()
    for t in instants_of(run)[1:]:
        f = run.decision_function(new, t)[0]
        assert explained(player.go(t).away(), "new", f) or f == 0
    place = "(_, i) => [s.view.x(s.run.X[2 * i]), s.view.y(s.run.X[2 * i + 1])]"
    at = np.array(player.js(f"Array.from({{ length: s.run.n }}, {place})"))
    far = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.diag([np.inf] * len(at))
    j = int(far.min(axis=1).argmax())
    explained(
        player.point(*at[j]), explain.example(j), run.decision_function(run.X[[j]], run.n_steps)[0]
    )
    explained(player.away(), "new", f)


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_no_value_touches_the_name_before_it_though_a_power_of_ten_is_long(player, size):
    player.open("/?v=1&data=texts", dict(zip(("width", "height"), size, strict=True)))
    player.go(player.js("s.run.nSteps"))
    marks = player.marks("remembered")
    names = {mark["y"]: mark for mark in marks if mark.get("name") == "term"}
    values = [mark for mark in marks if mark.get("name") == "value"]
    assert any("×10" in mark["text"] for mark in values)
    for mark in values:
        name = names[mark["y"]]
        name_end = name["x"] + width(name["text"], 600) * name["size"]
        assert mark["x"] - width(mark["text"]) * mark["size"] > name_end + 0.3 * mark["size"]


def test_while_a_step_is_shown_each_example_swells_by_its_kernel(player):
    run = experiment.run(player.open("/?v=1&data=texts").settings)
    i = int(run.index[0])
    row = np.abs(predictors.kernel_columns(run, run.X, [i])[:, 0])
    player.js(
        "(s.step('example', 1), s.draw(), s.now += arg, 0)",
        tokens.TIMINGS["example"] + tokens.TIMINGS["score"],
    )
    bumps = player.marks("map", name="bump")
    alphas = np.array([bump["alpha"] for bump in bumps])
    np.testing.assert_allclose(alphas / alphas.max(), row / row.max(), atol=1e-5)
    assert {bump["fill"] for bump in bumps} == {
        PAINT["field_positive" if run.y[i] > 0 else "field_negative"]
    }


# ---- what the panel of the remembered examples is sent -------------------------------------------

MODELS = {
    "texts": {"data": "texts"},
    "texts by characters": {"data": "texts", "kernel": "spectrum", "length": 2},
    "texts held out": {"data": "texts", "kernel": "spectrum", "held": 0.2},
    "trees": {"data": "trees", "held": 0.3},
    "trees that forget": {"data": "trees", "learner": "forgetron", "budget": 3},
    "graphs": {"data": "graphs", "added": "+CCCN 1-2 2-3 3-4 1-4"},
    "graphs, normalized": {
        "data": "graphs",
        "normalize": "on",
        "rounds": 1,
        "eta": 0.5,
        "intercept": "unit",
    },
}


def parts_of(sketch):
    return [set(ids) for _, _, _, ids in sketch["nodes"]]


def all_parts(sketch):
    return set().union(*parts_of(sketch))


@pytest.mark.parametrize("name", MODELS)
def test_every_example_is_drawn_training_then_held_out_then_what_is_asked(name):
    given = MODELS[name]
    without, sent = (
        Sent("remembered", **given),
        Sent("remembered", **given, ask=ASKED[given["data"]]),
    )
    everything = [*sent.split.X, *sent.split.X_test, sent.settings.ask]
    assert len(sent.extras[0]["sketches"]) == len(everything)
    assert without.extras[0]["sketches"] == sent.extras[0]["sketches"][:-1]
    assert (without.extras[0]["asked"], "askedGram" in without.arrays) == ("", False)
    assert sent.extras[0]["drawn"] == given["data"]
    for text, sketch in zip(everything, sent.extras[0]["sketches"], strict=True):
        labels = [node[0] for node in sketch["nodes"]]
        if given["data"] == "texts":
            by_characters = given.get("kernel") == "spectrum"
            assert labels == (list(text) if by_characters else text.split())
            assert sketch["edges"] == []
        else:
            read = read_tree(text) if given["data"] == "trees" else read_graph(text)
            assert labels == list(read.labels)
            edges = [
                (parent, child)
                for child, parent in enumerate(getattr(read, "parents", ()))
                if parent >= 0
            ]
            assert [tuple(edge) for edge in sketch["edges"]] == (edges or list(read.edges))
            assert all(0 <= x <= 1 and 0 <= y <= 1 for _, x, y, _ in sketch["nodes"])


def test_vertices_above_the_same_subtree_have_the_same_part():
    sent = Sent("remembered", data="trees", ask=ASKED["trees"])
    trees = [read_tree(text) for text in (*sent.split.X, sent.settings.ask)]

    def below(tree, v):
        return (
            tree.labels[v],
            *(below(tree, child) for child in range(len(tree.labels)) if tree.parents[child] == v),
        )

    theirs = {below(trees[-1], v) for v in range(len(trees[-1].labels))}
    new = all_parts(sent.extras[0]["sketches"][-1])
    for tree, sketch in zip(trees, sent.extras[0]["sketches"], strict=True):
        lit = [bool(ids & new) for ids in parts_of(sketch)]
        assert lit == [below(tree, v) in theirs for v in range(len(tree.labels))]


@pytest.mark.parametrize("name", [name for name in MODELS if name.startswith("graphs")])
def test_the_shared_parts_of_graphs_are_as_many_as_their_kernel_counts(name):
    sent = Sent("remembered", **{"normalize": "off", **MODELS[name]})
    kernel = getattr(sent.run.kernel, "kernel", sent.run.kernel)
    sketches = sent.extras[0]["sketches"]
    counts = [[id_ for _, _, _, ids in sketch["nodes"] for id_ in ids] for sketch in sketches]
    for i in (0, 5, len(sketches) - 1):
        row = kernel(sent.split.everything[[i]], sent.split.everything)[0]
        assert [
            sum(counts[j].count(part) for part in counts[i]) for j in range(len(sketches))
        ] == row.tolist()


def test_points_are_not_drawn_and_a_stream_says_why_nothing_is_remembered():
    assert Sent("remembered", epochs=2).extras[0] == {
        "why": "",
        "drawn": "",
        "asked": "",
        "sketches": [],
    }
    extra = Sent("remembered", stream="on", n=60).extras[0]
    assert set(extra) == {"why"}
    assert extra["why"].endswith(".")


def test_nothing_asked_nothing_learnt_is_an_empty_sum():
    sent = Sent("remembered", data="texts", tie="correct", ask="a goal", epochs=2)
    assert sent.arrays["askedGram"].shape == (0,)


@pytest.mark.parametrize("data", ["texts", "trees", "graphs"])
def test_the_map_says_what_the_current_example_and_the_two_that_count_most_are(player, data):
    player.open(f"/?v=1&data={data}&t=30")
    named = [mark["text"] for mark in player.marks("map", name="object")]
    current = named[0]
    name, words = current.split(": ")
    assert not player.marks("axis", name="object")  # It is said once.
    counted = [mark["text"] for mark in player.marks("remembered", name="term")]
    others = [text.split(": ")[0] for text in named if text != current]
    assert others == [term for term in counted if term != name][:2]
    written = player.js("s.run.objects[s.run.trace.index[29]]")
    drawn = [mark["text"] for mark in player.marks("map", kind="text") if "name" not in mark]
    if data == "texts":
        assert words == written
    else:
        assert player.marks("map", name="plate")
        letters = re.sub("[^A-Za-z]", "", written)
        assert sorted("".join(drawn)) == sorted(letters)


CROSSED = """(() => {
  const { boxOf } = load("paint/measure.js");
  const { marks } = s.board.panels.find(({ name }) => name === "map");
  const boxes = marks.filter(({ name }) => name === "object").map((mark) => boxOf(mark, s.palette.fonts));
  const isIn = ([x, y]) => (box) =>
    x > box.x + 1 && x < box.x + box.w - 1 && y > box.y + 1 && y < box.y + box.h - 1;
  return marks.filter(({ name }) => name === "leader").filter(({ points: [x, y, toX, toY] }) =>
    Array.from({ length: 100 }, (_, k) => [x + (toX - x) * k / 100, y + (toY - y) * k / 100])
      .some((place) => boxes.some(isIn(place)))).length;
})()"""


@pytest.mark.parametrize("data", ["texts", "trees", "graphs"])
def test_no_line_from_a_point_to_its_words_runs_through_other_words(player, data):
    leaders = 0
    for size in ((374, 800), (828, 334), (1350, 712)):
        player.open(f"/?v=1&data={data}", dict(zip(("width", "height"), size, strict=True)))
        for t in (3, 12, 20, 30, 31, 40):
            player.go(t)
            leaders += len(player.marks("map", name="leader"))
            assert player.js(CROSSED) == 0
    assert leaders


def test_where_one_row_has_room_it_is_of_what_is_remembered(player):
    """The example that the sum tells of is named in the title."""
    player.open("/?v=1&data=trees&t=30&show=remembered", {"width": 828, "height": 334})
    (row,) = player.marks("remembered", name="term")
    assert row["i"] != 2
    assert player.words("remembered", "sum").startswith("f(x₂) = ")
    assert not player.marks("remembered", name="explained")
    assert player.words("remembered", "rest").endswith(" from the 11 others")
    player.open("/?v=1&data=trees&t=30&show=remembered", {"width": 828, "height": 240})
    if not player.marks("remembered", name="term"):
        assert player.words("remembered", "rest").endswith(" from the 12 remembered")


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1366, 768)])
def test_a_cube_stands_in_the_middle_with_bits_above_and_those_asked_about_over_their_column(
    player, size
):
    width, height = size
    player.open("/?v=1&data=bits&t=30&show=remembered", {"width": width, "height": height})
    corners = [mark for mark in player.marks("map") if "i" in mark and "r" in mark]
    names = player.marks("map", name="object")
    assert all(
        any(name["y"] < mark["y"] and abs(name["x"] - mark["x"]) < 1 for name in names)
        for mark in corners
    )
    rect = player.js("s.layout.panels.map")
    above = min(name["y"] - name["size"] / 2 for name in names) - rect["y"]
    below = rect["y"] + rect["h"] - max(mark["y"] for mark in corners) - 15
    assert abs(above - below) < 0.08 * rect["h"]
    written = [
        mark
        for mark in player.marks("remembered", kind="text")
        if "name" not in mark and len(mark["text"]) == 1 and mark["text"] in "01"
    ]
    assert len(written) >= 8
    assert len({round(mark["x"]) for mark in written}) == 4


def test_the_corners_of_a_cube_have_their_bits_and_the_current_molecule_its_formula(player):
    player.open("/?v=1&data=bits&function=majority&bits=4&t=30")
    assert sorted(mark["text"] for mark in player.marks("map", name="object")) == [
        f"{number:04b}" for number in range(16)
    ]
    player.open("/?v=1&data=graphs&t=30")
    assert player.marks("map", name="object")[0]["text"] == "x₂₉: C₃O₃"


@pytest.mark.parametrize("kernel", ["words", "spectrum"])
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_text_begins_where_those_do_that_it_is_compared_with_if_it_has_room(player, kernel, size):
    """Of a spectrum it is drawn character by character."""
    link = f"/?v=1&data=texts&kernel={kernel}&show=remembered"
    player.open(link, dict(zip(("width", "height"), size, strict=True)))
    for t in range(8, 40, 3):
        player.go(t)
        marks = player.marks("remembered", kind="text")
        name, *rest = marks[[mark.get("name") for mark in marks].index("explained") :]
        (begins,) = {
            marks[k + 1]["x"] for k, mark in enumerate(marks) if mark.get("name") == "value"
        }
        text = player.js("s.run.objects[s.run.trace.index[s.t - 1]]")
        wide = player.js(
            f"load('paint/measure.js').textWidth(arg, {name['size']}, s.palette.fonts)", text
        )
        end = player.js(
            "(({ x, w }) => x + w)(s.board.panels.find(({ name }) => name === 'remembered').rect)"
        )
        assert (rest[0]["x"] == begins) == (begins + wide <= end), text


@pytest.mark.parametrize("size", [(390, 844), (1366, 768), (1920, 1080)])
def test_a_tree_stands_over_those_it_is_compared_with_and_marks_what_it_shares_with_them(
    player, size
):
    """What it shares with none is bare."""
    link = "/?v=1&data=trees&t=30&show=remembered"
    player.open(link, dict(zip(("width", "height"), size, strict=True)))
    marks = player.marks("remembered")
    begins = [k for k, mark in enumerate(marks) if mark.get("name") in ("explained", "term")]
    drawings = [marks[k:end] for k, end in zip(begins, [*begins[1:], None], strict=True)]
    bars = [mark for mark in marks if mark.get("name") == "bar"]
    bars_end = max(mark["x"] + mark["w"] for mark in bars)
    for drawing in drawings:
        assert min(mark["x"] for mark in drawing if mark.get("align") == "center") > bars_end
    sketches = player.js("s.run.header.extras.remembered.sketches")
    about = player.js("s.run.trace.index[s.t - 1]")
    rows = [mark["i"] for mark in marks if mark.get("name") == "term"]
    assert rows
    theirs = set().union(*(all_parts(sketches[i]) for i in rows))
    common = [bool(ids & theirs) for ids in parts_of(sketches[about])]
    assert True in common
    assert False in common
    assert sum(mark.get("name") == "shared" for mark in drawings[0]) == sum(common)
    grey = player.words("remembered", "grey")
    assert grey.startswith(f"grey: shared by {explain.example(about)} and a row")
