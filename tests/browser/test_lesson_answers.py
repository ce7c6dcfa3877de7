"""What is judged is what was typed: nothing on its way is overtaken, no try is lost, the file that
is saved agrees.
"""

import pytest
from answering import Lesson

from kpviz.lessons import grading, results
from kpviz.lessons.file import format

TEXT = """---
title: Answers
---
## First
link: v=1&data=xor&n=16&noise=0&sigma=3

```task reach
ask: A narrower hill.
within: sigma 0.1 to 3
until: sigma < 0.5 and training_error == 0
solution: v=1&data=xor&n=16&noise=0&sigma=0.4
```

```task explain
ask: Why?
```

```task number
ask: How many mistakes?
value: mistakes
start: v=1&data=xor&n=16&noise=0
```

```task number
ask: What is k(x₀, x₁), about?
value: exp(-0.5)
start: v=1&data=xor&n=16&noise=0
```
"""


@pytest.fixture
def opened(player):
    player.anew("/?v=1")
    return Lesson(player).read(TEXT)


def notes_of(opened):
    """What contradicts itself in the file that a student saves now, and of each task whether it is
    right.
    """
    _, path = opened.save()
    grade = grading.grade(results.read(path.read_bytes()), format.read(TEXT))
    return grade.notes, {place: mark.right for place, mark in grade.marks.items()}


def start(player, opened):
    player.until("s.session.state.link.includes('sigma=3')").settle()
    return opened.setting(0)


@pytest.mark.parametrize("way", ["Enter", "Check", "slider"])
def test_what_was_typed_or_turned_is_judged_although_its_run_is_still_to_come(player, opened, way):
    typed = start(player, opened)
    if way == "slider":
        opened.slider(0).focus()
        player.page.keyboard.press("Home")  # 0.1
    else:
        typed.fill("0,4")
    if way == "Enter":
        typed.press("Enter")
    else:
        opened.check_button(0).click()
    opened.until_tried(0).until_checked()
    assert opened.said(0).startswith("It holds"), opened.said(0)
    assert opened.tries[0] == 1
    assert notes_of(opened) == ((), {(0, 0): True})


def test_what_cannot_be_set_is_said_and_costs_no_try(player, opened):
    typed = start(player, opened)
    for text, why in (("abc", "Write a number"), ("5", "Here it goes from 0.1 to 3.")):
        typed.fill(text)
        typed.press("Enter")
        player.settle()
        assert opened.said(0).startswith(why)
        assert "sigma=3" in player.query
        assert opened.tries[0] == 0
    typed.fill("√2/4")
    typed.press("Enter")
    opened.until_tried(0).until_over(0)
    assert notes_of(opened) == ((), {(0, 0): True})


def test_words_of_ones_own_leave_the_board_as_it_is(player, opened):
    typed = start(player, opened)
    typed.fill("0.4")
    typed.press("Enter")
    opened.until_over(0)
    player.settle()
    opened.write(1, "It is narrow.")
    player.settle()
    assert "sigma=0.4" in player.query
    assert notes_of(opened)[0] == ()


def test_a_wrong_number_leaves_the_board_where_it_is_and_a_right_one_plays_what_it_is_about(
    player, opened
):
    task = format.read(TEXT).scenes[0].tasks[2]
    value = task.solve().answer["number"]
    opened.field(2).fill(f"{value + 7:g}")
    opened.field(2).press("Enter")  # while the run of the task is on its way
    opened.until_tried(2)
    player.settle()
    assert opened.said(2).startswith("Too large")
    assert "sigma" not in player.query
    assert player.rest().t == 0
    opened.write(2, f"{value:g}")
    player.settle()
    assert player.rest().t == player.js("s.run.nSteps")
    player.press("Home").settle()
    assert opened.write(3, "0.61").startswith("0.61 is right to two digits: give three.")
    assert opened.tries[3] == 0
    assert opened.write(3, "e^(-1/2)").startswith("e^(−1/2) is right.")
    assert player.rest().t == 0  # it is about no step
    assert notes_of(opened) == ((), {(0, 2): True, (0, 3): True})
