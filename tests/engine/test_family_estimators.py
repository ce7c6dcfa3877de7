"""The perceptron's relatives as scikit-learn classifiers: its checks, and batch after batch against the slow loops."""

import inspect
import pickle
from dataclasses import fields

import numpy as np
import oracles
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from textbook import random_data

import kpviz
from kpviz import KernelPerceptron
from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.learners import LEARNERS
from kpviz.engine.sklearn import family
from kpviz.engine.sklearn.estimators import KernelClassifier, OnlineClassifier
from kpviz.engine.sklearn.family import (
    ForgetronClassifier,
    KernelLogisticClassifier,
    NormaClassifier,
    PassiveAggressiveClassifier,
    ProjectronClassifier,
    RandomizedBudgetClassifier,
    RemoveOldestClassifier,
    SVMClassifier,
)

FAMILY = [KernelPerceptron, *(x for x in vars(family).values() if hasattr(x, "learner_class"))]
ONLINE = [cls for cls in FAMILY if issubclass(cls, OnlineClassifier)]
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
over_family = pytest.mark.parametrize("cls", FAMILY)
over_online = pytest.mark.parametrize("cls", ONLINE)


@quietly
@parametrize_with_checks(
    [
        *(cls() for cls in FAMILY[1:]),
        ForgetronClassifier(kernel="poly", normalize=True, variant="basic", budget=30, predictor="averaged"),
        RandomizedBudgetClassifier(kernel="laplacian", budget=40, shuffle=False),
        ProjectronClassifier(kernel=Gaussian(1.0), threshold=0.3, max_iter=100),
        PassiveAggressiveClassifier(variant="PA-II", predictor="averaged"),
        KernelLogisticClassifier(predictor="voted"),
    ]
)
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


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
    assert len({cls.learner_class for cls in FAMILY}) == len(FAMILY) == len(LEARNERS)
    for cls in FAMILY:
        assert getattr(kpviz, cls.__name__) is cls
        assert cls.__name__ in kpviz.__all__


def words(y):
    return np.where(y > 0, "yes", "no")  # "no" < "yes": classes_[1] is "yes"


OTHER_SETTINGS = {
    KernelPerceptron: {"learning_rate": 0.3, "intercept": "unit"},
    ForgetronClassifier: {"budget": 4},
    RemoveOldestClassifier: {"budget": 4},
    RandomizedBudgetClassifier: {"budget": 4},
    ProjectronClassifier: {"threshold": 0.4},
    NormaClassifier: {"learning_rate": 0.3, "regularization": 0.1, "nu": 0.3, "truncation": 9},
    PassiveAggressiveClassifier: {"variant": "PA-I", "C": 0.4},
    SVMClassifier: {"C": 7.0, "tol": 1e-4},
    KernelLogisticClassifier: {"learning_rate": 0.7, "regularization": 0.05},
}


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


# -- learning in batches ----------------------------------------------------------------------------------------------

