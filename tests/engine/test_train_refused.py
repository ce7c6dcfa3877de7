"""What `kpviz.train` and a run refuse: one sentence that names the argument."""

import numpy as np
import pytest
from covering import in_turn

import kpviz
from kpviz.engine.kernels import Gaussian, Polynomial
from kpviz.engine.learners import Perceptron

X4, Y4 = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]), np.array([-1.0, 1.0, 1.0, -1.0])


def training(X=X4, y=Y4, learner=Perceptron(), **options):  # noqa: B008 - frozen
    return lambda: kpviz.train(learner, X, y, **options)


def asking(method, *arguments, **options):
    return lambda: getattr(kpviz.train(Perceptron(), X4, Y4), method)(*arguments, **options)


REFUSED = [
    ("X", training(X=[1.0, 2.0, 3.0, 4.0])),
    ("X", training(X=np.zeros((0, 2)), y=[])),
    ("X", training(X=np.zeros((4, 0)))),
    ("X", training(X=X4 * np.nan)),
    ("X", training(X=[[np.inf, 1.0]] * 4)),
    ("X", training(X=[["a", "b"]] * 4)),
    ("X", training(X=[[1.0, 2.0], [1.0]], y=[1, -1])),
    ("X", training(X=None)),
    ("X", training(X=X4 + 1j)),
    ("X", training(X=[[1j, 2.0]] * 4)),
    ("X", training(X=np.ones((4, 3)), kernel="precomputed")),
    ("X", training(X=np.eye(4) + np.diag([1e-3] * 3, 1), kernel="precomputed")),
    ("y", training(y=[1, -1])),
    ("y", training(y=[0, 1, 1, 0])),
    ("y", training(y=[-1, 1, 1, np.nan])),
    ("y", training(y=["a", "b", "b", "a"])),
    ("y", training(y=[[1], [-1], [1], [-1]])),
    ("y", training(y=None)),
    ("y", training(y=Y4 + 0j)),
    ("kernel", training(kernel="rbf")),
    ("kernel", training(kernel=3)),
    ("kernel", training(kernel=Gaussian)),
    ("kernel", training(kernel=lambda U, V: np.ones(3))),
    ("kernel", training(kernel=lambda U, V: np.full((len(U), len(V)), np.nan))),
    ("kernel", training(kernel=lambda U, V: np.full((len(U), len(V)), 1j))),
    ("kernel", training(kernel=lambda U, V: U @ np.triu(np.ones((2, 2))) @ V.T)),
    ("kernel", training(X=X4 * 1e200)),
    ("kernel", training(X=X4 * 1e50, kernel=Polynomial(degree=8))),
    ("order", training(order="sorted")),
    ("order", training(order=None)),
    ("order", training(order=[])),
    ("order", training(order=[0.0, 1.0])),
    ("order", training(order=[True, False])),
    ("order", training(order=[0, 4])),
    ("order", training(order=[0, -1])),
    ("order", training(order=[[0, 1], [2]])),
    ("order", training(order=np.zeros((2, 2, 2), dtype=int))),
    ("epochs", training(epochs=0)),
    ("epochs", training(epochs=2.5)),
    ("epochs", training(epochs=True)),
    ("epochs", training(epochs=None)),
    ("seed", training(seed=-1)),
    ("seed", training(seed="a")),
    ("seed", training(seed=None)),
    ("start", training(start=kpviz.State(0, np.zeros(3), np.zeros(3), 0.0))),
    ("start", training(start=np.zeros(4))),
    ("learner", training(learner="perceptron")),
    ("learner", training(learner=Perceptron)),
    ("progress", training(progress=5)),
    ("learning_rate", lambda: Perceptron(learning_rate=0.0)),
    ("learning_rate", lambda: Perceptron(learning_rate=-1.0)),
    ("learning_rate", lambda: Perceptron(learning_rate=np.nan)),
    ("learning_rate", lambda: Perceptron(learning_rate=np.inf)),
    ("learning_rate", lambda: Perceptron(learning_rate="1")),
    ("learning_rate", lambda: Perceptron(learning_rate=True)),
    ("intercept", lambda: Perceptron(intercept="yes")),
    ("intercept", lambda: Perceptron(intercept=None)),
    ("tie", lambda: Perceptron(tie="0")),
    ("tie", lambda: Perceptron(tie=0)),
    ("t", asking("state_at", -1)),
    ("t", asking("state_at", 10**9)),
    ("t", asking("state_at", 1.5)),
    ("t", asking("margins_at", None)),
    ("t", asking("decision_function", X4, t=-1)),
    ("Z", asking("decision_function", np.ones((2, 3)))),
    ("Z", asking("decision_function", [1.0, 2.0])),
    ("Z", asking("decision_function", X4 * np.nan)),
    ("Z", asking("decision_function", X4 + 1j)),
    ("predictor", asking("decision_function", X4, predictor="best")),
]


@in_turn(REFUSED)
def test_what_is_wrong_is_refused_in_one_sentence_that_names_the_argument(name, call):
    with pytest.raises(ValueError, match=rf"\b{name}\b") as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    assert ". " not in message


def test_sums_of_single_precision_are_symmetric_enough_beside_the_largest_of_them():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 30))
    gram = X @ X.T + 1e-7 * rng.normal(size=(40, 40))  # some of its entries are near 0
    assert np.abs(gram - gram.T).max() < 1e-7 * np.abs(gram).max()
    assert kpviz.train(Perceptron(), gram, np.repeat([-1, 1], 20), kernel="precomputed").n_steps


def test_a_gram_matrix_of_single_precision_is_symmetric_enough():
    X = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
    gram = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1)) * (1.0 + 1e-6 * np.triu(np.ones((20, 20))))
    assert kpviz.train(Perceptron(), gram, np.repeat([-1, 1], 10), kernel="precomputed").n_steps
