"""The one table of properties: it drives the link, the widgets and the command line.

A property's range and default may depend on the properties before it (the noise of a data set, the
constant of a kernel), so a value left out of a link means "the default of this data set or kernel".

Tests: tests/test_settings.py.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from kpviz.engine.checks import Range
from kpviz.engine.data import boolean, objects, sequence, streams, weights
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.dnf import MOST_BITS
from kpviz.engine.data.drawn import ALPHABET, Drawn, Names
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.data.tables import DECIMAL_MARKS, ENCODINGS, shortened
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import EXAMPLE, MAX_LENGTH, Formula
from kpviz.engine.learners import LEARNERS, Learner
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.run.train import ORDERS
from kpviz.settings import conditions
from kpviz.settings.conditions import Condition, Values
from kpviz.settings.cues import LONGEST_CUES, Cues

Group = Literal["data", "question", "kernel", "learner", "order", "reading", "cues"]


@dataclass(frozen=True)
class Property:
    """One setting: its name in links, what it may be, and when it has a meaning.

    Exactly one of `choices`, `range` and `text` (its greatest length) describes the values. `group`
    is the part of the settings that it belongs to. `needs` is the condition under which it applies,
    see `kpviz.settings.conditions`; `refused` returns why one of its choices cannot be chosen, or
    None; `canonical` the one way to write a text, or None if it means nothing; a ValueError says
    why. `reports_error` says that a person writes the text, and reads what is wrong with it. Links
    leave the characters `safe` as they are.
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
    safe: str = "~"
    canonical: Callable[[str, Values], str | None] = lambda text, values: text

    def not_applicable(self, values: Values) -> str | None:
        """Return why the property has no meaning under these values, or None if it has one."""
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
            if isinstance(value, str) and value in self.choices:
                problem = self.refused(value, values)
            else:
                problem = f"is unknown{did_you_mean(value, self.choices_for(values))}"
            return (value, None) if problem is None else (self.default_for(values), problem)
        if self.text:
            begin = str(value)[: 2 * self.text]  # A text may have any length.
            text = "".join(ch for ch in begin if ch.isprintable())[: self.text]
            why = ""
            try:
                written = self.canonical(text, values)
            except ValueError as error:
                written = None
                why = f": {error}".rstrip(".") if self.reports_error else ""
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
        # + 0.0 makes 0.0 of -0.0.
        return round(clamped) if limits.integer else float(f"{clamped:.6g}") + 0.0, problem


# Another learner may lack these, and then their loss is said.
NOT_LOST = ("order", "intercept", "w0", "b0", "predictor")
_LONGEST_WORD = 80  # In characters: so much is compared with known words.
NAMELESS = "a value without a name"  # A link with "&=" in it has one.


def beginning(value: Any) -> str:
    r"""Return the beginning of something that a stranger wrote, on one line.

    >>> beginning("as wide as it is long\n")
    'as wide as it is long'
    """
    return shortened(str(value), 24)


