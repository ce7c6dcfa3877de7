"""Editing on the map by mouse: every gesture does what it says, is undone to the same numbers, and
loses nothing.
"""

import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.settings import Settings, from_query

OPENED = "/?v=1&t=40"
MOVES = 16
SIDES = [(-1.0, 0.2 * k) for k in range(-2, 3)] + [(1.0, 0.2 * k) for k in range(-2, 3)]
SEPARATED, OUTLIER = (
    Settings.of(
        data="drawn",
        points=Drawn.of(
            np.array([*SIDES, *more]), np.array([-1.0] * 5 + [1.0] * (5 + len(more))), 0
        ).code,
        kernel="linear",
        intercept="unit",
        epochs=20,
    )
    for more in ([], [(-1.2, 0.0)])
)


def editing(player, path=OPENED):
    """The player at this link, in edit mode."""
    return player.anew(path).edit()


def clicking(player, place, *keys, **options):
    """Click a place of the canvas while keys are held."""
    for key in keys:
        player.page.keyboard.down(key)
    player.page.mouse.click(*player.at(*place), **options)
    for key in keys:
        player.page.keyboard.up(key)


def let_go(player):
    """Let go of what is pinned, whose buttons may lie on the next place, once it is drawn."""
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    player.page.evaluate(frames)
    player.press("Escape").page.evaluate(frames)


def button(player, name):
    """A button of the tools."""
    return player.page.locator(f".kpviz .tools [data-edit={name}]")


def place_of(player, spot):
    """The coordinates of a place of the canvas, and how much a pixel and half a step of the grid
    are.
    """
    left, right, low, high = player.js("s.run.header.extent")
    rect = player.js("s.layout.panels.map")
    across, up = (spot[0] - rect["x"]) / rect["w"], 1 - (spot[1] - rect["y"]) / rect["h"]
    near = (right - left) / rect["w"] + 0.5 * player.js("s.run.header.drawing.axes[0].step")
    return (left + across * (right - left), low + up * (high - low)), near


def path_of(start, end):
    """The places of a drag from start to end, both included."""
    return [tuple(place) for place in np.linspace(start, end, MOVES + 1).tolist()]


# ---- the mode ------------------------------------------------------------------------------------


def test_the_mode_is_begun_and_ended_by_key_and_button(player):
    player.open()
    player.sent.clear()
    done = button(player, "done")
    pencil = player.page.locator(".kpviz .popover [data-do=edit]")
    for begin, end in (
        ("Shift+E", "Escape"),
        ("pencil", "Shift+E"),
        ("Shift+E", "done"),
        ("pencil", "pencil"),
    ):
        player.more("edit") if begin == "pencil" else player.press(begin)
        player.until("s.standing.edit.on").rest()
        assert not player.page.locator(".status").is_visible()  # It would cover the buttons.
        assert player.sentence == (
            "Draw points: click on the map. Can you make it fail? Drag to move a point, right-click "
            "to remove it. With the keyboard: Tab to the map, then arrow keys and Enter."
        )
        assert len(player.marks("map", name="editing")) == 1
        assert done.is_visible()
        assert pencil.get_attribute("aria-pressed") == "true"
        actions = {"done": done.click, "pencil": lambda: player.more("edit")}
        actions.get(end, lambda key=end: player.press(key))()
        player.until("!s.standing.edit.on").rest()
        assert player.marks("map", name="editing") == []
        assert not done.is_visible()
        assert "Draw points" not in player.sentence
        assert pencil.get_attribute("aria-pressed") == "false"
    assert player.sent == []


