"""A learner as a scikit-learn classifier: what all of them share.

`import kpviz` does not read this file, which imports sklearn.

Tests: tests/engine/test_estimators.py.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from kpviz.api.run import Run, fields_of, train
from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Gaussian, Kernel, Laplacian, Linear, Sigmoid, as_kernel
from kpviz.engine.learners import Perceptron
from kpviz.engine.rounding import inner_products, without_rounding
from kpviz.engine.run import predictors
from kpviz.engine.run.gram import is_large
from kpviz.engine.run.run import State, of_its_end
from kpviz.engine.theory import separability
from kpviz.sklearn.validated import validated


# Scikit-learn reads the parameters from the __init__ made of the fields.
@dataclass(eq=False, repr=False, kw_only=True)
class KernelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A learner as a classifier for two classes: its parameters are those of the learner, and
    these.

    A subclass names its learner, has a field for each of the learner's parameters, and another
    default of `max_iter` if it likes.
    """

    learner_class: ClassVar[Any]
    # The training is meant to end by itself: fit warns if it does not.
    settles: ClassVar[bool] = True

    kernel: str | Kernel | Callable[[FloatArray, FloatArray], FloatArray] = field(
        default="rbf", kw_only=False
    )
    gamma: str | float = "scale"
    degree: int = 3
    coef0: float = 1.0
    normalize: bool = False
    max_iter: int = 1000

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train from zero on X of shape (n, n_features) and y of shape (n,) with two classes."""
        X, y = self._examples(X, y, fresh=True)
        classes = _two_classes(y)
        epochs = checks.integer(
            "max_iter", self.max_iter, low=1, high=checks.LARGEST_COUNT // len(X)
        )
        labels = np.where(y == classes[1], 1.0, -1.0)
        run = train(
            self._learner(), X, labels, kernel=self._kernel(X), epochs=epochs, **self._showing()
        )
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
        X = validated(self, X, reset=False)
        return self.run_.decision_function(X, predictor=self._predictor)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row of X, shape (n,)."""
        check_is_fitted(self)
        X = validated(self, X, reset=False)
        labels = self.run_.predict(X, predictor=self._predictor)
        return np.asarray(self.classes_[(labels > 0.0).astype(np.intp)])

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; "kernel__sigma" puts another kernel in the place of one of
        `kpviz.kernels`.
        """
        kernel = params.get("kernel", self.kernel)
        nested = (
            [name for name in params if name.startswith("kernel__")]
            if isinstance(kernel, Kernel)
            else []
        )
        super().set_params(**{name: value for name, value in params.items() if name not in nested})
        if isinstance(kernel, Kernel):
            self.kernel = kernel.with_params(
                **{name.removeprefix("kernel__"): params[name] for name in nested}
            )
        return self

    def _showing(self) -> dict[str, Any]:
        """Return how `kpviz.train` shows the examples."""
        return {}

    def _unsettled(self, run: Run) -> str:
        """Say what was not over yet when the epochs were."""
        count = run.mistakes_per_epoch[-1]
        made = f"the last one still made {count} mistake{'s' * int(count != 1)}"
        return f"{made}. {_NEEDS_INTERCEPT}" if _needs_intercept(run) else made

    def _examples(self, X: ArrayLike, y: ArrayLike, fresh: bool) -> tuple[FloatArray, NDArray[Any]]:
        compares = getattr(self.kernel, "compares", "vectors")
        if compares != "vectors":
            raise ValueError(
                f"kernel={self.kernel!r} compares {compares}, and an estimator takes numbers: fit "
                f"with "
                'kernel="precomputed" on kernel(X, X), or use kpviz.train.'
            )
        checks.unmasked("y", y)
        checked_X, checked_y = validated(self, X, y, reset=fresh)
        return checked_X, checked_y

    def _read(self, run: Run) -> None:
        """Set the attributes of a fitted classifier."""
        # It is kept, so that set_params changes nothing until a new fit.
        self._predictor = predictors.predictor_named(getattr(self, "predictor", "last"))
        coef, intercept = predictors.coefficients(run, [run.n_steps], self._predictor)
        self.support_ = np.flatnonzero(coef[0])
        self.support_vectors_ = (
            run.X[self.support_] if run.kernel is not None else np.empty((len(self.support_), 0))
        )
        self.dual_coef_ = coef[:, self.support_]
        self.intercept_ = intercept
        self.n_iter_ = run.n_epochs
        keeps_support = (
            run.kernel is not None and is_large(len(run.X)) and self._predictor != "voted"
        )
        self.run_ = run
        if keeps_support:
            self.run_ = Run(**fields_of(of_its_end(run, coef[0], float(intercept[0]))))
            self._predictor = "last"  # The run begins with the reading that is asked for.

    def _learner(self) -> Any:
        return self.learner_class(
            **{part.name: getattr(self, part.name) for part in fields(self.learner_class)}
        )

    def _kernel(self, X: FloatArray) -> Any:
        """Return what `kpviz.train` takes as its kernel."""
        normalize = checks.flag("normalize", self.normalize)
        if not isinstance(self.kernel, str):
            kernel = as_kernel(self.kernel)
        elif checks.choice("kernel", self.kernel, (*KERNELS, "precomputed")) in KERNELS:
            kernel = KERNELS[self.kernel](self, X)
        elif normalize:
            raise ValueError(
                'normalize=True is not for kernel="precomputed": X must be normalized before.'
            )
        else:
            return self.kernel
        return kernel.normalized() if normalize else kernel

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def _goes_on(model: OnlineClassifier) -> bool:
    """Say whether `partial_fit` exists."""
    return model.predictor == "last" and not (
        isinstance(model.kernel, str) and model.kernel == "precomputed"
    )


@dataclass(eq=False, repr=False, kw_only=True)
class OnlineClassifier(KernelClassifier):
    """A learner that takes examples as they come: it has an order, three predictors, and can be
    resumed.
    """

    shuffle: bool = True
    random_state: int | np.random.RandomState | None = None
    predictor: str = "last"

    @available_if(_goes_on)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Resume training and show X, shape (n, n_features), once, in the given order.

        Batch after batch is one epoch over all of them: the learner's memory (ages, Q, rho, steps
        so far) is kept, too. Only what f consists of is kept of what was shown before, so `run_`,
        its pictures and `support_` have these examples, followed by X; with the radius intercept,
        R² is taken over them. `classes` are the two labels, needed by the first call only. A gamma
        of "scale" is that of the first call; what a learner draws itself differs from call to call.
        There is no such method with a predictor other than "last", which needs a whole run, or with
        the kernel "precomputed", which has no row for a new example.

        ValueError if the first call lacks `classes`, or y holds a label that is not among them.
        """
        fresh = not hasattr(self, "run_")
        if fresh and classes is None:
            raise ValueError(
                "classes=None: the first call of partial_fit must be given the two labels."
            )
        X, y = self._examples(X, y, fresh)
        known = _two_classes(np.asarray(classes)) if fresh else self.classes_
        if not np.isin(y, known).all():
            raise ValueError(f"y holds labels other than the two classes {known.tolist()}.")
        labels = np.where(y == known[1], 1.0, -1.0)
        learner = self._learner()
        if fresh:
            order = np.arange(len(X))
            seed = _seed(self.random_state)
            run = train(learner, X, labels, kernel=self._kernel(X), order=order, seed=seed)
        else:
            run = _gone_on(self.run_, learner, X, labels)
        self.classes_ = known
        self._read(run)
        return self

    def _showing(self) -> dict[str, Any]:
        checks.choice("predictor", self.predictor, predictors.PREDICTORS)
        return {"order": "shuffled" if self.shuffle else "cyclic", "seed": _seed(self.random_state)}


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
        products = self.gamma * inner_products(X, Z)
        return np.asarray(
            without_rounding(products + self.coef0, np.abs(products) + self.coef0) ** self.degree
        )

    def diag(self, X: FloatArray) -> FloatArray:
        return np.array([self.evaluate(row, row)[0, 0] for row in np.asarray(X)[:, None]])

    @property
    def label(self) -> str:
        return f"{self.name}, γ = {self.gamma:g}, q = {self.degree}, c = {self.coef0:g}"


