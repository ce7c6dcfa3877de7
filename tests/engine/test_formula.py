"""Formulas: what they are read as, what they compute, how they are written again, and the kernel that is one."""

import math

import numpy as np
import pytest
from covering import in_turn
from numpy.testing import assert_allclose, assert_array_equal
from textbook import random_data

import kpviz
from kpviz.engine.kernels import (
    AllSubsets,
    Gaussian,
    Laplacian,
    Linear,
    Monomial,
    Polynomial,
    Sigmoid,
)
from kpviz.engine.kernels.formula import EXAMPLE, Formula, FormulaError, latex, parse, pointer
from kpviz.engine.kernels.formula.evaluate import matrix

U, V = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])

# Worked out by hand for u = (1, 2) and v = (3, -1).
BY_HAND = {
    "2": 2.0,
    "pi": math.pi,
    "dot(u, v)": 1.0,
    "u·v": 1.0,
    "2*u·v": 2.0,
    "u[1]": 1.0,
    "u[1]*v[2]": -1.0,
    "norm(u-v)": math.sqrt(13),
    "norm(u-v)**2": 13.0,
    "norm(u − v)²": 13.0,
    "norm(u-v)**4": 169.0,
    "norm1(u-v)": 5.0,
    "sum(u)": 3.0,
    "sum(u*v)": 1.0,
    "sum((u-v)**2)": 13.0,
    "sum(abs(u-v))": 5.0,
    "sum(v/2)": 1.0,
    "sum(min(u,v))": 0.0,
    "sum(max(u,v))": 5.0,
    "sum(u*dot(u,v) + norm1(v)*v)": 11.0,
    "min(u[1], v[1])": 1.0,
    "max(u[1], v[1])": 3.0,
    "equal(u, v)": 0.0,
    "equal(u, u*1)": 2.0,
    "exp(0*dot(u,v))": 1.0,
    "log(exp(u[2]))": 2.0,
    "sqrt(v[1] + 1)": 2.0,
    "tanh(dot(u,v) - 1)": 0.0,
    "cos(pi)": -1.0,
    "sin(pi/2)": 1.0,
    "√(u[2]*2)": 2.0,
    "-2**2": -4.0,
    "2**3**2": 512.0,
    "2^-1": 0.5,
    "(-2)**3": -8.0,
    "8/4/2": 1.0,
    "8-4-2": 2.0,
    "1-(2-3)": 2.0,
    "2×3+4": 10.0,
    "4**0.5": 2.0,
    "1.5e2": 150.0,
    ".5": 0.5,
    "linear()": 1.0,
    "polynomial(2, 1)": 4.0,
    "polynomial(1+1, 3/3)": 4.0,
    "monomial(3)": 1.0,
    "gaussian(2)": math.exp(-13 / 8),
    "laplacian(2)": math.exp(-5 / 2),
    "sigmoid(1, -1)": 0.0,
    "subsets()": 4.0 * -1.0,
    "normalized(dot(u,v))": 1 / math.sqrt(50),
    "normalized(dot(u,v) + 1)": 2 / math.sqrt(66),
    "normalized(-dot(u,v))": 0.0,
    "normalized(3)": 1.0,
}


def value(text):
    return matrix(parse(text), U, V)[0, 0]


@in_turn(BY_HAND.items())
def test_a_formula_has_the_value_worked_out_by_hand(text, expected):
    assert value(text) == pytest.approx(expected, rel=1e-14, abs=1e-15)