def test_who_draws_until_it_fails_is_told_so_and_nobody_else(player):
    def broken():
        settings = from_query(player.settle().js("s.run.header.settings.query"))[0]
        left = experiment.run(settings).mistakes_per_epoch[-1]
        if not player.js("s.run.header.open"):
            assert "converged after" in player.sentence
            return False
        # What is known of the end comes before it, as soon as it is found out.
        player.until("s.player.verdicts.at(s.run, s.t)")
        player.page.get_by_role("button", name="Why?").click()
        sentence = player.until("s.player.verdicts.open === 'why'").rest().sentence
        player.page.get_by_role("button", name="Why?").click()
        return f"You broke it: the last of 20 epochs still has {left} mistake" in sentence

    player.anew(f"/?{SEPARATED.query()}").press("End").edit()
    made = player.js("s.run.trace.mistakesBefore(s.run.nSteps)")
    clicking(player, player.js("[s.view.x(1.2), s.view.y(0)]"))
    player.settle()
    assert not player.js("s.run.header.open")
    now = player.js("s.run.trace.mistakesBefore(s.run.nSteps)")
    than = ", as before." if now == made else f" instead of {made}."
    assert re.search(
        rf"Not yet: converged after \d epochs and {now} mistakes?{than}", player.sentence
    )
    player.press("z").settle()
    assert "Not yet" not in player.sentence
    outlier = player.js("[s.view.x(-1.15), s.view.y(0)]")
    clicking(player, outlier)
    assert broken()
    assert not player.press("z").settle().js("s.run.header.open")
    player.press("Shift+Z").settle()
    assert broken()
    player.press("Escape").rest()
    assert player.sentence.startswith("No line parts them. Whatever it tries")
    player.press("Shift+E").until("s.standing.edit.on")
    clicking(player, player.gap())
    assert player.settle().js("s.run.header.open")
    assert not broken()  # it failed before


def test_without_the_mode_no_gesture_edits(player):
    for playing in (False, True):
        player.anew(OPENED)
        _, lonely = player.lonely()
        gap = player.gap()
        if playing:
            player.pace(2).press(" ").until("s.clock.playing")
        player.sent.clear()
        for place in (lonely, gap):
            for keys, options in (
                ((), {}),
                ((), {"button": "right"}),
                (("Shift",), {}),
                (("Alt",), {}),
            ):
                clicking(player, place, *keys, **options)
                let_go(player)
            player.press("x", "b", "l", "Delete", "Backspace", "Enter")  # E shows k(x, ·) then
            let_go(player)
        player.hold(lonely, gap).page.mouse.up()
        assert (player.playing, player.query) == (playing, "v=1")
        assert player.js(
            "[s.standing.edit.on, s.pointsAhead, s.standing.edit.label, s.standing.edit.brush]"
        ) == [
            False,
            None,
            1,
            False,
        ]
        assert player.sent == []


def test_a_clickers_keys_step_and_change_no_point(player):
    """Forward, back, black screen, blank, start of the show and its end."""
    editing(player).point(*player.lonely()[1]).sent.clear()
    later = player.press("PageDown").rest().t
    assert later > 40
    assert player.press("PageUp", ".", ",", "Tab", "Escape").rest().t < later
    assert (player.query, player.sent) == ("v=1", [])


def test_a_stream_a_comparison_and_texts_cannot_be_edited_nor_more_than_a_thousand_and_say_why(
    player,
):
    for link, words in (
        ("stream=on", "turn the stream off to edit them"),
        ("pins=1&p1.kernel=linear", "a comparison cannot be edited"),
        ("data=texts", "not points"),
    ):
        player.anew(f"/?v=1&{link}").press("Shift+E")
        assert words in player.status
        player.button("edit").click()
        assert not player.js("s.standing.edit.on")
    editing(player, "/?v=1&n=1000&noise=0.01&epochs=1").sent.clear()
    x, y = player.gap()
    player.hold((x, y), (x + 30, y)).page.mouse.up()
    assert player.status == "There is room for 1,000 points: remove some first."
    assert (player.settle().query, player.sent) == ("v=1&n=1000&noise=0.01&epochs=1", [])


def test_pinning_ends_editing_and_what_is_in_hand_stays_where_it_is(player):
    editing(player)
    i, lonely = player.lonely()
    gap = player.gap()
    wanted, near = place_of(player, gap)
    player.hold(lonely, gap).press("p").until("!s.standing.edit.on")
    player.page.mouse.move(*player.at(*lonely))
    player.page.mouse.up()
    player.settle()
    assert player.drawn.X[i] == pytest.approx(wanted, abs=near)
    assert player.until_pinned(1)


# ---- gestures, and the way back ------------------------------------------------------------------


def adds(label):
    def check(player, before, after, spots):
        assert (after.cells[:-1].tolist(), after.y[:-1].tolist()) == (
            before.cells.tolist(),
            before.y.tolist(),
        )
        wanted, near = place_of(player, spots["gap"])
        assert after.X[-1] == pytest.approx(wanted, abs=near)
        assert after.y[-1] == label

    return check


