"""The record of a training, and everything that is read from it.

A Run is data: the order in which examples were shown, the score of each when it was shown, and what
changed. The state at any instant is a fold of the changes up to it; going back is folding again,
never undoing.

Tests: tests/engine/test_run.py, tests/engine/test_refused.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.kernels import Kernel
from kpviz.engine.learners.protocol import Entries
from kpviz.engine.read_only import ReadOnlyArrays, read_only
from kpviz.engine.run import fold, predictors
from kpviz.engine.run.initial import Initial
from kpviz.engine.run.predictors import PredictorName

if TYPE_CHECKING:
    from kpviz.engine.learners.protocol import Learner


@dataclass(frozen=True, eq=False)
class State(ReadOnlyArrays):
    """The expansion f(x) = sum of coef_i k(x_i, x) + intercept after t presentations.

    What was learnt alone: a fixed f₀ that training began with (`Run.initial`) is added to it.
    `entries`, with presentations counted from the first training on, and `details` are what a
    learner with a memory needs to resume from here.

    Parameters
    ----------
    t : presentations made.
    coef : signed coefficients y * alpha, (n,).
    alpha : weights, (n,).
    intercept : b.
    entries : what is left of each presentation, of learners that forget; the examples that span f,
        of the Projectron, one of which may have the coefficient 0; None of others.
    details : the learner's own quantities, by name.
    """

    t: int
    coef: FloatArray
    alpha: FloatArray
    intercept: float
    entries: Entries | None = None
    details: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        held = f"{len(self.support)} of {len(self.coef)} examples in the support"
        return f"<State after {self.t:,} presentations: {held}, intercept {self.intercept:g}>"

    @property
    def support(self) -> NDArray[np.intp]:
        """Indices of the examples with a coefficient other than 0."""
        return read_only(np.flatnonzero(self.coef))


@dataclass(frozen=True, eq=False)
class Changes(ReadOnlyArrays):
    """All changes of a run as flat arrays, in the learner's unit.

    Change j belongs to presentation `step[j]`, multiplies coef by `shrink[j]`, adds `delta[p]` to
    coef[`index[p]`] for p from `pointer[j]` up to `pointer[j + 1]`, removes what remains of the
    entry of presentation `evicted[j]` (-1: none; below: an entry that a resumed training began
    with), and adds `shift[j]` to the intercept.
    """

    step: IntArray
    pointer: IntArray
    index: IntArray
    delta: FloatArray
    shift: FloatArray
    shrink: FloatArray
    evicted: IntArray

    @classmethod
    def of(
        cls,
        step: ArrayLike,
        pointer: ArrayLike,
        index: ArrayLike,
        delta: ArrayLike,
        shift: ArrayLike,
        shrink: ArrayLike,
        evicted: ArrayLike,
    ) -> Changes:
        """Return the columns as arrays, with 32-bit integers."""
        step, pointer, index, evicted = (
            np.array(column, dtype=np.int32) for column in (step, pointer, index, evicted)
        )
        delta, shift, shrink = (
            _compact(np.array(column, dtype=np.float64) + 0.0)
            for column in (delta, shift, shrink)  # + 0.0 makes 0.0 of -0.0.
        )
        return cls(step, pointer, index, delta, shift, shrink, _compact(evicted))

    def __len__(self) -> int:
        return len(self.step)

    def before(self, t: int) -> int:
        """Return how many changes the first t presentations made."""
        # A number of another type would make numpy convert all of them.
        return int(self.step.searchsorted(np.int32(t)))

    @cached_property
    def shrinks(self) -> bool:
        """Whether any change shrinks."""
        return bool((self.shrink != 1.0).any())

    @cached_property
    def evicts(self) -> bool:
        """Whether any change evicts."""
        return bool((self.evicted != -1).any())

    @cached_property
    def dies(self) -> NDArray[np.intp]:
        """For each change the one that evicts its entries, len(self) for never."""
        result = np.full(len(self), len(self))
        by = np.flatnonzero(self.evicted >= 0)
        result[np.searchsorted(self.step, self.evicted[by])] = by
        return read_only(result)


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    """Return the same values, as a view of a single one where all are equal."""
    if len(values) and (values == values[0]).all():
        return np.broadcast_to(values[0], values.shape)
    return values


ENDS = ("clean", "tolerance", "limit", "cancelled")


@dataclass(frozen=True, eq=False)
class Run(ReadOnlyArrays):
    """The record of a training: `kpviz.Run`, which adds pictures, page and link, describes its
    attributes.

    Its arrays cannot be written to; they are of length n_steps unless said otherwise there.
    """

    learner: Learner
    kernel: Kernel | None
    X: NDArray[Any]
    y: FloatArray
    index: IntArray
    score: FloatArray
    epoch_start: IntArray
    changes: Changes
    end: str
    seed: int = 0
    unit: float = 1.0
    start: State | None = None
    details: dict[str, NDArray[Any]] = field(default_factory=dict)
    seconds: float = 0.0
    order: str = "by hand"
    initial: Initial | None = None

    def __repr__(self) -> str:
        counts = f"{len(self.X)} examples, {self.n_steps:,} presentations in {self.n_epochs} epochs"
        return (
            f"<Run of {self.learner!r}: {counts}, {int(self.mistake.sum()):,} mistakes, end "
            f"{self.end!r}>"
        )

    @property
    def n_steps(self) -> int:
        """Number of presentations."""
        return len(self.index)

    @property
    def shows_only_mistakes(self) -> bool:
        """Whether only mistakes were presented, as the orders "first-mistake" and "random-mistake"
        do.
        """
        return self.order in ("first-mistake", "random-mistake")

    @property
    def n_epochs(self) -> int:
        """Number of epochs begun."""
        return len(self.epoch_start)

    @property
    def epoch_ends(self) -> NDArray[np.int64]:
        """The instants at which the epochs end, (n_epochs,)."""
        return read_only(
            np.append(self.epoch_start[1:], self.n_steps)[: self.n_epochs].astype(np.int64)
        )

    @property
    def converged(self) -> bool:
        """Whether training ended by itself; a learner may have passed over mistakes that no change
        mends.
        """
        return self.end in ("clean", "tolerance")

    @cached_property
    def mistake(self) -> NDArray[np.bool_]:
        """Whether each presentation was a mistake, by the learner's rule for ties."""
        return read_only(self.learner.mistakes(self.y[self.index], self.score))

    @cached_property
    def mistakes_per_epoch(self) -> NDArray[np.int64]:
        """(n_epochs,) number of mistakes in each epoch."""
        if not self.n_epochs:
            return read_only(np.zeros(0, dtype=np.int64))
        return read_only(
            np.asarray(np.add.reduceat(self.mistake, self.epoch_start, dtype=np.int64))
        )

    @cached_property
    def gram(self) -> FloatArray:
        """(n, n) matrix K(X, X); ValueError, of one sentence, where it would take more
        than 1 GB.
        """
        if self.kernel is not None:
            checks.whole_gram(len(self.y))
        if not len(self.y):
            # A kernel that is fitted to examples could not compute it.
            return read_only(np.zeros((0, 0)))
        return self.X if self.kernel is None else read_only(self.kernel.evaluate(self.X, self.X))

    def state_at(self, t: int) -> State:
        """Return the state after t presentations, 0 <= t <= n_steps; ValueError outside.

        Parameters
        ----------
        t : presentations made, 0 to n_steps.
        """
        coef, intercept = predictors.coefficients(self, [checked_time(self, t)], "last")
        before = 0 if self.start is None else self.start.t
        entries = (
            self._entries_of_all(t) if self.learner.evicts else self._joined_entries(t, coef[0])
        )
        last = {name: float(values[t - 1]) for name, values in self.details.items()} if t else {}
        if not t and self.start is not None:
            last = dict(self.start.details)
        return State(
            before + t, coef[0], self.y * coef[0] + 0.0, float(intercept[0]), entries, last
        )

    def entries_at(self, t: int) -> Entries:
        """Return the entries alive after t presentations, oldest first; see `Entries`.

        A budget counts these: one example may hold two, and coef adds them.

        Parameters
        ----------
        t : presentations made, 0 to n_steps.
        """
        return fold.entries(self, checked_time(self, t))

    def _entries_of_all(self, t: int) -> Entries:
        """Return the entries with their presentation counted from the first training on."""
        alive = self.entries_at(t)
        if self.start is None:
            return alive
        first = np.zeros(len(self.start.support), dtype=np.int64)
        born = first if self.start.entries is None else self.start.entries.step
        here = alive.step >= 0
        step = np.where(here, alive.step + self.start.t, 0)
        step[~here] = born[alive.step[~here] + len(born) + 1]
        return Entries(step, alive.index, alive.weight)

    def _joined_entries(self, t: int, coef: FloatArray) -> Entries | None:
        """Return the examples that joined what is remembered, oldest first, None where `coef` tells
        which these are.
        """
        joined = self.learner.joined(self.details)
        if joined is None:
            return None
        step = np.flatnonzero(joined[:t])
        index = self.index[step]
        if self.start is not None:
            before = self.start.entries
            earlier = self.start.support if before is None else before.index
            born = np.zeros(len(earlier), dtype=np.int64) if before is None else before.step
            step = np.concatenate([born, step + self.start.t])
            index = np.concatenate([earlier, index])
        return Entries(step.astype(np.int64), index.astype(np.int64), coef[index])

    def margins_at(self, t: int) -> FloatArray:
        """Return y f(x) of each training example after t presentations, shape (n,).

        Parameters
        ----------
        t : presentations made, 0 to n_steps.
        """
        # + 0.0 makes 0.0 of -0.0.
        return np.asarray(
            self.y * predictors.scores(self, self.X, [checked_time(self, t)])[0] + 0.0
        )

    def decision_function(
        self, Z: ArrayLike, t: int | None = None, predictor: PredictorName = "last"
    ) -> FloatArray:
        """Return f(z) for each row of Z after t presentations (None: all of them).

        Parameters
        ----------
        t : after so many presentations; None: after all.
        Z : (n_Z, n_features); rows of K(Z, X) when the kernel is "precomputed".
        predictor : ``"last"``: f after t presentations; ``"averaged"``: the mean of f after each
            presentation; ``"voted"``: the sum of their signs, with sign(0) = +1 (Freund & Schapire
            1999).
        """
        at = self.n_steps if t is None else checked_time(self, t)
        Z = comparable_examples(self, "Z", Z)
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.asarray(predictors.scores(self, Z, [at], predictor)[0])
        if not np.isfinite(scores).all():
            raise ValueError("Z is too large: a score is infinite or NaN, so scale Z down.")
        return scores

    def predict(
        self, Z: ArrayLike, t: int | None = None, predictor: PredictorName = "last"
    ) -> FloatArray:
        """Return the label, -1.0 or +1.0, of each row of Z after t presentations (None: all of
        them), shape (n_Z,).

        It is the sign of `decision_function`. A score of 0 is +1 by a vote and where the learner's
        tie is "positive", else -1.

        Parameters
        ----------
        Z : (n_Z, n_features); rows of K(Z, X) when the kernel is "precomputed".
        t : after so many presentations; None: after all.
        predictor : "last", "averaged" or "voted", see `decision_function`.

        Raises
        ------
        ValueError
            One sentence: Z is not comparable with X, t is not an instant of the run, or there is no
            such predictor.

        Examples
        --------
        >>> import kpviz
        >>> X, y = kpviz.make_dataset("xor", n_samples=40, seed=0)
        >>> kernel = kpviz.kernels.Gaussian(sigma=0.5)
        >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
        >>> run.predict([[0.5, 0.5], [0.5, -0.5]])
        array([-1.,  1.])
        """
        scores = self.decision_function(Z, t, predictor)
        zero_is_positive = predictor == "voted" or self.learner.tie == "positive"
        return np.where(scores >= 0.0 if zero_is_positive else scores > 0.0, 1.0, -1.0)

    def table(self) -> dict[str, NDArray[Any]]:
        """Return the presentations as columns of equal length, which `pandas.DataFrame` takes as
        they are.

        They are those of the table that the app and the command line write: `step` and `epoch`,
        which count from 1; `example`, an index; its label `y`; `f`, the score before the change;
        `margin`, y·f; `mistake`, a bool; and `alpha`, that of the example after the step. Then come
        the learner's own quantities, by the names of `details`.

        Examples
        --------
        >>> import kpviz
        >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
        >>> kernel = kpviz.kernels.Monomial(degree=2)
        >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
        >>> table = run.table()
        >>> list(table), table["f"][:3]
        (['step', 'epoch', 'example', 'y', 'f', 'margin', 'mistake', 'alpha'], array([0., 0., 4.]))
        """
        steps = np.arange(1, self.n_steps + 1)
        y = self.y[self.index]
        return {
            "step": steps,
            "epoch": np.searchsorted(self.epoch_start, steps - 1, side="right"),
            "example": self.index.copy(),
            "y": y,
            "f": self.score.copy(),
            "margin": y * self.score + 0.0,  # + 0.0 makes 0.0 of -0.0.
            "mistake": self.mistake.copy(),
            "alpha": fold.alpha_after(self),
            **{name: values.copy() for name, values in self.details.items()},
        }


