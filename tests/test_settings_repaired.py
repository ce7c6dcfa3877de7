"""What is out of range, unreadable or meant alike in settings: repaired, and a notice names it."""

import math

import pytest
from covering import in_turn
from kinds import data_for

from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.settings import BOOLEAN, BY_NAME, FILE, LINK_NAMES, PROPERTIES, Settings, from_query

USUAL = Settings.of()
RANGED = [prop.name for prop in PROPERTIES if prop.range is not None]


def where_it_applies(name):
    """Settings under which a property has a meaning."""
    if name in ("x", "y", "pair"):
        return {"data": "iris"}
    if name == "drift":
        return {"stream": "on"}
    if name in ("bits", "function"):
        return {"data": BOOLEAN}
    parameter = name.removesuffix("2")
    owners = {"negated": "subsets", "formula": "formula"}
    owner = next((kernel for kernel, kind in KERNELS.items() if parameter in kind.ranges), owners.get(parameter))
    if owner is None:
        return {**learner_with(name), "order": "shuffled"}
    data = {"data": data_for(owner)}
    return {**data, "combine": "sum", "kernel2": owner} if name.endswith("2") else {**data, "kernel": owner}


def learner_with(name):
    """A learner that has the parameter, if it is one of a learner."""
    parameter = next((own for own, link in LINK_NAMES.items() if link == name), name)
    having = (key for key, kind in LEARNERS.items() if parameter in {**kind.ranges, **kind.choices})
    return {"learner": learner} if (learner := next(having, None)) else {}


@in_turn([(one,) for one in RANGED])
def test_a_number_outside_is_clamped_and_the_notice_names_it(name):
    base = where_it_applies(name)
    limits = BY_NAME[name].range_for(Settings.of(**base).values)
    for wild, clamped in ((limits.low - 1, limits.low), (limits.high + 1, limits.high), (1e300, limits.high)):
        made, problems = Settings.repaired({**base, name: wild})
        if name not in ("x", "y"):  # two equal features are told apart
            assert made.values[name] == clamped
        assert len(problems) == 1
        assert problems[0].startswith(f"{name}=")
        assert f"{limits.low:g} to {limits.high:g}" in problems[0]


@pytest.mark.parametrize("name", RANGED)
def test_what_is_no_number_becomes_the_usual_and_the_notice_names_it(name):
    base = where_it_applies(name)
    for value in ("", "abc", "nan", "inf", "-inf", None, [], math.nan, 10**400, "1e999", "0x10"):
        made, problems = Settings.repaired({**base, name: value})
        assert made == Settings.of(**base), value
        assert [problem.startswith(f"{name}=") for problem in problems] == [True], value


@pytest.mark.parametrize("name", [prop.name for prop in PROPERTIES if prop.choices])
def test_what_is_no_choice_becomes_the_usual_and_the_notice_names_it(name):
    base = {"data": FILE} if name in ("scale", "reduce") else {"data": "iris"} if name == "pair" else {"combine": "sum"}
    base |= {**learner_with(name), **({"stream": "on"} if name == "moves" else {})}
    base |= where_it_applies(name) if name.startswith("negated") else {}
    for value in ("nonsense", "", "GAUSSIAN", 3, None):
        made, problems = Settings.repaired({**base, name: value})
        usual = Settings.of(**{key: kept for key, kept in base.items() if key != name})
        assert made == usual
        assert [problem.startswith(f"{name}=") for problem in problems] == [True]


# ---- what a person writes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "name", "text", "why"),
    [
        ({"data": BOOLEAN}, "function", "x1 &", "At character 5: a bit, such as x1, is missing"),
        ({"data": BOOLEAN}, "function", "x9", "At character 1: x9 is not one of the 8 bits: they are x1 to x8"),
        ({"kernel": "formula"}, "formula", "dot(u,", "At character"),
        ({"combine": "sum", "kernel2": "formula"}, "formula2", "u.__class__", "At character"),
        ({"data": "texts"}, "added", "goal", "begins with 'g': it must begin with its class"),
        ({"data": "texts"}, "added", "+…", "holds no word"),
        ({"data": "trees"}, "added", "+(S you", "is not a tree: at its end 1 bracket is still open"),
        ({"data": "graphs"}, "ask", "CCO 1-9", "is not a graph: edge 1-9 leads to no vertex"),
    ],
)
def test_a_text_that_cannot_be_read_becomes_the_usual_and_the_notice_says_what_is_wrong(given, name, text, why):
    made, (problem,) = Settings.repaired({**given, name: text})
    assert made == Settings.of(**given)
    assert problem.startswith(f"{name}=")
    assert f" cannot be read: {why}" in problem or why in problem.partition(" cannot be read: ")[2]
    _, notice = from_query({**given, name: text})
    assert notice.endswith(f"{problem}.")
    assert "\n" not in notice


