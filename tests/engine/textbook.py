"""The slow loops of the textbooks, written from the formulas, and examples: what the engine is
compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

import kpviz
from kpviz.engine.data.datasets import SOURCES

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
TOYS = [name for name, source in SOURCES.items() if not source.is_real]


@dataclass
class SlowRun:
    """What a slow loop did: one item for each presentation; states and entries have one more, the
    first the start.
    """

    states: list[tuple[np.ndarray, float]]  # coef and b
    index: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    mistake: list[bool] = field(default_factory=list)
    end: str = "limit"
    entries: list[list[tuple[int, int, float]]] = field(default_factory=lambda: [[]])
    details: dict[str, list] = field(default_factory=dict)
    nearest: float = inf  # how far a margin was from where the rule would have decided otherwise
    changed: int = 0
    private: tuple[str, ...] = ()  # details that only the tests know

    def see(self, i, f, label, threshold=0.0, *, certain=False):
        """Write down a presentation; return whether its margin is at most the threshold."""
        self.index.append(i)
        self.score.append(f)
        self.mistake.append(bool(label * f <= 0))
        if not certain:
            self.nearest = min(self.nearest, abs(label * f - threshold))
        return bool(label * f <= threshold)

    def close(self, coef, b=0.0, entries=(), **details):
        """Write down the state after a presentation."""
        self.states.append((coef, b))
        self.entries.append(list(entries))
        for name, value in details.items():
            self.details.setdefault(name, []).append(value)


def passes(slow, rows, n, may_end):
    """The presentations (t, i), up to the end of the first complete pass that changes nothing."""
    t = 0
    for row in rows:
        before = slow.changed
        for i in row:
            yield t, int(i)
            t += 1
        if may_end and slow.changed == before and set(map(int, row)) == set(range(n)):
            slow.end = "clean"
            return


def wrong(label, score, tie):
    if score != 0:
        return bool(np.sign(score) != label)
    return {"mistake": True, "correct": False, "positive": label == -1, "negative": label == +1}[
        tie
    ]


def dual_perceptron(gram, y, rows, *, eta=1.0, intercept="none", tie="mistake", may_end=True):
    """Count mistakes in integers; one dot product per presentation; eta only in what is written
    down.
    """
    n = len(y)
    counts = np.zeros(n, dtype=int)
    votes = 0
    s = {"none": 0.0, "unit": 1.0, "radius": max(gram[i, i] for i in range(n))}[intercept]
    slow = SlowRun([(np.zeros(n), 0.0)])
    for _, i in passes(slow, rows, n, may_end):
        f = float(np.dot(counts * y, gram[:, i])) + votes * s
        slow.see(i, eta * f, y[i], certain=not counts.any())
        slow.mistake[-1] = wrong(y[i], f, tie)
        if slow.mistake[-1]:
            slow.changed += 1
            counts[i] += 1
            votes += int(y[i])
        slow.close(eta * counts * y, eta * votes * s)
    return slow


def primal_perceptron(features, y, rows, *, bias=False):
    """Rosenblatt: w += y x on a mistake, zero scores being mistakes. Returns mistakes, w and b."""
    w = np.zeros(features.shape[1])
    b = 0.0
    mistakes = []
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
    return np.vstack([X, X[:1]]), np.append(
        np.where(X[:, 0] > 0, 1.0, -1.0), -np.where(X[0, 0] > 0, 1.0, -1.0)
    )


REFUTED = {  # functions that look like kernels and are none
    "sigmoid": kpviz.kernels.Sigmoid(gamma=1.0, coef0=-1.0),
    "negative distance": lambda X, Z: -((X[:, None] - Z) ** 2).sum(-1),
    "shifted square": lambda X, Z: (X @ Z.T - 1.0) ** 2,
    "fourth power": lambda X, Z: np.exp(-(((X[:, None] - Z) ** 2).sum(-1) ** 2)),
}


def one_sentence(message):
    """Whether a message is one sentence on one line."""
    return message.endswith(".") and ". " not in message and "\n" not in message
