"""A worksheet from a run: points, rule, some steps with blanks, room to draw; and the same
with what belongs there.

Tests: tests/export/test_sheets.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kpviz import experiment
from kpviz.engine.powers import significant
from kpviz.engine.run import predictors
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.export.print import pictures, typeset
from kpviz.export.print.typeset import Node, Sheet
from kpviz.lessons.explain import MINUS, counted, example, initial_words, label
from kpviz.lessons.file.kinds.steps import MISTAKE, Step, steps
from kpviz.lessons.file.links import Case
from kpviz.lessons.learner_words import words_of
from kpviz.player.comparison import Comparison
from kpviz.settings import PROPERTIES, Settings, conditions

# A sheet has so many steps.
USUAL = 8
MOST = 24
# In millimetres: the sides of the map, and of the one to draw on.
_MAP = 96.0
_DRAWN = 130.0
_BY_HAND = 10  # The kernel values of so many examples find room.
_DIGITS = (2, 3, 4, 5)
_LONGEST = 60  # In characters: the longest example that is a text.


@dataclass(frozen=True, eq=False)
class Worksheet:
    """What is worked out by hand: the steps after `first`, `count` of them."""

    settings: Settings
    split: Split
    run: Run
    first: int = 0
    count: int = USUAL

    def __post_init__(self) -> None:
        left = self.run.n_steps - self.first
        if left < 1:
            raise ValueError(
                f"The worksheet begins after step {self.first:,}, but the run has "
                f"{self.run.n_steps:,}."
            )
        object.__setattr__(self, "count", min(self.count, left))

    def sheet(self, *, solved: bool = False) -> Sheet:
        """Return the worksheet, or the sheet of solutions."""
        plane = conditions.has_plane(self.settings.values)
        end = self.first + self.count if solved else 0
        drawn = {}
        if plane:
            experiments = Comparison.of(self.settings, self.split, self.run)
            for name, t, width in (("points.svg", 0, _MAP), ("boundary.svg", end, _DRAWN)):
                drawn[name] = pictures.points(experiments, t, self.examples, width, "print")
        body = [
            *self._examples(plane),
            *self._rule(),
            *self._steps(solved),
            *self._drawing(plane, solved),
        ]
        return Sheet(
            f"{experiment.learner(self.settings).about.title}, by hand",
            body,
            under=experiment.about(self.settings),
            mark="Solutions" if solved else "",
            foot=_link(self.settings),
            named=not solved,
            pictures=drawn,
        )

    @cached_property
    def examples(self) -> list[int]:
        """The examples that one needs: those shown in the steps, and those that f consists of
        before them.
        """
        start = np.flatnonzero(self.run.state_at(self.first).coef)
        return sorted(
            {*self.run.index[self.first : self.first + self.count].tolist(), *start.tolist()}
        )

    @cached_property
    def steps(self) -> list[Step]:
        """What the steps are and do."""
        case = Case(self.settings, self.split, self.run, self.first)
        return steps(case, self.count)

    @cached_property
    def gram(self) -> Any:
        """The kernel's values of the examples that one needs, exactly."""
        examples_shown = np.array(self.examples)
        return np.array(
            predictors.kernel_columns(self.run, self.run.X[examples_shown], examples_shown)
        )

    @property
    def digits(self) -> int:
        """How many decimals of the kernel's values give the run's verdicts by hand."""
        return next((digits for digits in _DIGITS[:-1] if self._agrees(digits)), _DIGITS[-1])

    def _agrees(self, digits: int) -> bool:
        gram = np.round(self.gram, digits)
        row = {i: at for at, i in enumerate(self.examples)}
        fixed = (
            np.zeros(len(self.run.y))
            if self.run.initial is None
            else self.run.initial.scores(self.run.X)
        )
        for t in range(self.first, self.first + self.count):
            state = self.run.state_at(t)
            i = int(self.run.index[t])
            learnt = float(gram[row[i]] @ state.coef[self.examples]) + state.intercept
            f = learnt + float(fixed[i])
            exact = float(self.run.score[t])
            if np.sign(np.round(f, 9)) != np.sign(np.round(exact, 9)) or abs(
                f - exact
            ) > 0.02 * max(1.0, abs(exact)):
                return False
        return True

    def _examples(self, plane: bool) -> list[Node]:
        run = self.run
        examples_shown = self.examples[: 2 * MOST]
        n_left_out = len(run.y) - len(examples_shown)
        heading = typeset.heading("Examples")
        if not plane:
            rows = [
                [
                    typeset.cell(example(i)),
                    typeset.cell(_written(run.X[i])),
                    typeset.cell(label(run.y[i])),
                ]
                for i in examples_shown
            ]
            return [
                heading,
                typeset.grid(
                    ["", "example", "y"],
                    rows,
                    ["auto", "1fr", "auto"],
                    ["center", "left", "center"],
                ),
            ]
        source = self.split.source
        head = [
            "",
            *(f"{name}, scaled" if source.scaled else name for name in source.axis_names),
            "y",
        ]
        rows = [
            [
                typeset.cell(self._name(i)),
                *(typeset.cell(_signed(v, 2)) for v in run.X[i]),
                typeset.cell(label(run.y[i])),
            ]
            for i in examples_shown
        ]
        table = typeset.grid(head, rows, ["auto"] * 4, ["center", "right", "right", "center"])
        note = (
            [
                typeset.small(
                    f"The picture has {counted(n_left_out, 'more example')}, without a name here."
                )
            ]
            if n_left_out
            else []
        )
        picture = typeset.picture("points.svg", _MAP, "The examples in the plane")
        return [heading, {"kind": "beside", "left": [table, *note], "right": [picture]}]

    def _name(self, i: int) -> str:
        """Return the name of an example, with its line where it is from a file."""
        lines = self.split.lines
        return example(i) if lines is None else f"{example(i)}, line {lines[i]}"

    def _rule(self) -> list[Node]:
        rule = words_of(experiment.learner(self.settings)).rule()
        b = " + b" * rule.intercept
        fixed = "f_0(x) + " * (self.run.initial is not None)
        lines = [
            rf"k(u, v) = {experiment.kernel(self.settings).latex}",
            rf"f(x) = {fixed}\sum_j \alpha_j\, y_j\, k(x_j, x){b}",
            *rule.formulas.split(r"; \quad "),  # Apart, these fit their lines.
        ]
        values = ", ".join(_values(self.settings))
        known = [typeset.paragraph(f"Here {values}.")] if values else []
        return [typeset.heading("Rule"), *map(typeset.display, lines), *known]

    def _steps(self, solved: bool) -> list[Node]:
        title = f"Steps {self.first + 1:,} to {self.first + self.count:,}"
        ask = (
            "Work out f(x) of each example from what was learnt before it. Is it a mistake? How "
            "does α change?"
        )
        head = ["step", "example", "y", "f(x)", "mistake?", "change of α"]
        rows = []
        for number, step in enumerate(self.steps):
            t = self.first + number
            i = int(self.run.index[t])
            answers = ["", "", ""]
            if solved:
                mistake_word = "yes" if step.verdict == MISTAKE else "no"
                answers = [_signed(float(self.run.score[t]), self.digits), mistake_word, step.words]
            rows.append(
                [
                    typeset.cell(f"{t + 1:,}"),
                    typeset.cell(example(i)),
                    typeset.cell(label(self.run.y[i])),
                    *map(typeset.cell, answers),
                ]
            )
        widths: list[Any] = ["auto", "auto", "auto", 90, 62, "1fr"]
        table = typeset.grid(
            head, rows, widths, ["center"] * 5 + ["left"], high=0 if solved else 23
        )
        question = [typeset.heading(title), typeset.paragraph(ask), *self._start()]
        return [*self._kernel(), typeset.keep(*question, table), *self._ending(solved)]

    def _start(self) -> list[Node]:
        state = self.run.state_at(self.first)
        support = np.flatnonzero(state.alpha)
        if not self.first:
            zero = (
                "At the start all α are 0."
                if not state.intercept
                else "At the start all α and b are 0."
            )
            fixed = initial_words(self.run)
            return [
                typeset.paragraph(
                    f"{zero} To every score f₀(u) = {fixed} is added." if fixed else zero
                )
            ]
        listed = ", ".join(
            f"{significant(state.alpha[i], 4)} of {example(int(i))}" for i in support[: 2 * MOST]
        )
        b = f"; b = {significant(state.intercept, 4)}" if state.intercept else ""
        return [
            typeset.paragraph(f"Before step {self.first + 1:,} α is {listed or '0 everywhere'}{b}.")
        ]

    def _kernel(self) -> list[Node]:
        if len(self.examples) > _BY_HAND:
            return [typeset.paragraph("These are many examples: compute k(u, v) by machine.")]
        names = [typeset.cell({"kind": "strong", "children": [example(i)]}) for i in self.examples]
        rows = [
            [name, *(typeset.cell(_signed(v, self.digits)) for v in row)]
            for name, row in zip(names, self.gram, strict=True)
        ]
        head = ["k", *(example(i) for i in self.examples)]
        return [
            typeset.grid(head, rows, ["auto"] * len(head), ["center"] + ["right"] * (len(head) - 1))
        ]

    def _ending(self, solved: bool) -> list[Node]:
        state = self.run.state_at(self.first + self.count)
        support = [example(int(i)) for i in np.flatnonzero(state.coef)]
        mistakes = sum(step.verdict == MISTAKE for step in self.steps)
        answers = (
            (str(mistakes), ", ".join(support) or "none")
            if solved
            else (typeset.blank(14), typeset.blank(0))
        )
        end = (
            f"Mistakes in these steps: {{}}    Support examples after step "
            f"{self.first + self.count:,}: {{}}"
        )
        before, between, after = end.split("{}")
        return [{"kind": "paragraph", "children": [before, answers[0], between, answers[1], after]}]

    def _drawing(self, plane: bool, solved: bool) -> list[Node]:
        if not plane:
            return []
        last = self.first + self.count
        ask = (
            f"Draw where f(x) = 0 after step {last:,}, and circle the support examples. On "
            "which side is f positive?"
        )
        caption = f"The boundary f(x) = 0 after step {last:,}; the support examples are larger."
        picture = typeset.picture("boundary.svg", _DRAWN, "The examples in the plane")
        body = [typeset.heading("Boundary"), typeset.paragraph(caption if solved else ask), picture]
        return [typeset.keep(*body)]


def _values(settings: Settings) -> list[str]:
    """Return the learner's numbers; 0 turns off what it belongs to."""
    parameters = [
        prop
        for prop in PROPERTIES
        if prop.group == "learner" and not prop.choices and not prop.text
    ]
    used = [
        prop
        for prop in parameters
        if settings.values[prop.name] and settings.reason_against(prop.name) is None
    ]
    return [f"{prop.label} = {settings.values[prop.name]:g}" for prop in used]


def _link(settings: Settings) -> str:
    link = settings.without_cues.link()
    return f"kpviz ?{link}" if len(link) <= 90 else "kpviz"


def _signed(value: float, digits: int) -> str:
    text = f"{abs(value):.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{MINUS}{text}" if value < 0 and float(text) else text


def _written(example: Any) -> str:
    text = (
        str(example)
        if np.ndim(example) == 0
        else " ".join(f"{v:g}" for v in np.ravel(example)).replace("-", MINUS)
    )
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
