"""Proofs that a formula is a kernel, and samples that refute it: never both, and neither by
rounding.
"""

import re

import formula_digits
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from written import read

from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.kernels.expression.evaluate import matrix
from kpviz.engine.kernels.formula import REFUTED, Formula, FormulaError, derive, parse, why_not
from kpviz.engine.kernels.formula.formula import samples
from kpviz.engine.kernels.formula.formula import tested as report_of
from kpviz.engine.kernels.formula.proof import expanded, is_symmetric
from kpviz.engine.kernels.validity import FIVE, HALVED, examine, smaller

# formula, the rule of the whole, the rules of its parts
PROVEN = {
    "3": ("constant of at least 0", []),
    "dot(u,v)": ("inner product", []),
    "dot(2*u, 3*v)": ("inner product of features", []),
    "sum(u**2*v**2)": ("inner product of features", []),
    "equal(u,v)": ("equal components", []),
    "u[1]*v[1]": ("one feature", []),
    "norm(u)*norm(v)": ("one feature", []),
    "(1 + u[1])*(1 + v[1])": ("one feature", []),
    "1/(norm(u)*norm(v))": ("one feature", []),
    "exp(-norm(u)**2 - norm(v)**2)": ("one feature", []),
    "sqrt(u[1]*v[1])": ("one feature", []),
    "cos(u[1] - v[1])": ("cosine of a difference", []),
    "dot(u,v) + 1": ("sum", ["inner product", "constant of at least 0"]),
    "dot(u,v) - 2 + 3": ("sum", ["inner product", "constant of at least 0"]),
    "3*dot(u,v) - dot(u,v)": ("collected", ["multiple by a positive number"]),
    "dot(u,v)*gaussian(1)": ("product", ["inner product", "Gaussian"]),
    "dot(u,v)*norm(u)*norm(v)": ("rescaled", ["inner product", "one feature"]),
    "dot(u,v)/(norm(u)*norm(v))": ("rescaled", ["inner product", "one feature"]),
    "dot(u,v)/sqrt(dot(u,u)*dot(v,v))": ("rescaled", ["inner product", "one feature"]),
    "0.1*dot(u,v)": ("multiple by a positive number", ["inner product"]),
    "-(-2)*dot(u,v)/pi": ("multiple by a positive number", ["inner product"]),
    "(dot(u,v) + 1)**3": ("power by a whole number", ["sum"]),
    "(dot(u,v) - 1)**2 + 2*dot(u,v)": ("polynomial", ["inner product"]),
    "exp(dot(u,v))": ("exponential", ["inner product"]),
    "exp(-norm(u-v)**2/2)": ("Gaussian", []),
    "exp(-sum((u-v)**2))": ("Gaussian", []),
    "exp(-(u[1]-v[1])**2)": ("Gaussian", []),
    "exp(-norm1(u-v)/3)": ("Laplacian", []),
    "exp(-norm(u-v))": ("exponential of a negative distance", []),
    "exp(-norm(3*u-3*v)**1.5)": ("exponential of a negative distance", []),
    "exp(-abs(u[2]-v[2]))": ("exponential of a negative distance", []),
    "exp(-sqrt(norm1(u-v)))": ("exponential of a negative distance", []),
    "exp(-norm(u-v)**2 + dot(u,v) - 3)": (
        "product",
        ["Gaussian", "exponential", "constant of at least 0"],
    ),
    "1/(1 + norm(u-v)**2)": ("mixture of exponentials", []),
    "(2 + norm(u-v)**2)**-0.5": ("mixture of exponentials", []),
    "1/sqrt(2 + norm(u-v)**2)": ("mixture of exponentials", []),
    "normalized((dot(u,v) + 1)**2)": ("normalized", ["power by a whole number"]),
    "gaussian(0.5)": ("Gaussian", []),
    "laplacian(0.5)": ("Laplacian", []),
    "linear()": ("inner product", []),
    "monomial(3)": ("power by a whole number", []),
    "polynomial(2, 1)": ("polynomial", []),
    "subsets()": ("all subsets", []),
}


