"""What is sent when a panel asks for it: the three readings' errors, and the primal
form of a run.
"""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sent import Sent
from written import added_up, exact_numbers

from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import predictors
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.theory import primal


def errors(sent):
    """How many training examples each predictor errs on at the end."""
    run, split = sent.run, sent.split
    return [
        round(len(split.y) * predictors.errors_per_epoch(run, split.X, split.y, kind)[-1])
        for kind in PREDICTORS
    ]


@pytest.mark.parametrize(
    "given",
    [
        {"data": "circles", "sigma": 2},
        {"data": "linear", "kernel": "linear"},
        {"kernel": "linear", "epochs": 5},
    ],
    ids=str,
)
def test_a_separation_that_is_lost_in_the_mean_is_noted(given):
    sent = Sent("readings", **given)
    last, averaged, voted = errors(sent)
    note = sent.header["extras"]["readings"]["note"]
    assert bool(note) == (last == 0 < averaged)
    assert not note or note.endswith(f"its mean makes {averaged} and the vote {voted}.")


@pytest.mark.parametrize(
    "given",
    [
        {"data": "shifted", "kernel": "linear", "intercept": "radius", "eta": 0.3},
        {"kernel": "monomial", "degree": 2, "n": 4, "noise": 0},
        {
            "kernel": "polynomial",
            "degree": 8,
            "data": "spirals",
            "epochs": 5,
            "intercept": "unit",
            "held": 0.2,
        },
    ],
    ids=str,
)
def test_of_the_primal_form_the_first_features_are_sent_and_what_both_forms_say_and_cost(given):
    sent = Sent("primal", **given)
    run, extra, reading = sent.run, sent.header["extras"]["primal"], primal.read(sent.run)
    assert tuple(extra["names"]) == reading.names[: primal.SHOWN]
    assert (extra["dimension"], extra["apart"]) == (reading.dimension, reading.why)
    assert extra["breakEven"] == primal.costs(run).break_even
    assert_allclose(sent.arrays["primalScore"], reading.score, rtol=1e-6)
    assert_array_equal(sent.arrays["primalAgrees"], reading.agrees)


@pytest.mark.parametrize(
    "given",
    [{"kernel": "gaussian"}, {"kernel": "sigmoid"}, {"kernel": "linear", "normalize": "on"}],
)
def test_a_kernel_without_finite_features_says_why(given):
    sent = Sent("primal", **given)
    extra = sent.header["extras"]["primal"]
    assert extra["why"] == primal.missing(sent.run.kernel) != ""
    assert set(extra) == {"why", "growth"}
    assert "primalPhi" not in sent.arrays


def test_another_learner_says_that_it_is_one():
    for name in sorted({*LEARNERS} - {"perceptron"}):
        extra = Sent("primal", learner=name, kernel="linear", normalize="on").header["extras"][
            "primal"
        ]
        assert extra["why"].startswith("Only the plain perceptron has a primal form here: ")


# ---- panels about the kernel ---------------------------------------------------------------------

SQUARE = {"data": "circles", "kernel": "monomial", "degree": 2, "epochs": 5}


@pytest.mark.parametrize("kernel", ["gaussian", "linear"])
def test_of_many_examples_only_the_shades_are_sent_that_are_drawn(kernel):
    assert Sent("gram", n=500, kernel=kernel, epochs=1).extras[0]["shades"] == 0
    many = Sent("gram", data="circles", n=501, kernel=kernel, epochs=1)
    (extra,), upper, order = many.extras, many.arrays["gramUpper"], many.arrays["gramOrder"]
    assert extra["shades"] == (127 if extra["signed"] else 255)
    assert upper.itemsize == 1
    exact = many.run.kernel(many.run.X, many.run.X)[np.ix_(order, order)][np.triu_indices(501)]
    shade = extra["limit"] / extra["shades"]
    assert_allclose(upper * shade, exact, rtol=0, atol=0.51 * shade)


@pytest.mark.parametrize(
    "given",
    [{}, {"kernel": "monomial", "degree": 3}, {**SQUARE, "normalize": "on"}],
    ids=str,
)
def test_of_another_kernel_it_is_said_why_and_that_the_features_are_those_of_the_one_that_is_offered(
    given,
):
    sent = Sent("lift", **given)
    assert sent.extras[0]["offers"]
    assert_allclose(
        sent.arrays["liftPhi"] @ sent.arrays["liftPhi"].T,
        (sent.split.X @ sent.split.X.T) ** 2,
        atol=1e-6,
    )
    assert sent.extras[0]["why"].endswith(".")
    assert "(u·v)²" in sent.extras[0]["why"]


