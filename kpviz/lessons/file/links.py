"""Links in lessons, and the run of a link at an instant, which a task is about.

Tests: tests/lessons/test_conditions.py, tests/lessons/test_format.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from urllib.parse import parse_qsl

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment, panels
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import cycling, predictors
from kpviz.engine.run.run import Run, State
from kpviz.engine.theory import separability
from kpviz.experiment import Split
from kpviz.lessons import comparison, presets, verdict
from kpviz.lessons.comparison import Pin
from kpviz.lessons.explain import COLOURS, class_words
from kpviz.settings import DRAWN, ELSEWHERE, FILE, Settings, fisher_link, from_query
from kpviz.settings.conditions import has_plane
from kpviz.settings.view import ViewState, on_kernels, read_view

PLAY = "play"
KERNELS = "lab"  # The board with panels about the kernel.
FISHER = "fisher"
LINE = "line"  # The key of a line that is drawn across the map.
LONGEST = 25_000  # In characters.
_ADDRESS = re.compile(r"(?:https?://[^/?#\s]+)?(?:/?(?:[\w.-]+/)*(play|lab|fisher)?/?)\?(\S*)")
_QUERY = re.compile(r"[\w.]+=\S*")
_HEIGHT = r"-?[0-9]{1,4}(?:\.[0-9]{1,6})?"
_HEIGHTS = re.compile(rf"{_HEIGHT}(?:_{_HEIGHT}){{1,49}}")
_WRITE = (
    "write what follows the question mark of a link from the app, as v=1&data=xor, or its "
    "whole address"
)
SECONDS = 20.0  # A run may take so long, and what is asked about it.


@dataclass(frozen=True)
class Link:
    """A page and the query of a link to it, without the question mark; "" leaves what is open.

    >>> Link.read("http://localhost:8501/fisher?v=1&data=moons")
    Link(page='fisher', query='v=1&data=moons')
    """

    page: str = PLAY
    query: str = ""
    line: int = field(default=1, compare=False, repr=False)

    @classmethod
    def read(cls, text: str, line: int = 1) -> Link:
        """Read what an author wrote; ValueError, of one sentence, if it is not a link of kpviz."""
        if len(text) > LONGEST:
            raise ValueError(
                f"The link has {len(text):,} characters: links have at most {LONGEST:,}."
            )
        match = _ADDRESS.fullmatch(text)
        if match:
            if match[1] == KERNELS:
                return cls(PLAY, on_kernels(match[2]), line)
            return cls(match[1] or PLAY, match[2], line)
        if _QUERY.fullmatch(text):
            return cls(PLAY, text, line)
        raise ValueError(f"{text[:40]!r} is not a link of kpviz: {_WRITE}.")

    @property
    def address(self) -> str:
        """What follows the app's address."""
        return f"/{'' if self.page == PLAY else self.page}?{self.query}"

    @property
    def plain(self) -> dict[str, str]:
        """Plain data for the page."""
        return {"page": self.page, "query": self.query}

    @cached_property
    def pairs(self) -> dict[str, str]:
        """Its keys and values; of a key that stands twice the last."""
        return dict(parse_qsl(self.query, keep_blank_values=True))

    def with_seed(self, seed: int) -> Link:
        """Return the link with another seed of the data."""
        parts = [
            part for part in self.query.split("&") if part and part.partition("=")[0] != "seed"
        ]
        return Link(self.page, "&".join([*parts, f"seed={seed}"]), self.line)

    @property
    def heights(self) -> tuple[float, ...]:
        """The heights of a line that is drawn across the map, from left to right; () for none.

        >>> Link(query="v=1&line=0.1_-0.3").heights
        (0.1, -0.3)
        """
        text = self.pairs.get(LINE, "")
        return tuple(map(float, text.split("_"))) if _HEIGHTS.fullmatch(text) else ()

    @cached_property
    def settings(self) -> Settings:
        """What it sets of the player."""
        return from_query(self._known)[0]

    @property
    def view(self) -> ViewState:
        """Where the player opens."""
        return read_view(self.pairs)[0]

    @property
    def pins(self) -> tuple[Pin, ...]:
        """What it pins beside its run, a ready comparison written out."""
        return comparison.read(presets.whole(self.pairs), self.settings)[0]

    @property
    def t(self) -> int | None:
        """The instant that it names, None if it names none."""
        return self.view.t if "t" in self.pairs else None

    @property
    def panels(self) -> list[str] | None:
        """The panels with which a scene opens: those that it names, else the default ones; None
        without a board.

        >>> Link(query="v=1&compare=svm").panels
        ['alpha', 'own', 'margins', 'lines']
        """
        if self.page != PLAY or not self.query:
            return None
        named = self.view.show
        if named is not None:
            return list(named)
        ready = presets.PRESETS.get(self.pairs.get(comparison.READY, ""))
        plane = has_plane(self.settings.values)
        return [*panels.shown_by_default(plane=plane), *(ready.shows if ready else ())]

    @cached_property
    def problems(self) -> list[str]:
        """What cannot be used as it is, one sentence each."""
        if self.page == FISHER:
            notice = fisher_link.read_link(self.pairs)[2]
            return [notice] if notice else []
        known = self._known
        if known.get("points", "").startswith(ELSEWHERE):
            return [
                "The link only names its drawn points: draw at most 200, and copy it once more."
            ]
        if known.get("data") == FILE:
            return [
                "The link does not hold the rows of a file: draw the points, or choose another "
                "data set."
            ]
        settings, notice = from_query(known)
        lost = known.get("data") == DRAWN and settings.data != DRAWN
        problems = [
            "The drawn points of the link cannot be read: copy the whole link once more."
            if lost
            else notice
        ]
        pairs = presets.whole(self.pairs)
        wrong = [
            *read_view(pairs)[1],
            *comparison.read(pairs, settings)[1],
            *presets.problems(pairs),
        ]
        problems.append(f"Parts of the link cannot be used: {'; '.join(wrong)}." if wrong else None)
        return [problem for problem in problems if problem]

    @property
    def _known(self) -> dict[str, str]:
        whole: Mapping[str, str] = presets.whole(self.pairs)
        return {
            key: value
            for key, value in whole.items()
            if not (key == LINE or key.startswith("embed") or comparison.is_key(key))
        }


