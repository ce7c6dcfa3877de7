"""Fisher's discriminant: scikit-learn's LDA says the same, no direction is better, and the sums add
up.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.estimator_checks import check_estimator

from kpviz.engine.fisher import data, discriminant
from kpviz.engine.fisher.data import SETS
from kpviz.sklearn.fisher import FisherDiscriminant


def examples(seed, n=40, p=3, K=2):
    """Classes with different means and one skewed spread, features of different size; every class
    at least p + 2.
    """
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % K)
    X = (
        rng.standard_normal((n, p)) @ rng.standard_normal((p, p))
        + rng.standard_normal((K, p))[labels]
    )
    return X * 10.0 ** rng.integers(-2, 3, p) + rng.standard_normal(p), labels


def by_definition(X, labels):
    """S_W, S_B and S_T as loops over the examples."""
    p = X.shape[1]
    within, between, total = np.zeros((p, p)), np.zeros((p, p)), np.zeros((p, p))
    mean = X.mean(axis=0)
    for x, k in zip(X, labels, strict=True):
        own = X[labels == k].mean(axis=0)
        within += np.outer(x - own, x - own)
        between += np.outer(own - mean, own - mean)
        total += np.outer(x - mean, x - mean)
    return within, between, total


MEASURED = [load_iris(return_X_y=True), load_wine(return_X_y=True)]
CASES = [
    examples(seed, K=K, p=p)
    for seed, (K, p) in enumerate([(2, 1), (2, 2), (2, 5), (3, 2), (3, 4), (5, 3)])
]


def same_line(a, b):
    """Columns that are equal up to sign and length."""
    a, b = a / np.linalg.norm(a, axis=0), b / np.linalg.norm(b, axis=0)
    assert_allclose(np.abs((a * b).sum(axis=0)), 1.0, rtol=1e-8)


# ---- scatter -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("X", "labels"), CASES + MEASURED)
def test_scatter_is_the_sum_over_examples_and_total_is_within_plus_between(X, labels):
    S = discriminant.scatter(X, labels)
    for ours, theirs in zip((S.within, S.between, S.total), by_definition(X, labels), strict=True):
        assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())
    assert_allclose(S.within + S.between, S.total, rtol=1e-9, atol=1e-9 * np.abs(S.total).max())
    assert not np.allclose(
        S.within / len(X) + S.between, S.total
    )  # the mean in its place, a slip of lecture notes
    units = np.sqrt(np.diag(S.total))
    rank = np.linalg.matrix_rank(S.between / np.outer(units, units), tol=1e-9)
    assert rank <= len(np.unique(labels)) - 1


# ---- directions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("X", "labels"), CASES + MEASURED)
def test_directions_are_the_generalised_eigenvectors_and_there_are_k_minus_1(X, labels):
    S = discriminant.scatter(X, labels)
    F, J = discriminant.directions(S)
    units = S.units  # SciPy's solver wants features of one size
    values, vectors = eigh(S.between / np.outer(units, units), S.within / np.outer(units, units))
    best = np.argsort(values)[::-1]
    assert_allclose(J, values[best[: len(J)]], rtol=1e-7)
    assert_allclose(values[best[len(J) :]], 0.0, atol=1e-9 * J[0])
    same_line(F * units[:, None], vectors[:, best[: len(J)]])
    assert_allclose(F.T @ S.within @ F, np.eye(len(J)), atol=1e-8)


@pytest.mark.parametrize(("X", "labels"), [case for case in CASES if case[1].max() == 1])
def test_for_two_classes_the_direction_is_the_inverse_of_s_w_times_the_difference_of_the_means(
    X, labels
):
    S = discriminant.scatter(X, labels)
    F = np.linalg.solve(S.within, S.means[1] - S.means[0])
    ours = discriminant.directions(S)[0][:, 0]
    assert_allclose(
        ours / np.linalg.norm(ours), F / np.linalg.norm(F), rtol=1e-6, atol=1e-12
    )  # sign included


# ---- a direction of the plane --------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_the_table_of_a_direction_says_what_counting_by_hand_says(name):
    plane = data.see(data.load(name))
    labels = plane.examples.labels
    table = discriminant.turn(plane.Z, labels, [0.0, 33.5, 90.0, 171.0, 213.5])
    assert_allclose(table.J, table.between / table.within)
    assert_allclose(table.J[1], table.J[4])
    assert_array_equal(table.wrong[1], table.wrong[4])
    assert_allclose(table.high - table.low, table.high[0] - table.low[0])
    for row, angle in enumerate(np.radians(table.angles)):
        values = plane.Z @ [np.cos(angle), np.sin(angle)]
        groups = [values[labels == k] for k in range(labels.max() + 1)]
        assert_allclose(table.means[row], [group.mean() for group in groups])
        between = sum(len(group) * (group.mean() - values.mean()) ** 2 for group in groups)
        assert_allclose(table.between[row], between, rtol=1e-6, atol=1e-9)
        assert_allclose(
            table.within[row], sum(((group - group.mean()) ** 2).sum() for group in groups)
        )
        nearest = np.abs(values[:, None] - table.means[row]).argmin(axis=1)
        wrong = [int((nearest[labels == k] != k).sum()) for k in range(len(groups))]
        assert table.wrong[row].tolist() == wrong
        assert table.low[row] < values.min() < values.max() < table.high[row]


def test_false_positives_are_class_0_beyond_the_middle_and_a_tie_goes_to_class_0():
    X = [
        [0.0, 0.0],
        [4.0, 0.0],
        [1.0, 0.0],
        [7.0, 0.0],
        [6.0, 0.0],
        [3.0, 0.0],
    ]  # means 1.67 and 5.33
    labels = np.array([0, 0, 0, 1, 1, 1])
    table = discriminant.turn(X, labels, [0.0, 180.0])
    assert_allclose(table.thresholds, [[3.5], [-3.5]])
    assert table.wrong.tolist() == [[1, 1], [1, 1]]
    tie = np.array([[2.0], [3.0]])
    for sign in (1.0, -1.0):
        means = sign * np.array([[1.0], [3.0]])
        verdict = discriminant.classify(sign * tie, means, discriminant.thresholds(means))
        assert verdict.ravel().tolist() == [0, 1]


# ---- data ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "load"), [("iris_kinds", load_iris), ("wine", load_wine)])
def test_many_classes_are_seen_as_ldas_transform_and_as_pca(name, load):
    X, labels = load(return_X_y=True)
    plane = data.see(data.load(name))
    lda = LinearDiscriminantAnalysis().fit(X, labels)
    same_line(plane.Z, lda.transform(X))  # of features that were not standardised
    same_line(plane.components, PCA(2).fit_transform((X - X.mean(axis=0)) / X.std(axis=0)))
    assert_allclose(plane.criterion[:2] / plane.criterion.sum(), lda.explained_variance_ratio_)
    assert (plane.criterion[2:] == 0.0).all()
    within = discriminant.scatter(plane.Z, labels).within
    assert_allclose(within / len(X), np.eye(2), atol=1e-9)
    assert plane.components_criterion.max() < plane.criterion[0]


@pytest.mark.parametrize("name", [name for name, shown in SETS.items() if not shown.many])
def test_the_same_arguments_give_the_same_two_classes(name):
    first, again = data.load(name, 40, seed=3), data.load(name, 40, seed=3)
    assert_array_equal(first.X, again.X)
    assert_array_equal(first.labels, again.labels)
    assert first.X.shape == (40, 2)
    assert set(first.labels) == {0, 1}
    assert not np.array_equal(first.X, data.load(name, 40, seed=4).X)


@pytest.mark.parametrize("seed", range(8))
def test_long_clouds_show_that_the_line_between_the_means_is_a_bad_guess(seed):
    plane = data.see(data.load("clouds", seed=seed))
    gap = plane.scatter.means[1] - plane.scatter.means[0]
    best = discriminant.directions(plane.scatter)[0][:, 0]
    angles = np.degrees(np.arctan2([gap[1], best[1]], [gap[0], best[0]]))
    table = discriminant.turn(plane.Z, plane.examples.labels, angles)
    guess, top = table.J
    assert top > 2.0 * guess
    assert table.wrong[1].sum() < table.wrong[0].sum()


# ---- the estimator -------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The within-class scatter:UserWarning")
@pytest.mark.parametrize(
    "estimator", [FisherDiscriminant(), FisherDiscriminant(n_components=1, priors="shares")]
)
def test_scikit_learns_own_checks_pass(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.mark.parametrize(("X", "labels"), CASES + MEASURED)
@pytest.mark.parametrize("priors", ["equal", "shares", "given"])
def test_it_decides_as_lda_does(X, labels, priors):
    X, labels = X[len(X) // 5 :], labels[len(X) // 5 :]  # classes of different size
    K = len(np.unique(labels))
    given = {
        "equal": np.full(K, 1.0 / K),
        "shares": None,
        "given": np.arange(1.0, K + 1) / np.arange(1.0, K + 1).sum(),
    }
    asked = given[priors] if priors == "given" else priors
    lda = LinearDiscriminantAnalysis(
        solver="lsqr", priors=given["shares" if priors == "shares" else priors]
    )
    model = FisherDiscriminant(priors=asked).fit(X, labels)
    if priors == "shares":  # with other priors lsqr weighs the classes' covariances by them
        theirs = lda.fit(X, labels).decision_function(X)
        ours = model.decision_function(X)
        if theirs.ndim == 2:
            ours, theirs = ours - ours[:, :1], theirs - theirs[:, :1]
        assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    whole = LinearDiscriminantAnalysis(priors=given[priors]).fit(X, labels)
    if priors == "equal":
        assert_array_equal(model.predict(X), whole.predict(X))
    assert_allclose(model.priors_, whole.priors_)
    assert_allclose(model.means_, whole.means_)


def test_the_threshold_on_the_unit_direction_is_the_middle_of_the_projected_means_and_decides():
    X, labels = examples(7, n=50, p=4)
    X, labels = (
        X[10:],
        np.append(labels[10:-5], np.zeros(5, dtype=int)),
    )  # the mean of all is not that of the means
    model = FisherDiscriminant().fit(X, np.where(labels == 1, "yes", "no"))
    assert not np.isclose(model.threshold_, X.mean(axis=0) @ model.directions_[:, 0], rtol=1e-3)
    F = model.directions_[:, 0]
    assert_allclose(np.linalg.norm(F), 1.0)
    assert_allclose(model.threshold_, (model.means_ @ F).mean())
    assert_array_equal(model.predict(X) == "yes", model.threshold_ < X @ F)
    assert_array_equal(model.predict(X) == "yes", model.decision_function(X) > 0)
    assert FisherDiscriminant().fit(*load_iris(return_X_y=True)).threshold_ is None


@pytest.mark.parametrize(("X", "labels"), CASES + MEASURED)
def test_transform_is_ldas_up_to_sign_and_scale_and_keeps_what_was_asked_for(X, labels):
    lda = LinearDiscriminantAnalysis().fit(X, labels)
    model = FisherDiscriminant(priors="shares").fit(X, labels)
    Z = model.transform(X)
    same_line(Z - Z.mean(axis=0), lda.transform(X))
    same_line(model.scalings_, lda.scalings_[:, : Z.shape[1]])
    assert model.ridge_ == 0.0
    first = FisherDiscriminant(n_components=1).fit(X, labels)
    assert_allclose(first.transform(X), Z[:, :1])
    assert_array_equal(first.predict(X), FisherDiscriminant().fit(X, labels).predict(X))
    assert first.get_feature_names_out().tolist() == ["fisherdiscriminant0"]
    assert_allclose(model.total_scatter_, model.within_scatter_ + model.between_scatter_)
    assert_allclose(
        Z.T @ Z / len(X), np.diag(1.0 + model.criterion_), atol=1e-8 * (1.0 + model.criterion_[0])
    )


@pytest.mark.parametrize(
    "X",
    [
        [[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]],  # no scatter within at all
        [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],  # twice the same feature
        [[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]],  # a feature that never varies
        [[5.0, 5.0], [5.0, 5.0], [5.0, 5.0], [5.0, 5.0]],
    ],
)
def test_where_s_w_is_singular_a_ridge_is_added_and_said(X):
    labels = np.array([0, 0, 1, 1])
    with pytest.warns(UserWarning, match=r"singular.*diag\(S_T\)"):
        model = FisherDiscriminant().fit(X, labels)
    assert model.ridge_ == discriminant.RIDGE
    assert np.isfinite(model.criterion_).all()
    assert np.isfinite(model.decision_function(X)).all()
    assert_array_equal(model.predict(X), labels if len(np.unique(X, axis=0)) > 1 else np.zeros(4))


# ---- exercise sheets of other people -------------------------------------------------------------


TEN_POINTS = np.array(
    [[4, 1], [2, 4], [2, 3], [3, 6], [4, 4], [9, 10], [6, 8], [9, 5], [8, 7], [10, 8]], dtype=float
)
TEN_LABELS = np.repeat([0, 1], 5)
TEN_PROJECTIONS = [
    9.75,
    8.17,
    7.22,
    12.2,
    12.6,
    29.2,
    20.7,
    24.5,
    24.2,
    29.6,
]  # as printed, on its own scale


def test_ten_points_of_a_thesis_have_its_eigenvalue_and_its_projections():
    model = FisherDiscriminant().fit(TEN_POINTS, TEN_LABELS)
    F = model.directions_[:, 0]
    assert_allclose(F, [0.92, 0.39], atol=0.005)
    values = TEN_POINTS @ F
    assert_allclose(values / values[0], np.array(TEN_PROJECTIONS) / TEN_PROJECTIONS[0], atol=0.01)
    gap = (values[5:].mean() - values[:5].mean()) ** 2
    scatters = [
        ((values[part] - values[part].mean()) ** 2).sum() for part in (slice(5), slice(5, 10))
    ]
    assert model.criterion_[0] == pytest.approx(5 * 5 / 10 * gap / sum(scatters))
    assert gap / (values[:5].var() + values[5:].var()) == pytest.approx(15.65, abs=0.01)


def test_ten_points_with_the_scatter_of_a_sheet_have_its_direction():
    """Of stats.stackexchange.com/questions/270148 its S_W and its w = S_W⁻¹(m₁ - m₀)."""
    S_W = np.array([[35.2, -13.4], [-13.4, 28.0]])
    arms = np.linalg.cholesky(S_W / 2).T / np.sqrt(2)
    star = np.concatenate([arms, -arms, [[0.0, 0.0]]])
    X = np.concatenate([star, star + np.array([-5.4, -2.6])])
    model = FisherDiscriminant().fit(X, np.repeat([0, 1], 5))
    assert_allclose(model.within_scatter_, S_W, atol=1e-12)
    w = np.array([-0.2308, -0.2033])
    assert_allclose(model.directions_[:, 0], w / np.linalg.norm(w), atol=1e-4)


def test_what_adds_up_to_nothing_is_nothing():
    X = np.array([[0.1, 0.3], [0.3, 0.3], [0.2, 0.9], [0.7, 0.1], [0.9, 0.1], [0.8, 0.7]])
    S = discriminant.scatter(X, np.array([0, 0, 0, 1, 1, 1]))
    assert S.within[0, 1] == S.within[1, 0] == 0.0
