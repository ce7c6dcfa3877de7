"""What a student reads where a condition does not hold: the words of the board, not the names of the language."""

from __future__ import annotations

import re

import pytest
from covering import in_turn

from kpviz.lessons.file import format
from kpviz.lessons.file.names import FUNCTIONS, NAMES

RUNS = (
    "v=1&data=xor&n=30&held=0.2&epochs=2",
    "v=1&data=texts",
    "v=1&data=moons&n=20&learner=norma",
    "v=1&data=xor&n=8&noise=0&combine=sum&kernel2=polynomial",
)


def task(kind, lines):
    text = f"---\ntitle: T\n---\n## S\nlink: v=1\n```task {kind}\nask: A\n{lines}\n```"
    return format.read(text).scenes[0].tasks[0]


def refused(until, link=RUNS[0]):
    """What a student reads of a condition that does not hold."""
    reach = f"within: sigma 0.1 to 3\nuntil: {until}\nsolution: {link}\nstart: {link}"
    return task("reach", reach).check({"link": link}).why


@in_turn([(one,) for one in NAMES])
def test_a_refusal_says_what_a_condition_names_in_the_words_of_the_board(name):
    found = NAMES[name]
    word = f"{{}} == {found.choices[0]} and {{}} != {found.choices[0]}" if found.choices else ""
    until = {"number": "{} < 0 and {} > 1", "truth": "{} and not {}", "word": word}[found.kind]
    for link in RUNS:
        for part in (name, f"first.{name}") if found.kind != "word" else (name,):
            said = refused(until.format(part, part), link)
            assert "=" not in said
            assert "_" not in said
            assert said.endswith(".")
            if said.startswith("It does not hold yet: "):
                called = [found.called or found.words, *filter(None, [found.not_called])]
                words = " ".join(called)
                assert any(said.startswith(f"It does not hold yet: {each}") for each in called)
                assert said.endswith(" at the start.") == (part != name)
                assert name in re.findall(r"\w+", words) or name not in re.findall(r"\w+", said)


CALLED = {
    "f(0.5, -1)": "f(0.50, −1) is ",
    "score(3)": "f(x₃) is ",
    "margin(3)": "margin of x₃ is ",
    "alpha(3)": "α of x₃ is ",
} | {
    "label(3)": "y of x₃ is ",
    "k(3, 4)": "k(x₃, x₄) is ",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_refusal_says_what_a_function_is_of_as_the_board_does(name):
    (call,) = (each for each in CALLED if each.startswith(f"{name}("))
    assert refused(f"{call} < 0 and {call} > 0").startswith(f"It does not hold yet: {CALLED[call]}")
    assert refused(f"first.{call} < 0 and {call} > 0").count(CALLED[call]) == 2


def test_a_refusal_of_a_condition_without_names_is_a_sentence():
    assert refused("1 < 0") == "It does not hold yet."
