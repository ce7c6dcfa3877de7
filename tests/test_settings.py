"""The properties: links lead to the same settings; what a stranger writes is repaired, and a notice
says so.
"""

import math
from itertools import cycle, islice, product
from urllib.parse import parse_qsl

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from kinds import NAMES as DATA
from kinds import PAIRS, data_for, kernels_for, kind_of

from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.experiment import prepare
from kpviz.lessons import comparison
from kpviz.player.payload import data_id
from kpviz.settings import (
    BOOLEAN,
    BY_NAME,
    DRAWN,
    FILE,
    LINK_NAMES,
    PROPERTIES,
    VIEW_KEYS,
    Settings,
    from_query,
)

GIVEN = strategies.given_of(PROPERTIES)
WILD = st.dictionaries(st.sampled_from([*BY_NAME, "nonsense", ""]), strategies.ANYTHING)
NAMES = [prop.name for prop in PROPERTIES]
USUAL = Settings.of()


@given(GIVEN)
def test_a_link_leads_back_to_equal_settings_without_a_notice_as_text_and_as_pairs(given):
    made = Settings.of(**given)
    pairs = dict(parse_qsl(made.query(), strict_parsing=True))
    for query in (
        made.query(),
        f"?{made.query()}",
        pairs,
        {key: [value] for key, value in pairs.items()},
    ):
        assert from_query(query) == (made, None)


@given(WILD)
def test_anything_is_repaired_to_settings_that_need_no_repair(given):
    made, problems = Settings.repaired(given)
    again, more = Settings.repaired(
        {name: made.values[name] for name in NAMES if not made.is_default(name)}
    )
    assert (again, more) == (made, [])
    for prop in PROPERTIES:
        value = made.values[prop.name]
        if prop.choices:
            assert value in prop.choices
        elif prop.text:
            assert len(value) <= prop.text
        else:
            limits = prop.range_for(made.values)
            assert made.reason_against(prop.name) or limits.low <= value <= limits.high
            assert isinstance(value, int) or not limits.integer or made.reason_against(prop.name)
    assert all("\n" not in problem for problem in problems)


@given(GIVEN, GIVEN)
def test_settings_are_equal_exactly_when_their_links_are(one, other):
    first, second = Settings.of(**one), Settings.of(**{**one, **dict(list(other.items())[:1])})
    assert (first == second) == (first.query() == second.query())
    assert first != second or hash(first) == hash(second)


def test_the_longest_names_of_a_file_survive_a_link():
    for sign in "a &%+é\N{SNOWMAN}\U0001f600~<":
        made = Settings.of(data=FILE, file=sign * 100, cols=sign * 300)
        assert (made.file, made.cols) == (sign * 100, sign * 300)
        assert from_query(made.query()) == (made, None)


def test_a_link_starts_with_its_version_and_leaves_the_usual_out():
    assert USUAL.query() == "v=1"
    for data, kernel in PAIRS:
        parts = Settings.of(data=data, kernel=kernel).query().split("&")
        assert parts[0] == "v=1"
        assert {part.split("=")[0] for part in parts[1:]} == {
            *(["data"] if data != "xor" else []),
            *(["kernel"] if kernel != usual_kernel(data) else []),
        }


def usual_kernel(data):
    return OBJECTS[data].kernels[0] if data in OBJECTS else "gaussian"


def test_a_kernel_that_does_not_compare_such_examples_is_refused_and_the_notice_says_why():
    for data, kernel in product((*DATA, FILE, DRAWN), KERNELS):
        made, problems = Settings.repaired({"data": data, "kernel": kernel})
        fits = kernel in kernels_for(data)
        why = (
            f"kernel={kernel} compares {KERNELS[kernel].compares}, and these data are "
            f"{kind_of(data)}"
        )
        assert problems == ([] if fits else [why])
        assert made.kernel == kernel if fits else made == Settings.of(data=data)


def test_what_was_as_usual_is_the_usual_kernel_of_other_data():
    for data in DATA:
        moved = USUAL.replace(data=data)
        assert (moved, moved.kernel) == (Settings.of(data=data), usual_kernel(data))
        assert moved.replace(data="xor") == USUAL
    graph = "CCO 1-2 2-3"  # which could be read as a text, too
    assert Settings.of(data="graphs", ask=graph, added=f"+{graph}").replace(
        data="texts"
    ) == Settings.of(data="texts")


