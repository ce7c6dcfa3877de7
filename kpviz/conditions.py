"""When a property of the table has no meaning: each function returns why, in a few words, or None if it has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kpviz.engine import streams
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.objects.sources import OBJECTS

FILE = "file"
DRAWN = "drawn"
BOOLEAN = "bits"
HAND = "hand"  # an order

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


def no_objects(values: Values) -> str | None:
    """For texts, trees and graphs."""
    return None if is_object(values) else "only for texts, trees and graphs"


def not_compared(kernel: str, values: Values) -> str | None:
    """For kernels that compare such examples."""
    theirs, ours = KERNELS[kernel].compares, compared(values)
    return None if theirs == ours else f"compares {theirs}, and these data are {ours}"


def of_no_kernel(*kernels: str, which: str = "kernel") -> Condition:
    """For these kernels only; `which` is "kernel" or "kernel2"."""

    def unless(values: Values) -> str | None:
        if which == "kernel2" and values["combine"] == "none":
            return "there is no second kernel"
        return None if values[which] in kernels else f"the kernel is not {KERNELS[kernels[0]].name}"

    return unless


def only(*data: str) -> Condition:
    """For these data sets only."""
    return lambda values: None if values["data"] in data else f"only for {' and '.join(data)}"


def of_their_own(values: Values) -> str | None:
    """For what is drawn at random."""
    if values["data"] == FILE:
        return "a file keeps its own examples"
    return by_hand(values) or (None if has_plane(values) else "these examples are as they are")


def counted(values: Values) -> str | None:
    """For as many examples as one likes."""
    return by_hand(values) or (None if has_plane(values) else "all of these examples are shown")


def by_hand(values: Values) -> str | None:
    """For what is not drawn by hand."""
    return "points drawn by hand are as they are" if values["data"] == DRAWN else None


def no_stream(values: Values) -> str | None:
    """For what can be drawn without end."""
    measured = values["data"] not in streams.STREAMS
    return of_their_own(values) or ("measured examples are too few to come only once" if measured else None)


def once(values: Values) -> str | None:
    """For examples that come again."""
    return "in a stream each example arrives once" if is_stream(values) else None


def stays(values: Values) -> str | None:
    """For a target that may move."""
    if not is_stream(values):
        return "only the target of a stream may move"
    return "a ring looks the same however it is turned" if values["data"] in streams.ROUND else None


def without_drift(values: Values) -> str | None:
    """For a target that moves."""
    return stays(values) or (None if values["drift"] else "without drift the target stays")


def not_online(learner: str, values: Values) -> str | None:
    """For learners that look at one example after the other."""
    whole = LEARNERS[learner].chooses and is_stream(values)
    return "needs all examples at once, not a stream" if whole else None


def uncombined(values: Values) -> str | None:
    """For two kernels."""
    return "there is no second kernel" if values["combine"] == "none" else None


def always_normalized(values: Values) -> str | None:
    """For learners that take any kernel, or kernels that are normalized anyway."""
    learner = LEARNERS[values["learner"]]
    if not learner.needs_unit_diagonal:
        return None
    kernels = [values["kernel"]] if values["combine"] == "none" else [values["kernel"], values["kernel2"]]
    if values["combine"] != "sum" and all(KERNELS[name].at_most_1 for name in kernels):
        return None
    return f"{learner().about.title} needs k(x, x) ≤ 1, so this kernel is normalized"


def no_order(values: Values) -> str | None:
    """For learners that are shown their examples again, in an order that is not their own."""
    learner = LEARNERS[values["learner"]]
    return once(values) or (f"{learner().about.title} chooses itself who is shown" if learner.chooses else None)


def nothing_drawn(values: Values) -> str | None:
    """For orders that are drawn."""
    drawn = values["order"] in ("shuffled", "random")
    return no_order(values) or (None if drawn else "this order draws nothing")


def not_by_hand(values: Values) -> str | None:
    """For orders by hand."""
    return no_order(values) or (None if values["order"] == HAND else "the order is not by hand")


def no_share(values: Values) -> str | None:
    """For shares that are held out."""
    return once(values) or by_hand(values)
