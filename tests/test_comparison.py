"""Runs side by side: pins and their links, the table's numbers."""

import string
from urllib.parse import parse_qsl

import numpy as np
import pytest
import strategies
from covering import in_turn
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from kinds import kernels_for
from links import HOSTILE

from kpviz import experiment, theory
from kpviz.engine.learners import LEARNERS
from kpviz.lessons import comparison
from kpviz.lessons.comparison import MODEL, Pin
from kpviz.service import links
from kpviz.service.commands import carry_out
from kpviz.settings import PROPERTIES, Settings

models = strategies.models()
datas = st.fixed_dictionaries(
    {},
    optional={
        "data": st.sampled_from(["moons", "iris", "xor"]),
        "n": st.integers(4, 90),
        "epochs": st.integers(1, 9),
    },
)
of_texts = strategies.models("texts").map(lambda model: {"data": "texts", **model})


def link_of(query):
    return dict(parse_qsl(query, keep_blank_values=True))


@hypothesis_settings(max_examples=80, deadline=None)
@given(
    st.tuples(models, models, datas)
    | st.tuples(of_texts, of_texts, st.just({"added": "+a goal", "ask": "the salt"}))
)
def test_a_pin_keeps_its_model_and_takes_the_data_and_the_order_of_the_current_run(given):
    pinned, current, data = given
    here, expected = Settings.of(**data, **current), Settings.of(**pinned)
    pin = Pin.of(expected)
    made = pin.on(here)
    assert comparison.read(link_of(comparison.query((pin,))), here) == ((pin,), [])
    for prop in PROPERTIES:
        if prop.name in MODEL:
            assert made.values[prop.name] == expected.values[prop.name]
        elif here.reason_against(prop.name) is None and made.reason_against(prop.name) is None:
            assert made.values[prop.name] == here.values[prop.name]


@pytest.mark.parametrize("data", ["texts", "trees", "graphs", "bits"])
def test_a_model_that_does_not_compare_such_examples_is_the_usual_one_there(data):
    for kernel in ("gaussian", "words", "spectrum", "subtrees", "graph", "polynomial"):
        owner = next(
            name for name in ("xor", "texts", "trees", "graphs") if kernel in kernels_for(name)
        )
        made = Pin.of(Settings.of(data=owner, kernel=kernel, intercept="unit")).on(
            Settings.of(data=data)
        )
        usual = Settings.of(data=data, intercept="unit")
        assert made == usual or (
            kernel in kernels_for(data) and made == usual.replace(kernel=kernel)
        )


@hypothesis_settings(max_examples=80, deadline=None)
@given(st.lists(models, max_size=comparison.MOST), datas)
def test_the_link_of_pins_reads_back_as_the_same_pins(pinned, data):
    here = Settings.of(**data)
    pins = tuple(Pin.of(Settings.of(**model)) for model in pinned)
    query = comparison.query(pins)
    assert comparison.read(link_of(query), here) == (pins, [])
    assert all(comparison.is_key(key) for key in link_of(query))
    assert not any(comparison.is_key(prop.name) for prop in PROPERTIES)
    assert set(query) <= set(string.ascii_letters + string.digits + ".=&-_~%")


@pytest.mark.parametrize("number", ["-1", "4", "99", "x", "", "1.5", "²", "1" * 50])
def test_a_wrong_number_of_pins_is_named_and_pins_nothing(number):
    pins, problems = comparison.read({"pins": number, "p1.kernel": "linear"}, Settings.of())
    assert (pins, problems) == ((), ["pins is not a number from 0 to 3"])


@in_turn([(one,) for one in HOSTILE])
def test_a_wrong_part_of_a_pin_becomes_the_usual_and_is_named(bad):
    for key in ("kernel", "learner", "sigma"):
        pins, problems = comparison.read({"pins": "1", f"p1.{key}": bad}, Settings.of())
        assert len(pins) == 1
        assert isinstance(pins[0].on(Settings.of()), Settings)
        if key != "sigma":
            assert pins == (Pin(),)
            assert [problem.startswith(f"p1.{key}=") for problem in problems] == [True]
    pins, problems = comparison.read(
        {"pins": "1", f"p1.{bad}": "1", "p1.data": "moons"}, Settings.of()
    )
    assert pins == (Pin(),)
    assert "a pin holds what is not part of a model" in problems


@hypothesis_settings(max_examples=100)
@given(strategies.pairs())
def test_random_links_never_raise_and_read_back(pairs):
    link = {"pins": "2"} | {f"p{1 + k % 2}.{key}": value for k, (key, value) in enumerate(pairs)}
    pins, _ = comparison.read(link, Settings.of())
    assert comparison.read(link_of(comparison.query(pins)), Settings.of()) == (pins, [])


# ---- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
def test_the_summary_of_a_run_is_what_its_end_says(learner, predictor):
    made = Settings.of(
        data="moons", n=50, noise=0.2, held=0.3, epochs=3, learner=learner, predictor=predictor
    )
    predictor = made.predictor  # an SVM has but one
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    numbers = comparison.summary(made, split, run)
    mistakes = None if run.learner.chooses else run.mistake.sum()
    assert (numbers.mistakes, numbers.epochs) == (mistakes, run.n_epochs)
    f = run.decision_function(split.X, predictor=predictor)
    f_test = run.decision_function(split.X_test, predictor=predictor)
    if predictor == "voted":
        assert (numbers.margin, numbers.norm) == (None, None)
        f, f_test = (np.where(part >= 0, 1.0, -1.0) for part in (f, f_test))
    else:
        gram = run.gram
        states = [run.state_at(t) for t in range(1, run.n_steps + 1)]
        coef = (
            run.state_at(run.n_steps).coef
            if predictor == "last"
            else np.mean([s.coef for s in states], axis=0)
        )
        assert numbers.norm == pytest.approx(theory.rkhs_norm(gram, coef))
        assert numbers.margin == pytest.approx((split.y * f).min() / numbers.norm)
        assert numbers.support == np.count_nonzero(coef)
    assert numbers.train_error == (f * split.y <= 0).mean()
    assert numbers.test_error == (f_test * split.y_test <= 0).mean()
    assert numbers.seconds > 0


