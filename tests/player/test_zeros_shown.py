"""What is 0 by hand is 0 on the board: in every reading of the browser, and in its words."""

from fractions import Fraction

import fractions_by_hand as by_hand
import numpy as np
import pytest
from decimals import KERNELS, LINKS, drawn
from numpy.testing import assert_array_equal
from readers import subject_of

import kpviz
from kpviz.learners import Norma, PassiveAggressive, Perceptron, RemoveOldest
from kpviz.player import payload
from kpviz.player.experiment import Experiment

TENTH = Fraction(1, 10)
LEARNERS = {
    "perceptron": (
        Perceptron(0.1, "radius"),
        lambda gram, y: by_hand.perceptron(gram, y, 3, TENTH, "radius", "mistake"),
    ),
    "oldest": (RemoveOldest(2), lambda gram, y: by_hand.remove_oldest(gram, y, 3, 2)),
    "PA": (
        PassiveAggressive("PA"),
        lambda gram, y: by_hand.passive_aggressive(gram, y, 3, "PA", 1),
    ),
    "norma": (
        Norma(learning_rate=0.1, regularization=0.0, margin=0.3),
        lambda gram, y: by_hand.norma(gram, y, 3, TENTH, Fraction(0), Fraction(3, 10)),
    ),
}
SCORES = """() => {
  const { Run, KINDS } = load("run/run.js");
  const run = new Run(kpviz.bytes);
  return Array.from({ length: run.nSteps + 1 }, (_, t) => {
    const readings = run.readings(t);
    return KINDS.map((kind) => [...readings[kind].scores]);
  });
}"""


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_zeros_by_hand_are_zeros_in_the_browser(engine, learner, kernel):
    ours, theirs = LEARNERS[learner]
    function, exact = KERNELS[kernel]
    for seed in range(3):
        X, y = drawn(seed, 10)
        gram = by_hand.matrix(exact, by_hand.decimals(X))
        right = by_hand.readings(theirs(gram, [int(label) for label in y]), gram)
        run = kpviz.train(ours, X, y, kernel=function, epochs=3)
        engine.take(payload.encode(Experiment.from_run(run)))
        for t, shown in enumerate(engine.call(SCORES)):
            for kind, scores in zip(("last", "averaged", "voted"), shown, strict=True):
                signs = [(value > 0) - (value < 0) for value in right[kind][t]]
                assert_array_equal(np.sign(scores), signs, (seed, t, kind))


@pytest.mark.parametrize("name", LINKS)
def test_links_that_rounding_decided_count_as_by_hand_in_the_browser(engine, name):
    given, t, predictor, wrong = LINKS[name]
    engine.take(payload.encode(subject_of({**given, "predictor": predictor})))
    counted = """(t) => {
      const { Run, errors } = load("run/run.js");
      const run = new Run(kpviz.bytes);
      return errors(run, run.predictor.kind, run.reading(t)).train;
    }"""
    assert engine.call(counted, t) == wrong


def test_a_right_angle_is_a_score_of_0_in_words(engine):
    given, *_ = LINKS["two points at a right angle"]
    engine.take(payload.encode(subject_of(given)))
    said = engine.call("""() => {
      const [{ Run }, { explain }] = ["run/run.js", "run/words.js"].map(load);
      return explain(new Run(kpviz.bytes), 2).sentence;
    }""")
    assert said.startswith("x₁ is orange, but the score is 0, which counts as a mistake.")
    assert "10⁻" not in said
