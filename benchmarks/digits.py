"""Handwritten digits by ten kernel perceptrons, as Freund and Schapire (1999) read them: last,
averaged and voted.

One perceptron for each digit, against all others; what is read is the digit whose score is largest.
The kernel is (1 + u·v)^d. `python -m benchmarks.digits` takes the 1,797 digits of scikit-learn, two
thirds of them for training; `python -m benchmarks.digits --mnist FOLDER` the files of MNIST
(train-images-idx3-ubyte and so on, packed or not). `--picture FILE.svg` draws the errors by epoch
and degree.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

import numpy as np

import kpviz
from benchmarks.timing import full, line
from kpviz.engine.run.predictors import PREDICTORS, scores

Sets = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # X, digits, and the same of the test

_TRAINED = 1200


def small() -> Sets:
    """Return the digits of scikit-learn, 8 × 8 pixels from 0 to 1, in an order drawn
    with a seed.
    """
    from sklearn.datasets import load_digits

    X, digits = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    X = X[order] / 16.0
    digits = digits[order]
    return X[:_TRAINED], digits[:_TRAINED], X[_TRAINED:], digits[_TRAINED:]


def mnist(folder: Path) -> Sets:
    """Return the 60,000 and 10,000 digits of MNIST, 28 × 28 pixels from 0 to 1."""
    X, X_test = (
        _idx(folder, f"{part}-images-idx3-ubyte").reshape(-1, 784) / 255.0
        for part in ("train", "t10k")
    )
    digits, digits_test = (_idx(folder, f"{part}-labels-idx1-ubyte") for part in ("train", "t10k"))
    return X, digits, X_test, digits_test


def _idx(folder: Path, name: str) -> np.ndarray:
    """Return the array of an IDX file: two zeros, a type, the number of axes, their lengths, then
    the bytes.
    """
    packed = folder / f"{name}.gz"
    content = (
        gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / name).read_bytes()
    )
    axes = content[3]
    lengths = np.frombuffer(content, dtype=">u4", count=axes, offset=4)
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * axes).reshape(lengths)


def errors(sets: Sets, degree: int, epochs: int) -> dict[str, np.ndarray]:
    """Return the share of test digits that are read wrongly after each epoch, by reading,
    (epochs,).
    """
    X, digits, X_test, digits_test = sets
    kernel = kpviz.kernels.Polynomial(degree, 1.0)
    every = {name: np.empty((epochs, 10, len(X_test))) for name in PREDICTORS}
    for digit in range(10):
        y = np.where(digits == digit, 1.0, -1.0)
        run = kpviz.train(
            kpviz.learners.Perceptron(),
            X,
            y,
            kernel=kernel,
            order="shuffled",
            epochs=epochs,
            stop_when_clean=False,
        )
        for name in PREDICTORS:
            every[name][:, digit] = scores(run, X_test, run.epoch_ends.tolist(), name)
    return {
        name: (predictions.argmax(axis=1) != digits_test).mean(axis=1)
        for name, predictions in every.items()
    }


def picture(results: dict[int, dict[str, np.ndarray]], path: str) -> None:
    """Draw the errors by epoch, one panel for each degree."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 2.6), layout="constrained")
    panels = figure.subplots(1, len(results), sharey=True)
    for panel, (degree, by_reading) in zip(panels, results.items(), strict=True):
        for (name, shares), style in zip(by_reading.items(), ("o:", "s--", "^-"), strict=True):
            panel.plot(np.arange(1, len(shares) + 1), 100 * shares, style, label=name, markersize=4)
        panel.set(title=f"degree {degree}", xlabel="epochs")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("test error in %")
    panels[-1].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main(sets: Sets | None = None, path: str = "") -> None:
    """Print the errors after the first and the last epoch, for each degree and reading."""
    sets = small() if sets is None else sets
    epochs = full(10, 2)
    results = {degree: errors(sets, degree, epochs) for degree in full((1, 2, 3, 4), (2,))}
    for degree, by_reading in results.items():
        for name, shares in by_reading.items():
            after = f"after {epochs} epochs; after the first {shares[0]:.1%}"
            line(f"digits: degree {degree}, {name}", f"{shares[-1]:.1%} wrong", after)
    if path:
        picture(results, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.digits", description=__doc__)
    parser.add_argument("--mnist", type=Path, help="a folder with the files of MNIST")
    parser.add_argument("--picture", default="", help="an SVG to draw")
    options = parser.parse_args()
    main(None if options.mnist is None else mnist(options.mnist), options.picture)
