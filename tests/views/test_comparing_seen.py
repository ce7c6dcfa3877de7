"""Laws of what is seen beside pinned runs: shades in motion, one scale for streams, examples above all words."""

import numpy as np
import pytest
from artists import panel
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from test_comparing import drawn, made, names, options
from tidy import assert_tidy

from kpviz import experiment
from kpviz.comparison import PRESETS, Pin
from kpviz.settings import Settings
from kpviz.views import board, look, style
from kpviz.views.board import Look, Motion, Said
from kpviz.views.map import NO_BOUNDARY, Bump
from kpviz.views.readings import Errors
from kpviz.views.reel import Reel


def in_motion(t, fields):
    """The maps of "two" while both runs make a step, with these fields."""
    _, _, _, trained, how, _ = made("two")
    pinned, own = (Motion(field, Bump(field, np.abs(field), 1.0, 0.5), 0.5) for field in fields)
    motion = Motion(own.field, own.bump, own.spread, (pinned,))
    return board.moved(trained[-1], t, how, board.NOTHING, motion, board.describe(trained[-1], t, how))


def test_while_a_step_happens_the_shade_is_where_a_slow_loop_finds_two_signs_in_the_fields_that_are_seen():
    _, _, _, trained, how, _ = made("two")
    at_rest = board.describe(trained[-1], 20, how)
    between = [0.3 - at_rest["map-0"].ground.field, at_rest["map"].ground.field]
    moved = in_motion(20, between)
    for place in names(2):
        shade = moved[place].shade
        for row, column in np.random.default_rng(1).integers(0, 96, (300, 2)).tolist():
            assert shade[row, column] == ({np.sign(field[row, column]) for field in between} >= {-1.0, 1.0})
    assert (moved["map"].shade != at_rest["map"].shade).any()


def test_a_map_at_rest_is_shaded_by_the_motion_of_the_other():
    _, _, _, trained, how, _ = made("two")
    shown = board.describe(trained[-1], 20, how)
    field = -shown["map-0"].ground.field
    motion = Motion(None, None, None, (Motion(field, Bump(field), 0.5),))
    moved = board.moved(trained[-1], 20, how, board.NOTHING, motion, shown)
    assert moved["map"].ground is shown["map"].ground
    np.testing.assert_array_equal(moved["map"].shade, (field > 0) != (shown["map"].ground.field > 0))
    assert "map/points" not in moved


def test_while_a_map_says_that_f_is_zero_nothing_is_shaded_even_where_rounding_leaves_signs():
    rounded = 1e-17 * np.random.default_rng(2).standard_normal((96, 96))
    moved = in_motion(1, [rounded, np.ones((96, 96))])
    assert not moved["map-0"].ground.field.any()  # of which the map says so
    assert not any(moved[place].shade.any() for place in names(2))


def test_streams_beside_each_other_have_one_scale_that_of_the_largest():
    settings = Settings.of(data="moons", stream="on", n=300, drift=2.0, learner="norma", flipped=0.0)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    others = look.others(settings, split, run, (Pin.of(Settings.of(data="moons", stream="on")),))
    how = Look(**look.options(settings, split), others=others).on(run)
    trained = [*others.runs, run]
    shown = board.describe(run, 60, how)
    courses = [shown[place] for place in ("margins-0", "margins")]
    ends = [int(run.mistake.sum()) for run in trained]
    assert ends[0] != ends[1]
    for course, end in zip(courses, ends, strict=True):
        mistakes = next(strip for strip in course.strips(200.0) if strip.name == "mistakes")
        assert mistakes.top == max(ends)
        assert (mistakes.y(end) - mistakes.bottom) / mistakes.height == pytest.approx(end / max(ends))
    support = [next(strip for strip in course.strips(200.0) if strip.name == "support").top for course in courses]
    assert support[0] == support[1] == max(course.support.max() for course in courses)


def four_rules(t, **how):
    settings, pins = PRESETS["ties"].settings()
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    given = look.options(settings, split) | {"others": look.others(settings, split, run, pins)}
    return run, given, board.figure(run, t, dpi=50, **given, **how)


