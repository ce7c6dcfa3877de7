"""Several runs side by side.

Models pinned beside the current one, on the same data and in the same order.

A pin is a whole run: kernel, learner, predictor, order and epoch limit. Only data and cues are
those of the current settings, so that a change there is a change for all. In a link an order or
epoch limit that is left out of a pin is that of the current settings; `Pin.with_settings` therefore
writes it out as soon as these change.

Tests: tests/test_comparison.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np

from kpviz import experiment
from kpviz.engine.run import predictors
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.lessons.explain import counted
from kpviz.settings import BY_NAME, LEARNER_PROPERTIES, Settings, names_of, written
from kpviz.settings.combined_kernels import FORMER_NAMES, as_one_kernel
from kpviz.settings.kernel_words import kernel_label

MOST = 3  # In pins; with the current run there are four maps.
LETTERS = "ABCD"
MODEL = names_of("kernel", "learner", "reading")
ORDER = names_of("order")
_OF_PIN = names_of("kernel", "learner", "order", "reading")
_KEY = "pins"
READY = "compare"  # A link names a ready comparison by this key, see `presets`.


@dataclass(frozen=True)
class Pin:
    """How a run differs from the defaults, and in its order from the current one.

    Equal exactly when the links are.
    """

    items: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, settings: Settings, current: Settings | None = None) -> Pin:
        """Return the run of the settings, beside the current ones (None: these are the same)."""
        model = {name: settings.values[name] for name in MODEL if not settings.is_default(name)}
        return cls(tuple(model.items()))._in_order_of(
            settings, settings if current is None else current
        )

    def on(self, settings: Settings) -> Settings:
        """Return this run on the data of the settings."""
        return Settings.of(**{**_shared(settings), **dict(self.items)})

    def with_settings(self, before: Settings, now: Settings) -> Pin:
        """Return the same run beside other current settings.

        What it shared with them of its order, it keeps.
        """
        if all(before.values[name] == now.values[name] for name in ORDER):
            return self
        return self._in_order_of(self.on(before), now)

    def _in_order_of(self, settings: Settings, current: Settings) -> Pin:
        """Return this model with what differs of its order from the current settings."""
        items = {name: value for name, value in self.items if name in MODEL}
        for name in ORDER:  # The order comes first, as it decides if there is a seed.
            shared = Pin(tuple(items.items())).on(current)
            applies = settings.reason_against(name) is None and shared.reason_against(name) is None
            if applies and settings.values[name] != shared.values[name]:
                items[name] = settings.values[name]
        return Pin(tuple((name, items[name]) for name in _OF_PIN if name in items))


def _shared(settings: Settings) -> dict[str, Any]:
    """Return what a pin has of the current settings where it has nothing of its own."""
    return {
        name: settings.values[name]
        for name in BY_NAME
        if name not in MODEL and settings.reason_against(name) is None
    }


def query(pins: tuple[Pin, ...]) -> str:
    """Return the part of a link that has the pins, as "pins=1&p1.kernel=linear"; "" for none."""
    if not pins:
        return ""
    parts = [f"{_KEY}={len(pins)}"]
    for number, pin in enumerate(pins, start=1):
        for name, value in pin.items:
            parts.append(f"p{number}.{name}={quote(written(value), safe='~')}")
    return "&".join(parts)


def is_key(key: str) -> bool:
    """Whether a key of a link belongs to a comparison."""
    head, dot, _ = key.partition(".")
    return key in (_KEY, READY) or (
        dot == "." and head[:1] == "p" and head[1:].isdigit() and head.isascii()
    )


def read(link: Mapping[str, str], settings: Settings) -> tuple[tuple[Pin, ...], list[str]]:
    """Return the pins of a link, and what was wrong with them, one phrase each."""
    text = link.get(_KEY, "0")
    problems: list[str] = []
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= MOST):
        problems.append(f"pins is not a number from 0 to {MOST}")
        return (), problems
    pins = []
    for number in range(1, int(text) + 1):
        head = f"p{number}."
        pin_pairs = {
            key.removeprefix(head): value for key, value in link.items() if key.startswith(head)
        }
        of_model = {
            name: value
            for name, value in pin_pairs.items()
            if name in _OF_PIN or name in FORMER_NAMES
        }
        wrong = pin_pairs.keys() - of_model.keys()
        model, lost = as_one_kernel({**_shared(settings), **of_model})
        made, more = Settings.repaired(model)
        pin_problems = [
            made.with_value_used(problem)
            for problem in more
            if problem.partition("=")[0] in pin_pairs
        ]
        problems += [f"{head}{problem}" for problem in [*lost, *pin_problems]]
        problems += ["a pin holds what is not part of a model"] if wrong else []
        pins.append(Pin.of(made, settings))
    return tuple(pins), problems


# ---- the table ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """One column of the table: a run at its end. None: it has no such number."""

    mistakes: int | None
    epochs: int | None
    support: int
    margin: float | None
    norm: float | None
    train_error: float | None
    test_error: float | None
    seconds: float


def summary(settings: Settings, split: Split, run: Run) -> Summary:
    """Return the numbers of a run at its end, read by its predictor.

    The margin is geometric, y f(x)/‖f‖.

    Of a stream, whose target may have moved on, margin and error on what has gone by say nothing:
    None.
    """
    gone_by = settings.stream == "on"
    coef, b = (part[0] for part in predictors.coefficients(run, [run.n_steps], settings.predictor))
    norm = margin = None
    if settings.predictor != "voted":
        support = np.flatnonzero(coef)
        scores = predictors.kernel_columns(run, run.X, support) @ coef[support]
        squared = float(coef @ scores)
        norm = float(np.sqrt(squared)) if squared > 0.0 else None
        if run.initial is None:  # With a fixed f₀, f has no norm.
            margin = float((run.y * (scores + b)).min()) / norm if norm else None
    else:
        coef = run.state_at(run.n_steps).coef
    return Summary(
        mistakes=None if run.learner.chooses else int(run.mistake.sum()),
        epochs=run.n_epochs,
        support=int(np.count_nonzero(coef)),
        margin=None if gone_by else margin,
        norm=norm,
        train_error=None if gone_by else error(run, split.X, split.y, settings.predictor),
        test_error=error(run, split.X_test, split.y_test, settings.predictor),
        seconds=run.seconds,
    )


def error(run: Run, X: Any, y: Any, predictor: str) -> float | None:
    """Return the share of examples that a reading gets wrong at the end, None of no examples."""
    if not len(y):
        return None
    scores = run.decision_function(X, predictor=predictors.predictor_named(predictor))
    wrong = (np.where(scores >= 0, 1.0, -1.0) != y) if predictor == "voted" else (scores * y <= 0)
    return float(wrong.mean())


_TIES = {  # They stand after "a zero score".
    "mistake": "is a mistake",
    "correct": "is correct",
    "positive": "counts as +1",
    "negative": "counts as −1",
}


def names(pins: Sequence[Pin], settings: Settings) -> list[str]:
    """Return names that distinguish the pinned models and the current one, which is the last."""
    made = [*(pin.on(settings) for pin in pins), settings]
    same = len({settings_of_run.learner for settings_of_run in made}) == 1
    orders = [
        key
        for key in ORDER
        if len(
            {
                settings_of_run.values[key]
                for settings_of_run in made
                if not settings_of_run.reason_against(key)
            }
        )
        > 1
    ]
    parts = [_parts(settings_of_run, orders, defaults=same) for settings_of_run in made]
    keys = [
        key
        for key in dict.fromkeys(key for parts_of_run in parts for key in parts_of_run)
        if len({parts_of_run.get(key) for parts_of_run in parts}) > 1
    ]
    differing = [
        " · ".join(parts_of_run[key] for key in keys if key in parts_of_run)
        for parts_of_run in parts
    ]
    return [
        text or " · ".join(parts_of_run.values())
        for text, parts_of_run in zip(differing, parts, strict=True)
    ]


_ORDERS: dict[str, Callable[[Any], str]] = {
    "order": "{} order".format,
    "sequence": "order by hand".format,
    "oseed": "order seed {}".format,
    "epochs": lambda most: f"up to {counted(most, 'epoch')}",
}


def _parts(settings: Settings, orders: Sequence[str], *, defaults: bool) -> dict[str, str]:
    """What a run is, part by part, with these of its order.

    `defaults`: the learner's default parameters, too.
    """
    about = experiment.learner(settings).about
    parts = {}
    for key in LEARNER_PROPERTIES:
        if settings.reason_against(key) is None and (defaults or not settings.is_default(key)):
            value = settings.values[key]
            label = BY_NAME[key].label
            text = (
                _TIES.get(value, value)
                if isinstance(value, str)
                else f"= {value:g}".replace("-", "−")
            )
            label = (
                "a zero score"
                if key == "tie"
                else label
                if len(label) == 1
                else label[0].lower() + label[1:]
            )
            parts[key] = f"{label} {text}"
    for key in orders:
        if settings.reason_against(key) is None and (defaults or not settings.is_default(key)):
            parts[key] = _ORDERS[key](settings.values[key])
    for key in ("w0", "b0"):
        if not settings.is_default(key) and settings.reason_against(key) is None:
            parts[key] = f"{BY_NAME[key].label[-2:]} = {settings.values[key]}".replace("-", "−")
    return {
        "kernel": kernel_label(experiment.kernel(settings)),
        "learner": about.title,
        **parts,
        "predictor": settings.predictor,
    }
