"""The bytes of a stream: small at 2,000 examples, and the field is still that of the run."""

import pytest
from sent import Sent

from kpviz.engine.learners import LEARNERS
from kpviz.player import payload
from kpviz.settings import Settings

ONLINE = [name for name, learner in LEARNERS.items() if not learner.chooses]


@pytest.mark.parametrize("learner", ONLINE)
def test_a_stream_of_2000_examples_is_at_most_a_megabyte_and_a_half(learner):
    more = ({}, {"predictor": "voted"}, {"sigma": 0.1}) if learner == "perceptron" else ()
    for given in ({"flipped": 0.4}, *more):
        assert len(Sent(stream="on", learner=learner, n=2000, **given).data) < 1_500_000


def test_a_stream_with_a_budget_is_a_fifth_of_that():
    for learner in ("oldest", "randomized", "forgetron", "norma"):
        assert len(Sent(stream="on", learner=learner, n=2000).data) < 300_000


def test_nothing_is_sent_that_grows_with_examples_times_support():
    sent = Sent(stream="on", n=2000, learner="norma")
    assert not {"gramPairs", "gramRest", "trainError", "testError", "optimum"} & set(sent.arrays)
    support = len(sent.arrays["support"])
    assert max(array.size for array in sent.arrays.values()) < 100 * support
    assert "optimum" not in Sent(stream="on", learner="logistic", n=300).arrays


def test_words_of_a_stream_speak_of_its_end_and_of_what_moves():
    words = {}
    for given in ({"drift": 0}, {"drift": 1}, {"drift": 1, "moves": "switch"}):
        sent = Sent(stream="on", **given)
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
    sent = Sent(stream="on", tie="correct", n=100)
    assert sent.header["words"]["end"] == "Nothing learnt: a zero score counts as correct."


def test_streams_share_a_data_id_exactly_when_they_share_their_examples():
    usual = payload.data_id(Settings.of(stream="on"))
    for given in ({"learner": "norma"}, {"sigma": 1}, {"predictor": "voted"}):
        assert payload.data_id(Settings.of(stream="on", **given)) == usual
    for given in ({"stream": "off"}, {"drift": 1}, {"moves": "switch"}, {"n": 1001}, {"flipped": 0.2}):
        assert payload.data_id(Settings.of(**{"stream": "on", **given})) != usual
