"""What a page asks for: each command does one thing, what makes no sense does nothing, and undo is
exact.
"""

import copy
import math

import numpy as np
import pytest
from covering import in_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import NAMES as DATA
from visitor import Page, file_of

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.lessons import comparison, presets
from kpviz.lessons.comparison import Pin
from kpviz.service import commands, drafts, links, stored
from kpviz.service.commands import COMMANDS, carry_out
from kpviz.service.state import PageState
from kpviz.settings import BY_NAME, DRAWN, HAND, Settings

TABLE = "width,height,kind\n" + "".join(
    f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40)
)


def scattered(n=5, seed=0, held=0):
    draw = np.random.default_rng(seed)
    return Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n), held)


def link(**given):
    return Settings.of(**given).link()


# ---- what they do --------------------------------------------------------------------------------


@in_turn(
    [
        ({}, ["kernel"], {"kernel": "laplacian"}),
        ({}, ["kernel"] * 4, {}),
        ({"kernel": "sigmoid"}, ["kernel"], {"kernel": "linear"}),
        ({"seed": 4}, ["data"], {"data": "circles"}),
        ({}, ["data"] * len(SOURCES), {"data": "texts"}),
        ({}, ["data"] * len(DATA), {}),
        ({"data": "bits", "seed": 3}, ["data"], {}),
        ({"data": DRAWN, "points": scattered().code}, ["data"], {"points": scattered().code}),
        ({"data": "texts"}, ["kernel"], {"data": "texts", "kernel": "spectrum"}),
        ({"data": "texts", "kernel": "spectrum"}, ["kernel"], {"data": "texts"}),
        ({"data": "trees"}, ["kernel"], {"data": "trees"}),
        ({"data": "bits"}, ["kernel"] * 4, {"data": "bits", "kernel": "gaussian"}),
        ({"data": "trees"}, ["redraw"], {"data": "trees", "seed": 1}),
        ({"data": "graphs"}, ["reorder"], {"data": "graphs", "order": "shuffled"}),
        ({}, ["wider"], {"sigma": 0.625}),
        ({}, ["wider", "narrower"], {}),
        ({"sigma": 9.9}, ["wider"] * 3, {"sigma": 10.0}),
        ({"sigma": 0.02}, ["narrower"], {"sigma": 0.02}),
        ({"kernel": "linear"}, ["wider"], {"kernel": "linear"}),
        ({}, ["redraw", "redraw"], {"seed": 2}),
        ({"seed": 9999}, ["redraw"], {}),
        ({}, ["reorder"], {"order": "shuffled"}),
        ({}, ["reorder"] * 3, {"order": "shuffled", "oseed": 2}),
        ({"order": "random", "oseed": 9999}, ["reorder"], {"order": "random"}),
        ({}, ["square"], {"kernel": "monomial", "degree": 2}),
        ({}, ["straight"], {"kernel": "linear"}),
        ({}, ["straight"] * 2, {}),
        ({"kernel": "polynomial"}, ["straight"], {"kernel": "linear"}),
        ({"kernel": "linear"}, [("straight", {"sigma": 0.3, "data": "moons"})], {"sigma": 0.3}),
        ({"kernel": "linear"}, [("straight", {"sigma": [3]})], {}),
        (
            {"kernel": "polynomial"},
            [("turn", {"name": "degree", "way": 1})],
            {"kernel": "polynomial", "degree": 3},
        ),
        ({"sigma": 10.0}, [("turn", {"name": "sigma", "way": 1})], {"sigma": 10.0}),
        ({}, [("turn", {"name": "flipped", "way": 1})] * 2, {"flipped": 0.02}),
        (
            {"sigma": 0.47},
            [
                ("turn", {"name": "sigma", "way": way, "from": "v=1&sigma=0.47"})
                for way in (1, 1, -1, -1)
            ],
            {"sigma": 0.47},
        ),
        (
            {},
            [("turn", {"name": "sigma", "way": -1, "from": "v=1"})],
            {"sigma": 0.405},
        ),  # 0.494 is hardly another
        ({}, [("turn", {"name": "sigma", "way": way, "from": "v=1"}) for way in (1, -1)], {}),
        (
            {"learner": "svm", "C": 10.0},
            [("turn", {"name": 0, "way": -1})],
            {"learner": "svm", "sigma": 0.405, "C": 10.0},
        ),
        (
            {"kernel": "linear", "learner": "svm"},
            [("turn", {"name": 0, "way": 1})],
            {"kernel": "linear", "learner": "svm", "C": 1.81},
        ),
        (
            {"learner": "svm", "C": 10.0},
            [("turn", {"name": 0, "way": 1, "besides": ["sigma"]})],
            {"learner": "svm", "C": 16.8},
        ),
        (
            {"kernel": "polynomial"},
            [("turn", {"name": 0, "way": 1})],
            {"kernel": "polynomial", "degree": 3},
        ),
        ({"kernel": "linear"}, [("turn", {"name": 0, "way": 1})], {"kernel": "linear"}),
        ({}, [("turn", {"name": "sigma", "way": way, "from": 3}) for way in (3, 0)], {}),
        ({"kernel": "linear"}, [("turn", {"name": "sigma", "way": 1})], {"kernel": "linear"}),
        (
            {},
            [
                ("turn", {"name": "sigma", "way": 3}),
                ("turn", {"name": "data", "way": 1}),
                ("turn", None),
            ],
            {},
        ),
        ({}, [("set", {"sigma": 0.3, "noise": 0.1})], {"sigma": 0.3, "noise": 0.1}),
        ({}, [("set", {"sigma": 1e9})], {"sigma": 10.0}),
        (
            {},
            [("set", {"data": "moons"}), ("set", {"kernel": "linear"})],
            {"data": "moons", "kernel": "linear"},
        ),
        (
            {"data": "bits"},
            [("type", {"name": "function", "text": "x1&x2"})],
            {"data": "bits", "function": "x1&x2"},
        ),
        (
            {"data": "texts"},
            [("example", {"text": "dogs bark", "y": 1})],
            {"data": "texts", "added": "+dogs bark"},
        ),
        (
            {"data": "texts", "added": "+dogs bark;-cats purr"},
            [("away", 0)],
            {"data": "texts", "added": "-cats purr"},
        ),
    ]
)
def test_commands_change_the_settings(before, names, expected):
    page = Page(link(**before))
    page.do(*names)
    assert page.settings == Settings.of(**expected)


