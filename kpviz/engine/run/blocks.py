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


class _EpochInBlocks:
    """An epoch that is cut into blocks: those from place `low` to `high` of its order.

    Parameters
    ----------
    indices : the examples in the order in which they are shown.
    n : number of all examples; an epoch need not show each of them.
    is_last : whether no epoch follows, so that examples that were shown need no score any more.
    """

    def __init__(self, indices: NDArray[np.intp], n: int, is_last: bool) -> None:
        self.indices = indices
        self._n = n
        self._is_last = is_last
        # If the examples are i, i + 1, …, a block is a slice, which is read without a copy.
        self._is_stretch = bool((np.diff(indices) == 1).all())
        self._shows_each_once = (
            is_last and not self._is_stretch and len(np.unique(indices)) == len(indices)
        )

    def block(self, low: int, high: int) -> Examples:
        """Return the examples of a block in ascending order, each once."""
        block = self.indices[low:high]
        if self._is_stretch:
            return slice(int(block[0]), int(block[-1]) + 1)
        return np.unique(block)

    def still_read(self, low: int, high: int) -> list[Examples]:
        """Return the examples whose scores may be read after a block: in the last epoch those that
        come after it, else all.

        Those of the block itself may be among them.
        """
        if self._is_stretch:
            first = int(self.indices[0])
            if self._is_last:
                return [slice(first + high, first + len(self.indices))]
            return [slice(first + high, self._n), slice(0, first + low)]
        # An example that comes twice would be given the changes twice.
        if self._shows_each_once:
            return [self.indices[high:]]
        return [slice(0, self._n)]


