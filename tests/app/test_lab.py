"""The kernel lab as Streamlit opens it: every tab and function, links, bad links, and the ways into the player."""

import re
from html import escape
from itertools import cycle
from urllib.parse import unquote

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kpviz import experiment
from kpviz.app.lab import build
from kpviz.app.session import Session
from kpviz.engine.kernels import KERNELS, Sigmoid, validity
from kpviz.engine.kernels.formula import Derivation
from kpviz.engine.theory import primal
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.picture.lab import functions
from kpviz.service import links
from kpviz.settings import Settings, fisher_link, from_query
from kpviz.settings import lab_link as link
from kpviz.settings.lab_link import LabView
from kpviz.settings.properties import BY_NAME

SCRIPT = """
import streamlit as st
from kpviz.app.screens import lab
st.navigation([st.Page(lab.page, title="Lab")], position="hidden").run()
"""


WAYS = SCRIPT.replace(
    "st.nav",
    "from kpviz.app.lab import state\nif 'elsewhere' in st.query_params:\n    state.leave()\n    st.stop()\nst.nav",
)


@pytest.fixture(autouse=True)
def went(monkeypatch):
    """No links to pages that are not there; the pages that were gone to."""
    found = []
    monkeypatch.setattr("kpviz.app.switch.go", lambda page, query="": found.append((page, query)))
    return found


def ran(at):
    at.run()
    assert not at.exception, at.exception[0].message
    return at


def opened(**query):
    at = AppTest.from_string(SCRIPT, default_timeout=60)
    at.query_params.update(query)
    return ran(at)


def test_what_a_dialog_could_not_do_is_told():
    at = AppTest.from_string(SCRIPT, default_timeout=60)
    at.session_state["session"] = Session(notice="The server does not have iris.csv.")
    assert "iris.csv" in ran(at).toast[0].value
    assert len(ran(at).toast) == 0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"of": "sigmoid", "on": "five"}, "v=1&of=sigmoid&on=five"),
        ({"tab": "build"}, "v=1&tab=build"),
        ({"data": "moons"}, "v=1&data=moons&tab=space"),
    ],
)
def test_a_link_to_the_lab_is_followed_also_where_one_was_there_before(query, expected):
    at = AppTest.from_string(WAYS, default_timeout=60)
    for each in ({"tab": "space"}, {"elsewhere": ""}, query):
        at.query_params.clear()
        at.query_params.update(each)
        ran(at)
    assert address(at) == expected
    at.query_params.clear()  # the address follows a moment later
    assert address(ran(at)) == expected


def address(at):
    session = at.session_state["lab"]
    return "&".join(filter(None, [session.settings.link(), session.view.query()]))


def gone_to(went):
    """What the player shows that was gone to last."""
    page, query = went[-1]
    assert page == "play"
    found = links.read(links.pairs(query))
    assert found.notices == ()
    return found


def texts(at):
    return " ".join(each.value for kind in (at.markdown, at.warning, at.info, at.caption) for each in kind)


@pytest.mark.parametrize(("kernel", "others"), list(zip(KERNELS, cycle(t for t in link.TABS if t != "space"))))
def test_every_tab_opens_with_kernels_and_the_space_with_each(kernel, others):
    data = next(name for name in BY_NAME["data"].choices if Settings.of(data=name, kernel=kernel).kernel == kernel)
    for tab in ("space", others):
        at = opened(v="1", data=data, kernel=kernel, tab=tab)
        assert len(at.toast) == 0, tab
        assert from_query(address(at))[0].kernel == kernel, tab


@pytest.mark.parametrize("of", functions.NAMED)
@pytest.mark.parametrize("on", ["data", "five", "halved"])
def test_the_named_functions_are_told_as_the_engine_finds_them(of, on):
    at = opened(of=of, on=on)
    data = experiment.prepare(Settings.of()).X
    X = {"data": data, "five": np.array(validity.FIVE), "halved": np.array(validity.HALVED)}[on]
    verdict = validity.examine(functions.typed(functions.NAMED[of].text), X)
    assert verdict.sentence in texts(at)
    found = validity.smaller(verdict)
    assert (found is not None) == verdict.refuted
    if found is not None:
        assert f"cᵀKc = {found.sum}" in texts(at)


