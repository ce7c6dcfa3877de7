"""Laws of pictures for print: all of them grey, and nothing told by colour alone."""

import io

import artists
import matplotlib.image
import numpy as np
import pytest
import runs
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from tidy import assert_tidy

from kpviz import tokens
from kpviz.canvas import payload
from kpviz.settings import Settings
from kpviz.views import board, storyboard, style
from kpviz.views.alone import NAMES
from kpviz.views.bars import Bars
from kpviz.views.bricks import Bricks
from kpviz.views.map import Map
from kpviz.views.points import Legend, Points

PRINT = tokens.THEMES[tokens.PRINT]


def pixels(figure):
    """The colours of a figure as they are saved."""
    picture = matplotlib.image.imread(io.BytesIO(board.save(figure, "png", dpi=100)))
    return np.rint(255 * picture[..., :3]).astype(int)


def luminance(colour):
    return float(np.mean(to_rgb(colour)))


def axes():
    ax = Figure(figsize=(6, 6)).add_axes((0, 0, 1, 1))
    ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
    return ax


@pytest.mark.parametrize("name", ["default", "forgetron", "svm", "logistic", "norma", "precomputed", "many supports"])
def test_every_pixel_of_a_printed_board_is_grey(name):
    run = runs.run(name)
    held = {} if run.X.shape[1] != 2 else {"X_test": run.X[:4], "y_test": run.y[:4]}
    for t in runs.instants(run)[-2:]:
        said = board.Said("Look.", (0, 1), ("map", "alpha"))
        colours = pixels(board.figure(run, t, theme="print", said=said, margins=True, **held))
        assert (colours == colours[..., :1]).all()
        assert np.ptp(colours) > 200


def test_every_pixel_of_a_printed_storyboard_is_grey():
    colours = pixels(storyboard.figure(runs.run("default"), [0, 12, 180], title="XOR", theme="print"))
    assert (colours == colours[..., :1]).all()


def test_a_board_on_a_screen_is_not_grey():
    colours = pixels(board.figure(runs.run("default"), 27))
    assert np.ptp(colours, axis=2).max() > 50


def test_the_field_goes_from_dark_over_grey_to_light_and_its_zero_is_marked():
    share = np.linspace(-1.0, 1.0, 96)
    display = Map(share, share, np.tile(share, (96, 1)), limit=1.0, theme="print")
    grey = display.colours[0, :, 0].astype(int)
    assert (np.diff(grey) >= 0).all()
    assert grey[-1] - grey[48] >= 50
    assert grey[47] - grey[0] >= 50
    bar = axes()
    display.scale.draw(bar)
    (mark,) = bar.lines
    assert [*mark.get_ydata()] == [0.0, 0.0]
    assert luminance(mark.get_color()) < 0.1
    ax = axes()
    display.draw(ax)
    (boundary,) = [each for each in ax.collections if isinstance(each, LineCollection)]
    np.testing.assert_allclose(np.concatenate(boundary.get_segments())[:, 0], 0.0, atol=1e-9)
    assert luminance(boundary.get_edgecolor()[0]) < 0.1


def test_the_classes_differ_by_shape_and_by_being_filled_or_hollow():
    run, ax = runs.run("default"), axes()
    Points.of(run, 0, theme="print").draw(ax)
    (marks,) = [each for each in ax.collections if isinstance(each, PathCollection)]
    offsets = np.asarray(marks.get_offsets())
    for i, x in enumerate(run.X):
        (k,) = np.flatnonzero((offsets == x).all(axis=1))
        positive = run.y[i] > 0
        face, rim = luminance(marks.get_facecolor()[k]), luminance(marks.get_edgecolor()[k])
        assert (len(marks.get_paths()[k].vertices) > 8) == positive
        assert (face < 0.1) == positive
        assert (rim < 0.1) != positive  # each is seen on light and on dark ground


