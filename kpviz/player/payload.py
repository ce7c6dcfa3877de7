"""The contract with the browser: one run as bytes.

``KPV1``, the length of a JSON header (uint32, little endian), the header, padding to 8 bytes, and
arrays, each aligned to 8 bytes; the header's `arrays` gives name, type, shape and offset of each,
counted from the first of them. Arrays of the same bytes are sent once. Without `index` the examples
are shown in turn.

The browser folds these arrays and fills in these words. It evaluates no kernel and no learning
rule. Of the matrix k(support, examples), which is symmetric among the support, it gets the upper
triangle of that part (`gramPairs`, row by row) and the columns of the other examples (`gramRest`).
The field's blocks: contributions.py. Of a stream it gets no such matrix, but by how much the target
has turned at each example (`angle`, in radians) and the size of the support after 0, 1, …
presentations (`supportSize`).

Tests: tests/player/test_payload.py, tests/player/test_packing.py.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine.data import streams
from kpviz.engine.kernels import KERNELS
from kpviz.engine.run import alpha_scale, cycling, example_positions, fold, grid, predictors
from kpviz.engine.run.run import Run
from kpviz.experiment import drawn
from kpviz.lessons import explain, scores, verdict
from kpviz.player import changes, contributions, extras
from kpviz.player.experiment import Experiment
from kpviz.settings import (
    BY_NAME,
    FILE,
    MAX_POINTS,
    MOST_IN_LINKS,
    Settings,
    conditions,
    names_of,
    written,
)
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState

MAGIC = b"KPV1"
_ALIGN = 8
_ROUGH = 2047  # The largest value has so many steps, to which a picture in motion is rounded.
_TINY = "tiny "  # The name of an array begins so if what float32 cannot hold is sent apart.
# So many numbers of the matrix of k are sent as they are, so that scores of 0 are 0.
_MOST_EXACT = 1 << 21
_MOST_APART = 1 / 4  # A larger share of an array takes as many bytes as all in double precision.
_EXACT = ("similar_", "X")  # Arrays whose names begin so are sent as precisely as they are.
_FEW = 2048  # In bytes: an array that is shorter is sent as it is.
_SINGLE = np.finfo(np.float32)
# Probabilities are looked up between these scores, and there are so many of them.
_CERTAIN = (-16.0, 16.0)
_CHANCES = 513
_NO_PLANE = (
    "These examples are not points that could be moved: add examples, or ask about one, "
    "under the data."
)
_OF_PYTHON = "These examples were made in Python: no link could hold a change."
_COMES_ONCE = "The examples of a stream come only once: turn the stream off to edit them."

Arrays = dict[str, NDArray[Any]]
_NO_CUES = Cues()
# This goes with runs that nobody asked for.
UNASKED: Mapping[str, Any] = {"n": 0, "editing": {"origin": None}}


def encode(
    experiment: Experiment,
    *,
    extra_names: Collection[str] = (),
    progress: predictors.Progress | None = None,
    rough: bool = False,
) -> bytes:
    """Return the bytes of one run with its data, its words and its settings, if it has some.

    `extra_names` are those of the extras that panels asked for (extras.py); `rough`: see `pack`.
    """
    run = experiment.run
    split = experiment.split
    where = experiment.where
    settings = experiment.settings
    source = experiment.split.source
    extent = where.visible
    stream = experiment.stream
    arrays = _arrays(experiment, progress, rough=rough)
    editable, cells = _editable(experiment)
    parts, more = extras.encode(extra_names, experiment, progress)
    arrays |= cells | _as_sent(more)
    scales = grid.scales(run, experiment.predictor, progress)
    about = run.learner.about
    bars = alpha_scale.alpha_scale(run)
    header = {
        "settings": _of_run(experiment)
        if settings is None
        else _of_settings(settings, where.is_plane),
        "n": len(split.y),
        "nTest": len(split.y_test),
        "nSteps": run.n_steps,
        "unit": run.unit,
        "end": run.end,
        "open": verdict.is_open(settings, run),
        "extent": [extent.low_1, extent.high_1, extent.low_2, extent.high_2],
        "grid": experiment.nodes,
        "coarse": experiment.coarse,
        "limit": scales[-1][1],
        "scales": scales,
        "stream": {"drift": settings.drift, "moves": settings.moves, "noise": settings.flipped}
        if settings is not None and stream
        else None,
        "names": {
            "data": experiment.title,
            "lookFor": experiment.look_for,
            "offer": experiment.offer,
            "features": source.axis_names,
            "classes": source.classes,
            "scaled": source.scaled,
            "lows": source.lows,
            "highs": source.highs,
            "kernel": experiment.kernel,
            "psd": run.kernel.psd if run.kernel is not None else "unknown",
        },
        "ground": {
            "kind": where.kind,
            "caption": where.caption,
            "compares": "" if run.kernel is None else run.kernel.compares,
        },
        "objects": None
        if where.is_plane
        else [example_positions.written(x) for x in split.everything],
        "words": explain.payload(run, stream=stream, classes=source.classes),
        "extras": parts,
        "lacks": extras.why_empty(experiment),
        "drawing": editable,
        "tokens": tokens.payload(),
        "about": {
            "title": about.title,
            "grain": about.grain,
            "counts": alpha_scale.counts(run),
            "probability": about.probability,
            "panel": about.panel,
            "parts": [vars(part) for part in about.parts],
            "capacity": run.learner.capacity,
            "details": {name: changes.sparse(run.details[name], run) for name in _details(run)},
            "chances": _CERTAIN,
        },
        "changed": changes.header(run),
        **({} if run.initial is None else {"initial": _initial(run)}),
        "pointGain": bars.gain,
        "alphaUnit": bars.unit,
        "alphaLimit": bars.high,
        "alphaLow": bars.low,
    }
    return pack(header, arrays, rough=rough)


def pack(header: dict[str, Any], arrays: Arrays, *, rough: bool = False) -> bytes:
    """Join a header and arrays into bytes; ValueError if the header holds NaN or infinity.

    What begins with "tiny " is named without it: it is sent as float32, and what that cannot hold
    follows as it is, unless that is much. The header's `apart` says where their places are, as
    uint32, and the values, and how many. `rough`: for a picture in motion numbers are rounded to
    1/2047 of the largest of their array, which leaves 0 and all signs but those of the smallest as
    they are. The header has the `scale` of such an array.
    """
    listed = []
    blocks = _Blocks()
    for name, exact in arrays.items():
        array, scale = _rounded(exact) if rough else (exact, None)
        entry: dict[str, Any] = {"name": name.removeprefix(_TINY)}
        single, places = _held(exact) if name.startswith(_TINY) else (exact, None)
        if places is not None and len(places) <= _MOST_APART * exact.size:
            array = single
            values = exact.ravel()[places]
            entry["apart"] = [blocks.put(places.astype(np.uint32)), blocks.put(values), len(places)]
        entry |= {"type": array.dtype.name, "shape": list(array.shape), "at": blocks.put(array)}
        listed.append(entry if scale is None else {**entry, "scale": scale})
    text = json.dumps(
        {**header, "arrays": listed}, allow_nan=False, ensure_ascii=False, separators=(",", ":")
    ).encode()
    return b"".join([*_head(text), *blocks.parts])


def pack_json(number: int, name: str, value: bytes) -> bytes:
    """Return the answer to the question of a number that holds a value, in JSON, by its name.

    >>> unpack(pack_json(3, "lesson", b'{"title": "XOR"}'))[0]["lesson"]
    {'title': 'XOR'}
    """
    begin = json.dumps({"n": number, "arrays": []})[:-1]
    return b"".join(_head(f"{begin}, {json.dumps(name)}: ".encode() + value + b"}"))


def _head(text: bytes) -> tuple[bytes, bytes, bytes]:
    """Return what is before the arrays."""
    begin = MAGIC + struct.pack("<I", len(text))
    return begin, text, bytes(-(len(begin) + len(text)) % _ALIGN)


class _Blocks:
    """The bytes of arrays, one after the other; those of the same bytes are there once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._at = 0
        self._sent: dict[bytes, int] = {}

    def put(self, array: NDArray[Any]) -> int:
        """Return where the bytes of an array begin."""
        data = array.tobytes()
        at = self._sent.setdefault(data, self._at)
        if at == self._at and data:
            padding = -len(data) % _ALIGN
            self.parts += [data, bytes(padding)]
            self._at += len(data) + padding
        return at