class NoRunError(ValueError):
    """Why a link has no run for a task, in one sentence."""


@dataclass(frozen=True, eq=False)
class Case:
    """A run, what it was made from, and the instant that is asked about."""

    settings: Settings
    split: Split
    run: Run
    t: int
    # The link at which the task started, if this is what was made of it.
    started: Link | None = None
    # The heights of a line that was drawn across the map, as in `Link.heights`.
    heights: tuple[float, ...] = ()
    # The time when it has taken too long.
    ends: float = field(default_factory=lambda: time.monotonic() + SECONDS)

    @classmethod
    def of(cls, link: Link, *, default_t: int | None = None) -> Case:
        """Return the run of a link at the instant that it names, else at `default_t`; None: the
        end.

        Raises
        ------
        NoRunError
            If the link is not for the player, cannot be used as it is, or its run has no examples
            or takes too long.
        """
        if link.page != PLAY:
            raise NoRunError("A task needs a run: give a link of the player, as v=1&data=xor.")
        if link.problems:
            raise NoRunError(link.problems[0])
        settings = link.settings.without_cues
        split, run = _trained(settings)
        t = link.t
        if t is not None and t > run.n_steps:
            raise NoRunError(f"The link names step {t:,}, but its run has {run.n_steps:,} steps.")
        t = default_t if t is None else t
        return cls(settings, split, run, run.n_steps if t is None else t, heights=link.heights)

    @property
    def shows_colours(self) -> bool:
        """Whether the ground of the map has the colours of the classes, orange and blue."""
        return (
            class_words(self.split.source.classes) == COLOURS
            and has_plane(self.settings.values)
            and self.settings.predictor == "last"
        )

    def hurry(self) -> None:
        """Refuse to work out more of it once that has taken too long: NoRunError."""
        if time.monotonic() > self.ends:
            why = (
                f"It takes more than {SECONDS:g} seconds to work out; ask for less, or of a "
                "smaller run."
            )
            raise NoRunError(why)

    @property
    def end(self) -> Case:
        """The same run at its end."""
        return replace(self, t=self.run.n_steps)

    @cached_property
    def first(self) -> Case | None:
        """The end of the run with which the task started; None where an answer is about that run
        itself.
        """
        return None if self.started is None else Case.of(self.started).end

    @cached_property
    def state(self) -> State:
        """The state at the instant."""
        return self.run.state_at(self.t)

    @cached_property
    def scores(self) -> FloatArray:
        """The score of each training example, by the predictor of the settings: (n,)."""
        return self.read(self.run.X)

    @cached_property
    def margins(self) -> FloatArray:
        """Y f(x) of each training example, (n,)."""
        return np.asarray(self.run.y * self.scores)

    @cached_property
    def separability(self) -> separability.Separability:
        """Whether the classes can be separated by this kernel."""
        run = self.run
        end = self.run.state_at(self.run.n_steps)
        decision = separability.decide(
            run.X, run.y, run.kernel, run.gram, intercept=verdict.has_intercept(run)
        )
        if decision.separable is False and not verdict.holds_with_fixed_part(run, decision):
            return separability.Separability(None)
        if run.initial is not None or decision.separable is not None or run.end != "clean":
            return decision
        if (run.margins_at(run.n_steps) > 0.0).all():
            return separability.Separability(True, end.coef, end.intercept)
        return decision

    @cached_property
    def cycle(self) -> cycling.Cycle | None:
        """How the run repeats itself."""
        return cycling.cycle(self.run)

    def read(self, Z: NDArray[np.float64]) -> FloatArray:
        """Return f of each row of Z, by the predictor of the settings."""
        return self.run.decision_function(Z, self.t, self.settings.predictor)

    def wrong(self, X: FloatArray, y: FloatArray) -> int:
        """Return how many of (X, y) f is on the wrong side of, or 0."""
        return len(self.wrong_of(X, y))

    def wrong_of(self, X: FloatArray, y: FloatArray) -> NDArray[np.intp]:
        """Return which of (X, y) f is on the wrong side of, or 0; the vote's sign of 0 is +1."""
        f = self.read(X)
        wrong = (
            np.where(f >= 0.0, 1.0, -1.0) != y
            if self.settings.predictor == "voted"
            else f * y <= 0.0
        )
        return np.flatnonzero(wrong)

    @property
    def intercept(self) -> float:
        """What is added to the sum: b."""
        return float(predictors.coefficients(self.run, [self.t], self.settings.predictor)[1][0])


@lru_cache(maxsize=8)
def _trained(settings: Settings) -> tuple[Split, Run]:
    ends = time.monotonic() + SECONDS

    def watched(done: int, limit: int) -> None:
        if time.monotonic() > ends:
            raise TimeoutError  # It cancels the training.

    split = experiment.prepare(settings)
    if not len(split.y):
        raise NoRunError("The link has no examples to learn from: draw some.")
    run = experiment.run(settings, split, watched)
    if run.end == "cancelled":
        raise NoRunError(
            f"The run takes more than {SECONDS:g} seconds: use fewer examples or epochs."
        )
    return split, run
