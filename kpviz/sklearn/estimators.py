"""The learners as classifiers of scikit-learn, one class each: its parameters are those of its
learner and of its base.

Where `settles` is true, training is meant to end by itself: fit warns if it does not, with what
`_unsettled` says. Both are read in `base.py`.

`import kpviz` does not read this file, which imports sklearn.

Tests: tests/engine/test_estimators.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from kpviz.api.run import Run
from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import (
    SVM,
    Forgetron,
    KernelLogistic,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.sklearn.base import KernelClassifier, OnlineClassifier


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPerceptron(OnlineClassifier):
    """Kernel perceptron for two classes: on a mistake, add the example (Aizerman, Braverman,
    Rozonoer 1964).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=1000
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    learning_rate : float, default=1.0
        Above 0. From a zero start it scales f and never changes a mistake.
    intercept : {"none", "unit", "radius"}, default="none"
        What a mistake adds to b: ``"none"`` nothing, ``"unit"`` learning_rate * y, ``"radius"``
        learning_rate * y * R² with R² = max k(x, x) over the training set. Each is the same as
        a constant feature: the kernel k + 1, or k + R².
    tie : {"mistake", "correct", "positive", "negative"}, default="mistake"
        Who wins at f(x) = 0. ``"mistake"``: a zero score is a mistake (margin <= 0).
        ``"correct"``: it is not (margin < 0; from a zero start nothing is ever learnt).
        ``"positive"``: sign(0) = +1; ``"negative"``: sign(0) = -1.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.

    Examples
    --------
    >>> import kpviz
    >>> X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], ["same", "other", "other", "same"]
    >>> model = kpviz.KernelPerceptron(kernel="poly", degree=2, gamma=1.0, random_state=0).fit(X, y)
    >>> model.predict(X).tolist(), model.n_iter_
    (['same', 'other', 'other', 'same'], 2)
    >>> model.dual_coef_
    array([[ 1., -1., -1.,  1.]])
    """

    learner_class = Perceptron

    learning_rate: float = 1.0
    intercept: str = "none"
    tie: str = "mistake"


@dataclass(eq=False, repr=False, kw_only=True)
class ForgetronClassifier(OnlineClassifier):
    """Perceptron on a budget that shrinks all weights before it forgets the oldest (Dekel et al.
    2008).

    A kernel with k(x, x) above 1, such as "linear" and "poly", needs `normalize`: fit refuses it
    otherwise. A budget below what the classes need to be told apart never converges.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=100
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    budget : int, default=10
        Most presentations remembered, at least 1.
    variant : {"self-tuned", "basic"}, default="self-tuned"
        ``"self-tuned"``: phi is the largest number in (0, 1] that keeps the damage done by
        forgetting, Q, at most 15/32 of the mistakes M. ``"basic"``: phi = min((B + 1)^(-1/(2(B
        + 1))), U / ‖f"‖) on every mistake, with U = ¼ √((B + 1) / log(B + 1)).

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("moons", n_samples=100, seed=0)
    >>> model = kpviz.ForgetronClassifier(budget=20, gamma=2.0, random_state=0).fit(X, y)
    >>> len(model.support_) <= 20, model.score(X, y)
    (True, 1.0)
    """

    learner_class = Forgetron

    max_iter: int = 100
    budget: int = 10
    variant: str = "self-tuned"


@dataclass(eq=False, repr=False, kw_only=True)
class RemoveOldestClassifier(OnlineClassifier):
    """Perceptron on a budget that forgets the oldest example.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=100
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    budget : int, default=10
        Most presentations remembered, at least 1; the same example may be remembered twice.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.
    """

    learner_class = RemoveOldest

    max_iter: int = 100
    budget: int = 10


@dataclass(eq=False, repr=False, kw_only=True)
class RandomizedBudgetClassifier(OnlineClassifier):
    """Perceptron on a budget that forgets an example at random (Cavallanti, Cesa-Bianchi, Gentile
    2007).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=100
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    budget : int, default=10
        Most presentations remembered, at least 1; the same example may be remembered twice.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.
    """

    learner_class = RandomizedBudget

    max_iter: int = 100
    budget: int = 10


@dataclass(eq=False, repr=False, kw_only=True)
class ProjectronClassifier(OnlineClassifier):
    """Perceptron that projects an example which the support nearly spans (Orabona, Keshet, Caputo
    2009).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=1000
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    threshold : float, default=0.1
        At least 0, the largest distance in the feature space at which an example is projected.
        At 0 only what the support spans exactly is projected, which changes no score: the
        perceptron, with fewer examples.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.
    """

    learner_class = Projectron

    threshold: float = 0.1


@dataclass(eq=False, repr=False, kw_only=True)
class NormaClassifier(OnlineClassifier):
    """Online gradient descent on the regularized hinge loss (Kivinen, Smola, Williamson 2004).

    All `max_iter` epochs are made, without a warning: there is always something to change. (With
    `regularization` 0, a margin that stays and no truncation, an epoch without a margin error is
    the last one.) With the linear kernel it is scikit-learn's ``SGDClassifier(loss="hinge",
    penalty="l2")`` with a constant rate.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=10
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    learning_rate : float, default=0.5
        η, above 0.
    regularization : float, default=0.02
        λ, at least 0, with ηλ < 1: each presentation shrinks by 1 - η_t λ.
    margin : float, default=1.0
        ρ of the hinge loss max(0, ρ - y f(x)), at least 0.
    nu : float or None, default=None
        In (0, 1): ρ is learnt instead, starting at 0, so that this share of margins is at most
        ρ; `margin` is then ignored. None: ρ stays.
    schedule : {"constant", "inverse-sqrt"}, default="constant"
        ``"constant"``: η_t = η; ``"inverse-sqrt"``: η_t = η/√(t + 1) for t from 0.
    truncation : int or None, default=None
        The number of last presentations that are remembered, at least 1; None: all.
    fit_intercept : bool, default=True
        Whether b += η_t y on a margin error; b never shrinks.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.
    """

    learner_class = Norma
    settles = False

    max_iter: int = 10
    learning_rate: float = 0.5
    regularization: float = 0.02
    margin: float = 1.0
    nu: float | None = None
    schedule: str = "constant"
    truncation: int | None = None
    fit_intercept: bool = True


@dataclass(eq=False, repr=False, kw_only=True)
class PassiveAggressiveClassifier(OnlineClassifier):
    """Passive-aggressive learning: the least change that makes a margin 1 (Crammer et al. 2006).

    It gives no warning after `max_iter` epochs: where no margin is wide enough there is always
    something to change. With the linear kernel, ``"PA-I"`` is scikit-learn's
    ``SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=C, fit_intercept=False)``,
    and ``"PA-II"`` the same with "pa2".

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=10
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    variant : {"PA", "PA-I", "PA-II"}, default="PA"
        How large the step τ is where the hinge loss l = max(0, 1 - y f(x)) is above 0.
        ``"PA"``: l / k(x, x), the least that makes the margin 1. ``"PA-I"``: at most C.
        ``"PA-II"``: l / (k(x, x) + 1/(2C)).
    C : float, default=1.0
        Above 0, how aggressive a step may be; not used by ``"PA"``.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("moons", n_samples=100, seed=0)
    >>> kpviz.PassiveAggressiveClassifier(gamma=2.0, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    learner_class = PassiveAggressive
    settles = False

    max_iter: int = 10
    variant: str = "PA"
    C: float = 1.0


@dataclass(eq=False, repr=False, kw_only=True)
class SVMClassifier(KernelClassifier):
    """Support vector machine by sequential minimal optimization (Platt 1998; Fan, Chen, Lin 2005).

    It is a batch method that chooses itself which examples it looks at: no `shuffle`,
    `random_state`, `predictor` or `partial_fit`. An epoch is n pair steps, and fit warns if the gap
    was not yet below `tol` after `max_iter` epochs.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=1000
        At most this many epochs, at least 1.
    C : float, default=1.0
        Above 0, the largest alpha: how much a margin error may cost.
    tol : float, default=1e-05
        Above 0: done when m - M < tol, where m is the largest y - f(x) among the coefficients
        that may rise and M the smallest among those that may fall (f without b).

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`.

    Examples
    --------
    >>> import kpviz
    >>> X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]
    >>> model = kpviz.SVMClassifier(kernel="poly", degree=2, gamma=1.0).fit(X, y)
    >>> model.dual_coef_
    array([[ 0.125, -0.125, -0.125, 0.125]])
    """

    learner_class = SVM

    C: float = 1.0
    tol: float = 1e-5

    def _unsettled(self, run: Run) -> str:
        return f"the gap was {run.details['gap'][-1]:.3g} before the last step, tol={self.tol}"


def _has_probabilities(model: KernelLogisticClassifier) -> bool:
    """Say whether `predict_proba` exists: decision_function is a score, not a count of votes."""
    # A fitted model keeps the predictor of its fit: set_params changes nothing until a new one.
    return bool(getattr(model, "_predictor", model.predictor) != "voted")


@dataclass(eq=False, repr=False, kw_only=True)
class KernelLogisticClassifier(OnlineClassifier):
    """Kernel logistic regression, online: gradient descent on the regularized log loss, with
    probabilities.

    All `max_iter` epochs are made, without a warning: every presentation is a change. A vote has no
    probabilities.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²),
        ``"laplacian"`` exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0),
        ``"precomputed"`` (X is the Gram matrix, then rows of K(Z, X)), a kernel of
        `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number, 1e-90
        to 1e90. The width of `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of
        `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for
        "precomputed".
    max_iter : int, default=10
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`. It draws the order, and what the learner
        itself draws.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    learning_rate : float, default=0.5
        η, above 0.
    regularization : float, default=0.01
        λ, at least 0, with ηλ < 1.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0.
    support_vectors_ : ndarray of shape (n_support, n_features)
        Those examples; without columns when the kernel is "precomputed".
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients y * alpha: those of the last state, averaged if `predictor` is "averaged".
    intercept_ : ndarray of shape (1,)
        b, read in the same way.
    n_iter_ : int
        Number of epochs.
    n_features_in_ : int
        Number of columns of X.
    run_ : Run
        The record of the training by `kpviz.train`. Of more than 2,048 examples it keeps those
        in f alone and begins at the end of the training, unless `predictor` is "voted":
        `kpviz.train` returns each step.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Notes
    -----
    As in the classifiers of scikit-learn, a score of exactly 0 predicts `classes_[0]`; a tied vote
    predicts `classes_[1]`, since sign(0) = +1 in a vote.
    """

    learner_class = KernelLogistic
    settles = False

    max_iter: int = 10
    learning_rate: float = 0.5
    regularization: float = 0.01

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return the probabilities of `classes_` for each row of X, shape (n, 2): 1 - σ(f(x)) and
        σ(f(x)).
        """
        f = self.decision_function(X)
        return np.asarray(np.exp(-np.logaddexp(0.0, np.column_stack([f, -f]))))
