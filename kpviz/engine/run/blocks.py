"""Training without the whole Gram matrix: what is computed of K(X, X) is rows on demand, or the
scores of a block.

The dual perceptron stores its mistakes and forgets the rest, so cost grows with what is remembered.
The scores of all examples are kept; within a block of examples its own Gram matrix corrects them
one by one, and afterwards the changes of the block are added to all other scores by matrix
products. A learner that remembers little keeps no scores: each block is scored from what is
remembered. Sums round otherwise than one by one; of whole numbers they are the same.

Tests: tests/engine/test_blocks.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.rounding import DOUBTFUL
from kpviz.engine.run.gram import Examples, KernelMatrix
from kpviz.engine.run.run import State
from kpviz.engine.run.training import Training

BLOCK = 192  # For so many presentations only the scores of their own examples are kept right.


def reads_all_scores(learner: Learner) -> bool:
    """Say whether a learner may look at the scores of any examples when one is shown.

    The class that defines `change` says it: what a class of somebody's own looks at is not known.
    """
    owner = next(kind for kind in type(learner).__mro__ if "change" in vars(kind))
    return not (owner is Learner or vars(owner).get("reads_own_score", False))


class TrainingInBlocks(Training):
    """The state where the Gram matrix is too large: only scores of the block at hand are right,
    until it ends.

    Parameters
    ----------
    limit : most presentations that there can be.
    """

    gram: KernelMatrix
    in_blocks = True

    def __init__(
        self,
        learner: Learner,
        gram: KernelMatrix,
        y: FloatArray,
        seed: int,
        start: State | None,
        limit: int,
    ) -> None:
        self._from_memory = learner.capacity is not None or learner.projects
        # Examples that may have a coefficient, where the learner keeps few.
        self._remembered: dict[int, None] = {}
        self._block: Examples = slice(0, 0)
        self._place: dict[int, int] = {}
        # Places of remembered examples, and the columns of k of the block with them.
        self._known: dict[int, int] = {}
        self._known_columns = np.zeros((0, 0))
        # The Gram matrix of the block, once something changes.
        self._block_gram: FloatArray | None = None
        # The block added these to coefficients; (-1, factor) where all shrank.
        self._made: list[tuple[int, float]] = []
        self._limit = limit
        super().__init__(learner, gram, y, seed, start)

    def blocks(self, epoch: Iterable[int]) -> Iterator[Iterable[int]]:
        """Yield the examples of an epoch in blocks, and let each change the scores of those that
        come later.
        """
        indices = np.asarray(epoch, dtype=np.intp)
        in_turn = bool((np.diff(indices) == 1).all())
        is_last = len(self.presentations.score) + len(indices) >= self._limit
        comes_once = is_last and not in_turn and len(np.unique(indices)) == len(indices)
        for low in range(0, len(indices), BLOCK):
            high = min(low + BLOCK, len(indices))
            block = indices[low:high]
            self._open(slice(int(block[0]), int(block[-1]) + 1) if in_turn else np.unique(block))
            intercept = self.b
            yield (
                block.tolist()
                if self.learner.update_margin is None
                else self._not_passed_over(block)
            )
            if not self._from_memory and (self._made or self.b != intercept):
                if in_turn:  # Slices are read without a copy.
                    first = int(indices[0])
                    after = slice(first + high, first + len(indices) if is_last else len(self.y))
                    before = slice(0, 0 if is_last else first + low)
                    self._close([after, before], intercept)
                else:
                    self._close(
                        [indices[high:] if comes_once else slice(0, len(self.y))], intercept
                    )
            self.pause()

    def _not_passed_over(self, block: NDArray[np.intp]) -> Iterator[int]:
        """Yield the examples of a block whose margins are not clearly above all at which the
        learner turns.

        The others are noted as shown: they change nothing. A change moves the margins of those that
        come later.
        """
        turn = max(
            cast(float, self.learner.update_margin), self.learner.turning_margin(self.memory)
        )
        while len(block):
            scores = self.scores[block]
            above = turn + self.doubtful_below + DOUBTFUL * turn
            is_passed_over = self.y[block] * scores > above
            count = len(block) if is_passed_over.all() else int(is_passed_over.argmin())
            self.presentations.extend(block[:count], scores[:count])
            if count < len(block):
                yield int(block[count])
            block = block[count + 1 :]

    def read(self, examples: Sequence[int]) -> None:
        """Make the scores of some other examples right, from what is remembered."""
        others = [i for i in examples if i not in self._places()]
        if others:
            self._score(np.array(others, dtype=np.intp))

    def _start_scores(self) -> None:
        for i in np.flatnonzero(self.coef).tolist():
            self._remembered[i] = None
        if not self._from_memory:
            self._score(slice(0, len(self.y)))

    def _score(self, examples: Examples) -> None:
        """Compute scores as the sum over all that is remembered."""
        support = self._support()
        for part, sums in self.gram.sums(examples, support, self.coef[support]):
            self.scores[part] = sums + self.b
            if self.fixed is not None:
                self.scores[part] += self.fixed[part]

    def _support(self) -> NDArray[np.intp]:
        """Return the examples that have a coefficient."""
        if not self._from_memory:
            return np.flatnonzero(self.coef)
        count = None if self.active is None else self.active.count
        self._remembered = {
            i: None for i in self._remembered if self.coef_of[i] or (count and count[i])
        }
        return np.array(sorted(self._remembered), dtype=np.intp)

    def _open(self, block: Examples) -> None:
        """Begin a block: its scores are right from here on."""
        self._block = block
        self._place = {}
        self._block_gram = None
        self._made = []
        if not self._from_memory:
            return
        support = self._support()
        self._known = {i: place for place, i in enumerate(support.tolist())}
        self._known_columns = np.zeros((len(self.y[block]), 0))
        if len(support):
            self._known_columns = self.gram.values_for_scores(block, support)
        weights = self.coef[support]
        self.scores[block] = self._known_columns @ weights + self.b
        self.doubtful_below = DOUBTFUL * (float(np.abs(weights).sum()) * self.largest + abs(self.b))
        if self.fixed is not None:
            self.scores[block] += self.fixed[block]
            self.doubtful_below += DOUBTFUL * float(self.fixed_sizes.max())

    def _close(self, coming: Sequence[Examples], intercept: float) -> None:
        """Add what the block changed to the scores of the other examples that are still to come."""
        weights: dict[int, float] = {}
        factor = 1.0
        for i, number in reversed(self._made):
            if i < 0:
                factor *= number
            else:
                weights[i] = weights.get(i, 0.0) + number * factor
        changed = np.array(list(weights), dtype=np.intp)
        added = np.array(list(weights.values()))
        block_scores = self.scores[self._block].copy()
        lift = self.b - factor * intercept
        for part, sums in chain.from_iterable(
            self.gram.sums(examples, changed, added) for examples in coming
        ):
            if factor == 1.0:
                self.scores[part] += sums + lift if lift else sums
            elif self.fixed is None:
                self.scores[part] = factor * self.scores[part] + sums + lift
            else:
                self.scores[part] = (
                    factor * (self.scores[part] - self.fixed[part]) + self.fixed[part] + sums + lift
                )
            self.pause()
        self.scores[self._block] = block_scores

    def _places(self) -> dict[int, int]:
        """Return the place of each example of the block."""
        if not self._place:
            block = self._block
            examples = (
                range(block.start, block.stop) if isinstance(block, slice) else block.tolist()
            )
            self._place = {i: place for place, i in enumerate(examples)}
        return self._place

    def _column(self, i: int) -> FloatArray:
        """Return k of the block's examples with example i."""
        place = self._places().get(i)
        if place is not None:
            if self._block_gram is None:
                self._block_gram = self.gram.within(self._block)
            return np.asarray(self._block_gram[place])
        if i in self._known:
            return self._known_columns[:, self._known[i]]
        return self.gram.values_for_scores(self._block, [i])[:, 0]

    def _add_row(self, i: int, delta: float) -> None:
        self._made.append((i, delta))
        if self._from_memory:
            self._remembered[i] = None
        self.scores[self._block] += delta * self._column(i)

    def _add_rows(self, indices: Sequence[int], deltas: Sequence[float]) -> None:
        for i, delta in zip(indices, deltas, strict=True):
            self._add_row(i, delta)

    def _lift(self, height: float) -> None:
        self.scores[self._block] += height

    def _shrink(self, shrink: float) -> None:
        self._made.append((-1, shrink))
        if self._from_memory:
            remembered = list(self._remembered)
            self.coef[remembered] *= shrink
        else:
            self.coef *= shrink
        self.scores[self._block] *= shrink
        if self.b:
            self._lift(self.b - shrink * self.b)
        if self.fixed is not None:
            self.scores[self._block] += (1.0 - shrink) * self.fixed[self._block]

    def _terms(self, i: int) -> tuple[Any, FloatArray]:
        support = self._support()
        return support, self.gram.values([i], support)[0] if len(support) else np.zeros(0)
