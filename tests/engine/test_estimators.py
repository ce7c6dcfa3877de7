"""The scikit-learn classifiers: its checks, and that each is `kpviz.train` in other words."""

import ast
import inspect
import pickle
import re
from dataclasses import fields

import numpy as np
import pytest
from family_cases import FAMILY, ONLINE, OTHER_SETTINGS, batches, coefficients, over_family, quietly, words
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.linear_model import SGDClassifier
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator
from textbook import random_data

import kpviz
from kpviz import KernelPerceptron
from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import errors_per_epoch

WITH_OPTIONS = [
    KernelPerceptron(kernel="linear", intercept="radius", max_iter=100),
    KernelPerceptron(kernel="poly", predictor="averaged", shuffle=False, max_iter=100),
    KernelPerceptron(kernel="laplacian", predictor="voted", max_iter=100),
    KernelPerceptron(kernel=Gaussian(1.0) + Linear(), intercept="unit", tie="positive", max_iter=100),
    kpviz.ForgetronClassifier(kernel="poly", normalize=True, variant="basic", budget=30, predictor="averaged"),
    kpviz.RandomizedBudgetClassifier(kernel="laplacian", budget=40, shuffle=False),
    kpviz.ProjectronClassifier(kernel=Gaussian(1.0), threshold=0.3, max_iter=100),
    kpviz.PassiveAggressiveClassifier(variant="PA-II", predictor="averaged"),
    kpviz.KernelLogisticClassifier(predictor="voted"),
]
PLAIN = [cls() for cls in FAMILY if cls is KernelPerceptron or cls not in map(type, WITH_OPTIONS)]


@quietly
@pytest.mark.parametrize("estimator", [*PLAIN, *WITH_OPTIONS], ids=repr)
def test_scikit_learns_own_checks_pass(estimator):
    check_estimator(estimator, on_skip=None)


@over_family
def test_its_parameters_are_the_learners_with_their_defaults_and_the_common_ones(cls):
    signature = inspect.signature(cls).parameters
    own = {part.name: part.default for part in fields(cls.learner_class)}
    assert {name: signature[name].default for name in own} == own
    common = {"kernel": "rbf", "gamma": "scale", "degree": 3, "coef0": 1.0, "normalize": False}
    showing = {"shuffle": True, "random_state": None, "predictor": "last"} if cls in ONLINE else {}
    epochs = {"max_iter": cls().max_iter}
    assert cls().get_params() == {**common, **showing, **epochs, **own}
    assert [name for name, one in signature.items() if one.kind != one.KEYWORD_ONLY] == ["kernel"]


def test_every_classifier_is_a_public_name_and_has_a_learner_of_its_own():
    named = {cls.learner_class for cls in FAMILY}
    assert {*LEARNERS.values()} - named == set(), "a learner needs a classifier in engine/sklearn/estimators.py"
    assert len(named) == len(FAMILY) == len(LEARNERS)
    assert all(getattr(kpviz, cls.__name__) is cls and cls.__name__ in kpviz.__all__ for cls in FAMILY)


def entries(text, title):
    """The entries of a section: name, type and description of each."""
    match = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"^(\S.*?) : (.+)\n((?:    .+(?:\n|\Z))+)", match[1], re.MULTILINE) if match else []


@quietly
@pytest.mark.parametrize("cls", [*FAMILY, kpviz.FisherDiscriminant])
def test_its_docstring_describes_each_parameter_and_attribute_as_numpydoc_reads_them(cls):
    text = inspect.cleandoc(cls.__doc__)
    parameters = inspect.signature(cls).parameters
    found = entries(text, "Parameters")
    assert {name for name, *_ in found} == set(parameters)
    for parameter, described, sentence in found:
        kind, default = re.fullmatch(r"(.{1,60}), default=(\S+)", described).groups()
        assert kind
        assert ast.literal_eval(default) == parameters[parameter].default
        assert sentence.strip().rstrip(")").endswith(".")
    model = cls().fit([[0.0, 1.0], [1.0, 0.0], [0.5, 0.1], [0.2, 0.9]], [0, 1, 1, 0])
    described = entries(text, "Attributes")
    assert {attribute for attribute, *_ in described} == {own for own in vars(model) if re.fullmatch(r"[a-z]\w*_", own)}
    assert all(kind.startswith(("ndarray of shape", "int", "float", "Run")) for _, kind, _ in described)