# formula, the built-in kernel, whether it does the same operations in the same order
SAME = [
    ("dot(u, v)", Linear(), True),
    ("(dot(u, v) + 1)**2", Polynomial(2, 1.0), True),
    ("(dot(u, v) + 0.3)**5", Polynomial(5, 0.3), True),
    ("dot(u, v)**3", Monomial(3), True),
    ("exp(-norm(u-v)**2/2)", Gaussian(1.0), True),
    ("exp(-norm(u-v)**2/(2*0.6**2))", Gaussian(0.6), False),
    ("exp(-norm1(u-v)/0.7)", Laplacian(0.7), True),
    ("tanh(1.5*dot(u, v) - 0.5)", Sigmoid(1.5, -0.5), True),
    ("(1 + u[1]*v[1])*(1 + u[2]*v[2])", AllSubsets(), True),
    ("gaussian(0.5) + linear()", Gaussian(0.5) + Linear(), True),
    ("subsets()*laplacian(2)", AllSubsets() * Laplacian(2.0), True),
    ("normalized((dot(u,v) + 1)**2)", Polynomial(2, 1.0).normalized(), False),
    ("dot(u,v)/(norm(u)*norm(v))", Linear().normalized(), False),
]


@pytest.mark.parametrize(("text", "kernel", "exactly"), SAME, ids=[row[0] for row in SAME])
def test_a_formula_equals_the_built_in_kernel(text, kernel, exactly):
    X, Z = random_data(1, 40)[0], random_data(2, 30)[0]
    ours = Formula(text)
    for mine, theirs in ((ours(X, Z), kernel(X, Z)), (ours(X, X), kernel(X, X)), (ours.diag(X), kernel.diag(X))):
        assert mine.dtype == np.float64
        assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    if exactly:
        assert_array_equal(ours(X, Z), kernel(X, Z))


def test_a_perceptron_makes_the_same_mistakes_with_a_formula_as_with_the_built_in():
    X, y = kpviz.make_dataset("circles", 80, 0.3)
    for text, kernel in (("(dot(u,v) + 1)**3", Polynomial(3, 1.0)), ("exp(-norm(u-v)^2/2)", Gaussian(1.0))):
        ours = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=Formula(text), epochs=5)
        theirs = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=5)
        assert_array_equal(ours.mistake, theirs.mistake)
        assert ours.mistake.sum() > 5


@pytest.mark.parametrize("text", [row[0] for row in SAME] + [EXAMPLE, "dot(2*u, 3*v)", "norm(u)*norm(v)*dot(u,v)"])
def test_a_gram_is_exactly_symmetric_and_the_diagonal_its_own(text):
    X = random_data(3, 60)[0]
    gram = Formula(text)(X, X)
    assert_array_equal(gram, gram.T)
    assert_allclose(Formula(text).diag(X), np.diagonal(gram), rtol=1e-12, atol=1e-13)


def test_long_matrices_are_made_in_blocks_that_agree_with_single_rows():
    X, Z = random_data(4, 700)[0], random_data(5, 900)[0]
    kernel = Formula("exp(-norm(u-v)**2) + norm1(u)*norm1(v)*dot(u,v)")
    whole = kernel(X, Z)
    for i in (0, 290, 291, 699):
        assert_allclose(whole[i], kernel(X[i : i + 1], Z)[0], rtol=1e-12, atol=1e-13)
    gram = kernel(X, X)
    assert_array_equal(gram, gram.T)
    assert_allclose(gram[3], kernel(X[3:4], X)[0], rtol=1e-12, atol=1e-13)


def test_examples_are_left_as_they_were():
    X = random_data(6, 20)[0]
    before = X.copy()
    for text in ("u[1]*v[1]", "exp(u[1])*exp(v[1])", "norm(-u)*norm(-v)", "sum(u*v)", "max(u[2], v[2])**2"):
        Formula(text)(X, X)
        Formula(text).diag(X)
    assert_array_equal(X, before)
    X.setflags(write=False)
    assert Formula(EXAMPLE)(X, X).shape == (20, 20)


# ---- writing ------------------------------------------------------------------------------------