def test_examples_and_rings_lie_above_legend_and_scale():
    run, given, figure = four_rules(9)
    for place in names(4):
        ax = panel(figure, place)
        marks = [each for each in ax.collections if isinstance(each, PathCollection) and len(each.get_offsets()) > 1]
        ring = [each for each in ax.collections if isinstance(each, PathCollection) and each.get_path_effects()]
        words = [text.get_zorder() for text in ax.texts if text.get_text() != NO_BOUNDARY]
        over = max(*words, *(each.get_zorder() for each in (*ax.images, *ax.patches)))
        assert marks
        assert ring
        assert all(each.get_zorder() > over for each in (*marks, *ring))
    order = [*board.describe(run, 9, Look(**given).on(run))]  # in which a film draws
    assert all(order.index(f"{place}/inside") < order.index(f"{place}/points") for place in names(4))


@pytest.mark.parametrize("theme", ["print", "light"])
def test_on_paper_the_shade_is_hatched_and_has_no_grey_of_its_own(theme):
    ax = panel(drawn("two", 30, theme=theme, dpi=50), "map")
    hatched = [each for each in ax.collections if getattr(each, "hatches", None) == ["////"]]
    assert len(hatched) == (theme == "print")
    assert len(ax.images) == 3 - len(hatched)  # the field, the colours of the scale, and on a screen the shade
    for each in hatched:
        _, _, _, trained, how, _ = made("two")
        shown = board.describe(trained[-1], 30, how)["map"]
        assert not len(each.get_facecolor()) or not each.get_facecolor()[:, 3].any()
        (area,) = each.get_paths()
        x1, x2 = np.meshgrid(shown.ground.x1, shown.ground.x2)
        nodes = np.column_stack([x1.ravel(), x2.ravel()])[::7]
        inside = np.zeros(len(nodes), dtype=int)
        for ring in area.to_polygons(closed_only=False):
            inside += np.array([crosses(ring, node) for node in nodes])
        assert (inside % 2 == shown.shade.ravel()[::7]).mean() > 0.99  # but for nodes on the edge


def crosses(ring, node):
    """How often a ray to the right of a node crosses a ring: odd inside."""
    a, b = ring[:-1], ring[1:]
    over = (a[:, 1] > node[1]) != (b[:, 1] > node[1])
    a, b = a[over], b[over]
    at = a[:, 0] + (node[1] - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    return int((at > node[0]).sum())


def test_words_of_a_cue_stand_once_below_all_counters():
    said = Said("Look here, all of you.")
    figure = drawn("four", 5, dpi=50, said=said)
    assert_tidy(figure)
    ax = panel(figure, "sayings")
    told = [each.get_text() for each in [*ax.texts, *ax.artists] if hasattr(each, "get_text")]
    assert len(told) >= 9  # letters, counters, words
    assert " ".join(told).count("all of you.") == 1


def test_a_film_draws_the_letters_anew_where_words_stand_alone():
    _, _, _, trained, how, _ = made("four")
    reel = Reel(trained[-1], Look(**options("four"), others=how.others), 640, 360)
    before = reel.frame(5).copy()
    alone = reel.frame(5, Said("Look here.")).copy()
    fresh = Reel(trained[-1], Look(**options("four"), others=how.others), 640, 360)
    np.testing.assert_array_equal(alone, fresh.frame(5, Said("Look here.")))
    np.testing.assert_array_equal(reel.frame(5), before)


def test_a_narrow_panel_of_the_readings_keeps_a_gap_between_name_and_errors():
    settings = Settings.of(data="moons", n=150, held=0.3, noise=0.2, epochs=1)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    errors = Errors.of(Look(**look.options(settings, split)).on(run).readings_of(run), 40)
    for wide in (180, 240, 300):
        with style.sheet():
            figure = Figure(figsize=(wide / 100, 2.4), dpi=100)
            ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
            errors.draw(ax)
        figure.canvas.draw()
        boxes = {gid: [t.get_window_extent() for t in ax.texts if t.get_gid() == gid] for gid in ("kind", "errors")}
        gap = min(box.x0 for box in boxes["errors"]) - max(box.x1 for box in boxes["kind"])
        assert gap > 0.5 * boxes["kind"][0].height
