"""What is said of a run that did not converge: every claim holds, every piece of advice does what
it promises.
"""

import re

import numpy as np
import pytest
from covering import covering

from kpviz import experiment
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.theory.separability import Separability, decide
from kpviz.lessons import explain, verdict
from kpviz.settings import BY_NAME, DRAWN, FILE, Settings

DATA = tuple(name for name in BY_NAME["data"].choices if name not in (FILE, DRAWN))


def kernels_of(data):
    """The kernels that compare the examples of a data set."""
    return tuple(name for name in KERNELS if Settings.of(data=data, kernel=name).kernel == name)


CASES = [
    case
    for kernels in dict.fromkeys(map(kernels_of, DATA))
    for case in covering([data for data in DATA if kernels_of(data) == kernels], kernels, LEARNERS)
]


def given_for(learner):
    """The cases of a learner: of all of them each kernel meets each learner and each of its data
    sets.
    """
    return [
        Settings.of(data=data, kernel=kernel, learner=learner, n=24)
        for data, kernel, name in CASES
        if name == learner
    ]


def judged(settings):
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    return split, run, verdict.of(settings, split, run)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_piece_of_advice_does_what_it_promises(learner, monkeypatch):
    monkeypatch.setattr(verdict, "SECONDS", 0.5)
    for settings in given_for(learner):
        split, _, found = judged(settings)
        if found.advice is None:
            continue
        followed = settings.replace(**found.advice.changes)
        assert all(followed.values[name] == value for name, value in found.advice.changes.items())
        run = experiment.run(followed, split)
        assert run.converged, (settings, found.words)
        assert (run.y * run.decision_function(run.X) > 0).all(), (settings, found.words)
        title = found.advice.title
        smaller = re.match(
            r".+ can separate them \(slowly: not within 1,000 epochs\)\. ", found.advice.words
        )
        begins = found.advice.words[smaller.end() :].lower() if smaller else found.advice.words
        assert begins.startswith(f"{title.lower()} " if smaller else f"With {title} ")
        assert f"after {run.n_epochs:,} epoch" in found.advice.words
        assert f" {run.mistake.sum():,} mistake" in found.advice.words


HELD = [
    {
        "data": "circles",
        "n": 200,
        "noise": 0.15,
        "flipped": 0.1,
        "seed": 1,
        "held": 0.4,
        "epochs": 20,
    },  # of “widths”
    *(
        {"data": data, "noise": 0.3, "sigma": 2.0, "held": 0.4}
        for data in ("xor", "moons", "circles", "blobs")
    ),
    *(
        {"data": "moons", "noise": 0.4, "sigma": 1.0, "held": 0.4, "predictor": name}
        for name in ("averaged", "voted")
    ),
    {"data": "blobs", "noise": 0.3, "kernel": "polynomial", "held": 0.4},
    {"data": "texts", "held": 0.4, "learner": "oldest", "budget": 3},
]


def wrong_on_held_out(split, run, predictor):
    if not len(split.y_test):
        return 0
    scores = run.decision_function(split.X_test, predictor=predictor)
    return sum(not y * f > 0 for y, f in zip(split.y_test, scores, strict=True))


def test_advice_that_does_worse_on_what_is_held_out_says_so_and_other_advice_does_not_do_worse(
    monkeypatch,
):
    monkeypatch.setattr(verdict, "SECONDS", 5.0)
    costs = set()
    for given in HELD:
        settings = Settings.of(**given)
        split, run, found = judged(settings)
        if found.advice is None:
            continue
        followed = experiment.run(settings.replace(**found.advice.changes), split)
        now, then = (wrong_on_held_out(split, each, settings.predictor) for each in (run, followed))
        cost = re.search(
            r"But then ([0-9,]+) of the ([0-9,]+) held out (?:is|are) wrong, not ([0-9,]+) as "
            r"now\.$",
            found.words,
        )
        assert (cost is not None) == (then > now), found.words
        if cost:
            assert [int(each.replace(",", "")) for each in cost.groups()] == [
                then,
                len(split.y_test),
                now,
            ]
        costs.add(cost is not None)
    assert costs == {True, False}


def test_advice_that_does_no_worse_on_what_is_held_out_comes_before_advice_that_does(monkeypatch):
    settings = Settings.of(held=0.4, kernel="linear", n=40)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    known = iter([3, 9, 5, 3, 0])  # now, and with each change in turn
    monkeypatch.setattr(verdict, "_wrong", lambda *_: next(known))
    monkeypatch.setattr(
        verdict, "_solved", lambda *_: (({"sigma": sigma}, settings, run) for sigma in (4, 3, 2, 1))
    )
    assert verdict.of(settings, split, run).advice.changes["sigma"] == 2
    known = iter([3, 9, 5, 7, 8])
    found = verdict.of(settings, split, run).advice
    assert found.changes["sigma"] == 3
    assert found.words.endswith(" But then 5 of the 16 held out are wrong, not 3 as now.")


