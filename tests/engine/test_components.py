"""Laws of principal components: scikit-learn's own, whatever the columns' units, and the same signs every time."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from kpviz.engine.data.components import principal_components
from kpviz.engine.data.tables import Choice, Examples, Table, TableError, read_table

FloatArray = NDArray[np.float64]
REAL = {"iris": load_iris().data, "wine": load_wine().data}


def cloud(seed: int, n: int, d: int) -> FloatArray:
    """Columns with very different variances along axes of their own, so that the components are well apart."""
    rng = np.random.default_rng(seed)
    mixed: FloatArray = rng.normal(size=(n, d)) * 2.0 ** -np.arange(d) @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    return mixed


def oracle(X: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Coordinates, axes and share of variance by scikit-learn, its signs left as they are."""
    pca = PCA(2, svd_solver="full").fit(scaled := StandardScaler().fit_transform(X))
    return pca.transform(scaled), pca.components_.T, float(pca.explained_variance_ratio_.sum())


@pytest.mark.parametrize("X", [*REAL.values(), cloud(0, 3, 2), cloud(1, 50, 3), cloud(2, 30, 60)])
def test_components_are_those_of_scikit_learn_up_to_the_sign(X: FloatArray) -> None:
    found = principal_components(X)
    Z, axes, share = oracle(X)
    signs = np.sign((found.axes * axes).sum(axis=0))
    assert_allclose(found.axes, axes * signs, atol=1e-9)
    assert_allclose(found.Z, Z * signs, atol=1e-8)
    assert found.share == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("name", REAL)
def test_the_loading_largest_in_size_is_positive(name: str) -> None:
    axes = principal_components(REAL[name]).axes
    assert (axes[np.abs(axes).argmax(axis=0), [0, 1]] > 0).all()


@pytest.mark.parametrize("turn", [1.0, -1.0])
@pytest.mark.parametrize("seed", range(5))
def test_two_columns_that_load_equally_have_the_first_one_positive(seed: int, turn: float) -> None:
    x = np.random.default_rng(seed).normal(size=(40, 2))
    axes = principal_components(np.column_stack([x[:, 0], turn * x[:, 0] + x[:, 1]])).axes
    assert_allclose(axes, np.array([[1.0, 1.0], [turn, -turn]]) / np.sqrt(2), atol=1e-12)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    exponents=st.lists(st.integers(-90, 90), min_size=4, max_size=4),
    shift=st.floats(-5, 5),
)
def test_units_and_places_of_the_columns_do_not_matter(seed: int, exponents: list[int], shift: float) -> None:
    X = cloud(seed, 25, 4)
    plain = principal_components(X)
    moved = principal_components((X + shift) * 10.0 ** np.array(exponents))
    assert_allclose(moved.Z, plain.Z, atol=1e-5)
    assert moved.share == pytest.approx(plain.share, abs=1e-9)


def test_a_copy_of_the_rows_in_another_order_gives_the_same_places() -> None:
    X = REAL["wine"]
    order = np.random.default_rng(0).permutation(len(X))
    assert_allclose(principal_components(X[order]).Z, principal_components(X).Z[order], atol=1e-10)


def test_the_rows_are_left_as_they_were() -> None:
    X = REAL["iris"].copy()
    principal_components(X)
    assert_array_equal(X, REAL["iris"])


LINES = np.arange(6.0)[:, None] * [1.0, -2.0, 0.1] + [0.0, 1 / 3, 5.0]


@pytest.mark.parametrize("X", [LINES, LINES[:, :1], LINES[:2], REAL["iris"][[0, 60, 0]]])
def test_rows_on_a_line_have_no_second_component(X: FloatArray) -> None:
    with pytest.raises(TableError, match=r"^The scaled rows lie on a line, .*: choose two columns\.$"):
        principal_components(X)


# ---- of a table -----------------------------------------------------------------------------------

FLOWERS = load_iris()
SHORT = ["sepal length", "sepal width", "petal length", "petal width"]


def iris(extra: str = "", **columns: list[object]) -> Table:
    """Read scikit-learn's Iris as a file, with further columns in front and rows behind."""
    lines = [",".join([*columns, *SHORT, "species"])]
    for i, (row, target) in enumerate(zip(FLOWERS.data.tolist(), FLOWERS.target, strict=True)):
        added = [cells[i] for cells in columns.values()]
        lines.append(",".join(map(str, [*added, *row, FLOWERS.target_names[target]])))
    return read_table(("\n".join(lines) + "\n" + extra).encode())