CANONICAL = {
    "exp(−norm(u-v)²/2)+0.1*(u·v)": "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)",
    "((u[1]))*(v[1])": "u[1]*v[1]",
    "1-(2-3)": "1 - (2 - 3)",
    "(1-2)-3": "1 - 2 - 3",
    "8/(4/2)": "8/(4/2)",
    "(-2)**2": "(-2)**2",
    "-2**2": "-2**2",
    "2**(-1)": "2**(-1)",
    "(2**3)**2": "(2**3)**2",
    "2**(3**2)": "2**3**2",
    "1--1": "1 - (-1)",
    "-(u[1]*v[1])": "-(u[1]*v[1])",
    "-u[1]*v[1]": "-u[1]*v[1]",
    "π": "pi",
    "3.14159265358979311600": "pi",
    "1.0": "1",
    "1e-7": "1e-07",
    "1e12": "1000000000000",
    "gaussian( 0.50 )": "gaussian(0.5)",
    "max(u [1],v[1])": "max(u[1], v[1])",
}


@pytest.mark.parametrize(("typed", "written"), CANONICAL.items(), ids=CANONICAL)
def test_a_formula_is_written_again_in_one_way(typed, written):
    assert str(parse(typed)) == written
    assert parse(written) == parse(typed)


@in_turn([(one,) for one in [*BY_HAND, *(row[0] for row in SAME)]])
def test_what_is_written_is_read_as_the_same_formula(text):
    assert parse(str(parse(text))) == parse(text)


LATEX = {
    EXAMPLE: r"\exp\left(-\frac{\|u - v\|^{2}}{2}\right) + 0.1\, u \cdot v",
    "(dot(u,v)+1)**2": r"\left(u \cdot v + 1\right)^{2}",
    "u[1]*v[1]": r"u_{1}\, v_{1}",
    "sqrt(norm1(u-v)**2)": r"\sqrt{\|u - v\|_1^{2}}",
    "sum(u*v**2)": r"\sum_i u_i\, v_i^{2}",
    "norm(u*v)": r"\|u \odot v\|",
    "dot(u,v)*dot(u,v)": r"\left(u \cdot v\right)\, \left(u \cdot v\right)",
    "-dot(u,v)": r"-u \cdot v",
    "2*pi*3*(1+2)": r"2\, \pi \cdot 3\, \left(1 + 2\right)",
    "min(u[1], v[1])": r"\min\left(u_{1}, v_{1}\right)",
    "gaussian(0.5)": r"\exp\left(-\frac{\|u - v\|^{2}}{2 \cdot 0.5^{2}}\right)",
    "1e-7*dot(u,v)": r"1 \cdot 10^{-7}\, u \cdot v",
}


@pytest.mark.parametrize(("text", "expected"), LATEX.items(), ids=LATEX)
def test_latex_is_as_one_would_write_it(text, expected):
    assert latex(parse(text)) == expected


def test_the_latex_of_every_formula_closes_what_it_opens():
    for text in [*BY_HAND, *(row[0] for row in SAME)]:
        shown = latex(parse(text))
        assert shown.count("{") == shown.count("}"), text
        assert shown.count(r"\left") == shown.count(r"\right"), text


# ---- errors -------------------------------------------------------------------------------------

WRONG = {
    "nrom(u)*2": (0, "nrom is unknown; did you mean norm?"),
    "2*Gauss(1)": (2, "Gauss is unknown; did you mean gaussian?"),
    "2 + exp(u1*v1)": (8, "u1 is unknown; a component is written as in u[1]."),
    "foo": (0, "foo is unknown; there are u, v, pi and functions such as dot, norm, exp, min and gaussian."),
    "dot(u,v) + 2 3": (13, "an operator such as * is missing before 3."),
    "2 + (3*4": (8, '")" is missing before the end: it closes character 5.'),
    "3 *": (3, 'a number, u, v or a function is missing after "*".'),
    "* 2": (0, 'a number, u, v or a function is missing before "*".'),
    "dot(u, v))": (9, '")" closes nothing.'),
    "u[0]": (2, "a component is a whole number from 1 to 100, as in u[1]."),
    "dot(u, v) + u": (10, "a vector is added to a number, which has no meaning."),
    "u - 1": (2, "a number is subtracted from a vector, which has no meaning."),
    "norm(dot(u,v))": (5, "norm takes a vector, as in norm(u - v), but this is a number."),
    "exp(dot(u))": (4, "dot takes 2 arguments, as in dot(u, v), not 1."),
    "gaussian(0)": (9, "σ = 0 is out of range: σ must be above 0."),
    "polynomial(2, -1)": (11, "coef0=-1.0 is out of range: coef0 must be at least 0."),
    "dot(u,v)**65": (10, "an exponent is a number from -64 to 64."),
    "dot(u,v)**u[1]": (10, "an exponent is a number; for others write exp(… * log(…))."),
    "2*1e13": (2, "1e13 is too large: numbers go up to 1e12."),
    "dot(u,v) + 1/0": (12, "1/0 is not a finite number."),
    "dоt(u,v)": (1, '"о" (cyrillic small letter o) has no meaning in a formula.'),
}