# Widths of kernels made of it, or of its inverse, are floats whose squares are floats, too.
_LEAST_GAMMA = 1e-90
_FEW = 200  # With so few examples it is soon known if they can be separated.
_NEEDS_INTERCEPT = (
    "No hyperplane through the origin separates these classes, and one that need not go through "
    "it does: set "
    'intercept="unit"'
)


def _needs_intercept(run: Run) -> bool:
    """Say whether the run was in vain for lack of an intercept alone."""
    if (
        not isinstance(run.learner, Perceptron)
        or run.learner.intercept != "none"
        or len(run.y) > _FEW
    ):
        return False
    through_origin = separability.decide(run.X, run.y, run.kernel, run.gram)
    return through_origin.separable is False and bool(
        separability.decide(run.X, run.y, run.kernel, run.gram, intercept=True).separable
    )


KERNELS: dict[str, Callable[[KernelClassifier, FloatArray], Kernel]] = {
    "linear": lambda model, X: Linear(),
    "poly": lambda model, X: ScaledPolynomial(_gamma(model.gamma, X), model.degree, model.coef0),
    "rbf": lambda model, X: Gaussian(1.0 / math.sqrt(2.0 * _gamma(model.gamma, X))),
    "laplacian": lambda model, X: Laplacian(1.0 / _gamma(model.gamma, X)),
    "sigmoid": lambda model, X: Sigmoid(_gamma(model.gamma, X), model.coef0),
}


