"""Laws of the storyboard: the instants that tell a run, each as the map of that instant, tidy on any page."""

import artists
import numpy as np
import pytest
import runs
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import PathCollection
from matplotlib.transforms import Bbox
from tidy import assert_tidy

from kpviz import explain, tokens
from kpviz.cues import Cues
from kpviz.engine import grid
from kpviz.views import board, storyboard
from kpviz.views.board import Said
from kpviz.views.storyboard import Cell

PAGES = {"16:9": (12.8, 7.2), "A4": (11.69, 8.27), "A4 upright": (8.27, 11.69), "square": (7.2, 7.2)}
NAMES = ["default", "never converges", "learns nothing", "one example", "forgetron", "svm"]


def maps(figure):
    """The axes of the maps, in the order of time."""
    return [artists.panel(figure, str(k)) for k in range(len(figure.axes) - 2)]


def told(ax):
    return [text.get_text() for text in ax.texts]


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(NAMES), st.integers(2, 24))
def test_the_chosen_instants_are_the_start_the_end_and_mistakes_between(name, k):
    run = runs.run(name)
    chosen = storyboard.spread(run, k)
    assert len(chosen) == min(k, run.n_steps + 1)
    assert chosen == sorted(set(chosen))
    assert (chosen[0], chosen[-1]) == (0, run.n_steps)
    mistakes = {*(np.flatnonzero(run.mistake) + 1).tolist()} - {run.n_steps}
    assert len(mistakes & {*chosen}) >= min(k - 2, len(mistakes))


def test_the_chosen_mistakes_are_spread_evenly():
    run = runs.run("never converges")
    mistakes = [t for t in (np.flatnonzero(run.mistake) + 1).tolist() if t < run.n_steps]
    ranks = [mistakes.index(t) for t in storyboard.spread(run, 12)[1:-1]]
    assert (ranks[0], ranks[-1]) == (0, len(mistakes) - 1)
    assert np.ptp(np.diff(ranks)) <= 1


@pytest.mark.parametrize("k", [0, 1, 25])
def test_a_number_of_pictures_that_no_page_holds_is_refused(k):
    with pytest.raises(ValueError, match=f"k={k}"):
        storyboard.spread(runs.run("default"), k)
    with pytest.raises(ValueError, match="A storyboard has 2 to 24 pictures, not"):
        storyboard.figure(runs.run("default"), [0] * k)


def test_a_step_beyond_the_end_is_refused():
    with pytest.raises(ValueError, match="t=181"):
        storyboard.figure(runs.run("default"), [0, 181])


def test_each_picture_is_the_map_of_its_instant_in_the_colours_of_the_whole_run():
    run, steps = runs.run("default"), [0, 1, 12, 27, 180]
    figure = storyboard.figure(run, steps, size=PAGES["16:9"])
    limit = grid.limit(run, grid.extent(run.X), tokens.GRID)
    for ax, t in zip(maps(figure), steps, strict=True):
        colours, x1, x2 = artists.pixels(ax)
        places = np.array([[a, b] for b in x2[::17] for a in x1[::17]])
        expected = artists.gradient(run.decision_function(places, t) / limit)
        np.testing.assert_allclose(colours[::17, ::17, :3].reshape(-1, 3), expected, atol=6.0)
        drawn, *rings = [each for each in ax.collections if isinstance(each, PathCollection)]
        assert len(drawn.get_offsets()) == len(run.X)
        assert len(rings) == (t > 0)
        for ring in rings:
            np.testing.assert_array_equal(ring.get_offsets(), run.X[[run.index[t - 1]]])


def test_each_picture_says_its_step_the_mistakes_so_far_and_what_happened():
    run, steps = runs.run("default"), [0, 1, 12, 180]
    for ax, t in zip(maps(storyboard.figure(run, steps, size=PAGES["16:9"])), steps, strict=True):
        texts = told(ax)
        assert f"step {t}" in texts
        assert explain.counted(int(run.mistake[:t].sum()), "mistake") in texts
        said = " ".join(texts[texts.index(explain.counted(int(run.mistake[:t].sum()), "mistake")) + 1 :])
        assert said
        assert (explain.explain(run, t).sentence if t else storyboard.START).startswith(said)
        assert "Press" not in said  # there are no keys on paper


def test_in_little_room_a_few_words_say_what_happened():
    run = runs.run("never converges")
    steps = storyboard.spread(run, 24)
    for ax, t in zip(maps(storyboard.figure(run, steps, size=PAGES["16:9"])), steps, strict=True):
        if t:
            name = explain.example(int(run.index[t - 1]))
            assert f"{name}: {'mistake' if run.mistake[t - 1] else 'right'}" in told(ax)


def test_cues_are_pictures_in_the_order_of_time_with_their_words_and_examples():
    run = runs.run("default")
    cues = Cues.read("end: Done.\nstart: Two of each.\nmistake 3 light x2, x999, margins: Look.\nmistake 999: Never.")
    cells = storyboard.of_cues(run, cues)
    third = int(np.flatnonzero(run.mistake)[2]) + 1
    assert cells == [
        Cell(0, Said("Two of each.")),
        Cell(third, Said("Look.", (2,))),
        Cell(run.n_steps, Said("Done.")),
    ]
    figure = storyboard.figure(run, cells)
    for ax, words in zip(maps(figure), ("Two of each.", "Look.", "Done."), strict=True):
        assert words in told(ax)
    rings = [each for each in maps(figure)[1].collections if isinstance(each, PathCollection)][1:]
    assert run.X[2].tolist() in [ring.get_offsets()[0].tolist() for ring in rings]


def test_words_of_a_cue_that_are_too_long_end_with_dots_and_stay_on_the_page():
    cells = [Cell(t, Said("Look at the boundary, " * 15)) for t in range(20)]
    figure = storyboard.figure(runs.run("default"), cells, size=PAGES["square"])
    assert_tidy(figure)
    assert any(text.endswith("…") for ax in maps(figure) for text in told(ax))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("name", "k"), [("default", 2), ("svm", 6), ("forgetron", 13), ("never converges", 24)])
def test_a_storyboard_is_tidy_on_every_page_and_its_maps_are_square_and_apart(name, k, page):
    run = runs.run(name)
    held = {"X_test": run.X[:3], "y_test": run.y[:3]}
    model = "Gaussian, σ = 0.5 · Perceptron · η = 1 · intercept none · a zero score is a mistake · last"
    title = "A title that is rather long for a page that is not wide"
    figure = storyboard.figure(
        run, storyboard.spread(run, k), size=PAGES[page], title=title, model=model, theme="print", **held
    )
    assert_tidy(figure)
    boxes = [ax.bbox for ax in maps(figure)]
    assert len(boxes) == min(k, run.n_steps + 1)
    for one in boxes:
        assert one.width == pytest.approx(one.height)
        assert one.width == pytest.approx(boxes[0].width)
    assert not any(Bbox.intersection(one, other) for n, one in enumerate(boxes) for other in boxes[:n])


def test_the_same_storyboard_is_the_same_file():
    run = runs.run("default")
    one, other = (board.save(storyboard.figure(run, [0, 12, 180], title="XOR"), "pdf") for _ in range(2))
    assert one == other


def test_of_two_cues_at_one_instant_a_storyboard_shows_the_first():
    run = runs.run("default")
    cells = storyboard.of_cues(run, Cues.read("end: Last.\nmistake 1: One.\n1: Other."))
    assert [(cell.t, cell.said.words) for cell in cells] == [(1, "One."), (run.n_steps, "Last.")]
