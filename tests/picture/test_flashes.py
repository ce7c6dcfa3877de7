"""Nothing flashes more than three times a second, however fast one plays: in films, and on the
player's map.
"""

import flashes
import numpy as np
import pytest
from contrast import luminance

from kpviz import experiment, tokens
from kpviz.export import films
from kpviz.export.films import FilmOptions
from kpviz.player.comparison import Comparison
from kpviz.settings import from_query
from kpviz.settings.cues import Cues

USUAL = 1000 / tokens.TIMINGS["correct"]  # steps per second
WIDE, HIGH, CELL = 640, 360, 12  # px of a film, and between two of its places
CSS = 1280 / WIDE  # px of a screen on which such a film would stand as large as the player
SECONDS = 2  # what flashes does so within one


def film(query, speed, **chosen):
    settings, _ = from_query(query)
    split = experiment.prepare(settings)
    lineup = Comparison.of(settings, split, experiment.run(settings, split))
    chosen = {"width": WIDE, "height": HIGH, "fps": 60, "title": None, **chosen}
    return films.film(lineup, Cues(), FilmOptions(speed=speed / USUAL, **chosen))


def seen(made):
    half = CELL // 2
    return [luminance(frame[half::CELL, half::CELL]) for frame in made.frames()]


def test_a_flash_is_a_pair_of_opposing_changes_between_colours_of_which_one_is_not_bright():
    def area(values, fps=10):
        return flashes.area(np.reshape(values, (-1, 1, 1)), fps, 1)

    assert area([0, 1] * 3 + [0]) == 0  # three flashes
    assert area([0, 1] * 4) == 1
    assert area([0, 1] * 4, fps=5) == 0  # in two seconds
    assert area([0.85, 1] * 10) == 0
    assert area([0.5, 0.58] * 10) == 0
    assert area([0, 0.05, 0.1, 0.15] * 10, fps=20) == 1
    assert area(np.linspace(0, 1, 50)) == 0


def test_what_flashes_side_by_side_is_added_up():
    frames = np.zeros((20, 3, 3))
    frames[::2, 0, :2] = frames[::2, 2, 2] = 1
    assert flashes.area(frames, 10, 25.0) == 50.0


@pytest.mark.parametrize(("speed", "theme"), [(22.6, "light"), (60.0, "dark")])
def test_a_fast_film_does_not_flash(speed, theme):
    made = film("v=1&kernel=linear", speed, last=round(SECONDS * speed), theme=theme)
    assert flashes.area(seen(made), made.fps, (CSS * CELL) ** 2) < flashes.AREA


def test_a_learner_that_changes_at_every_step_does_not_flash_at_the_default_speed():
    made = film("v=1&learner=norma&kernel=linear", USUAL, last=7)
    assert flashes.area(seen(made), made.fps, (CSS * CELL) ** 2) < flashes.AREA


def test_a_film_that_stops_shows_the_very_field():
    *_, last = (frame.copy() for frame in film("v=1&kernel=linear", 60.0, last=30).frames())
    *_, still = (
        frame.copy() for frame in film("v=1&kernel=linear", 60.0, first=30, last=30).frames()
    )
    away = np.abs(last.astype(int) - still)[:, : HIGH * 3 // 4]
    assert away.max() <= 2