def test_what_the_perceptron_does_with_the_sigmoid_is_said():
    page_text = texts(opened(of="sigmoid"))
    assert "After 1 presentation “‖f‖²” is below 0" in page_text
    assert "it repeats itself" in page_text
    assert "for ever" in page_text


def test_a_sample_is_never_said_to_prove():
    page_text = texts(opened(kernel="gaussian"))
    assert "not refuted. That proves nothing about other examples." in page_text


def test_what_is_proven_is_not_said_to_be_refuted_by_its_own_rounding():
    page_text = texts(opened(tab="valid", of="formula", text="(dot(u,v)+1e6)**2-1e12", on="data"))
    assert "by rounding of k itself: that it is a kernel is proven" in page_text
    assert "Refuted" not in page_text


def test_links_open_what_they_say_and_are_written_back():
    query = {"v": "1", "kernel": "polynomial", "degree": "3", "tab": "space", "features": "784", "power": "7"}
    at = opened(**query)
    assert address(at) == "v=1&kernel=polynomial&degree=3&tab=space&features=784&power=7"
    again = dict(part.split("=") for part in address(at).split("&"))
    assert again == query


@pytest.mark.parametrize(
    "query",
    [
        {"tab": "nowhere"},
        {"of": "nobody"},
        {"on": "paper"},
        {"features": "many"},
        {"features": "0"},
        {"power": "99"},
        {"constant": "nan"},
        {"text": "u" * 301},
        {"log": "perhaps"},
    ],
)
def test_parts_that_cannot_be_used_are_left_out_and_told(query):
    at = opened(**query)
    assert next(iter(query)) in at.toast[0].value
    assert at.session_state["lab"].view == LabView()


@pytest.mark.parametrize(
    "view", [LabView(), LabView("build", text="exp(-norm(u - v)**2) + a&b=?%"), LabView(constant=0.35, log="on")]
)
def test_views_travel_in_links(view):
    pairs = [part.partition("=") for part in view.query().split("&") if part]
    assert link.read({key: unquote(value) for key, _, value in pairs}, ()) == (view, None)


@pytest.mark.parametrize(
    "text", ["", "nrom(u)", "norm(u)", "u[1]*v[2]", "log(u[1]*v[1])", "exp(exp(exp(9*dot(u, v))))", "-1"]
)
@pytest.mark.parametrize("tab", ["valid", "build"])
def test_formulas_that_are_none_are_told_in_a_sentence(text, tab):
    at = opened(tab=tab, of="formula", text=text)
    assert at.warning or at.info or "It is a kernel" in texts(at)
    assert "Traceback" not in texts(at)


def test_each_step_builds_what_it_says_with_its_proof():
    at = opened(tab="build", text="dot(u, v)")
    for name in build.STEPS:
        at.button(f"lab-step-{name}").click()
        ran(at)
    made = functions.typed(at.session_state["lab"].view.text)
    assert made.psd == "yes"
    assert "It is a kernel" in texts(at)
    U = np.random.default_rng(0).normal(size=(4, 2)) / 3
    k = U @ U.T
    k = ((k + k) * (U @ U.T)) * 2.0
    k = np.exp((1 + 2 * k + k**2) ** 2)
    np.testing.assert_allclose(made(U, U), k / np.sqrt(np.outer(np.diag(k), np.diag(k))))


def test_a_step_that_is_not_possible_is_told_and_changes_nothing():
    at = opened(tab="build", text="nrom(u)")
    at.button("lab-step-sum").click()
    ran(at)
    assert at.session_state["lab"].view.text == "nrom(u)"
    assert any("nrom" in each.value for each in at.warning)