@pytest.mark.parametrize(("text", "rules"), PROVEN.items(), ids=PROVEN)
def test_a_kernel_is_proven_by_the_rule_that_a_lecturer_would_name(text, rules):
    found = derive(parse(text))
    assert (found.rule, [part.rule for part in found.parts]) == rules
    assert why_not(parse(text)) == ""
    assert report_of(text).proven.startswith("Proven: it is a kernel ")
    assert Formula(text).psd == "yes"
    if "laplacian" not in text:
        assert not any(formula_digits.refuted(text, size * FEW) for size in SIZES)
    for _, line in found.lines():
        assert line.rule
        assert line.proof.endswith(".")
        assert "\n" not in line.proof
        parse(line.formula)


def test_a_derivation_is_shown_as_a_tree():
    found = derive(parse("exp(-norm(u-v)**2/2) + 0.1*dot(u,v)"))
    assert [(depth, line.formula, line.rule) for depth, line in found.lines()] == [
        (0, "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)", "sum"),
        (1, "exp(-norm(u - v)**2/2)", "Gaussian"),
        (1, "0.1*dot(u, v)", "multiple by a positive number"),
        (2, "dot(u, v)", "inner product"),
    ]


@pytest.mark.parametrize("text", REFUTED.values(), ids=REFUTED)
def test_the_named_examples_are_refuted_and_never_proven(text):
    assert derive(parse(text)) is None
    kernel = Formula(text)
    assert kernel.psd == "no"
    found = kernel.report.refutation
    gram = kernel(found.points, found.points)
    assert found.c @ gram @ found.c == pytest.approx(found.value)
    assert found.value < 0
    assert np.linalg.eigvalsh(gram)[0] < 0
    assert len(found.points) <= 3  # to be checked by hand
    assert set(found.c) <= set(range(-3, 4))
    assert formula_digits.refuted(text, np.array(HALVED if "**4" in text else FIVE))


@pytest.mark.parametrize(
    "text",
    [
        *REFUTED.values(),
        "((dot(u,v))*(sum(abs(u*v))) + cos(norm(u-v)))",
        "tanh(dot(u, v)/10 + 2)",
        "tanh(3*dot(u, v) + 2)",
        "dot(u, v)**3 - 40*dot(u, v)**2",
        "exp(-norm(u - v)**2) - 0.9",
        "cos(dot(u,v))",
        "abs(dot(u,v))",
        "norm(u - v)**3",
        "(1 + norm(u-v)**2)**0.5",
    ],
)
def test_a_refutation_is_true_of_the_numbers_that_are_printed(text):
    """Whoever computes cᵀKc from the points and the c of the sentence finds the value of the
    sentence.
    """
    report = report_of(text)
    points, c, value = re.fullmatch(
        r"Refuted: for the points? (.*) and c = \((.*)\), cᵀKc = (.*) is negative\.", report.refuted
    ).groups()

    X = np.array(
        [[read(x) for x in point.split(", ")] for point in re.findall(r"\(([^)]*)\)", points)]
    )
    weights = np.array([read(x) for x in c.split(", ")])
    gram = matrix(report.tree, X, X)
    assert read(value) < 0
    assert weights @ gram @ weights == pytest.approx(read(value), rel=6e-4)
    assert "e+" not in report.refuted


UNPROVEN = {
    "-norm(u - v)**2": "-norm(u - v)**2",
    "dot(u,v) - 1": "-1",
    "exp(-norm(u-v)**4)": "-norm(u - v)**4",
    "exp(-norm(u-v)**2) + tanh(dot(u,v))": "tanh(dot(u, v))",
    "dot(u,v)*min(u[1],v[1])": "min(u[1], v[1])",
    "(norm(u-v) + 1)**2": "norm(u - v)",
    "dot(u,v)**0.5": "dot(u, v)**0.5",
    "normalized(sigmoid(1,0))": "sigmoid(1, 0)",
    "-u[1]*v[1]": "-u[1]*v[1]",
    "dot(-u, v)": "dot(-u, v)",
    "(1 - u[1])*(v[1] - 1)": "(1 - u[1])*(v[1] - 1)",
    "1/(1 - dot(u,v))": "1/(1 - dot(u, v))",
    "1/norm(u-v)**2": "1/norm(u - v)**2",
    "exp(norm(u-v)**2)": "norm(u - v)",
    "exp(norm(u)*u[1] - norm(v)*v[1] + 1 + dot(u,v))": None,
    "cos(u[1] + v[1])": "cos(u[1] + v[1])",
    "cos(dot(u,v))": "cos(dot(u, v))",
    "abs(dot(u,v))": "abs(dot(u, v))",
    "exp(-norm(u-v)**2.1)": "-norm(u - v)**2.1",
    "exp(-norm1(u-v)**1.5)": "-norm1(u - v)**1.5",
    "exp(normalized(norm(u)) + normalized(norm(v)))": "norm(u)",
    "exp(-norm(u+v)**2)": "-norm(u + v)**2",
    "exp(-sum(abs(u-v))**2)": "-sum(abs(u - v))**2",
    "exp(-abs(u[1]*v[2] - u[2]*v[1]))": "-abs(u[1]*v[2] - u[2]*v[1])",
    "(1 + norm(u-v)**2)**0.5": "(1 + norm(u - v)**2)**0.5",
    "norm(u) + norm(v)": "norm(u)",
}


