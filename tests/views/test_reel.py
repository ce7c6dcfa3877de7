"""Laws of a film's frames: each is the still picture of its instant, whatever was drawn before it."""

import io

import numpy as np
import pytest
import runs
from matplotlib.image import imread

from kpviz.views import board
from kpviz.views.board import Look, Motion, Said
from kpviz.views.map import Bump
from kpviz.views.reel import Reel

NEAR = 4  # of 255: where letters touch, pictures of them mix a little otherwise
WIDE = {"default": 3, "forgetron": 1, "svm": 1, "logistic": 1, "sigmoid": 1, "precomputed": 1, "norma": 1}
LIT = Said("Look here: $\\frac$ and $x_i^2$ cost $5.", (3, 5), ("margins", "map"))


def assert_same(frame, picture, said=""):
    away = np.abs(frame.astype(int) - picture)
    assert away.max() <= NEAR, said
    assert (away.max(axis=2) > 1).mean() < 3e-3, said


def still(run, t, size, said=board.NOTHING, **look):
    figure = board.figure(run, t, size=(size[0] / 100, size[1] / 100), said=said, **look)
    return np.rint(255 * imread(io.BytesIO(board.save(figure, "png", dpi=100)))).astype(np.uint8)


@pytest.mark.parametrize("name", WIDE)
def test_a_frame_is_the_still_picture_of_its_instant_in_any_order(name):
    run = runs.run(name)
    reel = Reel(run, Look(), 640, 360)
    rng = np.random.default_rng(0)
    end = still(run, run.n_steps, (640, 360))
    for t in [run.n_steps, 0, *rng.integers(0, run.n_steps, WIDE[name]).tolist(), run.n_steps]:
        assert_same(reel.frame(t), end if t == run.n_steps else still(run, t, (640, 360)), t)


@pytest.mark.parametrize("size", [(540, 540), (360, 640), (480, 360)])
def test_so_it_is_in_every_shape_in_the_dark_and_with_what_a_cue_lights(size):
    run = runs.run("default")
    reel = Reel(run, Look(theme="dark"), *size)
    for said in (LIT, board.NOTHING, LIT):
        assert_same(reel.frame(27, said), still(run, 27, size, said, theme="dark"))


def test_a_step_that_happens_begins_as_before_it_and_leaves_nothing_behind():
    run, look = runs.run("default"), Look()
    reel = Reel(run, look, 640, 360)
    before, after = (board.plane(run, t, look)["map"].field for t in (0, 1))
    middle = Motion(0.5 * (before + after), Bump(before, after, 1.0, 0.85), 0.5)
    moving = reel.frame(1, motion=middle).copy()
    assert (moving != still(run, 1, (640, 360))).any()
    assert_same(reel.frame(1), still(run, 1, (640, 360)))
    np.testing.assert_array_equal(reel.frame(1, motion=middle), moving)
    around = np.ones(moving.shape[:2], dtype=bool)
    box = reel.page.boxes["map"]
    x, y, side = (round(length * 0.5) for length in (box.left, 720 - box.top, box.width))
    around[y - 8 : y + side + 8, x - 8 : x + side + 8] = False
    np.testing.assert_array_equal(moving[around], reel.frame(1)[around])  # only the map moves


def test_a_bump_has_the_colour_of_its_class_and_is_opaque_where_it_is_largest():
    kernel = np.zeros((96, 96))
    kernel[40:50, 40:50] = 2.0
    kernel[0, 0] = 1.0
    for y, channel in ((1.0, 0), (-1.0, 2)):
        bump = Bump(kernel, kernel, y, 0.8)
        colours = bump.paint(bump.share, theme="light").astype(int)
        assert colours[45, 45, channel] > colours[45, 45, 2 - channel] + 50
        assert (colours[45, 45, 3], colours[0, 0, 3], colours[5, 5, 3]) == (204, 102, 0)