def did_you_mean(value: Any, known: Iterable[str]) -> str:
    """Return which of the known words was probably meant, to be put behind what is wrong; "" if
    none is near.

    >>> did_you_mean("xorr", ["moons", "xor"])
    " (did you mean 'xor'?)"
    """
    near = difflib.get_close_matches(str(value)[:_LONGEST_WORD], list(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


FILE = conditions.FILE
DRAWN = conditions.DRAWN
HAND = conditions.HAND
BOOLEAN = conditions.BOOLEAN
MAX_POINTS = 1000
MAX_STREAM = 2000
STARTING_B = Range(
    -100.0, 100.0, 0.0, "b₀", "added to every score: a threshold θ is b₀ = −θ", step=0.1
)
_SEEDS = Range(0, 9999, 0, "", "seed", integer=True)


_DEFAULTS_WITHOUT_SOURCE = {"noise": 0.0, "balance": 0.5, "n": MAX_POINTS}


def _source_default(name: str) -> Callable[[Values], Any]:
    def default(values: Values) -> Any:
        source = SOURCES.get(values["data"])
        return getattr(source, name) if source else _DEFAULTS_WITHOUT_SOURCE[name]

    return default


# The defaults of a stream: enough examples, label noise and memory for budgets and NORMA to show
# what they are for.
_IN_STREAMS: dict[str, Any] = {
    "n": streams.PER,
    "flipped": 0.1,
    "epochs": 1,
    "budget": 50,
    "truncation": 200,
}
_DRIFT = 0.5


def _default_of(name: str, elsewhere: Callable[[Values], Any]) -> Callable[[Values], Any]:
    """The default in a stream, and elsewhere."""
    return lambda values: (
        _IN_STREAMS[name]
        if name in _IN_STREAMS and conditions.is_stream(values)
        else elsewhere(values)
    )


def _points(values: Values) -> Range:
    if conditions.is_stream(values):
        return Range(
            50,
            MAX_STREAM,
            streams.PER,
            "n",
            "number of examples, each of which arrives once",
            integer=True,
        )
    source = SOURCES.get(values["data"])
    high = min(MAX_POINTS, source.available) if source else MAX_POINTS
    return Range(4, high, 60, "n", "number of points, held-out ones included", integer=True)


def _bits(values: Values) -> Range:
    low = boolean.fewest(values["function"])
    return Range(low, MOST_BITS, max(boolean.USUAL_BITS, low), "n", "number of bits", integer=True)


def _kernel_property(name: str) -> Property:
    """Return the property of a parameter of kernels, with its range and condition."""
    first_range = next(kernel.ranges[name] for kernel in KERNELS.values() if name in kernel.ranges)

    def limits(values: Values) -> Range:
        return KERNELS[values["kernel"]].ranges.get(name, first_range)

    def needs(values: Values) -> str | None:
        kernel = KERNELS[values["kernel"]]
        return None if name in kernel.ranges else f"{kernel.name} has no {first_range.symbol}"

    return Property(
        name,
        first_range.symbol,
        lambda values: limits(values).default,
        "kernel",
        range=limits,
        needs=needs,
    )


KERNEL_PARAMETERS = tuple(
    dict.fromkeys(name for kernel in KERNELS.values() for name in kernel.ranges)
)


# Parameters of learners: their names in links where these differ, and their labels where they have
# no range.
LINK_NAMES = {
    "learning_rate": "eta",
    "regularization": "lambda",
    "margin": "rho",
    "truncation": "tau",
    "threshold": "delta",
    "fit_intercept": "b",
}
_CHOICE_LABELS = {
    "intercept": "Intercept",
    "tie": "A zero score is",
    "variant": "Variant",
    "schedule": "Step size",
    "fit_intercept": "Intercept b",
}
_SWITCH = {True: "on", False: "off"}


def _parameters(learner: type[Learner]) -> dict[str, Any]:
    return {**learner.ranges, **learner.choices}


_LEARNER_NAMES = list(
    dict.fromkeys(name for learner in LEARNERS.values() for name in _parameters(learner))
)
_LEARNER_NAMES.remove("margin")
_LEARNER_NAMES.append("margin")  # It comes after ν, which decides if ρ applies.


def _label(learner: type[Learner], name: str) -> str:
    """Return what a parameter of a learner is called: its symbol, or a few words where it has
    choices.
    """
    parameter = _parameters(learner)[name]
    return parameter.symbol if isinstance(parameter, Range) else _CHOICE_LABELS.get(name, name)


def _learner_property(name: str) -> Property:
    """Range or choices, and condition, of a learner's parameter."""
    owners = [learner for learner in LEARNERS.values() if name in _parameters(learner)]
    parameter = _parameters(owners[0])[name]
    label = _label(owners[0], name)
    for other in owners[1:]:
        # A link, and the field beside the board, have one of the two.
        if _label(other, name) != label:
            raise ValueError(
                f"the parameter {name!r} is called {label!r} by {owners[0].__name__} and "
                f"{_label(other, name)!r} by "
                f"{other.__name__}: two learners share a parameter’s name only with the same "
                "symbol, so rename one."
            )

    def of(values: Values) -> Any:
        return _parameters(LEARNERS[values["learner"]]).get(name, parameter)

    def needs(values: Values) -> str | None:
        learner = LEARNERS[values["learner"]]
        if name not in _parameters(learner):
            return f"{learner().about.title} has no {label}"
        return (learner.unused[name](values) or None) if name in learner.unused else None

    link = LINK_NAMES.get(name, name)
    if isinstance(parameter, Range):
        return Property(
            link,
            label,
            _default_of(name, lambda values: of(values).default),
            "learner",
            range=of,
            needs=needs,
        )

    def words(choices: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple(_SWITCH.get(value, value) for value in choices)

    def refused(value: str, values: Values) -> str | None:
        return None if value in words(of(values)) else "is not available here"

    every = tuple(
        dict.fromkeys(word for owner in owners for word in words(_parameters(owner)[name]))
    )
    return Property(
        link,
        label,
        lambda values: words(of(values))[0],
        "learner",
        choices=every,
        needs=needs,
        refused=refused,
    )


def learner_values(values: Values) -> dict[str, Any]:
    """Return the parameters of the learner that the settings name, as its class takes them."""
    result = {}
    for name, parameter in _parameters(LEARNERS[values["learner"]]).items():
        value = values[LINK_NAMES.get(name, name)]
        if isinstance(parameter, Range):
            result[name] = None if parameter.off is not None and value == parameter.off else value
        else:
            result[name] = next(
                choice for choice in parameter if _SWITCH.get(choice, choice) == value
            )
    return result


def learner_settings(learner: Any) -> dict[str, Any]:
    """Return the settings that name the parameters of a learner, as links write them."""
    result = {}
    for name, parameter in _parameters(type(learner)).items():
        value = getattr(learner, name)
        if isinstance(parameter, Range):
            value = parameter.off if value is None else value
        result[LINK_NAMES.get(name, name)] = (
            _SWITCH.get(value, value) if not isinstance(parameter, Range) else value
        )
    return result


def _asked_code(text: str, values: Values) -> str:
    code = objects.reader(conditions.compared(values)).check(text, "What is asked") if text else ""
    if len(code) > objects.LONGEST_ADDED:
        raise ValueError(
            f"What is asked is {len(code):,} characters long: at most {objects.LONGEST_ADDED} are "
            "allowed."
        )
    return code


def _names_code(text: str, values: Values) -> str | None:
    names = Names.read(text)
    return None if names is None else names.code


def _weights_code(text: str, values: Values) -> str:
    return weights.written(weights.read(text, conditions.features(values)))


def _sequence_code(text: str, values: Values) -> str | None:
    return (
        sequence.encode(sequence.read(text, MAX_POINTS).tolist())
        if set(text) <= set(ALPHABET)
        else None
    )


PROPERTIES: tuple[Property, ...] = (
    Property("data", "Data set", "xor", choices=(*SOURCES, *OBJECTS, FILE, DRAWN)),
    Property(
        "function",
        "Function",
        boolean.USUAL,
        text=1000,
        needs=conditions.data(BOOLEAN),
        canonical=lambda text, values: boolean.canonical(text),
        reports_error=True,
    ),
    Property(
        "bits",
        "Bits",
        lambda values: _bits(values).default,
        range=_bits,
        needs=conditions.data(BOOLEAN),
    ),
    Property(
        "added",
        "Added",
        "",
        text=8300,
        needs=conditions.objects,
        canonical=lambda text, values: objects.code(
            objects.parse(text, conditions.compared(values))
        ),
        reports_error=True,
    ),
    Property(
        "ask",
        "Asked",
        "",
        "question",
        text=objects.LONGEST_ADDED,
        needs=conditions.objects,
        canonical=_asked_code,
        reports_error=True,
    ),
    Property("stream", "Stream", "off", choices=("off", "on"), needs=conditions.unlimited_examples),
    Property(
        "n",
        "Points",
        _default_of("n", _source_default("n")),
        range=_points,
        needs=conditions.any_number,
    ),
    Property(
        "noise",
        "Noise",
        _source_default("noise"),
        range=Range(
            0.0, 0.5, 0.05, "noise", "standard deviation of the jitter, in data units", step=0.01
        ),
        needs=conditions.random_examples,
    ),
    Property(
        "flipped",
        "Flipped labels",
        _default_of("flipped", lambda values: 0.0),
        range=Range(
            0.0, 0.5, 0.0, "flipped", "share of labels turned to the other class", step=0.01
        ),
        needs=conditions.random_examples,
    ),
    Property(
        "balance",
        "Class balance",
        _source_default("balance"),
        range=Range(0.1, 0.9, 0.5, "balance", "share of class +1", step=0.01),
        needs=conditions.random_examples,
    ),
    Property(
        "drift",
        "Drift",
        lambda values: 0.0 if conditions.movable_target(values) is not None else _DRIFT,
        range=Range(
            0.0, 2.0, _DRIFT, "drift", f"turns of the target in {streams.PER:,} examples", step=0.05
        ),
        needs=conditions.movable_target,
    ),
    Property("moves", "The target", "turn", choices=streams.MOVES, needs=conditions.drift),
    Property("seed", "Data seed", 0, range=_SEEDS, needs=conditions.seed),
    Property(
        "held",
        "Held out",
        0.0,
        range=Range(0.0, 0.5, 0.0, "held out", "share kept for testing", step=0.05),
        needs=conditions.held_out,
    ),
    Property(
        "pair",
        "Classes",
        "12",
        choices=("12", "02", "01", "r0", "r1", "r2"),
        needs=conditions.data("iris"),
    ),
    Property(
        "x",
        "First feature",
        lambda values: 2 if values["data"] == "iris" else 0,
        range=lambda values: Range(
            0, 3 if values["data"] == "iris" else 29, 0, "feature 1", "column", integer=True
        ),
        needs=conditions.data("iris", "breast_cancer"),
    ),
    Property(
        "y",
        "Second feature",
        lambda values: 3 if values["data"] == "iris" else 1,
        range=lambda values: Range(
            0, 3 if values["data"] == "iris" else 29, 1, "feature 2", "column", integer=True
        ),
        needs=conditions.data("iris", "breast_cancer"),
    ),
    Property("file", "File", "", text=100, needs=conditions.data(FILE)),
    Property("cols", "Columns", "", text=300, needs=conditions.data(FILE)),
    Property(
        "encoding",
        "Encoding",
        conditions.AUTO,
        choices=(conditions.AUTO, *ENCODINGS),
        needs=conditions.data(FILE),
    ),
    Property(
        "decimals",
        "Decimal mark",
        conditions.AUTO,
        choices=(conditions.AUTO, *DECIMAL_MARKS),
        needs=conditions.data(FILE),
    ),
    Property(
        "reduce", "Principal components", "off", choices=("off", "on"), needs=conditions.data(FILE)
    ),
    Property(
        "scale",
        "Scale",
        conditions.AUTO,
        choices=(conditions.AUTO, "fit", "none"),
        needs=conditions.data(FILE),
    ),
    Property(
        "points",
        "Points",
        "",
        text=4500,
        needs=conditions.data(DRAWN),
        canonical=lambda text, values: Drawn.read(text, MAX_POINTS).code,
    ),
    Property(
        "names",
        "Names",
        "",
        text=300,
        needs=conditions.data(DRAWN),
        canonical=_names_code,
    ),
    Property(
        "kernel",
        "Kernel",
        lambda values: (
            OBJECTS[values["data"]].kernels[0] if values["data"] in OBJECTS else "gaussian"
        ),
        "kernel",
        choices=tuple(KERNELS),
        refused=conditions.not_compared,
    ),
    *map(_kernel_property, KERNEL_PARAMETERS),
    Property(
        "negated",
        "Negated literals",
        lambda values: "on" if values["data"] == BOOLEAN else "off",
        "kernel",
        choices=("off", "on"),
        needs=conditions.kernel("subsets"),
    ),
    Property(
        "formula",
        "Formula",
        EXAMPLE,
        "kernel",
        text=MAX_LENGTH,
        needs=conditions.kernel("formula"),
        canonical=lambda text, values: str(Formula(text).tree),
        reports_error=True,
    ),
    Property(
        "learner",
        "Learner",
        "perceptron",
        "learner",
        choices=tuple(LEARNERS),
        refused=conditions.not_online,
    ),
    *map(_learner_property, _LEARNER_NAMES),
    Property(
        "w0",
        "Starting weights w₀",
        "",
        "learner",
        text=200,
        needs=conditions.starting_weights,
        canonical=_weights_code,
        reports_error=True,
        safe=",",
    ),
    Property("b0", "b₀", 0.0, "learner", range=STARTING_B, needs=conditions.fixed_part),
    Property(
        "normalize",
        "Normalized kernel",
        lambda values: "on" if conditions.normalized_by_default(values) else "off",
        "kernel",
        choices=("off", "on"),
        needs=conditions.choice_of_norm,
    ),
    Property(
        "order",
        "Order",
        "cyclic",
        "order",
        choices=(*ORDERS, HAND),
        needs=conditions.order,
        refused=conditions.not_of_mistakes,
    ),
    Property(
        "sequence",
        "First",
        "",
        "order",
        text=2 * MAX_POINTS,
        needs=conditions.order_by_hand,
        canonical=_sequence_code,
    ),
    Property("oseed", "Order seed", 0, "order", range=_SEEDS, needs=conditions.drawn_order),
    Property(
        "epochs",
        "Epoch limit",
        _default_of("epochs", lambda values: LEARNERS[values["learner"]].default_epochs),
        "order",
        range=Range(1, 1000, 50, "epochs", "most epochs", integer=True, log=True),
        needs=conditions.several_passes,
    ),
    Property(
        "predictor",
        "Predictor",
        "last",
        "reading",
        choices=PREDICTORS,
        needs=conditions.several_readings,
    ),
    Property(
        "cues",
        "Cues",
        "",
        "cues",
        text=LONGEST_CUES,
        canonical=lambda text, values: Cues.of_code(text).code,
    ),
)
LEARNER_PROPERTIES = tuple(LINK_NAMES.get(name, name) for name in _LEARNER_NAMES)
BY_NAME: dict[str, Property] = {}
for _prop in PROPERTIES:
    if _prop.name in BY_NAME:  # A link could set only one of them.
        raise ValueError(
            f"two settings are called {_prop.name!r}: rename the parameter of the kernel, or give "
            "that of the learner "
            "another name in LINK_NAMES."
        )
    BY_NAME[_prop.name] = _prop


def names_of(*groups: Group) -> tuple[str, ...]:
    """Return the names of the properties of these groups, in the order of the table."""
    return tuple(prop.name for prop in PROPERTIES if prop.group in groups)
