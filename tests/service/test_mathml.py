"""Every kernel's formula is set by the browser: well-formed MathML that says what the
LaTeX says.
"""

import re
from xml.etree import ElementTree

import pytest
from kinds import data_for

from kpviz import experiment
from kpviz.engine.kernels import KERNELS
from kpviz.lessons.mathml import mathml as written
from kpviz.settings import Settings

FORMULAS = {
    "-norm(u - v)": "−‖u−v‖",
    "1/(1 + norm1(u - v))": "11+‖u−v‖1",
    "u[1]*v[1] + 2e-7": "u1v1+2·10−7",
    "min(u[1], v[1])*abs(u[2])*abs(v[2])": "min(u1,v1)|u2||v2|",
    "sum(sqrt(abs(u*v)))": "∑i|uivi|",
    "equal(u, v)": "|{i:ui=vi}|",
    "normalized(polynomial(2, 1))": "normalized((u·v+1)2)",
    "pi*log(2 + cos(dot(u, v)))": "πlog(2+cos(u·v))",
    "tanh(matern32(0.5) - 1)": None,
}
CASES = [
    *(
        {"data": data_for(kernel), "kernel": kernel, "normalize": on}
        for kernel in KERNELS
        for on in ("off", "on")
    ),
    {"kernel": "formula", "formula": "matern52(0.5) + subsets()"},
    {"kernel": "formula", "formula": "matern52(0.5)*subsets()"},
    {"data": "bits", "kernel": "formula", "formula": "subsets()*sigmoid(1, 0)", "normalize": "on"},
    *({"kernel": "formula", "formula": text} for text in FORMULAS),
]


def message(line):
    """All characters of a line of MathML, without its blanks."""
    return re.sub(r"\s", "", "".join(ElementTree.fromstring(line).itertext()))


def lines(settings):
    return written(rf"k(u, v) = {experiment.kernel(settings).latex}")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_formula_of_every_kernel_is_well_formed_and_no_latex_is_left(case):
    found = lines(Settings.of(**case))
    for line in found:
        assert line.startswith("<math")
        assert not re.search(r"[\\{}$^]|&#", re.sub(r"<mo[^>]*>[{}]</mo>", "", line))
        assert len(line) < 6_000
    assert message(found[0]).startswith("k(u,v)=")
    assert len(found) == (2 if Settings.of(**case).normalize == "on" else 1)


@pytest.mark.parametrize(("text", "expected"), [pair for pair in FORMULAS.items() if pair[1]])
def test_a_formula_of_ones_own_reads_as_it_was_typed(text, expected):
    (line,) = lines(Settings.of(kernel="formula", formula=text))
    assert message(line) == f"k(u,v)={expected}"


@pytest.mark.parametrize(("kernel", "expected"), [
    ("linear", "u·v"),
    ("polynomial", "(u·v+c)q"),
    ("gaussian", "exp(−‖u−v‖22σ2)"),
    ("matern32", "(1+3‖u−v‖σ)exp(−3‖u−v‖σ)"),
    ("subsets", "∏i(1+uivi)"),
    ("density", "p(u)p(v)"),
])  # fmt: skip
def test_formulas_of_kernels_say_what_they_are(kernel, expected):
    (line,) = lines(Settings.of(kernel=kernel))
    assert message(line) == f"k(u,v)={expected}"


def test_of_a_normalized_kernel_what_is_normalized_has_a_line_of_its_own():
    first, second = lines(Settings.of(kernel="polynomial", normalize="on"))
    assert message(first) == "k(u,v)=k0(u,v)k0(u,u)k0(v,v)"
    assert message(second) == "k0(u,v)=(u·v+c)q"
    assert "<mfrac>" in first
    assert "<msqrt>" in first


def test_a_sum_with_a_matern_kernel_adds_to_the_kernel_and_not_to_its_distance():
    (line,) = lines(Settings.of(kernel="formula", formula="matern32(0.5) + linear()"))
    assert message(line) == "k(u,v)=(1+3‖u−v‖0.5)exp(−3‖u−v‖0.5)+u·v"


def test_what_is_markup_stays_a_reference():
    (line,) = written(r"a < b \& c")
    assert message(line) == "a<b&c"


@pytest.mark.parametrize(
    "command", ["text", "mbox", "textbf", "mathrm", "operatorname", "color{red}\\text", "href{x}"]
)
def test_what_is_markup_elsewhere_is_a_text_in_a_formula(command):
    (line,) = written(rf"\{command}{{<b> & </b>}}")
    assert "<b>" in message(line)
    assert "b>" not in {part.tag for part in ElementTree.fromstring(line).iter()}


def test_marks_that_turn_the_direction_of_what_follows_are_blanks():
    (line,) = written("\\text{a\u202eb\u2066c} \u202e x")
    assert message(line) == "abcx"
