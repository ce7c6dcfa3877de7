"""The perceptron's relatives as scikit-learn classifiers: its checks, and batch after batch against the slow loops."""

import inspect
import pickle
from dataclasses import fields

import numpy as np
import pytest
from family_cases import (
    FAMILY,
    ONLINE,
    OTHER_SETTINGS,
    batches,
    coefficients,
    over_family,
    quietly,
    words,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator
from textbook import random_data

import kpviz
from kpviz import KernelPerceptron
from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.learners import LEARNERS
from kpviz.engine.sklearn import family
from kpviz.engine.sklearn.estimators import KernelClassifier

WITH_OPTIONS = [
    family.ForgetronClassifier(kernel="poly", normalize=True, variant="basic", budget=30, predictor="averaged"),
    family.RandomizedBudgetClassifier(kernel="laplacian", budget=40, shuffle=False),
    family.ProjectronClassifier(kernel=Gaussian(1.0), threshold=0.3, max_iter=100),
    family.PassiveAggressiveClassifier(variant="PA-II", predictor="averaged"),
    family.KernelLogisticClassifier(predictor="voted"),
]


@quietly
@pytest.mark.parametrize(
    "estimator",
    [*(cls() for cls in FAMILY[1:] if cls not in map(type, WITH_OPTIONS)), *WITH_OPTIONS],
    ids=repr,
)
def test_scikit_learns_own_checks_pass(estimator):
    check_estimator(estimator, on_skip=None)


@over_family
def test_its_parameters_are_the_learners_with_their_defaults_and_the_common_ones(cls):
    learner = cls.learner_class
    assert learner in LEARNERS.values()
    signature = inspect.signature(cls).parameters
    own = {part.name: part.default for part in fields(learner)}
    assert {name: signature[name].default for name in own} == own
    common = {"kernel", "gamma", "degree", "coef0", "normalize", "max_iter"}
    showing = {"shuffle", "random_state", "predictor"} if cls in ONLINE else set()
    assert set(signature) == set(cls().get_params()) == common | showing | set(own)
    assert [name for name, one in signature.items() if one.kind != one.KEYWORD_ONLY] == ["kernel"]


def test_every_classifier_is_a_public_name_and_has_a_learner_of_its_own():
    named = {cls.learner_class for cls in FAMILY}
    assert {*LEARNERS.values()} - named == set(), "a learner needs a classifier in engine/sklearn/family.py"
    assert len(named) == len(FAMILY) == len(LEARNERS)
    for cls in FAMILY:
        assert getattr(kpviz, cls.__name__) is cls
        assert cls.__name__ in kpviz.__all__


@quietly
@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
@over_family
def test_it_is_a_run_of_kpviz_train(cls, predictor):
    X, y = kpviz.make_dataset("moons", n_samples=40, noise=0.2, seed=1)
    Z, _ = kpviz.make_dataset("moons", n_samples=30, noise=0.2, seed=2)
    settings = OTHER_SETTINGS[cls]
    online = {"predictor": predictor, "random_state": 5} if cls in ONLINE else {}
    model = cls(gamma=2.0, max_iter=6, **online, **settings).fit(X, words(y))
    order = {"order": "shuffled", "seed": 5} if cls in ONLINE else {}
    run = kpviz.train(cls.learner_class(**settings), X, y, kernel=Gaussian(0.5), epochs=6, **order)
    assert_array_equal(model.run_.index, run.index)
    assert_array_equal(model.run_.score, run.score)
    assert model.n_iter_ == run.n_epochs
    scores = run.decision_function(Z, predictor=predictor if cls in ONLINE else "last")
    assert_allclose(model.decision_function(Z), scores)
    assert_array_equal(model.predict(Z), words(scores))
    by_hand = model.dual_coef_ @ Gaussian(0.5)(model.support_vectors_, Z) + model.intercept_
    if predictor != "voted":
        assert_allclose(model.decision_function(Z), by_hand[0], rtol=1e-9, atol=1e-12)
    assert_array_equal(model.support_vectors_, X[model.support_])


@over_family
def test_it_works_in_pipelines_searches_and_copies(cls):
    X, y = kpviz.make_dataset("moons", n_samples=60, seed=1)
    seed = {"random_state": 0} if cls in ONLINE else {}
    model = cls(max_iter=200, **OTHER_SETTINGS[cls], **seed).set_params(
        **{"budget": 40} if "budget" in vars(cls) else {}
    )
    search = GridSearchCV(make_pipeline(StandardScaler(), model), {f"{cls.__name__.lower()}__gamma": [1.0, 3.0]}, cv=3)
    assert search.fit(X, words(y)).best_score_ > 0.8
    fitted = model.fit(X, words(y))
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.decision_function(X), fitted.decision_function(X))
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert_array_equal(copy.fit(X, words(y)).decision_function(X), fitted.decision_function(X))


