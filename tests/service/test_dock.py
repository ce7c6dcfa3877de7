"""What the controls show: each property that applies, with values that settings take, and words
where one does not.
"""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from kinds import NAMES, kernels_for

import kpviz
from kpviz import experiment
from kpviz.engine.data import boolean
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.data.tables import read_table
from kpviz.engine.fisher.data import SETS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import EXAMPLE
from kpviz.engine.learners import LEARNERS
from kpviz.lessons.comparison import Pin
from kpviz.lessons.learner_words import AT_ONCE, FORGETS, MEMORIES, words_of
from kpviz.lessons.misconceptions import MISCONCEPTIONS
from kpviz.lessons.presets import PRESETS
from kpviz.service import dock, fisher
from kpviz.service.dock import Draft
from kpviz.service.editing import columns_with
from kpviz.settings import DRAWN, FILE, PROPERTIES, Settings, fisher_link, from_query
from kpviz.settings.fisher_link import FisherSettings

GROUPS = ("data", "kernel", "learner", "compare")
NEW = {
    "texts": "the keeper cuts onions",
    "trees": "(S (W who) (VP (V ran)))",
    "graphs": "CCON 1-2 2-3 3-4",
}
THREE = read_table(
    (
        "u,v,w,kind\n"
        + "".join(f"{7 * i % 61},{i * i % 17},{i % 5},{'abc'[i % 3]}\n" for i in range(60))
    ).encode()
)
TWO = read_table(
    (
        "u,v,kind\n" + "".join(f"{7 * i % 61},{i * i % 17},{'ab'[i % 2]}\n" for i in range(60))
    ).encode()
)
OPENED = Settings.of(data=FILE, file="mine.csv~12ab")
DRAWINGS = strategies.drawings().map(lambda drawn: {"data": DRAWN, "points": drawn.code})
DATA = st.sampled_from([*({"data": name} for name in NAMES), dict(OPENED.items)]) | DRAWINGS
ANY = strategies.given_of(
    [
        prop
        for prop in PROPERTIES
        if prop.name not in ("data", "file", "cols", "points", "names", "cues")
    ]
)
BY_COMMAND = {"added": "example", "cols": "columns"}  # an example that is added; one of five lists
ON_THE_BOARD = {
    "points",
    "names",
    "sequence",
    "cues",
    "file",
}  # set on the map, in the order's panel, by opening


def tree(made, wanted=GROUPS, **given):
    table = THREE if made.data == FILE else None
    return dock.tree(dock.DockState(made, **{"table": table, **given}), wanted)


def flat(fields):
    """All fields, those that can be folded away included."""
    return [each for field in fields for each in (field, *flat(field.get("fields", ())))]


def everything(shown):
    return [field for group in shown["groups"].values() for field in flat(group)]


def fields(made, group, **given):
    return everything(tree(made, [group], **given))


def by_name(found):
    return {field["name"]: field for field in found if "name" in field}


def of_kind(found, kind):
    return [field for field in found if field["kind"] == kind]


def texts(found, kind="words"):
    return [field["text"] for field in of_kind(found, kind)]


def offered(field):
    if field["kind"] == "tiles":
        return [option["value"] for option in field["options"]]
    if field["kind"] in ("choice", "select"):
        return [value for value, _ in field["options"]]
    return [
        field[end]
        for end in (("on", "off") if field["kind"] == "toggle" else ("low", "high"))
        if end in field
    ]


def pictures():
    css = (
        Path(kpviz.__file__).parent / "player" / "web" / "page" / "dock" / "thumbnails.css"
    ).read_text(encoding="utf-8")
    return set(re.findall(r"^\.([\w-]+) \{ background-image", css, re.MULTILINE))


PICTURES = pictures()