def test_what_is_not_asked_for_is_not_sent_nor_anything_of_a_stream():
    streamed = Sent("gram", "similar", "lift", stream="on", n=200).extras
    assert {extra["why"] for extra in streamed} == {
        "The examples of a stream come only once: turn the stream off."
    }
    plain, asked = Sent(**SQUARE), Sent("gram", "similar", "lift", **SQUARE)
    more = set(asked.arrays) - set(plain.arrays)
    assert {"gramOrder", "gramUpper", "liftPhi"} < more
    assert all(name.startswith("similar_") for name in more - {"gramOrder", "gramUpper", "liftPhi"})
    assert_array_equal(plain.arrays["score"], asked.arrays["score"])


@pytest.mark.parametrize("data", ["xor", "moons", "circles", "iris"])
@pytest.mark.parametrize(
    "kernel",
    [
        *(
            {"kernel": "sigmoid", "gamma": gamma, "coef0": coef0}
            for gamma in (0.1, 1, 3)
            for coef0 in (-1, 2, 5)
        ),
        {"kernel": "formula", "formula": "abs(dot(u,v))-0.1*norm(u-v)"},
        {"kernel": "formula", "formula": "exp(-norm(u-v)**4)"},
    ],
    ids=str,
)
def test_a_refutation_can_be_checked_by_hand_with_the_numbers_that_are_printed(data, kernel):
    """The panel once wrote 1·1·1 + (−1)·(−1)·1 + 2·1·(−1)·1 = −9.03×10⁻⁵: what was written is 0."""
    sent = Sent("validity", data=data, **kernel)
    part = sent.header["extras"]["validity"]
    points, about, computed = (part[name] for name in ("points", "about", "sum"))
    if "examples refute it" in points:  # which are too many to write the sum out
        return
    kernel = sent.run.kernel
    if computed.startswith("k(x, x) = "):
        (value,) = exact_numbers(computed.partition(" = ")[2])
        (place,) = re.findall(r"x = \((.*)\)\.", points)
        total = Fraction(float(kernel.diag(np.array([_coordinates(place)]))[0]))
    else:
        terms, _, result = computed.rpartition(" = ")
        (value,) = exact_numbers(result)
        total = added_up(terms)
        taken = dict(re.findall(r"([a-z₀-₉]+) = \(([^()]*)\)", points))
        X = np.array([_coordinates(place) for place in taken.values()])
        length, expanded = re.fullmatch(r"For a kernel ‖(.*)‖² is (.*):", about).groups()
        weights = re.findall(r"(−?) ?(?:([\d.]+)·)?φ\(([^()]+)\)", length)
        assert [name for *_, name in weights] == list(taken)
        c = np.array([float(f"{'-' if sign else ''}{size or 1}") for sign, size, _ in weights])
        assert c @ kernel(X, X) @ c == pytest.approx(float(value), rel=0.01)
        K = kernel(X, X)
        places = list(taken)
        put_in = re.sub(
            r"k\(([^,]+), ([^,]+)\)",
            lambda found: str(K[places.index(found[1]), places.index(found[2])]),
            expanded,
        )
        assert eval(put_in.replace("·", "*").replace("−", "-")) == pytest.approx(c @ K @ c)
    assert value < 0
    assert abs(total - value) <= abs(value) * Fraction(6, 10_000)


def _coordinates(place):
    return [float(exact_numbers(number)[0]) for number in place.split(", ")]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"normalize": "on", "kernel": "polynomial"},
        {"kernel": "formula", "formula": "gaussian(1)*linear() + 0.1*exp(dot(u, v))"},
        {"kernel": "mixture"},
        {"data": "texts"},
        {"data": "texts", "normalize": "on"},
        {"data": "graphs", "n": 10},
    ],
    ids=str,
)
def test_the_steps_of_a_derivation_begin_with_the_kernel_and_go_one_deeper_at_a_time(given):
    (derivation,) = Sent("derivation", **given).extras
    depths = [depth for depth, *_ in derivation["steps"]]
    assert depths[0] == 0
    assert all(1 <= later <= before + 1 for before, later in itertools.pairwise(depths))