@pytest.mark.parametrize(
    "text",
    ["[a](http://b.example)", "`ls`", "<b>x</b>", "**x**", "__class__", "$x^2$", "\\", ":material/delete:"],
)
def test_a_notice_quotes_what_a_stranger_wrote_as_it_is(text):
    places = ({"data": "graphs", "ask": text}, {"data": "graphs", "added": f"+CC {text}"},
              {"data": BOOLEAN, "function": text}, {"kernel": "formula", "formula": text})  # fmt: skip
    for pairs in places:
        made, notice = from_query(pairs)
        assert made == Settings.of(**{name: value for name, value in pairs.items() if name in ("data", "kernel")})
        assert "cannot be read" in notice
        assert text[:15] in notice


@pytest.mark.parametrize(
    ("given", "name", "texts"),
    [
        ({"data": BOOLEAN}, "function", ("x1 x2' + x3", "X1 & !X2 | x3", " x1 and not x2 or x3 | x1¬x2")),
        ({"data": BOOLEAN}, "function", ("parity", " parity ")),
        ({"kernel": "formula"}, "formula", ("dot(u,v)+1", "dot(u, v)  +  1", "(dot(u, v)) + 1")),
        ({"data": "texts"}, "added", ("+Two goals!; -boil the rice", "+two goals;−boil the  rice;")),
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
    for text, fewest in (("x1", 2), ("x5 & x1", 5), ("x8", 8), ("true", 2), ("multiplexer", 3), ("parity", 2)):
        made, (problem,) = Settings.repaired({"data": BOOLEAN, "function": text, "bits": 1})
        assert (made.function, made.bits) == (text.replace("x5 & x1", "x1 & x5"), fewest)
        assert problem == f"bits=1 is outside {fewest} to 8"
        assert Settings.of(data=BOOLEAN, function=text).bits == max(4, fewest)


def test_the_negated_literals_are_the_usual_ones_of_bits_only_and_words_are_normalized():
    assert Settings.of(data=BOOLEAN).negated == "on"
    assert Settings.of(kernel="subsets").negated == "off"
    assert Settings.of(data=BOOLEAN, combine="sum", kernel2="subsets").negated2 == "on"
    assert Settings.of(data="texts").normalize == "on"
    assert Settings.of(data="texts", kernel="spectrum").normalize == "off"


def test_a_part_of_an_example_is_no_number_of_examples():
    made, problems = Settings.repaired({"n": "59.5"})
    assert made.n == 60
    assert problems == ["n=59.5 is not a whole number"]


def test_two_features_that_are_one_are_told_apart_and_said_to_be():
    made, problems = Settings.repaired({"data": "iris", "x": "1", "y": "1"})
    assert made.x != made.y
    assert len(problems) == 1
    for x in range(4):
        made, problems = Settings.repaired({"data": "iris", "x": x})
        assert made.x == x != made.y
        assert problems == []


def test_values_that_do_not_apply_are_left_out_without_a_word():
    assert from_query("v=1&kernel=linear&sigma=3&coef0=2") == (Settings.of(kernel="linear"), None)


def test_the_players_own_keys_are_not_settings():
    assert from_query("v=1&t=12&show=alpha.code") == (USUAL, None)


def test_values_are_read_as_attributes():
    assert USUAL.kernel == "gaussian"
    with pytest.raises(AttributeError, match="no setting 'nonsense'"):
        _ = USUAL.nonsense


def test_a_value_without_a_name_is_called_one():
    _, notice = from_query("v=1&=4")
    assert notice.endswith(": a value without a name is not a setting.")