ORACLES = {
    "oldest": (RemoveOldestClassifier, {"budget": 6}, lambda *a: oracles.remove_oldest(*a, 6)),
    "oldest 1": (RemoveOldestClassifier, {"budget": 1}, lambda *a: oracles.remove_oldest(*a, 1)),
    "forgetron": (ForgetronClassifier, {"budget": 6}, lambda *a: oracles.forgetron(*a, 6)),
    "forgetron 2": (ForgetronClassifier, {"budget": 2}, lambda *a: oracles.forgetron(*a, 2)),
    "basic": (
        ForgetronClassifier,
        {"budget": 6, "variant": "basic"},
        lambda *a: oracles.forgetron(*a, 6, "basic"),
    ),
    "projectron": (ProjectronClassifier, {"threshold": 0.5}, lambda *a: oracles.projectron(*a, 0.5)),
    "norma": (NormaClassifier, {}, lambda *a: oracles.norma(*a, 0.5, 0.02)),
    "slower": (
        NormaClassifier,
        {"learning_rate": 0.8, "regularization": 0.1, "schedule": "inverse-sqrt", "fit_intercept": False},
        lambda *a: oracles.norma(*a, 0.8, 0.1, schedule="inverse-sqrt", fit_intercept=False),
    ),
    "nu": (NormaClassifier, {"nu": 0.3}, lambda *a: oracles.norma(*a, 0.5, 0.02, nu=0.3)),
    "truncated": (NormaClassifier, {"truncation": 9}, lambda *a: oracles.norma(*a, 0.5, 0.02, truncation=9)),
    "all of it": (
        NormaClassifier,
        {"truncation": 12, "nu": 0.4, "schedule": "inverse-sqrt"},
        lambda *a: oracles.norma(*a, 0.5, 0.02, truncation=12, nu=0.4, schedule="inverse-sqrt"),
    ),
    "flat": (
        NormaClassifier,
        {"regularization": 0.0, "margin": 0.4, "truncation": 5},
        lambda *a: oracles.norma(*a, 0.5, 0.0, margin=0.4, truncation=5),
    ),
    "passive-aggressive": (PassiveAggressiveClassifier, {}, oracles.passive_aggressive),
    "damped": (
        PassiveAggressiveClassifier,
        {"variant": "PA-II", "C": 0.3},
        lambda *a: oracles.passive_aggressive(*a, "PA-II", 0.3),
    ),
    "logistic": (KernelLogisticClassifier, {}, lambda *a: oracles.kernel_logistic(*a, 0.5, 0.01)),
}


def places(X, rows):
    """Where in X each of the rows is."""
    return (rows[:, None] == X[None]).all(axis=2).argmax(axis=1)


def coefficients(model, X):
    """The coefficients of a classifier in the places that its support vectors have in X."""
    coef = np.zeros(len(X))
    coef[places(X, model.support_vectors_)] = model.dual_coef_[0]
    return coef


def batches(n, size):
    return [slice(low, low + size) for low in range(0, n, size)]


@pytest.mark.parametrize("size", [1, 7, 30])
@pytest.mark.parametrize("name", ORACLES)
def test_batches_are_one_epoch_over_all_of_them_as_the_slow_loop_tells_it(name, size):
    cls, settings, oracle = ORACLES[name]
    X, y = kpviz.make_dataset("moons", n_samples=60, noise=0.3, seed=3)
    tale = oracle(Gaussian(0.5)(X, X), y, [np.arange(60)])
    assert tale.nearest > 1e-9
    model = cls(gamma=2.0, **settings)
    for batch in batches(60, size):
        model.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        done = batch.start + len(X[batch])
        assert_allclose(model.run_.score, tale.score[batch], rtol=1e-8, atol=1e-10)
        coef, b = tale.states[done]
        assert_allclose(coefficients(model, X), coef, rtol=1e-8, atol=1e-11)
        assert_allclose(model.intercept_, b, rtol=1e-8, atol=1e-11)
        state = model.run_.state_at(model.run_.n_steps)
        assert state.t == done
        for detail in {"Q", "rho", "rate"} & set(tale.details) - set(tale.private):
            assert_allclose(state.details[detail], tale.details[detail][done - 1], rtol=1e-8, atol=1e-11)
        if state.entries is not None:
            assert_array_equal(state.entries.step, [step for step, *_ in tale.entries[done]])
            assert_array_equal(places(X, model.run_.X[state.entries.index]), [i for _, i, _ in tale.entries[done]])
            assert_allclose(state.entries.weight, [weight for *_, weight in tale.entries[done]], rtol=1e-8)


