"""The names of the language of conditions: one table of what can be said of a run, with how it is found.

The README's list and the errors' advice are made from it. The settings of a link are names, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.powers import significant
from kpviz.engine.theory import max_margin, max_margin_with_intercept
from kpviz.lessons import explain
from kpviz.lessons.file.case import Case
from kpviz.settings import BY_NAME, PROPERTIES

Kind = Literal["number", "truth", "word"]
Value = float | bool | str


class NoValueError(ValueError):
    """Why a name has no value for a run, in one sentence."""


@dataclass(frozen=True)
class Name:
    """A name: what kind of value it has, what it is in words, how it is found.

    `called` is what the board calls it, of a truth what is said where it is not so, too.
    """

    name: str
    kind: Kind
    words: str
    called: tuple[str, ...]
    value: Callable[[Case], Value]
    choices: tuple[str, ...] = ()

    def described(self, value: Value) -> str:
        """Return what it is for a run, as students read it.

        >>> NAMES["training_error"].described(0.25), NAMES["converged"].described(False)
        ('training error 0.25', 'not converged')
        """
        if isinstance(value, bool):
            return self.called[0 if value else -1]
        return f"{self.called[0]} {said(value)}"


@dataclass(frozen=True)
class Function:
    """A function of numbers: its `arguments` as an author reads them, what it is in words, how it is found.

    `called` is what the board calls it, with places for the arguments: {} for a number, {x} for an example.
    """

    name: str
    arguments: tuple[str, ...]
    words: str
    called: str
    value: Callable[..., float]

    def described(self, arguments: Sequence[float], value: float) -> str:
        """Return what it is for a run, as students read it.

        >>> FUNCTIONS["k"].described([3, 12], 0.25), FUNCTIONS["f"].described([0.5, -1], 2)
        ('k(x₃, x₁₂) is 0.25', 'f(0.50, −1) is 2')
        """
        given = iter(arguments)
        places = re.sub(r"\{(x?)\}", lambda match: _argument(next(given), example=bool(match[1])), self.called)
        return f"{places} is {said(value)}"

    @property
    def example(self) -> str:
        """How it is written."""
        return f"{self.name}({', '.join(self.arguments)})"


def said(value: Value) -> str:
    """Return a value as it is shown."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace("_", " ")
    value = float(value)
    return significant(value, 6) if value.is_integer() else explain.number(value)


def _argument(value: float, *, example: bool) -> str:
    return explain.example(int(value)) if example and float(value).is_integer() and value >= 0 else said(value)


def _bricks(case: Case) -> float:
    if not case.run.learner.about.counts:
        raise NoValueError(f"{case.run.learner.about.title} has no bricks: its α are not counts.")
    return float(np.rint(case.state.alpha / case.run.unit).sum())


def _cycles(case: Case) -> bool:
    return case.cycle is not None and case.cycle.for_ever


def _separable(case: Case) -> bool:
    found = case.separability.separable
    if found is None:
        raise NoValueError("Whether the classes can be separated is open: this kernel is none, or rounding hides it.")
    return found


def _heldout_error(case: Case) -> float:
    if not len(case.split.y_test):
        raise NoValueError("No examples are held out, so there is no held-out error: hold some out.")
    return case.wrong(case.split.X_test, case.split.y_test) / len(case.split.y_test)


def _last_mistakes(case: Case) -> float:
    epoch = _epochs(case)
    return float(case.run.mistake[case.run.epoch_start[int(epoch) - 1] : case.t].sum()) if epoch else 0.0


def _epochs(case: Case) -> float:
    return float(np.searchsorted(case.run.epoch_start, case.t, side="left"))


def _norm(case: Case) -> float:
    norm = theory.rkhs_norm(case.run.gram, case.state.coef)
    if math.isnan(norm):
        raise NoValueError("‖f‖² is below 0, so f has no norm: the kernel is not positive semidefinite.")
    return norm


def _geometric(case: Case) -> float:
    norm = _norm(case)
    if norm == 0.0:
        raise NoValueError("f is 0, so it has no geometric margin.")
    state = case.state
    return float((case.run.y * (case.run.gram @ state.coef + state.intercept)).min()) / norm


def _best_margin(case: Case) -> float:
    best = max_margin if case.run.learner.intercept == "none" else max_margin_with_intercept
    return best(case.run.gram, case.run.y)


def _bound(case: Case) -> float:
    first = experiment.bounds(case.settings, case.run)[0]
    if not first.applies:
        raise NoValueError(f"No mistake bound applies: {first.why or first.name}".rstrip(".: ") + ".")
    return first.value


