"""The order by hand: dragged in its panel or put first by a key, it is that of the run, and goes
back as it came.
"""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.settings import HAND, Settings, from_query

PANEL = "/?v=1&t=30&show=alpha.sequence"
N = 60  # examples of the usual data
SHAPES = ("circle", "square")


def put(order, i, to):
    """The order with example i in place `to`."""
    rest = [j for j in order if j != i]
    return [*rest[:to], i, *rest[to:]]


def cells(player):
    """The shapes of the panel, in the order in which they are drawn."""
    return [mark for mark in player.marks("sequence") if mark["kind"] in SHAPES and "i" in mark]


def centre(player, i):
    """The middle of the first cell of an example."""
    return next((mark["x"], mark["y"]) for mark in cells(player) if mark["i"] == i)


def path(start, end, moves):
    """Places from one to another, both included."""
    return [tuple(place) for place in np.linspace(start, end, moves + 1).tolist()]


def carry(player, i, to, moves=5):
    """Take hold of example i and move it to the place of example `to`, without letting go."""
    return player.hold(*path(centre(player, i), centre(player, to), moves))


def settle(player):
    """Wait until the server has answered, and the answer is drawn."""
    return player.until("!s.session.busy && !s.order.ahead && !s.modes.held").rest()


def drop(player):
    player.page.mouse.up()
    return settle(player)


def epochs(player):
    """The examples of each epoch of the run."""
    return np.array(player.js("[...s.run.trace.index]")).reshape(-1, player.js("s.run.n")).tolist()


def is_by_hand(player, order):
    """The settings hold this order, and the run is the one that Python makes of the address."""
    assert player.settings == player.settings.replace(order=HAND, sequence=sequence.encode(order))
    player.page.wait_for_function("(query) => location.search.includes(query)", arg=player.query)
    assert from_query(player.page.url.partition("?")[2])[0] == player.settings
    run = player.agrees()
    assert run.index.reshape(-1, len(order)).tolist() == [order] * run.n_epochs
    at_the_end = run.state_at(run.n_steps)
    support = player.js("[...s.run.trace.support]")
    alphas = player.js("[...s.run.alphas(s.run.nSteps)]")
    assert alphas == at_the_end.alpha[support].tolist()
    assert run.n_epochs > 1
    return True


# ---- dragging ------------------------------------------------------------------------------------


def test_a_cell_that_is_dragged_lands_where_it_is_dropped_and_the_run_follows(player):
    before = player.open(PANEL).numbers()
    for i, to in [(5, 41), (59, 0)]:
        drop(carry(player, i, to))
        assert is_by_hand(player, put(range(N), i, to))
        assert player.t == 30
        assert [mark["i"] for mark in cells(player)] == epochs(player)[0]
        if to:
            numbers = player.until_written().away().numbers()
            assert player.reload().away().numbers() == numbers
        assert settle(player.press("z")).numbers() == before


def test_a_long_drag_sends_few_messages_ends_like_one_in_a_single_move_and_three_follow_each_other(
    player,
):
    before, ends = player.open(PANEL).answers().numbers(), []
    for moves in (60, 1):
        drop(carry(player, 55, 2, moves))
        sent, answers = player.noted()
        assert 1 <= answers <= sent <= 40 or ends
        ends.append((player.away().numbers(), player.picture()))
        player.turns_back(ends[-1][0], before).press("z").settle()
    assert ends[0] == ends[1]
    order = list(range(N))
    for i, to in ((40, 3), (50, 7), (0, 20)):  # none waits for the answer to the one before
        carry(player, i, to).page.mouse.up()
        order = put(order, i, order.index(to))
    settle(player)
    assert is_by_hand(player, order)
    assert player.counts()["undo"] == 3


def test_while_dragging_a_gap_opens_the_cell_follows_and_the_run_is_learnt_anew(player):
    player.open(PANEL)
    home, goal = centre(player, 41), centre(player, 5)
    carry(player, 41, 5).until(
        "s.run.header.settings.order === 'hand' && !s.session.busy && !s.frames.next"
    )
    assert epochs(player)[0] == put(range(N), 41, 5)
    (gap,) = player.marks("sequence", name="gap")
    assert (gap["x"], gap["y"]) == goal
    for place in path(goal, home, 7):  # each frame shows the cell where the pointer is
        player.page.mouse.move(*player.at(*place))
        player.until(
            "s.board.panels.flatMap((p) => p.marks).some((m) => m.name === 'hand' && m.i === 41"
            " && Math.hypot(m.x - arg[0], m.y - arg[1]) < 1)",
            place,
        )
    assert player.tip == []
    drop(player)


def test_escape_and_a_drop_at_home_leave_everything_as_it_was(player):
    for order, code in (("shuffled", ""), (HAND, "AFAC")):
        before = player.anew(
            f"/?{Settings.of(order=order, sequence=code).query()}&t=30&show=sequence"
        ).numbers()
        first = epochs(player)[0]
        carry(player, first[50], first[3]).until(
            "s.run.header.settings.order === 'hand' && !s.session.busy"
        )
        player.press("Escape")
        assert player.js("s.modes.held") is None
        assert drop(player).away().numbers() == before
        assert player.counts()["undo"] == 0
        home, away = centre(player, first[50]), centre(player, first[3])
        assert (
            drop(player.hold(*path(home, away, 6), *path(away, home, 6))).away().numbers() == before
        )
        asked = player.asked()
        player.click(*home)  # nor does a click
        player.hold(home, (home[0] + 1, home[1] + 1)).page.mouse.up()
        assert (player.rest().away().numbers(), player.asked()) == (before, asked)


