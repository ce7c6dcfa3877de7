"""The popover of data that are no points: every widget does what it says, and what is wrong gets one sentence."""

from itertools import permutations

import pytest
from playing import header, of_page, ran
from playing import opened as opened_with

from kpviz import experiment
from kpviz.app.session import Session
from kpviz.app.widgets import plain
from kpviz.engine.data import boolean
from kpviz.engine.data.objects import OBJECTS
from kpviz.lessons.comparison import Pin
from kpviz.settings import Settings

NEW = {
    "texts": ("The Keeper, cuts onions!", "the keeper cuts onions"),
    "trees": ("( S (W  who) (VP (V ran)))", "(S (W who) (VP (V ran)))"),
    "graphs": ("CCON 4-3 3-2 1-2", "CCON 1-2 2-3 3-4"),
}
WRONG = {
    "texts": [("…", "holds no word"), ("", "There is nothing to add yet"), ("word " * 50, "at most 200")],
    "trees": [
        ("(S (NP you)", "still open"),
        ("(S you) (S I)", "complete already"),
        (" ", "There is nothing to add yet"),
    ],
    "graphs": [("CC 1-3", "leads to no vertex"), ("1-2", "first come its labels"), ("CC 1-2 2-1", "is there twice")],
}


def opened(**query):
    return opened_with("data", **query)


def chip(at):
    return at.get("popover")[0].proto.popover.label


def one_sentence(at):
    (error,) = [each.value for each in at.error]
    assert error.endswith(".")
    assert "\n" not in error
    return error


def clicked(at, key):
    at.button(key=key).click()
    return ran(at)


def typed(at, key, text):
    at.text_input(key=key).set_value(text)
    return ran(at)


# ---- Boolean functions ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", boolean.PRESETS)
def test_a_pill_chooses_its_function(name):
    at = opened(data="bits", function="x1 | x2", bits="6")
    at.button_group(key="bits-preset").set_value(name)
    ran(at)
    assert of_page(at) == Settings.of(data="bits", function=name, bits=6)
    assert chip(at) == f"{boolean.PRESETS[name].title}, 6 bits · in order"
    assert at.button_group(key="bits-preset").value == name
    assert at.text_input(key="bits-function").value == ""
    terms = len(boolean.PRESETS[name].make(6).terms)
    (caption_text,) = [each.value for each in at.caption if each.value.startswith("l = ")]
    assert f"l = {terms} term" in caption_text
    assert f"= {64 * (4 * terms + 1):,} mistakes" in caption_text


def test_a_function_that_is_typed_takes_the_place_of_the_preset_and_needs_its_bits():
    at = typed(opened(data="bits"), "bits-function", "x1x2' + x6")
    assert of_page(at) == Settings.of(data="bits", function="x1 & !x2 | x6")
    assert of_page(at).bits == 6
    assert at.text_input(key="bits-function").value == "x1 & !x2 | x6"
    assert at.button_group(key="bits-preset").value is None
    assert at.slider(key="set-bits").min == 6
    assert chip(at) == f"{plain('x1 & !x2 | x6')}, 6 bits · in order"
    at.slider(key="set-bits").set_value(8)
    assert of_page(ran(at)).bits == 8
    assert header(at)["n"] == 256


def test_a_function_of_all_the_bits_leaves_nothing_to_choose():
    at = typed(opened(data="bits"), "bits-function", "x8 & x1")
    assert of_page(at) == Settings.of(data="bits", function="x1 & x8")
    assert [slider.key for slider in at.slider] == ["set-held"]
    assert header(at)["n"] == 256


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x1 &", "At character 5: a bit is missing here, such as x1."),
        ("x9", "At character 1: x9 is not one of the 8 bits: they are x1 to x8."),
        ("x1 & !x1", "never true together"),
        ("!(x1 & x2)", "only a single bit can be negated"),
        ("import os", "is not understood"),
        ("|".join(f"x{a}x{b}'x{c}" for a, b, c in permutations(range(1, 9), 3))[:799], "at most 1,000"),
    ],
)
def test_a_wrong_function_gets_one_sentence_and_nothing_is_lost(text, why):
    at = opened(data="bits", function="parity", bits="3")
    before = of_page(at)
    typed(at, "bits-function", text)
    assert plain(why) in one_sentence(at)
    assert of_page(at) == before
    assert at.text_input(key="bits-function").value == text  # to be put right
    assert plain(why) in one_sentence(ran(at))
    typed(at, "bits-function", "x1 | x2")
    assert of_page(at) == before.replace(function="x1 | x2")
    assert not at.error


def test_a_wrong_function_is_forgotten_with_its_data():
    at = typed(opened(data="bits"), "bits-function", "x1 &")
    assert len(at.error) == 1
    clicked(at, "tile-data-texts")
    assert not at.error
    clicked(at, "tile-data-bits")
    assert not at.error
    assert at.text_input(key="bits-function").value == ""


def test_a_shuffled_table_says_its_seed():
    at = opened(data="bits", seed="3", held="0.25")
    assert chip(at) == "Three terms, 4 bits, 25% held out · seed 3"


# ---- texts, trees and graphs ----------------------------------------------------------------------