# -- the same models in scikit-learn ----------------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_norma_is_scikit_learns_descent_on_the_hinge_loss_batch_after_batch(fit_intercept):
    X, y = random_data(1, n=60, columns=4)
    ours = family.NormaClassifier(kernel="linear", learning_rate=0.3, regularization=0.05, fit_intercept=fit_intercept)
    theirs = SGDClassifier(
        loss="hinge", alpha=0.05, learning_rate="constant", eta0=0.3, shuffle=False, fit_intercept=fit_intercept
    )
    for batch in batches(60, 11):
        ours.partial_fit(X[batch], y[batch], classes=[-1, 1])
        theirs.partial_fit(X[batch], y[batch], classes=[-1, 1])
        assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-9, atol=1e-11)


def test_logistic_regression_has_the_probabilities_of_scikit_learns_descent_on_the_log_loss():
    X, y = random_data(2, n=60, columns=4)
    ours = family.KernelLogisticClassifier(kernel="linear", learning_rate=0.3, regularization=0.05)
    theirs = SGDClassifier(
        loss="log_loss", alpha=0.05, learning_rate="constant", eta0=0.3, shuffle=False, fit_intercept=False
    )
    for batch in batches(60, 11):
        ours.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        theirs.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("C", [0.3, 30.0])
def test_the_svm_is_scikit_learns(C):
    X, y = random_data(3, n=60, columns=3)
    ours, theirs = family.SVMClassifier(C=C).fit(X, words(y)), SVC(C=C, tol=1e-8).fit(X, words(y))
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert_allclose(coefficients(ours, X).clip(-C, C), coefficients(theirs, X), atol=1e-3 * C)
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_a_projectron_that_projects_nothing_away_is_the_perceptron():
    X, y = random_data(4, n=40)
    y = np.where(X @ [1.0, -2.0] > 0.3, "yes", "no")
    options = {"gamma": 1.0, "random_state": 3}
    ours, theirs = family.ProjectronClassifier(threshold=0.0, **options), KernelPerceptron(**options)
    assert_allclose(ours.fit(X, y).dual_coef_, theirs.fit(X, y).dual_coef_)
    assert ours.run_.end == "clean"


# -- probabilities ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("predictor", ["last", "averaged"])
def test_probabilities_are_sigma_of_the_score_in_the_order_of_the_classes(predictor):
    X, y = random_data(5, n=40)
    model = family.KernelLogisticClassifier(predictor=predictor, random_state=0).fit(X, words(y))
    Z = np.concatenate([X, [[1e3, 1e3]]])  # far from everything: undecided
    p = model.predict_proba(Z)
    assert p.shape == (41, 2)
    assert_allclose(p[:, 1], expit(model.decision_function(Z)), rtol=1e-12)
    assert_allclose(p.sum(axis=1), 1.0, rtol=1e-15)
    assert_array_equal(p[-1], [0.5, 0.5])
    assert_array_equal(model.predict(Z), np.where(p[:, 1] > 0.5, "yes", "no"))


