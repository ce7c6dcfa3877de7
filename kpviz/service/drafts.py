"""What was typed and cannot be used: what is wrong with it, and where."""

from __future__ import annotations

from kpviz.engine.kernels.formula import FormulaError, tested
from kpviz.service import editing
from kpviz.service.dock import Draft
from kpviz.service.state import State
from kpviz.settings import BY_NAME


def of(state: State) -> dict[str, Draft]:
    """Return the drafts of a state by the name of their field."""
    found = {}
    for name, text in state.drafts.items():
        if name == editing.POINT and editing.movable(state.settings):
            if why := editing.why_no_point(state.settings, text):
                found[name] = Draft(text, why)
        elif name in BY_NAME and state.settings.reason_against(name) is None:
            draft = _formula(text) if name.startswith("formula") else _other(state, name, text)
            if draft is not None:
                found[name] = draft
    return found


def _formula(text: str) -> Draft | None:
    try:
        report = tested(text)
    except FormulaError as error:
        return Draft(text, str(error), error.at)
    return Draft(text, report.unfit) if report.unfit else None


def _other(state: State, name: str, text: str) -> Draft | None:
    try:
        BY_NAME[name].canonical(text, state.settings.values)
    except ValueError as error:
        return Draft(text, str(error))
    return None
