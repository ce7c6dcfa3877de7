"""What panels say in words is so, and stands where it belongs."""

import pytest

from kpviz import tokens
from kpviz.lessons import explain


def brightness(colour):
    return sum(bytes.fromhex(colour.removeprefix("#")))


@pytest.mark.parametrize("dark", [False, True])
def test_the_scale_of_the_gram_matrix_says_which_cells_are_alike(player, dark):
    player.open("/?v=1&t=30&show=gram")
    player.js(
        "s.player.palette = new (load('paint/colors.js').Palette)(s.run.header.tokens, arg)", dark
    )
    assert player.words("gram", "alike") == ("bright: alike" if dark else "dark: alike")
    theme = tokens.THEMES["dark" if dark else "light"]
    assert (brightness(theme["cell"]) > brightness(theme["paper"])) == dark
    player.open("/?v=1&t=30&show=gram&kernel=linear&data=linear")
    assert player.words("gram", "alike") == ""  # Some cells are below 0.


def test_in_a_low_window_the_matrix_has_the_height_and_says_beside_it_what_it_comes_to(player):
    player.open("/?v=1&t=30&show=gram", {"width": 844, "height": 390})
    (cells,) = player.marks("gram", name="gram")
    panel = player.js("s.board.panels.find((panel) => panel.name === 'gram').rect")
    assert cells["h"] >= panel["h"] - 20
    answer = player.marks("gram", name="answer")
    assert answer
    widths = player.js(
        "arg.map(({ text, size }) => load('paint/measure.js').textWidth(text, size, s.palette.fonts))",
        [{"text": mark["text"], "size": mark["size"]} for mark in answer],
    )
    assert answer[0]["x"] + max(widths) < cells["x"] - 15
    assert max(mark["y"] for mark in answer) <= panel["y"] + panel["h"]


@pytest.mark.parametrize("t", [1, 12, 30, 60])
def test_a_row_of_the_gram_matrix_is_whole_in_its_frame_and_its_name_is_beside_it(player, t):
    player.open(f"/?v=1&t={t}&show=gram")
    current = player.js("s.run.trace.index[s.t - 1]")
    (row,) = player.marks("gram", name="current")
    (cells,) = player.marks("gram", name="gram")
    place = list(player.js("s.run.arrays.gramOrder")).index(current)
    high = cells["h"] / player.js("s.run.n")
    frame = {key: row[key] for key in "xywh"}
    for mark in player.marks("gram", kind="rect", **frame):
        inside = mark["width"] / 2
        assert mark["y"] + inside <= cells["y"] + place * high + 1e-6
        assert mark["y"] + mark["h"] - inside >= cells["y"] + (place + 1) * high - 1e-6
    bars = [mark["x"] for mark in player.marks("gram", name="alpha")]
    (name,) = [
        mark
        for mark in player.marks("gram", kind="text")
        if mark["text"].startswith("x") and mark["weight"] == 600
    ]
    matrix_end = row["x"] + row["w"]
    assert matrix_end < name["x"] < matrix_end + 8
    assert all(name["x"] + 20 < x for x in bars)
    assert abs(name["y"] - row["y"]) < 20


def test_doubling_f_doubles_its_norm(player):
    player.open("/?v=1&t=60&show=norm")
    assert player.words("norm", "reason") == (
        "Doubling f doubles ‖f‖ and each margin y·f(x): what counts is y·f(x)/‖f‖."
    )
    once, twice = player.js(
        "(() => { const { normOf } = load('run/series.js'); const { coef, b, scores } = s.run.reading(s.t);"
        " const double = (values) => values.map((value) => 2 * value);"
        " return [normOf(s.run, { coef, b, scores }),"
        " normOf(s.run, { coef: double(coef), b: 2 * b, scores: double(scores) })]; })()"
    )
    assert twice == pytest.approx(2 * once)


def test_what_stands_in_place_of_f_is_said_with_its_dashed_lines(player):
    player.open("/?v=1&t=30&show=similar")
    told = player.words("words", "formula")
    assert told.startswith("Shading: k(x₂₉, ·), how similar each place is to x₂₉. f(x₂₉) =")
    legend = [mark["text"] for mark in player.marks("strip", kind="text")]
    assert "dashed: 75%, 50% and 25% as similar" in legend
    levels, limit, i = player.js(
        "(({ levels, limit, i }) => [levels, limit, i])"
        "(load('board/kernel_row.js').kernelRowOf(s.player, s.run, s.run.trace.index[s.t - 1]))"
    )
    assert i == 29
    assert sorted(levels) == pytest.approx([limit / 4, limit / 2, 3 * limit / 4])


@pytest.mark.parametrize("data", ["texts", "trees", "graphs"])
def test_what_a_sum_is_of_has_its_name_beside_it_unless_it_has_a_row(player, data):
    player.open(f"/?v=1&data={data}&t=30&show=remembered")
    i = player.js("s.run.trace.index[s.t - 1]")
    name = explain.example(i)
    assert player.words("remembered", "sum").startswith(f"f({name}) = ")
    has_row = i in {mark["i"] for mark in player.marks("remembered", name="term")}
    assert has_row == (data == "graphs")
    assert player.words("remembered", "explained") == ("" if has_row else name)


