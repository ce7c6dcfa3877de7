"""Questions on the stage: steps of a lecture, votes that are typed, and what is shown of them.

Each lecture is walked through at one of two sizes of the stage, with `KPVIZ_SHARE=all` at both.
`tests/player/test_votes.py` has counts and what is asked, without a browser.
"""

import re

import pytest
from answering import Lesson
from share import share

from kpviz.export import pace
from kpviz.lessons import shelf

TEXT = """---
title: All kinds
---
## First
link: v=1&data=xor&n=16&noise=0

Words.

```cues
start: Look here.
mistake 2: And here.
```

```task choose
ask: What is true?
choice: It ends.
choice: It goes on for ever.
choice: It never begins.
answer: A
why: It ends after two epochs.
```

```task predict
ask: The first three?
count: 3
```

## Second
link: v=1&data=xor&n=16&noise=0&t=6

Words.

```task number
ask: How many mistakes at the end?
value: mistakes
slip steps: Those are steps.
```

```task explain
ask: Why?
```

## Third
link: v=1&data=circles&n=60&held=0.5&pins=2&sigma=0.5&p1.sigma=0.05&p2.sigma=5

Words.

```task choose
ask: Which width is wrong least often on the held-out examples?
choice: Narrow hills, NAME0
choice: Wide hills, NAME1
choice: Middle ones, NAME2
answer: C
```
"""
LECTURES = [name for name in shelf.paths() if name.startswith("lecture-")]
SIZES = [(1920, 1080), (1024, 768), (844, 390)]
WALKS = share(LECTURES, SIZES[:2])
BOX = "s.present.classVotes.box"
STATE = "[s.present.classVotes.on, s.present.classVotes.state.kind, s.present.classVotes.at, s.lesson.at]"
COMES = "s.present.classVotes.on && s.present.classVotes.state.kind !== 'coming'"
# What is cut, or lies over something else, or is too small to be read from the back row.
FAULTS = """(() => {
  const { element } = s.present.classVotes.box, faults = [];
  const { width, height } = s.canvas.getBoundingClientRect();
  const least = s.layout.least - 0.1;
  if (element.scrollHeight - element.clientHeight > 1) faults.push("cut below");
  if (element.scrollWidth - element.clientWidth > 1) faults.push("cut at the side");
  const texts = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker, { parentElement } = node;
    if (!node.textContent.trim() || !parentElement.checkVisibility()) continue;
    if (parentElement.closest(".badge, math")) continue;
    if (parseFloat(getComputedStyle(parentElement).fontSize) < least) faults.push(`small: ${node.textContent}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) texts.push({ node, rect });
  }
  for (const { node, rect } of texts) {
    if (rect.left < -1 || rect.top < -1 || rect.right > width + 1 || rect.bottom > height + 1) {
      faults.push(`outside: ${node.textContent}`);
    }
  }
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height);
  texts.forEach((one, k) => texts.slice(k + 1).forEach((other) => {
    if (one.node !== other.node && over(one.rect, other.rect)) faults.push(`over: ${one.node.textContent} | ${other.node.textContent}`);
  }));
  const corner = s.canvas.getBoundingClientRect();
  const { map } = s.layout.panels;
  for (const item of map ? element.querySelectorAll(".question, li, .told, .where") : []) {
    const rect = item.getBoundingClientRect();
    const place = { left: corner.x + map.x, top: corner.y + map.y, right: corner.x + map.x + map.w, bottom: corner.y + map.y + map.h, height: map.h };
    if (rect.width && rect.height && over(rect, place)) faults.push(`over the map: ${item.textContent}`);
  }
  return faults;
})()"""


def present(player, text=TEXT, size=(1366, 768), scene=0):
    """A lesson that is presented, at the board of one of its scenes."""
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.open("/?v=1&stage=window").until("s.present.on")
    lesson = Lesson(player).read(text)
    lesson.go(scene)
    player.js("(s.present.slides.hide(), 0)")
    return player.rest()


def down(player, times=1):
    for _ in range(times):
        player.press("PageDown")
    return player


def ask(player, scene=0, at=0):
    """The question of a scene, as it is asked."""
    player.js("(s.cursor.go(Infinity), 0)")
    player.press("PageDown").until(COMES).settle()
    while player.js("s.present.classVotes.at") < at:
        player.press("PageDown").until(COMES).rest()
    return player.rest()


