"""Lessons beside the board: opened by name or by drop, read scene by scene, each task answered as a student does."""

import json

import pytest
from answering import TEXT, answer, check, form
from test_lectures_presented import PRESENTED
from test_lesson_page import ON_A_PAGE
from test_student import CHOSEN

from kpviz.lessons import shelf
from kpviz.lessons.file import format, tasks


def opened(player, text=TEXT):
    player.open("/?v=1")
    player.js("s.lesson.read({ text: arg })", text)
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    return player


def test_each_kind_of_task_is_answered_and_the_way_goes_on_when_all_are_right(player):
    lesson = format.read(TEXT)
    opened(player)
    following = player.page.locator(".lesson > .ways button", has_text="Next")
    for at, scene in enumerate(lesson.scenes):
        player.until("s.lesson.at === arg", at)
        assert player.page.locator(".lesson h3").inner_text() == scene.heading
        for k, task in enumerate(scene.tasks):
            assert not following.is_visible() or at == 2
            answer(player, k, task)
            assert player.js("s.lesson.forms[arg].isOver", k), (scene.heading, task.kind)
        if at < 2:
            following.click()
            player.settle()
    with player.page.expect_download() as download:
        player.page.get_by_role("button", name="Save my results").click()
    results = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert download.value.suggested_filename == "All-kinds.results.json"
    assert [(each["scene"], each["task"], each["right"]) for each in results["tasks"]] == [
        (1, 1, True), (1, 2, True), (2, 1, True), (2, 2, True), (2, 3, True), (3, 1, True), (3, 2, None),
    ]  # fmt: skip
    for each in results["tasks"]:
        task = lesson.scenes[each["scene"] - 1].tasks[each["task"] - 1]
        assert tasks.check(task, each["answers"][-1]["answer"]).right == each["right"]


def test_a_link_in_what_is_asked_leads_there_on_this_stage(player):
    opened(player)
    form(player, 1).get_by_role("link", name="not of another seed").click()
    player.until("!s.lesson.arriving").settle()
    assert "seed=3" in player.query
    assert player.js("s.lesson.open && s.lesson.at") == 0


def test_hints_come_in_their_order_and_the_reason_after_the_last_try(player):
    opened(player)
    number = form(player, 1)
    hint = number.get_by_role("button", name="int")
    for k, words in enumerate(["Count the ticks.", "There are fewer than ten."], 1):
        hint.click()
        assert number.locator(".hints p").all_inner_texts()[-1] == f"Hint: {words}"
        assert number.locator(".hints p").count() == k
    assert not hint.is_visible()
    number.locator("input").fill("99")
    assert check(player, 1).endswith("One more try.")
    assert not number.locator(".because").is_visible()
    number.locator("input").fill("98")
    check(player, 1)
    assert number.locator(".because").inner_text().splitlines()[-2:] == ["mistakes = 6", "Each tick is one."]
    assert player.js("s.lesson.forms[1].isOver")
    assert not number.locator("button[type=submit]").is_visible()


def test_what_was_done_is_there_after_a_reload_and_forgotten_with_everything_else(player):
    opened(player)
    answer(player, 0, format.read(TEXT).scenes[0].tasks[0])
    player.reload().until("s.lesson.open").settle()
    assert form(player, 0).locator(".verdict").inner_text() == "All as predicted."
    assert player.page.locator(".lesson h2").inner_text() == "All kinds"
    player.js("s.session.keep.forget()")
    player.open("/?v=1")
    assert not player.js("s.lesson.open")
    opened(player)
    assert form(player, 0).locator(".verdict").inner_text() == ""


def test_a_clicker_goes_from_cue_to_cue_and_on_to_the_next_scene_and_back(player):
    opened(player)
    player.press("w").until("s.present.on").rest()
    end = player.js("s.run.nSteps")
    seen = []
    for key in ["PageDown"] * 3 + ["PageUp"] * 4:
        player.press(key).until("!s.clock.playing && !s.lesson.arriving").settle()
        seen.append((player.js("s.lesson.at"), player.t))
    second = player.js("s.run.trace.mistake.findIndex((m, k, all) => m && all.slice(0, k).includes(1)) + 1")
    assert seen == [(0, second), (1, 6), (2, 0), (1, end), (1, 0), (0, end), (0, second)]


def test_while_one_presents_keys_turn_the_knobs_of_a_scene_and_change_the_kernel(player):
    opened(player, TEXT.replace("## First\n", "## First\nknobs: sigma, noise\n"))
    player.press("w").until("s.present.on").rest()
    before = player.settings
    assert player.sentence == "Look here."
    player.press("g").settle()
    assert player.settings.sigma > before.sigma
    assert "first example" in player.sentence  # words of cues are about the run of the scene
    player.press("Shift+g").settle()
    assert player.sentence == "Look here."
    player.press("t").settle()
    assert player.settings.noise > before.noise
    player.press("g").settle()
    turned = player.settings
    player.press("k").settle()
    assert player.settings.kernel == "linear"
    player.press("k").settle()
    assert player.settings == turned
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    now = player.query
    player.press("g", "t").settle()
    assert player.query == now
    for kernel in ("linear", "gaussian"):  # where no scene names knobs, too
        player.press("k").settle()
        assert player.settings.kernel == kernel