@pytest.mark.parametrize("data", OBJECTS)
def test_the_next_kernel_walks_through_those_of_these_objects_or_says_that_there_is_one(data):
    names, page, seen = OBJECTS[data].kernels, Page(link(data=data)), []
    for _ in names:
        page.do("kernel")
        seen.append(page.settings.kernel)
    assert set(seen) == set(names)
    alone = f"Only one kernel compares these examples: {KERNELS[names[0]].name}."
    assert page.notices == ([alone] if len(names) == 1 else [])


@pytest.mark.parametrize("data", ["of-a-file", None])
def test_what_another_link_shows_is_of_the_data_that_came_with_it(data):
    after = commands.carry_out(
        PageState(Settings.of()), "replace", {"link": "v=1&n=8", "data": data}
    )
    assert (after.settings, after.data_id) == (
        Settings.of(n=8),
        data or PageState(Settings.of(n=8)).data_id,
    )


def test_no_linear_kernel_compares_what_is_not_a_point():
    page = Page(link(data="texts"))
    assert page.do("straight") == [
        "Linear and Gaussian kernels compare points, which these are not."
    ]
    assert page.settings == Settings.of(data="texts")


def test_pins_keep_models_and_are_let_go_of_one_by_one_or_all():
    page = Page()
    page.do("pin", ("set", {"kernel": "linear"}), "pin", ("set", {"kernel": "laplacian"}), "pin")
    models = [
        Pin.of(Settings.of(**given))
        for given in ({}, {"kernel": "linear"}, {"kernel": "laplacian"})
    ]
    assert list(page.state.pins) == models
    assert "no room for more" in page.do("pin")[0]
    page.do(("unpin", {"number": 1}))
    assert list(page.state.pins) == [models[0], models[2]]
    page.do(("set", {"data": "texts"}))
    assert page.state.pins == ()  # their kernels compare no texts
    page.undo()
    page.do("unpin")
    assert page.state.pins == ()


