"""What was typed and cannot be used: what is wrong with it, and where.

Tests: tests/service/test_making.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from kpviz import experiment
from kpviz.engine.kernels.formula import FormulaError, tested
from kpviz.engine.run.predictors import Progress
from kpviz.service import editing, stored
from kpviz.service.dock import Draft
from kpviz.service.making import TextWork, made
from kpviz.service.state import PageState
from kpviz.settings import BY_NAME, FILE, Settings, conditions

NO_RUN = "Its run cannot be shown on these data. Enter tries it again."

_NODES = 24  # A formula is tried at so many along each axis of the map.


def of(state: PageState) -> dict[str, Draft]:
    """Return the drafts of a state by the name of their field."""
    drafts = {}
    for name, text in state.drafts.items():
        if name == editing.POINT and editing.movable(state.settings):
            why = editing.why_no_point(state.settings, text)
            if why:
                drafts[name] = Draft(text, why)
        elif name in BY_NAME and state.settings.reason_against(name) is None:
            if name == "formula":
                drafts[name] = _formula(state.settings, text)
                continue
            try:
                BY_NAME[name].canonical(text, state.settings.values)
            except ValueError as error:
                drafts[name] = Draft(text, str(error))
    return drafts


def typeset(sentence: str) -> str:
    """Return a sentence in which negative numbers have a minus sign.

    >>> typeset("log(u) is not a finite number for u = (-1, 0.5)")
    'log(u) is not a finite number for u = (−1, 0.5)'
    """
    return re.sub(r"(?<![\w)])-(?=[\d.])", "−", sentence)


def _formula(settings: Settings, text: str) -> Draft:
    try:
        report = tested(text)
    except FormulaError as error:
        return Draft(text, typeset(str(error)), error.at)
    if report.unfit:
        return Draft(text, typeset(report.unfit))
    try:
        made(TrialWork.of(settings.replace(formula=text)))
    except ValueError as error:
        return Draft(text, typeset(str(error)))
    return Draft(text, NO_RUN)


@dataclass(frozen=True)
class TrialWork(TextWork):
    """A kernel that is evaluated on all examples and over the map, to see whether it has values.

    `split` are the examples of a file, whose table stays where it is.
    """

    settings: Settings
    split: experiment.Split | None = None

    @classmethod
    def of(cls, settings: Settings) -> TrialWork:
        """Return the trial of settings; ValueError, of one sentence, if a file cannot be used."""
        split = stored.split(settings) if settings.data == FILE else None
        return cls(settings.without_cues, split)

    @property
    def id(self) -> str:
        return f"trial?{self.settings.query()}"

    def make(self, progress: Progress | None = None) -> None:
        split = experiment.prepare(self.settings) if self.split is None else self.split
        kernel = experiment.kernel(self.settings)
        X = split.everything
        if not len(X):
            return
        kernel(X, X)
        if conditions.has_plane(self.settings.values):
            x1, x2 = split.extent.axes(_NODES)
            kernel(X, np.column_stack([np.repeat(x1, _NODES), np.tile(x2, _NODES)]))
