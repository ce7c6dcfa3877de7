"""A lesson with tasks of all kinds, and how a student answers them."""

import numpy as np

from kpviz import experiment
from kpviz.lessons.file import tasks
from kpviz.lessons.file.links import Link

TEXT = """---
title: All kinds
minutes: 5
objectives:
- try each
---
## First
link: v=1&data=xor&n=16&noise=0

Words in **bold**, `code`, and a [link](?v=1&data=moons).

```cues
start: Look here.
mistake 2: And here.
```

```task predict
ask: The first two?
count: 2
```

```task number
ask: How many mistakes at the end, [not of another seed](?v=1&data=xor&n=16&noise=0&seed=3)?
value: mistakes
hint: Count the ticks.
hint: There are fewer than ten.
why: Each tick is one.
tries: 2
```

## Second
link: v=1&data=xor&n=16&noise=0&t=6

```task click
ask: The support examples?
what: support
```

```task perform
ask: Two steps.
start: v=1&data=xor&n=16&noise=0
count: 2
```

```task choose
ask: What is true?
choice: It ends.
choice: It goes on for ever.
answer: A
```

## Third
link: v=1&data=xor&kernel=linear

```task reach
ask: No mistake at the end.
within: kernel, sigma 0.1 to 3
until: training_error == 0
solution: v=1&data=xor&sigma=0.5
```

```task explain
ask: Why?
```
"""


def form(player, k):
    return player.page.locator(".lesson form").nth(k)


def check(player, k):
    form(player, k).locator("button[type=submit]").click()
    player.until("![...r.querySelectorAll('.lesson form .verdict')].some((e) => e.textContent === '…')")
    return form(player, k).locator(".verdict").inner_text()


def draw(player, link):
    """Add the points of a link that are not there, by the mouse: the others of blue with Shift."""
    there, wanted = player.drawn, experiment.prepare(Link.read(link).settings)
    player.edit()
    for point, label in zip(wanted.X, wanted.y, strict=True):
        if not (np.abs(there.X - point) < 1e-9).all(axis=1).any():
            place = player.at(*player.js("[s.view.x(arg[0]), s.view.y(arg[1])]", point.tolist()))
            player.page.keyboard.down("Shift") if label < 0 else None
            player.page.mouse.click(*place)
            player.page.keyboard.up("Shift")
            player.settle()
    player.press("Shift+E").until("!s.editing.on").rest()


def answer(player, k, task, tried=0):
    """Answer as a student does, with what is right."""
    found = tasks.solve(task, tried).answer
    here = form(player, k)
    if here.get_by_role("button", name="Show its start").is_visible():
        here.get_by_role("button", name="Show its start").click()
        player.settle()
    if task.kind == "predict":
        for step, verdict in enumerate(found["verdicts"]):
            here.locator("fieldset").nth(step).locator(f"input[value={verdict}]").check()
    elif task.kind == "number":
        here.locator("input").fill(repr(found["number"]))
    elif task.kind == "click":
        for i in found["examples"]:
            player.click(*player.spots()[i])
    elif task.kind == "choose":
        for number in found["choices"]:
            here.locator("input").nth(number).check()
    elif task.kind == "draw" and "points=" in found["link"]:
        draw(player, found["link"])
    elif task.kind in ("reach", "draw"):
        player.js("s.session.command('replace', { link: arg, origin: null })", found["link"])
        player.settle()
    elif task.kind == "explain":
        here.locator("textarea").fill("No line has both corners on one side.")
    elif task.kind == "perform":
        for number, step in enumerate(found["steps"]):
            row = here.locator("fieldset").nth(number)
            row.locator(f"input[value={step['verdict']}]").check()
            changes = [
                *(f"x{i} {gain:+g}" for i, gain in step["bricks"]),
                *([f"b {step['b']:+g}"] if "b" in step else []),
            ]
            row.locator("input[type=text]").fill(", ".join(changes))
            said = check(player, k)
            assert said.startswith("Right so far") == (number + 1 < len(found["steps"])), said
        return said
    return check(player, k)