def check(found, made, known):
    """Assert the law of a tree of plain dicts: complete, small, and each value is one of those that
    it offers.
    """
    written = {
        name: json.dumps(each, allow_nan=False, ensure_ascii=False) for name, each in found.items()
    }
    assert {name: json.loads(text) for name, text in written.items()} == found
    assert all(
        len(json.dumps(group, ensure_ascii=False).encode()) < 20_000
        for group in found["groups"].values()
    )
    assert len((written["tabs"] + written["buttons"] + written["quick"]).encode()) < 2_000
    assert all(each["label"] for each in found["tabs"])
    assert all(each["tip"] for each in (*found["tabs"], *found["buttons"]))
    named = [field for field in everything(found) if "name" in field]
    count = Counter(
        field["name"] for field in named if field.get("command", "set") in ("set", "type")
    )
    applying = {prop.name for prop in known if made.reason_against(prop.name) is None}
    single = set()
    for prop in known:
        if prop.name in applying and prop.range:
            limits = prop.range_for(made.values)
            single |= {prop.name} if limits.low == limits.high else set()
    assert set(count) == applying - ON_THE_BOARD - BY_COMMAND.keys() - single
    assert {name for name, n in count.items() if n > 1} == {
        "function"
    } & applying  # by name, and as a formula
    commands = {field.get("command") for field in everything(found)}
    assert all((name in applying) == (command in commands) for name, command in BY_COMMAND.items())
    for field in everything(found):
        for part in ("label", "text", "title", "placeholder"):
            assert field.get(part) != "" or (part, field["kind"]) == ("placeholder", "text")
        if field["kind"] == "words":  # no names of the code, no formula that is not typeset
            assert not re.search(r"`|Σ_|\b[a-z]+_[a-z]+\b", field["text"]), field["text"]
        if field["kind"] in ("tiles", "choice", "select"):
            assert (
                len({*offered(field)}) == len(offered(field)) > ("kernel" not in field["name"])
            )  # one for trees
            elsewhere = (field["name"], made.data) in {("data", FILE), ("data", DRAWN)}
            assert field["value"] in offered(field) or elsewhere or field["value"] is None
        if field["kind"] == "slider":
            assert field["low"] <= field["value"] <= field["high"]
            assert (field["step"] is None) == field["log"]
            assert not field["log"] or field["low"] > 0
        images = {
            option["image"] for option in field.get("options", ()) if isinstance(option, dict)
        }
        assert images <= PICTURES
    return [field for field in named if field.get("command", "set") == "set" and offered(field)]


@given(DATA, ANY, st.data())
@settings(max_examples=200, deadline=None)
def test_each_property_that_applies_is_there_once_and_any_value_that_is_offered_can_be_set(
    data, more, drawn
):
    made = Settings.of(**{**more, **data})
    field = drawn.draw(st.sampled_from(check(tree(made), made, PROPERTIES)))
    now = made.values[field["name"]]
    if (field["name"], made.data) == ("n", FILE):
        now = min(now, field["high"])  # there are not more rows
    assert field["value"] is None or now in (
        field["value"],
        {True: "on", False: "off"}.get(field["value"]),
    )
    for value in offered(field):
        assert made.replace(**{field["name"]: value}).values[field["name"]] == value


@given(strategies.given_of(fisher_link.PROPERTIES))
@example({"data": "wine"})
def test_the_controls_of_fishers_page_are_as_complete(more):
    made = FisherSettings.of(**more)
    assume(made.data in SETS)  # of one's own data: test_fisher_own.py
    for field in check(fisher.dock(made, ["data"]), made, fisher_link.PROPERTIES):
        assert field["value"] == made.values[field["name"]]
        for value in offered(field):
            assert made.replace(**{field["name"]: value}).values[field["name"]] == value
    assert texts(everything(fisher.dock(made, ["data"])))[0] == SETS[made.data].look_for
    assert fisher.dock(made, [])["groups"] == {}


def test_all_that_there_is_has_a_picture_and_only_wanted_groups_are_made():
    assert len(PICTURES) >= len(NAMES) + len(KERNELS) + len(LEARNERS) + len(PRESETS)
    for name in NAMES:
        offers = by_name(everything(tree(Settings.of(data=name))))
        assert offered(offers["data"]) == list(NAMES)
        assert offered(offers["kernel"]) == kernels_for(name)
        assert all("hidden" in option["tip"] for option in offers["kernel"]["options"])
        assert sorted(offered(offers["learner"])) == sorted(LEARNERS)
        groups = [option["group"] for option in offers["learner"]["options"]]
        assert groups == sorted(groups, key=MEMORIES.index)
    assert list(tree(Settings.of(), ["kernel", "nothing"])["groups"]) == ["kernel"]
    longest = "+".join(["u[1]*v[1]"] * 24)
    made = Settings.of(kernel="formula", formula=longest)
    assert made.formula != EXAMPLE
    check(tree(made), made, PROPERTIES)


