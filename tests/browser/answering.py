"""A lesson beside the board: what tests do with it, a text with tasks of all kinds, and how a
student answers.

This is the only file of tests that knows where a task's fields and buttons are: all others say what
a student does.
"""

import re

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

```cues
start: Look here.
mistake 2: And here.
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
FIELDS = """(() => {
  const { fields, view } = s.lesson.tasks[arg];
  const written = [...view.element.querySelectorAll("input, textarea")];
  return "values" in fields ? fields.values() : written.map((each) => each.type === "radio" ? each.checked : each.value);
})()"""
CHECKED = "!s.lesson.tasks.some((task) => task.busy)"
RINGS = ("asked", "right", "wrong", "passed", "named")
MOST_STOPS = 20
VERDICTS = ["correct", "mistake"]  # In the order of their buttons.
ARRIVED = "s.lesson?.open && !s.lesson.arriving"
# On the stage: the scene, and the words that fill it, the question to the class, or the step.
ON_STAGE = """(() => {
  const { classVotes, slides } = s.present;
  const { at, on, state } = classVotes;
  const stands = () => (state.kind === "asked" && state.warned ? "warned" : state.kind);
  return [s.lesson.at, slides.full ? slides.sheet.textContent : on ? `${at} ${stands()}` : s.t];
})()"""
RESTS_ON_STAGE = """!s.clock.playing && !s.lesson.arriving
  && !(s.present.classVotes.on && s.present.classVotes.state.kind === "coming")"""


class Lesson:
    """The lesson that is open in a player, and a student who answers with the mouse."""

    windows = None  # Those in which it is looked at, None: as a test has it.
    has_focus = False  # What was pressed by a pointer gives the focus back.

    def __init__(self, player):
        self.player = player

    def hit(self, button):
        """Press a button, or what is like one."""
        button.click()

    def hit_radio(self, button):
        """Choose one of some radio buttons."""
        self.hit(button)

    def hit_map(self, x, y):
        """Press a place of the canvas."""
        self.player.click(x, y)

    def write_into(self, field, text):
        """Write what shall stand in a field."""
        field.fill(text)

    def read(self, text):
        self.player.js("s.lesson.read({ text: arg })", text)
        self.player.until("s.lesson.source?.text === arg", text)
        return self.arrive()

    def named(self, name, scene=None, page="play"):
        """Open a lesson by its name, as a link does, at a scene that a page shows."""
        link = f"/?lesson={name}" + (f"&scene={scene}" if scene is not None else "")
        if page == "play":
            self.player.open(link)
        else:
            self.player.page.goto(f"{self.player.base}{link}")
            self.player.page.wait_for_url(f"**/{page}?*lesson=*")
            self.player.ready()
        return self.arrive()

    def arrive(self):
        self.player.until(ARRIVED).settle()
        return self

    def arrive_at(self, heading):
        """Wait for a scene, on a page that may just be loaded."""
        self.frame.locator(".lesson h3", has_text=heading).wait_for(state="attached")
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
        return self.player.js("s.lesson.tasks.map((task) => task.isOver)")

    @property
    def tries(self):
        """Of each task of the scene how often it was tried."""
        return self.player.js("s.lesson.tasks.map((task) => task.done.tries)")

    def until_tried(self, k, times=1):
        self.player.until("s.lesson.tasks[arg[0]].done.tries === arg[1]", [k, times])
        return self

    def until_over(self, k):
        self.player.until("s.lesson.tasks[arg].isOver", k)
        return self

    def until_asked_ahead(self, k, asks=True):
        """Wait until the board keeps what comes to itself, or does so no more."""
        self.player.until("s.lesson.tasks[arg[0]].asksAhead === arg[1]", [k, asks])
        return self

    def until_performed(self, k, count):
        """Wait until so many steps are taken."""
        self.player.until("s.lesson.tasks[arg[0]].fields.stepsDone() >= arg[1]", [k, count])
        return self

    def until_locked(self, k):
        """Wait until no answer is taken any more."""
        self.player.until("s.lesson.tasks[arg].isLocked", k)
        return self

    def is_right(self, k):
        return self.player.js("s.lesson.tasks[arg].right === true", k)

    # ---- before a class ----------------------------------------------------------------------------

    @property
    def on_stage(self):
        """The scene, and the words that fill the stage, the question to the class, or the step."""
        return self.player.js(ON_STAGE)

    def clicked(self, keys):
        """Where one is on the stage after each of some keys of a clicker; what plays is not waited for."""
        seen = []
        for key in keys:
            self.player.press(key).pace(10_000).until(RESTS_ON_STAGE).settle()
            seen.append(self.on_stage)
        return seen

    # ---- on to the next scene, and back ----------------------------------------------------------

    def way(self, words):
        """A button that goes on, that goes on without an answer, or that goes back."""
        return self.frame.locator(".lesson :is(.ways, .goes-on) button:visible", has_text=words)

    def leads(self, k):
        """Whether one may go on from a task without skipping it."""
        self.task(k)
        return self.way("Skip").count() == 0

    def next(self):
        """On to the next scene, over what is left of this one."""
        return self.go_by(re.compile("^(Next|Next lesson|Skip)$"))

    def skip(self):
        return self.next()

    def end(self):
        """On to what stands after the last task of the scene."""
        self.player.js("(s.lesson.showTask(null), 0)")
        return self.arrive()

    def back(self):
        return self.go_by("Back")

    def go_on(self):
        """Press what goes on from an answer, or from a cue to the next one."""
        self.press_next()
        return self.arrive()

    def press_next(self):
        """The same, without waiting for what comes."""
        self.hit(self.frame.locator(".lesson .goes-on button.main:visible"))

    @property
    def cue(self):
        """Which cue it is, as 1/3; None: one does not go from cue to cue here."""
        return self.player.js("s.lesson.walk?.place ?? null")

    @property
    def sentence(self):
        """What the cue says."""
        return self.frame.locator(".lesson .walk .question").inner_text()

    def go_by(self, words):
        here = self.player.js("[s.lesson.lesson.title, s.lesson.at]")
        for _ in range(MOST_STOPS):
            self.way(words).first.click()
            self.player.settle()
            self.arrive()
            if self.player.js("[s.lesson.lesson.title, s.lesson.at]") != here:
                return self
        raise AssertionError("No other scene comes.")

    # ---- one task: `k` counts those of the scene from 0 ------------------------------------------

    @property
    def frame(self):
        """The page, or the frame of a page, that the lesson is in."""
        return getattr(self.player, "frame", self.player.page)

    def task(self, k):
        """Go to a task; its element."""
        self.player.js("(s.lesson.showTask(arg), 0)", k)
        self.arrive()
        return self.frame.locator(".lesson form")

    def button(self, k, name, **how):
        return self.task(k).get_by_role("button", name=name, **how)

    def check_button(self, k):
        return self.task(k).locator("button[type=submit]")

    def again_button(self, k):
        """With which one practises after the last try."""
        return self.button(k, re.compile("Try new points|Try again"))

    def filled(self, k):
        """The buttons that are seen and filled: what goes on."""
        buttons = self.task(k).locator("button.main").all()
        return [button.inner_text() for button in buttons if button.is_visible()]

    def next_thing(self, k):
        """What one presses next: what goes on, or begins again, or checks; else the first answer."""
        form = self.task(k)
        buttons = [
            form.get_by_role("button", name="Next", exact=True),
            self.again_button(k),
            form.locator("button[type=submit]"),
            form.locator(".answers button"),
        ]
        return next(button.first for button in buttons if button.first.is_visible())

    def try_again(self, k):
        """Begin another try, where a button does."""
        if self.again_button(k).is_visible():
            self.hit(self.again_button(k))
            self.arrive()
        return self

    def start_button(self, k):
        """With which one shows the run of a task that is not on the board."""
        self.task(k)
        shows = re.compile("Show this task’s run|Show where it stands")
        return self.frame.locator(".lesson .of-task").get_by_role("button", name=shows)

    def show_start(self, k):
        """Show where a task starts, unless that is shown."""
        if self.start_button(k).is_visible():
            self.start(k)

    def setting(self, k):
        """The field in which a setting of the task is written."""
        return self.task(k).get_by_role("textbox", name="as a number")

    def slider(self, k, name=None):
        return self.task(k).get_by_role("slider", name=name)

    def field(self, k):
        """What one writes into."""
        return self.task(k).locator("input[type=text], textarea").last

    def question(self, k):
        """What is asked now, in large words."""
        return self.task(k).locator(".question").inner_text()

    def choice(self, k, number):
        return self.task(k).locator(".answers.rows button, input[type=checkbox]").nth(number)

    def choose(self, k, numbers):
        """Say which are true: where one is, that is an answer, and else it is not checked."""
        answers = self.task(k).locator(".answers.rows button")
        if answers.count():
            for number in numbers:
                self.hit(answers.nth(number))
            return
        for number in range(self.task(k).locator("input[type=checkbox]").count()):
            if self.choice(k, number).is_checked() != (number in numbers):
                self.hit(self.choice(k, number))

    def steps(self, k):
        """What is asked one after the other, so far."""
        return self.task(k).locator("legend").all_inner_texts()

    def step_field(self, k, number):
        """Where the changes of a step are written."""
        return self.task(k).locator("fieldset").nth(number).locator("input[type=text]")

    def verdict_of_step(self, k, number, verdict):
        """What one presses for "mistake" or "correct"."""
        return self.task(k).locator("fieldset").nth(number).locator(f"input[value={verdict}]")

    def fields(self, k):
        """What stands in the fields of a task."""
        return self.player.js(FIELDS, k)

    def is_locked(self, k):
        return self.task(k).locator("input:enabled").count() == 0

    def said(self, k):
        """What was said of the last answer, without whether that was right."""
        before = self.verdict(k)
        words = self.task(k).locator(".verdict").inner_text()
        return words.removeprefix(before).strip()

    def verdict(self, k):
        """Whether the last answer was right, in words: "" where that is not said."""
        verdict = self.task(k).locator(".verdict").locator("b.was-right, b.was-wrong, b.was-shown")
        return verdict.inner_text() if verdict.count() else ""

    @property
    def rings(self):
        """The examples that have a ring on the map, by what it says."""
        examples = {name: [] for name in RINGS}
        if self.player.js("Boolean(s.run.fisher)"):
            return {}  # What is wrong there is marked by the threshold.
        for mark in self.player.rest().marks("map"):
            if mark.get("name") in examples and "i" in mark:
                examples[mark["name"]].append(mark["i"])
        return {name: sorted(those) for name, those in examples.items() if those}

    def told(self, k):
        """All that was said of the last answer, as it is heard."""
        return " ".join(self.task(k).locator(".verdict").inner_text().split())

    def seen(self, k):
        """What a reload must not change: what was answered and said, and what the map shows of it."""
        figures = [mark["text"] for mark in self.player.rest().marks("map", name="figure")]
        return {
            "tries": self.tries[k],
            "over": self.over[k],
            "told": self.told(k),
            "because": self.because(k),
            "hints": self.hints(k),
            "fields": self.fields(k),
            "rings": self.rings,
            "figures": [text for text in figures if text],
            "t": self.player.t,
        }

    def because(self, k):
        """The lines of the reason, none while there is none."""
        reason = self.task(k).locator(".because")
        return reason.inner_text().splitlines() if reason.is_visible() else []

    def goals(self, k):
        """What the board is and should be, while one changes it."""
        return self.task(k).locator(".goals p").all_inner_texts()

    def is_ready(self, k):
        """Whether what is there is worth checking: the button is filled."""
        return "main" in self.check_button(k).get_attribute("class").split()

    def hint(self, k):
        self.task(k)
        self.hint_button.click()
        return self

    @property
    def hint_button(self):
        return self.frame.locator(".lesson .of-task").get_by_role(
            "button", name=re.compile("Hint|hint")
        )

    def hints(self, k):
        return self.task(k).locator(".hints p").all_inner_texts()

    def check(self, k):
        if self.check_button(k).is_visible():
            self.hit(self.check_button(k))
        self.until_checked()
        return self.said(k)

    def until_checked(self):
        self.player.until(CHECKED)
        return self

    def write(self, k, value):
        """Write into the field of a task, and check it."""
        self.field(k).fill(str(value))
        return self.check(k)

    def predict(self, k, verdicts):
        """Say of each step that comes what it will be: the last answer is checked at once."""
        for number, verdict in enumerate(verdicts):
            if number:
                self.hit(self.task(k).get_by_role("button", name="Next", exact=True))
            self.hit(self.task(k).locator(".answers button").nth(VERDICTS.index(verdict)))
        return self

    def start(self, k):
        """Show where a task starts."""
        self.hit(self.start_button(k))
        self.player.settle()
        return self

    def focus(self):
        self.player.js("(s.lesson.body.focus(), 0)")
        return self

    def save(self, name="Ada L."):
        """The name and the path of the results that are saved."""
        self.end()
        self.player.page.get_by_label("Your name").fill(name)
        with self.player.page.expect_download() as download:
            self.player.page.get_by_role("button", name="Save my results").click()
        return download.value.suggested_filename, download.value.path()

    def answer(self, k, task, tried=0):
        """Answer as a student does, with what is right."""
        answer = task.solve(tried).answer
        if task.kind == "explain":
            answer = {"text": "No line has both corners on one side."}
        return self.give(k, task, answer)

    def give(self, k, task, answer):
        """Answer as a student does, with what may be right or wrong, and check it; what was said."""
        if task.kind == "perform":
            return self.perform(k, answer["steps"])
        self.fill_in(k, task, answer)
        return self.check(k)

    def perform(self, k, steps):
        """Take steps until one is wrong, or the last is right; what was said."""
        self.show_start(k)
        for number, step in enumerate(steps):
            said = self.put(k, number, step)
            if not said.startswith("Right so far"):
                break
        return said

    def fill_in(self, k, task, answer):
        """Give an answer that is not checked yet, unless it is one press."""
        self.show_start(k)
        if task.kind == "predict":
            self.predict(k, answer["verdicts"])
        elif task.kind == "number":
            self.write_into(self.field(k), repr(answer["number"]))
        elif task.kind == "click":
            self.choose_examples(k, answer["examples"])
        elif task.kind == "choose":
            self.choose(k, answer["choices"])
        elif task.kind == "draw" and adds_points(self.player, answer["link"]):
            self.draw(k, answer["link"])
        elif task.kind in ("reach", "draw"):
            self.set(k, answer["link"])
        elif task.kind == "explain":
            self.write_into(self.field(k), answer["text"])

    def choose_examples(self, k, examples):
        """Choose examples on the map, and no others."""
        self.field(k).fill("")
        for i in examples:
            self.hit_map(*self.player.spots()[i])

    def set(self, k, link):
        """Change the settings of the board to those of a link."""
        self.player.js("s.session.command('replace', { link: arg, origin: null })", link)
        self.player.settle()

    def draw(self, k, link):
        """Add the points of a link that are not there: the others of blue with Shift."""
        player = self.player
        player.edit()
        for point, label in missing_points(player, link):
            place = player.at(*spot_of(player, point))
            player.page.keyboard.down("Shift") if label < 0 else None
            player.page.mouse.click(*place)
            player.page.keyboard.up("Shift")
            player.settle()
        player.press("Shift+E").until("!s.standing.edit.on").rest()

    def put(self, k, number, step, *, verdict=None, changes=None):
        """Fill in a step of a performance, and check it."""
        self.hit_radio(self.verdict_of_step(k, number, verdict or step["verdict"]))
        bricks = [
            *(f"x{i} {gain:+g}" for i, gain in step["bricks"]),
            *(f"b {b:+g}" for b in [step.get("b")] if b),
        ]
        written = ", ".join(bricks) if changes is None else changes
        self.write_into(self.step_field(k, number), written)
        return self.check(k)


def adds_points(player, link):
    """Whether a link has drawn points, all those of the board and perhaps more."""
    if "points=" not in link:
        return False
    count = len(experiment.prepare(Link.read(link).settings).X)
    return count == player.drawn.n + len(list(missing_points(player, link)))


def missing_points(player, link):
    """The points of a link that are not on the board, each with its class."""
    there = player.drawn
    wanted = experiment.prepare(Link.read(link).settings)
    for point, label in zip(wanted.X, wanted.y, strict=True):
        if not (np.abs(there.X - point) < 1e-9).all(axis=1).any():
            yield point, label


def spot_of(player, point):
    """Where a point is, or would be, on the canvas."""
    return player.js("[s.view.x(arg[0]), s.view.y(arg[1])]", point.tolist())


def places_on_stage(scene, *wheres):
    """What `Lesson.on_stage` is, one after the other, within a scene."""
    return [[scene, where] for where in wheres]


def left_unvoted(task):
    """What a class sees of a question without votes: it is left at the second press."""
    return [f"{task} asked", f"{task} warned", f"{task} shown"]