@pytest.mark.parametrize("data", NEW)
def test_what_is_asked_about_is_written_in_its_canonical_form_and_sent(data):
    text, canonical = NEW[data]
    at = typed(opened(data=data), "objects-ask", text)
    assert of_page(at) == Settings.of(data=data, ask=canonical)
    assert at.text_input(key="objects-ask").value == canonical
    assert header(at)["extras"]["remembered"]["asked"] == canonical
    typed(at, "objects-ask", "  ")
    assert of_page(at) == Settings.of(data=data)
    assert header(at)["extras"]["remembered"]["asked"] == ""


@pytest.mark.parametrize("data", NEW)
@pytest.mark.parametrize("positive", [True, False])
def test_an_added_example_has_the_chosen_class_and_can_be_taken_away(data, positive):
    text, canonical = NEW[data]
    negative_name, positive_name = OBJECTS[data].classes
    at = opened(data=data)
    before, n = of_page(at), header(at)["n"]
    assert at.selectbox(key="objects-class").options == [f"+{positive_name}", f"−{negative_name}"]
    at.selectbox(key="objects-class").set_value(f"+{positive_name}" if positive else f"−{negative_name}")
    typed(at, "objects-new", text)
    clicked(at, "objects-add")
    assert of_page(at) == before.replace(added=("+" if positive else "-") + canonical)
    assert header(at)["n"] == n + 1
    split = experiment.prepare(of_page(at))
    assert (split.X[-1], split.y[-1]) == (canonical, 1.0 if positive else -1.0)
    assert chip(at) == f"{OBJECTS[data].title} + 1 of mine · seed 0"
    assert at.text_input(key="objects-new").value == ""
    shown = f"**{positive_name if positive else negative_name}** · `{canonical}`"
    assert shown in [each.value for each in at.markdown]
    clicked(at, "objects-away-0")
    assert of_page(at) == before
    assert header(at)["n"] == n


@pytest.mark.parametrize("data", NEW)
def test_several_are_kept_in_their_order_and_one_in_the_middle_can_be_taken_away(data):
    at, canonical = opened(data=data), NEW[data][1]
    others, _ = OBJECTS[data].examples()
    for text in (others[0], canonical, others[1]):
        typed(at, "objects-new", text)
        clicked(at, "objects-add")
    assert of_page(at).added == f"+{others[0]};+{canonical};+{others[1]}"
    clicked(at, "objects-away-1")
    assert of_page(at).added == f"+{others[0]};+{others[1]}"
    assert chip(at) == f"{OBJECTS[data].title} + 2 of mine · seed 0"


@pytest.mark.parametrize(("data", "text", "why"), [(data, *pair) for data, wrong in WRONG.items() for pair in wrong])
def test_a_wrong_example_gets_one_sentence_and_nothing_is_lost(data, text, why):
    at = opened(data=data, added=f"+{NEW[data][1]}", ask=NEW[data][1])
    before = of_page(at)
    typed(at, "objects-new", text)
    clicked(at, "objects-add")
    assert plain(why) in one_sentence(at)
    assert of_page(at) == before
    assert at.text_input(key="objects-new").value == text
    if not text.strip():
        return  # asking about nothing is no mistake
    at = opened(data=data, added=f"+{NEW[data][1]}", ask=NEW[data][1])
    typed(at, "objects-ask", text)
    assert plain(why) in one_sentence(at)
    assert of_page(at) == before
    assert at.text_input(key="objects-ask").value == text  # to be put right
    typed(at, "objects-ask", NEW[data][0])
    assert not at.error
    assert of_page(at) == before


def test_what_is_wrong_with_one_example_is_not_said_of_other_data():
    at = typed(opened(data="trees"), "objects-ask", "(S")
    assert len(at.error) == 1
    clicked(at, "tile-data-graphs")
    assert not at.error
    assert at.text_input(key="objects-ask").value == ""


def test_no_more_than_forty_can_be_added():
    at = opened(data="texts", added=";".join(f"+word{i}" for i in range(40)))
    assert chip(at) == "Sentences + 40 of mine · seed 0"
    before = of_page(at)
    typed(at, "objects-new", "one more")
    clicked(at, "objects-add")
    assert "at most 40" in one_sentence(at)
    assert of_page(at) == before


@pytest.mark.parametrize("text", ["(a" + "(b c)" * 38 + ")", "(" * 41 + "a" + " b)" * 41])
def test_what_a_link_could_not_hold_is_refused_at_once(text):
    at = opened(data="trees")
    typed(at, "objects-new", text)
    clicked(at, "objects-add")
    one_sentence(at)
    assert of_page(at).added == ""


@pytest.mark.parametrize("text", ["`ls` **x** [a](b) <b>", "x; - y"])
def test_signs_of_markdown_and_of_the_line_do_no_harm(text):
    at = opened(data="texts")
    typed(at, "objects-new", text)
    clicked(at, "objects-add")
    written = {"x; - y": "x y"}.get(text, "ls x a b b")  # one example, of the chosen class
    assert of_page(at).added == f"+{written}"
    assert experiment.prepare(of_page(at)).X[-1] == written


def test_pins_of_texts_go_when_points_come():
    texts, points = Settings.of(data="texts"), Settings.of(data="xor")
    session = Session(texts, pins=(Pin.of(texts.replace(kernel="spectrum")),))
    session.put(texts.replace(normalize="off"))
    assert len(session.pins) == 1
    session.put(points)
    assert session.pins == ()
