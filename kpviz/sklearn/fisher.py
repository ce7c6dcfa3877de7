"""Fisher's discriminant for scikit-learn. `import kpviz` does not read this file, which imports
sklearn.

Tests: tests/engine/test_fisher.py, tests/engine/test_estimators.py.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.fisher import discriminant
from kpviz.sklearn.validated import validated

PRIORS = ("equal", "shares")


class FisherDiscriminant(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Fisher's discriminant (Fisher 1936; many classes: Rao 1948): directions F with the largest
    J(F).

    J(F) = FᵀS_B F / FᵀS_W F, between-class over within-class scatter of the projections x·F. With
    two classes F is proportional to S_W⁻¹(m₁ - m₀); with K classes there are at most K - 1
    directions, since S_B has rank at most K - 1.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions `transform` keeps, 1 to min(K - 1, n_features); None means all of these.
        `predict` always uses all.
    priors : {"equal", "shares"} or array-like of shape (K,), default="equal"
        ``"equal"``: the nearest mean decides, in the coordinates of `transform`; ``"shares"``: each
        class counts by its share of the examples, as in scikit-learn's LinearDiscriminantAnalysis;
        or K numbers above 0 that sum to 1.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The labels.
    priors_ : ndarray of shape (K,)
        The priors that were used.
    means_ : ndarray of shape (K, n_features)
        The mean of each class.
    xbar_ : ndarray of shape (n_features,)
        The mean of all examples.
    within_scatter_ : ndarray of shape (n_features, n_features)
        S_W, a sum over the examples, not a mean; so are the next two.
    between_scatter_ : ndarray of shape (n_features, n_features)
        S_B.
    total_scatter_ : ndarray of shape (n_features, n_features)
        S_T = S_W + S_B.
    scalings_ : ndarray of shape (n_features, r)
        All r = min(K - 1, n_features) directions, the best first, scaled so that the classes'
        common covariance S_W / n becomes the identity.
    directions_ : ndarray of shape (n_features, r)
        The same, of length 1.
    criterion_ : ndarray of shape (r,)
        J of each direction. Of two classes with n₀ and n₁ examples it is n₀n₁/n times J without the
        sizes, (m₁ - m₀)²/(s₀ + s₁), where m_k is the mean and s_k the scatter, a sum, of class k
        along the direction. Textbooks that write (m₁ - m₀)²/(s₀² + s₁²) with variances s_k² have
        another scale: s_k/n_k for s_k.
    threshold_ : float or None
        For two classes: x·directions_[:, 0] above it predicts `classes_[1]`; else None.
    coef_ : ndarray of shape (1, n_features) or (K, n_features)
        Of the decision function; one row for two classes.
    intercept_ : ndarray of shape (1,) or (K,)
        Of the decision function.
    ridge_ : float
        0.0, or, where S_W is singular, the λ of S_W + λ diag(S_T), which then takes the place of
        S_W in J.
    n_features_in_ : int
        Number of columns of X.

    Raises
    ------
    ValueError
        From fit: one sentence that names the parameter, its value and what is allowed.

    Warns
    -----
    UserWarning
        From fit, if S_W is singular: `ridge_` was added.

    Examples
    --------
    >>> import kpviz
    >>> X, y = [[0, 0], [2, 0], [0, 1], [2, 3]], ["low", "low", "high", "high"]
    >>> model = kpviz.FisherDiscriminant().fit(X, y)
    >>> model.criterion_.round(6).tolist(), model.predict([[0, 0.9], [2, 0.9]]).tolist()
    ([4.0], ['high', 'low'])
    """

    def __init__(self, n_components: int | None = None, priors: str | ArrayLike = "equal") -> None:
        self.n_components = n_components
        self.priors = priors

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the directions for X of shape (n, n_features) and y of shape (n,) with two classes
        or more.
        """
        checks.unmasked("y", y)
        checked_X, checked_y = validated(self, X, y, reset=True)
        check_classification_targets(checked_y)
        classes, labels = np.unique(checked_y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"y holds the one class {classes.tolist()[0]!r}: the classifier needs two classes "
                f"or more."
            )
        S = discriminant.scatter(checked_X, labels)
        if self.n_components is not None:
            checks.integer("n_components", self.n_components, low=1, high=S.n_directions)
        self.priors_ = self._priors(S.counts)
        self.classes_ = classes
        self.means_ = S.means
        self.xbar_ = S.mean
        self.within_scatter_ = S.within
        self.between_scatter_ = S.between
        self.total_scatter_ = S.total
        self.ridge_ = S.ridge
        F, self.criterion_ = discriminant.directions(S)
        self.directions_ = F / np.linalg.norm(F, axis=0)
        self.scalings_ = F * np.sqrt(len(labels))
        self._n_features_out = S.n_directions if self.n_components is None else self.n_components
        self._decide()
        if self.ridge_ > 0.0:
            warnings.warn(
                "The within-class scatter S_W is singular, so J has no largest value: S_W + "
                f"{self.ridge_:g} diag(S_T) is used in its place.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Return (x - `xbar_`)·F for the first `n_components` directions of `scalings_`, shape (n,
        n_components).
        """
        check_is_fitted(self)
        checked = validated(self, X, reset=False)
        return np.asarray((checked - self.xbar_) @ self.scalings_[:, : self._n_features_out])

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return scores: (n,) for two classes, positive for `classes_[1]`; else (n, K), the largest
        wins.
        """
        check_is_fitted(self)
        X = validated(self, X, reset=False)
        scores = np.asarray(X @ self.coef_.T + self.intercept_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row of X, shape (n,); a score of exactly 0 predicts
        `classes_[0]`.
        """
        scores = self.decision_function(X)
        place = (scores > 0.0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[place])

    def _decide(self) -> None:
        """Set the attributes of the decision: log p_k - ‖z - z_k‖² / 2 in the coordinates z of
        `scalings_`.
        """
        centres = (self.means_ - self.xbar_) @ self.scalings_
        coef = centres @ self.scalings_.T
        intercept = np.log(self.priors_) - 0.5 * (centres**2).sum(axis=1) - coef @ self.xbar_
        self.threshold_ = None
        if len(self.classes_) == 2:
            coef = coef[1:] - coef[:1]
            intercept = intercept[1:] - intercept[:1]
            F = self.directions_[:, 0]
            length = float(coef[0] @ F)
            self.threshold_ = (
                -float(intercept[0]) / length if length > 0.0 else float(self.xbar_ @ F)
            )
        self.coef_ = coef
        self.intercept_ = intercept

    def _priors(self, counts: NDArray[np.intp]) -> FloatArray:
        if isinstance(self.priors, str):
            checks.choice("priors", self.priors, PRIORS)
            shares = np.ones(len(counts)) if self.priors == "equal" else counts.astype(np.float64)
            return np.asarray(shares / shares.sum())
        priors = checks.numbers("priors", self.priors)
        if (
            priors.shape != (len(counts),)
            or not (priors > 0.0).all()
            or abs(priors.sum() - 1.0) > 1e-9
        ):
            raise ValueError(
                f"priors={checks.text_of(self.priors)} is not one number above 0 for each of the "
                f"{len(counts)} "
                "classes, summing to 1."
            )
        return priors
