"""Training, fields, payloads and memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

import kpviz
from benchmarks.timing import full, line, seconds
from kpviz import experiment
from kpviz.engine import learners
from kpviz.engine.data.tables import read_table
from kpviz.engine.kernels import Gaussian
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.settings import Settings

_HEAVY = ("streamlit", "matplotlib", "sklearn", "scipy", "pandas")


def textbook(X: np.ndarray, y: np.ndarray, kernel: Any, epochs: int) -> np.ndarray:
    """f(x_i) = sum of alpha_j y_j K_ij: one numpy dot product per presentation."""
    gram = kernel(X, X)
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        clean = True
        for i in range(len(y)):
            if y[i] * np.dot(alpha * y, gram[i]) <= 0:
                alpha[i] += 1
                clean = False
        if clean:
            break
    return alpha * y


def lean(X: np.ndarray, y: np.ndarray, kernel: Any, epochs: int) -> np.ndarray:
    """The same with the products alpha_j y_j kept: the leanest loop that can be written so."""
    gram = kernel(X, X)
    coef = np.zeros(len(y))
    for _ in range(epochs):
        clean = True
        for i in range(len(y)):
            if y[i] * (gram[i] @ coef) <= 0:
                coef[i] += y[i]
                clean = False
        if clean:
            break
    return coef


def train(X: np.ndarray, y: np.ndarray, kernel: Any, epochs: int) -> kpviz.Run:
    """The same by kpviz, with the full record."""
    return kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=epochs)


def training() -> None:
    """500 noisy points for 100 epochs, twice, and the clean set of a first class."""
    cases = (
        ("500 points, 100 epochs", "blobs", 500, 0.35, 0.02, Gaussian(0.5), 100, "at least 5 ×"),
        ("the same, noisier", "blobs", 500, 0.6, 0.2, Gaussian(0.5), 100, "at least 1.5 ×"),
        ("60 clean points of XOR", "xor", 60, 0.05, 0.0, Gaussian(0.5), 50, "never slower"),
        (
            "80 clean points of two rings",
            "circles",
            80,
            0.06,
            0.0,
            Gaussian(0.5),
            50,
            "never slower",
        ),
    )
    for what, name, n, noise, flipped, kernel, epochs, promised in cases:
        X, y = kpviz.make_dataset(name, n, noise, 0, flipped=flipped)
        run = train(X, y, kernel, epochs)
        assert np.array_equal(run.state_at(run.n_steps).coef, textbook(X, y, kernel, epochs))
        ours = seconds(lambda: train(X, y, kernel, epochs))  # noqa: B023
        theirs = seconds(lambda: textbook(X, y, kernel, epochs), 3)  # noqa: B023
        leanest = seconds(lambda: lean(X, y, kernel, epochs), 3)  # noqa: B023
        mistakes = f"{int(run.mistake.sum()):,} mistakes"
        line(
            f"train: {what} ({mistakes})",
            f"{ours * 1e3:.2f} ms",
            f"textbook loop {theirs * 1e3:.2f} ms",
            promised,
        )
        line(
            "",
            f"{theirs / ours:.1f} × faster",
            f"leanest loop {leanest * 1e3:.2f} ms: {leanest / ours:.1f} ×",
        )


def family() -> None:
    """Every learner that is shown an order, on 500 noisy points for ten epochs, with the full
    record.
    """
    X, y = kpviz.make_dataset("blobs", 500, 0.6, 0, flipped=0.2)
    plain = 0.0
    for what, learner, promised in (
        ("plain perceptron", learners.Perceptron(), ""),
        ("remove the oldest, B = 10", learners.RemoveOldest(), "≤ 6 ×"),
        ("remove the oldest, B = 100", learners.RemoveOldest(100), "≤ 6 ×"),
        ("randomized budget, B = 10", learners.RandomizedBudget(), "≤ 6 ×"),
        ("Forgetron, B = 10", learners.Forgetron(), "≤ 6 ×"),
        ("Forgetron, B = 100", learners.Forgetron(100), "≤ 6 ×"),
        ("basic Forgetron, B = 10", learners.Forgetron(10, "basic"), "≤ 6 ×"),
        ("NORMA", learners.Norma(), "≤ 6 ×"),
        ("NORMA, ν = 0.3, η/√t", learners.Norma(nu=0.3, schedule="inverse-sqrt"), "≤ 6 ×"),
        ("NORMA, τ = 100", learners.Norma(truncation=100), "≤ 6 ×"),
        ("logistic regression", learners.KernelLogistic(), "stated"),
        ("Projectron", learners.Projectron(), "stated"),
    ):
        updates = len(kpviz.train(learner, X, y, kernel=Gaussian(0.5), epochs=10).changes)
        took = (
            seconds(lambda: kpviz.train(learner, X, y, kernel=Gaussian(0.5), epochs=10), 15)  # noqa: B023
            / updates
        )
        plain = plain or took
        compared = f"{updates:,} updates, {took / plain:.1f} × the plain perceptron"
        line(
            f"train: 500 points, 10 epochs, {what}",
            f"{took * 1e6:.1f} µs/update",
            compared,
            promised,
        )


def spirals(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two noisy spirals of three half turns, in a random order."""
    rng = np.random.default_rng(5)
    turn = np.sqrt(rng.random(n // 2)) * 3 * np.pi
    arm = np.c_[turn * np.cos(turn), turn * np.sin(turn)] / 10
    X = np.r_[arm, -arm] + 0.1 * rng.standard_normal((n, 2))
    mixed = rng.permutation(n)
    return X[mixed], np.repeat([1.0, -1.0], n // 2)[mixed]


def loops() -> None:
    """The loop of the textbooks beside the faster one: the same record, with the Gram matrix and
    all checks.
    """
    X, y = spirals(500)
    for what, learner, epochs, promised in (
        ("perceptron", learners.Perceptron(), 100, "≤ 7 ms"),
        ("perceptron with b", learners.Perceptron(intercept="unit"), 100, ""),
        ("perceptron with a margin", learners.Norma(regularization=0.0), 100, ""),
        ("the same, η/√t", learners.Norma(regularization=0.0, schedule="inverse-sqrt"), 100, ""),
        ("passive-aggressive", learners.PassiveAggressive(), 100, ""),
    ):
        taught = partial(kpviz.train, learner, X, y, kernel=Gaussian(0.15), epochs=full(epochs, 1))
        changes = len(taught().changes)
        ours = seconds(taught, 21)
        with patch("kpviz.engine.run.train.gains_of", lambda *_: None):
            textbook = seconds(taught)
        compared = f"one by one {textbook * 1e3:.1f} ms: {textbook / ours:.1f} ×"
        line(
            f"train: spirals, {what} ({changes:,} changes)",
            f"{ours * 1e3:.1f} ms",
            compared,
            promised,
        )


def machine() -> None:
    """Sequential minimal optimisation against scikit-learn's SVC."""
    from sklearn.svm import SVC

    for name, C in (("moons", 1.0), ("blobs", 10.0)):
        X, y = kpviz.make_dataset(name, full(300, 60), 0.3)
        gram = Gaussian(0.5)(X, X)
        run = kpviz.train(learners.SVM(C), X, y, kernel=Gaussian(0.5), epochs=1000)
        machine = SVC(C=C, kernel="precomputed", tol=1e-10).fit(gram, y)
        theirs = np.zeros(len(y))
        theirs[machine.support_] = machine.dual_coef_[0]
        ours = run.state_at(run.n_steps).coef
        best, reached = (0.5 * coef @ gram @ coef - y @ coef for coef in (theirs, ours))
        apart = np.abs(run.decision_function(X) - machine.decision_function(gram)).max()
        what = f"SVM: {len(y)} points of {name}, C = {C:g}"
        steps = f"{run.n_steps:,} pairs, end: {run.end}"
        line(
            f"{what}: objective",
            f"{abs(reached / best - 1):.0e}",
            f"relative to SVC's; {steps}",
            "≤ 1e-6",
        )
        line(f"{what}: f", f"{apart:.0e}", "largest difference from SVC's", "≤ 1e-3")


def payloads() -> None:
    """What is sent for a run."""
    for name in learners.LEARNERS:
        settings = Settings.of(data="blobs", n=200, noise=0.4, learner=name)
        split = experiment.prepare(settings)
        run = experiment.run(settings, split)
        size = len(payload.encode(Experiment.of(settings, split, run)))
        line(
            f"payload: 200 points, {name}, {run.n_steps:,} steps",
            f"{size / 1e3:.0f} KB",
            "",
            "≤ 400 KB",
        )
    for n in full((200, 500, 1000), (200,)):
        for kernel, promised in (
            ("gaussian", "≤ 400 KB"),
            ("laplacian", "≤ 400 KB"),
            ("sigmoid", "≤ 600 KB"),
        ):
            settings = Settings.of(data="blobs", n=n, noise=0.4, kernel=kernel)
            split = experiment.prepare(settings)
            run = experiment.run(settings, split)
            size = len(payload.encode(Experiment.of(settings, split, run)))
            what = f"payload: {n} points, {kernel}, {run.n_steps:,} steps"
            line(what, f"{size / 1e3:.0f} KB", "", promised if n == 200 else "stated")


def narrow() -> None:
    """What is sent for a run whose kernel needs a finer grid."""
    wide = {"data": "xor", "n": 200, "noise": 0.5, "sigma": 0.02, "epochs": 2}
    runs = (
        {"data": "spirals", "noise": 0.1, "sigma": 0.05},
        {"data": "spirals", "noise": 0.1, "sigma": 0.02},
        wide,
        {**wide, "kernel": "matern32"},
        {**wide, "predictor": "voted"},
        {
            **wide,
            "kernel": "formula",
            "formula": "gaussian(0.02) + polynomial(8, 1)",
            "normalize": "on",
        },
        {**wide, "n": 1000},
    )
    for arguments in full(runs, runs[:1]):
        settings = Settings.of(**arguments)
        split = experiment.prepare(settings)
        made = Experiment.of(settings, split, experiment.run(settings, split))
        began = time.perf_counter()
        data = payload.encode(made)
        taken = 1000 * (time.perf_counter() - began)
        kernel = f"{made.kernel}{', voted' if made.predictor == 'voted' else ''}"
        what = f"payload: {kernel}, {settings.n} points, grid {made.nodes} × {made.nodes}"
        packed = f"{len(gzip.compress(data, 1)) / 1e3:.0f} KB compressed, {taken:.0f} ms"
        line(what, f"{len(data) / 1e3:.0f} KB", packed, "≤ 1 MB" if settings.n <= 200 else "stated")


def memory() -> None:
    """The record of a long run."""
    X, y = kpviz.make_dataset("blobs", 1000, 0.6, flipped=0.3)
    run = kpviz.train(
        kpviz.learners.Perceptron(), X, y, kernel=Gaussian(0.5), epochs=full(1000, 10)
    )
    arrays = [run.index, run.score, run.mistake, run.epoch_start, *vars(run.changes).values()]
    owned = sum(
        array.nbytes if array.strides != (0,) else 8
        for array in arrays
        if isinstance(array, np.ndarray)
    )
    line(
        f"record of {run.n_steps:,} presentations",
        f"{owned / 1e6:.1f} MB",
        f"{len(run.changes):,} changes",
        "≤ 50 MB",
    )


def tables() -> None:
    """Read a CSV file and choose what is shown of it."""
    rng = np.random.default_rng(0)
    count = full(100_000, 1000)
    rows = (",".join(map("{:.6f}".format, row)) for row in rng.normal(size=(count, 5)).tolist())
    text = "a,b,c,d,e,kind\n" + "".join(
        f"{row},{'yes' if k % 3 else 'no'}\n" for k, row in enumerate(rows)
    )
    data = text.encode()

    def read() -> None:
        table = read_table(data)
        table.examples(table.guess())

    what = f"{count:,} rows of CSV, {len(data) / 1e6:.1f} MB, read and sampled"
    line(what, f"{seconds(read, 3):.2f} s", "", "≤ 1 s at 5 MB")


def imports() -> None:
    """What `import kpviz` loads."""
    code = f"import sys, kpviz; print([name for name in {_HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    line("import kpviz loads of streamlit, matplotlib, sklearn, …", loaded, "", "[]")


def main() -> None:
    """Print the table."""
    training()
    family()
    loops()
    machine()
    payloads()
    narrow()
    memory()
    tables()
    imports()
