"""What the ready comparisons claim: a function for each, from its runs in the order of their letters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.lessons import comparison
from kpviz.lessons.comparison import Pin, Summary
from kpviz.settings import Settings


@dataclass(frozen=True)
class Shown:
    """One run of a comparison, and what it was made from."""

    settings: Settings
    split: Split
    run: Run

    @cached_property
    def end(self) -> Summary:
        """Its column of the table."""
        return comparison.summary(self.settings, self.split, self.run)

    @property
    def jump(self) -> float:
        """By how much a step changes f at its own example, at most, for a kernel with k(x, x) = 1."""
        return float(np.abs(self.run.changes.delta).max()) * self.run.unit

    @property
    def turns(self) -> int:
        """How many held-out verdicts change between the ends of two epochs, in all."""
        ends = np.arange(1, self.run.n_epochs + 1) * len(self.split.y)
        read = self.run.decision_function
        signs = [read(self.split.X_test, int(t), predictor=self.settings.predictor) > 0 for t in ends]
        return sum(int((one != other).sum()) for one, other in itertools.pairwise(signs))


def shown(settings: Settings, pins: Sequence[Pin]) -> list[Shown]:
    """Train the models of a comparison, the current one last."""
    made = [*(pin.on(settings) for pin in pins), settings]
    splits = [experiment.prepare(each) for each in made]
    return [Shown(each, split, experiment.run(each, split)) for each, split in zip(made, splits, strict=True)]


def _least(values: Sequence[float | None]) -> bool:
    """Whether the last value is below all others."""
    *others, last = [np.inf if value is None else value for value in values]
    return all(last < other for other in others)


def widths(runs: Sequence[Shown]) -> bool:
    """The narrow one is right on all training points by some of them, the wide one on hardly more than half."""
    narrow, wide, _ = (each.end for each in runs)
    bends = wide.train_error is not None and wide.train_error < 0.4
    points = narrow.train_error == 0.0 and narrow.support < len(runs[0].split.y)
    return points and not bends and _least([each.end.test_error for each in runs])


def averaged(runs: Sequence[Shown]) -> bool:
    """The mean changes its mind less often, and errs less on new points."""
    last, mean = runs
    return mean.turns < last.turns and _least([each.end.test_error for each in runs])


def svm(runs: Sequence[Shown]) -> bool:
    """Both separate, and no margin is wider than the SVM's."""
    perceptron, widest = (each.end.margin or 0.0 for each in runs)
    hard = comparison.reference(runs[1].settings, runs[1].split, cost=1e6)
    return hard is not None and 0.0 < 5.0 * perceptron < widest and widest > 0.999 * (hard.margin or np.inf)


def budget(runs: Sequence[Shown]) -> bool:
    """Ten are remembered instead of more, for three times the mistakes."""
    free, ten = (each.end for each in runs)
    return ten.support == 10 < free.support and (ten.mistakes or 0) >= 3 * (free.mistakes or 0)


def forgetting(runs: Sequence[Shown]) -> bool:
    """None remembers more than fifteen, and the Forgetron makes the fewest mistakes."""
    return all(each.end.support <= 15 for each in runs) and _least([each.end.mistakes for each in runs])


def projection(runs: Sequence[Shown]) -> bool:
    """As many mistakes, and most of what was remembered is not."""
    free, projected = (each.end for each in runs)
    return projected.mistakes == free.mistakes and projected.support < free.support / 2


def probability(runs: Sequence[Shown]) -> bool:
    """The classes overlap, and one example moves the perceptron's f further than the other's."""
    perceptron, logistic = runs
    overlap = perceptron.run.end == "limit" and bool(perceptron.end.train_error)
    return overlap and logistic.jump < perceptron.jump and _least([each.end.test_error for each in runs])


def drift(runs: Sequence[Shown]) -> bool:
    """NORMA makes fewer mistakes, and fewer of them late."""
    late = [int(each.run.mistake[each.run.n_steps // 2 :].sum()) for each in runs]
    return _least([each.end.mistakes for each in runs]) and _least(late)


def intercepts(runs: Sequence[Shown]) -> bool:
    """Without b no line through the origin separates; the others are clean after 97 epochs and after 3."""
    without, unit, radius = (each.run for each in runs)
    never = theory.max_margin(without.gram, without.y) == 0.0 and without.end == "limit"
    return never and [each.n_epochs for each in (unit, radius) if each.end == "clean"] == [97, 3]


def literals(runs: Sequence[Shown]) -> bool:
    """All learn majority; parity costs the literals one mistake for each input, and the plain subsets hundreds."""
    parity = [experiment.run(each.settings.replace(function="parity")).mistake.sum() for each in (runs[0], runs[-1])]
    learnt = all(each.end.train_error == 0.0 and each.run.end == "clean" for each in runs)
    return learnt and parity[0] >= 200 and parity[1] == len(runs[-1].run.y)


def long_texts(runs: Sequence[Shown]) -> bool:
    """As it is, k(x, x) goes from 16 to millions; normalized it is 1, and new sentences are judged better."""
    own, _, normalized = (np.diag(each.run.gram) for each in runs)
    return (
        own.min() == 16.0
        and own.max() >= 1e6
        and bool(np.allclose(normalized, 1.0))
        and _least([runs[0].end.test_error, runs[2].end.test_error])
    )


def generative(runs: Sequence[Shown]) -> bool:
    """The density's Gram matrix has rank 1, and its f one sign on all points; the mixture separates them."""
    density, _, mixture = (each.run for each in runs)
    one_sign = len(np.unique(np.sign(density.decision_function(density.X)))) == 1
    return (
        np.linalg.matrix_rank(density.gram) == 1 and one_sign and runs[2].end.train_error == 0.0 < mixture.mistake.sum()
    )


def ties(runs: Sequence[Shown]) -> bool:
    """Four runs, no two of them alike, and one that never changes."""
    made = [each.run.mistake.tolist() for each in runs]
    apart = all(one != other for k, one in enumerate(made) for other in made[:k])
    return apart and [each.end.support for each in runs].count(0) == 1
