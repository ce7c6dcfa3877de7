"""Learners that do not extend `Learner`: objects with `start` and `change`, and any other members of it."""

from __future__ import annotations

from typing import Any

from kpviz.engine.learners import rule as rules
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.learners.rule import Rule


def as_learner(learner: object) -> Learner:
    """Return the learner, with the defaults of `Learner` for what it does not have; ValueError if it is not one."""
    if isinstance(learner, Learner):
        return learner
    if isinstance(learner, type) or not all(callable(getattr(learner, name, None)) for name in ("start", "change")):
        raise ValueError(f"learner={learner!r} is not a learner: it must be an object such as Perceptron().")
    return _Adapter(learner)


class _Adapter(Learner):
    """Has the attributes of another object, and those of `Learner` that the object lacks."""

    def __init__(self, adapted: object) -> None:
        self.adapted = adapted

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__
        adapted = None if name.startswith("__") else own(self, "__dict__").get("adapted")
        return getattr(adapted, name) if hasattr(adapted, name) else own(self, name)

    @property
    def name(self) -> str:
        return type(self.adapted).__name__

    @property
    def update_margin(self) -> float | None:
        """The margin by its former name, if there is one."""
        return getattr(self.adapted, "quiet_above", None)

    @property
    def chooses(self) -> bool:  # type: ignore[override]
        """Whether there is a method `choose`."""
        return hasattr(self.adapted, "choose")

    def rule(self, *, wide: bool) -> Rule:
        """Return the rule of any learner."""
        return rules.of_any(self, self.adapted, judges=hasattr(self.adapted, "mistakes"), wide=wide)
