"""The page, opened as Streamlit opens it: every widget does what it says, and nothing raises."""

import random
import threading
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from kinds import NAMES as DATA
from kinds import PAIRS, data_for, kernels_for
from links import random_pairs
from playing import of_page, opened, parts_sent, ran, sent
from streamlit.testing.v1 import AppTest

from kpviz import conditions, experiment, settings
from kpviz.canvas import payload
from kpviz.canvas.extras import EXTRAS
from kpviz.engine import theory
from kpviz.engine.datasets import SOURCES
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.objects.sources import OBJECTS
from kpviz.properties import KERNEL_PARAMETERS
from kpviz.settings import BY_NAME, FILE, LEARNER_PROPERTIES, LINK_NAMES, Settings
from kpviz.ui import controls, objects, own, shared
from kpviz.ui import data as data_chip
from kpviz.ui import kernel as kernel_chip
from kpviz.ui.shared import Shelf
from kpviz.ui.widgets import notches as slider_notches
from kpviz.ui.widgets import plain

CSV = b"width,height,kind\n" + b"".join(b"%d,%d,%s\n" % (i * 7 % 40, i * i % 17, b"ab"[i % 2 :][:1]) for i in range(40))
THREE = b"u,v,w,kind\n" + b"".join(
    b"%d,%d,%d,%s\n" % (i * 7 % 60, i * i % 17, i % 5, b"abc"[i % 3 :][:1]) for i in range(60)
)
WIDE = b"u,v,kind\n" + b"".join(b"%de60,%de60,%s\n" % (i, i * i % 17, b"ab"[i % 2 :][:1]) for i in range(20))


def labels(at):
    return [popover.proto.popover.label for popover in at.get("popover")]


def widgets(at):
    found = [*at.slider, *at.select_slider, *at.selectbox, *at.number_input, *at.button_group]
    return {widget.key.removeprefix("set-"): widget for widget in found}


# ---- the first screen -----------------------------------------------------------------------------


def test_the_page_opens_on_the_usual_run():
    at = opened()
    usual = Settings.of()
    split = experiment.prepare(usual)
    envelope, run = parts_sent(at)
    assert run == payload.encode(usual, split, experiment.run(usual, split))
    assert (envelope["id"], envelope["view"], envelope["ack"]) == ("v=1", {"t": 0, "show": None, "stage": None}, 0)
    assert len(at.toast) == 0
    assert labels(at) == ["XOR · 60 points · seed 0", "Gaussian, σ = 0.5", "Perceptron · cyclic", "Compare"]
    assert [button.label for button in at.button] == ["New data", "New order"]


def test_running_again_sends_the_same_bytes():
    at = opened(t="7", show="alpha.code", noise="0.2", held="0.2")
    first = sent(at)
    assert sent(ran(at)) == first
    assert sent(ran(at)) == first
    assert sent(opened(t="7", show="alpha.code", noise="0.2", held="0.2")) == first


def test_a_link_opens_what_it_says():
    at = opened(v="1", data="moons", kernel="polynomial", degree="4", t="12", show="margins")
    assert of_page(at) == Settings.of(data="moons", kernel="polynomial", degree=4)
    assert parts_sent(at)[0]["view"] == {"t": 12, "show": ["margins"], "stage": None}
    assert len(at.toast) == 0


def test_a_link_that_shows_the_bound_opens_with_it():
    _, run = parts_sent(opened(v="1", show="bound.code"))
    header, _ = payload.unpack(run)
    (bound, *_) = theory.bounds_of(experiment.run(Settings.of()))
    told = header["extras"]["bound"][0]
    assert (told["key"], told["value"], told["applies"]) == ("plain", bound.value, True)
    assert payload.unpack(parts_sent(opened(v="1", show="code"))[1])[0]["extras"] == {}


def test_the_page_does_not_write_the_address():
    at = opened(v="1", data="moons", t="12")
    ran(at)
    next(button for button in at.button if button.key == "new-data").click()
    ran(at)
    assert dict(at.query_params) in (
        {"v": ["1"], "data": ["moons"], "t": ["12"]},
        {"v": "1", "data": "moons", "t": "12"},
    )