# ---- what is set, buttons, and the number in the bar ---------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "XOR · Gaussian · Perceptron"),
        ({"held": 0.3, "seed": 7, "order": "random", "oseed": 3}, "XOR · Gaussian · Perceptron"),
        ({"data": FILE, "file": "mine.csv~12ab"}, "mine.csv · Gaussian · Perceptron"),
        ({"stream": "on"}, "XOR, a stream · Gaussian · Perceptron"),
        ({"data": "graphs"}, "Molecules · Weisfeiler–Lehman · Perceptron"),
        (
            {"data": "bits", "function": "x1 & !x2 | x6"},
            "x1 & !x2 | x6, 6 bits · All subsets · Perceptron",
        ),
        ({"kernel": "linear", "learner": "svm"}, "XOR · Linear · Support vector machine"),
    ],
)
def test_the_tabs_say_in_few_words_what_is_set(given, said):
    found = tree(Settings.of(**given), [])
    assert " · ".join(tab["set"] for tab in found["tabs"] if tab["set"]) == said
    assert [tab["group"] for tab in found["tabs"]] == list(GROUPS)
    assert found["groups"] == {}


@pytest.mark.parametrize("name", [name for name in KERNELS if name in kernels_for("xor")])
def test_the_number_in_the_bar_is_the_kernel_s_first_one_as_the_dock_has_it(name):
    made = Settings.of(kernel=name)
    quick, numbers = tree(made, [])["quick"], list(KERNELS[name].ranges)
    assert (quick is None) == (not numbers)
    if quick:
        own = by_name(fields(made, "kernel"))[numbers[0]]
        assert {**own, **{part: quick[part] for part in ("label", "words", "ends")}} == quick
        assert quick["label"].endswith(own["label"])
        assert quick["ends"] == (["narrow", "wide"] if numbers[0] == "sigma" else ["", ""])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, (None, None)),
        ({"data": DRAWN}, ("Points drawn by hand are as they are.", None)),
        (
            {"learner": "svm"},
            (None, "Support vector machine itself chooses which examples are shown."),
        ),
        ({"stream": "on"}, (None, "In a stream each example arrives once.")),
    ],
)
def test_a_button_that_can_do_nothing_says_why(given, why):
    found = tree(Settings.of(**given), [])["buttons"]
    assert tuple(button["disabled"] for button in found) == why
    usual = ("The next data seed (N)", "The next order (O)")
    assert tuple(button["tip"] for button in found) == tuple(
        a or b for a, b in zip(why, usual, strict=True)
    )


def test_the_tab_of_fishers_page_says_what_is_shown_and_new_data_why_there_are_none():
    shown = {"clouds": ("Long clouds", None)}
    shown["wine"] = ("Wine, 3 cultivars", "All examples are shown as they were measured.")
    for data, said in shown.items():
        found = fisher.dock(FisherSettings.of(data=data), [])
        assert [(found["tabs"][0]["set"], found["buttons"][0]["disabled"])] == [said]


# ---- what is said --------------------------------------------------------------------------------


@pytest.mark.parametrize("data", SOURCES)
def test_what_to_look_for_is_said_and_the_second_feature_is_another_than_the_first(data):
    found = fields(Settings.of(data=data), "data")
    assert texts(found) == [SOURCES[data].look_for]
    assert [field["name"] for field in of_kind(found, "slider") if field["percent"]] == [
        "flipped",
        "balance",
        "held",
    ]
    if "x" in by_name(found):
        first, second = by_name(found)["x"], by_name(found)["y"]
        assert offered(second) == [value for value in offered(first) if value != first["value"]]


