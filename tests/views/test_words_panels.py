"""The rule, the bounds and the order in pictures: what they say is what the run did, as the player says it."""

import math

import numpy as np
import pytest
import runs
from artists import panel
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from test_reel import assert_same, still
from tidy import texts

from kpviz import experiment, explain, tokens
from kpviz.canvas import extras
from kpviz.engine import boolean_bound, guarantee, theory
from kpviz.settings import BOOLEAN, Settings
from kpviz.views import board, look, page, style
from kpviz.views.board import Look
from kpviz.views.bounds import Bounds
from kpviz.views.reel import Reel
from kpviz.views.sequence import EMPTY, Sequence

TOLD = ("code", "bound", "sequence")
PAINT = tokens.THEMES["light"]


def drawn(run, t, name, **how):
    """The axes of one panel alone."""
    figure = board.panel(run, t, name, **how)
    texts(figure)  # all is put in its place
    return panel(figure, name)


def said(ax):
    """Title and texts of a panel, from the highest to the lowest."""
    written = [text for text in ax.texts if text.get_text()]
    written.sort(key=lambda text: -text.get_window_extent().y0)
    return [ax.get_title(loc="left"), *(text.get_text() for text in written)]


def whole(text):
    return " ".join(text.split())


@pytest.mark.parametrize("mistake", [True, False])
def test_the_active_line_says_what_the_step_did(mistake):
    run = runs.run("default")
    t = int(np.flatnonzero(run.mistake == mistake)[3]) + 1
    ax = drawn(run, t, "code")
    (active,) = [text for text in ax.texts if text.get_fontweight() == "bold"]
    assert active.get_text().strip().startswith("else: αᵢ ← αᵢ + η" if mistake else "if f has the sign of yᵢ: nothing")
    assert active.get_color() == PAINT["ink"]
    ground, bar = (patch.get_window_extent() for patch in ax.patches)
    place = active.get_window_extent()
    assert ground.y0 <= place.y0
    assert place.y1 <= ground.y1
    assert [to_hex(patch.get_facecolor()) for patch in ax.patches] == [PAINT["paper"], PAINT["accent"]]
    assert bar.width < ground.width / 50
    i = run.index[t - 1]
    on_it = sum(1 for step in range(t) if run.index[step] == i and run.mistake[step])
    f = sum(
        run.y[run.index[s]] * run.kernel(run.X[[run.index[s]]], run.X[[i]])[0, 0]
        for s in range(t - 1)
        if run.mistake[s]
    )
    numbers = f"y f = {explain.number(run.y[i] * f)},  α = {explain.number(float(on_it))}"
    assert said(ax) == ["The rule", *explain.payload(run)["code"], numbers]


def test_every_rule_has_its_signs_and_its_room():
    for name in ("default", "forgetron", "norma", "svm"):
        ax = drawn(runs.run(name), 2, "code")
        for text in ax.texts:
            assert text.get_window_extent().x1 <= ax.bbox.x1, (name, text.get_text())
            assert ax.bbox.y0 <= text.get_window_extent().y0, (name, text.get_text())


def test_a_stream_ends_when_it_ends_and_before_the_first_step_there_are_no_numbers():
    settings = Settings.of(data="moons", stream="on", n=100)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    lines = said(drawn(run, 0, "code", **look.options(settings, split)))
    assert lines[1:] == list(explain.payload(run, stream=True)["code"])
    assert lines[-1] == "until the stream ends"


