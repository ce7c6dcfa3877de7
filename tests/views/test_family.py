"""Laws of the pictures of every learner: they show what the engine computed, and say what the player says."""

import json
from itertools import cycle, product
from pathlib import Path

import artists
import numpy as np
import pytest
import runs
from covering import covering
from kinds import data_for
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from tidy import assert_tidy

import kpviz.canvas
from kpviz import experiment, explain, tokens
from kpviz.canvas import payload
from kpviz.engine import ground
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.predictors import PREDICTORS
from kpviz.settings import Settings
from kpviz.views import bars, board, map, style, words
from kpviz.views.bars import Bars
from kpviz.views.histogram import Histogram
from kpviz.views.lines import LevelLines
from kpviz.views.map import Map
from kpviz.views.own import KINDS, Own
from kpviz.views.page import Page
from kpviz.views.places import Places
from kpviz.views.points import Points

FRONTEND = Path(kpviz.canvas.__file__).parent / "frontend"
SCALES = ("off", "on")  # of a kernel: as it is, or normalized
READINGS = list(product(LEARNERS, PREDICTORS, ("start", "first", "middle", "end")))
PICTURES = [(*reading, *model) for reading, model in zip(READINGS, cycle(product(KERNELS, SCALES)), strict=False)]
FAMILY = [(name, t) for name in runs.FAMILY for t in runs.instants(runs.run(name))]
LIGHT = tokens.THEMES["light"]


def small(learner, kernel, normalize):
    of = {"data": data_for(kernel), "kernel": kernel, "normalize": normalize}
    return experiment.run(Settings.of(learner=learner, **of, n=14, epochs=3))


def axes(width=5.0, height=1.2):
    return Figure(figsize=(width, height)).add_axes((0, 0, 1, 1))


def drawn(display, width=5.0, height=1.2):
    ax = axes(width, height)
    with style.sheet():
        display.draw(ax)
    return ax


def part(run, t, kind):
    """The learner's parts of one kind, by label."""
    return [display for display in Own.of(run, t).parts if isinstance(display, KINDS[kind])]


def with_part(kind):
    return [(name, t) for name, t in FAMILY if part(runs.run(name), t, kind)]


def alphas(run, t):
    """α by a loop over the changes, one after the other."""
    coef, left = np.zeros(len(run.X)), {}
    for j, step in enumerate(run.changes.step):
        if step >= t:
            break
        for entry in left.values():
            entry[1] *= run.changes.shrink[j]
        for p in range(run.changes.pointer[j], run.changes.pointer[j + 1]):
            left[int(step), p] = [int(run.changes.index[p]), float(run.changes.delta[p])]
        for key in [key for key in left if key[0] == run.changes.evicted[j]]:
            del left[key]
    for i, weight in left.values():
        coef[i] += weight
    return run.y * coef * run.unit