@given(GIVEN)
def test_a_link_without_a_file_and_texts_is_short_and_needs_no_escapes(given):
    chosen = {name: value for name, value in given.items() if not BY_NAME[name].text}
    query = Settings.of(
        **{**chosen, "data": given.get("data", "xor").replace(FILE, "moons")}
    ).query()
    assert len(query) <= 400
    assert set(query) <= set("abcdefghijklmnopqrstuvwxyzACIP_0123456789.=&-+")


@pytest.mark.parametrize("name", OBJECTS)
def test_what_is_no_point_of_a_plane_is_neither_drawn_nor_counted_and_comes_more_than_once(name):
    for prop, value in (
        ("n", 20),
        ("noise", 0.3),
        ("flipped", 0.1),
        ("balance", 0.7),
        ("stream", "on"),
    ):
        made, problems = Settings.repaired({"data": name, prop: value})
        assert (made, problems) == (Settings.of(data=name), [])
        assert made.reason_against(prop) in (
            "these examples are as they are",
            "all of these examples are shown",
        )
    for prop in ("seed", "held", "order", "epochs"):
        assert Settings.of(data=name).reason_against(prop) is None


def test_ranges_and_defaults_are_those_of_the_kernel_which_alone_has_them():
    parameters = {parameter for kind in KERNELS.values() for parameter in kind.ranges}
    for kernel, kind in KERNELS.items():
        made = Settings.of(data=data_for(kernel), kernel=kernel)
        for name in parameters:
            assert (made.reason_against(name) is None) == (name in kind.ranges)
            if name in kind.ranges:
                assert BY_NAME[name].range_for(made.values) is kind.ranges[name]
                assert made.values[name] == kind.ranges[name].default
        for other, owner in {"negated": "subsets", "formula": "formula"}.items():
            assert (made.reason_against(other) is None) == (kernel == owner)
    assert BY_NAME["eta"].range_for(USUAL.values) is LEARNERS["perceptron"].ranges["learning_rate"]


@pytest.mark.parametrize("name", [prop.name for prop in PROPERTIES if not prop.text])
def test_examples_depend_on_the_data_settings_and_on_no_others(name):
    made, group = Settings.of(data="moons", stream="on", drift=0.5, n=50), BY_NAME[name].group
    if made.reason_against(name) is not None:
        made = Settings.of(
            data={"pair": "iris", "x": "iris", "y": "iris", "bits": "bits"}.get(name, "moons")
        )
    limits = None if BY_NAME[name].choices else BY_NAME[name].range_for(made.values)
    values = BY_NAME[name].choices if limits is None else (limits.low, limits.high)
    other = made.replace(**{name: next(value for value in values if value != made.values[name])})
    assert (data_id(made) == data_id(other)) == (group != "data" or made == other)
    if group != "data":
        one, two = prepare(made), prepare(other)
        assert (one.X.tobytes(), one.y.tobytes()) == (two.X.tobytes(), two.y.tobytes())


def test_a_property_is_a_choice_a_range_or_a_text():
    for prop in PROPERTIES:
        assert [bool(prop.choices), prop.range is not None, bool(prop.text)].count(True) == 1
        if prop.range is None:
            with pytest.raises(TypeError, match="has no range"):
                prop.range_for(USUAL.values)


@pytest.mark.parametrize("name", SOURCES)
def test_changing_the_data_keeps_what_was_as_usual_as_usual_and_what_was_set_as_set(name):
    source, made = SOURCES[name], USUAL.replace(data=name)
    assert made == Settings.of(data=name)
    assert (made.noise, made.n, made.balance) == (source.noise, source.n, source.balance)
    moved = Settings.of(n=50, seed=7, sigma=0.3).replace(data=name)
    assert (moved.n, moved.seed, moved.sigma, moved.noise) == (50, 7, 0.3, source.noise)
    assert moved.replace(data="xor") == Settings.of(n=50, seed=7, sigma=0.3)