@pytest.mark.parametrize(("order", "t", "held"), [("shuffled", N + 9, 30), ("random", 20, 20)])
def test_the_epoch_that_is_shown_becomes_the_order_of_all_and_keeps_the_first_of_each_example(
    player, order, t, held
):
    settings = Settings.of(order=order, oseed=2, noise=0.2)
    player.open(f"/?{settings.query()}&t={t}&show=sequence")
    began = t // N * N
    draws = list(dict.fromkeys(experiment.run(settings).index[began : began + N].tolist()))
    shown = [*draws, *(i for i in range(N) if i not in draws)]
    place = next((mark["x"], mark["y"]) for mark in cells(player))
    drop(player.hold(*path(centre(player, shown[held]), place, 9)))
    assert is_by_hand(player, put(shown, shown[held], 0))
    assert player.status == "The order is by hand now: every epoch shows the examples like this."
    assert player.words("sequence", "title") == "Order by hand"


def test_a_finger_drags_too_in_a_narrow_window(phone):
    player = phone.open(f"{PANEL}&order=hand")
    player.until("s.board.panels.some((p) => p.name === 'sequence')").rest()
    player.js("s.canvas.scrollIntoView({ block: 'end' })")
    session = player.page.context.new_cdp_session(player.page)
    places = [player.at(*place) for place in path(centre(player, 2), centre(player, 40), 15)]
    for k, (x, y) in enumerate(places):
        kind = "touchMove" if k else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(player)
    assert is_by_hand(player, put(range(N), 2, 40))


def test_cells_that_are_too_small_are_ticks_and_say_so(player):
    player.open("/?v=1&n=1000&show=alpha.margins.sequence")
    player.js("((s.layout.panels.sequence.h = 60), s.redraw())")  # as on the axes of a small figure
    rect, asked = player.rest().panel("sequence"), player.asked()
    assert sum(len(mark["points"]) // 2 for mark in player.marks("sequence", kind="rects")) == 1000
    assert cells(player) == []
    player.hold(
        (rect["x"] + 3, rect["y"] + 30), (rect["x"] + 0.8 * rect["w"], rect["y"] + 40)
    ).page.mouse.up()
    assert "no room to drag" in player.status
    assert player.asked() == asked


# ---- by key --------------------------------------------------------------------------------------


def test_1_puts_the_example_under_the_pointer_first_wherever_it_is_shown(player):
    order = list(range(N))

    def first(i):
        nonlocal order
        settle(player.press("1"))
        order = put(order, i, 0)
        assert is_by_hand(player, order)

    player.open(PANEL).point(*player.spots()[23])
    first(23)
    assert player.status == "x₂₃ is shown first."
    player.point(*centre(player, 47))
    first(47)
    brick = next(
        mark for mark in player.marks("alpha", kind="rect") if "i" in mark and mark["i"] != 47
    )
    player.point(brick["x"] + brick["w"] / 2, brick["y"] + brick["h"] / 2)
    first(brick["i"])
    for _ in range(3):
        settle(player.press("z"))
    player.until_query("v=1")


def test_1_without_the_pointer_puts_the_example_of_the_step_first(player):
    player.open("/?v=1").press("1")
    assert player.status == "Point at an example, or step to one: 1 shows it first."
    assert player.asked() == 1
    player.press("Shift+Digit1", "Control+Digit1", "ArrowRight", "1")
    player.until("r.querySelector('.status').textContent === 'x₀ is shown first already.'")
    player.press("End", "1")
    settle(player)
    assert is_by_hand(player, put(range(N), N - 1, 0))
    assert player.t == player.js("s.run.nSteps")
    player.go(12).press("1")
    settle(player)
    assert epochs(player)[0][:3] == [10, N - 1, 0]
    player.press("q", "1")  # With a question it is an answer.
    settle(player)
    assert player.js("s.standing.question.answers.size") == 1
    assert epochs(player)[0][:3] == [10, N - 1, 0]
    settings = Settings.of(order="shuffled", noise=0.2)
    settle(player.anew(f"/?{settings.query()}&t=1").press("1"))  # even where it comes first anyway
    assert player.status.endswith(" is shown first, in every epoch.")
    assert is_by_hand(player, experiment.run(settings).index[:N].tolist())


def test_where_there_is_no_order_by_hand_it_is_said_why(player):
    for link, why in (
        ("stream=on", "In a stream each example arrives once."),
        ("learner=svm", "Support vector machine itself chooses which examples are shown."),
        ("held=0.2", "This point is held out: the learner is never shown it."),
    ):
        player.anew(f"/?v=1&{link}&t=9&show=sequence")
        if "held" in link:
            player.point(*player.spots()[player.js("s.run.n")])
        else:
            assert player.words("sequence", "why") == why
            rect = player.panel("sequence")
            player.hold(
                (rect["x"] + 10, rect["y"] + 40), (rect["x"] + 90, rect["y"] + 90)
            ).page.mouse.up()
        player.press("1")
        assert (player.status, player.asked()) == (why, 1)


def test_a_pinned_run_keeps_the_order_that_it_had(player):
    player.open("/?v=1&t=30").press("p").until_pinned(1).press("g", "1")
    settle(player).until(
        "s.runs.all.length === 2 && s.runs.all.some((run) => run.trace.index[0] === 29)"
    )
    assert player.settings.sequence == sequence.encode(put(range(N), 29, 0))
    firsts = player.js("s.runs.all.map((run) => [...run.trace.index.slice(0, run.n)])")
    assert sorted(firsts) == [list(range(N)), experiment.run(player.settings).index[:N].tolist()]
