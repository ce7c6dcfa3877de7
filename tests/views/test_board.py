"""Laws of the whole page: it can be drawn for every run, nothing collides, and it is the same file each time."""

import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import artists
import numpy as np
import pytest
import runs
from covering import covering
from matplotlib import style as matplotlib_style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox
from sklearn.decomposition import KernelPCA
from tidy import assert_tidy

import kpviz.views
from kpviz import experiment, explain, tokens
from kpviz.engine import grid
from kpviz.settings import Settings
from kpviz.views import board, words

MAGIC = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF-"}
LONG = (
    "length of the sepals as measured in the herbarium, in cm ($1 = 1$)",
    "the same of the petals, in cm_2 and more",
)


@pytest.mark.parametrize("name", [*runs.MAKERS, *runs.FAMILY, *runs.NO_MAP])
def test_every_run_has_a_tidy_board_at_its_start_middle_and_end(name):
    run = runs.run(name)
    for t in {0, *runs.instants(run)[-2:]}:
        assert_tidy(board.figure(run, t))


@pytest.mark.parametrize("name", ["default", "svm", "logistic", "forgetron", "norma", "precomputed"])
def test_a_board_is_as_tidy_in_every_theme_for_nothing_lies_elsewhere(name):
    run = runs.run(name)
    for theme in tokens.THEMES:
        if theme != "light":
            assert_tidy(board.figure(run, run.n_steps, theme=theme))


@pytest.mark.parametrize("predictor", ["averaged", "voted"])
@pytest.mark.parametrize("name", runs.MAKERS)
def test_every_predictor_has_a_tidy_board(name, predictor):
    run = runs.run(name)
    assert_tidy(board.figure(run, run.n_steps, predictor=predictor))


@pytest.mark.parametrize("size", [(12.8, 7.2), (6.4, 3.6), (8, 8), (9.6, 7.2), (10.8, 19.2), (16, 6), (25.6, 14.4)])
def test_a_board_is_tidy_at_every_size_with_long_names_and_held_out_examples(size):
    split = experiment.prepare(Settings.of(data="iris", held=0.2))
    settings = Settings.of(
        data="iris", kernel="sigmoid", combine="product", kernel2="polynomial", epochs=1000, held=0.2
    )
    run = experiment.run(settings, split)
    names = {
        "features": LONG,
        "own": (split.source.lows, split.source.highs),
        "X_test": split.X_test,
        "y_test": split.y_test,
    }
    assert_tidy(board.figure(run, run.n_steps, size=size, **names))


SOME = [(), ("alpha",), ("margins", "own"), ("alpha", "own", "margins")]


@pytest.mark.parametrize(
    ("size", "panels", "name"),
    covering([(9.6, 7.2), (10.8, 10.8), (8.27, 11.69), (10.8, 19.2)], SOME, ["default", "svm"]),
)
def test_a_board_with_some_panels_is_tidy_and_none_lies_on_another(name, size, panels):
    run = runs.run(name)
    figure = board.figure(run, run.n_steps, size=size, panels=panels)
    has_own = bool(explain.about_of(run).parts)
    shown = {*panels} - (set() if has_own else {"own"})
    assert {ax.get_label() for ax in figure.axes} == shown | {
        "map",
        "scale",
        "timeline",
        "counter",
        "sentence",
    }
    assert_tidy(figure)
    for one, other in combinations(figure.axes, 2):
        common = Bbox.intersection(one.bbox, other.bbox)
        assert common is None or min(common.size) < 1e-6, (one.get_label(), other.get_label())


