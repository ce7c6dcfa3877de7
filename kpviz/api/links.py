"""The link of a run: its settings, found from the run alone, of kpviz's own data or of points as if
drawn.

Tests: tests/test_api.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from kpviz import experiment
from kpviz.engine.data import datasets, sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.kernels import KERNELS, AllSubsets, Formula, Kernel, Normalized
from kpviz.engine.kernels.trees import formula_of
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.run import Run
from kpviz.lessons import presets
from kpviz.lessons.comparison import Pin
from kpviz.settings import DRAWN, FILE, HAND, MOST_IN_LINKS, Settings, learner_settings


def link(settings: Settings, pins: Sequence[Pin] = ()) -> str:
    """Return the link of a run of these settings, with those that are pinned beside it, see
    `kpviz.Run.link`.
    """
    if settings.data == FILE:
        raise NoLinkError(
            "No link makes this run once more: a link does not hold the rows of a file."
        )
    if settings.data == DRAWN and settings.stored_name is not None:
        raise NoLinkError(
            f"No link makes this run once more: a link holds at most {MOST_IN_LINKS} points."
        )
    pinned = presets.query(settings, pins)
    return f"?{settings.link()}" + (f"&{pinned}" if pinned else "")


def settings_of(run: Run) -> Settings:
    """Return settings that make exactly this run.

    Raises
    ------
    ValueError
        One sentence: why there are none.
    """
    if run.start is not None:
        raise _refusal("it went on from an earlier state")
    if run.kernel is None:
        raise _refusal("its X is a Gram matrix, without points")
    made = datasets.origin(run.X, run.y)
    if made:
        with suppress(NoLinkError):
            return _settings(run, made)
    if run.X.ndim != 2 or run.X.shape[1] != 2:
        raise _refusal(f"a link holds points of the plane, and X has shape {run.X.shape}")
    if len(run.X) > MOST_IN_LINKS:
        raise _refusal(f"a link holds at most {MOST_IN_LINKS} points, and X has {len(run.X):,}")
    return _settings(run, None)


def _settings(run: Run, data: dict[str, Any] | None) -> Settings:
    values = {**_kernel(run.kernel), **_learner(run), **_order(run)}
    # These come last: whom they refuse, rounding helps.
    values |= _points(run) if data is None else data
    settings, problems = Settings.repaired(values)
    if problems:
        raise _refusal(problems[0])
    epochs = run.n_epochs if run.end == "limit" else max(run.n_epochs, settings.epochs)
    settings, problems = Settings.repaired({**values, "epochs": epochs})
    if problems:
        raise _refusal(problems[0])
    if not _same(experiment.run(settings), run):
        raise _refusal(
            "a link rounds parameters to six digits, and training ends at the first clean epoch"
        )
    return settings


class NoLinkError(ValueError, AttributeError):
    """Why no link makes a run once more; to `hasattr` and to debuggers, that it has none."""


def _refusal(why: str) -> NoLinkError:
    return NoLinkError(f"No link makes this run once more: {why}.")


def _points(run: Run) -> dict[str, Any]:
    drawn = Drawn.of(run.X, run.y)
    if not np.array_equal(drawn.X, run.X):
        digits = -math.ceil(math.log10(max(axis.step for axis in drawn.axes)))
        raise _refusal(f"a link holds points on a grid, so round X by X.round({digits}) first")
    return {"data": DRAWN, "points": drawn.code}


def _kernel(kernel: Kernel | None) -> dict[str, Any]:
    normalized = isinstance(kernel, Normalized)
    plain = kernel.kernel if isinstance(kernel, Normalized) else kernel
    result = {"normalize": "on" if normalized else "off"}
    if isinstance(plain, Formula):
        return result | {"kernel": "formula", "formula": plain.text}
    if plain is not None and plain.parts:
        try:
            return result | {"kernel": "formula", "formula": formula_of(plain, named=True)}
        except ValueError as error:
            raise _refusal(
                f"the app has no kernel {plain!r}: {str(error).removesuffix('.')}"
            ) from None
    name = next((name for name, kind in KERNELS.items() if type(plain) is kind), None)
    if name is None:
        raise _refusal(f"the app has no kernel {plain!r}")
    result |= {"kernel": name} | {
        parameter: getattr(plain, parameter) for parameter in KERNELS[name].ranges
    }
    if isinstance(plain, AllSubsets):
        result["negated"] = "on" if plain.negated else "off"
    return result


def _learner(run: Run) -> dict[str, Any]:
    name = next((name for name, kind in LEARNERS.items() if type(run.learner) is kind), None)
    if name is None:
        raise _refusal(f"the app has no learner {type(run.learner).__name__}")
    return {"learner": name, **learner_settings(run.learner), **_initial(run)}


def _initial(run: Run) -> dict[str, Any]:
    if run.initial is None:
        return {}
    w0, b0 = run.initial
    return {"w0": "" if w0 is None else ",".join(map(repr, w0.tolist())), "b0": b0}


def _order(run: Run) -> dict[str, Any]:
    if run.learner.chooses:
        return {}
    if run.order != "by hand":
        return {"order": run.order, "oseed": run.seed}
    rows = np.split(run.index, run.epoch_start[1:])
    if not all(np.array_equal(row, rows[0]) for row in rows) or sorted(rows[0]) != list(
        range(len(run.X))
    ):
        raise _refusal(
            "a link holds one order, the same in every epoch, that shows each example once"
        )
    return {"order": HAND, "sequence": sequence.encode(rows[0].tolist())}


def _same(one: Run, other: Run) -> bool:
    """Whether two runs agree in every number."""
    ours, theirs = ([run.index, run.score, *vars(run.changes).values()] for run in (one, other))
    return one.end == other.end and all(map(np.array_equal, ours, theirs))
