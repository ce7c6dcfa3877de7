"""The contract with the browser: one run as bytes.

``KPV1``, the length of a JSON header (uint32, little endian), the header, padding to 8 bytes, and arrays, each aligned
to 8 bytes; the header's `arrays` gives name, type, shape and offset of each, counted from the first of them. Arrays of
the same bytes are sent once. Without `index` the examples are shown in turn.

The browser folds these arrays and fills in these words. It evaluates no kernel and no learning rule. Of the matrix
k(support, examples), which is symmetric among the support, it gets the upper triangle of that part (`gramPairs`, row by
row) and the columns of the other examples (`gramRest`). The field's blocks: contributions.py. Of a stream it
gets no such matrix, but by how much the target has turned at each example (`angle`, in radians) and the size of the
support after 0, 1, … presentations (`supportSize`).
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine.data import streams
from kpviz.engine.kernels import KERNELS
from kpviz.engine.run import cycling, example_positions, fold, grid, predictors
from kpviz.engine.run.run import Run
from kpviz.lessons import explain, scores, verdict
from kpviz.player import changes, contributions, drawing, extras, learner
from kpviz.player.subject import Subject
from kpviz.settings import BY_NAME, FILE, MOST_IN_LINKS, Settings

MAGIC = b"KPV1"
_ALIGN = 8
_ROUGH = 2047  # to this many steps of the largest value numbers are rounded for a picture in motion
_TINY = "tiny "  # begins the name of an array of which what float32 cannot hold is sent apart
_MOST_APART = 1 / 4  # of an array: more take as many bytes as all in double precision
_EXACT = "similar_"  # begins the name of an array that is sent as precisely as it is
_FEW = 2048  # bytes of an array that is sent as it is
_SINGLE = np.finfo(np.float32)

Arrays = dict[str, NDArray[Any]]


def encode(
    subject: Subject,
    *,
    asked: Collection[str] = (),
    progress: predictors.Progress | None = None,
    rough: bool = False,
) -> bytes:
    """Return the bytes of one run with its data, its words and the settings that it was made from, if it has some.

    `asked` are the names of the extras that panels asked for (extras.py); `rough`: see `pack`.
    """
    run, split, where, settings = subject.run, subject.split, subject.where, subject.settings
    shown, stream = where.shown, subject.stream
    support = fold.ever_in_support(run)
    arrays = _arrays(subject, support, progress, rough=rough)
    editable, cells = drawing.encode(settings, split)
    arrays |= cells
    parts, more = extras.encode(asked, subject, progress)
    arrays |= _as_sent(more)
    scales = grid.scales(run, subject.predictor, progress)
    header = {
        "settings": _settings(subject),
        "n": len(split.y),
        "nTest": len(split.y_test),
        "nSteps": run.n_steps,
        "unit": run.unit,
        "end": run.end,
        "open": verdict.is_open(settings, run),
        "extent": [shown.low_1, shown.high_1, shown.low_2, shown.high_2],
        "grid": subject.nodes,
        "coarse": subject.coarse,
        "limit": scales[-1][1],
        "scales": [list(scale) for scale in scales],
        "stream": _stream(settings) if settings is not None and stream else None,
        "names": _names(subject),
        "ground": {"kind": where.kind, "caption": where.caption},
        "objects": None if where.is_plane else [example_positions.written(x) for x in split.everything],
        "words": explain.payload(run, stream=stream, classes=split.source.classes),
        "extras": parts,
        "lacks": extras.lacks(subject),
        "drawing": editable,
        "tokens": tokens.payload(),
        "about": learner.about(run),
        "changed": changes.header(run),
        **learner.sizes(run),
    }
    return pack(header, arrays, rough=rough)


def pack(header: dict[str, Any], arrays: Arrays, *, rough: bool = False) -> bytes:
    """Join a header and arrays into bytes; ValueError if the header holds NaN or infinity.

    What begins with "tiny " is named without it: it is sent as float32, and what that cannot hold follows as it is,
    unless that is much. The header's `apart` says where their places are, as uint32, and the values, and how many.
    `rough`: for a picture in motion numbers are rounded to 1/2047 of the largest of their array, which leaves 0 and all
    signs but those of the smallest as they are. The header has the `scale` of such an array.
    """
    listed, blocks = [], _Blocks()
    for name, exact in arrays.items():
        array, scale = _rounded(exact) if rough else (exact, None)
        entry: dict[str, Any] = {"name": name.removeprefix(_TINY)}
        if name.startswith(_TINY) and len((held := _held(exact))[1]) <= _MOST_APART * exact.size:
            array, places = held
            values = exact.ravel()[places]
            entry["apart"] = [blocks.put(places.astype(np.uint32)), blocks.put(values), len(places)]
        entry |= {"type": array.dtype.name, "shape": list(array.shape), "at": blocks.put(array)}
        listed.append(entry if scale is None else {**entry, "scale": scale})
    text = json.dumps({**header, "arrays": listed}, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
    head = MAGIC + struct.pack("<I", len(text)) + text
    return b"".join([head, bytes(-len(head) % _ALIGN), *blocks.parts])


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
    """Return numbers as whole ones, and by what these are to be multiplied; None: they are sent as they are."""
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
    array = np.frombuffer(data, entry["type"], count=count, offset=start + entry["at"]).reshape(entry["shape"])
    if "apart" in entry:
        places, values, count = entry["apart"]
        exact = array.astype(np.float64)
        where = np.frombuffer(data, np.uint32, count=count, offset=start + places)
        exact.ravel()[where] = np.frombuffer(data, np.float64, count=count, offset=start + values)
        return exact
    return array.astype(np.float32) * np.float32(entry["scale"]) if "scale" in entry else array


def _arrays(
    subject: Subject, support: NDArray[Any], progress: predictors.Progress | None, *, rough: bool = False
) -> Arrays:
    run, split, where, stream = subject.run, subject.split, subject.where, subject.stream
    place = np.zeros(len(run.X), dtype=np.intp)
    place[support] = np.arange(len(support))
    arrays: Arrays = {
        "X": where.places,
        **({"outlines": where.outlines} if where.is_plane else {"edges": where.edges.astype(np.int32)}),
        "y": np.concatenate([split.y, split.y_test]).astype(np.int8),
        **({} if _in_turn(run) else {"index": changes.whole(run.index)}),
        "score": scores.as_sent(run.score),
        **scores.sent(run, progress),
        "mistake": run.mistake.astype(np.uint8),
        "epochStart": changes.whole(run.epoch_start),
        "sentenceIndex": explain.sentence_keys(run)[0].astype(np.uint8),
        "support": changes.whole(support),
        **learner.particulars(run, batch=not stream),
        **_odd(run, stream=stream),
        **(_of_stream(subject) if stream else _of_all(subject, support, progress)),
    }
    field: Arrays = {}
    if run.kernel is not None and len(support) and where.is_plane:
        found = contributions.blocks(run.kernel, run.X[support], *where.shown.axes(subject.nodes))
        field = {f"{name}_{k}": array for k, block in enumerate(found) for name, array in block.items()}
    return _as_sent(arrays if rough else _marked(arrays)) | _finite(field | changes.arrays(run, place))


def _odd(run: Run, *, stream: bool) -> Arrays:
    """Return ‖f‖² before the first change and after each where it turns negative, which no kernel lets it."""
    norms = None if stream else cycling.norms_below_zero(run)
    return {} if norms is None else {"squaredNorm": scores.as_sent(norms)}


def _of_all(subject: Subject, support: NDArray[Any], progress: predictors.Progress | None) -> Arrays:
    """Return the kernel between the support and all examples, and the errors on these."""
    run, split, predictor = subject.run, subject.split, subject.predictor
    gram = run.columns(run.X, support).T
    if len(split.y_test):
        gram = np.concatenate([gram, run.columns(split.X_test, support).T], axis=1)
    arrays: Arrays = {
        "gramPairs": gram[:, support][np.triu_indices(len(support))],
        "gramRest": np.delete(gram, support, axis=1),
        "trainError": predictors.errors_per_epoch(run, run.X, split.y, predictor, progress),
    }
    if len(split.y_test):
        arrays["testError"] = predictors.errors_per_epoch(run, split.X_test, split.y_test, predictor, progress)
    return arrays


def _of_stream(subject: Subject) -> Arrays:
    """Return how the target turns, and how the support grows."""
    settings = subject.settings
    angles = np.zeros(0) if settings is None else streams.angles(settings.n, settings.drift, settings.moves)
    return {"angle": angles, "supportSize": changes.whole(streams.support_sizes(subject.run))}


def _stream(settings: Settings) -> dict[str, Any]:
    return {"drift": settings.drift, "moves": settings.moves, "noise": settings.flipped}


def _marked(arrays: Arrays) -> Arrays:
    """Return k between examples as what is in double precision where float32 would lose some, as of narrow kernels."""
    found = arrays.keys() & {"gramPairs", "gramRest"}
    marked = found if any(changes.loses(arrays[name]) for name in found) else set()
    return {f"{_TINY}{name}" if name in marked else name: array for name, array in arrays.items()}


def _as_sent(arrays: Arrays) -> Arrays:
    """Return numbers as float32, what is marked as it is; ValueError where they are too large."""
    with np.errstate(over="ignore"):
        sent = {
            name: array if array.dtype != np.float64 or name.startswith((_EXACT, _TINY)) else array.astype(np.float32)
            for name, array in arrays.items()
        }
    return _finite(sent)


def _finite(arrays: Arrays) -> Arrays:
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError(contributions.TOO_LARGE)
    return arrays


def _in_turn(run: Run) -> bool:
    return bool((run.index == np.arange(run.n_steps) % max(len(run.y), 1)).all())


def _settings(subject: Subject) -> dict[str, Any]:
    settings, where = subject.settings, subject.where
    if settings is None:
        return _of_run(subject)
    return {
        "query": settings.link(),
        "said": _said(settings),
        "elsewhere": _left_out(settings),
        "file": f"{settings.data}-{settings.kernel}",  # names what is saved
        "predictor": settings.predictor,
        "intercept": settings.intercept,
        "tie": settings.tie,
        "order": settings.order,
        "orderWhy": settings.reason_against("order"),
        "sigma": settings.sigma if KERNELS[settings.kernel].isotropic and where.is_plane else None,
        "epochs": settings.epochs,
    }


def _said(settings: Settings) -> dict[str, tuple[str, str, bool]]:
    """Return label and value of each setting that applies, and whether that is the default, to be heard."""
    applies = {name: value for name, value in settings.items if settings.reason_against(name) is None}
    written = {name: value if isinstance(value, str) else f"{value:g}" for name, value in applies.items()}
    return {name: (BY_NAME[name].label, text, settings.is_default(name)) for name, text in written.items()}


def _of_run(subject: Subject) -> dict[str, Any]:
    """Return the same of a run that was made in Python, to which no link leads."""
    run = subject.run
    return {
        "query": "",
        "said": {},
        "elsewhere": "",
        "file": "run",
        "predictor": subject.predictor,
        "intercept": run.learner.intercept,
        "tie": run.learner.tie,
        "order": run.order,
        "orderWhy": None,
        "sigma": _width(run) if subject.where.is_plane else None,
        "epochs": run.n_epochs,
    }


def _left_out(settings: Settings) -> str:
    """Say what a link cannot hold, "" where it holds everything."""
    if settings.data == FILE:
        return "It does not hold the file"
    return "" if settings.stored_name is None else f"It does not hold more than {MOST_IN_LINKS} points"


def _names(subject: Subject) -> dict[str, Any]:
    source, run = subject.split.source, subject.run
    return {
        "data": subject.title,
        "lookFor": subject.look_for,
        "offer": subject.offer,
        "features": list(source.features),
        "classes": list(source.classes),
        "scaled": source.scaled,
        "lows": list(source.lows),
        "highs": list(source.highs),
        "kernel": subject.kernel,
        "psd": run.kernel.psd if run.kernel is not None else "unknown",
    }


def _width(run: Run) -> float | None:
    """Return σ of a kernel that falls off in circles, None of others."""
    kernel = run.kernel
    return kernel.parameters["sigma"] if kernel is not None and kernel.isotropic else None
