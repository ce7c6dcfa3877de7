"""Novikoff's proof, mistake by mistake: ⟨w, u⟩ from below, ‖w‖ from above.

u is the unit vector of the best margin γ, R the radius, η the learning rate, k counts mistakes. A mistake on x_i adds
η·y_i·φ(x_i) to w, so ⟨w, u⟩ grows by at least η·γ, and ‖w‖² by at most η²·R², since y_i f(x_i) <= 0:

    k γ <= ⟨w, u⟩/η <= ‖w‖/η <= √k R, hence k <= R²/γ².

Source: Novikoff (1962).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import Perceptron
from kpviz.engine.run.run import Run
from kpviz.engine.theory.applicable_bounds import INDEFINITE, NO_EXAMPLES, RESUMED
from kpviz.engine.theory.geometry import best_margins, radius

OTHER_LEARNER = (
    "The proof is about the perceptron, which adds η·y·φ(x) to w on a mistake: {title} changes w in another way."
)
NO_MARGIN = "No margin was found on these examples{where}, so there is no direction u in which w must grow."
CONSTANT = {"none": "", "unit": "the constant feature 1", "radius": "the constant feature R"}


@dataclass(frozen=True, eq=False)
class Proof:
    """The numbers of the proof.

    Attributes
    ----------
    margin, radius : γ and R, in the feature space with the constant feature that the intercept adds.
    along, norm : ⟨w, u⟩/η and ‖w‖/η after k = 0, 1, … mistakes, both (k + 1,).
    constant : the feature that the intercept adds, in words; "" for none.
    why : one sentence where the proof says nothing of the run, else "".
    """

    margin: float = 0.0
    radius: float = 0.0
    along: FloatArray = field(default_factory=lambda: np.zeros(1))
    norm: FloatArray = field(default_factory=lambda: np.zeros(1))
    constant: str = ""
    why: str = ""

    @property
    def bound(self) -> float:
        """R²/γ², where the two sides meet; infinite without a margin."""
        return (self.radius / self.margin) ** 2 if self.margin > 0.0 else np.inf


def proof_of(run: Run) -> Proof:
    """Return Novikoff's proof for a run, or one that says why there is none.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Polynomial(degree=2, coef0=1.0))
    >>> proof = proof_of(run)
    >>> round(proof.margin, 4), proof.radius, round(proof.bound, 6)
    (1.4142, 3.0, 4.5)
    >>> proof.along.round(2).tolist(), proof.norm.round(2).tolist()
    ([0.0, 1.41, 2.83, 4.24, 5.66], [0.0, 3.0, 4.0, 5.0, 5.66])
    """
    learner = run.learner
    if type(learner) is not Perceptron:
        return Proof(why=OTHER_LEARNER.format(title=learner.about.title))
    if not len(run.y):
        return Proof(why=NO_EXAMPLES)
    if run.start is not None and (run.start.coef.any() or run.start.intercept):
        return Proof(why=RESUMED)
    constant = CONSTANT[learner.intercept]
    gram = run.gram
    gram = gram + {"none": 0.0, "unit": 1.0, "radius": float(gram.diagonal().max())}[learner.intercept]
    try:
        margins = best_margins(gram, run.y)
    except ValueError:
        return Proof(why=INDEFINITE)
    if margins is None:
        return Proof(constant=constant, why=NO_MARGIN.format(where=f" with {constant}" if constant else ""))
    on = run.index[run.mistake]
    grown = 2.0 * run.y[on] * run.score[run.mistake] / learner.learning_rate + gram.diagonal()[on]  # of ‖w‖²/η²
    return Proof(
        margin=float(margins.min()),
        radius=radius(gram),
        along=np.concatenate([[0.0], margins[on].cumsum()]),
        norm=np.sqrt(np.maximum(np.concatenate([[0.0], grown.cumsum()]), 0.0)),
        constant=constant,
    )
