"""What the player is sent only when its panel asks for it: each a part of the header, and arrays.

A new one is a function here and a line in EXTRAS, by the name of its panel if it has one
(web/panels).

Tests: tests/player/test_extras.py, tests/player/test_payload.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.kernels.objects.counting import Sketch, of_bits, sketches
from kpviz.engine.run import fold, predictors
from kpviz.engine.run.predictors import PREDICTORS, Progress
from kpviz.engine.theory import primal
from kpviz.engine.theory.applicable_bounds import BY_HAND, Bound, proof_of
from kpviz.engine.theory.primal import Arrow
from kpviz.lessons import figures, scores
from kpviz.player import kernel_extras
from kpviz.player.curve import curve
from kpviz.player.experiment import Experiment

Extra = tuple[Any, dict[str, NDArray[Any]]]
_MOST_WITH_FIGURES = 100  # With more examples the strip takes too long to follow a hand.


def encode(
    names: Collection[str], experiment: Experiment, progress: Progress | None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header's parts by name, and all arrays."""
    parts: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name in EXTRAS:
        if name in names:
            parts[name], more = EXTRAS[name](experiment, progress)
            arrays |= more
    return parts, arrays


def why_empty(experiment: Experiment) -> dict[str, str]:
    """Return why panels have nothing to show of a run, by name, as far as that is known at once."""
    reasons = {
        "primal": primal.why_not(experiment.run),
        "lift": kernel_extras.why_no_lift(experiment),
    }
    return {name: why for name, why in reasons.items() if why}


def _bounds(experiment: Experiment, progress: Progress | None) -> Extra:
    """The mistake bounds that may apply, and why some do not."""
    entries = [
        {
            "name": bound.name,
            "key": bound.key,
            "formula": bound.formula,
            "source": bound.source,
            "quantities": _quantities(bound),
            "value": _finite(bound.value),
            "applies": bound.applies,
            "why": bound.why,
            "silent": bound.silent,
            "times": [int(time) for time in bound.times],
            "values": [_finite(value) for value in bound.values],
        }
        for bound in experiment.bounds
    ]
    return entries, {}


def _readings(experiment: Experiment, progress: Progress | None) -> Extra:
    """Training and held-out error of PREDICTORS after each epoch, (3, n_epochs)."""
    run = experiment.run
    split = experiment.split
    if experiment.stream:  # There is no training set where each example is seen once.
        return None, {}
    arrays = {"readingsTrain": predictors.all_errors_per_epoch(run, split.X, split.y, progress)}
    if len(split.y_test):
        arrays["readingsTest"] = predictors.all_errors_per_epoch(
            run, split.X_test, split.y_test, progress
        )
    return {
        "kinds": list(PREDICTORS),
        "note": predictors.averaging_verdict(arrays["readingsTrain"], len(split.y)),
    }, arrays


def _primal(experiment: Experiment, progress: Progress | None) -> Extra:
    """The run in the primal form, with its first features, or `why` there is none."""
    run = experiment.run
    reading = primal.reading_or_why_not(run)
    part: dict[str, Any] = {"why": "", "growth": primal.growth_table()}
    if isinstance(reading, str):
        return part | {"why": reading}, {}
    columns = np.arange(min(reading.dimension, primal.SHOWN))
    spent = primal.costs(run)
    learns_b = run.learner.intercept != "none"
    starts_at_w0 = primal.starts_at_w0(run)
    b = int(learns_b or (starts_at_w0 and run.initial is not None and run.initial.b0 != 0.0))
    # φ(x) is x itself, and w an arrow
    in_plane = reading.names == ("u₁", "u₂") and not experiment.bits
    arrow = Arrow.of(reading.path(columns), experiment.split.extent) if in_plane else None
    part |= {
        "dimension": reading.dimension,
        "names": [reading.names[column] for column in columns],
        "arrow": None if arrow is None else asdict(arrow),
        "apart": reading.why,
        "perExample": spent.per_example,
        "perPresentation": spent.per_presentation,
        "storedPerExample": run.X.shape[1] + 1,
        "storedPrimal": reading.dimension + b,
        "storedIntercept": b,
        "learnsB": learns_b,
        "startsAtW0": starts_at_w0,
        "startW": primal.start_w(run)[columns].tolist() if starts_at_w0 else None,
        "breakEven": spent.break_even,
    }
    arrays: dict[str, NDArray[Any]] = {
        "primalPhi": reading.phi[fold.ever_in_support(run)][:, columns],
        "primalScore": scores.as_sent(reading.score),
        "primalAgrees": reading.agrees.astype(np.uint8),
    }
    return part, arrays