def test_building_starts_with_the_current_kernel_and_its_eigenvalues_are_a_click_away():
    at = opened(tab="build", kernel="polynomial", degree="3", coef0="0.5")
    at.button("lab-current").click()
    ran(at)
    assert at.session_state["lab"].view.text == "(dot(u, v) + 0.5)**3"
    at.button("lab-examine").click()
    ran(at)
    assert (at.session_state["lab"].view.tab, at.session_state["lab"].view.of) == ("valid", "formula")
    assert "not refuted" in texts(at)


def test_the_player_opens_with_the_function_that_was_examined(went):
    at = opened(of="sigmoid")
    at.button("lab-watch").click()
    ran(at)
    assert experiment.kernel(gone_to(went).settings) == Sigmoid(1.0, -1.0)


@pytest.mark.parametrize("of", ["distance", "square", "fourth"])
def test_the_player_opens_with_a_formula(of, went):
    at = opened(of=of)
    at.button("lab-watch").click()
    ran(at)
    kernel = experiment.kernel(gone_to(went).settings)
    assert kernel.text == functions.NAMED[of].text


def test_the_lift_opens_in_the_player(went):
    at = opened(tab="space")
    at.button("lab-lift").click()
    ran(at)
    found = gone_to(went)
    settings = found.settings
    assert (settings.data, settings.kernel, settings.degree) == ("circles", "monomial", 2)
    assert "lift" in found.view.show


@pytest.mark.parametrize("tab", ["build", "valid"])
def test_the_formula_is_that_of_the_current_kernel_until_another_one_is_typed(tab):
    at = opened(tab=tab, of="formula", kernel="polynomial", degree="3")
    assert at.text_input("lab-text").value == "(dot(u, v) + 1)**3"
    assert "text=" not in address(at)
    at.text_input("lab-text").set_value("gaussian(2)")
    ran(at)
    assert address(at).endswith("text=gaussian%282%29")
    assert opened(tab="build", data="texts").text_input("lab-text").value == "dot(u, v)"


def test_the_kernel_and_its_explicit_map_are_shown_side_by_side_and_where_they_part(went):
    for name, parts in (("sides", False), ("part", True)):
        at = opened(tab="space")
        at.button(f"lab-{name}").click()
        ran(at)
        found = gone_to(went)
        assert "primal" in found.view.show
        reading = primal.read(experiment.run(found.settings))
        assert (reading.first_parting is not None) == parts
        if parts:
            assert found.view.t == reading.first_parting + 1


@pytest.mark.parametrize("name", MISCONCEPTIONS)
def test_each_slip_is_told_and_opens_where_it_is_met(name, went):
    at = opened(tab="slips")
    cards = " ".join(each.proto.body for each in at.get("html")).replace("<sub>", "_").replace("</sub>", "")
    assert all(
        escape(text) in cards
        for text in (MISCONCEPTIONS[name].title, MISCONCEPTIONS[name].claim, MISCONCEPTIONS[name].right)
    )
    at.button(f"lab-slip-{name}").click()
    ran(at)
    page, _, query = MISCONCEPTIONS[name].link.partition("?")
    assert went == [(page, query)]
    if page == "play":
        found = gone_to(went)
        assert found.view.t <= experiment.run(found.settings).n_steps
    else:
        assert fisher_link.read_link(links.pairs(query))[2] is None


def test_dimensions_are_in_the_table():
    at = opened(tab="space", features="784", power="2")
    table = next(each.proto.body for each in at.get("html") if "kpviz-table" in each.proto.body)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", table)
    assert "C(n+q−1, q) = 307,720" in cells
    assert "C(n+q, q) = 308,505" in cells
    assert "∞" in cells


def test_what_anyone_wrote_is_escaped():
    at = opened(tab="build", text="exp(dot(u, v))")
    tree = next(each.proto.body for each in at.get("html") if "kpviz-proof" in each.proto.body)
    assert "<script" not in tree
    assert "&lt;b&gt;" in build._tree(Derivation("<b>", "rule", "proof"))