def test_probabilities_of_enormous_scores_are_numbers():
    X, y = np.array([[1e3, 0.0], [-1e3, 0.0]]), [0, 1]
    model = family.KernelLogisticClassifier(kernel="linear", shuffle=False).fit(X, y)
    assert_array_equal(model.predict_proba(X), np.eye(2))


def test_a_count_of_votes_is_no_probability():
    X, y = random_data(6)
    model = family.KernelLogisticClassifier(predictor="voted", random_state=0)
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model.fit(X, y).set_params(predictor="last"), "predict_proba")
    assert hasattr(model.fit(X, y), "predict_proba")


# -- when it ends, and what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [cls for cls in ONLINE if cls.settles])
def test_a_warning_is_given_if_the_last_epoch_still_made_mistakes(cls):
    X = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.warns(ConvergenceWarning, match="max_iter=7 epochs: the last one still made [123] mistakes") as caught:
        cls(kernel="linear", max_iter=7).fit(X, [0, 1, 0])
    assert caught[0].filename == __file__
    assert cls(kernel="linear", max_iter=7).fit(X[1:], [0, 1]).n_iter_ < 7  # and no warning, which would be an error


@pytest.mark.parametrize("cls", [family.NormaClassifier, family.KernelLogisticClassifier])
def test_a_descent_makes_all_its_epochs_without_a_warning(cls):
    X, y = random_data(7)
    assert cls().fit(X, y).n_iter_ == 10
    model = cls(max_iter=3).fit(X, y)
    assert (model.n_iter_, model.run_.n_steps) == (3, 60)


def test_the_svm_warns_if_it_has_not_come_within_its_tolerance():
    X, y = random_data(8, n=40)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 epochs: the gap was .* before the last step, tol=1e-05"):
        model = family.SVMClassifier(C=100.0, max_iter=1).fit(X, y)
    assert model.run_.details["gap"][-1] > model.tol
    assert family.SVMClassifier(C=100.0).fit(X, y).run_.end == "tolerance"


@quietly
@over_family
def test_a_normalized_kernel_is_asked_for_by_a_switch(cls):
    X, y = random_data(9, n=20)
    seed = {"random_state": 0} if cls in ONLINE else {}
    ours = cls(kernel="linear", normalize=True, **seed)
    theirs = cls(kernel=Linear().normalized(), **seed)
    assert_array_equal(ours.fit(X, y).decision_function(X), theirs.fit(X, y).decision_function(X))
    lengths = np.linalg.norm(X, axis=1)
    gram = X @ X.T / np.outer(lengths, lengths)
    assert_allclose(ours.run_.gram, gram, atol=1e-12)
    with pytest.raises(ValueError, match="normalize=True is not for"):
        cls(kernel="precomputed", normalize=True).fit(gram, y)
    with pytest.raises(ValueError, match="normalize=1 is not a switch"):
        cls(normalize=1).fit(X, y)


def test_the_forgetron_refuses_long_examples_unless_they_are_normalized():
    X, y = 3.0 * np.eye(2), [0, 1]
    with pytest.raises(ValueError, match=r"at most 1, so use kernel\.normalized"):
        family.ForgetronClassifier(kernel="linear").fit(X, y)
    assert family.ForgetronClassifier(kernel="linear", normalize=True).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize(
    ("cls", "name", "value"),
    [(cls, name, [value]) for cls in FAMILY for name, value in OTHER_SETTINGS[cls].items()]
    + [(cls, "max_iter", 0) for cls in FAMILY]
    + [(cls, "gamma", "wide") for cls in FAMILY]
    + [(cls, "random_state", -1) for cls in ONLINE]
    + [(cls, "predictor", "best") for cls in ONLINE],
)
def test_a_wrong_parameter_is_refused_by_fit_in_one_sentence_that_names_it(cls, name, value):
    X, y = random_data(9)
    model = cls(**{name: value})
    assert isinstance(model, KernelClassifier)
    with pytest.raises(ValueError, match=rf"\b{name}\b") as caught:
        model.fit(X, y)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")