@pytest.mark.parametrize(
    "name", ["default", "never converges", "sigmoid", "same place", "precomputed", "svm", "logistic"]
)
def test_the_words_are_those_of_the_explanation_and_stay_within_their_column(name):
    run = runs.run(name)
    for t in runs.instants(run):
        figure = board.figure(run, t)
        counter, sentence = (artists.panel(figure, name).texts for name in ("counter", "sentence"))
        FigureCanvasAgg(figure).draw()
        assert " ".join(word.get_text() for word in counter) == explain.counter(run, t)
        assert " ".join(word.get_text() for word in sentence) == explain.explain(run, t).sentence
        bricks = artists.panel(figure, "alpha")
        column, above = sentence[0].axes.bbox, bricks.title.get_window_extent()
        baselines = [word.get_transform().transform(word.get_position())[1] for word in sentence]
        assert baselines == sorted(baselines, reverse=True)
        assert max(word.get_window_extent().x1 for word in sentence) <= column.x1 + 1
        assert min(word.get_window_extent().y0 for word in sentence) >= above.y1
        (mark,) = [artist for artist in sentence[0].axes.patches if isinstance(artist, Rectangle)]
        kind = "accent" if t == 0 else "warning" if run.mistake[t - 1] else "good"
        assert to_hex(mark.get_facecolor()) == tokens.THEMES["light"][kind]


def test_the_longest_sentence_fits():
    run = runs.run("default")
    longest = explain.TEMPLATES["mistake"].format(
        x=explain.example(888), f="−0.0012", y="+1", count=888, step="η·y·k(x₈₈₈, ·) and move b"
    )
    ends = explain.ENDS["limit"].format(
        epochs="1,000 epochs", last="888 mistakes", advice=max(explain.ADVICE.values(), key=len)
    )
    text, size = words.fitted(f"{longest} {ends}", 379.0, 93.0, largest=20.0, smallest=11.0)
    assert size > 11.0
    assert (text.count("\n") + 1) * words.LINE * size <= 93.0
    assert max(words.width(line, size) for line in text.split("\n")) <= 379.0
    assert run.n_steps


def test_a_line_is_not_broken_within_a_formula():
    text = words.wrapped("f(x₁₁) = −0.05, so y·f ≤ 0: a mistake.", 12.0, 90.0)
    assert text.split("\n")[:2] == ["f(x₁₁) = −0.05,", "so y·f ≤ 0: a"]


def test_the_counter_counts_what_is_behind():
    run = runs.run("default")
    assert explain.counter(run, 0) == "step 0 of 180 · epoch 1 of 3 · 0 mistakes"
    assert explain.counter(run, 1) == "step 1 of 180 · epoch 1 of 3 · 1 mistake"
    assert explain.counter(run, 60).startswith("step 60 of 180 · epoch 1 of 3")
    assert explain.counter(run, 61).startswith("step 61 of 180 · epoch 2 of 3")
    assert explain.counter(runs.run("never converges"), 3000).startswith(
        "step 3,000 of 3,000 · epoch 50 of 50 · 1,381 m"
    )


@pytest.mark.parametrize("name", ["precomputed", "five features"])
def test_examples_without_a_plane_are_where_kernel_pca_puts_them(name):
    run = runs.run(name)
    figure = board.figure(run, 3)
    ax = artists.panel(figure, "map")
    assert ax.get_xlabel().startswith("kernel PCA: two directions show ")
    assert not ax.images
    halos = next(each for each in ax.collections if isinstance(each, EllipseCollection))
    places = np.asarray(halos.get_offsets())
    theirs = KernelPCA(2, kernel="precomputed").fit_transform(run.gram)
    np.testing.assert_allclose(np.abs(places), np.abs(theirs), atol=1e-6 * np.abs(theirs).max())
    np.testing.assert_allclose(halos.get_facecolors()[:, :3], _colours(run.decision_function(run.X, 3), run), atol=1e-6)


def _colours(scores, run):
    """The colour of each score, from the field's scale in steps of 1/255."""
    paint = tokens.THEMES["light"]
    low, zero, high = (np.array(to_rgb(paint[f"field_{name}"])) for name in ("negative", "zero", "positive"))
    share = np.rint(255 * scores / grid.margin_limit(run)) / 255
    ends = np.where(share[:, None] < 0, low, high)
    return np.rint(255 * (zero + np.abs(share)[:, None] * (ends - zero))) / 255