class TrainingInBlocks(Training):
    """The state where the Gram matrix is too large: while a block is shown, only the scores of its
    examples are right.

    From `_start_scores` on the methods are those that `Training` asks of a subclass: here they
    change the coefficients of all examples, but the scores of the block alone.

    Of `Training` are `coef` and `scores`, `coef_of` (the same coefficients, faster to read one by
    one), `fixed` and `fixed_sizes` (f₀ on all examples, None without one, and what its terms add up
    to without their signs), `active` (what a learner that evicts still remembers), `largest` (of
    all |k|), `doubtful_below` (a score nearer to 0 may be a rounding error), `presentations` (what
    was shown), and `pause`, which is called now and then.

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
        # A learner with a capacity, or one that projects, remembers little: each block is scored
        # from that, and no other scores are kept.
        self._from_memory = learner.capacity is not None or learner.projects
        # The examples that may have a coefficient, as an ordered set; only filled for such a
        # learner.
        self._remembered: dict[int, None] = {}
        self._block: Examples = slice(0, 0)
        # The place in the block of each of its examples; `_block_places` fills it.
        self._places_in_block: dict[int, int] = {}
        # k of the block with the examples remembered when it began, (block, remembered), and the
        # column of each of these.
        self._remembered_columns = np.zeros((0, 0))
        self._column_of_remembered: dict[int, int] = {}
        # The Gram matrix of the block, once something changes.
        self._block_gram: FloatArray | None = None
        # What the block has changed, in order: an example and what was added to its coefficient,
        # or None and the factor by which all coefficients shrank.
        self._block_changes: list[tuple[int | None, float]] = []
        self._limit = limit
        super().__init__(learner, gram, y, seed, start)

    def blocks(self, epoch: Iterable[int]) -> Iterator[Iterable[int]]:
        """Yield the examples of an epoch in blocks, and let each change the scores of those that
        come later.
        """
        indices = np.asarray(epoch, dtype=np.intp)
        is_last = len(self.presentations.score) + len(indices) >= self._limit
        epoch_in_blocks = _EpochInBlocks(indices, len(self.y), is_last)
        for low in range(0, len(indices), BLOCK):
            high = min(low + BLOCK, len(indices))
            self._open(epoch_in_blocks.block(low, high))
            intercept = self.b
            if self.learner.update_margin is None:
                yield indices[low:high].tolist()
            else:
                yield self._not_passed_over(indices[low:high])
            has_changed = bool(self._block_changes) or self.b != intercept
            if has_changed and not self._from_memory:
                self._close(epoch_in_blocks.still_read(low, high), intercept)
            self.pause()

    def _not_passed_over(self, block: NDArray[np.intp]) -> Iterator[int]:
        """Yield the examples of a block whose margins are not clearly above all at which the
        learner turns.

        The others are noted as shown: they change nothing. A change moves the margins of those that
        come later, so that these are looked at again.
        """
        # Besides at 0 the rule turns at one or two margins. A margin near one of them may be on
        # its side only by rounding, which `score_of` mends.
        highest_turn = max(
            cast(float, self.learner.update_margin), self.learner.turning_margin(self.memory)
        )
        while len(block):
            scores = self.scores[block]
            clearly_above = highest_turn + self.doubtful_below + DOUBTFUL * highest_turn
            is_passed_over = self.y[block] * scores > clearly_above
            count = len(block) if is_passed_over.all() else int(is_passed_over.argmin())
            self.presentations.extend(block[:count], scores[:count])
            if count < len(block):
                yield int(block[count])
            block = block[count + 1 :]

    def read(self, examples: Sequence[int]) -> None:
        """Make the scores of some other examples right, from what is remembered."""
        others = [i for i in examples if i not in self._block_places()]
        if others:
            self._score(np.array(others, dtype=np.intp))

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
        self._places_in_block = {}
        self._block_gram = None
        self._block_changes = []
        if not self._from_memory:
            return
        support = self._support()
        self._column_of_remembered = {i: column for column, i in enumerate(support.tolist())}
        self._remembered_columns = np.zeros((len(self.y[block]), 0))  # Nothing is remembered.
        if len(support):
            self._remembered_columns = self.gram.values_for_scores(block, support)
        weights = self.coef[support]
        self.scores[block] = self._remembered_columns @ weights + self.b
        # The scores were added up again, so that earlier rounding errors are gone.
        self.doubtful_below = DOUBTFUL * (float(np.abs(weights).sum()) * self.largest + abs(self.b))
        if self.fixed is not None:
            self.scores[block] += self.fixed[block]
            self.doubtful_below += DOUBTFUL * float(self.fixed_sizes.max())

    def _close(self, still_read: Sequence[Examples], old_intercept: float) -> None:
        """Add what the block changed to other scores that may still be read.

        A score is f + f₀ + b. The block made factor·f + sums of f, and b of b_old; f₀ stays. So the
        score becomes factor·(score − f₀) + f₀ + sums + b − factor·b_old.
        """
        added: dict[int, float] = {}
        factor = 1.0
        # What was added shrinks by the factors after it, so the last change comes first.
        for i, number in reversed(self._block_changes):
            if i is None:
                factor *= number
            else:
                added[i] = added.get(i, 0.0) + number * factor
        examples_added_to = np.array(list(added), dtype=np.intp)
        weights = np.array(list(added.values()))
        lift = self.b - factor * old_intercept
        # The block's own scores are right already, and may be among those that are changed here.
        block_scores = self.scores[self._block].copy()
        for part, sums in chain.from_iterable(
            self.gram.sums(examples, examples_added_to, weights) for examples in still_read
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

    def _block_places(self) -> dict[int, int]:
        """Return the place of each example of the block."""
        if not self._places_in_block:
            block = self._block
            examples = (
                range(block.start, block.stop) if isinstance(block, slice) else block.tolist()
            )
            self._places_in_block = {i: place for place, i in enumerate(examples)}
        return self._places_in_block

    def _column(self, i: int) -> FloatArray:
        """Return k of the block's examples with example i."""
        place = self._block_places().get(i)
        if place is not None:
            if self._block_gram is None:
                self._block_gram = self.gram.within(self._block)
            return np.asarray(self._block_gram[place])
        column = self._column_of_remembered.get(i)
        if column is not None:
            return self._remembered_columns[:, column]
        return self.gram.values_for_scores(self._block, [i])[:, 0]

    def _start_scores(self) -> None:
        """Note what a resumed training remembers, and compute its scores where they are kept."""
        for i in np.flatnonzero(self.coef).tolist():
            self._remembered[i] = None
        if not self._from_memory:
            self._score(slice(0, len(self.y)))

    def _add_row(self, i: int, delta: float) -> None:
        """Add delta · k(x_i, ·) to the scores of the block."""
        self._block_changes.append((i, delta))
        if self._from_memory:
            self._remembered[i] = None
        self.scores[self._block] += delta * self._column(i)

    def _add_rows(self, indices: Sequence[int], deltas: Sequence[float]) -> None:
        """Add the sum of delta · k(x_i, ·) to the scores of the block."""
        for i, delta in zip(indices, deltas, strict=True):
            self._add_row(i, delta)

    def _lift(self, height: float) -> None:
        """Add the same number to the scores of the block."""
        self.scores[self._block] += height

    def _shrink(self, shrink: float) -> None:
        """Multiply the coefficients and what they give to the scores; b and f₀ do not shrink."""
        self._block_changes.append((None, shrink))
        if self._from_memory:
            remembered = list(self._remembered)
            self.coef[remembered] *= shrink
        else:
            self.coef *= shrink
        self.scores[self._block] *= shrink
        # The scores have b and f₀ in them, which have just shrunk, too.
        if self.b:
            self._lift(self.b - shrink * self.b)
        if self.fixed is not None:
            self.scores[self._block] += (1.0 - shrink) * self.fixed[self._block]

    def _terms(self, i: int) -> tuple[Any, FloatArray]:
        """Return the examples that f(x_i) is a sum over, and k of x_i with each."""
        support = self._support()
        k = self.gram.values([i], support)[0] if len(support) else np.zeros(0)
        return support, k