@pytest.mark.parametrize(
    ("given", "words", "changes"),
    [
        (
            {"kernel": "linear", "intercept": "radius"},
            "No line parts them. Whatever it tries, some stay wrong: 30 of 60 now. "
            "The line between two orange points crosses the line between two blue ones. So no "
            "straight line can "
            "separate them. With a Gaussian kernel (σ = 0.5) it converges: after 5 epochs and 22 "
            "mistakes.",
            {"kernel": "gaussian"},
        ),
        (
            {"data": "circles", "kernel": "monomial"},
            "No f of this kernel separates the classes: whichever one takes, one of x₀, x₂₀, x₄₀ "
            "and x₅₅ is not on "
            "its right side, as their margins, weighted, add up to 0. With an intercept it "
            "converges: after 2 "
            "epochs and 11 "
            "mistakes.",
            {"intercept": "unit"},
        ),
        (
            {"data": "shifted", "kernel": "linear"},
            "No straight line through the origin separates the classes: mirror x₂ at the origin, "
            "and the "
            "origin lies inside the triangle of x₀, the mirrored x₂ and x₄₀; so no line through "
            "it has all three on "
            "their right sides. With an intercept it converges: after 97 epochs and 710 mistakes.",
            {"intercept": "unit", "epochs": 100},
        ),
        (
            {
                "n": 4,
                "noise": 0.0,
                "kernel": "linear",
            },  # without an intercept, too, it is a proof for every line
            "No line parts them. Whatever it tries, some stay wrong: 4 of 4 now. "
            "The line between two orange points crosses the line between two blue ones. So no "
            "straight line can "
            "separate them. With a Gaussian kernel (σ = 0.5) it converges: "
            "after 2 epochs and 4 mistakes.",
            {"kernel": "gaussian"},
        ),
        (
            {"epochs": 1},
            "A curve that separates the classes exists; 1 epoch did not find it. With up to 5 "
            "epochs it "
            "converges: after "
            "3 epochs and 11 mistakes.",
            {"epochs": 5},
        ),
        (
            {"kernel": "sigmoid"},  # which is no kernel here: it has no feature space
            "Whether an f of this kernel separates the classes was not decided. With a Gaussian "
            "kernel (σ = 0.5) it "
            "converges: after 3 epochs and 11 mistakes.",
            {"kernel": "gaussian"},
        ),
        (
            {"data": "spirals", "kernel": "polynomial", "degree": 4},
            "No f of this kernel separates the classes: whichever one takes, one of 16 examples "
            "is not on its right "
            "side, as their margins, weighted, add up to 0. Degree 5 can separate them (slowly: "
            "not within 1,000 "
            "epochs). Degree 6 converges after 374 epochs and 2,522 mistakes.",
            {"degree": 6, "epochs": 500},
        ),
        (
            {
                "data": "spirals",
                "sigma": 1.0,
            },  # an intercept is slow, too, and not needed to separate them
            "A curve that separates the classes exists; 50 epochs did not find it. With σ = 0.5 "
            "it converges: after "
            "133 epochs and 1,048 mistakes.",
            {"sigma": 0.5, "epochs": 200},
        ),
        ({"data": "iris", "epochs": 3}, "", None),  # the ending says that two flowers are the same
        ({}, "", None),
        ({"data": "moons", "stream": "on"}, "", None),
    ],
)
def test_what_is_said(given, words, changes):
    _, _, found = judged(Settings.of(**given))
    assert found.words == words
    assert (found.advice and found.advice.changes) == changes


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("data", ["xor", "shifted", "linear", "moons"])
def test_what_is_mirrored_has_the_origin_between_it_and_the_others(data, seed):
    settings = Settings.of(data=data, seed=seed, n=40, kernel="linear", noise=0.3, epochs=2)
    _, run, found = judged(settings)
    known = found.separability
    turned = verdict.mirrored(run, known) if known else None
    if turned is None:
        return
    ringed = np.flatnonzero(known.weights)
    places = np.where(np.isin(ringed, turned)[:, None], -run.X[ringed], run.X[ringed])
    shares = np.linalg.lstsq(
        np.vstack([places.T, np.ones(len(ringed))]), np.array([0.0, 0.0, 1.0]), rcond=None
    )[0]
    assert (shares > -1e-9).all()
    assert np.abs(shares @ places).max() < 1e-9
    assert len(set(np.where(np.isin(ringed, turned), -1, 1) * run.y[ringed])) == 1
    assert (
        "lies inside the triangle of" in found.separable
        or "lies on the line between" in found.separable
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("data", ["xor", "circles", "moons", "spirals", "blobs"])
def test_what_is_said_to_cross_crosses(data, seed):
    """Solved again, exactly: the segments, or the point and the triangle, of the ringed examples
    meet.
    """
    settings = Settings.of(
        data=data, seed=seed, n=40, kernel="linear", intercept="unit", noise=0.3, epochs=2
    )
    _, run, found = judged(settings)
    known = found.separability
    if known is None or not verdict.crosses(run, known):
        assert "crosses" not in found.separable
        return
    ringed = np.flatnonzero(known.weights)
    few, many = sorted((ringed[run.y[ringed] > 0], ringed[run.y[ringed] < 0]), key=len)
    assert len(few) in (1, 2)
    assert len(few) + len(many) <= 4
    colour = ["blue", "orange"][int(run.y[few[0]] > 0)]
    if len(few) == 2:
        assert found.separable.startswith(
            f"The line between two {colour} points crosses the line between two "
        )
    else:
        assert found.separable.startswith(f"{explain.example(int(few[0]))}, {colour}, lies ")
    a = run.X[few[0]]
    edges = np.array(
        [run.X[few[1]] - a, *(a - run.X[many])] if len(few) == 2 else a - run.X[many]
    ).T
    conditions = np.vstack(
        [edges, [0.0, *[1.0] * len(many)] if len(few) == 2 else [1.0] * len(many)]
    )
    shares = np.linalg.lstsq(conditions, [0.0, 0.0, 1.0], rcond=None)[0]
    assert conditions @ shares == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
    assert (shares >= -1e-6).all()
    assert len(few) == 1 or shares[0] <= 1 + 1e-6


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"kernel": "linear", "noise": 0.3},
            "Whether a straight line through the origin separates the classes was not",
        ),
        ({"epochs": 1}, "With up to 5 epochs it converges"),  # so an f of this kernel does
    ],
)
def test_what_was_not_decided_is_said_unless_a_trial_decides_it(monkeypatch, given, words):
    monkeypatch.setattr(verdict, "decide", lambda *_, **__: Separability(None))
    _, _, found = judged(Settings.of(**given))
    assert found.words.startswith(words)


