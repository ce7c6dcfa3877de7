"""From settings to a run: the data, what is held out, the first screen."""

import math

import numpy as np
import pytest
from kinds import data_for
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.data import boolean
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.data.tables import Choice, TableError, read_table
from kpviz.engine.kernels import KERNELS, Linear, Polynomial
from kpviz.engine.learners import LEARNERS, Perceptron
from kpviz.engine.theory import separability
from kpviz.settings import BOOLEAN, FILE, LINK_NAMES, Settings, from_query

FLOWERS = b"id,width,height,colour,kind\n" + b"".join(
    b"%d,%d.5,%d,%d,%s\n" % (i, i * 7 % 11, i * 5 % 13, i * 3 % 4, b"rose" if i % 3 else b"iris")
    for i in range(40)
)
TABLE = read_table(FLOWERS, "flowers.csv")
WIDTH_HEIGHT = "width~height~kind~iris~rose"


def of_file(**given):
    return Settings.of(data=FILE, file="flowers.csv~0", **given)


# ---- data ----------------------------------------------------------------------------------------


DRAWN = {
    "iris": ({"x": 3, "y": 0, "pair": "12"}, {"features": (3, 0), "classes": (1, 2)}),
    **dict.fromkeys((name for name in SOURCES if name != "iris"), ({}, {})),
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("held", [0.0, 0.001, 0.05, 0.3, 0.5])
def test_data_are_drawn_as_the_engine_draws_them_and_the_last_are_held_out(name, held):
    (chosen, asked), n = DRAWN[name], 39
    made = Settings.of(
        data=name, n=n, noise=0.1, seed=3, flipped=0.1, balance=0.4, held=held, **chosen
    )
    split = experiment.prepare(made)
    X, y = kpviz.make_dataset(name, n, 0.1, 3, flipped=0.1, balance=0.4, **asked)
    few = max(1, round(held * n)) if held else 0
    assert_array_equal(np.concatenate([split.X, split.X_test]), X)
    assert_array_equal(split.everything, X)
    assert_array_equal(np.concatenate([split.y, split.y_test]), y)
    assert (len(split.y), len(split.y_test)) == (n - few, few)
    assert name != "iris" or split.source.classes == ("versicolor", "virginica")


def test_one_kind_of_iris_stands_against_the_rest():
    split = experiment.prepare(Settings.of(data="iris", pair="r2", n=60, seed=3))
    X, y = kpviz.make_dataset("iris", 60, seed=3, balance=0.5, classes=(None, 2))
    assert_array_equal(split.everything, X)
    assert_array_equal(split.y, y)
    assert (split.source.classes, (y > 0).sum()) == (("not virginica", "virginica"), 30)
    length = X[y < 0, 0]  # of petals: of setosa and of versicolor, between which there is nothing
    assert set(np.sign(length + 0.5)) == {-1.0, 1.0}
    assert "&pair=r2" in kpviz.train(kpviz.learners.Perceptron(), X, y).link


def test_two_examples_are_kept():
    assert len(experiment.prepare(Settings.of(n=4, held=0.5)).y) == 2
    split = experiment.prepare(of_file(held=0.5), read_table(b"a,b,c\n1,2,x\n3,4,y\n"))
    assert (len(split.y), len(split.y_test)) == (2, 0)


# ---- what is no point of a plane -----------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in OBJECTS if name != BOOLEAN])
def test_the_seed_shuffles_objects_and_what_is_added_comes_last_with_its_class(name):
    texts, labels = OBJECTS[name].examples()
    one, other = (experiment.prepare(Settings.of(data=name, seed=seed)) for seed in (0, 7))
    assert one.X.tolist() != other.X.tolist()
    for split in (one, other):
        assert sorted(zip(split.X, split.y, strict=True)) == sorted(zip(texts, labels, strict=True))
    mine = experiment.prepare(Settings.of(data=name, seed=7, added=f"+{texts[0]};-{texts[-1]}"))
    assert mine.X.tolist() == [*other.X.tolist(), texts[0], texts[-1]]
    assert mine.y.tolist() == [*other.y.tolist(), 1.0, -1.0]


@pytest.mark.parametrize("function", ["parity", "x1 & !x3 | x2", "true", "majority"])
def test_all_inputs_of_a_boolean_function_are_there_with_its_values(function):
    split = experiment.prepare(Settings.of(data=BOOLEAN, function=function, bits=5, held=0.25))
    X, y = boolean.load(function, 5)
    assert_array_equal(split.everything, X)
    assert_array_equal(np.concatenate([split.y, split.y_test]), y)
    assert len(split.y_test) == 8


@pytest.mark.parametrize(
    ("data", "line", "conic"),
    [
        ("xor", False, True),
        ("circles", False, True),
        ("linear", True, True),
        ("shifted", True, True),
        ("iris", False, None),
    ],
)
@pytest.mark.parametrize(
    "more", [{}, {"n": 20, "seed": 3}, {"n": 300, "seed": 1}, {"noise": 0.5}, {"flipped": 0.3}]
)
def test_what_is_said_of_data_at_first_is_so_or_not_said(data, line, conic, more):
    settings = Settings.of(data=data, **more)
    split, said = experiment.prepare(settings), experiment.look_for(settings)
    typical = not {"noise", "flipped"} & set(more) and (data != "iris" or settings.n == 100)
    assert said == (SOURCES[data].look_for if typical else "")
    for kernel, expected in ((Linear(), line), (Polynomial(degree=2), conic)):
        if said and expected is not None:
            gram = kernel(split.X, split.X)
            assert (
                separability.decide(split.X, split.y, kernel, gram, intercept=True).separable
                is expected
            )


@pytest.mark.parametrize("settings", [{"data": "xor", "n": 2}, {"data": "iris", "pair": "01"}])
def test_of_few_points_or_other_classes_nothing_is_claimed(settings):
    assert experiment.look_for(Settings.of(**settings)) == ""


@pytest.mark.parametrize("name", OBJECTS)
def test_the_title_and_what_to_look_for_are_those_of_the_objects(name):
    made = Settings.of(data=name)
    assert experiment.source(name) is OBJECTS[name]
    title, look_for = experiment.title(made), experiment.look_for(made)
    if name == BOOLEAN:
        assert title == "Three terms, 4 bits"
        assert look_for == boolean.PRESETS["three"].look_for
        own = made.replace(function="x1 & x2", bits=3)
        assert (experiment.title(own), experiment.look_for(own)) == (
            "x1 & x2, 3 bits",
            OBJECTS[name].look_for,
        )
    else:
        assert (title, look_for) == (OBJECTS[name].title, OBJECTS[name].look_for)
    assert experiment.about(made).startswith(f"{title} · ")


@pytest.mark.parametrize(("data", "new"), [("texts", "the salt"), ("trees", "(S (W who) (VP (V sang)))"),
                                           ("graphs", "CCO 1-2 2-3")])  # fmt: skip
def test_what_is_asked_about_is_one_object_or_none(data, new):
    run = experiment.run(Settings.of(data=data))
    assert experiment.asked_object(Settings.of(data=data, ask=new), run).tolist() == [new]
    assert experiment.asked_object(Settings.of(data=data), run).shape == (0,)


# ---- a file of one's own -------------------------------------------------------------------------


def test_the_columns_and_classes_of_a_link_are_used():
    made = of_file(cols=WIDTH_HEIGHT)
    assert experiment.columns(made) == Choice(("width", "height"), "kind", ("iris", "rose"))
    split = experiment.prepare(made, TABLE)
    assert split.source.features == ("width", "height")
    assert split.source.classes == ("iris", "rose")
    assert (split.y > 0).sum() == sum(b"rose" in line for line in FLOWERS.splitlines())
    turned = experiment.prepare(of_file(cols="height~width~kind~rose~iris"), TABLE)
    assert_array_equal(turned.X, split.X[:, ::-1])
    assert_array_equal(turned.y, -split.y)


def test_without_columns_in_the_link_the_table_guesses():
    assert all(
        experiment.columns(of_file(cols=cols)) is None for cols in ("", "a", "a~b", "a~b~c~d~e~f")
    )
    guess = TABLE.guess()
    named = "~".join([*guess.features, guess.label, *guess.classes])
    split, same = (
        experiment.prepare(of_file(), TABLE),
        experiment.prepare(of_file(cols=named), TABLE),
    )
    assert_array_equal(split.X, same.X)
    assert_array_equal(split.y, same.y)


def test_features_of_a_file_are_scaled_to_one_or_as_they_are_if_a_link_says_so():
    scaled, plain = (
        experiment.prepare(of_file(cols=WIDTH_HEIGHT, scale=scale), TABLE)
        for scale in ("fit", "none")
    )
    assert_allclose([scaled.X.min(axis=0), scaled.X.max(axis=0)], [[-1, -1], [1, 1]])
    assert_allclose([plain.X.min(axis=0), plain.X.max(axis=0)], [[0.5, 0], [10.5, 12]])
    assert (scaled.source.scaled, plain.source.scaled) == (True, False)
    for split in (scaled, plain):
        assert (split.source.lows, split.source.highs) == ((0.5, 0.0), (10.5, 12.0))
    lows, highs = np.array(scaled.source.lows), np.array(scaled.source.highs)
    assert_allclose((scaled.X + 1) / 2 * (highs - lows) + lows, plain.X)


@pytest.mark.parametrize(
    ("largest", "is_scaled"), [(3.0, False), (-10.0, False), (10.0001, True), (-11.0, True)]
)
def test_numbers_of_at_most_ten_are_taken_as_they_are_and_others_scaled(largest, is_scaled):
    table = read_table(f"a,b,kind\n0,{largest},x\n2,1,y\n1,2,x\n".encode())
    split = experiment.prepare(of_file(), table)
    assert split.source.scaled == is_scaled
    assert_array_equal(split.X[0], [-1.0, np.sign(largest)] if is_scaled else [0.0, largest])
    said = experiment.scaling_note(of_file(), split.source)
    assert said == ("Features are scaled to ±1: k and w are of scaled values." if is_scaled else "")
    plain = experiment.prepare(of_file(scale="none"), table)
    assert_array_equal(plain.X[0], [0.0, largest])
    assert "as they are" in experiment.scaling_note(of_file(scale="none"), plain.source)
    assert (
        experiment.scaling_note(
            Settings.of(data="iris"), experiment.prepare(Settings.of(data="iris")).source
        )
        == ""
    )


@pytest.mark.parametrize("held", [0.0, 0.01, 0.3, 0.5])
@pytest.mark.parametrize("n", [10, 40])
def test_a_file_keeps_its_order_and_the_seed_draws_which_rows_are_held_out(held, n):
    files = [
        of_file(cols=WIDTH_HEIGHT, seed=seed, held=held, n=n, scale="none") for seed in range(4)
    ]
    splits = [experiment.prepare(settings, TABLE) for settings in files]
    count = max(1, round(held * n)) if held else 0
    for split in splits:
        learnt = split.lines[: n - count]
        held_out = split.lines[n - count :]
        assert (np.diff(learnt) > 0).all()
        assert (np.diff(held_out) > 0).all()
        assert len(split.y_test) == len(held_out) == count
        for line, (width, height) in zip(
            split.lines.tolist(), split.everything.tolist(), strict=True
        ):
            assert FLOWERS.splitlines()[line - 1].startswith(
                f"{line - 2},{width:.1f},{height:.0f},".encode()
            )
        drawn = [notice for notice in split.source.notices if f"{n} of 40 rows are shown" in notice]
        assert len(drawn) == (n < 40)
    assert len({tuple(split.lines) for split in splits}) == (1 if n == 40 and not held else 4)


def test_a_file_that_is_sorted_by_its_label_says_so_unless_it_is_shuffled():
    rows = sorted(FLOWERS.splitlines()[1:], key=lambda line: line.endswith(b"rose"))
    by_label = read_table(b"\n".join([FLOWERS.splitlines()[0], *rows]))

    def said(table=by_label, cols=WIDTH_HEIGHT, **given):
        settings = of_file(cols=cols, **given)
        return experiment.sorted_note(settings, experiment.prepare(settings, table))

    sentence = (
        "The file is sorted by its label: all examples of class 'iris' come before those "
        "of class 'rose'."
    )
    assert said() == said(held=0.3) == said(n=10) == sentence
    assert (
        said(order="shuffled")
        == said(order="random")
        == said(order="hand")
        == said(learner="svm")
        == ""
    )
    assert said(TABLE) == ""
    assert said(read_table(b"a,b,y\n0,0,0\n0,1,0\n1,0,0\n1,1,1\n"), cols="") == ""  # a truth table


@pytest.mark.parametrize(
    ("cols", "table"),
    [
        ("width~nowhere~kind~iris~rose", TABLE),
        ("width~width~kind~iris~rose", TABLE),
        ("kind~width~kind~iris~rose", TABLE),
        ("~~~~", TABLE),
        ("width~height~kind~iris~tulip", TABLE),
        ("", None),
    ],
)
def test_columns_that_cannot_be_used_and_a_file_that_is_not_here_are_refused_with_a_sentence(
    cols, table
):
    with pytest.raises(ValueError, match=r"\.$") as caught:
        experiment.prepare(of_file(cols=cols), table)
    assert isinstance(caught.value, TableError) == (table is TABLE)


# ---- kernel and learner --------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_the_kernel_has_the_parameters_of_the_settings(name):
    kind = KERNELS[name]
    chosen = {parameter: limits.low for parameter, limits in kind.ranges.items()}
    given = {"data": data_for(name), "kernel": name, "normalize": "off"}
    assert experiment.kernel(Settings.of(**given, **chosen)) == kind(**chosen)
    usual = kind(**{p: r.default for p, r in kind.ranges.items()})
    assert experiment.kernel(Settings.of(**given)) == usual
    assert experiment.kernel(Settings.of(**{**given, "normalize": "on"})) == usual.normalized()


def test_a_formula_and_the_literals_of_subsets_are_those_of_the_settings():
    def made(**given):
        return experiment.kernel(Settings.of(**given))

    text = "1 + dot(u, v)"
    assert made(kernel="formula", formula=text) == kpviz.kernels.Formula(text)
    subsets = kpviz.kernels.AllSubsets
    assert [made(kernel="subsets", negated=on) for on in ("off", "on")] == [
        subsets(),
        subsets(negated=True),
    ]
    assert [made(data=BOOLEAN, negated=on) for on in ("off", "on")] == [
        subsets(),
        subsets(negated=True),
    ]


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_the_parameters_of_the_settings(name):
    kind = LEARNERS[name]
    chosen, wanted = {}, {}
    for parameter, limits in kind.ranges.items():
        middle = (
            math.sqrt(limits.low * limits.high) if limits.log else (limits.low + limits.high) / 2
        )
        value = round(middle) if limits.integer else float(f"{middle:.3g}")
        chosen[LINK_NAMES.get(parameter, parameter)] = wanted[parameter] = value
    for parameter, choices in getattr(kind, "choices", {}).items():
        wanted[parameter] = choices[-1]
        word = {True: "on", False: "off"}.get(choices[-1], choices[-1])
        chosen[LINK_NAMES.get(parameter, parameter)] = word
    made, notice = from_query(
        f"learner={name}&" + "&".join(f"{key}={value}" for key, value in chosen.items())
    )
    replaced = getattr(kind, "replaced", {})
    wanted = {key: value for key, value in wanted.items() if key not in replaced}
    assert notice is None
    learner = experiment.learner(made)
    assert type(learner) is kind
    assert {key: getattr(learner, key) for key in wanted} == wanted
    assert experiment.learner(Settings.of(learner=name)) == kind()


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_a_run_is_what_the_engine_trains(order):
    made = Settings.of(
        data="moons", order=order, oseed=4, epochs=7, held=0.2, eta=2, intercept="radius"
    )
    split = experiment.prepare(made)
    run = experiment.run(made)
    same = kpviz.train(
        Perceptron(2.0, "radius"),
        split.X,
        split.y,
        kernel=kpviz.kernels.Gaussian(0.5),
        order=order,
        epochs=7,
        seed=4,
    )
    assert_array_equal(run.index, same.index)
    assert_array_equal(run.score, same.score)
    assert_array_equal(experiment.run(made, split).score, run.score)


def test_progress_is_told_and_can_cancel():
    def stop(done, limit):
        assert limit == 1000 * 1000
        raise KeyError

    made = Settings.of(kernel="linear", n=1000, epochs=1000)
    assert experiment.run(made, progress=stop).end == "cancelled"


# ---- what one sees first -------------------------------------------------------------------------


def test_the_first_screen_takes_8_to_15_mistakes_in_at_most_four_epochs():
    run = experiment.run(Settings.of())
    assert run.end == "clean"
    assert 8 <= run.mistake.sum() <= 15
    assert run.n_epochs <= 4
    assert len(run.y) == 60


def test_the_first_data_are_not_solved_by_a_line():
    for intercept in ("none", "unit", "radius"):
        assert experiment.run(Settings.of(kernel="linear", intercept=intercept)).end == "limit"
    made = Settings.of(kernel="linear", epochs=3)
    novikoff = {bound.key: bound for bound in experiment.bounds(made, experiment.run(made))}[
        "plain"
    ]
    assert (novikoff.value, novikoff.applies) == (math.inf, False)


def test_the_bounds_of_a_run_are_those_of_theory_and_that_of_a_boolean_function_comes_first():
    bits = [
        {"data": "bits", "function": function} for function in ("parity", "three", "x1 & !x2 | x3")
    ]
    for given in (
        {},
        {"kernel": "linear", "epochs": 3},
        {"predictor": "voted", "epochs": 1},
        {"data": "texts"},
        *bits,
    ):
        made = Settings.of(**given)
        run = experiment.run(made)
        *own, ours = (
            experiment.bounds(made, run)[:2]
            if made.data == BOOLEAN
            else experiment.bounds(made, run)[:1]
        )
        theirs = theory.bound_of(run, predictor=made.predictor)
        assert (ours.key, ours.value, ours.why) == (theirs.key, theirs.value, theirs.why)
        assert [(bound.key, bound.applies) for bound in own] == [("dnf", True)] * (
            made.data == BOOLEAN
        )
        assert all(run.mistake.sum() <= bound.value for bound in own)
        assert experiment.bounds(made, run) is experiment.bounds(
            made, run
        )  # of which some take seconds
