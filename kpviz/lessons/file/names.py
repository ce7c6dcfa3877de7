"""The names of the language of conditions.

One table of what can be said of a run, with how it is found.

The documentation's list and the errors' advice are made from it. The settings of a link are names,
too.

Tests: tests/lessons/test_conditions.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine import theory
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import validity
from kpviz.engine.powers import significant
from kpviz.engine.theory import max_margin, max_margin_with_intercept
from kpviz.lessons import explain, figures, verdict
from kpviz.lessons.figures import Figure
from kpviz.lessons.file import arithmetic
from kpviz.lessons.file.arithmetic import NoValueError
from kpviz.lessons.file.links import Case
from kpviz.settings import BY_NAME, PROPERTIES

Kind = Literal["number", "truth", "word"]
_MOST_VOTERS = 5  # More lines between examples are no figure.
Value = float | bool | str
EXAMPLE = "i"  # The example that is looked at, where each is.
_PLACES = 100  # A line is compared with f in so many columns and rows of the map.


@dataclass(frozen=True)
class Name:
    """A name or a function: what kind of value it has, what it is in words, how it is found.

    `called` is what the board calls it, `words` where it is "": of a function with places for its
    arguments, {} for a number, {x} for an example; of a truth `not_called` is what is said where it
    is not so. A number that `is_share` of a whole is said in per cent, as on the board.
    """

    name: str
    kind: Kind
    words: str
    find: Callable[..., Any]
    called: str = ""
    not_called: str = ""
    choices: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    is_share: bool = False

    def value(self, case: Case, *arguments: Value) -> Value:
        """Return its value for a run; NoValueError where it has none."""
        numbers = [float(argument) for argument in arguments]
        if "{x}" in self.called:
            n = len(case.run.y)
            for i in numbers:
                if not (i.is_integer() and 0 <= i < n):
                    raise NoValueError(
                        f"{i:g} is not an example: they are numbered from 0 to {n - 1}."
                    )
            return float(self.find(case, *map(int, numbers)))
        value = self.find(case, *numbers)
        return (
            str(value)
            if self.kind == "word"
            else bool(value)
            if self.kind == "truth"
            else float(value)
        )

    def described(
        self, value: Value, arguments: Sequence[Value] = (), limit: float | None = None
    ) -> str:
        """Return what it is for a run, as students read it; `limit`: what it is compared with.

        >>> NAMES["training_error"].described(0.25), NAMES["converged"].described(False)
        ('training error: 25%', 'not converged')
        >>> FUNCTIONS["k"].described(0.25, [3, 12]), FUNCTIONS["f"].described(2, [0.5, -1])
        ('k(x₃, x₁₂) is 0.25', 'f(0.50, −1) is 2')
        """
        if isinstance(value, bool):
            return self.called if value else self.not_called
        text = self.shown_as(value, limit)
        return f"{self.named(arguments)}{' is' if self.arguments else ':'} {text}"

    def shown_as(self, value: Value, limit: float | None = None) -> str:
        """Return its value as it is shown, on its side of a limit."""
        if isinstance(value, (bool, str)):
            return shown_as(value)
        if self.is_share:
            return _share_beside(value, limit)
        return shown_as(value) if limit is None else said_beside(value, limit)

    def exact(self, value: float) -> str:
        """Return a value that it is compared with.

        >>> [NAMES[name].exact(0.1353) for name in ("training_error", "radius")]
        ['13.53%', '0.1353']
        """
        return _share_beside(value, value) if self.is_share else exact(value)

    def named(self, arguments: Sequence[Value] = ()) -> str:
        """Return what it is called where students read it.

        >>> NAMES["last_mistakes"].named(), FUNCTIONS["score"].named([12])
        ('mistakes in the last epoch', 'f(x₁₂)')
        """
        values = iter(arguments)

        def written(place: re.Match[str]) -> str:
            argument = float(next(values))
            is_example = bool(place[1]) and argument.is_integer() and argument >= 0
            return explain.example(int(argument)) if is_example else exact(argument)

        return re.sub(r"{(x?)}", written, self.called or self.words)

    @property
    def example(self) -> str:
        """How it is written."""
        return f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name


def shown_as(value: Value) -> str:
    """Return a value as it is shown."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace("_", " ")
    value = float(value)
    return significant(value, 6) if value.is_integer() else _untied(explain.number(value), value)


