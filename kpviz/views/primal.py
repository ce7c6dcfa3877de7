"""The primal perceptron beside the dual: w as numbers, both scores, and what each form costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from kpviz import explain
from kpviz.engine import primal_shown
from kpviz.engine.primal_shown import Shown
from kpviz.engine.run import Run
from kpviz.slips import SLIPS
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.rows import APART, EDGE, Part, Pen, Phrase

TITLE = "The primal perceptron"
NOTHING_YET = "w = 0: it holds the same as all α = 0."
RACE = "multiplications: primal solid, dual dashed"
_TYPE, _LETTERS, _ROWS = style.SMALL / 0.72, 21.0, 5.0  # px of the type, of which so many fit across and down at least
_TITLED, _WIDE, _WIDEST = 24.0, 27.0, 50.0  # sizes that the title needs, the table of growth, and one reads with ease
_SHORT, _FEW, _MOST = 5, 5, 3  # rows that are not cut, features in one column, columns
_BAR, _GAP = 2.4, 18.0  # of a feature: its bar's least width in sizes of the type, and px between two
_FREE, _HIGH = 3.0, 9.0  # lines that the race needs, and has at most
_TIMES = 41  # instants of a race
_LONGEST = f"{explain.MINUS}888888.88"  # number


@dataclass(frozen=True, eq=False)
class Primal(Display):
    """Both forms of a perceptron at an instant.

    Parameters
    ----------
    told : what there is to show of the run. t : the instant.
    mistake : whether the step was one, and i : its example, None at the start. dual : the kernel's score of it.
    j : which of the changes' states it is. arrow : where w is on the map, None for not.
    last : whether the map shows the last hypothesis.
    """

    told: Shown
    t: int
    n_steps: int
    j: int
    i: int | None = None
    mistake: bool = False
    dual: float = 0.0
    arrow: primal_shown.Arrow | None = None
    last: bool = True
    theme: str = "light"

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        arrow: primal_shown.Arrow | None = None,
        predictor: str = "last",
        theme: str = "light",
    ) -> Primal:
        """Read the primal form of a run."""
        told, last, j = primal_shown.shown(run), predictor == "last", run.changes.before(run.time(t))
        if not t:
            return cls(told, t, run.n_steps, j, arrow=arrow, last=last, theme=theme)
        i, mistake, dual = int(run.index[t - 1]), bool(run.mistake[t - 1]), float(run.score[t - 1])
        return cls(told, t, run.n_steps, j, i, mistake, dual, arrow, last, theme)

    @property
    def dimension(self) -> str:
        """How large φ is."""
        return f"φ has {self.told.dimension:,} entries"

    def heading(self, b: str = "") -> str:
        """Return what the entries of w below are; `b` stands in place of the intercept."""
        told = self.told
        few = f", the {len(told.names)} entries that end largest" if told.dimension > len(told.names) else ""
        intercept = f";  b = {b or signed(float(told.intercepts[self.j]))}" if told.b else ""
        return f"{'w now' if self.last else 'w of the last f'}{few}{intercept}{self._drawn}"

    @property
    def _drawn(self) -> str:
        if self.arrow is None:
            return ""
        moved = ", from the middle of the map" if self.arrow.moved else ""
        return f"; the arrow is w × {explain.number(self.arrow.scale)}{moved}"

    def scores(self) -> tuple[Phrase, ...]:
        """Return ⟨w, φ(x)⟩ beside the kernel's sum, and whether they say the same."""
        if self.i is None:
            return (Phrase(NOTHING_YET, colour="quiet"),)
        told, t = self.told, self.t
        b, x = " + b" if told.b else "", explain.example(self.i)
        seen = x if self.arrow is not None else f"φ({x})"
        primal, dual = explain.number(float(told.score[t - 1])), explain.number(self.dual)
        return (
            Phrase(f"⟨w, {seen}⟩{b} = {primal} from w before this step", "primal"),
            Phrase(f"Σ αⱼ yⱼ k(xⱼ, {x}){b} = {dual} from the kernel", "dual"),
            self._verdict(),
        )

    def _verdict(self) -> Phrase:
        told, t, verdict = self.told, self.t, "a mistake" if self.mistake else "correct"
        agreed = int(told.agrees[:t].sum())
        if agreed == t:
            return Phrase(f"Same verdict: {verdict}; so at all {t:,} steps so far.", "verdict", "good", True)
        now = f"Same verdict: {verdict}." if told.agrees[t - 1] else "The verdicts part here."
        return Phrase(f"{now} Same at {agreed:,} of {t:,} steps. {told.apart}", "verdict", "warning", True)

    def costs(self) -> list[list[Phrase]]:
        """Return a table: what both forms have stored and multiplied so far."""
        found = [[Phrase(text, colour="quiet") for text in ("so far", "stored", "multiplications")]]
        for form, name in (("primal", "primal: w"), ("dual", "dual: α, x")):
            cost = getattr(self.told.costs, form)
            numbers = (cost.stored[self.t], cost.multiplications[self.t])
            found.append([Phrase(name), *(Phrase(f"{number:,.0f}", form, bold=True) for number in numbers)])
        return found

    def even(self, now: int | None = None) -> Phrase:
        """Return from which support on a dual score costs more; `now` stands in place of the present one."""
        costs = self.told.costs
        if costs is None or costs.break_even is None:
            return Phrase("")
        support = explain.counted(int(costs.break_even) + 1, "support example")
        text = f"A dual score costs more from {support} on; now {costs.support[self.t] if now is None else now}."
        return Phrase(text, "even", "quiet")

    def frame(self, ax: Axes) -> None:
        """Draw ground, title and what no instant changes."""
        wide, high = style.pixels(ax)
        titled = not self.told.why and wide > _TITLED * min(_TYPE, wide / _LETTERS)
        style.panel(ax, self.theme, TITLE, besides=words.width(self.dimension, style.SMALL) if titled else 0.0)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])
        if titled:
            style.aside(ax, self.theme, self.dimension)
        for part, top, rows in self._placed(ax):
            part.still(top, rows)

    def marks(self, ax: Axes) -> None:
        """Draw the numbers of the instant."""
        for part, top, rows in self._placed(ax):
            part.moving(top, rows)

    def _placed(self, ax: Axes) -> Iterator[tuple[Part, float, float]]:
        """Yield parts from the most to the least needed, as many as there is room for, each with its place and rows."""
        wide, high = style.pixels(ax)
        size = min(_TYPE, wide / _LETTERS, high / _ROWS)
        pen = Pen(ax, size, min(wide - 2 * EDGE, _WIDEST * size), style.colours(self.theme))
        slip, why = pen.said(Phrase(SLIPS["cost"].note, "slip", "quiet")), bool(self.told.why)
        first = [pen.said(Phrase(self.told.why, "why"))] if why else [self._scores(pen), self._features(pen)]
        after = [self._growth(pen), slip] if why else [self._costs(pen), self._growth(pen)]
        top, bottom = 0.35 * size, high - 0.3 * size
        for k, part in enumerate([*first, *after]):
            room = int((bottom - top) / pen.line + 1e-6)
            if room < part.least:
                break
            kept = after[0].least + 1 if k == 1 and not why else 0  # a long list ends early for what comes after it
            taken = min(part.rows, max(room - kept, min(room, _SHORT)))
            yield part, top, taken
            top += pen.line * (taken + APART)
        free, below = bottom - top, (slip.rows + APART) * pen.line
        if why or free <= _FREE * pen.line:
            return
        race = min(free - below if free - below > _FREE * pen.line else free, _HIGH * pen.line)
        yield self._race(pen), top, race / pen.line
        if free - race >= below:
            yield slip, top + race + APART * pen.line, slip.rows

    def _scores(self, pen: Pen) -> Part:
        """Return the scores, with room for the longest that may be said of any step."""
        x, b = "φ(x₈₈₈)", " + b" if self.told.b else ""
        steps, verdict = f"{self.n_steps:,}", "Same verdict: a mistake"
        if self.told.apart:
            verdict = f"{verdict}. Same at {steps} of {steps} steps. {self.told.apart}"
        else:
            verdict = f"{verdict}; so at all {steps} steps so far."
        longest = (
            Phrase(f"⟨w, {x}⟩{b} = {_LONGEST} from w before this step"),
            Phrase(f"Σ αⱼ yⱼ k(xⱼ, x₈₈₈){b} = {_LONGEST} from the kernel"),
            Phrase(verdict, bold=True),
        )

        def moving(top: float, rows: float) -> None:
            pen.write_all(pen.wrapped(*self.scores())[: int(rows)], top, anew=True)

        return Part(1, len(pen.wrapped(*longest)), moving=moving)

    def _features(self, pen: Pen) -> Part:
        """Return entries of w with the largest of the run's end, each a signed bar."""
        w, names = self.told.path[self.j], self.told.names
        longest = self.heading(_LONGEST) if self.told.b else self.heading()
        head = len(pen.wrapped(Phrase(longest)))
        name, value = max(map(pen.width, names), default=0.0), pen.width(f"{explain.MINUS}888.88", bold=True)
        least = name + value + (_BAR + 1.2) * pen.size
        columns = max(1, min(int((pen.wide + _GAP) / (least + _GAP)), _MOST, -(-len(w) // _FEW)))
        cell = (pen.wide - _GAP * (columns - 1)) / columns
        half = (cell - name - value - 1.2 * pen.size) / 2

        def places(top: float, rows: float) -> list[tuple[float, float]]:
            """Return where the cells begin, and their baselines."""
            shown = min(len(w), max(int(rows) - head, 0) * columns)
            return [(k % columns * (cell + _GAP), pen.base(top, k // columns + head)) for k in range(shown)]

        def still(top: float, rows: float) -> None:
            cells = places(top, rows)
            for feature, at in zip(names, cells, strict=False):
                pen.write(*at, Phrase(feature, "feature"))
            _draw_zeros(pen, [(x + name + 0.6 * pen.size + half, base) for x, base in cells])

        def moving(top: float, rows: float) -> None:
            pen.write_all(pen.wrapped(Phrase(self.heading(), "heading", "quiet")), top)
            cells = places(top, rows)
            for entry, (x, base) in zip(w, cells, strict=False):
                pen.write(x + cell, base, Phrase(explain.number(float(entry)), "value", bold=True), ha="right")
            middles = [(x + name + 0.6 * pen.size + half, base) for x, base in cells]
            _draw_bars(pen, self.theme, middles, w[: len(cells)], half / self.told.largest)

        return Part(1 + head, head + -(-len(w) // columns), still, moving)

    def _costs(self, pen: Pen) -> Part:
        """Return two rows of a table, one for each form, and from which support on one costs more."""
        n = 0 if self.told.costs is None else int(self.told.costs.support[-1])
        after = len(pen.wrapped(self.even(n)))

        def table(top: float, *, labels: bool) -> None:
            for k, row in enumerate(self.costs()):
                for at, phrase in zip((0.0, 0.52, 1.0), row, strict=True):
                    if labels == (k == 0 or at == 0.0):
                        pen.write(at * pen.wide, pen.base(top, k), phrase, ha="right" if at else "left")

        def moving(top: float, rows: float) -> None:
            table(top, labels=False)
            if rows >= 3 + after:
                pen.write_all(pen.wrapped(self.even()), top + 3 * pen.line)

        return Part(3, 3 + after, lambda top, rows: table(top, labels=True), moving)

    def _growth(self, pen: Pen) -> Part:
        """Return what the kernel saves as degree and dimension grow."""
        told = primal_shown.growth()
        ends = ("entries of x", told["dimensions"]), ("multiplications of k", told["kernel"])
        lines = [ends[0], *((f"of φ, degree ≤ {degree}", sizes) for degree, sizes in told["rows"]), ends[1]]

        def still(top: float, rows: float) -> None:
            for k, (label, cells) in enumerate(lines):
                base, colour = pen.base(top, k), "good" if k == len(lines) - 1 else "ink" if k else "quiet"
                pen.write(0.0, base, Phrase(label, colour="quiet"))
                for n, cell in enumerate(cells):
                    right = pen.wide * (1 - 0.18 * (len(cells) - 1 - n))
                    pen.write(right, base, Phrase(cell, "growth", colour), ha="right")

        return Part(np.inf if pen.wide < _WIDE * pen.size else len(lines), len(lines), still)

    def _race(self, pen: Pen) -> Part:
        """Return the multiplications of both forms over the run, up to where they are now."""

        def still(top: float, rows: float) -> None:
            ground: dict[str, Any] = {"facecolor": pen.paint["paper"], "linewidth": 0.0, "zorder": 0.5}
            pen.ax.add_patch(Rectangle((EDGE, top), pen.wide, rows * pen.line, **ground))
            pen.write(4.0, top + 1.1 * pen.size, Phrase(RACE, "race", "quiet"), scale=0.92, zorder=1.5)

        def moving(top: float, rows: float) -> None:
            costs, times = self.told.costs, np.rint(np.linspace(0, self.t, _TIMES)).astype(int)
            if costs is None or costs.primal is None:
                return
            most = max(1.0, *(float(cost.multiplications[-1]) for cost in (costs.primal, costs.dual)))
            across = EDGE + times / max(self.n_steps, 1) * pen.wide
            looks = (("primal", costs.primal, "accent", "solid"), ("dual", costs.dual, "ink", (0.0, (2.5, 2.0))))
            for form, cost, colour, dashes in looks:
                down = top + rows * pen.line - 2.0 - cost.multiplications[times] / most * (rows * pen.line - 4.0)
                look: dict[str, Any] = {"color": pen.paint[colour], "linewidth": style.pen(1.44), "linestyle": dashes}
                pen.ax.add_line(Line2D(across, down, gid=f"{form} line", zorder=2, **look))

        return Part(_FREE, _HIGH, still, moving)


def signed(value: float) -> str:
    """Return a number with its sign.

    >>> signed(0.0), signed(-2.0)
    ('+0', '−2.00')
    """
    return explain.number(value) if value < 0 else f"+{explain.number(value)}"


def _draw_zeros(pen: Pen, middles: list[tuple[float, float]]) -> None:
    """Draw where bars begin, each a short line about a baseline."""
    zeros = [[(EDGE + x, base - 0.85 * pen.size), (EDGE + x, base + 0.25 * pen.size)] for x, base in middles]
    rule: dict[str, Any] = {"colors": pen.paint["rule"], "linewidths": style.pen(0.72), "zorder": 2}
    pen.ax.add_collection(LineCollection(zeros, **rule), autolim=False)


def _draw_bars(pen: Pen, theme: str, middles: list[tuple[float, float]], values: Any, scale: float) -> None:
    """Draw a bar for each value, `scale` pixels long per unit, to the side of its sign."""
    if not middles:
        return
    bars = []
    for value, (x, base) in zip(values, middles, strict=True):
        ends = (EDGE + x, EDGE + x + scale * value)
        low, top = base + 0.1 * pen.size, base - 0.7 * pen.size
        bars.append([(ends[0], top), (ends[1], top), (ends[1], low), (ends[0], low)])
    fills = style.fills(theme, values)
    pen.ax.add_collection(PolyCollection(bars, gid="weights", zorder=2.1, **fills), autolim=False)
