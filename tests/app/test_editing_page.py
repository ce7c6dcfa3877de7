"""The page while one edits: it opens with few points and with many, and says what can be undone."""

import numpy as np
import pytest
from edits import code, drawn, edit, scattered, send, turn
from playing import opened, parts_sent, ran

from kpviz.app import editing, shared
from kpviz.engine.data.drawn import Drawn
from kpviz.player import envelope as player
from kpviz.player import payload
from kpviz.settings import DRAWN, MOST_IN_LINKS, Settings


def envelope_and_run(at):
    envelope, run = parts_sent(at)
    return envelope, payload.unpack(run)


def chips(at):
    return [popover.proto.popover.label for popover in at.get("popover")]


@pytest.mark.parametrize(
    ("labels", "held"), [([], 0), ([1], 0), ([1, -1], 0), ([1, 1, 1], 0), ([-1, -1], 0), ([1, -1], 1), ([1, -1], 2)]
)
def test_the_page_opens_with_however_few_points_are_drawn(labels, held):
    points = np.linspace(-0.5, 0.5, 2 * len(labels)).reshape(-1, 2)
    made = Drawn.of(points, np.array(labels, dtype=float), held)
    at = opened(data=DRAWN, points=made.code)
    assert len(at.toast) == 0
    assert chips(at)[0] == f"My own points · {len(labels)}"
    assert at.button(key="new-data").disabled
    assert not at.button(key="new-order").disabled
    envelope, (header, arrays) = envelope_and_run(at)
    assert (header["n"], header["nTest"]) == (len(labels) - held, held)
    assert header["drawing"]["why"] == ""
    assert arrays["cells"].tolist() == made.cells.tolist()
    assert envelope["editing"]["origin"] is None


@pytest.mark.parametrize("chip", ["data", "kernel", "learner", "compare"])
@pytest.mark.parametrize("n", [0, 1, 30])
def test_each_chip_opens_beside_drawn_points(chip, n):
    at = opened(chip, data=DRAWN, points=code(0, n))
    shown = {widget.key for widget in [*at.slider, *at.select_slider, *at.number_input]}
    assert not shown & {f"set-{name}" for name in ("n", "noise", "flipped", "balance", "seed", "held")}


def test_the_player_is_told_what_can_be_undone_turned_and_gone_back_to():
    at = opened(n="20")
    session = at.session_state["session"]
    edit(session, 1)
    turn(session, "sigma", 0.3)
    send(session, "undo")
    envelope, (header, arrays) = envelope_and_run(ran(at))
    sent = envelope["editing"]
    assert (sent["undo"], sent["redo"], sent["origin"]) == (1, 1, "XOR")
    assert sent["knobs"] == editing.knobs(drawn(1))
    assert (envelope["ack"], envelope["dataId"]) == (3, player.data_id(Settings.of(n=20)))
    assert arrays["cells"].tolist() == scattered(5, 1).cells.tolist()
    assert header["settings"]["query"] == drawn(1).link()


def test_while_a_gesture_is_under_way_its_runs_are_not_kept():
    at = opened(n="20")
    session = at.session_state["session"]
    edit(session, 31, gesture=1, last=False)
    ran(at)
    assert shared.payloads().get(shared.run_id(session.settings, set())) is None
    edit(session, 32, gesture=1, last=True)
    ran(at)
    assert shared.payloads().get(shared.run_id(session.settings, set())) is not None


def test_a_link_that_names_many_points_opens_them_while_this_server_has_them():
    n = MOST_IN_LINKS + 1
    made = drawn(8, n=n, epochs=1)
    at = opened(n="20", epochs="1")
    send(at.session_state["session"], "points", {"code": made.points})
    ran(at)
    again = opened(data=DRAWN, points=made.stored_name, epochs="1")
    assert again.session_state["session"].settings == made
    assert len(again.toast) == 0


def test_a_link_that_names_points_that_are_lost_opens_with_one_notice():
    at = opened(data=DRAWN, points="~0123456789ab", kernel="linear")
    assert len(at.toast) == 1
    assert at.toast[0].value.endswith(".")
    assert at.session_state["session"].settings == Settings.of(kernel="linear")


@pytest.mark.parametrize("query", [{}, {"data": "moons"}], ids=str)
def test_points_that_are_named_beside_other_data_are_left_out_without_a_word(query):
    at = opened(points="~0123456789ab", **query)
    assert len(at.toast) == 0
    assert at.session_state["session"].settings == Settings.of(**query)