@pytest.mark.parametrize(("learner", "predictor", "when", "kernel", "normalize"), PICTURES)
def test_every_reading_of_every_learner_at_every_kind_of_instant_is_a_tidy_picture(
    learner, predictor, when, kernel, normalize
):
    run = small(learner, kernel, normalize)
    t = {"start": 0, "first": 1, "middle": run.n_steps // 2, "end": run.n_steps}[when]
    assert_tidy(run.plot(t, predictor))


def test_every_kernel_is_among_these_pictures_as_it_is_and_normalized():
    assert {case[3:] for case in PICTURES} == set(product(KERNELS, SCALES))


@pytest.mark.parametrize(("learner", "kernel", "normalize"), covering(LEARNERS, KERNELS, SCALES))
def test_all_that_is_shown_is_finite_for_every_learner_kernel_reading_and_instant(learner, kernel, normalize):
    run = small(learner, kernel, normalize)
    where = ground.of(run)
    for t in {0, 1, run.n_steps // 2, run.n_steps}:
        displays = [Points.of(run, t, places=where.places), *Own.of(run, t).parts]
        displays += [] if explain.about_of(run).counts else [Bars.of(run, t)]
        for predictor in PREDICTORS:
            there = (
                Map.of(run, t, predictor=predictor)
                if where.is_plane
                else Places.of(run, t, where, run.X[:0], predictor=predictor)
            )
            displays += [there, Histogram.of(run, t, predictor=predictor)]
        for display in displays:
            for name, value in vars(display).items():
                assert not isinstance(value, np.ndarray) or np.isfinite(value).all(), (type(display), name)


@pytest.mark.parametrize("size", [(6.4, 3.6), (8, 8), (10.8, 19.2)])
@pytest.mark.parametrize("name", runs.FAMILY)
def test_the_learners_own_panel_is_tidy_at_every_size(name, size):
    run = runs.run(name)
    assert_tidy(board.figure(run, run.n_steps, size=size))


@pytest.mark.parametrize(("name", "t"), FAMILY)
def test_a_bar_is_the_alpha_of_an_example_that_the_run_ever_adds(name, t):
    run = runs.run(name)
    display = Bars.of(run, t)
    np.testing.assert_array_equal(display.index, sorted(set(run.changes.index.tolist())))
    np.testing.assert_allclose(display.alpha, alphas(run, t)[display.index], rtol=1e-9, atol=1e-12)
    ax = drawn(display)
    bars = artists.bars(ax)
    np.testing.assert_allclose([bar.height for bar in bars], display.alpha)
    np.testing.assert_allclose([(bar.left + bar.right) / 2 for bar in bars], np.arange(len(display.index)), atol=1e-9)
    assert [bar.face for bar in bars] == [LIGHT["positive" if y > 0 else "negative"] for y in run.y[display.index]]
    if len(display.index):
        assert ax.get_ylim() == (display.low, display.high)


@pytest.mark.parametrize("name", runs.FAMILY)
def test_the_axis_of_the_bars_stands_still_and_holds_them_all(name):
    run = runs.run(name)
    ends = {(display.low, display.high) for display in (Bars.of(run, t) for t in runs.instants(run))}
    ((low, high),) = ends
    for part_ in range(1, 33):
        alpha = alphas(run, -(-run.n_steps * part_ // 32))
        assert low <= 0.98 * alpha.min(initial=0.0)
        assert 0.98 * alpha.max(initial=0.0) <= high
    best = Bars.of(run, 0).optimum
    assert 0.98 * best.max(initial=0.0) <= high


def test_a_weight_below_zero_hangs_from_the_base_line():
    run = runs.run("negative weights")
    display = Bars.of(run, run.n_steps)
    assert display.alpha.min() < 0
    assert display.low < 0
    ax = drawn(display)
    assert min(bar.height for bar in artists.bars(ax)) == display.alpha.min()
    assert [line.get_ydata()[0] for line in ax.lines] == [0.0]


def test_the_lines_are_where_the_gradient_of_the_penalised_loss_vanishes():
    run = runs.run("logistic")
    display = Bars.of(run, run.n_steps)
    (lines,) = [artist for artist in drawn(display).collections if isinstance(artist, LineCollection)]
    alpha = np.array([line[0, 1] for line in lines.get_segments()])
    f = run.kernel(run.X, run.X) @ (run.y * alpha)
    weight = run.learner.regularization * len(run.y)
    np.testing.assert_allclose(weight * alpha, 1 / (1 + np.exp(run.y * f)), atol=1e-8)
    np.testing.assert_allclose([line[:, 0].mean() for line in lines.get_segments()], np.arange(len(run.y)))


@pytest.mark.parametrize("name", [name for name in runs.FAMILY if name != "logistic"])
def test_there_is_no_optimum_but_that_of_logistic_regression_on_all_examples(name):
    run = runs.run(name)
    assert len(Bars.of(run, run.n_steps).optimum) == 0
    assert Map.of(run, run.n_steps).optimum is None


@pytest.mark.parametrize(("name", "t"), FAMILY)
def test_the_area_of_a_point_goes_with_alpha_up_to_that_of_nine_mistakes(name, t):
    run = runs.run(name)
    times = [-(-run.n_steps * k // 32) for k in range(1, 33)]
    largest = max((np.abs(alphas(run, time)).max() for time in times), default=0.0) or 1.0
    radius = Points.of(run, t).radius() - tokens.POINT["radius"]
    expected = tokens.point_gain(9) * np.sqrt(9 * np.abs(alphas(run, t)) / largest)
    np.testing.assert_allclose(radius, expected, rtol=0.05, atol=1e-9)


@pytest.mark.parametrize("predictor", ["last", "averaged"])
@pytest.mark.parametrize("t", [0, 1, 300, 600])
def test_the_colours_of_logistic_regression_are_probabilities_from_0_to_1(t, predictor):
    run = runs.run("logistic")
    display = Map.of(run, t, predictor=predictor)
    ax, bar = drawn(display, 6.0, 6.0), axes(0.2, 6.0)
    nodes = np.array([[a, b] for b in display.x2[::40] for a in display.x1[::40]])
    chance = 1 / (1 + np.exp(-run.decision_function(nodes, t, predictor)))
    np.testing.assert_allclose(display.shown[::40, ::40].ravel(), chance, rtol=1e-9)
    seen = display.colours[::40, ::40, :3].reshape(-1, 3)
    np.testing.assert_allclose(seen, artists.gradient(2 * chance - 1), atol=1.01)
    colours, x1, x2 = artists.pixels(ax)
    places = np.array([[a, b] for b in x2[::97] for a in x1[::97]])
    chance = 1 / (1 + np.exp(-run.decision_function(places, t, predictor)))
    np.testing.assert_allclose(colours[::97, ::97, :3].reshape(-1, 3), artists.gradient(2 * chance - 1), atol=2.0)
    display.scale.draw(bar)
    assert [label.get_text() for label in bar.get_yticklabels()] == ["0", "0.5", "1"]
    assert bar.get_title(loc="left") == "P(+1)"


def test_a_vote_of_logistic_regression_has_no_probability():
    run = runs.run("logistic")
    display = Map.of(run, 300, predictor="voted")
    assert display.ends == (-1.0, 1.0)
    np.testing.assert_allclose(display.colours[..., :3], artists.gradient(display.field), atol=1.01)
    assert display.name == "vote"


@pytest.mark.parametrize("t", [0, 600])
def test_the_dotted_line_is_the_boundary_of_the_batch_optimum(t):
    run = runs.run("logistic")
    ax = drawn(Map.of(run, t), 6.0, 6.0)
    dotted = [artist for artist in ax.collections if isinstance(artist, LevelLines)][-1]
    assert to_hex(dotted.get_edgecolor()[0]) == LIGHT["accent"]
    vertices = np.concatenate([path.vertices for path in dotted.get_paths()])
    coef = kpviz.theory.logistic_optimum(run.gram, run.y, run.learner.regularization * len(run.y))
    f = run.kernel(vertices, run.X) @ coef
    assert len(vertices) > 50
    assert np.abs(f).max() < 0.01 * np.abs(run.gram @ coef).max()


@pytest.mark.parametrize(("name", "t"), with_part("ages"))
def test_the_columns_by_age_add_up_to_the_coefficients_and_the_newest_is_framed(name, t):
    run = runs.run(name)
    (ages,) = part(run, t, "ages")
    assert (np.diff(ages.step) >= 0).all()
    index = run.index[ages.step]
    np.testing.assert_allclose(run.y * np.bincount(index, ages.weight, len(run.X)), alphas(run, t), atol=1e-12)
    assert len(ages.step) <= getattr(run.learner, "budget", run.n_steps)
    columns, *frames = [artist for artist in drawn(ages).collections if isinstance(artist, PolyCollection)]
    tops = [path.vertices[:, 1].max() for path in columns.get_paths()]
    np.testing.assert_allclose(tops, np.minimum(np.abs(ages.weight), ages.limit))
    assert len(frames) == (t - 1 in ages.step)
    for frame in frames:
        assert round(frame.get_paths()[0].vertices[:, 0].min()) == np.flatnonzero(ages.step == t - 1)[0]


@pytest.mark.parametrize("name", ["oldest", "randomized", "forgetron", "learnt margin"])
def test_the_victim_is_named_at_the_step_that_forgets_it(name):
    run = runs.run(name)
    forgetting = np.flatnonzero(run.details["victim"] >= 0)
    for step in (int(forgetting[0]), int(forgetting[-1])):
        gone = set(run.entries_at(step).step) - set(run.entries_at(step + 1).step)
        (ages,) = part(run, step + 1, "ages")
        assert run.index[gone.pop()] == ages.victim
        assert f"{explain.example(ages.victim)} forgotten" in [text.get_text() for text in drawn(ages).texts]
    (before,) = part(run, int(forgetting[0]), "ages")
    assert before.victim is None
    assert not drawn(before).texts


@pytest.mark.parametrize(("name", "t"), with_part("line"))
def test_a_line_is_the_particular_over_the_run_and_the_dot_its_present_value(name, t):
    run = runs.run(name)
    told = [part_ for part_ in explain.about_of(run).parts if part_.kind == "line"]
    for line, part_ in zip(part(run, t, "line"), told, strict=True):
        values = run.details[part_.detail]
        np.testing.assert_array_equal(line.values, values)
        ax = drawn(line)
        curves = [artist for artist in ax.lines if artist.get_color() == LIGHT["accent"]]
        steps = curves[0].get_xdata() - 1
        np.testing.assert_array_equal(
            steps, np.flatnonzero(run.mistake) if part_.at == "mistakes" else range(run.n_steps)
        )
        shown = np.asarray(curves[0].get_ydata())
        np.testing.assert_allclose(10**shown if part_.logarithmic else shown, values[steps], atol=1e-12)
        seen = t > 0 and (part_.at != "mistakes" or run.mistake[t - 1])
        assert len(curves) == 1 + seen
        assert line.value.split(" ")[0] == (explain.number(values[t - 1]) if seen else "")
        if seen:
            assert curves[1].get_xdata() == [t]
            assert curves[1].get_ydata() == shown[steps == t - 1]
        low, high = ax.get_ylim()
        assert low <= shown.min(initial=high)
        assert shown.max(initial=low) <= high


def test_the_damage_of_the_forgetron_stays_below_its_limit_in_the_picture_too():
    run = runs.run("forgetron")
    (line,) = part(run, 90, "line")
    mistakes = int(run.mistake[:90].sum())
    assert line.value == f"{explain.number(run.details['Q'][89])} ≤ {explain.number(15 / 32 * mistakes)}"
    limit, damage = (np.asarray(curve.get_ydata()) for curve in drawn(line).lines[:2])
    np.testing.assert_allclose(limit, 15 / 32 * np.cumsum(run.mistake))
    assert (damage <= limit + 1e-9).all()


@pytest.mark.parametrize("t", [1, 12, 164])
def test_the_pair_moves_by_the_same_in_opposite_directions_within_its_box(t):
    run = runs.run("svm")
    (pair,) = part(run, t, "pair")
    moved = run.y[pair.index] * (pair.after - pair.before)
    np.testing.assert_allclose(moved, run.details["moved"][t - 1] * np.array([1.0, -1.0]), atol=1e-12)
    np.testing.assert_allclose(
        [pair.before, pair.after], [alphas(run, at)[pair.index] for at in (t - 1, t)], atol=1e-12
    )
    assert pair.limit == run.learner.C
    filled, box = np.array([bar.get_width() for bar in drawn(pair).patches]).reshape(2, 2).T
    np.testing.assert_allclose(filled / box, pair.after / run.learner.C, atol=1e-9)
    dashed = [line.get_xdata()[0] for line in drawn(pair).lines]
    left = [bar.get_x() for bar in drawn(pair).patches[::2]]
    np.testing.assert_allclose((np.array(dashed) - left) / box, pair.before / run.learner.C, atol=1e-9)


def test_the_pair_is_empty_at_the_start():
    (pair,) = part(runs.run("svm"), 0, "pair")
    assert len(pair.index) == 0
    assert not drawn(pair).patches


@pytest.mark.parametrize("t", [0, 1, 300, 600])
def test_the_curve_is_the_sigmoid_times_the_rate_and_the_dot_is_the_present_step(t):
    run = runs.run("logistic")
    (curve,) = part(run, t, "curve")
    rate = run.learner.learning_rate
    np.testing.assert_allclose(curve.added, rate / (1 + np.exp(curve.margins)))
    ax = drawn(curve)
    step, line, *dot = ax.lines
    np.testing.assert_array_equal(line.get_ydata(), curve.added)
    np.testing.assert_array_equal(np.sign(step.get_xdata()), [-1, 0, 0, 1])
    assert len(dot) == (t > 0)
    for point in dot:
        margin = run.y[run.index[t - 1]] * run.score[t - 1]
        assert point.get_xdata() == [margin]
        grown = alphas(run, t) - (1 - rate * run.learner.regularization) * alphas(run, t - 1)
        np.testing.assert_allclose(point.get_ydata(), grown[run.index[t - 1]])


@pytest.mark.parametrize("name", runs.FAMILY)
def test_the_panel_has_the_title_and_the_labels_that_the_learner_gives_it(name):
    run = runs.run(name)
    about = explain.about_of(run)
    ax = drawn(Own.of(run, run.n_steps), 5.0, 2.0)
    assert ax.get_title(loc="left") == about.panel
    shown = [text.get_text() for text in ax.texts]
    assert [label for label in shown if label in {told.label for told in about.parts}] == [p.label for p in about.parts]
    assert len(ax.child_axes) == len(about.parts)


@pytest.mark.parametrize("learner", LEARNERS)
def test_figure_and_player_have_the_same_scales_curve_and_optimum(learner):
    settings = Settings.of(learner=learner)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    header, arrays = payload.unpack(payload.encode(settings, split, run))
    points = Points.of(run, run.n_steps)
    unit = run.unit if header["about"]["counts"] else header["alphaUnit"]
    radius = tokens.POINT["radius"] + header["pointGain"] * np.sqrt(np.abs(run.state_at(run.n_steps).alpha) / unit)
    np.testing.assert_allclose(points.radius(), radius)
    figure = board.figure(run, run.n_steps)
    titles = {ax.get_title(loc="left") for ax in figure.axes}
    assert header["about"]["counts"] == (bars.TITLE not in titles)
    assert header["about"]["panel"] in {*titles, ""}
    if not header["about"]["counts"]:
        display = Bars.of(run, run.n_steps)
        assert (display.low, display.high) == (header["alphaLow"], header["alphaLimit"])
        np.testing.assert_allclose(
            arrays.get("optimum", np.zeros(0)),
            run.y[display.index][: len(display.optimum)] * display.optimum,
            rtol=1e-6,
        )
    for curve in part(run, run.n_steps, "curve"):
        np.testing.assert_allclose(arrays["curve"], [curve.margins, curve.added], rtol=1e-6)


@pytest.mark.parametrize(
    "text", [bars.TITLE, bars.EMPTY, "; lines: the batch optimum", map.PROBABILITY, " forgotten", "y f = 0"]
)
def test_the_player_uses_the_same_words(text):
    sources = [file.read_text(encoding="utf-8") for file in FRONTEND.glob("panels/*.js")]
    assert any(text in source for source in sources)


@pytest.mark.parametrize("kind", sorted({told.kind for make in LEARNERS.values() for told in make().about.parts}))
def test_every_kind_of_part_is_drawn_by_figure_and_player(kind):
    assert kind in KINDS
    own = (FRONTEND / "panels/own.js").read_text(encoding="utf-8")
    assert f"function {kind}(" in own


@pytest.mark.parametrize("size", [(12.8, 7.2), (9.6, 7.2), (8, 8), (10.8, 19.2)])
@pytest.mark.parametrize("name", runs.FAMILY)
def test_the_longest_sentence_of_every_learner_fits(name, size):
    run, page = runs.run(name), Page(size)
    box = page.boxes["sentence"]
    wide, high = page.points(box.width - 16), page.points(box.height)
    said = [explain.explain(run, t).sentence for t in range(max(run.n_steps, 1))]
    advice = max(explain.ADVICE.values(), key=len)
    end = explain.ENDS["limit"].format(epochs="1,000 epochs", last="888 mistakes", advice=advice)
    text, type_ = words.fitted(f"{max(said, key=len)} {end}", wide, high, largest=20.0, smallest=11.0)
    assert (text.count("\n") + 1) * words.LINE * type_ <= high


@pytest.mark.parametrize("predictor", PREDICTORS)
def test_the_histogram_names_the_reading(predictor):
    ax = drawn(Histogram.of(runs.run("norma"), 50, predictor=predictor))
    name = {"last": "f", "averaged": "mean f", "voted": "vote"}[predictor]
    assert ax.get_title(loc="left") == f"Margins y·{name}(x)"
    assert json.dumps(name) in (FRONTEND / "words.js").read_text(encoding="utf-8")