@pytest.mark.parametrize(
    "query",
    [
        {"nonsense": "1"},
        {"sigma": "wide"},
        {"v": "9", "sigma": "1e9", "data": "<b>", "zzz": "`x`", "more": "1"},
        {"t": "soon"},
        {"show": "everything", "t": "-1", "kernel": "none"},
        {"data": "file", "file": "lost.csv~0123"},
    ],
)
def test_a_link_with_nonsense_opens_with_one_notice_once(query):
    at = opened(**query)
    assert len(at.toast) == 1
    assert at.toast[0].value.endswith(".")
    assert not set(at.toast[0].value) & set("<>`")
    assert len(ran(at).toast) == 0


def test_the_servers_own_keys_are_no_nonsense():
    assert len(opened(embed="true", embed_options="dark_theme").toast) == 0


@pytest.mark.parametrize("block", range(4))
def test_sixty_hostile_links_open(block):
    draw = random.Random(block)
    for pairs in random_pairs(60, seed=2)[block::4]:
        query = {}
        for key, value in pairs:  # as a server would have read them
            clean = "".join(ch for ch in value if not 0xD800 <= ord(ch) < 0xE000)[:2000]
            query[key[:50].replace("\x00", "")] = clean
        query.setdefault("n", "30")
        query.setdefault("epochs", str(draw.choice((1, 5))))
        at = opened(**query)
        assert len(at.toast) <= 1
        made = of_page(at)
        usual = "" if conditions.has_plane(made.values) else "&gram&remembered"  # the panels that are usual there
        assert parts_sent(at)[0]["id"] == made.without_cues.query() + usual


# ---- the chips ------------------------------------------------------------------------------------

LEARNING = {"intercept", "tie", "order", "predictor", "eta", "epochs"}
SHOWN = {
    "data": {"n", "held", "noise", "flipped", "balance", "seed"},
    "kernel": {"combine", "normalize"},
    "learner": LEARNING,
}


@pytest.mark.parametrize("data", SOURCES)
def test_the_data_popover_shows_what_applies_to_the_data(data):
    at = opened("data", data=data)
    more = {"iris": {"x", "y", "pair"}, "breast_cancer": {"x", "y"}}.get(data, set())
    assert set(widgets(at)) == SHOWN["data"] | more
    tiles = [button.key.removeprefix("tile-data-") for button in at.button if button.key.startswith("tile-")]
    assert tiles == [*SOURCES, *OBJECTS]
    assert SOURCES[data].look_for in [caption.value for caption in at.caption]
    chosen = [button.key for button in at.button if button.proto.type == "primary"]
    assert chosen == [f"tile-data-{data}"]


@pytest.mark.parametrize("data", OBJECTS)
def test_the_data_popover_of_objects_has_no_widget_for_what_is_not_drawn(data):
    at = opened("data", data=data)
    assert set(widgets(at)) == {"held", "seed"} | ({"bits", "bits-preset"} if data == "bits" else {"objects-class"})
    chosen = [button.key for button in at.button if button.proto.type == "primary"]
    assert chosen == [f"tile-data-{data}", *([] if data == "bits" else ["objects-add"])]
    assert experiment.look_for(of_page(at)) in [caption.value for caption in at.caption]
    assert (
        labels(at)[0]
        == {
            "texts": "Sentences · seed 0",
            "trees": "Parsed sentences · seed 0",
            "graphs": "Molecules · seed 0",
            "bits": "Three terms, 4 bits · in order",
        }[data]
    )


@pytest.mark.parametrize(("data", "kernel"), [("xor", kernel) for kernel in kernels_for("xor")] + [
    pair for pair in PAIRS if pair[0] in OBJECTS
])  # fmt: skip
def test_the_kernel_popover_shows_the_parameters_that_the_kernel_has(data, kernel):
    at = opened("kernel", data=data, kernel=kernel)
    own = {"negated"} if kernel == "subsets" else set()
    assert set(widgets(at)) == SHOWN["kernel"] | set(KERNELS[kernel].ranges) | own
    assert at.latex[0].value.strip("$\n ").startswith("k(u, v) =")
    assert (len(at.warning) == 1) == (kernel == "sigmoid")
    assert len(at.text_input) == (kernel == "formula")
    tips = {button.key: button.help for button in at.button if button.key.startswith("tile-kernel-")}
    assert list(tips) == [f"tile-kernel-{name}" for name in kernels_for(data)]
    assert all("hidden" in tip for tip in tips.values())