@pytest.mark.parametrize("name", presets.PRESETS)
def test_a_ready_comparison_opens_and_its_link_names_it(name):
    page = Page(link(sigma=0.3))
    assert page.do(("compare", {"name": name})) == []
    assert f"&compare={name}&" in f"&{page.state.link}&"
    assert (page.settings, page.state.pins) == presets.PRESETS[name].settings()
    page.undo()
    assert page.settings == Settings.of(sigma=0.3)


def test_what_is_typed_wrong_stays_in_its_field_until_something_else_stands_there():
    page = Page(link(kernel="formula"))
    page.do(("type", {"name": "formula", "text": "dot(u, v"}))
    assert (page.settings, dict(page.state.drafts)) == (
        Settings.of(kernel="formula"),
        {"formula": "dot(u, v"},
    )
    page.do("redraw")
    assert dict(page.state.drafts) == {"formula": "dot(u, v"}
    page.do(("type", {"name": "formula", "text": "dot(u, v)"}))
    assert (page.settings.formula, dict(page.state.drafts)) == ("dot(u, v)", {})
    page.do(("type", {"name": "formula", "text": "?"}), ("set", {"kernel": "linear"}))
    assert dict(page.state.drafts) == {}


# ---- points and orders ---------------------------------------------------------------------------


def test_drawing_begins_on_an_empty_map_and_leads_back():
    page = Page(link(sigma=0.3, n=20))
    page.do("pin", "draw")
    assert (page.settings, page.state.pins, page.state.edit) == (
        Settings.of(data=DRAWN, sigma=0.3),
        (),
        True,
    )
    page.do(("points", {"code": scattered().code}))
    assert experiment.prepare(page.settings).X.tolist() == scattered().X.tolist()
    assert page.state.origin == Settings.of(sigma=0.3, n=20)
    page.do("original")
    assert (page.settings, page.state.origin) == (Settings.of(sigma=0.3, n=20), None)


def test_edited_points_keep_the_place_and_their_last_ones_are_held_out():
    page = Page(link(n=20))
    place = page.state.data_id
    page.do(("points", {"code": scattered(8).code}), ("hold", 3))
    split = experiment.prepare(page.settings)
    assert (page.state.data_id, len(split.y), len(split.y_test)) == (place, 5, 3)
    page.do("redraw", "data")
    assert page.state.data_id != place


def test_an_order_by_hand_is_that_of_the_run():
    page = Page(link(data=DRAWN, points=scattered().code))
    page.do(("order", [4, 1, 3, 0, 2]))
    assert (page.settings.order, page.settings.sequence) == (HAND, sequence.encode([4, 1, 3, 0, 2]))
    assert experiment.run(page.settings).index[:5].tolist() == [4, 1, 3, 0, 2]
    page.do(("points", {"code": scattered(6).code, "order": [4, 1, 3, 0, 2, 5]}))
    page.do(("point", {"text": "0.1, 0.1", "y": 1}))  # comes last
    assert experiment.run(page.settings).index[:7].tolist() == [4, 1, 3, 0, 2, 5, 6]