@given(GIVEN, st.sampled_from(NAMES))
def test_replacing_a_value_by_itself_changes_nothing(given, name):
    made = Settings.of(**given)
    assert made.replace() == made
    assert made.replace(**{name: made.values[name]}) == made


@given(GIVEN, st.sampled_from(DATA), st.sampled_from(list(KERNELS)))
def test_what_was_set_and_still_applies_is_kept(given, data, kernel):
    made = Settings.of(**given)
    changed = made.replace(data=data, kernel=kernel)
    for prop in PROPERTIES:
        if (
            prop.name in ("data", "kernel", "y")
            or made.is_default(prop.name)
            or changed.reason_against(prop.name)
        ):
            continue
        value = made.values[prop.name]
        if prop.refused(value, changed.values) or (
            prop.name in ("added", "ask", "w0") and data != made.data
        ):
            continue  # such a kernel, or such an example, is none of these data
        clamped = value
        if prop.range is not None:
            limits = prop.range_for(changed.values)
            clamped = min(max(value, limits.low), limits.high)
        assert changed.values[prop.name] == clamped


def test_each_property_says_why_it_does_not_apply():
    seen = set()
    reasons = set()
    models = cycle(["perceptron", "svm", "norma", "forgetron", "svm"])
    for data in (*DATA, FILE, DRAWN):
        for kernel in kernels_for(data):
            for learner in islice(models, 2):
                made = Settings.of(data=data, kernel=kernel, learner=learner)
                for name in NAMES:
                    reason = made.reason_against(name)
                    if reason is None:
                        continue
                    seen.add(name)
                    assert 5 < len(reason) < 70
                    assert made.is_default(name)
                    if (
                        (name, reason) not in reasons
                    ):  # a link takes a while, and is written for the same reason alike
                        reasons.add((name, reason))
                        assert f"&{name}=" not in made.replace(**{name: 1}).query()
    assert seen == {
        "noise", "flipped", "balance", "pair", "x", "y", "file", "cols", "reduce",
        "scale", "sigma", "degree", "coef0", "gamma", "components", "length", "rounds", "negated", "formula",
        "w0", "b0",
        "oseed", "function", "bits", "added", "ask",
        "eta", "intercept", "tie", "budget", "variant", "delta", "lambda", "nu", "tau", "schedule", "b", "C", "tol",
        "rho", "normalize", "order", "stream", "drift", "moves", "n", "seed", "held", "points", "names", "sequence",
        "predictor", "decimals", "encoding",
    }, "a new parameter is listed here, one that is gone is not"  # fmt: skip


def test_no_setting_has_the_name_of_another_part_of_links():
    assert {*NAMES} & {"v", "pins", comparison.READY, *VIEW_KEYS} == set(), (
        "a parameter needs another name"
    )


# ---- streams -------------------------------------------------------------------------------------


def test_in_a_stream_each_example_arrives_once():
    for name, value in (("order", "random"), ("epochs", 7), ("oseed", 3), ("held", 0.3)):
        made, problems = Settings.repaired({"stream": "on", name: value})
        assert (made, problems) == (Settings.of(stream="on"), [])
        assert made.reason_against(name) == "in a stream each example arrives once"
    assert (made.order, made.epochs, made.held) == ("cyclic", 1, 0.0)


def test_a_stream_brings_its_own_number_noise_drift_budget_and_truncation():
    made = Settings.of(stream="on")
    assert made.query() == "v=1&stream=on"
    assert (made.n, made.flipped, made.drift, made.moves) == (1000, 0.1, 0.5, "turn")
    assert Settings.of(stream="on", learner="oldest").budget == 50
    assert Settings.of(stream="on", learner="norma").tau == 200
    assert made.replace(stream="off") == USUAL
    assert Settings.of(stream="on", n=2000).query() == "v=1&stream=on&n=2000"


def test_only_what_is_drawn_can_stream_and_only_a_target_that_is_not_round_can_turn():
    for data in (*DATA, FILE, DRAWN):
        made = Settings.of(data=data, stream="on")
        drawn = data in SOURCES and not SOURCES[data].is_real
        assert (made.stream == "on") == (made.reason_against("stream") is None) == drawn
        turns = drawn and data != "circles"
        assert (made.reason_against("drift") is None) == turns
        assert (made.drift > 0) == turns
    assert Settings.of(stream="on", drift=0, moves="switch").moves == "turn"