@pytest.mark.parametrize("second", KERNELS)
@pytest.mark.parametrize("combine", ["sum", "product"])
def test_a_second_kernel_brings_its_own_parameters(second, combine):
    data = data_for(second)
    at = opened("kernel", data=data, combine=combine, kernel2=second)
    first = KERNELS[of_page(at).kernel]
    usual = {*SHOWN["kernel"], "kernel2", *first.ranges} | ({"negated2"} if second == "subsets" else set())
    assert set(widgets(at)) == {*usual, *(f"{name}2" for name in KERNELS[second].ranges)}
    assert len(at.text_input) == (second == "formula")
    (chosen,) = at.selectbox
    assert chosen.options == [KERNELS[name].name for name in kernels_for(data)]


def test_the_learner_popover_shows_the_order_seed_where_it_draws():
    assert set(widgets(opened("learner"))) == LEARNING
    for order in ("shuffled", "random"):
        assert set(widgets(opened("learner", order=order))) == LEARNING | {"oseed"}


def parameters(name):
    """Names in links of a learner's parameters."""
    kind = LEARNERS[name]
    return {LINK_NAMES.get(parameter, parameter) for parameter in (*kind.ranges, *getattr(kind, "choices", {}))}


@pytest.mark.parametrize("name", LEARNERS)
def test_the_learner_popover_shows_the_parameters_that_the_learner_has(name):
    at = opened("learner", learner=name, n="20", epochs="2")
    order = set() if name == "svm" else {"order"}  # it chooses itself who is shown
    assert set(widgets(at)) == parameters(name) | order | {"predictor", "epochs"}
    about = experiment.learner(Settings.of(learner=name)).about
    assert f"{about.idea} {about.bound}" in [caption.value for caption in at.caption]
    assert labels(at)[2].startswith(about.title)
    tiles = {button.key.removeprefix("tile-learner-"): button for button in at.button if "tile-learner-" in button.key}
    assert list(tiles) == list(LEARNERS)
    assert [key for key, tile in tiles.items() if tile.proto.type == "primary"] == [name]
    assert all(tile.help.endswith(".") for tile in tiles.values())
    assert len(at.info) == 0


def test_the_margin_of_norma_is_hidden_while_it_is_learnt():
    assert "rho" in widgets(opened("learner", learner="norma", epochs="2"))
    at = opened("learner", learner="norma", nu="0.2", rho="0.5", epochs="2")
    assert "rho" not in widgets(at)
    widgets(at)["nu"].set_value(0.0)
    assert widgets(ran(at))["rho"].value == 1.0


@pytest.mark.parametrize("name", LEARNERS)
def test_a_tile_chooses_its_learner(name):
    at = opened("learner", learner="oldest" if name == "perceptron" else "perceptron", n="20")
    at.button(key=f"tile-learner-{name}").click()
    ran(at)
    assert of_page(at) == Settings.of(learner=name, n=20)
    header, _ = payload.unpack(parts_sent(at)[1])
    assert header["about"]["title"] == experiment.learner(of_page(at)).about.title
    assert len(at.toast) == 0


@pytest.mark.parametrize(
    "query", [{"kernel": "polynomial"}, {"combine": "sum"}, {"kernel": "linear", "data": "linear"}]
)
def test_the_forgetron_normalizes_its_kernel_and_says_why(query):
    at = opened("learner", n="30", epochs="3", **query)
    before = payload.unpack(parts_sent(at)[1])[0]["names"]["kernel"]
    at.button(key="tile-learner-forgetron").click()
    ran(at)
    assert [info.value for info in at.info] == ["Forgetron needs k(x, x) ≤ 1, so this kernel is normalized."]
    assert len(at.toast) == 0
    assert labels(at)[1] == f"{before}, normalized"
    run = experiment.run(of_page(at))
    assert run.gram.diagonal().max() == pytest.approx(1.0)
    header, arrays = payload.unpack(parts_sent(at)[1])
    assert header["names"]["kernel"] == labels(at)[1]
    np.testing.assert_allclose(arrays["score"], run.score, rtol=1e-6)
    again = opened("kernel", n="30", epochs="3", learner="forgetron", **query)
    assert "normalize" not in widgets(again)
    at.button(key="tile-learner-perceptron").click()
    assert labels(ran(at))[1] == before