def state(player):
    return player.js(STATE)


def counts(player):
    return player.js("s.present.classVotes.ballot.counts")


def foot(player):
    """What stands under the answers, once what was pressed is drawn."""
    return player.settle().js(f"{BOX}.foot.textContent")


def test_pagedown_leads_from_the_board_to_its_questions_and_what_is_right_is_played(player):
    ask(present(player))
    assert state(player) == [True, "asked", 0, 0]
    assert player.js(f"{BOX}.question.textContent") == "What is true?"
    assert player.t == 0
    player.press("ArrowRight").rest()
    assert player.t == 0  # nobody goes on before the class has voted
    assert player.status == "A question stands: PageDown shows what happens."
    player.press("1", "2", "2", "3")
    assert counts(player) == [1, 2, 1]
    assert foot(player).startswith("4 votes")
    player.press("PageDown").until("s.clock.playing")
    player.press("PageDown").rest()  # a second press is at the end at once
    assert player.t == player.js("s.runs.end")
    assert player.js(f"[...{BOX}.answers.querySelectorAll('.right')].map((e) => e.innerText)")[0].startswith("A")  # fmt: skip
    assert "It ends after two epochs." in player.js(f"{BOX}.told.textContent")
    player.press("PageDown").until(f"{COMES} && s.present.classVotes.at === 1").rest()
    assert state(player) == [True, "asked", 1, 0]
    player.press("1", "PageDown").rest()
    assert (state(player)[1], player.t) == (
        "shown",
        player.js("s.present.classVotes.question.until"),
    )
    player.press("PageDown").until("s.lesson.at === 1 && s.present.slides.full")
    assert state(player)[0] is False


def test_pageup_goes_back_the_same_way_with_its_votes(player):
    ask(present(player))
    player.press("1", "1", "PageDown").until("s.clock.playing")
    player.press("PageDown").rest()
    player.press("PageDown").until(f"{COMES} && s.present.classVotes.at === 1").rest()
    player.press("PageUp").until(f"{COMES} && s.present.classVotes.at === 0").rest()
    assert state(player)[1:3] == ["shown", 0]
    assert player.t == player.js("s.runs.end")
    player.press("PageUp").rest()
    assert (state(player)[1], counts(player)) == ("asked", [2])
    player.press("PageUp").until("!s.present.classVotes.on && !s.lesson.arriving").rest()
    assert player.t == player.js("s.runs.end")
    player.press("PageDown").until(COMES).rest()
    assert counts(player) == [2]


def test_without_votes_it_says_so_and_once_more_shows_what_happens_without_bars(player):
    ask(present(player))
    down(player).rest()
    assert (state(player)[1], foot(player)) == (
        "asked",
        "No votes yet: PageDown once more shows what happens.",
    )
    down(player).until("s.clock.playing")
    down(player).rest()
    assert state(player)[1] == "shown"
    assert player.js(f"{BOX}.answers.querySelectorAll('.tally').length") == 0


def test_counting_keys_mostly_again_and_zero(player):
    ask(present(player))
    player.press("2")
    assert foot(player) == "You say: mostly B"
    assert "mostly B" in player.js(f"{BOX}.answers.innerText")
    player.press("2", "3")
    assert counts(player) == [0, 2, 1]
    player.press("Shift+Digit2")
    assert counts(player) == [0, 1, 1]
    player.press("a", "1")
    assert player.js("s.present.classVotes.ballot.first") == [0, 1, 1]
    assert player.js(f"{BOX}.answers.querySelectorAll('.tally.first').length") == 3
    player.press("0", "0")
    assert player.js("s.present.classVotes.ballot.isEmpty")
    player.press("4", "9")  # there are three answers
    assert player.js("s.present.classVotes.ballot.isEmpty")
    assert player.js("s.present.classVotes.on")


def test_while_it_is_asked_keys_change_nothing_of_the_run_and_afterwards_digits_count_nothing(
    player,
):
    ask(present(player))
    before = player.query
    player.press("g", "d", "k", "n", "Shift+G", "Backspace").settle()
    assert (player.query, player.js("s.present.classVotes.on")) == (before, True)
    player.press("1", "1", "PageDown").until("s.clock.playing")
    player.press("PageDown").rest()
    player.press("1", "2")
    assert counts(player) == [2]
    t = player.t
    assert player.press("ArrowLeft").rest().t == t - 1  # arrows step again
    assert player.press("ArrowRight").rest().t == t


