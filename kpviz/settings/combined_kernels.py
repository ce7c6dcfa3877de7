"""Two kernels that links and files before kpviz 1.0 combine.

Their sum or product is read as a formula.

Tests: tests/test_combined_kernels.py.
"""

from __future__ import annotations

from typing import Any

from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.kernels.formula import FormulaError, tested
from kpviz.engine.kernels.vectors import NAMED_KERNELS
from kpviz.settings.conditions import Values, is_object
from kpviz.settings.properties import BY_NAME, KERNEL_PARAMETERS, beginning

_PARAMETERS = (*KERNEL_PARAMETERS, "negated", "formula")
_SECOND = ("kernel2", *(f"{name}2" for name in _PARAMETERS))
FORMER_NAMES = frozenset(("combine", *_SECOND))
_FORMULAS = {"sum": "{} + {}", "product": "({})*({})"}


def as_one_kernel(pairs: Values) -> tuple[dict[str, Any], list[str]]:
    """Return settings with a formula in place of two kernels, and what is lost, one phrase each.

    Where no formula can say both, the first kernel remains.

    >>> as_one_kernel({"sigma": "0.3", "combine": "sum", "kernel2": "polynomial", "degree2": "3"})
    ({'normalize': 'off', 'kernel': 'formula', 'formula': 'gaussian(0.3) + polynomial(3, 1)'}, [])
    """
    remaining = {name: value for name, value in pairs.items() if name not in FORMER_NAMES}
    combine = pairs.get("combine", "none")
    if combine not in _FORMULAS:
        return remaining | ({} if combine == "none" else {"combine": combine}), []
    first, problems = _kernel_values(remaining, "")
    second, more_problems = _kernel_values(_second_kernel(pairs, first["data"]), "2")
    formula = _combined(combine, first, second)
    if not formula:
        names = f"{first['kernel']} and {second['kernel']}"
        return remaining, [f"the {combine} of {names} has no formula, so the first is used alone"]
    shared = {name: value for name, value in remaining.items() if name not in _PARAMETERS}
    return {"normalize": "off"} | shared | {
        "kernel": "formula",
        "formula": formula,
    }, problems + more_problems


def _second_kernel(pairs: Values, data: str) -> dict[str, Any]:
    """Return the data and the second kernel, its parameters named as those of the only one are."""
    default = OBJECTS[data].kernels[-1] if is_object({"data": data}) else "linear"
    second = {name.removesuffix("2"): pairs[name] for name in _SECOND if name in pairs}
    return {"data": data, "kernel": default} | second


def _kernel_values(pairs: Values, suffix: str) -> tuple[dict[str, Any], list[str]]:
    """Return the data, the kernel and its parameters, repaired, and the kernel's problems."""
    values: dict[str, Any] = {}
    problems = []
    for name in ("data", "kernel", *_PARAMETERS):
        prop = BY_NAME[name]
        values[name] = prop.default_for(values)
        if name in pairs and prop.not_applicable(values) is None:
            values[name], problem = prop.repair(pairs[name], values)
            if problem and name != "data":
                problems.append(f"{name}{suffix}={beginning(pairs[name])} {problem}")
    return values, problems


def _combined(combine: str, first: Values, second: Values) -> str:
    """Return the formula of both kernels, "" where there is none."""
    formulas = [_formula(values) for values in (first, second)]
    if not all(formulas):
        return ""
    try:
        report = tested(_FORMULAS[combine].format(*formulas))
    except FormulaError:  # It is longer than a formula may be.
        return ""
    return "" if report.unfit else str(report.tree)


def _formula(values: Values) -> str:
    """Return the formula of one kernel, "" where it has none."""
    name = values["kernel"]
    if name == "formula":
        return str(values["formula"])
    if name not in NAMED_KERNELS or (name == "subsets" and values["negated"] == "on"):
        return ""
    numbers = (repr(values[parameter]) for parameter in KERNELS[name].ranges)
    return f"{name}({', '.join(numbers)})"