@pytest.mark.parametrize("t", [0, 12, 180])
def test_novikoffs_bound_is_said_with_the_mistakes_so_far(t):
    run = runs.run("default")
    ax = drawn(run, t, "bound")
    most = math.floor(theory.mistake_bound(run.gram, run.y) * (1 + 1e-9))
    made = sum(bool(missed) for missed in run.mistake[:t])
    assert said(ax)[:3] == [
        "Mistake bounds",
        "Novikoff's mistake bound: R²/γ²",
        f"At most {most} mistakes; {made} made so far.",
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"kernel": "linear", "epochs": 3},
        {"predictor": "voted", "epochs": 1},
        {"learner": "norma", "n": 20},
        {"data": BOOLEAN, "bits": 3, "function": "or"},
    ],
)
def test_every_bound_that_the_player_is_sent_is_told_in_its_order(values):
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    parts, _ = extras.encode(["bound"], settings, split, run, None)
    shown = whole(" ".join(said(drawn(run, run.n_steps, "bound", **look.options(settings, split)))[1:]))
    expected = []
    for bound in parts["bound"]:
        if bound["name"]:
            expected.append(f"{bound['name']}: {bound['formula']}" if bound["applies"] else bound["name"])
        if not bound["applies"]:
            expected.append(bound["why"])
            continue
        least = bound["values"][-1] if bound["values"] else bound["value"]
        chance = f"The vote errs on new examples with probability at most {explain.number(least)}."
        count = f"At most {math.floor(least):,} mistakes; {int(run.mistake.sum())} made so far."
        expected.append(whole(f"{chance if bound['key'] == 'voted' else count} {bound['why']}"))
        for symbol, words, value in bound["quantities"]:
            exact = float(value).is_integer()
            if symbol != "M":
                expected.append(f"{symbol} = {int(value) if exact else explain.number(value)}, {words}")
    assert shown == whole(" ".join(expected))
    if values.get("data") == BOOLEAN:
        assert "2ⁿ(4l + 1)" in expected[0]


def test_a_bound_of_the_epoch_is_that_of_its_end():
    run = runs.run("never converges")
    first = guarantee.bounds_of(run)[0]
    assert len(set(first.values.tolist())) > 1
    for t, at in ((1, 0), (int(first.times[0]), 0), (int(first.times[0]) + 1, 1), (run.n_steps, -1)):
        told = " ".join(said(drawn(run, t, "bound")))
        assert f"At most {math.floor(first.values[at]):,} mistakes; {int(run.mistake[:t].sum()):,} made so far." in told


def test_bounds_are_found_out_once_for_all_frames(monkeypatch):
    run, asked = experiment.run(Settings.of(n=20, seed=7)), []
    find = guarantee.bounds_of
    monkeypatch.setattr(guarantee, "bounds_of", lambda *a, **o: asked.append(o) or find(*a, **o))
    reel = Reel(run, Look(panels=TOLD), 640, 360)
    for t in (0, 3, 9):
        reel.frame(t)
    experiment.bounds(Settings.of(n=20, seed=7), run)
    assert len(asked) == 1
    boolean_bound.bounds_of(run, "voted")
    assert len(asked) == 2


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_the_order_is_that_of_the_epoch_with_its_mistakes_strong(order):
    settings = Settings.of(n=30, noise=0.3, order=order, oseed=3, epochs=4)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    start, t = 30, 47  # within the second epoch
    ax = drawn(run, t, "sequence", **look.options(settings, split))
    assert ax.get_title(loc="left") == ("Order: cyclic" if order == "cyclic" else "Order: shuffled, epoch 2")
    pale = [text for text in ax.texts if text.get_zorder() < 5]
    strong = [text for text in ax.texts if text.get_zorder() == 5]
    assert [int(text.get_text()) for text in pale] == run.index[start:60].tolist()
    missed = [int(run.index[step]) for step in range(start, t) if run.mistake[step]]
    assert [int(text.get_text()) for text in strong] == missed
    assert missed
    places = [text.get_position() for text in pale]
    rows = sorted({down for _, down in places})
    assert places == sorted(places, key=lambda place: (place[1], place[0]))  # row by row
    shapes = [each for each in ax.collections if isinstance(each, PathCollection)]
    rings = [each for each in shapes if not len(each.get_facecolor())]
    assert [tuple(ring.get_offsets()[0]) for ring in rings] == [places[t - 1 - start]] * 2
    (line,) = [each for each in ax.collections if each.get_gid() == "shown"]
    shown = [(left[0], right[0], right[1]) for left, right in line.get_segments()]
    lined = [any(a < x < b and 0 < y - down < 36 for a, b, y in shown) for x, down in places]
    assert lined == [step < t for step in range(start, 60)]
    assert len(shown) == 1 + rows.index(places[t - 1 - start][1])


