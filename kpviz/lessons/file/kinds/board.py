"""Tasks that are answered by what is on the board.

Reach by its settings, draw by its points or their order.

Tests: tests/lessons/test_tasks.py.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any, ClassVar, Self

import numpy as np

from kpviz import experiment
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons.explain import MINUS, counted
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.question import (
    Answer,
    Block,
    CheckResult,
    Question,
    Solution,
    UnreadableAnswerError,
    numeral,
)
from kpviz.lessons.file.links import PLAY, Case, Link
from kpviz.lessons.file.names import called
from kpviz.lessons.file.words import Tree
from kpviz.settings import BY_NAME, DRAWN, PROPERTIES, Settings, names_of

POINTS = {  # These are counted of drawn points.
    "points": "points in all",
    "added": "points that were added or moved",
    "removed": "points that were removed or moved",
}
_UNSAID = ("cues", "points", "sequence", "oseed")  # No words can hold these settings.
NEVER = Condition.read("1 < 0")
_DRAWN = ("bound", "radius", "best_margin")  # While one draws, the map shows R and γ.
_NEAR = 1.5  # In steps of the grid: so far a point may move where the grid changes.
_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)"
_ITEM = re.compile(rf"([A-Za-z_]\w{{0,30}})(?: +(?:{_NUMBER} +to +{_NUMBER}|(.+)))?")


@dataclass(frozen=True)
class Limit:
    """A setting, or a count of `POINTS`, and what it may be: from `low` to `high`, one of
    `choices`, or anything.
    """

    name: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Whether it may be so."""
        if self.choices:
            return str(value) in self.choices
        if self.low is None or self.high is None:
            return True
        return isinstance(value, (int, float)) and self.low <= value <= self.high

    @property
    def plain(self) -> dict[str, Any]:
        """Plain data for the page, with the label by which tasks have always been told apart."""
        label = self.called
        return {**asdict(self), "label": f"{label} ({self.name})" if len(label) == 1 else label}

    @property
    def called(self) -> str:
        """What the page calls it."""
        return POINTS.get(self.name) or called(self.name)

    @property
    def allowed(self) -> str:
        """What it may be."""
        if self.choices:
            return " or ".join(self.choices)
        return (
            "anything"
            if self.low is None or self.high is None
            else f"{_value_words(self.low)} to {_value_words(self.high)}"
        )


def answered_link(answer: Answer) -> Link:
    """Return the link in an answer, or raise UnreadableAnswerError."""
    text = answer.get("link")
    if not isinstance(text, str):
        raise UnreadableAnswerError("The answer is a link.")
    try:
        return Link.read(text.strip())
    except ValueError as error:
        raise UnreadableAnswerError(str(error)) from None


def read_limits(text: str, *, points: bool = False) -> tuple[Limit, ...]:
    """Return limits; `points`: those of drawn points may be among them.

    Raises
    ------
    ValueError
        One sentence: what cannot be read.

    >>> limits = read_limits("sigma 0.1 to 3, kernel gaussian or linear")
    >>> [f"{limit.called}: {limit.allowed}" for limit in limits]
    ['σ: 0.1 to 3', 'Kernel: gaussian or linear']
    """
    limits = [_limit(item.strip(), points=points) for item in text.split(",")]
    if len({limit.name for limit in limits}) < len(limits):
        raise ValueError("A name stands twice: give each setting one limit.")
    return tuple(limits)