def test_rings_are_where_the_classes_cross():
    _, run, found = judged(Settings.of(kernel="linear", intercept="unit"))
    weights = found.separability.weights
    for sign in (1.0, -1.0):
        assert weights[run.y == sign].sum() == pytest.approx(0.5)
    np.testing.assert_allclose((weights * run.y) @ run.X, 0.0, atol=1e-12)


def test_what_takes_too_long_is_said_to_be_open(monkeypatch):
    monkeypatch.setattr(verdict, "SECONDS", 0.0)
    _, run, found = judged(Settings.of(kernel="linear"))
    assert found.undecided
    assert found.advice is None
    assert found.separability.separable is decide(run.X, run.y, run.kernel, run.gram).separable
    assert found.words.endswith("What would help was not found within six seconds.")


def test_a_last_trial_that_time_cuts_short_leaves_it_undecided(monkeypatch):
    settings = Settings.of(kernel="linear", epochs=2, noise=0.3)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)

    def cut(*_):
        monkeypatch.setattr(verdict.time, "monotonic", lambda: float("inf"))
        return run  # as far as it came

    monkeypatch.setattr(verdict, "_candidates", lambda *_: iter([{}]))
    monkeypatch.setattr(verdict.experiment, "run", cut)
    assert verdict.of(settings, split, run).undecided


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("data", ["spirals", "circles", "xor", "moons"])
def test_what_helps_names_the_smallest_degree_that_separates(data, seed, monkeypatch):
    """By a decision for each degree from below, whether or not the perceptron finds it within the
    epochs tried.
    """
    monkeypatch.setattr(verdict, "SECONDS", 10.0)
    settings = Settings.of(data=data, seed=seed, n=40, kernel="polynomial", degree=1)
    split, _, found = judged(settings)
    named = [int(each) for each in re.findall(r"[Dd]egree (\d+)", found.help)]
    if not found.separability or found.separability.separable is not False or not named:
        return
    for degree in range(2, named[0]):
        kernel = experiment.kernel(settings.replace(degree=degree))
        assert decide(split.X, split.y, kernel, kernel(split.X, split.X)).separable is not True, (
            found.help
        )
    kernel = experiment.kernel(settings.replace(degree=named[0]))
    assert decide(split.X, split.y, kernel, kernel(split.X, split.X)).separable is True