def _untied(rounded: str, value: float) -> str:
    """Return a number that is rounded, with one digit more where two are equally near.

    >>> _untied("0.18", 21 / 120), _untied("0.14", 11 / 80)
    ('0.175', '0.14')
    """
    digits = len(rounded.partition(".")[2])
    further = f"{value:,.{digits + 1}f}"
    is_tie = further.endswith("5") and float(further.replace(",", "")) == value
    return further.replace("-", explain.MINUS) if is_tie else rounded


def exact(value: float) -> str:
    """Return a number as it is shown where that is all of it, else with all its digits.

    >>> exact(0.5), exact(0.1353), exact(-2.0)
    ('0.50', '0.1353', '−2')
    """
    rounded = shown_as(value)
    return rounded if as_read(rounded) == value else f"{value:.12g}".replace("-", explain.MINUS)


def said_beside(value: float, other: float) -> str:
    """Return a value as it is shown, with as many digits as put it on its side of a number.

    >>> pairs = ((0.1533, 0.25), (0.1533, 0.15), (0.1533, 0.153), (2.0004, 2.0))
    >>> tuple(said_beside(*pair) for pair in pairs)
    ('0.15', '0.153', '0.1533', '2.0004')
    """
    rounded = shown_as(value)
    for digits in range(3, 18):
        if _side(as_read(rounded), other) == _side(value, other):
            break
        rounded = f"{value:.{digits}g}".replace("-", explain.MINUS)
    return rounded


def _share_beside(value: float, other: float | None) -> str:
    """Return a share in per cent, with as many digits as put it on its side of another one.

    >>> tuple(_share_beside(share, None) for share in (21 / 120, 0.0, 1 / 3, 11 / 80))
    ('17.5%', '0%', '33.3%', '13.75%')
    >>> pairs = ((0.2504, 0.25), (0.1353, 0.1353), (0.3, 0.1 + 0.2))
    >>> tuple(_share_beside(*pair) for pair in pairs)
    ('25.04%', '13.53%', '30%')
    """
    percent = _in_percent(value)
    limit = percent if other is None else _in_percent(other)
    text = _untied(f"{percent:.1f}", percent)
    for digits in range(2, 13):
        if other is None or _side(float(text), limit) == _side(percent, limit):
            break
        text = f"{percent:.{digits}f}"
    return f"{text.removesuffix('.0')}%"


def _in_percent(share: float) -> float:
    return float(f"{100 * share:.12g}")


def as_read(text: str) -> float:
    """Return the number that its reader takes a text of `shown_as` for.

    >>> as_read("−5,792.64"), as_read("3.2×10⁻⁷")
    (-5792.64, 3.2e-07)
    """
    return arithmetic.typed(text.replace(",", "")) or 0.0


def _side(value: float, other: float) -> int:
    return (value > other) - (value < other)


def _bricks(case: Case) -> float:
    if not case.run.learner.about.counts:
        raise NoValueError(f"{case.run.learner.about.title} has no bricks: its α are not counts.")
    return float(np.rint(case.state.alpha / case.run.unit).sum())


def _separable(case: Case) -> bool:
    separable = case.separability.separable
    if separable is None:
        raise NoValueError(
            "Whether the classes can be separated is open: this kernel is none, or rounding hides "
            "it."
        )
    return separable


def _heldout_error(case: Case) -> float:
    if not len(case.split.y_test):
        raise NoValueError(
            "No examples are held out, so there is no held-out error: hold some out."
        )
    return case.wrong(case.split.X_test, case.split.y_test) / len(case.split.y_test)