def test_an_epoch_ends_with_its_last_example_and_the_next_begins_pale():
    run = runs.run("default")
    n = len(run.y)
    last, first, start = (Sequence.of(run, t, order="cyclic") for t in (n, n + 1, 0))
    assert (last.shown, first.shown, start.shown) == (n, 1, 0)
    np.testing.assert_array_equal(last.missed, run.mistake[:n])
    assert not start.missed.any()
    assert start.still == last.still == first.still
    shuffled = experiment.run(Settings.of(n=20, order="shuffled"))
    one, two = (Sequence.of(shuffled, t, order="shuffled").still for t in (20, 21))
    assert one != two


def test_where_there_is_no_order_it_says_why():
    settings = Settings.of(learner="svm", n=20)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    ax = drawn(run, 1, "sequence", **look.options(settings, split))
    why = settings.reason_against("order")
    assert whole(" ".join(said(ax))) == f"Order {why[0].upper()}{why[1:]}."
    assert Sequence.of(runs.run("svm of one class"), 0).why == EMPTY


def test_many_examples_are_bars_and_few_are_as_large_as_in_the_player():
    run = experiment.run(Settings.of(n=1000, kernel="linear", epochs=1))
    shown = Sequence.of(run, 400)
    ax = Figure(figsize=(4.0, 0.8)).add_axes((0.0, 0.0, 1.0, 1.0))
    with style.sheet():
        shown.draw(ax)
        assert shown.cells(ax).size < 5
        assert Sequence.of(runs.run("one example"), 1).cells(ax).size == 36.0
    assert not ax.texts
    pale, strong = (len(each.get_paths()) for each in ax.collections if isinstance(each, PolyCollection))
    assert (pale, strong) == (1000, run.mistake[:400].sum())


@pytest.mark.parametrize(
    ("size", "theme", "name"),
    [((12.8, 7.2), "light", "default"), ((9.6, 9.6), "dark", "default"), ((7.2, 12.8), "print", "forgetron")],
)
def test_no_word_leaves_its_panel_or_lies_on_another(size, theme, name):
    run = runs.run(name)
    figure = board.figure(run, 20, size=size, theme=theme, panels=("alpha", "margins", *TOLD), dpi=50)
    seen = texts(figure)
    for where in TOLD:
        ax = panel(figure, where)
        boxes = {}
        for text in seen:
            if text.axes is not ax or text.get_text() == ax.get_title(loc="left"):
                continue
            box = text.get_window_extent()
            assert ax.bbox.x0 <= box.x0 <= box.x1 <= ax.bbox.x1, text.get_text()
            assert ax.bbox.y0 <= box.y0 <= box.y1 <= ax.bbox.y1, text.get_text()
            boxes[text.get_text(), round(box.x0), round(box.y0)] = box  # an index is written again where it is strong
        found = list(boxes.values())
        tight = [box for box in found if not any(box.count_overlaps([other]) for other in found if other is not box)]
        assert len(tight) == len(found), where
        assert len(found) > 2 or where == "sequence"  # whose cells may have no room for an index


def test_a_frame_of_a_film_is_the_picture_of_its_instant():
    run = experiment.run(Settings.of(n=20, order="shuffled", noise=0.2))
    how = {"panels": TOLD, "order": "shuffled"}
    reel = Reel(run, Look(**how), 640, 360)
    for t in (22, 3):
        assert_same(reel.frame(t), still(run, t, (640, 360), **how), t)


def test_alone_each_fills_its_page_in_every_theme():
    run = runs.run("default")
    for name, theme in zip(TOLD, tokens.THEMES, strict=True):
        figure = board.panel(run, 40, name, theme=theme, dpi=50)
        assert [ax.get_label() for ax in figure.axes] == [name]
        box = panel(figure, name).get_position()
        assert box.width * box.height > 0.5


def test_more_bounds_find_room_as_their_panel_grows():
    run = runs.run("default")
    counts = []
    low = panel(board.figure(run, 40, panels=(*page.PANELS, *page.TOLD), dpi=50), "bound")
    assert said(low)[2].startswith("At most")  # smaller rather than none
    for size in ((2.0, 1.2), (12.8, 7.2), (9.0, 16.0)):
        ax = panel(board.panel(run, 40, "bound", size=size, dpi=50), "bound")
        told = Bounds.of(run, 40).texts(ax)
        assert not told or told[-1].kind != "name"
        counts.append(len(told))
    assert counts == sorted(counts)
    assert counts[-1] == sum(2 + len(bound.quantities) - 1 for bound in guarantee.bounds_of(run))
