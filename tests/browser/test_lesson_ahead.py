"""While a task asks what comes next the board goes no further than the student, and follows."""

from answering import check, form
from test_lesson_hands import PERFORM, opened, put, steps_of

HELD = "A task asks what comes next: answer it, then the run goes on."
PREDICT = """---
title: Ahead
---
## One
link: v=1&data=xor&n=16&noise=0&t=2

```task predict
ask: And now?
```

## Two
link: v=1&data=moons&n=16&t=9

```task predict
ask: And then?
start: v=1&data=moons&n=16&t=4
```
"""


def said(player):
    return player.js("s.controls.statusLine.textContent")


def test_the_board_follows_a_performance_step_by_step_and_goes_no_further(player):
    opened(player, PERFORM)
    right = steps_of(PERFORM)
    for k, step in enumerate(right):
        for key in ("ArrowRight", "PageDown", "End", "ArrowDown", " "):
            player.press(key).until("!s.clock.playing").rest()
            assert (player.t, said(player)) == (k, HELD), key
        player.js("(s.player.page.say(''), 0)")
        player.press("Home").rest()
        assert player.t == 0
        if k == 1:
            put(player, k, step, changes="x7 +1")
            check(player, 0)
            assert player.t == 0  # what is done is as it was
            player.js("s.lesson.go(1)")
            player.until("!s.lesson.arriving").settle().press("End").rest()
            assert player.t == player.js("s.run.nSteps")  # another run
            player.js("s.lesson.go(0)")
            player.until("!s.lesson.arriving").settle()
            assert player.t == 1
            player.press("Home").rest()
            form(player, 0).get_by_role("button", name="Show where it stands").click()
            player.until("!s.lesson.arriving").settle()
            assert player.t == 1
        put(player, k, step)
        check(player, 0)
        assert player.rest().t == k + 1
    player.press("End").rest()
    assert player.t == player.js("s.run.nSteps")


def test_one_predicts_before_the_board_shows_it_and_while_one_presents_nothing_is_held(player):
    opened(player, PREDICT)
    for key in ("ArrowRight", "q"):
        player.press(key).rest()
        assert (player.t, said(player), player.js("s.predict.on")) == (2, HELD, False)
    player.press("w").until("s.present.on").rest()
    player.press("ArrowRight").rest()
    assert player.t == 3
    player.press("w").until("!s.present.on").rest()
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    player.press("ArrowRight").rest()
    assert player.t == 10  # where the scene opens is its author's choice
    player.press("Home", "End").rest()
    assert player.t == 4