def _last_mistakes(case: Case) -> int:
    epoch = _epochs(case)
    return int(case.run.mistake[case.run.epoch_start[epoch - 1] : case.t].sum()) if epoch else 0


def _epochs(case: Case) -> int:
    return int(np.searchsorted(case.run.epoch_start, case.t, side="left"))


def _norm(case: Case) -> float:
    if case.run.initial is not None:
        raise NoValueError("A fixed f₀ is added to every score, and f has no norm with it.")
    norm = theory.rkhs_norm(case.run.gram, case.state.coef)
    if math.isnan(norm):
        raise NoValueError(
            "‖f‖² is below 0, so f has no norm: the kernel is not positive semidefinite."
        )
    return norm


def _geometric(case: Case) -> float:
    norm = _norm(case)
    if norm == 0.0:
        raise NoValueError("f is 0, so it has no geometric margin.")
    state = case.state
    return float((case.run.y * (case.run.gram @ state.coef + state.intercept)).min()) / norm


def _best_margin(case: Case) -> float:
    if not verdict.has_intercept(case.run):
        return max_margin(case.run.gram, case.run.y)
    best = max_margin_with_intercept(case.run.gram, case.run.y)
    if math.isinf(best):
        raise NoValueError(
            "All examples are of one class, so with an intercept no margin is the best."
        )
    return best


def _bound(case: Case) -> float:
    first = next(
        bound for bound in experiment.bounds(case.settings, case.run) if bound.key != "voted"
    )
    if not first.applies:
        raise NoValueError(
            f"No mistake bound applies: {first.why or first.name}".rstrip(".: ") + "."
        )
    return first.at(case.t)


def _f(case: Case, u1: float, u2: float) -> float:
    X = case.run.X
    if X.ndim != 2 or X.shape[1] != 2:
        raise NoValueError("f(u1, u2) needs points of a plane: for other examples write score(i).")
    return float(case.read(np.array([[u1, u2]]))[0])


def _agreement(case: Case) -> int:
    """Return where a drawn line agrees with the sign of f, in whole percent of the map.

    The side of the line that is called orange is the one with which more agrees.
    """
    if not case.heights:
        raise NoValueError("No line is drawn across the map.")
    if case.run.X.ndim != 2 or case.run.X.shape[1] != 2:
        raise NoValueError("A line is drawn in a plane, and these data have none.")
    places, is_orange = orange_places(case)
    columns = np.linspace(case.split.extent.low_1, case.split.extent.high_1, len(case.heights))
    is_above = places[:, 1] > np.interp(places[:, 0], columns, case.heights)
    n_agreeing = int((is_above == is_orange).sum())
    return max(n_agreeing, len(places) - n_agreeing) * 100 // len(places)