def test_a_kernel_is_normalized_where_one_asks_for_it():
    at = opened("kernel", kernel="polynomial", n="30", epochs="3")
    widgets(at)["normalize"].set_value("on")
    ran(at)
    assert of_page(at) == Settings.of(kernel="polynomial", n=30, epochs=3, normalize="on")
    assert experiment.run(of_page(at)).gram.diagonal() == pytest.approx(1.0)


PARAMETERS = [(name, key) for name in LEARNERS for key in sorted(parameters(name))]


@pytest.mark.parametrize(("name", "key"), PARAMETERS)
@pytest.mark.parametrize("value", ["nan", "1e400", "-7", "<b>½</b>"])
def test_a_nonsense_parameter_of_a_learner_opens_with_a_notice(name, key, value):
    at = opened(learner=name, n="12", epochs="1", **{key: value})
    assert len(at.toast) == 1
    assert f"{key}=" in at.toast[0].value
    assert not set(at.toast[0].value) & set("<>`")
    made, usual = of_page(at), Settings.of(learner=name, n=12, epochs=1)
    prop = BY_NAME[key]
    assert made == usual or (
        prop.range is not None and made == usual.replace(**{key: prop.range_for(usual.values).low})
    )


def test_a_parameter_of_another_learner_is_left_alone():
    at = opened(learner="svm", budget="0", eta="soon", tie="never", epochs="1")
    assert len(at.toast) == 0
    assert of_page(at) == Settings.of(learner="svm", epochs=1)


def test_no_popover_is_made_before_it_is_opened():
    assert widgets(opened()) == {}


