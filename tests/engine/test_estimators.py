"""The scikit-learn classifiers: its checks, and that each is `kpviz.train` in other words."""

import ast
import inspect
import pickle
import re
from dataclasses import fields

import numpy as np
import pytest
from drawn_runs import LEARNER, SEEDS
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import randomized_budget, slow_run
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
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
from kpviz.engine.learners import LEARNERS, Projectron
from kpviz.engine.run.predictors import PREDICTORS, errors_per_epoch
from kpviz.sklearn import estimators
from kpviz.sklearn.estimators import OnlineClassifier

FAMILY = [
    cls for cls in vars(estimators).values() if "learner_class" in getattr(cls, "__dict__", {})
]
ONLINE = [cls for cls in FAMILY if issubclass(cls, OnlineClassifier)]
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
over_family = pytest.mark.parametrize("cls", FAMILY)

OTHER_SETTINGS = {
    estimators.KernelPerceptron: {"learning_rate": 0.3, "intercept": "unit", "tie": "positive"},
    estimators.ForgetronClassifier: {"budget": 4},
    estimators.RemoveOldestClassifier: {"budget": 4},
    estimators.RandomizedBudgetClassifier: {"budget": 4},
    estimators.ProjectronClassifier: {"threshold": 0.4},
    estimators.NormaClassifier: {
        "learning_rate": 0.3,
        "regularization": 0.1,
        "nu": 0.3,
        "truncation": 9,
    },
    estimators.PassiveAggressiveClassifier: {"variant": "PA-I", "C": 0.4},
    estimators.SVMClassifier: {"C": 7.0, "tol": 1e-4},
    estimators.KernelLogisticClassifier: {"learning_rate": 0.7, "regularization": 0.05},
}
assert {*OTHER_SETTINGS} == {*FAMILY}, "each classifier needs an entry in OTHER_SETTINGS"


def words(y):
    return np.where(y > 0, "yes", "no")  # "no" < "yes": classes_[1] is "yes"


def places(X, rows):
    """Where in X each of the rows is."""
    return (rows[:, None] == X[None]).all(axis=2).argmax(axis=1)


def coefficients(model, X):
    """The coefficients of a classifier in the places that its support vectors have in X."""
    coef = np.zeros(len(X))
    coef[places(X, model.support_vectors_)] = model.dual_coef_[0]
    return coef


