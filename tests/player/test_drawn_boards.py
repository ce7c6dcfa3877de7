"""What holds of every board holds in windows of all sizes: of the boards of the gallery, and of
boards that are drawn from the whole space of settings, panels and steps, on the board, in a lesson,
under settings, before a class and while one predicts.

So many are drawn as KPVIZ_BOARDS_COUNT says, by KPVIZ_BOARDS_SEED; a failure names the link.
"""

import os
import random

import pytest
from board_laws import faults, room_in
from boards import BOARDS
from drawn_boards import drawn_board
from windows import WINDOWS

from kpviz import tokens

COUNT = int(os.environ.get("KPVIZ_BOARDS_COUNT", "36"))
SEED = os.environ.get("KPVIZ_BOARDS_SEED", "1")
STATES = ("board", "settings", "reading", "stage", "predicting")
MOST_WINDOWS = 4  # Of one board.
MOST_REFUSED = 3  # So many boards in a row may have numbers that are too large.
OTHER_BOARDS = 1_000_000  # From here on there are those that are drawn in place of such ones.
DARK_TOO = (1366, 768)


def faults_in(player, window, **around):
    """What is wrong with the board in a window of the app, and how wide its lines are."""
    width, height, room = room_in(window)
    return faults(player, (width, height), **room, **around)


@pytest.mark.parametrize("name", [name for name in BOARDS if "stage=" not in BOARDS[name]])
def test_nothing_is_wrong_with_a_board_of_the_gallery_in_a_window_of_any_size(player, name):
    player.open(f"/?{BOARDS[name]}")
    wrong = []
    widths = []
    for window in WINDOWS:
        for theme in tokens.SCREENS if window == DARK_TOO else ("light",):
            found, lines = faults_in(player, window, theme=theme)
            wrong += [[window, theme, *fault] for fault in found]
            widths += lines
    assert wrong == []
    # Lines grow with the map and never get thinner.
    assert widths == pytest.approx([*widths[:1]] * len(widths))


def open_drawn(player, number):
    """Open a board that is drawn, in a state: its link with the state. One of which whoever opens
    its link is told that its numbers are too large is no board: another one is drawn for it.
    """
    for attempt in range(MOST_REFUSED + 1):
        link = drawn_board(SEED, number + attempt * OTHER_BOARDS)
        states = ("board", "stage") if link.startswith("/fisher") else STATES
        state = states[number % len(states)]
        if state == "stage":
            link += "&stage=window"
        try:
            player.open(link)
        except ValueError as refused:
            if not str(refused).startswith("These numbers are too large to be drawn"):
                raise
        else:
            return link, state
    raise AssertionError(f"{MOST_REFUSED + 1} boards in a row are refused, at last {link}")


@pytest.mark.parametrize("number", range(COUNT))
def test_nothing_is_wrong_with_a_drawn_board(player, number):
    link, state = open_drawn(player, number)
    if state == "predicting":
        player.press("q")
    is_fishers = link.startswith("/fisher")
    slot = state if state in ("settings", "reading") else ""
    wrong = []
    for window in random.Random(number).sample(WINDOWS, MOST_WINDOWS):
        if state == "stage":
            found, _ = faults(player, window, is_fitted=True)
        else:
            found, _ = faults_in(player, window, slot=slot, knob=not is_fishers)
        wrong += [[window, *fault] for fault in found]
    assert wrong == [], f"{link}, {state}"