def test_where_something_does_not_apply_a_sentence_says_why():
    ring = texts(fields(Settings.of(stream="on", data="circles"), "data"))
    assert ring[-1] == "No drift: a ring looks the same however it is turned."
    normalized = Settings.of(kernel="polynomial", learner="forgetron")
    for group in ("kernel", "learner"):
        why = "Forgetron needs k(x, x) ≤ 1, so this kernel is normalized."
        assert texts(fields(normalized, group), "info") == [why]
    slip = MISCONCEPTIONS["zero"]
    assert by_name(fields(Settings.of(tie="correct"), "learner"))["tie"]["help"] == slip
    assert [
        slip in texts(fields(Settings.of(tie=tie), "learner")) for tie in ("correct", "mistake")
    ] == [True, False]
    for stream, why in (("on", "In a stream each example arrives once."), ("off", None)):
        (dialog,) = of_kind(fields(Settings.of(stream=stream), "data"), "dialog")
        assert dialog["disabled"] == why


@given(strategies.learners())
def test_a_learner_is_said_to_have_its_bound(given):
    made = Settings.of(**given)
    about = experiment.learner(made).about
    found = fields(made, "learner")
    assert texts(found)[:2] == [about.idea, about.bound]
    (option,) = [
        each for each in by_name(found)["learner"]["options"] if each["value"] == made.learner
    ]
    assert option["words"] == about.title
    said = words_of(LEARNERS[made.learner]())
    assert (option["title"], option["group"]) == (said.does, said.memory)


@pytest.mark.parametrize("name", LEARNERS)
def test_what_learners_are_sorted_by_is_true_of_a_run(name):
    learner = LEARNERS[name]()
    X = np.random.default_rng(3).normal(size=(60, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    run = kpviz.train(learner, X, y, kernel=kpviz.kernels.Gaussian(0.3), epochs=2)
    coefs = np.abs([run.state_at(t).coef for t in range(run.n_steps + 1)])
    pairs = list(pairwise(coefs))
    drops = any((after[before > 0] == 0).any() for before, after in pairs)
    fades = any((after < before)[before > 0].all() and before.any() for before, after in pairs)
    assert learner.chooses == (words_of(learner).memory == AT_ONCE)
    assert learner.chooses or (drops or fades) == (words_of(learner).memory == FORGETS)
    does = words_of(learner).does.lower()
    assert learner.chooses or drops == ("drops" in does)
    assert learner.chooses or fades == any(word in does for word in ("fade", "shrinks"))


@pytest.mark.parametrize(
    ("text", "psd"),
    [
        ("(dot(u, v) + 1)**2", "yes"),
        ("-norm(u - v)", "no"),
        ("1 - norm(u - v)/100", None),
        (EXAMPLE, "yes"),
    ],
)
def test_what_is_known_of_a_formula_is_said_unless_another_is_typed(text, psd):
    made = Settings.of(kernel="formula", formula=text)
    kernel, found = experiment.kernel(made), fields(made, "kernel")
    assert psd is None or kernel.psd == psd
    proven, refuted = kernel.report.proven, kernel.report.refuted
    assert texts(found) == [{"yes": proven, "no": refuted}.get(kernel.psd, f"{proven} {refuted}")]
    assert len(texts(found, "warning")) == (kernel.psd != "yes")
    field = by_name(found)["formula"]
    assert (field["value"], field["draft"], field["max"], field["command"]) == (
        made.formula,
        None,
        300,
        "type",
    )
    typed = fields(
        made, "kernel", drafts={"formula": Draft("dot(u,", "At character 7: v is missing.", 6)}
    )
    assert by_name(typed)["formula"]["draft"] == {
        "text": "dot(u,",
        "why": "At character 7: v is missing.",
        "at": 6,
    }
    assert (by_name(typed)["formula"]["value"], texts(typed)) == (made.formula, [])


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_shows_its_formula_and_whether_it_is_one(kernel):
    data = next(name for name in NAMES if kernel in kernels_for(name))
    made = Settings.of(data=data, kernel=kernel)
    found = fields(made, "kernel")
    assert len(of_kind(found, "math")) == 1 + (made.normalize == "on")
    assert len(of_kind(found, "warning")) == (kernel == "sigmoid")


@pytest.mark.parametrize(
    "pins", [(), (Pin.of(Settings.of(sigma=2)), Pin.of(Settings.of(kernel="linear")))]
)
def test_runs_are_pinned_and_let_go_and_ready_comparisons_are_cards(pins):
    found = fields(Settings.of(), "compare", pins=pins)
    assert [button["command"] for button in of_kind(found, "button")] == ["pin", "unpin"][
        : 1 + bool(pins)
    ]
    items = [
        (item["title"], item["text"], item["value"])
        for each in of_kind(found, "list")
        for item in each["items"]
    ]
    assert (
        items
        == [("A", "Gaussian, σ = 2", {"number": 0}), ("B", "Linear", {"number": 1})][: len(pins)]
    )
    groups = of_kind(found, "more")
    cards = [
        card for group in groups for (field,) in [group["fields"]] for card in field["options"]
    ]
    assert [group["open"] for group in groups] == [True, False, False, False]
    assert sorted(
        (card["title"], card["words"], card["command"], card["value"]["name"]) for card in cards
    ) == sorted(
        (preset.question, preset.title, "compare", name) for name, preset in PRESETS.items()
    )
    assert tree(Settings.of(), [], pins=pins)["tabs"][3]["set"] == "3 runs" * bool(pins)


# ---- Boolean functions, texts, trees and graphs --------------------------------------------------


@pytest.mark.parametrize("name", [*boolean.PRESETS, "x1 & !x2 | x6"])
def test_a_function_is_one_of_the_known_ones_or_written_and_its_bound_is_said(name):
    made, known = Settings.of(data="bits", function=name, bits=6), name in boolean.PRESETS
    found = fields(made, "data")
    (choice,), (written,) = of_kind(found, "choice"), of_kind(found, "text")
    assert (choice["value"], written["value"]) == ((name, "") if known else (None, name))
    assert choice["options"] == [[key, preset.title] for key, preset in boolean.PRESETS.items()]
    terms = len(boolean.function(name, 6).terms)
    assert texts(found)[0] == experiment.look_for(made)
    assert f"l = {terms} term" in texts(found)[1]
    assert f"= {64 * (4 * terms + 1):,} mistakes" in texts(found)[1]


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "subsets"])
@pytest.mark.parametrize("learner", ["perceptron", "norma", "forgetron"])
@pytest.mark.parametrize(
    "given", [{}, {"negated": "off"}, {"intercept": "unit"}, {"normalize": "on"}], ids=str
)
def test_the_mistakes_at_most_are_told_only_where_that_is_proven(kernel, learner, given):
    made, _ = from_query(
        {"data": "bits", "function": "parity", "kernel": kernel, "learner": learner, **given}
    )
    (bound,) = [text for text in texts(fields(made, "data")) if "2ⁿ(4l + 1)" in text]
    first = experiment.bounds(made, experiment.run(made))[0]
    assert ("mistakes, more than" in bound) == (first.key == "dnf" and first.applies)
    assert first.applies or first.why in bound


