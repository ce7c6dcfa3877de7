"""Boolean functions: their text, their inputs, and what theory says of the perceptron on all
subsets of literals.
"""

import math
import re
from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz.engine.data import boolean
from kpviz.engine.data.dnf import Dnf, DnfError
from kpviz.engine.kernels import AllSubsets, Gaussian
from kpviz.engine.learners import LEARNERS, Perceptron
from kpviz.engine.theory.applicable_bounds import boolean_bound
from kpviz.engine.theory.mistake_bounds import dnf_bound

LITERALS = AllSubsets(negated=True)


def conjunctions(x):
    """All 4^n features: products over each set of literals, x_j or 1 - x_j."""
    literals = [*x, *(1.0 - x)]
    return [
        prod(chosen) for size in range(len(literals) + 1) for chosen in combinations(literals, size)
    ]


@st.composite
def dnfs(draw, n, negated=True):
    terms = draw(
        st.lists(
            st.dictionaries(st.integers(1, n), st.booleans(), max_size=n, min_size=1), max_size=6
        )
    )
    signed = [
        tuple(sorted((j if on or not negated else -j for j, on in term.items()), key=abs))
        for term in terms
    ]
    return Dnf(tuple(dict.fromkeys(signed)))


CASES = st.integers(2, 5).flatmap(
    lambda n: st.tuples(st.just(n), st.booleans().flatmap(lambda both: dnfs(n, both)))
)


def holds(dnf, x):
    """The definition: some term has all its literals true."""
    return any(all(x[abs(j) - 1] == (1 if j > 0 else 0) for j in term) for term in dnf.terms)


# -- the kernels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3])
def test_negated_subsets_are_all_conjunctions_of_literals_on_any_numbers(n):
    X = np.random.default_rng(n).normal(size=(6, n))
    features = np.array([conjunctions(x) for x in X])
    assert features.shape == (6, 4**n)
    assert_allclose(LITERALS(X, X), features @ features.T, rtol=1e-12)
    assert_allclose(LITERALS.diag(X), (features**2).sum(axis=1), rtol=1e-12)


# -- the bound of a run -----------------------------------------------------------------------------------------------


def run_of(dnf, n, kernel=LITERALS, learner=None, **options):
    X = boolean.bits(n)
    return kpviz.train(
        learner or Perceptron(), X, dnf.values(X), kernel=kernel, **{"epochs": 1000, **options}
    )


@settings(max_examples=120, deadline=None)
@given(CASES, st.sampled_from(["cyclic", "shuffled", "random"]), st.booleans(), st.integers(0, 99))
def test_no_run_makes_more_mistakes_than_the_bound_which_is_novikoffs(case, order, negated, seed):
    n, dnf = case
    kernel = AllSubsets(negated=negated)
    run = run_of(dnf, n, kernel, order=order, seed=seed)
    found = boolean_bound(run, dnf, n)
    assert found.applies == (negated or all(j > 0 for term in dnf.terms for j in term))
    if found.applies:
        assert (run.end == "clean") == (
            order != "random"
        )  # with replacement no pass shows all of them
        assert (
            run.mistake.sum()
            <= found.value
            == 2**n * (4 * len(dnf.terms) + 1)
            == dnf_bound(n, len(dnf.terms))
        )
        shown = {quantity.symbol: quantity.value for quantity in found.quantities}
        assert (shown["n"], shown["l"], shown["M"]) == (n, len(dnf.terms), run.mistake.sum())
        assert kernel.diag(run.X).max() * shown["‖u‖²"] / 0.5**2 == found.value or not negated


def bound(dnf, n, kernel=LITERALS, learner=None, **options):
    return boolean_bound(run_of(dnf, n, kernel, learner, **options), dnf, n)