def other_value(widget, made):
    """A value that a hand could choose, other than the present one."""
    kind = type(widget).__name__
    now = made.values[widget.key.removeprefix("set-")]
    if kind == "Slider":
        return widget.max if now != widget.max else widget.min
    if kind == "NumberInput":
        return now + 1
    name = widget.key.removeprefix("set-")
    if kind == "SelectSlider":
        notches = slider_notches(BY_NAME[name].range_for(made.values), now)
        return next(value for value in notches[len(notches) // 3 :] if value != now)
    choices = BY_NAME[name].choices or (3, 1)  # a feature that is neither of the usual two, or one of them
    return next(value for value in choices if value != now)


@pytest.mark.parametrize(
    ("chip", "query", "name"),
    [
        *(("data", {}, name) for name in ("n", "held", "noise", "flipped", "balance", "seed")),
        *(("data", {"data": "iris"}, name) for name in ("x", "y", "pair", "n")),
        *(("data", {"data": "breast_cancer"}, name) for name in ("x", "y", "noise")),
        *(("kernel", {"kernel": "gaussian"}, name) for name in ("sigma", "combine")),
        *(("kernel", {"kernel": "polynomial"}, name) for name in ("degree", "coef0")),
        *(("kernel", {"kernel": "sigmoid"}, name) for name in ("gamma", "coef0")),
        *(("kernel", {"combine": "sum", "kernel2": "sigmoid"}, name) for name in ("kernel2", "gamma2", "coef02")),
        *(("kernel", {"combine": "product", "kernel2": "laplacian"}, name) for name in ("sigma2", "sigma")),
        *(("kernel", {"combine": "product", "kernel2": "monomial"}, name) for name in ("degree2",)),
        *(("learner", {"order": "random", "epochs": "3"}, name) for name in (*sorted(LEARNING), "oseed")),
        *(
            ("learner", {"learner": learner, "epochs": "3"}, name)
            for learner in LEARNERS
            for name in sorted(parameters(learner))
        ),
    ],
)
def test_a_widget_changes_its_setting_and_nothing_else(chip, query, name):
    at = opened(chip, **query)
    before, first = of_page(at), sent(at)
    widget = widgets(at)[name]
    wanted = other_value(widget, before)
    widget.set_value(wanted)
    ran(at)
    assert of_page(at) == before.replace(**{name: wanted})
    assert of_page(at).values[name] == wanted
    assert sent(at) != first
    assert widgets(at)[name].value == wanted
    assert len(at.toast) == 0


@pytest.mark.parametrize("data", DATA)
def test_a_tile_chooses_its_data(data):
    at = opened("data", data="moons" if data == "xor" else "xor", seed="5")
    at.button(key=f"tile-data-{data}").click()
    ran(at)
    assert of_page(at) == Settings.of(data=data, seed=5)
    assert labels(at)[0].startswith(experiment.title(of_page(at)))


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_tile_chooses_its_kernel(kernel):
    at = opened("kernel", data=data_for(kernel), epochs="3")
    at.button(key=f"tile-kernel-{kernel}").click()
    ran(at)
    assert of_page(at) == Settings.of(data=data_for(kernel), kernel=kernel, epochs=3)
    assert labels(at)[1] == plain(experiment.kernel(of_page(at)).label)
    assert of_page(at).kernel == kernel


def test_a_segmented_control_that_is_clicked_again_keeps_its_value():
    at = opened("learner", order="random", epochs="2")
    widgets(at)["order"].set_value(None)
    ran(at)
    assert of_page(at).order == "random"
    assert widgets(at)["order"].value == "random"


def test_values_of_a_link_that_lie_between_the_notches_stay():
    at = opened("kernel", sigma="0.123456")
    assert widgets(at)["sigma"].value == 0.123456
    assert of_page(ran(at)).sigma == 0.123456
    at = opened("learner", eta="0.0123", epochs="123")
    assert (widgets(at)["eta"].value, widgets(at)["epochs"].value) == (0.0123, 123)


def test_the_two_buttons_are_new_data_and_new_order():
    at = opened(seed="9999")
    at.button(key="new-data").click()
    assert of_page(ran(at)) == Settings.of(seed=0)
    at.button(key="new-order").click()
    assert of_page(ran(at)) == Settings.of(order="shuffled")
    at.button(key="new-order").click()
    assert of_page(ran(at)) == Settings.of(order="shuffled", oseed=1)


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({}, "Perceptron · cyclic"),
        ({"order": "random", "oseed": 3}, "Perceptron · random, seed 3"),
        ({"intercept": "radius", "predictor": "voted"}, "Perceptron · radius intercept · cyclic · voted"),
    ],
)
def test_the_chips_say_what_is_set(given, label):
    assert controls._learner_label(Settings.of(**given)) == label
    assert "30% held out" in data_chip.label(Settings.of(held=0.3))
    assert data_chip.label(Settings.of(data=FILE, file="mine.csv~12ab")).startswith("mine.csv · ")


# ---- commands of the player -----------------------------------------------------------------------


def commanded():
    """A page without a page: carry out the log under "sent-log" as the player's message."""
    import streamlit as st

    from kpviz.ui import state

    st.session_state[state.STAGE] = st.session_state["sent-log"]
    state.session()
    state.on_command()


def after(log, at=None, **query):
    at = at or AppTest.from_function(commanded, default_timeout=30)
    at.query_params.update(query)
    at.session_state["sent-log"] = log
    at.run()
    assert not at.exception, at.exception[0].message
    return at


def log_of(*names, first=1, t=0):
    return {"command": {"log": [{"n": first + i, "name": name, "t": t} for i, name in enumerate(names)]}}


