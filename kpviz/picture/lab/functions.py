"""The functions that the lab examines: the current kernel, those known to be none, a formula."""

from __future__ import annotations

from typing import Any

from kpviz import experiment
from kpviz.engine.kernels import Kernel, formula
from kpviz.engine.kernels.formula import REFUTED, Formula
from kpviz.settings import Settings
from kpviz.settings.lab_link import CURRENT, FORMULA, START, LabView

NAMED = {example.name: example for example in REFUTED}


def typed_in(view: LabView, settings: Settings) -> str:
    """Return the formula that stands in the lab: what was typed, else that of the current kernel, else u·v."""
    return view.text or (formula_of(settings) if has_formula(settings) else START)


def text_of(view: LabView, settings: Settings) -> str:
    """Return the formula of the function that is examined, "" for the current kernel."""
    if view.of == CURRENT:
        return ""
    return typed_in(view, settings) if view.of == FORMULA else NAMED[view.of].text


def function_of(view: LabView, settings: Settings) -> Kernel:
    """Return the function that is examined; ValueError (of one sentence) if its formula is none."""
    text = text_of(view, settings)
    return experiment.kernel(settings) if view.of == CURRENT else typed(text)


def typed(text: str) -> Kernel:
    """Return the function that a formula describes; FormulaError, with its place, if it is none."""
    return Formula(text)


def formula_of(settings: Settings) -> str:
    """Return the formula of the current kernel; ValueError (of one sentence) if it has none."""
    return formula.formula_of(experiment.kernel(settings))


def has_formula(settings: Settings) -> bool:
    """Return whether the current kernel can be written as a formula."""
    try:
        return bool(formula_of(settings))
    except ValueError:
        return False


def settings_of(text: str) -> dict[str, Any]:
    """Return the settings by which the plain perceptron learns with a formula as its kernel."""
    if text == NAMED["sigmoid"].text:
        return {"kernel": "sigmoid", "gamma": 1.0, "coef0": -1.0, **_PLAIN}
    return {"kernel": "formula", "formula": text, **_PLAIN}


_PLAIN = {
    "combine": "none",
    "normalize": "off",
    "learner": "perceptron",
    "intercept": "none",
    "tie": "mistake",
    "order": "cyclic",
    "predictor": "last",
}
