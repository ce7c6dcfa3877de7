"""The slow loops of the textbooks, written from the formulas: what the engine is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import kpviz

KERNELS = {
    "linear": kpviz.kernels.Linear(),
    "polynomial": kpviz.kernels.Polynomial(degree=2, coef0=1.0),
    "monomial": kpviz.kernels.Monomial(degree=3),
    "gaussian": kpviz.kernels.Gaussian(sigma=0.4),
    "laplacian": kpviz.kernels.Laplacian(sigma=0.7),
    "sigmoid": kpviz.kernels.Sigmoid(gamma=1.5, coef0=-0.5),
    "subsets": kpviz.kernels.AllSubsets(),
    "sum": kpviz.kernels.Linear() + kpviz.kernels.Gaussian(sigma=0.3),
    "product": kpviz.kernels.AllSubsets() * kpviz.kernels.Laplacian(sigma=1.0),
}
TOYS = ["xor", "circles", "spirals", "moons", "blobs", "checkerboard", "linear", "shifted"]


@dataclass
class Story:
    """What a loop did: one entry for each presentation; states has one more, the first being the start."""

    index: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    mistake: list[bool] = field(default_factory=list)
    states: list[tuple[np.ndarray, float]] = field(default_factory=list)
    end: str = "limit"

    @property
    def coef(self):
        return self.states[-1][0]

    @property
    def b(self):
        return self.states[-1][1]


def wrong(label, score, tie):
    if score != 0:
        return bool(np.sign(score) != label)
    return {"mistake": True, "correct": False, "positive": label == -1, "negative": label == +1}[tie]


def dual_perceptron(gram, y, rows, *, eta=1.0, intercept="none", tie="mistake", may_end=True):
    """Count mistakes in integers; one dot product per presentation; eta only in what is told."""
    n = len(y)
    counts, votes = np.zeros(n, dtype=int), 0
    s = {"none": 0.0, "unit": 1.0, "radius": max(gram[i, i] for i in range(n))}[intercept]
    story = Story(states=[(np.zeros(n), 0.0)])
    for row in rows:
        clean = True
        for i in row:
            f = float(np.dot(counts * y, gram[:, i])) + votes * s
            story.index.append(int(i))
            story.score.append(eta * f)
            story.mistake.append(wrong(y[i], f, tie))
            if story.mistake[-1]:
                clean = False
                counts[i] += 1
                votes += int(y[i])
            story.states.append((eta * counts * y, eta * votes * s))
        if clean and may_end and set(map(int, row)) == set(range(n)):
            story.end = "clean"
            break
    return story


def primal_perceptron(features, y, rows, *, bias=False):
    """Rosenblatt: w += y x on a mistake, zero scores being mistakes. Returns mistakes, w and b."""
    w, b, mistakes = np.zeros(features.shape[1]), 0.0, []
    for row in rows:
        for i in row:
            mistakes.append(bool(y[i] * (w @ features[i] + b) <= 0))
            if mistakes[-1]:
                w = w + y[i] * features[i]
                b = b + y[i] * bias
    return mistakes, w, b


def rows_of(run):
    """The order that a run says it had, one list for each epoch."""
    return np.split(run.index, run.epoch_start[1:])


def integer_data(seed, n=14, high=2):
    """Examples on a grid of whole numbers, where ties are exact and frequent."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-high, high + 1, (n, 2)).astype(float)
    return X, rng.choice([-1.0, 1.0], n)


def random_data(seed, n=20, columns=2):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, columns)), rng.choice([-1.0, 1.0], n)


def noisy_clouds(seed, n, *, wrong=0.2, shift=0.0):
    """Two clouds whose labels are partly turned, away from the origin if shift is not 0."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], n)
    X = rng.standard_normal((n, 2)) + 1.5 * y[:, None] * [1.0, 0.5] + shift
    return X, np.where(rng.random(n) < wrong, -y, y)


def contradictory(n=12):
    """Labels that contradict each other, so that no run ends early."""
    X, _ = random_data(0, n=n)
    return np.vstack([X, X[:1]]), np.append(np.where(X[:, 0] > 0, 1.0, -1.0), -np.where(X[0, 0] > 0, 1.0, -1.0))