WITH_OPTIONS = [
    KernelPerceptron(kernel="linear", intercept="radius", max_iter=100),
    KernelPerceptron(kernel="poly", predictor="averaged", shuffle=False, max_iter=100),
    KernelPerceptron(kernel="laplacian", predictor="voted", max_iter=100),
    KernelPerceptron(
        kernel=Gaussian(1.0) + Linear(), intercept="unit", tie="positive", max_iter=100
    ),
    kpviz.ForgetronClassifier(
        kernel="poly", normalize=True, variant="basic", budget=30, predictor="averaged"
    ),
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
    assert {*LEARNERS.values()} - named == set(), (
        "a learner needs a classifier in kpviz/sklearn/estimators.py"
    )
    assert len(named) == len(FAMILY) == len(LEARNERS)
    assert all(
        getattr(kpviz, cls.__name__) is cls and cls.__name__ in kpviz.__all__ for cls in FAMILY
    )


def entries(text, title):
    """The entries of a section: name, type and description of each."""
    match = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    return (
        re.findall(r"^(\S.*?) : (.+)\n((?:    .+(?:\n|\Z))+)", match[1], re.MULTILINE)
        if match
        else []
    )


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
    assert {attribute for attribute, *_ in described} == {
        own for own in vars(model) if re.fullmatch(r"[a-z]\w*_", own)
    }
    assert all(
        kind.startswith(("ndarray of shape", "int", "float", "Run")) for _, kind, _ in described
    )


def test_what_all_classifiers_share_is_described_alike_in_each():
    common = {part.name for part in fields(OnlineClassifier)}
    for section in ("Parameters", "Attributes"):
        sentences = {}
        for cls in FAMILY:
            for name, _, sentence in entries(inspect.cleandoc(cls.__doc__), section):
                if name in common or section == "Attributes":
                    sentences.setdefault(name, set()).add(sentence)
        assert sentences
        assert {name: told for name, told in sentences.items() if len(told) > 1} == {}


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
    run = kpviz.train(
        cls.learner_class(**OTHER_SETTINGS[cls]), X, y, kernel=Gaussian(0.5), epochs=6, **order
    )
    assert_array_equal(model.run_.index, run.index)
    assert_array_equal(model.run_.score, run.score)
    assert (model.n_iter_, model.n_features_in_) == (run.n_epochs, 2)
    assert_array_equal(model.classes_, ["no", "yes"])
    read = predictor if cls in ONLINE else "last"
    scores = run.decision_function(Z, predictor=read)
    assert_allclose(model.decision_function(Z), scores)
    assert_array_equal(
        model.predict(Z), words(scores + (read == "voted") / 2)
    )  # a tied vote is for classes_[1]
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
        (
            {"kernel": "sigmoid", "gamma": 0.7, "coef0": -0.2},
            lambda X, Z: sigmoid_kernel(X, Z, gamma=0.7, coef0=-0.2),
        ),
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
    assert_allclose(
        model.decision_function(Z), gram.decision_function(theirs(Z, X)), rtol=1e-9, atol=1e-9
    )
    assert_allclose(model.run_.kernel.diag(X), np.diagonal(theirs(X, X)))
    assert gram.support_vectors_.shape == (len(gram.support_), 0)


@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_gamma_is_chosen_as_svc_does(gamma):
    X, y = random_data(4, n=40, columns=3)
    model = KernelPerceptron(gamma=gamma, random_state=0).fit(2.5 * X, y)
    assert_allclose(
        1.0 / (2.0 * model.run_.kernel.sigma**2), SVC(gamma=gamma).fit(2.5 * X, y)._gamma
    )


@quietly
def test_examples_without_any_spread_have_a_gamma_too():
    assert KernelPerceptron(max_iter=3).fit(
        np.ones((2, 3)), [0, 1]
    ).run_.kernel.sigma == pytest.approx(np.sqrt(0.5))


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


def test_ties_predict_the_first_class_and_tied_votes_the_second():
    model = KernelPerceptron(kernel="linear", shuffle=False).fit(
        [[1.0, 0.0], [0.0, 1.0]], ["a", "b"]
    )
    assert model.decision_function([[0.0, 0.0]]) == 0.0
    assert model.predict([[0.0, 0.0]]) == ["a"]
    voting = KernelPerceptron(kernel="precomputed", shuffle=False, predictor="voted").fit(
        np.eye(2), ["a", "b"]
    )
    assert voting.predict(np.zeros((1, 2))) == ["b"]  # every sign(0) is +1
    assert voting.decision_function(np.zeros((1, 2))) == voting.run_.n_steps


def test_the_seed_decides_the_order():
    X, y = random_data(6, n=40)
    state = np.random.RandomState
    seeds = (1, 1, 2, state(3), state(3))
    first, again, other, *drawn = (
        KernelPerceptron(gamma=1.0, random_state=s).fit(X, y).run_.index for s in seeds
    )
    assert_array_equal(first, again)
    assert_array_equal(*drawn)
    assert not np.array_equal(first[:40], other[:40])
    assert_array_equal(
        KernelPerceptron(gamma=1.0, shuffle=False).fit(X, y).run_.index[:40], np.arange(40)
    )


# -- pipelines, searches, copies --------------------------------------------------------------------------------------


@over_family
def test_it_works_in_pipelines_searches_and_copies(cls):
    X, y = kpviz.make_dataset("moons", n_samples=60, seed=1)
    seed = {"random_state": 0} if cls in ONLINE else {}
    budget = {"budget": 40} if "budget" in vars(cls) else {}
    model = cls(max_iter=200, **OTHER_SETTINGS[cls], **seed).set_params(**budget)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), model), {f"{cls.__name__.lower()}__gamma": [1.0, 3.0]}, cv=3
    )
    assert search.fit(X, words(y)).best_score_ > 0.8
    fitted = model.fit(X, words(y))
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.decision_function(X), fitted.decision_function(X))
    assert clone(model).get_params() == model.get_params()
    assert_array_equal(
        clone(model).fit(X, words(y)).decision_function(X), fitted.decision_function(X)
    )