def _held(exact: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return numbers as float32, and the places of those that it cannot hold."""
    with np.errstate(over="ignore"):
        single = exact.astype(np.float32)
    size = np.abs(single).ravel()
    places = np.flatnonzero(~((size >= _SINGLE.tiny) & (size <= _SINGLE.max)))
    return single, places[exact.ravel()[places] != 0.0]


def _rounded(array: NDArray[Any]) -> tuple[NDArray[Any], float | None]:
    """Return numbers as whole ones, and by what these are to be multiplied; None: they are sent as
    they are.
    """
    if array.dtype != np.float32 or array.nbytes < _FEW:
        return array, None
    scale = float(np.abs(array).max()) / _ROUGH
    return (np.round(array / scale).astype(np.int16), scale) if scale > 0.0 else (array, None)


def unpack(data: bytes) -> tuple[dict[str, Any], Arrays]:
    """Return header and arrays of packed bytes."""
    if data[:4] != MAGIC:
        raise ValueError("data do not start with KPV1: they are not a packed run.")
    (length,) = struct.unpack_from("<I", data, 4)
    header = json.loads(data[8 : 8 + length])
    start = 8 + length + (-(8 + length) % _ALIGN)
    arrays = {entry["name"]: _read(data, start, entry) for entry in header["arrays"]}
    return header, arrays


def _read(data: bytes, start: int, entry: dict[str, Any]) -> NDArray[Any]:
    count = math.prod(entry["shape"])
    array = np.frombuffer(data, entry["type"], count=count, offset=start + entry["at"]).reshape(
        entry["shape"]
    )
    if "apart" in entry:
        places, values, count = entry["apart"]
        exact = array.astype(np.float64)
        where = np.frombuffer(data, np.uint32, count=count, offset=start + places)
        exact.ravel()[where] = np.frombuffer(data, np.float64, count=count, offset=start + values)
        return exact
    return array.astype(np.float32) * np.float32(entry["scale"]) if "scale" in entry else array


def _arrays(experiment: Experiment, progress: predictors.Progress | None, *, rough: bool) -> Arrays:
    run = experiment.run
    split = experiment.split
    where = experiment.where
    stream = experiment.stream
    support = fold.ever_in_support(run)
    place = np.zeros(len(run.X), dtype=np.intp)
    place[support] = np.arange(len(support))
    arrays: Arrays = {
        "X": where.places,
        **(
            {"outlines": where.outlines}
            if where.is_plane
            else {"edges": where.edges.astype(np.int32)}
        ),
        "y": np.concatenate([split.y, split.y_test]).astype(np.int8),
        "score": scores.as_sent(run.score),
        **scores.sent(run, progress),
        "mistake": run.mistake.astype(np.uint8),
        "epochStart": changes.whole(run.epoch_start),
        "sentenceIndex": explain.sentence_keys(run)[0].astype(np.uint8),
        "support": changes.whole(support),
        **_of_learner(run, stream=stream),
        **(_of_stream(experiment) if stream else _of_all(experiment, support, progress)),
    }
    if split.lines is not None:
        arrays["lines"] = changes.whole(split.lines)
    if (run.index != np.arange(run.n_steps) % max(len(run.y), 1)).any():
        arrays["index"] = changes.whole(run.index)
    exact: Arrays = {}
    if not rough:  # Float32 would lose some of k between examples where the kernel is narrow.
        between = [name for name in ("gramPairs", "gramRest") if name in arrays]
        if changes.cancels(run) and sum(arrays[name].size for name in between) <= _MOST_EXACT:
            exact = {name: changes.exactly(arrays[name]) for name in between}
        elif any(changes.loses(arrays[name]) for name in between):
            arrays = {
                f"{_TINY}{name}" if name in between else name: array
                for name, array in arrays.items()
            }
    field: Arrays = {}
    if run.kernel is not None and len(support) and where.is_plane:
        blocks = contributions.blocks(
            run.kernel, run.X[support], *where.visible.axes(experiment.nodes)
        )
        field = {
            f"{name}_{k}": array for k, block in enumerate(blocks) for name, array in block.items()
        }
    shortened = _as_sent({name: array for name, array in arrays.items() if name not in exact})
    return shortened | _finite(
        exact | field | changes.arrays(run, place) | _initial_arrays(experiment)
    )


def _initial(run: Run) -> dict[str, Any]:
    """Return the weights of the fixed f₀, for words."""
    assert run.initial is not None
    w0, b0 = run.initial
    return {"w0": None if w0 is None else w0.tolist(), "b0": b0}


def _initial_arrays(experiment: Experiment) -> Arrays:
    """Return the fixed f₀ at all examples, the size of its terms, and its sums along the axes."""
    run = experiment.run
    split = experiment.split
    where = experiment.where
    if run.initial is None:
        return {}
    arrays: Arrays = {}
    if not experiment.stream:
        arrays["initialScores"] = run.initial.scores(split.everything)
        arrays["initialSizes"] = run.initial.sizes(split.everything)
    if where.is_plane and run.X.ndim == 2 and run.X.shape[1] == 2:
        w0, b0 = run.initial
        first, second = np.zeros(2) if w0 is None else w0
        x1, x2 = where.visible.axes(experiment.nodes)
        arrays["initialAlong"] = np.stack([first * x1 + b0, second * x2])
    return arrays


def _of_all(
    experiment: Experiment, support: NDArray[Any], progress: predictors.Progress | None
) -> Arrays:
    """Return k between the support and all examples, their errors, and ‖f‖² if it turns negative.

    ‖f‖² is that before the first change and after each; no kernel lets it be negative.
    """
    run = experiment.run
    split = experiment.split
    predictor = experiment.predictor
    gram = predictors.kernel_columns(run, run.X, support).T
    if len(split.y_test):
        gram = np.concatenate(
            [gram, predictors.kernel_columns(run, split.X_test, support).T], axis=1
        )
    arrays: Arrays = {
        "gramPairs": gram[:, support][np.triu_indices(len(support))],
        "gramRest": np.delete(gram, support, axis=1),
        "trainError": predictors.errors_per_epoch(run, run.X, split.y, predictor, progress),
    }
    if len(split.y_test):
        arrays["testError"] = predictors.errors_per_epoch(
            run, split.X_test, split.y_test, predictor, progress
        )
    norms = cycling.norms_below_zero(run)
    if norms is not None:
        arrays["squaredNorm"] = scores.as_sent(norms)
    return arrays


def _of_stream(experiment: Experiment) -> Arrays:
    """Return how the target turns, and how the support grows."""
    settings = experiment.settings
    angles = (
        np.zeros(0)
        if settings is None
        else streams.angles(settings.n, settings.drift, settings.moves)
    )
    return {"angle": angles, "supportSize": changes.whole(streams.support_sizes(experiment.run))}


def _of_learner(run: Run, *, stream: bool) -> Arrays:
    """Return what the learner's panel and words need, and, except of a stream, the optimum."""
    arrays: Arrays = {}
    for name in _details(run):
        values = run.details[name]
        # Its values at the changes are all that there is to know.
        if changes.sparse(values, run) is not None:
            values = values[run.changes.step]
        small = np.uint8 if values.dtype == np.bool_ else np.int16
        arrays[f"detail_{name}"] = (
            scores.as_sent(values) if values.dtype.kind == "f" else values.astype(small)
        )
    about = run.learner.about
    if any(part.kind == "curve" for part in about.parts):
        arrays["curve"] = alpha_scale.added_by_margin(run)
    if about.probability:
        if not stream:
            arrays["optimum"] = alpha_scale.optimum(run)
        arrays["chances"] = 1.0 / (1.0 + np.exp(-np.linspace(*_CERTAIN, _CHANCES)))
    return arrays


def _details(run: Run) -> list[str]:
    """Return the names of the particulars that the learner's panel and words need."""
    parts = {name for part in run.learner.about.parts for name in (part.detail, part.limit)}
    if run.changes.evicts:
        parts.add("victim")  # Its name stands beside the ages.
    return sorted(
        {name for name in (*parts, *explain.particulars(run)) if isinstance(name, str)}
        & run.details.keys()
    )


def _as_sent(arrays: Arrays) -> Arrays:
    """Return numbers as float32, what is marked as it is; ValueError where they are too large."""
    with np.errstate(over="ignore"):
        sent = {
            name: array
            if array.dtype != np.float64 or name.startswith((*_EXACT, _TINY))
            else array.astype(np.float32)
            for name, array in arrays.items()
        }
    return _finite(sent)


def _finite(arrays: Arrays) -> Arrays:
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError(contributions.TOO_LARGE)
    return arrays


def _editable(experiment: Experiment) -> tuple[dict[str, Any], Arrays]:
    """Return what editing the points needs: the grid and the cells that they are in, or `why` they
    cannot be edited.
    """
    settings = experiment.settings
    if settings is None:
        return {"why": _OF_PYTHON}, {}
    if settings.stream == "on":
        return {"why": _COMES_ONCE}, {}
    if not conditions.has_plane(settings.values):
        return {"why": _NO_PLANE}, {}
    try:
        points = drawn(settings, experiment.split)
    except ValueError as error:
        return {"why": str(error)}, {}
    axes = [{"origin": axis.origin, "step": axis.step} for axis in points.axes]
    part = {"why": "", "axes": axes, "frame": points.frame, "most": MAX_POINTS}
    return part, {"cells": points.cells.astype(np.uint16)}


def _of_settings(settings: Settings, is_plane: bool) -> dict[str, Any]:
    # One hears label and value of each setting that applies, and whether that is the default.
    labels = {}
    for name, value in settings.items:
        if settings.reason_against(name) is None:
            labels[name] = (BY_NAME[name].label, written(value), settings.is_default(name))
    elsewhere = (
        "" if settings.stored_name is None else f"It does not hold more than {MOST_IN_LINKS} points"
    )
    return {
        "query": settings.link(),
        "said": labels,
        "elsewhere": "It does not hold the file" if settings.data == FILE else elsewhere,
        "predictor": settings.predictor,
        "intercept": settings.intercept,
        "order": settings.order,
        "orderWhy": settings.reason_against("order"),
        "sigma": settings.sigma if KERNELS[settings.kernel].isotropic and is_plane else None,
    }


def _of_run(experiment: Experiment) -> dict[str, Any]:
    """Return the same of a run that was made in Python, to which no link leads."""
    run = experiment.run
    kernel = experiment.run.kernel
    falls_in_circles = kernel is not None and kernel.isotropic and experiment.where.is_plane
    return {
        "query": "",
        "said": {},
        "elsewhere": "",
        "predictor": experiment.predictor,
        "intercept": run.learner.intercept,
        "order": run.order,
        "orderWhy": None,
        "sigma": kernel.parameters["sigma"] if kernel is not None and falls_in_circles else None,
    }


def encode_verdict(experiment: Experiment, progress: predictors.Progress | None = None) -> bytes:
    """Return what is known of a run with mistakes to its end.

    In the header: `separable`, whether the classes are (None: that was not decided); `no`, the
    answer where no line at all separates; `why`, and what would `help`; `set`, the settings that
    this advises, or None, with a `title`; `ringed`, examples that prove it, with their `weights`;
    `crosses`, whether the lines between those of each class cross on the map; `mirrored`, those of
    them that are seen mirrored at the origin, which then lies between all, or None.

    The array `separating` holds, where it is known, an f that makes no mistake, on `grid` nodes
    along each axis.
    """
    assert experiment.settings is not None
    run = experiment.run
    where = experiment.where
    arrays = Arrays()
    run_verdict = verdict.of(
        experiment.settings, experiment.split, run, progress, drawn=where.is_plane
    )
    known = run_verdict.separability
    header: dict[str, Any] = {
        "no": run_verdict.no,
        "why": run_verdict.separable,
        "help": run_verdict.help,
        "set": None if run_verdict.advice is None else dict(run_verdict.advice.changes),
        "title": "" if run_verdict.advice is None else run_verdict.advice.title,
        "ringed": [],
        "crosses": False,
        "mirrored": None,
        "separable": None if known is None else known.separable,
        "weights": [],
        "grid": tokens.GRID,
    }
    if known is not None and known.weights is not None:
        ringed = np.flatnonzero(known.weights)
        header |= {"ringed": ringed.tolist(), "weights": known.weights[ringed].tolist()}
        header["crosses"] = verdict.crosses(run, known)
        turned = verdict.mirrored(run, known)
        header["mirrored"] = None if turned is None else turned.tolist()
    if known is not None and known.coef is not None and where.is_plane:
        axes = where.visible.axes(tokens.GRID)
        arrays["separating"] = grid.expansion(run, known.coef, known.intercept, *axes)
    return pack(header, arrays)


# ---- what is sent along with runs ----------------------------------------------------------------


def data_id(settings: Settings) -> str:
    """Return what settings with the same examples have in common."""
    values = repr([settings.values[name] for name in names_of("data")])
    return hashlib.sha256(values.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Packed:
    """A run as bytes, and its identifier."""

    id: str
    data: bytes


def envelope(
    runs: Sequence[Packed],
    *,
    names: Sequence[str] = (),
    pins: str = "",
    comparison: Mapping[str, Any] | None = None,
    data: str,
    view: ViewState,
    cues: Cues = _NO_CUES,
    answer: Mapping[str, Any] = UNASKED,
) -> bytes:
    """Return what the player is sent: which runs, where to open, what else was answered, then the
    runs.

    `runs` are the current one and the pinned ones, without bytes where the player has them; `names`
    are those of the pinned models and of the current one, `pins` their part of the link,
    `comparison` what is said of a ready comparison; while `data` stays the same the player keeps
    its place; `cues` are those of the lecture; `answer` is what a question was answered besides.
    """
    header = {
        **answer,
        "id": runs[0].id if runs else "",
        "dataId": data,
        "view": {
            "t": view.t,
            "show": view.show,
            "stage": view.stage,
            "turn": view.turn,
            "over": view.over,
        },
        "cues": {
            **cues.plain,
            "query": f"cues={quote(cues.code, safe='~')}" if cues.cues or cues.title else "",
        },
        "pins": {
            "ids": [run.id for run in runs[1:]],
            "names": list(names),
            "query": pins,
            "comparison": comparison,
        },
        "runs": [{"id": run.id, "size": len(run.data)} for run in runs],
    }
    return b"".join([pack(header, {}), *(run.data for run in runs)])