def run_of_nothing(learner: Learner, kernel: Kernel, X: FloatArray) -> Run:
    """Return the run of a learner that was shown no example; X is (0, n_features)."""
    whole = np.zeros(0, dtype=np.int32)
    real = np.zeros(0)
    changes = Changes(whole, np.zeros(1, dtype=np.int32), whole, real, real, real, whole)
    return Run(learner, kernel, X, real, whole, real, whole, changes, "limit", unit=learner.unit)


def of_its_end(run: Run, coef: FloatArray | None = None, intercept: float = 0.0) -> Run:
    """Return a run that begins, and ends, where another one ended: of its examples only those in f
    are kept.

    `coef` and `intercept` are those of the reading that is kept, by default the last state. It can
    be resumed as the other one can.
    """
    end = run.state_at(run.n_steps)
    if coef is None:
        coef = end.coef
        intercept = end.intercept
    support = np.flatnonzero(coef)
    entries = end.entries
    if entries is not None:
        support = np.union1d(support, entries.index)
        entries = Entries(entries.step, np.searchsorted(support, entries.index), entries.weight)
    start = State(
        end.t, coef[support], run.y[support] * coef[support] + 0.0, intercept, entries, end.details
    )
    nothing = run_of_nothing(run.learner, cast(Kernel, run.kernel), run.X[support])
    return replace(
        nothing, y=run.y[support], end=run.end, seed=run.seed, start=start, order=run.order
    )


def comparable_examples(run: Run, name: str, value: ArrayLike) -> NDArray[Any]:
    """Return `value` as examples comparable with those of the run; ValueError, which calls it
    `name`, if not.
    """
    if run.kernel is None:
        return checks.matrix(name, value, columns=run.X.shape[1])
    return run.kernel.examples(name, value, like=run.X)


def checked_run(run: object) -> None:
    """Raise a ValueError, of one sentence, unless this is a run."""
    checks.instance("run", run, Run, "a run: it must be what kpviz.train returns")


def checked_time(run: Run, t: int) -> int:
    """Return t if it is an instant of the run, 0 to n_steps, else raise a ValueError."""
    return checks.integer("t", t, low=0, high=run.n_steps)