def test_nothing_learnt_has_no_margin_and_no_norm():
    made = Settings.of(tie="correct")
    split = experiment.prepare(made)
    numbers = comparison.summary(made, split, experiment.run(made, split))
    assert (numbers.margin, numbers.norm, numbers.support, numbers.test_error) == (
        None,
        None,
        0,
        None,
    )


def test_a_name_tells_only_what_differs():
    current = Settings.of(kernel="linear", tie="positive")
    pins = [
        Pin.of(Settings.of(kernel="linear")),
        Pin.of(Settings.of(kernel="linear", tie="correct")),
    ]
    expected = [f"a zero score {tie}" for tie in ("is a mistake", "is correct", "counts as +1")]
    assert comparison.names(pins, current) == expected
    assert comparison.names([Pin.of(current)], current) == [
        "Linear · Perceptron · η = 1 · intercept none · " + part
        for part in ["a zero score counts as +1 · last"] * 2
    ]
    assert comparison.names([Pin()], Settings.of(learner="norma", nu=0.2)) == [
        "Perceptron",
        "NORMA · ν = 0.2",
    ]


# ---- what a pin keeps ----------------------------------------------------------------------------

PINNED = "v=1&data=moons&n=200&noise=0.3&held=0.3&sigma=0.4"
OTHERS = {  # what is changed after a run was pinned
    "another learner, with another epoch limit": {"learner": "svm"},
    "a learner without an order": {"learner": "norma"},
    "the epoch limit": {"epochs": 7},
    "the order": {"order": "shuffled"},
    "the order and its seed": {"order": "random", "oseed": 4},
    "an order by hand": {"order": "hand", "sequence": "c"},
    "the predictor": {"predictor": "averaged"},
    "the kernel": {"kernel": "linear"},
    "cues": {"cues": "3: Look."},
}
FIRST = {
    "as it is": {},
    "shuffled": {"order": "shuffled", "oseed": 3, "epochs": 9},
    "by hand": {"order": "hand", "sequence": "b", "epochs": 200},
    "voted": {"predictor": "voted"},
    "SVM": {"learner": "svm", "epochs": 30},
}


@pytest.mark.parametrize("first", FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_a_pinned_run_stays_what_it_is_whatever_is_changed_but_the_data(first, change):
    """In the state, and in its link, which is the whole of an undo."""
    state = links.read(links.pairs(PINNED))
    state = carry_out(state, "set", first)
    pinned = state.settings.without_cues
    state = carry_out(state, "pin", None)
    state = carry_out(state, "set", change)
    assert state.pins[0].on(state.settings.without_cues) == pinned
    again = links.read(links.pairs(state.link))
    assert again.pins == state.pins
    assert not again.notices
    for more in OTHERS.values():
        assert (
            carry_out(again, "set", more)
            .pins[0]
            .on(carry_out(again, "set", more).settings.without_cues)
            == pinned
        )


def test_the_pinned_perceptron_of_the_homework_keeps_its_fifty_epochs_beside_an_svm():
    state = carry_out(links.read(links.pairs(PINNED)), "pin", None)
    state = carry_out(state, "set", {"learner": "svm"})
    made = state.pins[0].on(state.settings)
    split = experiment.prepare(made)
    numbers = comparison.summary(made, split, experiment.run(made, split))
    assert (numbers.mistakes, numbers.epochs, round(numbers.test_error, 2)) == (1282, 50, 0.18)
    assert state.link.endswith("&learner=svm&pins=1&p1.sigma=0.4&p1.epochs=50")


def test_data_are_those_of_all_runs():
    state = carry_out(links.read(links.pairs(PINNED)), "pin", None)
    state = carry_out(state, "set", {"n": 30, "seed": 4, "held": 0.5})
    made = state.pins[0].on(state.settings)
    assert (made.n, made.seed, made.held) == (30, 4, 0.5)


def test_a_pin_of_an_old_link_has_the_order_and_the_epoch_limit_of_its_link():
    old = links.read(
        links.pairs(
            "v=1&data=moons&order=shuffled&oseed=2&epochs=5&learner=norma&pins=1&p1.kernel=linear"
        )
    )
    made = old.pins[0].on(old.settings)
    assert (made.order, made.oseed, made.epochs, made.learner) == ("shuffled", 2, 5, "perceptron")
    assert links.read(links.pairs(old.link)) == old
    changed = carry_out(old, "set", {"order": "cyclic"})
    assert changed.pins[0].on(changed.settings) == made


def test_runs_that_differ_in_their_order_alone_have_names_that_say_so():
    state = carry_out(links.read(links.pairs(PINNED)), "pin", None)
    shuffled = carry_out(state, "set", {"order": "shuffled", "epochs": 7})
    assert comparison.names(shuffled.pins, shuffled.settings) == [
        "cyclic order · up to 50 epochs",
        "shuffled order · up to 7 epochs",
    ]
    svm = carry_out(state, "set", {"learner": "svm"})
    assert comparison.names(svm.pins, svm.settings) == ["Perceptron", "Support vector machine"]
