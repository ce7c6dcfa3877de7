"""What the panels of the kernel lab ask for: the Gram matrix, k(x, ·) of every example, and the lift of degree 2.

Each says `why` where there is nothing to show, "" where there is. The other side of this contract is
`web/panels/gram.js`, `web/model/field.js` and `web/panels/lift.js`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.kernels import lift as space
from kpviz.engine.run.example_positions import full_gram
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.similarity import Scale, by_class, scale_of_map
from kpviz.engine.theory.applicable_bounds import NO_EXAMPLES
from kpviz.player import contributions
from kpviz.player.box import Box
from kpviz.player.subject import Subject

Extra = tuple[Any, dict[str, NDArray[Any]]]

MOST = 1000  # examples of a Gram matrix that is drawn
_EXACT = 500  # examples up to which its values are sent as numbers; of more, the shades that are drawn
_SHADES = {False: (255, np.uint8), True: (127, np.int8)}  # from 0 to the limit, by whether the scale is signed
_STREAM = "The examples of a stream come only once: turn the stream off."
_NOT_LIFTED = "Only points of a plane are lifted into space, and these examples are not points."
_NO_PLANE = "k(x, ·) is drawn over a plane, and these examples have none."


def gram(subject: Subject, progress: Progress | None) -> Extra:
    """K(X, X) of the training examples by class: its upper triangle, row by row, and their order.

    Of more than 500 examples a byte for each value, in `shades` from 0 to the limit: half a megabyte for 1,000.
    """
    run = subject.run
    n = len(run.y)
    why = _STREAM if subject.stream else ""
    if not why and n > MOST:
        why = f"The Gram matrix of {n:,} examples is too fine to be seen: show at most {MOST:,}."
    if why:
        return {"why": why}, {}
    order = by_class(run.y)
    scale = Scale.of(run.gram)
    values = run.gram[np.ix_(order, order)][np.triu_indices(n)]
    shades, kind = _SHADES[scale.signed] if n > _EXACT else (0, np.float64)
    sent = np.rint(values * (shades / scale.limit)).astype(kind) if shades else values
    part = {"why": "", "limit": scale.limit, "signed": scale.signed, "shades": shades}
    return part, {"gramOrder": order.astype(np.uint16), "gramUpper": sent}


def similar(subject: Subject, progress: Progress | None) -> Extra:
    """k(x_i, ·) on the nodes for every example, training first, then held out, as contributions.py writes it.

    Of examples without a plane k of every two of them.
    """
    run, split = subject.run, subject.split
    if subject.stream or not len(run.y):
        return {"why": _STREAM if len(run.y) else NO_EXAMPLES}, {}
    if run.kernel is None:
        return {"why": _NO_PLANE}, {}
    if not subject.where.is_plane:
        values = full_gram(run, split.X_test)
        scale = Scale.of(values)
        return {"why": "", "limit": scale.limit, "signed": scale.signed}, {"similarGram": values}
    X = np.concatenate([split.X, split.X_test])
    axes = split.shown.axes(subject.nodes)
    blocks = contributions.blocks(run.kernel, X, *axes)
    arrays = {f"similar_{name}_{k}": array for k, block in enumerate(blocks) for name, array in block.items()}
    scale = scale_of_map(run, X, *axes)
    return {"why": "", "limit": scale.limit, "signed": scale.signed}, arrays


def why_no_lift(subject: Subject) -> str:
    """Return in a sentence why the examples of a run are not lifted into space, "" where they are."""
    X = subject.run.X
    if subject.stream:
        return _STREAM
    return space.missing(subject.run.kernel) or ("" if X.ndim == 2 and X.shape[1] == 2 else _NOT_LIFTED)


def lift(subject: Subject, progress: Progress | None) -> Extra:
    """φ of every example, training first, then held out, and the box that holds them all and the origin.

    Where another kernel would lift them, this `offers` it.
    """
    run, split = subject.run, subject.split
    why = why_no_lift(subject)
    if why and (subject.stream or run.X.ndim != 2 or run.X.shape[1] != 2):
        return {"why": why}, {}
    offers = {"offers": True} if why else {}
    examples = np.concatenate([split.X, split.X_test])
    if not len(examples):
        return {"why": why or NO_EXAMPLES, **offers}, {}
    phi = space.phi(examples)
    box = Box.around(phi)
    part = {
        "why": why,
        **offers,
        "names": list(space.AXES),
        "note": space.NOTE,
        "low": box.low.tolist(),
        "high": box.high.tolist(),
    }
    return part, {"liftPhi": phi}
