"""The popover of the kernel: formulas of one's own, what is known of them, and the literals of subsets."""

import pytest
from playing import header, of_page, ran
from playing import opened as opened_with

import kpviz
from kpviz import experiment
from kpviz.app.widgets import notches, plain
from kpviz.engine.kernels.formula import EXAMPLE
from kpviz.settings import BY_NAME, Settings

WRONG = [
    ("dot(u,", "At character"),
    ("u", "the result is a vector"),
    ("dot(u, v)²³", "write a power of several digits as **, as in x**12."),
    ("__import__('os')", "At character"),
    ("norm(u)", "uses u but not v"),
    ("norm(u)*dot(u, v)", "a kernel is the same both ways"),
    ("", ""),
]


def opened(**query):
    return opened_with("kernel", **query)


def typed(at, text, key="kernel-formula"):
    at.text_input(key=key).set_value(text)
    return ran(at)


def chip(at):
    return at.get("popover")[1].proto.popover.label


def test_the_tile_brings_a_field_with_an_example_and_its_proof():
    at = opened()
    assert not at.text_input
    at.button(key="tile-kernel-formula").click()
    ran(at)
    assert of_page(at) == Settings.of(kernel="formula")
    assert at.text_input(key="kernel-formula").value == EXAMPLE
    assert not at.error
    assert not at.warning
    kernel = experiment.kernel(of_page(at))
    assert kernel.psd == "yes"
    assert plain(kernel.report.proven) in [each.value for each in at.caption]


@pytest.mark.parametrize(
    ("text", "psd"),
    [("(dot(u,v)+1)**2", "yes"), ("-norm(u-v)", "no"), ("1 - norm(u-v)/100", None), ("dot(u, v)**3 + 2", "yes")],
)
def test_a_formula_is_used_and_what_is_known_of_it_is_said(text, psd):
    at = typed(opened(kernel="formula", epochs="3"), text)
    made = of_page(at)
    kernel = experiment.kernel(made)
    assert made == Settings.of(kernel="formula", epochs=3, formula=text)
    assert psd is None or kernel.psd == psd
    assert (len(at.warning), len(at.error)) == (int(kernel.psd != "yes"), 0)
    assert at.text_input(key="kernel-formula").value == str(kernel.tree) == made.formula
    assert chip(at) == plain(kernel.label)
    assert header(at)["names"]["kernel"] == kernel.label
    report = kernel.report
    expected = {"yes": report.proven, "no": report.refuted}.get(kernel.psd, f"{report.proven} {report.refuted}")
    assert plain(expected) in [each.value for each in at.caption]
    assert kernel.latex in at.latex[0].value


@pytest.mark.parametrize(("text", "why"), WRONG)
@pytest.mark.parametrize("suffix", ["", "2"])
def test_a_wrong_formula_gets_one_sentence_and_stays_and_the_kernel_is_as_it_was(text, why, suffix):
    query = {"kernel": "formula"} if not suffix else {"combine": "sum", "kernel2": "formula"}
    at = opened(**query, epochs="3")
    before, sent = of_page(at), bytes(at.get("bidi_component")[0].proto.bytes)
    key = f"kernel-formula{suffix}"
    typed(at, text, key)
    (error,) = [each.value for each in at.error]
    assert plain(why) in error
    assert error.endswith(".")
    assert "\n" not in error
    assert of_page(at) == before
    assert bytes(at.get("bidi_component")[0].proto.bytes) == sent
    assert at.text_input(key=key).value == text
    assert len(at.error) == len(ran(at).error)  # it stays until it is put right
    for code in at.code if text else ():  # points at the character
        line, place = code.value.split("\n")[:2]
        assert line == text
        assert place.strip() == "^"
        assert len(place) <= len(text) + 1
    typed(at, "1 + dot(u, v)", key)
    assert of_page(at) == before.replace(**{f"formula{suffix}": "1 + dot(u, v)"})
    assert not at.error