@pytest.mark.parametrize("given", [{"data": "texts"}, {"data": "bits"}, {"stream": "on"}], ids=str)
def test_what_is_no_set_of_points_cannot_be_edited(given):
    page = Page(link(**given))
    page.do(("points", {"code": scattered().code}))
    assert page.settings == Settings.of(**given)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("0.5, −1.2", (0.5, -1.2)),
        ("(0.25,0)", (0.25, 0.0)),
        ("3; -0,5", (3.0, -0.5)),
        ("1 1", (1.0, 1.0)),
    ],
)
def test_a_point_that_is_typed_is_the_last_of_those_for_training(text, where):
    page = Page(link(n=20, held=0.2, sigma=0.3))
    before = experiment.prepare(page.settings)
    page.do(("point", {"text": text, "y": -1}))
    now = experiment.prepare(page.settings)
    assert (page.settings.data, page.state.origin) == (
        DRAWN,
        Settings.of(n=20, held=0.2, sigma=0.3),
    )
    assert len(now.y) == len(before.y) + 1
    assert len(now.y_test) == len(before.y_test)
    assert np.abs(now.X[-1] - where).max() < 0.006  # a step, where few cells hold what is far apart
    assert now.y.tolist() == [*before.y.tolist(), -1.0]
    assert page.state.drafts == {}


def test_a_point_is_typed_in_the_units_of_the_data():
    page = Page(link(data="iris"))
    names = experiment.names(experiment.prepare(page.settings))
    middle = [(low + high) / 2 for low, high in zip(names.lows, names.highs, strict=True)]
    page.do(("point", {"text": "{}; {}".format(*middle), "y": 1}))
    assert np.abs(experiment.prepare(page.settings).X[-1]).max() < 0.002
    assert page.settings.names == names.code


@pytest.mark.parametrize("text", ["", "1", "1, 2, 3", "one, two", "nan, 0", "1e999, 0"])
def test_what_is_no_point_stays_where_it_was_typed_with_the_reason(text):
    page = Page(link(n=20))
    page.do(("point", {"text": text, "y": 1}))
    assert page.settings == Settings.of(n=20)
    assert page.state.drafts == {"point": text}
    assert "two numbers" in drafts.of(page.state)["point"].why
    page.do(("point", {"text": "0, 0", "y": 1}))
    assert page.state.drafts == {}


@pytest.mark.parametrize(
    ("text", "fits"), [("11, 11", True), ("1e4, 0", False), ("0, −1e5", False), ("300 0", False)]
)
def test_a_point_too_far_away_does_not_move_the_others(text, fits):
    page = Page(link(n=20))
    before = experiment.prepare(page.settings).X
    page.do(("point", {"text": text, "y": 1}))
    assert (page.settings.data == DRAWN) == fits
    assert np.abs(experiment.prepare(page.settings).X[:20] - before).max() < 0.006
    if not fits:
        assert "write it nearer" in drafts.of(page.state)["point"].why
    empty = Page(link(data=DRAWN))
    empty.do(("point", {"text": text, "y": 1}))
    assert experiment.prepare(empty.settings).X.shape == (1, 2)  # alone it is as far as it likes


# ---- nonsense ------------------------------------------------------------------------------------


