"""The bytes of a stream: small at 2,000 examples, and the field is still that of the run."""

from itertools import cycle

import numpy as np
import pytest
from kinds import kernels_for
from numpy.testing import assert_allclose, assert_array_equal
from sent import added, blocks_of

from kpviz import experiment, tokens
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import grid
from kpviz.player import envelope, payload
from kpviz.settings import Settings

ONLINE = [name for name, learner in LEARNERS.items() if not learner.chooses]


class Sent:
    """A stream's run and its bytes."""

    def __init__(self, **given):
        self.settings = Settings.of(stream="on", **given)
        self.split = experiment.prepare(self.settings)
        self.run = experiment.run(self.settings, self.split)
        self.data = payload.encode(self.settings, self.split, self.run)
        self.header, self.arrays = payload.unpack(self.data)

    def field(self, t):
        """What the sent contributions add up to, with the coefficients of the run."""
        state = self.run.state_at(t)
        coef = state.coef[self.arrays["support"].astype(int)]
        return added(blocks_of(self.arrays), coef, tokens.GRID) + state.intercept


@pytest.mark.parametrize(("kernel", "learner"), [*zip(kernels_for("moons"), cycle(ONLINE), strict=False)])
def test_the_field_of_a_stream_is_that_of_the_run(learner, kernel):
    sent = Sent(learner=learner, kernel=kernel, n=300, data="moons")
    axes = grid.extent(sent.split.X).axes(tokens.GRID)
    for t in (1, 120, 300):
        field = grid.field(sent.run, t, *axes)
        state = sent.run.state_at(t)
        terms = np.abs(sent.run.columns(sent.split.X, state.support)) @ np.abs(state.coef[state.support])
        assert_allclose(sent.field(t), field, rtol=0, atol=2e-5 * max(np.abs(field).max(), terms.max(initial=0.0)))


@pytest.mark.parametrize("learner", ONLINE)
def test_a_stream_of_2000_examples_is_at_most_a_megabyte_and_a_half(learner):
    more = ({}, {"predictor": "voted"}, {"sigma": 0.1}) if learner == "perceptron" else ()
    for given in ({"flipped": 0.4}, *more):
        assert len(Sent(learner=learner, n=2000, **given).data) < 1_500_000


def test_a_stream_with_a_budget_is_a_fifth_of_that():
    for learner in ("oldest", "randomized", "forgetron", "norma"):
        assert len(Sent(learner=learner, n=2000).data) < 300_000


def test_nothing_is_sent_that_grows_with_examples_times_support():
    sent = Sent(n=2000, learner="norma")
    assert not {"gramPairs", "gramRest", "trainError", "testError", "optimum"} & set(sent.arrays)
    support = len(sent.arrays["support"])
    assert max(array.size for array in sent.arrays.values()) < 100 * support
    assert "optimum" not in Sent(learner="logistic", n=300).arrays


def test_the_record_of_a_stream_is_sent_as_it_is():
    sent = Sent(learner="forgetron", drift=1, moves="switch", flipped=0.05)
    run, arrays = sent.run, sent.arrays
    assert_array_equal(run.index, np.arange(1000))
    assert_array_equal(arrays["mistake"], run.mistake)
    assert_allclose(arrays["X"], sent.split.X, rtol=1e-6, atol=1e-7)
    assert_array_equal(arrays["y"], sent.split.y)
    assert_array_equal(arrays["supportSize"], [len(run.state_at(t).support) for t in range(1001)])
    assert_allclose(arrays["angle"], np.repeat(np.arange(4) * np.pi / 2, 250), rtol=1e-6)
    assert sent.header["stream"] == {"drift": 1.0, "moves": "switch", "noise": 0.05}


def test_words_of_a_stream_speak_of_its_end_and_of_what_moves():
    words = {}
    for given in ({"drift": 0}, {"drift": 1}, {"drift": 1, "moves": "switch"}):
        sent = Sent(**given)
        mistakes = int(sent.run.mistake.sum())
        assert sent.header["words"]["end"] == f"The stream ends: {mistakes} mistakes among 1,000 examples."
        assert sent.header["words"]["code"][-1] == "until the stream ends"
        words[tuple(given.items())] = sent.header["names"]["lookFor"]
    assert [("stays" in text, "turns" in text, "switches" in text) for text in words.values()] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]


def test_a_stream_that_teaches_nothing_says_so():
    sent = Sent(tie="correct", n=100)
    assert sent.header["words"]["end"] == "Nothing learnt: a zero score counts as correct."


def test_other_runs_are_sent_as_ever():
    made = Settings.of()
    split = experiment.prepare(made)
    header, arrays = payload.unpack(payload.encode(made, split, experiment.run(made, split)))
    assert header["stream"] is None
    assert {"gramPairs", "gramRest", "trainError"} <= set(arrays)
    assert not {"angle", "supportSize"} & set(arrays)


def test_streams_share_a_data_id_exactly_when_they_share_their_examples():
    usual = envelope.data_id(Settings.of(stream="on"))
    for given in ({"learner": "norma"}, {"sigma": 1}, {"predictor": "voted"}):
        assert envelope.data_id(Settings.of(stream="on", **given)) == usual
    for given in ({"stream": "off"}, {"drift": 1}, {"moves": "switch"}, {"n": 1001}, {"flipped": 0.2}):
        assert envelope.data_id(Settings.of(**{"stream": "on", **given})) != usual