@pytest.mark.parametrize(("text", "culprit"), UNPROVEN.items(), ids=UNPROVEN)
def test_what_is_not_proven_names_the_part_that_no_rule_makes_a_kernel(text, culprit):
    tree = parse(text)
    assert derive(tree) is None
    if culprit is not None:
        assert why_not(tree) == f"No rule says that {culprit} is a kernel: nothing is proven."


def test_a_report_says_each_in_a_sentence():
    report = report_of("-norm(u-v)**2")
    assert report_of("dot(u,v)/2").proven == "Proven: it is a kernel for all data."
    for text in ("sqrt(u[1]*v[1])", "dot(u,v)/(norm(u)*norm(v))", "(norm(u)*norm(v))**-1"):
        assert (
            report_of(text).proven == "Proven: it is a kernel on all data for which it has values."
        )
    assert report.proven == "Proven: it is not a kernel."
    assert report.refuted.startswith(
        "Refuted: for the points (0, 0), (2, 1) and c = (1, 1), cᵀKc = −10 is negative."
    )
    assert report.refutation.value == -10
    nothing = report_of("norm(u+v)**2 - norm(u-v)**2")  # 4 u·v, which no rule sees
    assert nothing.psd == "unknown"
    assert nothing.refuted == f"Not refuted by {len(samples(2))} samples, which proves nothing."
    assert report_of("norm(u)").unfit
    with pytest.raises(FormulaError):
        report_of("norm(")


@pytest.mark.parametrize(
    "text",
    [
        "norm(u+v)**2 - norm(u-v)**2",
        "norm(u)**2 + norm(v)**2 - norm(u-v)**2",
        "(1e9 + norm(u+v)**2) - norm(u-v)**2 - 1e9",
        "sqrt(exp(2*dot(u,v)))",
        "log(exp(dot(u,v)))",
        "norm(u) + norm(v) - norm(u-v)",
        "1e12*(norm(u+v)**2 - norm(u-v)**2)",
        "exp(20 + dot(u,v)) - exp(20)*exp(dot(u,v)) + dot(u,v)**2",
    ],
)
def test_a_kernel_that_no_rule_proves_is_not_refuted_by_rounding(text):
    assert report_of(text).psd == "unknown"


# ---- what is proven is refuted nowhere ----

SLOW = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

SOME = (
    "dot(u,v)",
    "dot(u,2*v)",
    "u[1]*v[1]",
    "(u[1]-v[1])",
    "norm(u-v)",
    "norm(u-v)**2",
    "norm(2*u-v)",
)
MORE = (
    "norm1(u-v)",
    "norm(u)",
    "norm(v)",
    "norm(u)*norm(v)",
    "u[2]",
    "v[2]",
    "norm(u+v)",
    "sum(u*v)",
)
NAMED = (
    "sum(u**3*v**3)",
    "equal(u,v)",
    "min(u[1],v[1])",
    "gaussian(1)",
    "sigmoid(1,0)",
    "subsets()",
)
CONSTANTS = ("1", "2", "0.5", "(-1)", "1e-6", "0.1")
ROOTS = ("1e6", "pi", "sqrt(2)", "exp(1)", "log(2)", "(1-sqrt(2))", "0.3", "1e-3")
LEAVES = [*SOME, *MORE, *NAMED, *CONSTANTS, *ROOTS]