WRONG = (
    None, True, 0, -1, 1.5, math.nan, math.inf, 10**400, "", "points", "x" * 1_000_000, [], {}, [[]], [{}], [None],
    {"code": None}, {"code": 5}, {"code": ["AAAA.A"]}, {"code": "AAAA"}, {"code": "?"}, {"code": "A" * 1_000_000},
    {"code": "AAAA" * 1001 + "." + "A" * 167}, {"code": "\ud800"}, {"code": "j6QY.A..9_9_9"},
    {"sigma": None}, {"sigma": [0.1]}, {"sigma": True}, {"nothing": 1}, {"__class__": 1}, {"sigma": 0.3, "other": 1},
    {"name": None, "text": "x"}, {"name": "sigma", "text": "1"}, {"name": ["formula"], "text": "u"},
    {"link": None}, {"link": 5}, {"text": None, "y": 1}, {"text": 5}, {"name": "a.csv", "data": "é"},
    {"name": "a.csv", "data": 1}, {"name": "a.csv"}, [0, 0], [0, 2], [-1, 0], ["0", "1"], [1.0, 0.0],
    [True, False], [0, [1]], [math.nan], list(range(1001)), {"0": 1}, ["a"] * 5, "__init__",
)  # fmt: skip
PLAIN = (
    st.sampled_from([None, True, False, "sigma", "AAAA.A", "dot(u, v)"])
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
)
KEYS = [
    "code",
    "order",
    "name",
    "text",
    "y",
    "link",
    "sigma",
    "data",
    "kernel",
    "learner",
    "n",
    "noise",
    "stream",
]
JSON = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=8,
)
SIGN = st.sampled_from([1, -1, 0, None])
CODE = st.tuples(*[st.integers(0, 9)] * 3).map(lambda drawn: scattered(*drawn).code)
MEANT = {  # what has the form that a command takes; whether it makes sense is another question
    "set": st.dictionaries(st.sampled_from(sorted(BY_NAME)), PLAIN | st.integers(0, 99) | st.sampled_from(DATA)),
    "type": st.fixed_dictionaries({"name": st.sampled_from(sorted(BY_NAME)), "text": st.text()}),
    "replace": st.fixed_dictionaries({"link": st.sampled_from(["v=1&n=8", "v=1&data=drawn", "v=1&pins=1"])}),
    "turn": st.fixed_dictionaries({"name": st.sampled_from(sorted(BY_NAME)), "way": SIGN}),
    "unpin": st.fixed_dictionaries({"number": st.integers()}),
    "compare": st.fixed_dictionaries({"name": st.sampled_from(sorted(presets.PRESETS))}),
    "example": st.fixed_dictionaries({"text": st.text(), "y": SIGN}),
    "away": st.integers(),
    "points": st.fixed_dictionaries({"code": CODE}, optional={"order": st.permutations(range(5))}),
    "point": st.fixed_dictionaries({"text": st.tuples(*[st.floats()] * 2).map(str), "y": SIGN}),
    "hold": st.integers(),
    "order": st.permutations(range(5)) | st.lists(st.integers()),
    "cues": st.dictionaries(st.integers(0, 99).map(str), st.text()),
    "paste": st.fixed_dictionaries({"text": st.just(TABLE) | st.text()}),
    "columns": st.dictionaries(st.text(), st.text()),
}  # fmt: skip
OPENED = {
    "default": Settings.of(n=20),
    "drawn": Settings.of(data=DRAWN, points=scattered().code),
    "by hand": Settings.of(data=DRAWN, points=scattered().code, order=HAND, sequence="AC"),
    "stream": Settings.of(stream="on"),
    "texts": Settings.of(data="texts"),
}


def means_something(name, value):
    """Of no examples there is one order; any whole number is how many are held out; any words are
    pasted or cues.
    """
    return (
        (name == "order" and value == [])
        or (name == "hold" and type(value) is int)
        or (name == "set" and value == {})
        or (name == "cues" and value == {})
    )


@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize("name", sorted({*MEANT, "open"}))
def test_a_value_that_cannot_be_used_changes_nothing(name, opened):
    state = PageState(OPENED[opened])
    for value in WRONG:
        if not means_something(name, value):
            after = commands.carry_out(state, name, value)
            assert (after.settings, after.pins, after.origin) == (state.settings, (), None), value
            assert all(
                notice.words.endswith(".") and len(notice.words) < 400 for notice in after.notices
            )


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {*MEANT, "open", "straight"}))
def test_any_other_command_takes_no_value(name):
    first = commands.carry_out(PageState(Settings.of()), name, None)
    assert commands.carry_out(PageState(Settings.of()), name, {"any": 1}) == first


COMMAND = st.one_of(
    st.tuples(JSON, JSON), *(st.tuples(st.just(k), MEANT.get(k, JSON) | JSON) for k in COMMANDS)
)