def test_the_legend_shows_the_marks_as_they_are_on_the_map():
    ax = axes()
    Legend("", True, "print").draw(ax)
    plus, minus, held = ax.get_legend().legend_handles
    assert (plus.get_marker(), minus.get_marker()) == ("o", "s")
    assert luminance(plus.get_markerfacecolor()) < 0.1
    assert luminance(minus.get_markerfacecolor()) > 0.9
    assert luminance(minus.get_markeredgecolor()) < 0.1
    assert held.get_markerfacecolor() == "none"


@pytest.mark.parametrize("name", ["default", "forgetron"])
def test_bricks_and_bars_are_filled_for_one_class_and_hollow_for_the_other(name):
    run, ax = runs.run(name), axes()
    with style.sheet():
        (Bricks if name == "default" else Bars).of(run, run.n_steps, theme="print").draw(ax)
    drawn = next(each for each in ax.collections if isinstance(each, PolyCollection))
    faces = {to_hex(face) for face in drawn.get_facecolor()}
    assert faces == {PRINT["positive"], PRINT["paper"]}
    assert to_hex(drawn.get_edgecolor()[0]) == PRINT["positive"]


def test_wrong_and_right_sides_of_the_margins_differ_in_luminance():
    figure = board.panel(runs.run("default"), 27, "margins", theme="print")
    faces = {bar.left < -1e-9: luminance(bar.face) for bar in artists.bars(artists.panel(figure, "margins"))}
    assert faces[False] - faces[True] >= 0.25


def test_the_sides_of_the_field_differ_from_its_middle_by_more_than_a_printer_blurs():
    ends = [luminance(PRINT[f"field_{name}"]) for name in ("negative", "zero", "positive")]
    assert np.diff(ends).min() >= 0.2


def test_the_player_is_never_offered_the_theme_for_print():
    assert set(tokens.payload()["themes"]) == {"light", "dark"} == set(tokens.SCREENS)
    from kpviz import experiment

    settings = Settings.of(n=20)
    split = experiment.prepare(settings)
    header, _ = payload.unpack(payload.encode(settings, split, experiment.run(settings, split)))
    assert set(header["tokens"]["themes"]) == {"light", "dark"}


@pytest.mark.parametrize("theme", tokens.THEMES)
@pytest.mark.parametrize("name", NAMES)
def test_a_panel_alone_is_tidy_at_its_natural_shape_and_on_any_page(name, theme):
    run = runs.run("svm" if theme == "light" else "forgetron")
    t = runs.instants(run)[-2]
    for size in (None, (12.8, 7.2), (7.2, 12.8), (9, 9)):
        figure = board.panel(run, t, name, size=size, theme=theme)
        assert_tidy(figure)
        expected = {"map": {"map", "scale"}, "words": {"counter", "sentence"}}.get(name, {name})
        assert {ax.get_label() for ax in figure.axes} == expected


def test_a_panel_alone_shows_what_it_shows_on_the_board_in_larger_type():
    run = runs.run("default")
    alone = artists.panel(board.panel(run, 27, "margins", size=(12.8, 7.2)), "margins")
    among = artists.panel(board.figure(run, 27), "margins")
    assert artists.bars(alone) == artists.bars(among)
    assert alone.title.get_text() == among.title.get_text()
    larger, usual = (ax.get_xticklabels()[0].get_fontsize() for ax in (alone, among))
    assert larger >= 1.8 * usual


def test_the_map_alone_is_square_on_every_page():
    for size in (None, (12.8, 7.2), (7.2, 12.8)):
        box = artists.panel(board.panel(runs.run("default"), 12, "map", size=size), "map").bbox
        assert box.width == pytest.approx(box.height)


def test_a_panel_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="panel='sentence' is unknown"):
        board.panel(runs.run("default"), 1, "sentence")
    with pytest.raises(ValueError, match="This learner has no panel of its own"):
        board.panel(runs.run("default"), 1, "own")
