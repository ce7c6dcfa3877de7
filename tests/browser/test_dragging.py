"""A point under the hand: the picture follows it, few messages are sent, and it ends where one edit would."""

import numpy as np
import pytest

from kpviz.engine.data.drawn import Drawn
from kpviz.settings import Settings

MOVES = 16
SIDES = [(-1.0, 0.2 * k) for k in range(-2, 3)] + [(1.0, 0.2 * k) for k in range(-2, 3)]
OUTLIER = Settings.of(
    data="drawn",
    points=Drawn.of(np.array([*SIDES, (-1.2, 0.0)]), np.array([-1.0] * 5 + [1.0] * 6), 0).code,
    kernel="linear",
    intercept="unit",
    epochs=20,
)


def path_of(start, end):
    """The places of a drag from start to end, both included."""
    return [tuple(place) for place in np.linspace(start, end, MOVES + 1).tolist()]


def watch(player, i):
    """Note in each frame where point i is drawn and where the pointer is, and where each answer has it."""
    player.js(
        """(() => {
          const seen = (window.seen = { frames: [], answers: [] });
          const [draw, keep] = [s.draw.bind(s), s.editor.acknowledge.bind(s.editor)];
          s.draw = (now) => {
            draw(now);
            if (!s.editing.drag) return;
            const mark = s.board.panels.find(({ name }) => name === "map").marks.find((one) => one.i === arg);
            seen.frames.push([mark.x, mark.y, s.pointer.px, s.pointer.py]);
          };
          s.editor.acknowledge = (n) => {
            keep(n);
            seen.answers.push(s.run.X[2 * arg]);
          };
        })()""",
        i,
    )


def test_a_long_drag_sends_few_messages_and_ends_like_one_edit_in_one_step(player):
    ends = []
    for path in (path_of, lambda start, end: (start, end)):
        player.anew("/?v=1&t=40").edit().answers()
        _, start = player.lonely()
        player.hold(*path(start, player.gap())).drop()
        sent, answers = player.noted()
        assert 2 <= sent <= answers + 3
        assert player.js("s.session.counts") == {"undo": 1, "redo": 0}
        player.press("Escape").until("!s.editing.on").away()
        player.agrees()
        ends.append((player.query, player.t, player.numbers(), player.rest().picture()))
    assert ends[0] == ends[1]
    assert player.t == 40


def test_in_every_frame_the_point_is_under_the_pointer_and_no_answer_is_older_than_one_before(player):
    player.open("/?v=1&n=200&noise=0.1").edit()
    i, start = player.lonely()
    end = player.on_map(0.9, 0.5)
    assert end[0] > start[0] + 50
    watch(player, i)
    player.hold(*path_of(start, end)).drop()
    frames, answers = np.array(player.js("window.seen.frames")), player.js("window.seen.answers")
    assert len(frames) > 10
    moved = frames[np.hypot(*(frames[:, 2:] - start).T) > 3]
    assert np.abs(moved[:, :2] - moved[:, 2:]).max() < 0.5
    assert len(set(answers)) > 3
    assert answers == sorted(answers)


@pytest.mark.parametrize("at_end", [False, True])
def test_the_place_in_time_stays_though_a_run_on_the_way_is_shorter(player, at_end):
    """On the other side of the line a point needs all epochs, on its own side few."""
    player.open(f"/?{OUTLIER.query()}").edit()
    usual = player.js("s.run.nSteps")
    assert usual == 20 * 11
    wanted = usual if at_end else 150
    player.go(wanted).hold(tuple(player.spots()[10].tolist()))
    for across, shorter in ((0.8, True), (0.1, False), (0.7, True), (0.08, False)):
        player.page.mouse.move(*player.at(*player.on_map(across, 0.5)))
        player.until("s.session.acknowledged >= s.editor.sent")
        end = player.js("s.run.nSteps")
        assert (end < wanted) == shorter
        assert player.t == (end if at_end else min(wanted, end))
    assert player.drop().t == wanted == min(wanted, player.agrees().n_steps)


# ---- what interrupts a drag -----------------------------------------------------------------------------------------


def test_escape_in_a_drag_brings_the_point_back_and_editing_goes_on(player):
    player.open("/?v=1&t=40").edit()
    before = player.numbers()
    _, start = player.lonely()
    player.hold(*path_of(start, player.gap())).press("Escape")
    assert player.js("s.editing.drag") is None
    player.page.mouse.move(*player.at(*player.on_map(0.5, 0.5)))
    player.drop()
    assert player.js("s.editing.on")
    assert player.numbers() == before
    assert player.js("s.session.counts.undo") == 0


def test_what_the_browser_cancels_is_as_if_it_had_not_been(player):
    """A system gesture takes the pointer away."""
    player.open("/?v=1&t=40").edit()
    before = player.numbers()
    _, start = player.lonely()
    player.hold(*path_of(start, player.gap()))
    player.js("s.canvas.dispatchEvent(new PointerEvent('pointercancel', { isPrimary: true, pointerId: 1 }))")
    player.drop()
    assert player.numbers() == before


def test_outside_the_map_the_point_waits_at_its_edge(player):
    player.open("/?v=1").edit()
    i, start = player.lonely()
    rect = player.js("s.layout.panels.map")
    player.hold(start, (rect["x"] + rect["w"] + 300, rect["y"] + rect["h"] / 2)).drop()
    right = player.js("s.run.header.extent[1]")
    assert player.drawn.X[i, 0] == pytest.approx(right, abs=1e-3)
    x, y = player.spots()[i]
    assert player.js("s.editing.nearest(arg[0], arg[1])", [float(x), float(y)]) == i  # and can be taken back
    player.hold((rect["x"] + rect["w"], float(y)), player.on_map(0.5, 0.5)).drop()
    assert player.drawn.X[i] == pytest.approx((0, 0), abs=0.01)
    player.agrees()


def test_a_window_that_changes_its_size_in_a_drag_keeps_the_point_under_the_pointer(player):
    player.open("/?v=1").edit()
    i, start = player.lonely()
    player.hold(start, player.gap())
    player.page.set_viewport_size({"width": 1200, "height": 640})
    player.until("s.size.width < 1250 && !s.frames.next")
    where = player.on_map(0.4, 0.6)
    player.page.mouse.move(*player.at(*where))
    player.drop()
    assert player.spots()[i] == pytest.approx(where, abs=1)
    player.agrees()


def test_a_run_that_takes_long_is_left_in_peace_and_shown_while_the_point_is_still_in_hand(player):
    """Each message begins it anew: one that was sent again and again would never be answered."""
    player.open("/?v=1&learner=norma&n=200&noise=0.3&epochs=300").edit().answers()
    _, start = player.lonely()
    player.hold(start, player.gap()).until("window.noted.answers > 0")
    assert player.js("s.editing.drag !== null")
    assert player.noted()[0] <= 4
    player.drop()


def test_a_drawing_that_is_begun_at_the_end_stays_there(player):
    player.open("/?v=1&t=180")
    assert player.t == player.js("s.runs.end")
    player.js("s.actions.send('draw')")
    player.until("s.run.n === 0 && s.editing.on").rest()
    for k in range(4):
        player.page.mouse.click(*player.at(*player.on_map(0.2 + 0.2 * k, 0.5)))
        player.settle()
        assert player.t == player.js("s.runs.end") > 0
    player.press("Home", "z").settle()
    assert (player.t, player.drawn.n) == (0, 3)