def test_a_randomized_budget_forgets_by_chance_and_else_is_the_slow_loop_batch_after_batch():
    X, y = random_data(4, n=80)
    model = RandomizedBudgetClassifier(budget=5, gamma=2.0, random_state=2)
    evicted, remembered, ages, states = {}, [], set(), []
    for t in range(80):
        model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        states.append(coefficients(model, X))
        now = model.run_.state_at(1).entries.step.tolist()
        assert len(now) <= 5
        assert len(model.run_.X) <= 6
        for step in set(remembered) - set(now):
            evicted[t] = step
            ages.add(remembered.index(step))
        remembered = now
    assert ages == set(range(5))  # a generator that began anew in each call would draw one place only
    tale = oracles.randomized_budget(Gaussian(0.5)(X, X), y, [np.arange(80)], 5, evicted)
    for ours, (coef, _) in zip(states, tale.states[1:], strict=True):
        assert_allclose(ours, coef, atol=1e-12)


def test_the_seed_decides_what_a_randomized_budget_forgets_in_batches_too():
    X, y = random_data(4, n=80)
    found = []
    for seed in (1, 1, 2):
        model = RandomizedBudgetClassifier(budget=5, gamma=2.0, random_state=seed)
        for batch in batches(80, 8):
            model.partial_fit(X[batch], y[batch], classes=[-1, 1])
        found.append(coefficients(model, X))
    assert_array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


@quietly
@pytest.mark.parametrize("shuffle", [True, False])
@over_online
def test_a_batch_goes_on_where_fit_ended_and_fit_forgets(cls, shuffle):
    X, y = kpviz.make_dataset("moons", n_samples=50, noise=0.3, seed=5, flipped=0.1)
    model = cls(gamma=2.0, max_iter=3, shuffle=shuffle, random_state=1, **OTHER_SETTINGS[cls])
    first = model.fit(X[:30], y[:30]).decision_function(X)
    rows = np.concatenate([model.run_.index, np.arange(30, 50)])
    model.partial_fit(X[30:45], y[30:45]).partial_fit(X[45:], y[45:])
    if cls is RandomizedBudgetClassifier:
        assert len(model.run_.state_at(5).entries.step) <= 4
    else:
        learner = cls.learner_class(**OTHER_SETTINGS[cls])
        whole = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order=rows, stop_when_clean=False)
        end = whole.state_at(whole.n_steps)
        assert_allclose(coefficients(model, X), end.coef, rtol=1e-8, atol=1e-11)
        assert_allclose(model.intercept_, end.intercept, rtol=1e-8, atol=1e-11)
        assert_allclose(model.run_.score, whole.score[-5:], rtol=1e-8, atol=1e-11)
    assert not np.allclose(model.decision_function(X), first)
    assert_array_equal(model.fit(X[:30], y[:30]).decision_function(X), first)


@pytest.mark.parametrize(
    ("cls", "settings", "most"),
    [
        (ForgetronClassifier, {"budget": 7}, 7),
        (RemoveOldestClassifier, {"budget": 7}, 7),
        (RandomizedBudgetClassifier, {"budget": 7}, 7),
        (NormaClassifier, {"truncation": 7}, 7),
    ],
)
def test_what_is_kept_between_batches_does_not_grow(cls, settings, most):
    rng = np.random.default_rng(0)
    model = cls(gamma=2.0, random_state=0, **settings)
    for _ in range(30):
        X = rng.standard_normal((10, 2))
        model.partial_fit(X, rng.choice([-1, 1], 10), classes=[-1, 1])
        assert len(model.support_) <= most
        assert len(model.run_.X) <= most + 10
        assert np.abs(model.run_.state_at(model.run_.n_steps).entries.index).max() < len(model.run_.X)
    assert len(model.support_) > 1


@pytest.mark.parametrize("options", [{"predictor": "voted"}, {"predictor": "averaged"}, {"kernel": "precomputed"}])
@over_online
def test_what_needs_a_whole_run_has_no_batches(cls, options):
    assert not hasattr(cls(**options), "partial_fit")
    assert hasattr(cls(), "partial_fit")


def test_the_svm_sees_all_at_once():
    assert not hasattr(SVMClassifier(), "partial_fit")
    with pytest.raises(TypeError):
        SVMClassifier(shuffle=False)