def test_a_search_goes_over_the_parameters_of_a_kernel_and_of_its_parts():
    X, y = kpviz.make_dataset("circles", n_samples=80, seed=1)
    model = KernelPerceptron(kernel=Gaussian(0.001), random_state=0).fit(X, y)
    search = GridSearchCV(clone(model), {"kernel__sigma": [0.001, 0.5]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernel__sigma": 0.5}
    assert model.get_params()["kernel__sigma"] == 0.001
    before = model.decision_function(X)
    other = clone(model).set_params(kernel=Gaussian(1.0) + Gaussian(2.0), kernel__second__sigma=3.0)
    assert other.kernel == Gaussian(1.0) + Gaussian(3.0)
    pipeline = make_pipeline(StandardScaler(), other).set_params(
        kernelperceptron__kernel__first__sigma=4.0
    )
    assert pipeline[-1].kernel == Gaussian(4.0) + Gaussian(3.0)
    assert model.set_params(kernel__sigma=0.5).kernel == Gaussian(0.5)
    assert_array_equal(model.decision_function(X), before)  # until it is fitted again


def test_it_takes_a_gram_matrix_through_cross_validation():
    X, y = kpviz.make_dataset("circles", n_samples=120, seed=1)
    gram = rbf_kernel(X, X, gamma=5.0)
    assert (
        cross_val_score(KernelPerceptron(kernel="precomputed", random_state=0), gram, y, cv=3).min()
        > 0.9
    )


@pytest.mark.parametrize("C", [0.3, 30.0])
def test_the_svm_is_scikit_learns(C):
    X, y = random_data(3, n=60, columns=3)
    ours, theirs = kpviz.SVMClassifier(C=C).fit(X, words(y)), SVC(C=C, tol=1e-8).fit(X, words(y))
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert_allclose(coefficients(ours, X).clip(-C, C), coefficients(theirs, X), atol=1e-3 * C)
    assert_array_equal(ours.predict(X), theirs.predict(X))


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
    assert not hasattr(
        model.set_params(predictor="voted").fit(X, y), "predict_proba"
    )  # a count of votes is none
    assert not hasattr(
        model.set_params(predictor="last"), "predict_proba"
    )  # of a run that was read as votes
    far = kpviz.KernelLogisticClassifier(kernel="linear", shuffle=False).fit(
        [[1e3, 0.0], [-1e3, 0.0]], [0, 1]
    )
    assert_array_equal(
        far.predict_proba([[1e3, 0.0], [-1e3, 0.0]]), np.eye(2)
    )  # enormous scores are numbers


# -- when it ends, and what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [cls for cls in ONLINE if cls.settles])
def test_a_warning_is_given_if_the_last_epoch_still_made_mistakes(cls):
    X = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    made = r"max_iter=7 epochs: the last one still made (1 mistake|[23] mistakes)\."
    with pytest.warns(ConvergenceWarning, match=made) as caught:
        cls(kernel="linear", max_iter=7).fit(X, [0, 1, 0])
    assert caught[0].filename == __file__
    assert (
        cls(kernel="linear", max_iter=7).fit(X[1:], [0, 1]).n_iter_ < 7
    )  # and no warning, which would be an error


def test_where_only_an_intercept_is_missing_the_warning_says_so():
    X = np.array([[1.0, 1.0], [2.0, 1.0], [4.0, 4.0], [5.0, 3.0]])
    labels = [0, 0, 1, 1]
    with pytest.warns(ConvergenceWarning, match=r'does: set intercept="unit"\.$'):
        kpviz.KernelPerceptron("linear", max_iter=50).fit(X, labels)
    assert kpviz.KernelPerceptron("linear", intercept="unit").fit(X, labels).run_.converged
    crossing = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.warns(ConvergenceWarning, match=r"mistakes?\.$"):
        kpviz.KernelPerceptron("linear", max_iter=50).fit(crossing, labels)


@pytest.mark.parametrize("cls", [kpviz.NormaClassifier, kpviz.KernelLogisticClassifier])
def test_a_descent_makes_all_its_epochs_without_a_warning(cls):
    X, y = random_data(7)
    assert cls().fit(X, y).n_iter_ == 10
    model = cls(max_iter=3).fit(X, y)
    assert (model.n_iter_, model.run_.n_steps) == (3, 60)


def test_the_svm_warns_if_it_has_not_come_within_its_tolerance():
    X, y = random_data(8, n=40)
    with pytest.warns(
        ConvergenceWarning,
        match=r"max_iter=1 epochs: the gap was .* before the last step, tol=1e-05",
    ):
        model = kpviz.SVMClassifier(C=100.0, max_iter=1).fit(X, y)
    assert model.run_.details["gap"][-1] > model.tol
    assert kpviz.SVMClassifier(C=100.0).fit(X, y).run_.end == "tolerance"


# -- batch after batch ------------------------------------------------------------------------------------------------


@quietly
@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from([cls for cls in ONLINE if cls is not kpviz.RandomizedBudgetClassifier]),
    st.data(),
)
def test_batches_after_a_fit_or_from_the_start_are_one_training_of_which_only_f_is_kept(cls, data):
    learner, seed, size = (
        data.draw(LEARNER[cls.learner_class]),
        data.draw(SEEDS),
        data.draw(st.sampled_from([1, 7, 20])),
    )
    shuffle, read = data.draw(st.booleans()), data.draw(st.sampled_from(PREDICTORS))
    X, y = kpviz.make_dataset("moons", n_samples=50, noise=0.3, seed=seed, flipped=0.1)
    model = cls(
        gamma=2.0, max_iter=3, shuffle=shuffle, random_state=1, predictor=read, **vars(learner)
    )
    fitted, rows = data.draw(st.sampled_from([0, 30])), np.arange(50)
    if fitted:
        first = model.fit(X[:30], words(y[:30])).decision_function(X)
        rows = np.concatenate([model.run_.index, np.arange(30, 50)])
    whole = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order=rows, stop_when_clean=False)
    near = (
        {"rtol": 1e-6, "atol": 1e-9}
        if learner.__class__ is Projectron
        else {"rtol": 1e-8, "atol": 1e-10}
    )
    assume(slow_run(whole, may_end=False).nearest > 1e-9)  # else rounding decides
    model.set_params(predictor="last")
    for low in range(fitted, 50, size):
        batch, before = slice(low, min(low + size, 50)), whole.state_at(whole.n_steps - 50 + low)
        model.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        done = whole.n_steps - 50 + batch.stop
        end, ours = whole.state_at(done), model.run_.state_at(model.run_.n_steps)
        assert_allclose(model.run_.score, whole.score[done - len(X[batch]) : done], **near)
        assert_allclose(coefficients(model, X), end.coef, **near)
        assert_allclose(model.intercept_, end.intercept, **near)
        assert_allclose(model.run_.X[model.support_], model.support_vectors_)
        assert ours.t == done
        assert {*ours.details} == {*end.details}
        for detail in {"Q", "rho", "rate"} & {*end.details}:
            assert ours.details[detail] == pytest.approx(end.details[detail], rel=1e-8, abs=1e-10)
        kept = before.support
        if end.entries is not None:
            kept = np.union1d(kept, before.entries.index)
            assert_array_equal(ours.entries.step, end.entries.step)
            assert_array_equal(places(X, model.run_.X[ours.entries.index]), end.entries.index)
            assert_allclose(ours.entries.weight, end.entries.weight, **near)
        assert len(model.run_.X) == len(kept) + len(X[batch])
    if fitted:
        again = model.set_params(predictor=read).fit(X[:30], words(y[:30]))
        assert_array_equal(again.decision_function(X), first)