def combined(parts):
    pairs = st.tuples(parts, st.sampled_from("+-**//"), parts).map(
        lambda p: f"({p[0]}{p[1]}{p[2]})"
    )
    exponents = st.sampled_from(["2", "3", "0.5", "-1", "1.5", "4", "0"])
    powers = st.tuples(parts, exponents).map(lambda p: f"({p[0]})**{p[1]}")
    names = st.sampled_from(
        ["exp(", "exp(-", "sqrt(", "abs(", "cos(", "normalized(", "tanh(", "-(", "1/(1+", "log(1+"]
    )
    return pairs | powers | st.tuples(names, parts).map("".join).map(lambda text: f"{text})")


def mirrored(text):
    """The text times itself with u and v exchanged."""
    return f"({text})*({text.translate(str.maketrans('uv', 'vu'))})" if "sum" not in text else text


TEXTS = st.recursive(st.sampled_from(LEAVES), combined, max_leaves=6)
POINTS = [
    np.array(FIVE),
    np.array(HALVED),
    np.random.default_rng(1).standard_normal((12, 2)),
    np.random.default_rng(2).standard_normal((9, 2)) / 5,
    np.abs(np.random.default_rng(3).standard_normal((10, 2))) + 0.01,
    np.round(np.random.default_rng(4).standard_normal((12, 2)) * 2),
    np.arange(1.0, 9.0)[:, None] * [[0.25, 0.1]],
]


def check_sound(text):
    """What is proven holds on all samples where it has values."""
    try:
        tree = parse(text)
    except FormulaError:
        return
    if not is_symmetric(tree) or derive(tree) is None:
        return
    for X in POINTS:
        try:
            gram = matrix(tree, X, X)
        except ValueError:
            continue
        values = np.linalg.eigvalsh(gram)
        if values[0] < -1e-9 * np.abs(values).max():  # by more than rounding, unless much cancels
            assert not formula_digits.refuted(text, X), text


@SLOW
@given(TEXTS, TEXTS)
def test_whatever_is_proven_is_refuted_by_no_sample_nor_are_products_and_sums_of_mirrored_parts(
    text, other
):
    check_sound(text)
    check_sound(mirrored(text))
    check_sound(f"exp({text}+{text.translate(str.maketrans('uv', 'vu'))})")
    check_sound(f"{mirrored(text)} + {other}")
    check_sound(f"({mirrored(text)})*({other})")
    check_sound(f"sqrt({mirrored(text)})/({other})")


@SLOW
@given(TEXTS)
@example("norm(u-v)+dot(u,v)**0")
def test_a_formula_is_never_proven_and_refuted(text):
    try:
        report = report_of(text)
    except FormulaError:
        return
    if report.derivation:
        for size in SIZES:
            assert not formula_digits.refuted(text, size * FEW), (text, size)
    if report.refutation:
        assert formula_digits.refuted(text, report.refutation.points), text


SIZES = (1e-3, 1.0, 1e3, 1e6)
FEW = np.array([[0.0, 0.0], [1.0, 0.5], [-0.5, 1.5], [1.25, 1.0]])


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("dot(u,v) - (u[1]/1000)**64*(v[1]/1000)**64", 1e3),
        ("dot(u,v) - (1e-6*u[1])**64*(v[1]*1e-6)**64", 1e6),
        ("dot(u,v) - (1e-12)**60*(u[1]**64*v[1]**64)", 1e6),
        ("gaussian(1)*(1 - (norm(u-v)/1000000)**64)", None),
        ("exp(-norm(u-v)**2 - (norm(u+v)/1e6)**64)", None),
        ("u[1]*v[1] + (u[1]/1e6)**64*v[2]", None),
        ("dot(u,v) + (u[1]/1e6)**64", None),
        ("dot(u,v)**2 + (u[1]*1e-200*1e-200*v[2])", None),
        ("sqrt(2)**2*dot(u,v) - 2*dot(u,v)", None),
        ("sqrt(2)**2*(dot(u,v) + 1)**2 - 4*dot(u,v)", None),
    ],
)
def test_what_a_float_would_round_to_nothing_is_not_left_out_of_a_proof(text, size):
    assert derive(parse(text)) is None
    assert is_symmetric(parse(text)) == ("+ (u[1]" not in text)
    if size is not None:  # it is no kernel
        assert formula_digits.refuted(text, size * FEW)


