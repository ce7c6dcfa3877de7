"""Kernels typed as formulas: a small language on Python's grammar, never executed.

`Formula` is the kernel, `tested` what is known of a text, `derive` and `why_not` the proof,
`REFUTED` functions that are not kernels, `formula_of` the formula of a built-in kernel.

Tests: tests/engine/test_formula.py, tests/engine/test_formula_proof.py.
"""

from __future__ import annotations

from kpviz.engine.kernels.expression.nodes import MAX_LENGTH, Node
from kpviz.engine.kernels.expression.parser import FormulaError
from kpviz.engine.kernels.expression.printing import in_characters, latex
from kpviz.engine.kernels.formula.formula import (
    EXAMPLE,
    REFUTED,
    Formula,
    Report,
    is_at_most_1,
    reports,
    tested,
)
from kpviz.engine.kernels.formula.proof import Derivation, derive, why_not
from kpviz.engine.kernels.trees import formula_of, parse
from kpviz.engine.syntax import pointer

__all__ = [
    "EXAMPLE",
    "MAX_LENGTH",
    "REFUTED",
    "Derivation",
    "Formula",
    "FormulaError",
    "Node",
    "Report",
    "derive",
    "formula_of",
    "in_characters",
    "is_at_most_1",
    "latex",
    "parse",
    "pointer",
    "reports",
    "tested",
    "why_not",
]