def test_a_number_is_asked_with_the_values_that_were_heard(player):
    ask(present(player, scene=1))
    player.press("Enter")
    player.page.keyboard.type("3.5")
    player.press("Enter", "Enter")
    player.page.keyboard.type("two")
    player.press("Enter")
    assert player.said == "“two” is not a number."
    player.press("s", "1")
    heard = player.js("[...s.present.classVotes.heard.values()][0]")
    assert (heard[0], len(heard)) == ("3.5", 3)
    assert "mostly A" in foot(player)
    player.press("PageDown").rest()  # it is about the instant that is shown: nothing is played
    assert player.js(f"{BOX}.answers.querySelectorAll('.right').length") == 1
    player.press("PageDown").until(f"{COMES} && s.present.classVotes.at === 1").rest()
    assert foot(player) == "Try it: Y shows the code"


def test_each_answer_that_names_a_compared_run_is_a_column_under_it(player):
    names = player.open("/?v=1&data=circles&n=60&held=0.5&pins=2&sigma=0.5&p1.sigma=0.05&p2.sigma=5").js("s.runs.names")  # fmt: skip
    text = re.sub(r"NAME(\d)", lambda found: names[int(found[1])], TEXT)
    for size in SIZES:
        ask(present(player, text, size, scene=2))
        assert len(player.js("Object.keys(s.layout.panels).filter((name) => /^map/.test(name))")) == 1  # fmt: skip
        player.press("1", "2", "2", "3", "a", "3", "3", "1").rest()
        assert player.js(FAULTS) == [], size
        player.press("PageDown").until("s.clock.playing")
        player.press("PageDown").rest()
        columns = player.js(
            "s.maps.map(({ name }) => s.layout.panels[name]).map(({ x, w }) => [x, x + w])"
        )
        items = player.js(
            f"[...{BOX}.answers.children].map((e) => e.getBoundingClientRect()).map(({{ left, right }}) => [left, right])"
        )
        for (left, right), (x, end) in zip(items, columns, strict=True):
            assert left >= x - 1
            assert right <= end + 1
        assert player.js(FAULTS) == [], size


def faults_at(player, sizes):
    """What is wrong with the question that stands on the stage, in windows of these sizes."""
    faults = []
    for width, height in sizes:
        player.page.set_viewport_size({"width": width, "height": height})
        faults += [(width, height, fault) for fault in player.rest().js(FAULTS)]
    return faults


@pytest.mark.parametrize("name", LECTURES)
def test_each_question_of_a_lecture_has_its_room_as_it_is_asked_and_shown(player, name):
    sizes = [size for size in SIZES if (name, size) not in WALKS]  # There they are walked past.
    player.open(f"/?lesson={name}&scene=1&stage=window").until("s.lesson?.open").settle()
    scenes = player.js("s.lesson.lesson.scenes.map(({ tasks, link }) => link.page === 'play' ? tasks.length : 0)")  # fmt: skip
    for at in (at for at, tasks in enumerate(scenes) if tasks):
        player.js("s.lesson.go(arg)", at)
        player.until("!s.lesson.arriving").js(
            "(s.present.slides.hide(), s.present.classVotes.begin())"
        )
        for task in range(scenes[at]):
            player.until(f"{COMES} && s.present.classVotes.at === arg", task).rest()
            place = (at, task, state(player)[1])
            assert faults_at(player, sizes) == [], place
            if state(player)[1] == "asked":
                player.press("s", "1", "2", "2", "a", "1", "1", "2")
                assert faults_at(player, sizes) == [], place
                player.press("PageDown").js(SHOWN_AT_ONCE)
                assert faults_at(player, sizes) == [], (*place, "shown")
            player.js("s.present.classVotes.turn(1)")


