"""What `kpviz train` reports about a run, and the list of settings.

Tests: tests/commands/test_train.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.data import boolean
from kpviz.engine.data.tables import Table
from kpviz.engine.kernels.formula import EXAMPLE
from kpviz.engine.run.gram import is_large
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.lessons import comparison, explain, verdict
from kpviz.settings import FILE, PROPERTIES, Property, Settings

# So many of a long list are printed.
_FIRST = 20
_LAST = 3
_INDENT = 11


def of_run(settings: Settings, split: Split, run: Run, table: Table | None = None) -> str:
    """Return the report of a run, one line for each fact; `table` holds the rows that were read."""
    alpha = run.state_at(run.n_steps).alpha
    support = np.flatnonzero(alpha)
    rows = {
        "data": _data(settings, split),
        "model": comparison.names((), settings)[0],
        "mistakes": _mistakes(run),
        "end": explain.ending(run, stream=settings.stream == "on"),
        **_known(settings, split, run),
        "support": f"{len(support)} of {explain.counted(len(run.y), 'example')}"
        + (f": {_named(support, split.lines)}" if len(support) else ""),
        "error": _errors(settings, split, run),
    }
    read = () if table is None else (*table.notices, *_readings(table))
    notes = dict.fromkeys([*read, *split.source.notices, *_changes(settings, split)])
    lines = [*rows.items(), *(("note", note) for note in notes)]
    return "".join(f"{key:{_INDENT}}{text}\n" for key, text in lines if text)


def _mistakes(run: Run) -> str:
    """Return the mistakes of each epoch, "" where there was none.

    No pair of examples of one class can change.
    """
    if not run.n_epochs:
        return ""
    return f"{_listed(run.mistakes_per_epoch)} in {explain.counted(run.n_epochs, 'epoch')}"


def _known(settings: Settings, split: Split, run: Run) -> dict[str, str]:
    """Return whether the classes can be separated, and what was tried and helps."""
    if is_large(len(run.y)):
        return {}  # It takes the whole Gram matrix.
    run_verdict = verdict.of(settings, split, run)
    return {
        "separable": " ".join(filter(None, [run_verdict.no, run_verdict.separable])),
        "advice": run_verdict.help,
    }


def _data(settings: Settings, split: Split) -> str:
    name = settings.file.partition("~")[0] if settings.data == FILE else experiment.title(settings)
    held = f", {len(split.y_test):,} more held out" if len(split.y_test) else ""
    return f"{name}: {explain.counted(len(split.y), 'example')}{held}"


def _errors(settings: Settings, split: Split, run: Run) -> str:
    train_error = (
        None
        if settings.stream == "on"
        else comparison.error(run, split.X, split.y, settings.predictor)
    )
    test_error = comparison.error(run, split.X_test, split.y_test, settings.predictor)
    parts = [] if train_error is None else [f"{train_error:.1%} of the examples"]
    parts += [] if test_error is None else [f"{test_error:.1%} of those held out"]
    return ", ".join(parts)


def _readings(table: Table) -> Iterator[str]:
    """Yield how bytes and numbers of a table were read that may mean something else."""
    for reading in table.readings():
        if reading.argument == "encoding":
            yield f"{reading.words} --set encoding=… reads it otherwise."
        else:
            ((value, other),) = reading.others.items()
            yield f"{reading.words} --set decimals={value} reads it as {other}."


def _changes(settings: Settings, split: Split) -> Iterator[str]:
    """Yield what is to be known of the scale and the order of a file, and what changes it."""
    scaling = experiment.scaling_note(settings, split.source)
    if scaling:
        other = (
            "scale=none takes them as they are"
            if split.source.scaled
            else "scale=fit scales them to ±1"
        )
        yield f"{scaling} --set {other}."
    sorted_by_label = experiment.sorted_note(settings, split)
    if sorted_by_label:
        yield f"{sorted_by_label} --set order=shuffled shuffles them in each epoch."


def _listed(numbers: NDArray[Any]) -> str:
    return " ".join(_shortened([str(number) for number in numbers.tolist()]))


def _named(examples: NDArray[Any], lines: NDArray[np.int64] | None) -> str:
    """Return the indices of some examples, each with its line where they are from a file."""
    if lines is None:
        return _listed(examples)
    return ", ".join(_shortened([f"{i} (line {lines[i]})" for i in examples.tolist()]))


def _shortened(texts: list[str]) -> list[str]:
    return texts if len(texts) <= _FIRST + _LAST else [*texts[:_FIRST], "…", *texts[-_LAST:]]


# ---- settings ------------------------------------------------------------------------------------


def settings_list() -> str:
    """Return all settings, one line each: the name, what it may be, and what it is."""
    defaults = Settings.of().values
    width = max(len(prop.name) for prop in PROPERTIES) + 1
    lines = (f"  {prop.name:{width}}{_allowed(prop, defaults)}" for prop in PROPERTIES)
    note = "Defaults and ranges depend on the data set, the kernel and the learner."
    return "\n".join(
        ["Settings, as links and --set write them (* marks the default):", "", *lines, "", note, ""]
    )


_PRESETS = ", ".join(f"{name}*" if name == boolean.USUAL else name for name in boolean.PRESETS)
_TYPED = {  # A person writes these texts.
    "function": f"{_PRESETS}, or one of your own, as x1 & !x2 | x3",
    "added": "texts, trees or graphs of your own, each after its class, as +what a goal;-boil the "
    "rice",
    "formula": f"of u and v; the default is {EXAMPLE}",
    "ask": "the text, tree or graph that is asked about",
}


def _allowed(prop: Property, defaults: dict[str, Any]) -> str:
    default = prop.default_for(defaults)
    if prop.choices:
        return (
            f"{prop.label}: "
            f"{', '.join(f'{choice}*' if choice == default else choice for choice in prop.choices)}"
        )
    if prop.text:
        return f"{prop.label}: {_TYPED.get(prop.name, 'a text, as the app writes it')}"
    limits = prop.range_for(defaults)
    words = "" if prop.words_hidden or limits.words in prop.label.lower() else f" ({limits.words})"
    return f"{prop.label}{words}: {limits.low:g} to {limits.high:g}, {default:g}*"