@given(st.lists(COMMAND, max_size=5), st.sampled_from(sorted(OPENED)))
@settings(max_examples=250, deadline=None)
def test_any_commands_leave_a_state_that_a_link_holds_and_undo_leads_back_exactly(given, opened):
    page, sent = Page(OPENED[opened].link()), copy.deepcopy(given)
    for each in given:
        page.do(each)
    assert repr(given) == repr(sent)
    assert page.settings.replace() == page.settings
    assert links.read(links.pairs(page.state.link)).settings == page.settings
    while page.past:
        page.undo()
    assert page.settings == OPENED[opened]
    assert (page.state.pins, page.state.origin) == ((), None)


@given(st.integers())
def test_no_more_are_held_out_than_there_are_and_no_point_is_lost(value):
    after = commands.carry_out(PageState(OPENED["drawn"]), "hold", value)
    assert after.settings == Settings.of(
        data=DRAWN, points=scattered(held=min(max(value, 0), 5)).code
    )


# ---- files ---------------------------------------------------------------------------------------


def test_a_table_opens_and_other_columns_are_chosen():
    page = Page(link(sigma=0.3))
    assert page.do(file_of(TABLE)) == []
    assert page.settings.file.startswith("mine.csv~")
    page.do(("columns", {"x1": "height"}))
    assert (
        experiment.prepare(page.settings, stored.table(page.settings))
        .source.features[0]
        .startswith("height")
    )
    before = page.place
    page.do(
        ("columns", {"x1": "nothing"}), ("columns", {"label": 5}), ("columns", {"width": "kind"})
    )
    assert page.place == before
    page.undo()
    page.undo()
    assert page.settings == Settings.of(sigma=0.3)


LOST = {
    "voted": (
        {"predictor": "voted"},
        {"learner": "svm"},
        "Predictor was voted, and is reset: Support vector machine ",
    ),
    "shuffled": (
        {"order": "shuffled"},
        {"learner": "svm"},
        "Order was shuffled, and is reset: Support vector ",
    ),
    "unit": (
        {"intercept": "unit"},
        {"learner": "norma"},
        "Intercept was unit, and is reset: NORMA has no Intercept.",
    ),
}


@pytest.mark.parametrize(("first", "then", "words"), LOST.values(), ids=LOST)
def test_what_another_learner_cannot_have_is_reset_with_a_sentence_on_the_board_and_in_a_link(
    first, then, words
):
    state = carry_out(links.read(links.pairs("v=1&data=moons")), "set", first)
    made = carry_out(state, "set", then)
    (name,) = first
    assert made.settings.is_default(name)
    (notice,) = made.notices
    assert notice.words.startswith(words)
    both = "&".join(f"{key}={value}" for key, value in {**first, **then}.items())
    (of_link,) = links.read(links.pairs(f"v=1&data=moons&{both}")).notices
    assert f"{name}={first[name]} does not apply, because " in of_link.words
    assert not carry_out(
        carry_out(state, "set", {name: Settings.of().values[name]}), "set", then
    ).notices


def test_what_is_chosen_together_with_the_learner_or_has_its_default_is_no_loss():
    state = links.read(links.pairs("v=1&data=moons"))
    assert not carry_out(state, "set", {"learner": "svm"}).notices
    assert not carry_out(state, "set", {"learner": "svm", "epochs": 9}).notices


@pytest.mark.parametrize(
    ("link", "cost"), [("v=1", 1000.0), ("v=1&data=moons&n=200&noise=0.3&sigma=0.4", 1.0)]
)
def test_an_svm_beside_a_run_that_separates_begins_hard_and_has_the_wider_margin(link, cost):
    state = carry_out(
        carry_out(links.read(links.pairs(link)), "pin", None), "set", {"learner": "svm"}
    )
    assert cost == state.settings.C
    assert carry_out(links.read(links.pairs(link)), "set", {"learner": "svm"}).settings.C == 1.0
    if cost > 1.0:
        both = [state.pins[0].on(state.settings), state.settings]
        split = experiment.prepare(state.settings)
        pinned, svm = (
            comparison.summary(each, split, experiment.run(each, split)).margin for each in both
        )
        assert svm > 2 * pinned