# -- the same models in scikit-learn ----------------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_norma_is_scikit_learns_descent_on_the_hinge_loss_batch_after_batch(fit_intercept):
    X, y = random_data(1, n=60, columns=4)
    ours = NormaClassifier(kernel="linear", learning_rate=0.3, regularization=0.05, fit_intercept=fit_intercept)
    theirs = SGDClassifier(
        loss="hinge", alpha=0.05, learning_rate="constant", eta0=0.3, shuffle=False, fit_intercept=fit_intercept
    )
    for batch in batches(60, 11):
        ours.partial_fit(X[batch], y[batch], classes=[-1, 1])
        theirs.partial_fit(X[batch], y[batch], classes=[-1, 1])
        assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-9, atol=1e-11)


def test_logistic_regression_has_the_probabilities_of_scikit_learns_descent_on_the_log_loss():
    X, y = random_data(2, n=60, columns=4)
    ours = KernelLogisticClassifier(kernel="linear", learning_rate=0.3, regularization=0.05)
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
    ours, theirs = SVMClassifier(C=C).fit(X, words(y)), SVC(C=C, tol=1e-8).fit(X, words(y))
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert_allclose(coefficients(ours, X).clip(-C, C), coefficients(theirs, X), atol=1e-3 * C)
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_a_projectron_that_projects_nothing_away_is_the_perceptron():
    X, y = random_data(4, n=40)
    y = np.where(X @ [1.0, -2.0] > 0.3, "yes", "no")
    options = {"gamma": 1.0, "random_state": 3}
    ours, theirs = ProjectronClassifier(threshold=0.0, **options), KernelPerceptron(**options)
    assert_allclose(ours.fit(X, y).dual_coef_, theirs.fit(X, y).dual_coef_)
    assert ours.run_.end == "clean"


# -- probabilities ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("predictor", ["last", "averaged"])
def test_probabilities_are_sigma_of_the_score_in_the_order_of_the_classes(predictor):
    X, y = random_data(5, n=40)
    model = KernelLogisticClassifier(predictor=predictor, random_state=0).fit(X, words(y))
    Z = np.concatenate([X, [[1e3, 1e3]]])  # far from everything: undecided
    p = model.predict_proba(Z)
    assert p.shape == (41, 2)
    assert_allclose(p[:, 1], expit(model.decision_function(Z)), rtol=1e-12)
    assert_allclose(p.sum(axis=1), 1.0, rtol=1e-15)
    assert_array_equal(p[-1], [0.5, 0.5])
    assert_array_equal(model.predict(Z), np.where(p[:, 1] > 0.5, "yes", "no"))


def test_probabilities_of_enormous_scores_are_numbers():
    X, y = np.array([[1e3, 0.0], [-1e3, 0.0]]), [0, 1]
    model = KernelLogisticClassifier(kernel="linear", shuffle=False).fit(X, y)
    assert_array_equal(model.predict_proba(X), np.eye(2))


def test_a_count_of_votes_is_no_probability():
    X, y = random_data(6)
    model = KernelLogisticClassifier(predictor="voted", random_state=0)
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


@pytest.mark.parametrize("cls", [NormaClassifier, KernelLogisticClassifier])
def test_a_descent_makes_all_its_epochs_without_a_warning(cls):
    X, y = random_data(7)
    assert cls().fit(X, y).n_iter_ == 10
    model = cls(max_iter=3).fit(X, y)
    assert (model.n_iter_, model.run_.n_steps) == (3, 60)


def test_the_svm_warns_if_it_has_not_come_within_its_tolerance():
    X, y = random_data(8, n=40)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 epochs: the gap was .* before the last step, tol=1e-05"):
        model = SVMClassifier(C=100.0, max_iter=1).fit(X, y)
    assert model.run_.details["gap"][-1] > model.tol
    assert SVMClassifier(C=100.0).fit(X, y).run_.end == "tolerance"


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
        ForgetronClassifier(kernel="linear").fit(X, y)
    assert ForgetronClassifier(kernel="linear", normalize=True).fit(X, y).score(X, y) == 1.0


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
