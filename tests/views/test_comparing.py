"""Laws of a board with pinned runs: each map is that run's own, the shade is where signs differ, the table adds up."""

import io
from functools import cache

import numpy as np
import pytest
from artists import panel
from matplotlib.image import imread
from tidy import assert_tidy

from kpviz import comparison, experiment, explain
from kpviz.comparison import PRESETS, Pin
from kpviz.settings import Settings
from kpviz.views import alone, beside, board, look, numbers
from kpviz.views.bars import Bars
from kpviz.views.board import Look, Motion, Said
from kpviz.views.bricks import Bricks
from kpviz.views.compared import Compared
from kpviz.views.course import Course
from kpviz.views.map import Bump
from kpviz.views.numbers import Numbers
from kpviz.views.reel import Reel

SIZES = {
    "720p": (1280, 720),
    "4:3": (960, 720),
    "square": (720, 720),
    "a4 upright": (720, 1018),
    "vertical": (720, 1280),
}
TWO = ({"data": "moons", "n": 60, "noise": 0.15, "held": 0.3, "epochs": 6}, ({"kernel": "linear"},))
FOUR = (
    {"data": "xor", "n": 20, "epochs": 5},
    ({"sigma": 0.1}, {"kernel": "linear", "intercept": "unit"}, {"learner": "norma"}),
)
WEIGHTS = ({"data": "moons", "n": 20, "epochs": 1, "learner": "logistic"}, ({},))
STREAM = ({"data": "moons", "stream": "on", "n": 80, "drift": 2.0, "learner": "norma"}, ({},))
TEXTS = ({"data": "texts", "n": 20, "epochs": 2}, ({"kernel": "spectrum"},))
CASES = {"two": TWO, "four": FOUR, "stream": STREAM, "texts": TEXTS}
OF_ALPHA = {**CASES, "weights": WEIGHTS}


@cache
def made(name):
    """Settings, models, split, runs (the current one last) and the look of a comparison."""
    given, pins = OF_ALPHA[name]
    settings = Settings.of(**given)
    pins = tuple(Pin.of(Settings.of(**{k: v for k, v in given.items() if k == "data"}, **pin)) for pin in pins)
    split = experiment.prepare(settings)
    models = [*(pin.on(settings) for pin in pins), settings]
    trained = [experiment.run(each, split) for each in models]
    others = look.others(settings, split, trained[-1], pins)
    how = Look(**look.options(settings, split), others=others).on(trained[-1])
    return settings, models, split, trained, how, pins


def names(count):
    return [*(f"map-{k}" for k in range(count - 1)), "map"]