def test_the_start_is_a_white_map_with_quiet_hints():
    run = runs.run("default")
    figure = board.figure(run, 0)
    colours, _, _ = artists.pixels(artists.panel(figure, "map"))
    assert (colours == 255).all()
    panels = [artists.panel(figure, name) for name in ("map", "alpha", "margins", "timeline")]
    hints = [text.get_text() for ax in panels for text in ax.texts]
    assert {
        "f = 0 everywhere: no boundary yet",
        "Each mistake will lay a brick here.",
        "f = 0: every margin is still 0.",
    } == set(hints) - {"epoch 1: 8 mistakes", "epoch 2: 3 mistakes", "epoch 3: 0 mistakes"}


@pytest.mark.parametrize("format_", MAGIC)
def test_the_same_instant_is_the_same_file(format_):
    run = runs.run("default")
    first, second = (board.save(board.figure(run, 12), format_, dpi=50) for _ in range(2))
    assert first.startswith(MAGIC[format_])
    assert len(first) > 5000
    assert first == second


def test_a_picture_saved_twice_is_the_same_file():
    figure = board.figure(runs.run("default"), 12)
    assert board.save(figure, "svg") == board.save(figure, "svg")
    assert board.save(figure, "png", dpi=100) == figure._repr_png_()


@pytest.mark.parametrize("theirs", ["dark_background", "ggplot", "fivethirtyeight"])
def test_a_style_of_ones_own_does_not_reach_the_board(theirs):
    run = runs.run("default")
    usual = board.save(board.figure(run, 12), "png", dpi=50)
    odd = {"savefig.bbox": "tight", "figure.autolayout": True, "axes.grid": True, "font.family": "monospace"}
    with matplotlib_style.context([theirs, odd]):
        assert board.save(board.figure(run, 12), "png", dpi=50) == usual


def test_text_in_svg_is_outlines_and_the_title_says_which_instant_it_is():
    svg = board.save(board.figure(runs.run("default"), 12), "svg").decode()
    assert "<text" not in svg
    assert "<title>step 12 of 180 · epoch 1 of 3 · 4 mistakes</title>" in svg
    assert "<dc:date>" not in svg


def test_a_transparent_board_has_no_ground():
    run = runs.run("default")
    assert board.figure(run, 1, transparent=True).get_facecolor()[3] == 0
    assert board.figure(run, 1).get_facecolor()[3] == 1
    assert board.save(board.figure(run, 1, transparent=True), "png", dpi=50)


def test_held_out_examples_widen_the_map_and_none_changes_nothing():
    run = runs.run("default")
    far = board.figure(run, 5, X_test=np.array([[3.0, 0.0]]), y_test=np.array([1.0]))
    assert far.axes[0].get_xlim()[1] > 3
    empty = board.figure(run, 5, X_test=np.empty((0, 2)), y_test=np.empty(0))
    assert empty.axes[0].get_xlim() == board.figure(run, 5).axes[0].get_xlim()


@pytest.mark.parametrize(
    "wrong", [{"theme": "pink"}, {"predictor": "best"}, {"X_test": [[1.0]], "y_test": [1.0]}, {"t": 181}]
)
def test_a_wrong_argument_is_refused_in_one_sentence(wrong):
    (name,) = [key for key in wrong if key != "y_test"]
    with pytest.raises(ValueError, match=f"^{name}.*: {name} must|^{name}.*: it must"):
        board.figure(runs.run("default"), **{"t": 1, **wrong})


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="format='bmp' is unknown: format must be one of 'png', 'svg', 'pdf'"):
        board.save(board.figure(runs.run("default"), 1), "bmp")


def test_no_colour_is_written_in_the_views():
    for file in Path(kpviz.views.__file__).parent.glob("*.py"):
        source = file.read_text(encoding="utf-8")
        assert not re.search(r"#[0-9a-fA-F]{3,8}\b|\"(white|black|C\d|tab:\w+|0?\.\d+)\"", source), file.name


def test_plotting_a_run_never_loads_pyplot_and_shows_itself_in_a_notebook():
    code = (
        "import sys, kpviz\n"
        "X, y = kpviz.make_dataset('xor', n_samples=8, seed=0)\n"
        "run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(0.5))\n"
        "assert 'matplotlib' not in sys.modules\n"
        "picture = run.plot(3)._repr_png_()\n"
        "assert picture.startswith(bytes([137]) + b'PNG')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
