"""What a property of the table is: one setting, what it may be, and how other values are repaired."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from kpviz.engine.checks import Range
from kpviz.engine.data.tables import shortened
from kpviz.settings.conditions import Condition, Values

Group = Literal["data", "question", "kernel", "learner", "order", "reading", "cues"]


@dataclass(frozen=True)
class Property:
    """One setting: its name in links, what it may be, and when it has a meaning.

    Exactly one of `choices`, `range` and `text` (its greatest length) describes the values. `group` is the part of the
    settings that it belongs to. `needs` is the condition under which it applies, see `kpviz.settings.conditions`;
    `refused` returns why one of its choices cannot be chosen, or None; `canonical` the one way to write a text, or
    None if it means nothing; a ValueError says why. `reports_error` says that a person writes the text, and reads what
    is wrong with it.
    """

    name: str
    label: str
    default: Any
    group: Group = "data"
    choices: tuple[str, ...] = ()
    range: Range | Callable[[Values], Range] | None = None
    text: int = 0
    needs: Condition = lambda values: None
    refused: Callable[[Any, Values], str | None] = lambda value, values: None
    reports_error: bool = False
    canonical: Callable[[str, Values], str | None] = lambda text, values: text

    def not_applicable(self, values: Values) -> str | None:
        """Return why the property has no meaning under these values of the properties before it, or None if it has."""
        return self.needs(values)

    @property
    def words_hidden(self) -> bool:
        """Whether the label says enough without the words of the range."""
        return self.name in ("n", "noise", "flipped", "balance", "held")

    def range_for(self, values: Values) -> Range:
        """Return the range under these values of the other properties."""
        if self.range is None:
            raise TypeError(f"{self.name} has no range")
        return self.range if isinstance(self.range, Range) else self.range(values)

    def default_for(self, values: Values) -> Any:
        """Return the default under these values of the other properties."""
        return self.default(values) if callable(self.default) else self.default

    def choices_for(self, values: Values) -> tuple[str, ...]:
        """Return the choices under these values of the other properties."""
        return tuple(choice for choice in self.choices if self.refused(choice, values) is None)

    def repair(self, value: Any, values: Values) -> tuple[Any, str | None]:
        """Return an allowed value, and what was wrong with the given one (None: nothing)."""
        if self.choices:
            allowed = isinstance(value, str) and value in self.choices
            problem = self.refused(value, values) if allowed else "is not one of its values"
            return (value, None) if problem is None else (self.default_for(values), problem)
        if self.text:
            text = "".join(ch for ch in str(value) if ch.isprintable())[: self.text]
            why = ""
            try:
                written = self.canonical(text, values)
            except ValueError as error:
                written, why = None, f": {error}".rstrip(".") if self.reports_error else ""
            if written is None:
                return self.default_for(values), f"cannot be read{why}"
            return written, None if text == value else "was shortened"
        limits = self.range_for(values)
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            return self.default_for(values), "is not a number"
        clamped = min(max(number, limits.low), limits.high)
        problem = "is not a whole number" if limits.integer and not number.is_integer() else None
        if clamped != number:
            problem = f"is outside {limits.low:g} to {limits.high:g}"
        return round(clamped) if limits.integer else float(f"{clamped:.6g}") + 0.0, problem  # + 0.0: no -0


def by_name(properties: Iterable[Property]) -> dict[str, Property]:
    """Return the properties by name; ValueError if two have the same one: a link could set only one of them."""
    found: dict[str, Property] = {}
    for prop in properties:
        if prop.name in found:
            raise ValueError(
                f"two settings are called {prop.name!r}: rename the parameter of the kernel, or give that of the "
                "learner another name in LINK_NAMES."
            )
        found[prop.name] = prop
    return found


NAMELESS = "a value without a name"  # of a link with "&=" in it


def shown(value: Any) -> str:
    r"""Return the beginning of something that a stranger wrote, on one line.

    >>> shown("as wide as it is long\n")
    'as wide as it is long'
    """
    return shortened(str(value), 24)
