"""What a run answers in the words of scikit-learn and pandas: labels, and a table."""

from typing import get_args

import numpy as np
import pandas
import pytest
from numpy.testing import assert_array_equal

import kpviz
from kpviz.engine.kernels import Gaussian
from kpviz.engine.learners import LEARNERS, Perceptron
from kpviz.engine.run.predictors import PREDICTORS, PredictorName

COLUMNS = {"step", "epoch", "example", "y", "f", "margin", "mistake", "alpha"}


def trained(learner, **options):
    X, y = kpviz.make_dataset("moons", 24, noise=0.3, seed=2)
    return kpviz.train(learner, X, y, kernel=Gaussian(0.5), epochs=3, **options)


def test_the_type_of_a_predictor_has_all_predictors():
    assert get_args(PredictorName) == PREDICTORS


@pytest.mark.parametrize("predictor", PREDICTORS)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_label_is_the_sign_of_the_score(name, predictor):
    run = trained(LEARNERS[name]())
    Z = np.random.default_rng(0).uniform(-1.5, 1.5, (50, 2))
    for t in (0, run.n_steps // 2, None):
        scores = run.decision_function(Z, t, predictor)
        labels = run.predict(Z, t, predictor)
        assert labels.dtype == np.float64
        assert set(labels) <= {-1.0, 1.0}
        assert_array_equal(labels[scores != 0], np.sign(scores[scores != 0]))


@pytest.mark.parametrize(
    ("tie", "predictor", "label"),
    [
        ("mistake", "last", -1.0),
        ("correct", "last", -1.0),
        ("negative", "averaged", -1.0),
        ("positive", "last", 1.0),
        ("positive", "averaged", 1.0),
        ("negative", "voted", 1.0),
    ],
)
def test_a_score_of_0_is_labelled_as_the_tie_says_and_a_tied_vote_is_positive(
    tie, predictor, label
):
    run = trained(Perceptron(tie=tie))
    assert run.predict([[0.0, 0.0]], t=0, predictor=predictor) == label


@pytest.mark.parametrize("tie", ["mistake", "positive"])
def test_an_estimator_and_its_run_label_alike(tie):
    X = np.array([[-1.0], [1.0], [0.0]])
    model = kpviz.KernelPerceptron("linear", tie=tie, shuffle=False).fit(X[:2], ["a", "b"])
    assert_array_equal(model.predict(X) == "b", model.run_.predict(X) > 0)
    assert (model.predict(X)[2] == "b") == (tie == "positive")


def test_a_label_is_refused_as_a_score_is():
    run = trained(Perceptron())
    with pytest.raises(ValueError, match="predictor='mean' is unknown"):
        run.predict(run.X, predictor="mean")
    with pytest.raises(ValueError, match="Z has 3 columns"):
        run.predict(np.zeros((1, 3)))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_table_has_a_row_for_each_presentation(name):
    run = trained(LEARNERS[name]())
    table = run.table()
    frame = pandas.DataFrame(table)
    assert len(frame) == run.n_steps
    assert set(run.details) == set(table) - COLUMNS
    assert_array_equal(frame["margin"], frame["y"] * frame["f"])
    assert_array_equal(frame.groupby("epoch")["mistake"].sum(), run.mistakes_per_epoch)
    for step, i, alpha in zip(table["step"], table["example"], table["alpha"], strict=True):
        assert alpha == pytest.approx(run.state_at(int(step)).alpha[i], abs=1e-12)