def _quantities(bound: Bound) -> list[tuple[str, str, list[Any]]]:
    """Symbol, words and values of each: one, or one for each of the bound's times."""
    parts = [part for part in bound.quantities if part.symbol != "M"]
    written = [
        _with_fewest_digits(
            bound,
            {part.symbol: part.values[k] if part.values else part.value for part in parts},
            float(value),
        )
        for k, value in enumerate(bound.values)
    ]
    columns = [[_finite(quantities[part.symbol]) for quantities in written] for part in parts]
    return [
        (part.symbol, part.words, values[:1] if len({*values}) == 1 else values)
        for part, values in zip(parts, columns, strict=True)
    ]


def _with_fewest_digits(bound: Bound, exact: dict[str, float], value: float) -> dict[str, float]:
    """The quantities with the fewest digits from which the bound follows by hand."""

    def as_printed(value: float) -> tuple[str, str]:
        if bound.key == "voted":
            return f"{value:.2f}" if value >= 0.1 else f"{value:.4f}", ""
        return (
            f"{value:.1e}" if value >= 1e6 else f"{math.floor(value)}",
            f"{value:.2f}" if value < 1000 else "",
        )

    by_hand = BY_HAND.get(bound.key or "") if math.isfinite(value) else None
    for digits in range(3, 17):
        rounded = {symbol: float(f"{number:.{digits - 1}e}") for symbol, number in exact.items()}
        if by_hand is None or as_printed(by_hand(rounded) * (1 + 1e-9)) == as_printed(value):
            return rounded
    return exact


def _proof(experiment: Experiment, progress: Progress | None) -> Extra:
    """Novikoff's proof: after each number of mistakes ⟨w, u⟩/η and ‖w‖/η, (k + 1,) each, or `why`
    it says nothing.
    """
    if experiment.stream:
        return {"why": "A stream has no training set whose margin could be measured."}, {}
    proof = proof_of(experiment.run)
    if proof.why:
        return {"why": proof.why}, {}
    part = {
        "why": "",
        "margin": proof.margin,
        "radius": proof.radius,
        "bound": proof.bound,
        "constant": proof.constant,
    }
    return part, {"proofAlong": proof.along, "proofNorm": proof.norm}


def _figures(experiment: Experiment, progress: Progress | None) -> Extra:
    """What a mistake bound is made of, as it looks on the map."""
    if experiment.stream or len(experiment.split.y) > _MOST_WITH_FIGURES:
        return [], {}
    return figures.of_bound(experiment.run), {}


def _finite(value: float) -> float | str:
    return float(value) if math.isfinite(value) else "infinite"


def _remembered(experiment: Experiment, progress: Progress | None) -> Extra:
    """The drawings of all examples, training first, then held out, then what is asked about, and k
    with the latter.

    `drawn` says of what kind the drawings are, "" where examples are points; `asked` is how the new
    one is written.
    """
    run = experiment.run
    split = experiment.split
    if experiment.stream:
        return {"why": "The examples of a stream come only once: none is remembered for good."}, {}
    part: dict[str, Any] = {"why": "", "drawn": "", "asked": "", "sketches": []}
    if experiment.bits:
        return part | {
            "drawn": "texts",
            "sketches": [_plain(of_bits(x)) for x in split.everything.tolist()],
        }, {}
    if run.kernel is None or run.kernel.compares == "vectors":
        return part, {}
    asked_object = experiment.asked_object
    drawn = sketches(run.kernel, np.concatenate([split.everything, asked_object]))
    part |= {
        "drawn": run.kernel.compares,
        "asked": "".join(asked_object.tolist()),
        "sketches": [_plain(s) for s in drawn],
    }
    if not len(asked_object):
        return part, {}
    return part, {
        "askedGram": predictors.kernel_columns(run, asked_object, fold.ever_in_support(run))[0]
    }


def _plain(sketch: Sketch) -> dict[str, Any]:
    nodes = [
        [node.text, round(node.x, 4), round(node.y, 4), list(node.ids)] for node in sketch.nodes
    ]
    return {"nodes": nodes, "edges": [list(edge) for edge in sketch.edges]}


EXTRAS: dict[str, Callable[[Experiment, Progress | None], Extra]] = {
    "bound": _bounds,
    "readings": _readings,
    "primal": _primal,
    "gram": kernel_extras.gram,
    "similar": kernel_extras.similar,
    "lift": kernel_extras.lift,
    "validity": kernel_extras.is_kernel,
    "derivation": kernel_extras.derivation,
    "remembered": _remembered,
    "curve": curve,
    "proof": _proof,
    "figures": _figures,
}