def test_it_holds_at_the_end_of_each_epoch_for_any_rate_and_factor_and_says_where_it_says_nothing():
    dnf = Dnf.read("x1 & !x2 | x2 & !x3 | x3 & !x1")
    for other in (bound(dnf, 3, learner=Perceptron(0.2)), bound(dnf, 3, LITERALS.normalized())):
        assert (other.value, other.applies) == (8 * 13, True)
    whole = bound(dnf, 3, stop_when_clean=False, epochs=200)
    assert (whole.vacuous, whole.why) == (False, "")
    assert whole.times.tolist() == [8 * epoch for epoch in range(1, 201)]
    assert set(whole.values.tolist()) == {whole.value}
    short = bound(dnf, 3, epochs=2)
    assert (short.applies, short.vacuous) == (True, True)
    assert "only 16 steps were made" in short.why


NEGATED = Dnf.read("x1 & !x2")
MONOTONE = Dnf.read("x1 | x2 & x3")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((NEGATED, 3, AllSubsets()), "negates a literal"),
        ((MONOTONE, 3, Gaussian(1.0)), "all subsets, not normalized"),
        ((MONOTONE, 3, AllSubsets().normalized()), "all subsets, not normalized"),
        (
            (MONOTONE, 3, kpviz.kernels.Sum(AllSubsets(), AllSubsets())),
            "all subsets, not normalized",
        ),
        (
            (MONOTONE, 3, AllSubsets(), Perceptron(intercept="radius")),
            "plain perceptron without intercept",
        ),
        (
            (MONOTONE, 3, LITERALS.normalized(), LEARNERS["norma"]()),
            "plain perceptron without intercept",
        ),
    ],
)
def test_where_it_is_not_meant_one_sentence_says_why(given, why):
    refused = bound(*given, epochs=3)
    assert (refused.applies, refused.value) == (False, math.inf)
    assert why in refused.why
    assert refused.why.endswith(".")


def test_a_tie_that_is_no_mistake_keeps_to_it_and_a_run_that_goes_on_is_refused():
    for tie in ("mistake", "correct", "positive", "negative"):
        run = run_of(NEGATED, 3, LITERALS, Perceptron(tie=tie))
        assert run.mistake.sum() <= boolean_bound(run, NEGATED, 3).value
    again = run_of(NEGATED, 3, start=run_of(NEGATED, 3, epochs=1).state_at(3))
    assert not boolean_bound(again, NEGATED, 3).applies


# -- reading a function -----------------------------------------------------------------------------------------------

SPELLINGS = {
    "x1 & !x2 | x3": ["x1x2'+x3", "x1 && ~x2 || x3", "X1 ∧ ¬x₂ ∨ x3", "x1 and not x2 or x3", "(x1 * !x2) + ((x3))",
                      "not not x1 & x2′ | x3 | x3 & x3", "x2' x1 | x3''"],
    "true": ["TRUE", " true "],
    "false": ["false"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("canonical", "other"), [(key, text) for key, texts in SPELLINGS.items() for text in texts]
)
def test_many_spellings_are_one_function(canonical, other):
    assert str(Dnf.read(other)) == str(Dnf.read(canonical)) == canonical


@settings(max_examples=100, deadline=None)
@given(dnfs(5))
def test_a_function_is_true_where_one_of_its_terms_is_and_its_text_says_it_again(dnf):
    X = boolean.bits(5)
    assert_array_equal(dnf.values(X), [1.0 if holds(dnf, x) else -1.0 for x in X])
    assert Dnf.read(str(dnf)) == dnf


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 1, "is missing"),
        ("x1 | | x2", 6, "is missing"),
        ("x1 & !", 7, "is missing"),
        ("()", 2, "is missing"),
        ("x1 & x5", 6, "x5 is not one of the 4 bits"),
        ("x0", 1, "x0 is not one"),
        ("x1 & x2 & !x1", 11, "never true"),
        ("x1 x1'", 4, "never true"),
        ("!(x1 & x2)", 1, "only a single bit"),
        ("x1 & (x1 | x2)", 10, "one term only"),
        ("(x1 & x2", 9, "is missing before the end"),
        ("x1)", 3, "closes nothing"),
        ("true | x1", 1, "stands alone"),
        ("x1 xor x2", 4, "'xor' is not understood"),
        ("x1 = x2", 4, "no meaning"),
        ("х1", 1, "no meaning"),  # a Cyrillic letter
    ],
)
def test_an_error_is_one_sentence_that_points_at_the_character(text, at, words):
    with pytest.raises(DnfError) as raised:
        Dnf.read(text, 4)
    assert re.fullmatch(rf"At character {at}: [^.]*{words}[^.]*\.", str(raised.value))
    assert raised.value.at == at - 1


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=40), st.text("x123 &|!'()+¬", max_size=30)))
def test_any_text_is_a_function_or_refused_in_one_sentence(text):
    try:
        dnf = Dnf.read(text)
    except ValueError as error:
        assert str(error).endswith(".")  # noqa: PT017 - both ends are fine
    else:
        assert Dnf.read(str(dnf)) == dnf