@pytest.mark.parametrize("size", SIZES)
def test_a_question_on_fishers_page_is_asked_and_what_is_right_shown(player, size):
    player.wear(*size).open("/?v=1")
    player.page.goto(
        f"{player.base}/fisher?v=1&data=wine&lesson=lesson-14-fisher&scene=2&stage=window"
    )
    player.ready().until("s.lesson?.open && !s.lesson.arriving").rest()
    player.press("PageDown").until("!s.present.slides.full").rest()
    player.press("PageDown").until(COMES).rest()
    assert state(player) == [True, "asked", 0, 1]
    assert set(player.panels()) <= {"map", "strip", "axis", "gutter"}
    player.press("1", "2", "2", "a", "2", "2", "1").rest()
    assert player.js(FAULTS) == []
    player.press("PageDown").until("s.present.classVotes.state.kind === 'shown'").rest()
    assert player.js(f"{BOX}.answers.querySelector('.right').innerText").startswith("B")
    assert "Four differences fix the fifth" in player.js(f"{BOX}.told.textContent")
    assert player.js(FAULTS) == []


RESTS = "s.lesson?.open && !s.lesson.arriving && (!s.present.classVotes.on || s.present.classVotes.state.kind !== 'coming')"
# Where the lecture stands: the scene, the page of its words, the question and its step, the instant.
STANDS = """(() => {
  const { classVotes, slides } = s.present;
  const { at, on, state } = classVotes;
  const question = on ? [at, state.kind, state.kind === "asked" && state.warned] : null;
  return [s.lesson.at, slides.full ? slides.page : null, question, s.t];
})()"""
# The size of the question over the height of the stage, and whether one votes on it.
QUESTION = """(() => {
  const { box, question } = s.present.classVotes;
  return [parseFloat(getComputedStyle(box.question).fontSize) / s.layout.height, question.isVoted];
})()"""
# To where a run shows what is right.
SHOWN_AT_ONCE = "(s.cursor.go(s.present.classVotes.question.until ?? Infinity), 0)"
SLIDE_TYPE = 34 / 1080  # The smallest type of words on a slide, over the height of the stage.


def walked(player):
    """Where the lecture stands once what comes is there: a scene may be on another page."""
    player.root = player.page.wait_for_selector(".kpviz")
    return player.until(f"s.board && {RESTS}").pace(60).js(STANDS)


@pytest.mark.parametrize(("name", "size"), WALKS)
def test_a_lecture_goes_from_its_first_words_to_its_end_by_pagedown_alone(player, name, size):
    player.wear(*size, reduced_motion="reduce")
    player.open(f"/?lesson={name}&scene=1&stage=window").until("s.present.on && s.lesson?.open")
    tasks = [len(scene.tasks) for scene in shelf.read(name).scenes]
    stood, asked, shown = [], set(), set()
    is_counted = False
    for _ in range(30 * len(tasks)):
        stands = walked(player)
        at, _page, question, _t = stands
        if question is not None:
            task, kind, is_warned = question
            (asked if kind == "asked" else shown).add((at, task))
            if player.playing:
                player.js(SHOWN_AT_ONCE)  # How it plays is asked below.
            assert player.rest().js(FAULTS) == [], stands
            size_of_question, is_voted = player.js(QUESTION)
            assert is_counted or kind == "shown" or size_of_question >= SLIDE_TYPE
            if is_warned:
                assert foot(player).startswith("No votes yet")
            elif kind == "asked" and is_voted and not is_counted:
                is_counted = True
                player.press("s", "1", "2", "2", "a", "1", "2", "2").rest()
                assert player.js(FAULTS) == [], stands
        assert stood.count(stands) < 2, f"stuck at {stands}"
        stood.append(stands)
        if player.press("PageDown").said == "This is the last scene.":
            break
    assert stood[-1][0] == len(tasks) - 1
    assert shown == {(at, task) for at, count in enumerate(tasks) for task in range(count)}
    assert asked <= shown
    assert is_counted == bool(asked)


LONG = """---
title: Noise
---
## Noise
link: v=1&kernel=linear&flipped=0.2&n=60

Words.

CUES

```task choose
ask: Does it end?
start: v=1&kernel=linear&flipped=0.2&n=60
choice: It does.
choice: It goes on for ever.
answer: B
```
"""
CUED = """```cues
start: It begins.
end: It goes on for ever.
```
"""
# Play on by a clock of one's own, to the instant at which something is passed over, or to the end:
# how many seconds it has played when what comes after that is due.
PLAYED_ON = """(() => {
  const { now: realTime } = performance;
  const began = performance.now();
  let time = began;
  performance.now = () => time;
  const limit = began + 60_000;
  while (s.clock.playing && time < limit && (arg || !s.cursor.leapWords)) {
    time += 20;
    s.clock.tick(time, () => s.cursor.beat());
  }
  performance.now = realTime;
  s.draw();
  return (s.clock.due - began) / 1000;
})()"""