def moves(player, before, after, spots):
    i = spots["i"]
    wanted, near = place_of(player, spots["gap"])
    assert after.X[i] == pytest.approx(wanted, abs=near)
    assert np.delete(after.cells, i, axis=0).tolist() == np.delete(before.cells, i, axis=0).tolist()
    assert after.y.tolist() == before.y.tolist()


def removes(player, before, after, spots):
    assert after.cells.tolist() == np.delete(before.cells, spots["i"], axis=0).tolist()
    assert after.y.tolist() == np.delete(before.y, spots["i"]).tolist()


def flips(player, before, after, spots):
    assert after.cells.tolist() == before.cells.tolist()
    assert np.flatnonzero(after.y != before.y).tolist() == [spots["i"]]


def paints(player, before, after, spots):
    assert after.cells[: before.n].tolist() == before.cells.tolist()
    new = after.X[before.n :]
    assert 5 <= len(new) <= 12
    assert (after.y[before.n :] == 1).all()
    (_, height), _ = place_of(player, spots["gap"])
    assert 0.01 < np.abs(new[:, 1] - height).max() < 0.5  # jittered about a level stroke


def clears(player, before, after, spots):
    assert after.n == 0
    assert player.t == 0


def stroke(player, at):
    x, y = at["gap"]
    player.press("b").hold(*[(x + 7 * k, y) for k in range(13)]).page.mouse.up()


GESTURES = {
    "click": (lambda p, at: clicking(p, at["gap"]), adds(1.0)),
    "shift click": (lambda p, at: clicking(p, at["gap"], "Shift"), adds(-1.0)),
    "click after X": (
        lambda p, at: (p.press("x"), clicking(p, at["gap"]), p.press("x")),
        adds(-1.0),
    ),
    "shift click after X": (
        lambda p, at: (p.press("x"), clicking(p, at["gap"], "Shift"), p.press("x")),
        adds(1.0),
    ),
    "drag": (lambda p, at: p.hold(at["lonely"], at["gap"]).page.mouse.up(), moves),
    "right click": (lambda p, at: clicking(p, at["lonely"], button="right"), removes),
    "alt click": (lambda p, at: clicking(p, at["lonely"], "Alt"), removes),
    "delete": (lambda p, at: p.point(*at["lonely"]).press("Delete"), removes),
    "L": (lambda p, at: p.point(*at["lonely"]).press("l"), flips),
    "brush": (stroke, paints),
    "clear": (lambda p, at: button(p, "clear").click(), clears),
}


def test_a_gesture_does_what_it_says_and_is_undone_and_done_again_to_the_last_bit(player):
    points = experiment.drawn(Settings.of(), experiment.prepare(Settings.of()))
    editing(player)
    for name, (gesture, check) in GESTURES.items():
        i, lonely = player.lonely()
        spots = {"i": i, "lonely": lonely, "gap": player.gap()}
        before = player.numbers()
        gesture(player, spots)
        after = player.settle().numbers()
        assert after != before, name
        check(player, points, player.drawn, spots)
        player.agrees()
        player.turns_back(after, before)
        assert player.counts() == {"undo": 1, "redo": 0}, name
        player.press("z").settle().js("(s.standing.edit.brush = false)")


def test_back_to_the_original_brings_the_data_before_all_edits_and_can_be_undone(player):
    editing(player)
    before = player.numbers()
    x, y = player.lonely()[1]
    player.sent.clear()
    player.click(x, y)
    player.hold((x, y), (x + 2, y)).drop()  # taken and let go of, which changes nothing
    assert (player.query, player.sent) == ("v=1", [])
    player.click(*player.gap())
    player.settle().click(*player.gap())
    own = player.settle().numbers()
    assert button(player, "original").inner_text() == "Back to XOR"
    button(player, "original").click()
    player.until_query("v=1").settle()
    assert player.numbers() == before
    assert not button(player, "original").is_visible()
    player.press("z").until("s.run.header.settings.query !== 'v=1'").settle()
    assert player.numbers() == own


def test_the_brush_paints_the_same_points_in_another_session(player):
    painted = []
    for _ in range(2):
        editing(player)
        stroke(player, {"gap": player.gap()})
        painted.append(player.settle().query)
    assert painted[0] == painted[1] != "v=1"


