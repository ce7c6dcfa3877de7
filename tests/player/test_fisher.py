"""What Fisher's page is sent: numbers of the engine, words that are filled, links that come back."""

import re

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kpviz.engine.fisher import data as fisher_data
from kpviz.engine.fisher import discriminant
from kpviz.engine.fisher.data import SETS
from kpviz.lessons.explain import number
from kpviz.player import fisher as page
from kpviz.player import payload
from kpviz.settings import fisher_link
from kpviz.settings.fisher_link import PROPERTIES, FisherSettings, FisherView, read_link

FILLED = {"J", "J2", "best", "angle", "at", "wrong", "n", "K", "p", "r", "fp", "fn", "threshold"}


def sent(**given):
    settings = FisherSettings.of(**given)
    header, arrays = payload.unpack(page.encode(settings))
    return settings, header, arrays


# ---- the packet -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_every_number_is_the_engines(name):
    _, header, arrays = sent(data=name)
    shown = SETS[name]
    examples = fisher_data.load(name, shown.n)
    plane = fisher_data.see(examples)
    assert_array_equal(arrays["X"], plane.Z)
    assert_array_equal(arrays["labels"], examples.labels)
    assert_array_equal(arrays["angles"][: page.HALVES], np.arange(0.0, 180.0, 0.5))
    table = discriminant.turn(plane.Z, examples.labels, arrays["angles"])
    for key in ("J", "between", "within", "means", "thresholds", "wrong", "low", "high"):
        assert_array_equal(arrays[key], getattr(table, key), err_msg=key)
    assert_allclose(arrays["SW"] + arrays["SB"], arrays["ST"], atol=1e-9 * np.abs(arrays["ST"]).max())
    assert_array_equal(arrays["criterion"], plane.criterion)
    assert len(header["names"]["features"]) == len(arrays["SW"]) == len(arrays["criterion"])
    assert len(header["names"]["classes"]) == arrays["means"].shape[1]
    assert ("components" in arrays) == header["many"] == shown.many


@pytest.mark.parametrize("name", SETS)
def test_the_row_of_the_best_direction_is_the_largest_j_and_exact(name):
    _, _, arrays = sent(data=name)
    assert_allclose(arrays["J"][page.BEST], arrays["criterion"][0], rtol=1e-9)
    assert arrays["J"].max() <= arrays["J"][page.BEST] * (1.0 + 1e-12)
    low, high = arrays["means"][page.BEST][[0, -1]]
    assert low <= high  # F points towards the last class


def test_the_second_buttons_row_is_the_line_between_the_means_or_the_second_direction():
    _, header, arrays = sent(data="clouds")
    gap = arrays["classMeans"][1] - arrays["classMeans"][0]
    assert header["start"] == page.OTHER
    assert_allclose(np.radians(arrays["angles"][page.OTHER]), np.arctan2(gap[1], gap[0]) % (2 * np.pi))
    _, header, arrays = sent(data="wine")
    assert header["start"] == page.BEST
    assert_allclose(arrays["J"][page.OTHER], arrays["criterion"][1])


@pytest.mark.parametrize("name", SETS)
def test_what_is_drawn_lies_on_a_square_of_one_unit(name):
    _, header, arrays = sent(data=name)
    low_1, high_1, low_2, high_2 = header["extent"]
    assert_allclose(high_1 - low_1, high_2 - low_2)
    assert (arrays["X"] > [low_1, low_2]).all()
    assert (arrays["X"] < [high_1, high_2]).all()
    assert_allclose(header["mean"], arrays["X"].mean(axis=0))


@pytest.mark.parametrize("name", SETS)
def test_templates_use_only_what_the_browser_fills_in(name):
    _, header, _ = sent(data=name)
    assert {"best", "other", "turned"} <= set(header["words"])
    used = set(re.findall(r"\{(\w+)\}", " ".join(header["words"].values())))
    assert used <= FILLED
    assert not re.search(r"[{}]", " ".join(header["notes"].values()))