def test_the_lecturers_notes_come_from_the_file_that_was_opened(player):
    opened(player, TEXT.replace("## Second\n", "> notes: Wait for *questions*.\n\n## Second\n"))
    assert player.js("s.player.notes") == "Wait for questions.\n"


def test_a_lesson_opens_without_the_first_minute(player_with):
    player = player_with()
    player.page.add_init_script("localStorage.removeItem('kpviz-opening')")
    player.open(f"/?lesson={sorted(shelf.paths())[0]}").until("s.lesson.open && !s.lesson.arriving").settle()
    assert not player.js("s.opening.on")
    assert player.js("localStorage.getItem('kpviz-opening')") is None


def test_back_and_forward_go_from_scene_to_scene_with_their_words(player):
    opened(player)
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    player.until("location.search.includes('scene=2')")
    for way, heading, scene in [("back", "First", 1), ("forward", "Second", 2)]:
        player.page.evaluate(f"history.{way}()")
        player.until("s.lesson.body.querySelector('h3').textContent === arg", heading).settle()
        assert f"scene={scene}" in player.page.url
        assert player.js("s.lesson.at") == scene - 1


@pytest.mark.parametrize("query", ["lesson=%ZZ", "lesson=lecture-0-none&scene=2", "lesson=..%2Fx&scene=abc"])
def test_a_link_to_no_lesson_opens_the_board_with_a_notice(player, query):
    player.open(f"/?v=1&n=20&{query}")
    player.until("s.notices.box.textContent.toLowerCase().includes('lesson')")
    assert not player.js("s.lesson.open")
    assert player.query.startswith("v=1&n=20")


@pytest.mark.parametrize(("scene", "at"), [("abc", 0), ("-1", 0), ("", 0), ("99", -1)])
def test_a_link_to_no_scene_opens_the_first_or_the_last(player, scene, at):
    name = sorted(shelf.paths())[0]
    player.open(f"/?lesson={name}&scene={scene}").until("s.lesson.open && !s.lesson.arriving").settle()
    assert player.js("s.lesson.at") == at % len(shelf.read(name).scenes)


def test_answers_to_two_tasks_at_once_are_both_checked(player):
    opened(player)
    player.js(
        """[3, 6].forEach((number) => {
            const task = { scene: 0, task: 1, tried: 0, answer: { number } };
            const take = ({ checked }) => (window.verdicts ??= []).push([number, checked.right]);
            s.lesson.lessons.check({ text: arg }, task, take);
        })""",
        TEXT,
    )
    player.until("window.verdicts?.length === 2")
    assert player.js("verdicts") == [[3, False], [6, True]]


def test_an_answer_that_cannot_be_read_costs_no_try(player):
    opened(player)
    for said in ["six", "ticks", "1e"]:
        form(player, 1).locator("input").fill(said)
        assert "number" in check(player, 1)
    assert not player.js("s.lesson.forms[1].isOver")
    form(player, 1).locator("input").fill("6")
    check(player, 1)
    assert player.js("s.lesson.forms[1].isOver")


def test_the_settings_take_its_place_and_give_it_back(player):
    opened(player)
    pane = player.page.locator(".dock.lesson")
    before = pane.bounding_box()
    player.press("k")
    player.page.locator(".chip[data-group=kernel]").click()
    assert not pane.is_visible()
    player.page.locator(".dock:not(.lesson) .close").click()
    assert pane.bounding_box() == before


def test_a_dropped_file_with_a_fault_is_told_its_line_and_nothing_is_lost(player):
    player.open("/?v=1&n=20")
    player.js("s.lesson.read({ text: '---\\ntitle: T\\n---\\nno scene' })")
    player.until("s.notices.box.textContent.toLowerCase().includes('line 4')")
    assert not player.js("s.lesson.open")
    assert player.query == "v=1&n=20"


@pytest.mark.parametrize("name", sorted(shelf.paths().keys() - {*PRESENTED, *CHOSEN, *ON_A_PAGE}))
def test_each_lesson_opens_by_its_name_and_all_its_scenes_are_shown(player, name):
    player.open(f"/?lesson={name}").until("s.lesson.open && !s.lesson.arriving").settle()
    lesson = shelf.read(name)
    for at, scene in enumerate(lesson.scenes):
        assert player.page.locator(".lesson h3").first.inner_text() == scene.heading
        assert player.page.locator(".lesson form").count() == len(scene.tasks)
        if at + 1 < len(lesson.scenes):
            player.js("s.lesson.go(s.lesson.at + 1)")
            player.until("!s.lesson.arriving")


