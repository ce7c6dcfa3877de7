"""What is proven of a formula has no negative eigenvalue on any sample, and rounding refutes no kernel."""

import formula_digits
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from test_formula_proof import PROVEN, UNPROVEN

from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.kernels.formula import REFUTED, Formula, FormulaError, derive, parse
from kpviz.engine.kernels.formula.evaluate import bounded, matrix
from kpviz.engine.kernels.formula.proof import is_symmetric
from kpviz.engine.kernels.formula.report import tested as report_of
from kpviz.engine.kernels.validity import FIVE, HALVED, examine, smaller

_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
SLOW = settings(max_examples=150, deadline=None, suppress_health_check=_SLOW)

LEAVES = [
    "dot(u,v)",
    "dot(u,2*v)",
    "u[1]*v[1]",
    "(u[1]-v[1])",
    "norm(u-v)",
    "norm(u-v)**2",
    "norm(2*u-v)",
    "norm1(u-v)",
    "norm(u)",
    "norm(v)",
    "norm(u)*norm(v)",
    "u[2]",
    "v[2]",
    "norm(u+v)",
    "sum(u*v)",
    "sum(u**3*v**3)",
    "equal(u,v)",
    "min(u[1],v[1])",
    "gaussian(1)",
    "sigmoid(1,0)",
    "subsets()",
    "1",
    "2",
    "0.5",
    "(-1)",
    "1e-6",
    "0.1",
    "1e6",
]


def combined(parts):
    pairs = st.tuples(parts, st.sampled_from("+-**//"), parts).map(lambda p: f"({p[0]}{p[1]}{p[2]})")
    exponents = st.sampled_from(["2", "3", "0.5", "-1", "1.5", "4", "0"])
    powers = st.tuples(parts, exponents).map(lambda p: f"({p[0]})**{p[1]}")
    names = st.sampled_from(["exp(", "exp(-", "sqrt(", "abs(", "cos(", "normalized(", "tanh(", "-(", "1/(1+", "log(1+"])
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
    """Whether it was proven; that it then holds on all samples where it has values."""
    try:
        tree = parse(text)
    except FormulaError:
        return False
    if not is_symmetric(tree) or derive(tree) is None:
        return False
    for X in POINTS:
        try:
            gram = matrix(tree, X, X)
        except ValueError:
            continue
        values = np.linalg.eigvalsh(gram)
        if values[0] < -1e-9 * np.abs(values).max():  # by more than rounding, unless much cancels
            assert not formula_digits.refuted(text, X), text
    return True


@SLOW
@given(TEXTS)
def test_whatever_is_proven_is_refuted_by_no_sample(text):
    assume(check_sound(text))


@SLOW
@given(TEXTS, TEXTS)
def test_whatever_is_proven_of_products_and_sums_of_mirrored_parts_is_refuted_by_no_sample(text, other):
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


def test_sixty_digits_refute_what_is_no_kernel_and_nothing_else():
    for case in REFUTED:
        assert formula_digits.refuted(case.text, np.array(HALVED if "**4" in case.text else FIVE))
    for text in PROVEN:
        if "laplacian" not in text and "monomial" not in text:
            assert not any(formula_digits.refuted(text, size * FEW) for size in SIZES)


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
    if size is not None:  # it is no kernel
        assert formula_digits.refuted(text, size * FEW)


@pytest.mark.parametrize("text", ["u[1]*v[1] + (u[1]/1e6)**64*v[2]", "dot(u,v) + (u[1]/1e6)**64"])
def test_what_only_floats_take_for_symmetric_is_not_said_to_be(text):
    assert not is_symmetric(parse(text))


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


def test_the_rounding_that_is_told_is_never_less_than_what_is_lost():
    for text in [*NEAR_ZERO, *(text for text in UNPROVEN if "/" not in text and "0.5" not in text)]:
        for size in (1e-3, 1.0, 3.0):
            found = bounded(parse(text), size * FEW, size * FEW)
            exact = np.array([[float(formula_digits.value(text, u, v)) for v in size * FEW] for u in size * FEW])
            assert (np.abs(found.x - exact) <= found.e + 1e-16 * np.abs(exact)).all(), (text, size)


def test_an_eigenvalue_below_the_tolerance_by_rounding_is_said_to_be_that():
    verdict = examine(Formula("(dot(u,v) + 1e6)**2 - 1e12"), np.random.default_rng(0).standard_normal((200, 2)))
    assert verdict.eigenvalues[-1] < -verdict.tolerance
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


@pytest.mark.parametrize("text", ["normalized(-dot(u,v))", "1 + normalized(dot(u,v) - 2)", "normalized(-gaussian(1))"])
def test_what_has_negative_squares_is_not_normalized(text):
    with pytest.raises(
        FormulaError, match=r"^normalized\(.*k\(u, u\) = −.* < 0 for u = .* nothing negative has a root\.$"
    ):
        Formula(text)
