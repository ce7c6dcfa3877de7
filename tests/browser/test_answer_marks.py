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
RINGS = ("asked", "right", "wrong", "passed")


@pytest.fixture
def opened(player):
    player.anew("/?v=1")
    return Lesson(player).read(TEXT)


def rings(player):
    """The examples that have a ring, by what it says."""
    found = {name: [] for name in RINGS}
    for mark in player.rest().marks("map"):
        if mark.get("name") in found and "i" in mark:
            found[mark["name"]].append(mark["i"])
    return {name: sorted(examples) for name, examples in found.items() if examples}


def test_a_chosen_example_is_ringed_then_wrong_with_those_before_the_answer_and_not_it(
    player, opened
):
    assert rings(player) == {}
    opened.field(0).fill("15")
    assert rings(player) == {"asked": [15]}
    opened.check(0)
    assert rings(player) == {"wrong": [15], "passed": [4, 5]}
    opened.write(0, 5)
    assert rings(player) == {"wrong": [5], "passed": [4]}
    opened.write(0, 6)
    assert rings(player) == {"right": [6]}


def test_the_example_that_comes_is_ringed_and_each_that_was_predicted_has_its_verdict(
    player, opened
):
    opened.go(1)
    assert rings(player) == {"asked": [1]}
    opened.predict(0, ["correct"] * 3).check(0)
    assert player.t == 4
    assert rings(player) == {"right": [1, 2], "wrong": [3]}
