"""The instants that tell a run."""

import numpy as np
import pytest
from drawing import lineup
from hypothesis import given, settings
from hypothesis import strategies as st

from kpviz.picture import storyboard
from kpviz.picture.render_options import RenderOptions
from kpviz.picture.storyboard import Cell
from kpviz.player.subject import Subject
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

CASES = {
    "default": {},
    "never converges": {"noise": 0.4, "epochs": 8},
    "learns nothing": {"tie": "correct"},
    "forgetron": {"learner": "forgetron"},
    "svm": {"learner": "svm"},
}
RUNS = {name: lineup(Settings.of(n=30, **values)).current.run for name, values in CASES.items()}


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(RUNS)), st.integers(2, 24))
def test_the_chosen_instants_are_the_start_the_end_and_mistakes_between(name, k):
    run = RUNS[name]
    chosen = storyboard.spread(run, k)
    assert len(chosen) == min(k, run.n_steps + 1)
    assert chosen == sorted(set(chosen))
    assert (chosen[0], chosen[-1]) == (0, run.n_steps)
    mistakes = {*(np.flatnonzero(run.mistake) + 1).tolist()} - {run.n_steps}
    assert len(mistakes & {*chosen}) >= min(k - 2, len(mistakes))


def test_the_chosen_mistakes_are_spread_evenly():
    run = RUNS["never converges"]
    mistakes = [t for t in (np.flatnonzero(run.mistake) + 1).tolist() if t < run.n_steps]
    ranks = [mistakes.index(t) for t in storyboard.spread(run, 12)[1:-1]]
    assert (ranks[0], ranks[-1]) == (0, len(mistakes) - 1)
    assert np.ptp(np.diff(ranks)) <= 1


@pytest.mark.parametrize("k", [0, 1, 25])
def test_a_number_of_pictures_that_no_page_holds_is_refused(k):
    with pytest.raises(ValueError, match=f"k={k}"):
        storyboard.spread(RUNS["default"], k)
    with pytest.raises(ValueError, match="A storyboard has 2 to 24 pictures, not"):
        storyboard.draw(Subject.of_run(RUNS["default"]), [0] * k, RenderOptions())


def test_a_step_beyond_the_end_is_refused():
    run = RUNS["default"]
    with pytest.raises(ValueError, match=f"t={run.n_steps + 1}"):
        storyboard.draw(Subject.of_run(run), [0, run.n_steps + 1], RenderOptions())


def test_cells_of_cues_have_their_words_and_light_in_the_order_of_time():
    cues = Cues.read("end: Done.\nstart: Look.\n4 light x3, x999: Here.\n99999: Never.")
    run = RUNS["default"]
    assert storyboard.of_cues(run, cues) == [Cell(0, "Look."), Cell(4, "Here.", (3,)), Cell(run.n_steps, "Done.")]