@pytest.mark.parametrize(
    ("query", "names", "expected"),
    [
        ({}, ["kernel"], {"kernel": "laplacian"}),
        ({}, ["kernel"] * 4, {}),
        ({"kernel": "sigmoid"}, ["kernel"], {"kernel": "linear"}),
        ({"seed": "4"}, ["data"], {"data": "circles"}),
        ({}, ["data"] * len(SOURCES), {"data": "texts"}),
        ({}, ["data"] * len(DATA), {}),
        ({"data": "bits", "seed": "3"}, ["data"], {}),
        ({"data": "texts"}, ["kernel"], {"data": "texts", "kernel": "spectrum"}),
        ({"data": "texts", "kernel": "spectrum"}, ["kernel"], {"data": "texts"}),
        ({"data": "trees"}, ["kernel"], {"data": "trees"}),
        ({"data": "bits"}, ["kernel"] * 4, {"data": "bits", "kernel": "gaussian"}),
        ({"data": "bits"}, ["kernel"] * 5, {"data": "bits"}),
        ({"data": "trees"}, ["redraw"], {"data": "trees", "seed": 1}),
        ({"data": "graphs"}, ["reorder"], {"data": "graphs", "order": "shuffled"}),
        ({}, ["wider"], {"sigma": 0.625}),
        ({}, ["wider", "narrower"], {}),
        ({"sigma": "9.9"}, ["wider"] * 3, {"sigma": 10.0}),
        ({"sigma": "0.02"}, ["narrower"], {"sigma": 0.02}),
        ({"kernel": "linear"}, ["wider"], {"kernel": "linear"}),
        ({}, ["redraw", "redraw"], {"seed": 2}),
        ({"seed": "9999"}, ["redraw"], {}),
        ({}, ["reorder"], {"order": "shuffled"}),
        ({}, ["reorder"] * 3, {"order": "shuffled", "oseed": 2}),
        ({"order": "random", "oseed": "9999"}, ["reorder"], {"order": "random"}),
    ],
)
def test_commands_change_the_settings(query, names, expected):
    assert of_page(after(log_of(*names), **query)) == Settings.of(**expected)


def test_a_command_is_carried_out_once_however_often_it_is_sent():
    at = after(log_of("redraw"))
    after(log_of("redraw"), at)
    assert of_page(at).seed == 1
    after(log_of("redraw", "redraw"), at)
    assert of_page(at).seed == 2
    after(log_of("redraw", first=1), at)
    assert of_page(at).seed == 2


def test_the_bound_and_the_picture_are_asked_for():
    for name in EXTRAS:
        at = after(log_of(f"with {name}"))
        assert at.session_state["session"].asked == {name}
        after(log_of(f"without {name}", first=2), at)
        assert at.session_state["session"].asked == set()
    after(log_of("without bound", "with bound", "with bound", "with nothing"), at := after(log_of()))
    assert at.session_state["session"].asked == {"bound"}
    at = after(log_of("picture", t=12))
    assert at.session_state["session"].picture == 12


@pytest.mark.parametrize(
    "message",
    [
        {}, {"command": None}, {"command": "redraw"}, {"command": 3}, {"command": []}, {"command": {"log": None}},
        {"command": {"log": "redraw"}}, {"command": {"log": {"n": 1}}},
        {"command": {"log": [None, 3, "redraw", [], {}]}},
        {"command": {"log": [{"n": "1", "name": "redraw"}]}}, {"command": {"log": [{"n": 1.5, "name": "redraw"}]}},
        {"command": {"log": [{"n": None, "name": "redraw"}]}}, {"command": {"log": [{"n": -1, "name": "redraw"}]}},
        {"command": {"log": [{"n": 1, "name": ["redraw"]}]}}, {"command": {"log": [{"n": 1, "name": {}}]}},
        {"command": {"log": [{"n": 1, "name": None}]}}, {"command": {"log": [{"n": 1, "name": "__init__"}]}},
        {"command": {"log": [{"n": 1}]}}, {"command": {"log": [{"name": "redraw"}]}},
        {"command": {"log": [{"n": 1, "name": "picture"}]}},
        {"command": {"log": [{"n": 1, "name": "picture", "t": -3}]}},
        {"command": {"log": [{"n": 1, "name": "picture", "t": "soon"}]}},
    ],
)  # fmt: skip
def test_a_malformed_command_changes_nothing(message):
    at = after(message)
    here = at.session_state["session"]
    assert (here.settings, here.asked, here.dialog) == (Settings.of(), frozenset(), None)
    after(log_of("redraw", first=10), at)
    assert of_page(at).seed == 1


def test_of_a_long_log_the_newest_count():
    at = after(log_of(*["redraw"] * 150))
    assert of_page(at).seed == 100
    after({"command": {"log": log_of(*["redraw"] * 150)["command"]["log"] + [{"n": 151, "name": "reorder"}]}}, at)
    assert of_page(at) == Settings.of(seed=100, order="shuffled")