@pytest.mark.parametrize("data", NEW)
def test_objects_can_be_asked_about_added_and_taken_away(data):
    negative, positive = OBJECTS[data].classes
    others, _ = OBJECTS[data].examples()
    made = Settings.of(data=data, ask=NEW[data], added=f"+{others[0]};-{NEW[data]}")
    found = fields(made, "data", drafts={"ask": Draft("(S", "Still open.")})
    (asked,), (add,), (listed,) = (
        of_kind(found, "text"),
        of_kind(found, "add"),
        of_kind(found, "list"),
    )
    assert (asked["name"], asked["value"], asked["command"]) == ("ask", made.ask, "type")
    assert asked["draft"] == {"text": "(S", "why": "Still open.", "at": None}
    assert add["classes"] == [[1, f"+{positive}"], [-1, f"−{negative}"]]
    assert [
        (item["title"], item["text"], item["command"], item["value"]) for item in listed["items"]
    ] == [
        (positive, others[0], "away", 0),
        (negative, NEW[data], "away", 1),
    ]
    assert of_kind(fields(Settings.of(data=data), "data"), "list") == []


# ---- drawn points, files -------------------------------------------------------------------------


@given(strategies.drawings())
def test_the_last_of_several_drawn_points_can_be_held_out_and_the_data_before_are_one_button_away(
    drawn,
):
    made = Settings.of(data=DRAWN, points=drawn.code)
    found = fields(made, "data", origin=Settings.of(data="moons"))
    slider = by_name(found).get("hold")
    assert (slider is not None) == (drawn.n > 1 or drawn.held > 0)
    if slider is not None:
        ends = 0, max(drawn.n - 1, drawn.held)
        assert (slider["command"], slider["low"], slider["high"], slider["value"]) == (
            "hold",
            *ends,
            drawn.held,
        )
    buttons = [(button["command"], button["label"]) for button in of_kind(found, "button")]
    assert buttons == [("draw", "Draw my own points"), ("original", "Back to Moons")]