def test_learners_with_a_choice_of_the_same_name_have_their_own_values():
    tuned, passive = (
        Settings.of(learner="forgetron", variant="basic"),
        Settings.of(learner="pa", variant="PA-II"),
    )
    assert (tuned.variant, passive.variant) == ("basic", "PA-II")
    assert tuned.replace(learner="pa").variant == Settings.of(learner="pa").variant == "PA"
    made, problems = Settings.repaired({"learner": "pa", "variant": "basic"})
    assert (made.variant, problems) == ("PA", ["variant=basic is not available here"])
    _, problems = Settings.repaired({"learner": "pa", "variant": "bsic"})
    assert problems == ["variant=bsic is unknown"]  # What is available alone is suggested.
    assert BY_NAME["variant"].choices_for(passive.values) == ("PA", "PA-I", "PA-II")
    assert passive.query() == "v=1&learner=pa&variant=PA-II"
    assert Settings.of(learner="pa", C=3).reason_against("C") == "PA always makes the margin 1"


def test_a_learner_that_needs_all_examples_at_once_is_refused_in_a_stream():
    made, problems = Settings.repaired({"stream": "on", "learner": "svm"})
    assert made == Settings.of(stream="on")
    assert problems == ["learner=svm needs all examples at once, not a stream"]
    assert Settings.of(learner="svm").replace(stream="on").learner == "perceptron"
    for learner, kind in LEARNERS.items():
        assert (Settings.of(stream="on", learner=learner).learner == learner) == (not kind.chooses)


# ---- what is wrong -------------------------------------------------------------------------------


def where_it_applies(name):
    """Settings under which a property has a meaning."""
    if name in ("x", "y", "pair"):
        return {"data": "iris"}
    if name in ("drift", "moves"):
        return {"stream": "on"}
    if name in ("scale", "reduce", "decimals", "encoding"):
        return {"data": FILE}
    if name in ("bits", "function"):
        return {"data": BOOLEAN}
    owners = {"negated": "subsets", "formula": "formula"}
    owner = next(
        (kernel for kernel, kind in KERNELS.items() if name in kind.ranges), owners.get(name)
    )
    if owner is None:
        learner = learner_with(name)
        chooses = LEARNERS[learner.get("learner", "perceptron")].chooses
        return {**learner, **({} if chooses else {"order": "shuffled"})}
    return {"data": data_for(owner), "kernel": owner}


def learner_with(name):
    """A learner that has the parameter, if it is one of a learner."""
    parameter = next((own for own, link in LINK_NAMES.items() if link == name), name)
    having = (key for key, kind in LEARNERS.items() if parameter in {**kind.ranges, **kind.choices})
    return {"learner": learner} if (learner := next(having, None)) else {}


@pytest.mark.parametrize("name", [prop.name for prop in PROPERTIES if prop.range])
def test_a_number_outside_is_clamped_and_what_is_none_becomes_the_usual_and_the_notice_names_it(
    name,
):
    base = where_it_applies(name)
    limits = BY_NAME[name].range_for(Settings.of(**base).values)
    for wild, clamped in (
        (limits.low - 1, limits.low),
        (limits.high + 1, limits.high),
        (1e300, limits.high),
    ):
        made, (problem,) = Settings.repaired({**base, name: wild})
        assert made.values[name] == clamped or name in (
            "x",
            "y",
        )  # two equal features are told apart
        assert problem.startswith(f"{name}=")
        assert f"{limits.low:g} to {limits.high:g}" in problem
    for value in ("", "abc", "nan", "-inf", None, [], math.nan, 10**400, "1e999", "0x10"):
        made, problems = Settings.repaired({**base, name: value})
        assert made == Settings.of(**base), value
        assert [problem.startswith(f"{name}=") for problem in problems] == [True], value