# -- a run of kpviz.train ---------------------------------------------------------------------------------------------


@quietly
@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
@over_family
def test_it_is_a_run_of_kpviz_train_with_svcs_attributes(cls, predictor):
    X, y = kpviz.make_dataset("moons", n_samples=40, noise=0.2, seed=1)
    Z, _ = kpviz.make_dataset("moons", n_samples=30, noise=0.2, seed=2)
    online = {"predictor": predictor, "random_state": 5} if cls in ONLINE else {}
    model = cls(gamma=2.0, max_iter=6, **online, **OTHER_SETTINGS[cls]).fit(X, words(y))
    order = {"order": "shuffled", "seed": 5} if cls in ONLINE else {}
    run = kpviz.train(cls.learner_class(**OTHER_SETTINGS[cls]), X, y, kernel=Gaussian(0.5), epochs=6, **order)
    assert_array_equal(model.run_.index, run.index)
    assert_array_equal(model.run_.score, run.score)
    assert (model.n_iter_, model.n_features_in_) == (run.n_epochs, 2)
    assert_array_equal(model.classes_, ["no", "yes"])
    read = predictor if cls in ONLINE else "last"
    scores = run.decision_function(Z, predictor=read)
    assert_allclose(model.decision_function(Z), scores)
    assert_array_equal(model.predict(Z), words(scores + (read == "voted") / 2))  # a tied vote is for classes_[1]
    assert model.score(X, words(y)) == 1.0 - errors_per_epoch(run, X, y, read)[-1]
    by_hand = model.dual_coef_ @ Gaussian(0.5)(model.support_vectors_, Z) + model.intercept_
    if predictor != "voted":
        assert_allclose(model.decision_function(Z), by_hand[0], rtol=1e-9, atol=1e-12)
    assert_array_equal(model.support_vectors_, X[model.support_])
    assert (model.dual_coef_ != 0).all()
    svc = SVC(gamma=1.5).fit(X, y)
    for name in ("classes_", "dual_coef_", "support_", "support_vectors_", "intercept_"):
        assert getattr(model, name).ndim == getattr(svc, name).ndim


@pytest.mark.parametrize(
    ("options", "theirs"),
    [
        ({"kernel": "rbf", "gamma": 0.7}, lambda X, Z: rbf_kernel(X, Z, gamma=0.7)),
        ({"kernel": "laplacian", "gamma": 0.7}, lambda X, Z: laplacian_kernel(X, Z, gamma=0.7)),
        ({"kernel": "sigmoid", "gamma": 0.7, "coef0": -0.2}, lambda X, Z: sigmoid_kernel(X, Z, gamma=0.7, coef0=-0.2)),
        (
            {"kernel": "poly", "gamma": 0.7, "degree": 2, "coef0": 0.5},
            lambda X, Z: polynomial_kernel(X, Z, degree=2, gamma=0.7, coef0=0.5),
        ),
        ({"kernel": "linear"}, lambda X, Z: X @ Z.T),
        ({"kernel": laplacian_kernel}, laplacian_kernel),
        ({"kernel": Gaussian(0.4) + Linear()}, Gaussian(0.4) + Linear()),
    ],
    ids=["rbf", "laplacian", "sigmoid", "poly", "linear", "function", "object"],
)
@quietly
def test_a_kernel_by_name_is_scikit_learns_and_equals_its_gram(options, theirs):
    X, y = random_data(2, n=30, columns=2)
    Z, _ = random_data(3, n=8, columns=2)
    model = KernelPerceptron(**options, max_iter=5, random_state=0).fit(X, y)
    gram = KernelPerceptron(kernel="precomputed", max_iter=5, random_state=0).fit(theirs(X, X), y)
    assert_array_equal(model.run_.mistake, gram.run_.mistake)
    assert_array_equal(model.support_, gram.support_)
    assert_allclose(model.decision_function(Z), gram.decision_function(theirs(Z, X)), rtol=1e-9, atol=1e-9)
    assert_allclose(model.run_.kernel.diag(X), np.diagonal(theirs(X, X)))
    assert gram.support_vectors_.shape == (len(gram.support_), 0)


