"""Time and memory against the number of examples: kpviz, scikit-learn's SVC, and the loop of a
textbook.

Each training runs in a process of its own, with one thread, as SVC has only one. Seconds are those
of the processor, memory is what it takes beyond the data. `python -m benchmarks.scale PICTURE.svg`
draws both as well, as they stand in docs/explanation/how-cost-grows.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

from benchmarks.timing import full, line

# They are the examples, the features and the share of labels that are turned.
Case = tuple[int, int, float]

EPOCHS = 5
BUDGET = 100
_NAMES = {
    "kpviz": "kpviz, 5 epochs",
    "svc": "SVC(C=1)",
    "loop": "textbook loop",
    "budget": "budget of 100, 1 epoch",
}


def cases() -> list[tuple[str, Case]]:
    """Return what is trained, in the order in which it is printed."""
    sizes = full((1_000, 3_000, 10_000, 20_000, 60_000), (200,))
    low = [(n, 2, 0.0) for n in sizes]
    high = [
        (n, 784, noise)
        for noise in (0.0, 0.05)
        for n in full((1_000, 3_000, 10_000, 20_000), (100,))
    ]
    trained = [(what, case) for case in [*low, *high] for what in ("kpviz", "svc")]
    trained += [("loop", (n, 2, 0.0)) for n in full((1_000, 3_000, 10_000), (200,))]
    return [
        *trained,
        *(("budget", (full(1_000_000, 500), features, 0.0)) for features in full((2, 784), (2,))),
    ]


def data(n: int, features: int, turned: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return examples, labels and the width of the Gaussian: a curve in the plane, or two clouds in
    many dimensions.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, features))
    if features == 2:
        return (
            X,
            np.where(np.cos(2 * X[:, 0]) * X[:, 1] + 0.1 * rng.normal(size=n) > 0, 1.0, -1.0),
            0.5,
        )
    direction = rng.normal(size=features)
    direction /= np.linalg.norm(direction)
    y = np.sign(X @ direction)
    X += 3 * y[:, None] * direction
    return X, y * np.where(rng.random(n) < turned, -1, 1), 28.0


def measured(what: str, case: Case) -> dict[str, Any]:
    """Return seconds, megabytes beyond the data, and mistakes or support, of one training in a
    process of its own.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.scale", "--train", what, *map(str, case)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main() -> None:
    """Print all of them."""
    results: dict[tuple[str, Case], dict[str, Any]] = {}
    for what, case in cases():
        result = results[what, case] = measured(what, case)
        n, features, turned = case
        of = f"{n:,} × {features}" + (f", {turned:.0%} of the labels turned" if turned else "")
        compared = (
            f"{result['memory']:.0f} MB, {result['count']:,} "
            f"{'support' if what == 'svc' else 'mistakes'}"
        )
        ours = results.get(("kpviz", case))
        promised = {"budget": "≤ 15 s, 250 MB" if features == 2 else "≤ 90 s"}.get(what, "")
        if what == "svc" and ours:
            share = ours["seconds"] / result["seconds"]
            promised = f"kpviz takes {share:.2f} of it: ≤ {0.8 if features == 2 else 0.2}"
        line(f"scale: {of}, {_NAMES[what]}", f"{result['seconds']:.2f} s", compared, promised)
    if len(sys.argv) > 1 and sys.argv[1].endswith(".svg"):
        picture(results, sys.argv[1])


def picture(results: dict[tuple[str, Case], dict[str, Any]], path: str) -> None:
    """Draw time and memory of the cases with two features, both axes logarithmic."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots(1, 2)
    for panel, key, label in zip(
        axes, ("seconds", "memory"), ("seconds", "MB beyond the data"), strict=True
    ):
        for what, style in (("kpviz", "o-"), ("svc", "s--"), ("loop", "^:")):
            known = {
                case[0]: result[key]
                for (of, case), result in results.items()
                if of == what and case[1] == 2
            }
            panel.loglog(
                list(known),
                [max(value, 1e-3) for value in known.values()],
                style,
                label=_NAMES[what],
            )
        panel.set(xlabel="examples", ylabel=label)
        panel.grid(alpha=0.3)
    axes[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def train(what: str, X: np.ndarray, y: np.ndarray, width: float) -> int:
    """Train, and return mistakes, or the support of SVC."""
    if what == "svc":
        from sklearn.svm import SVC

        return int(SVC(C=1, gamma=1 / (2 * width**2), cache_size=200).fit(X, y).n_support_.sum())
    import kpviz

    kernel = kpviz.kernels.Gaussian(width)
    if what == "loop":
        return loop(X, y, kernel)
    learner = (
        kpviz.learners.RemoveOldest(BUDGET) if what == "budget" else kpviz.learners.Perceptron()
    )
    return int(
        kpviz.train(
            learner, X, y, kernel=kernel, epochs=1 if what == "budget" else EPOCHS
        ).mistake.sum()
    )


def loop(X: np.ndarray, y: np.ndarray, kernel: Any) -> int:
    """Return the mistakes of the plain dual perceptron, which asks k of the example shown with all
    mistakes so far.
    """
    alpha = np.zeros(len(y))
    mistakes = 0
    for _ in range(EPOCHS):
        for i in range(len(y)):
            support = np.flatnonzero(alpha)
            f = (
                (alpha * y)[support] @ kernel(X[support], X[i : i + 1])[:, 0]
                if len(support)
                else 0.0
            )
            if y[i] * f <= 0:
                alpha[i] += 1
                mistakes += 1
    return mistakes


def _train_here(what: str, n: str, features: str, turned: str) -> None:
    import resource

    X, y, width = data(int(n), int(features), float(turned))
    train(what, X[:50], y[:50], width)  # Imports are not measured.
    unit = 1024 if sys.platform == "darwin" else 1
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # One thread is timed, so that other work on the machine counts less.
    began = time.process_time()
    count = train(what, X, y, width)
    seconds = time.process_time() - began
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 / unit
    print(json.dumps({"seconds": seconds, "memory": memory, "count": count}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        _train_here(*sys.argv[2:])
    else:
        main()
