"""How the space of the lift is turned is part of the link."""

import pytest

from kpviz.settings import from_query
from kpviz.settings.view import ViewState, read_view


@pytest.mark.parametrize("angles", [(0, 0), (-180, 89), (180, -89), (30, 20)])
def test_a_link_holds_both_angles(angles):
    view, problems = read_view({"turn": ",".join(map(str, angles))})
    assert (view.turn, problems) == (angles, [])


@pytest.mark.parametrize(
    "text", ["", "30", "30,20,10", "30,90", "181,0", "1e2,0", "٣,٤", "nan,0", "30, 20", "9" * 5000]
)
def test_nonsense_is_named_and_left_out(text):
    view, problems = read_view({"turn": text})
    assert view.turn is None
    assert problems == ["turn is not two angles in degrees, as 30,20"]


def test_settings_leave_the_angles_to_the_player():
    assert from_query({"kernel": "monomial", "turn": "30,20"})[1] is None


def test_a_link_names_a_setting_with_a_range_that_curves_run_over():
    assert read_view({"over": "sigma"}) == (ViewState(over="sigma"), [])
    for text in ("", "kernel", "tune"):
        assert read_view({"over": text}) == (ViewState(), ["over is not a setting with a range"])