@pytest.mark.parametrize(("text", "where", "what"), [(text, *expected) for text, expected in WRONG.items()], ids=WRONG)
def test_an_error_names_the_character_and_what_is_wrong(text, where, what):
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert caught.value.at == where
    assert str(caught.value) == f"At character {where + 1}: {what}"


def test_a_caret_stands_under_the_character():
    text = "dot(u, v) + nrom(u)"
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert pointer(text, caught.value.at) == f"{text}\n            ^"
    assert pointer("a\nb\tc", 4).splitlines() == ["a b c", "    ^"]
    above, below = pointer("x" * 200 + "!" + "x" * 99, 200).splitlines()
    assert above[below.index("^")] == "!"
    assert len(above) <= 80


# formula: what has no value, for which examples, and why
NOT_FINITE = {
    "log(dot(u,v))": ("log(dot(u, v))", "u = (1, 0) and v = (-1, 0)", "log takes numbers above 0"),
    "sqrt(dot(u,v))": ("sqrt(dot(u, v))", "u = (1, 0) and v = (-1, 0)", "sqrt takes numbers of at least 0"),
    "1/norm(u-v)": ("1/norm(u - v)", "u = (1, 0) and v = (1, 0)", "what it divides by is 0, or too small"),
    "tanh(1/norm(u-v))": ("1/norm(u - v)", "u = (1, 0) and v = (1, 0)", "what it divides by is 0, or too small"),
    "exp(999*dot(u,v)**2)": ("exp(999*dot(u, v)**2)", "u = (1, 0) and v = (1, 0)", "it is too large"),
    "dot(u,v)**0.5": ("dot(u, v)**0.5", "u = (1, 0) and v = (-1, 0)", "a fractional power takes numbers of at least 0"),
    "(u[2]*v[2])**-2": (
        "(u[2]*v[2])**(-2)",
        "u = (1, 0) and v = (1, 0)",
        "a negative power takes numbers other than 0",
    ),
    "log(u[1])*log(v[1])": ("log(u[1])", "u = (-1, 0)", "log takes numbers above 0"),
    "norm(log(u+v))": ("log(u + v)", "u = (1, 0) and v = (-1, 0)", "log takes numbers above 0"),
}


@pytest.mark.parametrize(("text", "what"), NOT_FINITE.items(), ids=NOT_FINITE)
def test_a_value_that_is_not_finite_is_refused_with_the_examples(text, what):
    kernel, X = Formula(text), np.array([[1.0, 0.0], [-1.0, 0.0]])
    with pytest.raises(ValueError, match="finite") as caught:
        kernel(X, X)
    part, where, why = what
    assert str(caught.value) == f"{part} is not a finite number for {where}: {why}."


def test_a_component_that_the_examples_do_not_have_is_refused():
    with pytest.raises(ValueError, match=r"^The formula asks for component 3, but each example has 2 components\.$"):
        Formula("u[3]*v[3]")(U, V)
    with pytest.raises(ValueError, match="component 3"):
        Formula("u[3]*v[3]").diag(U)
    assert Formula("u[3]*v[3]")(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 2.0, 5.0]]))[0, 0] == 15.0
