"""At the end of a run with mistakes the page asks what is known of it, draws that, and offers what helps."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons import verdict
from kpviz.settings import Settings


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """What helps is looked for as long as that takes, on a busy machine too."""
    monkeypatch.setattr(verdict, "SECONDS", 60.0)


def known_of(**given):
    settings = Settings.of(**given)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    return verdict.of(settings, split, run, drawn=True)


def test_the_end_of_a_run_that_did_not_converge_says_why_and_what_helps(player):
    found = known_of(kernel="linear", intercept="unit")
    player.open("/?v=1&kernel=linear&intercept=unit").press("End").until("s.player.verdicts.at(s.run, s.t)")
    player.rest()
    assert player.words("words")[-1]
    assert player.js("s.player.verdicts.at(s.run, s.t).words") == found.words
    ringed = np.flatnonzero(found.separability.weights)
    assert len(player.marks("map", name="crossing")) == len(ringed)
    button = player.page.get_by_role("button", name="Try it")
    button.click()
    player.until("!s.run.header.settings.query.includes('kernel')").press("End").rest()
    assert player.js("s.run.header.end") == "clean"
    assert button.is_hidden()
    player.press("z").until("s.run.header.settings.query.includes('kernel=linear')")


def test_a_boundary_that_separates_is_dashed(player):
    player.open("/?v=1&epochs=1").press("End").until("s.player.verdicts.at(s.run, s.t)").rest()
    assert len(player.marks("map", name="separates")) == 1
    player.press("ArrowLeft").rest()
    assert player.marks("map", name="separates") == []


def test_nothing_is_asked_of_a_run_that_converged_or_is_not_at_its_end(player):
    for link, key in (("/", "End"), ("/?v=1&kernel=linear", "ArrowRight")):
        player.open(link).press(key).rest()
        assert player.js("s.requests.at(-1).run") is None
    player.press("End").until("s.requests.at(-1).run === s.run")


def test_a_stage_shows_it_where_there_is_room_and_the_map_shows_it_anywhere(player):
    words = known_of(kernel="linear", intercept="unit").words
    for stage, room in (("window", True), ("16x9", True), ("9x16", False)):
        player.open(f"/?v=1&kernel=linear&intercept=unit&stage={stage}").press("End")
        player.until("s.player.verdicts.at(s.run, s.t)").rest()
        assert player.js("s.player.stage") == stage
        assert player.marks("map", name="crossing")
        assert player.sentence.endswith(words) is room, stage
        rect = player.js("s.layout.panels.words")
        least = player.js("s.layout.least")
        for mark in player.marks("words", name="sentence"):
            assert mark["size"] >= least - 1e-9
            assert mark["y"] <= rect["y"] + rect["h"] + 1
        assert player.page.get_by_role("button", name="Try it").is_hidden()