def _limit(item: str, *, points: bool) -> Limit:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise ValueError(
            f"{item[:40]!r} cannot be read: write as in sigma 0.1 to 3, kernel gaussian or linear."
        )
    name, low, high, words = match.groups()
    known = (*(prop.name for prop in PROPERTIES), *(POINTS if points else ()))
    if name not in known:
        near = get_close_matches(name, known, 2)
        raise ValueError(
            f"{name!r} is not a setting" + (f": did you mean {' or '.join(near)}?" if near else ".")
        )
    chosen = () if words is None else tuple(part.strip() for part in re.split(r" or ", words))
    choices = BY_NAME[name].choices if name in BY_NAME else ()
    wrong = [choice for choice in chosen if choice not in choices]
    if chosen and wrong:
        advice = f"give one of {', '.join(choices)}" if choices else f"write {name} 1 to 2"
        raise ValueError(f"{name} cannot be {wrong[0][:24]!r}: {advice}.")
    if low is None:
        return Limit(name, choices=chosen)
    if choices:
        raise ValueError(
            f"{name} is one of several names: write as in {name} {choices[0]} or {choices[-1]}."
        )
    if float(low) > float(high):
        raise ValueError(f"{name} cannot go from {low} to {high}: write the smaller number first.")
    return Limit(name, float(low), float(high))


def broken(
    limits: tuple[Limit, ...], start: Settings, end: Settings, free: tuple[str, ...]
) -> str | None:
    """Return what of settings goes beyond the limits, in one sentence; None: nothing does.

    `free` may be anything.
    """
    allowed = {limit.name: limit for limit in limits}
    follows = ("oseed", "sequence") if "order" in allowed else ()
    for prop in PROPERTIES:
        name = prop.name
        if name in ("cues", *free, *follows) or end.reason_against(name) is not None:
            continue
        limit = allowed.get(name)
        if limit is None:
            if _changed(name, start, end):
                may = _may(tuple(limit for limit in limits if limit.name not in POINTS))
                return f"This may not be changed here: {called(name)}. {may}".rstrip()
        elif not limit.allows(end.values[name]):
            value = _value_words(end.values[name])
            return f"{limit.called} {value} is not allowed here. What is: {limit.allowed}."
    return None


def _changed(name: str, start: Settings, end: Settings) -> bool:
    """Whether a setting that applies was changed, and not only follows from another that was."""
    if start.reason_against(name) is not None:
        return not end.is_default(name)
    if start.is_default(name) and end.is_default(name):
        return False
    return bool(start.values[name] != end.values[name])


def _value_words(value: object) -> str:
    return f"{value:g}".replace("-", MINUS) if isinstance(value, (int, float)) else str(value)[:24]


def changed_settings(before: Settings, after: Settings) -> str:
    """Return in words what settings have that others have not, points and cues apart.

    >>> from kpviz.settings import from_query
    >>> settings, _ = from_query("v=1&data=xor&n=20&kernel=polynomial&degree=3")
    >>> changed_settings(Settings.of(), settings)
    'Points = 20, Kernel = polynomial, q = 3'
    """
    unsaid = (
        *_UNSAID,
        *(["data"] if after.data == DRAWN else []),
        *(["order"] if after.values["order"] == "hand" else []),
    )
    changes = []
    for prop in PROPERTIES:
        name = prop.name
        if (
            name in unsaid
            or after.reason_against(name) is not None
            or not _changed(name, before, after)
        ):
            continue
        changes.append(f"{called(name)} = {_value_words(after.values[name])}")
    return ", ".join(changes)