@pytest.mark.parametrize(
    "text", ["x1 |" * 300, "(" * 10_000_000, None, 7], ids=["long", "endless", "none", "number"]
)
def test_what_is_too_long_or_no_text_is_refused_at_once(text):
    with pytest.raises(
        ValueError,
        match=r"Boolean function (has .* characters: at most 1,000 are read|is a text, not an "
        r"object of type \w+)\.$",
    ):
        Dnf.read(text)


# -- the functions with a name ----------------------------------------------------------------------------------------

MEANING = {
    "literal": lambda x: x[0] == 1,
    "parity": lambda x: sum(x) % 2 == 1,
    "majority": lambda x: sum(x) > len(x) / 2,
    "three": lambda x: len(set(x[:3])) == 2,
    "multiplexer": lambda x: (
        x[1 + int(x[0])] == 1 if len(x) < 6 else x[2 + int(2 * x[0] + x[1])] == 1
    ),
}


@pytest.mark.parametrize("name", boolean.PRESETS)
def test_a_named_function_is_what_its_name_says(name):
    for n in range(boolean.PRESETS[name].fewest, 9):
        X, y = boolean.load(name, n)
        assert_array_equal(y, [1.0 if MEANING[name](x) else -1.0 for x in X])
        assert len(set(y.tolist())) == 2
    assert len(boolean.function("parity", 6).terms) == 32


@pytest.mark.parametrize("text", [*MEANING, " parity ", "x7' x2", "true", "false", "x3"])
def test_a_function_is_loaded_with_its_fewest_bits_and_not_with_one_less(text):
    fewest = boolean.fewest(text)
    assert boolean.canonical(boolean.canonical(text)) == boolean.canonical(text)
    assert boolean.function(boolean.canonical(text), fewest) == boolean.function(text, fewest)
    with pytest.raises(ValueError, match=r"\.$"):
        boolean.load(text, fewest - 1)


# -- inputs and where they are drawn ----------------------------------------------------------------------------------


def test_the_table_counts_up_and_a_seed_shuffles_it():
    X, y = boolean.load("x1 & x3", 3)
    assert_array_equal(X, list(product([0.0, 1.0], repeat=3)))
    shuffled, of_shuffled = boolean.load("x1 & x3", 3, seed=4)
    assert sorted(map(tuple, shuffled)) == sorted(map(tuple, X))
    assert not np.array_equal(shuffled, X)
    assert_array_equal(of_shuffled, [1.0 if a == c == 1 else -1.0 for a, _, c in shuffled])
    assert_array_equal(shuffled, boolean.load("!x2", 3, seed=4)[0])
    assert y.dtype == np.float64


@pytest.mark.parametrize("n", range(2, 9))
def test_corners_lie_apart_within_the_square_and_no_edge_runs_through_another_corner(n):
    places, edges = boolean.corners(n), boolean.edges(n)
    assert np.abs(places).max() == pytest.approx(1.0)
    gaps = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() > 0.09
    for a, b in edges:
        along = places[b] - places[a]
        share = np.clip((places - places[a]) @ along / (along @ along), 0.0, 1.0)
        off = np.linalg.norm(places - places[a] - share[:, None] * along, axis=1)
        off[[a, b]] = np.inf
        assert off.min() > 0.008