REDUCED = Choice(("", ""), "species", ("setosa", "virginica"), reduce=True)
TWO = FLOWERS.target != 1


def test_a_choice_may_ask_for_components_of_all_measurements() -> None:
    read = iris().examples(REDUCED)
    expected = principal_components(FLOWERS.data[TWO])
    assert_allclose(read.X, expected.Z, atol=1e-12)
    assert_array_equal(read.y, np.where(FLOWERS.target[TWO] == 2, 1.0, -1.0))
    assert_array_equal(read.rows, np.flatnonzero(TWO) + 2)
    assert (read.features, read.classes) == (("PC 1", "PC 2"), REDUCED.classes)
    assert read.notices == (
        "Rows of other classes ('versicolor') left out: 50.",
        "Shown are the first two principal components of 4 columns ('sepal length', 'sepal width', 'petal length', "
        "'petal width'), each scaled to mean 0 and variance 1: together they hold 97% of the variance.",
    )


def test_a_guess_asks_for_two_columns() -> None:
    assert iris().guess().reduce is False


def test_running_numbers_constants_labels_and_mostly_empty_columns_are_no_measurements() -> None:
    n = len(FLOWERS.data)
    table = iris(
        nr=[7] * n,
        patient_id=[(i * 7) % 31 for i in range(n)],
        row_count=list(range(40, 40 + n)),
        same=[2.5] * n,
        rare=[i % 7 if i % 3 == 0 else "" for i in range(n)],
        town=[f"town {i}" for i in range(n)],
        group=[i % 2 for i in range(n)],
    )
    assert table.measurements("species") == ("group", *SHORT)
    assert table.measurements("group") == tuple(SHORT)
    assert_array_equal(table.examples(replace(REDUCED, label="group", classes=("0", "1"))).y[:4], [-1, 1, -1, 1])


def test_a_row_without_a_number_in_any_measurement_is_left_out_and_named() -> None:
    read = iris("5,3,,1,setosa\n5,x,1,1,virginica\n5,3,1,1,\n1,,,,versicolor\n").examples(REDUCED)
    assert_array_equal(read.rows, np.flatnonzero(TWO) + 2)
    assert read.notices[0] == (
        "3 rows left out: line 152 has no value in 'petal length', line 153 has 'x' in 'sepal width', "
        "line 154 has no label."
    )


def test_components_are_those_of_the_rows_shown() -> None:
    table = iris()
    read: Examples = table.examples(REDUCED, seed=3, limit=40)
    assert_allclose(read.X, principal_components(FLOWERS.data[read.rows - 2]).Z, atol=1e-12)
    two = replace(REDUCED, features=("sepal length", "petal width"), reduce=False)
    assert_array_equal(read.rows, table.examples(two, seed=3, limit=40).rows)
    assert read.notices[1] == "40 of 100 rows are shown, drawn at random with seed 3."


def test_a_column_that_does_not_vary_in_the_rows_shown_takes_no_part() -> None:
    read = iris(flag=[int(target == 1) for target in FLOWERS.target]).examples(REDUCED)
    assert_allclose(read.X, principal_components(FLOWERS.data[TWO]).Z, atol=1e-12)
    assert "of 4 columns" in read.notices[-1]


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("x,same,kind\n1,3,a\n2,3,b\n4,3,a\n", "only 'x' holds measurements that vary"),
        ("same,one,kind\n4,3,a\n4,3,b\n4,3,a\n", "no column holds measurements that vary"),
        ("x,y,kind\n1,3,a\n2,3,b\n4,3,a\n5,7,c\n", "only 'x' holds measurements that vary"),
        ("x,y,kind\n1,2,a\n2,4,b\n4,8,a\n", "lie on a line"),
        ("x,y,kind\n1,2,a\n2,5,b\n", "lie on a line"),
        ("x,y,kind\n1,2,a\n,4,b\n4,7,a\n", "No row of class 'b' is usable (line 3 has no value in 'x')"),
    ],
)
def test_where_there_are_no_two_components_a_sentence_says_why(text: str, fragment: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(text.encode()).examples(Choice(("x", "y"), "kind", ("a", "b"), reduce=True))
    assert fragment in str(caught.value)
    assert re.fullmatch(r"[^\n.]+: choose [^\n.]+\.", str(caught.value))


def test_features_are_ignored_where_components_are_asked_for() -> None:
    nowhere, twice = (replace(REDUCED, features=pair) for pair in (("no", "where"), ("species", "species")))
    assert_array_equal(iris().examples(nowhere).X, iris().examples(twice).X)