@pytest.mark.parametrize("name", [prop.name for prop in PROPERTIES if prop.choices])
def test_what_is_no_choice_becomes_the_usual_and_the_notice_names_it(name):
    base = {key: value for key, value in where_it_applies(name).items() if key != name}
    allowed = next(prop.choices for prop in PROPERTIES if prop.name == name)
    for value in {"nonsense", "", "GAUSSIAN", 3, None} - {*allowed}:
        made, problems = Settings.repaired({**base, name: value})
        assert made == Settings.of(**base)
        assert [problem.startswith(f"{name}=") for problem in problems] == [True]


@pytest.mark.parametrize(
    "text", ["[a](http://b.example)", "`ls`", "<b>x</b>", "**x**", "__class__", "$x^2$", "\\"]
)
def test_a_notice_quotes_what_a_stranger_wrote_as_it_is(text):
    for pairs in (
        {"data": "graphs", "ask": text},
        {"data": BOOLEAN, "function": text},
        {"kernel": "formula", "formula": text},
    ):
        _, notice = from_query(pairs)
        assert "cannot be read" in notice
        assert text[:15] in notice


@pytest.mark.parametrize(
    ("given", "name", "texts"),
    [
        (
            {"data": BOOLEAN},
            "function",
            ("x1 x2' + x3", "X1 & !X2 | x3", " x1 and not x2 or x3 | x1¬x2"),
        ),
        ({"data": BOOLEAN}, "function", ("parity", " parity ")),
        ({"kernel": "formula"}, "formula", ("dot(u,v)+1", "dot(u, v)  +  1", "(dot(u, v)) + 1")),
        (
            {"data": "texts"},
            "added",
            ("+Two goals!; -boil the rice", "+two goals;−boil the  rice;"),
        ),
        ({"data": "trees"}, "added", ("+(S ( NP you)(VP  sing))", "+ (S (NP you) (VP sing))")),
        ({"data": "graphs"}, "ask", ("CCO 3-2 2-1", "CCO  1-2 2-3")),
    ],
)
def test_texts_that_mean_the_same_are_one_link(given, name, texts):
    links = {Settings.of(**given, **{name: text}).query() for text in texts}
    assert len(links) == 1
    (link,) = links
    assert f"&{name}=" in link
    assert from_query(link) == (Settings.of(**given, **{name: texts[0]}), None)


def test_a_function_of_many_bits_has_at_least_as_many():
    for text, fewest in (
        ("x1", 2),
        ("x5 & x1", 5),
        ("x8", 8),
        ("true", 2),
        ("multiplexer", 3),
        ("parity", 2),
    ):
        made, (problem,) = Settings.repaired({"data": BOOLEAN, "function": text, "bits": 1})
        assert (made.function, made.bits) == (text.replace("x5 & x1", "x1 & x5"), fewest)
        assert problem == f"bits=1 is outside {fewest} to 8"
        assert Settings.of(data=BOOLEAN, function=text).bits == max(4, fewest)


def test_the_negated_literals_are_the_usual_ones_of_bits_only_and_words_are_normalized():
    assert Settings.of(data=BOOLEAN).negated == "on"
    assert Settings.of(kernel="subsets").negated == "off"
    assert Settings.of(data="texts").normalize == "on"
    assert Settings.of(data="texts", kernel="spectrum").normalize == "off"


def test_what_is_repaired_in_a_way_of_its_own():
    made, problems = Settings.repaired({"n": "59.5"})
    assert (made.n, problems) == (60, ["n=59.5 is not a whole number"])
    assert Settings.of(sigma=0.123456).query() == "v=1&sigma=0.123456"
    made, problems = Settings.repaired({"data": "iris", "x": "1", "y": "1"})
    assert (made.x != made.y, len(problems)) == (True, 1)
    for x in range(4):
        made, problems = Settings.repaired({"data": "iris", "x": x})
        assert (made.x, made.x != made.y, problems) == (x, True, [])
    assert from_query("v=1&kernel=linear&sigma=3&coef0=2") == (Settings.of(kernel="linear"), None)
    assert from_query("v=1&t=12&show=alpha.code") == (USUAL, None)
    assert from_query("v=1&=4")[1].endswith(": a value without a name is not a setting.")
    with pytest.raises(AttributeError, match="no setting 'nonsense'"):
        _ = USUAL.nonsense