@dataclass(frozen=True)
class Reach(Question):
    """Settings `within` limits of which `until` holds at the end of the run.

    `solution` is one of them.
    """

    keys: ClassVar[tuple[str, ...]] = ("within", "until", "solution")
    secret: ClassVar[tuple[str, ...]] = ("solution",)
    samples: ClassVar[tuple[str, str]] = (
        "within: sigma 0.1 to 3",
        "until: converged and mistakes <= 10",
    )
    points: ClassVar[bool] = False  # It says if limits may be on drawn points.
    within: tuple[Limit, ...] = ()
    until: Condition = NEVER
    solution: Link | None = None

    @classmethod
    def read(cls, block: Block) -> Self:
        text = block.text("within", needed=cls.samples[0])
        within: tuple[Limit, ...] = ()
        try:
            within = read_limits(text, points=cls.points) if text else ()
        except ValueError as error:
            block.fault(block.line_of("within"), f"within cannot be read. {error}")
        until = block.condition("until", needed=cls.samples[1])
        solution = block.link(
            "solution", needed="" if block.is_for_students else "solution: v=1&data=xor&sigma=0.5"
        )
        return cls(within, until or NEVER, solution)

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        try:
            case = self.board(start, answered_link(answer))
            holds = self.until.holds(case)
        except UnreadableAnswerError:
            raise
        except ValueError as error:  # It is one of the kernel, the learner or the data, too.
            return CheckResult(False, " ".join(str(error).split()))
        goals = self.until.clauses(case)
        detail = {"values": self.until.values(case), "goals": goals}
        if holds:
            values_shown = self.until.described(case)
            return CheckResult(
                True, f"It holds{f': {values_shown}' if values_shown else ''}.", detail
            )
        parts = [f"{'✓' if is_so else '✗'} {words}." for is_so, words in goals]
        return CheckResult(False, "\n".join(["Not yet.", *parts]), detail)

    def board(self, start: Link, link: Link) -> Case:
        """Return the run of an answer at its end; ValueError, of one sentence, where the board may
        not be so.
        """
        if link.page != PLAY:
            raise ValueError("The answer is a link of the player.")
        problem = link.problems[0] if link.problems else self.broken(start.settings, link.settings)
        if problem is not None:
            raise ValueError(problem)
        return replace(Case.of(link).end, started=start)

    def is_met_at(self, start: Link) -> bool:
        """Whether there is nothing left to do at the start."""
        try:
            return self.until.holds(replace(Case.of(start).end, started=start))
        except ValueError:
            return False

    def solve(self, start: Link) -> Solution:
        if self.solution is None:
            raise ValueError("This copy of the lesson has no solutions.")
        link = self.solution
        seed = start.pairs.get("seed", "")
        if seed.isdigit() and "seed" not in link.pairs:
            link = link.with_seed(int(seed))  # They are the data of the start.
        return Solution({"link": link.query}, (link.address,))

    def revealed(self, start: Link) -> tuple[Tree, ...]:
        if self.solution is None:
            return ()
        query = self.solve(start).lines[0].removeprefix("/")
        return (({"kind": "link", "href": query, "children": ["a solution"]},),)

    @property
    def plain(self) -> dict[str, Any]:
        names = {part.quantity.name for part in self.until.parts}
        draws = {"draws": True} if names & set(_DRAWN) else {}
        return {"within": [limit.plain for limit in self.within], **draws}

    def allowed_changes(self, start: Link) -> str:
        """Say what one may change."""
        return _may(self.within)

    def broken(self, before: Settings, after: Settings) -> str | None:
        """Return which limit is not kept, in one sentence; None: all are."""
        return broken(self.within, before, after, ())

    def added(self, before: Settings, after: Settings) -> str:
        """Return in words the points that are drawn, "" where there are none."""
        if after.data != DRAWN:
            return ""
        old = points_of(before) if before.data == DRAWN else None
        new = points_of(after)
        there = (
            set()
            if old is None
            else {(*point, label) for point, label in zip(old.X.tolist(), old.y, strict=True)}
        )
        points = [
            (x1, x2, "orange" if y > 0 else "blue")
            for (x1, x2), y in zip(new.X.tolist(), new.y.tolist(), strict=True)
            if (x1, x2, y) not in there
        ]
        return ", ".join(
            f"{colour} at ({_value_words(round(x1, 3))}, {_value_words(round(x2, 3))})"
            for x1, x2, colour in points
        )


