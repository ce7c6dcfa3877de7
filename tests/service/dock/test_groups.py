"""What each group shows, in which order, and what is said where something does not apply."""

import pytest
from kinds import NAMES, PAIRS, kernels_for
from reading import by_name, fields, flat, of_kind, texts, tree

from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import EXAMPLE
from kpviz.engine.learners import LEARNERS
from kpviz.lessons.comparison import Pin
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.lessons.presets import PRESETS
from kpviz.service.dock import Draft
from kpviz.settings import LINK_NAMES, Settings


def names(given, group):
    return [field["name"] for field in fields(Settings.of(**given), group) if "name" in field]


def tiles(found):
    (only,) = of_kind(found, "tiles")
    return only


# ---- data ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", SOURCES)
def test_the_data_show_what_applies_to_them(data):
    measured = {"iris": ["x", "y", "pair"], "breast_cancer": ["x", "y"]}.get(data, ["stream"])
    assert names({"data": data}, "data") == [
        "data", "n", "noise", "flipped", "balance", "held", "seed", *measured
    ]  # fmt: skip
    found = fields(Settings.of(data=data), "data")
    assert [option["value"] for option in tiles(found)["options"]] == [*SOURCES, *OBJECTS]
    assert tiles(found)["value"] == data
    assert texts(found) == [SOURCES[data].look_for]


def test_what_is_a_share_is_shown_in_percent():
    found = of_kind(fields(Settings.of(), "data"), "slider")
    assert [field["name"] for field in found if field["percent"]] == ["flipped", "balance", "held"]


def test_a_stream_says_how_its_target_moves_or_why_it_cannot():
    assert names({"stream": "on"}, "data")[-3:] == ["stream", "drift", "moves"]
    assert names({"stream": "on", "drift": 0.0}, "data")[-2:] == ["stream", "drift"]
    ring = {"stream": "on", "data": "circles"}
    assert names(ring, "data")[-1] == "stream"
    message = texts(fields(Settings.of(**ring), "data"))[-1]
    assert message == "No drift: a ring looks the same however it is turned."


def test_the_second_feature_is_another_than_the_first():
    found = by_name(fields(Settings.of(data="iris", x=0, y=3), "data"))
    assert [value for value, _ in found["x"]["options"]] == [0, 1, 2, 3]
    assert [value for value, _ in found["y"]["options"]] == [1, 2, 3]
    assert found["pair"]["options"][0] == ["12", "versicolor − / virginica +"]


# ---- kernel -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "kernel"), [("xor", name) for name in kernels_for("xor")] + [
    pair for pair in PAIRS if pair[0] in OBJECTS
])  # fmt: skip
def test_the_kernel_shows_the_parameters_that_it_has(data, kernel):
    settings = Settings.of(data=data, kernel=kernel)
    found = fields(settings, "kernel")
    own = {*KERNELS[kernel].ranges, *{"subsets": ["negated"], "formula": ["formula"]}.get(kernel, [])}
    assert set(names({"data": data, "kernel": kernel}, "kernel")) == {"kernel", "normalize", "combine", *own}
    assert len(of_kind(found, "math")) == 1 + (settings.normalize == "on")
    assert len(of_kind(found, "warning")) == (kernel == "sigmoid")
    kinds = [field["kind"] for field in found]
    assert kinds.index("math") < min([kinds.index("slider")] if "slider" in kinds else [99])


@pytest.mark.parametrize("second", KERNELS)
def test_a_second_kernel_brings_its_own_parameters(second):
    data = next(data for data, kernel in PAIRS if kernel == second)
    settings = Settings.of(data=data, combine="sum", kernel2=second)
    found = names({"data": data, "combine": "sum", "kernel2": second}, "kernel")
    own = {*KERNELS[second].ranges, *{"subsets": ["negated"], "formula": ["formula"]}.get(second, [])}
    assert set(found[found.index("kernel2") + 1 :]) == {f"{name}2" for name in own}
    (chosen,) = of_kind(fields(settings, "kernel"), "select")
    assert chosen["options"] == [[name, KERNELS[name].name] for name in kernels_for(data)]


def test_a_kernel_that_must_be_normalized_says_why():
    found = fields(Settings.of(kernel="polynomial", learner="forgetron"), "kernel")
    assert "normalize" not in by_name(found)
    why = ["Forgetron needs k(x, x) ≤ 1, so this kernel is normalized."]
    assert texts(found, "info") == why
    assert texts(fields(Settings.of(kernel="polynomial", learner="forgetron"), "learner"), "info") == why


@pytest.mark.parametrize(
    ("text", "psd"),
    [("(dot(u, v) + 1)**2", "yes"), ("-norm(u - v)", "no"), ("1 - norm(u - v)/100", None), (EXAMPLE, "yes")],
)
def test_what_is_known_of_a_formula_is_said(text, psd):
    settings = Settings.of(kernel="formula", formula=text)
    kernel, found = experiment.kernel(settings), fields(settings, "kernel")
    assert psd is None or kernel.psd == psd
    report = kernel.report
    described = {"yes": report.proven, "no": report.refuted}.get(kernel.psd, f"{report.proven} {report.refuted}")
    assert texts(found) == [described]
    assert len(texts(found, "warning")) == (kernel.psd != "yes")
    field = by_name(found)["formula"]
    assert (field["value"], field["draft"], field["max"], field["command"]) == (settings.formula, None, 300, "type")


