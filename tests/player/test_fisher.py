"""What Fisher's page is sent: numbers of the engine, words that are filled, links that
come back.
"""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kpviz.engine.fisher import discriminant
from kpviz.engine.fisher.data import SETS
from kpviz.lessons.explain import number
from kpviz.player import fisher as page
from kpviz.player import payload
from kpviz.settings.fisher_link import (
    FISHER_SOURCES,
    PROPERTIES,
    FisherSettings,
    FisherView,
    read_link,
)

FILLED = {"J", "J2", "best", "angle", "at", "wrong", "n", "K", "p", "r", "fp", "fn", "threshold"}
PACKED = {name: payload.unpack(page.encode(FisherSettings.of(data=name))) for name in SETS}


# ---- the packet ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_every_number_is_the_engines_and_each_template_can_be_filled(name):
    header, arrays = PACKED[name]
    plane = page.plane_of(FisherSettings.of(data=name))
    assert_array_equal(arrays["X"], plane.Z)
    assert_array_equal(arrays["labels"], plane.examples.labels)
    assert_array_equal(arrays["angles"][: page.HALVES], np.arange(0.0, 180.0, 0.5))
    table = discriminant.turn(plane.Z, plane.examples.labels, arrays["angles"])
    for key in ("J", "between", "within", "means", "thresholds", "wrong", "low", "high"):
        assert_array_equal(arrays[key], getattr(table, key), err_msg=key)
    assert_allclose(
        arrays["SW"] + arrays["SB"], arrays["ST"], atol=1e-9 * np.abs(arrays["ST"]).max()
    )
    assert_array_equal(arrays["criterion"], plane.criterion)
    assert_allclose(arrays["J"][page.BEST], arrays["criterion"][0], rtol=1e-9)
    assert arrays["J"].max() <= arrays["J"][page.BEST] * (1.0 + 1e-12)
    low, high = arrays["means"][page.BEST][[0, -1]]
    assert low <= high  # F points towards the last class
    assert ("components" in arrays) == header["many"] == SETS[name].many
    low_1, high_1, low_2, high_2 = header["extent"]
    assert_allclose(high_1 - low_1, high_2 - low_2)  # right angles are seen as such
    assert (arrays["X"] > [low_1, low_2]).all()
    assert (arrays["X"] < [high_1, high_2]).all()
    assert {"best", "other", "turned"} <= set(header["words"])
    assert set(re.findall(r"\{(\w+)\}", " ".join(header["words"].values()))) <= FILLED
    assert not re.search(r"[{}]", " ".join(header["notes"].values()))


def test_the_second_direction_is_the_line_between_the_means_or_the_second_best():
    header, arrays = PACKED["clouds"]
    gap = arrays["classMeans"][1] - arrays["classMeans"][0]
    assert header["start"] == "other"
    assert_allclose(
        np.radians(arrays["angles"][page.OTHER]), np.arctan2(gap[1], gap[0]) % (2 * np.pi)
    )
    header, arrays = PACKED["wine"]
    assert header["start"] == "best"
    assert_allclose(arrays["J"][page.OTHER], arrays["criterion"][1])


def test_notes_say_k_minus_1_sums_ridge_and_scaling_where_they_are_met():
    header, arrays = PACKED["wine"]
    assert "At most K − 1 = 2 directions" in header["notes"]["rank"]
    assert (
        f"is the sum of their J, {number(float(arrays['criterion'].sum()))}."
        in header["notes"]["rank"]
    )
    assert "standardized" in header["notes"]["scaling"]
    assert header["notes"]["ridge"] == ""
    singular = FisherSettings.of(data="blobs", n=8, noise=0.0)  # all points of a class at one place
    header, arrays = payload.unpack(page.encode(singular))
    assert "S_W is singular" in header["notes"]["ridge"]
    assert np.isfinite(arrays["J"]).all()
    assert "[−1, 1]" in PACKED["iris"][0]["notes"]["scaling"]
    assert "Hardly any scatter" in PACKED["xor"][0]["words"]["other"]  # the means coincide
    assert "obvious guess" in PACKED["clouds"][0]["words"]["other"]


@given(
    st.sampled_from([n for n in SETS if not SETS[n].many]),
    st.integers(8, 60),
    st.floats(0, 0.5),
    st.integers(0, 99),
)
def test_any_settings_can_be_sent(data, n, noise, seed):
    settings = FisherSettings.of(data=data, n=n, noise=noise, seed=seed)
    packed = page.encode(settings)
    header, arrays = payload.unpack(packed)
    assert (header["query"], len(arrays["X"])) == (settings.query(), settings.n)
    assert all(np.isfinite(array).all() for array in arrays.values())
    assert len(packed) < 120_000


# ---- the link ------------------------------------------------------------------------------------


@given(strategies.given_of(PROPERTIES))
def test_a_link_brings_its_settings_back(values):
    settings = FisherSettings.of(**values)
    again, view, notice = read_link(dict(parse_qsl(settings.query(), keep_blank_values=True)))
    assert (again, view, notice) == (settings, FisherView(), None)
    assert settings.replace() == settings


def test_a_link_holds_only_what_differs_from_the_defaults_and_applies():
    assert FisherSettings.of().query() == "v=1"
    assert FisherSettings.of(data="wine", seed=4, noise=0.2).query() == "v=1&data=wine"
    assert (
        FisherSettings.of(data="moons", seed=4).replace(data="xor").query() == "v=1&data=xor&seed=4"
    )
    assert read_link({"data": "wine", "n": "20", "x": "3"})[::2] == (
        FisherSettings.of(data="wine"),
        None,
    )
    assert read_link({"embed": "true", "threshold": "0.25"})[1:] == (
        FisherView(None, 0.25),
        None,
    )  # Streamlit's key


@pytest.mark.parametrize(
    ("angle", "read"),
    [("best", "best"), ("0", 0.0), ("33.5", 33.5), ("33.3", 33.5), ("360", 0.0), ("359.9", 0.0)],
)
def test_an_angle_is_read_to_half_a_degree(angle, read):
    assert read_link({"angle": angle})[1:] == (FisherView(read), None)


@pytest.mark.parametrize(
    "query",
    [
        {"angle": "north"}, {"angle": "-1"}, {"angle": "361"}, {"angle": "nan"}, {"angle": "1" * 90}, {"angle": "١"},
        {"threshold": "inf"}, {"threshold": "x"}, {"threshold": "1", "data": "wine"}, {"data": "<b>"}, {"n": "many"},
        {"v": "0"}, {"sigma": "1"}, {"cls": "1", "threshold": "x"}, {"data": "iris", "x": "1", "y": "1"},
        {"noise": "1e999"},
    ],
)  # fmt: skip
def test_nonsense_becomes_a_default_and_one_sentence(query):
    settings, view, notice = read_link(query)
    assert notice.startswith("Parts of this link could not be used")
    assert len(notice) < 300
    assert (view.angle, view.threshold) == (None, None)
    payload.unpack(page.encode(settings))


@pytest.mark.parametrize("data", FISHER_SOURCES)
def test_every_default_of_fishers_page_lies_where_its_control_can_go(data):
    settings = FisherSettings.of(data=data)
    for prop in PROPERTIES:
        if prop.range is not None:
            limits = prop.range_for(settings.values)
            assert limits.low <= settings.values[prop.name] <= limits.high, prop.name
        elif prop.choices:
            assert settings.values[prop.name] in prop.choices
