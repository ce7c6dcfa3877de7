"""Kernels typed as formulas: a small language on Python's grammar, never executed.

`Formula` is the kernel, `tested` what is known of a text, `derive` and `why_not` the proof, `REFUTED` functions that
are not kernels, `formula_of` the formula of a built-in kernel.
"""

from __future__ import annotations

from kpviz.engine.kernels.formula.formula import (
    EXAMPLE,
    REFUTED,
    Formula,
    Report,
    formula_of,
    is_at_most_1,
    reports,
    tested,
)
from kpviz.engine.kernels.formula.nodes import MAX_LENGTH, Node
from kpviz.engine.kernels.formula.parser import FormulaError, parse
from kpviz.engine.kernels.formula.printing import in_characters, latex
from kpviz.engine.kernels.formula.proof import Derivation, derive, why_not
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
