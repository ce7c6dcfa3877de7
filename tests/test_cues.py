"""Cues: what is written is read, what cannot be read is named by its line, and links hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.panels import LIT as PANELS
from kpviz.settings import Settings, from_query
from kpviz.settings.cues import Cue, Cues, Places, reading_time

LECTURE = """\
title: XOR with a Gaussian kernel
by: A. Lecturer

# place, how long, what lights up: the words
start hold 4: No straight line separates these.
mistake 3 hold 2.5s light x12, margins: Look where the boundary goes: there.
    Ask first: which side will it be on?
    Then press on.
Epoch 02 speed 8 light map
end
"""
LINES = st.text(max_size=30) | st.text("a|¦>#: \n", max_size=12)
CUES = st.builds(
    lambda place, words, hold, speed, light, notes: {
        "place": place, "words": words, "hold": hold, "speed": speed, "light": light, "notes": notes
    },
    st.sampled_from(["start", "end", "12", "mistake 3", "epoch 2", "best", "angle 45", "angle 0.5"]),
    LINES,
    st.none() | st.floats(0, 600).map(lambda seconds: round(seconds, 2)),
    st.none() | st.floats(0.05, 50).map(lambda times: round(times, 2)),
    st.lists(st.sampled_from([*PANELS, "x0", "x12"]), unique=True),
    LINES,
)  # fmt: skip


def test_a_file_is_read():
    cues = Cues.read(LECTURE)
    assert (cues.title, cues.by) == ("XOR with a Gaussian kernel", "A. Lecturer")
    assert cues.cues == (
        Cue("start", "No straight line separates these.", 4.0),
        Cue(
            "mistake 3",
            "Look where the boundary goes: there.",
            2.5,
            ("x12", "margins"),
            "Ask first: which side will it be on? Then press on.",
        ),
        Cue("epoch 2", light=("map",), speed=8.0),
        Cue("end"),
    )
    assert cues.cues[1].examples == (12,)
    assert cues.cues[1].panels == ("margins",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("start\nsoon: now", "Line 2 of the cues cannot be read at 'soon'"),
        (
            "3 hold: x",
            "Line 1 of the cues says 'hold': hold takes 0 to 600 seconds, as in 'hold 4'.",
        ),
        ("3 hold -3: x", "Line 1 of the cues says 'hold -3': hold takes 0 to 600 seconds"),
        ("3 hold 100000: x", "Line 1 of the cues says 'hold 100000': hold takes 0 to 600 seconds"),
        (
            "start Look Here",
            "Line 1 of the cues cannot be read at 'Look Here': put a colon before the words.",
        ),
        (
            "Mistake 3, hold 4: x",
            "Line 1 of the cues cannot be read at 'Mistake 3, hold 4': write PLACE",
        ),
        ("3 light moon: x", "Line 1 of the cues lights 'moon'"),
        ("3 hold 1000: x", "Line 1 of the cues holds 1000 seconds"),
        (
            "3 speed: x",
            "Line 1 of the cues says 'speed': speed takes 0.05 to 50 times, as in 'hold 4 speed "
            "8'.",
        ),
        ("3 speed 8 hold 4: x", "Line 1 of the cues says 'hold 4': hold takes 0 to 600 seconds"),
        ("3 speed 0: x", "Line 1 of the cues has speed 0: give 0.05 to 50."),
        ("3 speed 51: x", "Line 1 of the cues has speed 51: give 0.05 to 50."),
        ("\n  a note", "Line 2 of the cues is a note"),
        ("mistake: x", "cannot be read at 'mistake'"),
        ("3: " + 401 * "x", "Line 1 of the cues is too long"),
        ("3\n" * 101, "There are 101 cues"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(text, expected):
    with pytest.raises(ValueError, match=r"\.$") as caught:
        Cues.read(text)
    assert expected in str(caught.value)


@given(st.lists(CUES, max_size=5), LINES, LINES)
def test_file_link_and_player_hold_the_same(cues, title, by):
    made = Cues.of({"title": title, "by": by, "cues": cues})
    assert Cues.of_code(made.code) == made
    assert Cues.read(made.text) == made
    assert Cues.of(made.plain) == made
    settings = Settings.of(cues=made.code)
    assert from_query(settings.query()) == (settings, None)
    assert settings.without_cues == Settings.of()


@given(st.lists(LINES, max_size=4))
def test_what_a_file_says_comes_back_from_a_link(words):
    lines = [
        " ".join("".join(ch if ch.isprintable() else " " for ch in line).split()) for line in words
    ]
    made = Cues.read("".join(f"12: {line}\n    {line}\n" for line in lines))
    sentences = [line.replace("¦", "|") for line in lines]
    assert [(cue.words, cue.notes) for cue in made.cues] == [(line, line) for line in sentences]
    assert Cues.of_code(made.code) == Cues.read(made.text) == made


def test_a_bar_in_a_file_is_one_of_its_words_and_in_a_link_a_line_s_end():
    made = Cues.read("title: |w|\nstart: The norm |w| grows.\n    Ask | wait.\nend")
    assert (made.title, made.cues[0].words, made.cues[0].notes) == (
        "|w|",
        "The norm |w| grows.",
        "Ask | wait.",
    )
    assert made.code == "title: ¦w¦|start: The norm ¦w¦ grows.|>Ask ¦ wait.|end"
    assert "The norm |w| grows." in made.text
    assert Cues.of_code(made.code) == made
    assert from_query(Settings.of(cues=made.code).query())[0].cues == made.code


@pytest.mark.parametrize(
    ("place", "t"),
    [("start", 0), ("end", 9), ("9", 9), ("10", None), ("mistake 2", 5), ("mistake 3", None), ("mistake 0", None),
     ("epoch 1", 6), ("epoch 2", 9), ("epoch 3", None)],
)  # fmt: skip
def test_places_are_instants_of_the_run(place, t):
    assert Places(9, [1, 5], [6, 9], 4).step(Cue(place)) == t


def test_a_cue_holds_as_long_as_reading_takes():
    assert Cue("1", "x" * 60).seconds() == reading_time("x" * 60) == 5.0
    assert Cue("1").seconds("x" * 30) == 3.0
    assert Cue("1", "x" * 60, 0.0).seconds() == 0.0


def test_a_link_with_nonsense_for_cues_opens_without_them_and_says_so():
    settings, notice = from_query("v=1&cues=nonsense&sigma=0.3")
    assert settings == Settings.of(sigma=0.3)
    assert "cues" in notice


def test_what_is_no_cue_is_refused():
    for value in (None, {}, {"cues": [1]}, {"cues": "x"}, {"cues": [{"place": []}]}):
        with pytest.raises(ValueError, match="cues"):
            Cues.of(value)


@pytest.mark.parametrize(
    "wrong",
    [{"light": 5}, {"light": "map"}, {"light": [5]}, {"light": ["x1: Other words."]}, {"light": ["x1\nend"]},
     {"hold": 10**400}, {"hold": True}, {"hold": float("inf")}, {"hold": float("nan")}, {"hold": "4"}, {"hold": -1},
     {"speed": 0}, {"speed": 51}, {"speed": True}, {"speed": float("nan")}, {"speed": "8"}],
    ids=lambda wrong: str(wrong)[:40],
)  # fmt: skip
def test_a_cue_of_wrong_data_is_refused_in_one_sentence(wrong):
    right = {"place": "end", "words": "Look.", "hold": 2, "light": ["x1"], "notes": ""}
    assert Cues.of({"cues": [right]}).code == "end hold 2 light x1: Look."
    with pytest.raises(ValueError, match=r"^[^.]*cues.*\.$"):
        Cues.of({"cues": [right | wrong]})


def test_a_step_may_be_called_so():
    assert Cues.read("step 012 hold 3: Look.") == Cues.read("12 hold 3: Look.")
