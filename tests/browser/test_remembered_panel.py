"""What is remembered, in the player: the same terms in the same order as in pictures, and what is common lit."""

import pytest
from kpviz.views import look
from kpviz.views.remembered import Remembered, signed

from kpviz import experiment, explain
from kpviz.settings import Settings

CASES = {
    "texts": {"data": "texts", "ask": "the keeper stirs the soup"},
    "trees": {"data": "trees", "intercept": "unit"},
    "bits": {"data": "bits"},
    "points": {"data": "iris", "predictor": "averaged"},
}


@pytest.mark.parametrize("name", CASES)
def test_player_and_pictures_tell_the_same_terms_in_the_same_order(player, name):
    settings = Settings.of(**CASES[name])
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = {key: look.options(settings, split)[key] for key in ("ask", "bits", "own", "predictor")}
    player.open(f"/?{settings.query()}&show=remembered")
    player.until("s.run.header.extras.remembered").rest()
    for t in (1, run.n_steps // 2, run.n_steps):
        player.go(t).away()
        found = Remembered.of(run, t, **how)
        assert player.marks("remembered", name="sum")[0]["text"] == found.told
        terms = player.marks("remembered", name="term")
        assert 0 < len(terms) <= len(found.index)
        assert [mark["text"] for mark in player.marks("remembered", name="value")] == [
            signed(float(value)) for value in found.value[: len(terms)]
        ]
        assert [mark["text"] for mark in terms] == [explain.example(int(i)) for i in found.index[: len(terms)]]
    assert player.errors == []