def orange_places(case: Case) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the middles of `_PLACES`² cells of the map, (cells, 2), and where f is above 0."""
    visible = case.split.extent
    middles = (np.arange(_PLACES) + 0.5) / _PLACES
    x1 = visible.low_1 + middles * (visible.high_1 - visible.low_1)
    x2 = visible.low_2 + middles * (visible.high_2 - visible.low_2)
    places = np.stack(np.meshgrid(x1, x2, indexing="ij"), axis=-1).reshape(-1, 2)
    return places, case.read(places) > 0.0


def _characters(case: Case) -> int:
    if case.settings.kernel != "formula":
        raise NoValueError("The kernel is not a formula, so its characters are not counted.")
    return len("".join(case.settings.formula.split()))


def _vote(case: Case, i: int, j: int) -> float:
    return float(case.state.coef[i] * case.run.gram[i, j])


_RUN = (
    Name(
        "mistakes",
        "number",
        "mistakes so far",
        lambda case: case.run.mistake[: case.t].sum(),
        "mistakes",
    ),
    Name("bricks", "number", "bricks that lie on the examples, Σα/η", _bricks, "bricks"),
    Name(
        "support",
        "number",
        "support examples",
        lambda case: len(case.state.support),
        "remembered examples",
    ),
    Name("steps", "number", "examples shown", lambda case: case.t),
    Name("epochs", "number", "epochs begun", _epochs),
    Name("last_mistakes", "number", "mistakes in the last epoch", _last_mistakes),
    Name(
        "converged",
        "truth",
        "training ended by itself, by an epoch without a mistake or at the SVM’s tolerance",
        lambda case: (
            case.run.converged
            and case.t == case.run.n_steps
            and not explain.mistakes_left(case.run)
        ),
        "converged",
        "not converged",
    ),
    Name(
        "cycles",
        "truth",
        "the last epochs repeat, and it is proven that they would for ever",
        lambda case: case.cycle is not None and case.cycle.for_ever,
        "the epochs repeat for ever",
        "it is not proven that the epochs repeat for ever",
    ),
    Name(
        "separable",
        "truth",
        "some f of this kernel separates the classes",
        _separable,
        "the classes can be separated",
        "the classes cannot be separated",
    ),
    Name(
        "wrong",
        "number",
        "training examples on the wrong side, or with f = 0",
        lambda case: case.wrong(case.run.X, case.run.y),
        "training examples on the wrong side",
    ),
    Name(
        "training_error",
        "number",
        "share of wrong examples, 0 to 1",
        lambda case: case.wrong(case.run.X, case.run.y) / len(case.run.y),
        "training error",
        is_share=True,
    ),
    Name(
        "heldout_error",
        "number",
        "the same of those held out",
        _heldout_error,
        "held-out error",
        is_share=True,
    ),
    Name(
        "margin",
        "number",
        "smallest y·f(x)",
        lambda case: case.margins.min(),
        "smallest margin y·f(x)",
    ),
    Name("geometric_margin", "number", "the same divided by ‖f‖", _geometric, "geometric margin"),
    Name(
        "best_margin",
        "number",
        "best geometric margin of any f, 0 if there is none",
        _best_margin,
        "best geometric margin of any f",
    ),
    Name("norm", "number", "‖f‖ without b", _norm, "‖f‖"),
    Name(
        "radius",
        "number",
        "R, the largest √k(x, x)",
        lambda case: theory.radius(case.run.gram),
        "R",
    ),
    Name(
        "bound",
        "number",
        "mistake bound that the board shows first, until the end of this epoch",
        _bound,
        "mistake bound",
    ),
    Name("b", "number", "intercept", lambda case: case.intercept, "b"),
    Name("n", "number", "training examples", lambda case: len(case.run.y)),
    Name(
        "orange",
        "number",
        "orange training examples, y = +1",
        lambda case: int((case.run.y > 0).sum()),
        "orange examples",
    ),
    Name(
        "blue",
        "number",
        "blue training examples, y = −1",
        lambda case: int((case.run.y < 0).sum()),
        "blue examples",
    ),
    Name("heldout", "number", "examples held out", lambda case: len(case.split.y_test)),
    Name(
        "passes",
        "truth",
        "these examples do not refute that k is a kernel",
        lambda case: not validity.examine(case.run.kernel, case.run.X).refuted,
        "k passes on these points",
        "k does not pass on these points",
    ),
    Name(
        "refuted",
        "truth",
        "some examples refute that k is a kernel",
        lambda case: case.run.kernel.psd == "no",
        "k is not a kernel",
        "no counter-example to k is known",
    ),
    Name(
        "characters",
        "number",
        "characters of the formula of k, blanks left out",
        _characters,
        "characters",
    ),
    Name(
        "agreement",
        "number",
        "where a drawn line agrees with the sign of f, in whole percent of the map",
        _agreement,
        "percent of the map agree",
    ),
)


def _function(
    name: str, arguments: tuple[str, ...], words: str, called: str, find: Callable[..., Any]
) -> Name:
    return Name(name, "number", words, find, called, arguments=arguments)


FUNCTIONS: dict[str, Name] = {
    entry.name: entry
    for entry in (
        _function("f", ("u1", "u2"), "the score of a point", "f({}, {})", _f),
        _function("score", ("i",), "f of example i", "f({x})", lambda case, i: case.scores[i]),
        _function(
            "margin", ("i",), "y·f of example i", "margin of {x}", lambda case, i: case.margins[i]
        ),
        _function(
            "alpha", ("i",), "α of example i", "α of {x}", lambda case, i: case.state.alpha[i]
        ),
        _function("label", ("i",), "y of example i", "y of {x}", lambda case, i: case.run.y[i]),
        _function(
            "vote",
            ("i", "j"),
            "what example i adds to f of example j",
            "the vote of {x} at {x}",
            _vote,
        ),
        _function(
            "k",
            ("i", "j"),
            "kernel of two examples",
            "k({x}, {x})",
            lambda case, i, j: case.run.gram[i, j],
        ),
    )
}


def figures_of(name: str, arguments: Sequence[int], case: Case, *, told: bool) -> list[Figure]:
    """Return what a name of a run looks like on the map, [] where it has no look.

    What counts examples is rings about them.

    `told`: with its numbers.
    """
    run = case.run
    match name, arguments:
        case "radius", []:
            return figures.radius(run, told=told)
        case "best_margin", []:
            return figures.strip(run, told=told)
        case "bound", []:
            return figures.of_bound(run)
        case "k", [i, j] if i == j:
            return figures.arrow(run, i, told=told) or figures.rings([i])
        case "k" | "vote", [i, j]:
            return figures.between(run, i, j) or figures.rings([i, j])
        case "score" | "margin", [i]:
            voters = case.state.support.tolist()
            if len(voters) <= _MOST_VOTERS:
                return [figure for j in voters for figure in figures.between(run, i, j)]
    # What a number counts would tell it.
    return figures.rings(_counted_by(name, case)) if told else []


def _counted_by(name: str, case: Case) -> Iterable[int]:
    """Return the examples that a name counts, or of which f and b are made."""
    run = case.run
    match name:
        case "support" | "f":
            return case.state.support
        case "mistakes" | "b":
            return run.index[: case.t][run.mistake[: case.t]]
        case "last_mistakes" if case.t:
            epoch = slice(run.epoch_start[_epochs(case) - 1], case.t)
            return run.index[epoch][run.mistake[epoch]]
        case "wrong" | "training_error":
            return case.wrong_of(run.X, run.y)
        case "heldout_error":
            return len(run.y) + case.wrong_of(case.split.X_test, case.split.y_test)
    return []


def called(setting: str) -> str:
    """Return what the board calls a setting.

    >>> called("held"), called("sigma")
    ('Held out', 'σ')
    """
    return BY_NAME[setting].label


def _setting(name: str) -> Name:
    prop = BY_NAME[name]
    label = called(name)

    def find(case: Case) -> Any:
        reason = case.settings.reason_against(name)
        if reason is not None:
            raise NoValueError(f"{label} does not apply: {reason}.")
        return case.settings.values[name]

    # The label stands in a sentence.
    small = label[0].lower() + label[1:] if label[1:2].islower() else label
    return Name(
        name,
        "word" if prop.choices else "number",
        f"the setting {prop.label}",
        find,
        small,
        "",
        prop.choices,
    )


NAMES: dict[str, Name] = {entry.name: entry for entry in _RUN} | {
    prop.name: _setting(prop.name)
    for prop in PROPERTIES
    if not prop.text and prop.name not in {entry.name for entry in _RUN} | {EXAMPLE, *FUNCTIONS}
}


def documented() -> str:
    """Return the list of names for the documentation, one line each."""
    return "\n".join(
        f"| `{name.example}` | {name.words} |" for name in (*_RUN, *FUNCTIONS.values())
    )