_RUN = (
    Name("mistakes", "number", "mistakes so far", ("mistakes",), lambda case: float(case.run.mistake[: case.t].sum())),
    Name("bricks", "number", "bricks that lie on the examples, Σα/η", ("bricks",), _bricks),
    Name("support", "number", "support examples", ("support examples",), lambda case: float(len(case.state.support))),
    Name("steps", "number", "examples shown", ("examples shown",), lambda case: float(case.t)),
    Name("epochs", "number", "epochs begun", ("epochs begun",), _epochs),
    Name("last_mistakes", "number", "mistakes in the last epoch", ("mistakes in the last epoch",), _last_mistakes),
    Name(
        "converged",
        "truth",
        "training ended by itself, by a pass without a mistake or at the SVM’s tolerance",
        ("converged", "not converged"),
        lambda case: case.run.converged and case.t == case.run.n_steps and not explain.mistakes_left(case.run),
    ),
    Name(
        "cycles",
        "truth",
        "the last epochs repeat, and it is proven that they would for ever",
        ("the epochs repeat for ever", "it is not proven that the epochs repeat for ever"),
        _cycles,
    ),
    Name(
        "separable",
        "truth",
        "some f of this kernel separates the classes",
        ("the classes can be separated", "the classes cannot be separated"),
        _separable,
    ),
    Name(
        "wrong",
        "number",
        "training examples on the wrong side, or with f = 0",
        ("training examples on the wrong side",),
        lambda case: float(case.wrong(case.run.X, case.run.y)),
    ),
    Name(
        "training_error",
        "number",
        "share of wrong examples, 0 to 1",
        ("training error",),
        lambda case: case.wrong(case.run.X, case.run.y) / len(case.run.y),
    ),
    Name("heldout_error", "number", "the same of those held out", ("held-out error",), _heldout_error),
    Name("margin", "number", "smallest y·f(x)", ("smallest margin y·f(x)",), lambda case: float(case.margins.min())),
    Name("geometric_margin", "number", "the same divided by ‖f‖", ("geometric margin",), _geometric),
    Name(
        "best_margin",
        "number",
        "best geometric margin of any f, 0 if there is none",
        ("best geometric margin of any f",),
        _best_margin,
    ),
    Name("norm", "number", "‖f‖ without b", ("‖f‖",), _norm),
    Name("radius", "number", "R, the largest √k(x, x)", ("R",), lambda case: theory.radius(case.run.gram)),
    Name("bound", "number", "mistake bound that is shown first", ("mistake bound",), _bound),
    Name("b", "number", "intercept", ("b",), lambda case: case.intercept),
    Name("n", "number", "training examples", ("training examples",), lambda case: float(len(case.run.y))),
    Name("heldout", "number", "examples held out", ("examples held out",), lambda case: float(len(case.split.y_test))),
)


def _example(case: Case, i: float) -> int:
    n = len(case.run.y)
    if not (float(i).is_integer() and 0 <= i < n):
        raise NoValueError(f"{i:g} is not an example: they are numbered from 0 to {n - 1}.")
    return int(i)


def _f(case: Case, x1: float, x2: float) -> float:
    X = case.run.X
    if X.ndim != 2 or X.shape[1] != 2:
        raise NoValueError("f(x1, x2) needs points of a plane: for other examples write score(i).")
    return float(case.read(np.array([[x1, x2]]))[0])


FUNCTIONS: dict[str, Function] = {
    each.name: each
    for each in (
        Function("f", ("x1", "x2"), "the score of a point", "f({}, {})", _f),
        Function("score", ("i",), "f of example i", "f({x})", lambda case, i: float(case.scores[_example(case, i)])),
        Function(
            "margin",
            ("i",),
            "y·f of example i",
            "margin of {x}",
            lambda case, i: float(case.margins[_example(case, i)]),
        ),
        Function(
            "alpha", ("i",), "α of example i", "α of {x}", lambda case, i: float(case.state.alpha[_example(case, i)])
        ),
        Function("label", ("i",), "y of example i", "y of {x}", lambda case, i: float(case.run.y[_example(case, i)])),
        Function(
            "k",
            ("i", "j"),
            "kernel of two examples",
            "k({x}, {x})",
            lambda case, i, j: float(case.run.gram[_example(case, i), _example(case, j)]),
        ),
    )
}
EACH = "i"  # the example that is looked at, where each is
_TEXTS = {prop.name for prop in PROPERTIES if prop.text}
_OWN = {each.name for each in _RUN} | {EACH, *FUNCTIONS}


def called(setting: str) -> str:
    """Return what the board calls a setting.

    >>> called("held"), called("sigma"), called("sigma2")
    ('Held out', 'σ', 'σ of the second kernel')
    """
    prop = BY_NAME[setting]
    return f"{prop.label} of the second kernel" if setting.endswith("2") and setting != "kernel2" else prop.label


def _setting(name: str) -> Name:
    prop = BY_NAME[name]

    def value(case: Case) -> Any:
        reason = case.settings.reason_against(name)
        if reason is not None:
            raise NoValueError(f"{called(name)} does not apply: {reason}.")
        found = case.settings.values[name]
        return found if prop.choices else float(found)

    kind: Kind = "word" if prop.choices else "number"
    label = called(name)
    small = label[0].lower() + label[1:] if label[1:2].islower() else label  # it stands in a sentence
    return Name(name, kind, f"the setting {prop.label}", (small,), value, prop.choices)


NAMES: dict[str, Name] = {each.name: each for each in _RUN} | {
    prop.name: _setting(prop.name) for prop in PROPERTIES if prop.name not in _OWN | _TEXTS
}


def documented() -> str:
    """Return the list of names for the README, one line each."""
    rows = [*((each.name, each.words) for each in _RUN), *((each.example, each.words) for each in FUNCTIONS.values())]
    return "\n".join(f"| `{name}` | {words} |" for name, words in rows)
