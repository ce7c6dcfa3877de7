"""On any page each panel that is shown has room, and what has none is left out and named."""

from itertools import combinations

import pytest
import runs

from kpviz.views import board
from kpviz.views.look import Look
from kpviz.views.page import ALL, Page

SIZES = [(12.8, 7.2), (14.4, 10.8), (10.8, 10.8), (7.2, 12.8), (11.7, 8.27), (3.2, 3.2)]


@pytest.mark.parametrize("size", SIZES)
def test_every_choice_of_panels_has_room(size):
    for many in (1, 2, 5, 6, 7, len(ALL)):
        for shown in combinations(ALL, many):
            page = Page.fitting(size, shown)
            assert set(page.shown) <= set(shown)
            assert page.shown or many > 1
            low = {name: box for name, box in page.boxes.items() if min(box.width, box.height) < 14}
            assert low == {}, shown


@pytest.mark.parametrize("size", [(12.8, 7.2), (10.8, 10.8)])
def test_all_panels_at_once_are_drawn_as_far_as_there_is_room(size):
    run = runs.run("default")
    look = Look(panels=ALL, size=size).on(run)
    gone = look.crowded_out(run)
    assert gone == tuple(name for name in ALL if look.has(run, name) and name not in look.page(run).shown) != ()
    drawn = {ax.get_label() for ax in board.figure(run, 9, dpi=50, panels=ALL, size=size).axes}
    assert not drawn & set(gone)
    assert drawn >= set(look.page(run).shown) | {"map", "timeline"}
    assert Look(panels=("alpha", "code"), size=size).crowded_out(run) == ()
