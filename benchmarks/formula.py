"""Kernels that are typed against the built-in ones; how fast a formula is read, tested
and refused.
"""

from __future__ import annotations

import numpy as np

from benchmarks.timing import line, seconds
from kpviz.engine.kernels import Gaussian, Kernel, Laplacian, Linear, Polynomial, Sigmoid
from kpviz.engine.kernels.formula import REFUTED, Formula, FormulaError, derive, parse
from kpviz.engine.kernels.formula.formula import report_on
from kpviz.player.contributions import blocks

_EXAMPLE = "exp(-norm(u-v)**2/2) + 0.1*dot(u,v)"
_HOSTILE = {
    "9**9**9**9": "9**9**9**9",
    "150 nested parentheses": "(" * 150 + "1" + ")" * 150,
    "10 MB of text": "1+" * 5_000_000,
}


def grams() -> None:
    """The Gram matrix of 500 points, by the formula and by the built-in kernel."""
    X = np.random.default_rng(0).standard_normal((500, 2))
    cases: tuple[tuple[str, Kernel], ...] = (
        ("dot(u, v)", Linear()),
        ("(dot(u, v) + 1)**2", Polynomial(2, 1.0)),
        ("(dot(u, v) + 1)**3", Polynomial(3, 1.0)),
        ("exp(-norm(u - v)**2/(2*0.5**2))", Gaussian(0.5)),
        ("exp(-norm1(u - v)/0.5)", Laplacian(0.5)),
        ("tanh(2*dot(u, v) - 1)", Sigmoid(2.0, -1.0)),
        ("exp(-norm(u - v)**2/2) + 0.1*dot(u, v)", Gaussian(1.0) + Linear()),
    )
    for text, kernel in cases:
        formula = Formula(text)
        ours = seconds(lambda: formula(X, X), 31)  # noqa: B023
        theirs = seconds(lambda: kernel(X, X), 31)  # noqa: B023
        compared = f"built-in {theirs * 1e3:.2f} ms: {ours / theirs:.1f} ×"
        line(f"Gram of 500 points: {text}", f"{ours * 1e3:.2f} ms", compared, "at most 3 ×")


def typing() -> None:
    """What happens at a keystroke."""
    line(
        "formula read", f"{seconds(lambda: parse(_EXAMPLE), 101) * 1e6:.0f} µs", _EXAMPLE, "stated"
    )
    tree = parse(_EXAMPLE)
    line("formula proven", f"{seconds(lambda: derive(tree), 101) * 1e6:.0f} µs", _EXAMPLE, "stated")
    for text in REFUTED.values():
        bad = parse(text)
        line(
            "formula refuted",
            f"{seconds(lambda: report_on.__wrapped__(bad)) * 1e3:.1f} ms",  # noqa: B023
            text,
            "stated",
        )


def fields() -> None:
    """What is sent for the field of a kernel with a kink, which splits in no way."""
    axis = np.linspace(-3.0, 3.0, 96)
    for n in (300, 1000):
        X = np.random.default_rng(0).standard_normal((n, 2))
        for text in ("exp(-norm(u-v)**2)*(norm(u-v)+1)**-1", "1/(1+norm(u-v))"):
            kernel = Formula(text)
            took = seconds(lambda: blocks(kernel, X, axis, axis), 1)  # noqa: B023
            line(
                f"field of {n} points: {text}",
                f"{took:.1f} s",
                "",
                "at most 3 s for 300, 10 s for 1000",
            )


def refusals() -> None:
    """What is no formula."""

    def refuse(text: str) -> None:
        try:
            parse(text)
        except FormulaError:
            return
        raise AssertionError(text)

    for what, text in _HOSTILE.items():
        took = seconds(lambda: refuse(text), 31)  # noqa: B023
        line(f"refused: {what}", f"{took * 1e3:.3f} ms", "", "some ms")


def main() -> None:
    """Print the table."""
    grams()
    typing()
    fields()
    refusals()
