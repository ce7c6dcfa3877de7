"""The perceptron's relatives as scikit-learn classifiers. `import kpviz` does not read it, which imports sklearn.

A classifier of a learner is its docstring, `learner_class`, and the learner's parameters with their defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import (
    SVM,
    Forgetron,
    KernelLogistic,
    Norma,
    PassiveAggressive,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.run.run import Run
from kpviz.engine.sklearn.estimators import KernelClassifier, OnlineClassifier


@dataclass(eq=False, repr=False, kw_only=True)
class ForgetronClassifier(OnlineClassifier):
    """Perceptron on a budget that shrinks all weights before it forgets the oldest (Dekel et al. 2008).

    Parameters
    ----------
    budget : int, default=10
        As in `kpviz.learners.Forgetron`.
    variant : {"self-tuned", "basic"}, default="self-tuned"
        As in `kpviz.learners.Forgetron`.
    normalize : bool, default=False
        Needed with a kernel that has k(x, x) above 1, such as "linear" and "poly": fit refuses it otherwise.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.

    Warns
    -----
    ConvergenceWarning
        From fit, if the last of `max_iter` epochs still changed something; a budget below what the classes need to be
        told apart never converges.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("moons", n_samples=100, seed=0)
    >>> model = kpviz.ForgetronClassifier(budget=20, gamma=2.0, random_state=0).fit(X, y)
    >>> len(model.support_) <= 20, model.score(X, y)
    (True, 1.0)
    """

    learner_class: ClassVar[Any] = Forgetron

    max_iter: int = 100
    budget: int = 10
    variant: str = "self-tuned"


@dataclass(eq=False, repr=False, kw_only=True)
class RemoveOldestClassifier(OnlineClassifier):
    """Perceptron on a budget that forgets the oldest example.

    Parameters
    ----------
    budget : int, default=10
        As in `kpviz.learners.RemoveOldest`.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.
    ForgetronClassifier : warns likewise.
    """

    learner_class: ClassVar[Any] = RemoveOldest

    max_iter: int = 100
    budget: int = 10


@dataclass(eq=False, repr=False, kw_only=True)
class RandomizedBudgetClassifier(OnlineClassifier):
    """Perceptron on a budget that forgets an example at random (Cavallanti, Cesa-Bianchi, Gentile 2007).

    Parameters
    ----------
    budget : int, default=10
        As in `kpviz.learners.RandomizedBudget`.
    random_state : int, RandomState or None, default=None
        Draws the order, and what is forgotten.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.
    ForgetronClassifier : warns likewise.
    """

    learner_class: ClassVar[Any] = RandomizedBudget

    max_iter: int = 100
    budget: int = 10


@dataclass(eq=False, repr=False, kw_only=True)
class ProjectronClassifier(OnlineClassifier):
    """Perceptron that projects an example which the support nearly spans (Orabona, Keshet, Caputo 2009).

    Parameters
    ----------
    threshold : float, default=0.1
        As in `kpviz.learners.Projectron`; at 0 it predicts as `KernelPerceptron` does.

    See Also
    --------
    KernelPerceptron : describes the other parameters, the attributes and the warning.
    """

    learner_class: ClassVar[Any] = Projectron

    threshold: float = 0.1


@dataclass(eq=False, repr=False, kw_only=True)
class NormaClassifier(OnlineClassifier):
    """Online gradient descent on the regularized hinge loss (Kivinen, Smola, Williamson 2004).

    Parameters
    ----------
    learning_rate : float, default=0.5
        This and the next six are as in `kpviz.learners.Norma`.
    regularization : float, default=0.02
        λ, at least 0.
    margin : float, default=1.0
        ρ of the hinge loss, at least 0.
    nu : float or None, default=None
        The share of margin errors aimed at.
    schedule : {"constant", "inverse-sqrt"}, default="constant"
        Of the step size.
    truncation : int or None, default=None
        How many presentations are remembered.
    fit_intercept : bool, default=True
        Whether b is learnt.
    max_iter : int, default=10
        This many epochs are made, without a warning: there is always something to change. (With `regularization` 0, a
        margin that stays and no truncation, an epoch without a margin error is the last one.)
    predictor : {"last", "averaged", "voted"}, default="last"
        "averaged" is the mean over the steps of the descent.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.

    Notes
    -----
    With the linear kernel it is scikit-learn's ``SGDClassifier(loss="hinge", penalty="l2")`` with a constant rate.
    """

    learner_class: ClassVar[Any] = Norma
    settles: ClassVar[bool] = False

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

    Parameters
    ----------
    max_iter : int, default=10
        At most this many epochs, without a warning: where no margin is wide enough there is always something to change.
    variant : {"PA", "PA-I", "PA-II"}, default="PA"
        This and the next are as in `kpviz.learners.PassiveAggressive`.
    C : float, default=1.0
        How aggressive a step of PA-I and PA-II may be, above 0.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.

    Notes
    -----
    With the linear kernel, ``"PA-I"`` is scikit-learn's ``SGDClassifier(loss="hinge", penalty=None,
    learning_rate="pa1", eta0=C, fit_intercept=False)``, and ``"PA-II"`` the same with "pa2".

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("moons", n_samples=100, seed=0)
    >>> kpviz.PassiveAggressiveClassifier(gamma=2.0, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    learner_class: ClassVar[Any] = PassiveAggressive
    settles: ClassVar[bool] = False

    max_iter: int = 10
    variant: str = "PA"
    C: float = 1.0


@dataclass(eq=False, repr=False, kw_only=True)
class SVMClassifier(KernelClassifier):
    """Support vector machine by sequential minimal optimization (Platt 1998; Fan, Chen, Lin 2005).

    It is a batch method that chooses itself which examples it looks at: no `shuffle`, `random_state`, `predictor` or
    `partial_fit`.

    Parameters
    ----------
    C : float, default=1.0
        As in `kpviz.learners.SVM`.
    tol : float, default=1e-5
        As in `kpviz.learners.SVM`.
    max_iter : int, default=1000
        At most this many epochs of n pair steps.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.

    Warns
    -----
    ConvergenceWarning
        From fit, if the gap was not yet below `tol` after `max_iter` epochs.

    Examples
    --------
    >>> import kpviz
    >>> X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]
    >>> model = kpviz.SVMClassifier(kernel="poly", degree=2, gamma=1.0).fit(X, y)
    >>> model.dual_coef_
    array([[ 0.125, -0.125, -0.125, 0.125]])
    """

    learner_class: ClassVar[Any] = SVM

    C: float = 1.0
    tol: float = 1e-5

    def _unsettled(self, run: Run) -> str:
        return f"the gap was {run.details['gap'][-1]:.3g} before the last step, tol={self.tol}"


def _has_probabilities(model: KernelLogisticClassifier) -> bool:
    """Say whether `predict_proba` exists: decision_function is a score, not a count of votes."""
    return bool(getattr(model, "_predictor", model.predictor) != "voted")


@dataclass(eq=False, repr=False, kw_only=True)
class KernelLogisticClassifier(OnlineClassifier):
    """Kernel logistic regression, online: gradient descent on the regularized log loss, with probabilities.

    Parameters
    ----------
    learning_rate : float, default=0.5
        As in `kpviz.learners.KernelLogistic`.
    regularization : float, default=0.01
        As in `kpviz.learners.KernelLogistic`.
    max_iter : int, default=10
        This many epochs are made, without a warning: every presentation is a change.
    predictor : {"last", "averaged", "voted"}, default="last"
        "averaged" is the mean over the steps of the descent; "voted" has no probabilities.

    See Also
    --------
    KernelPerceptron : describes the other parameters, and the attributes.
    """

    learner_class: ClassVar[Any] = KernelLogistic
    settles: ClassVar[bool] = False

    max_iter: int = 10
    learning_rate: float = 0.5
    regularization: float = 0.01

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return the probabilities of `classes_` for each row of X, shape (n, 2): 1 - σ(f(x)) and σ(f(x))."""
        f = self.decision_function(X)
        return np.asarray(np.exp(-np.logaddexp(0.0, np.column_stack([f, -f]))))