@dataclass(frozen=True)
class Draw(Reach):
    """Points of which `until` holds at the end of the run.

    `within` limits them, and names settings that may change.

    Without limits of points all may be drawn anew, unless it is the order that may change.
    """

    samples: ClassVar[tuple[str, str]] = ("", "until: cycles")
    points: ClassVar[bool] = True

    def broken(self, before: Settings, after: Settings) -> str | None:
        counts = [limit for limit in self.within if limit.name in POINTS]
        may_draw = bool(counts) or not any(limit.name == "order" for limit in self.within)
        drawn = after.data == DRAWN and (before.data != DRAWN or before.points != after.points)
        if drawn and not may_draw:
            return "The points stay as they are here."
        # A limit of their number is not about these.
        free = names_of("data") if drawn else ("points",)
        problem = broken(self.within, before, after, free)
        if problem is not None or not counts:
            return problem
        points_counted = _counted(before, after)
        for limit in counts:
            if not limit.allows(points_counted[limit.name]):
                points_words = counted(points_counted[limit.name], "point")
                return (
                    f"{_COUNTED[limit.name].format(points_words)}: {_many(limit)} "
                    f"{_BE[limit.name]}."
                )
        return None

    def allowed_changes(self, start: Link) -> str:
        counts = {limit.name: limit for limit in self.within if limit.name in POINTS}
        others = _may(tuple(limit for limit in self.within if limit.name not in POINTS))
        if not counts:
            return (
                others
                if others.endswith("order.")
                else " ".join(filter(None, ["Draw any points.", others]))
            )
        phrases = []
        drawn = counts.get("points")
        if drawn is not None:
            there = len(points_of(start.settings).y) if start.settings.data == DRAWN else 0
            verb = "Keep" if there and drawn.allows(there) else "Draw"
            phrases.append(f"{verb} {_many(drawn)} {'point' if drawn.high == 1 else 'points'}.")
        added = counts.get("added")
        removed = counts.get("removed")
        if added is not None:
            many = "one point" if added.high == 1 else f"{_many(added)} points"
            phrases.append(f"You may add {many}.")
        if removed is not None:
            there = len(points_of(start.settings).y)
            left = f"the {numeral(there)} others" if there > 1 else "the other"
            what = (
                f"Leave {left} alone."
                if removed.high == 0
                else f"You may remove or move {_many(removed)} of them."
            )
            phrases.append(what)
        return " ".join(filter(None, [*phrases, others]))


_COUNTED = {
    "points": "There are {0} in all",
    "added": "You added or moved {0}",
    "removed": "You removed or moved {0}",
}
_BE = {"points": "are wanted", "added": "may be", "removed": "may be"}


def _many(limit: Limit) -> str:
    low = int(limit.low or 0)
    high = int(limit.high or 0)
    first, last = (numeral(limit_number) for limit_number in (low, high))
    if low == high:
        return "none" if not low else f"exactly {first}"
    return f"{first} to {last}" if low else f"at most {last}"


def _may(within: tuple[Limit, ...]) -> str:
    """Say which settings one may change, and to what.

    >>> _may(read_limits("sigma 0.1 to 3, kernel gaussian or linear, order"))
    'You may change: σ, from 0.1 to 3; the kernel, gaussian or linear; the order.'
    """
    named = []
    for limit in within:
        name = (
            limit.called
            if len(limit.called) == 1
            else f"the {limit.called[0].lower()}{limit.called[1:]}"
        )
        from_ = ", " if limit.choices else ", from "
        named.append(name if limit.allowed == "anything" else f"{name}{from_}{limit.allowed}")
    return f"You may change: {'; '.join(named)}." if named else ""


def _counted(before: Settings, after: Settings) -> dict[str, int]:
    """Return how many points there are, and how many came and went."""
    old = points_of(before)
    new = points_of(after)
    free = np.ones(len(new.y), dtype=bool)
    n_kept = 0
    step = np.array(
        [max(one.step, other.step) for one, other in zip(old.axes, new.axes, strict=True)]
    )
    X: FloatArray = new.X
    for point, label in zip(old.X, old.y, strict=True):
        same = free & (new.y == label) & (np.abs(X - point) <= _NEAR * step).all(axis=1)
        if same.any():
            free[int(same.argmax())] = False
            n_kept += 1
    return {"points": len(new.y), "added": len(new.y) - n_kept, "removed": len(old.y) - n_kept}


def points_of(settings: Settings) -> Drawn:
    """Return the points of the plane that settings have; ValueError where they have none."""
    split = experiment.prepare(settings)
    if split.X.ndim != 2 or split.X.shape[1] != 2:
        raise ValueError("Points are drawn in a plane, and these data have none.")
    return experiment.drawn(settings, split)