def instants(trained):
    """One in the middle, one when the shortest run has ended, and the end of all."""
    ends = sorted(run.n_steps for run in trained)
    return [ends[0] // 2, min(ends[0] + 1, ends[-1]), ends[-1]]


@pytest.mark.parametrize("name", CASES)
def test_each_map_is_that_of_the_run_alone_with_its_own_scale_and_one_that_ended_stays_at_its_end(name):
    _, models, split, trained, how, _ = made(name)
    for t in instants(trained):
        shown = board.describe(trained[-1], t, how)
        for place, model, run in zip(names(len(trained)), models, trained, strict=True):
            own = Look(**look.options(model, split), panels=()).on(run)
            single = board.plane(run, min(t, run.n_steps), own)
            ground = shown[place].ground
            assert ground.limit == single["map"].limit
            values = "field" if hasattr(ground, "field") else "scores"
            np.testing.assert_array_equal(getattr(ground, values), getattr(single["map"], values))
            np.testing.assert_array_equal(shown[f"{place}/points"].level, single["map/points"].level)
            assert shown[f"{place}/points"].current == single["map/points"].current


def test_the_shade_is_where_a_slow_loop_finds_two_signs():
    _, _, _, trained, how, _ = made("four")
    shown = board.describe(trained[-1], 13, how)
    fields = [shown[place].ground.field for place in names(4)]
    shade = shown["map"].shade
    for row, column in np.random.default_rng(0).integers(0, 96, (400, 2)).tolist():
        signs = {np.sign(field[row, column]) for field in fields}
        assert shade[row, column] == (signs >= {-1.0, 1.0})
    assert 0 < shade.mean() < 1
    assert all(shown[place].shade is shade or (shown[place].shade == shade).all() for place in names(4))


def test_before_the_first_step_nothing_is_shaded_and_without_a_plane_never():
    _, _, _, trained, how, _ = made("two")
    assert not board.describe(trained[-1], 0, how)["map"].shade.any()
    _, _, _, trained, how, _ = made("texts")
    assert board.describe(trained[-1], 9, how)["map"].shade is None


def test_where_the_runs_disagree_the_map_is_darker_by_a_third():
    _, _, _, trained, how, _ = made("two")
    figure = drawn("two", 30)
    alike = board.figure(trained[-1], 30, size=(12.8, 7.2), **options("two"))
    alike.canvas.draw()
    box = how.page(trained[-1]).boxes["map"]
    field, shade = (
        board.describe(trained[-1], 30, how)["map"].ground.field,
        board.describe(trained[-1], 30, how)["map"].shade,
    )
    picture = np.rint(255 * imread(io.BytesIO(board.save(figure, "png", dpi=100))))
    far = shade & (np.abs(field) > 0.05)
    seen = 0
    for row, column in np.argwhere(far)[::40].tolist():
        x = round(box.left + column / 95 * box.width)
        y = round(720 - box.bottom - row / 95 * box.height)
        if not 3 < x - box.left < box.width - 3 or not 40 < 720 - y - box.bottom < box.height - 80:
            continue
        colour = board.describe(trained[-1], 30, how)["map"].ground.colours[row, column, :3]
        ink = np.array([0x1B, 0x23, 0x30])
        wanted = colour + (ink - colour.astype(float)) * 84 / 255
        seen += np.abs(picture[y, x, :3] - wanted).max() < 12  # elsewhere a point or a line covers it
    assert seen > 10


def options(name):
    settings, _, split, _, _, _ = made(name)
    return look.options(settings, split)


def drawn(name, t, size=(1280, 720), dpi=100, **more):
    _, _, _, trained, how, _ = made(name)
    inches = (size[0] / 100, size[1] / 100)
    return board.figure(trained[-1], t, size=inches, dpi=dpi, others=how.others, **options(name) | more)


@pytest.mark.parametrize("name", ["two", "four"])
def test_the_table_is_the_summary_of_each_run_and_counts_what_is_behind(name):
    settings, models, split, trained, how, _ = made(name)
    t = instants(trained)[1]
    table = board.describe(trained[-1], t, how)["table"]
    columns = [comparison.summary(*each) for each in zip(models, [split] * len(models), trained, strict=True)]
    columns.append(comparison.reference(settings, split))
    for (key, (_, form)), row in zip(numbers.ENDS.items(), table.rows, strict=True):
        values = [getattr(column, key) for column in columns]
        assert row == ["–" if value is None else form(value) for value in values], key
    assert table.mistakes == [int(run.mistake[:t].sum()) for run in trained]
    support = [np.count_nonzero(run.state_at(min(t, run.n_steps)).coef) for run in trained]
    assert table.support == support
    texts = [text.get_text() for text in panel(drawn(name, t, dpi=50), "table").texts]
    assert [f"{value:,}" for value in (*table.mistakes, *table.support)] == texts[-2 * len(trained) :]
    assert set(numbers.LABELS) - {"training error (0 is wrong)"} <= set(texts)


def test_what_no_two_runs_share_is_not_in_the_table():
    _, _, _, trained, how, _ = made("two")
    table = board.describe(trained[-1], 5, how)["table"]
    assert isinstance(table, Numbers)
    assert "seconds" not in numbers.ENDS  # else the same link would not be the same picture


def test_each_run_says_its_own_and_the_words_of_a_cue_stand_alone():
    _, _, _, trained, how, _ = made("two")
    t = min(run.n_steps for run in trained) + 1
    said = Said("Look here.", (3,), ("map", "timeline"))
    for cue in (board.NOTHING, said):
        shown = board.describe(trained[-1], t, how, cue)
        wanted = [explain.explain(run, min(t, run.n_steps)).sentence for run in trained]
        if cue.words:
            wanted = [cue.words]
        assert [sentence.text for sentence in shown["sayings"].sentences] == wanted
        assert [counter.text for counter in shown["sayings"].counters] == [
            explain.counter(run, min(t, run.n_steps)) for run in trained
        ]
        assert {name for name in shown if name.endswith("/light")} == {f"{name}/light" for name in cue.panels}
        assert all(shown[f"{place}/points"].lit == cue.examples for place in names(2))
    others = board.describe(trained[-1], 0, how, Said("Mine.", others=("Theirs.",)))["sayings"].sentences
    assert [sentence.text for sentence in others] == ["Theirs.", "Mine."]
    alike = board.describe(trained[-1], 0, how, Said("All say this.", others=("All say this.",)))["sayings"].sentences
    assert [sentence.text for sentence in alike] == ["All say this."]


def test_captions_are_the_letters_and_what_tells_the_models_apart():
    settings, _, _, trained, how, pins = made("four")
    shown = board.describe(trained[-1], 3, how)
    captions = [shown[f"caption{place.removeprefix('map')}"] for place in names(4)]
    assert [(each.letter, each.name) for each in captions] == [
        *zip("ABCD", comparison.names(pins, settings), strict=True)
    ]
    texts = [text.get_text() for text in panel(drawn("two", 3, dpi=50), "caption-0").texts]
    assert texts == ["A", "Linear"]


def test_the_timeline_has_a_lane_of_mistakes_for_each_run_and_ends_with_the_longest():
    _, _, _, trained, how, _ = made("two")
    lanes = board.describe(trained[-1], 4, how)["timeline"]
    assert (lanes.letters, lanes.n_steps) == ("AB", max(run.n_steps for run in trained))
    for lane, run in zip(lanes.lanes, trained, strict=True):
        assert lane.tolist() == [t + 1 for t in range(run.n_steps) if run.mistake[t]]
    ax = panel(drawn("two", 4, dpi=50), "timeline")
    assert [text.get_text() for text in ax.texts if text.get_text() in "AB"] == ["A", "B"]
    assert any(text.get_text().startswith("B epoch 1") or text.get_text() == "1" for text in ax.texts)


@pytest.mark.parametrize(
    ("name", "kinds"), [("two", [Bricks] * 2), ("weights", [Bricks, Bars]), ("stream", [Course] * 2), ("four", [])]
)
def test_below_each_map_is_its_alpha_of_a_stream_its_course_and_below_four_nothing(name, kinds):
    _, _, _, trained, how, _ = made(name)
    shown = board.describe(trained[-1], 9, how)
    below = [display for place, display in shown.items() if place.partition("-")[0] in ("alpha", "margins")]
    assert [type(display) for display in below] == kinds
    hidden = Look(**{**vars(how), "panels": ("own",)})
    assert not {"alpha", "margins"} & set(board.describe(trained[-1], 9, hidden))


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("runs", [2, 3, 4])
def test_no_two_panels_of_a_page_overlap_and_all_maps_are_squares_of_one_size(size, runs):
    for under in ("", "alpha", "margins"):
        for words in (True, False):
            page = Compared((size[0] / 100, size[1] / 100), (), words, runs=runs, under=under)
            width, height = (100 * side / page.scale for side in page.size)
            boxes = page.boxes
            maps = [boxes[name] for name in names(runs)]
            assert {round(box.width, 6) for box in maps} | {round(box.height, 6) for box in maps} == {
                round(maps[0].width, 6)
            }
            assert maps[0].width > 170
            assert {"sayings", "table", "timeline", "caption", "caption-0"} <= set(boxes)
            for name, box in boxes.items():
                assert min(box.width, box.height) > 25, name
                assert min(box.left, box.bottom) >= 0, name
                assert box.left + box.width <= width + 1e-6, name
                assert box.top <= height + 1e-6, name
            listed = [*boxes.items()]
            for k, (one, a) in enumerate(listed):
                for other, b in listed[k + 1 :]:
                    apart = a.left + a.width <= b.left + 1e-6 or b.left + b.width <= a.left + 1e-6
                    apart |= a.top <= b.bottom + 1e-6 or b.top <= a.bottom + 1e-6
                    assert apart, (one, other, runs, under)


@pytest.mark.parametrize(
    ("name", "size"),
    [("two", "720p"), ("four", "square"), ("stream", "vertical"), ("texts", "a4 upright"), ("two", "square")],
)
def test_all_that_is_said_is_on_the_page_and_lies_on_no_other_text(name, size):
    assert_tidy(drawn(name, 30, SIZES[size], dpi=50))


@pytest.mark.parametrize(
    ("name", "theme"), [("two", "light"), ("four", "dark"), ("stream", "light"), ("texts", "dark")]
)
def test_a_frame_is_the_still_picture_of_its_instant_in_any_order(name, theme):
    _, _, _, trained, how, _ = made(name)
    reel = Reel(trained[-1], Look(**options(name), theme=theme, others=how.others), 640, 360)
    lit = Said("Look here.", (3,), ("map", "timeline"))
    for t, said in [(instants(trained)[2], board.NOTHING), (7, lit), (instants(trained)[1], board.NOTHING)]:
        picture = board.save(drawn(name, t, (640, 360), theme=theme, said=said), "png", dpi=100)
        away = np.abs(reel.frame(t, said).astype(int) - np.rint(255 * imread(io.BytesIO(picture))).astype(int))
        assert away.max() <= 4, (t, away.max())


def test_a_step_that_happens_in_one_run_moves_its_map_only_and_leaves_nothing_behind():
    _, _, _, trained, how, _ = made("two")
    reel = Reel(trained[-1], Look(**options("two"), others=how.others), 640, 360)
    field = board.describe(trained[-1], 20, how)["map-0"].ground.field
    pinned = Motion(0.5 * field, Bump(field, np.abs(field), 1.0, 0.85), 0.5)
    at_rest = reel.frame(20).copy()
    moving = reel.frame(20, motion=Motion(None, None, None, (pinned,))).copy()
    away = np.abs(moving.astype(int) - at_rest).max(axis=2) > 0
    box = reel.page.boxes["map-0"]
    left, right, top, bottom = (
        round(0.5 * edge) for edge in (box.left, box.left + box.width, 720 - box.top, 720 - box.bottom)
    )
    assert away[top:bottom, left:right].mean() > 0.3
    away[top - 6 : bottom + 6, left - 6 : right + 6] = False
    assert not away.any()
    np.testing.assert_array_equal(reel.frame(20), at_rest)


@pytest.mark.parametrize("name", ["map", "timeline", "words"])
def test_a_panel_alone_is_that_of_the_current_run(name):
    _, _, _, trained, how, _ = made("two")
    assert name in alone.NAMES
    one, other = (
        board.save(board.panel(trained[-1], 12, name, others=others, dpi=50, **options("two")), "png", dpi=50)
        for others in (None, how.others)
    )
    assert one == other


def test_no_pins_and_no_examples_are_no_comparison():
    settings, _, split, trained, _, pins = made("two")
    assert look.others(settings, split, trained[-1], ()) is None
    empty = Settings.of(data="drawn")
    nothing = experiment.prepare(empty)
    assert look.others(empty, nothing, experiment.run(empty, nothing), pins) is None


def test_where_f_is_zero_but_for_rounding_no_map_has_a_boundary_and_nothing_is_shaded():
    settings, pins = PRESETS["ties"].settings()
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = Look(**look.options(settings, split), others=look.others(settings, split, run, pins)).on(run)
    shown = board.describe(run, 12, how)
    assert not any(shown[place].ground.field.any() for place in names(4))
    assert not shown["map"].shade.any()


def test_disagreement_needs_both_signs():
    fields = [np.array([1.0, 0.0, -1.0, 2.0]), np.array([-1.0, 1.0, -2.0, 0.0]), np.array([0.0, 0.0, 0.0, 0.0])]
    assert beside.disagreement(fields).tolist() == [True, False, False, False]
