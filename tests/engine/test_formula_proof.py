"""Proofs that a formula is a kernel, and samples that refute it."""

import numpy as np
import pytest

from kpviz.engine.kernels.formula import REFUTED, Formula, FormulaError, derive, parse, why_not
from kpviz.engine.kernels.formula.report import samples
from kpviz.engine.kernels.formula.report import tested as report_of
from kpviz.engine.kernels.validity import FIVE, HALVED

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
    "exp(-norm(u-v)**2 + dot(u,v) - 3)": ("product", ["Gaussian", "exponential", "constant of at least 0"]),
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


@pytest.mark.parametrize("example", REFUTED, ids=lambda example: example.title)
def test_the_named_examples_are_refuted_and_never_proven(example):
    assert derive(parse(example.text)) is None
    kernel = Formula(example.text)
    assert kernel.psd == "no"
    found = kernel.report.refutation
    gram = kernel(found.points, found.points)
    assert found.c @ gram @ found.c == pytest.approx(found.value)
    assert found.value < 0
    assert np.linalg.eigvalsh(gram)[0] < 0
    assert len(found.points) <= 3  # to be checked by hand
    assert set(found.c) <= set(range(-3, 4))


@pytest.mark.parametrize(
    ("text", "points", "smallest"),
    [
        ("tanh(dot(u, v) - 1)", FIVE, -1.95),
        ("(dot(u, v) - 1)**2", FIVE, -1.08),
        ("-norm(u - v)**2", FIVE, -8.66),
        ("exp(-norm(u - v)**4)", HALVED, None),
    ],
)
def test_the_named_examples_have_the_eigenvalues_of_the_lecture(text, points, smallest):
    assert text in {example.text for example in REFUTED}
    found = np.linalg.eigvalsh(Formula(text)(np.array(points), np.array(points)))[0]
    assert found < -0.01
    if smallest is not None:
        assert round(found, 2) == smallest


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


def test_what_is_proven_of_a_function_without_values_for_some_examples_is_proven_where_it_has_them():
    assert report_of("dot(u,v)/2").proven == "Proven: it is a kernel for all data."
    for text in ("sqrt(u[1]*v[1])", "dot(u,v)/(norm(u)*norm(v))", "(norm(u)*norm(v))**-1"):
        assert report_of(text).proven == "Proven: it is a kernel on all data for which it has values."


def test_a_report_says_each_in_a_sentence():
    report = report_of("-norm(u-v)**2")
    assert report.symmetric == "Symmetric: exchanging u and v gives the same formula."
    assert report.proven == "Proven: it is not a kernel."
    assert report.refuted.startswith("Refuted: for the points (0, 0), (2, 1) and c = (1, 1), cᵀKc = −10 is negative.")
    assert report.refutation.value == -10
    nothing = report_of("norm(u+v)**2 - norm(u-v)**2")  # 4 u·v, which no rule sees
    assert nothing.psd == "unknown"
    assert nothing.refuted == f"Not refuted by {len(samples(2))} samples, which proves nothing."
    assert report_of("norm(u)").unfit == report_of("norm(u)").symmetric != ""
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
