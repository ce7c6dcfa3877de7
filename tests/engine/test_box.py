"""A box in space and the plane that cuts it, as the panel of the lift draws them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.player.box import EDGES, Box

SOME = st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=1, max_size=12).map(np.array)
ANGLES = st.tuples(st.floats(-360, 360), st.floats(-89, 89))


@given(SOME, ANGLES)
def test_turning_keeps_all_distances_up_to_one_factor_and_the_middle_at_0(points, angles):
    box = Box.around(points)
    both = np.vstack([points, box.low, box.high])
    seen = box.seen(both, *angles)
    half = np.linalg.norm(box.high - box.low) / 2
    for a, one in zip(both, seen, strict=True):
        for b, other in zip(both, seen, strict=True):
            assert np.linalg.norm(one - other) * half == pytest.approx(
                np.linalg.norm(a - b), abs=1e-9
            )
    np.testing.assert_allclose((seen[-1] + seen[-2]) / 2, 0.0, atol=1e-12)
    assert np.linalg.norm(box.seen(box.corners, *angles), axis=1).max() <= 1 + 1e-9


def test_from_the_front_the_first_axis_goes_right_the_third_up_and_the_second_away():
    box = Box(-np.ones(3), np.ones(3))
    across, away, up = box.seen(np.eye(3), 0.0, 0.0) * np.sqrt(3)
    np.testing.assert_allclose([across, away, up], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)
    assert box.seen(np.array([[0, 0, 1.0]]), 0.0, 90.0)[0, 2] > 0.5, "tilted, one looks down on it"


def test_an_edge_joins_corners_that_differ_along_one_axis():
    corners = Box(np.zeros(3), np.ones(3)).corners
    assert len(EDGES) == 12
    assert {float(np.abs(corners[i] - corners[j]).sum()) for i, j in EDGES} == {1.0}


@given(SOME, st.tuples(*[st.floats(-2, 2)] * 3).map(np.array), st.floats(-3, 3))
def test_the_polygon_is_the_part_of_the_plane_in_the_box(points, w, b):
    box = Box.around(points)
    polygon = box.cut(w, b)
    sides = box.corners @ w + b
    if not (sides.min() < 0 <= sides.max()):
        assert len(polygon) == 0
        return
    room = 1e-7 * (1 + np.abs(box.high).max() + np.abs(box.low).max())
    np.testing.assert_allclose(polygon @ w + b, 0.0, atol=1e-9 * (1 + np.abs(sides).max()))
    assert (polygon >= box.low - room).all()
    assert (polygon <= box.high + room).all()
    assert 3 <= len(polygon) <= 6


def test_a_slanted_cut_through_a_cube_is_a_regular_hexagon_in_order():
    polygon = Box(-np.ones(3), np.ones(3)).cut(np.ones(3), 0.0)
    steps = np.linalg.norm(polygon - np.roll(polygon, 1, axis=0), axis=1)
    np.testing.assert_allclose(steps, [np.sqrt(2)] * 6)