@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_gamma_is_chosen_as_svc_does(gamma):
    X, y = random_data(4, n=40, columns=3)
    model = KernelPerceptron(gamma=gamma, random_state=0).fit(2.5 * X, y)
    assert_allclose(1.0 / (2.0 * model.run_.kernel.sigma**2), SVC(gamma=gamma).fit(2.5 * X, y)._gamma)


@quietly
def test_examples_without_any_spread_have_a_gamma_too():
    assert KernelPerceptron(max_iter=3).fit(np.ones((2, 3)), [0, 1]).run_.kernel.sigma == pytest.approx(np.sqrt(0.5))


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
        kpviz.ForgetronClassifier(kernel="linear").fit(X, y)
    assert kpviz.ForgetronClassifier(kernel="linear", normalize=True).fit(X, y).score(X, y) == 1.0


def test_ties_predict_the_first_class_and_tied_votes_the_second():
    model = KernelPerceptron(kernel="linear", shuffle=False).fit([[1.0, 0.0], [0.0, 1.0]], ["a", "b"])
    assert model.decision_function([[0.0, 0.0]]) == 0.0
    assert model.predict([[0.0, 0.0]]) == ["a"]
    voting = KernelPerceptron(kernel="precomputed", shuffle=False, predictor="voted").fit(np.eye(2), ["a", "b"])
    assert voting.predict(np.zeros((1, 2))) == ["b"]  # every sign(0) is +1
    assert voting.decision_function(np.zeros((1, 2))) == voting.run_.n_steps


def test_the_seed_decides_the_order():
    X, y = random_data(6, n=40)
    state = np.random.RandomState
    seeds = (1, 1, 2, state(3), state(3))
    first, again, other, *drawn = (KernelPerceptron(gamma=1.0, random_state=s).fit(X, y).run_.index for s in seeds)
    assert_array_equal(first, again)
    assert_array_equal(*drawn)
    assert not np.array_equal(first[:40], other[:40])
    assert_array_equal(KernelPerceptron(gamma=1.0, shuffle=False).fit(X, y).run_.index[:40], np.arange(40))


# -- pipelines, searches, copies --------------------------------------------------------------------------------------


@over_family
def test_it_works_in_pipelines_searches_and_copies(cls):
    X, y = kpviz.make_dataset("moons", n_samples=60, seed=1)
    seed = {"random_state": 0} if cls in ONLINE else {}
    budget = {"budget": 40} if "budget" in vars(cls) else {}
    model = cls(max_iter=200, **OTHER_SETTINGS[cls], **seed).set_params(**budget)
    search = GridSearchCV(make_pipeline(StandardScaler(), model), {f"{cls.__name__.lower()}__gamma": [1.0, 3.0]}, cv=3)
    assert search.fit(X, words(y)).best_score_ > 0.8
    fitted = model.fit(X, words(y))
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.decision_function(X), fitted.decision_function(X))
    assert clone(model).get_params() == model.get_params()
    assert_array_equal(clone(model).fit(X, words(y)).decision_function(X), fitted.decision_function(X))