def test_the_help_names_the_keys_of_knobs_and_these_say_where_there_are_none(player):
    opened(player).press("?")
    rows = player.js("[...r.querySelectorAll('.menu.help dt')].map((e) => [e.textContent, e.nextSibling.textContent])")
    assert "two numbers" in dict(rows)["G · T · K"]
    player.press("Escape", "Shift+T")
    said = player.page.locator(".kpviz .status")
    assert said.text_content() == "W presents: then G, T and K turn the knobs of a lesson."
    player.press("w").until("s.present.on").press("Shift+T")
    assert said.text_content() == "This scene names no numbers to turn."


TWICE = """---
title: Twice
---
## First
link: v=1&data=xor&n=16&noise=0

```cues
start: Look here.
mistake 2: And here.
```

## The same points
link: v=1&data=xor&n=16&noise=0&show=alpha

```cues
start: Begin again.
mistake 3: Not yet.
```
"""
PRESSED = """arg.forEach((key) =>
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""


@pytest.mark.parametrize("impatient", ["PageDown", "PageUp", " ", "ArrowRight"])
def test_a_key_pressed_while_a_scene_is_on_its_way_does_not_take_its_first_words_away(player, impatient):
    opened(player, TWICE)
    player.press("w").until("s.present.on").rest()
    player.press("PageDown").until("s.t > 0 && !s.clock.playing").settle()
    player.js(PRESSED, ["PageDown", impatient])
    player.until("s.lesson.at === 1 && !s.lesson.arriving")
    assert not player.js("s.clock.playing")
    assert player.settle().t == 0
    assert "Begin again." in player.words()


def test_a_clicker_plays_a_comparison_to_its_end_before_it_goes_on(player):
    scenes = "## First\nlink: v=1&compare=widths\n\n## Second\nlink: v=1\n"
    opened(player, f"---\ntitle: Compared\n---\n{scenes}")
    player.press("w").until("s.present.on").rest()
    end = player.js("s.runs.end")
    player.press("PageDown").until("s.clock.playing")
    player.press("PageDown").until("!s.clock.playing").settle()
    assert (player.js("s.lesson.at"), player.t) == (0, end)
    player.press("PageDown").until("s.lesson.at === 1 && !s.lesson.arriving")


SEEDS = """---
title: Seeds
---
## First
link: v=1&data=xor&n=16&noise=0&t=0

```task predict
ask: The first two?
count: 2
seeds: 0, 3
tries: 3
```

```task reach
ask: No mistake at the end.
within: sigma 0.1 to 3
until: last_mistakes == 0
solution: v=1&data=xor&n=16&noise=0
```

```task explain
ask: What is shown there?
start: /lab?tab=build
```
"""
APART = "It is about another run than the one on the board"


def test_a_task_about_another_run_than_the_one_shown_says_so(player):
    opened(player, SEEDS)
    note = form(player, 0).get_by_text(APART)
    assert not note.is_visible()
    task = format.read(SEEDS).scenes[0].tasks[0]
    right = tasks.solve(task).answer["verdicts"]
    for step, verdict in enumerate(right):
        wrong = "correct" if verdict == "mistake" else "mistake"
        form(player, 0).locator("fieldset").nth(step).locator(f"input[value={wrong}]").check()
    check(player, 0)
    note.wait_for()  # the next try has another seed
    form(player, 0).get_by_role("button", name="Show its start").click()
    note.wait_for(state="hidden")
    assert "seed=3" in player.settle().query
    player.press("k").settle()  # another kernel, by hand
    note.wait_for()
    for other in (1, 2):  # one changes the run, or it is about none
        assert not form(player, other).get_by_text(APART).is_visible()
    assert not form(player, 2).get_by_role("button", name="Show its start").is_visible()


def test_what_a_task_asks_the_board_shows_when_it_is_answered(player):
    def ahead():
        return player.rest().marks("timeline", name="ahead") + [
            mark for mark in player.marks("alpha") if mark.get("text", "").startswith("x")
        ]

    opened(player, SEEDS).until("s.lesson.forms[0].asksAhead")
    assert not ahead()
    answer(player, 0, format.read(SEEDS).scenes[0].tasks[0])
    assert len(ahead()) > 2


LIMITS = """---
title: Limits
---
## First
link: v=1&data=drawn&kernel=linear

```task draw
ask: Draw.
within: points 4 to 4, removed 0 to 0, sigma 0.1 to 3, kernel linear or gaussian, tie
until: n == 4
solution: v=1&data=drawn&points=gAvon0vogAQYYMQY.w&kernel=linear
```
"""


def test_what_may_change_is_said_in_the_words_of_the_board(player):
    opened(player, LIMITS)
    assert form(player, 0).locator("li").all_inner_texts() == [
        "points in all: 4",
        "points that were removed or moved: none",
        "σ (sigma): 0.1 to 3",
        "Kernel: linear or gaussian",
        "A zero score is",
    ]