def own(found):
    return next(field for field in of_kind(found, "more") if field.get("key") != "rare")


@pytest.mark.parametrize(
    ("group", "rare", "given"),
    [
        ("data", ["flipped", "balance", "held", "seed", "stream"], {"held": 0.2}),
        ("data", ["flipped", "balance", "held", "seed", "stream"], {"seed": 1}),
        ("kernel", ["normalize"], {"normalize": "on", "kernel": "polynomial"}),
        ("learner", ["intercept", "tie", "w0", "b0", "order", "predictor"], {"intercept": "unit"}),
        ("learner", ["intercept", "tie", "w0", "b0", "order", "predictor"], {"predictor": "voted"}),
    ],
)
def test_what_is_seldom_touched_is_folded_away_unless_something_in_it_is_set(group, rare, given):
    for settings_, opened in ((Settings.of(), False), (Settings.of(**given), True)):
        last = tree(settings_, [group])["groups"][group][-1]
        assert (last["key"], last["open"]) == ("rare", opened)
    assert [field["name"] for field in last["fields"] if "name" in field] == rare


def test_the_part_for_files_is_open_where_there_is_one():
    parts = [fields(made, "data") for made in (Settings.of(), OPENED)]
    assert [own(found)["open"] for found in parts] == [False, True]
    more = own(fields(OPENED, "data", table=None))
    assert [field["kind"] for field in more["fields"]] == ["file", "paste"]  # it is not here


def test_columns_and_classes_of_a_file_are_those_that_are_used():
    found = by_name(fields(OPENED, "data"))
    keys = ("x1", "x2", "label", "negative", "positive")
    assert [(found[key]["value"], found[key]["key"]) for key in keys] == list(
        zip(["u", "v", "kind", "a", "b"], keys, strict=True)
    )
    assert [offered(found[key]) for key in ("x1", "positive")] == [["u", "v", "w"], ["a", "b", "c"]]
    reduced = fields(OPENED.replace(reduce="on"), "data")
    assert not {"x1", "x2"} & set(by_name(reduced))
    assert any(
        "first two principal components of 3 columns" in text for text in texts(reduced, "info")
    )
    assert "reduce" not in by_name(fields(OPENED, "data", table=TWO))  # there are but two


CHANGED = {
    "x1 w": "w v kind a b",
    "x1 v": "v u kind a b",
    "x2 u": "v u kind a b",
    "x2 v": "u v kind a b",
}
CHANGED |= {
    "negative c": "u v kind c b",
    "negative b": "u v kind b a",
    "positive a": "u v kind b a",
}


@pytest.mark.parametrize(("chosen", "expected"), [*CHANGED.items(), ("label w", "u v w 0 1")])
def test_what_is_taken_changes_places_and_a_label_brings_its_classes(chosen, expected):
    assert columns_with(OPENED, THREE, *chosen.split()) == tuple(expected.split())


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "**bold** `code`", "a&amp;b", "\"'", "$x$ :red[a]"]
)
def test_names_of_files_and_columns_pass_through_as_they_are(name):
    quoted = name.replace('"', '""')
    text = f'"{quoted}",v,"kind{quoted}"\n' + "".join(
        f'{i * i % 7},{i * 5 % 11},"{"ab"[i % 2]}{quoted}"\n' for i in range(12)
    )
    made = Settings.of(data=FILE, file=f"{name}~0123")
    found = tree(made, table=read_table(text.encode()), origin=made)
    assert found["tabs"][0]["set"] == made.file.partition("~")[0]
    values = by_name(everything(found))
    written = {"x1": name, "label": f"kind{name}", "negative": f"a{name}", "positive": f"b{name}"}
    assert {key: values[key]["value"] for key in written} == written
