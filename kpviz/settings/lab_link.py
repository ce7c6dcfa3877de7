"""What the lab adds to a link: its tab, and what is chosen on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import quote

TABS = {"valid": "Is it a kernel?", "build": "Build one", "space": "Feature space", "slips": "Slips in notes"}
CURRENT, FORMULA = "current", "formula"
PLACES = ("data", "five", "halved")
START = "dot(u, v)"
LONGEST = 300  # characters
MOST_FEATURES, MOST_POWER, LARGEST_CONSTANT = 1000, 20, 5.0


@dataclass(frozen=True)
class LabView:
    """What is chosen in the lab; the fields are the names in links.

    `of` is the function that is examined: the current kernel, one of the named ones or the formula `text`, "" for
    that of the current kernel; `on` the examples it is examined on. `features`, `power` and `constant` are n, q and c
    of the tables; `log` is the scale of the eigenvalues.
    """

    tab: str = "valid"
    of: str = CURRENT
    on: str = "data"
    text: str = ""
    features: int = 2
    power: int = 2
    constant: float = 1.0
    log: str = "off"

    def query(self) -> str:
        """Return what differs from the usual, as part of a link, "" for nothing."""
        changed = [(each.name, getattr(self, each.name)) for each in fields(self) if not self._is_default(each.name)]
        return "&".join(f"{name}={quote(_written(value), safe='~')}" for name, value in changed)

    def set(self, **changes: Any) -> LabView:
        """Return it with some values changed; those that are not allowed stay as they were."""
        return replace(self, **{name: value for name, value in changes.items() if _ALLOWED[name](value)})

    def _is_default(self, name: str) -> bool:
        return bool(getattr(self, name) == getattr(_USUAL, name))


def read(query: Mapping[str, str], known: tuple[str, ...]) -> tuple[LabView, str | None]:
    """Return the lab's part of a link, and one sentence about what could not be used; `known` are the named functions.

    Keys of the settings are left alone.
    """
    found, wrong = LabView(), []
    for name in NAMES & query.keys():
        value = _value(name, query[name])
        if value is None or not _ALLOWED[name](value) or (name == "of" and value not in (CURRENT, FORMULA, *known)):
            wrong.append(name)
        else:
            found = replace(found, **{name: value})
    if not wrong:
        return found, None
    return found, f"Parts of this link could not be used and were left out: {', '.join(sorted(wrong))}."


def _value(name: str, text: str) -> Any:
    """Return the value that a link gives, None if it is none of its kind."""
    kind = type(getattr(_USUAL, name))
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError:
        return None


def _written(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"


_USUAL = LabView()
NAMES = frozenset(each.name for each in fields(LabView))
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "tab": lambda value: value in TABS,
    "of": lambda value: isinstance(value, str) and len(value) <= 40,
    "on": lambda value: value in PLACES,
    "text": lambda value: isinstance(value, str) and len(value) <= LONGEST,
    "features": lambda value: 1 <= value <= MOST_FEATURES,
    "power": lambda value: 1 <= value <= MOST_POWER,
    "constant": lambda value: 0.0 <= value <= LARGEST_CONSTANT,
    "log": lambda value: value in ("off", "on"),
}