def test_a_randomized_budget_forgets_by_chance_and_else_is_the_slow_loop_batch_after_batch():
    X, y = random_data(4, n=80)
    found = []
    for seed in (2, 2, 3):
        model = kpviz.RandomizedBudgetClassifier(budget=5, gamma=2.0, random_state=seed)
        evicted, remembered, ages, states = {}, [], set(), []
        for t in range(80):
            model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
            states.append(coefficients(model, X))
            now = model.run_.state_at(1).entries.step.tolist()
            assert len(now) <= 5
            for step in set(remembered) - set(now):
                evicted[t] = step
                ages.add(remembered.index(step))
            remembered = now
        assert ages == set(
            range(5)
        )  # a generator that began anew in each call would draw one place only
        slow = randomized_budget(Gaussian(0.5)(X, X), y, [np.arange(80)], 5, evicted)
        assert_allclose(states, [coef for coef, _ in slow.states[1:]], atol=1e-12)
        found.append(states[-1])
    assert_array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


@pytest.mark.parametrize(
    "options", [{"predictor": "voted"}, {"predictor": "averaged"}, {"kernel": "precomputed"}]
)
def test_what_needs_a_whole_run_has_no_batches(options):
    assert all(
        hasattr(cls(), "partial_fit") and not hasattr(cls(**options), "partial_fit")
        for cls in ONLINE
    )
    assert not hasattr(kpviz.SVMClassifier(), "partial_fit")
    with pytest.raises(TypeError):
        kpviz.SVMClassifier(shuffle=False)


