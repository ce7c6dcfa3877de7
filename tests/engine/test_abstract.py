"""Whoever extends a class of kpviz and leaves a method out is told which, and what it is for."""

import re
from pathlib import Path

import numpy as np
import pytest

import kpviz
from kpviz.engine.kernels.objects.counting import Counting
from kpviz.engine.learners.protocol import Learner

PACKAGE = Path(kpviz.__file__).parent
X = np.array([[0.0], [1.0]])
y = np.array([1.0, -1.0])


class Nothing(Learner):
    pass


class OnlyStart(Learner):
    def start(self, gram, y, rng):
        return None


class Chooser(OnlyStart):
    chooses = True

    def change(self, memory, t, i, scores, coef):
        return None


class EmptyCounts(Counting):
    pass


LACKING = {
    "Nothing lacks start(gram, y, rng)": lambda: kpviz.train(Nothing(), X, y),
    "OnlyStart lacks change(memory, t, i, scores, coef)": lambda: kpviz.train(OnlyStart(), X, y),
    "Chooser lacks choose(memory, scores)": lambda: kpviz.train(Chooser(), X, y),
    "OnlyStart lacks added(margin)": lambda: OnlyStart().added(1.0),
    "EmptyCounts lacks check(value, name)": lambda: EmptyCounts()(["a"], ["b"]),
    "EmptyCounts lacks features(value)": lambda: EmptyCounts().features("a"),
}


@pytest.mark.parametrize("beginning", LACKING)
def test_the_method_that_is_missing_is_named_in_a_sentence(beginning):
    with pytest.raises(NotImplementedError, match=rf"^{re.escape(beginning)}, which .+\.$"):
        LACKING[beginning]()


def test_no_method_that_is_missing_goes_unnamed():
    bare = re.compile(r"raise NotImplementedError(?:\(\))?\s*(?:from \w+)?$", re.MULTILINE)
    silent = [
        path.name for path in PACKAGE.rglob("*.py") if bare.search(path.read_text(encoding="utf-8"))
    ]
    assert silent == []
