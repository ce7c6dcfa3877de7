"""What the panels about the kernel ask for.

The Gram matrix, k(x, ·), the lift, whether k is a kernel, and why it is.

Each says `why` where there is nothing to show, "" where there is. The other side of this contract
is `web/panels/gram.js`, `web/board/kernel_row.js`, `web/panels/lift.js` and
`web/panels/validity.js`.

Tests: tests/player/test_extras.py, tests/player/test_panel_facts.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.kernels import KERNELS, Kernel, Monomial, Normalized, validity
from kpviz.engine.kernels.features import feature_names, features
from kpviz.engine.kernels.formula import Formula, formula_of, in_characters, tested
from kpviz.engine.kernels.formula.formula import points_and_c
from kpviz.engine.kernels.validity import FIVE, HALVED, CounterExample, Validity
from kpviz.engine.powers import significant
from kpviz.engine.run.example_positions import full_gram, written
from kpviz.engine.run.grid import Scale, by_class, scale_of_map
from kpviz.engine.run.predictors import Progress
from kpviz.engine.theory.applicable_bounds import NO_EXAMPLES
from kpviz.lessons import explain
from kpviz.player import contributions
from kpviz.player.box import Box
from kpviz.player.experiment import Experiment
from kpviz.settings.kernel_words import kernel_label

Extra = tuple[Any, dict[str, NDArray[Any]]]

MOST = 1000  # In examples: a larger Gram matrix is not drawn.
# In examples: of more than these the shades that are drawn are sent, in place of the values.
_EXACT = 500
# The number of shades from 0 to the limit, and their type, by whether the scale is signed.
_SHADES = {False: (255, np.uint8), True: (127, np.int8)}
_STREAM = "The examples of a stream come only once: turn the stream off."
_NOT_LIFTED = "Only points of a plane are lifted into space."
_LIFTED = Monomial(degree=2)  # (u·v)², of which a circle about the origin is a plane in space
_NO_PLANE = "k(x, ·) is drawn over a plane, and these examples have none."
_EXAMINED = 300  # In examples: the eigenvalues of more take too long.
_NAMES = ("u", "v", "w")  # Points that are no examples: with so many one computes by hand.
_TABLE = "Of this kernel only a table of values is known."
_ANSWERS = {
    "yes": "Yes, always: that is proven.",
    "no": "No: a squared length would be negative.",
    "unknown": "Not decided: nothing refutes it here, and no proof is known.",
}
_LENGTH = (
    "With a φ, cᵀKc = Σ cᵢ·cⱼ·k(xᵢ, xⱼ) would be ‖Σ cᵢ·φ(xᵢ)‖² for all points xᵢ and numbers cᵢ. "
    "For {points} it is negative: there is no φ."
)
_NOT_SYMMETRIC = "No: k(u, v) and k(v, u) differ."
# The same without the question, as a page says it that is about the kernel.
_HEADLINES = {
    "Yes": "is a kernel",
    "No": "is not a kernel",
    "Not decided": "may be a kernel",
}
_BLURRED = "An eigenvalue is below 0, but only by the rounding of k itself: not refuted."


def gram(experiment: Experiment, progress: Progress | None) -> Extra:
    """K(X, X) of the training examples by class: its upper triangle, row by row, and their order.

    Of more than 500 examples a byte for each value, in `shades` from 0 to the limit: half a
    megabyte for 1,000.
    """
    run = experiment.run
    n = len(run.y)
    why = _STREAM if experiment.stream else ""
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


def similar(experiment: Experiment, progress: Progress | None) -> Extra:
    """k(x_i, ·) on the nodes for every example, training first, as contributions.py writes it;
    where examples have no plane, k of every two of them.
    """
    run = experiment.run
    split = experiment.split
    if experiment.stream or not len(run.y):
        return {"why": _STREAM if len(run.y) else NO_EXAMPLES}, {}
    if run.kernel is None:
        return {"why": _NO_PLANE}, {}
    if not experiment.where.is_plane:
        values = full_gram(run, split.X_test)
        scale = Scale.of(values)
        return {"why": "", "limit": scale.limit, "signed": scale.signed}, {"similarGram": values}
    X = np.concatenate([split.X, split.X_test])
    axes = split.extent.axes(experiment.nodes)
    blocks = contributions.blocks(run.kernel, X, *axes)
    arrays = {
        f"similar_{name}_{k}": array
        for k, block in enumerate(blocks)
        for name, array in block.items()
    }
    scale = scale_of_map(run, X, *axes)
    return {"why": "", "limit": scale.limit, "signed": scale.signed}, arrays


def why_no_lift(experiment: Experiment) -> str:
    """Return why the examples of a run are not lifted into space, "" where they are."""
    X = experiment.run.X
    kernel = experiment.run.kernel
    if experiment.stream:
        return _STREAM
    if X.ndim != 2 or X.shape[1] != 2:
        return _NOT_LIFTED
    if kernel != _LIFTED:
        name = "precomputed" if kernel is None else kernel_label(kernel)
        return (
            "With the monomial kernel (u·v)² the boundary is a plane there. "
            f"The kernel of this run has no such picture: {name}."
        )
    return ""


def lift(experiment: Experiment, progress: Progress | None) -> Extra:
    """φ of every example, training first, then held out, and a box about them all and the origin.

    Where another kernel would lift them, this `offers` it.
    """
    run = experiment.run
    split = experiment.split
    why = why_no_lift(experiment)
    if why and (experiment.stream or run.X.ndim != 2 or run.X.shape[1] != 2):
        return {"why": why}, {}
    offers = {"offers": True} if why else {}
    examples = np.concatenate([split.X, split.X_test])
    if not len(examples):
        return {"why": why or NO_EXAMPLES, **offers}, {}
    phi = features(_LIFTED, examples)
    box = Box.around(phi)
    part = {
        "why": why,
        **offers,
        "names": list(feature_names(_LIFTED, 2)),
        "low": box.low.tolist(),
        "high": box.high.tolist(),
    }
    return part, {"liftPhi": phi}


# ---- whether it is a kernel, and why -------------------------------------------------------------


def is_kernel(experiment: Experiment, progress: Progress | None) -> Extra:
    """The eigenvalues of K in descending order, and what refutes that k is a kernel.

    At best a single point.
    """
    run = experiment.run
    why = (
        _STREAM
        if experiment.stream
        else NO_EXAMPLES
        if not len(run.y)
        else _TABLE
        if run.kernel is None
        else ""
    )
    if why or run.kernel is None:
        return {"why": why}, {}
    verdict = validity.examine(run.kernel, run.X[:_EXAMINED])
    refutation = _refutation(run.kernel, verdict)
    examples = [] if refutation is None else _indices(refutation, verdict)
    psd = "no" if refutation else run.kernel.psd
    sentences = [
        _BLURRED if psd == "yes" and (verdict.refuted or verdict.blurred) else verdict.sentence
    ]
    if psd == "yes":
        sentences = [sentence.removesuffix(validity.OTHERS).rstrip() for sentence in sentences]
    elif refutation and not verdict.refuted:
        sentences.append("Other points refute it.")
    if len(run.y) > _EXAMINED:
        sentences.append(f"Of {len(run.y):,} examples the first {_EXAMINED} are looked at.")
    is_parted = refutation is not None and not refutation.symmetric
    points, computation, about = (
        _by_hand(run.kernel, refutation, examples) if refutation else ("", "", "")
    )
    answer = _NOT_SYMMETRIC if is_parted else _ANSWERS[psd]
    part = {
        "why": "",
        "psd": psd,
        "answer": answer,
        "headline": _headline(run.kernel, answer),
        "sentence": " ".join(sentences),
        "points": points,
        "sum": computation,
        "about": about,
        "examples": examples,
        "tolerance": verdict.tolerance,
    }
    return part, {"eigenvalues": verdict.eigenvalues}


def _headline(kernel: Kernel, answer: str) -> str:
    """Return what an answer says where its question is not asked."""
    verdict = re.split("[:,]", answer)[0]
    return f"{_spoken(kernel)} {_HEADLINES[verdict]}{answer.removeprefix(verdict)}"


def _spoken(kernel: Kernel) -> str:
    """Return a kernel as a sentence begins with it: its values stand elsewhere."""
    match kernel:
        case Formula():
            return "This formula"
        case Normalized():
            return f"{_spoken(kernel.kernel)}, normalized,"
    return kernel.name if type(kernel) in KERNELS.values() else kernel_label(kernel)


def _refutation(kernel: Kernel, verdict: Validity) -> CounterExample | None:
    """Return what refutes a kernel.

    Best of all one point, then points that one can compute with, then the examples.

    Where none of them refutes it clearly, the clearest is returned.
    """
    if kernel.psd == "yes":
        return None
    candidates = []
    if kernel.compares == "vectors" and verdict.points.shape[1] == 2:
        for points in (FIVE, HALVED):
            try:
                candidates.append(validity.smaller(validity.examine(kernel, points)))
            except ValueError:  # It has no finite value.
                continue
    candidates += [
        validity.smaller(verdict),
        kernel.report.refutation if isinstance(kernel, Formula) else None,
    ]
    examples = [example for example in candidates if example]
    clear = [
        example
        for example in examples
        if not example.symmetric or example.clarity >= validity.CLEAR
    ]
    if clear:
        return min(clear, key=lambda example: len(example.points) != 1)
    return max(examples, key=lambda example: example.clarity, default=None)


def _indices(refutation: CounterExample, verdict: Validity) -> list[int]:
    """Return which of the training examples these are; none of points of their own."""
    among = np.array_equal(
        verdict.points[refutation.indices[refutation.indices < len(verdict.points)]],
        refutation.points,
    )
    return refutation.indices.tolist() if among else []


def _by_hand(
    kernel: Kernel, refutation: CounterExample, examples: Collection[int]
) -> tuple[str, str, str]:
    """Return what to take, the computation that everyone can check by hand, with numbers of which
    it is true, and what it is; the latter two are "" for more examples than one computes with.
    """
    count = len(refutation.points)
    if count > len(_NAMES):
        return (
            f"{count} examples refute it, none of which can be left out: {refutation.sentence}",
            "",
            "",
        )
    names = [explain.example(i) for i in examples] or (["x"] if count == 1 else _NAMES[:count])
    digits = _digits_of_points(kernel, refutation)
    named = [
        f"{name} = {_as_text(x, digits)}" for name, x in zip(names, refutation.points, strict=True)
    ]
    before = ", ".join(named[:-1])
    take = f"Take {f'{before} and {named[-1]}' if before else named[-1]}."
    if count == 1:
        value = significant(float(refutation.gram[0, 0]), 4)
        return (
            take,
            f"k({names[0]}, {names[0]}) = {value}",
            f"For a kernel this is ‖φ({names[0]})‖², a squared length.",
        )
    if not refutation.symmetric:
        u_v, v_u = (significant(float(refutation.gram[at]), 4) for at in ((0, 1), (1, 0)))
        u, v = names
        return (
            take,
            f"k({u}, {v}) = {u_v}, k({v}, {u}) = {v_u}",
            "For a kernel both are the same number.",
        )
    return (
        take,
        refutation.sum,
        f"For a kernel ‖{refutation.combination(names)}‖² is {refutation.terms(names)}:",
    )


def _digits_of_points(kernel: Kernel, refutation: CounterExample) -> int:
    """Return how many digits of the coordinates it takes to compute the printed value from them."""
    if not isinstance(refutation.points[0], np.ndarray):
        return 0
    exact = _refuting_value(refutation, refutation.gram)
    for digits in range(3, 16):
        printed = [
            [float(f"{value:.{digits}g}") for value in point]
            for point in refutation.points.tolist()
        ]
        if _refuting_value(refutation, kernel(np.array(printed), np.array(printed))) == exact:
            return digits
    return 16


def _refuting_value(refutation: CounterExample, gram: NDArray[Any]) -> str:
    """Return cᵀKc as it is printed; of a function that is not symmetric k(u, v) and k(v, u)."""
    if refutation.symmetric:
        return significant(float(refutation.c @ gram @ refutation.c), 4)
    return f"{significant(float(gram[0, 1]), 4)} {significant(float(gram[1, 0]), 4)}"


def _as_text(x: Any, digits: int) -> str:
    if isinstance(x, str):
        return f"“{x}”"
    if len(x) > 2 and written(x):
        return written(x)
    return f"({', '.join(significant(value, digits) for value in x.tolist())})"


def derivation(experiment: Experiment, progress: Progress | None) -> Extra:
    """Why it is a kernel: formula, rule and proof of each step with its depth, or `why` there is no
    derivation.
    """
    kernel = experiment.run.kernel
    if kernel is None:
        return {"why": _TABLE}, {}
    try:
        report = tested(formula_of(kernel))
    except ValueError:  # It has no formula.
        return {"why": "", "steps": _steps(kernel)} if kernel.psd == "yes" else {
            "why": "No proof is known."
        }, {}
    if report.derivation is None:
        if report.refutation is None:
            return {"why": f"{report.proven} {report.refuted}"}, {}
        return {"why": _LENGTH.format(points=points_and_c(report.refutation))}, {}
    return {
        "why": "",
        "steps": [
            [depth, in_characters(step.formula), step.rule, step.proof]
            for depth, step in report.derivation.lines()
        ],
    }, {}


def _steps(kernel: Kernel, depth: int = 0) -> list[list[Any]]:
    """Return the steps of a kernel without a formula: its own, then those of the kernels that it is
    made of.
    """
    parts = [step for part in kernel.parts for step in _steps(part, depth + 1)]
    return [[depth, kernel_label(kernel), *kernel.proof], *parts]
