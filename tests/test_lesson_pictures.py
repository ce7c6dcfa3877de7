"""The small pictures of lessons are there, and are what is drawn of lessons now."""

import io

import numpy as np
import pytest
from PIL import Image

from kpviz.export import lesson_picture as drawn
from kpviz.lessons import shelf

LESSONS = sorted(shelf.paths_in(None))
PUZZLES = sorted(shelf.puzzles())
NAMES = [*LESSONS, *PUZZLES]


def pixels(content):
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"), dtype=float)


@pytest.mark.parametrize(("names", "most"), [(LESSONS, 120_000), (PUZZLES, 40_000)])
def test_each_lesson_and_each_puzzle_has_one_and_no_other_has(names, most):
    there = {path.stem for path in shelf.picture_of(names[0]).parent.glob("*.webp")}
    assert there == set(names)
    assert sum(shelf.picture_of(name).stat().st_size for name in names) < most


@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_is_drawn_of_it_now(name):
    found, made = (
        pixels(shelf.picture_of(name).read_bytes()),
        pixels(drawn.picture(shelf.read(name))),
    )
    assert found.shape == made.shape == (drawn.SIDE, drawn.SIDE, 3)
    assert np.abs(found - made).mean() < 2, "run `make assets`"
    assert found.std() > 10  # something is to be seen
