"""Links of before 1.0 that combine two kernels open as the formula that is the same kernel, number
by number.
"""

import numpy as np
import pytest
from covering import covering
from hypothesis import given
from hypothesis import strategies as st
from kinds import data_for
from numpy.testing import assert_allclose

from kpviz import experiment
from kpviz.engine.kernels import KERNELS, AllSubsets, Formula, Product, Sum
from kpviz.engine.kernels.vectors import NAMED_KERNELS
from kpviz.export import settings_file
from kpviz.lessons import comparison
from kpviz.settings import BY_NAME, Settings, from_query

PAIR = {"sum": Sum, "product": Product}
WRITABLE = (*NAMED_KERNELS, "formula")
TYPED = (
    "dot(u, v)**2 + 1",
    "exp(-norm(u - v)**2)",
    "gaussian(0.3)",
    "tanh(dot(u, v) - 1)",
    "1 + norm(u)*norm(v)",
)
POINTS = np.random.default_rng(1).uniform(-1.5, 1.5, (12, 2))


@st.composite
def one(draw, suffix):
    """A kernel that a formula can write, as the parts of a link, and as the engine has it."""
    name = draw(st.sampled_from(WRITABLE))
    kind, parts, values = KERNELS[name], {f"kernel{suffix}": name}, {}
    if kind is Formula:
        values["text"] = parts[f"formula{suffix}"] = draw(st.sampled_from(TYPED))
    for parameter, limits in kind.ranges.items():
        if draw(st.booleans()):
            numbers = st.integers(1, 8) if limits.integer else st.floats(limits.low, limits.high)
            parts[parameter + suffix] = f"{draw(numbers):.6g}"
            value = float(parts[parameter + suffix])
            values[parameter] = int(value) if limits.integer else value
        else:
            values[parameter] = limits.default
    return parts, kind(**values)


@given(one(""), one("2"), st.sampled_from(["sum", "product"]), st.sampled_from([None, "on", "off"]))
def test_two_kernels_open_as_the_formula_that_has_the_same_numbers(
    first, second, combine, normalize
):
    link = {"n": "20", **first[0], **second[0], "combine": combine}
    if normalize is not None:
        link["normalize"] = normalize
    settings, notice = from_query({"v": "1", **link})
    assert (settings.kernel, notice) == ("formula", None)
    assert from_query(settings.query()) == (settings, None)
    expected = PAIR[combine](first[1], second[1])
    expected = expected.normalized() if normalize == "on" else expected
    made = experiment.kernel(settings)
    assert_allclose(made(POINTS, POINTS), expected(POINTS, POINTS), rtol=1e-12)
    assert_allclose(made.diag(POINTS), expected.diag(POINTS), rtol=1e-12)
    pins, problems = comparison.read(
        {"pins": "1", **{f"p1.{name}": value for name, value in link.items()}}, settings
    )
    assert problems == ["a pin holds what is not part of a model"]  # the number of points
    assert experiment.kernel(pins[0].on(settings)) == made


@pytest.mark.parametrize(("second", "combine"), covering(NAMED_KERNELS, PAIR))
def test_a_learner_that_needs_k_of_x_and_x_at_most_1_normalizes_as_it_did(second, combine):
    """The product of two kernels at most 1 was taken as it is, even of those that are not 1 at each
    example.
    """
    settings, notice = from_query(
        f"v=1&kernel=sigmoid&combine={combine}&kernel2={second}&learner=forgetron"
    )
    both = PAIR[combine](KERNELS["sigmoid"](), KERNELS[second]())
    at_most_1 = combine == "product" and KERNELS[second].at_most_1
    assert notice is None
    expected = both if at_most_1 else both.normalized()
    assert_allclose(
        experiment.kernel(settings)(POINTS, POINTS), expected(POINTS, POINTS), rtol=1e-12
    )
    typed = Settings.of(kernel="formula", formula=settings.formula, learner="forgetron")
    assert typed.normalize == "on"  # as a typed formula always was


UNWRITABLE = sorted(KERNELS.keys() - set(WRITABLE))


@pytest.mark.parametrize("name", UNWRITABLE)
@pytest.mark.parametrize("combine", PAIR)
def test_without_a_formula_the_first_kernel_opens_and_a_sentence_says_so(name, combine):
    first, second = ("gaussian", name) if data_for(name) == "xor" else (name, name)
    data = data_for(name)
    settings, notice = from_query(
        f"v=1&data={data}&kernel={first}&combine={combine}&kernel2={second}"
    )
    assert settings == Settings.of(data=data, kernel=first)
    assert notice.endswith(
        f"the {combine} of {first} and {second} has no formula, so the first is used alone."
    )


def test_the_data_decide_which_kernels_are_meant_where_a_link_names_none():
    assert from_query("v=1&combine=sum")[0].formula == "gaussian(0.5) + linear()"
    assert "the sum of words and spectrum has" in from_query("v=1&data=texts&combine=sum")[1]
    settings, notice = from_query("v=1&data=bits&combine=product&kernel2=linear&negated=off")
    assert (settings.formula, notice) == ("subsets()*linear()", None)
    assert experiment.kernel(from_query("v=1&data=bits&combine=product")[0]) == AllSubsets(
        negated=True
    )


def test_what_is_wrong_with_either_kernel_is_still_said():
    _, notice = from_query("v=1&combine=sum&sigma=99&kernel2=polynomial&degree2=20&coef2=1")
    assert "coef2 is not a setting" in notice
    assert "sigma=99 is outside 0.02 to 10" in notice
    assert "degree2=20 is outside 1 to 8" in notice
    assert "combine is not a setting" in from_query("v=1&combine=difference&kernel2=linear")[1]
    assert from_query("v=1&combine=none&kernel2=linear&sigma2=3") == (Settings.of(), None)


def test_two_long_formulas_have_none_together():
    long = "+".join(["u[1]*v[1]"] * 24)
    settings, notice = from_query(
        {"kernel": "formula", "formula": long, "combine": "sum", "formula2": long}
    )
    assert settings == from_query({"combine": "sum", "kernel": "formula", "formula": long})[0]
    settings, notice = from_query(
        {
            "kernel": "formula",
            "formula": long,
            "combine": "sum",
            "kernel2": "formula",
            "formula2": long,
        }
    )
    assert settings == Settings.of(kernel="formula", formula=long)
    assert "the sum of formula and formula has no formula" in notice


def test_a_settings_file_is_read_by_the_same_rule():
    written = (
        '{"kpviz": "settings", "version": 1, "settings": {"combine": "sum", "kernel2": '
        '"polynomial", "degree2": 3}}'
    )
    settings, _, notice = settings_file.read(written)
    assert (settings.formula, notice) == ("gaussian(0.5) + polynomial(3, 1)", None)
    texts = '{"kpviz": "settings", "version": 1, "settings": {"data": "texts", "combine": "sum"}}'
    assert "so the first is used alone" in settings_file.read(texts)[2]


def test_no_setting_is_called_as_those_that_are_gone():
    assert not {"combine", *(f"{name}2" for name in BY_NAME)} & BY_NAME.keys()
