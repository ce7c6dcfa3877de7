"""The bytes of a run: what is folded is the function, and what is told is what the run recorded."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sent import PAIRS, TYPES, Sent

from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.run import predictors
from kpviz.player import extras, payload
from kpviz.player.subject import Subject
from kpviz.settings import Settings
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState


def test_changes_that_repeat_are_sent_once():
    sent = Sent(learner="projectron", n=60, noise=0.3, flipped=0.2, epochs=30)
    run = sent.run
    assert len(sent.arrays["changeIndex"]) < len(run.changes.index) / 2
    assert [len(places) for _, (places, _), *_ in sent.changes] == np.diff(run.changes.pointer).tolist()
    assert_array_equal([step for step, *_ in sent.changes], run.changes.step)


def test_what_can_be_counted_off_is_not_sent():
    usual, each = Sent(), Sent(learner="logistic", n=20)
    assert not {"index", "changeStep", "changePointer", "changeShift", "changeShrink", "changeDies"} & set(usual.arrays)
    assert not {"index", "changeStep", "changePointer"} & set(each.arrays)
    assert (usual.header["changed"]["when"], each.header["changed"]["when"]) == ("mistakes", "each")
    quiet = Sent(learner="norma", **{"lambda": 0})
    assert quiet.header["changed"]["when"] == "listed"
    assert_array_equal(quiet.arrays["changeStep"], quiet.run.changes.step)
    assert_array_equal(Sent(order="shuffled").arrays["index"], Sent(order="shuffled").run.index)


@pytest.mark.parametrize("name", SOURCES)
def test_every_array_is_finite_and_every_header_is_json(name):
    for predictor in predictors.PREDICTORS:
        sent = Sent(data=name, epochs=3, held=0.1, predictor=predictor)
        for array in sent.arrays.values():
            assert np.isfinite(array).all()
            assert array.dtype.name in TYPES
        assert json.dumps(sent.header, allow_nan=False)
        assert sent.header["limit"] > 0
        assert sent.header["names"]["lookFor"] == SOURCES[name].look_for


def test_an_extra_is_sent_only_when_it_is_asked_for():
    assert Sent().header["extras"] == {}
    made = Settings.of(kernel="linear", epochs=5, n=20)
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    for name in extras.EXTRAS:
        header, _ = payload.unpack(payload.encode(Subject.of(made, split, run), asked=[name]))
        assert list(header["extras"]) == [name]


def test_equal_settings_give_equal_bytes():
    for given in ({}, {"kernel": "sigmoid"}, PAIRS["gaussian product polynomial"], {"order": "random", "held": 0.2}):
        assert Sent(**given).data == Sent(**given).data


def test_numbers_that_float32_does_not_hold_are_refused_with_a_sentence():
    made = Settings.of(kernel="linear", n=4, noise=0)
    split = experiment.prepare(made)
    huge = experiment.Split(split.X * 1e30, split.y, split.X_test, split.y_test, split.source)
    with pytest.raises(ValueError, match=r"too large to be drawn.*\.$"):
        payload.encode(Subject.of(made, huge, experiment.run(made, huge)))


def test_an_envelope_is_followed_by_the_run_and_those_pinned():
    sent, pinned = Sent(), [Sent(n=20), Sent(n=30, epochs=2)]
    view = ViewState(3, ("alpha",))
    packed = [payload.Packed(f"p{number}", other.data) for number, other in enumerate(pinned)]
    whole = payload.envelope(
        [payload.Packed("v=1", sent.data), *packed],
        names=["A", "B"],
        pins="x",
        data="d",
        view=view,
        answer={"n": 7},
        cues=Cues.of_code("title: XOR|end: Done & dusted."),
    )
    header, arrays = payload.unpack(whole)
    assert header == {
        "id": "v=1",
        "dataId": "d",
        "view": {"t": 3, "show": ["alpha"], "stage": None, "turn": None, "over": None},
        "n": 7,
        "cues": {
            "title": "XOR",
            "by": "",
            "cues": [
                {
                    "place": "end",
                    "words": "Done & dusted.",
                    "hold": None,
                    "speed": None,
                    "light": [],
                    "notes": "",
                    "seconds": 2.0,
                }
            ],
            "query": "cues=title%3A%20XOR%7Cend%3A%20Done%20%26%20dusted.",
        },
        "pins": {"ids": ["p0", "p1"], "names": ["A", "B"], "query": "x", "comparison": None},
        "runs": [
            {"id": "v=1", "size": len(sent.data)},
            *({"id": each.id, "size": len(each.data)} for each in packed),
        ],
        "arrays": [],
    }
    assert arrays == {}
    runs = b"".join([sent.data, *(other.data for other in pinned)])
    assert whole.endswith(runs)
    assert (len(whole) - len(runs)) % 8 == 0


def test_settings_share_a_data_id_exactly_when_they_share_their_examples():
    usual = payload.data_id(Settings.of())
    for given in (
        {"kernel": "linear"},
        {"sigma": 1},
        {"order": "random"},
        {"epochs": 3},
        {"tie": "correct"},
        {"eta": 2},
    ):
        assert payload.data_id(Settings.of(**given)) == usual
    for given in (
        {"data": "moons"},
        {"n": 61},
        {"noise": 0.06},
        {"flipped": 0.1},
        {"balance": 0.4},
        {"seed": 1},
        {"held": 0.1},
    ):
        assert payload.data_id(Settings.of(**given)) != usual


class _StopError(Exception):
    """Nobody waits any more."""


@pytest.mark.parametrize("predictor", ["averaged", "voted"])
@pytest.mark.parametrize("learner", ["perceptron", "norma", "forgetron"])
def test_packing_a_long_run_says_how_far_it_is_and_ends_when_nobody_waits(learner, predictor):
    chosen = {"data": "moons", "n": 60, "noise": 0.5, "flipped": 0.5, "epochs": 200, "order": "random"}
    settings = Settings.of(learner=learner, predictor=predictor, **chosen)
    split = experiment.prepare(settings)
    told = []

    def until(most):
        told.clear()

        def progress(*reached):
            told.append(reached)
            if len(told) == most:
                raise _StopError

        return lambda run: payload.encode(Subject.of(settings, split, run), progress=progress)

    until(None)(experiment.run(settings, split))
    assert all(0 <= done <= limit for done, limit in told)
    for most in np.linspace(1, len(told), 3).round().astype(int):
        with pytest.raises(_StopError):
            until(most)(experiment.run(settings, split))
