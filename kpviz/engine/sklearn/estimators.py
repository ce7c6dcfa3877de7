"""Learners as scikit-learn classifiers: what all have in common, and the perceptron itself.

`import kpviz` does not read this file, which imports sklearn. The rest of the family is in `family.py`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Gaussian, Kernel, Laplacian, Linear, Sigmoid, as_kernel
from kpviz.engine.learners import Perceptron
from kpviz.engine.learners.protocol import Entries
from kpviz.engine.run import predictors
from kpviz.engine.run.record import State
from kpviz.engine.run.run import Run
from kpviz.engine.run.train import train


@dataclass(eq=False, repr=False, kw_only=True)  # scikit-learn reads the parameters from the __init__ made of the fields
class KernelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner as a classifier for two classes: its parameters are those of the learner, and these.

    Parameters, attributes and errors are described in `KernelPerceptron`. A subclass names its learner, gives each of
    the learner's parameters a field, and `max_iter` another default if it likes.
    """

    learner_class: ClassVar[Any]
    settles: ClassVar[bool] = True  # the training is meant to end by itself: fit warns if it does not

    kernel: str | Kernel | Callable[[FloatArray, FloatArray], FloatArray] = field(default="rbf", kw_only=False)
    gamma: str | float = "scale"
    degree: int = 3
    coef0: float = 1.0
    normalize: bool = False
    max_iter: int = 1000

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train from zero on X of shape (n, n_features) and y of shape (n,) with two classes."""
        X, y = self._examples(X, y, fresh=True)
        classes = _two_classes(y)
        epochs = checks.integer("max_iter", self.max_iter, low=1)
        labels = np.where(y == classes[1], 1.0, -1.0)
        run = train(self._learner(), X, labels, kernel=self._kernel(X), epochs=epochs, **self._showing())
        self.classes_ = classes
        self._read(run)
        if self.settles and run.end == "limit":
            warnings.warn(
                f"Not converged within max_iter={self.max_iter} epochs: {self._unsettled(run)}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return the score of each row of X, shape (n,); positive for `classes_[1]`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.run_.decision_function(X, predictor=self._predictor)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row of X, shape (n,)."""
        scores = self.decision_function(X)
        positive = scores >= 0 if self._predictor == "voted" else scores > 0
        return np.asarray(self.classes_[positive.astype(np.intp)])

    def _showing(self) -> dict[str, Any]:
        """Return how `kpviz.train` shows the examples."""
        return {}

    def _reading(self) -> str:
        """Return the predictor."""
        return "last"

    def _unsettled(self, run: Run) -> str:
        """Say what was not over yet when the epochs were."""
        return f"the last one still made {run.mistakes_per_epoch[-1]} mistakes"

    def _examples(self, X: ArrayLike, y: ArrayLike, fresh: bool) -> tuple[FloatArray, NDArray[Any]]:
        compares = getattr(self.kernel, "compares", "vectors")
        if compares != "vectors":
            raise ValueError(
                f"kernel={self.kernel!r} compares {compares}, and an estimator takes numbers: fit with "
                'kernel="precomputed" on kernel(X, X), or use kpviz.train.'
            )
        checked_X, checked_y = validate_data(self, X, y, dtype=np.float64, reset=fresh)
        return checked_X, checked_y

    def _read(self, run: Run) -> None:
        """Set the attributes of a fitted classifier."""
        self.run_ = run
        self._predictor = self._reading()  # dual_coef_ and decision_function keep agreeing after set_params
        coef, intercept = predictors.coefficients(run, [run.n_steps], self._predictor)
        self.support_ = np.flatnonzero(coef[0])
        self.support_vectors_ = run.X[self.support_] if run.kernel is not None else np.empty((len(self.support_), 0))
        self.dual_coef_ = coef[:, self.support_]
        self.intercept_ = intercept
        self.n_iter_ = run.n_epochs

    def _learner(self) -> Any:
        return self.learner_class(**{part.name: getattr(self, part.name) for part in fields(self.learner_class)})

    def _kernel(self, X: FloatArray) -> Any:
        """Return what `kpviz.train` takes as its kernel."""
        kernel = self._plain_kernel(X)
        if not checks.flag("normalize", self.normalize):
            return kernel
        if kernel == "precomputed":
            raise ValueError('normalize=True is not for kernel="precomputed": X must be normalized before.')
        return kernel.normalized()

    def _plain_kernel(self, X: FloatArray) -> Any:
        if not isinstance(self.kernel, str):
            return as_kernel(self.kernel)
        name = checks.choice("kernel", self.kernel, (*KERNELS, "precomputed"))
        if name == "precomputed":
            return name
        return KERNELS[name](self, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def _goes_on(model: OnlineClassifier) -> bool:
    """Say whether `partial_fit` exists."""
    return model.predictor == "last" and not (isinstance(model.kernel, str) and model.kernel == "precomputed")


@dataclass(eq=False, repr=False, kw_only=True)
class OnlineClassifier(KernelClassifier):
    """A learner that takes examples as they come: it has an order, three predictors, and can be resumed."""

    shuffle: bool = True
    random_state: int | np.random.RandomState | None = None
    predictor: str = "last"

    @available_if(_goes_on)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Resume training and show X, shape (n, n_features), once, in the given order.

        Batch after batch is one epoch over all of them: the learner's memory (ages, Q, rho, steps so far) is kept, too.
        Only what f consists of is kept of what was shown before, so `run_`, its pictures and `support_` have these
        examples, followed by X; with the radius intercept, R² is taken over them. `classes` are the two labels, needed
        by the first call only. A gamma of "scale" is that of the first call; what a learner draws itself differs from
        call to call. There is no such method with a predictor other than "last", which needs a whole run, or with the
        kernel "precomputed", which has no row for a new example.

        ValueError if the first call lacks `classes`, or y holds a label that is not among them.
        """
        fresh = not hasattr(self, "run_")
        if fresh and classes is None:
            raise ValueError("classes=None: the first call of partial_fit must be given the two labels.")
        X, y = self._examples(X, y, fresh)
        known = _two_classes(np.asarray(classes)) if fresh else self.classes_
        if not np.isin(y, known).all():
            raise ValueError(f"y holds labels other than the two classes {known.tolist()}.")
        labels = np.where(y == known[1], 1.0, -1.0)
        learner = self._learner()
        if fresh:
            order, seed = np.arange(len(X)), _seed(self.random_state)
            run = train(learner, X, labels, kernel=self._kernel(X), order=order, seed=seed)
        else:
            run = _gone_on(self.run_, learner, X, labels)
        self.classes_ = known
        self._read(run)
        return self

    def _showing(self) -> dict[str, Any]:
        checks.choice("predictor", self.predictor, predictors.PREDICTORS)
        return {"order": "shuffled" if self.shuffle else "cyclic", "seed": _seed(self.random_state)}

    def _reading(self) -> str:
        return self.predictor


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPerceptron(OnlineClassifier):
    """Kernel perceptron for two classes: on a mistake, add the example (Aizerman, Braverman, Rozonoer 1964).

    It is trained by `kpviz.train`, and the record of the training is the attribute `run_`.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"`` u·v, ``"poly"`` (gamma u·v + coef0)^degree, ``"rbf"`` exp(-gamma ‖u - v‖²), ``"laplacian"``
        exp(-gamma ‖u - v‖₁), ``"sigmoid"`` tanh(gamma u·v + coef0), ``"precomputed"`` (X is the Gram matrix, then
        rows of K(Z, X)), a kernel of `kpviz.kernels`, or a function k(X, Z).
    gamma : {"scale", "auto"} or float, default="scale"
        ``"scale"``: 1 / (n_features * X.var()); ``"auto"``: 1 / n_features; or a number above 0. The width of
        `kpviz.kernels.Gaussian` is sigma = 1 / sqrt(2 gamma), that of `Laplacian` 1 / gamma.
    degree : int, default=3
        Of "poly", at least 1.
    coef0 : float, default=1.0
        Of "poly" and "sigmoid".
    normalize : bool, default=False
        Divide k(u, v) by sqrt(k(u, u) k(v, v)), see `kpviz.kernels.Normalized`; not for "precomputed".
    max_iter : int, default=1000
        At most this many epochs, at least 1.
    shuffle : bool, default=True
        Show the examples in a fresh order in each epoch, drawn from `random_state`.
    random_state : int, RandomState or None, default=None
        A whole number is the `seed` of `kpviz.train`.
    predictor : {"last", "averaged", "voted"}, default="last"
        The reading of the run (Freund & Schapire 1999), see `Run.decision_function`.
    learning_rate : float, default=1.0
        As in `kpviz.learners.Perceptron`.
    intercept : {"none", "unit", "radius"}, default="none"
        As in `kpviz.learners.Perceptron`.
    tie : {"mistake", "correct", "positive", "negative"}, default="mistake"
        As in `kpviz.learners.Perceptron`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; `classes_[1]` is +1 in `run_`.
    support_ : ndarray of shape (n_support,)
        Indices of the examples with a coefficient other than 0, in `run_.X`.
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
        The record of the training.

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
    As in scikit-learn's classifiers, a score of exactly 0 predicts `classes_[0]`; a tied vote predicts `classes_[1]`,
    since sign(0) = +1 in a vote.

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

    learner_class: ClassVar[Any] = Perceptron

    learning_rate: float = 1.0
    intercept: str = "none"
    tie: str = "mistake"


@dataclass(frozen=True)
class ScaledPolynomial(Kernel):
    """(gamma u·v + coef0)^degree, as scikit-learn has it.

    >>> ScaledPolynomial(gamma=0.5, degree=2, coef0=1.0)(np.array([[2.0]]), np.array([[3.0]]))
    array([[16.]])
    """

    gamma: float
    degree: int
    coef0: float
    name: ClassVar[str] = "Polynomial"
    formula: ClassVar[str] = r"(\gamma\, u \cdot v + c)^q"

    def __post_init__(self) -> None:
        checks.number("gamma", self.gamma, above=0.0)
        checks.integer("degree", self.degree, low=1)
        checks.number("coef0", self.coef0, low=0.0)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return np.asarray((self.gamma * (X @ Z.T) + self.coef0) ** self.degree)

    def diag(self, X: FloatArray) -> FloatArray:
        return np.asarray((self.gamma * np.einsum("ij,ij->i", X, X) + self.coef0) ** self.degree)

    @property
    def label(self) -> str:
        return f"{self.name}, γ = {self.gamma:g}, q = {self.degree}, c = {self.coef0:g}"


KERNELS: dict[str, Callable[[KernelClassifier, FloatArray], Kernel]] = {
    "linear": lambda model, X: Linear(),
    "poly": lambda model, X: ScaledPolynomial(_gamma(model.gamma, X), model.degree, model.coef0),
    "rbf": lambda model, X: Gaussian(1.0 / math.sqrt(2.0 * _gamma(model.gamma, X))),
    "laplacian": lambda model, X: Laplacian(1.0 / _gamma(model.gamma, X)),
    "sigmoid": lambda model, X: Sigmoid(_gamma(model.gamma, X), model.coef0),
}


def _gone_on(run: Run, learner: Any, X: FloatArray, labels: FloatArray) -> Run:
    """Show X once to a learner that goes on from the end of `run`, of whose examples only those in f are kept."""
    end = run.state_at(run.n_steps)
    kept, entries = end.support, end.entries
    if entries is not None:
        kept = np.union1d(kept, entries.index)
        entries = Entries(entries.step, np.searchsorted(kept, entries.index), entries.weight)
    y = np.concatenate([run.y[kept], labels])
    coef = np.concatenate([end.coef[kept], np.zeros(len(labels))])
    seed = int(np.random.SeedSequence([run.seed, end.t]).generate_state(1)[0])  # or each call would draw the same
    return train(
        learner,
        np.concatenate([run.X[kept], X]),
        y,
        kernel=run.kernel,
        order=np.arange(len(kept), len(y)),
        seed=seed,
        start=State(end.t, coef, y * coef, end.intercept, entries, end.details),
    )


def _gamma(gamma: Any, X: FloatArray) -> float:
    """Return gamma as a number, by the rules of scikit-learn's SVC."""
    if not isinstance(gamma, str):
        return checks.number("gamma", gamma, above=0.0)
    if checks.choice("gamma", gamma, ("scale", "auto")) == "auto":
        return 1.0 / int(X.shape[1])
    variance = float(X.var())
    return float(1.0 / (X.shape[1] * variance)) if variance > 0.0 else 1.0


def _seed(random_state: Any) -> int:
    if isinstance(random_state, (int, np.integer)):
        return checks.integer("random_state", random_state, low=0)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _two_classes(y: NDArray[Any]) -> NDArray[Any]:
    """Return the two labels in order, or raise a ValueError in scikit-learn's words."""
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(f"y holds the one class {classes.tolist()[0]!r}: the classifier needs two classes.")
    return classes