def _gone_on(run: Run, learner: Any, X: FloatArray, labels: FloatArray) -> Run:
    """Show X once to a learner that goes on from the end of `run`, of whose examples only those in
    f are kept.
    """
    remembered = of_its_end(run)
    start = cast(State, remembered.start)
    y = np.concatenate([remembered.y, labels])
    coef = np.concatenate([start.coef, np.zeros(len(labels))])
    # Without it each call would draw the same.
    seed = int(np.random.SeedSequence([run.seed, start.t]).generate_state(1)[0])
    return train(
        learner,
        np.concatenate([remembered.X, X]),
        y,
        kernel=run.kernel,
        order=np.arange(len(remembered.y), len(y)),
        seed=seed,
        start=replace(start, coef=coef, alpha=y * coef),
    )


def _gamma(gamma: Any, X: FloatArray) -> float:
    """Return gamma as a number, by the rules of scikit-learn's SVC."""
    if not isinstance(gamma, str):
        return checks.number("gamma", gamma, low=_LEAST_GAMMA, high=1.0 / _LEAST_GAMMA)
    if checks.choice("gamma", gamma, ("scale", "auto")) == "auto":
        return 1.0 / int(X.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        variance = float(X.var())
    if variance == 0.0:
        return 1.0
    if not _LEAST_GAMMA <= variance <= 1.0 / _LEAST_GAMMA:
        raise ValueError(
            'X has a variance too large or too small for gamma="scale": scale X, or give gamma as '
            "a number."
        )
    return float(1.0 / (X.shape[1] * variance))


def _seed(random_state: Any) -> int:
    if isinstance(random_state, (int, np.integer)):
        return checks.integer("random_state", random_state, low=0)
    try:
        generator = check_random_state(random_state)
    # Its sentence may ask an object to describe itself, which may raise anything.
    except Exception:
        raise ValueError(
            f"random_state={checks.text_of(random_state)} is not possible: it must be a whole "
            f"number of at least 0, "
            "a RandomState or None."
        ) from None
    return int(generator.randint(np.iinfo(np.int32).max))


def _two_classes(y: NDArray[Any]) -> NDArray[Any]:
    """Return the two labels in order, or raise a ValueError in scikit-learn's words."""
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}."
        )
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"y holds the one class {classes.tolist()[0]!r}: the classifier needs two classes."
        )
    return classes
