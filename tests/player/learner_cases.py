"""Learners with parameters that matter, and instants of their runs: for the tests of the player."""

import numpy as np

DATA = {"n": 40, "noise": 0.15, "flipped": 0.05, "epochs": 5, "held": 0.1, "order": "shuffled"}
LINES = {"n": 36, "data": "linear", "kernel": "linear", "noise": 0.2, "epochs": 4}
VARIANTS = {
    "oldest, one": {"learner": "oldest", "budget": 1, **DATA},
    "forgetron, few": {"learner": "forgetron", "budget": 4, **DATA},
    "forgetron, basic": {"learner": "forgetron", "budget": 6, "variant": "basic", **LINES, "kernel": "polynomial"},
    "forgetron, product": {"learner": "forgetron", "combine": "product", "kernel2": "polynomial", "degree2": 8, **DATA},
    "forgetron, sum": {"learner": "forgetron", "sigma": 0.1, "combine": "sum", "kernel2": "polynomial", **DATA},
    "projectron, wide": {"learner": "projectron", "delta": 0.6, **DATA},
    "projectron, line": {"learner": "projectron", "delta": 0, **LINES},
    "norma, learnt margin": {"learner": "norma", "nu": 0.3, "schedule": "inverse-sqrt", **DATA},
    "norma, truncated": {"learner": "norma", "tau": 15, "lambda": 0.05, **DATA},
    "norma, truncated, line": {"learner": "norma", "tau": 9, "schedule": "inverse-sqrt", **LINES},
    "norma, a perceptron": {"learner": "norma", "lambda": 0, "rho": 0, "eta": 1, **LINES},
    "pa, line": {"learner": "pa", **LINES},
    "pa, bounded": {"learner": "pa", "variant": "PA-I", "C": 0.3, **DATA},
    "pa, damped": {"learner": "pa", "variant": "PA-II", "C": 0.3, **DATA},
    "svm, line": {"learner": "svm", "C": 10, **LINES, "epochs": 10},
    "logistic, fast": {"learner": "logistic", "eta": 4, "lambda": 0.05, **DATA},
    "logistic, certain": {"learner": "logistic", "eta": 5, **LINES, "data": "shifted", "epochs": 2},
}  # fmt: skip
# These differ from others in their numbers only, which test_learners.py compares, and not in what is drawn.
FOLDED = (
    "forgetron, few",
    "forgetron, product",
    "forgetron, sum",
    "projectron, line",
    "pa, bounded",
    "pa, damped",
    "norma, truncated, line",
    "logistic, fast",
    "logistic, certain",
)


def instants(run, most=10):
    """The ends, and instants spread over the run, both sides of changes and evictions among them."""
    changes = run.changes
    events = [*changes.step[changes.evicted >= 0][:2], *np.flatnonzero(run.mistake)[-2:], *changes.step[:2]]
    spread = np.linspace(0, run.n_steps, most).astype(int)
    return sorted({0, 1, run.n_steps, *spread.tolist(), *(int(s) + d for s in events for d in (0, 1))})


def stops_of(run):
    """The instants after what the middle grain of stepping stops at."""
    if run.learner.about.grain == "update":
        return run.changes.step[np.diff(run.changes.pointer) > 0] + 1
    return np.flatnonzero(run.mistake) + 1
