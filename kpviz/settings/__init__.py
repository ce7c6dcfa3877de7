"""Settings: a value for every property, and the links that hold them.

Tests: tests/test_settings.py, tests/test_links.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar
from urllib.parse import quote, unquote_plus

from kpviz.formats import FORMATS, is_newer, newer_sentence
from kpviz.settings.combined_kernels import as_one_kernel
from kpviz.settings.conditions import AUTO, Values, is_stream
from kpviz.settings.properties import (
    BOOLEAN,
    BY_NAME,
    DRAWN,
    FILE,
    HAND,
    LEARNER_PROPERTIES,
    LINK_NAMES,
    MAX_POINTS,
    NAMELESS,
    NOT_LOST,
    PROPERTIES,
    Property,
    beginning,
    did_you_mean,
    learner_settings,
    learner_values,
    names_of,
)

VERSION = FORMATS["link"]
MOST_IN_LINKS = 200  # A link holds so many drawn points; more go into a file.
# A sentence names so many parts of a link that cannot be used; of the others it says how many.
_NAMED = 3
_LONGEST_SAID = 24  # In characters: no longer value is named in place of a wrong one.
ELSEWHERE = "~"  # The name of drawn points that are too many for a link begins with it.
# A file's names may need 5,000, a thousand drawn points 4,200, cues 12,000.
_LONGEST_QUERY = 25_000

__all__ = [
    "AUTO",
    "BOOLEAN",
    "BY_NAME",
    "DRAWN",
    "ELSEWHERE",
    "FILE",
    "HAND",
    "LEARNER_PROPERTIES",
    "LINK_NAMES",
    "MAX_POINTS",
    "MOST_IN_LINKS",
    "NOT_LOST",
    "PROPERTIES",
    "VERSION",
    "VIEW_KEYS",
    "Property",
    "Settings",
    "from_query",
    "learner_settings",
    "learner_values",
    "names_of",
    "read",
    "written",
]


@dataclass(frozen=True)
class Settings:
    """A value for every property that is `known`; hashable, and equal exactly when the links are.

    >>> Settings.of(kernel="gaussian", sigma=0.25).query()
    'v=1&sigma=0.25'
    """

    known: ClassVar[Mapping[str, Property]] = BY_NAME
    items: tuple[tuple[str, Any], ...] = ()
    values: dict[str, Any] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", dict(self.items))

    @classmethod
    def of(cls, **pairs: Any) -> Self:
        """Return settings with these values, repaired if need be, and defaults elsewhere."""
        return cls.repaired(pairs)[0]

    @classmethod
    def repaired(cls, pairs: Values) -> tuple[Self, list[str]]:
        """Return settings from any values, and what had to be repaired, one phrase each."""
        values: dict[str, Any] = {}
        unknown = [name for name in pairs if name not in cls.known]
        problems = [
            f"{beginning(name) or NAMELESS} is not a "
            f"setting{did_you_mean(name, cls.known) if place < _NAMED else ''}"
            for place, name in enumerate(unknown)
        ]
        for prop in cls.known.values():
            values[prop.name] = prop.default_for(values)
            if prop.name not in pairs:
                continue
            reason = prop.not_applicable(values)
            if reason is not None and prop.name in NOT_LOST and not is_stream(values):
                problems.append(
                    f"{prop.name}={beginning(pairs[prop.name])} does not apply, because {reason}"
                )
            elif reason is None:
                values[prop.name], problem = prop.repair(pairs[prop.name], values)
                if problem:
                    problems.append(f"{prop.name}={beginning(pairs[prop.name])} {problem}")
                    # Nothing is left of such data.
                    if prop.name == "points" and not values["points"]:
                        others = {
                            name: value
                            for name, value in pairs.items()
                            if name not in ("data", "points")
                        }
                        return cls.of(**others), problems
        if values["x"] == values["y"]:
            if "y" in pairs:
                problems.append(f"y={beginning(pairs['y'])} is the first feature too")
            values["y"] = 1 if values["x"] == 0 else 0
        return cls(tuple(values.items())), problems

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(f"there is no setting {name!r}") from None

    def replace(self, **changes: Any) -> Self:
        """Return settings with some values changed.

        What was the default becomes the new default.
        """
        chosen = {name: self.values[name] for name in self._chosen}
        if changes.get("data", self.data) != self.data:  # A text is no tree.
            chosen = {name: value for name, value in chosen.items() if name not in ("added", "ask")}
        return self.of(**{**chosen, **changes})

    def is_default(self, name: str) -> bool:
        """Whether a property has its default, or does not apply."""
        return self._reasons[name] is not None or self.values[name] == self.known[name].default_for(
            self.values
        )

    def reason_against(self, name: str) -> str | None:
        """Return why a property does not apply, or None if it does."""
        return self._reasons[name]

    def with_value_used(self, problem: str) -> str:
        """Return what was wrong with a value of a link, and which value these settings have in its
        place, where it is short and applies.

        >>> Settings.of(sigma=0.02).with_value_used("sigma=-3 is outside 0.02 to 10")
        'sigma=-3 is outside 0.02 to 10, so 0.02 is used'
        """
        name = problem.partition("=")[0]
        if name not in self.known or self.reason_against(name) is not None:
            return problem
        text = written(self.values[name])
        return f"{problem}, so {text} is used" if 0 < len(text) <= _LONGEST_SAID else problem

    def query(self) -> str:
        """Return the canonical query: the version, and what differs from the defaults."""
        return self._query

    def link(self) -> str:
        """Return the query for a link.

        The canonical one, but many drawn points are only named, as by `stored_name`.
        """
        name = self.stored_name
        return self.query() if name is None else self._query_of({**self.values, "points": name})

    @property
    def without_cues(self) -> Self:
        """What decides on the run: what a lecturer says about it changes nothing."""
        return self.replace(cues="") if self.cues else self

    @property
    def with_default_kernel(self) -> Settings:
        """The same with the kernel that is usual for the data."""
        of_kernel = names_of("kernel")
        chosen = {
            name: value
            for name, value in self.items
            if name not in of_kernel and name in self._chosen
        }
        return Settings.of(**chosen)

    @property
    def stored_name(self) -> str | None:
        """What a link calls drawn points that are too many for it, None if it can hold them."""
        if len(self.points.partition(".")[0]) <= 4 * MOST_IN_LINKS:
            return None
        return ELSEWHERE + hashlib.sha256(self.points.encode()).hexdigest()[:12]

    @cached_property
    def _reasons(self) -> dict[str, str | None]:
        return {name: prop.not_applicable(self.values) for name, prop in self.known.items()}

    @cached_property
    def _chosen(self) -> tuple[str, ...]:
        return tuple(name for name in self.known if not self.is_default(name))

    @cached_property
    def _query(self) -> str:
        return self._query_of(self.values)

    def _query_of(self, values: Values) -> str:
        parts = []
        for name in self._chosen:
            text = quote(written(values[name]), safe=self.known[name].safe)
            parts.append(f"{name}={text}")
        return "&".join([f"v={VERSION}", *parts])


def written(value: Any) -> str:
    """Return a value as links have it."""
    return value if isinstance(value, str) else f"{value:g}"


_Kind = TypeVar("_Kind", bound=Settings)


def from_query(query: str | Mapping[str, str | Iterable[str]]) -> tuple[Settings, str | None]:
    """Read a link's query.

    Returns the settings, and one sentence about the parts that could not be used (None: all could).
    Keys of the player (`t`, `show`) are left alone.
    """
    if isinstance(query, str):
        parts = (
            part.partition("=") for part in query[:_LONGEST_QUERY].lstrip("?").split("&") if part
        )
        pairs = {unquote_plus(key): unquote_plus(value) for key, _, value in parts}
    else:  # The last of several values counts.
        pairs = {
            key: value if isinstance(value, str) else [*value, ""][-2 if value else -1]
            for key, value in query.items()
        }
    for key in VIEW_KEYS:
        pairs.pop(key, None)
    return read(Settings, *as_one_kernel(pairs))


def read(
    kind: type[_Kind], pairs: Mapping[str, str], problems: Iterable[str] = ()
) -> tuple[_Kind, str | None]:
    """Return the settings of a link's pairs, and a sentence about all problems."""
    pairs = dict(pairs)
    version = pairs.pop("v", str(VERSION))
    settings, repaired = kind.repaired(pairs)
    problems = [*map(settings.with_value_used, repaired), *problems]
    sentences = []
    if is_newer("link", version):
        sentences.append(newer_sentence("link"))
    elif version != str(VERSION):
        problems.insert(0, f"v={beginning(version)} is not a version that this kpviz knows")
    if problems:
        count = len(problems) - _NAMED
        named = "; ".join(problems[:_NAMED]) + (f"; and {count} more" if count > 0 else "")
        sentences.append(f"Parts of this link could not be used as they are: {named}.")
    return settings, " ".join(sentences) or None


VIEW_KEYS = ("t", "show", "stage", "turn", "over")