def test_what_was_typed_wrong_outlives_another_slider_but_not_another_formula():
    at = typed(opened(kernel="formula", combine="sum", kernel2="gaussian"), "dot(u,")
    at.select_slider(key="set-sigma2").set_value(notches(BY_NAME["sigma2"].range_for(of_page(at).values), 0.5)[3])
    ran(at)
    assert at.text_input(key="kernel-formula").value == "dot(u,"
    session = at.session_state["session"]
    session.set(formula="2*dot(u, v)")
    ran(at)
    assert at.text_input(key="kernel-formula").value == "2*dot(u, v)"
    assert not at.error
    session.undo()
    assert not ran(at).error


@pytest.mark.parametrize("suffix", ["", "2"])
def test_subsets_may_be_of_the_literals(suffix):
    query = {"kernel": "subsets"} if not suffix else {"combine": "product", "kernel2": "subsets"}
    at = opened(**query)
    group = at.button_group(key=f"set-negated{suffix}")
    assert group.value == "off"
    group.set_value("on")
    ran(at)
    assert of_page(at).values[f"negated{suffix}"] == "on"
    kernel = experiment.kernel(of_page(at))
    assert (kernel.second if suffix else kernel) == kpviz.kernels.AllSubsets(negated=True)


@pytest.mark.parametrize(("kernel", "parameter", "value"), [("mixture", "components", 5), ("polynomial", "degree", 3)])
def test_parameters_of_the_new_kernels_are_turned(kernel, parameter, value):
    at = opened(kernel=kernel, epochs="2")
    at.slider(key=f"set-{parameter}").set_value(value)
    ran(at)
    assert getattr(experiment.kernel(of_page(at)), parameter) == value


@pytest.mark.parametrize(
    ("data", "kernel", "parameter"), [("texts", "spectrum", "length"), ("graphs", "graph", "rounds")]
)
def test_parameters_of_kernels_of_objects_are_turned(data, kernel, parameter):
    at = opened(data=data, kernel=kernel, epochs="2")
    for value in (1, 4):
        at.slider(key=f"set-{parameter}").set_value(value)
        ran(at)
        assert getattr(experiment.kernel(of_page(at)), parameter) == value
        assert f"= {value}" in chip(at)


def test_what_a_kernel_cannot_compute_of_the_data_is_refused_and_the_kernel_before_it_stays():
    at = typed(opened(kernel="formula", epochs="2"), "1/dot(u, v)")
    if of_page(at).formula == "1/dot(u, v)":
        return  # it can
    assert len(at.toast) == 1
    assert at.toast[0].value.endswith(".")


def test_a_link_to_a_formula_that_cannot_be_written_out_opens_with_a_notice():
    at = opened(kernel="formula", formula="-" * 29 + "dot(u,v)", epochs="2")
    assert of_page(at) == Settings.of(kernel="formula", epochs=2)
    assert "nested more than 30 deep" in at.toast[0].value


def test_a_link_whose_kernel_cannot_be_made_opens_with_the_usual_one_and_a_notice(monkeypatch):
    make = experiment.kernel

    def made(settings):
        if settings.kernel == "formula":
            raise ValueError("There is no such kernel.")
        return make(settings)

    monkeypatch.setattr(experiment, "kernel", made)
    at = opened(kernel="formula", n="20", epochs="2")
    assert of_page(at) == Settings.of(n=20, epochs=2)
    assert at.toast[0].value == "There is no such kernel. The usual kernel takes its place."


@pytest.mark.parametrize("kernel", [{}, {"kernel": "linear"}])
def test_pins_of_a_link_that_have_no_values_on_these_data_are_let_go_and_told(kernel):
    pins = {"pins": "1", "p1.kernel": "formula", "p1.formula": "log(dot(u, v))"}
    at = opened_with(n="20", epochs="2", **kernel, **pins)
    assert of_page(at) == Settings.of(n=20, epochs=2, **kernel)
    assert at.session_state["session"].pins == ()
    assert at.toast[0].value.endswith("The pinned runs are left out.")