# -- what is refused --------------------------------------------------------------------------------------------------

WRONG = [
    ("kernel", {"kernel": "gaussian"}),
    ("kernel", {"kernel": 3}),
    ("kernel", {"kernel": Gaussian}),
    ("gamma", {"gamma": 0.0}),
    ("gamma", {"gamma": None}),
    ("gamma", {"gamma": "wide"}),
    ("degree", {"kernel": "poly", "degree": 0}),
    ("degree", {"kernel": "poly", "degree": 2.0}),
    ("coef0", {"kernel": "poly", "coef0": -1.0}),
    ("coef0", {"kernel": "sigmoid", "coef0": np.nan}),
    ("normalize", {"normalize": 1}),
    ("normalize", {"kernel": "precomputed", "normalize": True}),
    ("max_iter", {"max_iter": 0}),
    ("max_iter", {"max_iter": 1.5}),
]
ORDERED = [("random_state", {"random_state": -1}), ("predictor", {"predictor": "best"})]


@over_family
def test_a_wrong_parameter_is_refused_by_fit_in_one_sentence_that_names_it(cls):
    X, y = random_data(9)
    own = [(name, {name: [value]}) for name, value in OTHER_SETTINGS[cls].items()]
    for name, options in [*WRONG, *(ORDERED if cls in ONLINE else []), *own]:
        with pytest.raises(ValueError, match=rf"^[^\n]*\b{name}\b[^\n]*\.$"):
            cls(**options).fit(X @ X.T if options.get("kernel") == "precomputed" else X, y)


@pytest.mark.parametrize(
    ("said", "call"),
    [
        (
            "Only binary classification is supported",
            lambda model, X, y: model.fit(X, np.arange(20) % 3),
        ),
        ("two classes", lambda model, X, y: model.fit(X, np.ones(20))),
        ("must be square", lambda model, X, y: model.set_params(kernel="precomputed").fit(X, y)),
        ("not fitted", lambda model, X, y: model.predict(X)),
        ("sigma=-1", lambda model, X, y: model.set_params(kernel=Gaussian(0.5), kernel__sigma=-1)),
        (
            "'width' is not a parameter of Gaussian",
            lambda model, X, y: model.set_params(kernel__width=1.0),
        ),
        (
            "is not a parameter of Gaussian",
            lambda model, X, y: model.set_params(kernel__sigma__a=1.0),
        ),
        ("classes=None", lambda model, X, y: model.partial_fit(X, y)),
        ("two classes", lambda model, X, y: model.partial_fit(X, y, classes=[1])),
        (
            "Only binary classification",
            lambda model, X, y: model.partial_fit(X, y, classes=[1, 2, 3]),
        ),
        (
            "y holds labels other than",  # of one class, which is enough
            lambda model, X, y: model.partial_fit(X[y > 0], y[y > 0], classes=[-1, 1]).partial_fit(
                X, y + 5
            ),
        ),
    ],
)
def test_what_cannot_be_learnt_or_set_is_refused(said, call):
    with pytest.raises((ValueError, NotFittedError), match=said):
        call(KernelPerceptron(kernel=Gaussian(0.5)), *random_data(9))