def test_questions_stand_under_the_bounds_that_they_are_about(player):
    player.open("/?v=1&t=60&show=bound")
    last = max(
        mark["y"] for mark in player.marks("bound", kind="text") if mark.get("name") != "fold"
    )
    for mark in player.marks("bound", name="fold"):
        assert last < mark["y"] < last + 3 * mark["size"]


def test_questions_come_in_the_order_of_the_formulas_that_they_are_about(player):
    player.open("/?v=1&t=60&show=bound")
    questions = [mark["text"] for mark in player.marks("bound", name="fold")]
    assert questions == ["What are R and γ?", "What are R, θ and D?"]
    formulas = "".join(mark.get("text", "") for mark in player.marks("bound", kind="text"))
    assert formulas.index("γ") < formulas.index("θ")


def test_a_lift_that_is_not_there_promises_no_plane(player):
    for link, title in (
        ("/?v=1&t=30&show=lift", "φ(x) in space"),
        (
            "/?v=1&data=circles&kernel=monomial&degree=2&t=30&show=lift",
            "φ(x) in space, and its plane",
        ),
    ):
        assert player.open(link).words("lift", "title") == title
        assert bool(player.marks("lift", name="plane")) == ("plane" in title)


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 1366, "height": 768}])
@pytest.mark.parametrize("t", [5, 30, 80])
def test_the_names_of_the_axes_of_the_lift_lie_on_no_example(player, size, t):
    player.open(f"/?v=1&data=circles&kernel=monomial&degree=2&t={t}&show=lift", size)
    names = player.marks("lift", name="axis")
    assert len(names) == 3
    for name in names:
        half = 0.3 * name["size"] * len(name["text"]), 0.4 * name["size"]
        assert not [
            point["i"]
            for point in player.marks("lift", name="point")
            if abs(point["x"] - name["x"]) < half[0] and abs(point["y"] - name["y"]) < half[1]
        ]


def test_errors_of_the_readings_stand_in_their_panel_and_not_in_the_timeline_too(player):
    player.open("/?v=1&t=90&held=0.3")
    assert player.marks("timeline", name="test")
    player.open("/?v=1&t=90&held=0.3&show=readings")
    assert not player.marks("timeline", name="test")
    train, test = (
        [mark["points"] for mark in player.marks("readings", name="curve", set=part)]
        for part in ("train", "test")
    )
    # Each set has a chart of its own, the one of training at the left.
    assert max(max(line[::2]) for line in train) < min(min(line[::2]) for line in test)


@pytest.mark.parametrize("show", ["bound", "alpha.margins.bound.gram"])
def test_bounds_are_derived_in_letters_of_a_label_or_under_their_question(player, show):
    player.open(f"/?v=1&t=12&show={show}", {"width": 1366, "height": 768})
    assert player.marks("bound", name="made")  # The line stands in both.
    assert bool(player.marks("bound", name="bound")) == (show == "bound")
    assert all(mark["size"] >= 14 for mark in player.marks("bound", kind="text"))


@pytest.mark.parametrize("size", [(844, 390), (667, 375), (390, 844), (1366, 768)])
@pytest.mark.parametrize("data", ["linear", "linear&n=20&seed=2", "blobs&n=12"])
def test_no_name_of_a_curve_of_the_proof_lies_outside_of_its_plot(player, size, data):
    link = f"/?v=1&data={data}&kernel=linear&noise=0&t=60&show=proof"
    player.open(link, dict(zip(("width", "height"), size, strict=True)))
    (plot,) = player.marks("proof", name="plot")
    names = player.marks("proof", name="curve") + player.marks("proof", name="side")
    assert any("√M·R" in name["text"] for name in names)
    for name in names:
        x, y, w, h = player.js(
            "Object.values(load('paint/measure.js').boxOf(arg, s.palette.fonts))", name
        )
        assert plot["x"] <= x <= x + w <= plot["x"] + plot["w"]
        assert plot["y"] <= y <= y + h <= plot["y"] + plot["h"]


@pytest.mark.parametrize("size", [(828, 340), (374, 790), (752, 970), (1350, 714)])
def test_the_key_of_a_stream_has_whole_words_in_any_window(player, size):
    player.open(
        "/?v=1&stream=on&data=moons&n=300&noise=0.2&t=200",
        dict(zip(("width", "height"), size, strict=True)),
    )
    keys = [mark["text"] for mark in player.marks("strip", name="key")]
    for words in ("memory: older, newer", "fainter: ", "turned by 36°"):
        assert any(words in key for key in keys), (words, keys)


def test_both_of_a_pair_have_their_names_under_their_bars_in_a_low_window(player):
    player.open("/?v=1&learner=svm&t=60&show=own.alpha", {"width": 828, "height": 340})
    names = [mark["text"] for mark in player.marks("alpha", kind="text")]
    assert {"x₄₉", "x₄₅"} <= set(names)
