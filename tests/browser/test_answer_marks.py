"""What an answer to a task leaves on the map: rings at the examples that it is about."""

import pytest
from answering import Lesson

LINK = "v=1&data=moons&n=30&seed=8"
TEXT = f"""---
title: Marks
---
## Click
link: {LINK}&t=4

```task click
ask: Which example will be the next mistake?
start: {LINK}&t=4
what: next mistake
```

## Predict
link: {LINK}&t=1

```task predict
ask: Which are mistakes?
start: {LINK}&t=1
count: 3
```
"""
FOUR = "v=1&data=drawn&points=vohkvoecQYhkQYec.o&kernel=linear"
THREE = "v=1&data=drawn&points=n0n0vogAYMvo.w&kernel=linear"
FARTHER = "v=1&data=drawn&points=gAvon0vogAQYYMQY.w&kernel=linear"
TEXT += f"""
## Draw
link: {FOUR}

```task draw
ask: A bound of 2.
start: {FOUR}
within: points 4 to 4
until: bound <= 2
solution: {FARTHER}
```

## Number
link: {THREE}

```task number
ask: What is R²?
start: {THREE}
value: radius^2
slip radius: That is R.
```
"""


@pytest.fixture
def opened(player):
    player.anew("/?v=1")
    return Lesson(player).read(TEXT)


def test_a_chosen_example_is_ringed_then_wrong_with_those_before_the_answer_and_not_it(
    player, opened
):
    assert opened.rings == {}
    opened.field(0).fill("15")
    assert opened.rings == {"asked": [15]}
    opened.check(0)
    assert opened.rings == {"wrong": [15], "passed": [4, 5]}
    opened.write(0, 5)
    assert opened.rings == {"wrong": [5], "passed": [4]}
    opened.write(0, 6)
    assert opened.rings == {"right": [6]}


def test_the_ring_is_at_the_example_that_is_asked_about_and_then_has_its_verdict(player, opened):
    opened.go(1)
    assert opened.rings == {"asked": [1]}
    opened.predict(0, ["mistake"])
    assert opened.rings == {"wrong": [1]}
    for number, (verdict, was) in enumerate([("correct", "right"), ("correct", "wrong")]):
        opened.go_on()
        assert opened.rings == {"asked": [2 + number]}
        opened.predict(0, [verdict])
        assert opened.rings == {was: [2 + number]}
    opened.until_tried(0)
    assert player.t == 4
    # The first that went wrong is no longer what the question and the sentence are about.
    assert opened.rings == {"wrong": [3]}
    opened.reload()
    assert opened.rings == {"wrong": [3]}


def texts(player):
    return [mark["text"] for mark in player.rest().marks("map", name="figure")]


def test_while_one_draws_for_a_bound_the_circle_and_the_strip_follow_the_points(player, opened):
    opened.go(2)
    assert texts(player) == ["R = 1.005", "γ = 0.1"]
    (circle,) = player.marks("map", name="circle")
    assert circle["rx"] == pytest.approx(player.js("s.view.x(1.005) - s.view.x(0)"), rel=1e-3)
    player.js("s.session.command('replace', { link: arg, origin: null })", FARTHER)
    player.settle()
    assert texts(player) == ["R = 1.118", "γ = 1"]


def test_a_slip_is_drawn_as_what_it_is(player, opened):
    opened.go(3)
    assert texts(player) == []
    assert opened.write(0, "1.118").endswith("That is R.")
    assert texts(player) == ["0.5", "1", "R = 1.118"]