def test_a_power_of_0_is_a_constant_and_a_power_of_1_is_none():
    assert is_symmetric(parse("dot(u,v) + norm(u)**0"))
    assert not is_symmetric(parse("dot(u,v) + norm(u)**1"))


@pytest.mark.parametrize("signs", ["0.1 0.2 -0.3", "0.3 -0.1 -0.2"])
def test_numbers_are_the_decimals_they_are_typed_as(signs):
    text = "+".join(f"({number})*dot(u,v)" for number in signs.split())
    assert [part.formula for part in derive(parse(text)).parts] == ["0"]


NEAR_ZERO = [f"(exp({a}*dot(u,v)) - 1)/{a}" for a in ("1e-3", "1e-7", "1e-8", "1e-9", "1e-12")]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *((text, 1.0) for text in NEAR_ZERO),
        ("(exp(1e-7*dot(u,v)) - 1)*1e7", 1.0),
        ("polynomial(2,1) - 2*linear() - 1", 1e-3),
        ("(dot(u,v) + 1e6)**2 - 1e12", 1.0),
        ("(dot(u,v) + 1e6)**2 - 1e12", 1e-3),
    ],
)
def test_the_rounding_of_a_kernel_refutes_it_nowhere(text, size):
    X = size * np.random.default_rng(5).standard_normal((60, 2))
    kernel = Formula(text)
    assert kernel.psd != "no"
    for made in (kernel, kernel + Linear(), kernel * Gaussian(1.0), kernel.normalized()):
        verdict = examine(made, X)
        assert not verdict.refuted
        assert smaller(verdict) is None
    assert not formula_digits.refuted(text, size * FEW)
    if "1e12" in text:
        verdict = examine(kernel, size * np.random.default_rng(0).standard_normal((200, 2)))
        assert verdict.blurred
        assert "by no more than k itself is rounded: not refuted" in verdict.sentence


@pytest.mark.parametrize(
    "text",
    [
        "normalized(u[100])",
        "u[100] - v[100]",
        "u[99]/v[98]",
        "log(u[100]) + log(v[99])",
        "u[100]*v[100] - 1",
        "-norm(u - v)*u[100]*v[100]",
        f"normalized({' + '.join(f'u[{j}]*v[{j}]' for j in range(1, 19))} - 99)",
    ],
)
def test_what_is_said_of_examples_of_many_components_is_short(text):
    report = report_of(text)
    assert report.psd == "no" or report.unfit
    assert max(len(report.unfit), len(report.refuted)) < 260


@pytest.mark.parametrize(
    "text", ["normalized(-dot(u,v))", "1 + normalized(dot(u,v) - 2)", "normalized(-gaussian(1))"]
)
def test_what_has_negative_squares_is_not_normalized(text):
    with pytest.raises(
        FormulaError,
        match=r"^normalized\(.*k\(u, u\) = −.* < 0 for u = .* nothing negative has a root\.$",
    ):
        Formula(text)


@pytest.mark.parametrize(
    "text",
    [
        "((dot(u,v)/.1876543200123+.11234567123)**14)**14",
        "(dot(u,v)+1.123456789)**64 + ((dot(u,v)/3+.7)**9)**9",
        "tanh((" * 12 + "dot(u,v)" + "+1.1)**40)" * 12,
        "abs(" * 28 + "dot(u,v)" + ")" * 28,
        "cos(" * 28 + "u[1]-v[1]" + ")" * 28,
    ],
)
def test_what_is_multiplied_out_is_bounded_and_nested_formulas_end(text):
    tree = parse(text)
    assert report_of(text).psd in ("yes", "no", "unknown")
    for node in tree.walk():
        found = expanded(node)
        assert len(found) <= 200
        assert all(
            each.numerator.bit_length() + each.denominator.bit_length() <= 20_000
            for each in found.values()
        )
    assert is_symmetric(tree)