def test_a_search_goes_over_the_parameters_of_a_kernel_and_of_its_parts():
    X, y = kpviz.make_dataset("circles", n_samples=80, seed=1)
    model = KernelPerceptron(kernel=Gaussian(0.001), random_state=0).fit(X, y)
    search = GridSearchCV(clone(model), {"kernel__sigma": [0.001, 0.5]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernel__sigma": 0.5}
    assert model.get_params()["kernel__sigma"] == 0.001
    before = model.decision_function(X)
    other = clone(model).set_params(kernel=Gaussian(1.0) + Gaussian(2.0), kernel__second__sigma=3.0)
    assert other.kernel == Gaussian(1.0) + Gaussian(3.0)
    pipeline = make_pipeline(StandardScaler(), other).set_params(kernelperceptron__kernel__first__sigma=4.0)
    assert pipeline[-1].kernel == Gaussian(4.0) + Gaussian(3.0)
    assert model.set_params(kernel__sigma=0.5).kernel == Gaussian(0.5)
    assert_array_equal(model.decision_function(X), before)  # until it is fitted again
    for params in ({"kernel__width": 1.0}, {"kernel__sigma__a": 1.0}):
        with pytest.raises(ValueError, match=r"is not a parameter of Gaussian\(sigma=0.5\): it has sigma\.$"):
            model.set_params(**params)
    with pytest.raises(ValueError, match="sigma=-1"):
        model.set_params(kernel__sigma=-1)


def test_it_takes_a_gram_matrix_through_cross_validation():
    X, y = kpviz.make_dataset("circles", n_samples=120, seed=1)
    gram = rbf_kernel(X, X, gamma=5.0)
    assert cross_val_score(KernelPerceptron(kernel="precomputed", random_state=0), gram, y, cv=3).min() > 0.9


def test_changing_the_predictor_afterwards_needs_a_new_fit():
    X, y = random_data(7)
    model = KernelPerceptron(gamma=1.0, random_state=0).fit(X, y)
    before = model.decision_function(X)
    assert_array_equal(model.set_params(predictor="averaged").decision_function(X), before)
    assert not np.allclose(model.fit(X, y).decision_function(X), before)


# -- the same models in scikit-learn ----------------------------------------------------------------------------------


def test_the_linear_one_is_scikit_learns_perceptron():
    X, _ = random_data(5, n=60, columns=4)
    y = np.sign(X @ [1.0, -2.0, 0.5, 1.0] + 0.3)
    theirs = SklearnPerceptron(penalty=None, shuffle=False, tol=None, max_iter=200).fit(X, y)
    ours = KernelPerceptron(kernel="linear", intercept="unit", shuffle=False).fit(X, y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-9, atol=1e-9)


DESCENTS = [
    (kpviz.NormaClassifier, {"fit_intercept": True}, "hinge", "decision_function"),
    (kpviz.NormaClassifier, {"fit_intercept": False}, "hinge", "decision_function"),
    (kpviz.KernelLogisticClassifier, {}, "log_loss", "predict_proba"),
]


@pytest.mark.parametrize(("cls", "options", "loss", "method"), DESCENTS)
def test_a_descent_is_scikit_learns_batch_after_batch(cls, options, loss, method):
    X, y = random_data(1, n=60, columns=4)
    ours = cls(kernel="linear", learning_rate=0.3, regularization=0.05, **options)
    intercept = options.get("fit_intercept", False)
    theirs = SGDClassifier(
        loss=loss, alpha=0.05, learning_rate="constant", eta0=0.3, shuffle=False, fit_intercept=intercept
    )
    for batch in batches(60, 11):
        ours.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        theirs.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("C", [0.3, 30.0])
def test_the_svm_is_scikit_learns(C):
    X, y = random_data(3, n=60, columns=3)
    ours, theirs = kpviz.SVMClassifier(C=C).fit(X, words(y)), SVC(C=C, tol=1e-8).fit(X, words(y))
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert_allclose(coefficients(ours, X).clip(-C, C), coefficients(theirs, X), atol=1e-3 * C)
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_a_projectron_that_projects_nothing_away_is_the_perceptron():
    X, y = random_data(4, n=40)
    y = np.where(X @ [1.0, -2.0] > 0.3, "yes", "no")
    options = {"gamma": 1.0, "random_state": 3}
    ours, theirs = kpviz.ProjectronClassifier(threshold=0.0, **options), KernelPerceptron(**options)
    assert_allclose(ours.fit(X, y).dual_coef_, theirs.fit(X, y).dual_coef_)
    assert ours.run_.end == "clean"


# -- probabilities ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("predictor", ["last", "averaged"])
def test_probabilities_are_sigma_of_the_score_in_the_order_of_the_classes(predictor):
    X, y = random_data(5, n=40)
    model = kpviz.KernelLogisticClassifier(predictor=predictor, random_state=0).fit(X, words(y))
    Z = np.concatenate([X, [[1e3, 1e3]]])  # far from everything: undecided
    p = model.predict_proba(Z)
    assert p.shape == (41, 2)
    assert_allclose(p[:, 1], expit(model.decision_function(Z)), rtol=1e-12)
    assert_allclose(p.sum(axis=1), 1.0, rtol=1e-15)
    assert_array_equal(p[-1], [0.5, 0.5])
    assert_array_equal(model.predict(Z), np.where(p[:, 1] > 0.5, "yes", "no"))
    far = kpviz.KernelLogisticClassifier(kernel="linear", shuffle=False).fit([[1e3, 0.0], [-1e3, 0.0]], [0, 1])
    assert_array_equal(far.predict_proba([[1e3, 0.0], [-1e3, 0.0]]), np.eye(2))  # enormous scores are numbers


def test_a_count_of_votes_is_no_probability():
    X, y = random_data(6)
    model = kpviz.KernelLogisticClassifier(predictor="voted", random_state=0)
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


@pytest.mark.parametrize("cls", [kpviz.NormaClassifier, kpviz.KernelLogisticClassifier])
def test_a_descent_makes_all_its_epochs_without_a_warning(cls):
    X, y = random_data(7)
    assert cls().fit(X, y).n_iter_ == 10
    model = cls(max_iter=3).fit(X, y)
    assert (model.n_iter_, model.run_.n_steps) == (3, 60)


def test_the_svm_warns_if_it_has_not_come_within_its_tolerance():
    X, y = random_data(8, n=40)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 epochs: the gap was .* before the last step, tol=1e-05"):
        model = kpviz.SVMClassifier(C=100.0, max_iter=1).fit(X, y)
    assert model.run_.details["gap"][-1] > model.tol
    assert kpviz.SVMClassifier(C=100.0).fit(X, y).run_.end == "tolerance"


REFUSED = [
    (KernelPerceptron, "kernel", {"kernel": "gaussian"}),
    (KernelPerceptron, "kernel", {"kernel": 3}),
    (KernelPerceptron, "kernel", {"kernel": Gaussian}),
    (KernelPerceptron, "gamma", {"gamma": 0.0}),
    (KernelPerceptron, "gamma", {"gamma": None}),
    (KernelPerceptron, "degree", {"kernel": "poly", "degree": 0}),
    (KernelPerceptron, "degree", {"kernel": "poly", "degree": 2.0}),
    (KernelPerceptron, "coef0", {"kernel": "poly", "coef0": -1.0}),
    (KernelPerceptron, "coef0", {"kernel": "sigmoid", "coef0": np.nan}),
    (KernelPerceptron, "max_iter", {"max_iter": 1.5}),
    (KernelPerceptron, "intercept", {"intercept": True}),
    *((cls, name, {name: [value]}) for cls in FAMILY for name, value in OTHER_SETTINGS[cls].items()),
    *((cls, name, {name: value}) for cls in FAMILY for name, value in (("max_iter", 0), ("gamma", "wide"))),
    *((cls, name, {name: value}) for cls in ONLINE for name, value in (("random_state", -1), ("predictor", "best"))),
]


@pytest.mark.parametrize(("cls", "name", "options"), REFUSED)
def test_a_wrong_parameter_is_refused_by_fit_in_one_sentence_that_names_it(cls, name, options):
    X, y = random_data(9)
    model = cls(**options)
    with pytest.raises(ValueError, match=rf"\b{name}\b") as caught:
        model.fit(X, y)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_what_it_cannot_learn_is_refused():
    X, y = random_data(9)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        KernelPerceptron().fit(X, np.arange(20) % 3)
    with pytest.raises(ValueError, match="two classes"):
        KernelPerceptron().fit(X, np.ones(20))
    with pytest.raises(ValueError, match="must be square"):
        KernelPerceptron(kernel="precomputed").fit(X, y)
    with pytest.raises(NotFittedError):
        KernelPerceptron().predict(X)