@pytest.mark.parametrize("suffix", ["", "2"])
def test_a_wrong_formula_stays_in_its_field_with_its_sentence_and_the_caret(suffix):
    given = {"kernel": "formula"} if not suffix else {"combine": "sum", "kernel2": "formula"}
    settings, draft = Settings.of(**given), Draft("dot(u,", "At character 7: v is missing.", 6)
    found = fields(settings, "kernel", drafts={f"formula{suffix}": draft})
    field = by_name(found)[f"formula{suffix}"]
    assert field["draft"] == {"text": "dot(u,", "why": "At character 7: v is missing.", "at": 6}
    assert field["value"] == EXAMPLE
    assert texts(found) == []  # nothing is said of a formula that is not in the field
    assert len(of_kind(found, "math")) == 1


# ---- learner ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEARNERS)
def test_the_learner_shows_the_parameters_that_it_has(name):
    settings = Settings.of(learner=name, **({"variant": "PA-I"} if name == "pa" else {}))
    found, about = fields(settings, "learner"), experiment.learner(settings).about
    kind = LEARNERS[name]
    own = {LINK_NAMES.get(parameter, parameter) for parameter in (*kind.ranges, *kind.choices)}
    order = [] if kind.chooses else ["order"]
    shown = [field["name"] for field in found if "name" in field]
    assert set(shown[1 : -2 - len(order)]) == own
    assert shown[-2 - len(order) :] == [*order, "predictor", "epochs"]
    assert texts(found)[0] == about.bound
    options = {option["value"]: option for option in tiles(found)["options"]}
    assert list(options) == list(LEARNERS)
    assert (options[name]["title"], options[name]["words"]) == (about.title, about.idea)


def test_the_order_seed_is_there_where_an_order_is_drawn():
    assert "oseed" not in names({}, "learner")
    for order in ("shuffled", "random"):
        assert "oseed" in names({"order": order}, "learner")


def test_the_margin_of_norma_is_not_there_while_it_is_learnt():
    assert "rho" in names({"learner": "norma"}, "learner")
    assert "rho" not in names({"learner": "norma", "nu": 0.2}, "learner")


def test_a_stream_offers_no_learner_that_needs_all_examples_at_once():
    offered = [option["value"] for option in tiles(fields(Settings.of(stream="on"), "learner"))["options"]]
    assert offered == [name for name in LEARNERS if not LEARNERS[name].chooses]


def test_a_slip_of_lecture_notes_is_named_where_it_can_be_made():
    found = fields(Settings.of(tie="correct"), "learner")
    assert by_name(found)["tie"]["help"] == MISCONCEPTIONS["zero"]
    assert MISCONCEPTIONS["zero"] in texts(found)
    assert MISCONCEPTIONS["zero"] not in texts(fields(Settings.of(), "learner"))


def test_what_is_on_or_off_is_a_checkbox():
    field = by_name(fields(Settings.of(learner="norma", b="off"), "learner"))["b"]
    assert (field["kind"], field["value"], field["on"], field["off"]) == ("toggle", False, "on", "off")


def test_a_value_of_a_link_stays_as_exact_as_it_is():
    assert by_name(fields(Settings.of(sigma=0.123456), "kernel"))["sigma"]["value"] == 0.123456
    found = by_name(fields(Settings.of(epochs=123), "learner"))
    assert (found["epochs"]["value"], found["epochs"]["log"], found["epochs"]["integer"]) == (123, True, True)


# ---- compare ------------------------------------------------------------------------------------


def test_ready_comparisons_are_cards_with_a_line_why():
    (cards,) = of_kind(fields(Settings.of(), "compare"), "cards")
    assert [(card["title"], card["words"]) for card in cards["options"]] == [
        (preset.title, preset.words) for preset in PRESETS.values()
    ]
    assert [card["value"] for card in cards["options"]] == [{"name": name} for name in PRESETS]
    assert {card["command"] for card in cards["options"]} == {"compare"}


def test_what_is_pinned_can_be_let_go():
    assert [button["command"] for button in of_kind(fields(Settings.of(), "compare"), "button")] == ["pin"]
    found = fields(Settings.of(), "compare", pins=(Pin.of(Settings.of(sigma=2)),))
    assert [button["command"] for button in of_kind(found, "button")] == ["pin", "unpin"]
    (item,) = of_kind(found, "list")[0]["items"]
    assert (item["title"], item["text"], item["label"]) == ("A", "Gaussian, σ = 2", "Unpin")


@pytest.mark.parametrize("data", NAMES)
def test_the_title_of_each_group_is_said_by_its_chip(data):
    found = tree(Settings.of(data=data), ["data"])
    assert found["chips"][0]["label"].startswith(experiment.title(Settings.of(data=data)))
    assert next(flat(found["groups"]["data"]))["kind"] == "tiles"