def test_cancelling_goes_back_to_what_was_shown_before():
    at = opened(sigma="0.3")
    here = at.session_state["session"]
    here.settings = here.settings.replace(n=1000, epochs=1000)

    def cancelling():
        from kpviz.ui import state

        state.cancel()

    again = AppTest.from_function(cancelling)
    again.session_state["session"] = here
    again.run()
    assert here.settings == Settings.of(sigma=0.3)


# ---- a picture ------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [0, 7, 10**6])
def test_the_picture_of_an_instant_opens_beside_the_player(t):
    at = opened(n="20", epochs="2")
    at.session_state["session"].dialog, at.session_state["session"].picture = "picture", t
    ran(at)
    assert len(at.image) == 1
    assert [button.proto.label for button in at.get("download_button")] == ["PNG", "SVG", "PDF"]


# ---- a file of one's own --------------------------------------------------------------------------


def with_file(content=CSV, name="mine.csv", at=None, **query):
    at = at or opened("data", **query)
    at.file_uploader(key="upload").set_value((name, content, "text/csv"))
    return ran(at)


def test_a_file_is_shown_as_soon_as_it_is_chosen():
    at = with_file()
    made = of_page(at)
    assert made.data == FILE
    assert made.file.startswith("mine.csv~")
    header, arrays = payload.unpack(parts_sent(at)[1])
    assert header["n"] == 40
    assert header["names"]["features"] == ["width", "height"]
    assert np.abs(arrays["X"]).max() == 1
    assert {"file-x1", "file-x2", "file-label", "file-negative", "file-positive", "scale"} <= set(widgets(at))
    assert not at.error


def test_a_link_to_a_file_that_this_server_has_opens_it():
    made = of_page(with_file())
    query = dict(part.split("=") for part in made.query().split("&"))
    at = opened(**{key: unquote(value) for key, value in query.items()})
    assert of_page(at) == made
    assert len(at.toast) == 0


@pytest.mark.parametrize(
    "cols",
    ["width~nowhere~kind~a~b", "width~width~kind~a~b", "width~height~nowhere~a~b", "width~height~kind~a~z", "~~~~"],
)
def test_a_link_to_columns_that_the_file_has_not_opens_with_one_notice(cols):
    made = of_page(with_file())
    at = opened(data=FILE, file=made.file, cols=cols)
    assert len(at.toast) == 1
    assert of_page(at).data == "xor"


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02", b"a,b\n1,2\n", b"a,b,c\n1,2\n", b"%PDF-1.7", b"a,b,c\nx,y,z\n"]
)  # fmt: skip
def test_a_wrong_file_leaves_the_data_in_place_and_says_one_sentence(content):
    at = opened("data", data="moons")
    before = sent(at)
    with_file(content, at=at)
    assert of_page(at) == Settings.of(data="moons")
    assert len(at.error) == 1
    assert at.error[0].value.endswith(".")
    assert sent(at) == before
    widgets(at)["seed"].set_value(3)
    assert not ran(at).error


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("x1", "w", "w~v~kind~a~b"),
        ("x1", "v", "v~u~kind~a~b"),
        ("x2", "w", "u~w~kind~a~b"),
        ("x2", "u", "v~u~kind~a~b"),
        ("negative", "c", "u~v~kind~c~b"),
        ("negative", "b", "u~v~kind~b~a"),
        ("positive", "c", "u~v~kind~a~c"),
        ("label", "w", None),
    ],
)
def test_the_columns_and_classes_of_a_file_can_be_chosen(name, value, expected):
    at = with_file(THREE)
    widgets(at)[f"file-{name}"].set_value(value)
    ran(at)
    assert not at.error
    if expected is None:
        assert experiment.columns(of_page(at)).label == value
        assert len(set(experiment.columns(of_page(at)).classes)) == 2
    else:
        assert of_page(at).cols == expected
    assert widgets(at)[f"file-{name}"].value == value


def test_columns_that_cannot_be_used_leave_the_others_in_place():
    at = with_file(THREE)
    before = sent(at)
    widgets(at)["file-label"].set_value("u")  # a feature
    ran(at)
    assert len(at.error) == 1
    assert sent(at) == before


def test_the_scale_of_a_file_can_be_its_own():
    at = with_file()
    widgets(at)["scale"].set_value("none")
    ran(at)
    header, arrays = payload.unpack(parts_sent(at)[1])
    assert header["names"]["scaled"] is False
    assert arrays["X"].max() == 39