def test_notes_say_k_minus_1_sums_ridge_and_scaling_where_they_are_met():
    _, header, arrays = sent(data="wine")
    assert "At most K − 1 = 2 directions" in header["notes"]["rank"]
    assert "the 11 others" in header["notes"]["rank"]
    assert f"is the sum of their J, {number(float(arrays['criterion'].sum()))}." in header["notes"]["rank"]
    assert "standardized" in header["notes"]["scaling"]
    assert header["notes"]["ridge"] == ""
    _, header, arrays = sent(data="xor", n=8, noise=0.0)
    assert "or all divided by n" in header["notes"]["sums"]
    _, header, arrays = sent(data="blobs", n=8, noise=0.0)  # all points of a class at one place
    assert "S_W is singular" in header["notes"]["ridge"]
    assert np.isfinite(arrays["J"]).all()
    assert "[−1, 1]" in sent(data="iris")[1]["notes"]["scaling"]


def test_where_the_means_coincide_the_words_say_so():
    assert "Hardly any scatter" in sent(data="xor")[1]["words"]["other"]
    assert "obvious guess" in sent(data="clouds")[1]["words"]["other"]


@given(
    st.sampled_from([n for n in SETS if not SETS[n].many]), st.integers(8, 60), st.floats(0, 0.5), st.integers(0, 99)
)
def test_any_settings_can_be_sent(data, n, noise, seed):
    settings, header, arrays = sent(data=data, n=n, noise=noise, seed=seed)
    assert header["query"] == settings.query()
    assert len(arrays["X"]) == settings.n
    assert all(np.isfinite(array).all() for array in arrays.values())
    assert len(page.encode(settings)) < 120_000


def test_the_envelope_goes_before_the_packet():
    data = page.encode(FisherSettings.of())
    whole = page.envelope(data, name="a", view=FisherView("best", None), answer={"n": 3})
    header, _ = payload.unpack(whole)
    assert (header["id"], header["view"], header["n"]) == ("a", {"angle": "best", "threshold": None}, 3)
    assert whole.endswith(data)


# ---- the link -------------------------------------------------------------------------------------


def query_of(link):
    return dict(part.split("=") for part in link.split("&"))


@given(strategies.given_of(PROPERTIES))
def test_a_link_brings_its_settings_back(values):
    settings = FisherSettings.of(**values)
    again, view, notice = read_link(query_of(settings.query()))
    assert (again, view, notice) == (settings, FisherView(), None)
    assert settings.replace() == settings


def test_a_link_holds_only_what_differs_from_the_defaults():
    assert FisherSettings.of().query() == "v=1"
    assert FisherSettings.of(data="wine", seed=4, noise=0.2).query() == "v=1&data=wine"
    assert FisherSettings.of(data="moons", seed=4).query() == "v=1&data=moons&seed=4"
    assert FisherSettings.of(data="moons", seed=4).replace(data="xor").query() == "v=1&data=xor&seed=4"
    assert {prop.name for prop in PROPERTIES} == set(FisherSettings.of().values)


@pytest.mark.parametrize(
    ("angle", "read"), [("best", "best"), ("0", 0.0), ("33.5", 33.5), ("33.3", 33.5), ("360", 0.0), ("359.9", 0.0)]
)
def test_an_angle_is_read_to_half_a_degree(angle, read):
    assert read_link({"angle": angle})[1:] == (FisherView(read), None)


@pytest.mark.parametrize(
    "query",
    [
        {"angle": "north"}, {"angle": "-1"}, {"angle": "361"}, {"angle": "nan"}, {"angle": "1" * 90}, {"angle": "١"},
        {"threshold": "inf"}, {"threshold": "x"}, {"threshold": "1", "data": "wine"}, {"data": "<b>"}, {"n": "many"},
        {"v": "2"}, {"sigma": "1"}, {"data": "iris", "x": "1", "y": "1"}, {"noise": "1e999"},
    ],
)  # fmt: skip
def test_nonsense_becomes_a_default_and_one_sentence(query):
    settings, view, notice = read_link(query)
    assert notice.startswith("Parts of this link could not be used")
    assert len(notice) < 300
    assert (view.angle, view.threshold) == (None, None)
    payload.unpack(page.encode(settings))


def test_streamlits_own_keys_are_left_alone():
    assert read_link({"embed": "true", "embed_options": "dark_theme", "threshold": "0.25"})[1:] == (
        FisherView(None, 0.25),
        None,
    )


def test_a_property_that_does_not_apply_is_ignored_quietly():
    settings, _, notice = read_link({"data": "wine", "n": "20", "seed": "5", "x": "3"})
    assert (settings, notice) == (FisherSettings.of(data="wine"), None)
    assert [prop.name for prop in fisher_link.PROPERTIES if settings.applies(prop.name)] == ["data"]
