"""The chips of the page: each popover shows what applies, and every widget does what it says."""

from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from kinds import NAMES as DATA
from kinds import PAIRS, data_for, kernels_for
from playing import labels, of_page, opened, parameters, parts_sent, ran, sent, widgets

from kpviz import experiment, settings
from kpviz.app import controls, objects, own_data
from kpviz.app import data as data_chip
from kpviz.app import kernel as kernel_chip
from kpviz.app.widgets import notches as slider_notches
from kpviz.app.widgets import plain
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.player import payload
from kpviz.settings import BY_NAME, FILE, LEARNER_PROPERTIES, Settings
from kpviz.settings.properties import KERNEL_PARAMETERS

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


@pytest.mark.parametrize(("second", "combine"), list(zip(KERNELS, cycle(["sum", "product"]), strict=False)))
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


USED = {"pa": {"variant": "PA-I"}}  # settings under which every parameter has an effect


@pytest.mark.parametrize("name", LEARNERS)
def test_the_learner_popover_shows_the_parameters_that_the_learner_has(name):
    at = opened("learner", learner=name, n="20", epochs="2", **USED.get(name, {}))
    order = set() if name == "svm" else {"order"}  # it chooses itself who is shown
    assert set(widgets(at)) == parameters(name) | order | {"predictor", "epochs"}
    about = experiment.learner(Settings.of(learner=name, **USED.get(name, {}))).about
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
NONSENSE = [(*pair, value) for pair, value in zip(PARAMETERS, cycle(["nan", "1e400", "-7", "<b>½</b>"]), strict=False)]


@pytest.mark.parametrize(("name", "key", "value"), NONSENSE)
def test_a_nonsense_parameter_of_a_learner_opens_with_a_notice(name, key, value):
    used = {} if key in USED.get(name, {}) else USED.get(name, {})
    at = opened(learner=name, n="12", epochs="1", **used, **{key: value})
    assert len(at.toast) == 1
    assert f"{key}=" in at.toast[0].value
    made, usual = of_page(at), Settings.of(learner=name, n=12, epochs=1, **used)
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
    choices = BY_NAME[name].choices_for(made.values)
    return next(
        value for value in choices or (3, 1) if value != now
    )  # a feature that is neither of the usual two, or one of them


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
            ("learner", {"learner": learner, "epochs": "3", **USED.get(learner, {})}, name)
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


def test_the_table_of_settings_is_the_only_one():
    modules = (controls, data_chip, kernel_chip, objects, own_data)
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