def test_thirty_quick_clicks_lose_none_although_answers_are_out(player):
    editing(player, "/?v=1&data=drawn").answers()
    places = [
        player.at(*player.on_map(0.1 + 0.16 * (k % 6), 0.1 + 0.2 * (k // 6))) for k in range(30)
    ]
    for place in places:
        player.page.mouse.click(*place)
    points = player.settle().drawn
    assert points.n == 30
    corner = player.at(0, 0)
    for made, place in zip(points.X, places, strict=True):
        wanted, near = place_of(player, np.subtract(place, corner))
        assert made == pytest.approx(wanted, abs=near)
    sent, answers = player.noted()
    assert sent <= answers + 3
    assert player.counts()["undo"] == 30
    player.press(*["z"] * 30).settle().until("s.run.n === 0")
    player.agrees()


# ---- gestures that meet --------------------------------------------------------------------------


def test_undo_straight_after_a_click_takes_it_back_and_a_click_straight_after_undo_adds_to_what_undo_left(
    player,
):
    editing(player)
    first = player.gap()
    player.page.mouse.click(*player.at(*first))
    assert player.press("z").settle().query == "v=1"
    player.click(*first)
    player.settle()
    gap = player.gap()
    player.page.mouse.move(*player.at(*gap))
    player.press("z")
    player.page.mouse.down()
    player.page.mouse.up()
    player.settle()
    wanted, near = place_of(player, gap)
    assert player.drawn.n == 61
    assert player.drawn.X[-1] == pytest.approx(wanted, abs=near)
    player.page.mouse.move(*player.at(*first))  # nothing sticks to the pointer
    assert player.settle().drawn.X[-1] == pytest.approx(wanted, abs=near)


def test_a_key_in_a_drag_leaves_nothing_behind(player):
    """What is in hand when the points become others is put down there first."""
    for key in ("z", "Delete", "l", "b", "d", "k"):
        editing(player, "/?v=1&n=20")
        _, (x, y) = player.lonely()
        player.hold((x, y), (x + 10, y), (x + 20, y + 5)).press(key)
        for k in range(3, 6):
            player.page.mouse.move(*player.at(x + 10 * k, y + 5))
        player.drop()
        assert not player.js("s.standing.edit.busy")
        player.agrees()
        if key in ("z", "Delete", "l"):
            wanted = {"z": "v=1&n=20", "Delete": 19, "l": 20}[key]
            assert wanted == (player.query if key == "z" else player.drawn.n)


# ---- what becomes one's own ----------------------------------------------------------------------


def test_a_point_held_out_stays_held_out_when_it_is_moved_and_teaches_when_none_is(player):
    settings = Settings.of(data="moons", n=20, held=0.3)
    editing(player, f"/?{settings.query()}")
    assert player.js("[s.run.n, s.run.nTest]") == [14, 6]
    gap, spot = player.gap(), player.spots()[17]
    player.hold(tuple(spot), gap).drop()
    wanted, near = place_of(player, gap)
    assert player.drawn.X[17] == pytest.approx(wanted, abs=near)
    assert (player.drawn.held, player.drawn.n) == (6, 20)
    clicking(player, player.gap())
    player.settle()
    assert player.js("[s.run.n, s.run.nTest]") == [15, 6]
    hollow = [mark for mark in player.marks("map") if mark.get("i", 0) >= 15]
    assert len(hollow) == 6
    assert not any("fill" in mark for mark in hollow)
    player.agrees()


# ---- a point under the hand ----------------------------------------------------------------------


def watch(player, i):
    """Note in each frame where point i is drawn and where the pointer is, and where each answer has
    it.
    """
    player.js(
        """(() => {
          const seen = (window.seen = { frames: [], answers: [] });
          const [draw, keep] = [s.draw.bind(s), s.standing.edit.settled.bind(s.standing.edit)];
          s.draw = (now) => {
            draw(now);
            if (!s.standing.edit.drag) return;
            const mark = s.board.panels.find(({ name }) => name === "map").marks.find((one) => one.i === arg);
            seen.frames.push([mark.x, mark.y, s.pointer.px, s.pointer.py]);
          };
          s.standing.edit.settled = () => {
            keep();
            seen.answers.push(s.run.X[2 * arg]);
          };
        })()""",
        i,
    )


def test_a_long_drag_sends_few_messages_and_ends_like_one_edit_in_one_step(player):
    ends = []
    for path in (path_of, lambda start, end: (start, end)):
        editing(player).answers()
        _, start = player.lonely()
        player.hold(*path(start, player.gap())).drop()
        sent, answers = player.noted()
        assert 2 <= sent <= answers + 3
        assert player.counts() == {"undo": 1, "redo": 0}
        player.press("Escape").until("!s.standing.edit.on").away()
        player.agrees()
        ends.append((player.query, player.t, player.numbers(), player.rest().picture()))
    assert ends[0] == ends[1]
    assert player.t == 40


def test_in_every_frame_the_point_is_under_the_pointer_and_no_answer_is_older_than_one_before(
    player,
):
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


def test_a_point_in_hand_goes_on_without_the_board_being_described_for_it(player):
    """After each answer that would take as long as the picture itself."""
    player.open("/?v=1").edit()
    _, start = player.lonely()
    player.hold(start, player.gap())
    described = player.js(
        """(() => {
          const { describe } = s.targets;
          let count = 0;
          s.targets.describe = () => ((count += 1), describe());
          s.targets.board = null; // So an answer leaves it until the next picture.
          s.point({ ...s.pointer, px: s.pointer.px + 5 });
          s.targets.describe = describe;
          return count;
        })()"""
    )
    assert described == 0
    player.drop()


def test_the_place_in_time_stays_though_a_run_on_the_way_is_shorter(player):
    """On the other side of the line a point needs all epochs, on its own side few."""
    for wanted in (20 * 11, 150):
        editing(player, f"/?{OUTLIER.query()}").go(wanted).hold(tuple(player.spots()[10].tolist()))
        for across, shorter in ((0.8, True), (0.1, False), (0.7, True), (0.08, False)):
            player.page.mouse.move(*player.at(*player.on_map(across, 0.5)))
            player.until("s.session.acknowledged >= s.standing.edit.sent")
            end = player.js("s.run.nSteps")
            assert (end < wanted) == shorter
            assert player.t == (end if wanted == 20 * 11 else min(wanted, end))
        assert player.drop().t == wanted == min(wanted, player.agrees().n_steps)


def test_escape_in_a_drag_and_a_pointer_that_the_browser_takes_away_bring_the_point_back(player):
    player.open("/?v=1&t=40").edit()
    before, (_, start) = player.numbers(), player.lonely()
    player.hold(*path_of(start, player.gap())).press("Escape")
    assert player.js("s.standing.edit.drag") is None
    player.page.mouse.move(*player.at(*player.on_map(0.5, 0.5)))
    player.drop()
    assert player.js("s.standing.edit.on")
    assert (player.numbers(), player.counts()["undo"]) == (before, 0)
    player.hold(*path_of(start, player.gap()))
    player.js(
        "s.canvas.dispatchEvent(new PointerEvent('pointercancel', { isPrimary: true, pointerId: 1 "
        "}))"
    )
    assert player.drop().numbers() == before


def test_outside_the_map_the_point_waits_at_its_edge(player):
    player.open("/?v=1").edit()
    i, start = player.lonely()
    rect = player.panel("map")
    player.hold(start, (rect["x"] + rect["w"] + 300, rect["y"] + rect["h"] / 2)).drop()
    right = player.js("s.run.header.extent[1]")
    assert player.drawn.X[i, 0] == pytest.approx(right, abs=1e-3)
    x, y = player.spots()[i]
    assert (
        player.js("s.standing.edit.nearest(arg[0], arg[1])", [float(x), float(y)]) == i
    )  # and can be taken back
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
    assert player.js("s.standing.edit.drag !== null")
    assert player.noted()[0] <= 4
    player.drop()


def test_a_drawing_that_is_begun_at_the_end_stays_there(player):
    player.open("/?v=1&t=180")
    assert player.t == player.js("s.runs.end")
    player.js("s.actions.send('draw')")
    player.until("s.run.n === 0 && s.standing.edit.on").rest()
    for k in range(4):
        player.page.mouse.click(*player.at(*player.on_map(0.2 + 0.2 * k, 0.5)))
        player.settle()
        assert player.t == player.js("s.runs.end") > 0
    player.press("Home", "z").settle()
    assert (player.t, player.drawn.n) == (0, 3)
