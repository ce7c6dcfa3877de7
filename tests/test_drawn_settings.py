"""Points drawn by hand in settings and links: what is sent is what is drawn, bit for bit."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from links import HOSTILE

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Axis, Drawn, Names
from kpviz.lessons.comparison import Pin
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.settings import DRAWN, HAND, MAX_POINTS, MOST_IN_LINKS, Settings, from_query
from kpviz.settings.conditions import Values


def scattered(n, seed=0, held=0, size=1.0):
    draw = np.random.default_rng(seed)
    return Drawn.of(size * draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n), held)


def of(drawn, **more):
    return Settings.of(data=DRAWN, points=drawn.code, **more)


# ---- links ---------------------------------------------------------------------------------------


@given(strategies.runs(data=[DRAWN]), st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_a_link_leads_back_to_the_same_points_names_order_and_run_bit_for_bit(given, name):
    made = Settings.of(**given, names=Names(features=(name, "b")).code)
    drawn = Drawn.read(made.points, MAX_POINTS)
    again, notice = from_query(made.link())
    assert (again, notice, made.query()) == (made, None, made.link())
    split = experiment.prepare(made)
    assert split.source.X.tobytes() == drawn.X.tobytes()
    assert np.concatenate([split.X, split.X_test]).tobytes() == drawn.X.tobytes()
    assert (len(split.y), len(split.y_test)) == (drawn.n - drawn.held, drawn.held)
    try:
        one, other = experiment.run(made), experiment.run(again)
    except ValueError:  # one sentence, as on the page
        return
    for part in ("X", "y", "index", "score", "mistake"):
        assert getattr(one, part).tobytes() == getattr(other, part).tobytes()


def test_what_is_shown_of_the_plane_is_where_it_was_drawn():
    drawn = scattered(30, size=40.0)
    fewer = drawn.with_points(drawn.X[:2] * 0.1, drawn.y[:2], 0)
    assert experiment.prepare(of(fewer)).extent == drawn.visible


def test_more_points_than_a_link_holds_are_only_named_in_it():
    many, few = of(scattered(MOST_IN_LINKS + 1)), of(scattered(MOST_IN_LINKS, held=50))
    assert (few.stored_name, from_query(few.link())) == (None, (few, None))
    assert len(many.link()) < 60 < len(few.link()) < 900
    assert f"points={many.stored_name}" in many.link()
    assert many.stored_name != of(scattered(MOST_IN_LINKS + 1, seed=1)).stored_name
    assert from_query(many.query()) == (many, None)


def test_the_most_points_with_the_longest_names_and_order_survive_a_query():
    axis = Axis(-66, -(2**40), 4000)
    cells = np.random.default_rng(0).integers(0, 4096, (MAX_POINTS, 2))
    drawn = Drawn(cells, np.ones(MAX_POINTS), 400, (axis, axis))
    names = Names(
        ("א" * 40, "א" * 40), ("א" * 40, "א" * 40), (-1.2345678901234567e-300,) * 2, (1e100,) * 2
    )
    order = sequence.encode(np.random.default_rng(1).permutation(MAX_POINTS).tolist())
    made, problems = Settings.repaired(
        {"data": DRAWN, "points": drawn.code, "names": names.code, "order": HAND, "sequence": order}
    )
    assert problems == []
    assert (made.points, made.names, made.sequence) == (drawn.code, names.code, order)
    assert from_query(made.query()) == (made, None)


def test_a_text_that_is_not_the_canonical_one_leads_to_the_same_link():
    drawn = scattered(7)
    written = f"{drawn.code}.0000.-9_-1250_2500_-9_-1250_2500"
    made, notice = from_query(f"data=drawn&points={written}")
    assert (made, notice) == (of(drawn), None)
    assert made.query() == of(drawn).query()


# ---- what a stranger writes ----------------------------------------------------------------------


BROKEN = ("AAA", "~0123456789ab", "j6QY.AA", "<b>", "j6QY.A.9", "AAAA" * 1001 + "." + "A" * 167)


@pytest.mark.parametrize("bad", BROKEN)
def test_broken_points_leave_the_usual_data_and_all_other_settings(bad):
    made, notice = from_query(
        {"data": DRAWN, "points": bad, "kernel": "linear", "learner": "oldest", "budget": "5"}
    )
    assert made == Settings.of(kernel="linear", learner="oldest", budget=5)
    assert "points=" in notice
    assert notice.endswith(("cannot be read.", "was shortened."))


def test_broken_names_leave_the_points():
    made, notice = from_query({"data": DRAWN, "points": scattered(5).code, "names": "one~two"})
    assert made == of(scattered(5))
    assert "names=one~two cannot be read" in notice


@pytest.mark.parametrize("name", ["points", "names", "sequence"])
def test_hostile_texts_open_with_one_sentence_at_most(name):
    usual: Values = {"data": DRAWN, "points": scattered(6).code, "order": HAND, "epochs": "2"}
    for value in HOSTILE:
        made, notice = from_query({**usual, name: value})
        assert notice is None or (notice.endswith(".") and notice.isprintable() and name in notice)
        assert from_query(made.query()) == (made, None)
        split = experiment.prepare(made)
        assert payload.encode(Experiment.of(made, split, experiment.run(made, split)))


# ---- what applies --------------------------------------------------------------------------------


def test_drawn_points_are_as_they_are():
    drawn = scattered(9, held=2)
    names = ("stream", "n", "noise", "flipped", "balance", "drift", "moves", "seed", "held", "file", "cols", "scale",
             "pair", "x", "y")  # fmt: skip
    given = dict.fromkeys(names, "1") | {"stream": "on"}
    made, problems = Settings.repaired({**given, "data": DRAWN, "points": drawn.code})
    assert (made, problems) == (of(drawn), [])
    for name in names:
        assert 5 < len(made.reason_against(name)) < 70
        assert f"&{name}=" not in made.query()


def test_points_belong_to_drawn_data_and_a_sequence_to_an_order_by_hand():
    drawn = scattered(9)
    assert Settings.of(data="moons", points=drawn.code) == Settings.of(data="moons")
    assert Settings.of(sequence="AC") == Settings.of()
    assert Settings.of(stream="on", order=HAND, sequence="AC") == Settings.of(stream="on")
    assert Settings.of(learner="svm", order=HAND, sequence="AC") == Settings.of(learner="svm")
    assert Settings.of(order=HAND).reason_against("oseed") == "this order is not drawn at random"


@given(
    st.permutations(range(12)),
    st.sampled_from([{"data": DRAWN, "points": scattered(12).code}, {"n": 12}]),
)
@settings(max_examples=60, deadline=None)
def test_examples_are_shown_in_the_order_by_hand_in_each_epoch(order, data):
    made = Settings.of(order=HAND, sequence=sequence.encode(order), epochs=3, **data)
    run = experiment.run(made)
    assert run.index.tolist() == order * run.n_epochs
    assert from_query(made.link()) == (made, None)


def test_examples_that_a_sequence_does_not_name_follow_in_turn():
    made = of(scattered(5), order=HAND, sequence="AD", epochs=1)
    assert experiment.run(made).index.tolist() == [3, 0, 1, 2, 4]
    other = of(scattered(5, held=2), order=HAND, sequence="AEAC", epochs=1)
    assert experiment.run(other).index.tolist() == [2, 0, 1]
    assert of(scattered(4), order=HAND, sequence="ACAAABAD") == of(
        scattered(4), order=HAND, sequence="AC"
    )


def test_a_pinned_model_learns_from_the_same_drawn_points_in_the_same_order():
    same = {"order": HAND, "sequence": "AC"}
    beside = Pin.of(Settings.of(kernel="polynomial", learner="oldest")).on(
        of(scattered(9), kernel="linear", **same)
    )
    assert beside == of(scattered(9), kernel="polynomial", learner="oldest", **same)


def test_names_and_ranges_of_the_data_before_are_those_of_the_points():
    kept = Names(("width", "height"), ("ash", "oak"), (1.0, 10.0), (5.0, 40.0))
    source = experiment.prepare(of(scattered(5), names=kept.code)).source
    assert (source.features, source.classes) == (kept.features, kept.classes)
    assert (source.scaled, source.lows, source.highs) == (True, kept.lows, kept.highs)
    plain = experiment.prepare(of(scattered(5))).source
    assert (plain.features, plain.classes, plain.scaled) == (("x₁", "x₂"), ("−1", "+1"), False)


@pytest.mark.parametrize("data", SOURCES)
def test_a_data_set_that_is_drawn_keeps_its_labels_names_and_held_out_examples(data):
    before = Settings.of(data=data, held=0.3)
    split = experiment.prepare(before)
    drawn = experiment.drawn(before, split)
    after = experiment.prepare(of(drawn, names=experiment.names(split).code))
    assert (after.y.tolist(), after.y_test.tolist()) == (split.y.tolist(), split.y_test.tolist())
    assert (after.source.features, after.source.classes) == (
        split.source.features,
        split.source.classes,
    )
    assert (after.source.scaled, after.source.lows) == (split.source.scaled, split.source.lows)
    steps = [axis.step for axis in drawn.axes]
    assert (np.abs(after.X - split.X) <= np.array(steps) * 0.5000001).all()
    assert (np.abs(after.X_test - split.X_test) <= np.array(steps) * 0.5000001).all()
