"""The run of some settings as a notebook with gaps: cells to write, and tests that fail until they are right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from kpviz import experiment
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.export.code.notebook import of_cells
from kpviz.export.code.python import Parts, about
from kpviz.settings import Settings

_TESTED = 4  # examples whose kernel values and scores are compared
_TODO = 'raise NotImplementedError("TODO")'


def exercises(settings: Settings, split: Split, run: Run, *, solved: bool = False) -> str:
    """Return the notebook (nbformat 4.5, JSON); `solved`: with what belongs into the gaps, so that all tests pass.

    It needs numpy. ValueError, of one sentence, where there is no example, or the learner draws at random.

    >>> settings = Settings.of(data="xor", n=4)
    >>> split = experiment.prepare(settings)
    >>> made = json.loads(exercises(settings, split, experiment.run(settings, split)))
    >>> sum("TODO" in "".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "code")
    3
    """
    parts = Parts.of(settings.replace(predictor="last"), split)
    if parts.loop.rule.draws:
        raise ValueError("This learner draws at random, which nobody can do by hand alike: choose another learner.")
    return of_cells(_texts(parts, run, solved))


def _texts(parts: Parts, run: Run, solved: bool) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each cell."""
    words, b = about(parts.settings), parts.loop.rule.intercept
    yield (
        "markdown",
        f"# {words.title}, by hand\n\n{words.idea}\n\nReplace each line that says `TODO`; "
        "the cell after it tells whether it is right.",
    )
    yield "markdown", "## Examples\n\nThey have indices from 0, and $y$ is −1 or +1."
    yield "code", f"{parts.imports}\n\n{parts.data}\n{parts.constants}"
    yield "markdown", f"## Kernel\n\n$$k(u, v) = {experiment.kernel(parts.settings).latex}$$"
    yield "code", parts.functions if solved else _kernel(parts)
    yield "code", _kernel_test(run)
    yield (
        "markdown",
        f"## Training\n\n$$f(x) = \\sum_j \\alpha_j\\, y_j\\, k(x_j, x){' + b' * b}$$\n\n"
        f"When example $i$ is shown:\n\n$${parts.loop.rule.formulas}$$\n\n{_order(parts)}",
    )
    yield "code", "\n".join([parts.training, *parts.loop.scaling]) if solved else _training(parts, run)
    yield "code", _training_test(run, b)
    yield "markdown", "## What was learnt"
    yield "code", _score(parts) if solved else _gap(f"f(z) of each {parts.kernel.one} z of Z.", "score(Z)")
    yield "code", _score_test(run)


def _gap(docstring: str, head: str) -> str:
    return f'def {head}:\n    """{docstring}"""\n    {_TODO}'


def _kernel(parts: Parts) -> str:
    one = parts.kernel.one
    return _gap(
        f"Return the matrix of k(u, v), a row for each {one} u of U, a column for each {one} v of V.", "k(U, V)"
    )


def _training(parts: Parts, run: Run) -> str:
    shown = [] if _is_plain(parts) else [f"shown = {run.index.tolist()}"]
    lines = [
        *shown,
        "n = len(y)",
        "alpha = np.zeros(n)",
        *(["b = 0.0"] * parts.loop.rule.intercept),
        "mistakes = []  # (step, example) of each mistake, steps counted from 1",
        "",
        _TODO,
    ]
    return "\n".join(lines)


def _is_plain(parts: Parts) -> bool:
    """Return whether the examples are shown in their order, so that nobody need be told it."""
    return not parts.loop.rule.converged and parts.settings.order == "cyclic"


def _order(parts: Parts) -> str:
    """Say which example is shown when."""
    if not _is_plain(parts):
        return "`shown` has the example of each step."
    ends = ", and end after an epoch without a mistake" if parts.loop.may_end else ""
    return f"Show the examples 0, 1, 2, … in their order, for at most {parts.settings.epochs} epochs{ends}."


def _kernel_test(run: Run) -> str:
    count = min(_TESTED, len(run.y))
    own = np.array(run.columns(run.X[:count], np.arange(count)))
    return (
        f"expected = {_array(own)}\n"
        f"assert np.allclose(k(X[:{count}], X[:{count}]), expected, atol=1e-6), "
        '"Some k(u, v) is another number."\n'
        'print("The kernel is right.")'
    )


def _training_test(run: Run, b: bool) -> str:
    state = run.state_at(run.n_steps)
    steps = np.flatnonzero(run.mistake)
    found = [(int(t) + 1, int(run.index[t])) for t in steps]
    lines = [
        f"expected = {found}",
        "for (step, i), made in zip(expected, mistakes):",
        '    assert (step, i) == tuple(made), f"Mistake {tuple(made)}: step {step}, example {i} should be the next."',
        f'assert len(mistakes) == len(expected), f"There are {{len(mistakes)}} mistakes, not {len(found)}."',
        f'assert np.allclose(alpha, {_array(state.alpha)}, atol=1e-5), "Some alpha is another number."',
        *([f'assert abs(b - {float(state.intercept)!r}) < 1e-5, "b is another number."'] * b),
        'print("Training is right.")',
    ]
    return "\n".join(lines)


def _score(parts: Parts) -> str:
    lines, b = parts.loop.reading
    body = f"return k(Z, X) @ coef{' + ' * bool(b)}{b}"
    return "\n".join([*lines, "", "", f'def score(Z):\n    """f(z) of each {parts.kernel.one} z of Z."""\n    {body}'])


def _score_test(run: Run) -> str:
    count = min(_TESTED, len(run.y))
    expected = run.decision_function(run.X[:count])
    return (
        f"assert np.allclose(score(X[:{count}]), {_array(expected)}, atol=1e-4), "
        '"Some f is another number."\n'
        'print("All is right.")'
    )


def _array(values: Any) -> str:
    """Return numbers as a list in Python, with as many digits as the tests compare."""
    return json.dumps(np.round(np.asarray(values, dtype=float), 9).tolist())
