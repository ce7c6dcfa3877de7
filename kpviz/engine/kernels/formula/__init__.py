"""Kernels typed as formulas: a small language, parsed by hand and never executed.

`Formula` is the kernel, `tested` what is known of a text, `derive` and `why_not` the proof, `REFUTED` functions that
are not kernels, `wrap` and `formula_of` build formulas from kernels.
"""

from __future__ import annotations

from kpviz.engine.kernels.formula.build import BUILDERS, formula_of, wrap
from kpviz.engine.kernels.formula.derivation import Derivation
from kpviz.engine.kernels.formula.errors import FormulaError, pointer
from kpviz.engine.kernels.formula.formula import EXAMPLE, Formula
from kpviz.engine.kernels.formula.latex import latex
from kpviz.engine.kernels.formula.nodes import Node
from kpviz.engine.kernels.formula.parser import parse
from kpviz.engine.kernels.formula.proof import derive, why_not
from kpviz.engine.kernels.formula.refutation import REFUTED, RefutedExample
from kpviz.engine.kernels.formula.report import Asymmetry, Report, tested
from kpviz.engine.kernels.formula.words import MAX_LENGTH

__all__ = [
    "BUILDERS",
    "EXAMPLE",
    "MAX_LENGTH",
    "REFUTED",
    "Asymmetry",
    "Derivation",
    "Formula",
    "FormulaError",
    "Node",
    "RefutedExample",
    "Report",
    "derive",
    "formula_of",
    "latex",
    "parse",
    "pointer",
    "tested",
    "why_not",
    "wrap",
]
