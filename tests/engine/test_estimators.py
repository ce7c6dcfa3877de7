"""The scikit-learn classifier: its checks, and that it is `kpviz.train` in other words."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import Perceptron as SklearnPerceptron
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
from kpviz.engine.learners import Perceptron
from kpviz.engine.run.predictors import errors_per_epoch

quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@quietly
@pytest.mark.parametrize(
    "estimator",
    [
        KernelPerceptron(),
        KernelPerceptron(kernel="linear", intercept="radius", max_iter=100),
        KernelPerceptron(kernel="poly", predictor="averaged", shuffle=False, max_iter=100),
        KernelPerceptron(kernel="laplacian", predictor="voted", max_iter=100),
        KernelPerceptron(kernel=Gaussian(1.0), intercept="unit", tie="positive", max_iter=100),
    ],
    ids=repr,
)
def test_scikit_learns_own_checks_pass(estimator):
    check_estimator(estimator, on_skip=None)


def test_the_parameters_and_their_defaults_are_a_contract():
    assert KernelPerceptron("linear").kernel == "linear"
    assert KernelPerceptron().get_params() == {
        "kernel": "rbf", "gamma": "scale", "degree": 3, "coef0": 1.0, "normalize": False, "max_iter": 1000,
        "shuffle": True, "random_state": None, "predictor": "last", "learning_rate": 1.0, "intercept": "none",
        "tie": "mistake",
    }  # fmt: skip
    with pytest.raises(TypeError):
        KernelPerceptron("linear", "scale")


def words(y):
    return np.where(y > 0, "yes", "no")  # "no" < "yes": classes_[1] is "yes"


@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
@pytest.mark.parametrize("intercept", ["none", "unit", "radius"])
def test_it_is_a_run_of_kpviz_train(intercept, predictor):
    X, y = kpviz.make_dataset("moons", n_samples=80, noise=0.1, seed=1)
    Z, _ = kpviz.make_dataset("moons", n_samples=30, noise=0.1, seed=2)
    model = KernelPerceptron(
        gamma=2.0, intercept=intercept, learning_rate=0.3, predictor=predictor, random_state=5, max_iter=500
    ).fit(X, words(y))
    learner = Perceptron(learning_rate=0.3, intercept=intercept)
    run = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order="shuffled", epochs=500, seed=5)
    assert_array_equal(model.run_.index, run.index)
    assert_array_equal(model.run_.mistake, run.mistake)
    assert model.n_iter_ == run.n_epochs
    assert_array_equal(model.classes_, ["no", "yes"])
    scores = run.decision_function(Z, predictor=predictor)
    assert_allclose(model.decision_function(Z), scores)
    assert_array_equal(model.predict(Z), words(scores))
    assert model.score(X, words(y)) == 1.0 - errors_per_epoch(run, X, y, predictor)[-1]


@pytest.mark.parametrize("predictor", ["last", "averaged"])
def test_the_attributes_have_svcs_names_shapes_and_meaning(predictor):
    X, y = random_data(1, n=40, columns=3)
    model = KernelPerceptron(gamma=1.5, intercept="unit", predictor=predictor, random_state=0).fit(X, y)
    svc = SVC(gamma=1.5).fit(X, y)
    for name in ("classes_", "dual_coef_", "support_", "support_vectors_", "intercept_"):
        assert getattr(model, name).ndim == getattr(svc, name).ndim
    assert model.n_features_in_ == svc.n_features_in_ == 3
    assert_array_equal(model.support_vectors_, X[model.support_])
    assert (model.dual_coef_ != 0).all()
    by_hand = model.dual_coef_ @ rbf_kernel(model.support_vectors_, X, gamma=1.5) + model.intercept_
    assert_allclose(model.decision_function(X), by_hand[0])


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
    X = 2.5 * X
    model = KernelPerceptron(gamma=gamma, random_state=0).fit(X, y)
    assert_allclose(1.0 / (2.0 * model.run_.kernel.sigma**2), SVC(gamma=gamma).fit(X, y)._gamma)


@quietly
def test_examples_without_any_spread_have_a_gamma_too():
    assert KernelPerceptron(max_iter=3).fit(np.ones((2, 3)), [0, 1]).run_.kernel.sigma == pytest.approx(np.sqrt(0.5))


def test_the_linear_one_is_scikit_learns_perceptron():
    X, y = random_data(5, n=60, columns=4)
    y = np.sign(X @ [1.0, -2.0, 0.5, 1.0] + 0.3)
    theirs = SklearnPerceptron(penalty=None, shuffle=False, tol=None, max_iter=200).fit(X, y)
    ours = KernelPerceptron(kernel="linear", intercept="unit", shuffle=False).fit(X, y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-9, atol=1e-9)


def test_a_warning_is_given_only_if_the_last_epoch_still_changed_something():
    X = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.warns(ConvergenceWarning, match="max_iter=7 epochs: the last one still made 2 mistakes") as caught:
        KernelPerceptron(kernel="linear", max_iter=7).fit(X, [0, 1, 0])
    assert caught[0].filename == __file__
    assert KernelPerceptron(kernel="linear", max_iter=7).fit(X[1:], [0, 1]).n_iter_ < 7


def test_ties_predict_the_first_class_and_tied_votes_the_second():
    X = [[1.0, 0.0], [0.0, 1.0]]
    model = KernelPerceptron(kernel="linear", shuffle=False).fit(X, ["a", "b"])
    assert model.decision_function([[0.0, 0.0]]) == 0.0
    assert model.predict([[0.0, 0.0]]) == ["a"]
    voting = KernelPerceptron(kernel="precomputed", shuffle=False, predictor="voted")
    voting.fit(np.eye(2), ["a", "b"])
    assert voting.predict(np.zeros((1, 2))) == ["b"]  # every sign(0) is +1
    assert voting.decision_function(np.zeros((1, 2))) == voting.run_.n_steps


def test_the_seed_decides_the_order():
    X, y = random_data(6, n=40)
    fits = [KernelPerceptron(gamma=1.0, random_state=state).fit(X, y).run_.index for state in (1, 1, 2)]
    assert_array_equal(fits[0], fits[1])
    assert not np.array_equal(fits[0][:40], fits[2][:40])
    states = [KernelPerceptron(gamma=1.0, random_state=np.random.RandomState(3)).fit(X, y) for _ in range(2)]
    assert_array_equal(states[0].run_.index, states[1].run_.index)
    assert_array_equal(KernelPerceptron(gamma=1.0, shuffle=False).fit(X, y).run_.index[:40], np.arange(40))


def test_it_works_in_pipelines_searches_and_copies():
    X, y = kpviz.make_dataset("circles", n_samples=120, seed=1)
    assert cross_val_score(make_pipeline(StandardScaler(), KernelPerceptron(random_state=0)), X, words(y)).min() > 0.9
    grid = {"gamma": [0.5, 5.0], "predictor": ["last", "voted"]}
    search = GridSearchCV(KernelPerceptron(random_state=0), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    gram = rbf_kernel(X, X, gamma=5.0)
    assert cross_val_score(KernelPerceptron(kernel="precomputed", random_state=0), gram, y, cv=3).min() > 0.9
    model = KernelPerceptron(kernel=Gaussian(0.5), random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.decision_function(X), model.decision_function(X))
    assert clone(model).get_params() == model.get_params()


def test_changing_the_predictor_afterwards_needs_a_new_fit():
    X, y = random_data(7)
    model = KernelPerceptron(gamma=1.0, random_state=0).fit(X, y)
    before = model.decision_function(X)
    assert_array_equal(model.set_params(predictor="averaged").decision_function(X), before)
    assert not np.allclose(model.fit(X, y).decision_function(X), before)


# -- learning in batches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("intercept", ["none", "unit"])
@pytest.mark.parametrize("size", [1, 7, 30])
def test_batches_are_one_epoch_over_all_of_them(size, intercept):
    X, y = kpviz.make_dataset("moons", n_samples=60, noise=0.15, seed=3)
    model = KernelPerceptron(gamma=2.0, intercept=intercept, learning_rate=0.3)
    mistakes = 0
    for low in range(0, 60, size):
        batch = slice(low, low + size)
        model.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        mistakes += model.run_.mistake.sum()
    run = kpviz.train(Perceptron(0.3, intercept), X, y, kernel=Gaussian(0.5), epochs=1)
    assert mistakes == run.mistake.sum()
    assert_allclose(model.decision_function(X), run.decision_function(X), rtol=1e-9, atol=1e-12)
    assert len(model.support_) == len(run.state_at(60).support)
    assert_allclose(model.run_.X[model.support_], model.support_vectors_)


def test_a_batch_goes_on_after_fit_and_fit_forgets():
    X, y = kpviz.make_dataset("moons", n_samples=60, seed=3)
    model = KernelPerceptron(gamma=2.0, random_state=0).fit(X, y)
    before = model.decision_function(X)
    assert_allclose(model.partial_fit(X, y).decision_function(X), before)  # it had converged
    assert model.partial_fit(X[:5], -y[:5]).run_.mistake.sum() > 0
    assert_array_equal(model.fit(X, y).decision_function(X), before)


def test_a_batch_goes_on_from_the_last_state_whatever_was_read_before():
    X, y = random_data(8, n=30)
    y = np.sign(X[:, 0] * X[:, 1])
    averaging = KernelPerceptron(gamma=1.0, predictor="averaged", random_state=0).fit(X, y)
    last = KernelPerceptron(gamma=1.0, random_state=0).fit(X, y)
    averaging.set_params(predictor="last")
    for model in (averaging, last):
        model.partial_fit(X[:5], -y[:5])
    assert_allclose(averaging.decision_function(X), last.decision_function(X))


def test_batches_need_the_classes_first_and_keep_to_them():
    X, y = random_data(8)
    model = KernelPerceptron()
    with pytest.raises(ValueError, match="classes=None"):
        model.partial_fit(X, y)
    model.partial_fit(X[y > 0], y[y > 0], classes=[-1, 1])  # one class is enough
    with pytest.raises(ValueError, match="y holds labels other than"):
        model.partial_fit(X, y + 5)
    with pytest.raises(ValueError, match="two classes"):
        KernelPerceptron().partial_fit(X, y, classes=[1])
    with pytest.raises(ValueError, match="Only binary classification"):
        KernelPerceptron().partial_fit(X, y, classes=[1, 2, 3])


@pytest.mark.parametrize("options", [{"predictor": "voted"}, {"predictor": "averaged"}, {"kernel": "precomputed"}])
def test_what_needs_a_whole_run_has_no_batches(options):
    assert not hasattr(KernelPerceptron(**options), "partial_fit")


# -- errors -----------------------------------------------------------------------------------------------------------

REFUSED = [
    ("kernel", {"kernel": "gaussian"}),
    ("kernel", {"kernel": 3}),
    ("kernel", {"kernel": Gaussian}),
    ("gamma", {"gamma": "wide"}),
    ("gamma", {"gamma": 0.0}),
    ("gamma", {"gamma": None}),
    ("degree", {"kernel": "poly", "degree": 0}),
    ("degree", {"kernel": "poly", "degree": 2.0}),
    ("coef0", {"kernel": "poly", "coef0": -1.0}),
    ("coef0", {"kernel": "sigmoid", "coef0": np.nan}),
    ("max_iter", {"max_iter": 0}),
    ("max_iter", {"max_iter": 1.5}),
    ("random_state", {"random_state": -1}),
    ("predictor", {"predictor": "best"}),
    ("learning_rate", {"learning_rate": 0}),
    ("intercept", {"intercept": True}),
    ("tie", {"tie": "none"}),
]


@pytest.mark.parametrize(("name", "options"), REFUSED, ids=[f"{i}-{name}" for i, (name, _) in enumerate(REFUSED)])
def test_a_wrong_parameter_is_refused_by_fit_in_one_sentence_that_names_it(name, options):
    X, y = random_data(9)
    with pytest.raises(ValueError, match=rf"\b{name}\b") as caught:
        KernelPerceptron(**options).fit(X, y)
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
