"""A lesson beside the board: what tests do with it, a text with tasks of all kinds, and how a
student answers.
"""

import numpy as np

from kpviz import experiment
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
FIELDS = """[...r.querySelectorAll(".lesson form")[arg].querySelectorAll("input, textarea")].map((each) =>
  each.type === "radio" ? each.checked : each.value)"""
ARRIVED = "s.lesson?.open && !s.lesson.arriving"


class Lesson:
    """The lesson that is open in a player."""

    def __init__(self, player):
        self.player = player

    def read(self, text):
        self.player.js("s.lesson.read({ text: arg })", text)
        self.player.until("s.lesson.source?.text === arg", text)
        return self.arrive()

    def named(self, name, scene=None):
        """Open a lesson by its name, as a link does."""
        self.player.open(f"/?lesson={name}" + (f"&scene={scene}" if scene is not None else ""))
        return self.arrive()

    def arrive(self):
        self.player.until(ARRIVED).settle()
        return self

    def arrive_at(self, heading):
        """Wait for a scene, on a page that may just be loaded."""
        self.player.page.locator(".lesson h3", has_text=heading).wait_for(state="attached")
        self.player.ready()
        return self.arrive()

    def go(self, at):
        self.player.js("s.lesson.go(arg)", at)
        return self.arrive()

    def close(self):
        self.player.js("(s.lesson.close(), 0)")
        return self

    def reload(self):
        self.player.reload()
        return self.arrive()

    @property
    def at(self):
        return self.player.js("s.lesson.at")

    @property
    def is_open(self):
        return self.player.js("s.lesson.open")

    @property
    def heading(self):
        return self.player.page.locator(".lesson h3").first.inner_text()

    @property
    def over(self):
        """Of each task of the scene whether it is over."""
        return self.player.js("s.lesson.forms.map((form) => form.isOver)")

    @property
    def tries(self):
        """Of each task of the scene how often it was tried."""
        return self.player.js("s.lesson.forms.map((form) => form.done.tries)")

    def until_tried(self, k, times=1):
        self.player.until("s.lesson.forms[arg[0]].done.tries === arg[1]", [k, times])
        return self

    def until_over(self, k):
        self.player.until("s.lesson.forms[arg].isOver", k)
        return self

    def way(self, words):
        return self.player.page.locator(".lesson > .ways button", has_text=words)

    def form(self, k):
        return self.player.page.locator(".lesson form").nth(k)

    def said(self, k):
        return self.form(k).locator(".verdict").inner_text()

    def check(self, k):
        self.form(k).locator("button[type=submit]").click()
        self.player.until(
            "![...r.querySelectorAll('.lesson form .verdict')].some((e) => e.textContent === '…')"
        )
        return self.said(k)

    def write(self, k, value):
        """Write into the field of a task, and check it."""
        self.form(k).locator("input").fill(str(value))
        return self.check(k)

    def fields(self, k):
        """What stands in the fields of a task."""
        return self.player.js(FIELDS, k)

    def start(self, k):
        """Show where a task starts."""
        self.form(k).get_by_role("button", name="Show this task’s run").click()
        self.player.settle()
        return self

    def focus(self):
        self.player.js("(s.lesson.body.focus(), 0)")
        return self

    def save(self, name="Ada L."):
        """The name and the path of the results that are saved."""
        self.player.page.get_by_label("Your name").fill(name)
        with self.player.page.expect_download() as download:
            self.player.page.get_by_role("button", name="Save my results").click()
        return download.value.suggested_filename, download.value.path()

    def answer(self, k, task, tried=0):
        """Answer as a student does, with what is right."""
        player, here, found = self.player, self.form(k), task.solve(tried).answer
        if here.get_by_role("button", name="Show this task’s run").is_visible():
            self.start(k)
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
                said = self.put(k, number, step)
                assert said.startswith("Right so far") == (number + 1 < len(found["steps"])), said
            return said
        return self.check(k)

    def put(self, k, number, step, *, verdict=None, changes=None):
        """Fill in a step of a performance, and check it."""
        row = self.form(k).locator("fieldset").nth(number)
        row.locator(f"input[value={verdict or step['verdict']}]").check()
        bricks = [
            *(f"x{i} {gain:+g}" for i, gain in step["bricks"]),
            *(f"b {b:+g}" for b in [step.get("b")] if b),
        ]
        row.locator("input[type=text]").fill(", ".join(bricks) if changes is None else changes)
        return self.check(k)


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
    player.press("Shift+E").until("!s.standing.edit.on").rest()