@pytest.mark.parametrize("kernel", kernels_for(FILE))
def test_a_file_of_huge_numbers_never_breaks_the_page(kernel):
    at = with_file(WIDE, kernel=kernel)
    before = sent(at)
    widgets(at)["scale"].set_value("none")
    ran(at)
    if of_page(at).scale == "fit":
        assert sent(at) == before
        assert len(at.toast) == 1
        assert at.toast[0].value.endswith(".")
    _, arrays = payload.unpack(parts_sent(at)[1])
    assert all(np.isfinite(array).all() for array in arrays.values())


def test_too_few_rows_of_a_file_leave_it_as_it_was():
    rows = b"".join(b"%d,%d,%s\n" % (i == 30, i % 7, b"ab"[i % 2 :][:1]) for i in range(40))
    at = with_file(b"rare,height,kind\n" + rows)
    widgets(at)["n"].set_value(4)
    ran(at)
    if of_page(at).n != 4:
        assert len(at.toast) == 1
    at.button(key="new-data").click()
    ran(at)


# ---- the shelf ------------------------------------------------------------------------------------


def test_the_shelf_keeps_what_was_used_last():
    shelf = Shelf(3, 1000, len)
    for key in "abc":
        shelf.put(key, key)
    assert shelf.get("a") == "a"
    shelf.put("d", "d")
    assert [shelf.get(key) for key in "abcd"] == ["a", None, "c", "d"]


def test_the_shelf_keeps_to_its_size_but_always_has_the_newest():
    shelf = Shelf(100, 10, len)
    for key in "abcd":
        shelf.put(key, "xxxx")
    assert [shelf.get(key) for key in "abcd"] == [None, None, "xxxx", "xxxx"]
    shelf.put("e", "x" * 50)
    assert [shelf.get(key) for key in "abcde"] == [None, None, None, None, "x" * 50]
    assert Shelf(1, 1, len).get("nothing") is None


def test_putting_again_replaces():
    shelf = Shelf(2, 100, len)
    shelf.put("a", "1")
    shelf.put("b", "2")
    shelf.put("a", "3")
    shelf.put("c", "4")
    assert [shelf.get(key) for key in "abc"] == ["3", None, "4"]


def test_the_shelf_is_safe_for_threads():
    shelf = Shelf(8, 10_000, len)
    failures = []

    def work(seed):
        draw = random.Random(seed)
        try:
            for _ in range(500):
                key = str(draw.randrange(20))
                found = shelf.get(key)
                assert found is None or found == key * 10
                shelf.put(key, key * 10)
        except Exception as error:  # a thread's exception is lost otherwise
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(shelf._things) <= 8


def test_an_unchanged_run_is_taken_from_the_shelf(monkeypatch):
    at = opened(sigma="0.31")

    def never(*_, **__):
        raise AssertionError("trained again")

    monkeypatch.setattr(shared, "run_of", never)
    ran(at)
    opened(sigma="0.31")


def test_the_table_of_settings_is_the_only_one():
    modules = (controls, data_chip, kernel_chip, objects, own)
    written = "".join(Path(module.__file__).read_text(encoding="utf-8") for module in modules)
    bound = {name for name in BY_NAME if f'"{name}"' in written}
    without_widget = set(BY_NAME) - bound - set(LEARNER_PROPERTIES) - {"data", "kernel", "learner", "file", "cols"}
    in_pairs = {name.removesuffix("2") for name in BY_NAME if name.endswith("2") and name.removesuffix("2") in BY_NAME}
    without_widget -= {name for name in BY_NAME if name.removesuffix("2") in in_pairs}  # each kernel's parameters
    assert in_pairs - {"kernel"} == {*KERNEL_PARAMETERS, "negated", "formula"}
    of_the_player = {"points", "names", "sequence", "cues"}  # set on the map, in the panel of the order, while it plays
    of_the_objects = {"added"}  # which has a button
    assert without_widget <= {"stream", *of_the_player, *of_the_objects}, "a setting without a widget"
    assert set(LEARNER_PROPERTIES) == set().union(
        *map(parameters, LEARNERS)
    )  # each has one while its learner is chosen
    assert settings.VERSION == 1