@pytest.mark.parametrize("size", SIZES[:2])
def test_on_the_stage_a_long_run_is_passed_over_within_ten_seconds_which_the_board_says(
    player, size
):
    present(player, LONG.replace("CUES", CUED), size)
    assert player.js("s.runs.end") > 1000
    player.press("PageDown").until("s.clock.playing")
    assert 8 < player.js(PLAYED_ON, False) <= pace.STRETCH + 0.2  # A step more may be due.
    assert re.fullmatch("[0-9,]+ epochs later", player.js("s.cursor.leapWords"))
    assert player.sentence == player.js("s.cursor.leapWords")
    assert player.t == player.js("s.runs.end")
    player.js(PLAYED_ON, True)
    assert not player.playing
    assert player.js("s.cursor.leapWords") == ""


@pytest.mark.parametrize("size", SIZES[:2])
def test_what_is_right_is_shown_within_ten_seconds_and_it_is_said_how_much_was_passed_over(
    player, size
):
    ask(present(player, LONG.replace("CUES", ""), size)).press("1", "2", "2")
    player.press("PageDown").until("s.clock.playing")
    assert 8 < player.js(PLAYED_ON, False) <= pace.STRETCH + 0.2  # A step more may be due.
    words = player.js("s.cursor.leapWords")
    assert re.fullmatch("[0-9,]+ epochs later", words)
    assert player.js(f"{BOX}.where.textContent") == words
    assert player.js(FAULTS) == []
    player.js(PLAYED_ON, True)
    assert player.settle().js(f"{BOX}.where.textContent") == "Noise"
    assert player.js(f"{BOX}.answers.querySelector('.right').innerText").startswith("B")


def test_a_question_survives_a_reload_with_its_votes_as_it_is_asked_and_as_it_is_shown(player):
    lesson = LECTURES[0]
    player.open(f"/?lesson={lesson}&scene=4&stage=window").until("s.lesson?.open").settle()
    player.until("!s.lesson.arriving").js("(s.present.slides.hide(), 0)")
    ask(player).press("1", "2", "2", "a", "2", "2", "1").rest()
    player.reload().until(COMES).rest()
    assert state(player) == [True, "asked", 0, 3]
    ballot = "[s.present.classVotes.ballot.first, s.present.classVotes.ballot.counts]"
    assert player.js(ballot) == [[1, 2], [1, 2]]
    assert player.page.locator(".class-question .legend").inner_text().split("\n") == [
        "first",
        "after talking it over",
    ]
    player.press("PageDown").until("s.present.classVotes.state.kind === 'shown'").rest()
    told = player.js(f"{BOX}.told.textContent")
    assert told
    player.reload().until(COMES).rest()
    assert state(player) == [True, "shown", 0, 3]
    assert player.js(ballot) == [[1, 2], [1, 2]]
    assert player.js(f"{BOX}.told.textContent") == told
    player.press("PageUp").rest().press("PageUp")
    player.until("!s.present.classVotes.on && !s.lesson.arriving").rest()
    player.reload().until("s.lesson?.open && !s.lesson.arriving").rest()
    assert state(player)[0] is False  # It was left.


def test_shift_q_while_a_question_stands_takes_it_away(player):
    ask(present(player))
    player.press("Shift+Q").until("!s.present.classVotes.on && !s.lesson.arriving").rest()
    assert player.said == "Questions on the stage: off."
    assert player.t == player.js("s.runs.end")
    assert set(player.panels()) > {"map", "alpha"}  # The whole board of the scene is there.
    assert player.page.locator(".class-question:not(.wall)").is_hidden()
    player.press("PageDown").until("s.lesson.at === 1")
    player.press("Shift+Q")


def test_questions_can_be_turned_off(player):
    present(player).press("Shift+Q")
    player.js("(s.cursor.go(Infinity), 0)")
    player.press("PageDown").until("s.lesson.at === 1")
    assert not player.js("s.present.classVotes.on")
    player.press("Shift+Q")
    assert player.said.startswith("Questions")
