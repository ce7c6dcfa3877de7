"""What a handout says of tasks: words and no links, values that are right, no picture that is about
something else.
"""

import json

from kpviz.export.print.handout import Handout
from kpviz.lessons import shelf
from kpviz.lessons.file import format

TEXT = """---
title: On paper
---
## One
link: v=1&data=xor&n=8&noise=0

```task reach
ask: Find a width.
start: v=1&data=xor&n=8&noise=0&sigma=3
within: sigma 0.1 to 3
until: training_error == 0 and mistakes <= 25
solution: v=1&data=xor&n=8&noise=0&sigma=0.5
```

```task number
ask: What is e to the power of −2?
value: exp(-2)
```

```task number
ask: What is it, to four digits?
value: 0.1353
```

```task number
ask: What is k(x₀, x₁)?
value: k(0, 1)
```
"""


def tasks(solved):
    """The tasks of the sheet, each as a text of its nodes."""
    body = Handout(format.read(TEXT), solved=solved).sheet().body
    return [json.dumps(node, ensure_ascii=False) for node in body if node["kind"] == "task"]


def test_a_task_says_in_words_where_it_starts_what_may_change_and_what_is_wanted():
    reach, *_ = tasks(solved=False)
    assert "v=1" not in reach
    assert "training_error" not in reach
    for words in (
        "σ = 3. You may change: σ, from 0.1 to 3.",
        "Wanted: training error: 0%, mistakes: at most 25.",
    ):
        assert words in reach


def test_a_solution_is_the_value_that_is_right():
    reach, power, digits, _ = tasks(solved=True)
    assert "One solution: σ = 0.5." in reach
    assert "exp(−2) = 0.1353" in power
    assert "0.1353" in digits
    assert "0.14" not in digits


def test_a_number_has_a_picture_of_the_examples_only_where_it_is_about_them():
    assert ["picture-" in task for task in tasks(solved=False)[1:]] == [False, False, True]


def test_a_picture_of_runs_does_not_say_how_those_ended_that_a_task_is_about():
    body = json.dumps(
        Handout(shelf.read("lecture-2-dual-and-kernels")).sheet().body, ensure_ascii=False
    )
    start = body.index("What is saved, and what is not")
    scene = body[start : body.index("It has not converged", start)]
    assert "converged after" not in scene
    assert "Not converged" in scene  # of the others it does
