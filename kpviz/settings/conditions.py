"""What a property of the table needs to have a meaning.

A condition returns why it is not met, or None if it is.

Tests: tests/test_drawn_settings.py, tests/test_settings.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kpviz.engine.data import streams
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import is_at_most_1, tested
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.train import MISTAKE_ORDERS

FILE = "file"
DRAWN = "drawn"
BOOLEAN = "bits"
HAND = "hand"  # The order by hand.
AUTO = "auto"  # What the numbers of a file say, or its bytes.

Values = Mapping[str, Any]
Condition = Callable[[Values], str | None]


def is_stream(values: Values) -> bool:
    """Whether examples arrive once."""
    return bool(values["stream"] == "on")


def is_object(values: Values) -> bool:
    """Whether examples are texts, trees or graphs."""
    return values["data"] in OBJECTS and values["data"] != BOOLEAN


def has_plane(values: Values) -> bool:
    """Whether examples are points of a plane."""
    return not is_object(values) and values["data"] != BOOLEAN


def compared(values: Values) -> str:
    """Return what a kernel must compare, as `Kernel.compares` says it."""
    return OBJECTS[values["data"]].kind if is_object(values) else "vectors"


def needs_normalizing(values: Values) -> bool:
    """Whether the learner needs k(x, x) ≤ 1, and the kernel may exceed it."""
    if not LEARNERS[values["learner"]].needs_unit_diagonal:
        return False
    if values["kernel"] == "formula":
        return not is_at_most_1(tested(values["formula"]).tree)
    return not KERNELS[values["kernel"]].at_most_1


def normalized_by_default(values: Values) -> bool:
    """Whether a kernel is normalized unless somebody wishes otherwise.

    A formula is, even if it need not be.
    """
    of_formula = values["kernel"] == "formula" and LEARNERS[values["learner"]].needs_unit_diagonal
    return of_formula or values["kernel"] == "words" or needs_normalizing(values)


def objects(values: Values) -> str | None:
    """Texts, trees or graphs."""
    return None if is_object(values) else "only for texts, trees and graphs"


def data(*names: str) -> Condition:
    """One of these data sets."""
    return lambda values: (
        None if values["data"] in names else f"only for {' and '.join(names).replace('_', ' ')}"
    )


def kernel(name: str) -> Condition:
    """One kernel alone."""
    return lambda values: (
        None if values["kernel"] == name else f"the kernel is not {KERNELS[name].name}"
    )


def choice_of_norm(values: Values) -> str | None:
    """A learner that takes any kernel, or a kernel whose k(x, x) is at most 1 anyway."""
    if not needs_normalizing(values):
        return None
    return (
        f"{LEARNERS[values['learner']]().about.title} needs k(x, x) ≤ 1, so this kernel is "
        "normalized"
    )


def seed(values: Values) -> str | None:
    """Examples on which a seed decides."""
    return "points drawn by hand are as they are" if values["data"] == DRAWN else None


def random_examples(values: Values) -> str | None:
    """Examples drawn at random."""
    if values["data"] == FILE:
        return "a file keeps its own examples"
    return seed(values) or (None if has_plane(values) else "these examples are as they are")


def any_number(values: Values) -> str | None:
    """As many examples as one likes."""
    return seed(values) or (None if has_plane(values) else "all of these examples are shown")


def unlimited_examples(values: Values) -> str | None:
    """Examples that can be drawn without end."""
    measured = values["data"] not in streams.STREAMS
    return random_examples(values) or (
        "measured examples are too few to come only once" if measured else None
    )


def several_passes(values: Values) -> str | None:
    """Examples that come again."""
    return "in a stream each example arrives once" if is_stream(values) else None


def held_out(values: Values) -> str | None:
    """Examples of which a share can be held out."""
    return several_passes(values) or seed(values)


def movable_target(values: Values) -> str | None:
    """A target that can move."""
    if not is_stream(values):
        return "only the target of a stream may move"
    return "a ring looks the same however it is turned" if values["data"] in streams.ROUND else None


def drift(values: Values) -> str | None:
    """A target that moves."""
    return movable_target(values) or (None if values["drift"] else "without drift the target stays")


def order(values: Values) -> str | None:
    """A learner to which examples are shown again, in an order that is not its own."""
    learner = LEARNERS[values["learner"]]
    chooses = learner.chooses
    return several_passes(values) or (
        f"{learner().about.title} itself chooses which examples are shown" if chooses else None
    )


def several_readings(values: Values) -> str | None:
    """A learner that shows all examples alike, so that mean and vote mean something."""
    learner = LEARNERS[values["learner"]]
    return f"{learner().about.title} is read by its last f alone" if learner.chooses else None


def fixed_part(values: Values) -> str | None:
    """A learner to whose scores a fixed f₀ may be added."""
    learner = LEARNERS[values["learner"]]
    return (
        None
        if learner.takes_initial
        else f"{learner().about.title} learns all of f itself, from zero"
    )


def starting_weights(values: Values) -> str | None:
    """The same, and examples with features."""
    return fixed_part(values) or (
        f"{compared(values)} have no features" if is_object(values) else None
    )


def features(values: Values) -> int:
    """Return how many features examples have, of those that have some."""
    return int(values["bits"]) if values["data"] == BOOLEAN else 2


def drawn_order(values: Values) -> str | None:
    """An order that is drawn at random."""
    drawn = values["order"] in ("shuffled", "random", "random-mistake")
    return order(values) or (None if drawn else "this order is not drawn at random")


def order_by_hand(values: Values) -> str | None:
    """An order by hand."""
    return order(values) or (None if values["order"] == HAND else "the order is not by hand")


def not_of_mistakes(order: str, values: Values) -> str | None:
    """Return why an order cannot be chosen.

    The learner acts at every presentation, not on mistakes alone.
    """
    learner = LEARNERS[values["learner"]]
    if order not in MISTAKE_ORDERS or learner.takes_mistake_orders:
        return None
    return f"shows mistakes alone, and {learner().about.title} acts at every presentation"


def not_compared(kernel: str, values: Values) -> str | None:
    """Return why a kernel cannot be chosen: it compares other examples."""
    theirs = KERNELS[kernel].compares
    ours = compared(values)
    return None if theirs == ours else f"compares {theirs}, and these data are {ours}"


def not_online(learner: str, values: Values) -> str | None:
    """Return why a learner cannot be chosen: it does not look at one example after the other."""
    whole = LEARNERS[learner].chooses and is_stream(values)
    return "needs all examples at once, not a stream" if whole else None
